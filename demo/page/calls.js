// The command buffer at work: a document written by CborWriter calls, which are recorded, and what they came to.

import { writeValue } from './walk.js';
import { CborWriter, stats } from './wcbor.js';

const SHOWN_CALLS = 400;
const WRITE_MAX = 60_000;

const count = (number) => number.toLocaleString('en');

/** A call as it would be written. */
function shown(name, [argument]) {
  if (argument === undefined) return `writer.${name}()`;
  if (argument instanceof Uint8Array) return `writer.${name}(Uint8Array of ${argument.length})`;
  if (typeof argument === 'bigint') return `writer.${name}(${argument}n)`;
  const text = typeof argument === 'string' ? JSON.stringify(argument.length > 50 ? `${argument.slice(0, 50)}\u2026` : argument) : String(argument);
  return `writer.${name}(${text})`;
}

/** Writes a value; the calls go by `onCall`. */
function write(value, mode, batch, onCall) {
  const writer = new CborWriter({ mode, batch });
  const recording = new Proxy(writer, {
    get(target, name) {
      const method = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (...list) => {
        onCall(name, list);
        return method.apply(target, list);
      };
    },
  });
  stats.reset();
  try {
    writeValue(recording, value);
    writer.encode();
    return stats();
  } finally {
    writer.dispose?.();
  }
}

/**
 * What becomes of a value, or why CborWriter's calls cannot write it.
 * @param {{ value: unknown, mode: string, nbytes: number }} document
 * @returns {{ figures?: number[], lines?: string[], note?: string }}
 */
export function recordCalls({ value, mode, nbytes }) {
  if (nbytes > WRITE_MAX) return { note: 'The document is too large to show its calls.' };
  const lines = [];
  let calls = 0;
  try {
    // Once for what is learnt about a writer for the first time.
    write(value, mode, true, () => {});
    const batched = write(value, mode, true, (name, list) => {
      calls++;
      if (lines.length < SHOWN_CALLS) lines.push(shown(name, list));
    });
    const unbatched = write(value, mode, false, () => {});
    if (calls > lines.length) lines.push(`and ${count(calls - lines.length)} calls more`);
    return { figures: [calls, batched.commandBytes, batched.textBytes, batched.flushes, batched.crossings, unbatched.crossings], lines };
  } catch (error) {
    return { note: error.message };
  }
}

const FIGURES = ['count', 'commands', 'text', 'flushes', 'batched', 'unbatched'];

/**
 * @param {(id: string) => HTMLElement} $
 * @param {ReturnType<typeof recordCalls>} recorded
 */
export function showCalls($, { figures, lines, note }) {
  FIGURES.forEach((id, i) => ($(`calls-${id}`).textContent = figures === undefined ? '\u2013' : count(figures[i])));
  $('calls-list').textContent = note ?? lines.join('\n');
}
