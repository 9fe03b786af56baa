// Where measurements are kept: RESULTS.md has every report between its markers, and README.md a summary of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { putBetween } from '../../.ci/markers.js';
import { markdownTable } from './table.js';

const RESULTS = new URL('RESULTS.md', import.meta.url);
const README = new URL('../../README.md', import.meta.url);

const COMMANDS = {
  writer: 'npm run bench:writer',
  encode: 'npm run bench',
  cold: 'npm run bench:cold',
  decode: 'npm run bench -- --decode',
  struct: 'npm run bench:struct',
  json: 'npm run bench:json',
  edge: 'npm run bench:edge',
  smithy: 'npm run bench:smithy',
};
const SECTION = /<!-- bench:(\w+)[\w:]* begins -->([^]*?)<!-- /g;
// A report begins with the name of its engine; of versions the first number is enough here.
const ENGINE = /^(Native|Node \d+|Chromium \d+|Firefox \d+|WebKitGTK|workerd)\b/;
const MEAN = /^- (?:pass|falls short): (.*?), (?:geometric mean|median of turns)\b.*: ([\d.]+)$/;

/**
 * The table of what the reports come to: a row for each comparison, a column for each engine, a mean in each cell.
 * @param {string} results the text of RESULTS.md
 */
export function summaryOf(results) {
  const engines = new Set();
  const rows = new Map();
  for (const [, task, text] of results.matchAll(SECTION)) {
    let engine;
    for (const line of text.split('\n')) {
      engine = ENGINE.exec(line)?.[1] ?? engine;
      const [, what, value] = MEAN.exec(line) ?? [];
      if (what === undefined) continue;
      if (engine === undefined) throw new Error(`RESULTS.md says of no engine: ${line}`);
      engines.add(engine);
      const key = `${task} ${what}`;
      if (!rows.has(key)) rows.set(key, { task, what, values: {} });
      rows.get(key).values[engine] = value;
    }
  }
  const columns = [...engines].sort((a, b) => orderOf(a) - orderOf(b));
  const cells = ({ task, what, values }) => [`${task}: ${what}`, ...columns.map((name) => values[name] ?? ''), `\`${COMMANDS[task]}\``];
  return markdownTable(['the time of one : that of the other', ...columns, 'made by'], [...rows.values()].map(cells));
}

/** Native, the Nodes by age, browsers, workerd. */
function orderOf(engine) {
  const [name, version = 0] = engine.split(' ');
  return 1000 * ['Native', 'Node', 'Chromium', 'Firefox', 'WebKitGTK', 'workerd'].indexOf(name) + Number(version);
}

/**
 * Puts a report between its markers, and the summary into README.md.
 * @param {string} name what the markers call it
 * @param {string} text
 */
export function putIntoResults(name, text) {
  const results = putBetween(readFileSync(RESULTS, 'utf8'), name, text);
  writeFileSync(RESULTS, results);
  writeFileSync(README, putBetween(readFileSync(README, 'utf8'), 'bench', summaryOf(results)));
}
