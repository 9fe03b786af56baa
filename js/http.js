// wcbor/http: CBOR and JSON for fetch handlers, in Workers, Deno, Bun, Node and service workers alike. Answers by what the
// client accepts, takes bodies of either kind, and says what goes wrong as problem details.
export { negotiate } from './http-answers.js';
export { readBody, readBytes, readValues } from './http-bodies.js';
export { Problem, handler, problem, problemFrom } from './http-problems.js';
