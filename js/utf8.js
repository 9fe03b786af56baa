// UTF-8 (RFC 3629) by loops, for what TextEncoder does not do, or does slowly.
import { unitAt, unitsOf } from './strings.js';

/**
 * Bytes of `text` in UTF-8, an unpaired surrogate as U+FFFD.
 * @param {string} text
 */
export function utf8Length(text) {
  const length = unitsOf(text);
  let nbytes = length;
  for (let i = 0; i < length; i++) {
    const unit = unitAt(text, i);
    if (unit <= 0x7f) continue;
    nbytes += unit > 0x7ff ? 2 : 1;
    // The second unit of a pair has no bytes of its own: the pair's four are counted with the first, 1 + 1 + 2.
    if ((unit & 0xfc00) === 0xd800 && (unitAt(text, i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return nbytes;
}

/**
 * Writes text in UTF-8.
 * @param {Uint8Array} bytes with room for three bytes for each unit
 * @param {number} at where to begin
 * @param {string} text
 * @param {number} length of the text
 * @returns {number} where it ends, or -1 when a surrogate is unpaired
 */
export function writeUtf8(bytes, at, text, length) {
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    const a = unitAt(text, i), b = unitAt(text, i + 1), c = unitAt(text, i + 2), d = unitAt(text, i + 3);
    if ((a | b | c | d) > 0x7f) break;
    bytes[at] = a;
    bytes[at + 1] = b;
    bytes[at + 2] = c;
    bytes[at + 3] = d;
    at += 4;
  }
  for (; i < length; i++) {
    const unit = unitAt(text, i);
    if (unit <= 0x7f) {
      bytes[at++] = unit;
    } else if (unit <= 0x7ff) {
      bytes[at++] = 0xc0 | (unit >> 6);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else if ((unit & 0xf800) !== 0xd800) {
      bytes[at++] = 0xe0 | (unit >> 12);
      bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[at++] = 0x80 | (unit & 0x3f);
    } else {
      const low = unit < 0xdc00 && ++i < length ? unitAt(text, i) : 0;
      if ((low & 0xfc00) !== 0xdc00) return -1;
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[at++] = 0x80 | (point & 0x3f);
    }
  }
  return at;
}
