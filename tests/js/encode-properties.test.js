// What holds of encode for any value, and from one call to the next: another decoder reads the value back, sorted modes
// do not depend on an object's order, and a call that throws, or is made in the middle of another, leaves no trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cborg from 'cborg';
import fc from 'fast-check';
import { encode } from 'wcbor';
import { wasm } from '../../js/instance.js';
import { hexOf } from './calls.js';

const SORTED = ['canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor'];
const SEED = Number(process.env.FAST_CHECK_SEED ?? 8949);
const RUNS = { numRuns: 300, seed: SEED };

const hex = (value, options) => hexOf(encode(value, options));

// '__proto__' has a test in encode.test.js; the other decoder makes no property of it.
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 400 }));
const keyed = (value) => fc.dictionary(text.filter((key) => key !== '__proto__'), value, { maxKeys: 40, noNullPrototype: true });
const leaf = fc.oneof(
  text, fc.boolean(), fc.constant(null), fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.float({ noNaN: true, noDefaultInfinity: true }), fc.uint8Array({ maxLength: 300 }));
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, fc.array(tie('value')), keyed(tie('value'))),
}));

/** An object with its keys in the other order, at every level. */
function turned(value) {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).reverse().map(([key, inner]) => [key, turned(inner)]));
}

// ------------------------------------------------------------------------------------------------------ any value

test('another decoder reads back what is written', () => {
  fc.assert(fc.property(anything, fc.constantFrom('lax', 'strict', ...SORTED.slice(0, 4)), (value, mode) => {
    // Beyond the safe integers a whole number is a float, and comes back as what it is.
    assert.deepEqual(cborg.decode(encode(value, { mode })), value);
  }), RUNS);
});

test('strict, and a decoder that refuses heads that are too long', () => {
  fc.assert(fc.property(anything, (value) => {
    assert.deepEqual(cborg.decode(encode(value), { strict: true, rejectDuplicateMapKeys: true, allowIndefinite: false }), value);
    assert.equal(hex(value), hex(value, { mode: 'strict' }));
  }), RUNS);
});

test('bigints are read back', () => {
  const magnitude = (content) => BigInt(`0x0${hexOf(content())}`);
  const tags = { 2: magnitude, 3: (content) => -1n - magnitude(content) };
  fc.assert(fc.property(fc.oneof(fc.bigInt(), fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n })), (value) => {
    assert.equal(BigInt(cborg.decode(encode(value), { tags })), value);
    assert.equal(hex(value), hex(value, { mode: 'deterministic' }));
  }), RUNS);
});

test('in sorted modes the order of properties does not matter', () => {
  fc.assert(fc.property(anything, fc.constantFrom(...SORTED), (value, mode) => {
    const outcome = (of) => {
      try {
        return hex(of, { mode });
      } catch ({ code }) {
        // In dcbor two names may be one in NFC.
        assert.equal(code, 'ERR_CBOR_DUPLICATE_KEY');
        return code;
      }
    };
    assert.equal(outcome(turned(value)), outcome(value));
  }), RUNS);
});

test('a Map with text keys is the object with these', () => {
  fc.assert(fc.property(keyed(leaf), fc.constantFrom('lax', ...SORTED.slice(0, 4)), (object, mode) => {
    assert.equal(hex(new Map(Object.entries(object)), { mode }), hex(object, { mode }));
  }), RUNS);
});

test('keys of a Map in every order', () => {
  const key = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.double({ noInteger: true, noNaN: true }), fc.constant(null));
  const entries = fc.uniqueArray(fc.tuple(key, leaf), { selector: ([one]) => hex(one), maxLength: 60 });
  fc.assert(fc.property(entries, fc.constantFrom('canonical', 'ctap2', 'deterministic'), (pairs, mode) => {
    const sorted = hex(new Map(pairs), { mode });
    assert.equal(hex(new Map(pairs.toReversed()), { mode }), sorted);
    assert.equal(hex(new Map(pairs.toSorted(([a], [b]) => (hex(a) < hex(b) ? -1 : 1))), { mode }), sorted);
  }), RUNS);
});

