// struct(): a description of a type, compiled once, and what it writes and reads.
import { Contexts } from './contexts.js';
import { checkOptions } from './encode-options.js';
import { takeInto, takeResult, write } from './encoder.js';
import { CborError } from './errors.js';
import { Layout, readerOf } from './struct-decode.js';
import { StructWriter } from './struct-encode.js';
import { checkStructOptions, fieldsOf } from './struct-fields.js';

/** @typedef {import('./struct-fields.js').Description} Description */
/** @typedef {import('./struct-fields.js').StructOptions} StructOptions */
/** @typedef {import('./struct-fields.js').CheckedStructOptions} CheckedStructOptions */

/**
 * A type that was compiled by `struct`.
 * @template T the type of its values
 */
export class Struct {
  /**
   * @internal
   * @param {Readonly<Record<string, Description>>} description
   * @param {CheckedStructOptions} checked
   */
  constructor(description, checked) {
    /** @internal */
    this.options = checked;
    /** @internal */
    this.fields = fieldsOf(description, checked, (value) => (value instanceof Struct ? value : undefined));
    /** @internal */
    this.writer = new StructWriter(this.fields, checked);
    /** @internal */
    this.layout = new Layout(this);
    /** @internal */
    this.reader = readerOf(this);
    /** @internal */
    this.encodeOptions = checkOptions({ mode: checked.mode ?? 'lax', maxDepth: checked.maxDepth });
    /**
     * @internal
     * @param {unknown} value
     */
    this.put = (value) => this.writer.put(value);
  }

  /**
   * Encodes a value of this type.
   * @param {T} value
   * @returns {Uint8Array<ArrayBuffer>}
   * @throws {CborError} with a `path`: ERR_CBOR_TYPE_MISMATCH, ERR_CBOR_MISSING_FIELD, ERR_CBOR_VALUE_OUT_OF_RANGE,
   *   ERR_CBOR_LIMIT_EXCEEDED, ERR_CBOR_INVALID_CID, and what `encode` fails with
   */
  encode(value) {
    return write(value, this.encodeOptions, takeResult, this.put);
  }

  /**
   * Like `encode`, but to the beginning of `target`.
   * @param {T} value
   * @param {Uint8Array} target
   * @returns {number} the bytes written
   * @throws {RangeError} ERR_CBOR_DEST_TOO_SMALL, with nothing written, when it is too short
   */
  encodeInto(value, target) {
    return write(value, this.encodeOptions, takeInto(target), this.put);
  }

  /**
   * Decodes a value of this type.
   * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes exactly one item
   * @returns {T} its properties are in the order of the fields; absent fields have their defaults, or are no properties
   * @throws {CborError} with an `offset`, and a `path` of keys as they stand in the document: ERR_CBOR_TYPE_MISMATCH,
   *   ERR_CBOR_OVERFLOW, ERR_CBOR_MISSING_FIELD, ERR_CBOR_UNKNOWN_FIELD, ERR_CBOR_WRONG_COUNT, ERR_CBOR_LIMIT_EXCEEDED,
   *   ERR_CBOR_INVALID_CID, and what `decode` fails with
   */
  decode(bytes) {
    return this.reader.decode(bytes);
  }

  /**
   * Whether a value is of this type: whether `encode` takes it.
   * @param {unknown} value
   * @returns {value is T}
   */
  is(value) {
    try {
      write(value, this.encodeOptions, () => undefined, this.put);
      return true;
    } catch (error) {
      if (error instanceof CborError || (error instanceof TypeError && 'code' in error)) return false;
      throw error;
    }
  }
}

/**
 * The type of the values of a described type.
 * @template D
 * @typedef {D extends Struct<infer T> ? T
 *   : D extends { readonly type: infer T, readonly nullable: true } ? TypeOf<Omit<D, 'nullable'>> | null
 *   : D extends { readonly type: 'array', readonly items: infer I } ? TypeOf<I>[]
 *   : D extends { readonly type: 'map', readonly keys: 'int' | 'uint', readonly values: infer V } ? Map<number | bigint, TypeOf<V>>
 *   : D extends { readonly type: 'map', readonly keys: 'bytes', readonly values: infer V } ? Map<Uint8Array, TypeOf<V>>
 *   : D extends { readonly type: 'map', readonly values: infer V } ? Record<string, TypeOf<V>>
 *   : D extends { readonly type: infer T } ? TypeOf<T>
 *   : D extends 'int' | 'uint' ? number | bigint
 *   : D extends 'float' ? number
 *   : D extends 'bool' ? boolean
 *   : D extends 'text' ? string
 *   : D extends 'bytes' | 'cid' ? Uint8Array
 *   : D extends 'bigint' ? bigint
 *   : D extends 'date' ? Date
 *   : D extends 'deferred' ? import('./values.js').EncodedCbor
 *   : D extends readonly [infer I] ? TypeOf<I>[]
 *   : D extends () => infer R ? TypeOf<R>
 *   : unknown} TypeOf
 */

/**
 * The type of the values of described fields.
 * @template F
 * @typedef {{ -readonly [K in keyof F as F[K] extends { readonly optional: true } ? never : K]: TypeOf<F[K]> }
 *   & { -readonly [K in keyof F as F[K] extends { readonly optional: true } ? K : never]?: TypeOf<F[K]> }} ValueOf
 */

/**
 * Compiles the description of a type: what its fields are, and how they are written. Encoding then writes only values, and
 * decoding picks fields by name inside the module, whatever else the document holds.
 *
 *     const Person = struct({
 *       id: 'uint', name: 'text', tags: ['text'], home: Address, raw: 'deferred',
 *       note: { type: 'text', optional: true, name: 'n', maxLength: 80 },
 *     }, { sortKeys: true, naming: 'camel', caseInsensitive: true });
 *
 * Types: 'int' (64 bits, signed) and 'uint', numbers where they are safe integers, else bigints; 'float', 'bool', 'text',
 * 'bytes', 'bigint' (any size), 'date' (tag 1), 'cid' (tag 42, its bytes without the leading 00), 'any' (whatever `encode` and
 * `decode` take), 'deferred' (an item that stays encoded, an EncodedCbor); `[type]` for arrays, `{ type: 'map', values }` for
 * maps, other structs, and functions that return a type.
 *
 * @template {Readonly<Record<string, Description>>} const F
 * @param {F} fields types by property; where a type needs to say more it is an object with a `type`
 * @param {StructOptions} [options]
 * @returns {Struct<ValueOf<F>>} the same for equal descriptions, as long as it is in use
 * @throws {TypeError} ERR_CBOR_ARGUMENT_TYPE, ERR_CBOR_UNKNOWN_OPTION
 * @throws {RangeError} ERR_CBOR_OPTION_OUT_OF_RANGE
 */
export function struct(fields, options) {
  const checked = checkStructOptions(options);
  return contexts.get([fields, checked], () => new Struct(fields, checked));
}

/** @type {Contexts<Struct<any>>} */
const contexts = new Contexts();
