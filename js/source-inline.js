// The module for browsers, bundlers, Node, Deno and Bun: inline, so that no bundler can lose it, and compiled at the
// first use.
import base64 from '../dist/wcbor.wasm.js';
import { setSource } from './instance.js';

setSource(() => {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new WebAssembly.Module(bytes);
});
