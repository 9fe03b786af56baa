// Reads documents that would keep the page waiting. Keeps the last one, for it may be asked for in another notation.

import { callsOf, read, weigh } from './reading.js';
import { rewrite } from './sources.js';

let last;

addEventListener('message', async ({ data: { turn, source, settings, format } }) => {
  if (format !== undefined) {
    postMessage({ turn, rewritten: rewritten(format) });
    return;
  }
  try {
    last = read(source, settings);
  } catch (error) {
    last = { reading: { kind: 'fault', fault: { code: error.name, place: '', message: error.message } } };
  }
  postMessage({ turn, reading: last.reading });
  const done = last;
  let weights = { hash: '' };
  try {
    weights = { ...(await weigh(done, source, settings)), calls: callsOf(done, settings) };
  } finally {
    postMessage({ turn, weights });
  }
});

/** Undefined where the document has no form in it. */
function rewritten(format) {
  try {
    return rewrite(last.reading.bytes, last.value, format);
  } catch {
    return undefined;
  }
}
