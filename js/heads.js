// Heads of data items (RFC 8949, section 3) where JavaScript reads them itself: in bytes that are known to be CBOR, or of which
// the caller has seen that the head is there.

/**
 * Bytes of the head that begins with this byte: 1 of a break, too.
 * @param {number} initial
 */
export function headLength(initial) {
  const information = initial & 0x1f;
  return information < 24 || information > 27 ? 1 : 1 + (1 << (information - 24));
}

/**
 * The argument of a head: 31 of an indefinite length and of a break; beyond 2^53 about, which is far above any limit.
 * @param {Uint8Array} bytes
 * @param {number} at of the initial byte
 */
export function argumentAt(bytes, at) {
  const end = at + headLength(bytes[at]);
  if (end === at + 1) return bytes[at] & 0x1f;
  let argument = 0;
  for (let i = at + 1; i < end; i++) argument = argument * 256 + bytes[i];
  return argument;
}

/**
 * The value of a float of major type 7.
 * @param {Uint8Array} bytes
 * @param {number} at of the initial byte, 0xf9 to 0xfb
 */
export function floatAt(bytes, at) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 1);
  if (bytes[at] === 0xfb) return view.getFloat64(0);
  if (bytes[at] === 0xfa) return view.getFloat32(0);
  const half = view.getUint16(0);
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  const value = exponent === 0x1f ? (fraction === 0 ? Infinity : NaN)
    : exponent === 0 ? fraction * 2 ** -24 : (0x400 + fraction) * 2 ** (exponent - 25);
  return half & 0x8000 ? -value : value;
}
