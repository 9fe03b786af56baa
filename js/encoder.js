// encode(value): walks a JavaScript value and puts the commands that write it.
import { MODES, OP_END_ARRAY, OP_END_MAP } from './abi.js';
import { argumentOf, magnitudeOf, MAX_UINT64 } from './bigints.js';
import { bytesOf } from './bytes.js';
import { Commands } from './commands.js';
import { CborError, rangeError, typeError } from './errors.js';

/** @typedef {import('./commands.js').Mode} Mode */

/**
 * @typedef {object} EncodeOptions
 * @property {Mode} [mode] what is enforced; `'lax'` by default
 * @property {number} [maxDepth] how deep containers may nest; 1000 by default
 */

const DEFAULT_MAX_DEPTH = 1000;

/**
 * User code (getters, proxies) may call `encode` again while it runs: each level of that has command buffers of its
 * own, by mode, and a level is left in `finally`.
 * @type {Partial<Record<Mode, Commands>>[]}
 */
const levels = [];
let level = 0;

/**
 * The walk of one value. A class of its own, so that a nested call shares nothing with the one around it.
 */
class Walk {
  /**
   * @param {Commands} commands
   * @param {number} maxDepth
   */
  constructor(commands, maxDepth) {
    this.commands = commands;
    this.maxDepth = maxDepth;
    this.depth = 0;
  }

  /** @param {unknown} value */
  value(value) {
    switch (typeof value) {
      case 'string':
        return this.commands.string(value);
      case 'number':
        return this.number(value);
      case 'boolean':
        return this.commands.put(value ? 0xf5 : 0xf4);
      case 'undefined':
        return this.commands.put(0xf7);
      case 'bigint':
        return this.bigint(value);
      case 'object':
        return value === null ? this.commands.put(0xf6) : this.container(value);
      default:
        throw unlocated('UNSUPPORTED_VALUE', `a ${typeof value}`);
    }
  }

  /** @param {number} value */
  number(value) {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) this.commands.double(value);
    else if (value >= 0) this.commands.head(0, value);
    else this.commands.head(0x20, -1 - value);
  }

  /** @param {bigint} value */
  bigint(value) {
    const argument = argumentOf(value);
    if (argument <= MAX_UINT64) this.commands.head64(value < 0n ? 0x20 : 0, argument);
    else this.commands.bignum(value < 0n, magnitudeOf(argument));
  }

  /** @param {object} value */
  container(value) {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      return this.commands.bytes(bytesOf(value));
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null && !isPlain(value)) {
      throw unlocated('UNSUPPORTED_VALUE', Object.prototype.toString.call(value).slice('[object '.length, -1));
    }
    if (this.depth === this.maxDepth) throw unlocated('DEPTH_EXCEEDED', String(this.maxDepth));
    this.depth++;
    if (Array.isArray(value)) this.array(value);
    else if (value instanceof Map) this.map(value);
    else this.object(value);
    this.depth--;
  }

  /** @param {unknown[]} array */
  array(array) {
    const { length } = array;
    this.commands.head(0x80, length);
    for (let i = 0; i < length; i++) {
      try {
        this.value(array[i]);
      } catch (error) {
        throw located(error, `[${i}]`);
      }
    }
    this.commands.put(OP_END_ARRAY);
  }

  /** @param {Map<unknown, unknown>} map */
  map(map) {
    // A copy: code that runs in the loop may change the map, whose size is written already.
    const pairs = [...map];
    this.commands.head(0xa0, pairs.length);
    for (const [key, value] of pairs) {
      try {
        this.value(key);
        this.value(value);
      } catch (error) {
        throw located(error, typeof key === 'string' ? property(key) : `[${String(key)}]`);
      }
    }
    this.commands.put(OP_END_MAP);
  }

  /** @param {object} object */
  object(object) {
    const keys = Object.keys(object);
    this.commands.head(0xa0, keys.length);
    for (const key of keys) {
      try {
        this.commands.string(key);
        this.value(/** @type {Record<string, unknown>} */ (object)[key]);
      } catch (error) {
        throw located(error, property(key));
      }
    }
    this.commands.put(OP_END_MAP);
  }
}

