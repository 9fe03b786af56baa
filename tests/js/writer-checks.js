// What the tests of CborWriter share: writers of both kinds, and how a failure is looked at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CborError, CborWriter } from 'wcbor';

/** A test for writers that gather their calls and another for those that do not. */
export function each(name, body) {
  for (const batch of [true, false]) {
    test(`${name}, ${batch ? 'gathered' : 'one by one'}`, (t) => {
      body((options) => {
        const writer = new CborWriter({ ...options, batch });
        t.after(() => writer.dispose());
        return writer;
      }, batch);
    });
  }
}

/** What `action` throws, or undefined. */
export function thrownBy(action) {
  try {
    action();
  } catch (error) {
    return error;
  }
}

/** Makes the calls and flushes: what is thrown first, and the number of the call that threw it. */
export function failureOf(writer, calls) {
  for (const [at, call] of calls.entries()) {
    const error = thrownBy(() => call(writer));
    if (error !== undefined) return { at, error };
  }
  return { at: calls.length, error: thrownBy(() => writer.flush()) };
}

export function assertFailure(error, code, callIndex, offset) {
  assert.ok(error instanceof CborError, `${error} is no CborError`);
  assert.deepEqual([error.code, error.callIndex, error.offset], [`ERR_CBOR_${code}`, callIndex, offset]);
}

export function assertRefusal(error, type, code) {
  assert.ok(error instanceof type && !(error instanceof CborError), `${error} is no ${type.name}`);
  assert.equal(error.code, `ERR_CBOR_${code}`);
}
