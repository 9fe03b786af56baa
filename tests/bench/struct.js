// npm run bench:struct [-- --readme]: typed structs against the same objects untyped, cbor-x with shared records, and the
// fastest peer; names in many casings; links; options that are made anew each time. In the Node that runs it.
import { parseArgs } from 'node:util';
import { Encoder as CborXEncoder } from 'cbor-x';
import { CborDecoder as JsonPackDecoder } from '@jsonjoy.com/json-pack/lib/cbor/CborDecoder.js';
import { CborEncoder as JsonPackEncoder } from '@jsonjoy.com/json-pack/lib/cbor/CborEncoder.js';
import { decode, encode, Encoder, scanLinks, struct } from '../../js/index.js';
import { benchValues } from '../js/cbor-gen-types.js';
import { putIntoResults } from './results.js';
import { barList, both, markdownTable, ratio, timing } from './table.js';

const { values: options } = parseArgs({ options: { readme: { type: 'boolean', default: false } } });
const SLICE_MS = 1;
const ROUNDS = 160;

let sink = 0;

/** Times the ways of a group, which take turns: microseconds for one run of each. */
function measure(ways) {
  const plans = Object.entries(ways).map(([name, run]) => ({ name, run, times: 1, samples: [] }));
  const slice = ({ run, times }) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) sink ^= run() === undefined ? 1 : 0;
    return performance.now() - start;
  };
  for (const plan of plans) {
    for (let spent = 0; spent < 60; ) {
      const took = slice(plan);
      spent += took;
      plan.times = Math.max(1, Math.min(plan.times * 4, Math.round(plan.times * SLICE_MS / Math.max(took, 0.02))));
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < plans.length; turn++) {
      const plan = plans[(round + turn) % plans.length];
      plan.samples.push((slice(plan) * 1000) / plan.times);
    }
  }
  return Object.fromEntries(plans.map(({ name, samples }) => [name, timing(samples)]));
}

const geometricMean = (numbers) => Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);

const records = new CborXEncoder({ useRecords: true, structures: [], tagUint8Array: false, pack: false });
const plainCborX = new CborXEncoder({ useRecords: false, mapsAsObjects: true, tagUint8Array: false });
const jsonPack = { encoder: new JsonPackEncoder(), decoder: new JsonPackDecoder() };

/** cbor-gen's benchmark types: the same objects typed, untyped, and by others. */
function marshaling() {
  const rows = [];
  const values = benchValues();
  const of = (name, seed) => values.find((value) => value.name === name && value.seed === seed);
  const encodes = [['Marshaling', of('SimpleTypeTwo', 56887)], ['MapMarshaling', of('SimpleTypeTree', 56887)]];
  const decodes = [['Unmarshaling', of('SimpleTypeTwo', 123456)], ['MapUnmarshaling', of('SimpleTypeTree', 123456)]];
  const fastest = (times) => Object.entries(times).filter(([name]) => name.startsWith('peer ')).sort(([, a], [, b]) => a.best - b.best)[0];
  const row = (name, times) => {
    const [peer, peerTime] = fastest(times);
    rows.push({ name, times, cells: [both(times.typed), ratio(times.untyped, times.typed), ratio(times.records, times.typed), `${peer.slice(5)} ${ratio(peerTime, times.typed)}`] });
  };
  for (const [name, { type, value }] of encodes) {
    row(name, measure({
      typed: () => type.encode(value), untyped: () => encode(value), records: () => records.encode(value),
      'peer cbor-x': () => plainCborX.encode(value), 'peer json-pack': () => jsonPack.encoder.encode(value),
    }));
  }
  for (const [name, { type, bytes, value }] of decodes) {
    const recorded = records.encode(value);
    const plain = encode(value);
    row(name, measure({
      typed: () => type.decode(bytes), untyped: () => decode(plain), records: () => records.decode(recorded),
      'peer cbor-x': () => plainCborX.decode(plain), 'peer json-pack': () => jsonPack.decoder.decode(plain),
    }));
  }
  const { type, bytes } = of('SimpleTypeTwo', 123456);
  const Deferred = struct({ stuff: 'deferred', rest: 'any' }, { representation: 'tuple', mode: 'lax' });
  const deferred = Uint8Array.of(0x82, ...bytes, 0xf6);
  const others = measure({ scan: () => scanLinks(bytes), deferred: () => Deferred.decode(deferred), untyped: () => decode(bytes), typed: () => type.decode(bytes) });
  return { rows, others };
}

