// decode: what each item becomes, what the options change, how errors look. Case after case of what other decoders got
// wrong is here too.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import {
  CborError, Decoder, EncodedCbor, Simple, Tagged, decode, decodeFirst, decodeSequence, encode, encodeSequence,
} from 'wcbor';
import { bytesOf } from './calls.js';

const from = (hex, options) => decode(bytesOf(hex.replaceAll(' ', '')), options);
const fails = (hex, code, options) => assert.throws(() => from(hex, options), (error) => {
  assert.ok(error instanceof CborError, String(error));
  assert.equal(error.code, `ERR_CBOR_${code}`, hex);
  return true;
});
const errorOf = (hex, options) => {
  try {
    from(hex, options);
  } catch (error) {
    return error;
  }
  throw new Error(`${hex} is taken`);
};

// --------------------------------------------------------------------------------------------------------- values

test('integers are numbers while they are safe, and exact bigints beyond', () => {
  assert.equal(from('1b001fffffffffffff'), Number.MAX_SAFE_INTEGER);
  assert.equal(from('3b001ffffffffffffe'), Number.MIN_SAFE_INTEGER);
  assert.equal(from('1b0020000000000000'), 2n ** 53n);
  assert.equal(from('1b0020000000000001'), 2n ** 53n + 1n);
  assert.equal(from('3b001fffffffffffff'), -(2n ** 53n));
  assert.equal(from('1bffffffffffffffff'), 2n ** 64n - 1n);
  assert.equal(from('3bffffffffffffffff'), -(2n ** 64n));
  for (const value of [23, 24, 255, 256, 65535, 65536, 2 ** 26 - 1, 2 ** 26, 2 ** 27, 2 ** 31 - 1, 2 ** 31, 2 ** 32]) {
    assert.equal(decode(encode(value)), value);
    assert.equal(decode(encode(-value)), -value);
    assert.equal(decode(encode(-value - 1)), -value - 1);
    assert.deepEqual(decode(encode(['', value, -value])), ['', value, -value]);
  }
});

test('option integers', () => {
  assert.equal(from('1b0020000000000001', { integers: 'number' }), 2 ** 53);
  assert.equal(from('c249010000000000000000', { integers: 'number' }), 2 ** 64);
  fails('1b0020000000000001', 'OVERFLOW', { integers: 'error' });
  fails('c249010000000000000000', 'OVERFLOW', { integers: 'error' });
  assert.equal(from('1b001fffffffffffff', { integers: 'error' }), Number.MAX_SAFE_INTEGER);
});

test('bignums, whatever their zeros and chunks', () => {
  assert.deepEqual(['c240', 'c340', 'c24100', 'c2420001', 'c25f4101ff'].map((hex) => from(hex)), [0, -1, 0, 1, 1]);
  assert.equal(from('c249010000000000000000'), 2n ** 64n);
  assert.equal(from('c349010000000000000000'), -(2n ** 64n) - 1n);
  fails('c26161', 'INVALID_BIGNUM');
  fails('c201', 'INVALID_BIGNUM');
});

test('floats of all widths', () => {
  assert.equal(from('f94a60'), 12.75);
  assert.equal(from('f94580'), 5.5);
  assert.equal(from('f903ff'), 6.097555160522461e-5);
  assert.equal(from('f97bff'), 65504);
  assert.ok(Object.is(from('f98000'), -0));
  assert.equal(from('fa47c35000'), 100000);
  assert.ok(Number.isNaN(from('f97e00')) && Number.isNaN(from('fa7fc00001')) && Number.isNaN(from('fb7ff8000000000001')));
  assert.deepEqual(from('84f97c00f9fc0001fb3ff199999999999a'), [Infinity, -Infinity, 1, 1.1]);
});

test('arrays of numbers, whatever follows what', () => {
  const kinds = [1, -1, 1.5, 2 ** 40, 2 ** 31, -(2 ** 31), -0, 2n ** 60n, 'x', null, [1]];
  for (let length = 1; length <= 4; length++) {
    for (let number = 0; number < kinds.length ** length; number++) {
      const value = Array.from({ length }, (_, i) => kinds[Math.floor(number / kinds.length ** i) % kinds.length]);
      assert.deepEqual(decode(encode(value)), value);
      const many = [].concat(...Array.from({ length: 5 }, () => value));
      if (number % 7 === 0) assert.deepEqual(decode(encode(many)), many);
    }
  }
});

test('simple values', () => {
  assert.deepEqual(from('84f4f5f6f7'), [false, true, null, undefined]);
  assert.deepEqual(from('f0'), new Simple(16));
  assert.deepEqual(from('f820'), new Simple(32));
  assert.deepEqual(encode(from('f820')), bytesOf('f820'));
  assert.deepEqual(from('f8ff'), new Simple(255));
  fails('f818', 'INVALID_SIMPLE_VALUE');
  assert.equal(from('f818', { mode: 'lax' }).value, 24);
  assert.ok(from('f81f', { mode: 'lax' }) instanceof Simple);
  assert.equal(from('f815', { mode: 'lax' }), true);
});

test('text of every length, in every script, keeps its boundaries', () => {
  const scripts = ['a', 'é', 'я', '日', '\u{1f600}', 'ab\u{1f600}é日'];
  for (const script of scripts) {
    const texts = Array.from({ length: 130 }, (_, length) => script.repeat(length));
    for (const length of [255, 256, 1000, 2047, 2048, 2049, 3000, 30_000, 100_000]) texts.push(script.repeat(length).slice(0, length));
    const well = texts.map((text) => text.toWellFormed?.() ?? text.replace(/[\ud800-\udbff]$/, '\ufffd'));
    for (let again = 0; again < 3; again++) assert.deepEqual(decode(encode(texts)), well);
    assert.deepEqual(decode(encode(Object.fromEntries(well.map((text, i) => [text, i])))), Object.fromEntries(well.map((text, i) => [text, i])));
  }
});

