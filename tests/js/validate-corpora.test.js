// Conformance data of others, where there is some (see corpora.test.js): what validate says of each row, and that
// CborReader agrees.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CborReader, validate } from 'wcbor';
import { bytesOf } from './calls.js';

/** The mode that judges what a profile says. */
const OPTIONS_OF = {
  wf: { mode: 'lax' },
  valid: { mode: 'strict' },
  seq: { mode: 'lax', allowMultipleRoots: true },
  'seq-valid': { mode: 'strict', allowMultipleRoots: true },
  det: { mode: 'deterministic' },
  cde: { mode: 'deterministic' },
  detLF: { mode: 'canonical' },
  dcbor: { mode: 'dcbor' },
  'dag-cbor': { mode: 'dag-cbor' },
  ctap2: { mode: 'ctap2' },
};

/** What RFC 8949 says of the bytes of an item, by mode. */
const FACTS = {
  lax: ({ wf }) => wf,
  strict: ({ wf, utf8, dupKeys }) => wf && utf8 && !dupKeys,
  deterministic: ({ wf, det }) => wf && det,
  canonical: ({ wf, detLF }) => wf && detLF,
};

/** Rows that are wrong, or speak of what the standards leave open; each kind with the reason why wcbor differs. */
const DIFFERENCES = [
  {
    why: 'lax takes the simple values 0..31 in two bytes',
    applies: ({ mode, row }) => mode === 'lax' && (row.orc?.err === 'simple-lt32' || /f8[01]/.test(row.hex)),
  },
  {
    why: 'strict compares keys as they are encoded, and takes heads that are longer than they need be',
    applies: ({ mode, row }) => mode === 'strict' && row.orc?.dupKeys && !row.orc.preferred,
  },
  {
    why: 'dCBOR: its drafts disagree on integers below -2^63, and both forms are taken',
    applies: ({ mode, row }) => mode === 'dcbor' && row.tv?.[0] === 'i' && BigInt(row.tv[1]) < -(2n ** 63n),
  },
  {
    why: 'strict leaves what stands under a tag to whoever reads the tag',
    applies: ({ mode, row }) => mode === 'strict' && /^(c[0-5]|d818|d820)/.test(row.hex),
  },
  {
    why: 'canonical takes any bignum, as .NET does',
    applies: ({ mode, row }) => mode === 'canonical' && /c[23]4/.test(row.hex),
  },
];

const MAX_DEPTH = 1_000_001;

function validates(hex, options) {
  const bytes = bytesOf(hex);
  const found = validate(bytes, { maxDepth: MAX_DEPTH, ...options });
  const reader = new CborReader(bytes, { maxDepth: MAX_DEPTH, ...options });
  try {
    if (!options.allowMultipleRoots) {
      if (found.ok) {
        reader.skipValue();
        assert.equal(reader.bytesRead, found.bytesRead);
      } else {
        assert.throws(() => reader.skipValue(), { code: found.code, offset: found.offset, missing: found.missing });
      }
    }
  } finally {
    reader.dispose();
  }
  return found.ok && found.bytesRead === bytes.length;
}

function rowsOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((path) => path.endsWith('.jsonl'))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean).map((line) => {
      const row = JSON.parse(line);
      const expand = ({ gen }) => Array.isArray(gen) && gen.map(([unit, count]) => unit.repeat(count)).join('');
      const hex = row.hex ?? (row.b64 === undefined ? expand(row) || undefined : Buffer.from(row.b64, 'base64').toString('hex'));
      return { ...row, hex, from: path.slice(folder.length + 1) };
    }))
    .filter(({ hex }) => hex !== undefined);
}

/** Judges rows; what differs without a reason is told, and how many rows of each kind there were. */
function runAll(rows, judged, t) {
  const counts = {}, reasons = {}, unexplained = [];
  for (const row of rows) {
    for (const { kind, options, expected } of judged(row)) {
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (validates(row.hex, options) === expected) continue;
      const reason = DIFFERENCES.find(({ applies }) => applies({ mode: options.mode, row }))?.why;
      if (reason === undefined) unexplained.push(`${row.from} ${row.id}: ${options.mode}, not ${expected}: ${row.hex.slice(0, 100)} ${row.asserts}`);
      else (reasons[reason] ??= new Set()).add(row.id);
    }
  }
  for (const [kind, count] of Object.entries(counts)) t.diagnostic(`${kind}: ${count} rows`);
  for (const [reason, ids] of Object.entries(reasons)) t.diagnostic(`${ids.size} rows differ: ${reason}`);
  assert.deepEqual(unexplained, []);
  return counts;
}

function* byProfile({ profile, expect }) {
  if (profile in OPTIONS_OF && (expect === 'accept' || expect === 'reject')) {
    yield { kind: profile, options: OPTIONS_OF[profile], expected: expect === 'accept' };
  }
}

function* byFacts({ orc }) {
  if (orc?.wf === undefined) return;
  for (const [mode, fact] of Object.entries(FACTS)) {
    const expected = fact(orc);
    if (expected !== undefined) yield { kind: mode, options: { mode }, expected: Boolean(expected) };
  }
}

// The judge on rows of our own, so that a run without the data is not an empty one.
test('a row is judged by its profile', () => {
  assert.equal(validates('a2616101626262820203', OPTIONS_OF.cde), true);
  assert.equal(validates('a2616101616101', OPTIONS_OF.valid), false);
  assert.equal(validates('0000', OPTIONS_OF.wf), false);
  assert.equal(validates('0000', OPTIONS_OF.seq), true);
});

const folder = process.env.WCBOR_CORPORA;
if (folder) {
  const rows = rowsOf(folder);
  test('rows in the modes of their profiles', (t) => {
    const counts = runAll(rows, byProfile, t);
    assert.deepEqual(Object.keys(counts).sort(), Object.keys(OPTIONS_OF).sort());
  });
  test('what RFC 8949 says of each row', (t) => void runAll(rows, byFacts, t));
}
