// What CborWriter promises of itself, gathered and one call at a time: its arguments, where and how often a failure shows
// and what it leaves, disposal, and results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CborError, CborWriter } from 'wcbor';
import { wasm } from '../../js/instance.js';
import { bytesOf, hexOf } from './calls.js';
import { assertFailure, assertRefusal, each, failureOf, thrownBy } from './writer-checks.js';

const END_TEXT = (writer) => writer.writeEndIndefiniteLengthTextString();
const int = (value) => (writer) => writer.writeInt32(value);
const text = (value) => (writer) => writer.writeTextString(value);

const LONG_TEXT = 'long text '.repeat(5000);
const LONG_BYTES = new Uint8Array(5000).fill(7);
const LONG_BIGNUM = 1n << 40000n;

/** Every write, with arguments that are right. */
const WRITES = [
  ['writeStartMap', null], ['writeEndMap'], ['writeStartArray', 3], ['writeEndArray'], ['writeTextString', 'a'],
  ['writeTextString', 'é'], ['writeTextString', LONG_TEXT], ['writeByteString', bytesOf('00')], ['writeByteString', LONG_BYTES],
  ['writeStartIndefiniteLengthTextString'], ['writeEndIndefiniteLengthTextString'],
  ['writeStartIndefiniteLengthByteString'], ['writeEndIndefiniteLengthByteString'],
  ['writeInt32', -1], ['writeUint32', 1], ['writeInt64', 2n ** 60n], ['writeUint64', 1],
  ['writeNegativeIntegerRepresentation', 2n ** 64n - 1n], ['writeBigInteger', 2n ** 70n], ['writeBigInteger', LONG_BIGNUM],
  ['writeDecimal', 1, -1], ['writeHalf', 1.5], ['writeSingle', 1.5], ['writeDouble', 1.1], ['writeBoolean', true], ['writeNull'],
  ['writeUndefined'], ['writeSimpleValue', 1], ['writeSimpleValue', 99], ['writeTag', 1], ['writeTag', 2n ** 60n],
  ['writeDateTime', '2020-01-01T00:00:00Z'], ['writeUnixTime', 1], ['writeEncodedValue', bytesOf('f6')],
];
const TAKES = [['flush'], ['encode'], ['tryEncode', new Uint8Array(9)], ['reset']];
const GETTERS = ['currentDepth', 'bytesWritten', 'isWriteCompleted'];

test('every method of the class is in the lists above', () => {
  const { constructor, dispose, ...own } = Object.getOwnPropertyDescriptors(CborWriter.prototype);
  const methods = Object.entries(own).filter(([, { value }]) => typeof value === 'function').map(([name]) => name);
  const listed = new Set([...WRITES, ...TAKES].map(([name]) => name));
  assert.deepEqual(methods.filter((name) => !listed.has(name)), []);
});

// --------------------------------------------------------------------------------------------------------- disposal

each('after dispose every call is ERR_CBOR_DISPOSED, and others live on', (make) => {
  const writer = make({});
  const other = make({});
  other.writeStartArray(null);
  other.writeTextString('still here');
  writer.writeStartArray(2);
  writer.writeTextString('pending');
  writer.dispose();
  writer.dispose();
  for (const [name, ...args] of [...WRITES, ...TAKES]) {
    const error = thrownBy(() => writer[name](...args));
    assert.ok(error instanceof CborError, name);
    assert.equal(error.code, 'ERR_CBOR_DISPOSED', name);
  }
  for (const name of GETTERS) assert.equal(thrownBy(() => writer[name])?.code, 'ERR_CBOR_DISPOSED', name);
  writer.dispose();
  // The next writer takes the memory that was given back.
  const next = make({});
  next.writeInt32(1);
  other.writeEndArray();
  assert.equal(hexOf(next.encode()), '01');
  assert.equal(hexOf(other.encode()), '9f6a7374696c6c2068657265ff');
});

test('a pending failure goes with its writer', () => {
  const writer = new CborWriter();
  writer.writeEndArray();
  writer.dispose();
  assert.equal(thrownBy(() => writer.flush()).code, 'ERR_CBOR_DISPOSED');
});

