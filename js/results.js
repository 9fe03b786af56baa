// Results: bytes of the module's memory as arrays that are the caller's.
import { IS_JAVASCRIPTCORE, IS_SPIDERMONKEY } from './engines.js';
import { u8 } from './instance.js';

/**
 * Results of so many bytes are pieces of a slab, which is written from one end to the other and then left to its pieces: an
 * allocation costs more than all the rest of a small document. Smaller ones have room in the engine's own heap.
 */
const OWN_NBYTES = IS_JAVASCRIPTCORE || IS_SPIDERMONKEY ? 1000 : 64;
const PIECE_NBYTES = 4096;
const SLAB_NBYTES = 65536;

let slab = new Uint8Array(0);
let slabUsed = 0;

/**
 * A copy of bytes in the module's memory, which is never written again. It need not be alone in its ArrayBuffer.
 * @param {number} from their address
 * @param {number} nbytes
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function copied(from, nbytes) {
  if (nbytes <= OWN_NBYTES && IS_SPIDERMONKEY) {
    // Where a new array has room among the objects, what `slice` makes has none.
    const own = new Uint8Array(nbytes);
    own.set(u8.subarray(from, from + nbytes));
    return own;
  }
  if (nbytes <= OWN_NBYTES || nbytes > PIECE_NBYTES) return u8.slice(from, from + nbytes);
  if (nbytes > slab.length - slabUsed) {
    slab = new Uint8Array(SLAB_NBYTES);
    slabUsed = 0;
  }
  const at = slabUsed;
  slabUsed = (at + nbytes + 7) & ~7;
  slab.set(u8.subarray(from, from + nbytes), at);
  return new Uint8Array(slab.buffer, at, nbytes);
}
