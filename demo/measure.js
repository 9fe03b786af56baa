// Times several ways to do the same work on equal terms: in short slices, one way after the other, round after round,
// so that whatever else the machine does falls on all of them alike. The median of the slices is what counts.

const SLICE_MS = 4;
const WARM_UP_MS = 80;
const ROUNDS = 31;
const FEWEST_ROUNDS = 7;
const BUDGET_MS = 1500; // slow documents get fewer rounds, not a longer wait

/** Keeps the engine from dropping work whose result nobody reads. */
let sink = 0;

/** Runs `work` `times` times: milliseconds taken. */
function slice(work, times) {
  const start = performance.now();
  for (let i = 0; i < times; i++) sink += work().length;
  return performance.now() - start;
}

/** Warms `work` up and returns how many runs fill a slice. */
function warmUp(work) {
  let times = 1;
  for (let spent = 0; spent < WARM_UP_MS; ) {
    const took = slice(work, times);
    spent += took;
    const fitting = took > 0.5 ? Math.round((times * SLICE_MS) / took) : times * 4;
    times = Math.max(1, Math.min(fitting, times * 4));
  }
  return times;
}

/**
 * @param {(() => Uint8Array)[]} works
 * @returns {number[]} microseconds for one run of each
 */
export function measure(works) {
  const plans = works.map((work) => ({ work, times: warmUp(work), samples: [] }));
  const start = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    if (round >= FEWEST_ROUNDS && performance.now() - start > BUDGET_MS) break;
    // Each round starts with another way, so that none always follows the same neighbour.
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      plan.samples.push(slice(plan.work, plan.times) / plan.times);
    }
  }
  return plans.map(({ samples }) => samples.sort((a, b) => a - b)[samples.length >> 1] * 1000);
}
