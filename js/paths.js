// Where in a value something is wrong: errors whose paths grow step by step on the way out of it.
import { CborError } from './errors.js';

/**
 * An error of the value that the walk stands at; its path grows step by step on the way out.
 * @param {string} name
 * @param {string} detail
 */
export function unlocated(name, detail) {
  const error = new CborError(name, { detail });
  error.path = '';
  return error;
}

/**
 * The step of a path to a property. No RegExp: errors come where the stack ends, too, and V8 gives up altogether when it
 * has to compile one there.
 * @param {string} key
 */
function property(key) {
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i) | 0x20;
    const isName = (unit >= 0x61 && unit <= 0x7a) || key[i] === '_' || key[i] === '$' || (i > 0 && key[i] >= '0' && key[i] <= '9');
    if (!isName || key.charCodeAt(i) > 0x7f) return `[${JSON.stringify(key)}]`;
  }
  return key === '' ? '[""]' : `.${key}`;
}

/** @param {unknown} key */
function describe(key) {
  // No code of the user's runs for the sake of a message.
  if (typeof key === 'object' || typeof key === 'function') return key === null ? 'null' : typeof key;
  return String(key).slice(0, 40);
}

/**
 * The step of a path to what a key or an index leads to.
 * @param {unknown} key
 */
export function step(key) {
  return typeof key === 'string' ? property(key) : `[${describe(key)}]`;
}

/**
 * Puts a step in front of the path of an error that has one.
 * @param {unknown} error
 * @param {unknown} key of a property or an entry, or an index
 */
export function located(error, key) {
  if (error instanceof CborError && error.path !== undefined && !error.path.startsWith('$')) {
    error.path = step(key) + error.path;
  }
  return error;
}

/**
 * A path for people to read.
 * @param {string} path
 */
function shortened(path) {
  return path.length <= 120 ? path : `${path.slice(0, 80)}…${path.slice(-39)}`;
}

/**
 * Gives an error its path, and its message too.
 * @param {CborError} error
 * @param {string} path behind the root
 * @param {boolean} [isKey] it is a key that is at fault, of the map that the path leads to
 */
export function setPath(error, path, isKey = false) {
  error.path = `$${path}`;
  error.message += ` at ${isKey ? 'a key of ' : ''}${shortened(error.path)}`;
  return error;
}
