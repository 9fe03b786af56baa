// encode(value): walks a JavaScript value and puts the commands that write it.
//
// What most values are made of (strings, numbers, arrays, plain objects) is here; all other objects are in kinds.js. The
// walk reads every property once, before it writes anything of it, for a getter may do as it likes.
import { OP_END_ARRAY, OP_END_MAP } from './abi.js';
import { Commands } from './commands.js';
import { checkOptions, DEFAULTS } from './encode-options.js';
import { CborError, rangeError, typeError } from './errors.js';
import { isOpaque, kindOf, writeBigint, writeObject } from './kinds.js';

/** @typedef {import('./commands.js').Mode} Mode */
/** @typedef {import('./encode-options.js').EncodeOptions} EncodeOptions */
/** @typedef {import('./encode-options.js').CheckedOptions} CheckedOptions */

const TAG_SHAREABLE = 28;
const TAG_REFERENCE = 29;

/**
 * User code (getters, proxies, toCBOR) may encode something itself while it runs: each level of that has command buffers
 * of its own, by mode, and a level is left in `finally`.
 * @type {Map<string, Commands>[]}
 */
const levels = [];
let level = 0;

/** The walk of one value. Made anew for each, so that a nested one shares nothing with the one around it. */
export class Walk {
  /**
   * @param {Commands} commands
   * @param {CheckedOptions} options
   */
  constructor(commands, options) {
    this.commands = commands;
    this.options = options;
    this.maxDepth = options.maxDepth;
    this.depth = 0;
    /** Tags and replaced values around the place where the walk is. */
    this.wrappers = 0;
    /** Whether some object may stand for another value, or be left out. */
    this.replaces = options.toJSON || options.encoders.length > 0;
    this.omits = options.ignoreUndefined || options.unsupported === 'skip';
    this.wide = options.floats === 'double' && (options.mode === 'lax' || options.mode === 'strict');
    this.keyMap = options.keyMap;
    /** @type {Map<object, number> | undefined} */
    this.shared = options.sharedReferences ? new Map() : undefined;
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
      case 'object':
        return value === null ? this.commands.put(0xf6) : this.reference(value);
      case 'undefined':
        return this.commands.put(0xf7);
      case 'bigint':
        return writeBigint(this, value);
      default:
        if (this.options.unsupported === 'skip' && this.depth > 0) return this.commands.put(0xf7);
        throw this.error('UNSUPPORTED_VALUE', `a ${typeof value}`);
    }
  }

  /** @param {number} value */
  number(value) {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      if (value >= 0) this.commands.head(0, value);
      else this.commands.head(0x20, -1 - value);
    } else if (this.wide) {
      this.commands.wideDouble(value);
    } else {
      this.commands.double(value);
    }
  }

  /** @param {object} value */
  reference(value) {
    const { toCBOR } = /** @type {{ toCBOR?: unknown }} */ (value);
    if (typeof toCBOR === 'function') return this.replaced(toCBOR.call(value), value);
    if (this.replaces) {
      for (const [constructor, encoder] of this.options.encoders) {
        if (value instanceof constructor) return this.replaced(encoder(value), value);
      }
      const { toJSON } = /** @type {{ toJSON?: unknown }} */ (value);
      if (this.options.toJSON && typeof toJSON === 'function') return this.replaced(toJSON.call(value), value);
    }
    this.itself(value);
  }

  /**
   * What stands for an object. If that is the object again, it is written as it is.
   * @param {unknown} replacement
   * @param {object} value
   */
  replaced(replacement, value) {
    if (replacement === value) return this.itself(value);
    this.wrap();
    this.value(replacement);
    this.wrappers--;
  }

  wrap() {
    if (this.wrappers === this.maxDepth) throw this.error('DEPTH_EXCEEDED', String(this.maxDepth));
    this.wrappers++;
  }

  /** @param {object} value */
  itself(value) {
    if (this.shared !== undefined && this.refer(value)) return;
    if (Array.isArray(value)) return this.array(value);
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return this.object(value);
    if (this.options.unsupported === 'skip' && this.depth > 0 && isOpaque(value, kindOf(value))) return this.commands.put(0xf7);
    writeObject(this, value);
  }

  /**
   * Refers to an object that was met before; else marks it as one that may be referred to.
   * @param {object} value
   */
  refer(value) {
    const shared = /** @type {Map<object, number>} */ (this.shared);
    const index = shared.get(value);
    if (index !== undefined) {
      this.commands.tag(TAG_REFERENCE);
      this.commands.head(0, index);
      return true;
    }
    shared.set(value, shared.size);
    this.commands.tag(TAG_SHAREABLE);
    return false;
  }

  enter() {
    if (this.depth === this.maxDepth) throw this.error('DEPTH_EXCEEDED', String(this.maxDepth));
    this.depth++;
  }

  /**
   * @param {number | bigint} tag
   * @param {unknown} value
   */
  tagged(tag, value) {
    this.wrap();
    this.commands.tag(tag);
    this.value(value);
    this.wrappers--;
  }

  /** @param {unknown[]} array */
  array(array) {
    this.enter();
    const { length } = array;
    this.commands.head(0x80, length);
    let i = 0;
    try {
      for (; i < length; i++) this.value(array[i]);
    } catch (error) {
      throw located(error, `[${i}]`);
    }
    this.commands.put(OP_END_ARRAY);
    this.depth--;
  }

  /** @param {object} object */
  object(object) {
    this.enter();
    const keys = Object.keys(object);
    // The prototype of `arguments` is Object's; if there are any, the first property is 0.
    if ((keys.length === 0 || keys[0] === '0') && kindOf(object) === 'Arguments') {
      this.depth--;
      return this.array(Array.prototype.slice.call(object));
    }
    const properties = /** @type {Record<string, unknown>} */ (object);
    if (this.omits) {
      /** @type {[string, unknown][]} */
      const pairs = [];
      for (const key of keys) {
        const value = this.read(properties, key);
        if (!this.isOmitted(value)) pairs.push([key, value]);
      }
      this.pairs(pairs);
    } else {
      this.commands.head(0xa0, keys.length);
      let i = 0;
      try {
        for (; i < keys.length; i++) {
          const value = properties[keys[i]];
          this.key(keys[i]);
          this.value(value);
        }
      } catch (error) {
        throw located(error, property(keys[i]));
      }
      this.commands.put(OP_END_MAP);
    }
    this.depth--;
  }

  /**
   * @param {Record<string, unknown>} properties
   * @param {string} key
   */
  read(properties, key) {
    try {
      return properties[key];
    } catch (error) {
      throw located(error, property(key));
    }
  }

  /** @param {Iterable<[unknown, unknown]>} entries */
  map(entries) {
    this.enter();
    // A copy: code that runs in between may change the map, whose size is written first.
    const pairs = [...entries];
    this.pairs(this.omits ? pairs.filter(([, value]) => !this.isOmitted(value)) : pairs);
    this.depth--;
  }

  /** @param {[unknown, unknown][]} pairs */
  pairs(pairs) {
    this.commands.head(0xa0, pairs.length);
    for (const [key, value] of pairs) {
      try {
        if (typeof key === 'string') this.key(key);
        else this.value(key);
        this.value(value);
      } catch (error) {
        throw located(error, typeof key === 'string' ? property(key) : `[${describe(key)}]`);
      }
    }
    this.commands.put(OP_END_MAP);
  }

  /** @param {string} key */
  key(key) {
    const number = this.keyMap?.get(key);
    if (number === undefined) this.commands.string(key);
    else this.number(number);
  }

  /** @param {unknown} value */
  isOmitted(value) {
    if (value === undefined) return this.options.ignoreUndefined;
    if (this.options.unsupported !== 'skip') return false;
    if (typeof value === 'function' || typeof value === 'symbol') return true;
    return typeof value === 'object' && value !== null && isOpaque(value, kindOf(value));
  }

  /**
   * An error of the value that the walk stands at; its path grows step by step on the way out.
   * @param {string} name
   * @param {string} detail
   */
  error(name, detail) {
    const error = new CborError(name, { detail });
    error.path = '';
    return error;
  }
}

