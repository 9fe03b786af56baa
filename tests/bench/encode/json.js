// JSON to CBOR and back by wcbor, and by way of values with each codec: node json.js. Prints what was measured.
import { CborDecoder } from '@jsonjoy.com/json-pack/lib/cbor/CborDecoder.js';
import { CborEncoder } from '@jsonjoy.com/json-pack/lib/cbor/CborEncoder.js';
import { CborEncoderFast } from '@jsonjoy.com/json-pack/lib/cbor/CborEncoderFast.js';
import { Encoder as CborX } from 'cbor-x';
import { decode as cborgDecode, encode as cborgEncode } from 'cborg';
import { cborToJson, decode, encode, jsonToCbor } from 'wcbor';
import { jsonDocuments } from './json-documents.js';

const SLICE_MS = 1.5;
const WARM_UP_MS = 60;
const ROUNDS = 40;
const BUDGET_MS = 1500; // for each document and direction

const cborX = new CborX({ useRecords: false, mapsAsObjects: true, tagUint8Array: false });
const fast = new CborEncoderFast();
const full = new CborEncoder();
const decoder = new CborDecoder();
const text = new TextDecoder();

const ENCODERS = { wcbor: encode, 'cbor-x': (value) => cborX.encode(value), 'json-pack fast': (value) => fast.encode(value), 'json-pack': (value) => full.encode(value), cborg: cborgEncode };
const DECODERS = { wcbor: decode, 'cbor-x': (bytes) => cborX.decode(bytes), 'json-pack': (bytes) => decoder.decode(bytes), cborg: cborgDecode };

let sink = 0;

/** What is done to a document in each direction, by name; the first of each is the one without values. */
function waysOf(json) {
  const utf8 = new TextEncoder().encode(json);
  const cbor = encode(JSON.parse(json));
  const by = (codecs, way) => Object.fromEntries(Object.entries(codecs).map(([name, codec]) => [name, way(codec)]));
  return {
    'string to CBOR': { transcode: () => jsonToCbor(json), ...by(ENCODERS, (codec) => () => codec(JSON.parse(json))) },
    'bytes to CBOR': { transcode: () => jsonToCbor(utf8), ...by(ENCODERS, (codec) => () => codec(JSON.parse(text.decode(utf8)))) },
    'CBOR to string': { transcode: () => cborToJson(cbor), ...by(DECODERS, (codec) => () => JSON.stringify(codec(cbor))) },
  };
}

function slice({ run, times }) {
  const start = performance.now();
  for (let i = 0; i < times; i++) sink += run().length;
  return performance.now() - start;
}

/** Nanoseconds of each round; who cannot do it, or gives something else, is left out. */
function measure(ways) {
  const plans = [];
  for (const [name, run] of Object.entries(ways)) {
    try {
      if (typeof run() === 'string' && run() !== ways.transcode()) continue;
    } catch {
      continue;
    }
    plans.push({ name, run, times: 1, samples: [] });
  }
  for (const plan of plans) {
    for (const start = performance.now(); performance.now() - start < WARM_UP_MS; ) slice(plan);
    while (Math.min(slice(plan), slice(plan), slice(plan)) < SLICE_MS) plan.times *= 2;
  }
  const start = performance.now();
  for (let round = 0; round < ROUNDS && (round < 3 || performance.now() - start < BUDGET_MS); round++) {
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      plan.samples.push((slice(plan) * 1e6) / plan.times);
    }
  }
  return Object.fromEntries(plans.map(({ name, samples }) => [name, samples]));
}

const results = {};
for (const { name, json } of jsonDocuments) {
  // As a service gets it, without white space.
  const ways = waysOf(JSON.stringify(JSON.parse(json)));
  results[name] = { nbytes: ways['bytes to CBOR'].transcode().length };
  for (const [direction, all] of Object.entries(ways)) results[name][direction] = measure(all);
}
if (sink === 0) throw new Error('nothing');
console.log(JSON.stringify(results));
