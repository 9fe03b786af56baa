// What has gone wrong in other encoders, by the names of the collected cases: each with its right value, and with further
// members of its kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cbor2 from 'cbor2';
import * as cborg from 'cborg';
import * as wcbor from 'wcbor';
import { EncodedCbor, Encoder, encode, encodeSequence, Simple, Tagged } from 'wcbor';
import { hexOf } from './calls.js';

const SORTED = ['canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor'];
const MODES = ['lax', 'strict', ...SORTED];

const hex = (value, options) => hexOf(encode(value, options));
const is = (value, expected, options) => assert.equal(hex(value, options), expected.replaceAll(' ', ''));
const fails = (value, code, options) => assert.throws(() => encode(value, options), { code: `ERR_CBOR_${code}` });
const decode = (bytes) => cborg.decode(bytes);
const decodeMaps = (bytes) => cborg.decode(bytes, { useMaps: true });
const utf8 = (text) => hexOf(Buffer.from(text));

/** A head, worked out here. */
function head(major, argument) {
  const [information, digits] = argument < 24 ? [argument, 0] : argument < 0x100 ? [24, 2] : argument < 0x10000 ? [25, 4] : [26, 8];
  const initial = (major * 32 + information).toString(16).padStart(2, '0');
  return digits === 0 ? initial : initial + argument.toString(16).padStart(digits, '0');
}

const text = (string) => head(3, Buffer.byteLength(string)) + utf8(string);

// ----------------------------------------------------------------------------------------------------------- text

/** `half` is written as U+FFFD in lax, at whatever length and place, and refused everywhere else. */
function checkHalf(half, length) {
  for (const fill of ['a', 'é', '漢']) {
    const around = fill.repeat(length);
    for (const string of [half + around, around + half, around + half + around]) {
      const replaced = string.replaceAll(half, '\ufffd');
      is(string, text(replaced));
      is([string, 'b'], `82${text(replaced)}6162`);
      is({ [string]: string }, `a1${text(replaced)}${text(replaced)}`);
      for (const mode of MODES.slice(1)) fails([string], 'INVALID_TEXT', { mode });
    }
  }
}

for (const [id, half, lengths] of [
  ['enc-surrogate-low-in-5', '\ude0e', [5, 0, 4, 6]],
  ['enc-surrogate-low-in-100', '\ude0e', [100, 22, 23, 24, 99, 101]],
  ['enc-surrogate-high-in-30', '\ud83d', [30, 7, 8, 9, 29, 31]],
  ['enc-surrogate-high-in-5000', '\ud83d', [5000, 4095, 4096, 4097, 16384, 60000]],
]) {
  test(`${id}: half a pair at every length`, () => lengths.forEach((length) => checkHalf(half, length)));
}

test('enc-surrogate-lone-high: no bytes ed a0..bf', () => {
  is('\ud83d', '63efbfbd');
  is('\ud83d\ud83d\ude00', '67 efbfbd f09f9880');
  is('\ude00\ud83d', '66 efbfbd efbfbd');
  for (let unit = 0xd800; unit <= 0xdfff; unit += 37) is(String.fromCharCode(unit), '63efbfbd');
  fails('\ud83d', 'INVALID_TEXT', { mode: 'strict' });
});

for (const [id, length] of [['enc-surrogate-fuse-5', 5], ['enc-surrogate-fuse-100', 100]]) {
  test(`${id}: halves in neighbouring strings stay apart`, () => {
    for (const count of [length, 0, 1, 8, 24, 4096]) {
      const [left, right] = ['a'.repeat(count), 'b'.repeat(count)];
      const expected = [text(`${left}\ufffd`), text(`\ufffd${right}`)];
      is([`${left}\ud83d`, `\ude00${right}`], `82${expected.join('')}`);
      is({ [`${left}\ud83d`]: `\ude00${right}` }, `a1${expected.join('')}`);
      is(new Map([[`${left}\ud83d`, `\ude00${right}`]]), `a1${expected.join('')}`);
      is([[`${left}\ud83d`], { [`\ude00${right}`]: 1 }], `8281${expected[0]}a1${expected[1]}01`);
      assert.equal(hexOf(encodeSequence([`${left}\ud83d`, `\ude00${right}`])), expected.join(''));
    }
  });
}

test('enc-fullwidth-paren: characters of three bytes are whole', () => {
  is('\uff08', '63efbc88');
  for (const character of ['\u0800', '\uffff', '\ufffd', '\ufeff', '\u20ac', '\u0bf5']) {
    for (const count of [1, 7, 8, 21, 22, 5461, 5462]) is(character.repeat(count), text(character.repeat(count)));
  }
});

