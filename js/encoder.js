// encode, Encoder, encodeSequence: what surrounds the walk of a value (walk.js).
import { Commands } from './commands.js';
import { checkOptions } from './encode-options.js';
import { CborError, isStackOverflow, rangeError, typeError } from './errors.js';
import { pathOfNext } from './output-path.js';
import { setPath } from './paths.js';
import { renewShapes, setTextAddress } from './shapes.js';
import { walkValue } from './walk.js';

/** @typedef {import('./commands.js').Mode} Mode */
/** @typedef {import('./encode-options.js').EncodeOptions} EncodeOptions */
/** @typedef {import('./encode-options.js').CheckedOptions} CheckedOptions */

/**
 * User code (getters, proxies, toCBOR) may encode something itself while it runs: each level of that has command buffers
 * of its own, by mode, and a level is left in `finally`.
 * @type {Map<string, Commands>[]}
 */
const levels = [];
let level = 0;

/** Larger documents leave no memory behind. */
const KEPT_NBYTES = 4 * 1024 * 1024;

/** The commands of the outermost level that were used last. @type {Commands | undefined} */
let latest;

/**
 * The error as the caller sees it: with the path from its root and the bytes written before it, and without a call
 * index, for these calls are not the caller's.
 * @param {unknown} error
 * @param {Commands} commands
 * @param {CheckedOptions} options
 * @param {string} [first] the first step of the path
 * @returns {unknown}
 */
function finished(error, commands, options, first = '') {
  // A maxDepth beyond what the engine's stack holds.
  if (isStackOverflow(error)) error = new CborError('DEPTH_EXCEEDED', { detail: "the engine's stack is used up", path: '$' });
  if (!(error instanceof CborError) || error.path?.startsWith('$')) return error;
  if (error === commands.error) return locatedInOutput(error, commands, options);
  if (error.path === undefined) return error;
  setPath(error, first + error.path);
  try {
    commands.flush();
  } catch (earlier) {
    // What was gathered before the walk met its error fails first.
    return finished(earlier, commands, options, first);
  }
  error.offset = commands.nbytes;
  return error;
}

/**
 * An error of the module's, with the path of what failed.
 * @param {CborError} error
 * @param {Commands} commands whose output ends there
 * @param {CheckedOptions} options
 */
function locatedInOutput(error, commands, { keyMap }) {
  error.callIndex = undefined;
  // Where memory ends says nothing about the value.
  if (error.code === 'ERR_CBOR_OUT_OF_MEMORY') return error;
  const { nbytes, endsBeforeKey, several } = commands;
  const { path, isKey } = pathOfNext(commands.output, { nbytes, endsBeforeKey, isSequence: several, keyMap });
  return setPath(error, path, isKey);
}

/**
 * The commands for a mode at the present level of nesting.
 * @param {CheckedOptions} options
 * @param {boolean} several whether there may be several roots
 */
function commandsFor({ mode, maxDepth }, several) {
  if (level === 0 && latest?.mode === mode && latest.several === several && latest.maxDepth === maxDepth) return latest;
  const own = (levels[level] ??= new Map());
  const name = several ? `${mode}*` : mode;
  let commands = own.get(name);
  if (commands?.maxDepth !== maxDepth) {
    commands?.free();
    // The walk checks the depth itself, where it knows the path; the module that of encoded values.
    commands = new Commands(mode, { multipleRoots: several, maxDepth });
    setTextAddress(commands.textAddress);
    own.set(name, commands);
  }
  if (level === 0) latest = commands;
  return commands;
}

/**
 * What only nested calls need is not kept, nor the memory of a large document.
 * @param {Commands} commands whose document is done with
 */
function tidy(commands) {
  if (commands.nbytes > KEPT_NBYTES) {
    const own = levels[level];
    for (const [name, one] of own) if (one === commands) own.delete(name);
    if (latest === commands) latest = undefined;
    commands.free();
  }
  if (level === 0 || levels.length === level) return;
  for (const commands of levels[level].values()) commands.free();
  levels.length = level;
}

/**
 * Writes a value and hands the commands, all run, to `take`.
 * @template T
 * @param {unknown} value
 * @param {CheckedOptions} options
 * @param {(commands: Commands) => T} take
 * @param {(value: any) => void} [put] what puts the value, if its type is known
 * @returns {T}
 */
export function write(value, options, take, put) {
  const commands = commandsFor(options, false);
  const outer = level;
  if (outer === 0) renewShapes();
  try {
    level = outer + 1;
    commands.reset();
    walkValue(value, options, commands, put);
    commands.flush();
    if (!commands.complete) throw new CborError('INCOMPLETE', { offset: commands.nbytes });
    return take(commands);
  } catch (error) {
    throw finished(error, commands, options);
  } finally {
    level = outer;
    tidy(commands);
  }
}

