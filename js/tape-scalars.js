// Integers from the tape that need a bigint, as the options have them, and simple values.
import { MAX_SAFE } from './bigints.js';
import { CborError } from './errors.js';
import { view } from './instance.js';
import { expectUnsafe } from './refusals.js';
import { options } from './tape.js';
import { Simple } from './values.js';

/**
 * An integer beyond 2^53 - 1, of which the tape has the 64 low bits.
 * @param {number} address
 * @param {boolean} isNegative
 */
export function longInteger(address, isNegative) {
  const bits = isNegative ? view.getBigInt64(address, true) : view.getBigUint64(address, true);
  // Below -2^63 they are those of a positive integer.
  const value = isNegative && bits >= 0n ? bits - 2n ** 64n : bits;
  if (options.integers === 'bigint') return value;
  if (options.integers === 'error') expectUnsafe();
  return integer(value);
}

/**
 * An integer as the options have it.
 * @param {bigint} value
 * @returns {number | bigint}
 */
export function integer(value) {
  if (value <= MAX_SAFE && value >= -MAX_SAFE) return Number(value);
  if (options.integers === 'bigint') return value;
  if (options.integers === 'number') return Number(value);
  throw new CborError('OVERFLOW', { detail: 'an integer beyond 2^53 - 1' });
}

/** @param {number} value */
export function readSimple(value) {
  switch (value) {
    case 20: return false;
    case 21: return true;
    case 22: return null;
    case 23: return undefined;
  }
  // 24 to 31, which only lax takes, are no simple values to the constructor.
  return value < 24 || value > 31 ? new Simple(value) : Object.assign(Object.create(Simple.prototype), { value });
}
