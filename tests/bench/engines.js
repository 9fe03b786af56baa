// JavaScript engines: runs the page (or the same modules in Node) and tells what came of it.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../wasm/build.js';
import { installed } from '../runtimes/installs.js';
import { bars } from './report.js';
import { serve } from './serve.js';
import { barList, both, markdownTable, ratio, timing } from './table.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const site = join(root, 'build/bench/site');

const WAYS = ['batched', 'single', 'per-item'];
/** What is aimed at: the geometric mean of all documents, and the least of any. */
const AIMS = { single: { mean: 1, least: 1 }, perItem: { mean: 2, least: 1.5 } };
const TIMEOUT_MS = 5 * 60 * 1000;

let siteIsMade = false;

/** Puts what is measured, as it is now, into a folder that can be served: the package once for each way. */
function makeSite() {
  if (siteIsMade) return;
  buildPackage({ types: false });
  rmSync(site, { recursive: true, force: true });
  const source = join(root, 'tests/bench/wasm');
  for (const name of ['cases.js', 'index.html', 'node.js', 'page.js']) cpSync(join(source, name), join(site, name));
  cpSync(join(root, 'tests/vectors/bench-docs.json'), join(site, 'bench-docs.json'));
  for (const way of WAYS) {
    cpSync(join(root, 'js'), join(site, way, 'js'), { recursive: true });
    cpSync(join(root, 'dist/wcbor.wasm.js'), join(site, way, 'dist/wcbor.wasm.js'));
    cpSync(join(source, 'documents.js'), join(site, way, 'documents.js'));
  }
  cpSync(join(source, 'per-item.js'), join(site, 'per-item/per-item.js'));
  siteIsMade = true;
}

function report(engine, results) {
  const head = ['document', 'batched, ns', 'batch: false, ns', 'encodeInto per item, ns', 'batch: false : batched',
    'encodeInto per item : batched', 'calls into wasm'];
  const ofSingle = {};
  const ofPerItem = {};
  const rows = Object.entries(results).map(([document, result]) => {
    const [batched, single, perItem] = WAYS.map((way) => timing(result[way].samples));
    ofSingle[document] = single.best / batched.best;
    ofPerItem[document] = perItem.best / batched.best;
    const crossings = WAYS.map((way) => result[way].crossings).join(', ');
    const ratios = [ratio(single, batched), ratio(perItem, batched)];
    return [document, both(batched), both(single), both(perItem), ...ratios, crossings];
  });
  const lines = [...bars('batch: false : batched', ofSingle, AIMS.single), ...bars('encodeInto per item : batched', ofPerItem, AIMS.perItem)];
  return `${engine}, one document written and taken out:\n\n${markdownTable(head, rows)}\n\n${barList(lines)}`;
}

// ---------------------------------------------------------------------------------------------------------- Node

/** This Node, and those that test:runtimes has, which are installed first. */
export function nodePrograms() {
  return [process.execPath, ...['node-22', 'node-24', 'node-26'].map(installed)];
}

/** The version of a Node. */
export function versionOf(program) {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
}

/** Runs `script`, which prints its results as JSON. */
export function runInNode(program, script, args = []) {
  const { status, stdout, stderr } = spawnSync(program, [script, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

export function benchNode() {
  makeSite();
  return nodePrograms()
    .map((program) => report(`Node ${versionOf(program)}`, runInNode(program, join(site, 'node.js'))))
    .join('\n\n');
}

// ------------------------------------------------------------------------------------------------------ browsers

/** What Debian 12 has them as. */
export const browserNeeds = {
  chromium: [{ package: 'chromium', command: 'chromium' }],
  firefox: [{ package: 'firefox-esr', command: 'firefox-esr' }],
  webkit: [
    { package: 'webkit2gtk-driver', command: 'WebKitWebDriver' },
    { package: 'xvfb', command: 'xvfb-run' },
    { package: 'xauth', command: 'xauth' },
  ],
};

// Given a fresh profile in `scratch`, the command that shows `url`, with its environment.
const browsers = {
  chromium: (url, scratch) => ({
    command: 'chromium',
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
      `--user-data-dir=${scratch}`, url],
  }),
  firefox: (url, scratch) => {
    // Nothing of its own that it would show or fetch first.
    const preferences = {
      'app.normandy.enabled': false,
      'browser.aboutwelcome.enabled': false,
      'browser.shell.checkDefaultBrowser': false,
      'browser.startup.homepage_override.mstone': 'ignore',
      'datareporting.policy.dataSubmissionEnabled': false,
      'dom.max_script_run_time': 0,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'services.settings.server': '',
      'toolkit.telemetry.enabled': false,
    };
    const line = ([name, value]) => `user_pref('${name}', ${JSON.stringify(value)});\n`;
    const lines = Object.entries(preferences).map(line);
    writeFileSync(join(scratch, 'user.js'), lines.join(''));
    return { command: 'firefox-esr', args: ['--headless', '--no-remote', '--profile', scratch, url] };
  },
  webkit: (url, scratch) => ({
    command: 'xvfb-run',
    args: ['--auto-servernum', miniBrowser(), url],
    env: { HOME: scratch, XDG_DATA_HOME: join(scratch, 'data'), XDG_CACHE_HOME: join(scratch, 'cache') },
  }),
};

/** WebKitGTK's own small browser stands where the library keeps its programs. */
function miniBrowser() {
  const libraries = readdirSync('/usr/lib').map((name) => join('/usr/lib', name));
  const versions = ['webkit2gtk-4.1', 'webkit2gtk-4.0'];
  const candidates = libraries.flatMap((path) => versions.map((version) => join(path, version, 'MiniBrowser')));
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new Error('webkit2gtk-driver is installed, but there is no MiniBrowser');
  return found;
}

/** Name and version of the engine, from what the page says of itself. */
function nameOf(browser, userAgent) {
  const version = (pattern) => pattern.exec(userAgent)?.[1] ?? 'of unknown version';
  switch (browser) {
    case 'chromium':
      return `Chromium ${version(/Chrome\/([\d]+)/)}`;
    case 'firefox':
      return `Firefox ${version(/Firefox\/([\d.]+)/)}`;
    default:
      return `WebKitGTK (Safari ${version(/Version\/([\d.]+)/)})`;
  }
}

/** Shows the page of `folder` in a browser: name and version of the engine, and what the page reports. */
export async function runInBrowser(browser, folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'));
  const server = await serve(folder);
  const { command, args, env } = browsers[browser](server.url, scratch);
  // A process group of its own, so that all that the browser starts can be ended with it.
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
    env: { ...process.env, ...env },
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors = (errors + data).slice(-2000);
  });
  let timer;
  try {
    const failed = new Promise((_, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${errors}`)));
      timer = setTimeout(() => reject(new Error(`no report within ${TIMEOUT_MS / 1000} s:\n${errors}`)), TIMEOUT_MS);
    });
    const { results, error, userAgent } = await Promise.race([server.report, failed]);
    if (error) throw new Error(error);
    return { engine: nameOf(browser, userAgent), results };
  } finally {
    clearTimeout(timer);
    server.close();
    await end(child);
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function benchBrowser(browser) {
  makeSite();
  const { engine, results } = await runInBrowser(browser, site);
  return report(engine, results);
}

/** Ends a process and all that it started. */
async function end(child) {
  if (child.pid === undefined || child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.on('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 5000);
  await gone;
  clearTimeout(timer);
}
