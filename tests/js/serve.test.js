// The demo's server: what it serves, with which headers, and what it does not.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { serve } from '../../demo/serve.js';

let server;
before(async () => (server = await serve()));
after(() => server.close());

/** By node:http, because fetch would tidy the path up before it is sent. */
const request = (path) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    get({ hostname, port, path }, async (response) => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
    }).on('error', reject);
  });

for (const [path, type] of [
  ['/', 'text/html; charset=utf-8'],
  ['/page.js?query', 'text/javascript; charset=utf-8'],
  ['/js/index.js', 'text/javascript; charset=utf-8'],
  ['/dist/wcbor.wasm', 'application/wasm'],
  ['/samples/index.json', 'application/json; charset=utf-8'],
]) {
  test(`GET ${path} is ${type}`, async () => {
    const { status, headers, body } = await request(path);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], type);
    assert.equal(Number(headers['content-length']), body.length);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-embedder-policy'], 'require-corp');
    assert.equal(headers['content-security-policy'], "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
  });
}

for (const path of [
  '/missing.js',
  '/js/',
  '/js',
  '/package.json',
  '/../../package.json',
  '/js/../package.json',
  '/%2e%2e/%2e%2e/package.json',
  '/js/..%2f..%2fpackage.json',
  '/.git/config',
  '//etc/passwd',
  '/__proto__/x',
  '/%',
  '/%00',
]) {
  test(`GET ${path} is not found`, async () => {
    assert.equal((await request(path)).status, 404);
  });
}

test('every listed sample is there, and is JSON', async () => {
  const names = JSON.parse((await request('/samples/index.json')).body);
  for (const name of names) {
    const { status, body } = await request(`/samples/${name}.json`);
    assert.equal(status, 200, name);
    JSON.parse(body);
  }
  assert.ok(names.length >= 5);
});

test('a port that is taken gives way to the next free one', async () => {
  const { port } = new URL(server.url);
  const second = await serve({ port: Number(port) });
  assert.ok(Number(new URL(second.url).port) > Number(port));
  await second.close();
});

test('the page sets the same policy in its markup as the server does', () => {
  const page = readFileSync(new URL('../../demo/page/index.html', import.meta.url), 'utf8');
  assert.ok(page.includes("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"));
});
