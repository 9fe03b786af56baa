// The Smithy RPC v2 CBOR module of demo/smithy: requests, responses and errors, and the protocol's own test bodies where a
// folder with them is at hand (WCBOR_CORPORA).
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { encode } from 'wcbor';
import { requests } from '../../demo/smithy/requests.js';
import {
  ServiceError, callOf, createClient, createService, deserialize, outputOf, requestFor, responseOf, serialize, timestamp,
} from '../../demo/smithy/rpc-v2-cbor.js';
import { bytesOf, hexOf } from '../hex.js';

const endpoint = 'https://example.org/base/';
const call = (input) => ({ endpoint, service: 'Tables', operation: 'GetItem', input });

test('a request: method, path, headers, body', async () => {
  const request = requestFor(call({ TableName: 'books', Limit: undefined }));
  assert.equal(request.method, 'POST');
  assert.equal(request.url, 'https://example.org/base/service/Tables/operation/GetItem');
  assert.equal(request.headers.get('smithy-protocol'), 'rpc-v2-cbor');
  assert.equal(request.headers.get('accept'), 'application/cbor');
  assert.equal(request.headers.get('content-type'), 'application/cbor');
  assert.equal(hexOf(new Uint8Array(await request.arrayBuffer())), hexOf(encode({ TableName: 'books' })));
});

test('an operation without input has no body and no type', async () => {
  const request = requestFor(call(undefined));
  assert.equal(request.headers.get('content-type'), null);
  assert.equal((await request.arrayBuffer()).byteLength, 0);
});

test('undefined members are left out, at every depth, and null is kept', () => {
  const structure = { a: undefined, b: { c: undefined, d: null }, list: [null, { e: undefined }], blob: Uint8Array.of(0xf7) };
  assert.deepEqual(deserialize(serialize(structure)), { b: { d: null }, list: [null, {}], blob: Uint8Array.of(0xf7) });
  assert.deepEqual(deserialize(serialize({ blob: Uint8Array.of(0xf7) })), { blob: Uint8Array.of(0xf7) });
});

test('timestamps, blobs and large integers keep their types', () => {
  const structure = { at: new Date(946845296123), blob: Uint8Array.of(1, 2), long: 2n ** 62n, small: 5 };
  assert.deepEqual(deserialize(serialize(structure)), structure);
  assert.deepEqual(deserialize(serialize({ at: timestamp(1.5) })), { at: new Date(1500) });
});

test('the twelve requests arrive as they were', async () => {
  assert.equal(requests.length, 12);
  for (const [name, operation, input] of requests) {
    const arrived = await callOf(requestFor({ endpoint, service: 'Tables', operation, input }));
    assert.deepEqual(arrived, { service: 'Tables', operation, input }, name);
  }
});

describe('a client and a service', () => {
  const handle = createService({
    service: 'Tables',
    operations: {
      GetItem: ({ Key }) => (Key === undefined ? undefined : { Item: Key, at: new Date(5000) }),
      Fail() {
        throw new ServiceError('com.example#NotFound', 404, { message: 'there is no such item', Key: 7 });
      },
      Break() {
        throw new Error('secret');
      },
    },
  });
  const client = createClient({ endpoint, service: 'Tables', fetch: handle });

  test('input and output', async () => {
    assert.deepEqual(await client.send('GetItem', { Key: { S: 'a' } }), { Item: { S: 'a' }, at: new Date(5000) });
    assert.deepEqual(await client.send('GetItem'), {});
  });

  test('errors have their name, status and members', async () => {
    await assert.rejects(client.send('Fail'), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.name, error.shapeId, error.status, error.message, error.members.Key], ['NotFound', 'com.example#NotFound', 404, 'there is no such item', 7]);
      return true;
    });
    await assert.rejects(client.send('Break'), ({ name, status, message }) => name === 'InternalFailure' && status === 500 && !/secret/.test(message));
    await assert.rejects(client.send('Other'), { name: 'UnknownOperationException', status: 404 });
    await assert.rejects(createClient({ endpoint, service: 'Other', fetch: handle }).send('GetItem'), { name: 'UnknownOperationException' });
  });

  test('bodies that are not of the protocol', async () => {
    const send = (body, headers) => handle(new Request('https://example.org/service/Tables/operation/GetItem', { method: 'POST', body, headers: { 'smithy-protocol': 'rpc-v2-cbor', ...headers } }));
    for (const [body, type, status] of [[bytesOf('bf61'), 'application/cbor', 400], [bytesOf('01'), 'application/cbor', 400], ['{}', 'application/json', 415]]) {
      const response = await send(body, { 'content-type': type });
      assert.equal(response.status, status);
      await assert.rejects(outputOf(response), { name: 'SerializationException' });
    }
    assert.equal((await send(undefined, { 'smithy-protocol': 'aws-json' })).status, 400);
    await assert.rejects(outputOf(new Response('{}', { status: 502 })), { name: 'UnknownProtocol', status: 502 });
    assert.deepEqual(await outputOf(responseOf({ a: 1 })), { a: 1 });
  });
});

