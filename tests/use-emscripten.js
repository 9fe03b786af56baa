// node --import=./tests/use-emscripten.js: the package runs on the module that Emscripten built.
import { register } from 'node:module';

const from = new URL('../dist/wcbor.wasm.js', import.meta.url).href;
const to = new URL('../build/emscripten/wcbor.wasm.js', import.meta.url).href;
register('./substitute-hooks.js', import.meta.url, { data: { from, to } });