/**
 * An error of the value that the walk stands at; its path grows step by step on the way out.
 * @param {string} name
 * @param {string} detail
 */
function unlocated(name, detail) {
  const error = new CborError(name, { detail });
  error.path = '';
  return error;
}

/**
 * Whether an object is nothing but its properties or entries: an empty map in place of a date or a promise would be a
 * wrong value, silently.
 * @param {object} value
 */
function isPlain(value) {
  if (Array.isArray(value) || value instanceof Map) return true;
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** @param {string} key */
function property(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/**
 * Puts a step in front of the path of an error that has one.
 * @param {unknown} error
 * @param {string} step
 */
function located(error, step) {
  if (error instanceof CborError && error.path !== undefined && !error.path.startsWith('$')) error.path = step + error.path;
  return error;
}

/** @param {EncodeOptions} options */
function checkOptions(options) {
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  for (const name of Object.keys(options)) {
    if (name !== 'mode' && name !== 'maxDepth') throw typeError('UNKNOWN_OPTION', name);
  }
  const { mode = 'lax', maxDepth = DEFAULT_MAX_DEPTH } = options;
  if (typeof mode !== 'string') throw typeError('ARGUMENT_TYPE', 'mode must be a string');
  if (!Object.hasOwn(MODES, mode)) throw rangeError('OPTION_OUT_OF_RANGE', `mode ${mode}`);
  if (typeof maxDepth !== 'number') throw typeError('ARGUMENT_TYPE', 'maxDepth must be a number');
  if (!Number.isInteger(maxDepth) || maxDepth < 0 || maxDepth >= 2 ** 31) throw rangeError('OPTION_OUT_OF_RANGE', 'maxDepth');
  return { mode, maxDepth };
}

const DEFAULTS = { mode: /** @type {Mode} */ ('lax'), maxDepth: DEFAULT_MAX_DEPTH };

/**
 * Encodes a value as CBOR (RFC 8949).
 *
 * null, undefined and booleans are simple values; safe integers are integers, all other numbers (and -0) floats in the
 * shortest form that keeps the value; bigints are integers of 64 bits, beyond those bignums (tags 2 and 3); strings are
 * text, and bytes (buffers and views) byte strings; arrays are arrays; a Map, and an object with its own enumerable
 * string keys, is a map.
 *
 * @param {unknown} value
 * @param {EncodeOptions} [options]
 * @returns {Uint8Array<ArrayBuffer>} in memory of its own
 * @throws {CborError} ERR_CBOR_UNSUPPORTED_VALUE for functions and symbols, ERR_CBOR_DEPTH_EXCEEDED (also of cyclic
 *   values), both with a `path`; in other modes than lax what the mode refuses
 */
export function encode(value, options) {
  const { mode, maxDepth } = options === undefined ? DEFAULTS : checkOptions(options);
  const own = (levels[level] ??= {});
  const commands = (own[mode] ??= new Commands(mode, { maxDepth: 2 ** 31 - 1 }));
  level++;
  try {
    commands.reset();
    new Walk(commands, maxDepth).value(value);
    commands.flush();
    return commands.take();
  } catch (error) {
    throw finished(error, commands);
  } finally {
    level--;
  }
}

/**
 * The error as the caller sees it: with the path from its root and the bytes written before it, and without a call
 * index, for these calls are not the caller's.
 * @param {unknown} error
 * @param {Commands} commands
 */
function finished(error, commands) {
  if (!(error instanceof CborError)) return error;
  error.callIndex = undefined;
  if (error.path === undefined || error.path.startsWith('$')) return error;
  error.path = `$${error.path}`;
  error.message += ` at ${shortened(error.path)}`;
  try {
    commands.flush();
  } catch (earlier) {
    // What was gathered before the walk met its error fails first.
    return finished(earlier, commands);
  }
  error.offset = commands.nbytes;
  return error;
}

/**
 * A path for people to read.
 * @param {string} path
 */
function shortened(path) {
  return path.length <= 120 ? path : `${path.slice(0, 80)}…${path.slice(-39)}`;
}
