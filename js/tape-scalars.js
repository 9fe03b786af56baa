// Integers from the tape that need a bigint, as the options have them, and simple values.
import { MAX_SAFE } from './bigints.js';
import { CborError } from './errors.js';
import { expectUnsafe } from './refusals.js';
import { operand, options } from './tape.js';
import { Simple } from './values.js';

/** @param {boolean} isNegative */
export function readLongInteger(isNegative) {
  const low = BigInt(operand() >>> 0);
  const argument = (BigInt(operand() >>> 0) << 32n) | low;
  if (options.integers === 'error') expectUnsafe();
  return integer(isNegative ? -1n - argument : argument);
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
