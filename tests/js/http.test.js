// wcbor/http: what is answered to which Accept header, which bodies are taken, and how every failure is told.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EncodedCbor, Tagged, decode, decodeSequence, encode, encodeSequence } from 'wcbor';
import { Problem, handler, negotiate, problem, readBody, readBytes, readValues } from 'wcbor/http';
import { bytesOf, hexOf } from '../hex.js';

const VALUE = { name: 'é', list: [1, 2.5, null] };
const requestFor = (accept, init) => new Request('http://localhost/', { headers: accept === undefined ? {} : { accept }, ...init });
const post = (body, type, headers = {}) => new Request('http://localhost/', {
  method: 'POST', body, duplex: 'half', headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
});
const bodyOf = async (response) => new Uint8Array(await response.arrayBuffer());

/** Checks that it is a problem in JSON, and returns it. */
async function checkProblem(response, status, title) {
  assert.equal(response.status, status);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  const body = await response.json();
  assert.deepEqual([body.type, body.title, body.status], ['about:blank', title, status]);
  assert.ok(body.detail.length > 0);
  return body;
}

async function rejection(promise, status) {
  const error = await promise.then(() => assert.fail('nothing was thrown'), (reason) => reason);
  assert.ok(error instanceof Problem, String(error));
  assert.equal(error.status, status);
  return error;
}