test('Symbol.dispose disposes', () => {
  const writer = new CborWriter();
  writer[Symbol.dispose ?? Symbol.for('Symbol.dispose')]();
  assert.equal(thrownBy(() => writer.writeNull()).code, 'ERR_CBOR_DISPOSED');
});

// --------------------------------------------------------------------------------------------------------- arguments

const detached = new Uint8Array(8);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const notNumbers = ['1', 1n, null, undefined, {}];
const notBytes = ['00', 5, [1], {}, detached, detached.buffer, true];

/** [method, type of error, code, arguments, each the first of a call, or all of them in an array] */
const REFUSALS = [
  ['writeStartMap', TypeError, 'ARGUMENT_TYPE', ['1', 1n, undefined, {}]],
  ['writeStartMap', RangeError, 'LENGTH_OUT_OF_RANGE', [-1, 1.5, NaN, Infinity, 2 ** 30, 2 ** 32]],
  ['writeStartArray', TypeError, 'ARGUMENT_TYPE', ['1', 1n, undefined, {}]],
  ['writeStartArray', RangeError, 'LENGTH_OUT_OF_RANGE', [-1, 0.5, NaN, -Infinity, 2 ** 31, 2 ** 53]],
  ['writeTextString', TypeError, 'NULL_ARGUMENT', [null, undefined]],
  ['writeTextString', TypeError, 'ARGUMENT_TYPE', [1, {}, Symbol('a'), new String('a'), ['a']]],
  ['writeByteString', TypeError, 'NULL_ARGUMENT', [null, undefined]],
  ['writeByteString', TypeError, 'ARGUMENT_TYPE', notBytes],
  ['writeEncodedValue', TypeError, 'NULL_ARGUMENT', [null, undefined]],
  ['writeEncodedValue', TypeError, 'ARGUMENT_TYPE', notBytes],
  ['writeInt32', TypeError, 'ARGUMENT_TYPE', notNumbers],
  ['writeInt32', RangeError, 'VALUE_OUT_OF_RANGE', [2 ** 31, -(2 ** 31) - 1, 1.5, NaN, Infinity]],
  ['writeUint32', TypeError, 'ARGUMENT_TYPE', notNumbers],
  ['writeUint32', RangeError, 'VALUE_OUT_OF_RANGE', [-1, 2 ** 32, 0.5, NaN]],
  ['writeInt64', TypeError, 'ARGUMENT_TYPE', ['1', null, undefined, {}]],
  ['writeInt64', RangeError, 'VALUE_OUT_OF_RANGE', [2 ** 53, -(2 ** 53), 1.5, NaN, 2n ** 63n, -(2n ** 63n) - 1n]],
  ['writeUint64', TypeError, 'ARGUMENT_TYPE', ['1', null, undefined, {}]],
  ['writeUint64', RangeError, 'VALUE_OUT_OF_RANGE', [-1, -1n, 2 ** 53, 0.5, 2n ** 64n]],
  ['writeNegativeIntegerRepresentation', TypeError, 'ARGUMENT_TYPE', ['1', null, undefined]],
  ['writeNegativeIntegerRepresentation', RangeError, 'VALUE_OUT_OF_RANGE', [-1, -1n, 2 ** 53, 0.5, 2n ** 64n]],
  ['writeBigInteger', TypeError, 'ARGUMENT_TYPE', [1, '1', null, undefined]],
  ['writeDecimal', TypeError, 'ARGUMENT_TYPE', [['1', 0], [1, '0'], [null, 0], [1, undefined], [undefined, undefined]]],
  ['writeDecimal', RangeError, 'VALUE_OUT_OF_RANGE', [
    [1.5, 0], [NaN, 0], [2 ** 53, 0], [1, 0.5], [1, 2n ** 63n], [1, -(2n ** 63n) - 1n], [1n << 16384n, 0], [-(1n << 16384n) - 1n, 0],
  ]],
  ['writeHalf', TypeError, 'ARGUMENT_TYPE', notNumbers],
  ['writeSingle', TypeError, 'ARGUMENT_TYPE', notNumbers],
  ['writeDouble', TypeError, 'ARGUMENT_TYPE', notNumbers],
  ['writeBoolean', TypeError, 'ARGUMENT_TYPE', [1, 'true', null, undefined, new Boolean(true)]],
  ['writeSimpleValue', TypeError, 'ARGUMENT_TYPE', notNumbers],
  ['writeSimpleValue', RangeError, 'SIMPLE_NOT_ALLOWED', [-1, 256, 1.5, NaN, 24, 31]],
  ['writeTag', TypeError, 'ARGUMENT_TYPE', ['1', null, undefined, {}]],
  ['writeTag', RangeError, 'VALUE_OUT_OF_RANGE', [-1, -1n, 2 ** 53, 0.5, 2n ** 64n]],
  ['writeDateTime', TypeError, 'NULL_ARGUMENT', [null, undefined]],
  ['writeDateTime', TypeError, 'ARGUMENT_TYPE', [1, {}, 1n]],
  ['writeDateTime', RangeError, 'NOT_FINITE', [new Date(NaN)]],
  ['writeUnixTime', TypeError, 'ARGUMENT_TYPE', notNumbers],
  ['writeUnixTime', RangeError, 'NOT_FINITE', [NaN, Infinity, -Infinity, new Date(NaN)]],
  ['tryEncode', TypeError, 'ARGUMENT_TYPE', [null, undefined, [], new ArrayBuffer(9), new DataView(new ArrayBuffer(9)), 9]],
];

