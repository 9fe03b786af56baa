// How a struct writes a value: one function for each type, and for each struct the shapes of its maps, so that only
// values are put.
//
// The properties are read once, in one pass over the object where it has the fields in their declared order, else by
// name. Which optional fields are there makes a mask; each mask has a shape of its own, as long as the module's tables of
// shapes hold (shapes.js); without a shape the map is written key by key.
import { OP_END_MAP } from './abi.js';
import { bytesOf } from './bytes.js';
import { CborError } from './errors.js';
import { isCid } from './links.js';
import { located, unlocated } from './paths.js';
import { writeBigint } from './kinds.js';
import { isMap, mapEntries } from './plain.js';
import { unitsOf } from './strings.js';
import { addShape, compareKeys, encodeKey, shapesGeneration } from './shapes.js';
import {
  enter, leave, put, putArray, putArrayHead, putByte, putBytes, putCheckedBytes, putFloat, putInteger64, putKey, putMapHead, putNumber, putShape, putString, putValue,
} from './walk.js';
import { NO_LIMIT } from './struct-fields.js';
import { EncodedCbor } from './values.js';

/** @typedef {import('./struct-fields.js').Type} Type */
/** @typedef {import('./struct-fields.js').Field} Field */
/** @typedef {import('./struct-fields.js').CheckedStructOptions} CheckedStructOptions */
/** @typedef {(value: any) => void} Putter */

const TAG_CID = 42;

/** With more optional fields than bits in a small integer, maps are written key by key. */
const MASK_BITS = 30;

/** Longer arrays are put in runs. */
const RUN_MIN = 8;

/** How many masks of one struct get a shape. */
const SHAPES_MAX = 64;

const encoder = new TextEncoder();

/** @param {string} expected */
function mismatch(expected) {
  return unlocated('TYPE_MISMATCH', `${expected} expected`);
}

/**
 * @param {Type} type
 * @param {number} length
 */
function checkLength(type, length) {
  if (length > type.maxLength) throw unlocated('LIMIT_EXCEEDED', `${length} of at most ${type.maxLength}`);
  if (length < type.minLength) throw unlocated('LIMIT_EXCEEDED', `${length} of at least ${type.minLength}`);
}

/**
 * Whether every item is of an integer type, and none is -0, so that a run of numbers writes them as integers.
 * @param {unknown[]} array
 * @param {number} least
 */
function areIntegers(array, least) {
  for (let i = 0; i < array.length; i++) {
    const item = array[i];
    if (typeof item !== 'number' || !Number.isSafeInteger(item) || item < least || Object.is(item, -0)) return false;
  }
  return true;
}

/**
 * The items of an array, each read once: code of the user's may give another one the next time.
 * @param {unknown[]} array
 * @param {number} length
 */
function copyOf(array, length) {
  const items = new Array(length);
  let i = 0;
  try {
    for (; i < length; i++) items[i] = array[i];
  } catch (error) {
    throw located(error, i);
  }
  return items;
}

/** @param {unknown[]} array */
function areStrings(array) {
  for (let i = 0; i < array.length; i++) if (typeof array[i] !== 'string') return false;
  return true;
}

/**
 * An integer of 64 bits.
 * @param {unknown} value
 * @param {boolean} isUnsigned
 */
function putInteger(value, isUnsigned) {
  const expected = 'an integer';
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw mismatch(expected);
    if (!Number.isSafeInteger(value) || (isUnsigned && value < 0)) throw unlocated('VALUE_OUT_OF_RANGE', String(value));
    return putNumber(value === 0 ? 0 : value);
  }
  if (typeof value !== 'bigint') throw mismatch(expected);
  if ((isUnsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value)) !== value) throw unlocated('VALUE_OUT_OF_RANGE', String(value));
  putInteger64(value);
}

