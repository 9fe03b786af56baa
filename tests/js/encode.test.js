// encode(value): what every kind of value becomes, and what is refused. The bytes are from RFC 8949 (Appendix A and the
// text of section 3), and a decoder that is not ours reads them again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cborg from 'cborg';
import { CborError, EncodedCbor, encode, Encoder, encodeSequence, Simple, Tagged } from 'wcbor';
import { hexOf } from './calls.js';

const is = (value, hex, options) => assert.equal(hexOf(encode(value, options)), hex.replaceAll(' ', ''));

/** What cborg makes of it; bignums too. */
function decode(bytes, options) {
  const magnitude = (content) => BigInt(`0x0${hexOf(content())}`);
  const tags = { 2: magnitude, 3: (content) => -1n - magnitude(content) };
  return cborg.decode(bytes, { tags, ...options });
}

/** The head of an item, worked out here. */
function head(major, argument) {
  const n = BigInt(argument);
  const hex = (digits) => n.toString(16).padStart(digits, '0');
  const initial = (information) => (major * 32 + information).toString(16).padStart(2, '0');
  if (n < 24n) return initial(Number(n));
  const [information, digits] = n < 2n ** 8n ? [24, 2] : n < 2n ** 16n ? [25, 4] : n < 2n ** 32n ? [26, 8] : [27, 16];
  return initial(information) + hex(digits);
}

test('simple values', () => {
  for (const [value, hex] of [[false, 'f4'], [true, 'f5'], [null, 'f6'], [undefined, 'f7']]) is(value, hex);
  is([undefined, null, true, false], '84f7f6f5f4');
});

test('the examples of RFC 8949, Appendix A', () => {
  const rows = [
    [0, '00'], [1, '01'], [10, '0a'], [23, '17'], [24, '1818'], [25, '1819'], [100, '1864'], [1000, '1903e8'],
    [1000000, '1a000f4240'], [1000000000000, '1b000000e8d4a51000'], [18446744073709551615n, '1bffffffffffffffff'],
    [18446744073709551616n, 'c249010000000000000000'], [-18446744073709551616n, '3bffffffffffffffff'],
    [-18446744073709551617n, 'c349010000000000000000'], [-1, '20'], [-10, '29'], [-100, '3863'], [-1000, '3903e7'],
    [-0, 'f98000'], [1.1, 'fb3ff199999999999a'], [1.5, 'f93e00'], [3.4028234663852886e+38, 'fa7f7fffff'],
    [1.0e+300, 'fb7e37e43c8800759c'], [5.960464477539063e-8, 'f90001'], [0.00006103515625, 'f90400'],
    [-4.1, 'fbc010666666666666'], [Infinity, 'f97c00'], [NaN, 'f97e00'], [-Infinity, 'f9fc00'],
    [new Uint8Array(0), '40'], [Uint8Array.of(1, 2, 3, 4), '4401020304'], ['', '60'], ['a', '6161'],
    ['IETF', '6449455446'], ['"\\', '62225c'], ['\u00fc', '62c3bc'], ['\u6c34', '63e6b0b4'],
    ['\ud800\udd51', '64f0908591'], [[], '80'], [[1, 2, 3], '83010203'], [[1, [2, 3], [4, 5]], '8301820203820405'],
    [Array.from({ length: 25 }, (_, i) => i + 1), '98190102030405060708090a0b0c0d0e0f101112131415161718181819'],
    [{}, 'a0'], [new Map([[1, 2], [3, 4]]), 'a201020304'], [{ a: 1, b: [2, 3] }, 'a26161016162820203'],
    [['a', { b: 'c' }], '826161a161626163'], [{ a: 'A', b: 'B', c: 'C', d: 'D', e: 'E' },
      'a56161614161626142616361436164614461656145'],
    [new Tagged(0, '2013-03-21T20:04:00Z'), 'c074323031332d30332d32315432303a30343a30305a'],
    [new Tagged(1, 1363896240.5), 'c1fb41d452d9ec200000'], [new Tagged(23, Uint8Array.of(1, 2, 3, 4)), 'd74401020304'],
    [new Simple(16), 'f0'], [new Simple(255), 'f8ff'],
  ];
  for (const [value, hex] of rows) is(value, hex);
});

