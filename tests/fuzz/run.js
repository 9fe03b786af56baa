// npm run fuzz [-- CALLS [SEED]]: random calls on the writer and on the reference writer, which must agree; builds first.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPreset } from '../../wasm/build.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A seed that is not given is another one each time, and said. */
const [calls = '10000000', seed = String(Math.floor(Math.random() * 2 ** 32))] = process.argv.slice(2);

if (![calls, seed].every((argument) => /^[0-9]+$/.test(argument))) {
  console.error('npm run fuzz -- CALLS SEED, both whole numbers');
  process.exit(2);
}
buildPreset('native');
console.log(`${calls} calls, seed ${seed}`);
const { status, signal, error } = spawnSync(join(root, 'build/native/tests/fuzz/differential'), [calls, seed], { stdio: 'inherit' });
if (error) throw error;
if (signal) console.error(`ended by ${signal}`);
process.exitCode = status ?? 1;
