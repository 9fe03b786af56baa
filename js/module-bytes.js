// Bytes into the module's memory for the length of one call, and what the call left in the result block.
import { RESULT_BYTES, RESULT_NBYTES } from './abi.js';
import { CborError } from './errors.js';
import { crossed, instantiate, refresh, u32, u8, wasm } from './instance.js';

/** Bytes behind the input that the module may read, though never use. */
const SLACK = 16;

let resultBlock = 0;

/**
 * Runs `use` with the address of a copy of the bytes in the module's memory, which is given back afterwards.
 * @template T
 * @param {Uint8Array} bytes as from `bytesOf`
 * @param {(address: number, nbytes: number) => T} use makes one call or several; must not keep the address
 * @returns {T} what `use` returned
 */
export function withBytes(bytes, use) {
  instantiate();
  const nbytes = bytes.length;
  const address = wasm.wcbor_alloc(nbytes + SLACK);
  crossed(2);
  refresh();
  if (address === 0) throw new CborError('OUT_OF_MEMORY');
  u8.set(bytes, address);
  try {
    return use(address, nbytes);
  } finally {
    wasm.wcbor_free(address);
    refresh();
  }
}

/**
 * A field of the result block.
 * @param {number} field RESULT_... of abi.js
 */
export function result(field) {
  refresh();
  if (resultBlock === 0) resultBlock = wasm.wcbor_result();
  return u32[(resultBlock + field) >> 2];
}

/**
 * The bytes in the result block, as a copy; the block that they are in is given back.
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function takeBytes() {
  const from = result(RESULT_BYTES);
  const bytes = u8.slice(from, from + result(RESULT_NBYTES));
  if (from !== 0) wasm.wcbor_free(from);
  crossed();
  return bytes;
}