describe('negotiate', () => {
  // [Accept, type of the answer or undefined for 406, with prefer: 'json' when that differs]
  for (const [accept, expected, preferringJson = expected] of [
    [undefined, 'application/cbor', 'application/json'],
    ['', 'application/cbor', 'application/json'],
    ['*/*', 'application/cbor', 'application/json'],
    ['application/*', 'application/cbor', 'application/json'],
    ['application/cbor', 'application/cbor'],
    ['application/json', 'application/json'],
    ['Application/JSON', 'application/json'],
    ['application/cbor-seq', 'application/cbor-seq'],
    ['application/json, application/cbor', 'application/cbor', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/cbor, */*', 'application/cbor'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/cbor', 'application/json'],
    ['application/json;q=0.5, application/cbor;q=0.4', 'application/json'],
    ['application/json;q=0.5, application/cbor;q=0.501', 'application/cbor'],
    ['application/cbor;q=0, */*', 'application/cbor-seq', 'application/json'],
    ['application/json;q=0, application/cbor;q=0, application/*;q=0.1', 'application/cbor-seq'],
    ['application/*;q=0.2, application/json;q=0.1', 'application/cbor'],
    ['application/*;q=0, */*', undefined],
    ['application/cbor;q=0', undefined],
    ['text/plain', undefined],
    ['text/*', undefined],
    ['application/vnd.example+cbor', 'application/vnd.example+cbor'],
    ['application/vnd.example+json;q=0.3, application/senml+cbor;q=0.7', 'application/senml+cbor'],
    ['application/vnd.example+json, application/cbor', 'application/cbor', 'application/vnd.example+json'],
    ['application/a+cbor-seq', 'application/a+cbor-seq'],
    ['application/problem+json', undefined],
    ['application/problem+json, application/json', 'application/json'],
    ['application/concise-problem-details+cbor, application/cbor;q=0.1', 'application/cbor'],
    ['application/json;charset=utf-8;q=0.9, application/cbor;q=0.8', 'application/json'],
    ['application/cbor;x="a,b;q=0", application/json;q=0.5', 'application/cbor'],
    ['application/cbor;q=2, application/json;q=0.1', 'application/json'],
    ['application/cbor;q=0.1234, application/json;q=0.1', 'application/json'],
    ['application/cbor;q=, application/json;q=0.1', 'application/json'],
    ['nonsense, application/json', 'application/json'],
    ['nonsense', 'application/cbor', 'application/json'],
    [',, application/json ,', 'application/json'],
    ['*/json', 'application/cbor', 'application/json'],
    ['application/json ; q=1.000', 'application/json'],
    ['application/json;Q=0.1, application/cbor;q=0.05', 'application/json'],
  ]) {
    test(`Accept: ${accept} gets ${expected ?? 'a 406'}`, async () => {
      for (const prefer of [undefined, 'cbor', 'json']) {
        const response = negotiate(requestFor(accept), VALUE, { prefer });
        const wanted = prefer === 'json' ? preferringJson : expected;
        if (wanted === undefined) {
          await checkProblem(response, 406, 'Not Acceptable');
          continue;
        }
        assert.equal(response.status, 200);
        const type = response.headers.get('content-type');
        assert.equal(type, wanted);
        assert.equal(response.headers.get('vary'), 'Accept');
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        const body = await bodyOf(response);
        assert.deepEqual(/json/.test(type) ? JSON.parse(Buffer.from(body)) : decode(body), VALUE);
      }
    });
  }

  test('status, headers and options of the encoder', async () => {
    const response = negotiate(requestFor('application/cbor'), { b: 1, a: 2 }, {
      status: 201, headers: { location: '/x', vary: 'Origin', 'content-type': 'text/plain' }, options: { mode: 'deterministic' },
    });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('location'), '/x');
    assert.equal(response.headers.get('vary'), 'Origin, Accept');
    assert.equal(response.headers.get('content-type'), 'application/cbor');
    assert.equal(hexOf(await bodyOf(response)), 'a2616102616201');
  });

  test('HEAD gets the headers alone', async () => {
    for (const accept of ['application/cbor', 'application/json']) {
      const get = negotiate(requestFor(accept), VALUE);
      const head = negotiate(requestFor(accept, { method: 'HEAD' }), VALUE);
      assert.equal(head.status, 200);
      assert.equal(head.headers.get('content-type'), accept);
      assert.equal(head.headers.get('content-length'), String((await bodyOf(get)).length));
      assert.equal((await bodyOf(head)).length, 0);
    }
    const none = negotiate(requestFor('text/plain', { method: 'HEAD' }), VALUE);
    assert.equal(none.status, 406);
    assert.equal((await bodyOf(none)).length, 0);
  });

  test('the options of the encoder count in JSON too', async () => {
    class Money {
      cents = 199;
    }
    const options = { encoders: [[Money, ({ cents }) => cents]], ignoreUndefined: true, mode: 'deterministic', keyMap: { price: 1 }, dates: 'text' };
    const value = () => ({ price: new Money(), note: undefined, at: new Date(0) });
    const json = '{"price":199,"at":"1970-01-01T00:00:00Z"}';
    assert.equal(await negotiate(requestFor('application/json'), value(), { options }).text(), json);
    const many = (async function* () { yield value(); })();
    assert.equal(await negotiate(requestFor('application/json'), many, { options }).text(), `[${json}]`);
    const cbor = decode(await bodyOf(negotiate(requestFor('application/cbor'), value(), { options })), { keyMap: { price: 1 } });
    assert.equal(cbor.price, 199);
  });

  test('who runs the service hears of what is no fault of the client\'s', async () => {
    const heard = [];
    const report = (error, request) => heard.push([error.code ?? error.name, request.method]);
    const answer = (accept, value, options) => negotiate(requestFor(accept), value, { report, options }).status;
    assert.equal(answer('application/cbor', { f: () => 1 }), 500);
    assert.equal(answer('application/json', { f: () => 1 }), 500);
    assert.equal(answer('application/cbor', 1, { nonsense: true }), 500);
    assert.deepEqual(heard, [['ERR_CBOR_UNSUPPORTED_VALUE', 'GET'], ['ERR_CBOR_UNSUPPORTED_VALUE', 'GET'], ['ERR_CBOR_UNKNOWN_OPTION', 'GET']]);
    assert.equal(answer('text/html', 1), 406);
    assert.equal(answer('application/json', new Map([[[], 1]])), 406);
    assert.equal(heard.length, 3);
    assert.equal(negotiate(requestFor(), () => {}, { report() { throw new Error('deaf'); } }).status, 500);
  });

  test('a value that cannot be encoded is a 500 that tells nothing', async () => {
    for (const accept of ['application/cbor', 'application/json']) {
      const value = { get secret() { throw new Error('secret at line 1'); } };
      const body = await checkProblem(negotiate(requestFor(`${accept}, application/problem+json`), value), 500, 'Internal Server Error');
      assert.doesNotMatch(JSON.stringify(body), /secret/);
    }
    assert.equal(negotiate(requestFor(), () => {}).status, 500);
  });

  test('JSON means what the CBOR means', async () => {
    const value = { big: 2n ** 60n, map: new Map([['a', 1]]), bytes: Uint8Array.of(251, 255), set: new Set([1]), none: undefined, nan: NaN, at: new Date(1500) };
    const text = await negotiate(requestFor('application/json'), value).text();
    assert.equal(text, '{"big":1152921504606846976,"map":{"a":1},"bytes":"-_8","set":[1],"none":null,"nan":null,"at":1.5}');
    assert.equal(await negotiate(requestFor('application/json'), new EncodedCbor(bytesOf('8101'))).text(), '[1]');
  });

  test('what has no form in JSON is a 406 for who takes nothing else', async () => {
    const value = new Map([[[1], 2]]);
    const body = await checkProblem(negotiate(requestFor('application/json'), value), 406, 'Not Acceptable');
    assert.equal(body.code, 'ERR_CBOR_NOT_IN_JSON');
    assert.equal(negotiate(requestFor('application/cbor'), value).status, 200);
  });

  describe('many values', () => {
    async function* values(n = 3) {
      for (let i = 0; i < n; i++) yield { i };
    }
    const all = [{ i: 0 }, { i: 1 }, { i: 2 }];

    test('as a sequence, an array in CBOR, or one in JSON', async () => {
      const sequence = negotiate(requestFor(), values());
      assert.equal(sequence.headers.get('content-type'), 'application/cbor-seq');
      assert.equal(hexOf(await bodyOf(sequence)), hexOf(encodeSequence(all)));
      const array = await bodyOf(negotiate(requestFor('application/cbor'), values()));
      assert.equal(hexOf(array), `9f${hexOf(encodeSequence(all))}ff`);
      assert.deepEqual(await negotiate(requestFor('application/json'), values()).json(), all);
      assert.deepEqual(await negotiate(requestFor('application/json'), values(0)).json(), []);
      assert.equal(hexOf(await bodyOf(negotiate(requestFor('application/cbor'), values(0)))), '9fff');
    });

    test('no array where the mode has no indefinite lengths', async () => {
      const options = { mode: 'deterministic' };
      assert.equal(negotiate(requestFor('application/cbor'), values(), { options }).status, 406);
      const response = negotiate(requestFor('application/cbor, application/cbor-seq;q=0.1'), values(), { options });
      assert.equal(hexOf(await bodyOf(response)), hexOf(encodeSequence(all)));
    });

    test('are taken as they are read, small ones together', async () => {
      let given = 0;
      async function* counted() {
        for (; given < 100_000; given++) yield 'x'.repeat(1000);
      }
      const reader = negotiate(requestFor(), counted()).body.getReader();
      const { value } = await reader.read();
      assert.ok(value.length >= 16 * 1024 && value.length < 64 * 1024, `${value.length} bytes`);
      assert.ok(given < 100, `${given} values`);
      await reader.cancel();
    });

    test('what has come is sent before what is still to come', async () => {
      let release;
      async function* slow() {
        yield 1;
        yield 2;
        await new Promise((resolve) => (release = resolve));
        yield 3;
      }
      const reader = negotiate(requestFor(), slow()).body.getReader();
      assert.equal(hexOf((await reader.read()).value), '0102');
      release();
      assert.equal(hexOf((await reader.read()).value), '03');
      assert.equal((await reader.read()).done, true);
    });

    test('HEAD takes none, cancel ends the source, and an error breaks the body off', async () => {
      let ended = 0;
      async function* source() {
        try {
          yield 1;
          yield () => {};
        } finally {
          ended++;
        }
      }
      assert.equal((await bodyOf(negotiate(requestFor(undefined, { method: 'HEAD' }), source()))).length, 0);
      await assert.rejects(bodyOf(negotiate(requestFor(), source())), { code: 'ERR_CBOR_UNSUPPORTED_VALUE' });
      assert.equal(ended, 1);
    });
  });
});

