// What struct() is told, checked and in one form: types, fields, and how they are written.
import { MODES } from './abi.js';
import { folded, foldsOf } from './case-folding.js';
import { rangeError, typeError } from './errors.js';

/** @typedef {import('./commands.js').Mode} Mode */

/** The types that have a name. */
export const SCALARS = /** @type {const} */ ([
  'int', 'uint', 'float', 'bool', 'text', 'bytes', 'bigint', 'date', 'cid', 'any', 'deferred',
]);

/** @typedef {typeof SCALARS[number]} ScalarName */

/**
 * A type, as struct() takes it: the name of one; an array of one type, `['text']`, for arrays of it; a struct; a function
 * that returns a type, for structs that hold themselves; or an object with a `type` and further properties.
 * @typedef {ScalarName | readonly [any] | import('./struct.js').Struct<any> | (() => any) | FieldDescription} Description
 */

/**
 * @typedef {object} FieldDescription
 * @property {any} type a Description, or 'array' (with `items`) or 'map' (with `values`, and `keys` unless they are text)
 * @property {any} [items] the type of an array's items
 * @property {'text' | 'int' | 'uint' | 'bytes'} [keys] the type of a map's keys; a map with text keys is an object, with
 *   others a Map
 * @property {any} [values] the type of a map's values
 * @property {boolean} [optional] the field may be absent: undefined, or no property at all
 * @property {boolean} [nullable] the value may be null
 * @property {unknown} [default] what an absent field is read as, and undefined is written as
 * @property {string | number} [name] the key of the field where that is not the property's name; integers for COSE and
 *   the like
 * @property {number} [maxLength] bytes of text, byte strings and deferred items, items of arrays, pairs of maps, bytes of a
 *   bigint
 * @property {number} [length] exactly so many of those
 */

/**
 * @typedef {object} StructOptions
 * @property {'map' | 'tuple'} [representation] a map by the fields' names (the default), or an array in the order of the
 *   fields, where those at the end may be optional
 * @property {boolean} [sortKeys] keys in the order of their encoded bytes (RFC 8949, section 4.2.1), instead of as declared;
 *   modes that sort do so in any case
 * @property {'none' | 'camel' | 'snake' | 'kebab' | 'upper'} [naming] how keys are made of property names
 * @property {boolean} [caseInsensitive] keys are read in any casing (Unicode simple case folding)
 * @property {'skip' | 'error' | 'keep'} [unknown] keys that no field has are skipped (the default), an error, or kept as
 *   properties of their own
 * @property {Mode} [mode] for both ways; lax by default for what is written, strict for what is read
 * @property {number} [maxDepth] 1000 by default
 * @property {boolean} [codeGeneration] objects are made and read by generated code, which is faster; a page needs
 *   `'unsafe-eval'` in its content-security policy for it
 * @property {number} [maxTextLength] the maxLength, in bytes, of text that has none of its own
 * @property {number} [maxBytesLength] likewise of byte strings
 * @property {number} [maxArrayLength] likewise of arrays and maps, in items or pairs
 */

/** @typedef {Required<Omit<StructOptions, 'mode'>> & { mode: Mode | undefined }} CheckedStructOptions */

/** More than any length. */
export const NO_LIMIT = 2 ** 31 - 1;

/** How many functions may stand between a field and its type. */
const MOST_FUNCTIONS = 100;

/** @type {CheckedStructOptions} */
const DEFAULTS = Object.freeze({
  representation: 'map',
  sortKeys: false,
  naming: 'none',
  caseInsensitive: false,
  unknown: 'skip',
  mode: undefined,
  maxDepth: 1000,
  codeGeneration: false,
  maxTextLength: NO_LIMIT,
  maxBytesLength: NO_LIMIT,
  maxArrayLength: NO_LIMIT,
});