test('a byte order mark is text like any other', () => {
  assert.equal(from('66efbbbf424f4d'), '\ufeffBOM');
  assert.deepEqual(from('a163efbbbf01'), { '\ufeff': 1 });
  const long = '\ufeff'.repeat(3000);
  assert.equal(decode(encode(long)), long);
});

test('strings in chunks are joined', () => {
  assert.deepEqual(from('5f42010243030405ff'), Uint8Array.of(1, 2, 3, 4, 5));
  assert.equal(from('7f657374726561646d696e67ff'), 'streaming');
  assert.deepEqual(from('835fff7fff7f6060ff'), [new Uint8Array(0), '', '']);
  assert.deepEqual(from('a17f6161ff01'), { a: 1 });
});

test('invalid UTF-8 of every kind is refused at any length', () => {
  for (const bad of ['c0af', 'e080af', 'f08080af', 'eda080', 'edbfbf', 'f4908080', 'f8888080', 'c3', 'e282', 'f09f98', '80', 'bf', 'ff', 'fe']) {
    for (const before of [0, 1, 10, 15, 16, 17, 40, 3000]) {
      for (const after of [0, 20]) {
        const text = Buffer.concat([Buffer.alloc(before, 'a'), Buffer.from(bad, 'hex'), Buffer.alloc(after, 'b')]);
        const head = Buffer.from([0x79, text.length >> 8, text.length & 0xff]);
        for (const mode of ['strict', 'lax']) {
          assert.throws(() => decode(Buffer.concat([head, text]), { mode }), { code: 'ERR_CBOR_INVALID_UTF8', offset: 0 });
          assert.throws(() => decode(Buffer.concat([Buffer.from([0x82, 0x01]), head, text]), { mode }), { code: 'ERR_CBOR_INVALID_UTF8', offset: 2 });
        }
        const replaced = decode(Buffer.concat([head, text]), { mode: 'lax', replaceInvalidText: true });
        assert.equal(replaced, new TextDecoder().decode(text));
      }
    }
  }
  fails('7f61c261a3ff', 'INVALID_UTF8');
  assert.equal(from('7f61c261a3ff', { mode: 'lax', replaceInvalidText: true }), '\ufffd\ufffd');
});

// ----------------------------------------------------------------------------------------------------------- maps

test('a map of text keys is an object, any other a Map', () => {
  assert.deepEqual(from('a26161016162820203'), { a: 1, b: [2, 3] });
  assert.deepEqual(from('a20102613103'), new Map([[1, 2], ['1', 3]]));
  assert.deepEqual(from('a1616101', { maps: 'map' }), new Map([['a', 1]]));
  assert.deepEqual(from('bf61610161629f0203ffff'), { a: 1, b: [2, 3] });
  assert.deepEqual(from('bf01ff'.replace('01', '0102')), new Map([[1, 2]]));
  assert.deepEqual(from('a0'), {});
  assert.deepEqual(from('bfff', { maps: 'map' }), new Map());
  assert.deepEqual(from('a18001'), new Map([[[], 1]]));
  assert.equal(Object.getPrototypeOf(from('a1616101')), Object.prototype);
});

test('__proto__ and its like are properties of their own', () => {
  const key = '695f5f70726f746f5f5f';
  for (const hex of [`a1${key}01`, `a17f${key}ff01`, `bf${key}01ff`, `a178095f5f70726f746f5f5f01`]) {
    for (let again = 0; again < 3; again++) {
      const object = from(hex);
      assert.deepEqual(Object.entries(object), [['__proto__', 1]]);
      assert.equal(Object.getPrototypeOf(object), Object.prototype);
    }
  }
  const many = Array.from({ length: 200 }, (_, i) => `a36161${'01'}${key}a16178${'02'}6162${i % 2 === 0 ? '03' : '04'}`).join('');
  for (const options of [{}, { codeGeneration: true }]) {
    for (const object of from(`98c8${many}`, options)) {
      assert.deepEqual(Object.keys(object), ['a', '__proto__', 'b']);
      assert.deepEqual(Object.getOwnPropertyDescriptor(object, '__proto__').value, { x: 2 });
      assert.equal(object.x, undefined);
    }
    const text = from('a16b636f6e7374727563746f72a16970726f746f74797065a1616101', options);
    assert.deepEqual(Object.keys(text), ['constructor']);
    assert.deepEqual(text.constructor.prototype, { a: 1 });
  }
  assert.equal({}.a, undefined);
});

test('duplicate keys', () => {
  fails('a2616101616102', 'DUPLICATE_KEY');
  assert.deepEqual(from('a2616101616102', { mode: 'lax' }), { a: 2 });
  fails('a2410101410102', 'DUPLICATE_KEY');
  fails('bf616101616102ff', 'DUPLICATE_KEY');
  const keys = Array.from({ length: 5000 }, (_, i) => [`key ${i}`, i]);
  const bytes = encode(new Map(keys));
  const again = new Uint8Array([0xb9, 5001 >> 8, 5001 & 0xff, ...bytes.subarray(3), ...encode('key 77'), 0]);
  assert.throws(() => decode(again), { code: 'ERR_CBOR_DUPLICATE_KEY', offset: bytes.length });
  assert.equal(decode(again, { mode: 'lax' })['key 77'], 0);
});

