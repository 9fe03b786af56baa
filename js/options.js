// Options: every name is known, every value of its kind, or it is an error before anything is done.
import { MODES } from './abi.js';
import { rangeError, typeError } from './errors.js';

/** Checks a value, and may put another in its place. @typedef {(name: string, value: unknown) => unknown} Check */

/** @type {Check} */
export function isBoolean(name, value) {
  if (typeof value !== 'boolean') throw typeError('ARGUMENT_TYPE', `${name} must be a boolean`);
  return value;
}

/**
 * A whole number from 0 to 2^31 - 1.
 * @type {Check}
 */
export function isCount(name, value) {
  if (typeof value !== 'number') throw typeError('ARGUMENT_TYPE', `${name} must be a number`);
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 31) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
  return value;
}

/**
 * A whole number within these bounds.
 * @param {number} least
 * @param {number} most
 * @returns {Check}
 */
export function isWithin(least, most) {
  return (name, value) => {
    const count = /** @type {number} */ (isCount(name, value));
    if (count < least || count > most) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${count}`);
    return count;
  };
}

/**
 * @param {readonly string[]} choices
 * @returns {Check}
 */
export function isOneOf(choices) {
  return (name, value) => {
    if (typeof value !== 'string') throw typeError('ARGUMENT_TYPE', `${name} must be a string`);
    if (!choices.includes(value)) throw rangeError('OPTION_OUT_OF_RANGE', `${name}: ${value}`);
    return value;
  };
}

/**
 * Names and the integers that stand for them, no two alike: a Map of them.
 * @param {string} option
 * @param {unknown} value
 */
export function isKeyMap(option, value) {
  if (value === null || typeof value !== 'object') throw typeError('ARGUMENT_TYPE', `${option} must be an object`);
  const entries = Object.entries(value);
  for (const [name, key] of entries) {
    if (typeof key !== 'number') throw typeError('ARGUMENT_TYPE', `${option}: ${name} must be a number`);
    if (!Number.isSafeInteger(key) || Object.is(key, -0)) throw rangeError('OPTION_OUT_OF_RANGE', `${option}: ${name}: ${key}`);
  }
  if (new Set(entries.map(([, key]) => key)).size !== entries.length) {
    throw rangeError('OPTION_OUT_OF_RANGE', `${option}: two names have the same key`);
  }
  return new Map(entries);
}

export const isMode = isOneOf(Object.keys(MODES));

/**
 * Options with what they are where nothing is said; `undefined` says nothing.
 * @template {object} T
 * @param {unknown} options
 * @param {T} defaults
 * @param {Record<keyof T & string, Check>} checks
 * @returns {T}
 */
export function checkedOptions(options, defaults, checks) {
  if (options === undefined) return defaults;
  if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
  const checked = { ...defaults };
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) throw typeError('UNKNOWN_OPTION', name);
    const known = /** @type {keyof T & string} */ (name);
    if (value !== undefined) checked[known] = /** @type {any} */ (checks[known](name, value));
  }
  return checked;
}
