// The options of what shows documents and encodes them again.
import { checkedOptions, isBoolean, isCount, isMode, isOneOf, isWithin } from './options.js';

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

const CHECKS = {
  indent: isWithin(0, 16),
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