test('enc-text-length-edges: the length is that of the bytes', () => {
  for (const character of ['é', '漢', '😀']) {
    for (const edge of [24, 256, 65536]) {
      for (let nbytes = edge - 4; nbytes <= edge + 4; nbytes++) {
        const each = Buffer.byteLength(character);
        const string = character.repeat(nbytes / each) + 'x'.repeat(nbytes % each);
        is(string, head(3, nbytes) + utf8(string));
      }
    }
  }
});

test('enc-many-strings-growth: the output grows in the middle of a string', () => {
  for (const character of ['a', 'é', '漢', '😀']) {
    const strings = Array.from({ length: 2000 }, (_, i) => character.repeat(1 + (i % 400)));
    assert.deepEqual(decode(encode(strings)), strings);
    assert.deepEqual(decode(encode(Object.fromEntries(strings.map((string, i) => [`${i}`, string])))), { ...strings });
  }
});

// -------------------------------------------------------------------------------------------------------- numbers

const NUMBERS = {
  'enc-int-neg-2^31-1': [[-2147483649, '3a80000000'], [-2147483648, '3a7fffffff'], [2147483648, '1a80000000'], [2147483647, '1a7fffffff'],
    [-4294967296, '3affffffff'], [-4294967297, '3b0000000100000000'], [4294967295, '1affffffff'], [4294967296, '1b0000000100000000']],
  'enc-int-max-safe': [[Number.MAX_SAFE_INTEGER, '1b001fffffffffffff'], [Number.MIN_SAFE_INTEGER, '3b001ffffffffffffe'],
    [2 ** 53, 'fa5a000000'], [-(2 ** 53), 'fada000000']],
  'enc-bigint-2^64': [[2n ** 64n, 'c249010000000000000000'], [2n ** 64n - 1n, '1bffffffffffffffff'], [2n ** 72n, 'c24a01000000000000000000']],
  'enc-bigint--2^64': [[-(2n ** 64n), '3bffffffffffffffff'], [-(2n ** 64n) - 1n, 'c349010000000000000000'],
    [-(2n ** 63n), '3b7fffffffffffffff'], [-(2n ** 63n) - 1n, '3b8000000000000000']],
  'enc-bigint-small': [[1n, '01'], [-1n, '20'], [0n, '00'], [2n ** 32n, '1b0000000100000000'], [23n, '17'], [24n, '1818'], [-24n, '37'],
    [-25n, '3818'], [255n, '18ff'], [256n, '190100'], [65535n, '19ffff'], [65536n, '1a00010000']],
  'enc-int-0x010144': [[0x010144, '1a00010144'], [0x01010101, '1a01010101'], [0x0100, '190100'], [0x01ff00ff, '1a01ff00ff'],
    [0x0100000100, '1b0000000100000100'], [-0x010145, '3a00010144']],
  'enc-float-nan': [[NaN, 'f97e00'], [-NaN, 'f97e00'], [0 / 0, 'f97e00'], [Object(NaN), 'f97e00']],
  'enc-float-1.5': [[1.5, 'f93e00'], [-1.5, 'f9be00'], [65504.5, 'fa477fe080'], [0.1, 'fb3fb999999999999a'], [2 ** -14, 'f90400'],
    [3.4028234663852886e38, 'fa7f7fffff'], [1e39, 'fb48078287f49c4a1d']],
  'enc-float-subnormal-half': [[2 ** -24, 'f90001'], [2 ** -15, 'f90200'], [1023 * 2 ** -24, 'f903ff'], [2 ** -25, 'fa33000000'],
    [-(2 ** -24), 'f98001'], [3 * 2 ** -25, 'fa33c00000'], [2 ** -149, 'fa00000001'], [2 ** -150, 'fb3690000000000000']],
};

const nanOf = (high, low) => new Float64Array(Uint32Array.of(low, high).buffer)[0];

for (const [id, rows] of Object.entries(NUMBERS)) {
  test(`${id}: alone, in arrays, as values and keys`, () => {
    for (const [value, expected] of rows) {
      for (const mode of ['lax', 'strict', 'canonical', 'deterministic']) {
        is(value, expected, { mode });
        is([value, value, 'a', value], `84${expected}${expected}6161${expected}`, { mode });
        is({ a: value }, `a16161${expected}`, { mode });
        is(new Map([[value, 1]]), `a1${expected}01`, { mode });
      }
    }
  });
}

