// What `npm run bench:edge` puts under load: a service that takes a body of either kind and answers with a document, in CBOR
// by wcbor/http, or in JSON by JSON.parse and JSON.stringify, without wcbor.
import { Problem, handler, negotiate, readBody } from 'wcbor/http';
import documents from './documents.json';

function documentFor(body) {
  const document = documents[body?.document];
  if (document === undefined) throw new Problem(422, 'There is no such document.');
  return document;
}

async function byJson(request) {
  let body;
  try {
    body = await request.json();
  } catch (error) {
    throw new Problem(400, error.message);
  }
  return new Response(JSON.stringify(documentFor(body)), { headers: { 'content-type': 'application/json' } });
}

async function byCbor(request) {
  return negotiate(request, documentFor(await readBody(request)));
}

export default {
  fetch: handler((request) => (request.headers.get('content-type') === 'application/json' ? byJson(request) : byCbor(request))),
};