// ------------------------------------------------------------------------------------------------- the protocol's bodies

/** What a model adds that bodies do not say: its defaults, for members that are absent. */
const BY_MODEL = /Default|ClientDoesntSerializeNullStructureValues|ServerDoesntSerializeNullStructureValues/;
const WORDS = { NaN, Infinity, '-Infinity': -Infinity };

/** Whether what was decoded is what the test's parameters say, in which blobs are text and timestamps numbers. */
function matches(value, parameter) {
  if (value instanceof Date) return value.getTime() / 1000 === parameter;
  if (value instanceof Uint8Array) return Buffer.from(value).toString() === parameter;
  if (typeof value === 'number' && typeof parameter === 'string') return Object.is(value, WORDS[parameter]);
  // A float of 32 bits is the one that is nearest to the number.
  if (typeof value === 'number') return Object.is(value, parameter) || value === Math.fround(parameter);
  if (Array.isArray(value)) return Array.isArray(parameter) && value.length === parameter.length && value.every((item, i) => matches(item, parameter[i]));
  if (value === null || typeof value !== 'object') return Object.is(value, parameter);
  return parameter !== null && typeof parameter === 'object'
    && Object.entries(parameter).every(([key, of]) => Object.hasOwn(value, key) && matches(value[key], of));
}

const corpus = process.env.WCBOR_CORPORA && join(process.env.WCBOR_CORPORA, 'smithy/rpcv2cbor_protocol_tests.jsonl');

describe('the bodies of the protocol tests', { skip: !corpus || !existsSync(corpus) }, () => {
  const rows = corpus && existsSync(corpus) ? readFileSync(corpus, 'utf8').trim().split('\n').map((line) => JSON.parse(line)) : [];

  for (const row of rows.filter(({ kind }) => kind !== 'malformed')) {
    test(row.id, async () => {
      const bytes = bytesOf(row.hex);
      const structure = deserialize(bytes);
      if (!BY_MODEL.test(row.id)) assert.ok(matches(structure, row.params ?? {}), `${JSON.stringify(row.params)} is not what came: ${row.hex}`);
      // What is written again is read as the same.
      assert.deepEqual(deserialize(serialize(structure)), structure);
      if (row.kind === 'request') {
        const { input } = await callOf(requestFor({ endpoint, service: 'A', operation: 'B', input: structure }));
        assert.deepEqual(input, structure);
      } else if (row.code >= 400) {
        const response = new Response(bytes, { status: row.code, headers: { 'smithy-protocol': 'rpc-v2-cbor', 'content-type': 'application/cbor' } });
        const error = await outputOf(response).catch((thrown) => thrown);
        assert.ok(error instanceof ServiceError);
        assert.equal(error.shapeId, structure.__type);
        assert.ok(matches(error.members, row.params ?? {}));
      }
    });
  }

  for (const { id, hex } of rows.filter(({ id }) => id.startsWith('AdditionalTokens'))) {
    test(`${id} is refused`, () => assert.throws(() => deserialize(bytesOf(hex)), { code: 'ERR_CBOR_TRAILING_BYTES' }));
  }
});
