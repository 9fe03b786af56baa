// The package as a user gets it: packed, installed in an empty folder, imported, and its types checked.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleForNode, linkForNode } from '../../wasm/build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const scratch = mkdtempSync(join(tmpdir(), 'wcbor-package-'));
let packed;

/** A tool that fails says why on its output, which execFileSync would keep to itself. */
function run(command, args, cwd = scratch) {
  try {
    // Hooks that this test itself runs under do not belong to the user's side.
    const env = { ...process.env, NODE_OPTIONS: '' };
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}:\n${error.stdout}${error.stderr}`);
  }
}

before(async () => {
  // dist/ stands: the test runner has built it, and a second build at the same time would disturb other tests.
  let report;
  try {
    await bundleForNode(join(root, 'dist/index.node.js'));
    [report] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], root));
  } finally {
    linkForNode();
  }
  packed = report.files.map(({ path }) => path).sort();
  writeFileSync(join(scratch, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]);
});

after(() => rmSync(scratch, { recursive: true, force: true }));

test('the package holds what a user needs, and no more', () => {
  const sourcesOf = (folder) => readdirSync(join(root, folder)).filter((name) => name.endsWith('.js'));
  const sources = sourcesOf('js');
  const expected = [
    'LICENSE',
    'README.md',
    'package.json',
    'dist/index.node.js',
    'dist/wcbor.d.wasm.ts',
    'dist/wcbor.wasm',
    'dist/wcbor.wasm.js',
    ...sources.map((name) => `js/${name}`),
    ...sourcesOf('js/cli').map((name) => `js/cli/${name}`),
    ...sources.map((name) => `dist/types/${name.replace(/\.js$/, '.d.ts')}`),
  ];
  assert.deepEqual(packed, expected.sort());
});

test('the package depends on nothing', () => {
  const manifest = JSON.parse(readFileSync(join(scratch, 'node_modules/wcbor/package.json'), 'utf8'));
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies']) {
    assert.equal(manifest[kind], undefined);
  }
  assert.deepEqual(readdirSync(join(scratch, 'node_modules')).filter((name) => !name.startsWith('.')), ['wcbor']);
});

test('the installed package encodes', () => {
  writeFileSync(
    join(scratch, 'use.js'),
    `import { encode } from 'wcbor';
    console.log(Buffer.from(encode({ a: 1 })).toString('hex'));`,
  );
  assert.equal(run(process.execPath, ['use.js']), 'a1616101\n');
});

test('for Node it is one file, which is ready when it is imported', () => {
  copyFileSync(join(scratch, 'node_modules/wcbor/dist/index.node.js'), join(scratch, 'alone.js'));
  writeFileSync(
    join(scratch, 'ready.js'),
    `import { encode, stats } from './alone.js';
    const before = stats().crossings;
    encode({ a: 1 });
    console.log(before, stats().crossings, import.meta.resolve('wcbor').endsWith('/dist/index.node.js'));`,
  );
  assert.equal(run(process.execPath, ['ready.js']), '0 1 true\n');
});

test('wcbor/http is of the same package', () => {
  writeFileSync(
    join(scratch, 'http.js'),
    `import { CborError, decode } from 'wcbor';
    import { negotiate, problemFrom } from 'wcbor/http';
    const response = negotiate(new Request('http://localhost/', { headers: { accept: 'application/cbor' } }), [1]);
    console.log(decode(await response.arrayBuffer())[0], problemFrom(new CborError('UNEXPECTED_END')).status);`,
  );
  assert.equal(run(process.execPath, ['http.js']), '1 400\n');
});

test('the installed command runs', () => {
  assert.match(run('npx', ['--no-install', 'wcbor', '--help']), /^wcbor - CBOR/);
});

test('its module can be had by itself', () => {
  writeFileSync(
    join(scratch, 'module.js'),
    `import { readFileSync } from 'node:fs';
    const bytes = readFileSync(new URL(import.meta.resolve('wcbor/module')));
    console.log(WebAssembly.Module.imports(new WebAssembly.Module(bytes)).length);`,
  );
  assert.equal(run(process.execPath, ['module.js']), '0\n');
});

for (const [module, moduleResolution] of [
  ['esnext', 'bundler'],
  ['nodenext', 'nodenext'],
]) {
  test(`its types resolve with moduleResolution ${moduleResolution}`, () => {
    writeFileSync(
      join(scratch, 'use.ts'),
      `import { encode, CborWriter, CborError } from 'wcbor';
      import { handler, negotiate, readBody } from 'wcbor/http';
      const bytes: Uint8Array = encode({ a: 1 }, { mode: 'strict' });
      export const fetch = handler(async (request) => negotiate(request, await readBody(request, { limit: 9 }), { prefer: 'json' }));
      // @ts-expect-error there is no such kind
      readBody(new Request(''), { kinds: ['xml'] });
      const writer: CborWriter = new CborWriter({ mode: 'dcbor' });
      writer.writeTextString('a');
      // @ts-expect-error there is no such mode
      encode(bytes, { mode: 'odd' });
      export const isOurs = (error: unknown) => error instanceof CborError && error.code;`,
    );
    const options = ['--noEmit', '--strict', '--module', module, '--moduleResolution', moduleResolution];
    run(process.execPath, [tsc, ...options, '--target', 'es2022', 'use.ts']);
  });
}
