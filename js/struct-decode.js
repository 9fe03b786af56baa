// How a struct reads a document: it is checked in its mode, made over by the struct's plan inside the module (wasm/plan.h),
// and what came of that is read like any other.
import {
  PLAN_MISSING_FIELD, PLAN_UNKNOWN_FIELD, PLAN_WRONG_COUNT, RESULT_BYTES, RESULT_EXTRA, RESULT_NBYTES, RESULT_OFFSET, STATUS_NAMES,
  TAPE_SHAPES, TAPE_SLOTS,
} from './abi.js';
import { bytesOf } from './bytes.js';
import { checkOptions } from './decode-options.js';
import { checkItem, isOutermost, planOf, trailing, withTape } from './decoder.js';
import { CborError } from './errors.js';
import { crossed, refresh, u8, wasm } from './instance.js';
import { result } from './module-bytes.js';
import { pathOfNext } from './output-path.js';
import { step } from './paths.js';
import { findItem } from './scan.js';
import { Plan, PRIVATE_TAGS } from './struct-plan.js';
import { TapeFailure } from './tape-memory.js';
import { forgetTexts, ntags, readTape } from './tape.js';
import { EncodedCbor } from './values.js';

/** @typedef {import('./struct.js').Struct<any>} Struct */
/** @typedef {import('./tape-memory.js').Tape} Tape */

/** @type {Record<number, string>} */
const PLAN_STATUSES = {
  [PLAN_MISSING_FIELD]: 'MISSING_FIELD',
  [PLAN_UNKNOWN_FIELD]: 'UNKNOWN_FIELD',
  [PLAN_WRONG_COUNT]: 'WRONG_COUNT',
};

const [TAG_BIGINT, TAG_DEFERRED, TAG_MAP] = PRIVATE_TAGS;

/** What the plan's tags become. */
const TAGS = new Map(/** @type {[bigint, (value: any) => unknown][]} */ ([
  [TAG_BIGINT, (value) => BigInt(value)],
  [TAG_DEFERRED, (bytes) => new EncodedCbor(bytes)],
  // An empty map does not tell what kind of keys it has.
  [TAG_MAP, (map) => (map instanceof Map ? map : new Map())],
]));

/** What reads the values of a struct. */
export class StructReader {
  /** @param {Struct} struct */
  constructor(struct) {
    const { mode = 'strict', maxDepth, codeGeneration } = struct.options;
    this.struct = struct;
    this.isLax = mode === 'lax';
    this.rules = planOf(checkOptions({ mode, maxDepth }));
    // The document has been checked by then; its tags may stand in places of their own.
    this.madeOver = planOf(checkOptions({ mode: this.isLax ? 'lax' : 'strict', maxDepth, tags: TAGS }));
    this.flags = codeGeneration ? TAPE_SHAPES : 0;
    /** @type {Plan | undefined} */
    this.plan = undefined;
  }

  /**
   * @param {unknown} bytes
   * @returns {any}
   */
  decode(bytes) {
    this.plan ??= new Plan(this.struct);
    const { address } = this.plan;
    const source = bytesOf(bytes);
    return withTape(source, (tape, input) => {
      const end = checkItem(this.rules, tape, input, source);
      if (end !== source.length) throw trailing(end);
      const status = wasm.wcbor_plan_use(address, input);
      crossed();
      if (status !== 0) throw failure(status, source, this.struct);
      return this.read(tape, source);
    });
  }

  /**
   * Reads what the plan has come to.
   * @param {Tape} tape
   * @param {Uint8Array} source
   */
  read(tape, source) {
    const at = result(RESULT_BYTES);
    const nbytes = result(RESULT_NBYTES);
    const { options, untag } = this.madeOver;
    const flags = isOutermost() ? this.flags | TAPE_SLOTS : this.flags;
    try {
      return readTape(tape, at, nbytes, source, 0, flags, options, untag);
    } catch (error) {
      if (isOutermost()) forgetTexts();
      if (error instanceof TapeFailure) throw new CborError('OUT_OF_MEMORY');
      if (error instanceof CborError && error.path === undefined && ntags > 0) {
        const made = u8.slice(at, at + nbytes);
        let count = 0;
        error.path = pathTo(made, findItem(made, 0, (major) => major === 6 && ++count === ntags) ?? 0);
      }
      throw error;
    }
  }
}

/**
 * The path of the item at an offset.
 * @param {Uint8Array} document
 * @param {number} nbytes
 */
function pathTo(document, nbytes) {
  return `$${pathOfNext(document, { nbytes, endsBeforeKey: true, isSequence: false }).path}`;
}

/**
 * What the plan came to, as the caller sees it.
 * @param {number} status
 * @param {Uint8Array} source
 * @param {Struct} struct
 */
function failure(status, source, struct) {
  refresh();
  const offset = result(RESULT_OFFSET);
  let path = pathTo(source, offset);
  const detail = status === PLAN_MISSING_FIELD ? struct.reader.plan?.propertyAt(result(RESULT_EXTRA)) : undefined;
  if (detail !== undefined) path += step(detail);
  return new CborError(PLAN_STATUSES[status] ?? STATUS_NAMES[status], { offset, path });
}