each('wrong arguments are refused at the call, ahead of what is pending, and are not counted', (make) => {
  const writer = make({});
  for (const [name, type, code, values] of REFUSALS) {
    for (const value of values) {
      const args = name === 'writeDecimal' ? value : [value];
      const refuse = () => assertRefusal(thrownBy(() => writer[name](...args)), type, code);
      writer.reset();
      refuse();
      writer.writeStartArray(null);
      refuse();
      const pending = thrownBy(() => writer.writeEndMap());
      refuse();
      assertFailure(pending ?? thrownBy(() => writer.flush()), 'CONTAINER_MISMATCH', 1, 1);
      refuse();
      assertFailure(failureOf(writer, [(w) => w.writeEndMap()]).error, 'CONTAINER_MISMATCH', 2, 1);
      writer.writeEndArray();
      assert.equal(hexOf(writer.encode()), '9fff');
    }
  }
});

each('simple values, by mode', (make) => {
  for (const mode of ['lax', 'strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor']) {
    const writer = make({ mode });
    for (let value = 0; value < 256; value++) {
      const few = mode === 'dag-cbor' || mode === 'dcbor';
      const isAllowed = few ? value >= 20 && value <= 22 : mode === 'lax' || value < 24 || value > 31;
      writer.reset();
      const error = thrownBy(() => writer.writeSimpleValue(value));
      if (!isAllowed) assertRefusal(error, RangeError, 'SIMPLE_NOT_ALLOWED');
      else assert.equal(hexOf(writer.encode()), value < 24 ? (0xe0 + value).toString(16) : `f8${value.toString(16)}`);
    }
  }
});

test('options', () => {
  for (const [type, code, options] of [
    [TypeError, 'ARGUMENT_TYPE', null], [TypeError, 'ARGUMENT_TYPE', 'strict'], [TypeError, 'ARGUMENT_TYPE', { mode: 1 }],
    [TypeError, 'ARGUMENT_TYPE', { batch: 0 }], [TypeError, 'ARGUMENT_TYPE', { convertIndefiniteLengths: 'yes' }],
    [TypeError, 'ARGUMENT_TYPE', { allowMultipleRoots: null }], [TypeError, 'ARGUMENT_TYPE', { maxDepth: '1' }],
    [TypeError, 'ARGUMENT_TYPE', { initialCapacity: 1n }], [TypeError, 'UNKNOWN_OPTION', { depth: 1 }],
    [TypeError, 'UNKNOWN_OPTION', { Mode: 'lax' }], [RangeError, 'OPTION_OUT_OF_RANGE', { mode: 'loose' }],
    [RangeError, 'OPTION_OUT_OF_RANGE', { mode: 'toString' }], [RangeError, 'OPTION_OUT_OF_RANGE', { maxDepth: -1 }],
    [RangeError, 'OPTION_OUT_OF_RANGE', { maxDepth: 0.5 }], [RangeError, 'OPTION_OUT_OF_RANGE', { maxDepth: 2 ** 31 }],
    [RangeError, 'OPTION_OUT_OF_RANGE', { initialCapacity: -1 }], [RangeError, 'OPTION_OUT_OF_RANGE', { initialCapacity: NaN }],
    [RangeError, 'OPTION_OUT_OF_RANGE', { mode: 'dag-cbor', allowMultipleRoots: true }],
  ]) {
    assertRefusal(thrownBy(() => new CborWriter(options)), type, code);
  }
  const given = { mode: 'ctap2', convertIndefiniteLengths: true, allowMultipleRoots: true, maxDepth: 7 };
  const writer = new CborWriter({ ...given, batch: undefined, initialCapacity: undefined });
  for (const [name, value] of Object.entries(given)) assert.equal(writer[name], value);
  assert.equal(new CborWriter().mode, 'strict');
  assert.equal(new CborWriter().maxDepth, 1000);
});

