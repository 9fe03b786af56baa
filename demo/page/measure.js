// Timings that can be repeated: every way to write the document is run in short slices, one way after the other, round
// after round, so that whatever else the machine does falls on all of them alike. Between slices a page is free.

const SLICE_MS = 2; // long against the clock's resolution, short enough that most are never interrupted
const BREATH_MS = 8; // the page waits no longer than this, unless one run takes longer
const WARM_UP_MS = 160; // of work for each way, before anything counts
const ROUNDS = 150;
const WARM_UP_SHARE = 0.3; // of the progress shown
const FEWEST_ROUNDS = 9;
const BUDGET_MS = 3000; // documents that take long get fewer rounds, not a longer wait

/** Keeps the engine from dropping work whose result nobody reads. */
let sink = 0;

/** Returns a function that lets the page go on with its own work when it has waited long enough. */
function breather(signal) {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < BREATH_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
    last = performance.now();
  };
}

/** Runs `run` `times` times: milliseconds taken. */
function slice(run, times) {
  const start = performance.now();
  for (let i = 0; i < times; i++) sink += run().length;
  return performance.now() - start;
}

/** Warms `run` up in slices and returns how many runs fill one. */
async function warmUp(run, breathe) {
  let times = 1;
  for (let spent = 0; spent < WARM_UP_MS;) {
    const took = slice(run, times);
    spent += took;
    const fitting = took > 0.5 ? Math.round((times * SLICE_MS) / took) : times * 4;
    times = Math.max(1, Math.min(fitting, times * 4));
    await breathe();
  }
  return times;
}

/** The value a share `q` of the sorted samples lies below. */
function quantile(sorted, q) {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
}

/**
 * Measures all on equal terms.
 * @param {(() => Uint8Array)[]} runs
 * @param {{ signal?: AbortSignal, onProgress?: (share: number) => void }} [options]
 * @returns {Promise<{ median: number, low: number, high: number }[]>} microseconds for one run of each: the median and
 *   the quartiles around it.
 */
export async function measure(runs, { signal, onProgress = () => {} } = {}) {
  const breathe = breather(signal);
  const plans = [];
  for (const run of runs) {
    plans.push({ run, times: await warmUp(run, breathe), samples: [] });
    onProgress((WARM_UP_SHARE * plans.length) / runs.length);
  }
  const start = performance.now();
  let rounds = ROUNDS;
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another way, so that none always follows the same neighbour.
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      plan.samples.push(slice(plan.run, plan.times) / plan.times);
      await breathe();
    }
    const perRound = (performance.now() - start) / (round + 1);
    rounds = Math.max(FEWEST_ROUNDS, Math.min(ROUNDS, Math.floor(BUDGET_MS / perRound)));
    onProgress(WARM_UP_SHARE + (1 - WARM_UP_SHARE) * Math.min(1, (round + 1) / rounds));
  }
  return plans.map(({ samples }) => {
    const sorted = samples.map((ms) => ms * 1000).sort((a, b) => a - b);
    return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
  });
}
