// decode, Decoder, decodeFirst, decodeSequence: what surrounds the reading of a tape (tape.js).
import {
  MODES, RESULT_EXTRA, RESULT_OFFSET, STATUS_NAMES, TAPE_INPUT_NBYTES, TAPE_READ_NBYTES, TAPE_REPLACE, TAPE_SHAPES, TAPE_SLOTS,
  TAPE_STRICT, TAPE_UNCHECKED, TAPE_UNFINISHED, TAPE_VIEWS,
} from './abi.js';
import { bytesOf } from './bytes.js';
import { checkOptions } from './decode-options.js';
import { forgetShared, swapShared, TagDecoderFailure, untagFor } from './decode-tags.js';
import { CborError, isStackOverflow, rangeError } from './errors.js';
import { headLength } from './heads.js';
import { crossed, refresh, u32, u8, wasm } from './instance.js';
import { result, withBytes } from './module-bytes.js';
import { isNormalized, notNormalizedAt } from './nfc.js';
import { offsetOfRepeatedKey, pathOfNext } from './output-path.js';
import { setPath } from './paths.js';
import { forgetRefused, refused } from './refusals.js';
import { findItem, isIllFormedText } from './scan.js';
import { Tape, TapeFailure } from './tape-memory.js';
import { nrepeats } from './tape-structs.js';
import { forgetTexts, ntags, readTape } from './tape.js';

/** @typedef {import('./decode-options.js').DecodeOptions} DecodeOptions */
/** @typedef {import('./decode-options.js').CheckedOptions} CheckedOptions */

/** Inputs of at most this many bytes are copied one by one. */
const SMALL_NBYTES = 16;

/**
 * Tag decoders may decode something themselves: each level of that has a tape of its own, and a level is left in
 * `finally`.
 * @type {Tape[]}
 */
const tapes = [];
let level = 0;

/** Bytes of the item that was decoded last. */
let readNbytes = 0;

/** Options, and what they come to. */
export class Plan {
  /**
   * @param {CheckedOptions} options
   * @param {import('./struct-decode.js').StructReader} [struct] what the document is to be
   */
  constructor(options, struct) {
    const { mode } = options;
    this.options = options;
    this.mode = MODES[mode];
    this.flags = (mode === 'lax' ? 0 : TAPE_STRICT) | (options.replaceInvalidText ? TAPE_REPLACE : 0)
      | (options.maps === 'auto' && options.keyMap === undefined ? TAPE_SHAPES : 0)
      | (options.byteStrings === 'view' ? TAPE_VIEWS : 0);
    /** Whether the walk knows rules that the tape does not. */
    this.hasRules = mode !== 'lax' && mode !== 'strict';
    this.isStrict = mode === 'strict';
    this.untag = untagFor(options);
    this.struct = struct;
  }
}

/** What options come to, as long as they are in use. @type {WeakMap<CheckedOptions, Plan>} */
const plans = new WeakMap();

/** @param {CheckedOptions} options */
export function planOf(options) {
  let plan = plans.get(options);
  if (plan === undefined) plans.set(options, (plan = new Plan(options)));
  return plan;
}

/**
 * Whether a container of which not all is there is the beginning of one that is well-formed.
 * @param {Plan} plan
 * @param {number} input
 * @param {Uint8Array} source
 * @param {number} at
 */
function isBeginning(plan, input, source, at) {
  const isContainer = () => source[at] >> 5 === 4 || source[at] >> 5 === 5;
  while (isContainer()) {
    at += headLength(source[at]);
    let status = 0;
    while (at < source.length) {
      status = wasm.wcbor_check(input + at, source.length - at, plan.mode, 0, plan.options.maxDepth);
      crossed();
      refresh();
      at += result(RESULT_OFFSET);
      if (status !== 0) break;
    }
    if (status === 0) return true;
    if (result(RESULT_EXTRA) === 0) return false;
    if (STATUS_NAMES[status] !== 'LENGTH_EXCEEDS_BUFFER') return true;
  }
  return true;
}

/** Of keys that can be read, but for which they are at fault. */
const KEY_FAULTS = ['ERR_CBOR_DUPLICATE_KEY', 'ERR_CBOR_KEYS_NOT_SORTED', 'ERR_CBOR_KEY_TYPE_NOT_ALLOWED'];

