// Items that are refused for the options of decode, not for what they are: what finds them again in the input, for the
// offset and the path in the error. Nothing is kept for it while all goes well.
import { CborError } from './errors.js';

/**
 * @callback IsIt
 * @param {number} major the major type
 * @param {number} argument 31 of an indefinite length and of a break
 * @param {number} begin where the payload of a string begins
 * @param {number} end and where it ends
 * @returns {boolean}
 */

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
  return (major, argument, begin, end) => {
    if (major === 7 && argument === INDEFINITE) isInChunks = false;
    if (major !== ofStrings) return false;
    if (argument === INDEFINITE && end === begin) {
      isInChunks = true;
      total = 0;
      return false;
    }
    total = end - begin + (isInChunks ? total : 0);
    return total > limit;
  };
};

/** @type {Record<'items' | 'memory' | 'textLength' | 'bytesLength', (limit: number) => IsIt>} */
const FINDERS = {
  items: (limit) => {
    let count = 0;
    return (major, argument) => !(major === 7 && argument === INDEFINITE) && ++count > limit;
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
const isUnsafe = (major, argument) => major <= 1 && argument > Number.MAX_SAFE_INTEGER - major;

/** An integer that is not in a tag is to be refused, if it is one that is no number. */
export function expectUnsafe() {
  refused = isUnsafe;
}
