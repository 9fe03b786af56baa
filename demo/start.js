// npm start [-- --once]: sets up, builds, encodes the sample documents in several ways and prints sizes, times and
// crossings of the JS/wasm boundary, then serves the demo page (at PORT, 8080 by default) until it is stopped.
import { readFileSync } from 'node:fs';
import { setUp } from '../.ci/setup.js';
import { buildPackage } from '../wasm/build.js';
import { measure } from './page/measure.js';
import { countOf, waysToEncode } from './page/ways.js';
import { serve } from './serve.js';

const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** On a terminal one line that is overwritten, elsewhere a line each. */
function progress(message) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${message}`);
  else console.log(message);
}

function clearProgress() {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}

/** Measures the ways to encode a document and prints a table of them, in which encode(value) is the measure. */
async function report(wcbor, name, value) {
  const ways = waysToEncode(wcbor, value, 'lax');
  const results = ways.map(({ run }) => run());
  const [cbor] = results;
  const json = results.at(-1);
  for (const [index, other] of results.slice(0, -1).entries()) {
    if (Buffer.compare(cbor, other) !== 0) throw new Error(`${name}: ${ways[index].name} gives other bytes`);
  }
  const times = (await measure(ways.map(({ run }) => run))).map(({ median }) => median);
  const encodeTime = times[ways.findIndex(({ id }) => id === 'encode')];
  clearProgress();
  const share = ((100 * cbor.length) / json.length).toFixed(0);
  console.log(`${name}: ${json.length} bytes of JSON, ${cbor.length} bytes of CBOR (${share} %)`);
  for (const [index, way] of ways.entries()) {
    const time = times[index] < 100 ? times[index].toFixed(2) : times[index].toFixed(0);
    const against = `${(encodeTime / times[index]).toFixed(2)}x`;
    const { crossings } = countOf(wcbor, way);
    console.log(`  ${way.name.padEnd(28)}${time.padStart(9)} us ${against.padStart(8)} ${String(crossings).padStart(8)}`);
    way.dispose();
  }
}

const once = process.argv.includes('--once');
setUp('start');
progress('Building the module');
buildPackage({ types: false });
if (!once) await (await import('./build-page.js')).buildPage();
const wcbor = await import('../js/index.js');

clearProgress();
console.log('Each document: median time of one encoding, its speed against encode(value), boundary crossings.\n');
const names = readJson('samples/index.json');
const documents = [...names.map((name) => [name, `samples/${name}.json`]), ['package-lock', '../package-lock.json']];
for (const [index, [name, path]] of documents.entries()) {
  progress(`Measuring ${name} (${index + 1} of ${documents.length})`);
  await report(wcbor, name, readJson(path));
}

if (!once) {
  const { url } = await serve({ port: Number(process.env.PORT ?? 8080), host: process.env.HOST ?? '127.0.0.1' });
  console.log(`\nThe demo page is at ${url} (Ctrl-C stops it).`);
}
