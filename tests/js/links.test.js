// scanLinks: the rows of cbor-gen's link scan, and random documents whose links are known.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { CborError, encode, scanLinks, Tagged } from '../../js/index.js';

const rows = JSON.parse(readFileSync(new URL('../vectors/cbor-gen-vectors.json', import.meta.url), 'utf8'));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (array) => Buffer.from(array).toString('hex');

// What cbor-gen's names for faults are here. It knows neither longer heads nor indefinite lengths; any well-formed document is
// taken here, and a CID may be of any length.
const CODES = {
  UNEXPECTED_EOF: ['ERR_CBOR_UNEXPECTED_END', 'ERR_CBOR_LENGTH_EXCEEDS_BUFFER'],
  CID_INVALID: ['ERR_CBOR_INVALID_CID'],
  CID_EMPTY: ['ERR_CBOR_INVALID_CID'],
  CID_PREFIX: ['ERR_CBOR_INVALID_CID'],
  WRONG_TYPE: ['ERR_CBOR_INVALID_CID'],
  TOO_LONG: ['ERR_CBOR_LENGTH_EXCEEDS_BUFFER', 'ERR_CBOR_INVALID_CID'],
};
const TAKEN = new Set(['NON_MINIMAL', 'BAD_HEADER']);

const scans = rows.filter(({ fn }) => fn === 'links');
test('the rows are there', () => assert.equal(scans.length, 18));
for (const { id, src, hex: input, expect, recommended } of scans) {
  test(`${id} ${src}`, () => {
    const error = recommended?.error ?? expect.error;
    if (error === undefined) return assert.deepEqual(scanLinks(bytes(input)).map(hex), expect.links);
    if (TAKEN.has(error)) return assert.deepEqual(scanLinks(bytes(input)), []);
    assert.throws(() => scanLinks(bytes(input)), (thrown) => {
      assert(thrown instanceof CborError);
      assert(CODES[error].includes(thrown.code), `${thrown.code} for ${error}`);
      return true;
    });
  });
}

test('what is behind the item is an error, at its offset', () => {
  assert.throws(() => scanLinks(bytes('0001')), { code: 'ERR_CBOR_TRAILING_BYTES', offset: 1 });
});

test('views are taken as they are, and results are of their own', () => {
  const buffer = bytes('ffd82a450001550000ff').buffer;
  const view = new Uint8Array(buffer, 1, 8);
  const [cid] = scanLinks(view);
  view.fill(0);
  encode('something else, of more bytes than the link');
  assert.equal(hex(cid), '01550000');
  assert.throws(() => scanLinks('d82a'), { name: 'TypeError', code: 'ERR_CBOR_ARGUMENT_TYPE' });
});

test('every link of random documents, in order', () => {
  const cid = fc.uint8Array({ minLength: 0, maxLength: 30 }).map((digest) => Uint8Array.of(1, 0x55, 0, digest.length, ...digest));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.integer(), fc.string(), fc.double(), fc.boolean(), cid,
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  }));
  fc.assert(
    fc.property(value, (document) => {
      const expected = [];
      const link = (part) => {
        if (part instanceof Uint8Array) {
          expected.push(hex(part));
          return new Tagged(42, Uint8Array.of(0, ...part));
        }
        if (Array.isArray(part)) return part.map(link);
        if (part !== null && typeof part === 'object') return new Map(Object.entries(part).map(([key, item]) => [key, link(item)]));
        return part;
      };
      const linked = link(document);
      assert.deepEqual(scanLinks(encode(linked)).map(hex), expected);
    }),
  );
});

test('100,000 links', () => {
  const link = new Tagged(42, bytes('0001550000'));
  const links = scanLinks(encode(new Array(100_000).fill(link)));
  assert.equal(links.length, 100_000);
  assert.equal(hex(links[99_999]), '01550000');
});
