// The ways to turn a value into bytes that the demo compares, on the page and by `npm start`. The package is an argument,
// for the two find it in different places.

import { writeValue } from './walk.js';

/** @typedef {typeof import('./wcbor.js')} Package */

/** One writer, reset for each document, as a caller with many documents would use it. */
function writerWay({ CborWriter }, id, name, note, options, value) {
  const writer = new CborWriter(options);
  return {
    id,
    name,
    note,
    run() {
      writer.reset();
      writeValue(writer, value);
      return writer.encode();
    },
    dispose: () => writer.dispose?.(),
  };
}

/**
 * The four ways to turn `value` into bytes that are compared; all but the last give the same bytes.
 * @param {Package} wcbor
 * @param {unknown} value what JSON can say
 * @param {string} mode
 * @returns {{ id: string, name: string, note: string, run: () => Uint8Array, dispose: () => void }[]}
 */
export function waysToEncode(wcbor, value, mode) {
  const { encode } = wcbor;
  const text = new TextEncoder();
  return [
    writerWay(wcbor, 'batched', 'CborWriter, batched', 'writer calls collected, run in one go', { mode }, value),
    writerWay(wcbor, 'unbatched', 'CborWriter, call by call', 'one wasm call for each item', { mode, batch: false }, value),
    { id: 'encode', name: 'encode(value)', note: 'the whole value at once', run: () => encode(value, { mode }), dispose() {} },
    { id: 'json', name: 'JSON.stringify', note: 'with TextEncoder, both built in', run: () => text.encode(JSON.stringify(value)), dispose() {} },
  ];
}

/**
 * What one run of a way takes: calls from JavaScript into the module, and the bytes it makes.
 * @param {Package} wcbor
 * @param {{ run: () => Uint8Array }} way
 * @returns {{ crossings: number, bytes: number }}
 */
export function countOf({ stats }, way) {
  stats.reset();
  const bytes = way.run().length;
  return { crossings: stats().crossings, bytes };
}
