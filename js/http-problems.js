// What goes wrong with a request, as a response that says so (RFC 9457; in CBOR, RFC 9290).
import { CborError, encode } from 'wcbor';
import { Accept, PROBLEM_CBOR, PROBLEM_JSON } from './http-types.js';

/** @type {Record<number, string>} */
const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** Keys of concise problem details (RFC 9290, section 2 and appendix B). */
const TITLE = -1;
const DETAIL = -2;
const TUNNEL = 7807;
const STATUS = 1;

/**
 * A failure that the client may know about.
 */
export class Problem extends Error {
  /**
   * @param {number} status of the response, 400 to 599
   * @param {string} detail for people, about this very request
   * @param {{ code?: string, offset?: number, headers?: Record<string, string> }} [more] a code for programs, where in the
   *   body (in bytes), and headers of the response
   */
  constructor(status, detail, { code, offset, headers = {} } = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.offset = offset;
    this.headers = headers;
  }

  /** The members of RFC 9457, with `code` and `offset` where there are any. */
  toJSON() {
    const { status, message: detail, code, offset } = this;
    return { type: 'about:blank', title: TITLES[status] ?? `Status ${status}`, status, detail, code, offset };
  }
}
Object.defineProperty(Problem.prototype, 'name', { value: 'Problem', configurable: true, writable: true });

/**
 * What the client learns of an error: a `Problem` as it is, and nothing of any other.
 * @param {unknown} error
 */
export function problemOf(error) {
  return error instanceof Problem ? error : new Problem(500, 'Something went wrong here; the request may be fine.');
}

/** @param {Problem} problem */
function concise(problem) {
  const { title, status, detail, code, offset } = problem.toJSON();
  const tunnel = new Map(/** @type {[number | string, unknown][]} */ ([[STATUS, status]]));
  if (code !== undefined) tunnel.set('code', code);
  if (offset !== undefined) tunnel.set('offset', offset);
  return encode(new Map(/** @type {[number, unknown][]} */ ([[TITLE, title], [DETAIL, detail], [TUNNEL, tunnel]])));
}

/** Whether the client wants CBOR more than JSON, by what it says of values or of problems. @param {Accept} accept */
function wantsCbor(accept) {
  const best = accept.best([PROBLEM_JSON, 'application/json', PROBLEM_CBOR, 'application/cbor']);
  return best === PROBLEM_CBOR || best === 'application/cbor';
}

/**
 * A response that says what went wrong: problem details in JSON (`application/problem+json`), or in CBOR
 * (`application/concise-problem-details+cbor`) for a request that wants CBOR more than JSON.
 * @param {unknown} error a `Problem`; anything else is a fault of the service, status 500, of which nothing is told
 * @param {Request} [request] what is answered
 * @returns {Response}
 */
export function problem(error, request) {
  const about = problemOf(error);
  const isCbor = request !== undefined && wantsCbor(new Accept(request.headers.get('accept')));
  const body = isCbor ? concise(about) : JSON.stringify(about);
  const headers = new Headers(about.headers);
  headers.set('content-type', isCbor ? PROBLEM_CBOR : PROBLEM_JSON);
  headers.set('x-content-type-options', 'nosniff');
  headers.append('vary', 'Accept');
  return new Response(request?.method === 'HEAD' ? null : body, { status: about.status, headers });
}

/** Codes of what is well-formed, but cannot be converted. */
const UNPROCESSABLE = ['NOT_IN_JSON', 'DEPTH_EXCEEDED', 'UNSUPPORTED_VALUE'].map((name) => `ERR_CBOR_${name}`);

/**
 * The problem that the client has when its body made the package throw: 413 for what exceeds a limit, 422 for what cannot be
 * converted, else 400, with `code` and `offset`.
 * @param {unknown} error
 * @returns {unknown} a `Problem`, or the error itself when it is no CborError, and thus no fault of the body
 */
export function problemFrom(error) {
  if (!(error instanceof CborError)) return error;
  const { code, offset } = error;
  const status = code === 'ERR_CBOR_LIMIT_EXCEEDED' ? 413 : UNPROCESSABLE.includes(code) ? 422 : 400;
  return new Problem(status, `The body: ${error.message}.`, { code, offset });
}

/**
 * A fetch handler that always answers: what `handle` throws becomes problem details. Of anything but a `Problem` the client
 * learns nothing, and `report` gets it.
 * @template {unknown[]} Rest
 * @param {(request: Request, ...rest: Rest) => Response | Promise<Response>} handle
 * @param {{ report?: (error: unknown, request: Request) => void }} [how] console.error by default
 * @returns {(request: Request, ...rest: Rest) => Promise<Response>}
 */
export function handler(handle, { report } = {}) {
  return async (request, ...rest) => {
    try {
      const response = await handle(request, ...rest);
      if (!(response instanceof Response)) throw new TypeError('a handler must return a Response');
      return response;
    } catch (error) {
      if (!(error instanceof Problem)) reportTo(report, error, request);
      return problem(error, request);
    }
  };
}

/**
 * Tells whoever runs the service of an error of which the client learns nothing.
 * @param {((error: unknown, request: Request) => void) | undefined} report
 * @param {unknown} error
 * @param {Request} request
 */
export function reportTo(report = (what) => console.error(what), error, request) {
  try {
    report(error, request);
  } catch {
    // The answer does not depend on whether its failure could be reported.
  }
}
