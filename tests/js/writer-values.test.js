// What CborWriter makes of times, bignums and decimals, and of text in dcbor, gathered and one call at a time.
import assert from 'node:assert/strict';
import { bytesOf, hexOf } from './calls.js';
import { each, failureOf } from './writer-checks.js';

const int = (value) => (writer) => writer.writeInt32(value);
const text = (value) => (writer) => writer.writeTextString(value);

/** What one call comes to in a writer of its own: hex, or a code. */
function outcomeOf(make, options, call) {
  const writer = make(options);
  const { error } = failureOf(writer, [call]);
  const outcome = error === undefined ? hexOf(writer.encode()) : error.code.slice('ERR_CBOR_'.length);
  writer.dispose();
  return outcome;
}

/** A head by the book, for lengths up to 65535. */
function headHex(major, length) {
  if (length < 24) return (major + length).toString(16);
  return (major + (length < 256 ? 24 : 25)).toString(16) + length.toString(16).padStart(length < 256 ? 2 : 4, '0');
}

function textHex(value) {
  const bytes = Buffer.from(value);
  return headHex(0x60, bytes.length) + hexOf(bytes);
}

each('writeDateTime', (make) => {
  const start = '2020-02-29T23:59:59.';
  const units256 = `${start}${'1'.repeat(256 - start.length - 1)}Z`;
  const valid = ['2020-01-01T00:00:00Z', '2013-03-21T20:04:00.5+01:30', '1985-04-12T23:20:50.52-23:59', units256];
  for (const value of valid) assert.equal(outcomeOf(make, {}, (w) => w.writeDateTime(value)), `c0${textHex(value)}`, value);
  const invalid = ['', 'now', '2020-01-01', '2020-01-01T00:00:00', '2020-01-01 00:00:00Z', '2020-01-01T00:00:00.Z', '2020-1-01T00:00:00Z',
    '2020-13-01T00:00:00Z', '2020-01-01T24:00:00Z', '2020-01-01T00:00:00+01', '2020-01-01T00:00:00Z ', '2020-01-01T00:00:00Z\0',
    '２020-01-01T00:00:00Z', '2020-01-01T00:00:00\ud800', units256.replace('Z', '1Z'), 'é'.repeat(256), 'é'.repeat(257), 'long'.repeat(9999)];
  for (const value of invalid) {
    assert.equal(outcomeOf(make, {}, (w) => w.writeDateTime(value)), 'INVALID_DATETIME', value.slice(0, 40));
  }
  for (const [ms, value] of [[0, '1970-01-01T00:00:00Z'], [500, '1970-01-01T00:00:00.5Z'], [120, '1970-01-01T00:00:00.12Z'],
    [7, '1970-01-01T00:00:00.007Z'], [-1, '1969-12-31T23:59:59.999Z'], [600000, '1970-01-01T00:10:00Z'],
    [Date.UTC(9999, 11, 31), '9999-12-31T00:00:00Z'], [-62167219200000, '0000-01-01T00:00:00Z']]) {
    assert.equal(outcomeOf(make, {}, (w) => w.writeDateTime(new Date(ms))), `c0${textHex(value)}`);
  }
  // Years that RFC 3339 does not have.
  for (const ms of [Date.UTC(10000, 0), -62167219200001, 8.64e15]) {
    assert.equal(outcomeOf(make, {}, (w) => w.writeDateTime(new Date(ms))), 'INVALID_DATETIME');
  }
  assert.equal(outcomeOf(make, { mode: 'ctap2' }, (w) => w.writeDateTime(new Date(0))), 'TAGS_NOT_ALLOWED');
  assert.equal(outcomeOf(make, { mode: 'dag-cbor' }, (w) => w.writeDateTime(new Date(0))), 'TAG_NOT_ALLOWED');
});

