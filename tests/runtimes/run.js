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
import { Missing, installed } from './installs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Installs a browser in a process of its own, for the setup ends its process when it fails. */
function browser(name) {
  const needs = browserNeeds[name].filter(({ command }) => !hasCommand(command));
  if (needs.length === 0) return name;
  const setUp = `import { setUp } from './.ci/setup.js'; setUp('start', ${JSON.stringify(needs)});`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', setUp], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Missing(`apt-get install ${needs.map((need) => need.package).join(' ')}`);
  return name;
}

/** What the suite came to in an engine. */
function outcome(engine, { passed, failures }) {
  return { engine, says: `${passed} passed, ${failures.length} failed`, failures };
}

function inNode(path) {
  return ({ program }) => outcome(`Node ${versionOf(path())}`, runInNode(path(), program));
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
    return outcome(`workerd ${version}`, await response.json());
  } finally {
    await miniflare.dispose();
  }
}

const inBrowser = (name) => async ({ page }) => {
  const { engine, results } = await runInBrowser(browser(name), page);
  return outcome(engine, results);
};

const runtimes = {
  'node': inNode(() => process.execPath),
  'node-22': inNode(() => installed('node-22')),
  'node-24': inNode(() => installed('node-24')),
  'node-26': inNode(() => installed('node-26')),
  'deno': ({ program }) => {
    const deno = installed('deno');
    return outcome(`Deno ${versionLine(deno)}`, runInNode(deno, 'run', ['--no-prompt', '--allow-read', program]));
  },
  'bun': ({ program }) => {
    const bun = installed('bun');
    return outcome(`Bun ${versionLine(bun)}`, runInNode(bun, program));
  },
  'workerd': inWorkerd,
  'chromium': inBrowser('chromium'),
  'firefox': inBrowser('firefox'),
  'webkit': inBrowser('webkit'),
};

/** Runs the suite, or a bundle, and prints one line of it: 'passed', 'failed' or 'missing'. */
async function report(name, run, site) {
  try {
    const { engine, says, failures } = await run(site);
    console.log(`${engine.padEnd(28)} ${says}`);
    for (const failure of failures.slice(0, 10)) console.log(`    ${failure}`);
    return failures.length === 0 ? 'passed' : 'failed';
  } catch (error) {
    const kind = error instanceof Missing ? 'missing' : 'failed';
    console.log(`${name.padEnd(28)} ${kind}: ${error.message}`);
    return kind;
  }
}

async function main() {
  const { values, positionals } = parseArgs({ options: { 'allow-missing': { type: 'boolean', default: false } }, allowPositionals: true });
  buildPackage();
  // These need packages of the lock, which the build may have had to install first.
  const { makeSite } = await import('./site.js');
  const { bundles } = await import('./bundlers.js');
  const all = { ...runtimes, ...bundles };
  const unknown = positionals.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    console.error(`Nothing is called ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}.`);
    return 2;
  }
  const site = await makeSite();
  const outcomes = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(all)) outcomes.push(await report(name, all[name], site));
  const isFine = (kind) => kind === 'passed' || (kind === 'missing' && values['allow-missing']);
  return outcomes.every(isFine) ? 0 : 1;
}

process.exitCode = await main();
