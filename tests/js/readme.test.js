// What of the README is generated is what the generators make now.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { putBetween } from '../bench/markers.js';
import { summaryOf } from '../bench/results.js';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../../README.md');

test('the table of benchmarks is that of tests/bench/RESULTS.md', () => {
  assert.equal(readme, putBetween(readme, 'bench', summaryOf(read('../bench/RESULTS.md'))));
});
