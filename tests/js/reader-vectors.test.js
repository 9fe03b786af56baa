// Every row of the reader's vectors through CborReader, and every row of validate's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CborError, CborReader, validate } from 'wcbor';
import { bytesOf, hexOf, MODES } from './calls.js';

const table = (name) => JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'));
const rows = table('reader-vectors.json');
const documents = table('validate-vectors.json');

/** What the table calls InvalidOperation and Content is a CborError, as an overflow is; arguments are not. */
const ARGUMENT = new Set(['BUFFER_TOO_SHORT', 'LAX_ONLY']);

const bitsOf = (number, nbytes) => {
  if (Number.isNaN(number)) return 'nan';
  const view = new DataView(new ArrayBuffer(8));
  if (nbytes === 8) view.setFloat64(0, number);
  else view.setFloat32(0, number);
  return hexOf(new Uint8Array(view.buffer, 0, nbytes));
};

/** The bits of a half that is a number, through the single of the same value. */
function halfBits(number) {
  if (Number.isNaN(number)) return 'nan';
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, number);
  const single = view.getUint32(0), sign = (single >>> 16) & 0x8000, exponent = ((single >>> 23) & 0xff) - 112, fraction = (single >>> 13) & 0x3ff;
  let half;
  if (exponent >= 31) half = sign | 0x7c00;
  else if (exponent > 0) half = sign | (exponent << 10) | fraction;
  else half = sign | Math.round(Math.abs(number) * 2 ** 24);
  return half.toString(16).padStart(4, '0');
}

const stateName = (state) => state[0].toUpperCase() + state.slice(1);