test('keys that are one to JavaScript are duplicates', () => {
  const nan = 'f97e00';
  for (const [hex, key] of [['a2016161f93c006162', 1], ['a200 6161 f98000 6162', 0], [`a2${nan}6161 fa7fc00001 6162`, NaN]]) {
    fails(hex, 'DUPLICATE_KEY');
    assert.deepEqual(from(hex, { mode: 'lax' }), new Map([[key, 'b']]));
  }
  fails('a2616101 7f6161ff 02', 'DUPLICATE_KEY');
  fails('a2616101 780161 02', 'DUPLICATE_KEY');
  assert.deepEqual(from('a2616101 7f6161ff 02', { mode: 'lax' }), { a: 2 });
  // A key alone is what it is, but that a Map has no -0.
  assert.deepEqual(from('a1f9800001'), new Map([[0, 1]]));
});

test('a key that is another one to JavaScript alone has an offset and a path too', () => {
  for (const [hex, offset, path] of [
    ['a2 01 01 f93c00 02', 3, '$[1]'],
    ['a2 f97e00 01 fa7fc00001 02', 5, '$[NaN]'],
    ['bf 01 01 f93c00 02 ff', 3, '$[1]'],
    ['a2 7f6161ff 01 6161 02', 6, '$.a'],
    ['a2 c24101 00 01 02', 5, '$[1]'],
    ['a1 6161 a2 01 01 f93c00 02', 6, '$.a[1]'],
    ['a2 a2 01 01 f93c00 02 00 01 02', 4, '$[object][1]'],
    ['83 a0 9fff a2 8101 01 02 a2 01 01 f93c00 02', 12, '$[2][2][1]'],
    ['a3 5f4161ff 00 01 01 f93c00 02', 8, '$[1]'],
    ['82 a1 6161 8101 a2 01 01 f93c00 02', 9, '$[1][1]'],
  ]) {
    assert.throws(() => from(hex, { mode: 'strict' }), { code: 'ERR_CBOR_DUPLICATE_KEY', offset, path }, hex);
  }
  assert.throws(() => from('a2 01 01 6161 02', { mode: 'strict', keyMap: { a: 1 } }), { code: 'ERR_CBOR_DUPLICATE_KEY', offset: 3, path: '$.a' });
});

test('objects of one shape and of many, with and without generated code', () => {
  const shapes = Array.from({ length: 300 }, (_, i) => Object.fromEntries(Array.from({ length: 1 + (i % 20) }, (_, j) => [`k${(i * j) % 37}`, j])));
  const value = [...shapes, ...shapes, ...shapes.reverse()];
  for (const options of [{}, { codeGeneration: true }, { mode: 'lax' }]) {
    const decoder = new Decoder(options);
    for (let again = 0; again < 3; again++) assert.deepEqual(decoder.decode(encode(value)), value);
  }
});

test('objects that come very often are what they were when they came for the first time', () => {
  const scalars = [1, -70000, 2 ** 40, 1.5, 'a', 'a longer text than that', '\u00e9', null, undefined, true, 2n ** 70n, Uint8Array.of(1), [], [1, 'a'], {}];
  const wide = (list, count, i) => Object.fromEntries(Array.from({ length: count }, (_, j) => [`w${list}_${j}`, scalars[(i + j) % scalars.length]]));
  // More lists of keys than there are fillers, of every length around those that fillers are for, and in other orders.
  for (let list = 0; list < 90; list++) {
    const value = Array.from({ length: 70 }, (_, i) => wide(list, 1 + (list % 26), i));
    for (let again = 0; again < 3; again++) {
      const decoded = decode(encode(value));
      assert.deepEqual(decoded, value);
      assert.deepEqual(decoded.map(Object.keys), value.map(Object.keys));
    }
    const turned = value.map((object) => Object.fromEntries(Object.entries(object).reverse()));
    assert.deepEqual(decode(encode(turned)).map(Object.keys), turned.map(Object.keys));
  }
  // One within another of the same keys, at each of its places; and with others between, so that runs end anywhere.
  let chain = { left: 0, right: null };
  for (let i = 1; i < 300; i++) chain = i % 2 ? { left: chain, right: i } : { left: i, right: chain };
  const forest = Array.from({ length: 40 }, (_, i) => ({ left: chain, right: 'x'.repeat(997 * i) }));
  const bytes = encode(forest);
  for (const options of [{}, { mode: 'lax' }, { codeGeneration: true }]) {
    for (let again = 0; again < 3; again++) assert.deepEqual(decode(bytes, options), forest);
  }
  assert.ok(decode(bytes).every((object) => Object.getPrototypeOf(object) === Object.prototype));
});

test('an object that a tag decoder makes while another one of the same keys is under way', () => {
  const inner = encode([{ key: 1, other: 2 }, { key: 3, other: 4 }]);
  const tags = { 99: (content, tag) => decode(inner, { mode: 'strict' })[content] ?? tag };
  const value = Array.from({ length: 200 }, (_, i) => ({ key: new Tagged(99, i % 2), other: i }));
  const expected = value.map(({ other }) => ({ key: { key: other % 2 ? 3 : 1, other: other % 2 ? 4 : 2 }, other }));
  const bytes = encode(value);
  for (let again = 0; again < 3; again++) assert.deepEqual(decode(bytes, { tags }), expected);
  const fails = { 99: (content) => { if (content === 1) throw new RangeError('one'); return content; } };
  assert.throws(() => decode(bytes, { tags: fails }), new RangeError('one'));
  assert.deepEqual(decode(bytes, { tags }), expected);
});