test('enc-float-nan: whatever its sign and payload', () => {
  const nans = [nanOf(0xfff80000, 0), nanOf(0x7ff80000, 1), nanOf(0x7ff40000, 0), nanOf(0xffffffff, 0xffffffff)];
  for (const mode of ['lax', 'deterministic', 'dcbor']) {
    for (const nan of nans) is([nan, nan], '82f97e00f97e00', { mode });
  }
});

test('enc-number-array-mixed: a run of numbers keeps each as it is', () => {
  const numbers = [0, -0, 1.5, NaN, 2 ** 53, -1, 1e-7, Infinity];
  is(numbers, '88 00 f98000 f93e00 f97e00 fa5a000000 20 fb3e7ad7f29abcaf48 f97c00');
  assert.deepEqual(decode(encode(numbers)), numbers);
  for (const other of ['a', null, true, undefined, 1n, [], {}]) {
    const mixed = numbers.flatMap((number) => [number, other, number, number]);
    assert.equal(hex(mixed), head(4, mixed.length) + mixed.map((one) => hex(one)).join(''));
  }
  const long = Array.from({ length: 9000 }, (_, i) => numbers[i % 8]);
  assert.equal(hex(long), head(4, 9000) + long.map((one) => hex(one)).join(''));
});

// -------------------------------------------------------------------------------------------------- arrays, maps

test('enc-array-20000: long arrays are whole', () => {
  for (const length of [20000, 2047, 2048, 2049, 16384, 65535, 65536, 100000]) {
    is(Array(length).fill(1), head(4, length) + '01'.repeat(length));
    is(Array(length).fill(null), head(4, length) + 'f6'.repeat(length));
    is(Array(length).fill('é'), head(4, length) + '62c3a9'.repeat(length));
  }
});

test('enc-map-70000: more pairs than 16 bits count', () => {
  for (const length of [65535, 65536, 70000]) {
    const map = new Map(Array.from({ length }, (_, i) => [i, -i]));
    for (const mode of ['lax', 'strict', 'deterministic']) assert.deepEqual(decodeMaps(encode(map, { mode })), map);
    const object = Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]));
    assert.deepEqual(decode(encode(object)), object);
  }
});

test('enc-shapes-many: thousands of shapes of objects', () => {
  const objects = Array.from({ length: 5000 }, (_, i) => ({ [`a${i}`]: i, [`b${i}`]: [`${i}`] }));
  for (const mode of ['lax', 'deterministic']) {
    for (let round = 0; round < 3; round++) assert.deepEqual(decode(encode(objects, { mode })), objects);
  }
});

test('enc-int-keys-object: names that look like integers are text', () => {
  is({ 1: 'a', 10: 'b' }, 'a2 6131 6161 623130 6162');
  is({ 10: 'b', 1: 'a', '-1': 'c', '01': 'd' }, 'a4 6131 6161 623130 6162 622d31 6163 623031 6164');
  is({ 4294967295: 1 }, `a1${text('4294967295')}01`);
  is([{ 0: 1 }, { 0: 2 }, { 0: 3 }], '83 a1613001 a1613002 a1613003');
});

test('enc-null-prototype: objects without a prototype', () => {
  const bare = (entries) => Object.assign(Object.create(null), entries);
  for (const options of [undefined, { mode: 'strict' }, { mode: 'deterministic' }, { ignoreUndefined: true }, { toJSON: true }]) {
    is(bare({ a: 1 }), 'a1616101', options);
    is([bare({ a: bare({}) }), bare({})], '82a16161a0a0', options);
    is(bare({ toString: 1, constructor: 2 }), hex({ toString: 1, constructor: 2 }, options), options);
  }
});

test('enc-symbol-keys: names that are symbols or hidden are no data', () => {
  const object = Object.defineProperty({ a: 1, [Symbol('s')]: 2 }, 'hidden', { value: 3 });
  for (const options of [undefined, { mode: 'strict' }, { ignoreUndefined: true }, { keyMap: { b: 1 } }]) {
    is(object, 'a1616101', options);
    is({ [Symbol('s')]: 1 }, 'a0', options);
  }
  const inherited = Object.assign(Object.create({ b: 1 }), { a: 1 });
  is(inherited, 'a1616101');
});

test('enc-proto-own-key: __proto__ as a name', () => {
  is(JSON.parse('{"__proto__":{"x":1}}'), 'a1695f5f70726f746f5f5fa1617801');
  is(JSON.parse('{"a":1,"__proto__":null}'), 'a2 616101 695f5f70726f746f5f5f f6');
  is(new Map([['__proto__', 1]]), 'a1695f5f70726f746f5f5f01');
  is({ constructor: 1, hasOwnProperty: 2 }, `a2${text('constructor')}01${text('hasOwnProperty')}02`);
});

