// Unicode normalization form C, which dcbor asks of text. The C library has no tables for it, JavaScript has.

const decoder = new TextDecoder();

/**
 * Whether all text strings in an encoded item are in NFC. Heads follow one another whatever is nested in what, so that
 * one loop sees them all; where the bytes are no CBOR it stops, for the module finds that out.
 * @param {Uint8Array} bytes
 */
export function isNormalized(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const major = bytes[at] >> 5;
    const information = bytes[at] & 0x1f;
    const nbytes = information < 24 ? 1 : 1 + 2 ** (information - 24);
    if (information > 27 || at + nbytes > bytes.length) return true;
    const argument = information < 24 ? information : readArgument(view, at + 1, nbytes - 1);
    at += nbytes;
    if (major !== 2 && major !== 3) continue;
    if (argument > bytes.length - at) return true;
    if (major === 3) {
      const text = decoder.decode(bytes.slice(at, at + argument));
      if (text !== text.normalize('NFC')) return false;
    }
    at += argument;
  }
  return true;
}

/**
 * @param {DataView} view
 * @param {number} offset
 * @param {number} nbytes 1, 2, 4 or 8
 */
function readArgument(view, offset, nbytes) {
  switch (nbytes) {
    case 1: return view.getUint8(offset);
    case 2: return view.getUint16(offset);
    case 4: return view.getUint32(offset);
    default: return Number(view.getBigUint64(offset));
  }
}
