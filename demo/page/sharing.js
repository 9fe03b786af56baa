// The state of the page in its address, so that a link shows the same document: packed, and base64url.

const MOST_UNITS = 60_000; // longer addresses are not taken everywhere

async function through({ readable, writable }, bytes) {
  // What fails on the way in fails on the way out, too, and is told there.
  new Blob([bytes]).stream().pipeTo(writable).catch(() => {});
  const chunks = [];
  const reader = readable.getReader();
  for (let chunk; !(chunk = await reader.read()).done; ) chunks.push(chunk.value);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** How many bytes are left when they are gzipped. */
export const gzippedLength = async (bytes) => (await through(new CompressionStream('gzip'), bytes)).length;

/**
 * @param {object} state what JSON can say
 * @returns {Promise<string>} the part behind `#`; empty when it would be too long
 */
export async function packState(state) {
  const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(state)));
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const hash = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return hash.length <= MOST_UNITS ? hash : '';
}

/**
 * @param {string} hash
 * @returns {Promise<any>} undefined when it is no state
 */
export async function unpackState(hash) {
  if (hash === '') return undefined;
  try {
    const binary = atob(hash.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await through(new DecompressionStream('deflate-raw'), Uint8Array.from(binary, (unit) => unit.charCodeAt(0)));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
