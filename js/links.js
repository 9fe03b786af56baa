// The links of a document (DAG-CBOR): CIDs in tag 42.
import { RESULT_OFFSET, STATUS_NAMES } from './abi.js';
import { bytesOf } from './bytes.js';
import { CborError } from './errors.js';
import { crossed, u32, u8, wasm } from './instance.js';
import { result, take, withBytes } from './module-bytes.js';

/**
 * The links of a document, without building it: the CID of every tag 42, in the order of the document, as often as it
 * stands there. Any well-formed item is taken, whatever else is in it.
 * @param {Uint8Array | ArrayBuffer | DataView} bytes exactly one item
 * @returns {Uint8Array<ArrayBuffer>[]} each CID in its binary form, without the 00 that tag 42 puts before it
 * @throws {CborError} with `offset`: ERR_CBOR_INVALID_CID when tag 42 stands on anything but a byte string of 00 and one
 *   CID; ERR_CBOR_TRAILING_BYTES; what ill-formed bytes fail with; ERR_CBOR_DEPTH_EXCEEDED when more than 64 containers of
 *   indefinite length nest
 */
export function scanLinks(bytes) {
  return withBytes(bytesOf(bytes), (address, nbytes) => {
    const status = wasm.wcbor_scan_links(address, nbytes);
    crossed();
    if (status !== 0) throw new CborError(STATUS_NAMES[status], { offset: result(RESULT_OFFSET) });
    return take((list, end) => {
      /** @type {Uint8Array<ArrayBuffer>[]} */
      const links = [];
      for (let at = list >> 2; at < end >> 2; at += 2) {
        const from = address + u32[at];
        links.push(u8.slice(from, from + u32[at + 1]));
      }
      return links;
    });
  });
}

/**
 * Whether bytes are one CID in its binary form.
 * @param {Uint8Array} cid
 */
export function isCid(cid) {
  const payload = new Uint8Array(cid.length + 1);
  payload.set(cid, 1);
  return withBytes(payload, (address, nbytes) => wasm.wcbor_is_link(address, nbytes) === 1);
}