/** @type {Record<string, (type: Type) => Putter>} */
const PUTTERS = {
  int: () => (value) => putInteger(value, false),
  uint: () => (value) => putInteger(value, true),
  float: () => (value) => {
    if (typeof value !== 'number') throw mismatch('a number');
    putFloat(value);
  },
  bool: () => (value) => {
    if (typeof value !== 'boolean') throw mismatch('a boolean');
    putByte(value ? 0xf5 : 0xf4);
  },
  text: (type) => {
    const { maxLength, minLength } = type;
    return (value) => {
      if (typeof value !== 'string') throw mismatch('a string');
      // A unit is at most 3 bytes; only where that may be too much are they counted.
      const units = unitsOf(value);
      if (units * 3 > maxLength || units < minLength) checkLength(type, encoder.encode(value).length);
      putString(value);
    };
  },
  bytes: (type) => {
    const check = (/** @type {number} */ length) => checkLength(type, length);
    return (value) => putCheckedBytes(value, check);
  },
  bigint: (type) => (value) => {
    const integer = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof integer !== 'bigint') throw mismatch('a bigint');
    if (type.maxLength < NO_LIMIT) checkLength(type, bigintLength(integer));
    put((commands) => writeBigint(commands, integer));
  },
  date: () => (value) => {
    if (!(value instanceof Date)) throw mismatch('a Date');
    const seconds = value.getTime() / 1000;
    if (Number.isNaN(seconds)) throw unlocated('NOT_FINITE', 'an invalid Date');
    put((commands) => commands.tag(1));
    putNumber(seconds);
  },
  cid: () => (value) => {
    const cid = bytesOf(value);
    if (!isCid(cid)) throw unlocated('INVALID_CID', `${cid.length} bytes`);
    const payload = new Uint8Array(cid.length + 1);
    payload.set(cid, 1);
    put((commands) => commands.tag(TAG_CID));
    putBytes(payload);
  },
  any: () => putValue,
  deferred: (type) => (value) => {
    const bytes = bytesOf(value instanceof EncodedCbor ? value.bytes : value);
    checkLength(type, bytes.length);
    put((commands) => commands.encoded(bytes));
  },
  array: (type) => {
    const items = /** @type {Type} */ (type.items);
    const putItem = putterOf(items);
    const way = wayOf(items);
    const isRun = itemRun(items);
    return (value) => {
      if (!Array.isArray(value)) throw mismatch('an array');
      const { length } = value;
      checkLength(type, length);
      let items = value;
      if (length > RUN_MIN && isRun !== undefined) {
        items = copyOf(value, length);
        if (isRun(items)) return putArray(items);
      }
      enter();
      putArrayHead(length);
      let i = 0;
      try {
        for (; i < length; i++) putBy(way, putItem, items[i]);
      } catch (error) {
        throw located(error, i);
      }
      leave();
    };
  },
  map: (type) => {
    const putItem = putterOf(/** @type {Type} */ (type.items));
    const putMapKey = type.keys === 'text' ? putTextKey : PUTTERS[type.keys](type);
    return (value) => {
      const pairs = entriesOf(value, type.keys === 'text');
      checkLength(type, pairs.length);
      if (type.sortsKeys) pairs.sort(([a], [b]) => compareKeys(encodeKey(a), encodeKey(b)));
      enter();
      putMapHead(pairs.length);
      for (const [key, item] of pairs) {
        try {
          putMapKey(key);
          putItem(item);
        } catch (error) {
          throw located(error, key);
        }
      }
      putByte(OP_END_MAP);
      leave();
    };
  },
  struct: (type) => {
    /** @type {StructWriter | undefined} */
    let writer;
    return (value) => {
      writer ??= /** @type {import('./struct.js').Struct<any>} */ (type.struct).writer;
      writer.put(value);
    };
  },
};

/** @param {unknown} key */
function putTextKey(key) {
  if (typeof key !== 'string') throw mismatch('a text key');
  putString(key);
}

/**
 * The pairs of a map: those of a Map, or where its keys are text, the own enumerable properties of an object.
 * @param {unknown} value
 * @param {boolean} isObject
 * @returns {[any, unknown][]}
 */
function entriesOf(value, isObject) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw mismatch(isObject ? 'an object or a Map' : 'a Map');
  if (isMap(value)) return [...mapEntries.call(value)];
  if (!isObject) throw mismatch('a Map');
  return Object.entries(value);
}

/** @param {bigint} value */
function bigintLength(value) {
  const digits = (value < 0n ? -1n - value : value).toString(16).length;
  return (digits + 1) >> 1;
}

/**
 * What tells whether a whole array may be put as the untyped walk puts it, in runs.
 * @param {Type} items
 * @returns {((array: unknown[]) => boolean) | undefined}
 */
function itemRun(items) {
  if (items.nullable) return undefined;
  if (items.kind === 'int') return (array) => areIntegers(array, Number.MIN_SAFE_INTEGER);
  if (items.kind === 'uint') return (array) => areIntegers(array, 0);
  if (items.kind === 'text' && items.maxLength === NO_LIMIT && items.minLength === 0) return areStrings;
  return undefined;
}

/**
 * What puts a value of a type.
 * @param {Type} type
 * @returns {Putter}
 */
