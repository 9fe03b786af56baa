// Objects that are neither arrays nor plain: what each kind of them is in CBOR.
import { argumentOf, magnitudeOf, MAX_UINT64 } from './bigints.js';
import { bytesOf } from './bytes.js';
import { unlocated } from './paths.js';
import {
  LITTLE_ENDIAN, TAG_DATE_TIME, TAG_ECMASCRIPT_REGEXP, TAG_OBJECT, TAG_REGEXP, TAG_SET, TAG_UNIX_TIME, TAG_URI, TYPED_ARRAY_TAGS,
} from './tags.js';
import { put } from './walk.js';
import { checkSimple, checkTag, EncodedCbor, Simple, Tagged } from './values.js';

/** @typedef {import('./commands.js').Commands} Commands */
/** @typedef {import('./detours.js').Walk} Walk */

/** RFC 3339 has years of four digits. */
const YEAR_0 = -62167219200000;
const YEAR_10000 = Date.UTC(10000, 0);

const typedArrayKind = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);

const TypedArray = Object.getPrototypeOf(Uint8Array);

/**
 * The kind of an object by its internal slots, whatever realm it comes from. `Symbol.toStringTag` can lie, so that what
 * depends on slots is tried.
 * @param {object} value
 */
export function kindOf(value) {
  const claimed = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (claimed !== 'Object' && !(claimed in PROBES)) return claimed;
  if (claimed in PROBES && isOfKind(value, claimed)) return claimed;
  if (Object.keys(value).length > 0) return 'Object';
  // Nothing of its own to show: is it a kind that hides behind another name, or behind a proxy?
  for (const kind in PROBES) {
    const constructor = /** @type {any} */ (globalThis)[kind];
    if (value instanceof constructor) return isOfKind(value, kind) ? kind : `a proxy of ${kind}`;
  }
  return claimed === 'Object' ? 'Object' : `no ${claimed}`;
}

/**
 * @param {object} value
 * @param {string} kind
 */
function isOfKind(value, kind) {
  try {
    PROBES[kind].call(value);
    return true;
  } catch {
    return false;
  }
}

/** Methods that throw unless their receiver is of the kind. @type {Record<string, (this: any) => unknown>} */
const PROBES = {
  __proto__: /** @type {any} */ (null),
  Boolean: Boolean.prototype.valueOf,
  Number: Number.prototype.valueOf,
  String: String.prototype.valueOf,
  BigInt: BigInt.prototype.valueOf,
  Date: Date.prototype.getTime,
  Map: getter(Map.prototype, 'size'),
  Set: getter(Set.prototype, 'size'),
  RegExp: getter(RegExp.prototype, 'source'),
  Error() {
    // Errors have no such property, so that whoever has one claims to be an error.
    if (Symbol.toStringTag in this) throw new TypeError('no Error');
  },
  ArrayBuffer: getter(ArrayBuffer.prototype, 'byteLength'),
  ...(typeof SharedArrayBuffer === 'function' && { SharedArrayBuffer: getter(SharedArrayBuffer.prototype, 'byteLength') }),
  ...(typeof URL === 'function' && { URL: getter(URL.prototype, 'href') }),
};

/**
 * @param {object} prototype
 * @param {string | symbol} name
 */
