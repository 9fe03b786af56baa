// Reads the document: at once if it is short, and else in a worker, so that the page stays free. What was asked for last
// counts; an answer to anything before is dropped.

import { TooLargeAtOnce } from './literal.js';
import { read, weigh } from './reading.js';
import { rewrite } from './sources.js';

/** Longer texts, in UTF-16 units, are read in the worker, and what makes typed arrays of more bytes. */
const AT_ONCE = 16_000;

/** Undefined for what would keep the page waiting. */
function readAtOnce(source, settings) {
  if (source.length > AT_ONCE) return undefined;
  try {
    return read(source, settings, AT_ONCE);
  } catch (error) {
    if (error instanceof TooLargeAtOnce) return undefined;
    throw error;
  }
}

export class Reader {
  #turn = 0;
  #onReading;
  #worker;
  /** Whether the worker has not yet answered, and what it is asked next. */
  #isBusy = false;
  #next;
  /** What waits for the worker's weights, or its text. */
  #resolve;
  #resolveText;
  #last;

  /** @param {(reading: import('./reading.js').Reading, held?: { value: unknown }) => void} onReading */
  constructor(onReading) {
    this.#onReading = onReading;
  }

  /**
   * Reads a text; `onReading` is told, at once or later.
   * @param {string} source
   * @param {{ format: string, mode: string, convert: boolean }} settings
   * @returns {{ isAtOnce: boolean, weights: Promise<{ gzippedJson?: number, gzippedCbor?: number, hash: string, calls?: object }> }}
   *   `weights` of a text that is read no more, for another one came, never come; with `calls` when it was not read at once
   */
  read(source, settings) {
    const turn = ++this.#turn;
    this.#last = readAtOnce(source, settings);
    if (this.#last !== undefined) {
      this.#next = undefined;
      this.#onReading(this.#last.reading, this.#last);
      return { isAtOnce: true, weights: weigh(this.#last, source, settings) };
    }
    const weights = new Promise((resolve) => (this.#resolve = resolve));
    this.#ask({ turn, source, settings });
    return { isAtOnce: false, weights };
  }

  /**
   * The document that was read last in another notation.
   * @param {string} format
   * @returns {Promise<string | undefined>} undefined where it has no form in it
   */
  async rewrite(format) {
    if (this.#last === undefined) {
      const text = new Promise((resolve) => (this.#resolveText = resolve));
      this.#worker.postMessage({ turn: this.#turn, format });
      return text;
    }
    try {
      return rewrite(this.#last.reading.bytes, this.#last.value, format);
    } catch {
      return undefined;
    }
  }

  #ask(message) {
    if (this.#isBusy) {
      this.#next = message;
      return;
    }
    this.#worker ??= this.#start();
    this.#isBusy = true;
    this.#worker.postMessage(message);
  }

  #start() {
    const worker = new Worker('reader-worker.js', { type: 'module' });
    worker.addEventListener('message', ({ data }) => this.#take(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#worker = undefined;
      worker.terminate();
      const message = `The worker that reads large documents failed: ${event.message ?? 'it did not start'}`;
      // What was read at once meanwhile is none of its business, and what is to be read next has another one.
      if (this.#last === undefined && this.#next === undefined) this.#onReading({ kind: 'fault', fault: { code: 'Not read', place: '', message } });
      this.#askNext();
    });
    return worker;
  }

  #take({ turn, reading, weights, rewritten }) {
    const isCurrent = turn === this.#turn;
    if (reading !== undefined) {
      if (isCurrent) this.#onReading(reading);
      return;
    }
    if (weights === undefined) {
      if (isCurrent) this.#resolveText(rewritten);
      return;
    }
    if (isCurrent) this.#resolve(weights);
    this.#askNext();
  }

  #askNext() {
    this.#isBusy = false;
    if (this.#next === undefined) return;
    const message = this.#next;
    this.#next = undefined;
    this.#ask(message);
  }
}
