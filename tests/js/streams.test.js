// Sequences as streams: every cut of the bytes, back-pressure both ways, limits, errors and where they come, and ends.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CborError, DecoderStream, EncoderStream, Tagged, encode, encodeSequence } from 'wcbor';
import { Boundaries } from '../../js/boundaries.js';
import { bytesOf, hexOf } from '../hex.js';

const VALUES = [
  0, 24, 256, 65536, 2 ** 32, -1, -500, 1.5, 1.1, '', 'a', 'é水🌊'.repeat(20), 'x'.repeat(300), null, true, [], {}, [1, [2, [3, []]]],
  { a: 1, b: { c: [null, 'd'.repeat(30)] } }, Uint8Array.of(1, 2, 3), new Uint8Array(0), new Uint8Array(70).fill(7), [[], {}, [[]], ''],
];

function piecesOf(bytes, size) {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

function streamOf(items) {
  const left = [...items];
  return new ReadableStream({
    pull(controller) {
      if (left.length > 0) controller.enqueue(left.shift());
      else controller.close();
    },
  }, { highWaterMark: 0 });
}

async function allOf(stream) {
  const all = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all;
    all.push(value);
  }
}

/** What a stream gives before it fails, and the error. */
async function untilError(stream) {
  const values = [];
  const reader = stream.getReader();
  for (;;) {
    try {
      const { done, value } = await reader.read();
      if (done) return { values };
      values.push(value);
    } catch (error) {
      return { values, error };
    }
  }
}

const decoded = (pieces, options) => streamOf(pieces).pipeThrough(new DecoderStream(options));
const errorOf = async (pieces, options) => (await untilError(decoded(pieces, options))).error;

/** A promise that has not come to anything after some turns of the event loop. */
async function isPending(promise) {
  let isDone = false;
  promise.then(() => (isDone = true), () => (isDone = true));
  for (let i = 0; i < 10; i++) await turn();
  return !isDone;
}

