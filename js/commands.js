// The command buffer: puts the commands of wasm/abi.h into a session's memory and runs them.
//
// A call becomes a few bytes at `position`. Text of more than a few units joins `text`, one rope that is transcoded as
// a whole just before the run (TextEncoder.encodeInto) and cut up again in the module, by lengths in UTF-16 units.
// `flush` runs what is there; it happens when the buffer is full, and when somebody wants to see a result.
import {
  COMMANDS_NBYTES, FLAG_CONVERT, FLAG_MULTIPLE_ROOTS, MODES, OP_BIGNUM, OP_BIGNUM_RUN, OP_BYTES_RUN, OP_DECIMAL, OP_ENCODED,
  OP_ENCODED_RUN, OP_TEXT_INVALID, OP_TEXT_NOT_NFC, OP_TEXT_RUN, OP_TEXT_RUN_SHORT,
  SESSION_CHUNKS, SESSION_COMMANDS, SESSION_COMPLETE, SESSION_DEPTH, SESSION_FAILED_INDEX, SESSION_FAILED_KEY, SESSION_NBYTES, SESSION_OUT, SESSION_SIDE,
  SESSION_SIDE_NBYTES, SESSION_TEXT, SESSION_TEXT_INVALID, SESSION_TEXT_KIND, SESSION_TEXT_NBYTES, STATUS_NAMES, TEXT_ANY, TEXT_ASCII, TEXT_CHECKED, TEXT_NBYTES, TEXT_TO_CHECK,
} from './abi.js';
import { CborError, rangeError } from './errors.js';
import { crossed, flushed, instantiate, refresh, u32, u8, view, wasm } from './instance.js';
import { isNormalized } from './nfc.js';
import { copied } from './results.js';
import { unitAt, unitsOf } from './strings.js';
import { utf8Length } from './utf8.js';

/** @typedef {keyof typeof MODES} Mode */

/** Text of at most so many UTF-16 units is written by a loop, if it is ASCII. */
export const INLINE_UNITS = 23;

/** Byte strings up to this many bytes travel in the command buffer, longer ones in a side buffer. */
export const INLINE_BYTES = 2048;

/**
 * How far behind the output a payload stands that is too long for the command buffer: further than whatever is written
 * before it (a key, a tag, a head). And the room for all that, and for what the module may read behind it.
 */
const ASIDE_GAP = 128;
const ASIDE_ROOM = 512;

/** Room that any command of a fixed size needs. */
const COMMAND_MAX = 24;

/** More than any combining sequence in a text that is safe to stream (Unicode Standard Annex 15). */
const NFC_UNITS = 64;

const encoder = new TextEncoder();

/** The text buffer, which all sessions share: views are dear. */
let textBuffer = new Uint8Array(0);

