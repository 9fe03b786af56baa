// npm run bench:json [-- --readme]: jsonToCbor and cborToJson against the same by way of values, JSON.parse and the
// fastest encode, the fastest decode and JSON.stringify, in this Node and the last of the others. Prints markdown, or
// puts it into RESULTS.md. Further documents: WCBOR_JSON_DOCS=folder.
import { join } from 'node:path';
import { setUp } from '../../.ci/setup.js';
import { nodePrograms, runInNode, versionOf } from './engines.js';
import { putIntoResults } from './results.js';
import { barList, both, markdownTable, ratio, timing } from './table.js';

const DIRECTIONS = ['string to CBOR', 'bytes to CBOR', 'CBOR to string'];
const AIMS = { mean: 3, least: 1.5 };

const inMicroseconds = (samples) => timing(samples.map((nanoseconds) => nanoseconds / 1000));

function report(engine, results) {
  const ratios = Object.fromEntries(DIRECTIONS.map((direction) => [direction, {}]));
  const rows = Object.entries(results).map(([document, { nbytes, ...directions }]) => {
    const cells = DIRECTIONS.flatMap((direction) => {
      const { transcode, ...others } = directions[direction];
      const ours = inMicroseconds(transcode);
      const times = Object.entries(others).map(([name, samples]) => ({ name, ...inMicroseconds(samples) }));
      const fastest = times.sort((a, b) => a.best - b.best)[0];
      ratios[direction][document] = fastest.best / ours.best;
      return [both(ours), `${fastest.name} ${ratio(fastest, ours)}`];
    });
    return [document, String(nbytes), ...cells];
  });
  const bars = DIRECTIONS.flatMap((direction) => {
    const entries = Object.entries(ratios[direction]).sort(([, a], [, b]) => a - b);
    const mean = Math.exp(entries.reduce((sum, [, value]) => sum + Math.log(value), 0) / entries.length);
    const [document, least] = entries[0];
    return [
      { aim: `${direction}, geometric mean of ${entries.length} documents, at least ${AIMS.mean}`, value: mean, least: AIMS.mean },
      { aim: `${direction}, least of any document (${document}), at least ${AIMS.least}`, value: least, least: AIMS.least },
    ];
  });
  const head = ['document', 'CBOR, bytes', ...DIRECTIONS.flatMap((direction) => [`${direction}, us`, 'fastest by values'])];
  return `${engine}:\n\n${markdownTable(head, rows)}\n\n${barList(bars)}`;
}

setUp('start');
const { makeSite, site } = await import('./encode-site.js');
await makeSite();
const programs = nodePrograms();
const parts = ['A cell is the best / the median of many short slices that take turns, and behind the fastest of encode or decode how many times as long it took.'];
for (const program of new Set([programs[0], programs.at(-1)])) {
  parts.push(report(`Node ${versionOf(program)}`, runInNode(program, join(site, 'json.js'), [])));
}
if (process.argv.includes('--readme')) putIntoResults('bench:json', parts.join('\n\n'));
else console.log(parts.join('\n\n'));