test('keys that Object.prototype has, frozen or with accessors, become properties like any others', () => {
  const names = ['toString', 'constructor', 'hasOwnProperty', 'valueOf', '__proto__', '__defineGetter__', 'own accessor', 'plain'];
  const check = `
    import assert from 'node:assert/strict';
    import { Decoder, decode, encode, struct } from 'wcbor';
    const names = ${JSON.stringify(names)};
    Object.defineProperty(Object.prototype, 'own accessor', { configurable: true, set() { assert.fail('called'); } });
    if (process.argv[1] === 'frozen') Object.freeze(Object.prototype);
    const rows = Array.from({ length: 200 }, (_, i) => new Map(names.slice(i % 3).map((name, j) => [name, i + j])));
    const bytes = encode(rows);
    const check = (objects) => assert.deepEqual(objects.map(Object.entries), rows.map((row) => [...row]));
    for (let again = 0; again < 4; again++) {
      check(decode(bytes));
      check(decode(bytes, { mode: 'lax' }));
      check(new Decoder({ codeGeneration: true }).decode(bytes));
      check(rows.map((row) => decode(encode(row))));
    }
    const fields = Object.fromEntries(names.filter((name) => name !== '__proto__').map((name) => [name, 'int']));
    const Row = struct(fields);
    const row = Object.fromEntries(Object.keys(fields).map((name, i) => [name, i]));
    for (let again = 0; again < 200; again++) assert.deepEqual(Object.entries(Row.decode(Row.encode(row))), Object.entries(row));
  `;
  for (const state of ['', 'frozen']) {
    const { status, stderr } = spawnSync(process.execPath, ['--conditions=@wcbor/source', '--input-type=module', '--eval', check, state], { encoding: 'utf8', cwd: new URL('../..', import.meta.url) });
    assert.equal(status, 0, stderr);
  }
});

test('tables of keys that are full are begun anew', () => {
  for (let round = 0; round < 40; round++) {
    const value = Array.from({ length: 400 }, (_, i) => ({ [`a${round}_${i}`]: i, same: i, [`b${i % 50}`]: [{ [`c${round}`]: i }] }));
    for (let again = 0; again < 4; again++) assert.deepEqual(decode(encode(value)), value);
  }
  const known = Array.from({ length: 1000 }, (_, i) => ({ id: i, name: `n${i}` }));
  for (let again = 0; again < 100; again++) assert.deepEqual(decode(encode(known)), known);
});

test('keyMap gives integer keys their names back', () => {
  const keyMap = { kty: 1, kid: 2, crv: -1 };
  const value = { kty: 2, crv: { kid: 'x' }, other: [{ crv: 1 }] };
  assert.deepEqual(decode(encode(value, { keyMap }), { keyMap }), value);
  assert.deepEqual(from('a2010203f6', { keyMap }), new Map([['kty', 2], [3, null]]));
  assert.deepEqual(from('a10102', { keyMap, maps: 'map' }), new Map([['kty', 2]]));
});

// ----------------------------------------------------------------------------------------------------------- tags

test('what encode writes comes back as it was', () => {
  const values = [
    new Date(0), new Date(1363896240500), new Date(-1.5e12), new Set([1, 'a', new Set()]), /a+\/b/, /x/giu, new URL('https://example.org/a?b#c'),
    new TypeError('wrong'), new RangeError(''), new Map([[{ a: 1 }, new Map([[1, 2]])]]), 2n ** 200n, -(2n ** 200n), 2n ** 63n,
    Uint8Array.of(1, 2, 3), Uint8ClampedArray.of(1, 255), Int8Array.of(-1), Uint16Array.of(1, 65535), Int16Array.of(-2), Uint32Array.of(2 ** 32 - 1),
    Int32Array.of(-5), BigUint64Array.of(2n ** 64n - 1n), BigInt64Array.of(-1n), Float32Array.of(1.5), Float64Array.of(Math.PI, -0), new Float64Array(0),
    new Tagged(1000, ['x', new Tagged(2n ** 60n, 1)]), new Simple(200), [undefined, null, true], { a: { b: {} } }, '', [], -0, NaN, Infinity,
  ];
  if (typeof Float16Array === 'function') values.push(Float16Array.of(1.5, -2));
  for (const value of values) {
    const decoded = decode(encode(value));
    assert.deepEqual(decoded, value);
    if (typeof value === 'object') assert.equal(Object.getPrototypeOf(decoded), Object.getPrototypeOf(value));
  }
  assert.deepEqual(decode(encode(values)), values);
  assert.deepEqual(decode(encode(new Date(5), { dates: 'text' })), new Date(5));
  assert.deepEqual(decode(encode(new EncodedCbor(encode([1])))), [1]);
  const named = Object.assign(new Error('m'), { name: 'AbortError' });
  assert.deepEqual([decode(encode(named)).name, decode(encode(named)).message], ['AbortError', 'm']);
});

test('dates', () => {
  assert.deepEqual(from('c074323031332d30332d32315432303a30343a30305a'), new Date('2013-03-21T20:04:00Z'));
  assert.equal(from('c1fb41d452d9ec200000').getTime(), 1363896240500);
  assert.equal(from('c11a514b67b0').getTime(), 1363896240000);
  assert.equal(decode(encode(new Date(1001))).getTime(), 1001);
  const dated = (text) => decode(encode(new Tagged(0, text)));
  assert.equal(dated('2013-03-21T20:04:00.123456789+02:00').getTime(), Date.UTC(2013, 2, 21, 18, 4, 0, 123));
  assert.equal(dated('0004-02-29T23:00:00Z').getTime(), Date.parse('0004-02-29T23:00:00Z'));
  assert.equal(dated('1990-12-31T23:59:60Z').getTime(), Date.UTC(1991, 0, 1));
  for (const text of ['', '2013-03-21', 'x', '2013-02-30T00:00:00Z', '2013-03-21T20:04:00', '2013-13-01T00:00:00Z', '2013-03-21T25:04:00Z', '2013-03-21T24:00:00Z', '0050-02-30T00:00:00Z', '1900-02-29T00:00:00Z']) {
    assert.throws(() => dated(text), { code: 'ERR_CBOR_INVALID_DATETIME' }, text);
  }
  fails('c001', 'INVALID_DATETIME');
  for (const hex of ['c16161', 'c1f97e00', 'c1f97c00', 'c11bffffffffffffffff', 'c180']) fails(hex, 'INVALID_UNIXTIME');
});

