// Measures the ways to write the documents, in whatever engine this runs. The folders beside this file are copies of
// the package, one for each way.
import { CborWriter as BatchedWriter, stats as batchedStats } from './batched/js/index.js';
import * as batched from './batched/documents.js';
import { stats as perItemStats } from './per-item/js/index.js';
import { PerItemWriter } from './per-item/per-item.js';
import * as perItem from './per-item/documents.js';
import { CborWriter as SingleWriter, stats as singleStats } from './single/js/index.js';
import * as single from './single/documents.js';

const WAYS = [
  { name: 'batched', code: batched, stats: batchedStats, create: (options) => new BatchedWriter(options) },
  {
    name: 'single',
    code: single,
    stats: singleStats,
    create: (options) => new SingleWriter({ ...options, batch: false }),
  },
  { name: 'per-item', code: perItem, stats: perItemStats, create: (options) => new PerItemWriter(options) },
];

const SLICE_MS = 1.5;
const WARM_UP_MS = 120;
const ROUNDS = 250;
const BUDGET_MS = 20_000; // a slow engine gets fewer rounds, not a longer wait

function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One document by one way, checked. */
function makePlan(document, way) {
  const { name, mode, convert, hex } = document;
  const writer = way.create({ mode: mode.toLowerCase(), convertIndefiniteLengths: convert });
  const target = new Uint8Array(4096);
  const data = way.code.dataOf(document);
  const run = (times) => way.code.run(name, writer, data, target, times);
  run(1);
  way.stats.reset();
  const nbytes = run(1);
  const { crossings } = way.stats();
  if (hexOf(target.subarray(0, nbytes)) !== hex) throw new Error(`${name}, ${way.name}: not the expected bytes`);
  return { name, way: way.name, run, crossings, times: 1, samples: [] };
}

function slice({ run, times }) {
  const start = performance.now();
  run(times);
  return performance.now() - start;
}

/** Runs until the engine has made up its mind, and then finds out how many runs fill a slice. */
function warmUp(plan) {
  for (const start = performance.now(); performance.now() - start < WARM_UP_MS; ) plan.run(10);
  // The best of three: a slice that the engine spends on compiling says nothing.
  while (Math.min(slice(plan), slice(plan), slice(plan)) < SLICE_MS) plan.times *= 2;
}

/**
 * The documents by all ways, in slices that take turns so that whatever else the machine does falls on all of them.
 * @param {object[]} documents as in bench-docs.json
 * @returns by document and way: nanoseconds for one document, of every round, and calls into the module
 */
export async function measure(documents) {
  const plans = documents.flatMap((document) => WAYS.map((way) => makePlan(document, way)));
  for (const plan of plans) warmUp(plan);
  const start = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - start < BUDGET_MS; round++) {
    // Each round begins with another one, so that none always follows the same neighbour.
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      plan.samples.push((slice(plan) * 1e6) / plan.times);
    }
    // A browser wants to see that its page is alive.
    await new Promise((resolve) => setTimeout(resolve));
  }
  const results = {};
  for (const { name, way, samples, crossings } of plans) (results[name] ??= {})[way] = { samples, crossings };
  return results;
}
