// What encode keeps from one object to the next (the shapes of objects) and what it puts together (runs of numbers, text)
// must not show. Each value is also written by a CborWriter, call by call, which knows of none of that.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CborWriter, encode } from 'wcbor';
import { hexOf } from './calls.js';

const MODES = ['lax', 'strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor'];

function writeNumber(writer, value) {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) writer.writeDouble(value);
  else if (value >= 0) writer.writeUint64(value);
  else writer.writeInt64(value);
}

function writeEntries(writer, entries) {
  writer.writeStartMap(entries.length);
  for (const [key, value] of entries) {
    write(writer, key);
    write(writer, value);
  }
  writer.writeEndMap();
}

function write(writer, value) {
  if (typeof value === 'string') writer.writeTextString(value);
  else if (typeof value === 'number') writeNumber(writer, value);
  else if (typeof value === 'boolean') writer.writeBoolean(value);
  else if (value === null) writer.writeNull();
  else if (value === undefined) writer.writeUndefined();
  else if (value instanceof Uint8Array) writer.writeByteString(value);
  else if (value instanceof Map) writeEntries(writer, [...value]);
  else if (!Array.isArray(value)) writeEntries(writer, Object.entries(value));
  else {
    writer.writeStartArray(value.length);
    for (let i = 0; i < value.length; i++) write(writer, value[i]);
    writer.writeEndArray();
  }
}

const writers = new Map(MODES.map((mode) => [mode, new CborWriter({ mode })]));

/** What must come of a value: the document, or the code of its error. */
function expected(value, mode) {
  const writer = writers.get(mode);
  writer.reset();
  try {
    write(writer, value);
    return hexOf(writer.encode());
  } catch ({ code }) {
    return code;
  }
}

function outcome(value, mode) {
  try {
    return hexOf(encode(value, { mode }));
  } catch ({ code }) {
    return code;
  }
}

function check(value, modes = MODES) {
  for (const mode of modes) {
    const [is, should] = [outcome(value, mode), expected(value, mode)];
    if (is !== should) assert.equal(is, should, mode);
  }
}

// --------------------------------------------------------------------------------------------------------- shapes

test('objects of one shape, again and again', () => {
  for (let round = 0; round < 6; round++) {
    check([{ bb: round, a: 'é', c: [round, { bb: 1, a: 2, c: 3 }] }, { bb: {}, a: { bb: 1 }, c: null }]);
    check({ c: round, a: 1, bb: 2 });
    check({ a: 1, bb: 2, c: 3, d: undefined });
    check({ a: 1, bb: 2 });
    check({});
  }
});

test('keys of all kinds, in every mode, before and after they are a shape', () => {
  const lists = [
    ['a', 'zz', 'é', '\uffff', '\u{1f600}'], ['\u{1f600}', '\uffff', 'é', 'zz', 'a'], ['', 'a'], ['10', '9', 'b', 'a'],
    ['__proto__', 'constructor', 'toString', 'hasOwnProperty'], ['toJSON', 'x'], ['e\u0301', 'f'], ['e\u0301', 'é'], ['\ud800', 'a'],
    ['a', '\udc00'], ['x'.repeat(23), 'y'.repeat(24), 'z'], ['k'.repeat(255), 'l'], ['k'.repeat(256), 'l'], ['é'.repeat(127), 'b'],
    ['é'.repeat(128), 'b'], ['k'.repeat(5000), 'l'], Array.from({ length: 24 }, (_, i) => `n${i}`),
    ...[23, 25, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300].map((n) => Array.from({ length: n }, (_, i) => `w${(i * 7) % n}`)),
  ];
  for (let round = 0; round < 4; round++) {
    for (const keys of lists) {
      const make = (value) => JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:${value}`).join()}}`);
      check(make('1'));
      check([make('"é"'), make('[1.5]'), make('{"a":{}}')]);
    }
  }
});

test('more shapes than are kept', () => {
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 12000; i += 1) {
      const object = { [`s${i % 3000}`]: i, common: 1, [`t${i % 7}`]: [{ common: 2 }] };
      check([object, object], [MODES[i % MODES.length]]);
    }
  }
});

test('objects as dictionaries', () => {
  for (let i = 0; i < 300; i++) {
    const object = {};
    for (let k = 0; k < 50; k++) object[`key ${(i * 31 + k * 17) % 10000}`] = k;
    check([object, { id: 1, name: 'x' }], [MODES[i % MODES.length]]);
  }
});

