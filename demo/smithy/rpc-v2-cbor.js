// Smithy RPC v2 CBOR with wcbor: requests, responses and errors of that protocol, for clients and services alike.
//
//     const client = createClient({ endpoint: 'https://example.org', service: 'Tables' });
//     const { Item } = await client.send('GetItem', { TableName: 'books', Key: { id: { S: '1' } } });
//
// Values are plain: structures and maps are objects, members that are undefined are not sent, blobs are Uint8Arrays,
// timestamps Dates, 64-bit integers numbers or bigints.
import { Tagged, decode, encode } from 'wcbor';
import { Problem, readBytes } from 'wcbor/http';

const PROTOCOL = 'rpc-v2-cbor';
const TYPE = 'application/cbor';
const PATH = /\/service\/([A-Za-z_]\w*)\/operation\/([A-Za-z_]\w*)$/;
const HEADERS = { 'smithy-protocol': PROTOCOL };
const TIMESTAMP = 1; // the tag: seconds since 1970
const DEFAULT_LIMIT = 16 * 1024 * 1024;

/** An error that the service says its operation has, or one of the protocol. */
export class ServiceError extends Error {
  /**
   * @param {string} shapeId such as `com.example#NotFound`, of which the name is that of the error
   * @param {number} status of the response
   * @param {Record<string, any>} [members] of the error's structure
   */
  constructor(shapeId, status, members = {}) {
    super(members.message ?? members.Message ?? `status ${status}`);
    this.name = shapeId.slice(shapeId.lastIndexOf('#') + 1);
    this.shapeId = shapeId;
    this.status = status;
    this.members = members;
  }
}

function malformed(message, status = 400) {
  return new ServiceError('SerializationException', status, { message });
}

/**
 * The bytes of a structure. Nothing looks for undefined members beforehand: they would be bytes f7, which no text holds, and
 * only where there are such bytes is the structure encoded once more.
 */
export function serialize(structure) {
  const bytes = encode(structure);
  return bytes.includes(0xf7) ? encode(structure, { ignoreUndefined: true }) : bytes;
}

/** The structure that a body holds; one without bytes is an empty structure. */
export function deserialize(bytes) {
  if (bytes.length === 0) return {};
  const structure = decode(bytes);
  if (Object.prototype.toString.call(structure) !== '[object Object]') throw malformed('a structure is a map with text keys');
  return structure;
}

/** Seconds since 1970 as they are sent, whatever the Date's fraction. */
export function timestamp(seconds) {
  return new Tagged(TIMESTAMP, seconds);
}

/**
 * The request of an operation. Without `input` it has no body, as for an operation without input.
 * @param {{ endpoint: string | URL, service: string, operation: string, input?: object, headers?: HeadersInit }} call
 * @returns {Request}
 */
export function requestFor({ endpoint, service, operation, input, headers }) {
  const url = `${String(endpoint).replace(/\/$/, '')}/service/${service}/operation/${operation}`;
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(HEADERS)) all.set(name, value);
  all.set('accept', TYPE);
  if (input !== undefined) all.set('content-type', TYPE);
  return new Request(url, { method: 'POST', headers: all, body: input === undefined ? undefined : serialize(input) });
}

/** Whether a request or response says that it is of this protocol. */
function checkProtocol(message) {
  return message.headers.get('smithy-protocol') === PROTOCOL;
}

/**
 * What a request asks for.
 * @param {Request} request
 * @param {{ limit?: number }} [limits]
 * @returns {Promise<{ service: string, operation: string, input: Record<string, any> }>}
 */
export async function callOf(request, { limit = DEFAULT_LIMIT } = {}) {
  const [, service, operation] = PATH.exec(new URL(request.url).pathname) ?? [];
  if (request.method !== 'POST' || service === undefined) throw new ServiceError('UnknownOperationException', 404);
  if (!checkProtocol(request)) throw malformed(`smithy-protocol must be ${PROTOCOL}`);
  return { service, operation, input: await bodyOf(request, limit) };
}

async function bodyOf(message, limit) {
  if (message.headers.get('content-type') === null) return {};
  const { bytes } = await readBytes(message, { limit, kinds: ['cbor'] });
  return deserialize(bytes);
}

/**
 * The output of a response.
 * @param {Response} response
 * @param {{ limit?: number }} [limits]
 * @returns {Promise<Record<string, any>>}
 * @throws {ServiceError} what the service says, or that it does not speak the protocol
 */
export async function outputOf(response, { limit = DEFAULT_LIMIT } = {}) {
  if (!checkProtocol(response)) {
    throw new ServiceError('UnknownProtocol', response.status, { message: `status ${response.status}, not in ${PROTOCOL}` });
  }
  const body = await bodyOf(response, limit);
  if (response.ok) return body;
  const { __type: shapeId = 'UnknownError', ...members } = body;
  throw new ServiceError(shapeId, response.status, members);
}

/** The response of an operation. */
export function responseOf(output = {}) {
  return new Response(serialize(output), { headers: { ...HEADERS, 'content-type': TYPE } });
}

/** The response of an operation that failed. */
export function errorResponse(error) {
  const { shapeId, status, members } = asServiceError(error);
  return new Response(serialize({ __type: shapeId, message: '', ...members }), { status, headers: { ...HEADERS, 'content-type': TYPE } });
}

function asServiceError(error) {
  if (error instanceof ServiceError) return error;
  if (error instanceof Problem) return malformed(error.message, error.status);
  if (error?.code?.startsWith('ERR_CBOR_')) return malformed(error.message);
  return new ServiceError('InternalFailure', 500);
}

/**
 * A fetch handler of a service.
 * @param {{ service: string, operations: Record<string, (input: any) => any> }} of
 */
export function createService({ service, operations }) {
  return async (request) => {
    try {
      const call = await callOf(request);
      if (call.service !== service || !Object.hasOwn(operations, call.operation)) throw new ServiceError('UnknownOperationException', 404);
      return responseOf(await operations[call.operation](call.input));
    } catch (error) {
      return errorResponse(error);
    }
  };
}

/**
 * @param {{ endpoint: string | URL, service: string, fetch?: typeof fetch, headers?: HeadersInit }} settings `fetch` is where a
 *   caller signs requests, or tries again
 */
export function createClient({ endpoint, service, fetch = globalThis.fetch, headers }) {
  return {
    /** Calls an operation: its output. */
    async send(operation, input = {}) {
      return outputOf(await fetch(requestFor({ endpoint, service, operation, input, headers })));
    },
  };
}
