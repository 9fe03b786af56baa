// node --import=./tests/use-emscripten.js: the package runs on the module that Emscripten built.
import { register } from 'node:module';

register('./emscripten-hooks.js', import.meta.url);
