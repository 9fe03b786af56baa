// The state of the page in its address, so that a link shows the same document: packed, and base64url.

const MOST_UNITS = 60_000; // longer addresses are not taken everywhere
const MOST_BYTES = 10_000_000; // of a state, which a short link can hold if they are all alike

/** All bytes of a stream; RangeError when there are more than `most`, of which no more are made then. */
async function through({ readable, writable }, bytes, most = Infinity) {
  // What fails on the way in fails on the way out, too, and is told there.
  new Blob([bytes]).stream().pipeTo(writable).catch(() => {});
  const chunks = [];
  const reader = readable.getReader();
  let nbytes = 0;
  for (let chunk; !(chunk = await reader.read()).done; ) {
    nbytes += chunk.value.length;
    if (nbytes > most) {
      await reader.cancel();
      throw new RangeError('too much is packed here');
    }
    chunks.push(chunk.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** How many bytes are left when they are gzipped. */
export const gzippedLength = async (bytes) => (await through(new CompressionStream('gzip'), bytes)).length;

/**
 * @param {object} state what JSON can say
 * @returns {Promise<string>} the part behind `#`; empty when it would be too long
 */
export async function packState(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  if (bytes.length > MOST_BYTES) return '';
  let packed;
  try {
    packed = await through(new CompressionStream('deflate-raw'), bytes, (MOST_UNITS * 3) / 4);
  } catch {
    return '';
  }
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * @param {string} hash
 * @returns {Promise<{ source: string, format?: unknown, mode?: unknown, convert?: unknown } | undefined>} undefined when it is no
 *   state
 */
export async function unpackState(hash) {
  if (hash === '') return undefined;
  try {
    const binary = atob(hash.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
    const bytes = await through(new DecompressionStream('deflate-raw'), packed, MOST_BYTES);
    const state = JSON.parse(new TextDecoder().decode(bytes));
    return typeof state?.source === 'string' ? state : undefined;
  } catch {
    return undefined;
  }
}
