// What objects are made of, asked so that their own code has no say.

const mapSize = /** @type {() => number} */ (Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get);
export const mapEntries = Map.prototype.entries;
const mapForEach = Map.prototype.forEach;

/** @param {object} value */
export function isMap(value) {
  try {
    mapSize.call(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {Map<unknown, unknown>} map
 * @returns {unknown[]} keys and values by turns
 */
export function entriesOf(map) {
  const entries = new Array(2 * mapSize.call(map));
  let at = 0;
  mapForEach.call(map, (value, key) => {
    entries[at++] = key;
    entries[at++] = value;
  });
  return entries;
}

/** Whether objects have enumerable properties that are not their own. */
export function isPolluted() {
  for (const _ in EMPTY) return true;
  return false;
}

const EMPTY = Object.freeze({});
export const { toString, propertyIsEnumerable: isEnumerable } = Object.prototype;

/**
 * Whether an object has no class, so that its methods are properties of its own.
 * @param {object} value
 */
export function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
