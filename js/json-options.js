// The options of jsonToCbor and cborToJson: checked before anything is converted.
import { JSON_BIGNUMS, JSON_BYTES, JSON_INDENT, JSON_KEYS, JSON_ROUND_INTEGERS } from './abi.js';
import { checkedOptions, isCount, isMode, isOneOf, isWithin } from './options.js';

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
 * @property {number} [indent] spaces by which what is nested is indented, as in `JSON.stringify`; 0 to 10. What is nested deep in
 *   short items grows by hundreds of times; `maxBytes` limits it
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

/** @typedef {import('./options.js').Check} Check */

/**
 * One of these, as its place among them.
 * @param {readonly string[]} choices
 * @returns {Check}
 */
function placeIn(choices) {
  const check = isOneOf(choices);
  return (name, value) => choices.indexOf(/** @type {string} */ (check(name, value)));
}

const isSize = isWithin(1, 2 ** 31 - 1);

const COMMON_CHECKS = {
  mode: isMode,
  maxDepth: isCount,
  /** @type {Check} */
  maxBytes: (name, value) => (value === Infinity ? 0 : isSize(name, value)),
};
const READ_CHECKS = { ...COMMON_CHECKS, integers: placeIn(['exact', 'double']) };
const WRITE_CHECKS = {
  ...COMMON_CHECKS,
  bytes: placeIn(['base64url', 'base64', 'hex', 'error']),
  bignums: placeIn(['base64url', 'number', 'string', 'error']),
  keys: placeIn(['error', 'string']),
  indent: isWithin(0, 10),
  output: isOneOf(['string', 'bytes']),
};

const READ_DEFAULTS = Object.freeze({ mode: /** @type {Mode} */ ('lax'), maxDepth: 1000, maxBytes: 0, integers: 0 });
const WRITE_DEFAULTS = Object.freeze({
  mode: /** @type {Mode} */ ('strict'), maxDepth: 1000, maxBytes: 0, bytes: 0, bignums: 0, keys: 0, indent: 0,
  output: /** @type {'string' | 'bytes'} */ ('string'),
});

/**
 * @param {JsonToCborOptions | undefined} options
 * @returns {Checked}
 */
export function checkReadOptions(options) {
  const { mode, maxDepth, maxBytes, integers } = checkedOptions(options, READ_DEFAULTS, READ_CHECKS);
  return { mode, maxDepth, maxNbytes: maxBytes, form: JSON_ROUND_INTEGERS * integers, asBytes: true };
}

/**
 * @param {CborToJsonOptions | undefined} options
 * @returns {Checked}
 */
export function checkWriteOptions(options) {
  const { mode, maxDepth, maxBytes, bytes, bignums, keys, indent, output } = checkedOptions(options, WRITE_DEFAULTS, WRITE_CHECKS);
  const form = JSON_BYTES * bytes | JSON_BIGNUMS * bignums | JSON_KEYS * keys | JSON_INDENT * indent;
  return { mode, maxDepth, maxNbytes: maxBytes, form, asBytes: output === 'bytes' };
}
