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
 * The ways to turn `value` into bytes that are compared.
 * @param {Package} wcbor
 * @param {unknown} value
 * @param {string} mode
 * @param {Record<string, { encode: (value: unknown) => Uint8Array, decode: (bytes: Uint8Array) => unknown }>} [codecs] others
 * @returns {{ id: string, name: string, note: string, run: () => Uint8Array, dispose: () => void }[]} those of the package
 *   give the same bytes
 */
export function waysToEncode(wcbor, value, mode, codecs = {}) {
  const { encode } = wcbor;
  const text = new TextEncoder();
  return [
    writerWay(wcbor, 'batched', 'CborWriter, batched', 'writer calls collected, run in one go', { mode }, value),
    writerWay(wcbor, 'unbatched', 'CborWriter, call by call', 'one wasm call for each item', { mode, batch: false }, value),
    { id: 'encode', name: 'encode(value)', note: 'the whole value at once', run: () => encode(value, { mode }), dispose() {} },
    ...Object.entries(codecs).map(([name, codec]) => ({ id: `encode-${name}`, name: `${name}, encode`, note: 'another library', run: () => codec.encode(value), dispose() {} })),
    { id: 'json', name: 'JSON.stringify', note: 'with TextEncoder, both built in', run: () => text.encode(JSON.stringify(value)), dispose() {} },
  ];
}

/**
 * The ways to turn bytes into a value.
 * @param {Package} wcbor
 * @param {Uint8Array} bytes
 * @param {unknown} value what they stand for
 * @param {Record<string, { encode: (value: unknown) => Uint8Array, decode: (bytes: Uint8Array) => unknown }>} [codecs]
 * @returns {ReturnType<typeof waysToEncode>} `run` returns what was read, so that its length can be taken
 */
export function waysToDecode({ decode }, bytes, value, codecs = {}) {
  const text = new TextDecoder();
  const reading = (id, name, note, source, read) => ({
    id,
    name,
    note,
    run() {
      kept = read(source);
      return source;
    },
    dispose() {},
  });
  const ways = [reading('decode', 'decode(bytes)', 'the whole document at once', bytes, (from) => decode(from))];
  for (const [name, codec] of Object.entries(codecs)) ways.push(reading(`decode-${name}`, `${name}, decode`, 'another library', bytes, codec.decode));
  const json = jsonOf(value);
  if (json !== undefined) ways.push(reading('parse', 'JSON.parse', 'with TextDecoder, both built in', json, (from) => JSON.parse(text.decode(from))));
  return ways;
}

/** Keeps engines from dropping work whose result nobody reads. */
export let kept;

function jsonOf(value) {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  } catch {
    return undefined;
  }
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
