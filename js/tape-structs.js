// Structs whose pairs are not just what they should be, from the tape: in another order, absent, again, or no field's.
import { TAPE_END, TAPE_FIELD } from './abi.js';
import { roomy, setProperty } from './objects.js';
import { readKey } from './tape-maps.js';
import { OP, SHIFT, around, entry, readValue } from './tape.js';

/** Values of the fields of structs that are under way. @type {unknown[]} */
const values = [];
let top = 0;

/** There is no value. */
const ABSENT = {};

/** How often a field came twice in a struct, in all documents so far. */
export let nrepeats = 0;

/** What is wrong with a struct as a whole. */
export class StructFailure {
  /**
   * @param {'MISSING_FIELD' | 'WRONG_COUNT' | 'DUPLICATE_KEY'} name
   * @param {number} offset where the struct begins
   * @param {string} [property] that is missing, or comes twice
   */
  constructor(name, offset, property) {
    this.name = name;
    this.offset = offset;
    this.property = property;
  }
}

/**
 * A struct whose pairs are in any order, up to TAPE_END.
 * @param {import('./struct-decode.js').Layout} layout
 * @param {number} begin where it begins in the input
 */
export function readLoose(layout, begin) {
  const { length } = layout.properties;
  const base = top;
  top += length;
  for (let i = base; i < top; i++) values[i] = ABSENT;
  /** Pairs that no field has. @type {unknown[]} */
  const kept = [];
  try {
    for (let v = entry(); v !== TAPE_END; v = entry()) {
      if ((v & OP) !== TAPE_FIELD) {
        kept.push(readKey(v), readValue(entry()));
        continue;
      }
      const i = base + (v >>> SHIFT);
      if (values[i] !== ABSENT) nrepeats++;
      values[i] = readValue(entry());
    }
    return fillLoose(layout, base, kept, begin);
  } finally {
    // Nothing of the caller's is kept alive.
    for (let i = base; i < top; i++) values[i] = undefined;
    top = base;
  }
}

/**
 * @param {import('./struct-decode.js').Layout} layout
 * @param {number} base where in `values` they begin
 * @param {unknown[]} kept
 * @param {number} begin
 */
function fillLoose(layout, base, kept, begin) {
  const { properties } = layout;
  const object = roomy(properties.length);
  for (let i = 0; i < properties.length; i++) {
    const value = values[base + i];
    if (value !== ABSENT) setProperty(object, properties[i], value);
    else if (layout.hasDefault(i)) setProperty(object, properties[i], around(() => layout.defaultOf(i)));
    else if (!layout.isOptional(i)) {
      throw layout.isTuple ? new StructFailure('WRONG_COUNT', begin) : new StructFailure('MISSING_FIELD', begin, properties[i]);
    }
  }
  let isPlain = true;
  for (let i = 0; i < kept.length; i += 2) {
    const key = kept[i];
    // A field's property holds what the field has been checked for.
    if (typeof key === 'string' && properties.includes(key)) throw new StructFailure('DUPLICATE_KEY', begin, key);
    if (typeof key === 'string') setProperty(object, key, kept[i + 1]);
    else isPlain = false;
  }
  if (isPlain) return object;
  const map = new Map(Object.entries(object));
  for (let i = 0; i < kept.length; i += 2) map.set(/** @type {any} */ (kept[i]), kept[i + 1]);
  return map;
}
