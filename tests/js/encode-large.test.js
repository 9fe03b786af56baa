// Documents and strings at the limits: what they take of memory, and what is left when memory ends. Each in a process of
// its own. WCBOR_LARGE=1 has documents of 200 MiB, and goes to the end of the module's memory, for which this takes 4 GB.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encode, EncodedCbor } from 'wcbor';

const MIB = 2 ** 20;
const isLarge = process.env.WCBOR_LARGE === '1';
const DOCUMENT_NBYTES = (isLarge ? 200 : 24) * MIB;

/** What a process takes for its code, and for values that are young, whatever it encodes. */
const CODE_NBYTES = 24 * MIB;

/** Units of the longest string that V8 has. */
const LONGEST = 2 ** 29 - 24;

const record = (i) => ({ id: i, name: `name ${i}`, tags: ['a', 'b'], nested: { level: [i] } });

/** Documents of about that size, by what they are made of. */
const KINDS = {
  'many strings': () => Array.from({ length: DOCUMENT_NBYTES / 21 }, (_, i) => `${i}`.padStart(20, 'x')),
  'strings of several scripts': () => Array.from({ length: DOCUMENT_NBYTES / 38 }, (_, i) => `${i}漢字かな`.padEnd(20, 'é')),
  'many numbers': () => Array.from({ length: DOCUMENT_NBYTES / 5 }, (_, i) => 2 ** 20 + i),
  'one byte string': () => new Uint8Array(DOCUMENT_NBYTES).fill(7),
  // Flat, so that it is the document that is measured, and not V8 joining the string.
  'one string': () => Buffer.alloc(DOCUMENT_NBYTES, 'x').toString('latin1'),
  'an encoded value': () => {
    const item = Buffer.alloc(5 + DOCUMENT_NBYTES);
    item[0] = 0x5a;
    item.writeUInt32BE(DOCUMENT_NBYTES, 1);
    return new EncodedCbor(item);
  },
  'nested records': () => Array.from({ length: DOCUMENT_NBYTES / 51 }, (_, i) => record(i)),
};

/** Resident memory in bytes: now, or the most since `forget`. */
const status = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;

/** What to do in a process of its own, by name. */
const TASKS = {
  measure(kind) {
    const value = KINDS[kind]();
    globalThis.gc();
    writeFileSync('/proc/self/clear_refs', '5');
    const before = status('VmRSS');
    const { length } = encode(value);
    return { length, taken: status('VmHWM') - before };
  },

  /** Two strings that are as long as can be, and then more than fits. */
  longest() {
    const text = 'x'.repeat(LONGEST);
    const two = encode([text, text]);
    const lengths = [two.length, two[0], two[1], two.at(-1)];
    const codes = [Array(5).fill(text), [text, Array(4).fill('é'.repeat(LONGEST))], Array(5).fill(new Uint8Array(600 * MIB))].map((value) => {
      try {
        return encode(value).length;
      } catch (error) {
        return [error.name, error.code];
      }
    });
    const after = ['lax', 'strict', 'deterministic'].map((mode) => Buffer.from(encode({ a: [1, 'é'] }, { mode })).toString('hex'));
    // What the failed calls had is there for others.
    const large = encode(new Uint8Array(1000 * MIB), { mode: 'strict' }).length;
    return { lengths, codes, after, large };
  },
};

if (process.argv[2] in TASKS) {
  console.log(JSON.stringify(TASKS[process.argv[2]](process.argv[3])));
  process.exit();
}

function runApart(...args) {
  const options = ['--expose-gc', '--max-old-space-size=6000', fileURLToPath(import.meta.url), ...args];
  const { status: code, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

for (const kind of Object.keys(KINDS)) {
  test(`a document of ${kind} takes at most three times its size`, { skip: process.platform !== 'linux' }, (t) => {
    const { length, taken } = runApart('measure', kind);
    t.diagnostic(`${(length / MIB).toFixed(0)} MiB take ${(taken / MIB).toFixed(0)} MiB, ${(taken / length).toFixed(2)} times`);
    assert.ok(length > 0.9 * DOCUMENT_NBYTES, `${length} bytes`);
    assert.ok(taken <= 3 * length + CODE_NBYTES, `${taken} bytes for ${length}`);
  });
}

test('strings as long as can be, and documents longer than memory', { skip: !isLarge }, () => {
  const { lengths, codes, after, large } = runApart('longest');
  assert.deepEqual(lengths, [1 + 2 * (5 + LONGEST), 0x82, 0x7a, 0x78]);
  for (const code of codes) assert.deepEqual(code, ['CborError', 'ERR_CBOR_OUT_OF_MEMORY']);
  assert.deepEqual(after, Array(3).fill('a161618201 62c3a9'.replace(' ', '')));
  assert.equal(large, 5 + 1000 * MIB);
});

test('long strings of every kind are what they are, beside others', () => {
  for (const length of [2049, 16385, 49153, 3 * MIB]) {
    const ascii = 'x'.repeat(length), wide = '漢'.repeat(length), bytes = new Uint8Array(length).fill(7), big = 1n << BigInt(8 * Math.min(length, 50000));
    const encoded = new EncodedCbor(encode(bytes));
    for (const mode of ['lax', 'strict', 'deterministic']) {
      const parts = ['a', ascii, wide, bytes, encoded, big, { [ascii]: bytes }].map((one) => Buffer.from(encode(one, { mode })));
      const items = { a: 'a', ascii, wide, bytes, encoded, big, last: { [ascii]: bytes } };
      const keys = Object.keys(items);
      const order = mode === 'deterministic' ? [...keys].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)) : keys;
      const pair = (key) => Buffer.concat([Buffer.from(encode(key)), parts[keys.indexOf(key)]]);
      const expected = Buffer.concat([Buffer.of(0xa7), ...order.map(pair)]);
      // The third time its keys are a shape.
      for (let round = 0; round < 3; round++) assert.ok(expected.equals(encode(items, { mode })), `${length}, ${mode}`);
      assert.equal(parts[1].subarray(-length).toString('latin1'), ascii);
      assert.equal(parts[2].subarray(-3 * length).toString('utf8'), wide);
    }
  }
});
