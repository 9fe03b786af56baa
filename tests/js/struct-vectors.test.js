// The rows of cbor-gen's generated types: decoded, and encoded again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CborError } from '../../js/index.js';
import { benchValues, TYPES } from './cbor-gen-types.js';

const rows = JSON.parse(readFileSync(new URL('../vectors/cbor-gen-vectors.json', import.meta.url), 'utf8'));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (array) => Buffer.from(array).toString('hex');

/** What cbor-gen's names for faults are here. A document is checked as a whole first, so that one that is cut, or whose counts it cannot hold, says so. */
const CUT = ['UNEXPECTED_END', 'LENGTH_EXCEEDS_BUFFER'];
const CODES = {
  EOF: CUT,
  UNEXPECTED_EOF: CUT,
  WRONG_TYPE: ['TYPE_MISMATCH', ...CUT],
  BAD_BOOL: ['TYPE_MISMATCH'],
  BAD_BIGNUM: ['TYPE_MISMATCH'],
  WRONG_COUNT: ['WRONG_COUNT', ...CUT],
  TOO_LONG: ['LIMIT_EXCEEDED', ...CUT],
  OVERFLOW: ['OVERFLOW'],
  NEGATIVE_BIGNUM: ['TYPE_MISMATCH'],
};

/** Rows that differ, and why. */
const DIFFERENT = {
  g0287: 'a field with a constant value: there is no such thing here',
  g0344: 'what stands under an unknown key is well-formed, and that is all that is asked of it (in mode dag-cbor its links are checked)',
  g0314: 'zero is an integer here, not a bignum without bytes',
  g0315: 'likewise',
  g0313: 'a bignum that fits an integer is one when it is written',
  g0347: 'the recommended value: a second empty byte string replaces the first',
  g0368: 'the keys of maps are sorted as everywhere, by their encoded bytes: shorter ones first',
  g0319: 'integers are taken for bigints',
  g0360: 'a key that is no text is unknown, and skipped',
  g0316: 'negative bignums are taken',
};

let count = 0;
for (const { id, src, type: name, hex: input, expect, recommended } of rows.filter(({ fn }) => fn === 'type')) {
  const type = TYPES[name];
  if (type === undefined || id in DIFFERENT) continue;
  count++;
  test(`${id} ${name}: ${src}`, () => {
    const expected = { ...expect, ...recommended };
    if (recommended?.error !== undefined || (!expect.ok && recommended?.val === undefined)) {
      assert.throws(() => type.decode(bytes(input)), (error) => {
        assert(error instanceof CborError, String(error));
        assert(CODES[expected.error].includes(error.code.slice('ERR_CBOR_'.length)), `${error.code} for ${expected.error}`);
        return true;
      });
      return;
    }
    // A row's bytes may go on behind the item.
    const value = type.decode(bytes(input).subarray(0, expect.consumed));
    assert.equal(hex(type.encode(value)), expected.val === 'same' ? input : expected.val);
  });
}
test('most rows have a type here', () => assert(count >= 60, String(count)));

test('rows that differ', () => {
  const { BigIntContainer, NeedScratchForMap, RenamedFields } = TYPES;
  assert.deepEqual(BigIntContainer.decode(bytes('8101')), { Int: 1n });
  assert.deepEqual(NeedScratchForMap.decode(bytes('a10100')), { Thing: false });
  assert.deepEqual(BigIntContainer.decode(bytes('81c240')), { Int: 0n });
  assert.deepEqual(BigIntContainer.decode(bytes('81c24100')), { Int: 0n });
  assert.deepEqual(BigIntContainer.decode(bytes('81c340')), { Int: -1n });
  assert.deepEqual(BigIntContainer.decode(bytes('81c243010203')), { Int: 0x010203n });
  assert.equal(hex(BigIntContainer.encode({ Int: 0x010203n })), '811a00010203');
  assert.deepEqual(RenamedFields.decode(bytes('a16161d82a420002')), { Foo: 0, Bar: '' });
});

for (const { name, seed, type, value, bytes: encoded } of benchValues()) {
  test(`${name} ${seed}: the value that was encoded`, () => assert.deepEqual(type.decode(encoded), value));
}