test('enc-keys-not-text: keys of every kind', () => {
  const map = new Map([[null, 1], [true, 2], [1.5, 3], [[1], 4], [new Map([[1, 2]]), 5], [undefined, 6], [-1, 7], [new Tagged(1, 2), 8],
    [new Simple(99), 9], [new Map(), 10], [{ a: 1 }, 11]]);
  is(map, 'ab f601 f502 f93e0003 810104 a1010205 f706 2007 c10208 f86309 a00a a16161010b');
  for (const mode of ['strict', 'canonical', 'deterministic']) assert.equal(encode(map, { mode }).length, encode(map).length);
  assert.deepEqual(decodeMaps(encode(new Map([[[1, ['a']], 1], [new Map([[1, 2]]), 2]]))), new Map([[[1, ['a']], 1], [new Map([[1, 2]]), 2]]));
});

// ------------------------------------------------------------------------------------------------------ key order

/** The keys of the map that `entries` make, in the order in which a mode writes them, whatever order they come in. */
function orderOf(keys, mode) {
  const written = (list) => [...decodeMaps(encode(new Map(list.map((key, i) => [key, i])), { mode })).keys()];
  const order = written(keys);
  assert.deepEqual(written([...keys].reverse()), order);
  assert.deepEqual(written([...keys.slice(1), keys[0]]), order);
  return order;
}

const compare = (a, b) => Buffer.compare(Buffer.from(encode(a)), Buffer.from(encode(b)));
const BYTEWISE = compare;
const LENGTH_FIRST = (a, b) => encode(a).length - encode(b).length || compare(a, b);
const MAJOR_FIRST = (a, b) => (encode(a)[0] >> 5) - (encode(b)[0] >> 5) || LENGTH_FIRST(a, b);
const RULES = { canonical: LENGTH_FIRST, ctap2: MAJOR_FIRST, deterministic: BYTEWISE, 'dag-cbor': LENGTH_FIRST, dcbor: BYTEWISE };

test('det-keys-bool: false before true', () => {
  for (const mode of ['canonical', 'ctap2', 'deterministic', 'dcbor']) {
    is(new Map([[true, 1], [false, 2]]), 'a2f402f501', { mode });
    is(new Map([[null, 0], [true, 1], [false, 2]]), 'a3f402f501f600', { mode });
  }
});

test('det-keys-bytes: byte strings by their bytes', () => {
  for (const mode of ['canonical', 'ctap2', 'deterministic', 'dcbor']) {
    is(new Map([[Uint8Array.of(0xff), 1], [Uint8Array.of(1), 2]]), 'a241010241ff01', { mode });
    is(new Map([[Uint8Array.of(0x80, 0), 1], [Uint8Array.of(0x7f, 0xff), 2], [Uint8Array.of(0xff), 3]]), 'a3 41ff03 427fff02 42800001', { mode });
  }
});

test('det-keys-24-empty: the bytewise and the length-first order of 24 and an empty byte string', () => {
  const map = new Map([[new Uint8Array(0), 1], [24, 2]]);
  is(map, 'a2 181802 4001', { mode: 'deterministic' });
  is(map, 'a2 181802 4001', { mode: 'dcbor' });
  is(map, 'a2 181802 4001', { mode: 'ctap2' });
  is(map, 'a2 4001 181802', { mode: 'canonical' });
  is(new Map([['', 1], [1000, 2]]), 'a2 1903e802 6001', { mode: 'deterministic' });
  is(new Map([['', 1], [1000, 2]]), 'a2 6001 1903e802', { mode: 'canonical' });
});

for (const mode of ['deterministic', 'ctap2', 'dcbor', 'canonical', 'dag-cbor']) {
  test(`keys-utf8-order-${mode}: text by its bytes, not by its units`, () => {
    const names = ['a', 'zz', 'é', '\uffff', '\u{1f600}', '\uffffa'];
    assert.deepEqual(orderOf(names, mode), [...names].sort(RULES[mode]));
    assert.deepEqual(Object.keys(decode(encode(Object.fromEntries(names.map((name) => [name, 1])), { mode }))), [...names].sort(RULES[mode]));
    const more = [...names, '\u{10ffff}', '\ue000', '\ud7ff', 'z'.repeat(23), 'y'.repeat(24), '漢'.repeat(90), 'b', ''];
    assert.deepEqual(orderOf(more, mode), [...more].sort(RULES[mode]));
  });
}

