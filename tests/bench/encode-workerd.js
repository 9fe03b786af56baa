// Measures in workerd. Its clock stands still while a request computes, so time is taken out here, around requests that
// run a plan many times, and a request that runs nothing is taken off.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';
import { makeSite, site } from './encode-site.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SLICE_MS = 15;
const WARM_UP_MS = 40;
const LIMIT_MS = 60; // for one document: who takes longer would keep all others waiting
const PASSES = 2;
const ROUNDS = 20; // of each pass
const BUDGET_MS = 140_000;

async function measureAt(url) {
  const described = await fetch(url);
  if (!described.ok) throw new Error(await described.text());
  const { plans: descriptions, leftOut } = await described.json();
  const plans = descriptions.map((plan, index) => ({ ...plan, index, times: 1, samples: [] }));
  const request = async (index, times) => {
    const start = performance.now();
    await (await fetch(`${url}?plan=${index}&times=${times}`)).text();
    return performance.now() - start;
  };
  const slice = ({ index, times }) => request(index, times);
  /** The least of a few: one that the machine interrupted says nothing. */
  const quiet = async (plan) => Math.min(await slice(plan), await slice(plan), await slice(plan), await slice(plan));

  for (let i = 0; i < 300; i++) await request(0, 0);
  for (const plan of [...plans]) {
    const isOurs = plan.contender.startsWith('wcbor');
    const taken = await quiet(plan);
    if (taken > LIMIT_MS && !isOurs) {
      plans.splice(plans.indexOf(plan), 1);
      leftOut.push({ document: plan.document, contender: plan.contender, reason: 'over 60 ms' });
      continue;
    }
    let spent = 0;
    while (spent < WARM_UP_MS) {
      const took = await slice(plan);
      spent += took;
      if (took < SLICE_MS / 2) plan.times *= 2;
    }
    while ((await quiet(plan)) < SLICE_MS) plan.times *= 2;
  }
  const empty = [];
  const documents = [...new Set(plans.map(({ document }) => document))];
  const measureRounds = async (ofDocument, budget) => {
    const start = performance.now();
    for (let round = 0; round < ROUNDS && performance.now() - start < budget; round++) {
      empty.push(await request(0, 0));
      for (let turn = 0; turn < ofDocument.length; turn++) {
        const plan = ofDocument[(round + turn) % ofDocument.length];
        plan.samples.push(await slice(plan));
      }
    }
  };
  for (let pass = 0; pass < PASSES; pass++) {
    for (const name of documents) {
      const ofDocument = plans.filter(({ document }) => document === name);
      for (const plan of ofDocument) {
        await slice(plan);
        // Code that has become warm takes less than when it was tried out.
        while (plan.samples.length === 0 && (await quiet(plan)) < SLICE_MS) plan.times *= 2;
      }
      await measureRounds(ofDocument, BUDGET_MS / PASSES / documents.length);
    }
  }
  // What a request costs by itself, the least of it from the least, and so on: the best of a noisy clock would else be too good.
  empty.sort((a, b) => a - b);
  const overhead = (rank, count) => empty[Math.floor((rank / count) * empty.length)];
  const results = {};
  for (const { document, contender, nbytes, samples, times } of plans) {
    samples.sort((a, b) => a - b);
    const nanoseconds = samples.map((sample, rank) => (Math.max(sample - overhead(rank, samples.length), 0.01) * 1e6) / times);
    (results[document] ??= {})[contender] = { nbytes, samples: nanoseconds };
  }
  return { documents: results, leftOut };
}

/** The site has been made. */
export async function measureInWorkerd() {
  await makeSite();
  const folder = join(site, 'worker');
  const wrangler = readFileSync(join(root, 'demo/worker/wrangler.toml'), 'utf8');
  const miniflare = new Miniflare({
    modules: [
      { type: 'ESModule', path: join(folder, 'worker.js') },
      { type: 'CompiledWasm', path: join(folder, 'wcbor.wasm') },
    ],
    modulesRoot: folder,
    compatibilityDate: /compatibility_date = "(.*)"/.exec(wrangler)[1],
  });
  try {
    return await measureAt(String(await miniflare.ready));
  } finally {
    await miniflare.dispose();
  }
}
