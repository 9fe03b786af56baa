// The module for Workers, which compile WebAssembly from a static import alone.
import module from '../dist/wcbor.wasm';
import { setSource } from './instance.js';

setSource(() => module);
