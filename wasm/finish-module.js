// node wasm/finish-module.js MODULE EXPORTS: rewrites a linked module in place so that it holds what runs and no more.
//
// Binaryen optimizes it once more, as a whole; out go all custom sections (function names, the toolchain's name, the
// feature list) and every export that is not in the list: Emscripten exports helpers for a JavaScript side that this
// project does not use. An import, or a listed name that is not exported, is an error here, at build time.
import { readFileSync, writeFileSync } from 'node:fs';
import binaryen from 'binaryen';

const [modulePath, exportsPath] = process.argv.slice(2);
const allowed = new Set(readFileSync(exportsPath, 'utf8').split('\n').filter(Boolean));
const linked = readFileSync(modulePath);

const imports = WebAssembly.Module.imports(new WebAssembly.Module(linked));
if (imports.length > 0) {
  throw new Error(`the module imports ${imports.map(({ module, name }) => `${module}.${name}`).join(', ')}`);
}

const { Features } = binaryen;
const module = binaryen.readBinary(linked);
module.setFeatures(
  Features.MVP | Features.MutableGlobals | Features.SIMD128 | Features.BulkMemory | Features.SignExt |
  Features.BulkMemoryOpt | Features.NontrappingFPToInt);
for (const { name } of WebAssembly.Module.exports(new WebAssembly.Module(linked))) {
  if (!allowed.has(name)) module.removeExport(name);
}
binaryen.setDebugInfo(false);
binaryen.setOptimizeLevel(3);
binaryen.setShrinkLevel(1);
module.optimize();
for (const { name } of customSections(module.emitBinary())) throw new Error(`the module still has the section ${name}`);
const finished = module.emitBinary();

const exported = new Set(WebAssembly.Module.exports(new WebAssembly.Module(finished)).map(({ name }) => name));
const missing = [...allowed].filter((name) => !exported.has(name));
if (missing.length > 0) throw new Error(`the module does not export ${missing.join(', ')}`);
writeFileSync(modulePath, finished);

/** The custom sections that toolchains write. */
function* customSections(bytes) {
  const compiled = new WebAssembly.Module(bytes);
  for (const name of ['name', 'producers', 'target_features', 'sourceMappingURL']) {
    if (WebAssembly.Module.customSections(compiled, name).length > 0) yield { name };
  }
}
