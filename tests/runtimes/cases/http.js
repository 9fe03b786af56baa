// Fetch handlers, with the runtime's own Request and Response.
import { decode, encode } from 'wcbor';
import { Problem, handler, negotiate, readBody, readValues } from 'wcbor/http';
import { bytesOf, hexOf } from '../../hex.js';
import { equal } from '../assert.js';

const hexOfBody = async (response) => hexOf(new Uint8Array(await response.arrayBuffer()));

function post(body, type, accept) {
  return new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': type, accept } });
}

const echo = handler(async (request) => negotiate(request, await readBody(request, { limit: 1000 })), { report() {} });

async function problemOf(response) {
  equal(response.headers.get('content-type'), 'application/problem+json');
  return response.json();
}

export const httpCases = [
  ['a handler answers in CBOR and JSON by Accept', async () => {
    const body = encode({ a: [1, 'ü'] });
    equal(await hexOfBody(await echo(post(body, 'application/cbor', 'application/cbor'))), hexOf(body));
    const json = await echo(post(body, 'application/cbor', 'application/cbor;q=0.5, application/json'));
    equal(json.headers.get('content-type'), 'application/json');
    equal(await json.json(), { a: [1, 'ü'] });
    equal(await hexOfBody(await echo(post('{"a":[1,"ü"]}', 'application/vnd.x+json', 'application/vnd.x+cbor'))), hexOf(body));
  }],
  ['a handler refuses as problem details', async () => {
    const { status, code, offset } = await problemOf(await echo(post(bytesOf('9f01'), 'application/cbor', 'application/json')));
    equal([status, code, offset], [400, 'ERR_CBOR_UNEXPECTED_END', 2]);
    equal((await problemOf(await echo(post('x', 'text/plain', '*/*')))).status, 415);
    equal((await problemOf(await echo(post(new Uint8Array(2000), 'application/cbor', '*/*')))).status, 413);
    equal((await problemOf(await echo(post('1', 'application/json', 'text/plain')))).status, 406);
    const concise = await echo(post('x', 'text/plain', 'application/cbor'));
    equal(concise.headers.get('content-type'), 'application/concise-problem-details+cbor');
    equal(decode(await concise.arrayBuffer()).get(7807).get(1), 415);
  }],
  ['no exception escapes a handler', async () => {
    equal((await handler(() => { throw new Error('secret'); }, { report() {} })(new Request('http://localhost/'))).status, 500);
    equal((await handler(() => { throw new Problem(418, 'tea'); })(new Request('http://localhost/'))).status, 418);
  }],
  ['many values are streamed', async () => {
    async function* squares() {
      for (let i = 0; i < 1000; i++) yield i * i;
    }
    const expected = Array.from({ length: 1000 }, (_, i) => i * i);
    const response = negotiate(new Request('http://localhost/', { headers: { accept: 'application/cbor-seq' } }), squares());
    const request = post(new Uint8Array(await response.arrayBuffer()), 'application/cbor-seq', '*/*');
    const values = [];
    for await (const value of readValues(request)) values.push(value);
    equal(values, expected);
    equal(await negotiate(new Request('http://localhost/', { headers: { accept: 'application/json' } }), squares()).json(), expected);
  }],
];
