// What the build leaves behind: the two modules, the generated constants, the version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { generateFillers } from '../../.ci/generate-fillers.js';
import { STATUS_NAMES } from '../../js/abi.js';
import { generateAbi } from '../../wasm/generate-abi.js';

const GZIP_BUDGET_NBYTES = 52 * 1024;

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url));
const allowed = read('wasm/exports.txt').toString().trim().split('\n');
const modules = { wasi: 'build/wasi/wcbor.wasm', emscripten: 'build/emscripten/wcbor.wasm' };

for (const [toolchain, path] of Object.entries(modules)) {
  test(`the ${toolchain} module imports nothing and exports what exports.txt lists`, () => {
    const module = new WebAssembly.Module(read(path));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.deepEqual(names.sort(), [...allowed].sort());
  });

  test(`the ${toolchain} module carries no custom sections`, () => {
    const module = new WebAssembly.Module(read(path));
    for (const name of ['name', 'producers', 'target_features', 'sourceMappingURL']) {
      assert.equal(WebAssembly.Module.customSections(module, name).length, 0, name);
    }
  });

  test(`the ${toolchain} module starts small and can grow`, () => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(read(path)));
    assert.ok(exports.memory.buffer.byteLength <= 2 * 1024 * 1024);
    exports.memory.grow(1);
    assert.equal(typeof exports._initialize(), 'undefined');
  });
}

test('the module that ships is the wasi one, alone and inline', async () => {
  const shipped = read('dist/wcbor.wasm');
  assert.ok(shipped.equals(read(modules.wasi)));
  const { default: base64 } = await import('../../dist/wcbor.wasm.js');
  assert.ok(Buffer.from(base64, 'base64').equals(shipped));
});

test('the module that ships keeps to its size', (t) => {
  const shipped = read('dist/wcbor.wasm');
  const zipped = gzipSync(shipped, { level: 9 });
  t.diagnostic(`wcbor.wasm: ${shipped.length} bytes, ${zipped.length} gzipped`);
  assert.ok(zipped.length < GZIP_BUDGET_NBYTES, `${zipped.length} bytes gzipped`);
});

test('js/abi.js is what wasm/abi.h and src/wcbor.h give', () => {
  assert.equal(read('js/abi.js').toString(), generateAbi(), 'run node wasm/generate-abi.js');
});

test('js/fillers.js is what its generator gives', () => {
  assert.equal(read('js/fillers.js').toString(), generateFillers(), 'run node .ci/generate-fillers.js');
});

test('a status has the name of its enumerator', () => {
  const names = [...read('src/status.c').toString().matchAll(/^ +"(\w+)",?$/gm)].map(([, name]) => name);
  assert.deepEqual(names, STATUS_NAMES);
});

test('the package has the version of the C header', () => {
  const header = read('src/wcbor.h').toString();
  const parts = ['MAJOR', 'MINOR', 'PATCH'].map((part) => RegExp(`#define WCBOR_VERSION_${part} (\\d+)`).exec(header)[1]);
  assert.equal(JSON.parse(read('package.json')).version, parts.join('.'));
  const lock = JSON.parse(read('package-lock.json'));
  assert.equal(lock.version, parts.join('.'));
});

test('the lock names no registry host and pins exact versions', () => {
  const lock = JSON.parse(read('package-lock.json'));
  for (const [path, entry] of Object.entries(lock.packages)) assert.equal(entry.resolved, undefined, path);
  for (const [name, version] of Object.entries(JSON.parse(read('package.json')).devDependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
  }
});
