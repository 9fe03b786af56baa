// Brings a fresh Debian 12 with Node to the point where the project builds: installs the Debian packages that are
// missing, and the npm packages of the lock. Uses nothing that is not in Node itself, and skips at once what is there.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

// A need is met when its `command` is on PATH or its `file` exists, wherever they came from; else `package` is
// installed.
const buildNeeds = [
  { package: 'cmake', command: 'cmake' },
  { package: 'ninja-build', command: 'ninja' },
];
const clangNeeds = [
  { package: 'clang-22', command: 'clang-22' },
  { package: 'lld-22', command: 'wasm-ld-22' },
  { package: 'wasi-libc', file: '/usr/lib/wasm32-wasi/libc.a' },
  {
    package: 'libclang-rt-22-dev-wasm32',
    file: '/usr/lib/llvm-22/lib/clang/22/lib/wasi/libclang_rt.builtins-wasm32.a',
  },
];
const testNeeds = [
  { package: 'gcc', command: 'gcc' },
  { package: 'g++', command: 'g++' },
  { package: 'libc6-dev', file: '/usr/include/stdlib.h' },
  { package: 'libcmocka-dev', file: '/usr/include/cmocka.h' },
  { package: 'pkg-config', command: 'pkg-config' },
  { package: 'emscripten', command: 'emcc' },
  { package: 'chromium', command: 'chromium' },
  { package: 'firefox-esr', command: 'firefox-esr' },
];
// AddressSanitizer and libFuzzer of the clang that the C tests are built with.
const sanitizerNeeds = [{ package: 'libclang-rt-22-dev', file: '/usr/lib/llvm-22/lib/clang/22/lib/linux' }];

/** Where `command` is an executable on PATH; undefined when it is nowhere. */
export function commandPath(command) {
  const paths = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, command));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether `command` is an executable on PATH. */
export const hasCommand = (command) => commandPath(command) !== undefined;

function missingPackages(purpose, furtherNeeds) {
  const needs = [...buildNeeds, ...furtherNeeds];
  const ownClang = Boolean(process.env.WASI_SDK_PREFIX);
  if (!ownClang) needs.push(...clangNeeds);
  if (purpose === 'test') needs.push(...testNeeds, ...(ownClang ? [] : sanitizerNeeds));
  return needs
    .filter(({ command, file }) => (command ? !hasCommand(command) : !existsSync(file)))
    .map((need) => need.package);
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (error) console.error(`${command}: ${error.message}`);
  return status === 0;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function installPackages(packages) {
  const byHand = `apt-get update && apt-get install --no-install-recommends ${packages.join(' ')}`;
  if (!hasCommand('apt-get')) fail(`Missing: ${packages.join(', ')}. There is no apt-get here to install them with.`);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && !(hasCommand('sudo') && run('sudo', ['-n', 'true'], { stdio: 'ignore' }))) {
    fail(`Missing: ${packages.join(', ')}. Install them, as root: ${byHand}`);
  }
  console.log(`Installing ${packages.join(', ')}; this may take some minutes.`);
  const aptGet = (...args) => {
    const command = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-y', '-qq', '-o', 'Dpkg::Use-Pty=0', ...args];
    if (!isRoot) command.unshift('sudo', '-n');
    return run(command[0], command.slice(1));
  };
  // An update that fails for one source may still have what is needed; the installation then tells.
  aptGet('update');
  if (!aptGet('install', '--no-install-recommends', ...packages)) {
    fail(`The installation failed. Debian 12 has these packages in its main and security archives: ${byHand}`);
  }
}

function npmPackagesAreCurrent() {
  const installed = join(root, 'node_modules/.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/**
 * `purpose` is 'start' (what the build of the module needs) or 'test' (that, and what the tests need); `furtherNeeds`
 * are of the form above.
 */
export function setUp(purpose, furtherNeeds = []) {
  const packages = missingPackages(purpose, furtherNeeds);
  if (packages.length > 0) installPackages(packages);
  const stillMissing = missingPackages(purpose, furtherNeeds);
  if (stillMissing.length > 0) fail(`Still missing after the installation: ${stillMissing.join(', ')}`);
  if (!npmPackagesAreCurrent()) {
    console.log('Installing the npm packages of the lock.');
    // No package of the lock needs its install script: each only checks or builds what the registry ships ready-made.
    if (!run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])) fail('npm ci failed.');
  }
}
