// Web Streams of sequences, in the runtime's own streams.
import { DecoderStream, EncoderStream, encodeSequence } from 'wcbor';
import { bytesOf, hexOf } from '../../hex.js';
import { equal, errorOf } from '../assert.js';

const VALUES = [0, 1.5, 'é水🌊', 'x'.repeat(300), [1, [2, []]], { a: { b: null } }, Uint8Array.of(1, 2), -1000, true, {}];

function streamOf(items) {
  const left = [...items];
  return new ReadableStream({
    pull(controller) {
      if (left.length > 0) controller.enqueue(left.shift());
      else controller.close();
    },
  });
}

async function allOf(stream) {
  const all = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) all.push(next.value);
  return all;
}

const piecesOf = (bytes, size) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.slice(i * size, (i + 1) * size));
const decoded = (pieces, options) => allOf(streamOf(pieces).pipeThrough(new DecoderStream(options)));
export const streamCases = [
  ['EncoderStream', async () => {
    const parts = await allOf(streamOf(VALUES).pipeThrough(new EncoderStream()));
    equal(parts.map(hexOf).join(''), hexOf(encodeSequence(VALUES)));
  }],
  ['DecoderStream, in every size of pieces', async () => {
    const bytes = encodeSequence(VALUES);
    for (let size = 1; size < 40; size++) equal(await decoded(piecesOf(bytes, size)), VALUES, `pieces of ${size}`);
  }],
  ['a stream that ends inside an item', async () => equal((await errorOf(() => decoded([bytesOf('0182')]))).code, 'ERR_CBOR_UNEXPECTED_END')],
  ['a stream of an item that is too long', async () => equal((await errorOf(() => decoded([bytesOf('5a00010000')], { maxItemBytes: 100 }))).code, 'ERR_CBOR_LIMIT_EXCEEDED')],
  ['a stream that is not well-formed', async () => {
    const error = await errorOf(() => decoded(piecesOf(bytesOf('0182ff'), 1)));
    equal([error.code, error.offset], ['ERR_CBOR_UNEXPECTED_BREAK', 2]);
  }],
  ['iterate, both ways', async () => {
    const values = [];
    for await (const value of DecoderStream.iterate(EncoderStream.iterate(VALUES))) values.push(value);
    equal(values, VALUES);
  }],
  ['both streams, one after the other', async () => {
    equal(await allOf(streamOf(VALUES).pipeThrough(new EncoderStream()).pipeThrough(new DecoderStream())), VALUES);
  }],
];
