// Encodes the requests of demo/smithy by turns, and prints the times as JSON: by wcbor, and by JSON.stringify and TextEncoder.
import { requests } from '../../../demo/smithy/requests.js';
import { serialize } from '../../../demo/smithy/rpc-v2-cbor.js';

const SLICE_MS = 2;
const WARM_UP_MS = 60;
const PASSES = 3;
const ROUNDS = 40; // of each pass

const utf8 = new TextEncoder();
const ways = { wcbor: serialize, JSON: (value) => utf8.encode(JSON.stringify(value)) };

let sink = 0;

function slice({ encode, input, times }) {
  const start = performance.now();
  for (let i = 0; i < times; i++) sink += encode(input).length;
  return performance.now() - start;
}

const plans = requests.map(([document, , input]) => ({
  document,
  ways: Object.entries(ways).map(([name, encode]) => ({ name, encode, input, nbytes: encode(input).length, times: 1, samples: [] })),
}));
for (const plan of plans.flatMap(({ ways }) => ways)) {
  for (const start = performance.now(); performance.now() - start < WARM_UP_MS; ) slice({ ...plan, times: 3 });
  while (Math.min(slice(plan), slice(plan), slice(plan)) < SLICE_MS) plan.times *= 2;
}
for (let pass = 0; pass < PASSES; pass++) {
  for (const { ways } of plans) {
    for (const way of ways) slice(way);
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of round % 2 === 0 ? ways : [...ways].reverse()) way.samples.push((slice(way) * 1000) / way.times);
    }
  }
}
const results = plans.map(({ document, ways }) => [
  document, Object.fromEntries(ways.map(({ name, nbytes, samples }) => [name, { nbytes, samples }])),
]);
console.log(JSON.stringify({ results: Object.fromEntries(results), sink: sink % 2 }));
