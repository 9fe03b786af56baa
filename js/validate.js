// validate: is this CBOR, and by the rules of a mode? Without building values.
import { FLAG_MULTIPLE_ROOTS, MODES, RESULT_EXTRA, RESULT_OFFSET, STATUS_NAMES } from './abi.js';
import { bytesOf } from './bytes.js';
import { CborError } from './errors.js';
import { crossed, wasm } from './instance.js';
import { result, withBytes } from './module-bytes.js';
import { notNormalizedAt } from './nfc.js';
import { checkReadOptions } from './read-options.js';

/** @typedef {import('./read-options.js').Mode} Mode */

/**
 * @typedef {object} ValidateOptions
 * @property {Mode} [mode] whose rules are kept to; `'strict'` by default
 * @property {number} [maxDepth] containers that may be open at once; 1000 by default
 * @property {boolean} [allowMultipleRoots] all bytes, as a CBOR sequence (RFC 8742), instead of one item
 */

/**
 * @typedef {{ ok: true, bytesRead: number }} Valid
 * @typedef {{ ok: false, code: string, offset: number, incomplete: boolean, missing: number | undefined }} Invalid
 */

/**
 * Checks an item by the rules of a mode, and whether it is well-formed (RFC 8949, section 5.3 and appendix C). Bytes that
 * follow the item are not looked at: `bytesRead` says where it ends.
 *
 * Of bytes that are refused `code` is what rule the first fault breaks (`'ERR_CBOR_...'`), and `offset` where the item at
 * fault begins. `incomplete` is true when the bytes are no more than cut short; at least `missing` bytes must follow then.
 * @param {Uint8Array | ArrayBufferView | ArrayBufferLike} bytes
 * @param {ValidateOptions} [options]
 * @returns {Valid | Invalid}
 */
export function validate(bytes, options = {}) {
  const { mode, maxDepth, allowMultipleRoots } = checkReadOptions(options, { allowMultipleRoots: false });
  const source = bytesOf(bytes);
  return withBytes(source, (address, nbytes) => {
    const status = wasm.wcbor_check(address, nbytes, MODES[mode], allowMultipleRoots ? FLAG_MULTIPLE_ROOTS : 0, maxDepth);
    crossed();
    const offset = result(RESULT_OFFSET);
    const missing = result(RESULT_EXTRA);
    if (STATUS_NAMES[status] === 'OUT_OF_MEMORY') throw new CborError('OUT_OF_MEMORY');
    const textAt = mode === 'dcbor' ? notNormalizedAt(source, offset) : -1;
    if (textAt >= 0) return invalid('NOT_NFC', textAt, 0);
    return status === 0 ? { ok: true, bytesRead: offset } : invalid(STATUS_NAMES[status], offset, missing);
  });
}

/**
 * @param {string} name
 * @param {number} offset
 * @param {number} missing
 * @returns {Invalid}
 */
function invalid(name, offset, missing) {
  return { ok: false, code: `ERR_CBOR_${name}`, offset, incomplete: missing > 0, missing: missing > 0 ? missing : undefined };
}
