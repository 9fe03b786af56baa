// The package in workerd as it was for Workers of 2023, which have no FinalizationRegistry: it imports, encodes and writes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Miniflare } from 'miniflare';
import { modulesOf, root } from './modules.js';

const COMPATIBILITY_DATE = '2023-07-01';

test(`compatibility date ${COMPATIBILITY_DATE}`, { timeout: 60_000 }, async () => {
  const miniflare = new Miniflare({
    modules: modulesOf('tests/edge/older-worker.js'),
    modulesRoot: root,
    compatibilityDate: COMPATIBILITY_DATE,
  });
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    assert.deepEqual(await response.json(), {
      registry: 'undefined',
      encoded: 'a2616101616282f56568c3a96c6c',
      written: '9f01ff',
      disposed: 'ERR_CBOR_DISPOSED',
      refused: 'ERR_CBOR_UNSUPPORTED_VALUE at $.f',
    });
  } finally {
    await miniflare.dispose();
  }
});
