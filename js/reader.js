// CborReader: the reader's calls one by one, each a call of the module.
import {
  CURSOR_BYTES, CURSOR_DEPTH, CURSOR_FAULT, CURSOR_HIGH, CURSOR_LEFT, CURSOR_LOW, CURSOR_MISSING, CURSOR_NBYTES, CURSOR_NEGATIVE,
  CURSOR_NUMBER, CURSOR_OFFSET, FLAG_MARK, FLAG_MULTIPLE_ROOTS, FLAG_PARTIAL, FLAG_SLIDE, FLAG_UNCHECKED, MODES, READ_BIGNUM, READ_BOOL, READ_BYTES,
  READ_DATE_TIME, READ_DECIMAL, READ_DEFINITE_BYTES, READ_DEFINITE_TEXT, READ_DOUBLE, READ_ENCODED, READ_END_ARRAY, READ_END_BYTES,
  READ_END_MAP, READ_END_TEXT, READ_HALF, READ_INT32, READ_INT64, READ_NEGATIVE, READ_NULL, READ_PEEK, READ_PEEK_TAG, READ_SIMPLE,
  READ_SINGLE, READ_SKIP, READ_SKIP_TO_PARENT, READ_START_ARRAY, READ_START_BYTES, READ_START_MAP, READ_START_TEXT, READ_TAG,
  READ_TEXT, READ_UINT32, READ_UINT64, READ_UNDEFINED, READ_UNDO, READ_UNIX_TIME, STATUS_NAMES,
} from './abi.js';
import { bigintOf } from './bigints.js';
import { bytesOf } from './bytes.js';
import { CborError, rangeError, typeError } from './errors.js';
import { crossed, f64, instantiate, refresh, u32, u8, wasm } from './instance.js';
import { isNfc, notNormalizedAt } from './nfc.js';
import { checkReadOptions } from './read-options.js';

/** @typedef {import('./read-options.js').Mode} Mode */

/**
 * @typedef {object} CborReaderOptions
 * @property {Mode} [mode] whose rules are kept to; `'strict'` by default
 * @property {boolean} [allowMultipleRoots] a CBOR sequence (RFC 8742) instead of one item; not in dag-cbor
 * @property {number} [maxDepth] containers that may be open at once; 1000 by default
 * @property {boolean} [isFinalBlock] false: the bytes are a beginning, and `slideData` brings more; lax alone
 */

/**
 * What the next call can be.
 * @typedef {'unsignedInteger' | 'negativeInteger' | 'byteString' | 'startIndefiniteLengthByteString'
 *   | 'endIndefiniteLengthByteString' | 'textString' | 'startIndefiniteLengthTextString' | 'endIndefiniteLengthTextString'
 *   | 'startArray' | 'endArray' | 'startMap' | 'endMap' | 'tag' | 'simpleValue' | 'halfPrecisionFloat'
 *   | 'singlePrecisionFloat' | 'doublePrecisionFloat' | 'null' | 'boolean' | 'finished' | 'needsMoreData'} ReaderState
 */

/** By their numbers in C. @type {readonly ReaderState[]} */
const STATES = [
  /** @type {any} */ ('undefined'), 'unsignedInteger', 'negativeInteger', 'byteString', 'startIndefiniteLengthByteString',
  'endIndefiniteLengthByteString', 'textString', 'startIndefiniteLengthTextString', 'endIndefiniteLengthTextString', 'startArray',
  'endArray', 'startMap', 'endMap', 'tag', 'simpleValue', 'halfPrecisionFloat', 'singlePrecisionFloat', 'doublePrecisionFloat',
  'null', 'boolean', 'finished', 'needsMoreData',
];

/** Text of at most so many bytes is taken one by one, if it is ASCII. */
const SHORT_TEXT = 24;

/** Byte strings of at most so many bytes are copied one by one. */
const SHORT_BYTES = 64;