// -------------------------------------------------------------------------------------------------------- numbers

test('integers at every length of their head', () => {
  const edges = [0n, 23n, 24n, 255n, 256n, 65535n, 65536n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n];
  for (const edge of edges) {
    for (let n = edge - 2n; n <= edge + 2n; n++) {
      if (n < 0n || n >= 2n ** 64n) continue;
      for (const [value, hex] of [[n, head(0, n)], [-1n - n, head(1, n)]]) {
        is(value, hex);
        is(value, hex, { mode: 'deterministic' });
        if (Number.isSafeInteger(Number(value))) is(Number(value), hex);
        assert.equal(BigInt(decode(encode(value))), value);
      }
    }
  }
});

test('numbers that are whole but not safe are floats', () => {
  is(2 ** 53 - 1, '1b001fffffffffffff');
  is(2 ** 53, 'fa5a000000');
  is(-(2 ** 53) + 1, '3b001ffffffffffffe');
  is(-(2 ** 53), 'fada000000');
  is(2 ** 53 + 2, 'fb4340000000000001');
  is(2 ** 64, 'fa5f800000');
  is(-(2 ** 53) - 2, 'fbc340000000000001');
  is(-(2n ** 53n) - 1n, '3b0020000000000000');
  is(-(2n ** 53n), '3b001fffffffffffff');
});

test('every half is written as one, and its neighbours are not', () => {
  const view = new DataView(new ArrayBuffer(8));
  for (let bits = 0; bits < 0x7c00; bits++) {
    const exponent = bits >> 10, fraction = bits & 0x3ff;
    const value = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
    const hex = bits.toString(16).padStart(4, '0');
    if (!Number.isInteger(value)) is(value, `f9${hex}`);
    const negative = (bits | 0x8000).toString(16);
    if (!Number.isInteger(value) || value === 0) is(-value, `f9${negative}`);
    if (bits % 7 !== 0) continue;
    view.setFloat64(0, value);
    view.setBigUint64(0, view.getBigUint64(0) + 1n);
    is(view.getFloat64(0), `fb${view.getBigUint64(0).toString(16).padStart(16, '0')}`);
  }
  is(1023 * 2 ** -24, 'f903ff');
  is(2 ** -15, 'f90200');
  is(2 ** -25, 'fa33000000');
  is(3 * 2 ** -25, 'fa33c00000');
  is(65504.5, 'fa477fe080');
  is(Number.MIN_VALUE, 'fb0000000000000001');
  is(2 ** -149, 'fa00000001');
  is(2 ** -150, 'fb3690000000000000');
});

test('bigints beyond 64 bits', () => {
  for (const bits of [64n, 65n, 71n, 72n, 127n, 128n, 1000n, 8n * 300n]) {
    for (const n of [2n ** bits, 2n ** bits + 1n, 2n ** (bits + 1n) - 1n]) {
      const bytes = n.toString(16).length % 2 ? `0${n.toString(16)}` : n.toString(16);
      is(n, `c2${head(2, bytes.length / 2)}${bytes}`);
      is(-1n - n, `c3${head(2, bytes.length / 2)}${bytes}`);
      assert.equal(decode(encode(-1n - n)), -1n - n);
    }
  }
});

test('wide floats, when asked for', () => {
  is([1.5, -0, NaN, 1], '84 fb3ff8000000000000 fb8000000000000000 fb7ff8000000000000 01', { floats: 'double' });
  is(1.5, 'f93e00', { floats: 'double', mode: 'deterministic' });
});

// ---------------------------------------------------------------------------------------------------------- bytes

test('byte strings of every source', () => {
  const whole = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7);
  is(whole.subarray(2, 5), '43020304');
  is(new DataView(whole.buffer, 1, 2), '420102');
  is(whole.buffer, '480001020304050607');
  is(Buffer.from('abc'), '43616263');
  const shared = new SharedArrayBuffer(2);
  new Uint8Array(shared).set([7, 8]);
  is(shared, '420708');
  is(new Uint8Array(shared, 1), '4108');
  class Own extends Uint8Array {}
  is(Own.of(9), '4109');
});

