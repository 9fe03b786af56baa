// Where errors of encode say that they are: those that the module finds, of which the walk knows nothing, say the same
// as the walk's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EncodedCbor, encode, Encoder, encodeSequence, Simple, Tagged } from 'wcbor';

const SEED = Number(process.env.FAST_CHECK_SEED ?? 8949);

/** What each mode refuses in the place of a value: [code, mode, value]. */
const REFUSED = [
  ['INVALID_TEXT', 'strict', '\ud800'],
  ['INVALID_TEXT', 'dcbor', `${'x'.repeat(5000)}\udc00`],
  ['INVALID_TEXT', 'canonical', `${'漢'.repeat(30000)}\ud800`],
  ['FLOAT_NOT_ALLOWED', 'dag-cbor', NaN],
  ['FLOAT_NOT_ALLOWED', 'dag-cbor', -Infinity],
  ['SIMPLE_NOT_ALLOWED', 'dag-cbor', undefined],
  ['SIMPLE_NOT_ALLOWED', 'dcbor', new Simple(99)],
  ['TAG_NOT_ALLOWED', 'dag-cbor', new Tagged(41, 1)],
  ['TAG_NOT_ALLOWED', 'dag-cbor', 2n ** 64n],
  ['TAG_NOT_ALLOWED', 'dag-cbor', new Date(0)],
  ['TAGS_NOT_ALLOWED', 'ctap2', new Set()],
  ['TAGS_NOT_ALLOWED', 'ctap2', new Float32Array(2)],
  ['INVALID_CID', 'dag-cbor', new Tagged(42, Uint8Array.of(1))],
  ['INVALID_CID', 'dag-cbor', new Tagged(42, 'a')],
  ['INVALID_CID', 'dag-cbor', new Tagged(42, new Uint8Array(5000))],
  ['BIGNUM_NOT_PREFERRED', 'deterministic', new Tagged(2, Uint8Array.of(1))],
  ['BIGNUM_NOT_PREFERRED', 'dcbor', new Tagged(3, Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))],
  ['INVALID_ENCODED_VALUE', 'lax', new EncodedCbor(Uint8Array.of(0x81))],
  ['INVALID_ENCODED_VALUE', 'lax', new EncodedCbor(new Uint8Array(5000))],
  ['INVALID_ENCODED_VALUE', 'strict', new EncodedCbor(Uint8Array.of(0xa2, 1, 1, 1, 1))],
];

/** The error, which must have this code. */
function errorOf(code, action) {
  let error;
  assert.throws(action, (thrown) => {
    error = thrown;
    return true;
  });
  assert.equal(error.code, `ERR_CBOR_${code}`);
  assert.equal(error.callIndex, undefined);
  return error;
}

const pathOf = (code, value, options) => errorOf(code, () => encode(value, options)).path;

/** Records of one shape, of which number `at` has `value` for its name. */
const records = (count, at, value) => Array.from({ length: count }, (_, id) => ({ id, name: id === at ? value : 'é', tags: ['a', 1.5] }));

for (const [code, mode, refused] of REFUSED) {
  test(`${code} in ${mode}, of ${String(Object.prototype.toString.call(refused)).slice(8, -1)}, says where`, () => {
    const options = { mode };
    const is = (value, path) => assert.equal(pathOf(code, value, options), path);
    is(refused, '$');
    is([refused], '$[0]');
    is([[], 'a', [1, 2, refused, 3], 4], '$[2][2]');
    is([1, 2.5, 3, refused], '$[3]');
    is({ a: { b: [{ 'c d': refused }] } }, '$.a.b[0]["c d"]');
    is({ a: [{}, { x: [] }], é: refused }, '$["é"]');
    is(new Map([['a', 1], ['b', new Map([['c', refused]])]]), '$.b.c');
    // Before these keys are a shape, and after.
    for (let round = 0; round < 3; round++) is({ items: records(5, 3, refused) }, '$.items[3].name');
    // Behind the end of the command buffer, and of the text's.
    is({ items: records(3000, 2999, refused) }, '$.items[2999].name');
    is([Array(5000).fill(1), Array(5000).fill('é'.repeat(20)), [refused]], '$[2][0]');
    assert.equal(new Encoder(options).encode([{ items: records(2, -1) }]).length > 0, true);
  });
}