/** @param {string} key */
function property(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** @param {unknown} key */
function describe(key) {
  // No code of the user's runs for the sake of a message.
  if (typeof key === 'object' || typeof key === 'function') return key === null ? 'null' : typeof key;
  return String(key).slice(0, 40);
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

/**
 * The error as the caller sees it: with the path from its root and the bytes written before it, and without a call
 * index, for these calls are not the caller's.
 * @param {unknown} error
 * @param {Commands} commands
 * @returns {unknown}
 */
function finished(error, commands) {
  // A maxDepth beyond what the engine's stack holds.
  if (isStackOverflow(error)) error = new CborError('DEPTH_EXCEEDED', { detail: "the engine's stack is used up", path: '$' });
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

/** @param {unknown} error */
function isStackOverflow(error) {
  const message = error instanceof Error ? error.message : '';
  return message === 'Maximum call stack size exceeded' || message === 'Maximum call stack size exceeded.' || message === 'too much recursion';
}

/**
 * A path for people to read.
 * @param {string} path
 */
function shortened(path) {
  return path.length <= 120 ? path : `${path.slice(0, 80)}…${path.slice(-39)}`;
}

/**
 * Writes `values` one after the other and hands the commands, all run, to `take`.
 * @template T
 * @param {Iterable<unknown>} values
 * @param {boolean} several whether there may be any number of them
 * @param {CheckedOptions} options
 * @param {(commands: Commands) => T} take
 * @returns {T}
 */
function write(values, several, options, take) {
  const { mode } = options;
  const own = (levels[level] ??= new Map());
  const name = several ? `${mode}*` : mode;
  let commands = own.get(name);
  if (commands === undefined) {
    // The walk checks the depth itself, where it knows the path.
    commands = new Commands(mode, { multipleRoots: several, maxDepth: 2 ** 31 - 1 });
    own.set(name, commands);
  }
  level++;
  try {
    commands.reset();
    for (const value of values) new Walk(commands, options).value(value);
    commands.flush();
    return take(commands);
  } catch (error) {
    throw finished(error, commands);
  } finally {
    level--;
    // What only nested calls need is not kept.
    if (level > 0) {
      own.delete(name);
      commands.free();
    }
  }
}

/** @param {Commands} commands */
const takeResult = (commands) => commands.take();

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
   * @returns {Uint8Array<ArrayBuffer>} in memory of its own
   */
  encode(value) {
    return write([value], false, this.#options, takeResult);
  }

  /**
   * Like `encode`, but into `target`.
   * @param {unknown} value
   * @param {Uint8Array} target
   * @returns {number} the bytes written to its beginning
   * @throws {RangeError} ERR_CBOR_DEST_TOO_SMALL, with nothing written, when it is too short
   */
  encodeInto(value, target) {
    if (!(target instanceof Uint8Array)) throw typeError('ARGUMENT_TYPE', 'Uint8Array expected');
    return write([value], false, this.#options, (commands) => {
      const nbytes = commands.copyInto(target);
      if (nbytes < 0) throw rangeError('DEST_TOO_SMALL', `${commands.nbytes} bytes into ${target.length}`);
      return nbytes;
    });
  }

  /**
   * Like the function `encodeSequence`.
   * @param {Iterable<unknown>} values
   * @returns {Uint8Array<ArrayBuffer>} in memory of its own
   */
  encodeSequence(values) {
    if (this.#options.mode === 'dag-cbor') throw rangeError('OPTION_OUT_OF_RANGE', 'mode dag-cbor has no sequences');
    return write(values, true, this.#options, takeResult);
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
 * @returns {Uint8Array<ArrayBuffer>} in memory of its own
 * @throws {CborError} ERR_CBOR_UNSUPPORTED_VALUE for functions, symbols, promises and the like, ERR_CBOR_DEPTH_EXCEEDED
 *   (also of cyclic values), both with a `path`; in other modes than lax what the mode refuses
 */
export function encode(value, options) {
  if (options === undefined) return defaultEncoder.encode(value);
  return write([value], false, checkOptions(options), takeResult);
}

/**
 * Encodes values one after the other, as a CBOR sequence (RFC 8742).
 * @param {Iterable<unknown>} values
 * @param {EncodeOptions} [options] any mode but dag-cbor
 * @returns {Uint8Array<ArrayBuffer>} in memory of its own
 */
export function encodeSequence(values, options) {
  return new Encoder(options).encodeSequence(values);
}
