// JavaScript literals and JSON: what a source text says, and where in it each item stands. Nothing of it is run: the text is
// parsed, and only literals and a few constructors are understood.

import { Places } from './items.js';
import { parseExpressionAt } from './vendor.js';
import { EncodedCbor, Simple, Tagged } from './wcbor.js';

/** A fault at a place in the text. */
export class SourceError extends Error {
  /**
   * @param {string} message
   * @param {number} index in UTF-16 units
   */
  constructor(message, index) {
    super(message);
    this.index = index;
  }
}

const CONSTANTS = { undefined, NaN, Infinity };

/** A document that makes more than it may at once. */
export class TooLargeAtOnce extends Error {}

/** All typed arrays of a document have at most so many bytes: one line of text could else ask for all memory there is. */
const MADE_BYTES_MAX = 16_000_000;

const TYPED_ARRAYS = Object.fromEntries(
  [
    'Uint8Array', 'Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array', 'Float16Array', 'Float32Array',
    'Float64Array', 'BigInt64Array', 'BigUint64Array',
  ].filter((name) => name in globalThis).map((name) => [name, globalThis[name]]),
);

/** What `new X(...)` may make. What a wrong argument leads to is what JavaScript says of it. */
const MADE_BY_NEW = {
  Map: (...list) => new Map(...list),
  Set: (...list) => new Set(...list),
  Date(...list) {
    if (list.length === 0) throw new TypeError('A Date needs its time here');
    return new Date(...list);
  },
  URL: (...list) => new URL(...list),
  RegExp: (...list) => new RegExp(...list),
  Tagged: (...list) => new Tagged(...list),
  Simple: (...list) => new Simple(...list),
  EncodedCbor: (...list) => new EncodedCbor(...list),
};

/**
 * @param {string} source
 * @param {number} [atOnce] TooLargeAtOnce is thrown for typed arrays of more bytes
 * @returns {{ value: unknown, places: Places, madeNbytes: number }} `madeNbytes` of all typed arrays
 */
export function readLiteral(source, atOnce = Infinity) {
  const places = new Places();
  madeNbytes = 0;
  madeAtOnce = atOnce;
  const root = parse(source);
  try {
    return { value: valueOf(root, 0, places), places, madeNbytes };
  } catch (error) {
    throw error instanceof RangeError ? new SourceError('This is nested too deep', 0) : error;
  }
}

/** Of the typed arrays of the document that is being read, and how many there may be at once. */
let madeNbytes = 0;
let madeAtOnce = Infinity;

/** Where each item of a JSON text stands; nowhere when the text is too unlike JavaScript. */
export function placesOf(source) {
  const places = new Places();
  try {
    note(parse(source), 0, places);
    return places;
  } catch {
    return new Places();
  }
}

