// Conformance data of others, where there is some: the folder that WCBOR_CORPORA names holds JSON lines, a row with the
// bytes of an item (`hex`), the rules that it is judged by (`profile`, `expect`), its exact value (`tv`) and facts of
// RFC 8949 about the bytes (`orc`). Each row's value is written, forwards and with its maps turned round, and its bytes
// are offered to writeEncodedValue.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CborWriter, encode } from 'wcbor';
import { bytesOf, floatOf, hexOf } from './calls.js';

const MODE_OF = {
  det: 'deterministic', cde: 'deterministic', dcbor: 'dcbor', 'dag-cbor': 'dag-cbor', ctap2: 'ctap2', detLF: 'canonical',
};

/** Rows that are wrong, or speak of what the standards leave open; each kind with the reason why wcbor differs. */
const DIFFERENCES = [
  {
    why: 'a NaN is written as f97e00 whatever its payload, which JavaScript does not keep anyway',
    applies: ({ way, row }) => way !== 'encoded' && hasNanPayload(row.tv ?? ['f', row.bits64]),
  },
  {
    why: 'dCBOR: its drafts disagree on integers below -2^63, and both forms are taken',
    applies: ({ mode, row }) => mode === 'dcbor' && isBelowInt64(row.tv),
  },
  {
    why: 'canonical is RFC 7049: encoded values may hold wide floats and any bignum',
    applies: ({ mode, row }) => mode === 'canonical' && row.orc?.preferred === false,
  },
  {
    why: 'lax takes the simple values 0..31 in two bytes',
    applies: ({ mode, row }) => mode === 'lax' && row.orc?.err === 'simple-lt32',
  },
  {
    why: 'strict compares keys as they are encoded, and takes heads that are longer than they need be',
    applies: ({ mode, row }) => mode === 'strict' && row.orc?.dupKeys && !row.orc.preferred,
  },
];

function hasNanPayload([type, value] = []) {
  if (type === 'f') return Number.isNaN(floatOf(value)) && value !== '7ff8000000000000';
  return (type === 'a' || type === 'm') && value.flat().some(hasNanPayload);
}

const isBelowInt64 = (tv) => tv?.[0] === 'i' && BigInt(tv[1]) < -(2n ** 63n);

// -------------------------------------------------------------------------------------------------------- one row

/** What writes each kind of value. `turned`: maps are written from their last pair to their first. */
const WRITE = {
  i(writer, decimal) {
    const value = BigInt(decimal);
    if (value >= 0n) writer.writeUint64(value);
    else writer.writeNegativeIntegerRepresentation(-1n - value);
  },
  f: (writer, bits) => writer.writeDouble(floatOf(bits)),
  b: (writer, hex) => writer.writeByteString(bytesOf(hex)),
  s: (writer, text) => writer.writeTextString(text),
  x: (writer, value) => writer.writeSimpleValue(value),
  a(writer, items, turned) {
    writer.writeStartArray(items.length);
    for (const item of items) write(writer, item, turned);
    writer.writeEndArray();
  },
  m(writer, pairs, turned) {
    writer.writeStartMap(pairs.length);
    for (const [key, value] of turned ? pairs.toReversed() : pairs) {
      write(writer, key, turned);
      write(writer, value, turned);
    }
    writer.writeEndMap();
  },
};

function write(writer, [type, first, second], turned) {
  if (type !== 't') return WRITE[type](writer, first, turned);
  writer.writeTag(BigInt(first));
  write(writer, second, turned);
}

/** Whether there are calls for the value: there are none for text that is not UTF-8 ('S!'). */
const canWrite = (tv) => tv !== undefined && !JSON.stringify(tv).includes('["S!"');

/** What comes of it in hex, or the code of the error. */
function outcome(options, action) {
  const writer = new CborWriter({ maxDepth: 100000, ...options });
  try {
    action(writer);
    return hexOf(writer.encode());
  } catch (error) {
    if (!error.code?.startsWith('ERR_CBOR_')) throw error;
    return error.code;
  } finally {
    writer.dispose();
  }
}

const taken = (mode, hex) => outcome({ mode }, (writer) => writer.writeEncodedValue(bytesOf(hex)));

/** Yields what is wrong with a row in a mode that judges it. */
function* faults(row, mode, expect = row.expect) {
  const { hex, tv } = row;
  const encoded = taken(mode, hex);
  if (encoded !== (expect === 'accept' ? hex : 'ERR_CBOR_INVALID_ENCODED_VALUE')) yield { way: 'encoded', row, mode, is: encoded };
  if (!canWrite(tv)) return;
  for (const turned of [false, true]) {
    for (const batch of [true, false]) {
      const written = outcome({ mode, batch }, (writer) => write(writer, tv, turned));
      // What is refused must not be written; what else the value comes to is for the rows that are accepted to say.
      const isRight = expect === 'accept' ? written === hex : written !== hex && taken(mode, written) === written;
      const isRefused = expect !== 'accept' && written.startsWith('ERR_');
      if (!isRight && !isRefused) yield { way: 'written', row, mode, is: written };
    }
  }
}

// ------------------------------------------------------------------------------------------------------ all rows

function rowsOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((path) => path.endsWith('.jsonl'))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => {
      const row = JSON.parse(line);
      const hex = row.hex ?? (row.b64 === undefined ? undefined : Buffer.from(row.b64, 'base64').toString('hex'));
      return { ...row, hex, from: path.slice(folder.length + 1) };
    }));
}

/** A row with its keys in the two orders of RFC 8949: what the mode makes of its map. */
function ordered(row, mode, keys) {
  const pairs = new Map(row.tv[1].map(([key, value]) => [keyOf(key), keyOf(value)]));
  const hex = `a${pairs.size.toString(16)}${keys.map((key) => key + pairs.get(key)).join('')}`;
  return [...faults({ ...row, hex }, mode, 'accept')];
}