describe('EncoderStream', () => {
  test('gives the bytes of encodeSequence', async () => {
    const parts = await allOf(streamOf(VALUES).pipeThrough(new EncoderStream()));
    assert.equal(hexOf(Buffer.concat(parts)), hexOf(encodeSequence(VALUES)));
  });

  test('takes undefined as a value, and the options of Encoder', async () => {
    const parts = await allOf(streamOf([undefined, { b: 1, a: 2 }]).pipeThrough(new EncoderStream({ mode: 'deterministic' })));
    assert.equal(hexOf(Buffer.concat(parts)), 'f7a2616102616201');
  });

  test('who waits gets each value at once', async () => {
    const { readable, writable } = new EncoderStream();
    const reader = readable.getReader();
    const writer = writable.getWriter();
    for (const value of [1, 'a', []]) {
      const read = reader.read();
      await writer.write(value);
      assert.deepEqual(await read, { done: false, value: encode(value) });
    }
    const end = reader.read();
    await writer.close();
    assert.deepEqual(await end, { done: true, value: undefined });
  });

  test('gathers while nobody reads, and makes writers wait from 16 KB on', async () => {
    const { readable, writable } = new EncoderStream();
    const writer = writable.getWriter();
    const reader = readable.getReader();
    let written = 0;
    const writing = (async () => {
      for (let i = 0; i < 100; i++) {
        await writer.write('x'.repeat(997));
        written++;
      }
      await writer.close();
    })();
    assert.ok(await isPending(writing));
    assert.equal(written, 16, 'of 1000 bytes each, the 17th waits');
    const first = await reader.read();
    assert.equal(first.value.length, 17_000);
    let nbytes = first.value.length;
    for (let next = await reader.read(); !next.done; next = await reader.read()) nbytes += next.value.length;
    await writing;
    assert.equal(nbytes, 100_000);
  });

  test('a value that cannot be encoded fails both sides, behind the bytes before it', async () => {
    const { readable, writable } = new EncoderStream();
    const writer = writable.getWriter();
    const reader = readable.getReader();
    const read = reader.read();
    await writer.write(1);
    assert.equal(hexOf((await read).value), '01');
    const code = { code: 'ERR_CBOR_UNSUPPORTED_VALUE', path: '$.a' };
    const next = reader.read();
    await Promise.all([
      assert.rejects(writer.write({ a() {} }), code), assert.rejects(next, code), assert.rejects(writer.closed, code),
    ]);
  });

  test('cancel and abort reach the other side', async () => {
    const cancelled = new EncoderStream();
    const writer = cancelled.writable.getWriter();
    const waiting = writer.write('x'.repeat(20_000));
    await turn();
    await cancelled.readable.cancel(new Error('enough'));
    await waiting;
    await assert.rejects(writer.write(1), /enough/);
    const aborted = new EncoderStream();
    const read = aborted.readable.getReader().read();
    await Promise.all([aborted.writable.abort(new Error('gone')), assert.rejects(read, /gone/)]);
  });

  test('refuses dag-cbor and unknown options at once', () => {
    assert.throws(() => new EncoderStream({ mode: 'dag-cbor' }), { name: 'RangeError', code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
    assert.throws(() => new EncoderStream({ mood: 1 }), { name: 'TypeError', code: 'ERR_CBOR_UNKNOWN_OPTION' });
    assert.throws(() => EncoderStream.iterate([], { mode: 'dag-cbor' }), RangeError);
  });

  test('iterate encodes what iterables give, one by one', async () => {
    async function* values() {
      yield 1;
      yield [2];
    }
    for (const source of [values(), [1, [2]]]) {
      const parts = [];
      for await (const part of EncoderStream.iterate(source)) parts.push(hexOf(part));
      assert.deepEqual(parts, ['01', '8102']);
    }
  });
});

describe('DecoderStream', () => {
  const sequence = encodeSequence(VALUES);

  test('every size of pieces, from 1 byte', async () => {
    for (let size = 1; size <= sequence.length; size++) {
      assert.deepEqual(await allOf(decoded(piecesOf(sequence, size))), VALUES, `pieces of ${size}`);
    }
  });

  test('every cut in two, with empty pieces between', async () => {
    const none = new Uint8Array(0);
    for (let at = 0; at <= sequence.length; at++) {
      const pieces = [none, sequence.slice(0, at), none, none, sequence.slice(at), none];
      assert.deepEqual(await allOf(decoded(pieces)), VALUES, `cut at ${at}`);
    }
  });

  test('indefinite lengths and tags, in every size of pieces', async () => {
    const items = ['9f01ff', 'bf6161819fff6162f5ff', '5f4101420203ff', '7f616162c3bcff', '5fff', '7fff', '9f9f9fffff80ff', 'bfff', 'd9d9f781f6', '8280a0', 'f97e00', '1818'];
    const bytes = bytesOf(items.join(''));
    const expected = await allOf(decoded(items.map(bytesOf)));
    assert.equal(expected.length, items.length);
    for (let size = 1; size <= bytes.length; size++) assert.deepEqual(await allOf(decoded(piecesOf(bytes, size))), expected);
  });

  test('pieces may be any view or buffer', async () => {
    const whole = Uint8Array.from([0xff, 0x82, 0x01, 0x02, 0xff]);
    const views = [new DataView(whole.buffer, 1, 1), whole.subarray(2, 3), whole.slice(3, 4).buffer];
    assert.deepEqual(await allOf(decoded(views)), [[1, 2]]);
  });

  test('no value is read ahead of its reader, and a writer waits until its piece is used up', async () => {
    const { readable, writable } = new DecoderStream();
    const writer = writable.getWriter();
    const big = encode('x'.repeat(20_000));
    const piece = Buffer.concat([big, big, big]);
    const written = writer.write(piece);
    const reader = readable.getReader();
    assert.ok(await isPending(written));
    for (let i = 0; i < 3; i++) {
      assert.equal((await reader.read()).value.length, 20_000);
      assert.ok(await isPending(written), `after ${i + 1} values`);
    }
    const end = reader.read();
    await written;
    await writer.close();
    assert.equal((await end).done, true);
  });

  test('100,000 small values at once, in order', async () => {
    const values = Array.from({ length: 100_000 }, (_, i) => i);
    assert.deepEqual(await allOf(decoded([encodeSequence(values)])), values);
  });

  test('functions for tags are called once for each item', async () => {
    for (const size of [1, 2, 3, 100]) {
      const calls = [];
      const tags = { 99: (value) => calls.push(value) };
      const bytes = bytesOf('d86301d86302d86303f800');
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
      const values = [];
      await assert.rejects(async () => {
        for await (const value of DecoderStream.iterate(pieces, { tags })) values.push(value);
      }, { code: 'ERR_CBOR_INVALID_SIMPLE_VALUE', offset: 9 });
      assert.deepEqual([calls, values], [[1, 2, 3], [1, 2, 3]]);
    }
  });

  test('a stream of nothing ends with nothing', async () => {
    assert.deepEqual(await allOf(decoded([])), []);
    assert.deepEqual(await allOf(decoded([new Uint8Array(0)])), []);
  });

  test('an end inside an item is UNEXPECTED_END, wherever it is', async () => {
    const item = encode({ a: [1, 2.5, 'abc', Uint8Array.of(1, 2), new Tagged(1, 5)], bc: 'x'.repeat(300) });
    for (let length = 1; length < item.length; length++) {
      for (const pieces of [[Uint8Array.of(7), item.slice(0, length)], piecesOf(Buffer.concat([Uint8Array.of(7), item.slice(0, length)]), 3)]) {
        const { values, error } = await untilError(decoded(pieces));
        assert.deepEqual(values, [7]);
        assert.ok(error instanceof CborError);
        assert.deepEqual([error.code, error.offset, error.incomplete], ['ERR_CBOR_UNEXPECTED_END', length + 1, true]);
        assert.ok(error.missing >= 1 && error.missing <= item.length - length, `${error.missing} missing`);
      }
    }
  });

  // [bytes behind one good item, code, offset within them]
  for (const [hex, code, offset] of [
    ['ff', 'UNEXPECTED_BREAK', 0], ['8201ff', 'UNEXPECTED_BREAK', 2], ['82ff', 'UNEXPECTED_BREAK', 1], ['a1ff', 'UNEXPECTED_BREAK', 1],
    ['9fc1ff', 'TAG_WITHOUT_VALUE', 2], ['bf01ff', 'KEY_WITHOUT_VALUE', 2], ['bf010203ff', 'KEY_WITHOUT_VALUE', 4],
    ['1c', 'INVALID_INTEGER_ENCODING', 0], ['1f', 'INVALID_INTEGER_ENCODING', 0], ['3e', 'INVALID_INTEGER_ENCODING', 0], ['5d', 'INVALID_INTEGER_ENCODING', 0],
    ['9c', 'INVALID_INTEGER_ENCODING', 0], ['bd', 'INVALID_INTEGER_ENCODING', 0], ['df', 'INVALID_INTEGER_ENCODING', 0], ['81dc', 'INVALID_INTEGER_ENCODING', 1],
    ['fc', 'RESERVED_SIMPLE_VALUE', 0], ['fd', 'RESERVED_SIMPLE_VALUE', 0], ['9ffe', 'RESERVED_SIMPLE_VALUE', 1],
    ['5f01ff', 'STRING_CHUNK_INVALID', 1], ['5f6161ff', 'STRING_CHUNK_INVALID', 1], ['7f41', 'STRING_CHUNK_INVALID', 1], ['5f5f', 'STRING_CHUNK_INVALID', 1],
    ['7fc1', 'STRING_CHUNK_INVALID', 1], ['9b7fffffffffffffff', 'LIMIT_EXCEEDED', 0], ['5affffffff', 'LIMIT_EXCEEDED', 0], ['bbffffffffffffffff', 'LIMIT_EXCEEDED', 0],
  ]) {
    test(`${hex} is ${code}, behind the values before it`, async () => {
      const bytes = bytesOf(`820102${hex}`);
      for (let size = 1; size <= bytes.length; size++) {
        const { values, error } = await untilError(decoded(piecesOf(bytes, size)));
        assert.deepEqual(values, [[1, 2]], `pieces of ${size}`);
        assert.ok(error instanceof CborError, String(error));
        assert.deepEqual([error.code, error.offset], [`ERR_CBOR_${code}`, offset + 3], `pieces of ${size}`);
      }
    });
  }

  test('what is not valid comes after the values before it, with its place in the stream', async () => {
    const bytes = bytesOf('0102' + '62c328' + '03');
    for (let size = 1; size <= bytes.length; size++) {
      const { values, error } = await untilError(decoded(piecesOf(bytes, size)));
      assert.deepEqual(values, [1, 2]);
      assert.ok(error instanceof CborError && error.offset >= 2 && error.offset < 5, `${error} at ${error.offset}`);
    }
  });

  test('maxItemBytes: exactly that many are taken, one more is refused before it has come', async () => {
    const limit = { maxItemBytes: 10 };
    for (const hex of ['49' + '00'.repeat(9), '5f47' + '00'.repeat(7) + 'ff', '89' + '01'.repeat(9), '9f' + '01'.repeat(8) + 'ff', 'c6'.repeat(9) + '01', 'a4' + '0101020203030404']) {
      const bytes = bytesOf(hex);
      for (let size = 1; size <= 12; size++) assert.equal((await untilError(decoded(piecesOf(bytes, size), { ...limit, mode: 'lax' }))).error?.code, undefined, hex);
    }
    for (const hex of ['4a', '5f49', '8a', '9f' + '01'.repeat(10), 'c1'.repeat(11), 'a5', '9a00010000', '8149', '5f' + '40'.repeat(10)]) {
      const bytes = bytesOf(hex);
      for (let size = 1; size <= 12; size++) assert.equal((await errorOf(piecesOf(bytes, size), limit))?.code, 'ERR_CBOR_LIMIT_EXCEEDED', hex);
    }
    // Each item has the limit to itself.
    assert.equal((await allOf(decoded([bytesOf(('49' + '00'.repeat(9)).repeat(5))], limit))).length, 5);
  });

  test('maxDepth', async () => {
    const nested = (depth) => bytesOf('81'.repeat(depth) + '01');
    assert.equal((await allOf(decoded([nested(3)], { maxDepth: 3 }))).length, 1);
    for (const size of [1, 2, 9]) assert.equal((await errorOf(piecesOf(nested(4), size), { maxDepth: 3 })).code, 'ERR_CBOR_DEPTH_EXCEEDED');
    assert.equal((await errorOf(Array(10_000).fill(Uint8Array.of(0x9f)))).code, 'ERR_CBOR_DEPTH_EXCEEDED');
  });

  test('a large item in small pieces costs no more than its length', async () => {
    const time = async (nbytes) => {
      const item = encode([new Uint8Array(nbytes), 'x']);
      const pieces = piecesOf(item, 64);
      // Of the process, which other work on the machine takes nothing from.
      const start = process.cpuUsage();
      assert.equal((await allOf(decoded(pieces))).length, 1);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    };
    await time(200_000);
    const [small, large] = [Math.min(await time(200_000), await time(200_000)), Math.min(await time(1_600_000), await time(1_600_000))];
    assert.ok(large < small * 8 * 3, `${small} ms, and 8 times as much ${large} ms`);
  });

  test('heads of an item that goes on are looked at once', () => {
    const boundaries = new Boundaries(1000, 2 ** 30);
    const piece = new Uint8Array(1000).fill(0x01);
    assert.equal(boundaries.next(bytesOf('9a000f4240'), 0), -1);
    for (let i = 0; i < 999; i++) assert.equal(boundaries.next(piece, 0), -1);
    assert.equal(boundaries.next(piece, 0), 1000);
    assert.equal(boundaries.start, 1_000_005);
  });

  test('wrong pieces fail both sides', async () => {
    for (const piece of ['01', 1, null, undefined, [1]]) {
      const { readable, writable } = new DecoderStream();
      const read = readable.getReader().read();
      await Promise.all([assert.rejects(writable.getWriter().write(piece), TypeError), assert.rejects(read, TypeError)]);
    }
  });

  test('an error reaches the writer', async () => {
    const { readable, writable } = new DecoderStream();
    const writer = writable.getWriter();
    const written = writer.write(bytesOf('01ff'));
    const reader = readable.getReader();
    assert.equal((await reader.read()).value, 1);
    const code = { code: 'ERR_CBOR_UNEXPECTED_BREAK' };
    const read = reader.read();
    await Promise.all([assert.rejects(read, code), assert.rejects(written, code), assert.rejects(writer.closed, code)]);
  });

  test('cancel and abort reach the other side', async () => {
    const cancelled = new DecoderStream();
    const writer = cancelled.writable.getWriter();
    const written = writer.write(Uint8Array.of(1));
    await turn();
    await cancelled.readable.cancel(new Error('enough'));
    await written;
    await assert.rejects(writer.write(Uint8Array.of(1)), /enough/);
    const aborted = new DecoderStream();
    const read = aborted.readable.getReader().read();
    await Promise.all([aborted.writable.abort(new Error('gone')), assert.rejects(read, /gone/)]);
  });

  test('options are checked at once', () => {
    for (const maxItemBytes of [0, -1, 1.5, NaN, 2 ** 31]) assert.throws(() => new DecoderStream({ maxItemBytes }), RangeError);
    for (const maxItemBytes of ['1', 1n, null]) assert.throws(() => new DecoderStream({ maxItemBytes }), TypeError);
    assert.throws(() => new DecoderStream({ mood: 1 }), { name: 'TypeError', code: 'ERR_CBOR_UNKNOWN_OPTION' });
    assert.throws(() => new DecoderStream(null), TypeError);
    assert.throws(() => DecoderStream.iterate([], { mood: 1 }), TypeError);
  });

  test('byte strings are no views of what is used again', () => {
    assert.throws(() => new DecoderStream({ byteStrings: 'view' }), { name: 'RangeError', code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
    assert.throws(() => new DecoderStream({ mode: 'dag-cbor' }), { name: 'RangeError', code: 'ERR_CBOR_OPTION_OUT_OF_RANGE' });
  });

  test('iterate decodes what iterables give', async () => {
    async function* pieces() {
      yield Uint8Array.of(0x82, 1);
      yield Uint8Array.of(2, 3);
    }
    for (const source of [pieces(), [bytesOf('8201'), bytesOf('0203')], streamOf([bytesOf('82010203')])]) {
      const values = [];
      for await (const value of DecoderStream.iterate(source)) values.push(value);
      assert.deepEqual(values, [[1, 2], 3]);
    }
    await assert.rejects(async () => {
      for await (const _ of DecoderStream.iterate([bytesOf('82')]));
    }, { code: 'ERR_CBOR_UNEXPECTED_END' });
  });

  test('through both streams and back', async () => {
    const values = await allOf(streamOf(VALUES).pipeThrough(new EncoderStream()).pipeThrough(new DecoderStream()));
    assert.deepEqual(values, VALUES);
  });
});
