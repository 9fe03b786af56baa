// What makes objects of lists of keys that come again.
//
// A list that is a good part of the objects that are made gets fillers of its own (fillers.js), as long as there are any:
// the fewer are left, the larger a part it must be. All other lists have one filler in common, which is a loop.
import { NAME_NODE_DEPTH, NAME_NODE_NBYTES } from './abi.js';
import { IS_SPIDERMONKEY } from './engines.js';
import { FILLERS, FILLER_KEYS } from './fillers.js';
import { u8 } from './instance.js';
import { isInherited } from './objects.js';
import { nodes } from './tape-memory.js';
import { fillInherited, fillShaped, nameOf, readShaped } from './tape.js';

/** @typedef {(object: Record<string, unknown>, keys: string[], length: number) => void} Filler */

/** An object of more keys gets all of them by the loop. */
const FILLED_MAX = 24;

/** How many objects of a list are counted before it is asked whether it is worth fillers. */
const COUNTED = 64;

/** Where the loop is as fast, there are none to give away. */
const NFILLERS = IS_SPIDERMONKEY ? 0 : FILLERS.length;

/** Fillers that are given away, by the keys up to the last one that they are for. @type {Map<string, Filler>} */
const given = new Map();

/** Makes objects of one list of keys, whose values stand behind their keys on the tape. */
export class Maker {
  /**
   * @param {string[]} keys as the names of properties
   * @param {boolean} generates code
   * @param {number} nmade objects of any list so far
   */
  constructor(keys, generates, nmade) {
    /** Those that `fill` is for. */
    this.keys = keys;
    this.length = keys.length;
    const isSimple = !keys.some(isInherited);
    /** @type {Filler} */
    this.fill = isSimple ? fillShaped : fillInherited;
    /** What is for the keys behind these. @type {{ keys: string[], fill: Filler }[]} */
    this.more = NONE;
    /** How many more objects are made before it is asked, and how many of any list had been made when that began. */
    this.patience = isSimple && keys.length <= FILLED_MAX && NFILLERS > 0 ? COUNTED : Infinity;
    this.since = nmade;
    /** @type {(() => object) | undefined} */
    this.make = generates ? generated(keys) : undefined;
  }

  /**
   * Gets fillers, if it is worth that.
   * @param {number} nmade objects of any list so far
   */
  settle(nmade) {
    const { keys, since } = this;
    const ofAll = (nmade - since) / COUNTED;
    const wanted = Math.ceil(keys.length / FILLER_KEYS);
    const fillers = ofAll * wanted < NFILLERS - given.size ? fillersFor(keys) : NONE;
    this.since = nmade;
    this.patience = fillers === NONE ? COUNTED : Infinity;
    if (fillers === NONE) return;
    [{ fill: this.fill, keys: this.keys }, ...this.more] = fillers;
  }
}

/** @type {{ keys: string[], fill: Filler }[]} */
const NONE = [];

/**
 * Fillers for some keys each, which together are these.
 * @param {string[]} keys
 */
function fillersFor(keys) {
  const fillers = [];
  for (let i = 0; i < keys.length; i += FILLER_KEYS) {
    // The object has the same keys before them each time.
    const name = JSON.stringify(keys.slice(0, i + FILLER_KEYS));
    let fill = given.get(name);
    if (fill === undefined) given.set(name, (fill = FILLERS[given.size]));
    fillers.push({ keys: keys.slice(i, i + FILLER_KEYS), fill });
  }
  return fillers;
}

/**
 * How many keys a list has.
 * @param {number} node
 */
export function lengthOf(node) {
  const address = nodes + node * NAME_NODE_NBYTES + NAME_NODE_DEPTH;
  return u8[address] | (u8[address + 1] << 8);
}

/**
 * A list of keys.
 * @param {number} node
 */
export function keysOf(node) {
  const list = [];
  for (let i = node; i > 1; ) {
    const address = nodes + i * NAME_NODE_NBYTES;
    const number = u8[address] | (u8[address + 1] << 8);
    list.unshift(nameOf(number));
    i = u8[address + 2] | (u8[address + 3] << 8);
  }
  return list;
}

/**
 * A function that makes an object of values that stand behind their keys on the tape, by generated code.
 * @param {string[]} keys
 * @returns {() => object}
 */
function generated(keys) {
  // An own property each, even if that is not what it would be in a literal.
  const properties = keys.map((name) => `${name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)}:r()`).join(',');
  return new Function('r', `return()=>({${properties}})`)(readShaped);
}
