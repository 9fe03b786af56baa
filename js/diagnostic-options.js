// The options of what shows documents and encodes them again.
import { rangeError } from './errors.js';
import { checkedOptions, isBoolean, isCount, isMode, isOneOf } from './options.js';

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

const MAX_INDENT = 16;

/** @type {Readonly<Checked>} */
const DEFAULTS = Object.freeze({
  indent: 0, indicators: 'auto', sequence: false, embedded: false, strict: false, maxDepth: 1000, mode: undefined,
});

/** @type {import('./options.js').Check} */
function isIndent(name, value) {
  const indent = /** @type {number} */ (isCount(name, value));
  if (indent > MAX_INDENT) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${indent}`);
  return indent;
}

const CHECKS = {
  indent: isIndent,
  indicators: isOneOf(['auto', 'always', 'never']),
  sequence: isBoolean,
  embedded: isBoolean,
  strict: isBoolean,
  maxDepth: isCount,
  mode: isMode,
};

/**
 * @param {unknown} options
 * @param {readonly (keyof Checked)[]} known the options of the call
 * @returns {Checked}
 */
export function checkDiagnosticOptions(options, known) {
  const checks = Object.fromEntries(known.map((name) => [name, CHECKS[name]]));
  return checkedOptions(options, DEFAULTS, /** @type {Record<keyof Checked, import('./options.js').Check>} */ (checks));
}
