// What hostile testing found in encode once: values that look like others, and state that must not stay behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CborWriter, decode, encode, encodeSequence, EncodedCbor, stats } from 'wcbor';
import { hexOf } from './calls.js';

const hex = (value, options) => hexOf(encode(value, options));

test('what is empty is not what has no form', () => {
  const values = { a: [], b: new Uint8Array(0), c: new DataView(new ArrayBuffer(2)), d: {}, e: new Map(), f: new Set() };
  assert.equal(hex(values, { unsupported: 'skip' }), hex(values));
  assert.equal(hex([new Uint8Array(0), []], { unsupported: 'skip' }), '824080');
  (function () {
    assert.equal(hex({ a: arguments }, { unsupported: 'skip' }), 'a1616180');
  })();
});

test('what stands for a value without a form keeps it in', () => {
  class Held extends WeakMap {
    toCBOR() {
      return 7;
    }
  }
  assert.equal(hex({ a: new Held(), b: new WeakMap() }, { unsupported: 'skip' }), 'a1616107');
  const encoders = [[Promise, () => 'later']];
  assert.equal(hex({ a: Promise.resolve() }, { unsupported: 'skip', encoders }), 'a16161656c61746572');
});

test('toCBOR does not depend on other options', () => {
  class Vector extends Array {
    toCBOR() {
      return 'v';
    }
  }
  const hidden = Object.defineProperty({ a: 1 }, 'toCBOR', { value: () => 'v' });
  for (const options of [undefined, { ignoreUndefined: true }, { toJSON: true }, { mode: 'deterministic' }]) {
    assert.equal(hex(Vector.of(1, 2), options), '6176');
    assert.equal(hex(Object.assign([1], { toCBOR: () => 5 }), options), '05');
    assert.equal(hex({ toCBOR: () => 5 }, options), '05');
    assert.equal(hex(hidden, options), 'a1616101');
  }
});

test('a toCBOR getter is read once', () => {
  let reads = 0;
  const value = {
    get toCBOR() {
      reads++;
      return () => 3;
    },
  };
  assert.equal(hex(value), '03');
  assert.equal(reads, 1);
});

test('full tables cost objects of new shapes no crossing each', () => {
  const wide = (i) => Object.fromEntries(Array.from({ length: 101 }, (_, k) => [`w${i}_${k}`, k]));
  const flood = Array.from({ length: 400 }, (_, i) => wide(i));
  for (let i = 0; i < 3; i++) encode(flood);
  const late = Array.from({ length: 300 }, (_, i) => ({ [`late${i % 3}`]: i, more: 1 }));
  encodeSequence(late);
  stats.reset();
  encodeSequence(late);
  assert.ok(stats().crossings < 40, `${stats().crossings} crossings`);
});

test('a stack that is used up anywhere leaves nothing behind', () => {
  const expected = hex({ a: [1, 2, 3], b: 'text' });
  const fall = (depth) => {
    const value = {
      get a() {
        if (depth > 0) fall(depth - 1);
        return 1;
      },
    };
    return encode(value);
  };
  // From many depths, so that the end of the stack comes at many places.
  const dive = (frames, then) => (frames > 0 ? dive(frames - 1, then) : then());
  for (let frames = 0; frames < 400; frames += 7) {
    try {
      dive(frames, () => fall(100_000));
    } catch (error) {
      assert.ok(error instanceof Error);
    }
    assert.equal(hex({ a: [1, 2, 3], b: 'text' }), expected);
  }
  stats.reset();
  encode({ a: 1 });
  assert.equal(stats().crossings, 1);
});

test('rows that say another length the next time', () => {
  const rows = (row) => [row, [1, 2], [3, 4]];
  const growing = [1, 2];
  Object.defineProperty(growing, 'toCBOR', { get() { for (let i = 0; i < 60_000; i++) growing.push(i); } });
  assert.ok(encode(rows(growing)).length > 60_000);
  for (const [first, then] of [[2, 3000], [2, 2 ** 31 - 1], [2, 20], [2, 0.5], [16, 17], [0.5, 2], ['2', 2], [-1, 2]]) {
    let count = 0;
    const liar = new Proxy([1, 2], { get: (target, key) => (key === 'length' ? (count++ === 0 ? first : then) : target[key]) });
    try {
      encode(rows(liar));
    } catch (error) {
      assert.equal(error.code, 'ERR_CBOR_LENGTH_OUT_OF_RANGE', `${first}, ${then}`);
    }
    assert.equal(hex(rows([5, 6])), '83820506820102820304', `after ${first}, ${then}`);
  }
});

test('typed arrays that are given another prototype', () => {
  const wide = Object.setPrototypeOf(new Float64Array([1, 2]), Uint8Array.prototype);
  const bytes = '000000000000f03f0000000000000040';
  assert.equal(hex(wide), `50${bytes}`);
  assert.equal(hex([{ a: wide }]), `81a1616150${bytes}`);
  assert.equal(hex(Object.setPrototypeOf(new Int8Array([-1]), Uint8Array.prototype)), '41ff');
  const writer = new CborWriter();
  writer.writeByteString(wide);
  assert.equal(hexOf(writer.encode()), `50${bytes}`);
  assert.throws(() => decode(wide), { name: 'CborError' });
  assert.equal(decode(Object.setPrototypeOf(new Uint16Array([0x0181]), Uint8Array.prototype))[0], 1);
});

test('lengths and names that lie', () => {
  for (const length of [-1, -97, 0.5, NaN, 2 ** 32]) {
    const liar = new Proxy([1], { get: (target, key) => (key === 'length' ? length : target[key]) });
    assert.throws(() => encode(liar), { code: 'ERR_CBOR_LENGTH_OUT_OF_RANGE' });
  }
  for (const tag of ['toString', 'constructor', '__proto__', 'URL', 'Error', 'Map', 'ArrayBuffer']) {
    const claims = { get [Symbol.toStringTag]() { return tag; }, x: 1 };
    assert.equal(hex(Object.setPrototypeOf(claims, class {}.prototype)), 'a1617801', tag);
  }
  for (const value of [new Date(0), new Map(), new Set(), /a/, new Uint8Array(3)]) {
    assert.throws(() => encode(new Proxy(value, {})), { code: 'ERR_CBOR_UNSUPPORTED_VALUE' });
  }
});

test('encoded values count into maxDepth', () => {
  const nested = new EncodedCbor(Uint8Array.of(0x81, 0x81, 0x81, 0x01));
  assert.equal(hex([nested], { maxDepth: 4 }), '8181818101');
  assert.throws(() => encode([nested], { maxDepth: 3 }), { code: 'ERR_CBOR_INVALID_ENCODED_VALUE' });
});

test('references go with modes that keep the order of keys', () => {
  const shared = ['x'];
  assert.equal(hex({ b: shared, a: shared }, { sharedReferences: true }), 'd81ca26162d81c8161786161d81d01');
  assert.throws(() => encode({}, { sharedReferences: true, mode: 'deterministic' }), { code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
});