/**
 * Gives an error the path of its offset.
 * @param {CborError} error
 * @param {Plan} plan
 * @param {Uint8Array} source
 * @param {number} start
 */
function located(error, plan, source, start) {
  if (error.offset === undefined) return error;
  const keyMap = new Map([...(plan.options.keyMap ?? [])].map(([number, name]) => [name, number]));
  const endsBeforeKey = KEY_FAULTS.includes(error.code);
  const { path, isKey } = pathOfNext(source.subarray(start), { nbytes: error.offset - start, endsBeforeKey, isSequence: false, keyMap });
  return setPath(error, path, isKey);
}

/**
 * The first fault of an item by the rules of the mode, which stands in the module's memory; undefined when there is none.
 * @param {Plan} plan
 * @param {number} input
 * @param {Uint8Array} source
 * @param {number} start
 */
function faultOf(plan, input, source, start) {
  const status = wasm.wcbor_check(input + start, source.length - start, plan.mode, 0, plan.options.maxDepth);
  crossed();
  refresh();
  if (status !== 0) {
    const offset = start + result(RESULT_OFFSET);
    const missing = result(RESULT_EXTRA);
    const isCut = missing > 0 && (STATUS_NAMES[status] !== 'LENGTH_EXCEEDS_BUFFER' || isBeginning(plan, input, source, offset));
    return located(new CborError(STATUS_NAMES[status], { offset, missing: isCut ? missing : 0 }), plan, source, start);
  }
  if (plan.options.mode === 'dcbor' && !isNormalized(source.subarray(start))) {
    const offset = start + notNormalizedAt(source.subarray(start));
    return located(new CborError('NOT_NFC', { offset }), plan, source, start);
  }
  return undefined;
}

/**
 * Where a key begins that is an earlier one of its map to JavaScript.
 * @param {Plan} plan
 * @param {Uint8Array} source
 * @param {number} start
 */
function repeatedKeyOf({ options: { integers, keyMap } }, source, start) {
  const decoder = new Decoder({ integers });
  const offset = offsetOfRepeatedKey(source.subarray(start), (bytes) => {
    const key = decoder.decode(bytes);
    return (typeof key === 'number' ? keyMap?.get(key) : undefined) ?? key;
  });
  return offset === undefined ? undefined : start + offset;
}

/** What finds the tag that was read last. @returns {import('./refusals.js').IsIt} */
function isLastTag() {
  let count = 0;
  return (major) => major === 6 && ++count === ntags;
}

/**
 * What a tag decoder threw, as the caller sees it: an error of other bytes tells nothing of these but which tag it was.
 * @param {TagDecoderFailure} failure
 * @param {Plan} plan
 * @param {Uint8Array} source
 * @param {number} start
 */
function ofTagDecoder({ cause, tag }, plan, source, start) {
  forgetRefused();
  if (!(cause instanceof CborError)) return cause;
  const offset = findItem(source, start, isLastTag());
  const error = new CborError(cause.code.replace('ERR_CBOR_', ''), { offset, detail: `in the function of tag ${tag}` });
  return located(Object.assign(error, { cause }), plan, source, start);
}

/**
 * What went wrong, as the caller sees it.
 * @param {unknown} error
 * @param {Plan} plan
 * @param {number} input
 * @param {Uint8Array} source
 * @param {number} start
 */
function finished(error, plan, input, source, start) {
  if (error instanceof TagDecoderFailure) return ofTagDecoder(error, plan, source, start);
  if (plan.struct !== undefined && plan.struct.knows(error)) {
    // That a document is valid comes first.
    const fault = faultOf(plan, input, source, start);
    if (fault !== undefined) return fault;
    const end = result(RESULT_OFFSET);
    return end === source.length ? plan.struct.explained(error, source) : trailing(end);
  }
  if (error instanceof TapeFailure) {
    if (error.status === 'OUT_OF_MEMORY') return new CborError('OUT_OF_MEMORY', {});
    // Lax reads ill-formed text, but has no way to show it unless it may be replaced.
    const fault = faultOf(plan, input, source, start);
    if (fault !== undefined) return fault;
    const offset = findItem(source, start, (major, argument, begin, end) => major === 3 && isIllFormedText(source.subarray(begin, end)));
    return located(new CborError('INVALID_UTF8', { offset }), plan, source, start);
  }
  if (isStackOverflow(error)) return new CborError('DEPTH_EXCEEDED', { detail: "the engine's stack is used up" });
  // Two keys that JavaScript cannot tell apart, and the module most often can neither.
  if (error instanceof CborError && error.code === 'ERR_CBOR_DUPLICATE_KEY') {
    const fault = faultOf(plan, input, source, start);
    if (fault !== undefined) return fault;
    error.offset = repeatedKeyOf(plan, source, start);
    return located(error, plan, source, start);
  }
  if (error instanceof CborError && error.offset === undefined) {
    const isIt = refused ?? isLastTag();
    forgetRefused();
    error.offset = findItem(source, start, isIt);
    return located(error, plan, source, start);
  }
  return error;
}