/**
 * Writes values one after the other.
 * @param {Iterable<unknown>} values
 * @param {CheckedOptions} options
 */
function writeAll(values, options) {
  const commands = commandsFor(options, true);
  const outer = level;
  if (outer === 0) renewShapes();
  let index = 0;
  try {
    level = outer + 1;
    commands.reset();
    commands.flush();
    for (const value of values) {
      walkValue(value, options, commands);
      index++;
    }
    commands.flush();
    return commands.take();
  } catch (error) {
    throw finished(error, commands, options, `[${index}]`);
  } finally {
    level = outer;
    tidy(commands);
  }
}

/**
 * What copies a result to the beginning of `target`.
 * @param {Uint8Array} target
 * @returns {(commands: Commands) => number}
 */
export function takeInto(target) {
  if (!(target instanceof Uint8Array)) throw typeError('ARGUMENT_TYPE', 'Uint8Array expected');
  return (commands) => {
    const nbytes = commands.copyInto(target);
    if (nbytes < 0) throw rangeError('DEST_TOO_SMALL', `${commands.nbytes} bytes into ${target.length}`);
    return nbytes;
  };
}

/** @param {Commands} commands */
export const takeResult = (commands) => commands.take();

/**
 * Encodes values with the same options, which are checked once.
 */
export class Encoder {
  #options;

  /** @param {EncodeOptions} [options] */
  constructor(options) {
    this.#options = checkOptions(options);
  }

  /**
   * Like the function `encode`.
   * @param {unknown} value
   * @returns {Uint8Array<ArrayBuffer>} which no later call writes to; a small one is a piece of a larger buffer (`slice()` gives one
   * of its own)
   */
  encode(value) {
    return write(value, this.#options, takeResult);
  }

  /**
   * Like `encode`, but into `target`.
   * @param {unknown} value
   * @param {Uint8Array} target
   * @returns {number} the bytes written to its beginning
   * @throws {RangeError} ERR_CBOR_DEST_TOO_SMALL, with nothing written, when it is too short
   */
  encodeInto(value, target) {
    return write(value, this.#options, takeInto(target));
  }

  /**
   * Like the function `encodeSequence`.
   * @param {Iterable<unknown>} values
   * @returns {Uint8Array<ArrayBuffer>} which no later call writes to; a small one is a piece of a larger buffer (`slice()` gives one
   * of its own)
   */
  encodeSequence(values) {
    if (this.#options.mode === 'dag-cbor') throw rangeError('OPTION_OUT_OF_RANGE', 'mode dag-cbor has no sequences');
    return writeAll(values, this.#options);
  }
}

const defaultEncoder = new Encoder();

/**
 * Encodes a value as CBOR (RFC 8949).
 *
 * null, undefined and booleans are simple values; safe integers are integers, all other numbers (and -0) floats in the
 * shortest form that keeps the value; bigints are integers of 64 bits, beyond those bignums (tags 2 and 3); strings are
 * text; buffers, DataViews and Uint8Arrays are byte strings, other typed arrays too, with their tag of RFC 8746; arrays
 * are arrays (a hole is undefined); a Map, and an object with its own enumerable string keys, is a map. Date is tag 1,
 * Set tag 258, RegExp tag 35 (21066 with flags), URL tag 32, Error tag 27 with name and message; boxed primitives are
 * what they hold. `Tagged`, `Simple` and `EncodedCbor` say the rest, and an object with a `toCBOR` method stands for what
 * that returns.
 *
 * @param {unknown} value
 * @param {EncodeOptions} [options]
 * @returns {Uint8Array<ArrayBuffer>} which no later call writes to; a small one is a piece of a larger buffer (`slice()` gives one
   * of its own)
 * @throws {CborError} ERR_CBOR_UNSUPPORTED_VALUE for functions, symbols, promises and the like, ERR_CBOR_DEPTH_EXCEEDED
 *   (also of cyclic values), both with a `path`; in other modes than lax what the mode refuses
 */
export function encode(value, options) {
  if (options === undefined) return defaultEncoder.encode(value);
  return write(value, checkOptions(options), takeResult);
}

/**
 * Encodes values one after the other, as a CBOR sequence (RFC 8742).
 * @param {Iterable<unknown>} values
 * @param {EncodeOptions} [options] any mode but dag-cbor
 * @returns {Uint8Array<ArrayBuffer>} which no later call writes to; a small one is a piece of a larger buffer (`slice()` gives one
   * of its own)
 */
export function encodeSequence(values, options) {
  return new Encoder(options).encodeSequence(values);
}
