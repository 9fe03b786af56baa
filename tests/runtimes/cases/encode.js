// encode and its like: values of the table of modes, what engines differ in, and what is refused.
import { CborError, EncodedCbor, Encoder, Simple, Tagged, encode, encodeSequence, stats } from 'wcbor';
import { bytesOf, hexOf } from '../../hex.js';
import { modeRows, valueOf } from '../../vectors/mode-rows.js';
import modeTable from '../../vectors/mode-vectors.json';
import { equal, errorOf } from '../assert.js';

const hex = (value, options) => hexOf(encode(value, options));

/** [value, hex, options] */
const VALUES = [
  [0, '00'], [-1, '20'], [23, '17'], [24, '1818'], [255, '18ff'], [256, '190100'], [65536, '1a00010000'], [2 ** 32, '1b0000000100000000'],
  [Number.MAX_SAFE_INTEGER, '1b001fffffffffffff'], [2 ** 53, 'fa5a000000'], [-0, 'f98000'], [1.5, 'f93e00'], [1.1, 'fb3ff199999999999a'],
  [NaN, 'f97e00'], [Infinity, 'f97c00'], [5e-324, 'fb0000000000000001'], [2 ** -24, 'f90001'], [3.4028234663852886e38, 'fa7f7fffff'],
  [2n ** 64n - 1n, '1bffffffffffffffff'], [2n ** 64n, 'c249010000000000000000'], [-(2n ** 64n) - 1n, 'c349010000000000000000'],
  ['', '60'], ['é水🌊', '69c3a9e6b0b4f09f8c8a'], ['\ud800', '63efbfbd'], [null, 'f6'], [undefined, 'f7'], [true, 'f5'], [false, 'f4'],
  [[], '80'], [[1, [2, 3]], '8201820203'], [{}, 'a0'], [{ a: 1, b: [null] }, 'a2616101616281f6'], [new Map([[-1, 'x']]), 'a1206178'],
  [Uint8Array.of(1, 2, 3), '43010203'], [new ArrayBuffer(2), '420000'], [Float64Array.of(1), 'd85648000000000000f03f'],
  [new Date(1363896240000), 'c11a514b67b0'], [new Date(0), 'c074313937302d30312d30315430303a30303a30305a', { dates: 'text' }],
  [new Set([1]), 'd9010281' + '01'], [new URL('http://a/'), 'd82069687474703a2f2f612f'], [new Tagged(1, 2), 'c102'], [new Simple(99), 'f863'],
  [new EncodedCbor(bytesOf('8101')), '8101'], [{ b: 1, a: 2 }, 'a2616102616201', { mode: 'deterministic' }],
  [{ aa: 1, b: 2 }, 'a261620262616101', { mode: 'canonical' }],
];

/** Long enough for every way that strings and numbers may take, checked against a plain encoder. */
function checkLong() {
  const head = (major, n) => hexOf(n < 24 ? [major << 5 | n] : n < 256 ? [major << 5 | 24, n] : [major << 5 | 25, n >> 8, n & 255]);
  const text = (s) => {
    const bytes = new TextEncoder().encode(s);
    return head(3, bytes.length) + hexOf(bytes);
  };
  const strings = Array.from({ length: 400 }, (_, i) => 'aé水🌊'.repeat(i % 50) + 'x'.repeat(i));
  equal(hex(strings), head(4, 400) + strings.map(text).join(''));
  const records = Array.from({ length: 300 }, (_, i) => ({ id: i, name: `n${i}`, on: i % 2 === 0 }));
  const record = ({ id, name, on }) => `a3${text('id')}${head(0, id)}${text('name')}${text(name)}${text('on')}${on ? 'f5' : 'f4'}`;
  equal(hex(records), head(4, 300) + records.map(record).join(''));
  const doubles = Array.from({ length: 1000 }, (_, i) => i + 0.1);
  const view = new DataView(new ArrayBuffer(8));
  const double = (x) => (view.setFloat64(0, x), `fb${hexOf(new Uint8Array(view.buffer))}`);
  equal(hex(doubles), head(4, 1000) + doubles.map(double).join(''));
}

export const encodeCases = [
  ...VALUES.map(([value, expected, options]) => [`encode ${expected}`, () => equal(hex(value, options), expected)]),
  ...modeRows(modeTable).filter(({ value, error }) => value !== undefined && error === undefined)
    .map((row) => [`encode ${row.id}`, () => equal(hex(valueOf(row.value), { mode: row.mode }), row.hex)]),
  ['encode long documents', checkLong],
  ['encode crosses once', () => {
    for (let i = 0; i < 5; i++) encode({ a: 1 }); // at first its keys are told to the module
    stats.reset();
    encode({ a: 1 });
    equal(stats().crossings, 1);
  }],
  ['encodeSequence', () => equal(hexOf(encodeSequence([1, 'a', []])), '01616180')],
  ['encodeInto', () => {
    const target = new Uint8Array(4);
    equal(new Encoder().encodeInto([1, 2], target), 3);
    equal(hexOf(target), '82010200');
  }],
  ['a function is refused, with its path', async () => {
    const error = await errorOf(() => encode({ a: [() => {}] }));
    equal(error instanceof CborError, true);
    equal([error.code, error.path], ['ERR_CBOR_UNSUPPORTED_VALUE', '$.a[0]']);
  }],
  ['a cycle ends', async () => {
    const cycle = [];
    cycle.push(cycle);
    equal((await errorOf(() => encode(cycle))).code, 'ERR_CBOR_DEPTH_EXCEEDED');
    equal(hex(1), '01');
  }],
  ['an unknown option is refused', async () => equal((await errorOf(() => encode(1, { mood: 'lax' }))).code, 'ERR_CBOR_UNKNOWN_OPTION')],
];
