// npm run bench:cold [-- --readme]: the first documents after the import, in processes of their own, by wcbor and its peers
// as they are installed, in this Node and the last of the others. Prints markdown, or puts it into RESULTS.md.
import { join } from 'node:path';
import { setUp } from '../../.ci/setup.js';
import { nodePrograms, runInNode, versionOf } from './engines.js';
import { putIntoResults } from './results.js';
import { barList, markdownTable, round, timing } from './table.js';

const OURS = ['wcbor', 'wcbor by JSON']; // the second: JSON.stringify, and then jsonToCbor
const CONTENDERS = [...OURS, 'cbor-x', 'json-pack fast', 'json-pack', 'cborg', 'cbor2', 'JSON'];
const DOCUMENTS = ['short message', 'attribute document'];
const PEERS = CONTENDERS.slice(OURS.length, -1);
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

const fastestOf = (names, results, key) => names.toSorted((a, b) => results[a][key] - results[b][key])[0];

/** The table, with who of the codecs is first in each column. */
function tableOf(document, results) {
  const rows = CONTENDERS.map((name) => [name, ...COLUMNS.map(([key]) => round(results[name][key]))]);
  const against = (label, names) => {
    const cells = COLUMNS.map(([key]) => {
      const fastest = fastestOf(names, results, key);
      const times = (results[fastest][key] / results.wcbor[key]).toFixed(2);
      return names.length > 1 ? `${fastest} ${times}` : times;
    });
    return [label, ...cells];
  };
  rows.push(against('fastest codec : wcbor', PEERS), against('wcbor by JSON : wcbor', ['wcbor by JSON']), against('JSON : wcbor', ['JSON']));
  return markdownTable([`${document}, ms`, ...COLUMNS.map(([, title]) => title)], rows);
}

/** What the tables of one engine come to, as geometric means of the documents. */
function barsOf(results) {
  const mean = (ratioOf) => Math.exp(results.reduce((sum, one) => sum + Math.log(ratioOf(one)), 0) / results.length);
  const documents = `geometric mean of ${results.length} documents, at least`;
  const bars = COLUMNS.slice(2).map(([key, title]) => ({
    aim: `the fastest codec : wcbor, ${title}, ${documents} 1`,
    value: mean((one) => one[fastestOf(PEERS, one, key)][key] / one.wcbor[key]),
    least: 1,
  }));
  const value = mean((one) => one['cbor-x'].result / one.wcbor.result);
  return barList([...bars, { aim: `cbor-x : wcbor, import to first result, ${documents} 0.67`, value, least: 0.67 }]);
}

function report(program, script) {
  const results = DOCUMENTS.map((document) => measure(program, script, document));
  const tables = DOCUMENTS.map((document, i) => tableOf(document, results[i]));
  return [`Node ${versionOf(program)}:`, ...tables, barsOf(results)].join('\n\n');
}

setUp('start');
const { makeSite, site } = await import('./encode-site.js');
await makeSite();
const programs = nodePrograms();
const reports = [...new Set([programs[0], programs.at(-1)])].map((program) => report(program, join(site, 'cold.js')));
const text = [`Medians of ${PROCESSES} processes each, which take turns.`, ...reports].join('\n\n');
if (process.argv.includes('--readme')) putIntoResults('bench:cold', text);
else console.log(text);
