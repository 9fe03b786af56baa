// What tagged items become (RFC 8949, section 3.4; RFC 8746; the IANA registry): the types that `encode` writes as such,
// and whatever the caller's own functions make of them.
import { bigintOf } from './bigints.js';
import { CborError } from './errors.js';
import {
  LITTLE_ENDIAN, TAG_DATE_TIME, TAG_ECMASCRIPT_REGEXP, TAG_OBJECT, TAG_REGEXP, TAG_SET, TAG_UNIX_TIME, TAG_URI,
  TYPED_ARRAY_TAGS,
} from './tags.js';
import { integer } from './tape-scalars.js';
import { fillValue } from './tape-shared.js';
import { around, readValue } from './tape.js';
import { Tagged } from './values.js';

/** @typedef {import('./decode-options.js').CheckedOptions} CheckedOptions */

/**
 * @callback Untag
 * @param {(number | bigint)[]} tags the outermost first
 * @param {number} v the entry of what they stand on
 * @returns {unknown}
 */

const TAG_BIGNUM = 2;
const TAG_NEGATIVE_BIGNUM = 3;
const TAG_SHAREABLE = 28;
const TAG_REFERENCE = 29;
const TAG_UINT8_ARRAY = 64;
const TAG_SELF_DESCRIBED = 55799;

/** RFC 3339 with any fraction; a leap second is the second behind it. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d[Tt](?:[01]\d|2[0-3]):\d\d:)(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Kinds of typed arrays by tag. @type {Map<number | bigint, { kind: string, isLittle: boolean }>} */
const TYPED_ARRAYS = new Map([[TAG_UINT8_ARRAY, { kind: 'Uint8Array', isLittle: LITTLE_ENDIAN }]]);
for (const kind in TYPED_ARRAY_TAGS) {
  const [big, little] = TYPED_ARRAY_TAGS[kind];
  TYPED_ARRAYS.set(big, { kind, isLittle: big === little ? LITTLE_ENDIAN : false });
  TYPED_ARRAYS.set(little, { kind, isLittle: little !== big || LITTLE_ENDIAN });
}

/** Errors that JavaScript has classes for. @type {Record<string, new (message: string) => Error>} */
const ERRORS = {
  __proto__: /** @type {any} */ (null), Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
};

/**
 * An error of what a tag stands on.
 * @param {number | bigint} tag
 * @param {string} expected
 */
function invalid(tag, expected) {
  return new CborError('INVALID_TAG_CONTENT', { detail: `tag ${tag} stands on ${expected}` });
}

/**
 * @param {number | bigint} tag
 * @param {unknown} value
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesFor(tag, value) {
  if (!(value instanceof Uint8Array)) throw invalid(tag, 'a byte string');
  return /** @type {Uint8Array<ArrayBuffer>} */ (value);
}

/** @param {unknown} value */
function dateFromText(value) {
  const parts = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  if (parts === null) throw new CborError('INVALID_DATETIME');
  const [, minute, second, fraction = '', offset] = parts;
  // Not more digits than every engine takes; they are cut, not rounded.
  const milliseconds = Date.parse(
    `${minute.toUpperCase()}${second === '60' ? '59' : second}${fraction.slice(0, 4)}${offset.toUpperCase()}`,
  );
  // Engines take the 30th of February for the 2nd of March.
  const daysOfMonth = new Date(0);
  daysOfMonth.setUTCFullYear(Number(minute.slice(0, 4)), Number(minute.slice(5, 7)), 0);
  if (Number.isNaN(milliseconds) || Number(minute.slice(8, 10)) > daysOfMonth.getUTCDate()) throw new CborError('INVALID_DATETIME');
  return new Date(milliseconds + (second === '60' ? 1000 : 0));
}

/** @param {unknown} value seconds since 1970 */
function dateFromSeconds(value) {
  if (typeof value === 'bigint') value = Number(value);
  const date = new Date(typeof value === 'number' ? Math.round(value * 1000) : NaN);
  if (Number.isNaN(date.getTime())) throw new CborError('INVALID_UNIXTIME');
  return date;
}