const keyOf = (tv) => outcome({ mode: 'strict' }, (writer) => write(writer, tv));

/** The profile's own verdicts, row by row. */
function* judged(row) {
  if (row.detKeys !== undefined) yield { kind: 'det', found: ordered(row, 'deterministic', row.detKeys) };
  if (row.lfKeys !== undefined) yield { kind: 'detLF', found: ordered(row, 'canonical', row.lfKeys) };
  const mode = MODE_OF[row.profile];
  if (mode === undefined || row.hex === undefined) return;
  if (row.expect === 'accept' || row.expect === 'reject') yield { kind: row.profile, found: [...faults(row, mode)] };
}

/** What RFC 8949 says of the bytes by themselves: well-formed, valid, deterministic by either order of keys. */
function* factual(row) {
  const { orc, hex } = row;
  if (orc === undefined || hex === undefined) return;
  const says = (fact) => (orc.wf && orc[fact] ? 'accept' : 'reject');
  const lax = taken('lax', hex), strict = taken('strict', hex);
  const found = [];
  if ((lax === hex) !== orc.wf) found.push({ way: 'encoded', row, mode: 'lax', is: lax });
  if ((strict === hex) !== (says('basicValid') === 'accept')) found.push({ way: 'encoded', row, mode: 'strict', is: strict });
  yield { kind: 'facts', found };
  if (!orc.wf || !canWrite(row.tv)) return;
  for (const [mode, fact] of [['deterministic', 'det'], ['canonical', 'detLF']]) {
    yield { kind: `facts: ${mode}`, found: [...faults(row, mode, says(fact))] };
  }
}

/** Numbers and strings by themselves, through encode. */
function* encoded(row) {
  const same = (mode, value) => {
    const is = hexOf(encode(value, { mode }));
    return is === row.hex ? [] : [{ way: 'encode', row, mode, is }];
  };
  if (row.bits64 !== undefined) {
    const value = floatOf(row.bits64);
    // Whole numbers are integers to encode, floats to the writer.
    const writes = Number.isSafeInteger(value) && !Object.is(value, -0)
      ? outcome({ mode: 'deterministic' }, (writer) => writer.writeDouble(value)) : hexOf(encode(value));
    yield { kind: 'floats', found: writes === row.hex ? [] : [{ way: 'encode', row, mode: 'lax', is: writes }] };
  }
  if (row.int !== undefined) {
    const value = BigInt(row.int);
    yield { kind: 'integers', found: [...same('deterministic', value), ...same('lax', value)] };
    if (Number.isSafeInteger(Number(value))) yield { kind: 'integers', found: same('lax', Number(value)) };
  }
  if (row.utf16 !== undefined) {
    const text = row.utf16.map((unit) => String.fromCharCode(unit)).join('');
    yield { kind: 'strings', found: same('lax', text) };
    if (row.wellFormed) yield { kind: 'strings', found: same('strict', text) };
    else assert.throws(() => encode(text, { mode: 'strict' }), { code: 'ERR_CBOR_INVALID_TEXT' });
  }
}

const reasonFor = (fault) => DIFFERENCES.find(({ applies }) => applies(fault))?.why;

function describe({ way, row, mode, is }) {
  return `${row.from} ${row.id}: ${way} in ${mode} ${is.slice(0, 100)}, not ${row.expect ?? ''} ${row.hex.slice(0, 100)}`;
}

/** Runs the rows; what differs without a reason is told, and how many rows of each kind there were. */
function runAll(rows, judge, t) {
  const counts = {}, reasons = {}, unexplained = [];
  for (const row of rows) {
    for (const { kind, found } of judge(row)) {
      counts[kind] = (counts[kind] ?? 0) + 1;
      for (const fault of found) {
        const reason = reasonFor(fault);
        if (reason === undefined) unexplained.push(describe(fault));
        else (reasons[reason] ??= new Set()).add(row.id);
      }
    }
  }
  for (const [kind, count] of Object.entries(counts)) t.diagnostic(`${kind}: ${count} rows`);
  for (const [reason, ids] of Object.entries(reasons)) t.diagnostic(`${ids.size} rows differ: ${reason}`);
  assert.deepEqual(unexplained, []);
  return counts;
}

// The rows' interpreter on rows of our own, so that a run without the data is not an empty one.
test('a row is judged by its profile', () => {
  const rows = [
    { hex: 'a2616101626262820203', tv: ['m', [[['s', 'a'], ['i', '1']], [['s', 'bb'], ['a', [['i', '2'], ['i', '3']]]]]] },
    { hex: 'c249010000000000000000', tv: ['t', '2', ['b', '010000000000000000']] },
    { hex: '82f93e0020', tv: ['a', [['f', '3ff8000000000000'], ['i', '-1']]] },
  ];
  for (const row of rows) {
    assert.deepEqual([...faults({ ...row, expect: 'accept' }, 'deterministic')], []);
    assert.notDeepEqual([...faults({ ...row, expect: 'reject' }, 'deterministic')], []);
  }
  assert.deepEqual([...faults({ ...rows[1], expect: 'reject' }, 'dag-cbor')], []);
});

const folder = process.env.WCBOR_CORPORA;
if (folder) {
  const rows = rowsOf(folder);
  test('rows in the modes of their profiles', (t) => {
    const counts = runAll(rows, judged, t);
    assert.deepEqual(Object.keys(counts).sort(), Object.keys(MODE_OF).sort());
  });
  test('what RFC 8949 says of each row', (t) => void runAll(rows, factual, t));
  test('numbers and strings by themselves', (t) => void runAll(rows, encoded, t));
}
