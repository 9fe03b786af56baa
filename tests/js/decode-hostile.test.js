// Bytes that are meant to cost more than they are worth: each is an error, or a value, within bounds of time and memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CborError, decode, encode } from 'wcbor';
import { wasm } from '../../js/instance.js';
import { bytesOf } from './calls.js';

const MILLISECONDS = 100;
const NBYTES = 64 * 2 ** 20;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

const repeat = (hex, count) => Buffer.from(hex.repeat(count), 'hex');
const join = (...parts) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));

/** Nested arrays that each claim all that is left. */
function nestedClaims(depth, nbytes) {
  const bytes = Buffer.alloc(nbytes);
  for (let i = 0; i < depth; i++) {
    bytes[5 * i] = 0x9a;
    bytes.writeUInt32BE(nbytes - 5 * i - 5 - 1000, 5 * i + 1);
  }
  return bytes;
}

const cases = {
  'an array of 2^64 - 1': bytesOf('9bffffffffffffffff'),
  'bytes of 2^64 - 1': bytesOf('5bffffffffffffffff'),
  'a map of 2^31 - 1': bytesOf('ba7fffffff'),
  'an array of 2^31 - 1': bytesOf('9a7fffffff'),
  'an array in an array in a map of huge lengths': bytesOf('9b0203366bfffbde1856bfffff'),
  'a map with an array of 2^63 for a key': bytesOf('a29b80000000000000000000000000000000'),
  'a bignum of 4 GB': bytesOf('c25affffffff'),
  '999 arrays that claim 200,000 items each': nestedClaims(999, 200_000),
  '100,000 open arrays': repeat('9f', 100_000),
  '100,000 arrays of one': repeat('81', 100_000),
  '100,000 maps in values': repeat('a100', 100_000),
  '100,000 maps in keys': repeat('a1', 100_000),
  '100,000 tags': repeat('c6', 100_000),
  'open arrays around a tag': join(repeat('9f', 1023), 'c0', repeat('9f', 1023)),
  '100,000 chunks of text': join('7f', repeat('6161', 100_000), 'ff'),
  '100,000 empty chunks of text': join('7f', repeat('60', 100_000), 'ff'),
  '100,000 chunks of bytes': join('5f', repeat('4161', 100_000), 'ff'),
  'a bignum of 400 KB': join('c25a00064000', Buffer.alloc(0x64000, 0xa5)),
  '100,000 empty maps': join('9a000186a0', repeat('a0', 100_000)),
  '30,000 maps with keys of their own': encode(Array.from({ length: 30_000 }, (_, i) => ({ [`key ${i}`]: i }))),
  '40,000 keys of one map': encode(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`key ${i}`, i]))),
  '40,000 integer keys of one map': encode(new Map(Array.from({ length: 40_000 }, (_, i) => [i, i]))),
  '20,000 shared values': encode(Array.from({ length: 20_000 }, (_, i) => ({ i })), { sharedReferences: true }),
};

// The first time of everything is slow, and no bytes' fault.
for (let i = 0; i < 20; i++) decode(encode(Array.from({ length: 1000 }, (_, j) => ({ [`k${j}`]: [j, j / 3, new Map([[j, 'x'.repeat(j % 30)]])] }))));

for (const [name, bytes] of Object.entries(cases)) {
  test(name, () => {
    collect();
    const before = process.memoryUsage();
    let best = Infinity;
    let value;
    for (let again = 0; again < 5; again++) {
      value = undefined;
      const start = process.cpuUsage();
      try {
        value = decode(bytes);
      } catch (error) {
        assert.ok(error instanceof CborError, String(error.stack));
      }
      // Whatever else the machine does is not counted.
      const { user, system } = process.cpuUsage(start);
      best = Math.min(best, (user + system) / 1000);
    }
    assert.ok(best < MILLISECONDS, `${best.toFixed(0)} ms`);
    collect();
    const after = process.memoryUsage();
    const kept = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
    assert.ok(kept < NBYTES, `${kept} bytes`);
    assert.ok(wasm.memory.buffer.byteLength < NBYTES);
    void value;
  });
}

test('values of hostile documents are right where they are values', () => {
  assert.equal(decode(cases['100,000 chunks of text']), 'a'.repeat(100_000));
  assert.equal(decode(cases['100,000 chunks of bytes']).length, 100_000);
  assert.equal(Object.keys(decode(cases['40,000 keys of one map'])).length, 40_000);
  assert.equal(decode(encode(Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [i, i]))))[69_999], 69_999);
  assert.equal(decode(cases['a bignum of 400 KB']).toString(16).length, 2 * 0x64000);
});

test('one short string keeps no more than a piece of a document alive', () => {
  const kept = [];
  const document = (i) => encode(Array.from({ length: 100_000 }, (_, j) => `a text of some length, number ${i * 100_000 + j}`.padEnd(90, '.')));
  decode(document(0));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 8; i++) {
    // Each document is some 9 MB.
    kept.push(decode(document(i))[50_000]);
  }
  collect();
  const each = (process.memoryUsage().heapUsed - before) / kept.length;
  assert.ok(each < 65_536, `${each} bytes each`);
});