test('a refused number in the middle of a run says which', () => {
  for (const length of [1, 2, 3, 10, 3000]) {
    for (const at of new Set([0, 1, length >> 1, length - 1])) {
      const numbers = Array.from({ length }, (_, i) => (i % 3 ? i : i + 0.5));
      numbers[at] = Infinity;
      assert.equal(pathOf('FLOAT_NOT_ALLOWED', { a: numbers }, { mode: 'dag-cbor' }), `$.a[${at}]`);
    }
  }
});

test('a second key says which, whatever it is', () => {
  const is = (map, path, mode = 'deterministic') => {
    const filler = Array.from({ length: 20 }, (_, i) => [`filler ${i}`, [i]]);
    for (const pairs of [map, [...filler, ...map], [...map, ...filler]]) {
      assert.equal(pathOf('DUPLICATE_KEY', { m: [0, new Map(pairs)] }, { mode }), `$.m[1]${path}`);
    }
  };
  for (const mode of ['strict', 'canonical', 'deterministic', 'dcbor']) {
    is([[1, 0], [1n, 0]], '[1]', mode);
    is([['name', 0], [Object('name'), 0]], '.name', mode);
    is([[true, 0], [Object(true), 0]], '[true]', mode);
    is([[1.5, 0], [Object(1.5), 0]], '[1.5]', mode);
    is([[1e300, 0], [Object(1e300), 0]], '[1e+300]', mode);
    is([[1.1, 0], [Object(1.1), 0]], '[1.1]', mode);
    is([[-2.5e-7, 0], [Object(-2.5e-7), 0]], '[-2.5e-7]', mode);
    is([[16777216.5, 0], [Object(16777216.5), 0]], '[16777216.5]', mode);
    is([[Infinity, 0], [Object(Infinity), 0]], '[Infinity]', mode);
    is([[-(2n ** 64n), 0], [Object(-(2n ** 64n)), 0]], '[-18446744073709551616]', mode);
    is([[-500, 0], [-500n, 0]], '[-500]', mode);
    is([[[1], 0], [[1], 0]], '[object]', mode);
    is([['k'.repeat(3000), 0], [Object('k'.repeat(3000)), 0]], `.${'k'.repeat(3000)}`, mode);
  }
  is([['é', 0], ['e\u0301', 0]], '["é"]', 'dcbor');
  is([[1, 0], [1.0, 0], [Object(1), 0]], '[1]', 'dcbor');
  assert.equal(pathOf('DUPLICATE_KEY', { x: { é: 1, 'e\u0301': 2 } }, { mode: 'dcbor' }), '$.x["é"]');
  assert.equal(pathOf('DUPLICATE_KEY', new Map([['alg', 1], [1, 2]]), { mode: 'strict', keyMap: { alg: 1 } }), '$.alg');
});

test('of a key that cannot be one, its map is known', () => {
  const error = errorOf('KEY_TYPE_NOT_ALLOWED', () => encode({ a: [new Map([['b', 1], [2, 3]])] }, { mode: 'dag-cbor' }));
  assert.equal(error.path, '$.a[0]');
  assert.match(error.message, / at a key of \$\.a\[0\]$/);
  assert.equal(pathOf('INVALID_TEXT', [{ a: 1 }, { '\ud800': 1 }], { mode: 'strict' }), '$[1]');
});