test('byte strings at every length of their head and around the buffers', () => {
  for (const edge of [0, 24, 256, 2048, 16384, 49152, 65536, 1 << 20]) {
    for (let nbytes = Math.max(0, edge - 3); nbytes <= edge + 3; nbytes++) {
      const bytes = Uint8Array.from({ length: nbytes }, (_, i) => i * 7);
      is(bytes, head(2, nbytes) + hexOf(bytes));
    }
  }
});

test('a detached buffer is an error, an empty one is not', () => {
  for (const nbytes of [0, 4]) {
    const bytes = new Uint8Array(nbytes);
    is([bytes.subarray(0, 0), new Uint8Array(bytes.buffer, nbytes)], '82 40 40');
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    assert.throws(() => encode(bytes), { code: 'ERR_CBOR_ARGUMENT_TYPE' });
    assert.throws(() => encode([bytes]), { code: 'ERR_CBOR_ARGUMENT_TYPE' });
  }
  is([1], '8101');
});

test('typed arrays carry their tag of RFC 8746', () => {
  const rows = [
    [Uint16Array.of(1, 0x203), 'd845 4401000302'], [Uint32Array.of(1), 'd846 4401000000'],
    [BigUint64Array.of(1n), 'd847 480100000000000000'], [Int8Array.of(-1), 'd848 41ff'],
    [Int16Array.of(-2), 'd84d 42feff'], [Int32Array.of(1), 'd84e 4401000000'], [BigInt64Array.of(-1n), 'd84f 48ffffffffffffffff'],
    [Uint8ClampedArray.of(1, 255), 'd844 4201ff'], [Float32Array.of(1.5), 'd855 440000c03f'],
    [Float64Array.of(1.5), 'd856 48000000000000f83f'],
  ];
  for (const [value, hex] of rows) is(value, hex);
  for (const [value] of rows) {
    is(value, hexOf(encode(Array.from(value))), { typedArrays: 'array' });
  }
  is(new Int16Array(Int16Array.of(1, 2, 3).buffer, 2, 1), 'd84d 420200');
});

// ----------------------------------------------------------------------------------------------- arrays and maps

test('arrays and maps at every length of their head', () => {
  for (const length of [0, 1, 22, 23, 24, 25, 254, 255, 256, 257, 65534, 65535, 65536, 65537]) {
    is(Array(length).fill(1), head(4, length) + '01'.repeat(length));
    const keys = Array.from({ length }, (_, i) => i);
    const pairs = keys.map((i) => `${head(0, i)}f5`).join('');
    is(new Map(keys.map((i) => [i, true])), head(5, length) + pairs);
    is(new Map(keys.map((i) => [i, true]).reverse()), head(5, length) + pairs, { mode: 'deterministic' });
    const names = keys.map((i) => `k${i}`);
    const texts = names.map((name) => `${head(3, name.length)}${hexOf(Buffer.from(name))}f6`).join('');
    is(Object.fromEntries(names.map((name) => [name, null])), head(5, length) + texts);
    is(Object.fromEntries(names.map((name) => [name, null])), head(5, length) + texts, { mode: 'strict' });
  }
});

test('holes are undefined', () => {
  is([1, , 3], '8301f703');
  is(new Array(2), '82f7f7');
});

test('an object is its own enumerable string keys', () => {
  const object = Object.create({ inherited: 1 }, { hidden: { value: 2 }, a: { value: 1, enumerable: true } });
  object[Symbol('s')] = 3;
  is(object, 'a1616101');
  is(Object.assign(Object.create(null), { a: 1 }), 'a1616101');
  is(JSON.parse('{"__proto__":{"x":1}}'), 'a1695f5f70726f746f5f5fa1617801');
  is({ 10: 'b', 1: 'a' }, 'a2 61316161 623130 6162');
  is(new (class Point { constructor() { this.x = 1; } })(), 'a1617801');
  is(new Proxy({ a: 1 }, {}), 'a1616101');
  (function of() { is(arguments, '820102'); })(1, 2);
});