test('typed arrays at any offset, in either byte order', () => {
  assert.deepEqual(from('8241aad85648000000000000f83f'), [Uint8Array.of(0xaa), Float64Array.of(1.5)]);
  assert.deepEqual(from('d852483ff8000000000000'), Float64Array.of(1.5));
  assert.deepEqual(from('d84144 0001 0203'), Uint16Array.of(1, 0x203));
  assert.deepEqual(from('d84544 0100 0302'), Uint16Array.of(1, 0x203));
  assert.deepEqual(from('d84043010203'), Uint8Array.of(1, 2, 3));
  assert.deepEqual(from('d8454401000302', { byteStrings: 'view' }), Uint16Array.of(1, 0x203));
  const input = bytesOf('d8414400010203');
  decode(input, { byteStrings: 'view' });
  assert.deepEqual(input, bytesOf('d8414400010203'));
  fails('d84143000102', 'INVALID_TAG_CONTENT');
  fails('d84101', 'INVALID_TAG_CONTENT');
});

test('tags without a meaning here, or with one that is not for decoding', () => {
  assert.deepEqual(from('d9dfff8419e0008163666f6f63626172f5'), new Tagged(0xdfff, [0xe000, ['foo'], 'bar', true]));
  assert.deepEqual(from('dbffffffffffffffff00'), new Tagged(2n ** 64n - 1n, 0));
  assert.deepEqual(from('d818456449455446'), new Tagged(24, bytesOf('6449455446')));
  assert.deepEqual(from('c4823b7fffffffffffffff01'), new Tagged(4, [-(2n ** 63n), 1]));
  assert.deepEqual(from('c5821b7fffffffffffffff01'), new Tagged(5, [2n ** 63n - 1n, 1]));
  assert.deepEqual(from('d9d9f7820102'), [1, 2]);
  assert.deepEqual(from('d820656e6f742061'.replace('65', '65')), new Tagged(32, 'not a'));
  fails('d82001', 'INVALID_TAG_CONTENT');
  fails('d9010201', 'INVALID_TAG_CONTENT');
  fails('d823612a', 'INVALID_TAG_CONTENT');
  assert.deepEqual(from('d81b8265506f696e7401'), new Tagged(27, ['Point', 1]));
});

test('shared values, circular ones too', () => {
  const shared = { name: 'shared' };
  const value = { list: [shared, shared], map: new Map([[1, shared]]), set: new Set([shared]) };
  value.self = value;
  value.list.push(value.list);
  value.map.set(2, value.map);
  value.set.add(value.set);
  for (const options of [{}, {}, {}, { codeGeneration: true }, { mode: 'lax' }]) {
    const decoded = decode(encode(value, { sharedReferences: true }), options);
    assert.equal(decoded.self, decoded);
    assert.equal(decoded.list[0], decoded.list[1]);
    assert.equal(decoded.list[2], decoded.list);
    assert.equal(decoded.map.get(1), decoded.list[0]);
    assert.equal(decoded.map.get(2), decoded.map);
    assert.deepEqual([...decoded.set], [decoded.list[0], decoded.set]);
  }
  const long = { name: 'root' };
  long.items = Array.from({ length: 30_000 }, (_, index) => ({ parent: long, index }));
  const again = decode(encode(long, { sharedReferences: true }));
  assert.ok(again.items.every((item, index) => item.parent === again && item.index === index));
  for (const hex of ['d81d00', 'd81d1864', 'd81d20', 'd81d6161', '82d81c01d81d01', 'd81cc1d81d00']) fails(hex, 'INVALID_TAG_CONTENT');
});

test('typed arrays share nothing with other values', () => {
  assert.deepEqual(decode(bytesOf('82d841d81c420102d81d00')), [Uint16Array.of(0x102), Uint8Array.of(1, 2)]);
  assert.deepEqual(decode(bytesOf('83d81c420102d841d81d00d841d81d00')), [Uint8Array.of(1, 2), Uint16Array.of(0x102), Uint16Array.of(0x102)]);
  const [own, again] = decode(bytesOf('82d81c420102d840d81d00'));
  again[0] = 9;
  assert.equal(own[0], 1);
  const tags = { 99: () => new Uint8Array([9, 9, 1, 0]).subarray(2) };
  assert.deepEqual(decode(bytesOf('d845d86300'), { tags }), Uint16Array.of(1));
  assert.deepEqual(decode(bytesOf('d841d86300'), { tags }), Uint16Array.of(0x100));
});

test('what a function for a tag throws is no fault of the document', () => {
  const inner = { 24: (value) => decode(value) };
  for (const [content, code] of [['8301', 'LENGTH_EXCEEDS_BUFFER'], ['a201010102', 'DUPLICATE_KEY'], ['61ff', 'INVALID_UTF8'], ['', 'UNEXPECTED_END']]) {
    const bytes = encode([1, { a: new Tagged(24, bytesOf(content)) }]);
    assert.throws(() => decode(bytes, { tags: inner }), (error) => {
      assert.ok(error instanceof CborError);
      assert.deepEqual([error.code, error.offset, error.path, error.incomplete, error.missing], [`ERR_CBOR_${code}`, 5, '$[1].a', false, undefined]);
      assert.equal(error.cause.code, error.code);
      return true;
    }, content);
  }
  const endless = () => endless();
  for (const thrown of [new TypeError('mine'), 'a string', undefined]) {
    const tags = { 24() { throw thrown; } };
    assert.throws(() => decode(bytesOf('d81800'), { tags }), (error) => error === thrown);
  }
  assert.throws(() => decode(bytesOf('d81800'), { tags: { 24: endless } }), RangeError);
});

