// The options of CborReader and validate: checked once, before anything is read.
import { MODES } from './abi.js';
import { rangeError, typeError } from './errors.js';

/** @typedef {keyof typeof MODES} Mode */

const MAX_DEPTH = 2 ** 31 - 1;

/**
 * @template {string} Flag
 * @param {unknown} options
 * @param {Readonly<Record<Flag, boolean>>} flags the options that are booleans, and what they are unless given
 * @returns {{ mode: Mode, maxDepth: number } & Record<Flag, boolean>}
 */
export function checkReadOptions(options, flags) {
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  /** @type {Record<string, unknown>} */
  const checked = { mode: 'strict', maxDepth: 1000, ...flags };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checked, name)) throw typeError('UNKNOWN_OPTION', name);
    if (value !== undefined) checked[name] = value;
  }
  for (const name of Object.keys(flags)) {
    if (typeof checked[name] !== 'boolean') throw typeError('ARGUMENT_TYPE', `${name} must be a boolean`);
  }
  const { mode, maxDepth } = checked;
  if (typeof maxDepth !== 'number') throw typeError('ARGUMENT_TYPE', 'maxDepth must be a number');
  if (!Number.isInteger(maxDepth) || maxDepth < 0 || maxDepth > MAX_DEPTH) throw rangeError('OPTION_OUT_OF_RANGE', `maxDepth: ${maxDepth}`);
  if (typeof mode !== 'string') throw typeError('ARGUMENT_TYPE', 'mode must be a string');
  if (!Object.hasOwn(MODES, mode)) throw rangeError('OPTION_OUT_OF_RANGE', `mode: ${mode}`);
  if (mode === 'dag-cbor' && checked.allowMultipleRoots) {
    throw rangeError('OPTION_OUT_OF_RANGE', 'allowMultipleRoots: dag-cbor has one root');
  }
  return /** @type {any} */ (checked);
}