test('a Map has keys of any kind', () => {
  const map = new Map([[null, 1], [true, 2], [1.5, 3], [[1], 4], [new Map([[1, 2]]), 5], [Uint8Array.of(1), 6], [-1n, 7], ['', 8]]);
  is(map, 'a8 f601 f502 f93e0003 810104 a1010205 410106 2007 6008');
  is(new (class Own extends Map {})([[1, 2]]), 'a10102');
});

test('keys of the length of every head, nested', () => {
  for (const length of [0, 1, 7, 8, 9, 22, 23, 24, 25, 31, 32, 63, 64, 65, 255, 256, 1000, 16400, 49200, 65536]) {
    for (const letter of ['k', 'é', '漢', '😀']) {
      const key = letter.repeat(length);
      const nbytes = Buffer.byteLength(key);
      const keyHex = head(3, nbytes) + hexOf(Buffer.from(key));
      for (const mode of ['lax', 'strict', 'deterministic', 'dag-cbor']) {
        is({ [key]: [{ [key]: 1 }] }, `a1${keyHex}81a1${keyHex}01`, { mode });
      }
    }
  }
});

test('a document of everything, read by another decoder', () => {
  const value = {
    text: ['', 'a', 'é', '漢字', '😀'.repeat(40)], numbers: [0, -1, 1.5, 1e100, 2 ** 53, -(2 ** 40)], nothing: null,
    flags: [true, false], bytes: Uint8Array.of(1, 2, 3), nested: { a: { b: { c: [[[]], {}] } } },
  };
  for (const mode of ['lax', 'strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor']) {
    assert.deepEqual(decode(encode(value, { mode })), value, mode);
  }
  const bytes = encode(new Map([[1, { a: 2 }], ['x', undefined]]));
  assert.deepEqual(decode(bytes, { useMaps: true }), new Map([[1, new Map([['a', 2]])], ['x', undefined]]));
});

// ------------------------------------------------------------------------------------------------- other objects

test('dates, sets and others with a tag', () => {
  is(new Date(1363896240000), 'c11a514b67b0');
  is(new Date(1500), 'c1f93e00');
  is(new Date(-1), 'c1fbbf50624dd2f1a9fc');
  is(new Date(0), 'c074313937302d30312d30315430303a30303a30305a', { dates: 'text' });
  is(new Date(1500), 'c076 313937302d30312d30315430303a30303a30312e355a', { dates: 'text' });
  assert.throws(() => encode({ at: [new Date(NaN)] }), { code: 'ERR_CBOR_NOT_FINITE', path: '$.at[0]' });
  is(new Set([1, 'a']), 'd90102 82016161');
  is(/a+/, 'd823 62612b');
  is(/a/gi, 'd9524a 82 6161 626769');
  is(new URL('http://a.b/'), 'd820 6b687474703a2f2f612e622f');
  is(new TypeError('no'), 'd81b 82 69547970654572726f72 626e6f');
  for (const [value, hex] of [[Object(1), '01'], [Object('a'), '6161'], [Object(true), 'f5'], [Object(2n), '02']]) is(value, hex);
  is(new Tagged(2n ** 64n - 1n, [null]), 'dbffffffffffffffff81f6');
  is([new EncodedCbor(Uint8Array.of(0x81, 0x01)), 2], '82810102');
  is([new Simple(0), new Simple(32)], '82e0f820');
});

test('what stands for itself in another form', () => {
  is({ toCBOR: () => [1] }, '8101');
  is({ a: { toJSON: () => 5, b: 1 } }, 'a1616105', { toJSON: true });
  class Point { constructor(x) { this.x = x; } }
  is([new Point(7)], '81d9138807', { encoders: [[Point, ({ x }) => new Tagged(5000, x)]] });
  is({ alg: -7, kid: 'a' }, 'a2 0126 0461 61', { keyMap: { alg: 1, kid: 4 } });
  is({ a: undefined, b: 1 }, 'a1616201', { ignoreUndefined: true });
  is({ a: () => 1, b: [Symbol('s'), 1] }, 'a1616282f701', { unsupported: 'skip' });
  const cyclic = { name: 'a' };
  cyclic.self = cyclic;
  is(cyclic, 'd81c a2 646e616d656161 6473656c66 d81d00', { sharedReferences: true });
});

