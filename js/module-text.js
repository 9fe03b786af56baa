// Strings from text in the module's memory, by what each engine is fastest at.
import { u8 } from './instance.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * UTF-8, well-formed or not.
 * @param {number} begin
 * @param {number} end
 */
export function decodeText(begin, end) {
  return decoder.decode(u8.subarray(begin, end));
}

/** Node's, which makes strings without a detour, if there is one. @type {any} */
const NodeBuffer = /** @type {any} */ (globalThis).Buffer;
const hasSlices =
  typeof NodeBuffer?.prototype?.latin1Slice === 'function' && typeof NodeBuffer.prototype.ucs2Slice === 'function';
let nodeView = hasSlices ? NodeBuffer.alloc(0) : undefined;

function slices() {
  if (nodeView.buffer !== u8.buffer) nodeView = NodeBuffer.from(u8.buffer);
  return nodeView;
}

/**
 * ASCII.
 * @param {number} begin
 * @param {number} end
 * @returns {string}
 */
export function decodeAscii(begin, end) {
  return hasSlices ? slices().latin1Slice(begin, end) : decoder.decode(u8.subarray(begin, end));
}

const wideDecoder = new TextDecoder('utf-16le', { ignoreBOM: true });

/** Up to so many bytes are put together faster than any decoder is called. */
const SHORT_WIDE_NBYTES = 40;

/**
 * UTF-16.
 * @param {number} begin
 * @param {number} end
 * @returns {string}
 */
export function decodeWide(begin, end) {
  if (end - begin <= SHORT_WIDE_NBYTES) return shortWide(begin, end);
  return hasSlices ? slices().ucs2Slice(begin, end) : wideDecoder.decode(u8.subarray(begin, end));
}

const { fromCharCode } = String;

/**
 * @param {number} begin
 * @param {number} end
 * @returns {string}
 */
function shortWide(begin, end) {
  let string = '';
  let p = begin;
  for (; p + 8 <= end; p += 8) {
    string += fromCharCode(
      u8[p] | (u8[p + 1] << 8), u8[p + 2] | (u8[p + 3] << 8), u8[p + 4] | (u8[p + 5] << 8), u8[p + 6] | (u8[p + 7] << 8),
    );
  }
  for (; p < end; p += 2) string += fromCharCode(u8[p] | (u8[p + 1] << 8));
  return string;
}

/**
 * A short ASCII text.
 * @param {number} p its address
 * @param {number} n its length
 * @returns {string}
 */
export function short(p, n) {
  switch (n) {
    case 0: return '';
    case 1: return fromCharCode(u8[p]);
    case 2: return fromCharCode(u8[p], u8[p + 1]);
    case 3: return fromCharCode(u8[p], u8[p + 1], u8[p + 2]);
    case 4: return fromCharCode(u8[p], u8[p + 1], u8[p + 2], u8[p + 3]);
    case 5: return fromCharCode(u8[p], u8[p + 1], u8[p + 2], u8[p + 3], u8[p + 4]);
    case 6: return fromCharCode(u8[p], u8[p + 1], u8[p + 2], u8[p + 3], u8[p + 4], u8[p + 5]);
    case 7: return fromCharCode(u8[p], u8[p + 1], u8[p + 2], u8[p + 3], u8[p + 4], u8[p + 5], u8[p + 6]);
  }
  let string = '';
  const end = p + n;
  for (; p + 8 <= end; p += 8) {
    string += fromCharCode(u8[p], u8[p + 1], u8[p + 2], u8[p + 3], u8[p + 4], u8[p + 5], u8[p + 6], u8[p + 7]);
  }
  return p === end ? string : string + short(p, end - p);
}