test('canonical-keys-mixed: the example of RFC 8949, 4.2.3', () => {
  const keys = [10, 100, -1, 'z', 'aa', [100], [-1], false];
  assert.deepEqual(orderOf(keys, 'canonical'), [10, -1, false, 100, 'z', [-1], 'aa', [100]]);
  assert.deepEqual(orderOf(keys, 'deterministic'), [10, 100, -1, 'z', 'aa', [100], [-1], false], '4.2.1');
});

test('det-keys-dup-after-encoding: keys that are encoded alike are one key', () => {
  const pairs = [[1, 1n], ['a', Object('a')], [[1], [1]], [1.5, Object(1.5)], [new Date(0), new Tagged(1, 0)], [Uint8Array.of(1), Uint8Array.of(1)]];
  for (const [one, other] of pairs) {
    for (const mode of ['strict', 'canonical', 'deterministic']) {
      fails(new Map([[one, 1], [other, 2]]), 'DUPLICATE_KEY', { mode });
      fails(new Map([[one, 1], ['between', 0], [other, 2]]), 'DUPLICATE_KEY', { mode });
    }
  }
  fails({ é: 1, 'e\u0301': 2 }, 'DUPLICATE_KEY', { mode: 'dcbor' });
});

test('det-large-shape-sort: many keys', () => {
  for (const count of [2000, 23, 24, 25, 127, 128, 129]) {
    const names = Array.from({ length: count }, (_, i) => `key ${(i * 7919) % 100003}`);
    const object = Object.fromEntries(names.map((name, i) => [name, i]));
    for (const mode of SORTED) {
      for (let round = 0; round < 3; round++) {
        assert.deepEqual(Object.keys(decode(encode(object, { mode }))), [...names].sort(RULES[mode]), `${mode}, ${count}`);
      }
    }
  }
});

test('modes-agree: a mode is gone after its call', () => {
  const value = { bb: 1, a: 2, c: 1.5 };
  const expected = { deterministic: 'a3 616102 6163f93e00 62626201', lax: 'a3 62626201 616102 6163f93e00', canonical: 'a3 616102 6163f93e00 62626201' };
  for (let round = 0; round < 4; round++) {
    for (const [mode, written] of Object.entries(expected)) is(value, written, { mode });
    is(value, expected.lax);
    fails({ a: NaN }, 'FLOAT_NOT_ALLOWED', { mode: 'dag-cbor' });
  }
});

// --------------------------------------------------------------------------------------------- dates, bytes, kinds

test('enc-date-1500ms: fractions of a second', () => {
  is(new Date(1500), 'c1f93e00');
  is([new Date(1), new Date(-1500), new Date(1700000000123)], '83 c1fb3f50624dd2f1a9fc c1f9be00 c1fb41d954fc4007df3b');
  is(new Date(1001), `c0${text('1970-01-01T00:00:01.001Z')}`, { dates: 'text' });
});

test('enc-date-invalid: an invalid date is an error, with its place', () => {
  for (const dates of ['unix', 'text']) {
    assert.throws(() => encode({ a: [new Date(NaN)] }, { dates }), { code: 'ERR_CBOR_NOT_FINITE', path: '$.a[0]' });
    assert.throws(() => encode(new Date(8.64e15 + 1), { dates }), { code: 'ERR_CBOR_NOT_FINITE' });
  }
  fails(new Date(8.64e15), 'INVALID_DATETIME', { dates: 'text' });
});

test('enc-u8-offset: views with an offset', () => {
  const bytes = Uint8Array.from({ length: 5000 }, (_, i) => i);
  is(bytes.subarray(2, 5), '43020304');
  is(Buffer.from(bytes.buffer, 250, 3), '43fafbfc');
  is(new DataView(bytes.buffer, 3, 2), '420304');
  is(new Uint16Array(bytes.buffer, 2, 1), 'd845420203');
  is(bytes.subarray(100, 4900), head(2, 4800) + hexOf(bytes.subarray(100, 4900)));
  is(new Uint8Array(bytes.buffer, 5000), '40');
});

test('enc-typed-kinds: typed arrays of every kind', () => {
  const kinds = [Uint8ClampedArray, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array];
  for (const Kind of kinds) {
    const values = Kind.name.startsWith('Big') ? [1n, 0n, 100n] : [1, 0, 100];
    const array = Kind.from(values);
    const back = cbor2.decode(encode({ array, rest: array.subarray(1) }));
    assert.equal(back.array.constructor, Kind);
    assert.deepEqual([...back.array], values, Kind.name);
    assert.deepEqual([...back.rest], values.slice(1), Kind.name);
    assert.deepEqual(decode(encode(array, { typedArrays: 'array' })).map(Number), values.map(Number), Kind.name);
  }
});

