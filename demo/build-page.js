// Bundles what the page has from other libraries into one file, for it has no bundler and no import map.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes build/page/vendor.js. */
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
}
