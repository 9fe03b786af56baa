// The service of demo/worker from its one source: in workerd, and by serve.js in Node, Deno and Bun. What each path answers,
// in which form, and how it refuses.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { decode, decodeSequence, encode, encodeSequence } from 'wcbor';
import { bytesOf, hexOf } from '../hex.js';
import { Missing, installed } from '../runtimes/installs.js';
import { root } from './modules.js';
import { ask as fetch, startWorker } from './start.js';

const SETTINGS = { MAX_BODY_BYTES: '1048576', MAX_ITEM_BYTES: '65536', MAX_DEPTH: '100', ALLOWED_ORIGINS: 'https://page.example, https://other.example' };

const serve = join(root, 'demo/worker/serve.js');
const runtimes = {
  workerd: () => startWorker(SETTINGS),
  Node: () => startProgram(process.execPath, [serve]),
  Deno: () => startProgram(installed('deno'), ['run', '--no-prompt', '--allow-net', '--allow-env', serve]),
  Bun: () => startProgram(installed('bun'), [serve]),
};

/** Starts serve.js on a port of its own: { url, log, dispose }. */
async function startProgram(program, args) {
  const child = spawn(program, args, { env: { ...process.env, NODE_OPTIONS: '', ...SETTINGS, HOST: '127.0.0.1', PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = [];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (part) => (errors += part));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${errors}`)));
    lines.on('line', (line) => {
      log.push(line);
      if (line.includes('"listening"')) resolve(JSON.parse(line).url.replace(/\/$/, ''));
    });
  });
  return { url, log, dispose: () => new Promise((resolve) => child.on('exit', resolve) && child.kill()) };
}

const bodyOf = async (response) => new Uint8Array(await response.arrayBuffer());

for (const [name, start] of Object.entries(runtimes)) {
  describe(`the service in ${name}`, { timeout: 120_000 }, () => {
    let service;
    let missing;
    before(async () => {
      try {
        service = await start();
      } catch (error) {
        if (!(error instanceof Missing)) throw error;
        missing = error.message;
      }
    });
    after(() => service?.dispose());

    /** A test that is skipped where the runtime is not to be had. */
    const check = (what, body) => test(what, (t) => (missing === undefined ? body(t) : t.skip(missing)));
    const post = (path, body, type, headers = {}) => fetch(service.url + path, {
      method: 'POST', body, duplex: 'half', headers: { ...(type && { 'content-type': type }), ...headers },
    });

    async function checkBody(response, type, expected) {
      assert.equal(response.status, 200, response.ok ? '' : await response.clone().text());
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      const bytes = await bodyOf(response);
      assert.equal(typeof expected === 'string' ? Buffer.from(bytes).toString() : hexOf(bytes), typeof expected === 'string' ? expected : hexOf(expected));
    }

    async function checkProblem(response, status, code, offset) {
      assert.equal(response.status, status);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      const problem = await response.json();
      assert.equal(problem.status, status);
      assert.equal(problem.code, code);
      if (offset !== undefined) assert.equal(problem.offset, offset);
      return problem;
    }

    check('GET /healthz', async () => {
      const response = await fetch(`${service.url}/healthz`);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.deepEqual(await response.json(), { status: 'ok' });
      const head = await fetch(`${service.url}/healthz`, { method: 'HEAD' });
      assert.equal(head.status, 200);
      const cbor = await fetch(`${service.url}/healthz`, { headers: { accept: 'application/cbor' } });
      assert.deepEqual(decode(await bodyOf(cbor)), { status: 'ok' });
    });

    check('POST /encode', async () => {
      await checkBody(await post('/encode', '{"b":1,"a":[2.5,"ü"]}', 'application/json'), 'application/cbor', bytesOf('a261620161618' + '2f9410062c3bc'));
      await checkBody(await post('/encode?mode=deterministic', '{"b":1,"a":2}', 'application/json'), 'application/cbor', bytesOf('a2616102616201'));
      await checkProblem(await post('/encode?mode=odd', '1', 'application/json'), 400);
      await checkProblem(await post('/encode', '[1,]', 'application/json'), 400, 'ERR_CBOR_INVALID_JSON', 3);
      await checkProblem(await post('/encode', '['.repeat(101) + ']'.repeat(101), 'application/json'), 422, 'ERR_CBOR_DEPTH_EXCEEDED');
      await checkProblem(await post('/encode', encode(1), 'application/cbor'), 415);
    });

    check('POST /decode', async () => {
      await checkBody(await post('/decode', encode({ a: [1, 2.5, null, 'ü'], big: 2n ** 63n }), 'application/cbor'), 'application/json', '{"a":[1,2.5,null,"ü"],"big":9223372036854775808}');
      await checkProblem(await post('/decode', bytesOf('9f01'), 'application/cbor'), 400, 'ERR_CBOR_UNEXPECTED_END');
      await checkProblem(await post('/decode', '1', 'application/json'), 415);
    });

    check('POST /transcode, one value', async () => {
      await checkBody(await post('/transcode', '[1]', 'application/json'), 'application/cbor', bytesOf('8101'));
      await checkBody(await post('/transcode', bytesOf('8101'), 'application/cbor'), 'application/json', '[1]');
      await checkBody(await post('/transcode', bytesOf('8101'), 'application/cbor', { accept: 'application/cbor' }), 'application/cbor', bytesOf('8101'));
      await checkBody(await post('/transcode', '[1]', 'application/x+json', { accept: 'application/y+cbor' }), 'application/y+cbor', bytesOf('8101'));
      await checkProblem(await post('/transcode', bytesOf('8201'), 'application/cbor'), 400, 'ERR_CBOR_LENGTH_EXCEEDS_BUFFER');
      await checkProblem(await post('/transcode', '[1]', 'application/json', { accept: 'text/html' }), 406);
    });

    check('POST /transcode, a sequence that is larger than any limit of one body', async () => {
      const item = { id: 1, text: 'x'.repeat(20_000) };
      const part = encodeSequence(Array(10).fill(item));
      const body = () => {
        let parts = 0;
        return new ReadableStream({
          pull(controller) {
            if (parts++ < 20) controller.enqueue(part);
            else controller.close();
          },
        });
      };
      const response = await post('/transcode', body, 'application/cbor-seq', { accept: 'application/cbor-seq' });
      assert.equal(response.headers.get('content-type'), 'application/cbor-seq');
      const values = decodeSequence(await bodyOf(response));
      assert.equal(values.length, 200);
      assert.deepEqual(values[199], item);
      const json = await post('/transcode', encodeSequence([1, ['a'], 2.5]), 'application/cbor-seq', { accept: 'application/json' });
      assert.deepEqual(await json.json(), [1, ['a'], 2.5]);
    });

    check('POST /transcode, sequences that are refused', async () => {
      await checkProblem(await post('/transcode', bytesOf('ff'), 'application/cbor-seq'), 400, 'ERR_CBOR_UNEXPECTED_BREAK', 0);
      await checkProblem(await post('/transcode', encode('x'.repeat(70_000)), 'application/cbor-seq'), 413, 'ERR_CBOR_LIMIT_EXCEEDED', 0);
      // The first values are on their way by then: the answer breaks off, and its array is never closed.
      const body = Buffer.concat([encodeSequence(Array(5000).fill(['x'.repeat(20)])), bytesOf('ff')]);
      const broken = await post('/transcode', body, 'application/cbor-seq', { accept: 'application/json' });
      assert.equal(broken.status, 200);
      await assert.rejects(broken.json());
    });

    check('POST /canonicalize', async () => {
      await checkBody(await post('/canonicalize', bytesOf('bf616218016161fb3ff8000000000000ff'), 'application/cbor'), 'application/cbor', bytesOf('a26161f93e00616201'));
      await checkBody(await post('/canonicalize', '{"b":1,"a":1.5}', 'application/json'), 'application/cbor', bytesOf('a26161f93e00616201'));
      await checkProblem(await post('/canonicalize', bytesOf('9f'), 'application/cbor'), 400, 'ERR_CBOR_UNEXPECTED_END');
    });

    check('POST /validate', async () => {
      const validated = async (hex, query = '') => (await post(`/validate${query}`, bytesOf(hex), 'application/cbor')).json();
      assert.deepEqual(await validated('8101'), { ok: true, bytesRead: 2 });
      const { ok, code, offset } = await validated('a2616101616102');
      assert.deepEqual([ok, code, offset], [false, 'ERR_CBOR_DUPLICATE_KEY', 4]);
      assert.equal((await validated('a2616101616102', '?mode=lax')).ok, true);
      assert.equal((await validated('a2616201616102', '?mode=deterministic')).code, 'ERR_CBOR_KEYS_NOT_SORTED');
    });

    check('POST /diagnose', async () => {
      await checkBody(await post('/diagnose', bytesOf('a1616182014401020304'), 'application/cbor'), 'text/plain; charset=utf-8', "{\"a\": [1, h'01020304']}");
    });

    check('other paths and methods', async () => {
      await checkProblem(await fetch(`${service.url}/nowhere`), 404);
      const response = await fetch(`${service.url}/encode`);
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
      await checkProblem(response, 405);
    });

    check('a body beyond the limit', async () => {
      await checkProblem(await post('/decode', new Uint8Array(1_048_577), 'application/cbor'), 413);
    });

    check('pages of the origins that are allowed may read', async () => {
      const ask = (origin) => fetch(`${service.url}/healthz`, { headers: { origin } });
      assert.equal((await ask('https://page.example')).headers.get('access-control-allow-origin'), 'https://page.example');
      assert.equal((await ask('https://evil.example')).headers.get('access-control-allow-origin'), null);
      assert.match((await ask('https://evil.example')).headers.get('vary'), /Origin/);
      const preflight = await fetch(`${service.url}/encode`, { method: 'OPTIONS', headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' } });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://other.example');
      assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
      assert.match(preflight.headers.get('access-control-allow-headers'), /content-type/);
    });

    check('a line of log for each request, without its body', async () => {
      await (await post('/encode', '"a secret text"', 'application/json')).arrayBuffer();
      const line = await new Promise((resolve) => {
        const look = () => {
          const found = service.log.findLast((entry) => entry.includes('"/encode"') && entry.includes('200'));
          if (found) resolve(found);
          else setTimeout(look, 20);
        };
        look();
      });
      const entry = JSON.parse(line);
      assert.deepEqual([entry.level, entry.method, entry.path, entry.status, entry.type], ['info', 'POST', '/encode', 200, 'application/json']);
      assert.ok(service.log.every((each) => !each.includes('secret')));
    });
  });
}
