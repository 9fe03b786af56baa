// Shapes: the key lists of objects that come again and again, so that their keys are encoded once and named by a number.
//
// A trie over the order of keys: each node remembers its last transition, so that an object of a known shape costs one
// comparison of pointers for each key. A key list becomes a shape when it is met the second time.
//
// Everything is bounded. New nodes are paid for from `credit`, which objects of known shapes earn back, so that objects
// that are used as dictionaries, or that all have other keys, soon cost no more than one look-up each. When the tables
// are full they are begun anew, between two documents.
import { KEY_NBYTES_MAX, SHAPE_WIDTH_MAX } from './abi.js';
import { crossed, refresh, u8, wasm } from './instance.js';

const NODES_MAX = 8192;
const CREDIT_MAX = 4096;

/** The orders in which a mode wants keys, as in src/keys.h. */
export const AS_THEY_COME = 0;
export const BYTEWISE = 1;
export const LENGTH_FIRST = 2;

/** @typedef {0 | 1 | 2} Order */

/** A list of keys as they come, and what it is as a shape. */
export class Node {
  /** @param {string[]} path */
  constructor(path) {
    /** The last transition. Always a string, which engines compare faster than what may be null. */
    this.key = NO_KEY;
    /** @type {Node | null} */
    this.next = null;
    /** When there are several: the last one of each place (`slotOf`), and all of them. @type {(Node | null)[]} */
    this.slots = NO_SLOTS;
    /** @type {Map<string, Node> | null} */
    this.others = null;
    /** The module's number of the shape with these keys; NOT_YET or NEVER when it has none. */
    this.number = NOT_YET;
    this.path = path;
    /** The key that leads here. */
    this.last = path.length === 0 ? NO_KEY : path[path.length - 1];
    /** The keys in the order in which they are written, if this is a shape. */
    this.keys = path;
    /** Likewise in the other orders, each without transitions. @type {Node | null} */
    this.bytewise = null;
    /** @type {Node | null} */
    this.lengthFirst = null;
    /** Whether an object had exactly these keys. */
    this.met = false;
  }
}

/** A node without a transition is as if an object with this key had none. */
const NO_KEY = '\0no key';

const SLOTS = 16;
/** @type {(Node | null)[]} */
const NO_SLOTS = new Array(SLOTS).fill(null);

/**
 * The place of a key among a node's slots.
 * @param {string} key
 */
function slotOf(key) {
  return key === '' ? 0 : (key.charCodeAt(0) + 3 * key.length) & (SLOTS - 1);
}

const NOT_YET = -1;
const NEVER = -2;

let root = new Node([]);
let nodes = 0;
let credit = CREDIT_MAX;
let full = false;
/** Since the tables were begun: objects of known shapes, and objects that have none for want of a place in the tables. */
let hits = 0;
let misses = 0;

/** How often the tables were begun: the numbers of shapes hold as long as it stays. */
export let shapesGeneration = 0;

const encoder = new TextEncoder();

/**
 * Begins anew if the tables are full, and if that pays: what is there has been of use for long enough, or so little that
 * another try costs nothing much. No document may be under way.
 */
export function renewShapes() {
  if (!full || (hits < 8 * nodes && misses < 8 * nodes)) return;
  root = new Node([]);
  nodes = 0;
  full = false;
  hits = misses = 0;
  shapesGeneration++;
  wasm.wcbor_shapes_reset();
  crossed();
}

/**
 * @param {Node} node
 * @param {string} key
 * @returns {Node | null}
 */
function step(node, key) {
  const slot = slotOf(key);
  let next = node.slots[slot];
  if (next === null || next.last !== key) {
    next = node.others?.get(key) ?? grow(node, key);
    if (next === null) return null;
    if (node.slots !== NO_SLOTS) node.slots[slot] = next;
  }
  node.key = key;
  node.next = next;
  return next;
}

/**
 * A new transition, if there is room for one.
 * @param {Node} node
 * @param {string} key
 * @returns {Node | null}
 */
function grow(node, key) {
  if (credit <= 0 || full || node.path.length === SHAPE_WIDTH_MAX || key.length > KEY_NBYTES_MAX) return null;
  if (nodes === NODES_MAX) {
    full = true;
    return null;
  }
  credit--;
  nodes++;
  const made = new Node([...node.path, key]);
  if (node.next !== null) {
    if (node.others === null) {
      node.others = new Map([[node.key, node.next]]);
      node.slots = new Array(SLOTS).fill(null);
      node.slots[slotOf(node.key)] = node.next;
    }
    node.others.set(key, made);
  }
  return made;
}

/**
 * The shape of an object in an order.
 * @param {object} object whose enumerable properties are all its own
 * @param {Order} order
 * @returns {Node} of a number below 0 when it has none: then `keys` are the object's keys as they come
 */
