// npm test [-- SUITE...]: sets up, builds everything, runs all suites (or those named) and prints what each came to.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasCommand, setUp } from '../.ci/setup.js';
import { buildPackage, buildPreset, bundleForNode, writeInline } from '../wasm/build.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'build/reports');
const TEST_TIMEOUT_MS = 10 * 60 * 1000;

/** Runs `build` at the first call; later ones share what came of it, a failure too. */
function once(build) {
  let outcome;
  return () => {
    if (outcome === undefined) {
      try {
        build();
        outcome = {};
      } catch (error) {
        outcome = { error };
      }
    }
    if (outcome.error) throw outcome.error;
  };
}

const buildShipped = once(() => buildPackage());
const buildEmscripten = once(() => {
  buildPreset('emscripten');
  writeInline(join(root, 'build/emscripten/wcbor.wasm'), join(root, 'build/emscripten/wcbor.wasm.js'));
});

// A suite builds what it needs and returns its counts; one that cannot be built or run counts as one failure.
const suites = {
  native: () => ctest('ci'),
  // The fuzzers need clang; without it the same tests run under gcc's sanitizers.
  sanitized: () => ctest(hasCommand('clang-22') ? 'asan' : 'asan-gcc'),
  js: () => {
    buildShipped();
    buildEmscripten(); // build.test.js compares the two modules
    return nodeTests('js', testFiles('js'));
  },
  'js-emscripten': () => {
    buildShipped();
    buildEmscripten();
    const files = testFiles('js').filter((file) => !/\b(build|package)\.test\.js$/.test(file));
    return nodeTests('js-emscripten', files, substituting('./use-emscripten.js'));
  },
  'js-bundled': async () => {
    buildShipped();
    await bundleForNode(join(root, 'build/bundle/index.node.js'));
    // What looks into the package has another one before it.
    const files = testFiles('js').filter((file) => !readFileSync(join(root, file), 'utf8').includes("from '../../"));
    return nodeTests('js-bundled', files, substituting('./use-bundle.js'));
  },
  // What encode does otherwise in WebKit.
  'js-webkit': () => {
    buildShipped();
    const files = testFiles('js').filter((file) => /\bencode[\w-]*\.test\.js$/.test(file));
    return nodeTests('js-webkit', files, substituting('./as-webkit.js'));
  },
  browser: () => {
    buildShipped();
    return nodeTests('browser', testFiles('browser'));
  },
  edge: () => {
    buildShipped();
    return nodeTests('edge', testFiles('edge'));
  },
};

/** The environment in which Node imports a file of this folder first, which puts something in place of something else. */
function substituting(file) {
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${new URL(file, import.meta.url)}` };
}

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  if (error) throw error;
  return status;
}

/** A path for a suite's report, with no report of an earlier run in its place. */
function reportPath(name) {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, name);
  rmSync(path, { force: true });
  return path;
}

function ctest(preset) {
  buildPreset(preset);
  const report = reportPath(`${preset}.xml`);
  const status = run('ctest', ['--preset', preset, '-j', '2', '--no-tests=error', '--output-junit', report]);
  const head = /<testsuite\b[^>]*>/.exec(readFileSync(report, 'utf8'))[0];
  const number = (name) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)[1]);
  const failed = number('failures');
  const skipped = number('skipped') + number('disabled');
  return checked(status, { passed: number('tests') - failed - skipped, failed, skipped });
}

function testFiles(directory) {
  const path = join(root, 'tests', directory);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith('.test.js'));
  return names.sort().map((name) => join('tests', directory, name));
}

function nodeTests(name, files, env) {
  if (files.length === 0) throw new Error(`there are no tests for ${name}`);
  const report = reportPath(`${name}.tap`);
  const reporters = [
    ['spec', 'stdout'],
    ['tap', report],
  ].flatMap(([reporter, to]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`]);
  // Tests that measure or hold a browser are not to run side by side.
  const options = ['--test', '--test-concurrency=1', `--test-timeout=${TEST_TIMEOUT_MS}`, ...reporters];
  const status = run(process.execPath, [...options, ...files], env);
  const tap = readFileSync(report, 'utf8');
  const number = (what) => Number(tap.match(new RegExp(`^# ${what} (\\d+)$`, 'gm')).at(-1).split(' ').at(-1));
  const skipped = number('skipped') + number('todo');
  return checked(status, { passed: number('pass'), failed: number('fail') + number('cancelled'), skipped });
}

/** A runner that says it failed without a failed test did not run what it should have. */
function checked(status, counts) {
  if (status !== 0 && counts.failed === 0) return { ...counts, failed: 1 };
  return counts;
}

async function runSuite(name) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  let counts;
  try {
    counts = await suites[name]();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  return { name, ...counts, seconds: (performance.now() - start) / 1000 };
}

async function main(names) {
  const unknown = names.filter((name) => !Object.hasOwn(suites, name));
  if (unknown.length > 0) {
    console.error(`No suite ${unknown.join(', ')}; there are ${Object.keys(suites).join(', ')}.`);
    return 2;
  }
  setUp('test');
  const results = [];
  for (const name of names.length > 0 ? names : Object.keys(suites)) results.push(await runSuite(name));
  console.log('');
  for (const { name, passed, failed, skipped, seconds } of results) {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    console.log(`${name.padEnd(14)} ${counts} (${seconds.toFixed(0)} s)`);
  }
  const sum = (what) => results.reduce((total, result) => total + result[what], 0);
  const skipped = sum('skipped');
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return sum('failed') === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