export function putterOf(type) {
  if (type.kind === 'later') {
    /** @type {Putter | undefined} */
    let putter;
    return (value) => (putter ??= putterOf(type.resolve()))(value);
  }
  const putter = PUTTERS[type.kind](type);
  if (!type.nullable) return putter;
  return (value) => (value === null ? putByte(0xf6) : putter(value));
}

/** What the most common values of common types are put by, without a call by way of a variable. */
const BY_PUTTER = 0;
const BY_TEXT = 1;
const BY_INT = 2;
const BY_UINT = 3;
const BY_FLOAT = 4;
const BY_BOOL = 5;

/** @param {Type} type */
function wayOf(type) {
  switch (type.kind) {
    case 'text': return type.maxLength === NO_LIMIT && type.minLength === 0 ? BY_TEXT : BY_PUTTER;
    case 'int': return BY_INT;
    case 'uint': return BY_UINT;
    case 'float': return BY_FLOAT;
    case 'bool': return BY_BOOL;
    default: return BY_PUTTER;
  }
}

/**
 * Puts a value of a type.
 * @param {number} way BY_...
 * @param {Putter} putter
 * @param {unknown} value
 */
function putBy(way, putter, value) {
  if (typeof value === 'string') {
    if (way === BY_TEXT) return putString(value);
  } else if (typeof value === 'number') {
    if (way === BY_FLOAT) return putFloat(value);
    if (value === (value | 0) && (way === BY_INT || (way === BY_UINT && value >= 0))) return putNumber(value | 0);
  } else if (typeof value === 'boolean' && way === BY_BOOL) {
    return putByte(value ? 0xf5 : 0xf4);
  }
  putter(value);
}

/** Values of the fields of maps that are under way, where they are not put as they are read. @type {unknown[]} */
const values = [];
let top = 0;

/** What writes the values of a struct. */
export class StructWriter {
  /**
   * @param {Field[]} fields
   * @param {CheckedStructOptions} options
   */
  constructor(fields, { representation, sortKeys, mode = 'lax', unknown, codeGeneration }) {
    this.fields = fields;
    this.properties = fields.map(({ property }) => property);
    this.putters = fields.map(({ type }) => putterOf(type));
    this.ways = fields.map(({ type }) => wayOf(type));
    this.required = fields.every(({ optional, hasDefault }) => !optional && !hasDefault);
    this.isTuple = representation === 'tuple';
    this.keepsUnknown = unknown === 'keep';
    /** The fields in the order in which they are written. */
    this.order = fields.map((_, i) => i);
    if (sortKeys || !(mode === 'lax' || mode === 'strict')) this.order.sort((a, b) => compareKeys(encodeKey(fields[a].key), encodeKey(fields[b].key)));
    this.inOrder = this.order.every((field, i) => field === i);
    /** Shapes by mask of the fields that are there. @type {Map<number, number>} */
    this.shapes = new Map();
    this.generation = -1;
    if (!this.isTuple && this.required && this.inOrder && !this.keepsUnknown) this.putFields = codeGeneration ? this.generated() : this.putWhole;
    else this.putFields = this.isTuple ? this.putTuple : this.putSome;
  }

  /** @param {any} value */
  put(value) {
    if (typeof value !== 'object' || value === null) throw mismatch('an object');
    enter();
    this.putFields(value);
    leave();
  }

  /**
   * All fields, in their declared order.
   * @param {Record<string, unknown>} object
   */
  putWhole(object) {
    const { properties, putters, ways } = this;
    const { length } = properties;
    const shape = this.shapeOf(-1);
    if (shape < 0) putMapHead(length);
    else putShape(shape);
    let i = 0;
    try {
      if (shape >= 0) {
        // As long as the object has its properties in this order they are found without being looked for.
        for (const key in object) {
          if (i === length || key !== properties[i]) break;
          putBy(ways[i], putters[i], object[key]);
          i++;
        }
      }
      for (; i < length; i++) {
        const value = object[properties[i]];
        if (shape < 0) putKey(this.fields[i].key);
        putters[i](value);
      }
    } catch (error) {
      throw this.explained(error, i, object);
    }
    if (shape < 0) putByte(OP_END_MAP);
  }

  /**
   * putWhole for the fields of this struct, as generated code: each property is read where the engine knows it from before.
   * @returns {(this: StructWriter, object: Record<string, unknown>) => void}
   */
  generated() {
    const names = this.properties.map((_, i) => `put${i}`);
    const body = this.properties.map((property, i) => `i=${i};${names[i]}(object[${JSON.stringify(property)}]);`).join('');
    const source = `return function(object){const shape=this.shapeOf(-1);if(shape<0)return this.putWhole(object);putShape(shape);let i=0;`
      + `try{${body}}catch(error){throw this.explained(error,i,object)}}`;
    return new Function('putShape', ...names, source)(putShape, ...this.putters);
  }

