// The options of what shows documents and encodes them again.
import { MODES } from './abi.js';
import { rangeError, typeError } from './errors.js';

/**
 * @typedef {object} Checked
 * @property {number} indent
 * @property {'auto' | 'always' | 'never'} indicators
 * @property {boolean} sequence
 * @property {boolean} embedded
 * @property {boolean} strict
 * @property {number} maxDepth
 * @property {import('./encode-options.js').Mode | undefined} mode
 */

/** @type {Readonly<Checked>} */
const DEFAULTS = Object.freeze({
  indent: 0, indicators: 'auto', sequence: false, embedded: false, strict: false, maxDepth: 1000, mode: undefined,
});

/** @type {Record<string, readonly string[]>} */
const CHOICES = { indicators: ['auto', 'always', 'never'], mode: Object.keys(MODES) };
/** @type {Record<string, number>} */
const NUMBERS = { indent: 16, maxDepth: 2 ** 31 - 1 };

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkOption(name, value) {
  if (Object.hasOwn(CHOICES, name)) {
    if (typeof value !== 'string') throw typeError('ARGUMENT_TYPE', `${name} must be a string`);
    if (!CHOICES[name].includes(value)) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
  } else if (Object.hasOwn(NUMBERS, name)) {
    if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', `${name} must be a number`);
    if (!Number.isInteger(value) || value < 0 || value > NUMBERS[name]) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
  } else if (typeof value !== 'boolean') {
    throw typeError('ARGUMENT_TYPE', `${name} must be a boolean`);
  }
}

/**
 * @param {unknown} options
 * @param {readonly string[]} known the options of the call
 * @returns {Checked}
 */
export function checkDiagnosticOptions(options, known) {
  if (options === undefined) return DEFAULTS;
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  /** @type {Record<string, unknown>} */
  const checked = { ...DEFAULTS };
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw typeError('UNKNOWN_OPTION', name);
    if (value === undefined) continue;
    checkOption(name, value);
    checked[name] = value;
  }
  return /** @type {Checked} */ (/** @type {unknown} */ (checked));
}