export function shapeOf(object, order) {
  let node = root;
  /** @type {string[] | null} */
  let keys = null;
  for (const key in object) {
    if (keys !== null) {
      keys.push(key);
      continue;
    }
    const next = node.key === key ? node.next : step(node, key);
    if (next === null) keys = miss(node, key);
    else node = next;
  }
  if (keys !== null) {
    unknown.keys = keys;
    return unknown;
  }
  if (order !== AS_THEY_COME) node = inOrder(node, order);
  if (node.number < 0) makeShape(node, order);
  else hits++;
  return node;
}

/**
 * @param {Node} node
 * @param {Order} order
 */
function inOrder(node, order) {
  const sorted = order === BYTEWISE ? node.bytewise : node.lengthFirst;
  if (sorted !== null) return sorted;
  if (!node.met) return node;
  const made = new Node(node.path);
  made.met = true;
  if (order === BYTEWISE) node.bytewise = made;
  else node.lengthFirst = made;
  return made;
}

/** Stands for an object whose keys the trie does not have, until the next one. */
const unknown = new Node([]);
unknown.number = NEVER;

/**
 * The keys of an object whose next one is not in the trie, as far as they are known.
 * @param {Node} node
 * @param {string} key
 */
function miss(node, key) {
  misses++;
  if (credit < CREDIT_MAX) credit += 0.125;
  return [...node.path, key];
}

/**
 * Makes a shape of keys that are met the second time, and can be one.
 * @param {Node} node
 * @param {Order} order
 */
function makeShape(node, order) {
  if (!node.met) {
    node.met = true;
    return;
  }
  if (node.number === NEVER) return;
  if (full) {
    misses++;
    return;
  }
  const { path } = node;
  credit = Math.min(CREDIT_MAX, credit + 2 * path.length);
  const encoded = path.map((key) => ({ key, bytes: encodeKey(key) }));
  if (!canBeShape(path) || encoded.some(({ bytes }) => bytes.length > KEY_NBYTES_MAX)) {
    node.number = NEVER;
    return;
  }
  if (order !== AS_THEY_COME) {
    encoded.sort((a, b) => (order === LENGTH_FIRST ? a.bytes.length - b.bytes.length : 0) || compareKeys(a.bytes, b.bytes));
  }
  const number = putTogether(encoded.map(({ bytes }) => bytes));
  if (number < 0) full = true;
  else node.number = number;
  node.keys = encoded.map(({ key }) => key);
}

/**
 * Adds a shape to the module's.
 * @param {Uint8Array[]} keys as they are encoded
 * @returns {number} its number, or a negative one when there is no room
 */
function putTogether(keys) {
  let at = textAddress;
  for (const bytes of keys) {
    u8.set(bytes, at);
    at += bytes.length;
  }
  const number = wasm.wcbor_shape_add(at - textAddress);
  crossed();
  refresh();
  return number;
}

/**
 * Adds a shape of keys of any kind to the module's.
 * @param {(string | number)[]} keys in the order in which they are written, no two alike; integers are safe ones
 * @returns {number} its number, which holds as long as `shapesGeneration`, or a negative one when it cannot be one
 */
export function addShape(keys) {
  const encoded = keys.map(encodeKey);
  const isOne = keys.length > 0 && keys.length <= SHAPE_WIDTH_MAX && encoded.every((bytes) => bytes.length <= KEY_NBYTES_MAX);
  return isOne ? putTogether(encoded) : NEVER;
}

/**
 * Not keys that say that an object may stand for something else, or be `arguments`, nor text that a mode may refuse or
 * change.
 * @param {string[]} keys
 */
function canBeShape(keys) {
  return keys.length > 0 && keys[0] !== '0' && !keys.includes('toCBOR') && !keys.includes('toJSON') && keys.every(isPlainText);
}

/** Where keys are handed over. */
let textAddress = 0;

/** @param {number} address of the text buffer */
export function setTextAddress(address) {
  textAddress = address;
}

/**
 * A key as it is encoded.
 * @param {string | number} key text or a safe integer
 */
export function encodeKey(key) {
  if (typeof key === 'number') return Uint8Array.from(head(key < 0 ? 0x20 : 0, key < 0 ? -1 - key : key));
  const text = encoder.encode(key);
  const initial = head(0x60, text.length);
  const bytes = new Uint8Array(initial.length + text.length);
  bytes.set(initial);
  bytes.set(text, initial.length);
  return bytes;
}

/**
 * The shortest head (RFC 8949, section 3).
 * @param {number} major the major type where it stands in the initial byte
 * @param {number} argument
 */
function head(major, argument) {
  if (argument < 24) return [major | argument];
  const nbytes = argument <= 0xff ? 1 : argument <= 0xffff ? 2 : argument <= 0xffffffff ? 4 : 8;
  const bytes = [major | (24 + Math.log2(nbytes))];
  for (let i = nbytes - 1; i >= 0; i--) bytes.push(Math.floor(argument / 256 ** i) % 256);
  return bytes;
}

/**
 * Whether text is the same in every mode: well-formed and in NFC.
 * @param {string} text
 */
function isPlainText(text) {
  // Of most texts the engine's tables need not know.
  if (/^[ -~]*$/.test(text)) return true;
  return !/\p{Surrogate}/u.test(text) && text === text.normalize('NFC');
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
export function compareKeys(a, b) {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