function getter(prototype, name) {
  return /** @type {(this: any) => unknown} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
}

/** Kinds that hold something, but nothing that can be read off them. */
const OPAQUE = new Set([
  'Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Symbol', 'Generator', 'AsyncGenerator',
]);

/**
 * Whether CBOR has no form for an object of this kind. Objects of the platform (a Request, an Iterator) show their kind
 * and have no properties of their own; an empty map in their place would be a wrong value, silently.
 * @param {object} value
 * @param {string} kind
 */
export function isOpaque(value, kind) {
  if (kind === 'Object' || kind === 'Arguments' || Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  if (OPAQUE.has(kind)) return true;
  return !(kind in WRITERS) && Object.keys(value).length === 0;
}

/** @type {Record<string, (walk: Walk, value: any) => void>} */
const WRITERS = {
  __proto__: /** @type {any} */ (null),
  ArrayBuffer: (walk, value) => put((commands) => commands.bytes(bytesOf(value))),
  SharedArrayBuffer: (walk, value) => put((commands) => commands.bytes(bytesOf(value))),
  Map: (walk, value) => walk.map(value),
  Set: (walk, value) => walk.tagged(TAG_SET, [...Set.prototype.values.call(value)]),
  Date: (walk, value) => writeDate(walk, Date.prototype.getTime.call(value)),
  RegExp: (walk, { source, flags }) =>
    flags === '' ? walk.tagged(TAG_REGEXP, source) : walk.tagged(TAG_ECMASCRIPT_REGEXP, [source, flags]),
  URL: (walk, value) => walk.tagged(TAG_URI, value.href),
  Error: (walk, { name, message }) => walk.tagged(TAG_OBJECT, [String(name), String(message)]),
  DOMException: (walk, { name, message }) => walk.tagged(TAG_OBJECT, [String(name), String(message)]),
  Boolean: (walk, value) => walk.value(Boolean.prototype.valueOf.call(value)),
  Number: (walk, value) => walk.value(Number.prototype.valueOf.call(value)),
  String: (walk, value) => walk.value(String.prototype.valueOf.call(value)),
  BigInt: (walk, value) => walk.value(BigInt.prototype.valueOf.call(value)),
};

/**
 * @param {Walk} walk
 * @param {number} milliseconds since 1970
 */
function writeDate(walk, milliseconds) {
  if (Number.isNaN(milliseconds)) throw unlocated('NOT_FINITE', 'an invalid Date');
  if (walk.options.dates === 'unix') walk.tagged(TAG_UNIX_TIME, milliseconds / 1000);
  else if (milliseconds < YEAR_0 || milliseconds >= YEAR_10000) throw unlocated('INVALID_DATETIME', 'a year of more than 4 digits');
  else walk.tagged(TAG_DATE_TIME, new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z'));
}

/**
 * @param {Walk} walk
 * @param {ArrayBufferView} value
 */
function writeView(walk, value) {
  // The getter of %TypedArray% tells the kind of any realm's; a Buffer is a Uint8Array.
  const kind = /** @type {string | undefined} */ (typedArrayKind.call(value)) ?? 'DataView';
  const tags = TYPED_ARRAY_TAGS[kind];
  if (tags === undefined) return put((commands) => commands.bytes(bytesOf(value)));
  if (walk.options.typedArrays === 'array') return walk.array(Array.from(/** @type {any} */ (value)));
  put((commands) => commands.tag(tags[LITTLE_ENDIAN ? 1 : 0]));
  put((commands) => commands.bytes(bytesOf(value)));
}

/**
 * Writes an object that is no array and whose prototype is neither Object's nor null.
 * @param {Walk} walk
 * @param {object} value
 */
export function writeObject(walk, value) {
  if (ArrayBuffer.isView(value)) return writeView(walk, value);
  if (value instanceof TypedArray) throw unlocated('UNSUPPORTED_VALUE', 'a proxy of a typed array');
  // Their fields are anybody's to change.
  if (value instanceof Tagged) return walk.tagged(checkTag(value.tag), value.value);
  if (value instanceof EncodedCbor) return put((commands) => commands.encoded(bytesOf(value.bytes)));
  if (value instanceof Simple) return put((commands) => writeSimple(commands, checkSimple(value.value)));
  const kind = kindOf(value);
  const writer = WRITERS[kind];
  if (writer !== undefined) return writer(walk, value);
  if (isOpaque(value, kind)) throw unlocated('UNSUPPORTED_VALUE', kind);
  walk.object(value);
}

/**
 * @param {Commands} commands
 * @param {number} value
 */
function writeSimple(commands, value) {
  if (value < 24) commands.put(0xe0 | value);
  else commands.simple(value);
}

/**
 * @param {Commands} commands
 * @param {bigint} value
 */
export function writeBigint(commands, value) {
  const argument = argumentOf(value);
  if (argument <= MAX_UINT64) commands.head64(value < 0n ? 0x20 : 0, argument);
  else commands.bignum(value < 0n, magnitudeOf(argument));
}
