// What `npm run bench` says of one engine: a table, and how it stands with each aim.
import { absences, bars, fastest, geometricMean, timesTable, timingsOf } from './report.js';
import { barList, both, markdownTable, ratio } from './table.js';

const OURS = 'wcbor';
const JSON_TEXT = 'JSON';
const CODECS = ['cbor-x', 'json-pack fast', 'json-pack', 'json-pack stable', 'cborg', 'cbor2'];
// Text keys in the order of canonical are in that of deterministic, too: the head of a key tells its length.
const RIVALS = {
  'wcbor canonical': ['json-pack stable', 'cborg'],
  'wcbor deterministic': ['json-pack stable', 'cborg rfc8949', 'cbor2 cde'],
};

/** What is aimed at: the geometric mean of all documents, and the least of any. */
export const AIMS = {
  codecs: { mean: 2, least: 1.1 },
  slowerWasm: { mean: 1.6, least: 1 }, // the codecs in Firefox and WebKitGTK
  json: { mean: 1.5, least: 1 },
  newestJson: { mean: 1.3, least: 0.8 }, // where JSON.stringify became two to three times as fast
  sorted: { mean: 2, least: 1.2 },
  strict: 1.05,
};

/**
 * @param {string} engine
 * @param {{ documents: object, leftOut: object[] }} results
 * @param {{ codecs: object, json: object }} aims those of AIMS that are for this engine
 * @param {boolean} [allTimes] the time of every contender as well
 */
export function encodeReport(engine, { documents, leftOut }, aims, allTimes = false) {
  const comparisons = { codecs: {}, json: {}, 'wcbor canonical': {}, 'wcbor deterministic': {}, strict: {} };
  const compare = (times, document, name, ours, theirs) => {
    if (theirs === undefined) return '';
    comparisons[name][document] = times[theirs].best / times[ours].best;
    return ratio(times[theirs], times[ours]);
  };
  const named = (name, cell) => (name === undefined ? '' : `${name} ${cell}`);
  const timesOf = timingsOf(documents);
  const rows = Object.entries(documents).map(([document, result]) => {
    const times = timesOf[document];
    const codec = fastest(times, CODECS);
    const json = fastest(times, [JSON_TEXT]);
    comparisons.strict[document] = times['wcbor strict'].best / times[OURS].best;
    const sorted = Object.entries(RIVALS).map(([ours, rivals]) => {
      const rival = fastest(times, rivals);
      return named(rival, compare(times, document, ours, ours, rival));
    });
    return [
      document,
      String(result[OURS].nbytes),
      both(times[OURS]),
      named(codec, compare(times, document, 'codecs', OURS, codec)),
      compare(times, document, 'json', OURS, json),
      ratio(times['wcbor strict'], times[OURS]),
      ...sorted,
    ];
  });
  const mean = (name) => geometricMean(Object.values(comparisons[name])).toFixed(2);
  const means = ['codecs', 'json', 'strict', 'wcbor canonical', 'wcbor deterministic'].map(mean);
  rows.push(['geometric mean (of the best)', '', '', ...means]);
  const head = ['document', 'bytes', 'wcbor, us', 'fastest codec : wcbor', 'JSON : wcbor', 'strict : lax',
    'fastest sorting codec : canonical', 'fastest sorting codec : deterministic'];
  const [slowest, times] = Object.entries(comparisons.strict).sort(([, a], [, b]) => b - a)[0];
  const lines = [
    ...bars('the fastest CBOR codec : wcbor', comparisons.codecs, aims.codecs),
    ...bars('JSON.stringify with TextEncoder : wcbor', comparisons.json, aims.json),
    ...bars('the fastest codec that sorts : canonical', comparisons['wcbor canonical'], AIMS.sorted),
    ...bars('the fastest codec that sorts : deterministic', comparisons['wcbor deterministic'], AIMS.sorted),
    { aim: `strict : lax, geometric mean, at most ${AIMS.strict}`, value: Number(mean('strict')), most: AIMS.strict },
    { aim: `strict : lax, most of any document (${slowest}), at most ${AIMS.strict}`, value: times, most: AIMS.strict },
  ];
  const parts = [`${engine}:`, markdownTable(head, rows), barList(lines)];
  const absent = absences(leftOut);
  if (absent) parts.push(absent);
  if (allTimes) parts.push(timesTable(timesOf));
  return parts.join('\n\n');
}