// ---------------------------------------------------------------------------------------------------------- failures

/** Calls that fail in an array that is open, in strict: code, call, and whether it shows at the call itself. */
const FAILING = [
  ['CONTAINER_MISMATCH', (w) => w.writeEndIndefiniteLengthByteString(), false],
  ['CONTAINER_MISMATCH', (w) => w.writeEndIndefiniteLengthTextString(), false],
  ['INVALID_TEXT', (w) => w.writeTextString('\ud800'), false],
  ['INVALID_TEXT', (w) => w.writeTextString(`${LONG_TEXT}\udc00`), false],
  ['INVALID_ENCODED_VALUE', (w) => w.writeEncodedValue(bytesOf('ff')), false],
  ['INVALID_ENCODED_VALUE', (w) => w.writeEncodedValue(LONG_BYTES), true],
  ['INVALID_DATETIME', (w) => w.writeDateTime('yesterday'), false],
];

/** The same while a byte string in chunks is open. */
const FAILING_IN_BYTES = [
  ['STRING_CONTEXT_ITEM', int(1), false],
  ['STRING_CONTEXT_ITEM', (w) => w.writeTag(2n ** 60n), false],
  ['STRING_CONTEXT_ITEM', (w) => w.writeStartArray(null), false],
  ['STRING_CONTEXT_ITEM', text('é'), false],
  ['STRING_CONTEXT_ITEM', text(LONG_TEXT), true],
  ['STRING_CONTEXT_ITEM', (w) => w.writeBigInteger(LONG_BIGNUM), true],
  ['STRING_CONTEXT_ITEM', (w) => w.writeDecimal(1, 1), false],
  ['CONTAINER_MISMATCH', (w) => w.writeEndArray(), false],
];

const JUNK = [int(5), (w) => w.writeEndArray(), text('junk'), text('jünk'), (w) => w.writeTag(1), (w) => w.writeEndMap(), (w) => w.writeStartArray(null)];
const LONG_JUNK = [text(LONG_TEXT), (w) => w.writeByteString(LONG_BYTES), (w) => w.writeBigInteger(LONG_BIGNUM), (w) => w.writeEncodedValue(LONG_BYTES)];

/** Good calls, a failing one and others behind it: what is thrown, how often, and that the writer goes on. */
function checkFailing({ writer, batch, good, goodHex, ends, endsHex, failing, junk }) {
  const [code, call, isAtOnce] = failing;
  const offset = goodHex.length / 2;
  const { at, error } = failureOf(writer, [...good, call, ...junk]);
  assertFailure(error, code, good.length, offset);
  // Long strings run what is gathered, so that a failure may show at one behind the failing call.
  const longAt = junk.findIndex((one) => LONG_JUNK.includes(one));
  const last = longAt < 0 ? junk.length : longAt;
  assert.equal(at, good.length + (!batch || isAtOnce ? 0 : last + 1));
  writer.flush();
  assert.equal(writer.bytesWritten, offset);
  // The calls that were made, whatever came of them, count.
  const made = Math.min(at + 1, good.length + 1 + junk.length);
  assertFailure(failureOf(writer, [call]).error, code, made, offset);
  for (const end of ends) end(writer);
  assert.equal(hexOf(writer.encode()), goodHex + endsHex);
}