describe('readBody', () => {
  const json = JSON.stringify(VALUE);
  for (const [body, type] of [
    [encode(VALUE), 'application/cbor'], [encode(VALUE), 'Application/CBOR; x=1'], [encode(VALUE), 'application/senml+cbor'], [json, 'application/json'],
    [json, 'application/json; charset=utf-8'], [json, 'application/vnd.x+json'],
  ]) {
    test(`takes ${type}`, async () => assert.deepEqual(await readBody(post(body, type)), VALUE));
  }

  test('takes a sequence as an array', async () => {
    for (const type of ['application/cbor-seq', 'application/x+cbor-seq']) {
      assert.deepEqual(await readBody(post(encodeSequence([1, VALUE]), type)), [1, VALUE]);
      assert.deepEqual(await readBody(post('', type)), []);
    }
  });

  test('takes a body in many pieces', async () => {
    const bytes = encode(VALUE);
    const stream = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    assert.deepEqual(await readBody(post(stream, 'application/cbor')), VALUE);
  });

  for (const type of [undefined, '', 'text/plain', 'application/xml', 'application/cborx', 'cbor', '+cbor', 'a/+cbor', 'application/cbor, application/json', 'a b/c+json']) {
    test(`refuses ${type} with 415`, async () => {
      const error = await rejection(readBody(post(Uint8Array.of(1), type)), 415);
      const response = problem(error);
      assert.equal(response.headers.get('accept'), 'application/cbor, application/cbor-seq, application/json');
      await checkProblem(response, 415, 'Unsupported Media Type');
    });
  }

  test('takes what kinds says alone', async () => {
    await rejection(readBody(post('1', 'application/json'), { kinds: ['cbor'] }), 415);
    assert.equal(await readBody(post(encode(1), 'application/cbor'), { kinds: ['cbor'] }), 1);
  });

  test('refuses content codings with 415', async () => {
    const error = await rejection(readBody(post('1', 'application/json', { 'content-encoding': 'gzip' })), 415);
    assert.equal(problem(error).headers.get('accept-encoding'), 'identity');
    assert.equal(await readBody(post('1', 'application/json', { 'content-encoding': 'Identity' })), 1);
  });

  test('the limit: by the length that is announced, and by what comes', async () => {
    const item = encode(new Uint8Array(8));
    assert.deepEqual(await readBody(post(item, 'application/cbor'), { limit: 9 }), new Uint8Array(8));
    await rejection(readBody(post(item, 'application/cbor'), { limit: 8 }), 413);
    await rejection(readBody(post(item, 'application/cbor', { 'content-length': '10' }), { limit: 9 }), 413);
    await rejection(readBody(post(item, 'application/cbor', { 'content-length': '3' }), { limit: 8 }), 413);
    let taken = 0;
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => (taken++, controller.enqueue(new Uint8Array(1000))),
      cancel: () => (isCancelled = true),
    }, { highWaterMark: 0 });
    const error = await rejection(readBody(post(endless, 'application/cbor'), { limit: 10_000 }), 413);
    assert.match(error.message, /larger than 10000 bytes/);
    assert.ok(taken <= 12 && isCancelled);
    await rejection(readBody(post(new Uint8Array(1024 * 1024 + 1), 'application/cbor')), 413);
  });

  test('what is not valid is a 400, with code and offset', async () => {
    for (const [hex, code, offset] of [['9f01', 'UNEXPECTED_END'], ['8201', 'LENGTH_EXCEEDS_BUFFER'], ['', 'UNEXPECTED_END'], ['0101', 'TRAILING_BYTES', 1], ['8101ff', 'TRAILING_BYTES', 2], ['a201020102', 'DUPLICATE_KEY'], ['61ff', 'INVALID_UTF8']]) {
      const error = await rejection(readBody(post(bytesOf(hex), 'application/cbor')), 400);
      const body = await checkProblem(problem(error), 400, 'Bad Request');
      assert.equal(body.code, `ERR_CBOR_${code}`, hex);
      assert.ok(Number.isInteger(body.offset), hex);
      if (offset !== undefined) assert.equal(body.offset, offset, hex);
    }
    for (const [text, offset] of [['', 0], ['{', 1], ['[1,]', 3], ['nul', 3], ['1 2', 2], ['"é" x', 5]]) {
      const { code, offset: at } = await rejection(readBody(post(text, 'application/json')), 400);
      assert.deepEqual([code, at], ['ERR_CBOR_INVALID_JSON', offset], text);
    }
    await rejection(readBody(post(Uint8Array.of(0x22, 0xff, 0x22), 'application/json')), 400);
  });

  test('options of the decoder', async () => {
    await rejection(readBody(post(bytesOf('8181818101'), 'application/cbor'), { options: { maxDepth: 3 } }), 422);
    await assert.rejects(readBody(post(encode(1), 'application/cbor'), { options: { mood: 1 } }), TypeError, 'is a fault of the caller');
  });

  test('takes a response, too, which whoever fetched it has decoded', async () => {
    const response = (headers) => new Response(encode(VALUE), { headers: { 'content-type': 'application/cbor', ...headers } });
    assert.deepEqual(await readBody(response()), VALUE);
    assert.deepEqual(await readBody(response({ 'content-encoding': 'gzip', 'content-length': '1' })), VALUE);
    await rejection(readBody(response({ 'content-encoding': 'gzip', 'content-length': '1' }), { limit: 8 }), 413);
  });

  test('a body that breaks off is a 400', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.enqueue(Uint8Array.of(0x82));
        controller.error(new Error('connection lost'));
      },
    });
    await rejection(readBody(post(broken, 'application/cbor')), 400);
  });
});