/** Objects as services have them. */
function services() {
  const fields = { id: 'uint', name: 'text', email: 'text', active: 'bool', score: 'float', tags: ['text'], city: 'text', zip: 'text', change: 'int' };
  const list = Array.from({ length: 200 }, (_, i) => ({
    id: i, name: `name ${i}`, email: `user${i}@example.org`, active: i % 2 === 0, score: i * 1.25 + 0.1, tags: [`a${i % 5}`, 'bb'], city: 'Springfield', zip: '12345', change: 1 - i,
  }));
  const wide = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`field_${i}`, i % 3 === 0 ? i : i % 3 === 1 ? `value ${i}` : [i, { n: i }]]));
  const wideList = { items: Array.from({ length: 50 }, () => wide) };
  const Three = struct({ items: [struct({ field_0: 'uint', field_31: 'text', field_63: 'uint' })] });
  const typed = struct({ list: [struct(fields)] });
  const generated = struct({ list: [struct(fields, { codeGeneration: true })] }, { codeGeneration: true });
  const value = { list };
  const bytes = encode(value);
  const recorded = records.encode(value);
  const wideBytes = encode(wideList);
  const encodes = measure({ typed: () => typed.encode(value), generated: () => generated.encode(value), untyped: () => encode(value), records: () => records.encode(value) });
  const decodes = measure({ typed: () => typed.decode(bytes), generated: () => generated.decode(bytes), untyped: () => decode(bytes), records: () => records.decode(recorded) });
  const projection = measure({ three: () => Three.decode(wideBytes), all: () => decode(wideBytes) });
  return { encodes, decodes, projection };
}

