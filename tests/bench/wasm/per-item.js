// What a generator of bindings would give for the C writer: every call is a call into the module, and every string is
// transcoded by a TextEncoder.encodeInto of its own into memory of the module. It has the calls of the benchmark alone
// and does not look at its arguments.
import {
  COMMANDS_NBYTES, FLAG_CONVERT, MODES, OP_END_ARRAY, OP_END_MAP, SESSION_COMMANDS, SESSION_COMPLETE, SESSION_NBYTES,
  SESSION_OUT,
} from './js/abi.js';
import { crossed, instantiate, refresh, u32, u8, wasm } from './js/instance.js';

const encoder = new TextEncoder();

export class PerItemWriter {
  #session;
  #scratch;

  constructor({ mode, convertIndefiniteLengths }) {
    instantiate();
    this.#session = wasm.wcbor_session_new(MODES[mode], convertIndefiniteLengths ? FLAG_CONVERT : 0, -1);
    refresh();
    this.#scratch = u32[(this.#session + SESSION_COMMANDS) >> 2];
  }

  #call(initial, argument) {
    const status = wasm.wcbor_call(this.#session, initial, argument);
    crossed();
    if (status !== 0) throw new Error(`status ${status}`);
  }

  reset() {
    wasm.wcbor_run_fresh(this.#session, this.#scratch, this.#scratch);
    crossed();
  }

  writeTextString(text) {
    refresh();
    const { written } = encoder.encodeInto(text, u8.subarray(this.#scratch, this.#scratch + COMMANDS_NBYTES));
    const status = wasm.wcbor_call_text(this.#session, written);
    crossed();
    if (status !== 0) throw new Error(`status ${status}`);
  }

  writeStartArray(count) {
    this.#call(0x80, count);
  }

  writeEndArray() {
    this.#call(OP_END_ARRAY, 0);
  }

  writeStartMap(count) {
    if (count === null) this.#call(0xbf, 0);
    else this.#call(0xa0, count);
  }

  writeEndMap() {
    this.#call(OP_END_MAP, 0);
  }

  tryEncode(target) {
    wasm.wcbor_session_show(this.#session);
    crossed();
    refresh();
    const field = (offset) => u32[(this.#session + offset) >> 2];
    if (field(SESSION_COMPLETE) !== 1) throw new Error('incomplete');
    const out = field(SESSION_OUT);
    const nbytes = field(SESSION_NBYTES);
    if (nbytes > target.length) return -1;
    target.set(u8.subarray(out, out + nbytes));
    return nbytes;
  }
}
