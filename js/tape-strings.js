// Strings from the tape that are not in the text or the bytes of its run: long ones, which stay in the input, and chunks.
import { TAPE_END } from './abi.js';
import { u8 } from './instance.js';
import { beyondLimit } from './refusals.js';
import { decodeAscii, decodeText } from './module-text.js';
import {
  SHIFT, bytesMax, entry, input, isLimited, operand, options, readValue, source, sourceStart, use,
} from './tape.js';

/** Byte strings of at most so many bytes are copied one by one. */
const SMALL_NBYTES = 64;

/** What a byte string is taken to need besides. */
const BYTES_NBYTES = 160;

/** @param {number} v TAPE_LONG_STRING */
export function readLongString(v) {
  const begin = input + operand();
  const end = begin + operand();
  if (end - begin > options.limits.textLength) throw beyondLimit('textLength', options.limits.textLength);
  if (isLimited) use(2 * (end - begin));
  return v >>> SHIFT === 1 ? decodeAscii(begin, end) : decodeText(begin, end);
}

/** @param {number} nbytes of a byte string */
export function admitBytes(nbytes) {
  if (nbytes > bytesMax) throw beyondLimit('bytesLength', bytesMax);
  if (isLimited) use(BYTES_NBYTES + nbytes);
}

export function readLongBytes() {
  const offset = operand();
  const nbytes = operand();
  admitBytes(nbytes);
  if (options.byteStrings === 'copy') return copyOf(input + offset, nbytes);
  return new Uint8Array(source.buffer, source.byteOffset + sourceStart + offset, nbytes);
}

/**
 * A copy from the module's memory.
 * @param {number} begin
 * @param {number} nbytes
 */
export function copyOf(begin, nbytes) {
  const bytes = new Uint8Array(nbytes);
  copyBytes(bytes, 0, begin, nbytes);
  return bytes;
}

/**
 * A string in chunks.
 * @param {boolean} isText
 */
export function readChunks(isText) {
  return isText ? readTextChunks() : readByteChunks();
}

function readTextChunks() {
  let string = '';
  for (let v = entry(); v !== TAPE_END; v = entry()) string += readValue(v);
  if (string.length > options.limits.textLength) throw beyondLimit('textLength', options.limits.textLength);
  return string;
}

function readByteChunks() {
  let bytes = new Uint8Array(64);
  let length = 0;
  while (entry() !== TAPE_END) {
    const begin = input + operand();
    const nbytes = operand();
    if (length + nbytes > bytesMax) throw beyondLimit('bytesLength', bytesMax);
    if (length + nbytes > bytes.length) {
      const grown = new Uint8Array(Math.max(2 * bytes.length, length + nbytes));
      grown.set(bytes);
      bytes = grown;
    }
    copyBytes(bytes, length, begin, nbytes);
    length += nbytes;
  }
  if (isLimited) use(BYTES_NBYTES + length);
  return bytes.slice(0, length);
}

/**
 * Copies from the module's memory.
 * @param {Uint8Array} target
 * @param {number} to
 * @param {number} begin
 * @param {number} nbytes
 */
function copyBytes(target, to, begin, nbytes) {
  if (nbytes > SMALL_NBYTES) target.set(u8.subarray(begin, begin + nbytes), to);
  else for (let i = 0; i < nbytes; i++) target[to + i] = u8[begin + i];
}
