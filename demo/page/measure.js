// Timings that can be repeated: every way to write the document is run in short slices, one way after the other, round
// after round, so that whatever else the machine does falls on all of them alike. Between slices the page is free.

import { CborWriter, encode, stats } from './wcbor.js';
import { writeValue } from './walk.js';

const SLICE_MS = 8; // long against the clock's resolution, short against a frame
const WARM_UP_MS = 160; // of work for each way, before anything counts
const ROUNDS = 40;
const FEWEST_ROUNDS = 9;
const BUDGET_MS = 4000; // documents that take long get fewer rounds, not a longer wait

/** Keeps the engine from dropping work whose result nobody reads. */
let sink = 0;

/** One writer, reset for each document, as a caller with many documents would use it. */
function writerWay(id, name, note, options, value) {
  const writer = new CborWriter(options);
  return {
    id,
    name,
    note,
    run() {
      writer.reset();
      writeValue(writer, value);
      return writer.encode();
    },
    dispose: () => writer.dispose?.(),
  };
}

/**
 * The four ways to turn `value` into bytes that the page compares.
 * @returns {{ id: string, name: string, note: string, run: () => Uint8Array, dispose: () => void }[]}
 */
export function waysToEncode(value, mode) {
  const text = new TextEncoder();
  return [
    writerWay('batched', 'CborWriter, batched', 'writer calls collected, run in one go', { mode }, value),
    writerWay('unbatched', 'CborWriter, call by call', 'one wasm call for each item', { mode, batch: false }, value),
    { id: 'encode', name: 'encode(value)', note: 'the whole value at once', run: () => encode(value, { mode }), dispose() {} },
    { id: 'json', name: 'JSON.stringify', note: 'with TextEncoder, both built in', run: () => text.encode(JSON.stringify(value)), dispose() {} },
  ];
}

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Runs `way` `times` times: milliseconds taken. */
function slice(way, times) {
  const start = performance.now();
  for (let i = 0; i < times; i++) sink += way.run().length;
  return performance.now() - start;
}

/** Warms `way` up in slices and returns how many runs fill one. */
async function warmUp(way, signal) {
  let times = 1;
  for (let spent = 0; spent < WARM_UP_MS;) {
    signal.throwIfAborted();
    const took = slice(way, times);
    spent += took;
    const fitting = took > 0.5 ? Math.round((times * SLICE_MS) / took) : times * 4;
    times = Math.max(1, Math.min(fitting, times * 4));
    await pause();
  }
  return times;
}

/** The value a share `q` of the sorted samples lies below. */
function quantile(sorted, q) {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
}

/** Boundary crossings and bytes of one run. */
function count(way) {
  stats.reset();
  const bytes = way.run().length;
  return { crossings: stats().crossings, bytes };
}

/**
 * Measures all ways on equal terms.
 * @param {ReturnType<typeof waysToEncode>} ways
 * @param {{ signal: AbortSignal, onProgress: (share: number) => void }} options
 * @returns {Promise<{ id: string, median: number, low: number, high: number, crossings: number, bytes: number }[]>}
 *   microseconds for one document: the median and the quartiles around it.
 */
export async function measure(ways, { signal, onProgress }) {
  const plans = [];
  for (const [index, way] of ways.entries()) {
    plans.push({ way, times: await warmUp(way, signal), samples: [], ...count(way) });
    onProgress((0.3 * (index + 1)) / ways.length);
  }
  const first = performance.now();
  let rounds = ROUNDS;
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another way, so that none always follows the same neighbour.
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      plan.samples.push(slice(plan.way, plan.times) / plan.times);
      await pause();
      signal.throwIfAborted();
    }
    const perRound = (performance.now() - first) / (round + 1);
    rounds = Math.max(FEWEST_ROUNDS, Math.min(ROUNDS, Math.floor(BUDGET_MS / perRound)));
    onProgress(0.3 + 0.7 * Math.min(1, (round + 1) / rounds));
  }
  return plans.map(({ way, samples, crossings, bytes }) => {
    const sorted = samples.map((ms) => ms * 1000).sort((a, b) => a - b);
    return { id: way.id, median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75), crossings, bytes };
  });
}