/** Bytes of text with the case of its letters turned by the bits of a number. */
const casing = (name, number) => [...name].map((letter, i) => ((number >> (i % 4)) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** The study of casings: what has been read before makes no difference. */
function casings() {
  const rows = [];
  const story = (title, names, casingCounts, type = 'int', valueOf = (i) => i) => {
    const fields = Object.fromEntries(names.map((name) => [name, type]));
    const value = Object.fromEntries(names.map((name, i) => [name, valueOf(i)]));
    const exactBytes = encode(value);
    for (const count of casingCounts) {
      // A struct of its own for each row, which has read all casings before; an unused field makes it another one.
      const own = { ...fields, [`unused ${title} ${count}`]: { type: 'int', optional: true } };
      const Exact = struct(own);
      const Folding = struct(own, { caseInsensitive: true });
      const documents = Array.from({ length: count }, (_, c) => encode(Object.fromEntries(Object.entries(value).map(([name, item]) => [casing(name, c + 1), item]))));
      for (const document of documents) Folding.decode(document);
      const last = documents[count - 1];
      let turn = 0;
      const times = measure({
        exact: () => Exact.decode(exactBytes),
        last: () => Folding.decode(last),
        all: () => Folding.decode(documents[(turn = (turn + 1) % count)]),
      });
      rows.push({ cells: [`${title}, ${count} casing${count === 1 ? '' : 's'}`, both(times.exact), ratio(times.last, times.exact), ratio(times.all, times.exact)], worst: Math.max(times.last.best, times.all.best) / times.exact.best });
    }
  };
  const named = (count, length) => Array.from({ length: count }, (_, i) => `${'property'.repeat(9).slice(0, length - 2)}${String.fromCharCode(97 + (i >> 3), 97 + (i & 7))}`);
  story('8 integers', named(8, 7), [1, 2, 3, 8, 9]);
  story('64 integers', named(64, 7), [1, 2]);
  for (const length of [2, 16, 64]) story(`8 names of ${length} bytes`, named(8, length), [2]);
  story('8 Cyrillic names', named(8, 7).map((name) => [...name].map((letter) => String.fromCharCode(0x430 + letter.charCodeAt(0) - 97)).join('')), [2]);
  story('8 mixed values', named(8, 7), [2], 'any', (i) => [i, `text ${i}`, i / 3, [i], { n: i }, null, true, 'x'][i % 8]);
  return rows;
}

/** Options that are equal, made anew for each call. */
function contexts() {
  const value = { id: 7, name: 'Alice', tags: ['a', 'b'], address: { street: 'Main Street 1', city: 'Springfield' }, numbers: [1, 2, 3, 4.5] };
  const kept = new Encoder({ mode: 'strict' });
  const encoders = [[class {}, () => null]];
  const keptCustom = new Encoder({ encoders });
  return {
    plain: measure({ kept: () => kept.encode(value), anew: () => new Encoder({ mode: 'strict' }).encode(value) }),
    custom: measure({ kept: () => keptCustom.encode(value), anew: () => new Encoder({ encoders }).encode(value) }),
  };
}

const { rows, others } = marshaling();
const { encodes, decodes, projection } = services();
const caseRows = casings();
const { plain, custom } = contexts();
const perBest = (a, b) => a.best / b.best;

const parts = [
  `Node ${process.versions.node}. A cell is the best / the median, in microseconds, of short slices that take turns; a ratio is their time / that of the struct, and above 1 the struct is faster.`,
  markdownTable(['cbor-gen\'s benchmark', 'struct, us', 'untyped : struct', 'cbor-x with records : struct', 'fastest peer : struct'], rows.map(({ name, cells }) => [name, ...cells])),
  markdownTable(['', 'us', 'decode : this'], [
    ['LinkScan', both(others.scan), ratio(others.untyped, others.scan)],
    ['Deferred', both(others.deferred), ratio(others.untyped, others.deferred)],
  ]),
  markdownTable(['200 records of 9 fields', 'us', 'untyped : this', 'cbor-x with records : this'], [
    ['encode', both(encodes.typed), ratio(encodes.untyped, encodes.typed), ratio(encodes.records, encodes.typed)],
    ['encode, with code generation', both(encodes.generated), ratio(encodes.untyped, encodes.generated), ratio(encodes.records, encodes.generated)],
    ['decode', both(decodes.typed), ratio(decodes.untyped, decodes.typed), ratio(decodes.records, decodes.typed)],
    ['decode, with code generation', both(decodes.generated), ratio(decodes.untyped, decodes.generated), ratio(decodes.records, decodes.generated)],
    ['3 fields of 64, 50 times', both(projection.three), ratio(projection.all, projection.three), ''],
  ]),
  markdownTable(['names in other casings', 'exact, us', 'the last casing : exact', 'all in turn : exact'], caseRows.map(({ cells }) => cells)),
  markdownTable(['an Encoder made anew for each value', 'kept, us', 'anew : kept'], [
    ['of primitive options', both(plain.kept), ratio(plain.anew, plain.kept)],
    ['with converters', both(custom.kept), ratio(custom.anew, custom.kept)],
  ]),
  barList([
    { aim: 'untyped : struct, encode, geometric mean, at least 1.5', value: geometricMean([perBest(rows[0].times.untyped, rows[0].times.typed), perBest(rows[1].times.untyped, rows[1].times.typed), perBest(encodes.untyped, encodes.typed)]), least: 1.5 },
    { aim: 'untyped : struct, decode, geometric mean, at least 1.5', value: geometricMean([perBest(rows[2].times.untyped, rows[2].times.typed), perBest(rows[3].times.untyped, rows[3].times.typed), perBest(decodes.untyped, decodes.typed)]), least: 1.5 },
    { aim: 'cbor-x with records : struct, encode, geometric mean, at least 1.5', value: geometricMean([...rows.slice(0, 2).map(({ times }) => perBest(times.records, times.typed)), perBest(encodes.records, encodes.typed)]), least: 1.5 },
    { aim: 'cbor-x with records : struct, decode, geometric mean, at least 1', value: geometricMean([...rows.slice(2).map(({ times }) => perBest(times.records, times.typed)), perBest(decodes.records, decodes.typed)]), least: 1 },
    { aim: 'decode : 3 fields of 64, at least 5', value: perBest(projection.all, projection.three), least: 5 },
    { aim: 'decode : scanLinks, at least 10', value: perBest(others.untyped, others.scan), least: 10 },
    { aim: 'other casings : exact, the worst row, at most 1.1', value: Math.max(...caseRows.map(({ worst }) => worst)), most: 1.1 },
    { aim: 'Encoder made anew : kept, at most 1.1', value: Math.max(perBest(plain.anew, plain.kept), perBest(custom.anew, custom.kept)), most: 1.1 },
  ]),
];
const report = parts.join('\n\n');
console.log(report);
if (options.readme) putIntoResults('bench:struct', report);
