// The module's allocator (wasm/memory.c) by its exports, and what large documents make of memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cborToJson, encode } from 'wcbor';
import { instantiate, wasm } from '../../js/instance.js';

instantiate();

const MIB = 1024 * 1024;
const HEADER_NBYTES = 16;

let view = new Uint8Array(0);

/** All memory, as it is now. */
function memory() {
  if (view.length === 0) view = new Uint8Array(wasm.memory.buffer);
  return view;
}

const memoryNbytes = () => wasm.memory.buffer.byteLength;

let seed = 1;

/** @returns {number} 0 to n - 1, the same in every run */
function random(n) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
}

/** Addresses are unsigned. */
const allocate = (nbytes) => wasm.wcbor_alloc(nbytes) >>> 0;

const shuffled = (items) => {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
};

function checkFill({ at, nbytes, fill }) {
  const block = Buffer.from(memory().buffer, at, nbytes);
  assert.ok(block.equals(Buffer.alloc(nbytes, fill)), `block of ${nbytes} at ${at} was written over`);
}

function checkApart(blocks) {
  const sorted = [...blocks].sort((a, b) => a.at - b.at);
  for (let i = 1; i < sorted.length; i++) {
    assert.ok(sorted[i - 1].at + sorted[i - 1].nbytes + HEADER_NBYTES <= sorted[i].at, 'two blocks overlap');
  }
}

/** Most blocks are small, some fill pages. */
const randomSize = () => 1 + random([16, 64, 1000, 5000, 70000, 300000][random(6)]);

test('random blocks do not overlap and keep what is in them', () => {
  const blocks = [];
  for (let step = 0; step < 20000; step++) {
    if (blocks.length === 0 || (blocks.length < 150 && random(2) === 0)) {
      const nbytes = randomSize();
      const at = allocate(nbytes);
      assert.ok(at > 0 && at + nbytes <= memoryNbytes(), `block of ${nbytes} at ${at}`);
      assert.equal(at % 16, 0);
      const fill = random(256);
      memory().fill(fill, at, at + nbytes);
      blocks.push({ at, nbytes, fill });
    } else {
      const [block] = blocks.splice(random(blocks.length), 1);
      checkFill(block);
      wasm.wcbor_free(block.at);
    }
    if (step % 500 === 0) checkApart(blocks);
  }
  for (const block of shuffled(blocks)) {
    checkFill(block);
    wasm.wcbor_free(block.at);
  }
});

test('freed blocks become one again, in whatever order they are freed', () => {
  const orders = [(blocks) => blocks, (blocks) => blocks.reverse(), shuffled,
    (blocks) => [...blocks.filter((_, i) => i % 2), ...blocks.filter((_, i) => i % 2 === 0)]];
  let before;
  for (const order of orders) {
    const blocks = [];
    for (let total = 0; total < 16 * MIB; ) {
      const nbytes = randomSize();
      blocks.push(allocate(nbytes));
      total += nbytes;
    }
    const nbytes = memoryNbytes();
    for (const at of order(blocks)) wasm.wcbor_free(at);
    const whole = allocate(16 * MIB);
    assert.ok(whole > 0);
    assert.equal(memoryNbytes(), nbytes, 'memory grew');
    wasm.wcbor_free(whole);
    // The next round finds its memory there; its blocks are others, so that they may take a little more.
    assert.ok(before === undefined || nbytes < 1.5 * before);
    before = nbytes;
  }
});

test('a block of one size again and again is the same block', () => {
  for (const nbytes of [1, 15, 16, 17, 32, 4096, 65536, MIB]) {
    const first = allocate(nbytes);
    wasm.wcbor_free(first);
    const before = memoryNbytes();
    for (let i = 0; i < 1000; i++) {
      const at = allocate(nbytes);
      assert.equal(at, first);
      wasm.wcbor_free(at);
    }
    assert.equal(memoryNbytes(), before);
  }
});

test('nothing is asked for, nothing is given; freeing nothing is nothing', () => {
  assert.equal(allocate(0), 0);
  wasm.wcbor_free(0);
  const at = allocate(1);
  assert.ok(at > 0);
  wasm.wcbor_free(at);
});

test('what the engine cannot make a string of is given back', () => {
  const bytes = encode('x'.repeat(1_000_000));
  const { latin1Slice } = Buffer.prototype;
  Buffer.prototype.latin1Slice = () => {
    throw new RangeError('too long');
  };
  try {
    for (let i = 0; i < 300; i++) assert.throws(() => cborToJson(bytes), ({ code, cause }) => code === 'ERR_CBOR_OUT_OF_MEMORY' && cause.message === 'too long');
  } finally {
    Buffer.prototype.latin1Slice = latin1Slice;
  }
  assert.ok(wasm.memory.buffer.byteLength < 150_000_000, `${wasm.memory.buffer.byteLength} bytes`);
  assert.equal(cborToJson(bytes).length, 1_000_002);
});

test('memory grows to 200 MiB, and is used again', () => {
  const blocks = Array.from({ length: 25 }, () => allocate(8 * MIB));
  assert.ok(blocks.every((at) => at > 0));
  for (const at of blocks) memory().fill(at >> 20, at, at + 8 * MIB);
  for (const at of blocks) checkFill({ at, nbytes: 8 * MIB, fill: (at >> 20) & 0xff });
  const nbytes = memoryNbytes();
  assert.ok(nbytes >= 200 * MIB && nbytes < 300 * MIB, `${nbytes} bytes`);
  for (const at of blocks) wasm.wcbor_free(at);
  const whole = allocate(200 * MIB);
  assert.ok(whole > 0);
  assert.equal(memoryNbytes(), nbytes);
  wasm.wcbor_free(whole);
});

test('sizes that cannot be had are refused, and change nothing', () => {
  const nbytes = memoryNbytes();
  const held = allocate(1000);
  memory().fill(0xaa, held, held + 1000);
  for (const size of [2 ** 32 - 1, 2 ** 32 - 15, 2 ** 32 - 16, 2 ** 32 - 17, 2 ** 32 - 65536, 2 ** 32 - 131072, 2 ** 32 - MIB, 2 ** 32 - 64 * MIB]) {
    assert.equal(allocate(size), 0, String(size));
  }
  assert.equal(memoryNbytes(), nbytes);
  checkFill({ at: held, nbytes: 1000, fill: 0xaa });
  wasm.wcbor_free(held);
  const again = allocate(8 * MIB);
  assert.ok(again > 0);
  wasm.wcbor_free(again);
  assert.equal(memoryNbytes(), nbytes);
});