test('objects of a shape with a getter, a proxy, no prototype, a class', () => {
  class Point { x = 1; y = 2; }
  const kinds = [
    () => ({ x: 1, y: 2 }), () => ({ get x() { return 1; }, y: 2 }), () => new Proxy({ x: 1, y: 2 }, {}), () => new Point(),
    () => Object.assign(Object.create(null), { x: 1, y: 2 }), () => Object.defineProperty({ x: 1, y: 2 }, 'z', { value: 3 }),
    () => Object.freeze({ x: 1, y: 2 }), () => ({ x: 1, y: 2, [Symbol('s')]: 3 }),
  ];
  for (let round = 0; round < 4; round++) {
    for (const kind of kinds) {
      for (const mode of MODES) assert.equal(outcome([kind(), kind()], mode), '82a2617801617902a2617801617902', mode);
    }
  }
});

test('a shape does not make a map of what is none', () => {
  for (let round = 0; round < 4; round++) {
    assert.equal(outcome({ 0: 1, 1: 2 }, 'lax'), 'a2613001613102');
    (function of() { assert.equal(outcome(arguments, 'lax'), '820102'); })(1, 2);
    assert.equal(outcome({}, 'lax'), 'a0');
    (function of() { assert.equal(outcome(arguments, 'lax'), '80'); })();
    assert.equal(outcome({ toCBOR: 1, a: 2 }, 'lax'), 'a266746f43424f5201616102');
    assert.equal(outcome({ toCBOR: () => 1, a: 2 }, 'lax'), '01');
  }
});

test('properties of everything are not an object\'s own', () => {
  for (let round = 0; round < 3; round++) {
    check([{ own: 1 }, {}]);
    Object.prototype.everybodys = 1;
    try {
      assert.equal(outcome([{ own: 1 }, {}], 'lax'), '82a1636f776e01a0');
      assert.equal(outcome([{ own: 1 }, {}], 'deterministic'), '82a1636f776e01a0');
    } finally {
      delete Object.prototype.everybodys;
    }
  }
});

test('a getter that changes the object, before and after it is a shape', () => {
  for (let round = 0; round < 4; round++) {
    for (const mode of ['lax', 'strict', 'deterministic']) {
      check({ a: 1, b: 2, c: 3 }, [mode]);
      const object = { get a() { delete this.b; this.d = 4; return 1; }, b: 2, c: 3 };
      assert.equal(outcome(object, mode), 'a361610161 62f7616303'.replace(' ', ''), mode);
    }
  }
});

// ---------------------------------------------------------------------------------------------- runs of numbers

test('arrays of numbers at every length, whole and with something between', () => {
  const numbers = [0, 1, 23, 24, -1, -24, -25, 255, 256, 65535, 65536, -65537, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, -(2 ** 53),
    2 ** 53 - 1, -0, 1.5, 0.1, 1e300, 2 ** -24, Math.fround(0.1), 2 ** 64, -(2 ** 63), 65504];
  const between = ['a', null, true, [1, 2], { a: 1 }, undefined, 'é'.repeat(20), '', Uint8Array.of(1)];
  for (let length = 0; length <= 70; length++) {
    const array = Array.from({ length }, (_, i) => numbers[(i * 5 + length) % numbers.length]);
    check(array);
    check([array, array, 'é', ...array]);
    for (const other of between) {
      const at = (length * 3) % (length + 1);
      check([...array.slice(0, at), other, ...array.slice(at)], ['lax', 'ctap2', 'dcbor']);
    }
  }
  check([NaN, 1, Infinity, -Infinity, NaN]);
  check([1, 2, , 4]);
});

test('arrays of numbers that fill the command buffer, at every place in it', () => {
  for (let pad = 0; pad < 40; pad++) {
    for (const length of [2000, 2046, 2047, 2048, 2049, 4100, 20000]) {
      const array = Array.from({ length }, (_, i) => (i % 3 === 0 ? i + 0.5 : i * 1000));
      check(['x'.repeat(pad), array, 'y', array.slice(0, pad)], [MODES[pad % MODES.length]]);
      if (length > 4000) break;
    }
  }
  check(Array(20000).fill(1));
  for (let pad = 0; pad < 2100; pad += 1) check([...Array(pad).fill('ab'), 1, 2, 3, 4.5, 'c', 5, 6], ['lax']);
});