/** @type {Record<string, readonly string[]>} */
const CHOICES = {
  representation: ['map', 'tuple'],
  naming: ['none', 'camel', 'snake', 'kebab', 'upper'],
  unknown: ['skip', 'error', 'keep'],
  mode: Object.keys(MODES),
};

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkLength(name, value) {
  if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', `${name} must be a number`);
  if (!Number.isInteger(value) || value < 0 || value > NO_LIMIT) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
  return value;
}

/**
 * @param {StructOptions | undefined} options
 * @returns {CheckedStructOptions}
 */
export function checkStructOptions(options) {
  if (options === undefined) return DEFAULTS;
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  /** @type {Record<string, unknown>} */
  const checked = { ...DEFAULTS };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw typeError('UNKNOWN_OPTION', name);
    if (value === undefined) continue;
    if (name in CHOICES) {
      if (typeof value !== 'string') throw typeError('ARGUMENT_TYPE', `${name} must be a string`);
      if (!CHOICES[name].includes(value)) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
    } else if (name.startsWith('max')) {
      checkLength(name, value);
    } else if (typeof value !== 'boolean') {
      throw typeError('ARGUMENT_TYPE', `${name} must be a boolean`);
    }
    checked[name] = value;
  }
  return /** @type {CheckedStructOptions} */ (/** @type {unknown} */ (checked));
}

/** A type in its one form. */
export class Type {
  /** @param {ScalarName | 'array' | 'map' | 'struct' | 'later'} kind */
  constructor(kind) {
    this.kind = kind;
    this.nullable = false;
    this.maxLength = NO_LIMIT;
    this.minLength = 0;
    /** Whether a map's keys are sorted where the mode does not do so itself. */
    this.sortsKeys = false;
    /** Of an array's items or a map's values. @type {Type | undefined} */
    this.items = undefined;
    /** @type {'text' | 'int' | 'uint' | 'bytes'} */
    this.keys = 'text';
    /** @type {import('./struct.js').Struct<any> | undefined} */
    this.struct = undefined;
    /** What says the type once it is needed. @type {(() => Type) | undefined} */
    this.later = undefined;
    /** What was said beside that, and holds for whatever type it is. @type {Partial<Type>} */
    this.said = {};
  }

  /**
   * Says more of the type.
   * @param {Partial<Type>} more
   */
  say(more) {
    Object.assign(this, more);
    Object.assign(this.said, more);
  }

  /** The type itself, when it has been said by a function, or by a function that this one returned. */
  resolve() {
    for (let i = 0; this.kind === 'later'; i++) {
      if (i === MOST_FUNCTIONS) throw typeError('ARGUMENT_TYPE', 'a function that should return a type goes on returning functions');
      const resolved = /** @type {() => Type} */ (this.later)();
      const said = { ...resolved.said, ...this.said };
      Object.assign(this, resolved, said, { said });
    }
    return this;
  }
}

/** One field of a struct. */
export class Field {
  /**
   * @param {string} property
   * @param {string | number} key
   * @param {Type} type
   */
  constructor(property, key, type) {
    this.property = property;
    this.key = key;
    this.type = type;
    this.optional = false;
    this.hasDefault = false;
    /** @type {unknown} */
    this.default = undefined;
  }
}

/** What a description may say beside its type. */
const TYPE_PROPERTIES = new Set(['type', 'nullable', 'maxLength', 'length']);

/** What only a field's may say. */
const FIELD_PROPERTIES = new Set(['optional', 'default', 'name']);

/** What only the description of some type may say. @type {Record<string, string>} */
const PROPERTY_OF = { __proto__: /** @type {any} */ (null), items: 'array', keys: 'map', values: 'map' };

/** What has a length, and what may turn out to have one. */
const WITH_LENGTH = new Set(['text', 'bytes', 'deferred', 'bigint', 'array', 'map', 'later']);

/**
 * @param {unknown} description
 * @param {string} where for messages
 * @param {CheckedStructOptions} options
 * @param {(value: unknown) => any} asStruct the struct that a value is, or undefined
 * @returns {Type}
 */
