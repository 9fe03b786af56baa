// Looks for an item in bytes that are known to be CBOR, for the offset in an error. Heads follow one another whatever is
// nested in what, so that one loop sees them all.
import { argumentAt, headLength } from './heads.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Where the first item begins that `isIt`.
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {(major: number, text: () => string, bytes: () => Uint8Array, argument: number) => boolean} isIt is told the major type and
 *   the argument, and may ask for the payload of a string
 * @returns {number | undefined}
 */
export function findItem(bytes, start, isIt) {
  for (let at = start; at < bytes.length; ) {
    const major = bytes[at] >> 5;
    const begin = at + headLength(bytes[at]);
    if (begin > bytes.length) return undefined;
    const isString = (major === 2 || major === 3) && (bytes[at] & 0x1f) <= 27;
    const argument = argumentAt(bytes, at);
    const end = isString ? begin + argument : begin;
    const payload = () => bytes.slice(begin, end);
    if (isIt(major, () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload()), payload, argument)) return at;
    at = end;
  }
  return undefined;
}

/** @param {Uint8Array} bytes */
export function isIllFormedText(bytes) {
  try {
    decoder.decode(bytes);
    return false;
  } catch {
    return true;
  }
}