test('many shapes of objects, and many keys', () => {
  const shapes = Array.from({ length: 5000 }, (_, i) => ({ [`k${i}`]: i, [`l${i % 70}`]: -1, [`m${i}é`]: [null] }));
  assert.deepEqual(cborg.decode(encode(shapes)), shapes);
  assert.deepEqual(cborg.decode(encode(shapes, { mode: 'strict' })), shapes);
  const large = new Map(Array.from({ length: 70000 }, (_, i) => [(i * 48271) % 70001, i]));
  assert.deepEqual(cborg.decode(encode(large), { useMaps: true }), large);
  const keys = [...cborg.decode(encode(large, { mode: 'deterministic' }), { useMaps: true }).keys()];
  assert.deepEqual(keys, [...large.keys()].sort((a, b) => a - b));
});

// --------------------------------------------------------------------------------------------------- what is left

class Thrown extends Error {}

/** An object with `count` getters among other values, of which number `failing` throws. */
function withGetters(count, failing, inner) {
  const object = { first: ['x'.repeat(30), 1] };
  for (let i = 0; i < count; i++) {
    Object.defineProperty(object, `key${i}é`, {
      enumerable: true,
      get() {
        if (i === failing) throw new Thrown();
        return inner ? inner(i) : { n: i, text: 'é'.repeat(i) };
      },
    });
  }
  return object;
}

test('a throw at any getter leaves nothing behind', () => {
  const count = 30;
  const after = { a: ['é', 1.5], b: [[], {}] };
  for (const mode of ['lax', 'strict', ...SORTED]) {
    const expected = hex(after, { mode });
    const whole = hex(withGetters(count, -1), { mode });
    for (let failing = 0; failing < count; failing++) {
      for (const wrap of [(object) => object, (object) => ['a', [object]], (object) => new Map([['k', object]])]) {
        assert.throws(() => encode(wrap(withGetters(count, failing)), { mode }), Thrown);
        assert.equal(hex(after, { mode }), expected);
      }
      assert.equal(hex(withGetters(count, -1), { mode }), whole);
    }
  }
});

test('a throw after the buffers have been run leaves nothing behind', () => {
  const filler = Array.from({ length: 3000 }, (_, i) => `${'漢'.repeat(i % 50)}${i}`);
  for (let round = 0; round < 20; round++) {
    assert.throws(() => encode([filler, withGetters(3, round % 3)]), Thrown);
    assert.throws(() => encode([filler, () => 1]), { code: 'ERR_CBOR_UNSUPPORTED_VALUE', path: '$[1]' });
    assert.throws(() => encode([filler, { a: 1 }, '\ud800'], { mode: 'strict' }), { code: 'ERR_CBOR_INVALID_TEXT' });
    assert.equal(hex(['é']), '8162c3a9');
    assert.equal(hex(['é'], { mode: 'strict' }), '8162c3a9');
  }
});

test('encode in a getter of what is being encoded', () => {
  for (const mode of ['lax', 'deterministic']) {
    for (const innerMode of ['lax', 'deterministic', 'strict']) {
      const plain = { z: 'é'.repeat(40), a: [1, 2] };
      const inner = hex(plain, { mode: innerMode });
      const value = withGetters(20, -1, () => encode(plain, { mode: innerMode }));
      const same = withGetters(20, -1, () => Uint8Array.from(Buffer.from(inner, 'hex')));
      assert.equal(hex(value, { mode }), hex(same, { mode }));
    }
  }
  // To some depth, and with an error on the way out of each level.
  const nested = (depth) => ({
    before: 'é'.repeat(30),
    get inner() {
      if (depth === 0) throw new Thrown();
      let caught = false;
      try {
        encode(nested(depth - 1));
      } catch (error) {
        caught = error instanceof Thrown;
      }
      if (depth % 2) throw new Thrown();
      return [caught, encode({ depth })];
    },
    after: 'é',
  });
  for (let depth = 2; depth <= 10; depth += 2) {
    const expected = { before: 'é'.repeat(30), inner: [true, encode({ depth })], after: 'é' };
    assert.equal(hex(nested(depth)), hex(expected));
  }
});

