// npm run bench:smithy [-- --readme]: request bodies of demo/smithy in CBOR against the same in JSON, in every Node at hand.
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildPackage } from '../../wasm/build.js';
import { nodePrograms, runInNode, versionOf } from './engines.js';
import { putIntoResults } from './results.js';
import { barList, both, markdownTable, ratio, timing } from './table.js';

const script = fileURLToPath(new URL('./smithy/measure.js', import.meta.url));

function report(engine, results) {
  const ratios = [];
  const rows = Object.entries(results).map(([document, { wcbor, JSON: json }]) => {
    const [ours, theirs] = [timing(wcbor.samples), timing(json.samples)];
    ratios.push({ document, value: theirs.best / ours.best });
    return [document, wcbor.nbytes, json.nbytes, both(ours), both(theirs), ratio(theirs, ours)];
  });
  const head = ['request', 'bytes', 'bytes in JSON', 'wcbor, µs', 'JSON, µs', 'JSON : wcbor'];
  const worst = ratios.reduce((a, b) => (b.value < a.value ? b : a));
  const mean = Math.exp(ratios.reduce((sum, { value }) => sum + Math.log(value), 0) / ratios.length);
  const bars = [
    { aim: 'JSON.stringify with TextEncoder : wcbor, geometric mean of 12 requests, at least 1.5', value: mean, least: 1.5 },
    { aim: `least of any (${worst.document}), at least 1`, value: worst.value, least: 1 },
  ];
  return `${engine}:\n\n${markdownTable(head, rows)}\n\n${barList(bars)}`;
}

buildPackage({ types: false });
const parts = [`Measured on ${cpus()[0].model.trim()}, ${cpus().length} cores that may have had other work. A cell is the best / the median of many short slices that take turns; above 1 wcbor is faster.`];
for (const program of nodePrograms()) {
  parts.push(report(`Node ${versionOf(program)}`, runInNode(program, script).results));
  console.log(`\n${parts.at(-1)}`);
}
if (process.argv.includes('--readme')) putIntoResults('bench:smithy', parts.join('\n\n'));
