// Bytes and their hexadecimal digits, in every runtime.

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** @param {Iterable<number>} bytes */
export function hexOf(bytes) {
  let hex = '';
  for (const byte of bytes) hex += DIGITS[byte];
  return hex;
}

/** @param {string} hex an even number of digits */
export function bytesOf(hex) {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(i * 2, i * 2 + 2), 16);
  return bytes;
}