/**
 * @param {boolean} isNegative
 * @param {unknown} value
 * @param {CheckedOptions} options
 */
function bignum(isNegative, value, options) {
  if (!(value instanceof Uint8Array)) throw new CborError('INVALID_BIGNUM');
  if (value.length > options.limits.bignumLength) throw new CborError('LIMIT_EXCEEDED', { detail: 'bignumLength' });
  const argument = bigintOf(value);
  // Engines have limits of their own.
  if (argument === undefined) throw new CborError('LIMIT_EXCEEDED', { detail: 'the engine has no bigints of this size' });
  return integer(isNegative ? -1n - argument : argument);
}

/**
 * @param {number | bigint} tag
 * @param {unknown} value
 * @param {{ kind: string, isLittle: boolean }} format
 * @param {boolean} isOurs whether nobody else has the bytes, which begin and end with their buffer
 */
function typedArray(tag, value, { kind, isLittle }, isOurs) {
  const bytes = bytesFor(tag, value);
  const constructor = /** @type {any} */ (globalThis)[kind];
  if (constructor === undefined) return new Tagged(tag, value);
  const width = constructor.BYTES_PER_ELEMENT;
  if (bytes.length % width !== 0) throw invalid(tag, `a multiple of ${width} bytes`);
  const own = isOurs ? bytes : Uint8Array.from(bytes);
  if (isLittle !== LITTLE_ENDIAN) {
    for (let i = 0; i < own.length; i += width) own.subarray(i, i + width).reverse();
  }
  return kind === 'Uint8Array' ? own : new constructor(own.buffer);
}

/**
 * @param {number | bigint} tag
 * @param {unknown} value
 */
function errorFrom(tag, value) {
  // Other languages have objects of their own behind this tag.
  if (!Array.isArray(value) || value.length !== 2) return new Tagged(tag, value);
  const [name, message] = value;
  if (typeof name !== 'string' || typeof message !== 'string' || !/(Error|Exception)$/.test(name)) return new Tagged(tag, value);
  if (name in ERRORS) return new ERRORS[name](message);
  return Object.defineProperty(new Error(message), 'name', { value: name, configurable: true, writable: true });
}

/**
 * @param {number | bigint} tag
 * @param {unknown} source
 * @param {unknown} [flags]
 */
function regExp(tag, source, flags = '') {
  if (typeof source !== 'string' || typeof flags !== 'string') throw invalid(tag, 'the text of a regular expression');
  try {
    return new RegExp(source, flags);
  } catch {
    throw invalid(tag, 'a regular expression that JavaScript knows');
  }
}

/**
 * @param {number | bigint} tag
 * @param {unknown} value
 */
function url(tag, value) {
  if (typeof value !== 'string') throw invalid(tag, 'text');
  try {
    return new URL(value);
  } catch {
    // A URI that the URL standard does not know, or no URL in this runtime.
    return new Tagged(tag, value);
  }
}

/**
 * What a tag makes of a value.
 * @param {number | bigint} tag
 * @param {unknown} value
 * @param {CheckedOptions} options
 * @param {boolean} isOurs whether it comes from the tape, and nothing else has it
 * @returns {unknown}
 */
function known(tag, value, options, isOurs) {
  switch (tag) {
    case TAG_DATE_TIME: return dateFromText(value);
    case TAG_UNIX_TIME: return dateFromSeconds(value);
    case TAG_BIGNUM: return bignum(false, value, options);
    case TAG_NEGATIVE_BIGNUM: return bignum(true, value, options);
    case TAG_OBJECT: return errorFrom(tag, value);
    case TAG_URI: return url(tag, value);
    case TAG_REGEXP: return regExp(tag, value);
    case TAG_SET:
      if (!Array.isArray(value)) throw invalid(tag, 'an array');
      return new Set(value);
    case TAG_ECMASCRIPT_REGEXP:
      if (!Array.isArray(value) || value.length !== 2) throw invalid(tag, 'an array of source and flags');
      return regExp(tag, value[0], value[1]);
    case TAG_SELF_DESCRIBED: return value;
  }
  const format = TYPED_ARRAYS.get(tag);
  return format === undefined ? new Tagged(tag, value) : typedArray(tag, value, format, isOurs);
}