each('the calls before a failing one take effect, it and those behind it do not', (make, batch) => {
  const writer = make({});
  const junks = [[], JUNK.slice(0, 1), JUNK.slice(1, 3), JUNK, ...LONG_JUNK.map((one) => [one]), [JUNK[2], ...LONG_JUNK]];
  const start = (w) => w.writeStartArray(null);
  const startBytes = (w) => w.writeStartIndefiniteLengthByteString();
  const end = (w) => w.writeEndArray();
  const endBytes = (w) => w.writeEndIndefiniteLengthByteString();
  for (const junk of junks) {
    for (const failing of FAILING) {
      for (const k of [0, 1, 2, 30]) {
        writer.reset();
        const good = [start, ...Array.from({ length: k }, (_, i) => (i % 2 ? text('é') : int(1)))];
        const goodHex = `9f${Array.from({ length: k }, (_, i) => (i % 2 ? '62c3a9' : '01')).join('')}`;
        checkFailing({ writer, batch, good, goodHex, ends: [end], endsHex: 'ff', failing, junk });
      }
    }
    for (const failing of FAILING_IN_BYTES) {
      writer.reset();
      const good = [start, startBytes, (w) => w.writeByteString(bytesOf('aabb'))];
      checkFailing({ writer, batch, good, goodHex: '9f5f42aabb', ends: [endBytes, end], endsHex: 'ffff', failing, junk });
    }
  }
});

each('the first call may fail', (make, batch) => {
  const writer = make({});
  assertFailure(failureOf(writer, [(w) => w.writeEndArray(), int(2)]).error, 'NOT_IN_CONTAINER', 0, 0);
  writer.writeInt32(1);
  assert.equal(hexOf(writer.encode()), '01');
  assertFailure(failureOf(writer, [int(2)]).error, 'DEFINITE_LENGTH_EXCEEDED', batch ? 3 : 2, 1);
});

each('a duplicate key is taken out with its tags, and another may stand in its place', (make) => {
  const writer = make({});
  const tagged = (tag, value) => [(w) => w.writeTag(tag), (w) => w.writeTag(9), int(value)];
  const calls = [(w) => w.writeStartMap(2), ...tagged(5, 1), int(2), ...tagged(5, 1), int(9)];
  assertFailure(failureOf(writer, calls).error, 'DUPLICATE_KEY', 7, 5);
  for (const call of [...tagged(6, 1), int(3), (w) => w.writeEndMap()]) call(writer);
  assert.equal(hexOf(writer.encode()), 'a2c5c90102c6c90103');
});

each('the first key of a map is found again, whatever it is', (make) => {
  const chunkedBytes = (w) => {
    w.writeStartIndefiniteLengthByteString();
    w.writeByteString(bytesOf('0102'));
    w.writeEndIndefiniteLengthByteString();
  };
  const chunkedText = (...chunks) => (w) => {
    w.writeStartIndefiniteLengthTextString();
    for (const chunk of chunks) w.writeTextString(chunk);
    END_TEXT(w);
  };
  const array = (w) => {
    w.writeStartArray(1);
    w.writeTextString('a');
    w.writeEndArray();
  };
  const tagged = (w) => {
    w.writeTag(1);
    w.writeInt32(1);
  };
  const keys = [chunkedBytes, chunkedText(), chunkedText('a', 'é'), array, tagged, int(0), int(-1000),
    ...[0, 1, 15, 16, 17, 23, 24, 300].map((units) => text('a'.repeat(units))), text('é')];
  const writer = make({ allowMultipleRoots: true });
  // The first map of a writer makes room for keys; in the others it is there.
  for (let round = 0; round < 2; round++) {
    for (const [i, key] of keys.entries()) {
      for (const count of [null, 3]) {
        if (round === 0) writer.reset();
        for (const call of [(w) => w.writeStartMap(count), key, int(1), text('k'), int(2)]) call(writer);
        assert.equal(failureOf(writer, [key]).error?.code, 'ERR_CBOR_DUPLICATE_KEY', `key ${i}`);
        assert.equal(failureOf(writer, [text('k')]).error?.code, 'ERR_CBOR_DUPLICATE_KEY', `key ${i}`);
        for (const call of [text('other'), int(3), (w) => w.writeEndMap()]) call(writer);
        assert.equal(failureOf(writer, []).error, undefined);
      }
    }
  }
});

