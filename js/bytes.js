// Bytes that callers hand in.
import { typeError } from './errors.js';

/**
 * The bytes of a buffer or a view, as a view of the same memory, which the caller copies before anything else runs.
 * @param {unknown} value a Uint8Array or any other view, an ArrayBuffer or a SharedArrayBuffer
 * @returns {Uint8Array} never detached
 */
export function bytesOf(value) {
  if (value === null || value === undefined) throw typeError('NULL_ARGUMENT', 'bytes expected');
  if (value instanceof Uint8Array && value.length > 0) return value;
  if (ArrayBuffer.isView(value)) {
    return wholeOf(value.buffer).subarray(value.byteOffset, value.byteOffset + value.byteLength);
  }
  if (value instanceof ArrayBuffer || isShared(value)) return wholeOf(/** @type {ArrayBuffer} */ (value));
  throw typeError('ARGUMENT_TYPE', 'bytes expected');
}

/** @param {ArrayBufferLike} buffer */
function wholeOf(buffer) {
  try {
    return new Uint8Array(buffer);
  } catch {
    // A view hides a detached buffer behind a length of 0; the constructor does not.
    throw typeError('ARGUMENT_TYPE', 'the buffer is detached');
  }
}

/** @param {unknown} value */
function isShared(value) {
  return typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer;
}
