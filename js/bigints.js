// Integers of any size, as CBOR's bignums have them (RFC 8949, section 3.4.3).

export const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

/**
 * The argument of the integer: its value, or -1 - value if it is negative.
 * @param {bigint} value
 */
export function argumentOf(value) {
  return value < 0n ? -1n - value : value;
}

/**
 * The bytes of a number, big-endian, without leading zeros; one byte for 0.
 * @param {bigint} value not negative
 */
export function magnitudeOf(value) {
  const hex = value.toString(16);
  const bytes = new Uint8Array((hex.length + 1) >> 1);
  for (let i = bytes.length - 1, end = hex.length; i >= 0; i--, end -= 2) {
    bytes[i] = parseInt(hex.slice(Math.max(0, end - 2), end), 16);
  }
  return bytes;
}
