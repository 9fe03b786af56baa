// Puts what `npm run bench` measures, as it is now, into a folder: modules for Node as they are, with the package
// beside them as if it were installed; one file each for pages and for Workers, which do not look packages up.
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPackage, bundleForNode } from '../../wasm/build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const site = join(root, 'build/bench/encode');

/** The samples of the demo, and the files of the folder that WCBOR_JSON_DOCS names, if it does. */
function jsonDocuments() {
  const samples = join(root, 'demo/samples');
  const read = (folder, file) => readFileSync(join(folder, file), 'utf8');
  const documents = JSON.parse(read(samples, 'index.json'))
    .map((name) => ({ name: `sample ${name}`, json: read(samples, `${name}.json`) }));
  const folder = process.env.WCBOR_JSON_DOCS;
  if (!folder) return documents;
  const files = readdirSync(folder).filter((name) => name.endsWith('.json')).sort();
  return documents.concat(files.map((name) => ({ name, json: read(folder, name) })));
}

async function bundle(entry, outdir, conditions) {
  await build({
    entryPoints: [join(site, entry)],
    outdir: join(site, outdir),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true, // as pages and Workers are
    conditions,
    assetNames: '[name]',
    loader: { '.wasm': 'copy' },
    logLevel: 'error',
  });
}

let made;

/** @param {'encode' | 'decode'} task */
async function make(task) {
  buildPackage({ types: false });
  rmSync(site, { recursive: true, force: true });
  cpSync(join(root, 'tests/bench/encode'), site, { recursive: true });
  if (task === 'decode') writeFileSync(join(site, 'task.js'), "export * from './decoders.js';\n");
  const list = JSON.stringify(jsonDocuments(), null, 1);
  writeFileSync(join(site, 'json-documents.js'), `export const jsonDocuments = ${list};\n`);
  // A package of its own, or 'wcbor' would be the folder that this one stands in.
  writeFileSync(join(site, 'package.json'), '{ "private": true, "type": "module" }\n');
  const installed = join(site, 'node_modules/wcbor');
  for (const name of ['package.json', 'js', 'dist']) {
    cpSync(join(root, name), join(installed, name), { recursive: true });
  }
  await bundleForNode(join(installed, 'dist/index.node.js'));
  await bundle('page.js', 'page', ['browser']);
  cpSync(join(site, 'index.html'), join(site, 'page/index.html'));
  await bundle('worker.js', 'worker', ['workerd', 'worker', 'browser']);
}

/** Makes it once. */
export function makeSite(task = 'encode') {
  made ??= make(task);
  return made;
}