test('functions for tags', () => {
  const tags = { 99: (value, tag) => ({ value, tag }), 1: (seconds) => seconds, 18446744073709551615n: () => 'last' };
  delete tags['18446744073709551615'];
  assert.deepEqual(from('82d8630ac10b', { tags }), [{ value: 10, tag: 99 }, 11]);
  assert.equal(from('dbffffffffffffffff00', { tags: new Map([[2n ** 64n - 1n, () => 'last']]) }), 'last');
  // They see no document that is not valid.
  let calls = 0;
  const counting = { tags: { 99: () => calls++ } };
  for (const hex of ['82d8630aff', '82d8630a61ff', '82d8630aa2616101616102', '83d8630a0b']) assert.throws(() => from(hex, counting));
  assert.equal(calls, 0);
  // What they throw is thrown, and what comes next is not spoiled.
  const wrong = new Error('wrong');
  assert.throws(() => from('d8630a', { tags: { 99: () => { throw wrong; } } }), (error) => error === wrong);
  assert.deepEqual(from('8263616263a1616101'), ['abc', { a: 1 }]);
});

test('tag decoders may decode and encode', () => {
  const inner = (depth) => (value) => {
    if (depth === 0) return value;
    const bytes = encode({ depth, text: 'x'.repeat(100), numbers: [1.5, 2.5, depth], keys: { [`k${depth}`]: value } });
    assert.throws(() => decode(Uint8Array.of(0x61, 0xff)));
    return [value, decode(bytes), decode(encode(new Tagged(99, depth)), { tags: { 99: inner(depth - 1) } })];
  };
  const items = Array.from({ length: 2000 }, (_, i) => ({ id: i, text: `text ${i % 7}`, rate: i / 3, tagged: new Tagged(99, `v${i % 5}`), more: 'é'.repeat(i % 9) }));
  const decoded = decode(encode(items), { tags: { 99: inner(3) } });
  decoded.forEach((item, i) => {
    const [value, nested] = item.tagged;
    assert.deepEqual({ ...item, tagged: 0 }, { ...items[i], tagged: 0 });
    assert.equal(value, `v${i % 5}`);
    assert.deepEqual(nested, { depth: 3, text: 'x'.repeat(100), numbers: [1.5, 2.5, 3], keys: { k3: value } });
  });
});

// ---------------------------------------------------------------------------------------------- input and results

test('every kind of bytes, and nothing else', () => {
  const bytes = bytesOf('8301020 3'.replaceAll(' ', ''));
  const padded = new Uint8Array(20).fill(0xff);
  padded.set(bytes, 7);
  const inputs = [
    bytes, bytes.buffer, Buffer.from(bytes), new DataView(bytes.buffer), padded.subarray(7, 11), new DataView(padded.buffer, 7, 4),
    new Uint16Array(bytes.buffer), new Uint8ClampedArray(bytes),
  ];
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  shared.set(bytes);
  inputs.push(shared, shared.buffer);
  for (const input of inputs) {
    assert.deepEqual(decode(input), [1, 2, 3]);
    assert.deepEqual(decodeFirst(input), { value: [1, 2, 3], bytesRead: 4 });
  }
  for (const wrong of [null, undefined, '00', [0], {}, 5]) assert.throws(() => decode(wrong), TypeError);
  const gone = bytes.slice();
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  assert.throws(() => decode(gone), TypeError);
  const kept = Object.preventExtensions(bytesOf('44 01020304'.replace(' ', '')));
  decode(kept);
  assert.deepEqual([...kept], [0x44, 1, 2, 3, 4]);
  assert.deepEqual(Object.keys(kept).length, 5);
});

test('results have memory of their own, or are views of the input if that is wanted', () => {
  const input = bytesOf('8244010203045f41054106ff');
  const [copy, chunked] = decode(input);
  assert.equal(copy.buffer.byteLength, 4);
  const [view] = decode(input, { byteStrings: 'view' });
  assert.equal(view.buffer, input.buffer);
  input[2] = 99;
  assert.deepEqual([copy[0], view[0], chunked], [1, 99, Uint8Array.of(5, 6)]);
  const padded = new Uint8Array([0xff, ...bytesOf('44 01020304'.replace(' ', ''))]);
  assert.deepEqual(decode(padded.subarray(1), { byteStrings: 'view' }), Uint8Array.of(1, 2, 3, 4));
  assert.deepEqual(decodeSequence(bytesOf('4101 4102'.replace(' ', '')), { byteStrings: 'view' }), [Uint8Array.of(1), Uint8Array.of(2)]);
});

test('errors say where in the value the item at fault is', () => {
  const cases = [
    ['a1656974656d738201a1646e616d6561ff', 'INVALID_UTF8', 15, '$.items[1].name'],
    ['a1616161ff', 'INVALID_UTF8', 3, '$.a', { mode: 'lax' }],
    ['a2616101616102', 'DUPLICATE_KEY', 4, '$.a'],
    ['a2616201616102', 'KEYS_NOT_SORTED', 4, '$.a', { mode: 'deterministic' }],
    ['a101a161621c', 'INVALID_INTEGER_ENCODING', 5, '$[1].b'],
    ['a101a161621c', 'INVALID_INTEGER_ENCODING', 5, '$.one.b', { keyMap: { one: 1 } }],
    ['a161ff01', 'INVALID_UTF8', 1, '$'],
    ['a161618200c001', 'INVALID_DATETIME', 5, '$.a[1]'],
    ['a161617f616161ffff', 'INVALID_UTF8', 6, '$.a'],
    ['bf61619f0102ff61621cff', 'INVALID_INTEGER_ENCODING', 9, '$.b'],
    ['816365cc81', 'NOT_NFC', 1, '$[0]', { mode: 'dcbor' }],
    ['a161781900', 'UNEXPECTED_END', 3, '$.x'],
    ['', 'UNEXPECTED_END', 0, '$'],
    // Not that of an item of these bytes.
    ['0102', 'TRAILING_BYTES', 1, undefined],
    ['8200c501', 'TRAILING_BYTES', 2, '$[1]', { tags: { 5: () => decode(bytesOf('0101')) } }],
  ];
  for (const [hex, code, offset, path, options] of cases) {
    assert.throws(() => decode(bytesOf(hex), options), { code: `ERR_CBOR_${code}`, offset, path }, hex);
  }
  assert.throws(() => decode(bytesOf('a161ff01')), { message: / at a key of \$$/ });
  assert.throws(() => decodeSequence(bytesOf('01820281c001')), { offset: 4, path: '$[1][0]' });
});