export function typeOf(description, where, options, asStruct) {
  if (typeof description === 'string') {
    if (!SCALARS.includes(/** @type {ScalarName} */ (description))) throw typeError('ARGUMENT_TYPE', `${where}: there is no type ${description}`);
    return limited(new Type(/** @type {ScalarName} */ (description)), options);
  }
  if (typeof description === 'function') {
    const type = new Type('later');
    type.later = () => typeOf(description(), where, options, asStruct);
    return type;
  }
  if (Array.isArray(description)) {
    if (description.length !== 1) throw typeError('ARGUMENT_TYPE', `${where}: an array of types has one type`);
    return arrayOf(description[0], where, options, asStruct);
  }
  if (description === null || typeof description !== 'object') throw typeError('ARGUMENT_TYPE', `${where}: a type is expected`);
  const struct = asStruct(description);
  if (struct !== undefined) {
    const type = new Type('struct');
    type.struct = struct;
    return type;
  }
  return describedType(/** @type {FieldDescription} */ (description), where, options, asStruct);
}

/**
 * @param {unknown} items
 * @param {string} where
 * @param {CheckedStructOptions} options
 * @param {(value: unknown) => any} asStruct
 */
function arrayOf(items, where, options, asStruct) {
  const type = new Type('array');
  type.items = typeOf(items, `${where}[]`, options, asStruct);
  return limited(type, options);
}

/**
 * @param {Type} type
 * @param {CheckedStructOptions} options
 */
function limited(type, options) {
  if (type.kind === 'text') type.maxLength = options.maxTextLength;
  else if (type.kind === 'bytes' || type.kind === 'deferred') type.maxLength = options.maxBytesLength;
  else if (type.kind === 'array' || type.kind === 'map') type.maxLength = options.maxArrayLength;
  type.sortsKeys = type.kind === 'map' && options.sortKeys;
  return type;
}

/**
 * @param {FieldDescription} description
 * @param {string} where
 * @param {CheckedStructOptions} options
 * @param {(value: unknown) => any} asStruct
 */
function describedType(description, where, options, asStruct) {
  for (const [property, value] of Object.entries(description)) {
    const isIts = TYPE_PROPERTIES.has(property) || PROPERTY_OF[property] === description.type;
    if (!isIts && value !== undefined) throw typeError('UNKNOWN_OPTION', `${where}: ${property}`);
  }
  if (!Object.hasOwn(description, 'type')) throw typeError('ARGUMENT_TYPE', `${where}: no type`);
  const { type: named, items, keys, values, nullable, maxLength, length } = description;
  /** @type {Type} */
  let type;
  if (named === 'array') {
    type = arrayOf(items, where, options, asStruct);
  } else if (named === 'map') {
    type = limited(new Type('map'), options);
    type.items = typeOf(values, `${where}{}`, options, asStruct);
    if (keys !== undefined) {
      if (!['text', 'int', 'uint', 'bytes'].includes(keys)) throw typeError('ARGUMENT_TYPE', `${where}: keys: ${String(keys)}`);
      type.keys = keys;
    }
  } else {
    type = typeOf(named, where, options, asStruct);
  }
  if (isTrue(`${where}: nullable`, nullable)) type.say({ nullable: true });
  if (maxLength === undefined && length === undefined) return type;
  if (!WITH_LENGTH.has(type.kind)) throw typeError('ARGUMENT_TYPE', `${where}: the type has no length`);
  if (maxLength !== undefined) type.say({ maxLength: checkLength(`${where}: maxLength`, maxLength) });
  if (length !== undefined) {
    const exactly = checkLength(`${where}: length`, length);
    if (exactly > (maxLength ?? exactly)) throw rangeError('OPTION_OUT_OF_RANGE', `${where}: length: ${exactly} is more than maxLength`);
    type.say({ minLength: exactly, maxLength: exactly });
  }
  return type;
}

/**
 * @param {string} name
 * @param {unknown} value a boolean, or undefined for false
 */