describe('readBytes and readValues', () => {
  test('bytes, with their kind and type', async () => {
    const read = await readBytes(post(Uint8Array.of(1, 2), 'application/Senml+CBOR;x=1'));
    assert.deepEqual(read, { bytes: Uint8Array.of(1, 2), kind: 'cbor', type: 'application/senml+cbor' });
  });

  const collect = async (values) => {
    const all = [];
    for await (const value of values) all.push(value);
    return all;
  };

  test('values of a sequence, of CBOR and of JSON', async () => {
    assert.deepEqual(await collect(readValues(post(encodeSequence([1, [2]]), 'application/cbor-seq'))), [1, [2]]);
    assert.deepEqual(await collect(readValues(post(encode([1]), 'application/cbor'))), [[1]]);
    assert.deepEqual(await collect(readValues(post('[1]', 'application/json'))), [[1]]);
  });

  test('a sequence may be longer than what is held', async () => {
    let pieces = 0;
    const item = encode(new Uint8Array(100_000));
    const long = new ReadableStream({
      pull(controller) {
        if (pieces++ < 200) controller.enqueue(item);
        else controller.close();
      },
    }, { highWaterMark: 0 });
    let n = 0;
    for await (const value of readValues(post(long, 'application/cbor-seq'), { maxItemBytes: 100_010 })) {
      n++;
      assert.equal(value.length, 100_000);
      assert.ok(pieces <= n + 2, 'none is read ahead');
    }
    assert.equal(n, 200);
  });

  test('limits of items and of the body, and what is not valid', async () => {
    const body = encodeSequence(['x'.repeat(10), 'x'.repeat(11)]);
    assert.equal((await rejection(collect(readValues(post(body, 'application/cbor-seq'), { maxItemBytes: 11 })), 413)).offset, 11);
    await rejection(collect(readValues(post(body, 'application/cbor-seq'), { limit: 20 })), 413);
    const error = await rejection(collect(readValues(post(bytesOf('0182ff'), 'application/cbor-seq'))), 400);
    assert.deepEqual([error.code, error.offset], ['ERR_CBOR_UNEXPECTED_BREAK', 2]);
    assert.equal((await rejection(collect(readValues(post(bytesOf('0182'), 'application/cbor-seq'))), 400)).code, 'ERR_CBOR_UNEXPECTED_END');
  });
});

