// What the walk does with all that is not common: options, objects that stand for others, objects and Maps key by key.
import { OP_END_MAP } from './abi.js';
import { isOpaque, kindOf, writeObject } from './kinds.js';
import { located, unlocated } from './paths.js';
import { entriesOf, isEnumerable, isMap, isPlain, toString } from './plain.js';
import {
  depth, enter, leave, put, putArray, putByte, putMapHead, putNumber, putString, putValue, special,
} from './walk.js';

/** @typedef {import('./encode-options.js').CheckedOptions} CheckedOptions */

const TAG_SHAREABLE = 28;
const TAG_REFERENCE = 29;

/** One walk, and what its options make special. */
export class Walk {
  /** @param {CheckedOptions} options */
  constructor(options) {
    this.options = options;
    /** Tags and replaced values around the place where the walk is. */
    this.wrappers = 0;
    /** Whether some object may stand for another value. */
    this.replaces = options.toJSON || options.encoders.length > 0;
    /** Whether some properties may be left out. */
    this.omits = options.ignoreUndefined || options.unsupported === 'skip';
    this.wide = options.floats === 'double' && (options.mode === 'lax' || options.mode === 'strict');
    this.keyMap = options.keyMap;
    /** @type {Map<object, number> | undefined} */
    this.shared = options.sharedReferences ? new Map() : undefined;
    /** Whether objects may be anything but their properties. */
    this.special = this.replaces || this.omits || this.keyMap !== undefined || this.shared !== undefined;
  }

  /** @param {unknown} value */
  value(value) {
    putValue(value);
  }

  /** @param {object} value */
  reference(value) {
    const { toCBOR } = /** @type {{ toCBOR?: unknown }} */ (value);
    if (typeof toCBOR === 'function' && (!isPlain(value) || isEnumerable.call(value, 'toCBOR'))) return this.replaced(toCBOR.call(value), value);
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
   * @returns {void}
   */
  replaced(replacement, value) {
    if (replacement === value) return this.itself(value);
    this.wrap();
    putValue(replacement);
    this.wrappers--;
  }

  wrap() {
    if (this.wrappers === this.options.maxDepth) throw unlocated('DEPTH_EXCEEDED', String(this.wrappers));
    this.wrappers++;
  }

  /**
   * @param {object} value
   * @returns {void}
   */
  itself(value) {
    if (this.shared !== undefined && this.refer(value)) return;
    if (Array.isArray(value)) return putArray(value);
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return this.object(value);
    if (this.options.unsupported === 'skip' && depth > 0 && isOpaque(value, kindOf(value))) return putByte(0xf7);
    writeObject(this, value);
  }

  /**
   * Refers to an object that was met before; else marks it as one that may be referred to.
   * @param {object} value
   */
  refer(value) {
    const shared = /** @type {Map<object, number>} */ (this.shared);
    const index = shared.get(value);
    put((commands) => commands.tag(index === undefined ? TAG_SHAREABLE : TAG_REFERENCE));
    if (index === undefined) shared.set(value, shared.size);
    else putNumber(index);
    return index !== undefined;
  }

  /**
   * @param {number | bigint} tag
   * @param {unknown} value
   */
  tagged(tag, value) {
    this.wrap();
    put((commands) => commands.tag(tag));
    putValue(value);
    this.wrappers--;
  }

  /** @param {unknown[]} array */
  array(array) {
    putArray(array);
  }

  /**
   * An object by its own enumerable string keys, key by key.
   * @param {object} object
   * @param {string[]} keys
   * @returns {void}
   */
  object(object, keys = Object.keys(object)) {
    // The prototype of `arguments` is Object's; if there are any, the first property is 0. Others may have lost theirs.
    if (keys.length === 0 || keys[0] === '0') {
      const kind = toString.call(object);
      if (kind === '[object Arguments]') return putArray(Array.prototype.slice.call(object));
      if (kind !== '[object Object]') return writeObject(this, object);
    }
    const properties = /** @type {Record<string, unknown>} */ (object);
    if (!special && keys.includes('toCBOR')) {
      const { toCBOR } = properties;
      if (typeof toCBOR === 'function') return this.replaced(toCBOR.call(object), object);
    }
    enter();
    if (this.omits) {
      /** @type {unknown[]} */
      const entries = [];
      for (const key of keys) {
        const value = this.read(properties, key);
        if (!this.isOmitted(value)) entries.push(key, value);
      }
      this.entries(entries);
    } else {
      putMapHead(keys.length);
      let i = 0;
      try {
        for (; i < keys.length; i++) {
          const value = properties[keys[i]];
          this.key(keys[i]);
          putValue(value);
        }
      } catch (error) {
        throw located(error, keys[i]);
      }
      putByte(OP_END_MAP);
    }
    leave();
  }

  /**
   * @param {Record<string, unknown>} properties
   * @param {string} key
   */
  read(properties, key) {
    try {
      return properties[key];
    } catch (error) {
      throw located(error, key);
    }
  }

  /** @param {Map<unknown, unknown>} map */
  map(map) {
    enter();
    // A copy: code that runs in between may change the map, whose size is written first.
    const entries = entriesOf(map);
    this.entries(this.omits ? entries.filter((_, i) => !this.isOmitted(entries[i | 1])) : entries);
    leave();
  }

  /** @param {unknown[]} entries keys and values by turns */
  entries(entries) {
    putMapHead(entries.length / 2);
    let i = 0;
    try {
      for (; i < entries.length; i += 2) {
        const key = entries[i];
        if (typeof key === 'string') this.key(key);
        else if (typeof key === 'number') putNumber(key);
        else putValue(key);
        putValue(entries[i + 1]);
      }
    } catch (error) {
      throw located(error, entries[i]);
    }
    putByte(OP_END_MAP);
  }

  /** @param {string} key */
  key(key) {
    const number = this.keyMap?.get(key);
    if (number === undefined) putString(key);
    else putNumber(number);
  }

  /** @param {unknown} value */
  isOmitted(value) {
    if (value === undefined) return this.options.ignoreUndefined;
    if (this.options.unsupported !== 'skip') return false;
    if (typeof value === 'function' || typeof value === 'symbol') return true;
    if (typeof value !== 'object' || value === null || !isOpaque(value, kindOf(value))) return false;
    // Something may stand for it.
    if (typeof (/** @type {{ toCBOR?: unknown }} */ (value).toCBOR) === 'function') return false;
    return !this.options.encoders.some(([constructor]) => value instanceof constructor);
  }
}
