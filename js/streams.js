// CBOR sequences (RFC 8742) as streams: values to bytes, and bytes in any pieces to values. Both are pairs of a writable
// and a readable side, as `pipeThrough` takes them, and iterators for what is no Web Stream.
import { Boundaries } from './boundaries.js';
import { bytesOf } from './bytes.js';
import { checkOptions } from './decode-options.js';
import { decodeAll, planOf } from './decoder.js';
import { Encoder } from './encoder.js';
import { CborError, rangeError, typeError } from './errors.js';

/** @typedef {import('./encode-options.js').EncodeOptions} EncodeOptions */
/** @typedef {import('./decode-options.js').DecodeOptions} DecodeOptions */

/**
 * @typedef {object} StreamLimits
 * @property {number} [maxItemBytes] the longest item that is taken, in bytes; 16 MiB by default. No more than that, and
 *   the piece that came last, is ever held
 */

/** @typedef {DecodeOptions & StreamLimits} DecoderStreamOptions */

/** Encoded values are handed on in one piece up to about so many bytes, when nobody waits for them. */
const GATHERED_BYTES = 16 * 1024;

/** Items of up to so many bytes are decoded in one go, so that no more values than these wait for their reader. */
const BATCH_BYTES = 16 * 1024;

const DEFAULT_MAX_ITEM_BYTES = 16 * 1024 * 1024;

/**
 * @param {EncodeOptions | undefined} options
 * @returns {Encoder}
 */
function encoderFor(options) {
  const encoder = new Encoder(options);
  encoder.encodeSequence([]); // which says whether the mode has sequences
  return encoder;
}

