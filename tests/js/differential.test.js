// Random sequences of calls, a third of them misuse, through CborWriter: what must come of each call is worked out by
// the reference writer (tests/reference), which `differential --dump` (tests/fuzz) runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CborError, CborWriter } from 'wcbor';
import { bytesOf, floatOf, hexOf } from './calls.js';

const CALLS = 20000;
const SEEDS = [1, 20261130];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The sequences of a seed, as differential.c describes them. */
function sequencesOf(seed) {
  const cmake = (...args) => execFileSync('cmake', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (!existsSync(`${root}build/native/CMakeCache.txt`)) cmake('--preset', 'native');
  cmake('--build', '--preset', 'native', '--target', 'differential');
  const lines = execFileSync(`${root}build/native/tests/fuzz/differential`, ['--dump', String(CALLS), String(seed)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return lines.trimEnd().split('\n').map((line) => JSON.parse(line));
}

/** A number where it is exact, else a bigint; in every other call a bigint all the same. */
function integerOf(value, preferBigint) {
  const isSafe = value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
  return isSafe && !preferBigint ? Number(value) : value;
}

const magnitudeOf = (negative, hex) => {
  const n = BigInt(`0x0${hex}`);
  return negative ? -1n - n : n;
};

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Ill-formed UTF-8 is what a TextDecoder makes of it in lax; elsewhere an unpaired surrogate stands in for it. */
function textOf(hex, mode) {
  if (hex === null) return null;
  const text = utf8.decode(bytesOf(hex));
  return mode !== 'lax' && hexOf(Buffer.from(text)) !== hex ? `${text}\ud83d` : text;
}

/** What each call of a dump does. `n`: its number; `flag`, `hex`: its flag and its bytes. */
const RUN = {
  int: (w, { n, i }) => w.writeInt64(integerOf(BigInt.asIntN(64, n), i % 2 === 1)),
  uint: (w, { n, i }) => w.writeUint64(integerOf(n, i % 2 === 1)),
  nint: (w, { n, i }) => w.writeNegativeIntegerRepresentation(integerOf(n, i % 2 === 1)),
  bytes: (w, { hex }) => w.writeByteString(hex === null ? null : bytesOf(hex)),
  text: (w, { hex, mode }) => w.writeTextString(textOf(hex, mode)),
  textInvalid: (w) => w.writeTextString('\udc00'),
  half: (w, { digits }) => w.writeHalf(floatOf(digits.padStart(4, '0'))),
  single: (w, { digits }) => w.writeSingle(floatOf(digits.padStart(8, '0'))),
  double: (w, { digits }) => w.writeDouble(floatOf(digits.padStart(16, '0'))),
  bool: (w, { n }) => w.writeBoolean(n === 1n),
  null: (w) => w.writeNull(),
  undefined: (w) => w.writeUndefined(),
  simple: (w, { n }) => w.writeSimpleValue(Number(n)),
  tag: (w, { n, i }) => w.writeTag(integerOf(n, i % 2 === 1)),
  startArray: (w, { n }) => w.writeStartArray(Number(n)),
  startMap: (w, { n }) => w.writeStartMap(Number(n)),
  startIndefiniteArray: (w) => w.writeStartArray(null),
  startIndefiniteMap: (w) => w.writeStartMap(null),
  startBytes: (w) => w.writeStartIndefiniteLengthByteString(),
  startText: (w) => w.writeStartIndefiniteLengthTextString(),
  endArray: (w) => w.writeEndArray(),
  endMap: (w) => w.writeEndMap(),
  endBytes: (w) => w.writeEndIndefiniteLengthByteString(),
  endText: (w) => w.writeEndIndefiniteLengthTextString(),
  encoded: (w, { hex }) => w.writeEncodedValue(hex === null ? null : bytesOf(hex)),
  dateTime: (w, { hex }) => w.writeDateTime(utf8.decode(bytesOf(hex))),
  unixTime: (w, { n }) => w.writeUnixTime(Number(n)),
  unixTimeDouble: (w, { digits }) => w.writeUnixTime(floatOf(digits.padStart(16, '0'))),
  bigInt: (w, { flag, hex }) => w.writeBigInteger(magnitudeOf(flag, hex)),
  decimal: (w, { n, flag, hex }) => w.writeDecimal(magnitudeOf(flag, hex), integerOf(BigInt.asIntN(64, n), false)),
};

/** Calls that take a result, which are no writes: they flush, and are not counted. */
const TAKE = {
  reset: (w) => w.reset(),
  encode: (w) => void w.encode(),
  encodeTo(w, { n }) {
    if (w.tryEncode(new Uint8Array(Number(n))) < 0) throw new CborError('DEST_TOO_SMALL');
  },
};

/** Calls behind a failing one: some that would take effect, and the same again. */
const JUNK = [(w) => w.writeNull(), (w, name, call) => RUN[name](w, call), (w) => w.writeTextString('junk \u00e9')];

/** Refusals of arguments, which are thrown at the call and do not count as one. */
const isRefusal = (error) => error instanceof TypeError || error instanceof RangeError;

function attempt(action) {
  try {
    action();
  } catch (error) {
    if (!error.code?.startsWith('ERR_CBOR_')) throw error;
    return error;
  }
  return null;
}

function observe(writer) {
  return [writer.bytesWritten, writer.currentDepth, Number(writer.isWriteCompleted)];
}

function replay(sequence, batch) {
  const { mode, convert, multipleRoots, maxDepth, calls, hex } = sequence;
  const options = { convertIndefiniteLengths: convert, allowMultipleRoots: multipleRoots, maxDepth, batch };
  const writer = new CborWriter({ mode, ...options });
  let index = 0;
  for (const [i, [name, digits, flag, bytes, status, ...state]] of calls.entries()) {
    const call = { digits, n: BigInt(`0x${digits}`), flag, hex: bytes, mode, i };
    /** Told only when it is wanted: the calls of a sequence are many. */
    const same = (actual, expected) => {
      if (String(actual) === String(expected)) return;
      assert.deepEqual(actual, expected, `${mode}, batch ${batch}, call ${i}: ${actual}, not ${expected}; `
        + JSON.stringify({ ...sequence, calls: calls.slice(0, i + 1) }));
    };
    const isTaken = Object.hasOwn(TAKE, name);
    let error = attempt(() => (isTaken ? TAKE : RUN)[name](writer, call));
    const refused = error !== null && isRefusal(error);
    // A call that fails shows when the gathered ones are run; those behind it are dropped then, and count.
    const failed = index;
    if (error === null && status !== 'OK') {
      const junk = batch ? JUNK.slice(0, (i + calls.length) % (JUNK.length + 1)) : [];
      for (const make of junk) {
        index++;
        error = attempt(() => make(writer, name, call));
        if (error !== null) break;
      }
      error ??= attempt(() => writer.flush());
    }
    same(error === null ? 'OK' : error.code.slice('ERR_CBOR_'.length), status);
    if (error !== null && !isTaken && !refused) same(error.callIndex, failed);
    // What the state is matters after each failure; after what goes well a look now and then leaves calls to gather.
    if (status !== 'OK' || !batch || i % 13 === 0) same(observe(writer), state);
    if (name === 'reset') index = 0;
    else if (!isTaken && !refused) index++;
  }
  if (hex !== null) assert.equal(hexOf(writer.encode()), hex);
  writer.dispose();
}

for (const seed of SEEDS) {
  const sequences = sequencesOf(seed);
  for (const batch of [true, false]) {
    test(`random calls of seed ${seed}, ${batch ? 'gathered' : 'one by one'}`, () => {
      for (const sequence of sequences) replay(sequence, batch);
    });
  }
}
