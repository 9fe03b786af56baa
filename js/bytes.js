// Bytes that callers hand in.
import { typeError } from './errors.js';

// A subclass may lie about its own length, and the module would be written past its buffer.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const lengthOf = intrinsic(typedArray, 'byteLength');
const countOf = intrinsic(typedArray, 'length');
const offsetOf = intrinsic(typedArray, 'byteOffset');
const bufferOf = intrinsic(typedArray, 'buffer');
/** Fails where a view is of a buffer that is detached. */
const includes = Function.prototype.call.bind(/** @type {any} */ (typedArray).includes);
const viewLengthOf = intrinsic(DataView.prototype, 'byteLength');
const viewOffsetOf = intrinsic(DataView.prototype, 'byteOffset');
const viewBufferOf = intrinsic(DataView.prototype, 'buffer');

/**
 * @param {object} prototype
 * @param {string} name
 * @returns {(value: unknown) => any}
 */
function intrinsic(prototype, name) {
  const get = /** @type {() => unknown} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
  return Function.prototype.call.bind(get);
}

/**
 * The length of a Uint8Array that can be used as it is, or -1: then `bytesOf` says more. What has wider elements may have got
 * that prototype, too.
 * @param {Uint8Array} bytes whose prototype is Uint8Array's
 * @returns {number}
 */
export function steadyLengthOf(bytes) {
  const nbytes = lengthOf(bytes);
  const buffer = bufferOf(bytes);
  const isSteady = nbytes === countOf(bytes) && Object.getPrototypeOf(buffer) === ArrayBuffer.prototype && buffer.resizable !== true;
  return isSteady && (nbytes > 0 || isAttached(bytes)) ? nbytes : -1;
}

/** @param {Uint8Array} bytes */
function isAttached(bytes) {
  try {
    return !includes(bytes, 0);
  } catch {
    return false;
  }
}

/**
 * The bytes of a buffer or a view, as a view of the same memory, which the caller copies before anything else runs;
 * memory that may change its length meanwhile (shared or resizable) is copied here.
 * @param {unknown} value a Uint8Array or any other view, an ArrayBuffer or a SharedArrayBuffer
 * @returns {Uint8Array} never detached or out of bounds
 */
export function bytesOf(value) {
  if (value === null || value === undefined) throw typeError('NULL_ARGUMENT', 'bytes expected');
  // The common case, without detours.
  if (Object.getPrototypeOf(value) === Uint8Array.prototype && ArrayBuffer.isView(value)) {
    const bytes = /** @type {Uint8Array} */ (value);
    if (steadyLengthOf(bytes) >= 0 && !Object.hasOwn(bytes, 'length')) return bytes;
  }
  if (!ArrayBuffer.isView(value)) {
    if (!isBuffer(value)) throw typeError('ARGUMENT_TYPE', 'bytes expected');
    return steady(wholeOf(/** @type {ArrayBufferLike} */ (value)));
  }
  if (Object.prototype.toString.call(value) === '[object DataView]') return dataViewBytes(value);
  const nbytes = lengthOf(value);
  const buffer = bufferOf(value);
  // A view of a buffer that is detached, or has shrunk, has no bytes: only the constructor tells it from an empty one.
  const whole = nbytes === 0 ? wholeOf(buffer) : buffer;
  if (nbytes === 0 && isOutOfBounds(value, whole)) throw typeError('ARGUMENT_TYPE', 'the view is out of bounds');
  return steady(new Uint8Array(buffer, offsetOf(value), nbytes));
}

/** @param {unknown} view */
function dataViewBytes(view) {
  try {
    return steady(new Uint8Array(viewBufferOf(view), viewOffsetOf(view), viewLengthOf(view)));
  } catch {
    throw typeError('ARGUMENT_TYPE', 'the buffer is detached, or the view out of bounds');
  }
}

/**
 * Whether a typed array of no bytes has none because its buffer has shrunk: then it shows no offset either, and takes
 * no element where one would fit.
 * @param {ArrayBufferView} value
 * @param {Uint8Array} whole
 */
function isOutOfBounds(value, whole) {
  if (/** @type {any} */ (whole.buffer).resizable !== true) return false;
  try {
    /** @type {any} */ (typedArray).slice.call(value);
    return false;
  } catch {
    return true;
  }
}

/** @param {Uint8Array} bytes */
function steady(bytes) {
  const { buffer } = bytes;
  return isShared(buffer) || /** @type {any} */ (buffer).resizable === true ? Uint8Array.from(bytes) : bytes;
}

/** @param {ArrayBufferLike} buffer */
function wholeOf(buffer) {
  try {
    return new Uint8Array(buffer);
  } catch {
    throw typeError('ARGUMENT_TYPE', 'the buffer is detached');
  }
}

/** @param {unknown} value */
function isBuffer(value) {
  const kind = Object.prototype.toString.call(value);
  return value instanceof ArrayBuffer || isShared(value) || kind === '[object ArrayBuffer]' || kind === '[object SharedArrayBuffer]';
}

/** @param {unknown} value */
function isShared(value) {
  return typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer;
}