test('a failure shows when the command buffer is full', () => {
  for (const [kind, filler, nbytes] of [['integers', int(1), 1], ['text', text('aaaaaaaaaa'), 11], ['other text', text('éé'), 5],
    ['floats', (w) => w.writeDouble(1.1), 9], ['bytes', (w) => w.writeByteString(new Uint8Array(1000)), 1003]]) {
    // In the first buffer, and behind several that went well.
    for (const k of [0, 3, 30000]) {
      const writer = new CborWriter();
      const calls = [(w) => w.writeStartArray(null), ...Array(k).fill(filler), END_TEXT, ...Array(40000).fill(filler)];
      const { at, error } = failureOf(writer, calls);
      assertFailure(error, 'CONTAINER_MISMATCH', k + 1, 1 + k * nbytes);
      assert.ok(at > k + 1 && at < k + 1 + 20000, `${kind}: thrown by call ${at}`);
      writer.flush();
      assert.equal(writer.bytesWritten, 1 + k * nbytes);
      // The call that threw is counted as the others are, and was dropped with them.
      filler(writer);
      assertFailure(failureOf(writer, [END_TEXT]).error, 'CONTAINER_MISMATCH', at + 2, 1 + (k + 1) * nbytes);
      writer.writeEndArray();
      assert.equal(writer.encode().length, 2 + (k + 1) * nbytes);
      writer.dispose();
    }
  }
});

test('whatever looks at a gathering writer throws the pending failure, once', () => {
  const looks = [...GETTERS.map((name) => (w) => w[name]), (w) => w.encode(), (w) => w.tryEncode(new Uint8Array(9)), (w) => w.flush()];
  for (const look of looks) {
    const writer = new CborWriter();
    for (const call of [int(1), END_TEXT, int(2)]) call(writer);
    assertFailure(thrownBy(() => look(writer)), 'NOT_IN_CONTAINER', 1, 1);
    look(writer);
    assert.equal(hexOf(writer.encode()), '01');
    writer.dispose();
  }
});

each('reset drops what is pending, and its failures, and counts from 0', (make) => {
  const writer = make({});
  for (const pending of [[], [int(1)], [text(LONG_TEXT)], [text('é'), int(1)], [(w) => w.writeStartMap(2), int(1)], [(w) => w.writeTag(1)]]) {
    for (const failing of [undefined, ...FAILING]) {
      thrownBy(() => {
        for (const call of pending) call(writer);
        failing?.[1](writer);
        writer.writeEndArray();
      });
      writer.reset();
      assert.deepEqual([writer.bytesWritten, writer.currentDepth, writer.isWriteCompleted], [0, 0, false]);
      writer.writeStartArray(1);
      assertFailure(failureOf(writer, [(w) => w.writeEndArray()]).error, 'NOT_FILLED', 1, 1);
      writer.reset();
      writer.reset();
      writer.writeTextString('é');
      assert.equal(hexOf(writer.encode()), '62c3a9');
      writer.reset();
    }
  }
});

// ----------------------------------------------------------------------------------------------------------- results

each('a writer without calls', (make) => {
  const writer = make({});
  writer.flush();
  writer.flush();
  assert.deepEqual([writer.bytesWritten, writer.currentDepth, writer.isWriteCompleted], [0, 0, false]);
  assertFailure(thrownBy(() => writer.encode()), 'INCOMPLETE', undefined, 0);
  assertFailure(thrownBy(() => writer.tryEncode(new Uint8Array(9))), 'INCOMPLETE', undefined, 0);
  writer.writeTag(1);
  assertFailure(thrownBy(() => writer.encode()), 'INCOMPLETE', undefined, 1);
  writer.writeInt32(1);
  assert.equal(hexOf(writer.encode()), 'c101');
});

