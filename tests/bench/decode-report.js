// What `npm run bench -- --decode` says of one engine: a table, and how it stands with each aim.
import { absences, bars, fastest, geometricMean, timesTable, timingsOf } from './report.js';
import { barList, both, markdownTable, ratio } from './table.js';

const OURS = 'wcbor';
const GENERATED = 'wcbor codeGeneration';
const CODECS = ['cbor-x', 'cbor-x plain', 'json-pack', 'cborg', 'cbor2'];
const RIVALS = [...CODECS, 'JSON'];

/** What is aimed at: the geometric mean of all documents, and the least of any. */
export const AIMS = {
  v8: { mean: 2, least: 1.1 },
  slowerWasm: { mean: 1.5, least: 1 }, // Firefox and WebKitGTK
  generated: { mean: 3, least: 1.1 },
  strict: 1.1,
};

/**
 * @param {string} engine
 * @param {{ documents: object, leftOut: object[] }} results
 * @param {{ mean: number, least: number }} aim one of AIMS
 * @param {boolean} [allTimes] the time of every contender as well
 */
export function decodeReport(engine, { documents, leftOut }, aim, allTimes = false) {
  const ratios = { codecs: {}, json: {}, all: {}, generated: {}, strict: {} };
  const timesOf = timingsOf(documents);
  const rows = Object.entries(timesOf).map(([document, times]) => {
    const note = (name, ours, theirs) => {
      if (times[ours] === undefined || times[theirs] === undefined) return '';
      ratios[name][document] = times[theirs].best / times[ours].best;
      return ratio(times[theirs], times[ours]);
    };
    const codec = fastest(times, CODECS);
    const rival = fastest(times, RIVALS);
    note('all', OURS, rival);
    const cells = [
      `${codec} ${note('codecs', OURS, codec)}`, note('json', OURS, 'JSON'), note('generated', GENERATED, rival), note('strict', 'wcbor lax', OURS),
    ];
    return [document, String(documents[document][OURS].nbytes), both(times[OURS]), ...cells];
  });
  const mean = (name) => {
    const numbers = Object.values(ratios[name]);
    return numbers.length === 0 ? '' : geometricMean(numbers).toFixed(2);
  };
  rows.push(['geometric mean (of the best)', '', '', ...['codecs', 'json', 'generated', 'strict'].map(mean)]);
  const head = ['document', 'bytes', 'wcbor, us', 'fastest codec : wcbor', 'JSON : wcbor', 'fastest of all : wcbor with codeGeneration',
    'strict : lax'];
  const lines = [
    ...bars('the fastest of all (JSON.parse too) : wcbor', ratios.all, aim),
    ...bars('the fastest CBOR codec : wcbor', ratios.codecs, aim),
    ...(mean('generated') === '' ? [] : bars('the fastest of all : wcbor with codeGeneration', ratios.generated, AIMS.generated)),
    { aim: `strict : lax, geometric mean, at most ${AIMS.strict}`, value: Number(mean('strict')), most: AIMS.strict },
  ];
  const parts = [`${engine}:`, markdownTable(head, rows), barList(lines)];
  const absent = absences(leftOut);
  if (absent) parts.push(absent);
  if (allTimes) parts.push(timesTable(timesOf));
  return parts.join('\n\n');
}