/** @param {Uint8Array<ArrayBuffer>[]} parts */
function joined(parts) {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/**
 * Values in, a CBOR sequence out: `values.pipeThrough(new EncoderStream())`.
 *
 * Whoever waits for bytes gets what there is at once; while nobody does, small values are gathered, and writes wait from
 * 16 KB on. A value that cannot be encoded is an error of both sides.
 */
export class EncoderStream {
  /** @param {EncodeOptions} [options] those of `Encoder`; any mode but dag-cbor */
  constructor(options) {
    const encoder = encoderFor(options);
    /** @type {Uint8Array<ArrayBuffer>[]} */
    let parts = [];
    let nbytes = 0;
    const asked = new Signal();
    const taken = new Signal();
    /** @type {ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>} */
    let output;
    /** @type {WritableStreamDefaultController} */
    let input;
    let isAsked = false;
    const handOn = () => {
      if (parts.length === 0) return false;
      isAsked = false;
      output.enqueue(joined(parts));
      parts = [];
      nbytes = 0;
      asked.raise();
      taken.raise();
      return true;
    };
    /** Bytes of the sequence. @type {ReadableStream<Uint8Array<ArrayBuffer>>} */
    this.readable = new ReadableStream({
      start(controller) {
        output = controller;
      },
      pull() {
        isAsked = true;
        return handOn() ? undefined : asked.wait();
      },
      cancel(reason) {
        parts = [];
        input.error(reason);
        asked.raise();
        taken.raise();
      },
    }, { highWaterMark: 0 });
    /** Values. @type {WritableStream<unknown>} */
    this.writable = new WritableStream({
      start(controller) {
        input = controller;
      },
      write(value) {
        try {
          const bytes = encoder.encode(value);
          parts.push(bytes);
          nbytes += bytes.length;
        } catch (error) {
          output.error(error);
          asked.raise();
          throw error;
        }
        if (isAsked) handOn();
        return nbytes < GATHERED_BYTES ? undefined : taken.wait();
      },
      close() {
        handOn();
        output.close();
        asked.raise();
      },
      abort(reason) {
        output.error(reason);
        asked.raise();
        taken.raise();
      },
    });
  }

  /**
   * The same for iterables: the bytes of each value.
   * @param {Iterable<unknown> | AsyncIterable<unknown>} values
   * @param {EncodeOptions} [options]
   * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>, void, void>}
   */
  static iterate(values, options) {
    return encodedOf(values, encoderFor(options));
  }
}

/**
 * @param {Iterable<unknown> | AsyncIterable<unknown>} values
 * @param {Encoder} encoder
 */
async function* encodedOf(values, encoder) {
  for await (const value of values) yield encoder.encode(value);
}

/**
 * Bytes of a CBOR sequence in, in pieces of any size, and its values out: `bytes.pipeThrough(new DecoderStream())`.
 *
 * A piece is a view or a buffer; it must not change before its write is done, which is when its last item has been read.
 * Of an item that goes on in the next piece the bytes are kept, and looked at no second time. An item that is not valid,
 * or longer than `maxItemBytes`, is an error of both sides behind the values before it, with its `offset` in the stream;
 * so is a stream that ends inside an item (ERR_CBOR_UNEXPECTED_END, `incomplete`).
 */
export class DecoderStream {
  /** @param {DecoderStreamOptions} [options] those of `Decoder`, but for views of byte strings, and limits; any mode but dag-cbor */
  constructor(options) {
    const items = new Items(options);
    const asked = new Signal();
    const taken = new Signal();
    /** @type {ReadableStreamDefaultController<any>} */
    let output;
    /** @type {WritableStreamDefaultController} */
    let input;
    /** @param {unknown} error */
    const fail = (error) => {
      items.drop();
      output.error(error);
      input.error(error);
      asked.raise();
      taken.fail(error);
    };
    /** Values. @type {ReadableStream<any>} */
    this.readable = new ReadableStream({
      start(controller) {
        output = controller;
      },
      async pull() {
        while (!items.isDone) {
          try {
            const values = items.next();
            for (const value of values) output.enqueue(value);
            if (values.length > 0) return;
          } catch (error) {
            return fail(error);
          }
          const piece = asked.wait();
          taken.raise();
          await piece;
        }
      },
      cancel(reason) {
        items.drop();
        input.error(reason);
        asked.raise();
        taken.raise();
      },
    }, { highWaterMark: 0 });
    /** Bytes. @type {WritableStream<Uint8Array | ArrayBufferView | ArrayBufferLike>} */
    this.writable = new WritableStream({
      start(controller) {
        input = controller;
      },
      write(piece) {
        try {
          items.feed(bytesOf(piece));
        } catch (error) {
          fail(error);
          throw error;
        }
        const done = taken.wait();
        asked.raise();
        return done;
      },
      close() {
        try {
          items.end();
          output.close();
        } catch (error) {
          output.error(error);
          throw error;
        } finally {
          asked.raise();
        }
      },
      abort(reason) {
        items.drop();
        output.error(reason);
        asked.raise();
        taken.raise();
      },
    });
  }

  /**
   * The same for iterables of pieces, such as a Node stream or a `Response`'s body: its values.
   * @param {Iterable<Uint8Array | ArrayBufferView | ArrayBufferLike> | AsyncIterable<Uint8Array | ArrayBufferView | ArrayBufferLike>} pieces
   * @param {DecoderStreamOptions} [options]
   * @returns {AsyncGenerator<any, void, void>}
   */
  static iterate(pieces, options) {
    return valuesOf(pieces, new Items(options));
  }
}

/**
 * @param {Iterable<Uint8Array | ArrayBufferView | ArrayBufferLike> | AsyncIterable<Uint8Array | ArrayBufferView | ArrayBufferLike>} pieces
 * @param {Items} items
 */
async function* valuesOf(pieces, items) {
  for await (const piece of pieces) {
    items.feed(bytesOf(piece));
    for (let values = items.next(); values.length > 0; values = items.next()) yield* values;
  }
  items.end();
}

/** Something that one side of a stream waits for, and the other brings about. */
class Signal {
  /** @type {((value?: Promise<never>) => void) | undefined} */
  #resolve;

  wait() {
    /** @type {Promise<void>} */
    const promise = new Promise((resolve) => {
      this.#resolve = /** @type {() => void} */ (resolve);
    });
    return promise;
  }

  raise() {
    this.#resolve?.();
    this.#resolve = undefined;
  }

  /** @param {unknown} error */
  fail(error) {
    this.#resolve?.(Promise.reject(error));
    this.#resolve = undefined;
  }
}

const NOTHING = new Uint8Array(0);

/** The values of items whose bytes come in pieces. */
class Items {
  #plan;
  #boundaries;
  /** The piece that came last, and how much of it is behind us. @type {Uint8Array} */
  #piece = NOTHING;
  #at = 0;
  /** What pieces before brought of the item that is under way, at the beginning of this. */
  #held = NOTHING;
  #heldLength = 0;
  /** An error that is to come when the values before it have been handed on. @type {unknown} */
  #error;
  isDone = false;

  /** @param {DecoderStreamOptions} [options] */
  constructor(options = {}) {
    if (options === null || typeof options !== 'object') throw typeError('ARGUMENT_TYPE', 'options must be an object');
    const { maxItemBytes = DEFAULT_MAX_ITEM_BYTES, ...ofDecoder } = options;
    if (typeof maxItemBytes !== 'number') throw typeError('ARGUMENT_TYPE', 'maxItemBytes must be a number');
    if (!Number.isInteger(maxItemBytes) || maxItemBytes < 1 || maxItemBytes >= 2 ** 31) {
      throw rangeError('OPTION_OUT_OF_RANGE', `maxItemBytes: ${maxItemBytes}`);
    }
    // A view would be of bytes that make place for others.
    if (ofDecoder.byteStrings === 'view') throw rangeError('OPTION_OUT_OF_RANGE', 'byteStrings: views, of a stream');
    this.#plan = planOf(checkOptions(ofDecoder));
    decodeAll(NOTHING, this.#plan); // which says whether the mode has sequences
    this.#boundaries = new Boundaries(ofDecoder.maxDepth ?? 1000, maxItemBytes);
  }

  /** Takes the next piece; the one before must be used up. @param {Uint8Array} piece */
  feed(piece) {
    this.#piece = piece;
    this.#at = 0;
  }

  /**
   * The next values of the piece; none when it is used up.
   * @returns {unknown[]}
   */
  next() {
    if (this.#error !== undefined) throw this.#error;
    if (this.#at === this.#piece.length) return [];
    return this.#heldLength > 0 ? this.#nextHeld() : this.#nextBatch();
  }

  /** The item that pieces before have begun. */
  #nextHeld() {
    const { start } = this.#boundaries;
    const end = this.#boundaries.next(this.#piece, this.#at);
    this.#hold(end < 0 ? this.#piece.length : end);
    if (end < 0) return [];
    const bytes = this.#held.subarray(0, this.#heldLength);
    this.#heldLength = 0;
    // What was large is not kept for what may be small.
    if (this.#held.length > BATCH_BYTES) this.#held = NOTHING;
    return this.#decode(bytes, start);
  }

  /** Items that are whole within the piece, together. */
  #nextBatch() {
    const piece = this.#piece;
    const begin = this.#at;
    const { start } = this.#boundaries;
    let end = begin;
    try {
      while (end < piece.length && end - begin < BATCH_BYTES) {
        const next = this.#boundaries.next(piece, end);
        this.#at = end;
        if (next < 0) {
          this.#hold(piece.length);
          break;
        }
        this.#at = end = next;
      }
    } catch (error) {
      this.#error = error;
    }
    if (end === begin && this.#error !== undefined) throw this.#error;
    return end === begin ? [] : this.#decode(piece.subarray(begin, end), start);
  }

  /** Keeps the bytes of the piece up to `end`, with those of the item that are kept already. @param {number} end */
  #hold(end) {
    const bytes = this.#piece.subarray(this.#at, end);
    const length = this.#heldLength + bytes.length;
    if (length > this.#held.length) {
      const held = new Uint8Array(Math.max(length, this.#held.length * 2, 256));
      held.set(this.#held.subarray(0, this.#heldLength));
      this.#held = held;
    }
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength = length;
    this.#at = end;
  }

  /**
   * @param {Uint8Array} bytes whole items
   * @param {number} start where in the stream they begin
   * @returns {unknown[]} the values; of an error those before it, and it comes next
   */
  #decode(bytes, start) {
    /** @type {unknown[]} */
    const values = [];
    try {
      decodeAll(bytes, this.#plan, values);
    } catch (error) {
      if (error instanceof CborError && error.offset !== undefined) error.offset += start;
      if (values.length === 0) throw error;
      this.#error = error;
    }
    return values;
  }

  /** There are no further pieces. */
  end() {
    this.isDone = true;
    if (this.#heldLength > 0) {
      throw new CborError('UNEXPECTED_END', { offset: this.#boundaries.start + this.#heldLength, missing: this.#boundaries.missing });
    }
  }

  /** Forgets all bytes. */
  drop() {
    this.isDone = true;
    this.#piece = this.#held = NOTHING;
  }
}
