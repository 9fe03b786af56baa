// The worker that measures: the page stays free, and a measurement can be stopped by ending the worker.

import { measure } from './measure.js';
import { codecs } from './vendor.js';
import * as wcbor from './wcbor.js';
import { countOf, waysToDecode, waysToEncode } from './ways.js';

addEventListener('message', async ({ data: { bytes, mode } }) => {
  try {
    const value = wcbor.decode(bytes, { mode: 'lax', replaceInvalidText: true });
    const ways = [...waysToEncode(wcbor, value, mode, codecs), ...waysToDecode(wcbor, bytes, value, codecs)].filter(isAble);
    const times = await measure(ways.map(({ run }) => run), { onProgress: (share) => postMessage({ share }) });
    // Counted when warm: what is learnt about a document's keys once is not part of every document.
    const results = ways.map((way, i) => ({ id: way.id, ...times[i], ...countOf(wcbor, way) }));
    for (const way of ways) way.dispose();
    postMessage({ results });
  } catch (error) {
    postMessage({ message: error.message });
  }
});

/** Whether a way takes the document at all; peers need not. */
function isAble({ run }) {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
