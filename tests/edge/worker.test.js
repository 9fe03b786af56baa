// The worker of demo/worker in real workerd, over real HTTP: what it answers, and what it refuses and how.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { decode } from 'cborg';
import { root } from './modules.js';
import { ask as fetch, startWorker as start } from './start.js';

const MEBIBYTE = 1024 * 1024;
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytesOf = async (response) => new Uint8Array(await response.arrayBuffer());

function post(url, body, type = 'application/json') {
  return fetch(`${url}/encode`, { method: 'POST', body, headers: type === null ? {} : { 'content-type': type } });
}

/** Checks that `response` is a problem of this status, and returns it. */
async function problemOf(response, status, title) {
  assert.equal(response.status, status);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const problem = await response.json();
  assert.equal(problem.type, 'about:blank');
  assert.equal(problem.status, status);
  assert.equal(problem.title, title);
  assert.ok(problem.detail.length > 0);
  assert.doesNotMatch(JSON.stringify(problem), /worker\.js|\.js:\d+/, 'no internals');
  return problem;
}

/**
 * Posts `chunks`, with chunked transfer coding unless a length is announced. With `end: false` the body stays open, so
 * that the answer cannot have waited for it (and a server that closes the connection has read all there was).
 * @returns {Promise<Response>}
 */
function postChunks(url, chunks, { announced, end = true } = {}) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(announced && { 'content-length': announced }) };
    const request = httpRequest(`${url}/encode`, { method: 'POST', headers, agent: false });
    request.on('error', reject);
    request.on('response', async (response) => {
      const parts = [];
      for await (const part of response) parts.push(part);
      request.off('error', reject).on('error', () => {}).destroy();
      resolve(new Response(Buffer.concat(parts), { status: response.statusCode, headers: response.headers }));
    });
    request.flushHeaders();
    for (const chunk of chunks) request.write(chunk);
    if (end) request.end();
  });
}

/** Sends `text` over a bare connection and closes its sending side: all that comes back. */
function sendRaw(url, text) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.end(text));
    socket.setEncoding('utf8');
    socket.on('data', (part) => (answer += part));
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

/** A document whose shape depends on `seed`. */
function documentOf(seed) {
  return {
    id: seed,
    name: `item ${seed} \u00e9\u6c34\u{1f30a}`,
    list: Array.from({ length: seed % 40 }, (_, i) => ({ i, half: i / 2, third: i / 3, on: i % 2 === 0 })),
    [`key${seed}`]: [null, true, -seed, 2 ** 40 + seed, 'x'.repeat(seed)],
  };
}

