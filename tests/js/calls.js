// Drives a CborWriter by the calls of tests/vectors/writer-vectors.json.
import { CborError } from 'wcbor';
import { bytesOf, hexOf } from '../hex.js';

export { bytesOf, hexOf };

/** The modes by the names that the vectors have for them. */
export const MODES = { Lax: 'lax', Strict: 'strict', Canonical: 'canonical', Ctap2Canonical: 'ctap2' };

/** The number that has these bits, as half, single or double by their count. */
export function floatOf(hex) {
  const view = new DataView(bytesOf(hex).buffer);
  if (hex.length === 16) return view.getFloat64(0);
  if (hex.length === 8) return view.getFloat32(0);
  const bits = view.getUint16(0);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

const integerOf = (value) => (typeof value === 'string' ? BigInt(value) : value);
const unitsOf = (hex) => String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16)));

function decimal(writer, text) {
  const point = text.indexOf('.');
  writer.writeDecimal(BigInt(text.replace('.', '')), point < 0 ? 0 : point + 1 - text.length);
}

function unixTimeDouble(writer, seconds) {
  // A whole number of seconds becomes an integer in JavaScript; as a double it takes the calls one by one.
  if (!Number.isInteger(seconds)) return writer.writeUnixTime(seconds);
  writer.writeTag(1);
  writer.writeDouble(seconds);
}

function encodeTo(writer, capacity) {
  const target = new Uint8Array(capacity);
  if (writer.tryEncode(target) < 0) throw new CborError('DEST_TOO_SMALL');
}

const CALLS = {
  int: (w, value) => w.writeInt64(integerOf(value)),
  int32: (w, value) => w.writeInt32(value),
  uint: (w, value) => w.writeUint64(integerOf(value)),
  uint32: (w, value) => w.writeUint32(value),
  nint: (w, value) => w.writeNegativeIntegerRepresentation(integerOf(value)),
  bytes: (w, hex) => w.writeByteString(hex === null ? null : bytesOf(hex)),
  text: (w, text) => w.writeTextString(text),
  text16: (w, hex) => w.writeTextString(unitsOf(hex)),
  half: (w, bits) => w.writeHalf(floatOf(bits)),
  single: (w, bits) => w.writeSingle(floatOf(bits)),
  double: (w, bits) => w.writeDouble(floatOf(bits)),
  bool: (w, value) => w.writeBoolean(value),
  null: (w) => w.writeNull(),
  undefined: (w) => w.writeUndefined(),
  simple: (w, value) => w.writeSimpleValue(value),
  tag: (w, tag) => w.writeTag(integerOf(tag)),
  startArray: (w, count) => w.writeStartArray(count),
  endArray: (w) => w.writeEndArray(),
  startMap: (w, count) => w.writeStartMap(count),
  endMap: (w) => w.writeEndMap(),
  startBytes: (w) => w.writeStartIndefiniteLengthByteString(),
  endBytes: (w) => w.writeEndIndefiniteLengthByteString(),
  startText: (w) => w.writeStartIndefiniteLengthTextString(),
  endText: (w) => w.writeEndIndefiniteLengthTextString(),
  encoded: (w, hex) => w.writeEncodedValue(bytesOf(hex)),
  dateTime: (w, text) => w.writeDateTime(text),
  unixTime: (w, seconds) => w.writeUnixTime(seconds),
  unixTimeDouble: (w, bits) => unixTimeDouble(w, floatOf(bits)),
  bigInt: (w, text) => w.writeBigInteger(BigInt(text)),
  decimal,
  reset: (w) => w.reset(),
  encode: (w) => w.encode(),
  encodeTo,
  repeat(w, count, calls) {
    for (let i = 0; i < count; i++) for (const call of calls) run(w, call);
  },
  count(w, count, op) {
    for (let i = 0; i < count; i++) run(w, [op, op === 'text' ? `k${i}` : i]);
  },
  pairs(w, count) {
    for (let i = 0; i < count; i++) {
      w.writeTextString(`k${i}`);
      w.writeInt32(i);
    }
  },
};

/** Runs one call, `[name, ...arguments]`. */
export function run(writer, [name, ...rest]) {
  CALLS[name](writer, ...rest);
}

/** What a getter sees of a writer. */
export function observe(writer) {
  return { bytesWritten: writer.bytesWritten, depth: writer.currentDepth, complete: writer.isWriteCompleted };
}
