// Every row of the writer's table through CborWriter, one call at a time, gathered and flushed after every call, and
// gathered until a result is asked for.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CborError, CborWriter } from 'wcbor';
import { hexOf, MODES, observe, run } from './calls.js';

const rows = JSON.parse(readFileSync(new URL('../vectors/writer-vectors.json', import.meta.url), 'utf8'));

/** What only a call that takes the result comes to. */
const TAKING = ['INCOMPLETE', 'DEST_TOO_SMALL'];

function makeWriter(row, batch) {
  return new CborWriter({
    mode: MODES[row.mode],
    convertIndefiniteLengths: row.convert,
    allowMultipleRoots: row.multipleRoots,
    maxDepth: row.maxDepth ?? 1000,
    batch,
  });
}

/** The code without its prefix; what is no error of the package's goes on. */
function codeOf(error) {
  if (!error.code?.startsWith('ERR_CBOR_')) throw error;
  return error.code.slice('ERR_CBOR_'.length);
}

function checkBytes({ hex, length, sha256, head, tail }, bytes) {
  if (hex !== undefined) return assert.equal(hexOf(bytes), hex);
  assert.equal(bytes.length, length);
  assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  assert.ok(hexOf(bytes).startsWith(head) && hexOf(bytes).endsWith(tail));
}

/** Runs a row's calls and returns what failed, as [index, code]. */
function runAll(row, writer, afterEach) {
  const failures = [];
  for (const [index, call] of row.calls.entries()) {
    try {
      run(writer, call);
      afterEach();
    } catch (error) {
      failures.push([index, codeOf(error)]);
      if (row.result.error !== undefined) break;
    }
  }
  return failures;
}

function checkEachCall(row, batch) {
  const writer = makeWriter(row, batch);
  const { result } = row;
  const failures = runAll(row, writer, () => batch && writer.flush());
  if (result.error !== undefined) {
    assert.deepEqual(failures, [[result.errorAt, result.error]]);
    const { bytesWritten, depth, complete } = result;
    assert.deepEqual(observe(writer), { bytesWritten, depth, complete });
  } else {
    assert.deepEqual(failures, (result.errors ?? []).map(({ at, error }) => [at, error]));
    checkBytes(result, writer.encode());
  }
  writer.dispose();
}

/** Calls that are gathered fail together: with the index of the call that is at fault, and what came before it done. */
function checkGathered(row) {
  const writer = makeWriter(row, true);
  const { result } = row;
  if (result.error === undefined) {
    runAll(row, writer, () => {});
    checkBytes(result, writer.encode());
  } else {
    let failure;
    try {
      for (const call of row.calls) run(writer, call);
      writer.flush();
    } catch (error) {
      failure = error;
    }
    assert.equal(failure && codeOf(failure), result.error);
    // Only what is asked of a result is no write call, and has no number.
    assert.equal(failure.callIndex === undefined, !(failure instanceof CborError) || TAKING.includes(result.error));
    if (failure.callIndex !== undefined && row.calls.every(([name]) => !/repeat|count|pairs|reset/.test(name))) {
      assert.equal(failure.callIndex, result.errorAt);
      assert.equal(failure.offset, result.bytesWritten);
    }
    const { bytesWritten, depth, complete } = result;
    assert.deepEqual(observe(writer), { bytesWritten, depth, complete });
  }
  writer.dispose();
}

test('the table is whole', () => {
  assert.equal(rows.length, 534);
  assert.equal(new Set(rows.map(({ id }) => id)).size, 534);
});

for (const row of rows) {
  test(`${row.id} ${row.mode} ${row.src}`, () => {
    checkEachCall(row, false);
    checkEachCall(row, true);
    // A row that goes on after errors means each of its calls; gathered, a failure drops the calls behind it.
    if (row.result.errors === undefined) checkGathered(row);
  });
}
