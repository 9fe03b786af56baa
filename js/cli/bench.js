// wcbor bench: encoding and decoding one document, in turns with JSON.
import * as wcbor from '../index.js';
import { readAll } from './streams.js';

const TURN_MS = 50;
const TURNS = 10;

/**
 * Times each way in turns of equal length, so that what else the machine does hits all of them alike.
 * @param {[name: string, run: () => unknown][]} ways
 * @returns {{ name: string, best: number, median: number }[]} microseconds for one run
 */
function measure(ways) {
  /** @type {number[][]} */
  const times = ways.map(() => []);
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const [index, [, run]] of ways.entries()) {
      let runs = 0;
      const start = performance.now();
      let now = start;
      do {
        run();
        runs++;
        now = performance.now();
      } while (now - start < TURN_MS);
      // The first turn is for the engine to compile what it will.
      if (turn > 0) times[index].push(((now - start) * 1000) / runs);
    }
  }
  return ways.map(([name], index) => {
    const sorted = times[index].sort((a, b) => a - b);
    return { name, best: sorted[0], median: sorted[sorted.length >> 1] };
  });
}

/** @param {import('./commands.js').Job & { path?: string }} job */
export async function bench({ options, input, output, maxDepth, path }) {
  const bytes = await readAll(input);
  const isJson = options.json === true || path?.endsWith('.json') === true;
  const cbor = isJson ? wcbor.jsonToCbor(bytes, { maxDepth }) : bytes;
  const value = isJson ? JSON.parse(Buffer.from(bytes).toString()) : wcbor.decode(cbor, { maxDepth, mode: 'lax' });
  const encoder = new wcbor.Encoder({ maxDepth });
  const decoder = new wcbor.Decoder({ maxDepth, mode: 'lax' });
  /** @type {[string, () => unknown][]} */
  const ways = [['encode', () => encoder.encode(value)], ['decode', () => decoder.decode(cbor)]];
  let json;
  try {
    json = JSON.stringify(value);
    const text = json;
    const utf8 = new TextEncoder();
    const fromUtf8 = new TextDecoder();
    const jsonBytes = utf8.encode(text);
    ways.push(['JSON.stringify, to UTF-8', () => utf8.encode(JSON.stringify(value))]);
    ways.push(['JSON.parse, from UTF-8', () => JSON.parse(fromUtf8.decode(jsonBytes))]);
  } catch {
    // What has bigints in it, or cycles, has no JSON to compare with.
  }
  const sizes = `${cbor.length} bytes of CBOR${json === undefined ? '' : `, ${Buffer.byteLength(json)} of JSON`}`;
  const rows = measure(ways).map(({ name, best, median }) => `${name.padEnd(26)}${median.toFixed(1).padStart(12)}${best.toFixed(1).padStart(12)}\n`);
  await output.write(`${sizes}\n${'microseconds'.padEnd(26)}${'median'.padStart(12)}${'best'.padStart(12)}\n${rows.join('')}`);
}