function parse(source) {
  let root;
  try {
    root = parseExpressionAt(source, 0, { ecmaVersion: 'latest' });
  } catch (error) {
    if (error.pos === undefined) throw new SourceError('This is nested too deep', 0);
    throw new SourceError(error.message.replace(/ \(\d+:\d+\)$/, ''), error.pos);
  }
  const rest = /^(?:\s|;|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(source.slice(root.end))[0].length;
  if (root.end + rest < source.length) throw new SourceError('The document has ended here', root.end + rest);
  return root;
}

/** Notes the places of JSON's kinds of nodes, without making values. */
function note(node, path, places) {
  places.note(path, [node.start, node.end]);
  if (node.type === 'ArrayExpression') node.elements.forEach((element, i) => note(element, places.inner(path, i), places));
  if (node.type === 'ObjectExpression') {
    for (const { key, value } of node.properties) {
      const inner = places.inner(path, keyName(key));
      places.noteKey(inner, [key.start, key.end]);
      note(value, inner, places);
    }
  }
}

const keyName = (key) => (key.type === 'Identifier' ? key.name : String(key.value));

function valueOf(node, path, places) {
  places.note(path, [node.start, node.end]);
  switch (node.type) {
    case 'Literal': return literalValue(node);
    case 'TemplateLiteral':
      if (node.expressions.length > 0) break;
      return node.quasis[0].value.cooked;
    case 'Identifier':
      if (Object.hasOwn(CONSTANTS, node.name)) return CONSTANTS[node.name];
      throw new SourceError(`There is no ${node.name} here`, node.start);
    case 'UnaryExpression': {
      const value = valueOf(node.argument, path, places);
      if (node.operator === '-' && (typeof value === 'number' || typeof value === 'bigint')) return -value;
      if (node.operator === '+' && typeof value === 'number') return value;
      break;
    }
    case 'ArrayExpression': return arrayValue(node, path, places);
    case 'ObjectExpression': return objectValue(node, path, places);
    case 'NewExpression':
    case 'CallExpression': return madeValue(node, path, places);
  }
  throw new SourceError('Only literals can stand here', node.start);
}

function literalValue(node) {
  if (node.regex) return new RegExp(node.regex.pattern, node.regex.flags);
  return node.bigint === undefined ? node.value : BigInt(node.bigint);
}

function arrayValue(node, path, places) {
  return node.elements.map((element, i) => (element === null ? undefined : valueOf(element, places.inner(path, i), places)));
}

function objectValue(node, path, places) {
  const object = {};
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init' || property.method) {
      throw new SourceError('Only key: value can stand here', property.start);
    }
    const name = keyName(property.key);
    const inner = places.inner(path, name);
    places.noteKey(inner, [property.key.start, property.key.end]);
    const value = valueOf(property.value, inner, places);
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** `new Map([[1, 2]])`, `Uint8Array.of(1, 2)`, `BigInt(5)`. */
function madeValue(node, path, places) {
  const list = isMapOfPairs(node) ? [pairsOf(node.arguments[0], path, places)] : node.arguments.map((argument, i) => {
    // Of the arguments only these are items of the document, or hold some.
    const isItem = (node.callee.name === 'Set' && i === 0) || (node.callee.name === 'Tagged' && i === 1);
    return isItem ? valueOf(argument, path, places) : valueOf(argument, 0, new Places());
  });
  places.note(path, [node.start, node.end]);
  const make = makerOf(node);
  if (make === undefined) {
    const message = 'Only new Map, Set, Date, URL, RegExp, Tagged, Simple and EncodedCbor, typed arrays and BigInt() can be made here';
    throw new SourceError(message, node.start);
  }
  try {
    return make(...list);
  } catch (error) {
    throw error instanceof TooLargeAtOnce ? error : new SourceError(error.message, node.start);
  }
}

const isMapOfPairs = ({ callee, arguments: [list] }) =>
  callee.name === 'Map' && list?.type === 'ArrayExpression' && list.elements.every((pair) => pair?.type === 'ArrayExpression' && pair.elements.length === 2);

/** The keys and values of a Map, which are items of the document. */
function pairsOf(list, path, places) {
  return list.elements.map(({ elements: [key, value] }) => {
    if (key === null || value === null) throw new SourceError('A key and a value stand here', list.start);
    const made = valueOf(key, 0, new Places());
    const inner = places.inner(path, made);
    places.noteKey(inner, [key.start, key.end]);
    return [made, valueOf(value, inner, places)];
  });
}

/** What does what a call, or `new`, asks for; undefined where nothing may. */
function makerOf({ type, callee }) {
  const isNew = type === 'NewExpression';
  if (callee.type === 'MemberExpression') {
    const { object: { name }, property, computed } = callee;
    if (isNew || computed || !Object.hasOwn(TYPED_ARRAYS, name ?? '')) return undefined;
    if (property.name === 'of') return (...list) => typedArray(name, list);
    return property.name === 'from' ? (list) => typedArray(name, listOf(list)) : undefined;
  }
  if (callee.type !== 'Identifier') return undefined;
  const { name } = callee;
  if (!isNew) return name === 'BigInt' ? BigInt : undefined;
  if (Object.hasOwn(TYPED_ARRAYS, name)) return (list = []) => typedArray(name, list);
  return Object.hasOwn(MADE_BY_NEW, name) ? MADE_BY_NEW[name] : undefined;
}

/** What `from` makes of it: of an object with a length, too, but not of any length. */
function listOf(source) {
  if (source?.length > MADE_BYTES_MAX) throw new RangeError(TOO_LARGE);
  if (source?.length > madeAtOnce) throw new TooLargeAtOnce();
  return Array.from(source);
}

const TOO_LARGE = `All typed arrays together have at most ${MADE_BYTES_MAX.toLocaleString('en')} bytes here`;

/**
 * @param {string} name of the class
 * @param {unknown} list its items, or how many there are
 */
function typedArray(name, list) {
  const TypedArray = TYPED_ARRAYS[name];
  const isList = Array.isArray(list) || ArrayBuffer.isView(list);
  if (!isList && typeof list !== 'number') throw new TypeError(`${name} is made of a list or a length here`);
  const length = isList ? list.length : list;
  if (!Number.isInteger(length) || length < 0) throw new RangeError(`${length} is no length`);
  madeNbytes += length * TypedArray.BYTES_PER_ELEMENT;
  if (madeNbytes > MADE_BYTES_MAX) throw new RangeError(TOO_LARGE);
  if (madeNbytes > madeAtOnce) throw new TooLargeAtOnce();
  return new TypedArray(list);
}