each('writeUnixTime', (make) => {
  for (const [value, hex] of [
    [0, 'c100'], [-0, 'c100'], [1, 'c101'], [-1, 'c120'], [1.5, 'c1f93e00'], [-0.5, 'c1f9b800'], [0.1, 'c1fb3fb999999999999a'],
    [1363896240, 'c11a514b67b0'], [2 ** 53, 'c11b0020000000000000'], [-(2 ** 63), 'c13b7fffffffffffffff'],
    [new Date(0), 'c100'], [new Date(-0), 'c100'], [new Date(1000), 'c101'], [new Date(1500), 'c1f93e00'], [new Date(-500), 'c1f9b800'],
  ]) {
    assert.equal(outcomeOf(make, {}, (w) => w.writeUnixTime(value)), hex, String(value));
  }
  for (const value of [2 ** 63, 2 ** 64, -(2 ** 65), 1e300, -1e300, Number.MAX_VALUE]) {
    const double = outcomeOf(make, {}, (w) => w.writeDouble(value));
    assert.equal(outcomeOf(make, {}, (w) => w.writeUnixTime(value)), `c1${double}`, String(value));
  }
  assert.equal(outcomeOf(make, { mode: 'ctap2' }, (w) => w.writeUnixTime(0)), 'TAGS_NOT_ALLOWED');
});

each('integers and -0', (make) => {
  for (const name of ['writeInt32', 'writeUint32', 'writeInt64', 'writeUint64']) assert.equal(outcomeOf(make, {}, (w) => w[name](-0)), '00');
  assert.equal(outcomeOf(make, {}, (w) => w.writeNegativeIntegerRepresentation(-0)), '20');
  assert.equal(outcomeOf(make, {}, (w) => w.writeNegativeIntegerRepresentation(2n ** 64n - 1n)), '3bffffffffffffffff');
  assert.equal(outcomeOf(make, {}, (w) => w.writeInt64(-(2n ** 63n))), '3b7fffffffffffffff');
  assert.equal(outcomeOf(make, {}, (w) => w.writeUint64(5n)), '05');
});

/** The bytes of a bignum, by the book. */
function bignumHex(value) {
  const hex = (value < 0n ? -1n - value : value).toString(16);
  const even = hex.length % 2 ? `0${hex}` : hex;
  return `${value < 0n ? 'c3' : 'c2'}${headHex(0x40, even.length / 2)}${even}`;
}

each('writeBigInteger', (make) => {
  for (const value of [0n, 1n, -1n, 255n, 256n, -256n, -257n, 2n ** 64n - 1n, 2n ** 64n, -(2n ** 64n), -(2n ** 64n) - 1n]) {
    assert.equal(outcomeOf(make, {}, (w) => w.writeBigInteger(value)), bignumHex(value), String(value));
  }
  const short = (value) => outcomeOf(make, { mode: 'deterministic' }, (w) => w.writeBigInteger(value));
  assert.deepEqual([0n, -1n, 2n ** 64n - 1n, -(2n ** 64n), 2n ** 64n].map(short),
    ['00', '20', '1bffffffffffffffff', '3bffffffffffffffff', 'c249010000000000000000']);
  // Around what fits the command buffer.
  for (const nbytes of [2047, 2048, 2049, 2050, 3000, 4096, 5000]) {
    for (const value of [(1n << BigInt(8 * nbytes)) - 1n, 1n << BigInt(8 * nbytes - 8), -(1n << BigInt(8 * nbytes - 1)) - 5n]) {
      for (const mode of ['lax', 'strict', 'dcbor']) {
        assert.equal(outcomeOf(make, { mode }, (w) => w.writeBigInteger(value)), bignumHex(value), `${nbytes} bytes in ${mode}`);
      }
      const writer = make({});
      writer.writeStartMap(1);
      writer.writeTextString('n');
      writer.writeBigInteger(value);
      writer.writeEndMap();
      assert.equal(hexOf(writer.encode()), `a1616e${bignumHex(value)}`);
    }
  }
});

each('writeDecimal', (make) => {
  for (const [mantissa, exponent, hex] of [
    [27315, -2, 'c48221196ab3'], [0, 0, 'c4820000'], [-1, 3, 'c4820320'], [5n, -1n, 'c4822005'], [-0, -0, 'c4820000'],
    [2n ** 64n - 1n, 0, 'c482001bffffffffffffffff'], [-(2n ** 64n), 0, 'c48200c348ffffffffffffffff'], [2n ** 64n, 0, 'c48200c249010000000000000000'],
    [1, 2n ** 63n - 1n, 'c4821b7fffffffffffffff01'], [1, -(2n ** 63n), 'c4823b7fffffffffffffff01'],
    [(1n << 16384n) - 1n, 1, `c48201c2590800${'ff'.repeat(2048)}`],
  ]) {
    assert.equal(outcomeOf(make, {}, (w) => w.writeDecimal(mantissa, exponent)), hex, `${mantissa}e${exponent}`);
  }
  assert.equal(outcomeOf(make, { mode: 'deterministic' }, (w) => w.writeDecimal(-(2n ** 64n), 0)), 'c482003bffffffffffffffff');
  assert.equal(outcomeOf(make, { mode: 'ctap2' }, (w) => w.writeDecimal(1, 1)), 'TAGS_NOT_ALLOWED');
});

