// The ways to turn a value into bytes that the page compares.

import { CborWriter, encode, stats } from './wcbor.js';
import { writeValue } from './walk.js';

/** One writer, reset for each document, as a caller with many documents would use it. */
function writerWay(id, name, note, options, value) {
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
 * The four ways to turn `value` into bytes that the page compares.
 * @returns {{ id: string, name: string, note: string, run: () => Uint8Array, dispose: () => void }[]}
 */
export function waysToEncode(value, mode) {
  const text = new TextEncoder();
  return [
    writerWay('batched', 'CborWriter, batched', 'writer calls collected, run in one go', { mode }, value),
    writerWay('unbatched', 'CborWriter, call by call', 'one wasm call for each item', { mode, batch: false }, value),
    { id: 'encode', name: 'encode(value)', note: 'the whole value at once', run: () => encode(value, { mode }), dispose() {} },
    { id: 'json', name: 'JSON.stringify', note: 'with TextEncoder, both built in', run: () => text.encode(JSON.stringify(value)), dispose() {} },
  ];
}

/**
 * What one run of a way takes: calls from JavaScript into the module, and the bytes it makes.
 * @returns {{ crossings: number, bytes: number }}
 */
export function countOf(way) {
  stats.reset();
  const bytes = way.run().length;
  return { crossings: stats().crossings, bytes };
}
