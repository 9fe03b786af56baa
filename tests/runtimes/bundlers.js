// The package in the bundles that users make of it: by esbuild, Vite, Rollup and webpack, each in a project of its own,
// whose output runs in Node and in Chromium.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { runInBrowser, runInNode } from '../bench/engines.js';
import { installed } from './installs.js';
import { bundle, copyPackage, installPackage } from './site.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const sources = join(root, 'tests/runtimes/bundlers');

/** What user.js is to come to. */
const EXPECTED = 'a3646e616d6567' + '4772c3bcc39f65' + '646c6973748301f941007828' + '78'.repeat(40) + '626f6ef5';

async function projectOf(name) {
  const program = installed(name);
  const project = join(root, 'build', name);
  await copyPackage(project);
  cpSync(sources, project, { recursive: true });
  return { program, project };
}

function run(program, args, project) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: project, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`.trim());
}

/** Each makes a bundle and returns the folder that it stands in. */
const bundlers = {
  async esbuild() {
    const project = join(root, 'build/esbuild');
    await installPackage(project);
    cpSync(sources, project, { recursive: true });
    await bundle(project, join(project, 'user.js'), join(project, 'output'), { minify: true });
    return join(project, 'output');
  },
  async vite() {
    const { program, project } = await projectOf('vite');
    run(program, ['build', '--outDir', 'output', '--emptyOutDir'], project);
    return join(project, 'output');
  },
  async rollup() {
    const { program, project } = await projectOf('rollup');
    run(program, ['--config', '--silent'], project);
    return join(project, 'output');
  },
  async webpack() {
    const { program, project } = await projectOf('webpack');
    run(program, [], project);
    return join(project, 'output');
  },
};

/** The one script of a folder. */
function scriptIn(folder) {
  const scripts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js'));
  if (scripts.length !== 1) throw new Error(`one script expected, not ${scripts.join(', ')}`);
  return join(folder, scripts[0]);
}

/** Bundles, and runs the bundle: the size of it, in words. Throws when the bundle does not do what it should. */
async function checkBundler(name) {
  rmSync(join(root, 'build', name, 'output'), { recursive: true, force: true });
  const output = await bundlers[name]();
  const script = scriptIn(output);
  const inNode = runInNode(process.execPath, script);
  if (inNode !== EXPECTED) throw new Error(`in Node: ${inNode} is not ${EXPECTED}`);
  // Vite has made a page; for the others there is one that loads their script.
  if (dirname(script) === output) cpSync(join(sources, 'index.html'), join(output, 'index.html'));
  const { results } = await runInBrowser('chromium', output);
  if (results !== EXPECTED) throw new Error(`in Chromium: ${results} is not ${EXPECTED}`);
  const bytes = readFileSync(script);
  return `${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped; runs in Node and Chromium`;
}

/** Has wrangler put the service of demo/worker together as if to deploy it: what it says of its size. */
function dryRun() {
  const folder = join(root, 'demo/worker');
  const args = [installed('wrangler'), 'deploy', '--dry-run', '--outdir', join(root, 'build/wrangler/output')];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env });
  const size = /Total Upload: (.*)/.exec(stdout)?.[1];
  if (status !== 0 || size === undefined) throw new Error(`${stdout}${stderr}`.trim());
  return `demo/worker: ${size}`;
}

/** By name, functions as the runtimes have them. */
export const bundles = Object.fromEntries(
  Object.keys(bundlers).map((name) => [name, async () => ({ engine: name, says: await checkBundler(name), failures: [] })]),
);
bundles.wrangler = async () => ({ engine: 'wrangler deploy --dry-run', says: dryRun(), failures: [] });