test('enc-arraybuffer-dataview: buffers are bytes, never an empty map', () => {
  is(Uint8Array.of(1, 2, 3).buffer, '43010203');
  is(new DataView(Uint8Array.of(1, 2, 3).buffer), '43010203');
  is({ a: new ArrayBuffer(0), b: new DataView(new ArrayBuffer(2)) }, 'a2 616140 6162420000');
  is(new SharedArrayBuffer(2), '420000');
});

test('enc-detached: a detached buffer is an error', () => {
  const kinds = [(buffer) => new Uint8Array(buffer), (buffer) => new Float64Array(buffer), (buffer) => new DataView(buffer), (buffer) => buffer, Buffer.from];
  for (const kind of kinds) {
    const buffer = new ArrayBuffer(8);
    const value = kind(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    assert.throws(() => encode([value]), TypeError);
    is([1], '8101');
  }
});

const ODD = {
  'enc-odd-url': [[new URL('http://a.b/c'), `d820${text('http://a.b/c')}`]],
  'enc-odd-set': [[new Set([1, 'a']), 'd90102 82016161'], [new Set(), 'd9010280'], [new (class extends Set {})([1]), 'd901028101']],
  'enc-odd-error': [[new RangeError('no'), `d81b82${text('RangeError')}626e6f`], [new AggregateError([], 'x'), `d81b82${text('AggregateError')}6178`]],
  'enc-odd-proxy-object': [[new Proxy({ a: 1 }, {}), 'a1616101'], [new Proxy([1], {}), '8101'], [new Proxy(class {}.prototype, {}), 'a0']],
  'enc-odd-arguments': [[(function () { return arguments; })(1, 'a'), '82016161'], [(function () { return arguments; })(), '80']],
};
for (const [id, rows] of Object.entries(ODD)) {
  test(`${id}: what it holds is kept`, () => {
    for (const [value, expected] of rows) {
      is(value, expected);
      is({ a: [value] }, `a1616181${expected}`);
    }
  });
}

const NO_FORM = {
  'enc-odd-weakmap': [new WeakMap(), new WeakSet()],
  'enc-odd-function': [() => 1, class {}, Symbol('s'), Object(Symbol('s')), async () => 1, function* () {}],
  'enc-odd-weakref': [new WeakRef({}), new FinalizationRegistry(() => {}), Promise.resolve(1), (function* () {})(), new Map().entries(),
    new AbortController().signal, new Headers(), new TextEncoder(), new Proxy(new Map(), {}), new Proxy(new Uint8Array(2), {})],
};
for (const [id, values] of Object.entries(NO_FORM)) {
  test(`${id}: what CBOR has no form for is an error with its place`, () => {
    for (const value of values) {
      assert.throws(() => encode({ a: [1, value] }), { name: 'CborError', code: 'ERR_CBOR_UNSUPPORTED_VALUE', path: '$.a[1]' });
      is([1, 'a'], '82016161');
    }
  });
}

test('enc-simple-reserved: simple values that do not exist', () => {
  for (const value of [24, 31, 256, -1, 25, 1.5, NaN, Infinity]) {
    assert.throws(() => new Simple(value), { name: 'RangeError', code: 'ERR_CBOR_SIMPLE_NOT_ALLOWED' });
    const changed = Object.assign(new Simple(0), { value });
    assert.throws(() => encode([changed]), { code: 'ERR_CBOR_SIMPLE_NOT_ALLOWED' });
  }
  is([new Simple(0), new Simple(23), new Simple(32), new Simple(255)], '84 e0 f7 f820 f8ff');
  for (const mode of MODES) fails(new EncodedCbor(Uint8Array.of(0xfc)), 'INVALID_ENCODED_VALUE', { mode });
  for (const mode of MODES.slice(1)) fails(new EncodedCbor(Uint8Array.of(0xf8, 0x18)), 'INVALID_ENCODED_VALUE', { mode });
});

// ------------------------------------------------------------------------------------------------------- user code

test('nested-getter: a getter that encodes', () => {
  const inner = { deep: ['é'.repeat(30), 1.5, { a: 'text of some length' }] };
  for (const options of [undefined, { mode: 'deterministic' }, { mode: 'dcbor' }]) {
    const value = { before: 'é'.repeat(20), get own() { return encode(inner, options); }, after: [1, 2.5] };
    assert.equal(hex(value), hex({ before: 'é'.repeat(20), own: encode(inner, options), after: [1, 2.5] }));
    assert.equal(hex([value, value]), hex(Array(2).fill({ before: 'é'.repeat(20), own: encode(inner, options), after: [1, 2.5] })));
  }
  const proxy = new Proxy([0, 1, 2], { get: (target, key) => (key === '1' ? encode([key]) : target[key]) });
  is(proxy, '83 00 43816131 02');
});

test('nested-decode-in-getter: a getter that decodes', { skip: wcbor.decode === undefined }, () => {
  const bytes = encode({ a: ['é', 1.5] });
  const value = { before: 'é', get own() { return wcbor.decode(bytes); }, after: 'x'.repeat(40) };
  assert.equal(hex(value), hex({ before: 'é', own: { a: ['é', 1.5] }, after: 'x'.repeat(40) }));
});

test('nested-toCBOR: toCBOR that encodes', () => {
  const value = { toCBOR: () => [encode({ x: 'é'.repeat(9) }), new EncodedCbor(encode([1, 'é']))] };
  is(['s', value, 't'], `83 6173 82 ${head(2, 22)}${hex({ x: 'é'.repeat(9) })} 8201 62c3a9 6174`);
  const sequence = { toCBOR: () => encodeSequence(['é', 1]) };
  is([sequence, 2], '82 44 62c3a901 02');
  const encoder = new Encoder({ mode: 'deterministic' });
  is({ a: { toCBOR: () => encoder.encode({ b: 1, a: 2 }) } }, 'a16161 47 a2616102616201');
});

test('getter-throws: the same error comes out, and the next call is clean', () => {
  const own = new Error('own');
  const thrower = { a: 'é'.repeat(50), get b() { throw own; } };
  const throwers = [thrower, [1, 2, thrower], new Map([['k', thrower]]), { toCBOR() { throw own; } },
    new Proxy({}, { ownKeys() { throw own; } }), new Proxy([1, 2, 3], { get(target, key) { if (key === '1') throw own; return target[key]; } })];
  for (const value of throwers) {
    for (const mode of MODES) {
      assert.throws(() => encode([['é'], value], { mode }), (error) => error === own);
      is(['é'], '8162c3a9', { mode });
    }
  }
  for (const odd of [undefined, null, 0, 'text']) {
    let caught = 'nothing';
    try {
      encode({ get a() { throw odd; } });
    } catch (error) {
      caught = error;
    }
    assert.equal(caught, odd);
  }
});

test('unsupported-then-clean: the next call is clean', () => {
  for (const value of [Promise.resolve(), () => 1, Symbol('s'), new WeakMap()]) {
    for (const place of [{ a: 'é'.repeat(40), b: value }, [1.5, 2.5, value], new Map([[value, 1]]), new Set([value]), new Tagged(9, [value])]) {
      fails(place, 'UNSUPPORTED_VALUE');
      is({ a: [1.5, 'é'] }, 'a16161 82 f93e00 62c3a9');
    }
  }
});

const CYCLES = {
  'cyclic-array': () => { const a = [1]; a.push(a); return a; },
  'cyclic-indirect': () => { const a = { b: { c: [] } }; a.b.c.push(new Map([['a', a]])); return a; },
  'of Maps and Sets': () => { const map = new Map(); map.set('set', new Set([map])); return map; },
  'of keys': () => { const map = new Map(); map.set(map, 1); return map; },
  'of toCBOR': () => { const one = { toCBOR: () => [one] }; return one; },
  'of toCBOR alone': () => { const one = { toCBOR: () => ({ toCBOR: () => one }) }; return one; },
  'of tags': () => { const one = new Tagged(1, 1); one.value = one; return one; },
  'of proxies': () => new Proxy([], { get: (target, key, self) => (key === 'length' ? 1 : key === '0' ? self : target[key]) }),
};
for (const [id, make] of Object.entries(CYCLES)) {
  test(`${id}: a cycle is an error of depth`, () => {
    for (const options of [undefined, { mode: 'deterministic' }, { maxDepth: 10 }, { ignoreUndefined: true }]) {
      assert.throws(() => encode(make(), options), { name: 'CborError', code: 'ERR_CBOR_DEPTH_EXCEEDED' });
      is([[]], '8180', options);
    }
  });
}

test('mutate-object-shrinks: an object that a getter changes', () => {
  const changes = {
    removes: (object) => { delete object.c; object.d = 4; },
    adds: (object) => { object.x = 1; object.y = 2; },
    replaces: (object) => { object.c = { new: [1] }; },
  };
  for (const change of Object.values(changes)) {
    for (const mode of ['lax', 'strict', 'deterministic']) {
      const make = () => ({ get a() { change(this); return 1; }, b: 2, c: 3 });
      for (let round = 0; round < 4; round++) {
        const object = decode(encode([make(), 'after'], { mode }));
        assert.equal(object.length, 2);
        assert.deepEqual(Object.keys(object[0]), ['a', 'b', 'c']);
        assert.equal(object[1], 'after');
      }
    }
  }
  const array = [1, { get a() { array.length = 2; return 0; } }, 3, 4];
  assert.deepEqual(decode(encode(array)), [1, { a: 0 }, undefined, undefined]);
  const growing = [1, { get a() { growing.push(5); return 0; } }, 3];
  assert.deepEqual(decode(encode(growing)), [1, { a: 0 }, 3]);
});

test('mutate-bytes-during-encode: bytes that a later getter changes', () => {
  for (const nbytes of [4, 100, 3000, 100000]) {
    const bytes = new Uint8Array(nbytes).fill(7);
    const transferring = [bytes, { get a() { structuredClone(null, { transfer: [bytes.buffer] }); return 1; } }];
    is(transferring, `82 ${head(2, nbytes)}${'07'.repeat(nbytes)} a1616101`);
    const other = new Uint8Array(nbytes).fill(7);
    is([other, { get a() { other.fill(9); return 1; } }], `82 ${head(2, nbytes)}${'07'.repeat(nbytes)} a1616101`);
    const detachedBefore = [{ get a() { structuredClone(null, { transfer: [other.buffer] }); return 1; } }, other];
    assert.throws(() => encode(detachedBefore), TypeError);
  }
});

// --------------------------------------------------------------------------------------------------------- results

test('results-kept-10000: no later call changes a result', () => {
  const encoder = new Encoder({ mode: 'deterministic' });
  const ways = [(value) => encode(value), (value) => encoder.encode(value), (value) => encodeSequence([value])];
  const kept = Array.from({ length: 10000 }, (_, i) => {
    const value = { i, text: 'x'.repeat(i % 90), list: [i, -i] };
    return [value, ways[i % 3](value)];
  });
  encode('y'.repeat(100000));
  for (const [value, bytes] of kept) assert.deepEqual(decode(bytes), value);
});

test('results-transfer: a result may be given away', () => {
  for (const value of [1, 'x'.repeat(60), 'x'.repeat(70), Array(5000).fill('é')]) {
    const expected = hex(value);
    const result = encode(value);
    structuredClone(result, { transfer: [result.buffer] });
    assert.equal(result.length, 0);
    assert.equal(hex(value), expected);
  }
});

test('depth-100000-array: deep nesting is an error of depth', () => {
  const kinds = [(inner) => [inner], (inner) => ({ a: inner }), (inner) => new Map([[1, inner]]), (inner) => new Set([inner]), (inner) => new Tagged(1, inner),
    (inner) => ({ toCBOR: () => inner })];
  for (const kind of kinds) {
    let value = 1;
    for (let i = 0; i < 100000; i++) value = kind(value);
    fails(value, 'DEPTH_EXCEEDED');
    is([1], '8101');
  }
});

test('depth-100: moderate nesting', () => {
  for (const depth of [100, 1, 500, 1000]) {
    let arrays = [], maps = {};
    for (let i = 1; i < depth; i++) [arrays, maps] = [[arrays], { a: maps }];
    is(arrays, '81'.repeat(depth - 1) + '80');
    is(maps, 'a16161'.repeat(depth - 1) + 'a0');
    is(maps, 'a16161'.repeat(depth - 1) + 'a0', { mode: 'deterministic' });
  }
});

test('object-prototype-clean: built-ins are left alone', () => {
  const builtIns = [Object, Array, Map, Set, Date, String, Number, Uint8Array, Promise, Error, RegExp, Function, BigInt, TextEncoder, URL];
  const names = () => builtIns.map((one) => [Reflect.ownKeys(one), Reflect.ownKeys(one.prototype)]);
  const before = names();
  encode([{ a: 1 }, new Map([[1, 2]]), new Set([1]), new Date(0), /a/, 2n ** 70n, new Float32Array(2), 'é'.repeat(50)]);
  assert.throws(() => encode(() => 1));
  assert.deepEqual(names(), before);
  assert.equal(Object.keys({}).length, 0);
});

test('bad-arguments: what is no array of bytes is a TypeError', { skip: wcbor.decode === undefined }, () => {
  for (const value of [null, '00', undefined, [0], {}, 1, () => 1]) assert.throws(() => wcbor.decode(value), TypeError);
});

test('bad-arguments: nor is it taken where bytes are asked for', () => {
  for (const value of [null, '00', undefined, [0], {}, 1]) {
    assert.throws(() => new EncodedCbor(value), TypeError);
    assert.throws(() => new Encoder().encodeInto(1, value), TypeError);
  }
});