describe('problem', () => {
  const one = new Problem(400, 'no good', { code: 'ERR_CBOR_UNEXPECTED_END', offset: 7, headers: { 'retry-after': '1' } });

  test('in JSON (RFC 9457)', async () => {
    for (const request of [undefined, requestFor(), requestFor('*/*'), requestFor('text/html'), requestFor('application/json, application/cbor')]) {
      const response = problem(one, request);
      assert.equal(response.headers.get('retry-after'), '1');
      assert.equal(response.headers.get('vary'), 'Accept');
      assert.deepEqual(await checkProblem(response, 400, 'Bad Request'), {
        type: 'about:blank', title: 'Bad Request', status: 400, detail: 'no good', code: 'ERR_CBOR_UNEXPECTED_END', offset: 7,
      });
    }
  });

  test('in CBOR (RFC 9290) for who wants that', async () => {
    for (const accept of ['application/cbor', 'application/cbor, */*', 'application/concise-problem-details+cbor', 'application/json;q=0.5, application/cbor']) {
      const response = problem(one, requestFor(accept));
      assert.equal(response.status, 400);
      assert.equal(response.headers.get('content-type'), 'application/concise-problem-details+cbor');
      const tunnel = encode(new Map([[1, 400], ['code', 'ERR_CBOR_UNEXPECTED_END'], ['offset', 7]]));
      const expected = `a3${hexOf(encode(-1))}${hexOf(encode('Bad Request'))}${hexOf(encode(-2))}${hexOf(encode('no good'))}${hexOf(encode(7807))}${hexOf(tunnel)}`;
      assert.equal(hexOf(await bodyOf(response)), expected);
    }
  });

  test('of anything else nothing is told', async () => {
    for (const error of [new Error('secret'), 'secret', null, undefined, { status: 400, message: 'secret' }]) {
      assert.doesNotMatch(JSON.stringify(await checkProblem(problem(error), 500, 'Internal Server Error')), /secret/);
    }
  });

  test('a status without a title of its own', async () => {
    assert.equal((await problem(new Problem(418, 'tea')).json()).title, 'Status 418');
  });
});