test('byte strings share memory with no more than their neighbours', () => {
  const values = Array.from({ length: 3000 }, (_, i) => new Uint8Array(i).fill(i));
  const bytes = decode(encode(values));
  assert.deepEqual(bytes, values);
  for (const { buffer } of bytes) assert.ok(buffer.byteLength <= 65536);
  bytes[1000].fill(77);
  assert.deepEqual([bytes[999], bytes[1001]], [values[999], values[1001]]);
  // What tags make of them has memory of its own.
  const [, words] = decode(encode([Uint8Array.of(1), Uint16Array.of(1, 2), Uint8Array.of(3)]));
  assert.deepEqual([words, words.buffer.byteLength], [Uint16Array.of(1, 2), 4]);
  const own = decode(encode([Uint8Array.of(1), new Tagged(99, Uint8Array.of(2))]))[1].value;
  assert.equal(own.buffer.byteLength, 1);
  // A tag decoder that decodes bytes itself comes between two pieces.
  const inner = encode([Uint8Array.of(8), Uint8Array.of(9)]);
  const outer = encode([Uint8Array.of(1), new Tagged(99, 0), Uint8Array.of(2, 3)]);
  assert.deepEqual(decode(outer, { tags: { 99: () => decode(inner) } }), [Uint8Array.of(1), [Uint8Array.of(8), Uint8Array.of(9)], Uint8Array.of(2, 3)]);
  assert.throws(() => decode(encode(values.slice(0, 40)), { limits: { bytesLength: 38 } }), { code: 'ERR_CBOR_LIMIT_EXCEEDED' });
});

test('decodeFirst and decodeSequence', () => {
  assert.deepEqual(decodeFirst(bytesOf('0102')), { value: 1, bytesRead: 1 });
  assert.throws(() => decodeFirst(bytesOf('1901')), { code: 'ERR_CBOR_UNEXPECTED_END', incomplete: true });
  assert.throws(() => decode(bytesOf('0102')), { code: 'ERR_CBOR_TRAILING_BYTES', offset: 1 });
  const values = [1, [2, 3], 'a', { b: new Date(5) }, ...Array.from({ length: 3000 }, (_, i) => ({ i, text: `t${i}` }))];
  assert.deepEqual(decodeSequence(encodeSequence(values)), values);
  assert.deepEqual(decodeSequence(new Uint8Array(0)), []);
  assert.throws(() => decodeSequence(bytesOf('0182020361611901')), { code: 'ERR_CBOR_UNEXPECTED_END', offset: 6, incomplete: true });
  assert.throws(() => decodeSequence(bytesOf('00a2010 2 0103'.replaceAll(' ', ''))), { code: 'ERR_CBOR_DUPLICATE_KEY', offset: 4 });
  assert.throws(() => decodeSequence(bytesOf('00'), { mode: 'dag-cbor' }), RangeError);
});

// --------------------------------------------------------------------------------------------------------- errors

test('errors tell where, and whether it is only the end that is missing', () => {
  const at = (hex, options) => {
    const { code, offset, incomplete, missing } = errorOf(hex, options);
    return [code.slice('ERR_CBOR_'.length), offset, incomplete, missing];
  };
  assert.deepEqual(at(''), ['UNEXPECTED_END', 0, true, 1]);
  assert.deepEqual(at('61'), ['LENGTH_EXCEEDS_BUFFER', 0, true, 1]);
  assert.deepEqual(at('82fb01'), ['UNEXPECTED_END', 1, true, 7]);
  assert.deepEqual(at('5a00010000'), ['LENGTH_EXCEEDS_BUFFER', 0, true, 65536]);
  assert.deepEqual(at('c2'), ['UNEXPECTED_END', 1, true, 1]);
  assert.deepEqual(at('61dba0a0').slice(0, 3), ['INVALID_UTF8', 0, false]);
  for (const hex of ['a100ff', 'a2000000ff', 'a33030303000ff']) assert.equal(errorOf(hex).incomplete, false, hex);
  assert.deepEqual(at('8201c16161'), ['INVALID_UNIXTIME', 2, false, undefined]);
  assert.deepEqual(at('8201c1c16161'), ['INVALID_UNIXTIME', 3, false, undefined]);
  assert.deepEqual(at('fc').slice(0, 3), ['RESERVED_SIMPLE_VALUE', 0, false]);
});

