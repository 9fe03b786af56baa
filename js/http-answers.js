// Answers to requests in the form that the client accepts.
import { CborError, EncoderStream, cborToJson, encode } from 'wcbor';
import { joined } from './http-bodies.js';
import { Problem, problem, reportTo } from './http-problems.js';
import { Accept, PROBLEM_CBOR, PROBLEM_JSON, TYPES, kindOf, listed } from './http-types.js';

/** @typedef {import('./encode-options.js').EncodeOptions} EncodeOptions */
/** @typedef {import('./http-types.js').Kind} Kind */

/**
 * @typedef {object} AnswerOptions
 * @property {number} [status] 200 by default
 * @property {HeadersInit} [headers] further headers
 * @property {EncodeOptions} [options] of the encoder; in JSON without `mode`, `keyMap` and `sharedReferences`
 * @property {'cbor' | 'json'} [prefer] what a client gets that takes both alike; `'cbor'` by default
 * @property {(error: unknown, request: Request) => void} [report] gets what is no fault of the client's; console.error by default
 */

/**
 * Answers with a value, in the form that the request's Accept header wants most: CBOR, a CBOR sequence of this one item,
 * or JSON; under a type that the client names with the suffix `+cbor`, `+cbor-seq` or `+json` just so.
 *
 * An async iterable is answered with the values that it gives, as they come: as a CBOR sequence, or as one array in CBOR (of
 * indefinite length, so in the modes lax and strict alone) or JSON. An error in the midst of it breaks the body off.
 *
 * Without an Accept header, and where the client takes several alike, a type that it names goes before one that a wildcard
 * takes in, and then `prefer` decides. A HEAD request is answered without the body.
 *
 * @param {Request} request
 * @param {unknown} value
 * @param {AnswerOptions} [how]
 * @returns {Response} 406 when the client takes none of these, 500 when the value cannot be encoded; nothing is thrown
 */
export function negotiate(request, value, how = {}) {
  try {
    const isMany = isAsyncIterable(value);
    const type = chosenType(request, how, isMany);
    const kind = /** @type {Kind} */ (kindOf(type));
    const body = isMany ? manyAs(kind, value, how.options) : kind === 'json' ? jsonOf(value, how.options) : encode(value, how.options);
    return respond(request, type, body, how);
  } catch (error) {
    if (!(error instanceof Problem)) reportTo(how.report, error, request);
    return problem(error, request);
  }
}

/**
 * @param {unknown} value
 * @returns {value is AsyncIterable<unknown>}
 */
function isAsyncIterable(value) {
  return value !== null && typeof value === 'object' && Symbol.asyncIterator in value;
}

/**
 * @param {Request} request
 * @param {AnswerOptions} how
 * @param {boolean} isMany
 */
function chosenType(request, { prefer = 'cbor', options }, isMany) {
  const accept = new Accept(request.headers.get('accept'));
  const hasArrays = !isMany || options?.mode === undefined || options.mode === 'lax' || options.mode === 'strict';
  /** @type {Kind[]} */
  const kinds = isMany ? ['cbor-seq', 'cbor', 'json'] : ['cbor', 'cbor-seq', 'json'];
  if (prefer === 'json') kinds.unshift(/** @type {Kind} */ (kinds.pop()));
  const offered = kinds.filter((kind) => kind !== 'cbor' || hasArrays);
  const named = accept.types.filter((type) => type !== PROBLEM_JSON && type !== PROBLEM_CBOR);
  const type = accept.best(offered.flatMap((kind) => [TYPES[kind], ...named.filter((type) => kindOf(type) === kind)]));
  if (type === undefined) throw new Problem(406, `There are only ${listed(offered)} here.`);
  return type;
}

/**
 * JSON of a value means what its CBOR means: bigints keep their digits, a Map is an object, bytes are base64url (RFC 8949,
 * section 6.1).
 * @param {unknown} value
 * @param {EncodeOptions} [options]
 */
function jsonOf(value, { mode, keyMap, sharedReferences, ...options } = {}) {
  try {
    return /** @type {Uint8Array<ArrayBuffer>} */ (cborToJson(encode(value, options), { mode: 'lax', output: 'bytes' }));
  } catch (error) {
    if (!(error instanceof CborError) || error.code !== 'ERR_CBOR_NOT_IN_JSON') throw error;
    throw new Problem(406, 'The answer has no form in JSON.', { code: error.code });
  }
}

const utf8 = new TextEncoder();

/**
 * @param {Request} request
 * @param {string} type
 * @param {Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {AnswerOptions} how
 */
function respond(request, type, body, { status = 200, headers: further }) {
  const headers = new Headers(further);
  headers.set('content-type', type);
  headers.set('x-content-type-options', 'nosniff');
  headers.append('vary', 'Accept');
  const isHead = request.method === 'HEAD';
  if (isHead && body instanceof Uint8Array) headers.set('content-length', String(body.length));
  if (isHead && body instanceof ReadableStream) body.cancel();
  return new Response(isHead ? null : body, { status, headers });
}

// -------------------------------------------------------------------------------------------------------- many values

/** Parts of a body are sent together up to about so many bytes, as far as they come within one turn of the event loop. */
const GATHERED_BYTES = 16 * 1024;

/**
 * @param {Kind} kind
 * @param {AsyncIterable<unknown>} values
 * @param {EncodeOptions | undefined} options
 */
function manyAs(kind, values, options) {
  if (kind === 'json') return streamOf(jsonArray(values, options));
  const items = EncoderStream.iterate(values, options);
  return streamOf(kind === 'cbor' ? cborArray(items) : items);
}

/** @param {AsyncIterable<Uint8Array<ArrayBuffer>>} items */
async function* cborArray(items) {
  yield Uint8Array.of(0x9f);
  yield* items;
  yield Uint8Array.of(0xff);
}

/**
 * @param {AsyncIterable<unknown>} values
 * @param {EncodeOptions} [options]
 */
async function* jsonArray(values, options) {
  let separator = '[';
  for await (const value of values) {
    yield utf8.encode(separator);
    yield jsonOf(value, options);
    separator = ',';
  }
  yield utf8.encode(separator === '[' ? '[]' : ']');
}

/**
 * @param {AsyncGenerator<Uint8Array<ArrayBuffer>>} parts
 * @returns {ReadableStream<Uint8Array<ArrayBuffer>>}
 */
function streamOf(parts) {
  /** @type {Promise<IteratorResult<Uint8Array<ArrayBuffer>, void>> | undefined} */
  let next;
  return new ReadableStream({
    async pull(controller) {
      const gathered = [];
      let nbytes = 0;
      /** @type {Promise<undefined> | undefined} */
      let turn;
      for (;;) {
        next ??= parts.next();
        const result = turn === undefined ? await next : await Promise.race([next, turn]);
        if (result === undefined) break; // what is there goes out, the next part is still to come
        next = undefined;
        if (result.done) {
          if (nbytes > 0) controller.enqueue(joined(gathered));
          return controller.close();
        }
        gathered.push(result.value);
        nbytes += result.value.length;
        if (nbytes >= GATHERED_BYTES) break;
        turn ??= new Promise((resolve) => setTimeout(resolve, 0));
      }
      controller.enqueue(joined(gathered));
    },
    async cancel() {
      await parts.return(undefined);
    },
  }, { highWaterMark: 0 });
}
