// decode and its like: what encode writes comes back, and bytes that are not valid are refused with their place.
import { CborError, Decoder, Simple, Tagged, decode, decodeFirst, decodeSequence, encode } from 'wcbor';
import { bytesOf, hexOf } from '../../hex.js';
import { modeRows, valueOf } from '../../vectors/mode-rows.js';
import modeTable from '../../vectors/mode-vectors.json';
import { equal, errorOf } from '../assert.js';

const read = (hex, options) => decode(bytesOf(hex), options);

/** [hex, value] */
const ITEMS = [
  ['00', 0], ['1818', 24], ['1a000f4240', 1000000], ['1b000000e8d4a51000', 1000000000000], ['1bffffffffffffffff', 2n ** 64n - 1n],
  ['c249010000000000000000', 2n ** 64n], ['3bffffffffffffffff', -(2n ** 64n)], ['20', -1], ['3903e7', -1000], ['f98000', -0], ['f90001', 2 ** -24],
  ['f93e00', 1.5], ['fa47c35000', 100000], ['fb3ff199999999999a', 1.1], ['f97c00', Infinity], ['f97e00', NaN], ['fbfff0000000000000', -Infinity],
  ['f4', false], ['f5', true], ['f6', null], ['f7', undefined], ['f0', new Simple(16)], ['f8ff', new Simple(255)], ['c11a514b67b0', new Date(1363896240000)],
  ['4401020304', Uint8Array.of(1, 2, 3, 4)], ['60', ''], ['62c3bc', 'ü'], ['63e6b0b4', '水'], ['64f0908591', '\u{10151}'], ['80', []], ['8201820203', [1, [2, 3]]],
  ['a0', {}], ['a201020304', new Map([[1, 2], [3, 4]])], ['a26161016162820203', { a: 1, b: [2, 3] }], ['5f42010243030405ff', Uint8Array.of(1, 2, 3, 4, 5)],
  ['7f657374726561646d696e67ff', 'streaming'], ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]], ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
  ['d9c35001', new Tagged(50000, 1)], ['a1695f5f70726f746f5f5f01', JSON.parse('{"__proto__":1}')],
];

/** [hex, code, offset] */
const FAULTS = [
  ['', 'UNEXPECTED_END', 0], ['9f01', 'UNEXPECTED_END', 2], ['1c', 'INVALID_INTEGER_ENCODING', 0], ['ff', 'UNEXPECTED_BREAK', 0], ['fc', 'RESERVED_SIMPLE_VALUE', 0],
  ['61ff', 'INVALID_UTF8', 0], ['a2616101616102', 'DUPLICATE_KEY', 4], ['0101', 'TRAILING_BYTES', 1], ['5f01ff', 'STRING_CHUNK_INVALID', 1], ['9b7fffffffffffffff', 'LENGTH_EXCEEDS_BUFFER', 0],
  ['bf01ff', 'KEY_WITHOUT_VALUE', 2], ['9fc1ff', 'TAG_WITHOUT_VALUE', 2], [`${'81'.repeat(1001)}01`, 'DEPTH_EXCEEDED'],
];

function checkRoundTrips() {
  const strings = Array.from({ length: 500 }, (_, i) => 'aé水🌊'.repeat(i % 40) + 'x'.repeat(i % 70));
  const records = Array.from({ length: 300 }, (_, i) => ({ id: i, name: `n${i}`, tags: ['a', 'ü'], at: i / 3, on: i % 2 === 0, more: { deep: [null, i] } }));
  const numbers = Array.from({ length: 2000 }, (_, i) => (i % 3 === 0 ? i * 7919 : i / 7));
  for (const value of [strings, records, numbers, { strings, records, numbers }]) equal(decode(encode(value)), value);
}

export const decodeCases = [
  ...ITEMS.map(([hex, value]) => [`decode ${hex}`, () => equal(read(hex), value)]),
  ...FAULTS.map(([hex, code, offset]) => [`decode ${hex.slice(0, 20)} is ${code}`, async () => {
    const error = await errorOf(() => read(hex));
    equal(error instanceof CborError, true, String(error));
    equal(error.code, `ERR_CBOR_${code}`);
    if (offset !== undefined) equal(error.offset, offset);
  }]),
  ...modeRows(modeTable).filter(({ value, error, mode }) => value !== undefined && error === undefined && mode !== 'ctap2')
    .map((row) => [`decode ${row.id}`, () => equal(hexOf(encode(decode(bytesOf(row.hex), { mode: row.mode }), { mode: row.mode })), row.hex)]),
  ['decode what encode makes of long documents', checkRoundTrips],
  ['every truncation is told', async () => {
    const bytes = encode({ a: [1, 2.5, 'abc', Uint8Array.of(1)], b: new Map([[1, 'x'.repeat(300)]]) });
    for (let length = 0; length < bytes.length; length++) equal((await errorOf(() => decode(bytes.subarray(0, length)))).incomplete, true);
  }],
  ['decodeFirst and decodeSequence', () => {
    equal(decodeFirst(bytesOf('820102ff')), { value: [1, 2], bytesRead: 3 });
    equal(decodeSequence(bytesOf('01616180')), [1, 'a', []]);
    equal(new Decoder({ maps: 'map' }).decode(bytesOf('a1616101')), new Map([['a', 1]]));
  }],
  ['views are honoured', () => {
    const whole = bytesOf('ffff8101ffff');
    equal(decode(whole.subarray(2, 4)), [1]);
    equal(decode(new DataView(whole.buffer, 2, 2)), [1]);
  }],
  ['an object of valueOf comes back', () => equal(decode(encode(valueOf({ object: [['a', 1], ['b', { bytes: '0102' }]] }))), { a: 1, b: Uint8Array.of(1, 2) })],
];
