// Integers of any size, as CBOR's bignums have them (RFC 8949, section 3.4.3).

/** The greatest integer that a number holds among its neighbours. */
export const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

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

const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const decoder = new TextDecoder();

/**
 * The number that bytes are, big-endian. In linear time.
 * @param {Uint8Array} bytes
 * @returns {bigint | undefined} undefined when the engine has no bigint of that size
 */
export function bigintOf(bytes) {
  if (bytes.length === 0) return 0n;
  const hex = new Uint8Array(2 + 2 * bytes.length);
  hex[0] = 0x30;
  hex[1] = 0x78;
  for (let i = 0, at = 2; i < bytes.length; i++) {
    hex[at++] = DIGITS[bytes[i] >> 4];
    hex[at++] = DIGITS[bytes[i] & 15];
  }
  try {
    return BigInt(decoder.decode(hex));
  } catch {
    return undefined;
  }
}
