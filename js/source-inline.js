// The module for browsers, bundlers, Node, Deno and Bun: inline, so that no bundler can lose it, and compiled at the
// first use.
import base64 from '../dist/wcbor.wasm.js';
import { setSource } from './instance.js';

/** @returns {BufferSource} */
function decodeBase64() {
  const { Buffer, Uint8Array: Bytes } = /** @type {any} */ (globalThis);
  if (typeof Bytes.fromBase64 === 'function') return Bytes.fromBase64(base64);
  if (typeof Buffer?.from === 'function') return Buffer.from(base64, 'base64');
  // Ten times as slow, where code is cold.
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

setSource(() => new WebAssembly.Module(decodeBase64()));
