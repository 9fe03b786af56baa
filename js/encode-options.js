// The options of encode, Encoder and encodeSequence: checked once, before anything is written.
import { Contexts, Recent } from './contexts.js';
import { rangeError, typeError } from './errors.js';
import { checkedOptions, isBoolean, isCount, isKeyMap, isMode, isOneOf } from './options.js';

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

/**
 * @param {string} _
 * @param {unknown} value
 */
function areEncoders(_, value) {
  if (!Array.isArray(value)) throw typeError('ARGUMENT_TYPE', 'encoders must be an array of [class, function]');
  return value.map((entry) => {
    const [constructor, encoder] = Array.isArray(entry) ? entry : [];
    if (typeof constructor !== 'function' || typeof encoder !== 'function') {
      throw typeError('ARGUMENT_TYPE', 'encoders must be an array of [class, function]');
    }
    return [constructor, encoder];
  });
}

const CHECKS = {
  mode: isMode,
  maxDepth: isCount,
  ignoreUndefined: isBoolean,
  dates: isOneOf(['unix', 'text']),
  typedArrays: isOneOf(['tagged', 'array']),
  toJSON: isBoolean,
  encoders: areEncoders,
  keyMap: isKeyMap,
  floats: isOneOf(['shortest', 'double']),
  unsupported: isOneOf(['error', 'skip']),
  sharedReferences: isBoolean,
};

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
  const checked = checkedOptions(options, DEFAULTS, CHECKS);
  // Where keys are sorted, what is referred to would change its number.
  if (checked.sharedReferences && checked.mode !== 'lax' && checked.mode !== 'strict') {
    throw rangeError('OPTION_OUT_OF_RANGE', `sharedReferences: not in mode ${checked.mode}`);
  }
  return contexts.get(checked, () => Object.freeze(checked));
}