/** In place of a value that is shared and not complete. */
const PENDING = Symbol('pending');

/** The values that may be referred to, in the order of their tags. @type {unknown[]} */
let shared = [];

/** For another document inside of one, and back. */
export function swapShared(/** @type {unknown[]} */ other) {
  const before = shared;
  shared = other;
  return before;
}

/** For the next document. */
export function forgetShared() {
  if (shared.length > 0) shared = [];
}

/**
 * @param {unknown} index
 */
function referred(index) {
  if (typeof index !== 'number' || !(index in shared)) {
    throw invalid(TAG_REFERENCE, 'the number of a value that is marked as shared');
  }
  const value = shared[index];
  if (value === PENDING) throw invalid(TAG_REFERENCE, 'the number of a value that is complete, or a container');
  return value;
}

/** What a function of the caller's threw: no fault of the document. */
export class TagDecoderFailure {
  /**
   * @param {unknown} cause
   * @param {number | bigint} tag
   */
  constructor(cause, tag) {
    this.cause = cause;
    this.tag = tag;
  }
}

/**
 * @param {(value: any, tag: any) => unknown} decoder
 * @param {unknown} value
 * @param {number | bigint} tag
 */
function called(decoder, value, tag) {
  try {
    return decoder(value, tag);
  } catch (error) {
    throw new TagDecoderFailure(error, tag);
  }
}

/**
 * @param {CheckedOptions} options
 * @returns {Untag}
 */
export function untagFor(options) {
  const decoders = options.tags;

  /**
   * @param {number | bigint} tag
   * @param {unknown} value
   * @param {boolean} isOurs
   */
  const apply = (tag, value, isOurs) => {
    const decoder = decoders?.get(tag);
    if (decoder !== undefined) return around(() => called(decoder, value, tag));
    return tag === TAG_REFERENCE ? referred(value) : known(tag, value, options, isOurs);
  };
  // Bytes that are a view may lie anywhere in memory that is the caller's.
  const areCopies = options.byteStrings !== 'view';

  /** @param {number | bigint} tag */
  const isShareable = (tag) => tag === TAG_SHAREABLE && decoders?.has(tag) !== true;

  return (tags, v) => {
    const i = tags.findIndex(isShareable);
    if (i < 0) {
      let value = readValue(v);
      for (let j = tags.length - 1; j >= 0; j--) value = apply(tags[j], value, areCopies && j === tags.length - 1);
      return value;
    }
    // What is shared has its number from its tag, and containers can be referred to as soon as there is one: whatever
    // tags stand on the value itself, and those that stand on the Set that it becomes.
    const numbers = tags.map((tag) => (isShareable(tag) ? shared.push(PENDING) - 1 : -1));
    let end = tags.length;
    while (end > 0 && numbers[end - 1] >= 0) end--;
    const own = numbers.slice(end);
    /** @type {number[] | undefined} */
    let ofSet;
    if (end > 1 && tags[end - 1] === TAG_SET && decoders?.has(TAG_SET) !== true && numbers[end - 2] >= 0) {
      const last = --end;
      while (end > 0 && numbers[end - 1] >= 0) end--;
      ofSet = numbers.slice(end, last);
    }
    const share = (/** @type {number[]} */ list) => (/** @type {unknown} */ value) => {
      for (const number of list) shared[number] = value;
    };
    let value = fillValue(v, share(own), ofSet && share(ofSet));
    for (let j = end - 1; j >= 0; j--) {
      if (numbers[j] < 0) value = apply(tags[j], value, false);
      else shared[numbers[j]] = value;
    }
    return value;
  };
}
