// CborWriter: the writer's calls one by one. Each becomes a command; the commands are run together.
import { OP_DATE_TIME, OP_END_ARRAY, OP_END_BYTES, OP_END_MAP, OP_END_TEXT, OP_HALF, OP_UNIX_TIME } from './abi.js';
import { argumentOf, magnitudeOf, MAX_UINT64 } from './bigints.js';
import { bytesOf } from './bytes.js';
import { Commands } from './commands.js';
import { SingleCalls } from './single-calls.js';
import { CborError, rangeError, typeError } from './errors.js';
import { checkedOptions, isBoolean, isCount, isMode } from './options.js';

/** @typedef {import('./commands.js').Mode} Mode */

/**
 * @typedef {object} CborWriterOptions
 * @property {Mode} [mode] what is enforced; `'strict'` by default
 * @property {boolean} [convertIndefiniteLengths] items of indefinite length become definite when they end
 * @property {boolean} [allowMultipleRoots] a CBOR sequence (RFC 8742) instead of one item; not in dag-cbor
 * @property {number} [initialCapacity] bytes of output to make room for
 * @property {number} [maxDepth] containers that may be open at once; 1000 by default
 * @property {boolean} [batch] false: every call is run at once and throws where it stands; true by default
 */

const MAX_ARRAY_COUNT = 2 ** 31 - 1;
const MAX_MAP_COUNT = 2 ** 30 - 1;
const MAX_DATE_TIME_UNITS = 256;

/** @type {Required<CborWriterOptions>} */
const DEFAULTS = Object.freeze({
  mode: 'strict',
  convertIndefiniteLengths: false,
  allowMultipleRoots: false,
  initialCapacity: 0,
  maxDepth: 1000,
  batch: true,
});

const CHECKS = {
  mode: isMode,
  convertIndefiniteLengths: isBoolean,
  allowMultipleRoots: isBoolean,
  initialCapacity: isCount,
  maxDepth: isCount,
  batch: isBoolean,
};

/** @param {CborWriterOptions | undefined} options */
function checkOptions(options) {
  const checked = checkedOptions(options, DEFAULTS, CHECKS);
  if (checked.mode === 'dag-cbor' && checked.allowMultipleRoots) {
    throw rangeError('OPTION_OUT_OF_RANGE', 'allowMultipleRoots: dag-cbor has one root');
  }
  return checked;
}

/**
 * An integer argument, which must be of `least` to `most`.
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 * @param {string} [code]
 */
function integer(value, least, most, code = 'VALUE_OUT_OF_RANGE') {
  if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', 'number expected');
  if (!Number.isInteger(value) || value < least || value > most) throw rangeError(code, String(value));
  return value;
}

/**
 * @param {unknown} value
 * @param {bigint} least
 * @param {bigint} most
 * @returns {number | bigint} a number only if it is a safe integer
 */
function integer64(value, least, most) {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || value < least) throw rangeError('VALUE_OUT_OF_RANGE', String(value));
    return value;
  }
  if (typeof value !== 'bigint') throw typeError('ARGUMENT_TYPE', 'number or bigint expected');
  if (value < least || value > most) throw rangeError('VALUE_OUT_OF_RANGE', String(value));
  return value;
}

/**
 * What a disposed writer has in place of its commands: whatever is asked of it is an error.
 * @type {Commands}
 */
const disposed = new Proxy(/** @type {any} */ ({}), {
  get(_, name) {
    if (name === 'free') return () => {};
    throw new CborError('DISPOSED');
  },
});

/** @param {unknown} value */
function number(value) {
  if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', 'number expected');
  return value;
}

/**
 * Writes CBOR (RFC 8949) by one call for each item. The calls are gathered and run together when the result, a getter
 * or a full buffer asks for it, so that a document crosses into WebAssembly once.
 *
 * An argument of a wrong type is a TypeError and one out of range a RangeError, thrown at the call. All else is a
 * CborError, thrown by the `flush` (or what implies one) that meets the failing call: the calls before it have taken
 * effect, it and those after it have not, and the writer goes on from there. With `batch: false` it is thrown at the
 * call itself. A call that fails changes nothing, save that a duplicate key is removed with its tags.
 *
 * The same calls, with their rules, are in the C library's header, src/wcbor.h.
 */
