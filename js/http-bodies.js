// Bodies of requests, and of responses, whichever form they have.
import { DecoderStream, decode, decodeSequence, jsonToCbor } from 'wcbor';
import { Problem, problemFrom } from './http-problems.js';
import { TYPES, kindOf, listed, typeOf } from './http-types.js';

/** @typedef {import('./decode-options.js').DecodeOptions} DecodeOptions */
/** @typedef {import('./http-types.js').Kind} Kind */

/**
 * @typedef {object} BodyLimits
 * @property {number} [limit] the longest body that is taken, in bytes; 1 MiB by default
 * @property {readonly Kind[]} [kinds] what is taken; all by default
 */

const DEFAULT_LIMIT = 1024 * 1024;

/** @type {readonly Kind[]} */
const ALL_KINDS = ['cbor', 'cbor-seq', 'json'];

/**
 * Reads the body of a request, or of a response: CBOR, a CBOR sequence (an array of its items) or JSON, as its Content-Type says, by itself or by
 * its suffix. Reading stops as soon as the body is longer than the limit, whatever length was announced.
 * @param {Request | Response} request
 * @param {BodyLimits & { options?: DecodeOptions }} [how] limits, and options of the decoder
 * @returns {Promise<any>} the value
 * @throws {Problem} 415 for another type, and for a body with a content coding; 413 for one that is too long; 400 for one
 *   that breaks off, or is not valid, with the `code` and `offset` of what is wrong; 422 for one that is nested too deep
 */
export async function readBody(request, how = {}) {
  const { bytes, kind } = await readBytes(request, how);
  if (kind === 'json') return parseJson(bytes);
  try {
    return kind === 'cbor' ? decode(bytes, how.options) : decodeSequence(bytes, how.options);
  } catch (error) {
    throw problemFrom(error);
  }
}

/**
 * Reads the bytes of a body, like `readBody`, but leaves it to the caller what they are.
 * @param {Request | Response} request
 * @param {BodyLimits} [limits]
 * @returns {Promise<{ bytes: Uint8Array<ArrayBuffer>, kind: Kind, type: string }>} type: in lower case, without parameters
 * @throws {Problem} 415, 413, or 400 for a body that breaks off
 */
export async function readBytes(request, { limit = DEFAULT_LIMIT, kinds } = {}) {
  const { kind, type } = checkType(request, kinds);
  return { bytes: await bytesOfBody(request, limit), kind, type };
}

/**
 * The values of a body as they come: the items of a CBOR sequence, or the one value of CBOR or JSON. Only the item
 * that is under way is held, so that the body may be longer than memory is large.
 * @param {Request | Response} request
 * @param {BodyLimits & { options?: DecodeOptions, maxItemBytes?: number }} [how] `limit` is of the whole body, and none by
 *   default; `maxItemBytes` of each item (1 MiB by default)
 * @returns {AsyncGenerator<any, void, void>} throws what `readBody` does
 */
export async function* readValues(request, how = {}) {
  const { limit = Infinity, maxItemBytes = DEFAULT_LIMIT, options } = how;
  const { kind } = checkType(request, how.kinds);
  if (kind !== 'cbor-seq') {
    yield await readBody(request, { ...how, limit: Math.min(limit, maxItemBytes) });
    return;
  }
  try {
    yield* DecoderStream.iterate(piecesOf(request, limit), { ...options, maxItemBytes });
  } catch (error) {
    throw problemFrom(error);
  }
}

/**
 * @param {Request | Response} request
 * @param {readonly Kind[]} [kinds] that are taken
 */
function checkType(request, kinds = ALL_KINDS) {
  const type = typeOf(request.headers.get('content-type'));
  const kind = kindOf(type);
  if (kind === undefined || !kinds.includes(kind)) {
    const accepted = kinds.map((each) => TYPES[each]).join(', ');
    const detail = `The body must be ${listed(kinds).replace(/ and /, ' or ')}, or a type with such a suffix.`;
    throw new Problem(415, detail, { headers: { accept: accepted } });
  }
  // Bodies are taken as they come, so that their length is what it says. A response has been decoded by whoever fetched it.
  const coding = request.headers.get('content-encoding')?.trim() || 'identity';
  if (!(request instanceof Response) && coding.toLowerCase() !== 'identity') {
    throw new Problem(415, `The body must not be encoded, with ${coding} or otherwise.`, { headers: { 'accept-encoding': 'identity' } });
  }
  return { kind, type };
}

/**
 * @param {Request | Response} message
 * @param {number} limit
 */
async function* piecesOf(message, limit) {
  if (Number(message.headers.get('content-length')) > limit) throw tooLong(limit);
  // Firefox shows no stream of a request's body.
  if (message.body === undefined) {
    const bytes = new Uint8Array(await message.arrayBuffer().catch(brokenOff));
    if (bytes.length > limit) throw tooLong(limit);
    yield bytes;
    return;
  }
  if (message.body === null) return;
  const reader = message.body.getReader();
  let nbytes = 0;
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        isOver = true;
        return brokenOff();
      });
      if (done) break;
      nbytes += value.length;
      if (nbytes > limit) throw tooLong(limit);
      yield value;
    }
    isOver = true;
  } finally {
    if (!isOver) reader.cancel().catch(() => {});
  }
}

/**
 * @param {Request | Response} message
 * @param {number} limit
 */
async function bytesOfBody(message, limit) {
  // HTTP sees to it that no more comes than is announced, unless a response has been decompressed.
  const isAnnounced = message.headers.has('content-length') && !message.headers.has('content-encoding');
  if (isAnnounced && Number(message.headers.get('content-length')) <= limit) {
    const bytes = new Uint8Array(await message.arrayBuffer().catch(brokenOff));
    if (bytes.length > limit) throw tooLong(limit);
    return bytes;
  }
  const pieces = [];
  for await (const piece of piecesOf(message, limit)) pieces.push(piece);
  return joined(pieces);
}

/** @param {number} limit */
function tooLong(limit) {
  return new Problem(413, `The body is larger than ${limit} bytes.`);
}

/** @returns {never} */
function brokenOff() {
  throw new Problem(400, 'The body ended before it was complete.');
}

/** @param {Uint8Array} bytes */
function parseJson(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw problemFrom(jsonFault(bytes));
  }
}

/**
 * What is wrong with a JSON text, and where.
 * @param {Uint8Array} bytes
 */
function jsonFault(bytes) {
  try {
    jsonToCbor(bytes, { mode: 'strict' });
    return new Problem(400, 'The body is not valid JSON.');
  } catch (error) {
    return error;
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>[]} parts
 * @returns {Uint8Array<ArrayBuffer>} all of them; of a single one, this itself
 */
export function joined(parts) {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
