// npm run test:runtimes [-- NAME...] [--allow-missing]: the same conformance suite in every runtime, then the package in the
// bundles that users make. What is missing is installed below build/ (programs) or by apt-get (browsers).
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasCommand } from '../../.ci/setup.js';
import { browserNeeds, runInBrowser, runInNode, versionOf } from '../bench/engines.js';
import { buildPackage } from '../../wasm/build.js';
import { installed } from './installs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A runtime that is not to be had here; the message says how to get it. */
class Missing extends Error {}

function program(name) {
  try {
    return installed(name);
  } catch (error) {
    throw new Missing(error.message);
  }
}

/** Installs a browser in a process of its own, for the setup ends its process when it fails. */
function browser(name) {
  const needs = browserNeeds[name].filter(({ command }) => !hasCommand(command));
  if (needs.length === 0) return name;
  const setUp = `import { setUp } from './.ci/setup.js'; setUp('start', ${JSON.stringify(needs)});`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', setUp], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Missing(`apt-get install ${needs.map((need) => need.package).join(' ')}`);
  return name;
}

function inNode(path) {
  return (site) => ({ engine: `Node ${versionOf(path())}`, results: runInNode(path(), site.program) });
}

function versionLine(path) {
  return /[\d.]+/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout)[0];
}

async function inWorkerd({ worker }) {
  const { Miniflare } = await import('miniflare');
  const wrangler = readFileSync(join(root, 'demo/worker/wrangler.toml'), 'utf8');
  const modules = readdirSync(worker).map((name) => ({
    type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule', path: join(worker, name),
  }));
  // The first module is the one that answers.
  modules.sort((a, b) => Number(b.path.endsWith('worker.js')) - Number(a.path.endsWith('worker.js')));
  const miniflare = new Miniflare({ modules, modulesRoot: worker, compatibilityDate: /compatibility_date = "(.*)"/.exec(wrangler)[1] });
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    if (!response.ok) throw new Error(await response.text());
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules/workerd/package.json'), 'utf8'));
    return { engine: `workerd ${version}`, results: await response.json() };
  } finally {
    await miniflare.dispose();
  }
}

const inBrowser = (name) => ({ page }) => runInBrowser(browser(name), page);

const runtimes = {
  'node': inNode(() => process.execPath),
  'node-22': inNode(() => program('node-22')),
  'node-24': inNode(() => program('node-24')),
  'node-26': inNode(() => program('node-26')),
  'deno': (site) => {
    const deno = program('deno');
    return { engine: `Deno ${versionLine(deno)}`, results: runInNode(deno, 'run', ['--no-prompt', '--allow-read', site.program]) };
  },
  'bun': (site) => {
    const bun = program('bun');
    return { engine: `Bun ${versionLine(bun)}`, results: runInNode(bun, site.program) };
  },
  'workerd': inWorkerd,
  'chromium': inBrowser('chromium'),
  'firefox': inBrowser('firefox'),
  'webkit': inBrowser('webkit'),
};

async function runOne(name, site) {
  try {
    const { engine, results: { passed, failures } } = await runtimes[name](site);
    console.log(`${engine.padEnd(28)} ${passed} passed, ${failures.length} failed`);
    for (const failure of failures.slice(0, 10)) console.log(`    ${failure}`);
    return failures.length === 0 ? 'passed' : 'failed';
  } catch (error) {
    const isMissing = error instanceof Missing;
    console.log(`${name.padEnd(28)} ${isMissing ? 'missing' : 'failed'}: ${error.message}`);
    return isMissing ? 'missing' : 'failed';
  }
}

async function main() {
  const { values, positionals } = parseArgs({ options: { 'allow-missing': { type: 'boolean', default: false } }, allowPositionals: true });
  const unknown = positionals.filter((name) => !Object.hasOwn(runtimes, name));
  if (unknown.length > 0) {
    console.error(`No runtime ${unknown.join(', ')}; there are ${Object.keys(runtimes).join(', ')}.`);
    return 2;
  }
  buildPackage();
  const { makeSite } = await import('./site.js');
  const site = await makeSite();
  let failed = false;
  for (const name of positionals.length > 0 ? positionals : Object.keys(runtimes)) {
    const outcome = await runOne(name, site);
    if (outcome === 'failed' || (outcome === 'missing' && !values['allow-missing'])) failed = true;
  }
  return failed ? 1 : 0;
}

process.exitCode = await main();