export class CborWriter {
  /** @type {Commands} */
  #commands;
  /** @type {ReturnType<typeof checkOptions>} */
  #options;

  /** @param {CborWriterOptions} [options] */
  constructor(options) {
    this.#options = checkOptions(options);
    const { mode, convertIndefiniteLengths, allowMultipleRoots, maxDepth, initialCapacity, batch } = this.#options;
    const Calls = batch ? Commands : SingleCalls;
    this.#commands = new Calls(mode, { convert: convertIndefiniteLengths, multipleRoots: allowMultipleRoots, maxDepth });
    if (initialCapacity > 0) this.#commands.reserve(initialCapacity);
  }

  // ------------------------------------------------------------------------------------------------- containers

  /**
   * Starts a map (RFC 8949, section 3.1, major type 5). Keys and values follow, in turn.
   * @param {number | null} count pairs, or null for an indefinite length
   */
  writeStartMap(count) {
    if (count === null) this.#commands.put(0xbf);
    else this.#commands.head(0xa0, integer(count, 0, MAX_MAP_COUNT, 'LENGTH_OUT_OF_RANGE'));
  }

  /** Ends the map; in sorted modes its pairs are put in order. */
  writeEndMap() {
    this.#commands.put(OP_END_MAP);
  }

  /**
   * Starts an array (section 3.1, major type 4).
   * @param {number | null} count items, or null for an indefinite length
   */
  writeStartArray(count) {
    if (count === null) this.#commands.put(0x9f);
    else this.#commands.head(0x80, integer(count, 0, MAX_ARRAY_COUNT, 'LENGTH_OUT_OF_RANGE'));
  }

  writeEndArray() {
    this.#commands.put(OP_END_ARRAY);
  }

  // ---------------------------------------------------------------------------------------------------- strings

  /**
   * A text string (section 3.1, major type 3). Unpaired surrogates become U+FFFD in lax and fail with
   * ERR_CBOR_INVALID_TEXT elsewhere.
   * @param {string} text
   */
  writeTextString(text) {
    if (text === null || text === undefined) throw typeError('NULL_ARGUMENT', 'string expected');
    if (typeof text !== 'string') throw typeError('ARGUMENT_TYPE', 'string expected');
    this.#commands.string(text);
  }

  /**
   * A byte string (section 3.1, major type 2). The bytes are copied at the call.
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
   */
  writeByteString(bytes) {
    this.#commands.bytes(bytesOf(bytes));
  }

  /** A text string in chunks (section 3.2.3): text strings follow. */
  writeStartIndefiniteLengthTextString() {
    this.#commands.put(0x7f);
  }

  writeEndIndefiniteLengthTextString() {
    this.#commands.put(OP_END_TEXT);
  }

  /** A byte string in chunks (section 3.2.3): byte strings follow. */
  writeStartIndefiniteLengthByteString() {
    this.#commands.put(0x5f);
  }

  writeEndIndefiniteLengthByteString() {
    this.#commands.put(OP_END_BYTES);
  }

  // --------------------------------------------------------------------------------------------------- integers

  /** @param {number} value -2^31 to 2^31 - 1 */
  writeInt32(value) {
    this.#integer(integer(value, -(2 ** 31), 2 ** 31 - 1));
  }

  /** @param {number} value 0 to 2^32 - 1 */
  writeUint32(value) {
    this.#integer(integer(value, 0, 2 ** 32 - 1));
  }

  /** @param {number | bigint} value -2^63 to 2^63 - 1; a number must be a safe integer */
  writeInt64(value) {
    this.#integer(integer64(value, -(2n ** 63n), 2n ** 63n - 1n));
  }

