// The options of CborReader and validate: checked once, before anything is read.
import { rangeError } from './errors.js';
import { checkedOptions, isBoolean, isCount, isMode } from './options.js';

/** @typedef {import('./commands.js').Mode} Mode */

/**
 * @template {string} Flag
 * @param {unknown} options
 * @param {Readonly<Record<Flag, boolean>>} flags the options that are booleans, and what they are unless given
 * @returns {{ mode: Mode, maxDepth: number } & Record<Flag, boolean>}
 */
export function checkReadOptions(options, flags) {
  /** @type {Record<string, import('./options.js').Check>} */
  const checks = { mode: isMode, maxDepth: isCount };
  for (const name of Object.keys(flags)) checks[name] = isBoolean;
  /** @type {Record<string, unknown>} */
  const defaults = { mode: 'strict', maxDepth: 1000, ...flags };
  const checked = checkedOptions(options, defaults, checks);
  if (checked.mode === 'dag-cbor' && checked.allowMultipleRoots) {
    throw rangeError('OPTION_OUT_OF_RANGE', 'allowMultipleRoots: dag-cbor has one root');
  }
  return /** @type {any} */ (checked);
}
