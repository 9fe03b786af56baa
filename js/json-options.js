// The options of jsonToCbor and cborToJson: checked before anything is converted.
import { JSON_BIGNUMS, JSON_BYTES, JSON_INDENT, JSON_KEYS, JSON_ROUND_INTEGERS, MODES } from './abi.js';
import { rangeError, typeError } from './errors.js';

/** @typedef {import('./commands.js').Mode} Mode */

/**
 * @typedef {object} JsonToCborOptions
 * @property {Mode} [mode] what the CBOR keeps to; `'lax'` by default, as for `encode`
 * @property {number} [maxDepth] how deep arrays and objects may nest; 1000 by default
 * @property {number} [maxBytes] how many bytes the text and the result may have at most; no limit by default
 * @property {'exact' | 'double'} [integers] integers beyond ±(2^53 - 1) stay what they are (the default), or become the
 *   doubles that `JSON.parse` makes of them
 */

/**
 * @typedef {object} CborToJsonOptions
 * @property {Mode} [mode] what the CBOR must keep to; `'strict'` by default, as for `decode`
 * @property {number} [maxDepth] how deep arrays and maps may nest; 1000 by default
 * @property {number} [maxBytes] how many bytes the input and the text may have at most; no limit by default
 * @property {'base64url' | 'base64' | 'hex' | 'error'} [bytes] what byte strings become, where no tag 21, 22 or 23 says it:
 *   `'base64url'` by default (RFC 8949, section 6.1)
 * @property {'base64url' | 'number' | 'string' | 'error'} [bignums] what tags 2 and 3 become: base64url with `~` in front of
 *   a negative one's (the default, RFC 8949, section 6.1), or all their digits as a number or a string
 * @property {'error' | 'string'} [keys] map keys other than text are an error (the default), or the strings that their JSON
 *   would be: `1`, `null`, `aGk`; arrays and maps as keys are an error
 * @property {number} [indent] spaces by which what is nested is indented, as in `JSON.stringify`; 0 to 10
 * @property {'string' | 'bytes'} [output] the text as a string (the default) or as bytes of UTF-8
 */

/**
 * @typedef {object} Checked
 * @property {Mode} mode
 * @property {number} maxDepth
 * @property {number} maxNbytes 0 for no limit
 * @property {number} form flags and choices, as the module takes them
 * @property {boolean} asBytes
 */

/** @typedef {{ bit: number, choices: readonly string[] }} Choice */

/** Where each choice stands in `form`. @type {Record<string, Choice>} */
const READ_CHOICES = { integers: { bit: JSON_ROUND_INTEGERS, choices: ['exact', 'double'] } };
/** @type {Record<string, Choice>} */
const WRITE_CHOICES = {
  bytes: { bit: JSON_BYTES, choices: ['base64url', 'base64', 'hex', 'error'] },
  bignums: { bit: JSON_BIGNUMS, choices: ['base64url', 'number', 'string', 'error'] },
  keys: { bit: JSON_KEYS, choices: ['error', 'string'] },
};

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 */
function integer(name, value, least, most) {
  if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', `${name} must be a number`);
  if (!Number.isInteger(value) || value < least || value > most) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
  return value;
}

/**
 * The place of a string among those that an option may be.
 * @param {string} name
 * @param {unknown} value
 * @param {readonly string[]} choices
 */
function choice(name, value, choices) {
  if (typeof value !== 'string') throw typeError('ARGUMENT_TYPE', `${name} must be a string`);
  const index = choices.indexOf(value);
  if (index < 0) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
  return index;
}

/**
 * @param {object} options
 * @param {Readonly<Checked>} defaults
 * @param {Record<string, Choice>} choices
 * @param {boolean} writes whether it is JSON that is written
 */
function check(options, defaults, choices, writes) {
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  const checked = { ...defaults };
  for (const [name, value] of Object.entries(options)) {
    if (Object.hasOwn(choices, name)) {
      if (value !== undefined) checked.form |= choices[name].bit * choice(name, value, choices[name].choices);
    } else if (name === 'mode') {
      if (value !== undefined) checked.mode = /** @type {Mode} */ (Object.keys(MODES)[choice(name, value, Object.keys(MODES))]);
    } else if (name === 'maxDepth') {
      if (value !== undefined) checked.maxDepth = integer(name, value, 0, 2 ** 31 - 1);
    } else if (name === 'maxBytes') {
      if (value !== undefined) checked.maxNbytes = value === Infinity ? 0 : integer(name, value, 1, 2 ** 31 - 1);
    } else if (writes && name === 'indent') {
      if (value !== undefined) checked.form |= JSON_INDENT * integer(name, value, 0, 10);
    } else if (writes && name === 'output') {
      if (value !== undefined) checked.asBytes = choice(name, value, ['string', 'bytes']) === 1;
    } else {
      throw typeError('UNKNOWN_OPTION', name);
    }
  }
  return checked;
}

/** @type {Readonly<Checked>} */
const READ_DEFAULTS = Object.freeze({ mode: 'lax', maxDepth: 1000, maxNbytes: 0, form: 0, asBytes: true });
/** @type {Readonly<Checked>} */
const WRITE_DEFAULTS = Object.freeze({ mode: 'strict', maxDepth: 1000, maxNbytes: 0, form: 0, asBytes: false });

/** @param {JsonToCborOptions | undefined} options */
export function checkReadOptions(options) {
  return options === undefined ? READ_DEFAULTS : check(options, READ_DEFAULTS, READ_CHOICES, false);
}

/** @param {CborToJsonOptions | undefined} options */
export function checkWriteOptions(options) {
  return options === undefined ? WRITE_DEFAULTS : check(options, WRITE_DEFAULTS, WRITE_CHOICES, true);
}
