// The files workerd needs to run the worker, as they ship: the worker, and the package as its `workerd` condition
// resolves. Nothing is bundled, so the module stays the static .wasm import that the platform compiles.

import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const IMPORT = /^(?:import|export)\s+(?:[^'";=(]*?\sfrom\s+)?'([^']+)'/gm;

/** The file that 'wcbor' or 'wcbor/...' stands for under the `workerd` condition. */
function packageFile(specifier) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const conditions = exports[specifier.replace('wcbor', '.')];
  return join(root, conditions.workerd ?? conditions.default);
}

/**
 * The `modules` option of Miniflare for `entry`: it and all that it imports.
 * @param {string} entry path of an ES module
 */
export function modulesOf(entry) {
  const modules = new Map();
  const add = (path) => {
    if (modules.has(path)) return;
    if (path.endsWith('.wasm')) {
      modules.set(path, { type: 'CompiledWasm', path });
      return;
    }
    const contents = readFileSync(path, 'utf8');
    modules.set(path, { type: 'ESModule', path, contents });
    for (const [, specifier] of contents.matchAll(IMPORT)) {
      if (/^wcbor(\/|$)/.test(specifier)) {
        // workerd looks a bare name up beside its importer.
        const file = packageFile(specifier);
        const link = join(dirname(path), specifier);
        modules.set(link, { type: 'ESModule', path: link, contents: `export * from '${relative(dirname(link), file)}';` });
        add(file);
      } else if (specifier.startsWith('.')) {
        add(resolve(dirname(path), specifier));
      } else {
        throw new Error(`${path} imports ${specifier}, which workerd cannot resolve`);
      }
    }
  };
  add(resolve(root, entry));
  return [...modules.values()];
}