/**
 * Runs the tape to its end, for its status alone: tag decoders see no document that is not valid.
 * @param {Plan} plan
 * @param {Tape} tape
 * @param {number} input
 * @param {Uint8Array} source
 * @param {number} start
 */
function runDry(plan, tape, input, source, start) {
  let status = wasm.wcbor_decode_start(tape.address, input + start, source.length - start, plan.flags, plan.options.maxDepth, 0);
  crossed();
  for (; status === TAPE_UNFINISHED; crossed()) status = wasm.wcbor_decode_run(tape.address);
  refresh();
  if (status !== 0) throw new TapeFailure(status, 0);
  const fault = plan.isStrict && u32[(tape.address + TAPE_UNCHECKED) >> 2] !== 0 ? faultOf(plan, input, source, start) : undefined;
  if (fault !== undefined) throw fault;
}

/**
 * Decodes the item at `start`; `readNbytes` is its length then.
 * @param {Plan} plan
 * @param {Tape} tape
 * @param {number} input the address of the module's copy of `source`
 * @param {Uint8Array} source
 * @param {number} start
 * @returns {unknown}
 */
function decodeItem(plan, tape, input, source, start) {
  const outermost = level === 1;
  try {
    if (plan.hasRules) {
      const fault = faultOf(plan, input, source, start);
      if (fault !== undefined) throw fault;
    }
    if (plan.options.tags !== undefined) runDry(plan, tape, input, source, start);
    // Slots of text are for the tape that nobody waits for.
    const flags = outermost ? plan.flags | TAPE_SLOTS : plan.flags;
    const repeats = nrepeats;
    const value = readTape(tape, input + start, source.length - start, source, start, flags, plan.options, plan.untag, plan.struct?.plan);
    if (plan.isStrict && (u32[(tape.address + TAPE_UNCHECKED) >> 2] !== 0 || nrepeats !== repeats)) {
      const fault = faultOf(plan, input, source, start);
      if (fault !== undefined) throw fault;
    }
    readNbytes = u32[(tape.address + TAPE_READ_NBYTES) >> 2];
    return value;
  } catch (error) {
    if (outermost) forgetTexts();
    throw finished(error, plan, input, source, start);
  }
}

/** What only nested calls need is not kept. */
function tidy() {
  while (tapes.length > 1) /** @type {Tape} */ (tapes.pop()).free();
}

/**
 * Calls `use` with a tape and the address of the module's copy of the bytes.
 * @template T
 * @param {Uint8Array} source
 * @param {(tape: Tape, input: number) => T} use
 * @returns {T}
 */
function withTape(source, use) {
  const outer = level;
  const tape = (tapes[outer] ??= new Tape());
  const before = swapShared([]);
  level = outer + 1;
  try {
    if (source.length > TAPE_INPUT_NBYTES) return withBytes(source, (address) => use(tape, address));
    u8.set(source, tape.input);
    return use(tape, tape.input);
  } finally {
    level = outer;
    swapShared(before);
    if (outer === 0) tidy();
  }
}

/** @param {number} offset */
function trailing(offset) {
  return new CborError('TRAILING_BYTES', { offset });
}

/**
 * @param {unknown} bytes
 * @param {Plan} plan
 * @returns {any}
 */