test('modes refuse what they must', () => {
  const refused = {
    deterministic: {
      NON_MINIMAL_INTEGER: ['1b000000000000000b', '1817', '190017', '3800', '580 1aa'.replace(' ', ''), '7a0000000161', '9800', 'b800'],
      INDEFINITE_NOT_ALLOWED: ['9fff', '5fff'], KEYS_NOT_SORTED: ['a2616202616101'], DUPLICATE_KEY: ['a2616102616101'],
      NON_MINIMAL_FLOAT: ['fa3fc00000'], BIGNUM_NOT_PREFERRED: ['c24101'],
    },
    'dag-cbor': {
      FLOAT_NOT_ALLOWED: ['f97e00', 'f97c00', 'fb7ff0000000000000'], SIMPLE_NOT_ALLOWED: ['f7', 'e0'], KEY_TYPE_NOT_ALLOWED: ['a10000'],
      TAG_NOT_ALLOWED: ['c11a00000000'], INDEFINITE_NOT_ALLOWED: ['9fff'], INVALID_CID: ['d82a40'],
    },
    dcbor: {
      NOT_REDUCED: ['f94000', 'f98000'], SIMPLE_NOT_ALLOWED: ['f7', 'e0'], NOT_NFC: ['6365cc81'], INDEFINITE_NOT_ALLOWED: ['9f01ff'],
      NON_MINIMAL_FLOAT: ['fa3fc00000'], KEYS_NOT_SORTED: ['a2616201616100'],
    },
    ctap2: { TAGS_NOT_ALLOWED: ['c100'] },
    canonical: { KEYS_NOT_SORTED: ['a2 626161 01 6162 02'] },
  };
  for (const [mode, codes] of Object.entries(refused)) {
    for (const [code, rows] of Object.entries(codes)) for (const hex of rows) fails(hex, code, { mode });
    assert.deepEqual(from('a2616101616202', { mode }), { a: 1, b: 2 });
  }
});

test('options are checked', () => {
  for (const options of [{ strict: true }, { limits: { depth: 1 } }, 5, null, { mode: 5 }, { maps: true }, { tags: { 1: 5 } }, { keyMap: { a: 'b' } }, { codeGeneration: 1 }]) {
    assert.throws(() => decode(Uint8Array.of(0), options), TypeError);
    assert.throws(() => new Decoder(options), TypeError);
  }
  for (const options of [{ mode: 'none' }, { maxDepth: -1 }, { maps: 'x' }, { tags: { x: () => 1 } }, { keyMap: { a: 1, b: 1 } }, { replaceInvalidText: true }, { limits: { items: -1 } }]) {
    assert.throws(() => decode(Uint8Array.of(0), options), RangeError);
  }
  assert.equal(decode(Uint8Array.of(0), { mode: undefined }), 0);
});

test('maxDepth', () => {
  const nested = (depth) => `${'81'.repeat(depth)}00`;
  assert.ok(Array.isArray(from(nested(1000))));
  fails(nested(1001), 'DEPTH_EXCEEDED');
  assert.equal(from('00', { maxDepth: 0 }), 0);
  fails('80', 'DEPTH_EXCEEDED', { maxDepth: 0 });
  fails('5fff', 'DEPTH_EXCEEDED', { maxDepth: 0 });
  assert.throws(() => from(nested(200_000), { maxDepth: 2 ** 30 }), { code: 'ERR_CBOR_DEPTH_EXCEEDED' });
  let value = from(`${'c9'.repeat(100_000)}00`);
  for (let i = 0; i < 100_000; i++) value = value.value;
  assert.equal(value, 0);
});

test('what is refused for the options is named by its place', () => {
  const placed = (hex, options, code, offset, path) => {
    assert.throws(() => from(hex, options), { code: `ERR_CBOR_${code}`, offset, path });
  };
  const limited = (hex, limits, offset, path) => placed(hex, { limits }, 'LIMIT_EXCEEDED', offset, path);
  placed('8201 1b0020000000000000', { integers: 'error' }, 'OVERFLOW', 2, '$[1]');
  placed('82 1b001fffffffffffff 3b001fffffffffffff', { integers: 'error' }, 'OVERFLOW', 10, '$[1]');
  // A tag before it is not at fault.
  placed('82 c100 1b0020000000000000', { integers: 'error' }, 'OVERFLOW', 3, '$[1]');
  placed('82 c100 c2480020000000000000', { integers: 'error' }, 'OVERFLOW', 3, '$[1]');
  limited('82 c100 63616263', { textLength: 2 }, 3, '$[1]');
  limited('82 62c3a9 6162', { textLength: 1 }, 1, '$[0]');
  limited('a16161 43010203', { bytesLength: 2 }, 3, '$.a');
  limited('83010203', { items: 3 }, 3, '$[2]');
  limited('82 9f01ff 02', { items: 3 }, 4, '$[1]');
  limited('81 7f61616162ff', { textLength: 1 }, 4, '$[0]');
  limited('81 5f41004100ff', { bytesLength: 1 }, 4, '$[0]');
  limited('8201 c243010203', { bignumLength: 2 }, 2, '$[1]');
  limited(`82 c100 99 0800 ${'80'.repeat(2048)}`, { memory: 10 }, undefined, undefined);
  // Nor is one that was refused earlier, in a document that a tag decoder read and gave up on.
  const tags = { 1000: () => assert.throws(() => from('626161', { limits: { textLength: 1 } }), { offset: 0 }) };
  placed('82 d903e800 c243010203', { tags, limits: { bignumLength: 2 } }, 'LIMIT_EXCEEDED', 5, '$[1]');
});

test('limits', () => {
  const limited = (hex, limits) => fails(hex, 'LIMIT_EXCEEDED', { limits });
  limited('83010203', { items: 3 });
  assert.deepEqual(from('83010203', { limits: { items: 4 } }), [1, 2, 3]);
  assert.deepEqual(from('a261610161628101', { limits: { items: 6 } }), { a: 1, b: [1] });
  limited('a261610161628101', { items: 5 });
  limited('63616263', { textLength: 2 });
  limited('7f61616161ff', { textLength: 1 });
  limited('a163616263 01', { textLength: 2 });
  assert.equal(from('63616263', { limits: { textLength: 3 } }), 'abc');
  limited('43616263', { bytesLength: 2 });
  limited('5f41004100ff', { bytesLength: 1 });
  limited('c243010203', { bignumLength: 2 });
  limited(`99 0800 ${'80'.repeat(2048)}`, { memory: 10 });
  assert.equal(from(`99 0800 ${'80'.repeat(2048)}`, { limits: { memory: 100 } }).length, 2048);
});