/** What the module may read behind the data, though never use. */
const SLACK = 16;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Cursors whose owners are gone give their memory back, where the runtime tells; that is no crossing of anybody's. */
const registry = typeof FinalizationRegistry !== 'function' ? undefined : new FinalizationRegistry((/** @type {number} */ address) => {
  wasm.wcbor_cursor_free(address);
});

/**
 * @param {number} at
 * @param {number} nbytes
 */
function textAt(at, nbytes) {
  if (nbytes > SHORT_TEXT) return decoder.decode(u8.subarray(at, at + nbytes));
  let text = '';
  for (let i = at; i < at + nbytes; i++) {
    const byte = u8[i];
    if (byte > 0x7f) return decoder.decode(u8.subarray(at, at + nbytes));
    text += String.fromCharCode(byte);
  }
  return text;
}

/**
 * @param {number} at
 * @param {number} nbytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
function bytesAt(at, nbytes) {
  if (nbytes > SHORT_BYTES) return u8.slice(at, at + nbytes);
  const copy = new Uint8Array(nbytes);
  for (let i = 0; i < nbytes; i++) copy[i] = u8[at + i];
  return copy;
}

/** @param {unknown} value */
function flag(value) {
  if (typeof value !== 'boolean') throw typeError('ARGUMENT_TYPE', 'boolean expected');
  return value;
}

/** @param {unknown} target */
function targetOf(target) {
  if (!(target instanceof Uint8Array)) throw typeError('ARGUMENT_TYPE', 'Uint8Array expected');
  return target;
}

/**
 * Reads CBOR (RFC 8949) by one call for each item. The bytes are copied when they are given; what is read is memory of
 * its own.
 *
 * What is read is checked by the mode's rules as it is read. A call that fails throws a CborError and leaves the reader
 * as it was, so that the item can be read by another call; but after ERR_CBOR_DUPLICATE_KEY and ERR_CBOR_KEYS_NOT_SORTED
 * it stands where the key begins. The error has `offset`, where the item at fault begins; `incomplete` is true when the
 * bytes are no more than cut short, and at least `missing` bytes must follow then.
 *
 * The same calls, with their rules, are in the C library's header, src/wcbor.h.
 */
export class CborReader {
  /** The cursor in the module; 0 when it is given back. */
  #address = 0;
  /** Where the module has the data. */
  #data = 0;
  /** @type {{ mode: Mode, maxDepth: number, allowMultipleRoots: boolean, isFinalBlock: boolean }} */
  #options;
  /** FLAG_MARK where text must be in NFC, which the module leaves to JavaScript. */
  #nfcFlag;

  /**
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
   * @param {CborReaderOptions} [options]
   */
  constructor(bytes, options = {}) {
    this.#options = checkReadOptions(options, { allowMultipleRoots: false, isFinalBlock: true });
    const { mode, maxDepth, allowMultipleRoots, isFinalBlock } = this.#options;
    if (!isFinalBlock && mode !== 'lax') throw rangeError('LAX_ONLY');
    this.#nfcFlag = mode === 'dcbor' ? FLAG_MARK : 0;
    const source = bytesOf(bytes);
    instantiate();
    const address = wasm.wcbor_cursor_new(MODES[mode], allowMultipleRoots ? FLAG_MULTIPLE_ROOTS : 0, maxDepth);
    crossed();
    refresh();
    if (address === 0) throw new CborError('OUT_OF_MEMORY');
    this.#address = address;
    registry?.register(this, address, this);
    this.#give(source, isFinalBlock ? 0 : FLAG_PARTIAL);
  }

  /**
   * Gives data to the cursor.
   * @param {Uint8Array} source
   * @param {number} flags
   */
  #give(source, flags) {
    const data = wasm.wcbor_alloc(source.length + SLACK);
    crossed(2);
    refresh();
    if (data === 0) throw new CborError('OUT_OF_MEMORY');
    u8.set(source, data);
    const status = wasm.wcbor_cursor_data(this.#address, data, source.length, flags);
    if (status !== 0) this.#fail(status);
    this.#data = data;
  }

