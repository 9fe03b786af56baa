// Looks for an item in bytes that are known to be CBOR, for the offset in an error. Heads follow one another whatever is
// nested in what, so that one loop sees them all.
import { argumentAt, headLength } from './heads.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Where the first item begins that `isIt`.
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {import('./refusals.js').IsIt} isIt
 * @returns {number | undefined}
 */
export function findItem(bytes, start, isIt) {
  for (let at = start; at < bytes.length; ) {
    const major = bytes[at] >> 5;
    const begin = at + headLength(bytes[at]);
    if (begin > bytes.length) return undefined;
    const argument = argumentAt(bytes, at);
    const isString = (major === 2 || major === 3) && (bytes[at] & 0x1f) <= 27;
    const end = isString ? begin + argument : begin;
    if (isIt(major, argument, begin, end)) return at;
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
