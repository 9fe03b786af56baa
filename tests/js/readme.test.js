// What of the README is generated is what the generators make now.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apiReference } from '../../.ci/api.js';
import { putBetween } from '../../.ci/markers.js';
import { picture } from '../../demo/picture.js';
import { summaryOf } from '../bench/results.js';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../../README.md');

test('the table of benchmarks is that of tests/bench/RESULTS.md', () => {
  assert.ok(readme === putBetween(readme, 'bench', summaryOf(read('../bench/RESULTS.md'))), 'any of the benchmarks, with --readme, writes it anew');
});

test('the API reference is that of the types and comments', () => {
  assert.ok(readme === putBetween(readme, 'api', apiReference()), 'npm run api writes it anew');
});

test('the picture shows what the package makes of the document', () => {
  assert.ok(read('../../demo/picture.svg') === picture(), 'npm run picture draws it anew');
});
