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
 * Shows what becomes of a value, or nothing where CborWriter's calls cannot write it.
 * @param {(id: string) => HTMLElement} $
 * @param {{ held?: { value: unknown }, mode: string, nbytes: number } | null} document
 */
export function showCalls($, document) {
  const ids = ['count', 'commands', 'text', 'flushes', 'batched', 'unbatched'];
  const clear = (note) => {
    for (const id of ids) $(`calls-${id}`).textContent = '\u2013';
    $('calls-list').textContent = note;
  };
  if (document === null) return clear('No document.');
  if (document.nbytes > WRITE_MAX || document.held === undefined) return clear('The document is too large to show its calls.');
  const lines = [];
  let calls = 0;
  try {
    // Once for what is learnt about a writer for the first time.
    write(document.held.value, document.mode, true, () => {});
    const batched = write(document.held.value, document.mode, true, (name, list) => {
      calls++;
      if (lines.length < SHOWN_CALLS) lines.push(shown(name, list));
    });
    const unbatched = write(document.held.value, document.mode, false, () => {});
    const figures = [calls, batched.commandBytes, batched.textBytes, batched.flushes, batched.crossings, unbatched.crossings];
    ids.forEach((id, i) => ($(`calls-${id}`).textContent = count(figures[i])));
    if (calls > lines.length) lines.push(`and ${count(calls - lines.length)} calls more`);
    $('calls-list').textContent = lines.join('\n');
  } catch (error) {
    clear(error.message);
  }
}
