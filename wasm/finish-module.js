// node wasm/finish-module.js MODULE EXPORTS: rewrites a linked module in place so that it holds what runs and no more.
//
// Out go all custom sections (function names, the toolchain's name, the feature list) and every export that is not in
// the list: Emscripten exports helpers for a JavaScript side that this project does not use. An import, or a listed
// name that is not exported, is an error here, at build time.
import { readFileSync, writeFileSync } from 'node:fs';

const CUSTOM_SECTION = 0;
const IMPORT_SECTION = 2;
const EXPORT_SECTION = 7;
const HEADER_NBYTES = 8;

/** Reads an unsigned LEB128 number: [value, offset after it]. */
function readUnsigned(bytes, offset) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, offset];
  }
}

function unsigned(value) {
  const out = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) out.push((value % 128) | 0x80);
  out.push(value);
  return Buffer.from(out);
}

/** Yields each section as [id, whole section, contents]. */
function* sections(bytes) {
  for (let offset = HEADER_NBYTES; offset < bytes.length; ) {
    const [nbytes, start] = readUnsigned(bytes, offset + 1);
    yield [bytes[offset], bytes.subarray(offset, start + nbytes), bytes.subarray(start, start + nbytes)];
    offset = start + nbytes;
  }
}

/** The export section with only the entries whose names are in `allowed`. */
function filterExports(contents, allowed) {
  const kept = [];
  let [count, offset] = readUnsigned(contents, 0);
  for (; count > 0; count--) {
    const start = offset;
    const [nameNbytes, nameStart] = readUnsigned(contents, start);
    const nameEnd = nameStart + nameNbytes;
    [, offset] = readUnsigned(contents, nameEnd + 1);
    if (allowed.has(contents.toString('utf8', nameStart, nameEnd))) kept.push(contents.subarray(start, offset));
  }
  const filtered = Buffer.concat([unsigned(kept.length), ...kept]);
  return Buffer.concat([Buffer.of(EXPORT_SECTION), unsigned(filtered.length), filtered]);
}

const [modulePath, exportsPath] = process.argv.slice(2);
const allowed = new Set(readFileSync(exportsPath, 'utf8').split('\n').filter(Boolean));
const linked = readFileSync(modulePath);
const parts = [linked.subarray(0, HEADER_NBYTES)];
for (const [id, section, contents] of sections(linked)) {
  if (id === CUSTOM_SECTION) continue;
  if (id === IMPORT_SECTION && readUnsigned(contents, 0)[0] > 0) {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(linked));
    throw new Error(`the module imports ${imports.map(({ module, name }) => `${module}.${name}`).join(', ')}`);
  }
  parts.push(id === EXPORT_SECTION ? filterExports(contents, allowed) : section);
}
const finished = Buffer.concat(parts);
const exported = new Set(WebAssembly.Module.exports(new WebAssembly.Module(finished)).map(({ name }) => name));
const missing = [...allowed].filter((name) => !exported.has(name));
if (missing.length > 0) throw new Error(`the module does not export ${missing.join(', ')}`);
writeFileSync(modulePath, finished);
