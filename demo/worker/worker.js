// A CBOR service for the edge, in Workers and wherever else there are fetch handlers (serve.js):
//
//     POST /encode           JSON to CBOR                               ?mode= of the CBOR, strict by default
//     POST /decode           CBOR to JSON
//     POST /transcode        either to the other, or to what the Accept header asks for; a CBOR sequence as it comes
//     POST /canonicalize     CBOR or JSON to CBOR in one form           ?mode= deterministic by default
//     POST /validate         is it valid CBOR, and if not, what and where?      ?mode= strict by default
//     POST /diagnose         CBOR as text to read (RFC 8949, section 8)
//     GET /healthz
//
// What it cannot do it says as problem details. JSON and CBOR are converted inside the module, without JavaScript values.
import { EncodedCbor, canonicalize, cborToJson, diagnose, jsonToCbor, validate } from 'wcbor';
import { Problem, handler, negotiate, problemFrom, readBytes, readValues } from 'wcbor/http';
import { settingsOf } from './settings.js';

const MODES = ['lax', 'strict', 'canonical', 'ctap2', 'deterministic', 'dag-cbor', 'dcbor'];

/** Nobody should send one, and parsers may ignore it (RFC 8259, section 8.1). */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A page that has asked whether it may ask does not do so again for this long. */
const PREFLIGHT_SECONDS = '86400';

/** Runs what may find the body at fault. */
function converted(action) {
  try {
    return action();
  } catch (error) {
    throw problemFrom(error);
  }
}

/** One request: its body and its query, by the settings. */
class Exchange {
  constructor(request, url, settings) {
    this.request = request;
    this.url = url;
    this.settings = settings;
  }

  /** The mode that the query asks for. */
  mode(otherwise) {
    const mode = this.url.searchParams.get('mode') ?? otherwise;
    if (!MODES.includes(mode)) throw new Problem(400, `There is no such mode; there are ${MODES.join(', ')}.`);
    return mode;
  }

  /** The bytes of the body, and what they are. */
  body(...kinds) {
    return readBytes(this.request, { limit: this.settings.maxBodyBytes, kinds });
  }

  /** The body as CBOR, whichever of the two it is. */
  async cbor(mode) {
    const { bytes, kind } = await this.body('cbor', 'json');
    return { kind, bytes: kind === 'json' ? this.toCbor(bytes, mode) : bytes };
  }

  toCbor(json, mode) {
    const text = BYTE_ORDER_MARK.every((byte, i) => json[i] === byte) ? json.subarray(BYTE_ORDER_MARK.length) : json;
    return converted(() => jsonToCbor(text, { mode, maxDepth: this.settings.maxDepth }));
  }

  get isSequence() {
    return /^[^;]*[/+]cbor-seq\s*(?:;|$)/i.test(this.request.headers.get('content-type') ?? '');
  }

  /** The values of the body as they come, once the first one has: what is wrong with that one can still be told. */
  async values() {
    const { maxItemBytes, maxStreamBytes, maxDepth } = this.settings;
    const values = readValues(this.request, { limit: maxStreamBytes, maxItemBytes, options: { maxDepth } });
    const first = await values.next();
    return (async function* all() {
      if (!first.done) yield first.value;
      yield* values;
    })();
  }
}

function answer(body, type) {
  return new Response(body, { headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } });
}

async function encode(exchange) {
  const mode = exchange.mode('strict');
  const { bytes } = await exchange.body('json');
  return answer(exchange.toCbor(bytes, mode), 'application/cbor');
}

async function decode(exchange) {
  const { bytes } = await exchange.body('cbor');
  const { maxDepth } = exchange.settings;
  return answer(converted(() => cborToJson(bytes, { maxDepth })), 'application/json');
}

async function transcode(exchange) {
  const { request, settings: { maxDepth } } = exchange;
  if (exchange.isSequence) return negotiate(request, await exchange.values());
  const { bytes, kind } = await exchange.cbor('strict');
  const { ok, code, offset } = validate(bytes, { mode: 'strict', maxDepth });
  if (!ok) throw new Problem(400, 'The body is not valid CBOR.', { code, offset });
  return negotiate(request, new EncodedCbor(bytes), { prefer: kind === 'json' ? 'cbor' : 'json' });
}

async function canonical(exchange) {
  const mode = exchange.mode('deterministic');
  const { bytes } = await exchange.cbor(mode);
  const { maxDepth } = exchange.settings;
  return answer(converted(() => canonicalize(bytes, { mode, maxDepth })), 'application/cbor');
}

async function checked(exchange) {
  const mode = exchange.mode('strict');
  const { bytes } = await exchange.body('cbor');
  const { maxDepth } = exchange.settings;
  return negotiate(exchange.request, validate(bytes, { mode, maxDepth }), { prefer: 'json' });
}

async function diagnosed(exchange) {
  const { bytes } = await exchange.body('cbor', 'cbor-seq');
  const { maxDepth } = exchange.settings;
  return answer(converted(() => diagnose(bytes, { maxDepth })), 'text/plain; charset=utf-8');
}

function health({ request }) {
  return negotiate(request, { status: 'ok' }, { prefer: 'json', headers: { 'cache-control': 'no-store' } });
}

/** By path: what answers to which methods. */
const routes = {
  '/encode': { POST: encode },
  '/decode': { POST: decode },
  '/transcode': { POST: transcode },
  '/canonicalize': { POST: canonical },
  '/validate': { POST: checked },
  '/diagnose': { POST: diagnosed },
  '/healthz': { GET: health, HEAD: health },
};

function preflight(methods) {
  return new Response(null, {
    status: 204,
    headers: {
      allow: methods,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'content-type, accept',
      'access-control-max-age': PREFLIGHT_SECONDS,
    },
  });
}

function route(request, url, settings) {
  const methods = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
  if (methods === undefined) throw new Problem(404, `There is only ${Object.keys(routes).join(', ')} here.`);
  const names = [...Object.keys(methods), 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return preflight(names);
  if (!Object.hasOwn(methods, request.method)) {
    throw new Problem(405, `${request.method} is not possible here, ${names} are.`, { headers: { allow: names } });
  }
  return methods[request.method](new Exchange(request, url, settings));
}

const report = (error, request) => log({ level: 'error', message: String(error?.stack ?? error), method: request.method });
const respond = handler(route, { report });

/** One line of JSON. Of a request it has what it was, never what it held. */
function log(entry) {
  const write = entry.level === 'error' ? console.error : console.log;
  write(JSON.stringify({ time: new Date().toISOString(), ...entry }));
}

/** Lets pages of the origins that are allowed read the answer. */
function share(response, request, origins) {
  const origin = request.headers.get('origin');
  if (origins.includes('*')) {
    response.headers.set('access-control-allow-origin', '*');
  } else {
    response.headers.append('vary', 'Origin');
    if (origin !== null && origins.includes(origin)) response.headers.set('access-control-allow-origin', origin);
  }
}

async function answered(request, env) {
  const start = Date.now();
  const url = new URL(request.url);
  const settings = settingsOf(env);
  const response = await respond(request, url, settings);
  share(response, request, settings.origins);
  if (settings.log === 'requests') {
    const type = request.headers.get('content-type')?.slice(0, 100);
    const length = request.headers.get('content-length')?.slice(0, 20);
    log({ level: 'info', method: request.method, path: url.pathname.slice(0, 100), status: response.status, type, length, ms: Date.now() - start });
  }
  return response;
}

/** With the settings in env (see settings.js). Whatever is wrong, with those too, there is an answer. */
const fetch = handler((request, env = {}) => answered(request, env), { report });

export default { fetch };