each('encode gives memory of its own, as often as it is asked', (make) => {
  const writer = make({ allowMultipleRoots: true });
  const results = [];
  for (let i = 0; i < 5; i++) {
    writer.writeTextString(`root ${i} é`);
    results.push(writer.encode(), writer.encode());
  }
  const expected = results.map(hexOf);
  for (const result of results) assert.equal(result.buffer.byteLength, result.length);
  for (const [i, result] of results.entries()) {
    result.fill(0);
    assert.deepEqual(results.slice(i + 1).map(hexOf), expected.slice(i + 1));
  }
  assert.equal(hexOf(writer.encode()), expected.at(-1));
  const kept = writer.encode();
  writer.reset();
  for (let i = 0; i < 1000; i++) writer.writeByteString(LONG_BYTES);
  writer.flush();
  writer.dispose();
  assert.equal(hexOf(kept), expected.at(-1));
});

each('tryEncode into too little, just enough, and more', (make) => {
  const writer = make({});
  writer.writeTextString('abc');
  for (let length = 0; length < 8; length++) {
    const whole = new Uint8Array(16).fill(0xee);
    const nbytes = writer.tryEncode(whole.subarray(4, 4 + length));
    assert.equal(nbytes, length < 4 ? -1 : 4);
    assert.equal(hexOf(whole), length < 4 ? 'ee'.repeat(16) : `${'ee'.repeat(4)}63616263${'ee'.repeat(8)}`);
  }
  const target = Buffer.alloc(4);
  assert.equal(writer.tryEncode(target), 4);
  assert.equal(hexOf(target), '63616263');
});

each('initialCapacity makes room ahead, and changes nothing else', (make) => {
  for (const initialCapacity of [0, 1, 15, 16, 17, 5005, 5006, 100000]) {
    const writer = make({ initialCapacity });
    for (let i = 0; i < 3; i++) {
      writer.writeStartArray(2);
      writer.writeByteString(LONG_BYTES);
      writer.writeInt32(1);
      writer.writeEndArray();
      assert.equal(hexOf(writer.encode()), `82591388${'07'.repeat(5000)}01`);
      writer.reset();
    }
  }
  const writer = make({ initialCapacity: 4 * 2 ** 20 });
  writer.writeByteString(LONG_BYTES);
  writer.flush();
  writer.reset();
  const before = wasm.memory.buffer.byteLength;
  writer.writeStartArray(null);
  for (let i = 0; i < 700; i++) writer.writeByteString(LONG_BYTES);
  writer.flush();
  assert.equal(wasm.memory.buffer.byteLength, before);
});

each('many writers, while memory grows under what is pending', (make) => {
  const start = wasm.memory.buffer.byteLength;
  const writers = Array.from({ length: 60 }, () => make({ mode: 'strict' }));
  const big = new Uint8Array(2 ** 20).fill(1);
  const parts = [
    [(n) => text(`writer ${n} `), (n) => Buffer.from(`writer ${n} `)], [(n) => text(`wrïter ${n}`), (n) => Buffer.from(`wrïter ${n}`)],
    [() => text('x'.repeat(100)), () => Buffer.from('x'.repeat(100))],
  ];
  for (const [n, writer] of writers.entries()) {
    writer.writeStartArray(null);
    for (const [call] of parts) call(n)(writer);
    // Every tenth has something large, which needs more memory than there is; the others have calls pending.
    if (n % 10 === 9) writer.writeByteString(big);
  }
  for (const [n, writer] of writers.entries()) {
    for (const [call] of parts) call(n)(writer);
    if (n % 10 === 4) writer.writeTextString('é'.repeat(2 ** 20));
    writer.writeEndArray();
  }
  for (const [n, writer] of writers.entries()) {
    const strings = parts.map(([, of]) => {
      const bytes = of(n);
      return (bytes.length < 24 ? (0x60 + bytes.length).toString(16) : `78${bytes.length.toString(16)}`) + hexOf(bytes);
    });
    const large = n % 10 === 9 ? `5a00100000${'01'.repeat(2 ** 20)}` : '';
    const last = n % 10 === 4 ? `7a00200000${'c3a9'.repeat(2 ** 20)}` : '';
    assert.ok(hexOf(writer.encode()) === `9f${strings.join('')}${large}${strings.join('')}${last}ff`, `writer ${n}`);
    writer.dispose();
  }
  assert.ok(wasm.memory.buffer.byteLength >= start);
});