test('an Encoder, and sequences', () => {
  const encoder = new Encoder({ mode: 'deterministic' });
  assert.equal(hexOf(encoder.encode({ bb: 1, a: 2 })), 'a261610262626201');
  const target = new Uint8Array(4);
  assert.equal(encoder.encodeInto([1, 2], target), 3);
  assert.equal(hexOf(target), '82010200');
  assert.throws(() => encoder.encodeInto([1, 2, 3, 4], target), { code: 'ERR_CBOR_DEST_TOO_SMALL' });
  assert.equal(hexOf(target), '82010200');
  assert.equal(hexOf(encodeSequence([1, 'a', []])), '01616180');
  assert.equal(hexOf(encodeSequence([])), '');
  assert.throws(() => encodeSequence([1], { mode: 'dag-cbor' }), { code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
});

// --------------------------------------------------------------------------------------------------------- errors

test('what has no form in CBOR is an error with a place', () => {
  const values = [() => 1, Symbol('s'), Promise.resolve(1), new WeakMap(), new WeakSet(), new WeakRef({}), (function* () {})()];
  for (const value of values) {
    assert.throws(() => encode(value), { code: 'ERR_CBOR_UNSUPPORTED_VALUE', path: '$' });
    assert.throws(() => encode({ items: [1, { 'a b': value }] }), (error) => {
      assert.ok(error instanceof CborError);
      assert.equal(error.code, 'ERR_CBOR_UNSUPPORTED_VALUE');
      assert.equal(error.path, '$.items[1]["a b"]');
      assert.equal(error.callIndex, undefined);
      return true;
    });
    assert.throws(() => encode(new Map([[1, value]])), { path: '$[1]' });
    for (const numbers of [1, 2, 3, 10, 3000]) {
      assert.throws(() => encode([...Array(numbers).fill(5), value]), { path: `$[${numbers}]` });
      assert.throws(() => encode(['a', ...Array(numbers).fill(1.5), { a: [value] }, 1]), { path: `$[${numbers + 1}].a[0]` });
    }
    is({ a: [1] }, 'a161618101');
  }
});

test('nesting ends at maxDepth, cycles too', () => {
  const nested = (depth) => {
    let value = [];
    for (let i = 1; i < depth; i++) value = i % 2 ? { a: value } : [value];
    return value;
  };
  for (const depth of [1, 2, 15, 16, 17, 33, 100]) {
    encode(nested(depth), { maxDepth: depth });
    assert.throws(() => encode(nested(depth + 1), { maxDepth: depth }), { code: 'ERR_CBOR_DEPTH_EXCEEDED' });
  }
  assert.deepEqual(decode(encode(nested(1000))), nested(1000));
  assert.throws(() => encode(nested(1001)), { code: 'ERR_CBOR_DEPTH_EXCEEDED' });
  const cyclic = [];
  cyclic.push({ again: cyclic });
  assert.throws(() => encode(cyclic), { code: 'ERR_CBOR_DEPTH_EXCEEDED' });
  is([], '80');
});

test('options are checked', () => {
  for (const options of [null, 1, 'lax', { mode: 1 }, { maxDepth: '1' }, { mdoe: 'lax' }, { dates: 5 }, { toJSON: 1 }]) {
    assert.throws(() => encode(1, options), TypeError, JSON.stringify(options));
  }
  for (const options of [{ mode: 'Strict' }, { mode: 'toString' }, { maxDepth: -1 }, { maxDepth: 1.5 }, { floats: 'half' }]) {
    assert.throws(() => encode(1, options), RangeError, JSON.stringify(options));
  }
  is(1, '01', undefined);
  is(1, '01', {});
  is(1, '01', { mode: undefined });
});
