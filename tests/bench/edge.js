// npm run bench:edge [-- --requests N] [--readme]: a worker in workerd under load, over connections of this machine: answers
// in CBOR by wcbor against answers in JSON by JSON.stringify, in turns. Of the bodies 1 % are malformed, and must be told
// so. Fails when a request does.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackage } from '../../wasm/build.js';
import { load, requestBytes } from './edge/load.js';
import { putIntoResults } from './results.js';
import { barList, markdownTable, round } from './table.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const CONNECTIONS = 16;
const TURNS = 10; // of each kind
const MALFORMED_EVERY = 100;
/** Documents of such sizes that the answers, not the connections, are most of the work. */
const DOCUMENTS = ['short-message', 'key-value-item', 'sensor-pack', 'api-list'];

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '400000' }, readme: { type: 'boolean', default: false } },
});

buildPackage({ types: false });
// Packages of the lock, which the build may have had to install first.
const { Miniflare } = await import('miniflare');
const { WORKER_CONDITIONS, bundle, installPackage } = await import('../runtimes/site.js');
const { encode } = await import('wcbor');

async function start() {
  const folder = join(root, 'build/bench/edge');
  installPackage(folder);
  const documents = DOCUMENTS.map((name) => JSON.parse(readFileSync(join(root, 'demo/samples', `${name}.json`), 'utf8')));
  const source = join(folder, 'worker.js');
  writeFileSync(source, readFileSync(join(root, 'tests/bench/edge/worker.js')));
  writeFileSync(join(folder, 'documents.json'), JSON.stringify(documents));
  await bundle(folder, source, join(folder, 'bundle'), { conditions: WORKER_CONDITIONS });
  const bundled = join(folder, 'bundle');
  const modules = readdirSync(bundled).sort().reverse().map((name) => ({
    type: name.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule', path: join(bundled, name),
  }));
  modules.sort((a, b) => Number(a.type === 'CompiledWasm') - Number(b.type === 'CompiledWasm'));
  const wrangler = readFileSync(join(root, 'demo/worker/wrangler.toml'), 'utf8');
  const miniflare = new Miniflare({ modules, modulesRoot: bundled, compatibilityDate: /compatibility_date = "(.*)"/.exec(wrangler)[1] });
  const { port } = new URL(await miniflare.ready);
  return { miniflare, port: Number(port), documents };
}

/** MiB that the workerd of this process has in memory. */
function residentMemory() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (!/^Name:\s+workerd$/m.test(status) || Number(/^PPid:\s+(\d+)/m.exec(status)[1]) !== process.pid) continue;
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1024;
    } catch {
      // A process that has ended meanwhile.
    }
  }
  throw new Error('there is no workerd');
}

/** What is sent in a kind of body: for each document, and malformed ones. */
function requestsOf(type, encodeBody, encodeAnswer, documents) {
  const good = documents.map((document, index) => {
    const answer = encodeAnswer(document);
    const check = ({ status, body }) => status === 200 && body.equals(answer);
    return { bytes: requestBytes(type, encodeBody({ document: index })), check };
  });
  const whole = encodeBody({ document: 0 });
  const isRefused = ({ status }) => status >= 400 && status < 500;
  const bad = [whole.subarray(0, -1), Buffer.concat([whole, whole]), Buffer.from([0xff]), Buffer.alloc(0), encodeBody({ document: 99 })]
    .map((body) => ({ bytes: requestBytes(type, body), check: isRefused }));
  return (index) => (index % MALFORMED_EVERY === 0 ? bad[(index / MALFORMED_EVERY) % bad.length] : good[index % good.length]);
}

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function main() {
  const { miniflare, port, documents } = await start();
  try {
    const json = (value) => Buffer.from(JSON.stringify(value));
    const cbor = (value) => Buffer.from(encode(value));
    const kinds = {
      CBOR: { requestAt: requestsOf('application/cbor', cbor, cbor, documents), rates: [], latencies: [] },
      JSON: { requestAt: requestsOf('application/json', json, json, documents), rates: [], latencies: [] },
    };
    const perTurn = Math.ceil(Number(values.requests) / TURNS / 2);
    for (const { requestAt } of Object.values(kinds)) await load(port, CONNECTIONS, Math.min(perTurn, 3000), requestAt);
    const memory = [residentMemory()];
    const failures = [];
    let sent = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      for (const kind of turn % 2 === 0 ? Object.values(kinds) : Object.values(kinds).reverse()) {
        const result = await load(port, CONNECTIONS, perTurn, kind.requestAt);
        kind.rates.push(perTurn / result.seconds);
        kind.latencies.push(...result.latencies);
        failures.push(...result.failures);
        sent += perTurn;
      }
      memory.push(residentMemory());
    }
    for (const kind of Object.values(kinds)) kind.latencies.sort((a, b) => a - b);
    const rows = Object.entries(kinds).map(([name, { rates, latencies }]) => [
      name, round(Math.max(...rates)), round([...rates].sort((a, b) => a - b)[TURNS >> 1]),
      ...[0.5, 0.99, 0.999].map((share) => percentile(latencies, share).toFixed(2)),
    ]);
    const head = ['answers', 'requests per second, best turn', 'median turn', 'p50, ms', 'p99, ms', 'p99.9, ms'];
    const ratios = kinds.CBOR.rates.map((rate, turn) => rate / kinds.JSON.rates[turn]).sort((a, b) => a - b);
    const half = memory.length >> 1;
    const bars = [
      { aim: 'time per request, JSON : CBOR, median of turns, at least 1', value: ratios[TURNS >> 1], least: 1 },
      { aim: '99th percentile, CBOR : JSON, at most 1', value: percentile(kinds.CBOR.latencies, 0.99) / percentile(kinds.JSON.latencies, 0.99), most: 1 },
      { aim: `failed requests of ${sent}, at most 0`, value: failures.length, most: 0 },
      { aim: 'memory of workerd at the end : half-way, at most 1.1', value: memory.at(-1) / memory[half], most: 1.1 },
    ];
    const text = `workerd. Measured on ${cpus()[0].model.trim()}, ${cpus().length} cores, which client and workerd share: ${CONNECTIONS} connections, answers`
      + ` of ${documents.map((document) => `${encode(document).length}`).join(', ')} bytes in CBOR and`
      + ` ${documents.map((document) => `${JSON.stringify(document).length}`).join(', ')} in JSON by turns, each compared with what it should be.`
      + ` Resident memory of workerd, in MiB, before and after each turn: ${memory.map((size) => size.toFixed(0)).join(', ')}.`
      + `\n\n${markdownTable(head, rows)}\n\n${barList(bars)}`;
    console.log(text);
    for (const failure of failures.slice(0, 5)) console.error(failure);
    if (values.readme && failures.length === 0) putIntoResults('bench:edge', text);
    return failures.length === 0 ? 0 : 1;
  } finally {
    await miniflare.dispose();
  }
}

process.exitCode = await main();