test('an array whose elements run code', () => {
  const array = [1, 2, 3, 4, 5, 6];
  Object.defineProperty(array, 3, { get: () => encode([1, 2, { a: [1.5, 'é'.repeat(30)] }]).length, enumerable: true });
  const length = encode([1, 2, { a: [1.5, 'é'.repeat(30)] }]).length;
  for (const mode of MODES) assert.equal(outcome([array, 'é'.repeat(20)], mode), expected([[1, 2, 3, length, 5, 6], 'é'.repeat(20)], mode));
  const throwing = [1, 2, 3];
  Object.defineProperty(throwing, 2, { get() { throw new RangeError('mine'); } });
  assert.throws(() => encode(['a', throwing]), /mine/);
  check(['a', [1, 2, 3]]);
});

// ------------------------------------------------------------------------------------------------- runs of strings

const STRINGS = ['', 'a', 'eight ch', 'nine char', 'abc'.repeat(5), 'k'.repeat(16), 'k'.repeat(17), 'k'.repeat(254), 'k'.repeat(255),
  'k'.repeat(256), 'é'.repeat(9), 'ж'.repeat(16), '木'.repeat(17), '\u{1f30a}'.repeat(8), 'x\u{1f30a}'.repeat(9), '木'.repeat(255),
  'a\ufffd replaced', 'Ω'.repeat(300), `${'e\u0301'.repeat(8)}`];

test('arrays of strings, whole and with something between', () => {
  const between = [1, null, 'short', [1], { a: 1 }, undefined, '\ud800 unpaired', 'unpaired \ud800', 'unpaired \udc00', 'x'.repeat(5000)];
  for (let length = 0; length <= 40; length++) {
    const array = Array.from({ length }, (_, i) => STRINGS[(i * 7 + length) % STRINGS.length]);
    check(array);
    check([array, array, 'é', ...array, { b: array }]);
    for (const other of between) {
      const at = (length * 3) % (length + 1);
      check([...array.slice(0, at), other, ...array.slice(at)], ['lax', 'strict', 'canonical', 'dcbor']);
    }
  }
  check(['unpaired \ud800', '\udc00 the other']);
  check(['unpaired at \ud800\ud800', '\udc00\udc00 the other', '\ufffd\ufffd\ufffd\ufffd\ufffd']);
});

test('arrays of strings that fill the buffers', () => {
  for (const string of STRINGS) {
    for (const count of [60, 65, 2000, 17000]) {
      if (string.length * count < 2e6) check([1, Array(count).fill(string), string], ['lax', 'strict']);
    }
  }
  for (let pad = 0; pad < 300; pad += 7) check([...Array(16100 + pad).fill(true), ...STRINGS, ...STRINGS, 'short', ...STRINGS], ['lax']);
});

test('strings whose array runs code', () => {
  const array = STRINGS.slice(10);
  Object.defineProperty(array, 3, { get: () => `of ${encode(STRINGS).length} bytes`, enumerable: true });
  for (const mode of ['lax', 'strict']) {
    assert.equal(outcome(['before it all', array, 'é'.repeat(20)], mode), expected(['before it all', [...array], 'é'.repeat(20)], mode));
  }
  Object.defineProperty(array, 4, { get() { throw new RangeError('mine'); } });
  assert.throws(() => encode(['a', array]), /mine/);
  check(['a', STRINGS]);
});

// -------------------------------------------------------------------------------------------------- runs of arrays

test('arrays of rows of numbers, and of rows that are almost that', () => {
  const row = (width, seed) => Array.from({ length: width }, (_, i) => [0, 1.5, -0.1, 70000, -300, -0, 2 ** 53][(i * 3 + seed) % 7]);
  const others = [['a'], [], [1, 'a'], [1, 2, null], [1, [2, 3]], [[1], 2], [1, , 3], 5, null, { a: 1 }, row(17, 1), row(16, 2)];
  for (let width = 1; width <= 18; width++) {
    for (const length of [1, 2, 3, 17, 400]) {
      const rows = Array.from({ length }, (_, i) => row(width, i));
      check(rows);
      if (length > 17) continue;
      check([rows, [rows, 1], { a: rows }]);
      for (const other of others) {
        const at = (length * 5) % (length + 1);
        check([...rows.slice(0, at), other, ...rows.slice(at)]);
        check([...rows.slice(0, at), [...row(width - 1, 3), other], ...rows.slice(at)]);
      }
    }
  }
  for (let pad = 0; pad < 100; pad++) check([...Array(16250 + pad).fill(true), ...Array.from({ length: 30 }, (_, i) => row(3, i))], ['lax']);
  check([[1.5, NaN], [Infinity, 1]]);
});

