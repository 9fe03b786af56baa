// Tapes in the module's memory (wasm/tape.h), and the tables that all of them share.
import {
  PLAN_UNKNOWN_FIELD, PLAN_WRONG_COUNT, STATUS_NAMES, TAPE_ASCII_AT, TAPE_BYTES_AT, TAPE_DOUBLES_AT, TAPE_ENTRIES_AT,
  TAPE_INPUT_AT, TAPE_WIDE_AT,
} from './abi.js';
import { CborError } from './errors.js';
import { crossed, instantiate, refresh, u32, wasm } from './instance.js';

/** The addresses of the nodes and keys of names.h, and of the bytes of keys. */
export let nodes = 0;
export let keys = 0;
export let keyBytes = 0;

/** A tape of the module, and the buffer for input that comes with it. */
export class Tape {
  constructor() {
    instantiate();
    const address = wasm.wcbor_decode_new();
    crossed();
    refresh();
    if (address === 0) throw new CborError('OUT_OF_MEMORY');
    this.address = address;
    this.field = address >> 2;
    this.entries = (address + u32[(address + TAPE_ENTRIES_AT) >> 2]) >> 2;
    this.doubles = (address + u32[(address + TAPE_DOUBLES_AT) >> 2]) >> 3;
    this.ascii = address + u32[(address + TAPE_ASCII_AT) >> 2];
    this.wide = address + u32[(address + TAPE_WIDE_AT) >> 2];
    this.bytes = address + u32[(address + TAPE_BYTES_AT) >> 2];
    this.input = address + u32[(address + TAPE_INPUT_AT) >> 2];
    if (nodes === 0) {
      nodes = wasm.wcbor_decode_tables(0);
      keys = wasm.wcbor_decode_tables(1);
      keyBytes = wasm.wcbor_decode_tables(2);
      crossed(3);
    }
  }

  free() {
    wasm.wcbor_decode_free(this.address);
    crossed();
  }
}

/** @type {Record<number, string>} */
const PLAN_STATUSES = { [PLAN_UNKNOWN_FIELD]: 'UNKNOWN_FIELD', [PLAN_WRONG_COUNT]: 'WRONG_COUNT' };

/** The module has refused the input. */
export class TapeFailure {
  /**
   * @param {number} status
   * @param {number} offset
   */
  constructor(status, offset) {
    this.status = STATUS_NAMES[status] ?? PLAN_STATUSES[status];
    /** Where in the input, if a plan is the reason. */
    this.offset = offset;
  }
}
