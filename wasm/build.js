// node wasm/build.js [--bundle]: builds what the package ships into dist/ (git-ignored): the module, the module inline in
// an ES module, the entry for Node, and the type declarations.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setUp } from '../.ci/setup.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command and returns its output; throws with all of it when the command fails. */
function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** Leaves a file alone that has these contents already, and never shows a half-written one to a reader. */
function writeIfChanged(path, contents) {
  const bytes = Buffer.from(contents);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path);
}

/** Configures and builds one preset of CMakePresets.json. */
export function buildPreset(preset) {
  // A build directory belongs to the compiler that it was made with.
  const stamp = join(root, 'build', `${preset}.wasi-sdk`);
  const wasiSdk = process.env.WASI_SDK_PREFIX ?? '';
  const fresh = !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wasiSdk ? ['--fresh'] : [];
  run('cmake', ['--preset', preset, ...fresh]);
  writeIfChanged(stamp, wasiSdk);
  run('cmake', ['--build', '--preset', preset, '-j', '2']);
}

/** Writes the module at `modulePath` as an ES module that holds it inline. */
export function writeInline(modulePath, outputPath) {
  writeIfChanged(outputPath, `export default '${readFileSync(modulePath).toString('base64')}';\n`);
}

const INLINE_TYPES = 'declare const base64: string;\nexport default base64;\n';
const MODULE_TYPES = 'declare const module: WebAssembly.Module;\nexport default module;\n';

function buildTypes() {
  const scratch = join(root, 'build/types');
  const types = join(root, 'dist/types');
  rmSync(scratch, { recursive: true, force: true });
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'js', '--outDir', scratch]);
  const emitted = readdirSync(scratch);
  for (const name of emitted) writeIfChanged(join(types, name), readFileSync(join(scratch, name)));
  for (const name of readdirSync(types)) if (!emitted.includes(name)) rmSync(join(types, name));
}

/**
 * Writes the entry for Node as one file, for there each file of a package takes a millisecond of its import.
 */
export async function bundleForNode(outputPath) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(root, 'js/index.node.js')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'error',
  });
  writeIfChanged(outputPath, outputFiles[0].contents);
}

/** In this folder the entry for Node is what js/ is at the moment. */
export function linkForNode() {
  writeIfChanged(join(root, 'dist/index.node.js'), "export * from '../js/index.node.js';\n");
}

/** Builds the module and fills dist/. Types need the npm packages, the rest does not. */
export function buildPackage({ types = true } = {}) {
  buildPreset('wasi');
  const built = join(root, 'build/wasi/wcbor.wasm');
  writeIfChanged(join(root, 'dist/wcbor.wasm'), readFileSync(built));
  writeIfChanged(join(root, 'dist/wcbor.d.wasm.ts'), MODULE_TYPES);
  writeInline(built, join(root, 'dist/wcbor.wasm.js'));
  writeIfChanged(join(root, 'dist/wcbor.wasm.d.ts'), INLINE_TYPES);
  linkForNode();
  if (types) buildTypes();
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  setUp('start');
  try {
    buildPackage();
    if (process.argv[2] === '--bundle') await bundleForNode(join(root, 'dist/index.node.js'));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
