// The options of decode, Decoder, decodeFirst and decodeSequence: checked once, before anything is read.
import { Contexts, Recent } from './contexts.js';
import { rangeError, typeError } from './errors.js';
import { checkedOptions, isBoolean, isCount, isKeyMap, isMode, isOneOf } from './options.js';

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
 * @property {'copy' | 'view'} [byteStrings] a byte string is copied (the default; see `decode`), or is a view of the input
 * @property {Readonly<Record<number, TagDecoder>> | ReadonlyMap<number | bigint, TagDecoder>} [tags] functions that decode
 *   tags, ahead of what the package does with them. The document has been validated before the first one is called. A CborError
 *   that one throws becomes one of the same code with the place of the tag and the error as its `cause`; other errors pass
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

/**
 * @param {string} _
 * @param {unknown} value
 */
function areTags(_, value) {
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

/**
 * @param {string} option
 * @param {unknown} value
 */
function namesByKey(option, value) {
  return new Map([...isKeyMap(option, value)].map(([name, key]) => [key, name]));
}

/**
 * @param {string} _
 * @param {unknown} value
 */
function areLimits(_, value) {
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

const CHECKS = {
  mode: isMode,
  maxDepth: isCount,
  maps: isOneOf(['auto', 'map']),
  integers: isOneOf(['bigint', 'number', 'error']),
  byteStrings: isOneOf(['copy', 'view']),
  tags: areTags,
  keyMap: namesByKey,
  replaceInvalidText: isBoolean,
  codeGeneration: isBoolean,
  limits: areLimits,
};

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
  const checked = checkedOptions(options, DEFAULTS, CHECKS);
  if (checked.replaceInvalidText && checked.mode !== 'lax') throw rangeError('OPTION_OUT_OF_RANGE', 'replaceInvalidText: in mode lax alone');
  return contexts.get(checked, () => Object.freeze(checked));
}
