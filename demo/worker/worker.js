// An edge service that turns JSON into CBOR: POST /encode takes application/json and answers application/cbor.
// What it cannot do it says as problem details (RFC 9457). The package comes through its `workerd` condition, so the
// module is a static import that the platform has compiled before the first request.

import { CborError, encode } from 'wcbor';

const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

// application/json, or any type with the +json suffix. A type is made of tokens (RFC 9110, section 5.6.2).
const JSON_TYPE = /^(?:application\/json|[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+\+json)$/i;

// What is answered is what its type says, not what its bytes look like.
const HEADERS = { 'x-content-type-options': 'nosniff' };

const TITLES = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
};

/** A failure the client may know about; everything else that is thrown is ours and stays inside. */
class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   * @param {{ headers?: Record<string, string>, code?: string, offset?: number }} [more]
   */
  constructor(status, detail, { headers, ...members } = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
    this.members = members;
  }

  toResponse() {
    // With about:blank as its type, a problem's title is the status phrase.
    const body = { type: 'about:blank', title: TITLES[this.status], status: this.status, detail: this.message, ...this.members };
    return Response.json(body, {
      status: this.status,
      headers: { ...HEADERS, ...this.headers, 'content-type': 'application/problem+json' },
    });
  }
}

/** MAX_BODY_BYTES if it is a whole number, the default otherwise: a slip in the settings must not lift the limit. */
function bodyLimit(env) {
  const limit = env?.MAX_BODY_BYTES;
  return /^[0-9]+$/.test(limit) && Number.isSafeInteger(Number(limit)) ? Number(limit) : DEFAULT_MAX_BODY_BYTES;
}

/** Reads the body, and stops reading as soon as it is longer than the limit, whatever length was announced. */
async function readBody(request, limit) {
  const tooLarge = () => new Problem(413, `The body is larger than ${limit} bytes.`);
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge();
  if (!request.body) return new Uint8Array(0);

  const reader = request.body.getReader();
  const chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Problem(400, 'The body ended before it was complete.');
    });
    if (done) break;
    length += value.length;
    if (length > limit) {
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
  if (chunks.length === 1) return chunks[0];
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

function parseJson(body) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Problem(400, 'The body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(400, `The body is not valid JSON: ${error.message}`);
  }
}

function encodeValue(value) {
  try {
    return encode(value);
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    // Valid JSON that CBOR output refuses, such as one nested too deep.
    throw new Problem(422, error.message, { code: error.code, offset: error.offset });
  }
}

async function handle(request, env) {
  const { pathname } = new URL(request.url);
  if (pathname !== '/encode') throw new Problem(404, 'There is only /encode here.');
  if (request.method !== 'POST') {
    throw new Problem(405, `${request.method} is not possible here, POST is.`, { headers: { allow: 'POST' } });
  }
  const mediaType = (request.headers.get('content-type') ?? '').split(';', 1)[0].trim();
  if (!JSON_TYPE.test(mediaType)) throw new Problem(415, 'The body must be application/json or a type ending in +json.');

  // Bodies are taken as they come, so that their length is what it says.
  const encoding = request.headers.get('content-encoding')?.trim() || 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Problem(415, `The body must not be encoded, with ${encoding} or otherwise.`, { headers: { 'accept-encoding': 'identity' } });
  }

  const body = await readBody(request, bodyLimit(env));
  return new Response(encodeValue(parseJson(body)), { headers: { ...HEADERS, 'content-type': 'application/cbor' } });
}

export default {
  /**
   * @param {Request} request
   * @param {{ MAX_BODY_BYTES?: string }} env
   * @returns {Promise<Response>}
   */
  async fetch(request, env) {
    try {
      return await handle(request, env);
    } catch (error) {
      if (error instanceof Problem) return error.toResponse();
      console.error(error);
      return new Problem(500, 'Something went wrong here; the request may be fine.').toResponse();
    }
  },
};