  /**
   * @param {number} status
   * @returns {never}
   */
  #fail(status) {
    const name = STATUS_NAMES[status];
    throw new CborError(name, { offset: this.#field(CURSOR_FAULT), missing: f64[(this.#address + CURSOR_MISSING) >> 3] });
  }

  /** @param {number} offset a CURSOR_ constant */
  #field(offset) {
    return u32[(this.#address + offset) >> 2];
  }

  /**
   * Makes one call.
   * @param {number} op READ_...
   * @param {number} [flags] FLAG_UNCHECKED, FLAG_MARK
   */
  #read(op, flags = 0) {
    if (this.#address === 0) throw new CborError('DISPOSED');
    const status = wasm.wcbor_cursor_read(this.#address, op, flags);
    crossed();
    refresh();
    if (status !== 0) this.#fail(status);
  }

  /**
   * Takes a call back that has read what JavaScript does not take.
   * @param {string} name
   * @param {number} [offset] of what is at fault, in what has been read
   * @returns {never}
   */
  #refuse(name, offset = 0) {
    this.#read(READ_UNDO);
    throw new CborError(name, { offset: this.#field(CURSOR_OFFSET) + offset });
  }

  #number() {
    return f64[(this.#address + CURSOR_NUMBER) >> 3];
  }

  /** @returns {number | bigint} what an unsigned read of 64 bits left: a number only if it is a safe integer */
  #unsigned() {
    const number = this.#number();
    return Number.isSafeInteger(number) ? number : (BigInt(this.#field(CURSOR_HIGH)) << 32n) | BigInt(this.#field(CURSOR_LOW));
  }

  /** @returns {number | bigint} likewise, signed */
  #signed() {
    const number = this.#number();
    if (Number.isSafeInteger(number)) return number;
    return BigInt.asIntN(64, (BigInt(this.#field(CURSOR_HIGH)) << 32n) | BigInt(this.#field(CURSOR_LOW)));
  }

  #bytes() {
    return bytesAt(this.#field(CURSOR_BYTES), this.#field(CURSOR_NBYTES));
  }

  /** The number that a bignum's content stands for. */
  #bignum() {
    const magnitude = bigintOf(this.#bytes());
    if (magnitude === undefined) this.#refuse('OVERFLOW');
    return this.#field(CURSOR_NEGATIVE) === 0 ? magnitude : -1n - magnitude;
  }

  #text() {
    const nbytes = this.#field(CURSOR_NBYTES);
    const text = textAt(this.#field(CURSOR_BYTES), nbytes);
    if (this.#nfcFlag !== 0 && text.length !== nbytes && !isNfc(text)) this.#refuse('NOT_NFC');
    return text;
  }

  // ------------------------------------------------------------------------------------------------------- state

  /**
   * What the next item is, or the end that is due; `'finished'` when the root (with `allowMultipleRoots` everything) has
   * been read. Nothing moves. `undefined` is a `'simpleValue'`.
   * @returns {ReaderState}
   */
  peekState() {
    this.#read(READ_PEEK);
    return STATES[this.#field(CURSOR_LOW)];
  }

  /** Open arrays, maps and chunked strings. */
  get currentDepth() {
    this.#live();
    return this.#field(CURSOR_DEPTH);
  }

  /** Bytes that have not been read. */
  get bytesRemaining() {
    this.#live();
    return this.#field(CURSOR_LEFT);
  }

  /** Bytes that have been read, of data before `slideData` too. */
  get bytesRead() {
    this.#live();
    return this.#field(CURSOR_OFFSET);
  }

  #live() {
    if (this.#address === 0) throw new CborError('DISPOSED');
    refresh();
  }

  /** @returns {Mode} */
  get mode() {
    return this.#options.mode;
  }

  get maxDepth() {
    return this.#options.maxDepth;
  }

  get allowMultipleRoots() {
    return this.#options.allowMultipleRoots;
  }

  /** Whether no more data can come. */
  get isFinalBlock() {
    return this.#options.isFinalBlock;
  }

  /**
   * Goes on with other bytes, which must begin with those that have not been read. ERR_CBOR_FINAL_BLOCK unless the bytes
   * so far were a beginning (`isFinalBlock: false`).
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
   * @param {boolean} [isFinalBlock]
   */
  slideData(bytes, isFinalBlock = true) {
    const source = bytesOf(bytes);
    const partial = flag(isFinalBlock) ? 0 : FLAG_PARTIAL;
    this.#live();
    if (!this.#options.isFinalBlock && source.length < this.bytesRemaining) throw rangeError('BUFFER_TOO_SHORT');
    this.#give(source, FLAG_SLIDE | partial);
    this.#options.isFinalBlock = isFinalBlock;
  }

  /**
   * Starts over with other bytes and the same options.
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
   * @param {boolean} [isFinalBlock]
   */
  reset(bytes, isFinalBlock = true) {
    const source = bytesOf(bytes);
    if (!flag(isFinalBlock) && this.mode !== 'lax') throw rangeError('LAX_ONLY');
    this.#live();
    this.#give(source, isFinalBlock ? 0 : FLAG_PARTIAL);
    this.#options.isFinalBlock = isFinalBlock;
  }

  /** Gives the reader's memory in the module back. From then on every call but this one is ERR_CBOR_DISPOSED; options stay readable. */
  dispose() {
    if (this.#address === 0) return;
    registry?.unregister(this);
    wasm.wcbor_cursor_free(this.#address);
    crossed();
    this.#address = 0;
  }

  /** For `using`, in engines that have it. */
  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.dispose();
  }

  // ---------------------------------------------------------------------------------------------------- integers

  /** An integer of -2^31 to 2^31 - 1; another one is ERR_CBOR_OVERFLOW. @returns {number} */
  readInt32() {
    this.#read(READ_INT32);
    return this.#number();
  }

  /** An integer of 0 to 2^32 - 1. @returns {number} */
  readUint32() {
    this.#read(READ_UINT32);
    return this.#number();
  }

  /** An integer of -2^63 to 2^63 - 1. @returns {number | bigint} a number if it is a safe integer */
  readInt64() {
    this.#read(READ_INT64);
    return this.#signed();
  }

  /** An integer of 0 to 2^64 - 1. @returns {number | bigint} a number if it is a safe integer */
  readUint64() {
    this.#read(READ_UINT64);
    return this.#unsigned();
  }

  /** Of a negative integer, which reaches down to -2^64, the n of its value -1 - n. @returns {number | bigint} */
  readNegativeIntegerRepresentation() {
    this.#read(READ_NEGATIVE);
    return this.#unsigned();
  }

  /**
   * A bignum (section 3.4.3), tag 2 or 3 on a byte string. ERR_CBOR_OVERFLOW when the engine has no bigint of that size.
   * @returns {bigint}
   */
  readBigInteger() {
    this.#read(READ_BIGNUM, FLAG_MARK);
    return this.#bignum();
  }

  /**
   * A decimal fraction (section 3.4.4), mantissa * 10^exponent, as it stands. In lax, strict and canonical it must fit
   * .NET's decimals: 96 bits and an exponent of -28 to 28 (ERR_CBOR_OVERFLOW).
   * @returns {{ mantissa: bigint, exponent: number | bigint }}
   */
  readDecimal() {
    this.#read(READ_DECIMAL, FLAG_MARK);
    return { mantissa: this.#bignum(), exponent: this.#signed() };
  }

  // ------------------------------------------------------------------------------------- floats and simple values

  /** A float of 16 bits; a wider one is ERR_CBOR_LOWER_PRECISION. @returns {number} */
  readHalf() {
    this.#read(READ_HALF);
    return this.#number();
  }

  /** A float of at most 32 bits. @returns {number} */
  readSingle() {
    this.#read(READ_SINGLE);
    return this.#number();
  }

  /** A float of any width. @returns {number} */
  readDouble() {
    this.#read(READ_DOUBLE);
    return this.#number();
  }

  /** @returns {boolean} */
  readBoolean() {
    this.#read(READ_BOOL);
    return this.#field(CURSOR_LOW) === 1;
  }

  /** @returns {null} */
  readNull() {
    this.#read(READ_NULL);
    return null;
  }

  /** @returns {undefined} */
  readUndefined() {
    this.#read(READ_UNDEFINED);
  }

  /** Any simple value (section 3.3), of 0 to 255, false, true, null and undefined included. @returns {number} */
  readSimpleValue() {
    this.#read(READ_SIMPLE);
    return this.#field(CURSOR_LOW);
  }

  // ----------------------------------------------------------------------------------------------------- strings

  /** A byte string, its chunks joined. @returns {Uint8Array<ArrayBuffer>} */
  readByteString() {
    this.#read(READ_BYTES);
    return this.#bytes();
  }

  /**
   * A text string, its chunks joined. Each chunk must be UTF-8; in lax what is ill-formed becomes U+FFFD.
   * @returns {string}
   */
  readTextString() {
    this.#read(READ_TEXT, this.#nfcFlag);
    return this.#text();
  }

  /**
   * Like `readByteString`, but into `target`.
   * @param {Uint8Array} target
   * @returns {number} the bytes written to its beginning, or -1, with nothing read, if it is too short
   */
  tryReadByteString(target) {
    const nbytes = targetOf(target).length;
    this.#read(READ_BYTES, FLAG_MARK);
    return this.#offer(this.#bytes(), target, nbytes);
  }

  /**
   * Like `readTextString`, but as UTF-8 into `target`.
   * @param {Uint8Array} target
   * @returns {number} the bytes written to its beginning, or -1, with nothing read, if it is too short
   */
  tryReadTextString(target) {
    const nbytes = targetOf(target).length;
    this.#read(READ_TEXT, FLAG_MARK);
    return this.#offer(encoder.encode(this.#text()), target, nbytes);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {Uint8Array} target
   * @param {number} room
   */
  #offer(bytes, target, room) {
    if (bytes.length > room) {
      this.#read(READ_UNDO);
      return -1;
    }
    target.set(bytes);
    return bytes.length;
  }

  /**
   * A byte string that is not in chunks (ERR_CBOR_INDEFINITE_STRING).
   * @returns {Uint8Array<ArrayBuffer>}
   */
  readDefiniteLengthByteString() {
    this.#read(READ_DEFINITE_BYTES);
    return this.#bytes();
  }

  /**
   * The UTF-8 of a text string that is not in chunks (ERR_CBOR_INDEFINITE_STRING); in lax as it stands, well-formed or not.
   * @returns {Uint8Array<ArrayBuffer>}
   */
  readDefiniteLengthTextStringBytes() {
    this.#read(READ_DEFINITE_TEXT, this.#nfcFlag);
    if (this.#nfcFlag !== 0) this.#text();
    return this.#bytes();
  }

  /** A byte string in chunks (section 3.2.3): byte strings follow. */
  readStartIndefiniteLengthByteString() {
    this.#read(READ_START_BYTES);
  }

  readEndIndefiniteLengthByteString() {
    this.#read(READ_END_BYTES);
  }

  /** A text string in chunks (section 3.2.3): text strings follow. */
  readStartIndefiniteLengthTextString() {
    this.#read(READ_START_TEXT);
  }

  readEndIndefiniteLengthTextString() {
    this.#read(READ_END_TEXT);
  }

  // -------------------------------------------------------------------------------------------------- containers

  /** @returns {number | null} items, or null of an indefinite length */
  readStartArray() {
    this.#read(READ_START_ARRAY);
    return this.#count();
  }

  readEndArray() {
    this.#read(READ_END_ARRAY);
  }

  /** Keys and values follow, in turn. @returns {number | null} pairs, or null of an indefinite length */
  readStartMap() {
    this.#read(READ_START_MAP);
    return this.#count();
  }

  readEndMap() {
    this.#read(READ_END_MAP);
  }

  #count() {
    const count = this.#number();
    return count < 0 ? null : count;
  }

  // -------------------------------------------------------------------------------------------------------- tags

  /** A tag of the next item (section 3.4). @returns {number | bigint} a number if it is a safe integer */
  readTag() {
    this.#read(READ_TAG);
    return this.#unsigned();
  }

  /** Like `readTag`, but nothing moves. @returns {number | bigint} */
  peekTag() {
    this.#read(READ_PEEK_TAG);
    return this.#unsigned();
  }

  /**
   * The text of tag 0 (section 3.4.1), an RFC 3339 date-time with an offset and at most seven digits of a fraction
   * (ERR_CBOR_INVALID_DATETIME).
   * @returns {string}
   */
  readDateTime() {
    this.#read(READ_DATE_TIME);
    return this.#text();
  }

  /** Seconds since 1970, tag 1 (section 3.4.2). @returns {number | bigint} a number if it is a float or a safe integer */
  readUnixTime() {
    this.#read(READ_UNIX_TIME);
    return this.#field(CURSOR_NEGATIVE) === 0 ? this.#number() : this.#signed();
  }

  // ---------------------------------------------------------------------------------------------------- skipping

  /**
   * Reads over the next item with its tags and all that is in it, or throws and leaves the reader as it was.
   * @param {boolean} [disableChecks] true: the mode's rules are not kept to, only the structure and the depth
   */
  skipValue(disableChecks = false) {
    this.#skip(READ_SKIP, disableChecks);
  }

  /**
   * Reads over the rest of the open container, with its end.
   * @param {boolean} [disableChecks]
   */
  skipToParent(disableChecks = false) {
    this.#skip(READ_SKIP_TO_PARENT, disableChecks);
  }

  /**
   * Like `skipValue`.
   * @param {boolean} [disableChecks]
   * @returns {boolean} false, with nothing read, if the data end too early and `slideData` may bring the rest
   */
  trySkipValue(disableChecks = false) {
    return this.#trySkip(READ_SKIP, disableChecks);
  }

  /**
   * Like `skipToParent`.
   * @param {boolean} [disableChecks]
   * @returns {boolean} false, with nothing read, if the data end too early and `slideData` may bring the rest
   */
  trySkipToParent(disableChecks = false) {
    return this.#trySkip(READ_SKIP_TO_PARENT, disableChecks);
  }

  /**
   * The next item as it stands, with its tags.
   * @param {boolean} [disableChecks]
   * @returns {Uint8Array<ArrayBuffer>}
   */
  readEncodedValue(disableChecks = false) {
    this.#skip(READ_ENCODED, disableChecks);
    return this.#bytes();
  }

  /**
   * @param {number} op
   * @param {unknown} disableChecks
   */
  #skip(op, disableChecks) {
    if (flag(disableChecks)) return this.#read(op, FLAG_UNCHECKED);
    if (this.#nfcFlag === 0) return this.#read(op);
    const begin = this.bytesRead;
    this.#read(op, FLAG_MARK);
    const skipped = u8.subarray(this.#data + begin, this.#data + this.#field(CURSOR_OFFSET));
    const fault = notNormalizedAt(skipped, skipped.length);
    if (fault >= 0) this.#refuse('NOT_NFC', fault);
  }

  /**
   * @param {number} op
   * @param {unknown} disableChecks
   */
  #trySkip(op, disableChecks) {
    try {
      this.#skip(op, disableChecks);
      return true;
    } catch (error) {
      if (!this.isFinalBlock && error instanceof CborError && error.incomplete) return false;
      throw error;
    }
  }
}