export function decodeOne(bytes, plan) {
  const source = bytesOf(bytes);
  const { length } = source;
  if (length > TAPE_INPUT_NBYTES || level !== 0 || tapes.length === 0) {
    return withTape(source, (tape, input) => {
      const value = decodeItem(plan, tape, input, source, 0);
      if (readNbytes !== length) throw trailing(readNbytes);
      return value;
    });
  }
  // The same for one that fits the tape's own buffer, without detours.
  const tape = tapes[0];
  const { input } = tape;
  if (length > SMALL_NBYTES) u8.set(source, input);
  else for (let i = 0; i < length; i++) u8[input + i] = source[i];
  level = 1;
  try {
    const value = decodeItem(plan, tape, input, source, 0);
    if (readNbytes !== length) throw trailing(readNbytes);
    return value;
  } finally {
    level = 0;
    forgetShared();
    if (tapes.length > 1) tidy();
  }
}

/**
 * Decodes a sequence.
 * @param {unknown} bytes
 * @param {Plan} plan
 * @param {unknown[]} [values] take the items; where one is at fault, those before it
 * @returns {any[]} `values`
 */
export function decodeAll(bytes, plan, values = []) {
  if (plan.options.mode === 'dag-cbor') throw rangeError('OPTION_OUT_OF_RANGE', 'mode dag-cbor has no sequences');
  const source = bytesOf(bytes);
  return withTape(source, (tape, input) => {
    for (let start = 0; start < source.length; start += readNbytes) {
      forgetShared();
      values.push(decodeItem(plan, tape, input, source, start));
    }
    return values;
  });
}

/**
 * Decodes with the same options, which are checked once.
 */
export class Decoder {
  #plan;

  /** @param {DecodeOptions} [options] */
  constructor(options) {
    this.#plan = planOf(checkOptions(options));
  }

  /**
   * Like the function `decode`.
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
   * @returns {any}
   */
  decode(bytes) {
    return decodeOne(bytes, this.#plan);
  }

  /**
   * Like the function `decodeFirst`.
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
   * @returns {{ value: any, bytesRead: number }}
   */
  decodeFirst(bytes) {
    const source = bytesOf(bytes);
    return withTape(source, (tape, input) => {
      const value = decodeItem(this.#plan, tape, input, source, 0);
      return { value, bytesRead: readNbytes };
    });
  }

  /**
   * Like the function `decodeSequence`.
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
   * @returns {any[]}
   */
  decodeSequence(bytes) {
    return decodeAll(bytes, this.#plan);
  }
}

const defaultPlan = planOf(checkOptions(undefined));
const defaultDecoder = new Decoder();

/**
 * Decodes one item of CBOR (RFC 8949), and refuses bytes behind it.
 *
 * Integers and floats are numbers, integers beyond 2^53 - 1 bigints, bignums (tags 2 and 3) either by the same rule; byte
 * strings are a Uint8Array, which may share its ArrayBuffer with neighbours (of 2 KB at most each, 24 KB together, none of
 * them behind a tag); a map is an object when all its keys are text, else a Map; tags 0 and 1 are a Date, 258 a Set,
 * 32 a URL, 35 and 21066 a RegExp, 27 an Error, 64 to 86 typed arrays (RFC 8746), 28 and 29 shared values; any other tag
 * is a `Tagged`, and any simple value without a name a `Simple`. What `encode` writes comes back as it was.
 *
 * Keys of a Map that are one to JavaScript (1 and 1.0, 0 and -0, one NaN and another) are duplicates: in lax the last one
 * wins, elsewhere they are refused.
 *
 * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
 * @param {DecodeOptions} [options]
 * @returns {any}
 * @throws {CborError} with `offset`, where the item at fault begins, and `path`, where in the value it is. `incomplete` is
 *   true when the bytes are the beginning of an item, and `missing` says how many at least must follow
 */
export function decode(bytes, options) {
  return decodeOne(bytes, options === undefined ? defaultPlan : planOf(checkOptions(options)));
}

/**
 * Decodes the first item, whatever follows it.
 * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
 * @param {DecodeOptions} [options]
 * @returns {{ value: any, bytesRead: number }}
 */
export function decodeFirst(bytes, options) {
  return (options === undefined ? defaultDecoder : new Decoder(options)).decodeFirst(bytes);
}

/**
 * Decodes the items of a CBOR sequence (RFC 8742), which may be empty.
 * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
 * @param {DecodeOptions} [options] any mode but dag-cbor
 * @returns {any[]}
 */
export function decodeSequence(bytes, options) {
  return (options === undefined ? defaultDecoder : new Decoder(options)).decodeSequence(bytes);
}
