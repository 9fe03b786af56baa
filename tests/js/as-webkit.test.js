// What is done otherwise in WebKit, by the tests of encode.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const preparation = new URL('../as-webkit.js', import.meta.url).href;

/** Node's own flags of this process: which build of the package is tested. */
const flags = process.execArgv.filter((flag) => flag.startsWith('--import'));

for (const name of ['encode-text', 'encode', 'encode-hostile', 'encode-paths']) {
  test(`${name} as in WebKit`, () => {
    const file = fileURLToPath(new URL(`${name}.test.js`, import.meta.url));
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const { status, stdout } = spawnSync(process.execPath, [...flags, `--import=${preparation}`, file], { env, encoding: 'utf8' });
    assert.equal(status, 0, stdout.slice(-4000));
    assert.match(stdout, /^# pass [1-9]/m);
  });
}
