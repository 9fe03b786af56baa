// What holds of decode for any document: what encode writes comes back, other decoders read the same, any bytes are
// either an error or a value that can be written and read again, and no call leaves a trace on the next.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as cbor2Decode } from 'cbor2';
import * as cborg from 'cborg';
import fc from 'fast-check';
import { CborError, Decoder, Simple, Tagged, decode, decodeSequence, encode, encodeSequence } from 'wcbor';
import { wasm } from '../../js/instance.js';

const SEED = Number(process.env.FAST_CHECK_SEED ?? 8949);
const RUNS = { numRuns: 400, seed: SEED };

const text = fc.oneof(
  fc.string(), fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 400 }), fc.constantFrom('id', 'name', 'value', 'on'));
const keyed = (value) => fc.dictionary(text, value, { maxKeys: 40, noNullPrototype: true });
const numbers = fc.oneof(
  fc.array(fc.integer(), { maxLength: 100 }), fc.array(fc.double(), { maxLength: 50 }),
  fc.array(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.float()), { maxLength: 40 }));
const scalar = fc.oneof(
  text, fc.boolean(), fc.constant(null), fc.constant(undefined), fc.integer(), fc.maxSafeInteger(), fc.double(), fc.float(),
  fc.uint8Array({ maxLength: 300 }), numbers);
const bigint = fc.bigInt().filter((value) => value > BigInt(Number.MAX_SAFE_INTEGER) || value < BigInt(Number.MIN_SAFE_INTEGER));
const { value: portable } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, fc.array(tie('value')), keyed(tie('value'))),
}));
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar, bigint,
    fc.date({ noInvalidDate: true }),
    fc.float64Array({ maxLength: 9 }), fc.uint16Array({ maxLength: 9 }), fc.bigInt64Array({ maxLength: 3 }),
    fc.integer({ min: 32, max: 255 }).map((value) => new Simple(value)),
    fc.array(tie('value')), keyed(tie('value')),
    fc.uniqueArray(fc.oneof(fc.integer(), text), { maxLength: 9 }).map((items) => new Set(items)),
    fc.array(fc.tuple(fc.oneof(fc.integer(), text, fc.boolean()), tie('value')), { maxLength: 9 })
      // Nothing but text for keys is an object.
      .map((entries) => new Map([[false, 0], ...entries])),
    fc.tuple(fc.integer({ min: 1000, max: 2 ** 30 }), tie('value')).map(([tag, value]) => new Tagged(tag === 55799 ? 1 : tag, value)),
  ),
}));


test('decode gives back what encode was given', () => {
  const decoders = [new Decoder(), new Decoder({ mode: 'lax' }), new Decoder({ codeGeneration: true }), new Decoder({ tags: { 5: (value) => value } })];
  fc.assert(fc.property(anything, (value) => {
    const bytes = encode(value);
    // Unpaired surrogates are written as U+FFFD: what is read is compared with what is read again.
    const once = decoders[0].decode(bytes);
    for (const decoder of decoders) assert.deepEqual(decoder.decode(bytes), once);
    assert.deepEqual(encode(once), bytes);
    if (isWellFormed(value)) assert.deepEqual(once, value);
  }), RUNS);
});

function isWellFormed(value) {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
  if (value instanceof Map) return [...value].flat().every(isWellFormed);
  if (value instanceof Set) return [...value].every(isWellFormed);
  if (value instanceof Tagged) return isWellFormed(value.value);
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return true;
  return Object.entries(value).flat().every(isWellFormed);
}

test('in every mode what the mode writes', () => {
  fc.assert(fc.property(portable, fc.constantFrom('strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor'), (value, mode) => {
    let bytes;
    try {
      bytes = encode(value, { mode });
    } catch {
      return; // undefined, NaN, unpaired surrogates: not in every mode
    }
    assert.deepEqual(encode(decode(bytes, { mode }), { mode }), bytes);
  }), RUNS);
});

test('other decoders read the same', () => {
  const isPortable = (value) => !JSON.stringify(value, (key, inner) => (inner === undefined ? 0 : inner)).includes('"__proto__":');
  fc.assert(fc.property(portable.filter(isPortable), (value) => {
    const bytes = encode(value);
    const decoded = decode(bytes);
    assert.deepEqual(decoded, cborg.decode(bytes));
    assert.deepEqual(decoded, cbor2Decode(bytes));
  }), { ...RUNS, numRuns: 200 });
});