function isTrue(name, value) {
  if (value !== undefined && typeof value !== 'boolean') throw typeError('ARGUMENT_TYPE', `${name} must be a boolean`);
  return value === true;
}

/**
 * @param {string} property
 * @param {unknown} description
 * @param {CheckedStructOptions} options
 * @param {(value: unknown) => any} asStruct
 */
function fieldOf(property, description, options, asStruct) {
  const isPlain = typeof description !== 'object' || description === null || Array.isArray(description) || asStruct(description) !== undefined;
  const said = isPlain ? [] : Object.entries(description);
  const type = isPlain ? description : Object.fromEntries(said.filter(([name]) => !FIELD_PROPERTIES.has(name)));
  const field = new Field(property, named(property, options.naming), typeOf(type, property, options, asStruct));
  if (isPlain) return field;
  const { optional, name, default: fallback } = /** @type {FieldDescription} */ (description);
  field.optional = isTrue(`${property}: optional`, optional);
  if (fallback !== undefined) {
    field.hasDefault = true;
    field.default = fallback;
  }
  if (typeof name === 'string' || Number.isSafeInteger(name)) field.key = /** @type {string | number} */ (name);
  else if (name !== undefined) throw typeError('ARGUMENT_TYPE', `${property}: a name is a string or an integer`);
  return field;
}

/**
 * The key that a naming policy makes of a property's name.
 * @param {string} property
 * @param {CheckedStructOptions['naming']} naming
 */
export function named(property, naming) {
  if (naming === 'none') return property;
  if (naming === 'upper') return property.toUpperCase();
  const words = property.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\s_-]+|\p{Lu}/gu) ?? [property];
  if (naming !== 'camel') return words.join(naming === 'snake' ? '_' : '-').toLowerCase();
  return words.map((word, i) => (i === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1).toLowerCase())).join('');
}

/**
 * The fields of a struct, in their order.
 * @param {unknown} description
 * @param {CheckedStructOptions} options
 * @param {(value: unknown) => any} asStruct
 * @returns {Field[]}
 */
export function fieldsOf(description, options, asStruct) {
  if (description === null || typeof description !== 'object' || Array.isArray(description)) {
    throw typeError('ARGUMENT_TYPE', 'fields must be an object');
  }
  const fields = Object.entries(description).map(([property, field]) => fieldOf(property, field, options, asStruct));
  if (options.representation === 'tuple') checkTuple(fields, options);
  else checkKeys(fields, options);
  return fields;
}

/**
 * @param {Field[]} fields
 * @param {CheckedStructOptions} options
 */
function checkKeys(fields, { caseInsensitive, mode }) {
  const texts = fields.flatMap(({ key }) => (typeof key === 'string' ? key : []));
  const folds = caseInsensitive ? foldsOf(texts) : undefined;
  const seen = new Set();
  for (const { property, key } of fields) {
    if (typeof key === 'number' && mode === 'dag-cbor') throw rangeError('OPTION_OUT_OF_RANGE', `${property}: keys of mode dag-cbor are text`);
    const compared = folds !== undefined && typeof key === 'string' ? folded(key, folds) : key;
    if (seen.has(compared)) throw rangeError('OPTION_OUT_OF_RANGE', `${property}: another field has the key ${key}`);
    seen.add(compared);
  }
}

/**
 * @param {Field[]} fields
 * @param {CheckedStructOptions} options
 */
function checkTuple(fields, { naming, caseInsensitive, unknown }) {
  const isOfKeys = { naming: naming !== 'none', caseInsensitive, unknown: unknown === 'keep' };
  for (const [name, isSet] of Object.entries(isOfKeys)) {
    if (isSet) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: a tuple has no keys`);
  }
  let mayBeAbsent = false;
  for (const { property, optional } of fields) {
    if (mayBeAbsent && !optional) throw rangeError('OPTION_OUT_OF_RANGE', `${property}: only fields at the end of a tuple may be optional`);
    mayBeAbsent ||= optional;
  }
}
