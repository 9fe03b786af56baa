// Looks for an item in bytes that are known to be CBOR, for the offset in an error. Heads follow one another whatever is
// nested in what, so that one loop sees them all.

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Bytes of a head, or of a break.
 * @param {number} initial
 */
export function headLength(initial) {
  const information = initial & 0x1f;
  return information < 24 || information > 27 ? 1 : 1 + 2 ** (information - 24);
}

/**
 * Where the first item begins that `isIt`.
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {(major: number, text: () => string, bytes: () => Uint8Array, argument: () => number) => boolean} isIt is told the major
 *   type, and may ask for the payload of a string and for the argument, which is 31 of an indefinite length and of a break
 * @returns {number | undefined}
 */
export function findItem(bytes, start, isIt) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = start; at < bytes.length; ) {
    const major = bytes[at] >> 5;
    const information = bytes[at] & 0x1f;
    const begin = at + headLength(bytes[at]);
    if (begin > bytes.length) return undefined;
    const isString = (major === 2 || major === 3) && information <= 27;
    const end = isString ? begin + readArgument(view, at) : begin;
    const payload = () => bytes.slice(begin, end);
    if (isIt(major, () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload()), payload, () => readArgument(view, at))) return at;
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

/**
 * @param {DataView} view
 * @param {number} at of an initial byte
 */
function readArgument(view, at) {
  switch (view.getUint8(at) & 0x1f) {
    case 24: return view.getUint8(at + 1);
    case 25: return view.getUint16(at + 1);
    case 26: return view.getUint32(at + 1);
    case 27: return Number(view.getBigUint64(at + 1));
    default: return view.getUint8(at) & 0x1f;
  }
}