test('what getters do to the object does not tear the document', () => {
  const object = {
    get a() {
      delete this.b;
      this.d = 4;
      return 1;
    },
    b: 2,
    c: 3,
  };
  assert.equal(Object.keys(cborg.decode(encode({ object }))).length, 1);
  const array = [1, 2, { get a() { array.length = 1; return 1; } }, 4];
  assert.equal(cborg.decode(encode(array)).length, 4);
  const map = new Map([[{ get a() { map.clear(); return 1; } }, 1], [2, 3]]);
  assert.equal(cborg.decode(encode(map), { useMaps: true }).size, 2);
  const bytes = new Uint8Array(4).fill(7);
  const detaching = [bytes, { get a() { structuredClone(null, { transfer: [bytes.buffer] }); return 1; } }];
  assert.equal(hex(detaching), '824407070707a1616101');
});

test('built-ins are left as they are', () => {
  const names = () => [Object, Array, Map, String, Uint8Array, JSON].map((one) => Reflect.ownKeys(one.prototype ?? one).length);
  const before = names();
  fc.assert(fc.property(anything, (value) => void encode(value)), { numRuns: 50, seed: SEED });
  assert.deepEqual(names(), before);
});

test('results that are kept stay as they were', () => {
  const results = Array.from({ length: 10000 }, (_, i) => [i, encode({ i, text: 'é'.repeat(i % 30) })]);
  for (const [i, bytes] of results) {
    assert.deepEqual(cborg.decode(bytes), { i, text: 'é'.repeat(i % 30) });
    assert.notEqual(bytes.buffer, wasm.memory.buffer);
  }
  // Small ones are pieces of larger buffers, which may be transferred like any other.
  for (const [, result] of [results[5], results[29], results.at(-1)]) {
    if (result.length > 0) structuredClone(result, { transfer: [result.buffer] });
    assert.equal(hex([1, 'é'.repeat(40)]), `82017850${'c3a9'.repeat(40)}`);
  }
});

test('no result is written by a later call, whatever its size', () => {
  const value = (i) => ({ i, bytes: new Uint8Array((i * 37) % 6000).fill(i) });
  const results = Array.from({ length: 3000 }, (_, i) => encode(value(i)));
  // What a result is filled with is no other result's.
  for (let i = 0; i < results.length; i += 2) results[i].fill(0xff);
  for (let i = 1; i < results.length; i += 2) assert.deepEqual(cborg.decode(results[i]), value(i));
});

test('a million small calls take no more memory', () => {
  const value = { id: 1, name: 'é', tags: ['a', 'b'], at: 1.5 };
  const calls = (count) => {
    for (let i = 0; i < count; i++) {
      value.id = i;
      encode(value);
    }
  };
  calls(1000);
  const before = wasm.memory.buffer.byteLength;
  calls(1e6);
  assert.equal(wasm.memory.buffer.byteLength, before);
});

test('calls that throw take no more memory', () => {
  const failing = () => {
    for (const [value, mode] of [[[() => 1], 'lax'], [new Map([[1, 2], [1n, 3]]), 'deterministic'], [['\ud800'], 'strict']]) {
      assert.throws(() => encode(value, { mode }));
    }
  };
  for (let i = 0; i < 100; i++) failing();
  const before = wasm.memory.buffer.byteLength;
  for (let i = 0; i < 20000; i++) failing();
  assert.equal(wasm.memory.buffer.byteLength, before);
});