// ------------------------------------------------------------------------------------------------------ text in dcbor

const DECOMPOSED = 'e\u0301';
const PADDING = 'p'.repeat(30);

each('dcbor: text and keys are put into NFC', (make) => {
  const dcbor = { mode: 'dcbor', convertIndefiniteLengths: true };
  assert.equal(outcomeOf(make, dcbor, text(DECOMPOSED)), '62c3a9');
  assert.equal(outcomeOf(make, dcbor, text(PADDING + DECOMPOSED)), `7820${'70'.repeat(30)}c3a9`);
  assert.equal(outcomeOf(make, dcbor, text('\u1100\u1161')), '63eab080');
  assert.equal(outcomeOf(make, dcbor, text(`${DECOMPOSED}\ud800`)), 'INVALID_TEXT');
  const long = DECOMPOSED.repeat(20000);
  assert.equal(outcomeOf(make, dcbor, text(long)), `799c40${'c3a9'.repeat(20000)}`);
  for (const mode of ['lax', 'strict', 'deterministic']) assert.equal(outcomeOf(make, { mode }, text(DECOMPOSED)), '6365cc81');
  for (const [first, again] of [[DECOMPOSED, 'é'], ['é', DECOMPOSED], [PADDING + DECOMPOSED, `${PADDING}é`]]) {
    const writer = make(dcbor);
    const { error } = failureOf(writer, [(w) => w.writeStartMap(null), text(first), int(1), text(again), int(2)]);
    assert.equal(error.code, 'ERR_CBOR_DUPLICATE_KEY');
    assert.equal(error.callIndex, 3);
  }
});

each('dcbor: chunks must be in NFC together', (make) => {
  const start = (w) => w.writeStartIndefiniteLengthTextString();
  const end = (w) => w.writeEndIndefiniteLengthTextString();
  const dcbor = { mode: 'dcbor', convertIndefiniteLengths: true };
  for (const [good, bad, next] of [
    [['e'], '\u0301', 'x'], [[PADDING, 'e'], '\u0301', 'é'], [['a', 'e', '', ''], '\u0301', '\u1100'], [['\u1100'], '\u1161', 'é'],
    [['\uac00'], '\u11a8', 'é'], [['o\u0323'], '\u0302', 'x'],
  ]) {
    const writer = make(dcbor);
    // Refused however often it is tried, and another chunk may follow.
    for (const call of [start, ...good.map(text)]) call(writer);
    for (let i = 0; i < 3; i++) {
      const { error } = failureOf(writer, [text(bad)]);
      assert.equal(error?.code, 'ERR_CBOR_NOT_NFC', `${good} ${bad}`);
      assert.equal(error.callIndex, 1 + good.length + i);
    }
    text(next)(writer);
    end(writer);
    assert.equal(hexOf(writer.encode()), textHex(good.join('').normalize('NFC') + next));
  }
  // A string's beginning does not join what stands before the string.
  const writer = make(dcbor);
  for (const call of [(w) => w.writeStartArray(null), start, text('e'), end, start, text('\u0301'), end, text('e'), text('\u0301')]) call(writer);
  writer.writeEndArray();
  assert.equal(hexOf(writer.encode()), '846165' + '62cc81' + '6165' + '62cc81');
});

each('dcbor: encoded values must be in NFC', (make) => {
  const outcome = (hex) => outcomeOf(make, { mode: 'dcbor' }, (w) => w.writeEncodedValue(bytesOf(hex)));
  for (const hex of ['62c3a9', '8262c3a9626161', 'a162c3a901', 'c162c3a9', '4365cc81', '8143656565']) assert.equal(outcome(hex), hex);
  for (const hex of ['6365cc81', '816365cc81', 'a16365cc8101', 'a1016365cc81', 'd9d9f76365cc81']) {
    assert.equal(outcome(hex), 'INVALID_ENCODED_VALUE', hex);
  }
  const long = '6365cc81'.repeat(3000);
  assert.equal(outcome(`990bb8${long}`), 'INVALID_ENCODED_VALUE');
  assert.equal(outcomeOf(make, {}, (w) => w.writeEncodedValue(bytesOf(`990bb8${long}`))), `990bb8${long}`);
});
