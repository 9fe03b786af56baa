// npm run bench:cold: the first documents after the import, in processes of their own, by wcbor and its peers as they
// are installed. Prints markdown.
import { join } from 'node:path';
import { setUp } from '../../.ci/setup.js';
import { nodePrograms, runInNode, versionOf } from './engines.js';
import { markdownTable, round, timing } from './table.js';

const OURS = ['wcbor', 'wcbor by JSON']; // the second: JSON.stringify, and then jsonToCbor
const CONTENDERS = [...OURS, 'cbor-x', 'json-pack fast', 'json-pack', 'cborg', 'cbor2', 'JSON'];
const DOCUMENTS = ['short message', 'attribute document'];
const PROCESSES = 15;
const COLUMNS = [
  ['import', 'import'],
  ['result', 'import to first result'],
  ['1', 'first document'],
  ['10', 'first 10'],
  ['100', 'first 100'],
];

/** Medians by contender and column. */
function measure(program, script, document) {
  const runs = Object.fromEntries(CONTENDERS.map((name) => [name, []]));
  for (let i = 0; i < PROCESSES; i++) {
    // They take turns, so that whatever else the machine does falls on all of them.
    for (const name of CONTENDERS) runs[name].push(runInNode(program, script, [name, document]));
  }
  const median = (name, key) => timing(runs[name].map((run) => run[key])).median;
  const medians = (name) => Object.fromEntries(COLUMNS.map(([key]) => [key, median(name, key)]));
  return Object.fromEntries(CONTENDERS.map((name) => [name, medians(name)]));
}

/** The table, with who of the codecs is first in each column. */
function report(engine, document, results) {
  const rows = CONTENDERS.map((name) => [name, ...COLUMNS.map(([key]) => round(results[name][key]))]);
  const against = (label, names) => {
    const cells = COLUMNS.map(([key]) => {
      const fastest = names.toSorted((a, b) => results[a][key] - results[b][key])[0];
      const times = (results[fastest][key] / results.wcbor[key]).toFixed(2);
      return names.length > 1 ? `${fastest} ${times}` : times;
    });
    return [label, ...cells];
  };
  rows.push(against('fastest codec : wcbor', CONTENDERS.slice(OURS.length, -1)), against('wcbor by JSON : wcbor', ['wcbor by JSON']), against('JSON : wcbor', ['JSON']));
  const head = [document, ...COLUMNS.map(([, title]) => title)];
  return `${engine}, ${document}s, ms:\n\n${markdownTable(head, rows)}`;
}

setUp('start');
const { makeSite, site } = await import('./encode-site.js');
await makeSite();
console.log(`Medians of ${PROCESSES} processes each.`);
// This Node, and the last of the others.
const programs = nodePrograms();
for (const program of new Set([programs[0], programs.at(-1)])) {
  for (const document of DOCUMENTS) {
    const results = measure(program, join(site, 'cold.js'), document);
    console.log(`\n${report(`Node ${versionOf(program)}`, document, results)}`);
  }
}
