// Maps from the tape that may not become an object: of any keys, by the options, or cut by the end of a run.
import { TAPE_END, TAPE_MIXED } from './abi.js';
import { CborError } from './errors.js';
import { isIndex, setProperty } from './objects.js';
import { entry, isLax, keepsMaps, keyMap, onlyMaps, operand, readValue } from './tape.js';

/**
 * A map of whatever keys.
 * @param {number} length or Infinity, up to TAPE_END
 * @returns {object}
 */
export function readMap(length) {
  return finishMap(new Map(), length);
}

/**
 * @param {Map<unknown, unknown>} map
 * @param {number} length of its pairs that are to come
 */
function finishMap(map, length) {
  const isPlain = fillMap(map, length);
  if (onlyMaps || !isPlain) return map;
  /** @type {Record<string, unknown>} */
  const object = {};
  for (const [name, value] of map) setProperty(object, /** @type {string} */ (name), value);
  return object;
}

/**
 * A map that most likely has only text for keys: an object, as long as that keeps them in their order.
 * @param {number} length or Infinity, up to TAPE_END
 * @returns {object}
 */
export function readAnyMap(length) {
  if (keepsMaps) return readMap(length);
  /** @type {Record<string, unknown>} */
  const object = {};
  for (; length > 0; length--) {
    const k = entry();
    if (k === TAPE_END) break;
    if (k === TAPE_MIXED) return finishMap(new Map(Object.entries(object)), length);
    const name = /** @type {string} */ (readValue(k));
    const v = operand();
    if (isIndex(name)) {
      const map = new Map(Object.entries(object));
      map.set(name, readValue(v));
      return finishMap(map, length - 1);
    }
    setProperty(object, name, readValue(v));
  }
  return object;
}

/** The key that begins with an entry, as the options have it. */
export function readKey(/** @type {number} */ v) {
  const key = readValue(v);
  return keyMap !== undefined && typeof key === 'number' ? keyMap.get(key) ?? key : key;
}

/**
 * @param {Map<unknown, unknown>} map
 * @param {number} length
 * @returns {boolean} whether all keys are strings
 */
export function fillMap(map, length) {
  let isPlain = true;
  for (; length > 0; length--) {
    let k = entry();
    if (k === TAPE_END) break;
    if (k === TAPE_MIXED) k = entry();
    const key = readKey(k);
    if (typeof key !== 'string') isPlain = false;
    // Two that differ in CBOR may be one here: 1 and 1.0, or the chunks of a text and the text.
    if (!isLax && map.has(key)) throw new CborError('DUPLICATE_KEY', { detail: 'as JavaScript sees it' });
    map.set(key, readValue(operand()));
  }
  return isPlain;
}
