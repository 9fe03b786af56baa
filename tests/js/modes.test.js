// The table of modes through CborWriter, gathered and one by one, and through encode where a row is a JavaScript value.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CborWriter, encode } from 'wcbor';
import { modeRows, MODES, valueOf } from '../vectors/mode-rows.js';
import { bytesOf, hexOf, run } from './calls.js';

const rows = modeRows(JSON.parse(readFileSync(new URL('../vectors/mode-vectors.json', import.meta.url), 'utf8')));

/** What comes of it in hex, or the code of the error without its prefix. */
function outcome(action) {
  try {
    return hexOf(action());
  } catch (error) {
    if (!error.code?.startsWith('ERR_CBOR_')) throw error;
    return error.code.slice('ERR_CBOR_'.length);
  }
}

/** Runs the calls; says at which one they failed, if they did. */
function written({ mode, convert, calls }, batch, flushes) {
  const writer = new CborWriter({ mode, convertIndefiniteLengths: convert, batch });
  let index = 0;
  try {
    const is = outcome(() => {
      for (; index < calls.length; index++) {
        run(writer, calls[index]);
        if (flushes) writer.flush();
      }
      return writer.encode();
    });
    return { is, index };
  } finally {
    writer.dispose();
  }
}

/** A row fails at its last call; calls that are gathered do when they are run. */
function checkFailure({ calls, error }, { is, index }, isImmediate) {
  assert.equal(is, error);
  if (isImmediate) assert.equal(index, calls.length - 1);
}

test('the table is whole', () => {
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  for (const mode of Object.keys(MODES)) {
    assert.ok(rows.filter((row) => row.mode === mode).length > 100, mode);
  }
});

for (const row of rows) {
  test(`${row.id} ${row.error ?? row.hex}`, () => {
    for (const [batch, flushes] of [[true, false], [true, true], [false, false]]) {
      const result = written(row, batch, flushes);
      if (row.error !== undefined) checkFailure(row, result, !batch || flushes);
      else assert.equal(result.is, row.hex);
    }
    if (row.value !== undefined) {
      const value = valueOf(row.value);
      assert.equal(outcome(() => encode(value, { mode: row.mode })), row.error ?? row.hex);
      assert.equal(outcome(() => encode([], { mode: row.mode })), '80', 'and leaves nothing behind');
    }
    // What a mode writes it takes as an encoded value.
    if (row.hex !== undefined) {
      const again = { mode: row.mode, convert: false, calls: [['encoded', row.hex]] };
      assert.equal(written(again, true, false).is, row.hex);
    }
  });
}

test('encoded text in NFC alone, in dcbor alone', () => {
  const taken = (mode, hex) => outcome(() => {
    const writer = new CborWriter({ mode });
    writer.writeEncodedValue(bytesOf(hex));
    return writer.encode();
  });
  for (const hex of ['6365cc81', 'a16365cc8101', '816365cc81', 'd8206365cc81', `826161${'6365cc81'}`]) {
    assert.equal(taken('dcbor', hex), 'INVALID_ENCODED_VALUE', hex);
    assert.equal(taken('deterministic', hex), hex);
  }
  for (const hex of ['62c3a9', '4365cc81', '7818' + '62'.repeat(24), `82590102${'65cc81'.repeat(86)}62c3a9`]) {
    assert.equal(taken('dcbor', hex), hex);
  }
});

test('a mode does not leak into the next call', () => {
  const value = new Map([['aa', 1.5], [-1, 2], [100, 3], ['b', 4]]);
  const order = { lax: 'a4626161f93e00200218640361 6204', deterministic: 'a4186403200261620462 6161f93e00',
    canonical: 'a420021864036162046 26161f93e00', ctap2: 'a41864032002616204626161fb3ff8000000000000' };
  for (let round = 0; round < 3; round++) {
    for (const [mode, hex] of Object.entries(order)) {
      assert.equal(hexOf(encode(value, { mode })), hex.replaceAll(' ', ''));
    }
    assert.throws(() => encode(value, { mode: 'dag-cbor' }), { code: 'ERR_CBOR_KEY_TYPE_NOT_ALLOWED' });
  }
});

test('converted containers at the lengths of heads, in every mode', () => {
  const head = (major, n) => hexOf(n < 24 ? [major << 5 | n] : n < 256 ? [major << 5 | 24, n] : [major << 5 | 25, n >> 8, n & 0xff]);
  const kinds = {
    array: [4, ['startArray', null], (i) => [['int', i]], ['endArray']],
    map: [5, ['startMap', null], (i) => [['text', String.fromCodePoint(0x4e00 + i)], ['int', i]], ['endMap']],
    bytes: [2, ['startBytes'], () => [['bytes', '07']], ['endBytes']],
    text: [3, ['startText'], () => [['text', 'a']], ['endText']],
  };
  const content = {
    array: (i) => head(0, i),
    map: (i) => `63${hexOf(Buffer.from(String.fromCodePoint(0x4e00 + i)))}${head(0, i)}`,
    bytes: () => '07',
    text: () => '61',
  };
  const lengths = [...Array(60).keys(), 254, 255, 256, 257];
  for (const mode of ['lax', 'strict', ...Object.keys(MODES)]) {
    for (const [kind, [major, start, items, end]] of Object.entries(kinds)) {
      for (const length of lengths) {
        const numbers = [...Array(length).keys()];
        const calls = [['startArray', null], start, ...numbers.flatMap(items), end, ['null'], ['endArray']];
        const expected = `82${head(major, length)}${numbers.map(content[kind]).join('')}f6`;
        assert.equal(written({ mode, convert: true, calls }, length % 2 === 0, false).is, expected, `${mode}, ${kind} of ${length}`);
      }
    }
  }
});
