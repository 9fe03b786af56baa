// Where the package asks for the inline module, it gets the one of the other toolchain.
const shipped = new URL('../dist/wcbor.wasm.js', import.meta.url).href;
const substitute = new URL('../build/emscripten/wcbor.wasm.js', import.meta.url).href;

export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  return resolved.url === shipped ? { ...resolved, url: substitute } : resolved;
}