test('rows that run code, that hold themselves, and that are too deep', () => {
  const row = [1, 2, 3];
  Object.defineProperty(row, 1, { get: () => encode([[1, 2], [3, 4]]).length, enumerable: true });
  for (const mode of MODES) assert.equal(outcome([[1, 2, 3], row, [4, 5, 6]], mode), expected([[1, 2, 3], [1, 7, 3], [4, 5, 6]], mode));
  const odd = [1, 2];
  Object.defineProperty(odd, 1, { get: () => [encode(['x']).length], enumerable: true });
  assert.equal(outcome([[1, 2], odd, [4, 5]], 'lax'), expected([[1, 2], [1, [3]], [4, 5]], 'lax'));
  let reads = 0;
  const counted = [1, 'a'];
  Object.defineProperty(counted, 0, { get: () => ++reads, enumerable: true });
  assert.equal(outcome([[1, 2], counted, counted], 'lax'), expected([[1, 2], [1, 'a'], [2, 'a']], 'lax'));
  const pathOf = (value, options) => {
    try {
      encode(value, options);
      return undefined;
    } catch (error) {
      return `${error.code} ${error.path}`;
    }
  };
  assert.equal(pathOf([0, [1, 2], [1, () => 1]]), 'ERR_CBOR_UNSUPPORTED_VALUE $[2][1]');
  assert.equal(pathOf([0, [1, 2], [1, [2, [() => 1]]]]), 'ERR_CBOR_UNSUPPORTED_VALUE $[2][1][1][0]');
  assert.equal(pathOf([0, [1, 2], [1, 2], () => 1]), 'ERR_CBOR_UNSUPPORTED_VALUE $[3]');
  assert.equal(pathOf([['a long string', 'another string', () => 1]]), 'ERR_CBOR_UNSUPPORTED_VALUE $[0][2]');
  assert.equal(pathOf([[1, 2], [1, 2]], { maxDepth: 1 }), 'ERR_CBOR_DEPTH_EXCEEDED $[0]');
  assert.equal(pathOf([[1, 2], [1, 2]], { maxDepth: 2 }), undefined);
  assert.equal(pathOf([[1, 2], [1, [2]]], { maxDepth: 2 }), 'ERR_CBOR_DEPTH_EXCEEDED $[1][1]');
  assert.equal(pathOf([[1, 2], [1, NaN]], { mode: 'dag-cbor' }), 'ERR_CBOR_FLOAT_NOT_ALLOWED $[1][1]');
  assert.equal(pathOf([STRINGS, ['a long string', 'unpaired \ud800 within', 'last of them']], { mode: 'strict' }), 'ERR_CBOR_INVALID_TEXT $[1][1]');
  assert.equal(pathOf([STRINGS, ['a long string', 'unpaired at its end \ud800', 'last of them']], { mode: 'strict' }), 'ERR_CBOR_INVALID_TEXT $[1][1]');
  const special = Object.assign([1, 2], { toCBOR: () => 'instead' });
  assert.equal(outcome([[1, 2], special], 'lax'), expected([[1, 2], 'instead'], 'lax'));
});

// ----------------------------------------------------------------------------------------------------- anything

test('any value comes out as it is written call by call', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', 'id', 'name', 'zz', 'é', ''), fc.string({ unit: 'binary', maxLength: 30 }));
  const number = fc.oneof(fc.integer(), fc.double(), fc.float(), fc.maxSafeInteger(), fc.constantFrom(0, -0, 1, 24));
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' }, fc.string({ unit: 'binary' }), number, fc.constantFrom(null, true, false, undefined), fc.uint8Array(),
      fc.array(number, { maxLength: 100 }), fc.array(fc.string({ unit: 'binary', minLength: 7 })), fc.array(fc.tuple(number, number)),
      fc.array(tie('value')), fc.dictionary(key, tie('value'), { maxKeys: 8 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((pairs) => new Map(pairs))),
  }));
  const seed = Number(process.env.FAST_CHECK_SEED ?? 8949);
  fc.assert(fc.property(anything, (value) => {
    check(value);
    check([value, value]);
  }), { numRuns: 400, seed });
});
