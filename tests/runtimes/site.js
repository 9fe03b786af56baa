// The suite as each kind of runtime takes it, in folders with the package installed beside it.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleForNode } from '../../wasm/build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Installs this package in `folder` as it ships. */
export async function copyPackage(folder) {
  const installed = join(folder, 'node_modules/wcbor');
  rmSync(installed, { recursive: true, force: true });
  for (const name of ['package.json', 'js', 'dist']) cpSync(join(root, name), join(installed, name), { recursive: true });
  await bundleForNode(join(installed, 'dist/index.node.js'));
}

/** Makes `folder` a package of its own, with nothing in it but this one, installed. */
export async function installPackage(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Or 'wcbor' would be the folder that this one stands in.
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  await copyPackage(folder);
}

/**
 * Bundles `entry` into `outdir`; what it imports of the package is looked up in `folder`.
 * @param {string} folder
 * @param {string} entry
 * @param {string} outdir
 * @param {import('esbuild').BuildOptions} options
 */
export async function bundle(folder, entry, outdir, options) {
  await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    assetNames: '[name]',
    loader: { '.wasm': 'copy' },
    nodePaths: [join(folder, 'node_modules')],
    logLevel: 'error',
    ...options,
  });
}

export const WORKER_CONDITIONS = ['workerd', 'worker', 'browser'];

/** The folders of the suite: `program` for Node, Deno and Bun, `page` for browsers, `worker` for workerd. */
export async function makeSite() {
  const site = join(root, 'build/runtimes');
  await installPackage(site);
  const source = (name) => join(root, 'tests/runtimes', name);
  // The package itself stays outside the program, so that each runtime finds it in its own way.
  await bundle(site, source('program.js'), site, { packages: 'external', platform: 'node' });
  await bundle(site, source('page.js'), join(site, 'page'), { conditions: ['browser'], external: ['node:*'] });
  cpSync(source('page.html'), join(site, 'page/index.html'));
  await bundle(site, source('worker.js'), join(site, 'worker'), { conditions: WORKER_CONDITIONS });
  return { program: join(site, 'program.js'), page: join(site, 'page'), worker: join(site, 'worker') };
}