describe('worker', { timeout: 60_000 }, () => {
  let url;
  let dispose;
  before(async () => ({ url, dispose } = await start()));
  after(() => dispose?.());

  describe('encodes', () => {
    for (const [json, expected] of [
      ['{"a":1}', 'a1616101'],
      ['[1,[2,3]]', '8201820203'],
      ['"\u00fc"', '62c3bc'],
      ['-0', 'f98000'],
      ['1.5', 'f93e00'],
      ['1.1', 'fb3ff199999999999a'],
      ['1000000', '1a000f4240'],
      ['-1', '20'],
      ['null', 'f6'],
      [' {"a":true}\n', 'a16161f5'],
      ['\ufeff[]', '80'],
      ['{"__proto__":1}', 'a1695f5f70726f746f5f5f01'],
    ]) {
      test(`${JSON.stringify(json)} as ${expected}`, async () => {
        const response = await post(url, json);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('content-type'), 'application/cbor');
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        assert.equal(hex(await bytesOf(response)), expected);
      });
    }

    test('an unpaired surrogate as U+FFFD, in lax alone', async () => {
      const lax = await fetch(`${url}/encode?mode=lax`, { method: 'POST', body: '"\\ud800"', headers: { 'content-type': 'application/json' } });
      assert.equal(hex(await bytesOf(lax)), '63efbfbd');
      const problem = await problemOf(await post(url, '"\\ud800"'), 400, 'Bad Request');
      assert.equal(problem.code, 'ERR_CBOR_INVALID_TEXT');
    });

    const samples = readdirSync(join(root, 'demo/samples')).filter((name) => name.endsWith('.json'));
    for (const name of samples) {
      test(`the sample ${name} without loss`, async () => {
        const json = readFileSync(join(root, 'demo/samples', name), 'utf8');
        const response = await post(url, json);
        assert.equal(response.status, 200);
        assert.deepEqual(decode(await bytesOf(response)), JSON.parse(json));
      });
    }

    test('a body of exactly the limit', async () => {
      const json = JSON.stringify('x'.repeat(MEBIBYTE - 2));
      const response = await post(url, json);
      assert.equal(response.status, 200);
      assert.equal(decode(await bytesOf(response)), JSON.parse(json));
    });

    test('a body that comes in many chunks, cut inside characters', async () => {
      const value = documentOf(39);
      const bytes = Buffer.from(JSON.stringify(value));
      const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7));
      const response = await postChunks(url, chunks);
      assert.equal(response.status, 200);
      assert.deepEqual(decode(await bytesOf(response)), value);
    });

    test('50 requests at once, each right', async () => {
      const seeds = Array.from({ length: 50 }, (_, i) => i + 1);
      await Promise.all(
        seeds.map(async (seed) => {
          const response = await post(url, JSON.stringify(documentOf(seed)));
          assert.equal(response.status, 200);
          assert.deepEqual(decode(await bytesOf(response)), documentOf(seed));
        }),
      );
    });

    test('with a query on the path', async () => {
      const response = await fetch(`${url}/encode?x=1`, { method: 'POST', body: '1', headers: { 'content-type': 'application/json' } });
      assert.equal(response.status, 200);
    });
  });

  describe('media types', () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/ld+json', 'Application/Vnd.Api+JSON;a="b;c"', 'application/json ;q=1', "a!#$%&'*+.^_`|~-9/b+json"]) {
      test(`takes ${type}`, async () => {
        const response = await post(url, '{"a":1}', type);
        assert.equal(response.status, 200);
        assert.equal(hex(await bytesOf(response)), 'a1616101');
      });
    }
    for (const type of ['text/plain', 'application/cbor', 'application/jsonx', 'application/json+x', 'text/json, application/json', '+json', 'json', '', 'a/+json', '/a+json',
      'a,b/c+json', 'a/b,c+json', '(a)/b+json', 'a/"b"+json', 'a/b@c+json', 'a/[b]+json', 'a/b+json/c+json', 'a b/c+json', 'a/\u00e9+json']) {
      test(`refuses ${JSON.stringify(type)}`, async () => {
        await problemOf(await post(url, '{"a":1}', type), 415, 'Unsupported Media Type');
      });
    }
    test('refuses a body without one', async () => {
      await problemOf(await post(url, new Uint8Array([0x31]), null), 415, 'Unsupported Media Type');
    });
  });

  describe('content codings', () => {
    const coded = (url, coding, body) => fetch(`${url}/encode`, {
      method: 'POST', body, headers: { 'content-type': 'application/json', 'content-encoding': coding },
    });
    for (const coding of ['gzip', 'br', 'deflate', 'x-gzip', 'identity, gzip', 'gzip, identity', 'none']) {
      test(`refuses ${JSON.stringify(coding)}, whatever the bytes are, and says what it takes`, async () => {
        for (const body of [gzipSync('{"a":1}'), '{"a":1}']) {
          const response = await coded(url, coding, body);
          assert.equal(response.headers.get('accept-encoding'), 'identity');
          await problemOf(response, 415, 'Unsupported Media Type');
        }
      });
    }
    for (const coding of ['identity', 'Identity', '']) {
      test(`takes ${JSON.stringify(coding)}`, async () => {
        const response = await coded(url, coding, '{"a":1}');
        assert.equal(response.status, 200);
        assert.equal(hex(await bytesOf(response)), 'a1616101');
      });
    }
  });

  test('another method is 405 and names those allowed', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fetch(`${url}/encode`, { method });
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
      await problemOf(response, 405, 'Method Not Allowed');
    }
    const head = await fetch(`${url}/encode`, { method: 'HEAD' });
    assert.equal(head.status, 405);
    assert.equal(head.headers.get('allow'), 'POST, OPTIONS');
  });

  test('another path is 404', async () => {
    for (const path of ['/', '/encode/', '/encoder', '/favicon.ico', '/%65ncode/x']) {
      await problemOf(await fetch(url + path, { method: 'POST', body: '1' }), 404, 'Not Found');
    }
  });

  describe('too large', () => {
    test('by the announced length, before any of it came', async () => {
      const response = await postChunks(url, [], { announced: MEBIBYTE + 1, end: false });
      const problem = await problemOf(response, 413, 'Content Too Large');
      assert.match(problem.detail, /1048576 bytes/);
    });

    test('by what came, while the body goes on', async () => {
      const chunks = [...Array.from({ length: 16 }, () => Buffer.alloc(65536, 0x20)), '1'];
      await problemOf(await postChunks(url, chunks, { end: false }), 413, 'Content Too Large');
    });

    test('not by the limit itself', async () => {
      const response = await postChunks(url, [Buffer.alloc(MEBIBYTE - 1, 0x20), '1']);
      assert.equal(response.status, 200);
      assert.equal(hex(await bytesOf(response)), '01');
    });
  });

  describe('broken bodies', () => {
    for (const json of ['', ' ', '{', '{"a":1', '[1,]', 'nul', '{"a":1}}', '"\n"', "{'a':1}", '\u0000', 'undefined', 'NaN']) {
      test(`${JSON.stringify(json)} is 400`, async () => {
        const problem = await problemOf(await post(url, json), 400, 'Bad Request');
        assert.equal(problem.code, 'ERR_CBOR_INVALID_JSON');
        assert.ok(Number.isSafeInteger(problem.offset));
      });
    }
    for (const bytes of [[0xff], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0x80, 0x22], [0x22, 0xf0, 0x9f]]) {
      test(`${hex(bytes)} is 400, no UTF-8`, async () => {
        const problem = await problemOf(await post(url, new Uint8Array(bytes)), 400, 'Bad Request');
        assert.match(problem.code, /^ERR_CBOR_INVALID_(JSON|TEXT|UTF8)$/);
      });
    }

    test('a body cut short never becomes an answer', async () => {
      const answer = await sendRaw(url, 'POST /encode HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a"');
      assert.doesNotMatch(answer, /^HTTP\/1\.1 200/);
      const chunked = await sendRaw(url, 'POST /encode HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[1\r\nzz\r\n');
      assert.doesNotMatch(chunked, /^HTTP\/1\.1 200/);
      assert.equal(hex(await bytesOf(await post(url, '{"a":1}'))), 'a1616101', 'and the worker goes on');
    });
  });

  test('JSON that CBOR refuses is 422, with its code', async () => {
    const problem = await problemOf(await post(url, '['.repeat(5000) + ']'.repeat(5000)), 422, 'Unprocessable Content');
    assert.equal(problem.code, 'ERR_CBOR_DEPTH_EXCEEDED');
    assert.ok(problem.offset === undefined || Number.isSafeInteger(problem.offset));
    assert.equal(hex(await bytesOf(await post(url, '{"a":1}'))), 'a1616101', 'and the worker goes on');
  });
});

describe('worker settings', { timeout: 60_000 }, () => {
  test('MAX_BODY_BYTES sets the limit', async () => {
    const { url, dispose } = await start({ MAX_BODY_BYTES: '8' });
    try {
      assert.equal((await post(url, '[1, 2,3]')).status, 200);
      const problem = await problemOf(await postChunks(url, ['[1, ', '2, ', '3]'], { end: false }), 413, 'Content Too Large');
      assert.match(problem.detail, /larger than 8 bytes/);
    } finally {
      await dispose();
    }
  });

  test('a limit that is no number leaves the default in force', async () => {
    const { url, dispose } = await start({ MAX_BODY_BYTES: 'unlimited' });
    try {
      assert.equal((await post(url, '[1]')).status, 200);
      await problemOf(await postChunks(url, [], { announced: MEBIBYTE + 1, end: false }), 413, 'Content Too Large');
    } finally {
      await dispose();
    }
  });

  test('no exception escapes: a fault of the service is 500 and tells nothing', async (t) => {
    t.mock.method(console, 'error', () => {});
    const { default: worker } = await import('../../demo/worker/worker.js');
    const env = {
      get MAX_BODY_BYTES() {
        throw new Error('secret at worker.js:1');
      },
    };
    const request = new Request('http://localhost/encode', { method: 'POST', body: '1', headers: { 'content-type': 'application/json' } });
    const response = await worker.fetch(request, env);
    await problemOf(response, 500, 'Internal Server Error');
    assert.equal(console.error.mock.callCount(), 1);
  });
});
