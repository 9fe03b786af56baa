// The options of decode, Decoder, decodeFirst and decodeSequence: checked once, before anything is read.
import { MODES } from './abi.js';
import { Contexts, Recent } from './contexts.js';
import { rangeError, typeError } from './errors.js';

/** @typedef {import('./commands.js').Mode} Mode */

/**
 * @typedef {object} Limits
 * @property {number} [items] items of the document, containers, keys and tags included; no limit by default
 * @property {number} [textLength] bytes of UTF-8 of one text string, its chunks together; no limit by default
 * @property {number} [bytesLength] bytes of one byte string, its chunks together; no limit by default
 * @property {number} [bignumLength] bytes of a bignum; 1,048,576 by default
 * @property {number} [memory] how many times the size of the input the values may take, by a rough estimate that is on the
 *   high side; inputs of less than 1 KB count as 1 KB; no limit by default
 */

/**
 * @callback TagDecoder what stands for a tagged item
 * @param {any} value what the tag stands on, decoded
 * @param {number | bigint} tag
 * @returns {unknown}
 */

/**
 * @typedef {object} DecodeOptions
 * @property {Mode} [mode] what is enforced; `'strict'` by default
 * @property {number} [maxDepth] how deep containers may nest; 1000 by default
 * @property {'auto' | 'map'} [maps] a map all of whose keys are text is an object, any other a Map (`'auto'`, the default);
 *   or all are a Map
 * @property {'bigint' | 'number' | 'error'} [integers] what integers beyond ±(2^53 - 1) become: bigints (the default),
 *   numbers, which are not exact, or an error
 * @property {'copy' | 'view'} [byteStrings] a byte string has memory of its own (the default), or is a view of the input
 * @property {Readonly<Record<number, TagDecoder>> | ReadonlyMap<number | bigint, TagDecoder>} [tags] functions that decode
 *   tags, ahead of what the package does with them. The document has been validated before the first one is called
 * @property {Readonly<Record<string, number>>} [keyMap] names that integer keys of maps become, as in `encode`
 * @property {boolean} [replaceInvalidText] in lax, ill-formed UTF-8 becomes U+FFFD instead of being refused
 * @property {boolean} [codeGeneration] objects of shapes that come again are made by generated code, which is faster; a
 *   page needs `'unsafe-eval'` in its content-security policy for it
 * @property {Limits} [limits] of the document; a CborError ERR_CBOR_LIMIT_EXCEEDED beyond
 */

/**
 * @typedef {object} CheckedOptions
 * @property {Mode} mode
 * @property {number} maxDepth
 * @property {'auto' | 'map'} maps
 * @property {'bigint' | 'number' | 'error'} integers
 * @property {'copy' | 'view'} byteStrings
 * @property {Map<number | bigint, TagDecoder> | undefined} tags
 * @property {Map<number, string> | undefined} keyMap
 * @property {boolean} replaceInvalidText
 * @property {boolean} codeGeneration
 * @property {Required<Limits>} limits
 */

/** @type {Required<Limits>} */
const NO_LIMITS = Object.freeze({
  items: Infinity,
  textLength: Infinity,
  bytesLength: Infinity,
  bignumLength: 2 ** 20,
  memory: Infinity,
});

/** @type {CheckedOptions} */
export const DEFAULTS = Object.freeze({
  mode: 'strict',
  maxDepth: 1000,
  maps: 'auto',
  integers: 'bigint',
  byteStrings: 'copy',
  tags: undefined,
  keyMap: undefined,
  replaceInvalidText: false,
  codeGeneration: false,
  limits: NO_LIMITS,
});

/** @type {Record<string, readonly string[]>} */
const CHOICES = {
  mode: Object.keys(MODES),
  maps: ['auto', 'map'],
  integers: ['bigint', 'number', 'error'],
  byteStrings: ['copy', 'view'],
};

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {unknown}
 */
