// The calls of a writer that does not gather them: each crosses into the module at once.
import { OP_END_ARRAY, OP_END_MAP, STATUS_NAMES } from './abi.js';
import { Commands, INLINE_UNITS } from './commands.js';
import { crossed, refresh, u8, wasm } from './instance.js';
import { unitAt, unitsOf } from './strings.js';

/**
 * The common calls have exports of their own; the others go through the command buffer, which is run at once. What the
 * session shows of its writer is brought up to date only when somebody looks.
 */
export class SingleCalls extends Commands {
  /**
   * @param {import('./commands.js').Mode} mode
   * @param {{ convert?: boolean, multipleRoots?: boolean, maxDepth?: number }} options
   */
  constructor(mode, options) {
    super(mode, options);
    this.fresh = false;
  }

  reset() {
    super.reset();
    super.flush();
  }

  /** Runs the command that is in the buffer, or brings up to date what the session shows. */
  flush() {
    if (this.position !== this.start) return super.flush();
    wasm.wcbor_session_show(this.address);
    crossed();
    refresh();
  }

  /** @param {number} status */
  done(status) {
    crossed();
    refresh();
    this.countAtStart = ++this.count;
    if (status === 0) return;
    this.flush();
    this.fail(STATUS_NAMES[status], this.count - 1);
  }

  /** @param {number} byte */
  put(byte) {
    if (byte === OP_END_MAP || byte === OP_END_ARRAY || byte === 0x9f || byte === 0xbf || byte >= 0xe0) {
      return this.done(wasm.wcbor_call(this.address, byte, 0));
    }
    super.put(byte);
    super.flush();
  }

  /**
   * @param {number} major
   * @param {number} argument
   */
  head(major, argument) {
    this.done(wasm.wcbor_call(this.address, major, argument));
  }

  /** @param {number} value */
  double(value) {
    this.done(wasm.wcbor_call(this.address, 0xfb, value));
  }

  /** @param {string} text */
  string(text) {
    const units = unitsOf(text);
    if (units > INLINE_UNITS) return this.rope(text);
    const bytes = u8;
    const at = this.start;
    for (let i = 0; i < units; i++) {
      const unit = unitAt(text, i);
      if (unit > 0x7f) return this.rope(text);
      bytes[at + i] = unit;
    }
    this.done(wasm.wcbor_call_text(this.address, units));
  }

  // The rest by the command buffer. A command that was too long for it has been run already.

  /** @param {string} text */
  rope(text) {
    super.rope(text);
    super.flush();
  }

  /**
   * @param {number} major
   * @param {bigint} argument
   */
  head64(major, argument) {
    super.head64(major, argument);
    super.flush();
  }

  /** @param {number} value */
  single(value) {
    super.single(value);
    super.flush();
  }

  /**
   * @param {number} opcode
   * @param {number} value
   */
  float64(opcode, value) {
    super.float64(opcode, value);
    super.flush();
  }

  /** @param {number} value */
  simple(value) {
    super.simple(value);
    super.flush();
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    super.bytes(bytes);
    super.flush();
  }

  /** @param {Uint8Array} bytes */
  encoded(bytes) {
    super.encoded(bytes);
    super.flush();
  }

  /**
   * @param {number} opcode
   * @param {Uint8Array} bytes
   */
  counted(opcode, bytes) {
    super.counted(opcode, bytes);
    super.flush();
  }

  /**
   * @param {boolean} negative
   * @param {Uint8Array} magnitude
   */
  bignum(negative, magnitude) {
    super.bignum(negative, magnitude);
    super.flush();
  }

  /**
   * @param {bigint} exponent
   * @param {boolean} negative
   * @param {Uint8Array} magnitude
   */
  decimal(exponent, negative, magnitude) {
    super.decimal(exponent, negative, magnitude);
    super.flush();
  }
}
