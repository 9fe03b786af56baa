// Values that are referred to before they are whole (tags 28 and 29), from the tape.
import { TAPE_ANY_MAP, TAPE_ARRAY, TAPE_END, TAPE_MAP, TAPE_OBJECT, TAPE_OPEN_ARRAY, TAPE_OPEN_MAP, TAPE_SHAPE } from './abi.js';
import { CborError } from './errors.js';
import { setProperty } from './objects.js';
import { keysOf } from './tape-makers.js';
import { fillMap, readKey } from './tape-maps.js';
import { OP, SHIFT, entry, fillArray, fillObject, keepsMaps, onlyMaps, readValue } from './tape.js';

/**
 * Like readValue, but of something that can be referred to, a container before it is filled.
 * @param {number} v
 * @param {(value: unknown) => void} share is told of the value
 * @param {((set: unknown) => void) | undefined} shareSet if it is an array that becomes a Set, is told of that
 */
export function fillValue(v, share, shareSet) {
  const op = v & OP;
  const length = op === TAPE_OPEN_ARRAY || op === TAPE_OPEN_MAP ? Infinity : v >>> SHIFT;
  if (op === TAPE_ARRAY || op === TAPE_OPEN_ARRAY) {
    /** @type {unknown[]} */
    const array = [];
    share(array);
    if (shareSet === undefined) return fillArray(array, length);
    const set = new Set();
    shareSet(set);
    for (const item of fillArray(array, length)) set.add(item);
    return set;
  }
  if (shareSet !== undefined) throw new CborError('INVALID_TAG_CONTENT', { detail: 'tag 258 stands on an array' });
  if ((op === TAPE_OBJECT && !keepsMaps) || op === TAPE_SHAPE) {
    /** @type {Record<string, unknown>} */
    const object = {};
    share(object);
    return fillObject(object, op === TAPE_SHAPE ? keysOf(length).length : length);
  }
  if (op === TAPE_OBJECT || op === TAPE_MAP || op === TAPE_ANY_MAP || op === TAPE_OPEN_MAP) return fillSharedMap(length, share);
  const value = readValue(v);
  share(value);
  return value;
}

/**
 * A map that can be referred to before all its keys are known: it is what its first key makes it, unless nobody minds.
 * @param {number} length
 * @param {(container: unknown) => void} share
 */
function fillSharedMap(length, share) {
  const k = length > 0 ? entry() : TAPE_END;
  const isEmpty = k === TAPE_END;
  const key = isEmpty ? '' : readKey(k);
  if (onlyMaps || typeof key !== 'string') {
    const map = new Map();
    share(map);
    if (isEmpty) return map;
    map.set(key, readValue(entry()));
    fillMap(map, length - 1);
    return map;
  }
  /** @type {Record<string, unknown>} */
  const object = {};
  share(object);
  if (isEmpty) return object;
  const map = new Map([[key, readValue(entry())]]);
  if (!fillMap(map, length - 1)) {
    // Whoever refers to it has got an object.
    throw new CborError('INVALID_TAG_CONTENT', { detail: 'tag 28 stands on a map whose first key alone is text' });
  }
  for (const [name, value] of map) setProperty(object, name, value);
  return object;
}