  /** @param {number | bigint} value 0 to 2^64 - 1; a number must be a safe integer */
  writeUint64(value) {
    this.#integer(integer64(value, 0n, MAX_UINT64));
  }

  /** @param {number | bigint} value */
  #integer(value) {
    const major = value < 0 ? 0x20 : 0;
    if (typeof value === 'number') this.#commands.head(major, value < 0 ? -1 - value : value);
    else this.#commands.head64(major, argumentOf(value));
  }

  /**
   * The integer -1 - `argument`, which reaches down to -2^64.
   * @param {number | bigint} argument 0 to 2^64 - 1
   */
  writeNegativeIntegerRepresentation(argument) {
    const checked = integer64(argument, 0n, MAX_UINT64);
    if (typeof checked === 'number') this.#commands.head(0x20, checked);
    else this.#commands.head64(0x20, checked);
  }

  /**
   * A bignum (section 3.4.3), even for a small value; the modes deterministic, dag-cbor and dcbor write what fits 64
   * bits as an integer.
   * @param {bigint} value
   */
  writeBigInteger(value) {
    if (typeof value !== 'bigint') throw typeError('ARGUMENT_TYPE', 'bigint expected');
    this.#commands.bignum(value < 0n, magnitudeOf(argumentOf(value)));
  }

  /**
   * A decimal fraction (section 3.4.4), mantissa * 10^exponent, as given.
   * @param {number | bigint} mantissa an integer
   * @param {number | bigint} exponent -2^63 to 2^63 - 1
   */
  writeDecimal(mantissa, exponent) {
    if (typeof mantissa === 'number' && !Number.isSafeInteger(mantissa)) throw rangeError('VALUE_OUT_OF_RANGE', String(mantissa));
    if (typeof mantissa !== 'number' && typeof mantissa !== 'bigint') throw typeError('ARGUMENT_TYPE', 'number or bigint expected');
    const value = BigInt(mantissa);
    this.#commands.decimal(
      BigInt(integer64(exponent, -(2n ** 63n), 2n ** 63n - 1n)), value < 0n, magnitudeOf(argumentOf(value)));
  }

  // ------------------------------------------------------------------------------------- floats and simple values

  /** @param {number} value rounded to the nearest half, ties to even */
  writeHalf(value) {
    this.#commands.float64(OP_HALF, number(value));
  }

  /** @param {number} value rounded to the nearest single, ties to even */
  writeSingle(value) {
    this.#commands.single(Math.fround(number(value)));
  }

  /**
   * A float in the shortest form that keeps the value; ctap2 keeps the width of the call, dag-cbor always has 64 bits,
   * dcbor makes integral values integers.
   * @param {number} value
   */
  writeDouble(value) {
    this.#commands.double(number(value));
  }

  /** @param {boolean} value */
  writeBoolean(value) {
    if (typeof value !== 'boolean') throw typeError('ARGUMENT_TYPE', 'boolean expected');
    this.#commands.put(value ? 0xf5 : 0xf4);
  }

  writeNull() {
    this.#commands.put(0xf6);
  }

  writeUndefined() {
    this.#commands.put(0xf7);
  }

  /** @param {number} value 0 to 255; 24 to 31 in lax alone (section 3.3); 20 to 22 in dag-cbor and dcbor */
  writeSimpleValue(value) {
    integer(value, 0, 255, 'SIMPLE_NOT_ALLOWED');
    const { mode } = this;
    const few = mode === 'dag-cbor' || mode === 'dcbor';
    if (few ? value < 20 || value > 22 : mode !== 'lax' && value >= 24 && value < 32) {
      throw rangeError('SIMPLE_NOT_ALLOWED', String(value));
    }
    if (value < 24) this.#commands.put(0xe0 | value);
    else this.#commands.simple(value);
  }

  // ------------------------------------------------------------------------------------------------------- tags

  /**
   * A tag for the next item (section 3.4).
   * @param {number | bigint} tag 0 to 2^64 - 1
   */
  writeTag(tag) {
    this.#commands.tag(integer64(tag, 0n, MAX_UINT64));
  }

  /**
   * A date and time as text, tag 0 (section 3.4.1). A string is written as given and must be an RFC 3339 date-time with
   * an offset, of at most 256 UTF-16 units (ERR_CBOR_INVALID_DATETIME); a Date is written in UTC, its fraction without
   * trailing zeros.
   * @param {Date | string} value
   */
  writeDateTime(value) {
    let text = value;
    if (value instanceof Date) {
      if (Number.isNaN(value.getTime())) throw rangeError('NOT_FINITE', 'invalid Date');
      text = value.toISOString().replace(/\.?0*Z$/, 'Z');
    }
    if (text === null || text === undefined) throw typeError('NULL_ARGUMENT', 'Date or string expected');
    if (typeof text !== 'string') throw typeError('ARGUMENT_TYPE', 'Date or string expected');
    // What is too long is no date-time to anybody, and no text is none to the module.
    this.#commands.counted(OP_DATE_TIME, new TextEncoder().encode(text.length <= MAX_DATE_TIME_UNITS ? text : ''));
  }

  /**
   * Seconds since 1970, tag 1 (section 3.4.2): a whole number within 64 bits as an integer, any other as a double.
   * @param {Date | number} value
   */
  writeUnixTime(value) {
    const seconds = value instanceof Date ? value.getTime() / 1000 : number(value);
    if (!Number.isFinite(seconds)) throw rangeError('NOT_FINITE', String(seconds));
    this.#commands.float64(OP_UNIX_TIME, seconds);
  }

  /**
   * An item that is CBOR already, copied as it is once it has been validated in the writer's mode.
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes copied at the call
   */
  writeEncodedValue(bytes) {
    this.#commands.encoded(bytesOf(bytes));
  }

  // ---------------------------------------------------------------------------------------------------- results

  /** Runs the calls gathered so far. */
  flush() {
    this.#commands.flush();
  }

  /**
   * The document, in memory that is never written again. ERR_CBOR_INCOMPLETE while a container is open, a tag waits for its item, or
   * nothing has been written. The writer goes on as it is.
   * @returns {Uint8Array<ArrayBuffer>}
   */
  encode() {
    this.#complete();
    return this.#commands.take();
  }

  /**
   * Like `encode`, but into `target`.
   * @param {Uint8Array} target
   * @returns {number} the bytes written to its beginning, or -1, with nothing written, if it is too short
   */
  tryEncode(target) {
    if (!(target instanceof Uint8Array)) throw typeError('ARGUMENT_TYPE', 'Uint8Array expected');
    this.#complete();
    return this.#commands.copyInto(target);
  }

  #complete() {
    this.#commands.flush();
    if (!this.#commands.complete) throw new CborError('INCOMPLETE', { offset: this.#commands.nbytes });
  }

  /** Back to the empty document; what was gathered and not run is dropped, and so are its errors. */
  reset() {
    this.#commands.reset();
  }

  /** Gives the writer's memory in the module back. From then on every call but this one is ERR_CBOR_DISPOSED; options stay readable. */
  dispose() {
    this.#commands.free();
    this.#commands = disposed;
  }

  /** For `using`, in engines that have it. */
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.dispose();
  }

  /** Open arrays, maps and chunked strings. */
  get currentDepth() {
    this.#commands.flush();
    return this.#commands.depth;
  }

  /** Bytes written so far; an open item that will be converted counts with a head of one byte. */
  get bytesWritten() {
    this.#commands.flush();
    return this.#commands.nbytes;
  }

  /** Whether `encode` would give a document. */
  get isWriteCompleted() {
    this.#commands.flush();
    return this.#commands.complete;
  }

  /** @returns {Mode} */
  get mode() {
    return this.#options.mode;
  }

  get maxDepth() {
    return this.#options.maxDepth;
  }

  get convertIndefiniteLengths() {
    return this.#options.convertIndefiniteLengths;
  }

  get allowMultipleRoots() {
    return this.#options.allowMultipleRoots;
  }
}
