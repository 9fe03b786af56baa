// The options of encode, Encoder and encodeSequence: checked once, before anything is written.
import { MODES } from './abi.js';
import { Contexts, Recent } from './contexts.js';
import { rangeError, typeError } from './errors.js';

/** @typedef {import('./commands.js').Mode} Mode */

/**
 * @typedef {object} EncodeOptions
 * @property {Mode} [mode] what is enforced; `'lax'` by default
 * @property {number} [maxDepth] how deep containers may nest, and how many tags and replaced values may stand around
 *   one another; 1000 by default
 * @property {boolean} [ignoreUndefined] properties and entries whose value is undefined are left out
 * @property {'unix' | 'text'} [dates] a Date is seconds since 1970 (tag 1, the default) or text (tag 0)
 * @property {'tagged' | 'array'} [typedArrays] a typed array is an RFC 8746 byte string (the default) or an array of
 *   numbers. A Uint8Array is a byte string without a tag in any case
 * @property {boolean} [toJSON] an object with a `toJSON` method stands for what that returns
 * @property {ReadonlyArray<readonly [Function, (value: any) => unknown]>} [encoders] classes and what stands for their
 *   instances, often a `Tagged`; the first whose instance a value is
 * @property {Readonly<Record<string, number>>} [keyMap] integers that stand for property names and text keys (COSE,
 *   SenML, CTAP2)
 * @property {'shortest' | 'double'} [floats] the width of floating-point numbers, where the mode leaves a choice
 * @property {'error' | 'skip'} [unsupported] functions, symbols and the like are an error (the default), or left out:
 *   undefined in their place in an array, no property, no entry
 * @property {boolean} [sharedReferences] an object that is met again is written as a reference to the first time (tags
 *   28 and 29), so that cyclic values can be written; in lax and strict alone
 */

/**
 * @typedef {object} CheckedOptions
 * @property {Mode} mode
 * @property {number} maxDepth
 * @property {boolean} ignoreUndefined
 * @property {'unix' | 'text'} dates
 * @property {'tagged' | 'array'} typedArrays
 * @property {boolean} toJSON
 * @property {ReadonlyArray<readonly [Function, (value: any) => unknown]>} encoders
 * @property {Map<string, number> | undefined} keyMap
 * @property {'shortest' | 'double'} floats
 * @property {'error' | 'skip'} unsupported
 * @property {boolean} sharedReferences
 */

/** @type {CheckedOptions} */
export const DEFAULTS = Object.freeze({
  mode: 'lax',
  maxDepth: 1000,
  ignoreUndefined: false,
  dates: 'unix',
  typedArrays: 'tagged',
  toJSON: false,
  encoders: [],
  keyMap: undefined,
  floats: 'shortest',
  unsupported: 'error',
  sharedReferences: false,
});

/** @type {Record<string, readonly string[]>} */
const CHOICES = {
  mode: Object.keys(MODES),
  dates: ['unix', 'text'],
  typedArrays: ['tagged', 'array'],
  floats: ['shortest', 'double'],
  unsupported: ['error', 'skip'],
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
    case 'encoders':
      return checkEncoders(value);
    case 'keyMap':
      return checkKeyMap(value);
    default:
      if (typeof value !== 'boolean') throw typeError('ARGUMENT_TYPE', `${name} must be a boolean`);
      return value;
  }
}

/** @param {unknown} value */
function checkEncoders(value) {
  if (!Array.isArray(value)) throw typeError('ARGUMENT_TYPE', 'encoders must be an array of [class, function]');
  return value.map((entry) => {
    const [constructor, encoder] = Array.isArray(entry) ? entry : [];
    if (typeof constructor !== 'function' || typeof encoder !== 'function') {
      throw typeError('ARGUMENT_TYPE', 'encoders must be an array of [class, function]');
    }
    return [constructor, encoder];
  });
}

/** @param {unknown} value */
function checkKeyMap(value) {
  if (value === null || typeof value !== 'object') throw typeError('ARGUMENT_TYPE', 'keyMap must be an object');
  const entries = Object.entries(value);
  for (const [name, key] of entries) {
    if (typeof key !== 'number') throw typeError('ARGUMENT_TYPE', `keyMap: ${name} must be a number`);
    if (!Number.isSafeInteger(key) || Object.is(key, -0)) throw rangeError('OPTION_OUT_OF_RANGE', `keyMap: ${name}: ${key}`);
  }
  if (new Set(entries.map(([, key]) => key)).size !== entries.length) {
    throw rangeError('OPTION_OUT_OF_RANGE', 'keyMap: two names have the same key');
  }
  return new Map(entries);
}

/** @type {Contexts<CheckedOptions>} */
const contexts = new Contexts();
/** @type {Recent<CheckedOptions>} */
const recent = new Recent();
contexts.get(DEFAULTS, () => DEFAULTS);

/**
 * @param {EncodeOptions | undefined} options
 * @returns {CheckedOptions} the same for equal options
 */
export function checkOptions(options) {
  if (options === undefined) return DEFAULTS;
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  return recent.find(options) ?? recent.keep(options, checkAll(options));
}

/**
 * @param {EncodeOptions} options
 * @returns {CheckedOptions}
 */
function checkAll(options) {
  /** @type {Record<string, unknown>} */
  const checked = { ...DEFAULTS };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw typeError('UNKNOWN_OPTION', name);
    if (value !== undefined) checked[name] = checkOption(name, value);
  }
  // Where keys are sorted, what is referred to would change its number.
  if (checked.sharedReferences && checked.mode !== 'lax' && checked.mode !== 'strict') {
    throw rangeError('OPTION_OUT_OF_RANGE', `sharedReferences: not in mode ${checked.mode}`);
  }
  return contexts.get(checked, () => /** @type {CheckedOptions} */ (/** @type {unknown} */ (Object.freeze(checked))));
}