function checkOption(name, value) {
  if (name in CHOICES) {
    if (typeof value !== 'string') throw typeError('ARGUMENT_TYPE', `${name} must be a string`);
    if (!CHOICES[name].includes(value)) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
    return value;
  }
  switch (name) {
    case 'maxDepth':
      if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', 'maxDepth must be a number');
      if (!Number.isInteger(value) || value < 0 || value >= 2 ** 31) throw rangeError('OPTION_OUT_OF_RANGE', `maxDepth: ${value}`);
      return value;
    case 'tags':
      return checkTags(value);
    case 'keyMap':
      return checkKeyMap(value);
    case 'limits':
      return checkLimits(value);
    default:
      if (typeof value !== 'boolean') throw typeError('ARGUMENT_TYPE', `${name} must be a boolean`);
      return value;
  }
}

/** @param {unknown} value */
function checkTags(value) {
  if (value === null || typeof value !== 'object') throw typeError('ARGUMENT_TYPE', 'tags must be an object or a Map');
  const entries = value instanceof Map ? [...value] : Object.entries(value).map(([tag, decoder]) => [Number(tag), decoder]);
  for (const [tag, decoder] of entries) {
    if (typeof decoder !== 'function') throw typeError('ARGUMENT_TYPE', `tags: ${tag} must be a function`);
    if (typeof tag === 'bigint' ? tag < 0n || tag >= 2n ** 64n : !Number.isSafeInteger(tag) || tag < 0) {
      throw rangeError('OPTION_OUT_OF_RANGE', `tags: ${tag}`);
    }
  }
  // A tag that is a safe integer is met as a number.
  return new Map(entries.map(([tag, decoder]) => [tag <= Number.MAX_SAFE_INTEGER ? Number(tag) : tag, decoder]));
}

/** @param {unknown} value */
function checkKeyMap(value) {
  if (value === null || typeof value !== 'object') throw typeError('ARGUMENT_TYPE', 'keyMap must be an object');
  const entries = Object.entries(value);
  for (const [name, key] of entries) {
    if (typeof key !== 'number') throw typeError('ARGUMENT_TYPE', `keyMap: ${name} must be a number`);
    if (!Number.isSafeInteger(key) || Object.is(key, -0)) throw rangeError('OPTION_OUT_OF_RANGE', `keyMap: ${name}: ${key}`);
  }
  const names = new Map(entries.map(([name, key]) => [key, name]));
  if (names.size !== entries.length) throw rangeError('OPTION_OUT_OF_RANGE', 'keyMap: two names have the same key');
  return names;
}

/** @param {unknown} value */
function checkLimits(value) {
  if (value === null || typeof value !== 'object') throw typeError('ARGUMENT_TYPE', 'limits must be an object');
  /** @type {Record<string, number>} */
  const limits = { ...NO_LIMITS };
  for (const [name, limit] of Object.entries(value)) {
    if (!Object.hasOwn(NO_LIMITS, name)) throw typeError('UNKNOWN_OPTION', `limits.${name}`);
    if (limit === undefined) continue;
    if (typeof limit !== 'number') throw typeError('ARGUMENT_TYPE', `limits.${name} must be a number`);
    if (!(limit >= 0)) throw rangeError('OPTION_OUT_OF_RANGE', `limits.${name}: ${limit}`);
    limits[name] = limit;
  }
  return limits;
}

/** @type {Contexts<CheckedOptions>} */
const contexts = new Contexts();
/** @type {Recent<CheckedOptions>} */
const recent = new Recent();
contexts.get(DEFAULTS, () => DEFAULTS);

/**
 * @param {DecodeOptions | undefined} options
 * @returns {CheckedOptions} the same for equal options
 */
export function checkOptions(options) {
  if (options === undefined) return DEFAULTS;
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  return recent.find(options) ?? recent.keep(options, checkAll(options));
}

/**
 * @param {DecodeOptions} options
 * @returns {CheckedOptions}
 */
function checkAll(options) {
  /** @type {Record<string, unknown>} */
  const checked = { ...DEFAULTS };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw typeError('UNKNOWN_OPTION', name);
    if (value !== undefined) checked[name] = checkOption(name, value);
  }
  if (checked.replaceInvalidText && checked.mode !== 'lax') throw rangeError('OPTION_OUT_OF_RANGE', 'replaceInvalidText: in mode lax alone');
  return contexts.get(checked, () => /** @type {CheckedOptions} */ (/** @type {unknown} */ (Object.freeze(checked))));
}
