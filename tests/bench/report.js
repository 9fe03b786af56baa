// What the reports of encoding and of decoding share.
import { markdownTable, round, timing } from './table.js';

export function geometricMean(numbers) {
  return Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
}

const inMicroseconds = ({ samples }) => timing(samples.map((nanoseconds) => nanoseconds / 1000));

/** The times of every contender at every document. */
export function timingsOf(documents) {
  const timed = (result) => Object.fromEntries(Object.entries(result).map(([name, value]) => [name, inMicroseconds(value)]));
  return Object.fromEntries(Object.entries(documents).map(([document, result]) => [document, timed(result)]));
}

/** The fastest of `names` by its best time; undefined when none took the document. */
export function fastest(times, names) {
  const able = names.filter((name) => times[name] !== undefined);
  return able.sort((a, b) => times[a].best - times[b].best)[0];
}

/** Bars of a comparison: its mean, and its worst document. */
export function bars(what, ratios, { mean, least }) {
  const [document, worst] = Object.entries(ratios).sort(([, a], [, b]) => a - b)[0];
  const numbers = Object.values(ratios);
  const ofMean = `${what}, geometric mean of ${numbers.length} documents, at least ${mean}`;
  const ofWorst = `${what}, least of any document (${document}), at least ${least}`;
  return [
    { aim: ofMean, value: geometricMean(numbers), least: mean },
    { aim: ofWorst, value: worst, least },
  ];
}

/** Who is not in the row of a document, and why. */
export function absences(leftOut) {
  const byReason = {};
  for (const { contender, document, reason } of leftOut) (byReason[`${contender}, ${reason}`] ??= []).push(document);
  const entries = Object.entries(byReason).map(([reason, documents]) => `${reason} (${documents.join('; ')})`);
  return entries.length === 0 ? '' : `Left out: ${entries.join(', ')}.`;
}

/** Every contender's best time. */
export function timesTable(timesOf) {
  const names = [...new Set(Object.values(timesOf).flatMap((times) => Object.keys(times)))];
  const rows = Object.entries(timesOf).map(([document, times]) => [
    document,
    ...names.map((name) => (times[name] ? round(times[name].best) : '')),
  ]);
  return `Best times, us:\n\n${markdownTable(['document', ...names], rows)}`;
}
