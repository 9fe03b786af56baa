// Bytes into the module's memory for the length of one call, and what the call left in the result block.
import { RESULT_BYTES, RESULT_IS_ASCII, RESULT_IS_UTF16, RESULT_NBYTES } from './abi.js';
import { CborError } from './errors.js';
import { crossed, instantiate, refresh, u32, u8, wasm } from './instance.js';
import { decodeAscii, decodeText, decodeWide } from './module-text.js';
import { copied } from './results.js';

/** Bytes behind the input that the module may read, though never use. */
const SLACK = 32;

/** Text of up to this many UTF-16 units is given all the room that it could need. */
const SHORT_UNITS = 256;

const encoder = new TextEncoder();

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
  const address = allocate(nbytes);
  u8.set(bytes, address);
  try {
    return use(address, nbytes);
  } finally {
    wasm.wcbor_free(address);
    crossed();
    refresh();
  }
}

/** @param {number} nbytes */
function allocate(nbytes) {
  const address = wasm.wcbor_alloc(nbytes + SLACK);
  crossed();
  refresh();
  if (address === 0) throw new CborError('OUT_OF_MEMORY');
  return address;
}

/**
 * Like `withBytes`, with a string as UTF-8; unpaired surrogates become U+FFFD.
 * @template T
 * @param {string} text
 * @param {(address: number, nbytes: number) => T} use makes one call or several; must not keep the address
 * @returns {T} what `use` returned
 */
export function withText(text, use) {
  instantiate();
  // Most text is ASCII. Where it turns out to be longer, what is left may take three bytes for each unit.
  const room = text.length <= SHORT_UNITS ? text.length * 3 : text.length;
  let address = allocate(room);
  try {
    let { read, written } = encoder.encodeInto(text, u8.subarray(address, address + room));
    if (read < text.length) {
      const larger = allocate(written + (text.length - read) * 3);
      u8.copyWithin(larger, address, address + written);
      wasm.wcbor_free(address);
      address = larger;
      const from = address + written;
      written += encoder.encodeInto(text.slice(read), u8.subarray(from, from + (text.length - read) * 3)).written;
    }
    return use(address, written);
  } finally {
    wasm.wcbor_free(address);
    crossed();
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
 * What `use` makes of the bytes that the result block tells of, which are then given back.
 * @template T
 * @param {(from: number, to: number) => T} use
 * @throws {CborError} ERR_CBOR_OUT_OF_MEMORY when the engine cannot make it: strings are limited, too
 */
export function take(use) {
  const from = result(RESULT_BYTES);
  try {
    return use(from, from + result(RESULT_NBYTES));
  } catch (error) {
    throw Object.assign(new CborError('OUT_OF_MEMORY'), { cause: error });
  } finally {
    if (from !== 0) {
      wasm.wcbor_free(from);
      crossed();
    }
  }
}

/** Those bytes, as a result of the caller's. */
export const takeBytes = () => take((from, to) => copied(from, to - from));

/** Those bytes as the text that they are in UTF-8, which must be well-formed. */
export function takeText() {
  const form = wasm.wcbor_result_text();
  crossed();
  return take(form === RESULT_IS_ASCII ? decodeAscii : form === RESULT_IS_UTF16 ? decodeWide : decodeText);
}