  /**
   * The fields that are there, in the order in which they are written.
   * @param {Record<string, unknown>} object
   */
  putSome(object) {
    const { fields, properties } = this;
    const { length } = properties;
    const base = top;
    top += length;
    let mask = 0;
    let count = 0;
    let i = 0;
    try {
      let isWhole = true;
      for (const key in object) {
        if (i === length || key !== properties[i]) break;
        if ((values[base + i] = object[key]) === undefined) isWhole = false;
        i++;
      }
      for (; i < length; i++) if ((values[base + i] = object[properties[i]]) === undefined) isWhole = false;
      if (isWhole) count = length;
      for (i = isWhole ? length : 0; i < length; i++) {
        const field = fields[i];
        if (values[base + i] === undefined && field.hasDefault) values[base + i] = field.default;
        if (values[base + i] !== undefined || !field.optional) {
          count++;
          if (i < MASK_BITS) mask |= 1 << i;
        }
      }
      const extras = this.keepsUnknown ? this.extrasOf(object) : NO_EXTRAS;
      const shape = extras.length === 0 ? this.shapeOf(count === length ? -1 : mask) : -1;
      if (shape < 0) putMapHead(count + extras.length);
      else putShape(shape);
      for (let at = 0; at < length; at++) {
        i = this.order[at];
        const value = values[base + i];
        if (value === undefined && fields[i].optional) continue;
        if (shape < 0) putKey(fields[i].key);
        putBy(this.ways[i], this.putters[i], value);
      }
      i = -1;
      for (const [key, value] of extras) this.putExtra(key, value);
      if (shape < 0) putByte(OP_END_MAP);
    } catch (error) {
      throw this.explained(error, i, object);
    } finally {
      // Nothing of the caller's is kept alive.
      for (let at = base; at < base + length; at++) values[at] = undefined;
      top = base;
    }
  }

  /** @param {Record<string, unknown>} object */
  putTuple(object) {
    const { fields, properties, putters, ways } = this;
    let { length } = properties;
    let i = 0;
    try {
      // Fields at the end may be absent; once one is there, all before it are.
      while (length > 0 && fields[length - 1].optional && !fields[length - 1].hasDefault && object[properties[length - 1]] === undefined) length--;
      putArrayHead(length);
      for (const key in object) {
        if (i === length || key !== properties[i]) break;
        const value = object[key];
        putBy(ways[i], putters[i], value === undefined && fields[i].hasDefault ? fields[i].default : value);
        i++;
      }
      for (; i < length; i++) {
        const value = object[properties[i]];
        putters[i](value === undefined && fields[i].hasDefault ? fields[i].default : value);
      }
    } catch (error) {
      throw this.explained(error, i, object);
    }
  }

  /**
   * The properties that no field has.
   * @param {Record<string, unknown>} object
   */
  extrasOf(object) {
    return Object.entries(object).filter(([key, value]) => !this.properties.includes(key) && value !== undefined);
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  putExtra(key, value) {
    try {
      if (this.fields.some((field) => field.key === key)) throw unlocated('DUPLICATE_KEY', key);
      putString(key);
      putValue(value);
    } catch (error) {
      throw located(error, key);
    }
  }

  /**
   * The error of field `i`; that of a required one that is not there says so.
   * @param {unknown} error
   * @param {number} i
   * @param {Record<string, unknown>} object
   */
  explained(error, i, object) {
    if (i < 0) return error;
    const { property } = this.fields[i];
    if (error instanceof CborError && error.path === '' && !(property in object)) return located(unlocated('MISSING_FIELD', property), property);
    return located(error, property);
  }

  /**
   * The shape of the fields in a mask, or -1.
   * @param {number} mask -1 for all
   */
  shapeOf(mask) {
    if (this.generation !== shapesGeneration) {
      this.shapes.clear();
      this.generation = shapesGeneration;
    }
    let shape = this.shapes.get(mask);
    if (shape !== undefined) return shape;
    if (this.shapes.size === SHAPES_MAX || (mask !== -1 && this.fields.length > MASK_BITS)) return -1;
    const keys = this.order.filter((i) => (mask & (1 << i)) !== 0 || mask === -1).map((i) => this.fields[i].key);
    shape = addShape(keys);
    this.shapes.set(mask, shape);
    return shape;
  }
}

/** @type {[string, unknown][]} */
const NO_EXTRAS = [];
