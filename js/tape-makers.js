// Lists of keys from the module's tables, and generated functions that make an object of such a list.
import { NAME_NODE_NBYTES } from './abi.js';
import { u8 } from './instance.js';
import { nodes } from './tape-memory.js';
import { nameOf, readShaped } from './tape.js';

/**
 * A list of keys.
 * @param {number} node
 */
export function keysOf(node) {
  const list = [];
  for (let i = node; i > 1; ) {
    const address = nodes + i * NAME_NODE_NBYTES;
    const number = u8[address] | (u8[address + 1] << 8);
    list.unshift(nameOf(number));
    i = u8[address + 2] | (u8[address + 3] << 8);
  }
  return list;
}

/**
 * A function that makes an object of values that stand behind their keys on the tape, by generated code.
 * @param {string[]} keys
 * @returns {() => object}
 */
export function makerOf(keys) {
  // An own property each, even if that is not what it would be in a literal.
  const properties = keys.map((name) => `${name === '__proto__' ? '["__proto__"]' : JSON.stringify(name)}:r()`).join(',');
  return new Function('r', `return()=>({${properties}})`)(readShaped);
}