test('sequences', () => {
  fc.assert(fc.property(fc.array(portable, { maxLength: 9 }), (values) => {
    const bytes = encodeSequence(values);
    assert.deepEqual(encodeSequence(decodeSequence(bytes)), bytes);
  }), RUNS);
});

/** Bytes that are often CBOR: items, with some bytes changed. */
const nearly = fc.tuple(anything, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 })).map(([value, changes]) => {
  const bytes = encode(value);
  for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
  return bytes;
});

test('any bytes are an error, or a value', () => {
  const fresh = decode(encode({ id: 1, name: 'x', list: [1.5, 'abc'] }));
  fc.assert(fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), nearly), fc.constantFrom('lax', 'strict', 'deterministic', 'dcbor'), (bytes, mode) => {
    const before = bytes.slice();
    let value;
    try {
      value = decode(bytes, { mode });
    } catch (error) {
      assert.ok(error instanceof CborError, String(error.stack));
      if (error.incomplete) assert.throws(() => decode(bytes, { mode: 'lax' }), CborError);
      value = undefined;
    }
    assert.deepEqual(bytes, before);
    if (value !== undefined && mode === 'strict') {
      const again = encode(value);
      assert.deepEqual(encode(decode(again)), again);
    }
    assert.deepEqual(decode(encode({ id: 1, name: 'x', list: [1.5, 'abc'] })), fresh);
  }), { ...RUNS, numRuns: 3000 });
});

test('what takes several runs of the tape is the same in one piece', () => {
  fc.assert(fc.property(fc.array(anything, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1000, max: 4000 }), (values, count) => {
    // Every value stands at another distance from the end of a run.
    const many = Array.from({ length: count }, (_, i) => [i, values[i % values.length]]);
    const bytes = encode(many);
    const items = decode(bytes);
    assert.equal(items.length, count);
    const firsts = items.slice(0, values.length);
    items.forEach(([i, item], at) => {
      assert.equal(i, at);
      if (at % 97 < 3) assert.deepEqual(item, firsts[at % values.length][1]);
    });
    assert.deepEqual(encode(items), bytes);
  }), { ...RUNS, numRuns: 25 });
});

test('a map of many runs is an object or a Map by all of its keys, which keep their order', () => {
  const names = Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i]);
  // Two that an object moves to its front, and the one that it has by another way than others.
  const special = [...names, ['7', true], ['__proto__', null], ['3', false], ['last', 1]];
  for (const entries of [names, special]) {
    const object = decode(encode(new Map(entries)));
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
    assert.deepEqual(new Map(Object.entries(object)), new Map(entries));
    for (const at of [0, 6000, entries.length]) {
      for (const key of [5, 'xxx']) {
        const mixed = [...entries.slice(0, at), [key, 'here'], ...entries.slice(at)];
        const bytes = encode(new Map(mixed));
        const inMap = decode(bytes, { maps: 'map' });
        assert.deepEqual([...inMap], mixed);
        if (key === 5) assert.deepEqual([...decode(bytes)], mixed);
        else assert.equal(decode(bytes).xxx, 'here');
        // Of indefinite length.
        const open = (...tail) => Buffer.concat([Uint8Array.of(0xbf), bytes.subarray(3), Uint8Array.from([...tail, 0xff])]);
        assert.equal(bytes[0], 0xb9);
        assert.deepEqual(decode(open()), decode(bytes));
        assert.throws(() => decode(open(0x65, ...Buffer.from('key 9'), 0)), { code: 'ERR_CBOR_DUPLICATE_KEY' });
      }
    }
  }
});

test('memory does not grow over many decodes', () => {
  const value = Array.from({ length: 300 }, (_, i) => ({ id: i, name: `name ${i}`, rates: [i / 3, i], text: 'é'.repeat(i % 20) }));
  const bytes = encode(value);
  const large = encode(Array.from({ length: 40 }, () => value));
  const round = () => {
    for (let i = 0; i < 200; i++) decode(bytes);
    decode(large);
    for (let i = 0; i < 50; i++) assert.throws(() => decode(bytes.subarray(0, 100 + i)), CborError);
    decode(encode(new Tagged(99, 1)), { tags: { 99: () => decode(bytes) } });
  };
  round();
  const { byteLength } = wasm.memory.buffer;
  for (let i = 0; i < 5; i++) round();
  assert.equal(wasm.memory.buffer.byteLength, byteLength);
});

