// Where in a value an encoded document ends: the path of what could not be written, or read, from the bytes before it. No
// code of the user's runs for it, and neither walk nor tape need keep count.
import { argumentAt, floatAt, headLength } from './heads.js';
import { step } from './paths.js';

/** @typedef {{ isMap: boolean, isString: boolean, left: number, index: number, key: number }} Frame */

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * A key as the step of a path has it.
 * @param {Uint8Array} document
 * @param {number} at
 * @param {ReadonlyMap<string, number> | undefined} keyMap
 * @returns {unknown} `{}` for what is no string, number or simple value
 */
function keyAt(document, at, keyMap) {
  const major = document[at] >> 5;
  const information = document[at] & 0x1f;
  const begin = at + headLength(document[at]);
  const argument = argumentAt(document, at);
  if (major === 0 || major === 1) {
    const key = argument > Number.MAX_SAFE_INTEGER - major ? exactInteger(document, at) : major === 0 ? argument : -1 - argument;
    for (const [name, number] of keyMap ?? []) if (number === key) return name;
    return key;
  }
  // A copy: the bytes may be shared, which the decoder does not take everywhere.
  if (major === 3 && information !== 31) return decoder.decode(document.slice(begin, begin + argument));
  if (major !== 7) return {};
  switch (information) {
    case 20: return false;
    case 21: return true;
    case 22: return null;
    case 23: return undefined;
    case 25:
    case 26:
    case 27: return floatAt(document, at);
    default: return {};
  }
}

/**
 * An integer of eight bytes.
 * @param {Uint8Array} document
 * @param {number} at
 */
function exactInteger(document, at) {
  const argument = new DataView(document.buffer, document.byteOffset + at + 1).getBigUint64(0);
  return document[at] >> 5 === 0 ? argument : -1n - argument;
}

/**
 * The containers that are open where the document ends, from the root, which is one of them.
 * @param {Uint8Array} document whole items, but for the containers and a tag that the next one is for
 * @param {number} nbytes of it
 * @param {(map: Frame, end: number) => boolean} [endsWithKey] is told where the key of a map ends, and whether to go no further
 */
function openContainers(document, nbytes, endsWithKey) {
  /** @type {Frame} */
  const root = { isMap: false, isString: false, left: Infinity, index: 0, key: 0 };
  const open = [root];
  let frame = root;
  /** Where the item begins, with its tags. */
  let begin = 0;
  for (let at = 0; at < nbytes; begin = at) {
    while (document[at] >> 5 === 6 && at + headLength(document[at]) < nbytes) at += headLength(document[at]);
    const major = document[at] >> 5;
    const information = document[at] & 0x1f;
    const argument = argumentAt(document, at);
    at += headLength(document[at]);
    if (major === 6) break;
    const isBreak = major === 7 && information === 31;
    if (isBreak) {
      // What it ends is the item that counts.
      open.pop();
      frame = open.at(-1) ?? root;
    } else if (frame.isMap && frame.index % 2 === 0) {
      frame.key = begin;
    }
    if (!isBreak && (information === 31 || ((major === 4 || major === 5) && argument !== 0))) {
      const left = information === 31 ? Infinity : argument * (major - 3);
      frame = { isMap: major === 5, isString: major < 4, left, index: 0, key: 0 };
      open.push(frame);
      continue;
    }
    if (major === 2 || major === 3) at += argument;
    for (;;) {
      if (frame.isMap && frame.index % 2 === 0 && endsWithKey?.(frame, at)) return open;
      if (++frame.index !== frame.left) break;
      open.pop();
      frame = open.at(-1) ?? root;
    }
  }
  return open;
}

/**
 * The path of the next item.
 * @param {Uint8Array} document as it is so far, and what is behind it
 * @param {{ nbytes: number, endsBeforeKey: boolean, isSequence: boolean, keyMap?: ReadonlyMap<string, number> }} options
 *   `endsBeforeKey`: the key of the next item stands behind the document; `isSequence`: the path begins with the number
 *   of the root
 * @returns {{ path: string, isKey: boolean }} `isKey`: it is a key that comes next, of which no more is known than the
 *   map that it is for
 */
export function pathOfNext(document, { nbytes, endsBeforeKey, isSequence, keyMap }) {
  const open = openContainers(document, nbytes);
  const [root] = open;
  let path = isSequence ? step(root.index) : '';
  for (const frame of open.slice(1)) {
    // A chunk is no place in a value.
    if (frame.isString) continue;
    const isKey = frame.isMap && frame.index % 2 === 0 && frame === open.at(-1);
    if (isKey && !endsBeforeKey) return { path, isKey };
    path += step(frame.isMap ? keyAt(document, isKey ? nbytes : frame.key, keyMap) : frame.index);
  }
  return { path, isKey: false };
}

/**
 * Where a key begins that JavaScript cannot tell from an earlier one of its map.
 * @param {Uint8Array} document
 * @param {(key: Uint8Array) => unknown} keyOf what an encoded number, text, bignum or simple value is as a key
 * @returns {number | undefined}
 */
export function offsetOfRepeatedKey(document, keyOf) {
  /** @type {WeakMap<Frame, Set<unknown>>} */
  const keysOf = new WeakMap();
  /** @type {number | undefined} */
  let offset;
  openContainers(document, document.length, (map, end) => {
    if (!isPrimitive(document[map.key])) return false;
    const keys = keysOf.get(map) ?? new Set();
    const key = keyOf(document.subarray(map.key, end));
    if (keys.has(key)) offset = map.key;
    keysOf.set(map, keys.add(key));
    return offset !== undefined;
  });
  return offset;
}

/**
 * Whether an initial byte begins what may be equal to another: a number, text, bignum or simple value.
 * @param {number} initial
 */
function isPrimitive(initial) {
  const major = initial >> 5;
  return major < 2 || major === 3 || major === 7 || initial === 0xc2 || initial === 0xc3;
}
