// Items that are refused for the options of decode, not for what they are: what finds them again in the input, for the
// offset and the path in the error. Nothing is kept for it while all goes well.
import { CborError } from './errors.js';

/** @typedef {(major: number, text: () => string, bytes: () => Uint8Array, argument: number) => boolean} IsIt as `findItem` has it */

/** What finds the item that was refused, if one was. @type {IsIt | undefined} */
export let refused;

/** A new document begins. */
export function forgetRefused() {
  refused = undefined;
}

const INDEFINITE = 31;

/**
 * Finds the string, or the chunk of one, with which the limit is passed.
 * @param {number} ofStrings the major type
 * @returns {(limit: number) => IsIt}
 */
const longString = (ofStrings) => (limit) => {
  let isInChunks = false;
  let total = 0;
  return (major, text, bytes, argument) => {
    if (major === 7 && argument === INDEFINITE) isInChunks = false;
    if (major !== ofStrings) return false;
    if (argument === INDEFINITE && bytes().length === 0) {
      isInChunks = true;
      total = 0;
      return false;
    }
    total = bytes().length + (isInChunks ? total : 0);
    return total > limit;
  };
};

/** @type {Record<'items' | 'memory' | 'textLength' | 'bytesLength', (limit: number) => IsIt>} */
const FINDERS = {
  items: (limit) => {
    let count = 0;
    return (major, text, bytes, argument) => !(major === 7 && argument === INDEFINITE) && ++count > limit;
  },
  // Of no item in particular.
  memory: () => () => false,
  textLength: longString(3),
  bytesLength: longString(2),
};

/**
 * The error of an item beyond a limit.
 * @param {keyof typeof FINDERS} name of the limit
 * @param {number} limit
 */
export function beyondLimit(name, limit) {
  refused = FINDERS[name](limit);
  return new CborError('LIMIT_EXCEEDED', { detail: name });
}

/** What finds an integer beyond 2^53 - 1. @type {IsIt} */
const isUnsafe = (major, text, bytes, argument) => major <= 1 && argument > Number.MAX_SAFE_INTEGER - major;

/** An integer that is not in a tag is to be refused, if it is one that is no number. */
export function expectUnsafe() {
  refused = isUnsafe;
}
