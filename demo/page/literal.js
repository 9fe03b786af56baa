// JavaScript literals and JSON: what a source text says, and where in it each item stands. Nothing of it is run: the text is
// parsed, and only literals and a few constructors are understood.

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
const bytes = (list) => Uint8Array.from(list ?? []);

/** What `new X(...)`, `X(...)` and `X.of(...)` may make. */
const MAKERS = {
  Map: (list) => new Map(list),
  Set: (list) => new Set(list),
  Date: (...list) => new Date(...list),
  URL: (text) => new URL(text),
  RegExp: (source, flags) => new RegExp(source, flags),
  BigInt: (value) => BigInt(value),
  Uint8Array: bytes,
  Tagged: (tag, value) => new Tagged(tag, value),
  Simple: (value) => new Simple(value),
  EncodedCbor: (value) => new EncodedCbor(value),
};
const TYPED_ARRAYS = { Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array };

/** The path of an item in a document as one string, of keys and indices. */
export const pathKey = (path) => JSON.stringify(path);

const KEY = 'key of ';

/** Likewise of the key that leads to the item. */
export const keyKey = (path) => KEY + pathKey(path);

/**
 * @param {string} source
 * @returns {{ value: unknown, places: Map<string, [number, number]> }} `places`: where each item stands, by pathKey or keyKey
 */
export function readLiteral(source) {
  const places = new Map();
  const root = parse(source);
  const value = valueOf(root, [], places);
  return { value, places };
}

/** Where each item of a JSON text stands; empty when the text is too unlike JavaScript. */
export function placesOf(source) {
  const places = new Map();
  try {
    note(parse(source), [], places);
  } catch {
    places.clear();
  }
  return places;
}

function parse(source) {
  let root;
  try {
    root = parseExpressionAt(source, 0, { ecmaVersion: 'latest' });
  } catch (error) {
    throw new SourceError(error.message.replace(/ \(\d+:\d+\)$/, ''), error.pos ?? 0);
  }
  const rest = /^(?:\s|;|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(source.slice(root.end))[0].length;
  if (root.end + rest < source.length) throw new SourceError('The document has ended here', root.end + rest);
  return root;
}

/** Notes the places of JSON's kinds of nodes, without making values. */
function note(node, path, places) {
  places.set(pathKey(path), [node.start, node.end]);
  if (node.type === 'ArrayExpression') node.elements.forEach((element, i) => note(element, [...path, i], places));
  if (node.type === 'ObjectExpression') {
    for (const { key, value } of node.properties) {
      const inner = [...path, keyName(key)];
      places.set(keyKey(inner), [key.start, key.end]);
      note(value, inner, places);
    }
  }
}

const keyName = (key) => (key.type === 'Identifier' ? key.name : String(key.value));

function valueOf(node, path, places) {
  places.set(pathKey(path), [node.start, node.end]);
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
  return node.elements.map((element, i) => (element === null ? undefined : valueOf(element, [...path, i], places)));
}

function objectValue(node, path, places) {
  const object = {};
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init' || property.method) {
      throw new SourceError('Only key: value can stand here', property.start);
    }
    const name = keyName(property.key);
    places.set(keyKey([...path, name]), [property.key.start, property.key.end]);
    const value = valueOf(property.value, [...path, name], places);
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** `new Map([[1, 2]])`, `Uint8Array.of(1, 2)`, `BigInt(5)`. */
function madeValue(node, path, places) {
  const { callee } = node;
  // Arguments are no items of the document; what a Map or a Tagged holds is.
  const inner = new Map();
  const list = node.arguments.map((argument, i) => valueOf(argument, [i], inner));
  for (const [key, place] of inner) {
    if (key.startsWith(KEY)) continue;
    const [, ...rest] = JSON.parse(key);
    if (callee.name === 'Set' && rest.length > 0) places.set(pathKey([...path, ...rest]), place);
  }
  try {
    if (callee.type === 'Identifier' && Object.hasOwn(MAKERS, callee.name)) return MAKERS[callee.name](...list);
    if (callee.type === 'Identifier' && Object.hasOwn(TYPED_ARRAYS, callee.name)) return TYPED_ARRAYS[callee.name].from(list[0] ?? []);
    if (callee.type === 'MemberExpression' && !callee.computed && callee.property.name === 'of' && Object.hasOwn(TYPED_ARRAYS, callee.object.name)) {
      return TYPED_ARRAYS[callee.object.name].of(...list);
    }
  } catch (error) {
    throw new SourceError(error.message, node.start);
  }
  throw new SourceError('Only Map, Set, Date, URL, RegExp, BigInt, typed arrays, Tagged, Simple and EncodedCbor can be made here', node.start);
}
