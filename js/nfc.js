// Unicode normalization form C, which dcbor asks of text. The C library has no tables for it, JavaScript has.
import { argumentAt, headLength } from './heads.js';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Text strings in an encoded item or sequence that are not in NFC: where the head of each begins, where it ends, and
 * its text in NFC. Heads follow one another whatever is nested in what, so that one loop sees them all; where the
 * bytes are no CBOR it stops, for the module finds that out.
 * @param {Uint8Array} bytes of definite lengths throughout
 * @param {number} [until] strings that begin from here on are not looked at
 */
function* denormalized(bytes, until = bytes.length) {
  for (let at = 0; at < until; ) {
    const start = at;
    const major = bytes[at] >> 5;
    const begin = at + headLength(bytes[at]);
    if ((bytes[at] & 0x1f) > 27 || begin > bytes.length) return;
    const argument = argumentAt(bytes, at);
    at = begin;
    if (major !== 2 && major !== 3) continue;
    if (argument > bytes.length - at) return;
    if (major === 3 && !isAscii(bytes, at, at + argument)) {
      const text = decoder.decode(bytes.slice(at, at + argument));
      const nfc = text.normalize('NFC');
      if (text !== nfc) yield { start, end: at + argument, nfc };
    }
    at += argument;
  }
}

/**
 * Whether all text strings in an encoded item are in NFC.
 * @param {Uint8Array} bytes
 */
export function isNormalized(bytes) {
  return denormalized(bytes).next().done === true;
}

/**
 * Where the first text string begins that is not in NFC, if there is one before `until`; else -1.
 * @param {Uint8Array} bytes
 * @param {number} [until]
 */
export function notNormalizedAt(bytes, until) {
  return denormalized(bytes, until).next().value?.start ?? -1;
}

/** @param {string} text */
export function isNfc(text) {
  return text === text.normalize('NFC');
}

/**
 * @param {Uint8Array} bytes
 * @param {number} begin
 * @param {number} end
 */
function isAscii(bytes, begin, end) {
  for (let i = begin; i < end; i++) if (bytes[i] > 0x7f) return false;
  return true;
}

/**
 * The bytes with all text strings in NFC.
 * @param {Uint8Array} bytes of well-formed items with definite lengths throughout
 */
export function normalized(bytes) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let from = 0;
  for (const { start, end, nfc } of denormalized(bytes)) {
    const text = encoder.encode(nfc);
    const head = new DataView(new ArrayBuffer(5));
    head.setUint8(0, 0x7a);
    head.setUint32(1, text.length);
    parts.push(bytes.subarray(from, start), new Uint8Array(head.buffer), text);
    from = end;
  }
  parts.push(bytes.subarray(from));
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
