// Makes what the page has beside its sources: what comes from other libraries in one file, for it has no bundler and no
// import map, and the list of all files, for its service worker.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The paths of all that the page may ask for. */
function pathsOfPage() {
  const filesOf = (folder) => readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
  return [
    '/',
    ...filesOf('demo/page').filter((name) => name !== 'index.html' && name !== 'offline.js').map((name) => `/${name}`),
    ...filesOf('js').map((name) => `/js/${name}`),
    ...filesOf('demo/samples').map((name) => `/samples/${name}`),
    '/dist/wcbor.wasm.js',
    '/vendor/vendor.js',
  ];
}

/** Writes vendor.js and files.json into build/page. */
export async function buildPage() {
  await build({
    absWorkingDir: root,
    entryPoints: ['demo/peers.js'],
    outfile: 'build/page/vendor.js',
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'inline',
    logLevel: 'error',
  });
  writeFileSync(join(root, 'build/page/files.json'), JSON.stringify(pathsOfPage()));
}
