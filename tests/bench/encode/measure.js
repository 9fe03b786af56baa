// Encodes or decodes the documents by all contenders, in whatever engine this runs.
import { makeDocuments } from './documents.js';
import { OURS, contenders, planOf } from './task.js';

/**
 * One plan for each document and contender that can take it.
 * @param {{ name: string, json: string }[]} jsonDocuments
 */
export function makePlans(jsonDocuments) {
  const plans = [];
  const leftOut = [];
  const able = contenders.filter(({ isPossible }) => isPossible?.() ?? true);
  for (const { name, value } of makeDocuments(jsonDocuments)) {
    for (const contender of able) {
      try {
        const { nbytes, run } = planOf(contender, value);
        plans.push({ document: name, contender: contender.name, nbytes, run, times: 1, samples: [] });
      } catch (error) {
        // A peer need not take everything; what we do not take is a fault.
        if (contender.name.startsWith(OURS)) throw new Error(`${contender.name}, ${name}: ${error.message}`);
        leftOut.push({ document: name, contender: contender.name, reason: String(error.message) });
      }
    }
  }
  return { plans, leftOut };
}

/**
 * Leaves out what would keep all others waiting.
 * @returns the plans that remain
 */
export function leaveOut(made, tooSlow) {
  made.plans = made.plans.filter((plan) => !tooSlow.includes(plan));
  for (const { document, contender } of tooSlow) made.leftOut.push({ document, contender, reason: 'over 60 ms' });
  return made.plans;
}

/** The plans of each document. */
export function byDocument(plans) {
  const groups = new Map();
  for (const plan of plans) groups.set(plan.document, [...(groups.get(plan.document) ?? []), plan]);
  return [...groups.values()];
}

/** What was measured, for the report. */
export function resultsOf({ plans, leftOut }) {
  const documents = {};
  for (const { document, contender, nbytes, samples } of plans) {
    (documents[document] ??= {})[contender] = { nbytes, samples };
  }
  return { documents, leftOut };
}

const SLICE_MS = 1.5;
const WARM_UP_MS = 40;
const LIMIT_MS = 60; // for one document: who takes longer would keep all others waiting
const PASSES = 4;
const ROUNDS = 50; // of each pass
const BUDGET_MS = 45_000; // a slow engine gets fewer rounds, not a longer wait

function slice({ run, times }) {
  const start = performance.now();
  run(times);
  return performance.now() - start;
}

/** Runs until the engine has made up its mind, and then finds out how many runs fill a slice. */
function warmUp(plan) {
  for (const start = performance.now(); performance.now() - start < WARM_UP_MS; ) plan.run(2);
  // The best of three: a slice that the engine spends on compiling says nothing.
  while (Math.min(slice(plan), slice(plan), slice(plan)) < SLICE_MS) plan.times *= 2;
}

/** The contenders at one document, for so long. */
function measureRounds(plans, budget) {
  const start = performance.now();
  for (let round = 0; round < ROUNDS && performance.now() - start < budget; round++) {
    // Each round begins with another one, so that none always follows the same neighbour.
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      plan.samples.push((slice(plan) * 1e6) / plan.times);
    }
  }
}

/**
 * Document by document, once all are warm: an engine then knows of all documents, but what a codec learnt of one
 * (names, shapes) is not lost to another that is there to be hostile. The contenders take turns in short slices, so
 * that whatever else the machine does falls on all of them, and each document has several turns.
 * @param {{ name: string, json: string }[]} jsonDocuments
 */
export async function measure(jsonDocuments) {
  const made = makePlans(jsonDocuments);
  const pause = () => new Promise((resolve) => setTimeout(resolve)); // a browser wants to see that its page is alive
  const tooSlow = [];
  for (const plan of made.plans) {
    // The best of three: the machine may be busy, and code is slow at first.
    const taken = Math.min(slice(plan), slice(plan), slice(plan));
    if (taken > LIMIT_MS && !plan.contender.startsWith(OURS)) tooSlow.push(plan);
    else warmUp(plan);
    await pause();
  }
  const plans = leaveOut(made, tooSlow);
  const documents = byDocument(plans);
  for (let pass = 0; pass < PASSES; pass++) {
    for (const ofDocument of documents) {
      for (const plan of ofDocument) slice(plan);
      measureRounds(ofDocument, BUDGET_MS / PASSES / documents.length);
      await pause();
    }
  }
  return resultsOf(made);
}