describe('handler', () => {
  test('passes on what is given and what comes back', async () => {
    const handle = handler(async (request, env, context) => negotiate(request, [env, context]));
    assert.deepEqual(decode(await bodyOf(await handle(requestFor('application/cbor'), 1, 2))), [1, 2]);
  });

  test('no exception escapes', async () => {
    const reported = [];
    const report = (error) => {
      reported.push(error);
      throw new Error('nor one of the report');
    };
    for (const [what, status, isReported] of [
      [() => { throw new Problem(404, 'not here'); }, 404, false],
      [async () => { throw new Error('secret'); }, 500, true],
      [() => { throw undefined; }, 500, true],
      [() => 'no response', 500, true],
      [() => encode(() => {}), 500, true],
      [(request) => readBody(request), 415, false],
    ]) {
      reported.length = 0;
      const response = await handler(what, { report })(requestFor());
      assert.equal(response.status, status);
      assert.equal(reported.length, isReported ? 1 : 0);
    }
  });

  test('reports to the console unless told otherwise', async (t) => {
    t.mock.method(console, 'error', () => {});
    assert.equal((await handler(() => { throw new Error('x'); })(requestFor())).status, 500);
    assert.equal(console.error.mock.callCount(), 1);
  });
});

test('a service of two lines, in both directions', async () => {
  const service = handler(async (request) => negotiate(request, { got: await readBody(request) }));
  const sequence = await service(post(encodeSequence([1, 2]), 'application/cbor-seq', { accept: 'application/cbor-seq' }));
  assert.deepEqual(decodeSequence(await bodyOf(sequence)), [{ got: [1, 2] }]);
  assert.deepEqual(await (await service(post('"x"', 'application/json', { accept: 'application/json' }))).json(), { got: 'x' });
  assert.equal((await service(post(encode(new Tagged(1, 'x')), 'text/plain'))).status, 415);
});