/** A decimal fraction as .NET writes it. */
function decimalText({ mantissa, exponent }) {
  const digits = (mantissa < 0n ? -mantissa : mantissa).toString();
  const sign = mantissa < 0n ? '-' : '';
  if (mantissa === 0n) return '0';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** The table counts UTF-16 units, tryReadTextString counts bytes. */
function tryReadText(reader, units) {
  const target = new Uint8Array(1024);
  const nbytes = reader.tryReadTextString(target);
  return new TextDecoder().decode(target.subarray(0, nbytes));
}

function tryReadBytes(reader, nbytes) {
  const target = new Uint8Array(nbytes);
  const written = reader.tryReadByteString(target);
  return written < 0 ? null : hexOf(target.subarray(0, written));
}

const OPS = {
  readInt32: (reader) => reader.readInt32(),
  readInt64: (reader) => reader.readInt64(),
  readUInt32: (reader) => reader.readUint32(),
  readUInt64: (reader) => reader.readUint64(),
  readNint: (reader) => reader.readNegativeIntegerRepresentation(),
  readBytes: (reader) => hexOf(reader.readByteString()),
  tryReadBytes,
  readDefiniteBytes: (reader) => hexOf(reader.readDefiniteLengthByteString()),
  startBytes: (reader) => reader.readStartIndefiniteLengthByteString(),
  endBytes: (reader) => reader.readEndIndefiniteLengthByteString(),
  readText: (reader) => reader.readTextString(),
  tryReadText,
  readDefiniteText: (reader) => hexOf(reader.readDefiniteLengthTextStringBytes()),
  startText: (reader) => reader.readStartIndefiniteLengthTextString(),
  endText: (reader) => reader.readEndIndefiniteLengthTextString(),
  startArray: (reader) => reader.readStartArray(),
  endArray: (reader) => reader.readEndArray(),
  startMap: (reader) => reader.readStartMap(),
  endMap: (reader) => reader.readEndMap(),
  readTag: (reader) => reader.readTag(),
  peekTag: (reader) => reader.peekTag(),
  readHalf: (reader) => halfBits(reader.readHalf()),
  readSingle: (reader) => bitsOf(reader.readSingle(), 4),
  readDouble: (reader) => bitsOf(reader.readDouble(), 8),
  readBool: (reader) => reader.readBoolean(),
  readNull: (reader) => void assert.equal(reader.readNull(), null),
  readSimple: (reader) => reader.readSimpleValue(),
  readDateTime: (reader) => reader.readDateTime(),
  readUnixTime: (reader) => reader.readUnixTime(),
  readBigInt: (reader) => String(reader.readBigInteger()),
  readDecimal: (reader) => decimalText(reader.readDecimal()),
  skipValue: (reader, disable) => reader.skipValue(disable),
  trySkipValue: (reader, disable) => reader.trySkipValue(disable),
  skipToParent: (reader, disable) => reader.skipToParent(disable),
  trySkipToParent: (reader, disable) => reader.trySkipToParent(disable),
  readEncoded: (reader, disable) => hexOf(reader.readEncodedValue(disable)),
  peek: (reader) => stateName(reader.peekState()),
  depth: (reader) => reader.currentDepth,
  remaining: (reader) => reader.bytesRemaining,
  slide: (reader, hex, isFinal) => reader.slideData(bytesOf(hex), isFinal),
  reset: (reader, hex, isFinal) => reader.reset(bytesOf(hex), isFinal),
};

const STANDARD = {
  unsignedInteger: (reader) => ['uint', String(reader.readUint64())],
  negativeInteger: (reader) => ['nint', String(reader.readNegativeIntegerRepresentation())],
  byteString: (reader) => ['bytes', hexOf(reader.readByteString())],
  startIndefiniteLengthByteString: (reader) => ['startBytes', reader.readStartIndefiniteLengthByteString()],
  endIndefiniteLengthByteString: (reader) => ['endBytes', reader.readEndIndefiniteLengthByteString()],
  textString: (reader) => ['text', reader.readTextString()],
  startIndefiniteLengthTextString: (reader) => ['startText', reader.readStartIndefiniteLengthTextString()],
  endIndefiniteLengthTextString: (reader) => ['endText', reader.readEndIndefiniteLengthTextString()],
  startArray: (reader) => ['startArray', reader.readStartArray()],
  endArray: (reader) => ['endArray', reader.readEndArray()],
  startMap: (reader) => ['startMap', reader.readStartMap()],
  endMap: (reader) => ['endMap', reader.readEndMap()],
  tag: (reader) => ['tag', String(reader.readTag())],
  simpleValue: (reader) => ['simple', reader.readSimpleValue()],
  halfPrecisionFloat: (reader) => ['half', halfBits(reader.readHalf())],
  singlePrecisionFloat: (reader) => ['single', bitsOf(reader.readSingle(), 4)],
  doublePrecisionFloat: (reader) => ['double', bitsOf(reader.readDouble(), 8)],
  null: (reader) => (reader.readNull(), ['null']),
  boolean: (reader) => ['bool', reader.readBoolean()],
};

function codeOf(error) {
  if (!error.code?.startsWith('ERR_CBOR_')) throw error;
  const code = error.code.slice('ERR_CBOR_'.length);
  assert.equal(error instanceof CborError, !ARGUMENT.has(code));
  return code;
}

function makeReader(row) {
  return new CborReader(bytesOf(row.hex), {
    mode: MODES[row.mode], allowMultipleRoots: row.multipleRoots ?? false, maxDepth: row.maxDepth ?? 64, isFinalBlock: row.final ?? true,
  });
}

/** Reads on; what came of it is as the table says it. */
function walk(reader) {
  const tokens = [];
  for (;;) {
    let phase = 'peek';
    try {
      const state = reader.peekState();
      if (state === 'finished') return { tokens };
      if (state === 'needsMoreData') return { tokens, state: 'NeedsMoreData' };
      phase = 'read';
      tokens.push(STANDARD[state](reader).filter((part) => part !== undefined));
    } catch (error) {
      return { tokens, error: codeOf(error), phase };
    }
  }
}

function checkWalk(row, reader) {
  const { remaining, depth, class: _, ...expected } = row.expect;
  assert.deepEqual(walk(reader), expected);
}

/** A result as the table has it. Integers past the safe ones are strings there. */
function resultOf(name, reader, args) {
  try {
    const value = OPS[name](reader, ...args);
    return value === undefined ? ['ok'] : ['ok', typeof value === 'bigint' ? String(value) : value];
  } catch (error) {
    return ['err', codeOf(error)];
  }
}

function checkOps(row, reader) {
  for (const [index, [name, ...args]] of row.ops.entries()) {
    const [kind, value] = row.expect.results[index];
    // A row that counts units: a target that is too short for them is too short for bytes.
    if (name === 'tryReadText' && value === null) {
      assert.equal(reader.tryReadTextString(new Uint8Array(args[0])), -1);
      continue;
    }
    const found = resultOf(name, reader, args);
    if (name === 'readUnixTime' && kind === 'ok') {
      assert.equal(/^-?\d{1,15}$/.test(value) ? String(found[1]) : bitsOf(found[1], 8), value);
    } else if (name === 'readDecimal' && kind === 'ok') {
      assert.deepEqual(found, ['ok', value]);
    } else {
      assert.deepEqual(found, kind === 'err' ? [kind, value] : row.expect.results[index], `${index}: ${name}`);
    }
  }
}

test('the tables are whole', () => {
  assert.ok(rows.length > 600 && documents.length > 100);
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
});

for (const row of rows) {
  test(`${row.id} ${row.mode} ${row.src}`, () => {
    const reader = makeReader(row);
    if (row.kind === 'walk') checkWalk(row, reader);
    else checkOps(row, reader);
    assert.equal(reader.bytesRemaining, row.expect.remaining);
    assert.equal(reader.currentDepth, row.expect.depth);
    reader.dispose();
  });
}

test('validate: what is wrong, and where', () => {
  for (const { mode, sequence = false, hex, status, offset, missing } of documents) {
    const bytes = bytesOf(hex);
    const found = validate(bytes, { mode, allowMultipleRoots: sequence });
    const expected = status === 'OK' ? { ok: true, bytesRead: offset }
      : { ok: false, code: `ERR_CBOR_${status}`, offset, incomplete: missing !== undefined, missing };
    assert.deepEqual(found, expected, `${mode} ${hex}`);
    const reader = new CborReader(bytes, { mode, allowMultipleRoots: sequence });
    const { error } = walk(reader);
    assert.equal(error, status === 'OK' ? undefined : status, `${mode} ${hex}`);
    reader.dispose();
  }
});

test('what is cut short anywhere is told apart', () => {
  for (const row of rows) {
    const bytes = bytesOf(row.hex);
    const mode = MODES[row.mode];
    const whole = validate(bytes, { mode });
    if (!whole.ok) continue;
    for (let end = 0; end < whole.bytesRead; end++) {
      const found = validate(bytes.subarray(0, end), { mode });
      assert.ok(!found.ok && found.incomplete, `${row.id} ${end}`);
      assert.ok(found.missing >= 1 && found.missing <= whole.bytesRead - end && found.offset <= end);
      const reader = new CborReader(bytes.subarray(0, end), { mode });
      assert.throws(() => reader.skipValue(), { code: found.code, offset: found.offset, incomplete: true, missing: found.missing });
      assert.equal(reader.bytesRead, 0);
      reader.dispose();
    }
  }
});