/** @param {number} address of the text buffer */
function textBufferAt(address) {
  // Empty since memory has grown.
  if (textBuffer.length === 0) textBuffer = u8.subarray(address, address + TEXT_NBYTES);
  return textBuffer;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The payload of the string whose head is at an address.
 * @param {number} address
 */
function readHead(address) {
  const information = u8[address] & 0x1f;
  switch (information) {
    case 24: return { at: address + 2, nbytes: u8[address + 1] };
    case 25: return { at: address + 3, nbytes: view.getUint16(address + 1) };
    case 26: return { at: address + 5, nbytes: view.getUint32(address + 1) };
    default: return { at: address + 1, nbytes: information };
  }
}

/** Sessions whose owners are gone give their memory back, where the runtime tells; that is no crossing of anybody's. */
const registry = typeof FinalizationRegistry !== 'function' ? undefined : new FinalizationRegistry((/** @type {number} */ address) => {
  wasm.wcbor_session_free(address);
});

/** @param {string} text */
function isWellFormed(text) {
  if (typeof text.isWellFormed === 'function') return text.isWellFormed();
  return !/\p{Surrogate}/u.test(text);
}

/** A command buffer and the session that runs it. */
export class Commands {
  /**
   * @param {Mode} mode
   * @param {{ convert?: boolean, multipleRoots?: boolean, maxDepth?: number }} [options]
   */
  constructor(mode, { convert = false, multipleRoots = false, maxDepth = -1 } = {}) {
    instantiate();
    const flags = (convert ? FLAG_CONVERT : 0) | (multipleRoots ? FLAG_MULTIPLE_ROOTS : 0);
    this.address = wasm.wcbor_session_new(MODES[mode], flags, maxDepth);
    crossed();
    refresh();
    if (this.address === 0) throw new CborError('OUT_OF_MEMORY');
    registry?.register(this, this.address, this);
    /** The error that was thrown last. @type {CborError | undefined} */
    this.error = undefined;
    this.mode = mode;
    this.maxDepth = maxDepth;
    this.several = multipleRoots;
    this.strict = mode !== 'lax';
    this.normalizes = mode === 'dcbor';
    /** In dcbor, the end of the text string in chunks that was looked at last. */
    this.tail = { start: 0, at: 0, text: '' };
    /** The first byte of the buffer, the next free one, and the last from which a command of COMMAND_MAX bytes fits. */
    this.start = this.field(SESSION_COMMANDS);
    this.position = this.start;
    this.limit = this.start + COMMANDS_NBYTES - COMMAND_MAX;
    this.textAddress = this.field(SESSION_TEXT);
    this.text = '';
    /** Commands since the last reset, and how many of them had been put when the buffer was last empty. */
    this.count = 0;
    this.countAtStart = 0;
    /** Whether the next run begins a new document. */
    this.fresh = true;
  }

  /** Gives the session's memory back; nothing may be called afterwards. */
  free() {
    registry?.unregister(this);
    wasm.wcbor_session_free(this.address);
    crossed();
    this.address = 0;
  }

  /**
   * Makes room for so many bytes of output.
   * @param {number} nbytes
   */
  reserve(nbytes) {
    const status = wasm.wcbor_session_reserve(this.address, nbytes);
    crossed();
    refresh();
    if (status !== 0) throw new CborError(STATUS_NAMES[status]);
  }

  /** @param {number} offset a SESSION_ constant */
  field(offset) {
    return u32[(this.address + offset) >> 2];
  }

  // --------------------------------------------------------------------------------------------------- running

  /** Drops what has not been run and begins a new document. */
  reset() {
    this.count = 0;
    this.tail.start = 0;
    this.drop();
    this.fresh = true;
  }

  /** Drops what has not been run. */
  drop() {
    this.position = this.start;
    this.text = '';
    this.countAtStart = this.count;
  }

  /** Runs what is in the buffer. The buffer is empty afterwards, whatever happens. */
  flush() {
    if (this.position === this.start && !this.fresh) return;
    if (this.text !== '') {
      const { read, written } = encoder.encodeInto(this.text, textBufferAt(this.textAddress));
      u32[(this.address + SESSION_TEXT_NBYTES) >> 2] = written;
      u32[(this.address + SESSION_TEXT_KIND) >> 2] = read === written ? TEXT_ASCII : TEXT_ANY;
    }
    this.run();
  }

  /** Says what the module asks for when U+FFFD is in the text: whether it stands there for an unpaired surrogate. */
  checkText() {
    const { text } = this;
    u32[(this.address + SESSION_TEXT_KIND) >> 2] = TEXT_CHECKED;
    if (isWellFormed(text)) return;
    let i = 0;
    for (; i < text.length; i++) {
      const unit = unitAt(text, i), next = unitAt(text, i + 1);
      if ((unit & 0xfc00) === 0xd800 && (next & 0xfc00) === 0xdc00) i++;
      else if ((unit & 0xf800) === 0xd800) break;
    }
    u32[(this.address + SESSION_TEXT_INVALID) >> 2] = this.textAddress + utf8Length(text.slice(0, i));
  }

  run() {
    const run = this.fresh ? wasm.wcbor_run_fresh : wasm.wcbor_run;
    flushed(this.position - this.start, this.field(SESSION_TEXT_NBYTES));
    let status = run(this.address, this.start, this.position);
    crossed();
    if (status === TEXT_TO_CHECK) {
      this.checkText();
      status = run(this.address, this.start, this.position);
      crossed();
    }
    refresh();
    this.fresh = false;
    const first = this.countAtStart;
    this.drop();
    if (status !== 0) this.fail(STATUS_NAMES[status], first + this.field(SESSION_FAILED_INDEX));
  }

  /**
   * @param {string} name
   * @param {number} callIndex
   * @returns {never}
   */
  fail(name, callIndex) {
    this.tail.start = 0;
    this.error = new CborError(name, { offset: this.field(SESSION_NBYTES), callIndex });
    throw this.error;
  }

  /** Makes room for one command of up to COMMAND_MAX bytes and `nbytes` more. */
  room(nbytes = 0) {
    if (this.position + nbytes > this.limit) this.flushFirst();
  }

  /** Runs what is there before one more command is put; if that fails, this command is dropped with the others. */
  flushFirst() {
    try {
      this.flush();
    } catch (error) {
      this.dropOne();
      throw error;
    }
  }

  dropOne() {
    this.count++;
    this.countAtStart = this.count;
  }

  /**
   * Runs one command whose payload is too long for the command buffer. The payload stands where the output goes, a little
   * further on, so that a large string is in the module's memory only once.
   * @param {number} nbytes of the payload
   * @param {(address: number) => void} fill puts the payload there
   * @param {() => void} put puts the command
   */
  runAside(nbytes, fill, put) {
    this.flushFirst();
    const status = wasm.wcbor_session_reserve(this.address, nbytes + ASIDE_ROOM);
    crossed();
    refresh();
    if (status !== 0) {
      this.dropOne();
      this.fail(STATUS_NAMES[status], this.count - 1);
    }
    try {
      fill(this.field(SESSION_OUT) + this.nbytes + ASIDE_GAP);
      put();
      this.count++;
      this.run();
    } finally {
      u32[(this.address + SESSION_TEXT) >> 2] = this.textAddress;
    }
  }

  // ---------------------------------------------------------------------------------------------------- results

  /** The document, in memory that is not written again. The buffer must have been flushed. */
  take() {
    return copied(this.field(SESSION_OUT), this.nbytes);
  }

  /**
   * Like `take`, but to the beginning of `target`.
   * @param {Uint8Array} target
   * @returns {number} bytes copied, or -1 if it is too short
   */
  copyInto(target) {
    const from = this.field(SESSION_OUT), { nbytes } = this;
    if (nbytes > target.length) return -1;
    target.set(u8.subarray(from, from + nbytes));
    return nbytes;
  }

  /** The memory of the output, which may go on behind it. */
  get output() {
    return u8.subarray(this.field(SESSION_OUT));
  }

  /** After a failure, whether the key of the failed item stands behind the output, or is itself what failed. */
  get endsBeforeKey() {
    return this.field(SESSION_FAILED_KEY) === 1;
  }

  get nbytes() {
    return this.field(SESSION_NBYTES);
  }

  get depth() {
    return this.field(SESSION_DEPTH);
  }

  get complete() {
    return this.field(SESSION_COMPLETE) === 1;
  }

  // --------------------------------------------------------------------------------------------------- commands

  /**
   * A command of one byte.
   * @param {number} byte
   */
  put(byte) {
    this.room();
    u8[this.position++] = byte;
    this.count++;
  }

  /**
   * The fixed part of a command with a 32-bit operand; the caller makes the room and counts.
   * @param {number} opcode
   * @param {number} operand
   */
  put32(opcode, operand) {
    u8[this.position] = opcode;
    view.setUint32(this.position + 1, operand, true);
    this.position += 5;
  }

  /**
   * A head, and with it an integer, a tag, or the start of a definite container.
   * @param {number} major the major type where it stands in the initial byte
   * @param {number} argument an integer of 0 to 2^53 - 1; the module makes the head the shortest
   */
  head(major, argument) {
    this.room();
    const at = this.position;
    if (argument < 24) {
      u8[at] = major | argument;
      this.position = at + 1;
    } else if (argument <= 0xffffffff) {
      u8[at] = major | 26;
      view.setUint32(at + 1, argument);
      this.position = at + 5;
    } else {
      u8[at] = major | 27;
      view.setUint32(at + 1, argument / 2 ** 32);
      view.setUint32(at + 5, argument >>> 0);
      this.position = at + 9;
    }
    this.count++;
  }

  /**
   * @param {number} major
   * @param {bigint} argument 0 to 2^64 - 1
   */
  head64(major, argument) {
    this.room();
    u8[this.position] = major | 27;
    view.setBigUint64(this.position + 1, argument);
    this.position += 9;
    this.count++;
  }

  /**
   * A double; the module chooses its form by the mode.
   * @param {number} value
   */
  double(value) {
    this.room();
    u8[this.position] = 0xfb;
    view.setFloat64(this.position + 1, value);
    this.position += 9;
    this.count++;
  }

  /**
   * A double in 64 bits, whatever its value.
   * @param {number} value
   */
  wideDouble(value) {
    this.room();
    this.put32(OP_ENCODED, 9);
    u8[this.position] = 0xfb;
    view.setFloat64(this.position + 1, value);
    this.position += 9;
    this.count++;
  }

  /** @param {number | bigint} tag 0 to 2^64 - 1; a number is a safe integer */
  tag(tag) {
    if (typeof tag === 'number') this.head(0xc0, tag);
    else this.head64(0xc0, tag);
  }

  /** @param {number} value already rounded to a single */
  single(value) {
    this.room();
    u8[this.position] = 0xfa;
    view.setFloat32(this.position + 1, value);
    this.position += 5;
    this.count++;
  }

  /**
   * A command with a double as its operand.
   * @param {number} opcode OP_HALF or OP_UNIX_TIME
   * @param {number} value
   */
  float64(opcode, value) {
    this.room();
    u8[this.position] = opcode;
    view.setFloat64(this.position + 1, value, true);
    this.position += 9;
    this.count++;
  }

  /** @param {number} value 24..255 */
  simple(value) {
    this.room();
    u8[this.position] = 0xf8;
    u8[this.position + 1] = value;
    this.position += 2;
    this.count++;
  }

  /** @param {string} text */
  string(text) {
    const units = unitsOf(text);
    if (units > INLINE_UNITS) return this.rope(text);
    this.room(units);
    let at = this.position;
    u8[at++] = 0x60 | units;
    for (let i = 0; i < units; i++) {
      const unit = unitAt(text, i);
      if (unit > 0x7f) return this.rope(text);
      u8[at++] = unit;
    }
    this.position = at;
    this.count++;
  }

  /** @param {string} text */
  rope(text) {
    if (this.normalizes) {
      // Some engines make U+FFFD of unpaired surrogates when they normalize.
      if (!isWellFormed(text)) return this.put(OP_TEXT_INVALID);
      text = text.normalize('NFC');
      if (unitAt(text, 0) > 0x7f && !this.joins(text)) return this.put(OP_TEXT_NOT_NFC);
    }
    const units = unitsOf(text);
    // An unpaired high surrogate at the end must not meet a low one at the beginning of the next string.
    if ((unitAt(text, units - 1) & 0xfc00) === 0xd800) {
      if (this.strict) return this.put(OP_TEXT_INVALID);
      text = `${text.slice(0, -1)}\ufffd`;
    }
    if (units * 3 > TEXT_NBYTES) return this.longText(text);
    if ((this.text.length + units) * 3 > TEXT_NBYTES) this.flushFirst();
    else this.room();
    this.text += text;
    if (units <= 0xff) {
      u8[this.position] = OP_TEXT_RUN_SHORT;
      u8[this.position + 1] = units;
      this.position += 2;
    } else {
      this.put32(OP_TEXT_RUN, units);
    }
    this.count++;
  }

  /**
   * In dcbor, whether text is in NFC together with the chunks before it, if it is one. Only text that does not begin with
   * ASCII may not be, and only the last characters of what is before it matter.
   * @param {string} text
   */
  joins(text) {
    this.flushFirst();
    const start = this.field(SESSION_CHUNKS);
    if (start === 0) return true;
    const { tail } = this;
    if (tail.start !== start) Object.assign(tail, { start, at: start, text: '' });
    const out = this.field(SESSION_OUT);
    while (tail.at < this.nbytes) {
      const { at, nbytes } = readHead(out + tail.at);
      tail.text = (tail.text + decoder.decode(u8.slice(at, at + nbytes))).slice(-NFC_UNITS);
      tail.at = at + nbytes - out;
    }
    const joined = tail.text + text.slice(0, NFC_UNITS);
    return joined === joined.normalize('NFC');
  }

  /** @param {string} text */
  longText(text) {
    if (this.strict && !isWellFormed(text)) return this.put(OP_TEXT_INVALID);
    const nbytes = utf8Length(text);
    const fill = (/** @type {number} */ address) => {
      encoder.encodeInto(text, u8.subarray(address, address + nbytes));
      u32[(this.address + SESSION_TEXT) >> 2] = address;
      u32[(this.address + SESSION_TEXT_NBYTES) >> 2] = nbytes;
      u32[(this.address + SESSION_TEXT_KIND) >> 2] = nbytes === text.length ? TEXT_ASCII : TEXT_CHECKED;
    };
    this.runAside(nbytes, fill, () => this.put32(OP_TEXT_RUN, text.length));
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    const nbytes = bytes.length;
    if (nbytes > INLINE_BYTES) return this.aside(bytes, () => this.put32(OP_BYTES_RUN, nbytes));
    this.room(nbytes);
    u8[this.position] = 0x59;
    view.setUint16(this.position + 1, nbytes);
    u8.set(bytes, this.position + 3);
    this.position += 3 + nbytes;
    this.count++;
  }

  /** @param {Uint8Array} bytes */
  encoded(bytes) {
    // No bytes are no item, and fail in their turn as the bytes must.
    if (this.normalizes && !isNormalized(bytes)) bytes = new Uint8Array(0);
    if (bytes.length > INLINE_BYTES) return this.aside(bytes, () => this.put32(OP_ENCODED_RUN, bytes.length));
    this.counted(OP_ENCODED, bytes);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {() => void} put
   */
  aside(bytes, put) {
    const nbytes = bytes.length;
    const fill = (/** @type {number} */ address) => {
      u8.set(bytes, address);
      u32[(this.address + SESSION_SIDE) >> 2] = address;
      u32[(this.address + SESSION_SIDE_NBYTES) >> 2] = nbytes;
    };
    this.runAside(nbytes, fill, put);
  }

  /**
   * @param {boolean} negative
   * @param {Uint8Array} magnitude
   */
  longBignum(negative, magnitude) {
    this.aside(magnitude, () => {
      u8[this.position++] = OP_BIGNUM_RUN;
      this.put32(negative ? 1 : 0, magnitude.length);
    });
  }

  /**
   * A command with so many bytes behind it, which the buffer has room for.
   * @param {number} opcode OP_ENCODED or OP_DATE_TIME
   * @param {Uint8Array} bytes
   */
  counted(opcode, bytes) {
    this.room(bytes.length);
    this.put32(opcode, bytes.length);
    u8.set(bytes, this.position);
    this.position += bytes.length;
    this.count++;
  }

  /**
   * A bignum: `magnitude` or, if `negative`, -1 - `magnitude`.
   * @param {boolean} negative
   * @param {Uint8Array} magnitude big-endian
   */
  bignum(negative, magnitude) {
    if (magnitude.length > INLINE_BYTES) return this.longBignum(negative, magnitude);
    this.room(magnitude.length);
    u8[this.position++] = OP_BIGNUM;
    this.putMagnitude(negative, magnitude);
    this.count++;
  }

  /**
   * @param {bigint} exponent -2^63 to 2^63 - 1
   * @param {boolean} negative as for `bignum`
   * @param {Uint8Array} magnitude
   */
  decimal(exponent, negative, magnitude) {
    if (magnitude.length > INLINE_BYTES) throw rangeError('VALUE_OUT_OF_RANGE', `mantissas are limited to ${INLINE_BYTES} bytes`);
    this.room(magnitude.length);
    u8[this.position] = OP_DECIMAL;
    view.setBigInt64(this.position + 1, exponent, true);
    this.position += 9;
    this.putMagnitude(negative, magnitude);
    this.count++;
  }

  /**
   * @param {boolean} negative
   * @param {Uint8Array} magnitude
   */
  putMagnitude(negative, magnitude) {
    this.put32(negative ? 1 : 0, magnitude.length);
    u8.set(magnitude, this.position);
    this.position += magnitude.length;
  }
}
