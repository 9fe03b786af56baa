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

/** What a map under way has next, where it is not the offset at which its key began. */
const KEY_IS_NEXT = -1, VALUE_IS_NEXT = -2;

/**
 * Where a key begins that JavaScript cannot tell from an earlier one of its map.
 * @param {Uint8Array} bytes
 * @param {number} start of a valid item
 * @param {(key: Uint8Array) => unknown} keyOf what an encoded number, text, bignum or simple value is as a key
 * @returns {number | undefined}
 */
export function findRepeatedKey(bytes, start, keyOf) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /**
   * Containers around, and strings in chunks, with the items that are left of each.
   * @type {{ left: number, keys: Set<unknown> | undefined, keyAt: number }[]}
   */
  const open = [];
  for (let at = start; at < bytes.length; ) {
    const major = bytes[at] >> 5;
    const isIndefinite = (bytes[at] & 0x1f) === 31;
    const isBreak = bytes[at] === 0xff;
    const length = major === 7 || isIndefinite ? 0 : readArgument(view, at);
    const around = open.at(-1);
    if (around?.keyAt === KEY_IS_NEXT && !isBreak) around.keyAt = at;
    at += headLength(bytes[at]);
    if (major === 6) continue;
    if (major === 2 || major === 3) at += length;
    if (isBreak) open.pop();
    else if (isIndefinite || ((major === 4 || major === 5) && length > 0)) {
      const left = isIndefinite ? Infinity : length * (major - 3);
      open.push({ left, keys: major === 5 ? new Set() : undefined, keyAt: KEY_IS_NEXT });
      continue;
    }
    // An item has ended, and whatever ends with it.
    for (let outer = open.at(-1); outer !== undefined; outer = open.at(-1)) {
      const { keys, keyAt } = outer;
      if (keys !== undefined && keyAt !== VALUE_IS_NEXT) {
        if (isPrimitive(bytes[keyAt])) {
          const key = keyOf(bytes.subarray(keyAt, at));
          if (keys.has(key)) return keyAt;
          keys.add(key);
        }
        outer.keyAt = VALUE_IS_NEXT;
      } else {
        outer.keyAt = KEY_IS_NEXT;
      }
      if (--outer.left > 0) break;
      open.pop();
    }
  }
  return undefined;
}

/**
 * Whether an initial byte begins what may be equal to another: a number, text, bignum or simple value.
 * @param {number} initial
 */
function isPrimitive(initial) {
  const major = initial >> 5;
  return major < 2 || major === 3 || major === 7 || initial === 0xc2 || initial === 0xc3;
}