test('in keys that are containers, in names for integers, in values that stand for others', () => {
  const strict = { mode: 'strict' };
  assert.equal(pathOf('INVALID_TEXT', new Map([[['a', '\ud800'], 1]]), strict), '$[object][1]');
  assert.equal(pathOf('INVALID_TEXT', { alg: [{ kid: '\ud800' }] }, { ...strict, keyMap: { alg: 1, kid: -4 } }), '$.alg[0].kid');
  assert.equal(pathOf('INVALID_TEXT', { a: { toCBOR: () => [1, '\ud800'] } }, strict), '$.a[1]');
  assert.equal(pathOf('INVALID_TEXT', { a: new Tagged(1000, { b: '\ud800' }) }, strict), '$.a.b');
  const items = [new EncodedCbor(Uint8Array.of(0x9f, 0xbf, 1, 0x9f, 0xff, 0xff, 0x5f, 0x41, 1, 0xff, 0xff)), ['\ud800']];
  assert.equal(pathOf('INVALID_TEXT', items, strict), '$[1][0]');
  const keyed = new Map([[new EncodedCbor(Uint8Array.of(0x9f, 1, 0xff)), 1], ['k', ['\ud800']]]);
  assert.equal(pathOf('INVALID_TEXT', keyed, strict), '$.k[0]');
});

test('of a sequence, the first step is the number of the value', () => {
  const is = (values, path) => assert.equal(errorOf('INVALID_TEXT', () => encodeSequence(values, { mode: 'strict' })).path, path);
  is(['\ud800'], '$[0]');
  is([1, [2], { a: ['\ud800'] }, 4], '$[2].a[0]');
  is([...Array(9000).fill([1]), ['\ud800'], ...Array(9000).fill(1)], '$[9000][0]');
});

test('what fails first is what is told, and nothing of it stays', () => {
  for (const later of [() => 1, '\ud800', new EncodedCbor(new Uint8Array(0))]) {
    assert.equal(pathOf('INVALID_TEXT', [['\udc00'], later], { mode: 'strict' }), '$[0][0]');
  }
  assert.equal(encode(['a'], { mode: 'strict' }).length, 3);
  const inner = { get a() { return encode({ b: '\ud800' }, { mode: 'strict' }); } };
  assert.equal(pathOf('INVALID_TEXT', [inner], { mode: 'strict' }), '$.b', 'the inner call');
});

test('no user code runs for it', () => {
  let reads = 0;
  const value = { get a() { reads++; return ['\ud800']; } };
  assert.equal(pathOf('INVALID_TEXT', value, { mode: 'strict' }), '$.a[0]');
  assert.equal(reads, 1);
});

test('the walk says the same of a function in that place', () => {
  // Paths name keys as they are written, which in dcbor is in NFC.
  const key = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ maxLength: 40 })).map((text) => text.normalize('NFC'));
  const leaf = fc.oneof(key, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.uint8Array({ maxLength: 40 }));
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(key, tie('value'), { noNullPrototype: true })),
  }));
  const wrap = fc.oneof(
    fc.tuple(fc.array(anything, { maxLength: 4 }), fc.array(anything, { maxLength: 4 }))
      .map(([before, after]) => (inner) => [...before, inner, ...after]),
    fc.tuple(key, fc.dictionary(key, anything, { maxKeys: 4 })).map(([name, others]) => (inner) => ({ ...others, [name]: inner })),
    fc.tuple(key, fc.dictionary(key, anything, { maxKeys: 4 }))
      .map(([name, others]) => (inner) => new Map([...Object.entries(others), [name, inner]])));
  fc.assert(fc.property(fc.array(wrap, { maxLength: 6 }), fc.constantFrom(...REFUSED), (wraps, [code, mode, refused]) => {
    const around = (inner) => wraps.reduce((value, one) => one(value), inner);
    const path = pathOf('UNSUPPORTED_VALUE', around(() => 1), { mode: 'lax' });
    for (let round = 0; round < 3; round++) assert.equal(pathOf(code, around(refused), { mode }), path);
  }), { numRuns: 400, seed: SEED });
});
