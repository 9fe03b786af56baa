// Bytes in and out: files and pipes, text forms of bytes, items that are whole, lines, progress.
import { createReadStream, createWriteStream } from 'node:fs';
import { Boundaries } from '../boundaries.js';
import { CborError } from '../errors.js';
import { Replacement } from './replacement.js';

/** The longest item, or line of JSON, that is held in memory. */
const MAX_HELD_NBYTES = 2 ** 30;
const READ_NBYTES = 2 ** 18;
const PROGRESS_MS = 250;

/** A file or a pipe that cannot be read or written. */
export class FileError extends Error {
  /**
   * @param {string} name
   * @param {unknown} cause an error of the system
   */
  constructor(name, cause) {
    // Without the system call, and the file that it was for, which may be another one.
    super(`${name}: ${/** @type {Error} */ (cause).message.replace(/, \w+( '.*)?$/s, '')}`, { cause });
  }
}

/**
 * The bytes of a file, piece by piece.
 * @param {string} path - for standard input
 * @param {(nbytes: number) => void} count is told of every piece
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* readPieces(path, count) {
  const stream = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: READ_NBYTES });
  try {
    for await (const piece of stream) {
      count(piece.length);
      yield piece;
    }
  } catch (error) {
    throw new FileError(path === '-' ? 'standard input' : path, error);
  }
}

/** @param {readonly Uint8Array[]} pieces */
export function join(pieces) {
  return pieces.length === 1 ? pieces[0] : new Uint8Array(Buffer.concat(pieces));
}

/**
 * All bytes at once.
 * @param {AsyncIterable<Uint8Array>} pieces
 */
export async function readAll(pieces) {
  const held = [];
  let nbytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    nbytes += piece.length;
    if (nbytes > MAX_HELD_NBYTES) throw new CborError('LIMIT_EXCEEDED', { offset: nbytes, detail: 'a document of 1 GB; is it a --sequence?' });
  }
  return held.length === 0 ? new Uint8Array(0) : join(held);
}

/**
 * Bytes from hex digits; blanks do not count, nor what stands between a # and the end of its line.
 * @param {AsyncIterable<Uint8Array>} pieces
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* fromHex(pieces) {
  let high = -1;
  let inComment = false;
  let offset = 0;
  for await (const piece of pieces) {
    const bytes = new Uint8Array((piece.length + 1) >> 1);
    let length = 0;
    for (const character of piece) {
      offset++;
      if (inComment ? character === 0x0a : character === 0x23) {
        inComment = !inComment;
      } else if (!inComment && character !== 0x20 && (character < 9 || character > 13)) {
        const digit = Number.parseInt(String.fromCharCode(character), 16);
        if (Number.isNaN(digit)) throw new CborError('INVALID_DIGIT', { offset: offset - 1, detail: 'of hex' });
        if (high < 0) {
          high = digit;
        } else {
          bytes[length++] = high << 4 | digit;
          high = -1;
        }
      }
    }
    if (length > 0) yield bytes.subarray(0, length);
  }
  if (high >= 0) throw new CborError('UNEXPECTED_END', { offset, detail: 'an odd number of hex digits' });
}

const NO_BASE64 = /[^A-Za-z0-9+/_\s-]/;
const NO_PADDING = /[^=\s]/;

/**
 * Bytes from base64 or base64url (RFC 4648), with or without padding; blanks do not count.
 * @param {AsyncIterable<Uint8Array>} pieces
 * @returns {AsyncGenerator<Uint8Array>}
 */
export async function* fromBase64(pieces) {
  let rest = '';
  let offset = 0;
  let padding = 0;
  for await (const piece of pieces) {
    const text = Buffer.from(piece).toString('latin1');
    const equals = padding > 0 ? 0 : text.indexOf('=');
    const digits = equals < 0 ? text : text.slice(0, equals);
    const behind = equals < 0 ? '' : text.slice(equals);
    const bad = NO_BASE64.exec(digits)?.index ?? NO_PADDING.exec(behind)?.index;
    if (bad !== undefined) {
      const at = offset + (NO_BASE64.test(digits) ? bad : equals + bad);
      throw new CborError('INVALID_DIGIT', { offset: at, detail: 'of base64' });
    }
    padding += behind.replace(/\s+/g, '').length;
    offset += piece.length;
    rest += digits.replace(/\s+/g, '');
    const whole = rest.length - (rest.length % 4);
    if (whole > 0) yield Buffer.from(rest.slice(0, whole), 'base64');
    rest = rest.slice(whole);
  }
  if (rest.length === 1) throw new CborError('UNEXPECTED_END', { offset, detail: 'a base64 digit that stands alone' });
  if (padding > 0 && (rest.length === 0 || rest.length + padding !== 4)) {
    throw new CborError('INVALID_DIGIT', { offset, detail: `${padding} of base64's = signs behind ${rest.length} digits` });
  }
  if (rest.length > 0) yield Buffer.from(rest, 'base64');
}

/**
 * The text that bytes are in UTF-8.
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  // Where it is not, U+FFFD stands for other bytes than its own.
  let offset = 0;
  for (let from = 0, at; (at = text.indexOf('\ufffd', from)) >= 0; from = at + 1) {
    offset += Buffer.byteLength(text.slice(from, at));
    if (Buffer.compare(bytes.subarray(offset, offset + 3), REPLACEMENT) !== 0) throw new CborError('INVALID_UTF8', { offset });
    offset += 3;
  }
  return text;
}

const REPLACEMENT = Buffer.from('\ufffd');

/**
 * @typedef {object} Whole
 * @property {Uint8Array} bytes items that are whole; or, behind them, what is left and is not
 * @property {number[]} ends where in `bytes` each of them ends; none when `bytes` are what is left
 * @property {number} offset of `bytes` in the input
 */

/**
 * The items of a sequence, as many at a time as have come whole; last what is not well-formed or cut short, if it is.
 * @param {AsyncIterable<Uint8Array>} pieces
 * @param {number} maxDepth
 * @returns {AsyncGenerator<Whole>}
 */
export async function* wholeItems(pieces, maxDepth) {
  const boundaries = new Boundaries(maxDepth, Infinity);
  /** @type {Uint8Array[]} */
  let held = [];
  let heldNbytes = 0;
  let offset = 0;
  for await (const piece of pieces) {
    const ends = [];
    let at = 0;
    let isBroken = false;
    while (at < piece.length && !isBroken) {
      let end = -1;
      try {
        end = boundaries.next(piece, at);
      } catch (error) {
        if (!(error instanceof CborError)) throw error;
        isBroken = true;
      }
      if (end < 0) break;
      ends.push(heldNbytes + end);
      at = end;
    }
    if (ends.length > 0) {
      const bytes = join([...held, piece.subarray(0, at)]);
      yield { bytes, ends, offset };
      offset += bytes.length;
      held = [];
      heldNbytes = 0;
    }
    held.push(piece.subarray(at));
    heldNbytes += piece.length - at;
    if (isBroken) break;
    // What an item announces is not believed before it has come: only what is held counts.
    if (heldNbytes > MAX_HELD_NBYTES) throw new CborError('LIMIT_EXCEEDED', { offset, detail: 'an item of more than 1 GB' });
  }
  if (heldNbytes > 0) yield { bytes: join(held), ends: [], offset };
}

/**
 * The lines of a text that hold something, with the number of each, and where in the text it begins, in bytes. A record
 * separator (RFC 7464) ends a line too.
 * @param {AsyncIterable<Uint8Array>} pieces
 * @returns {AsyncGenerator<{ line: number, offset: number, bytes: Uint8Array }>}
 */
export async function* lines(pieces) {
  /** @type {Uint8Array[]} */
  let held = [];
  let heldNbytes = 0;
  let line = 1;
  let offset = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      if (piece[at] !== 0x0a && piece[at] !== 0x1e) continue;
      held.push(piece.subarray(from, at));
      const bytes = join(held);
      if (bytes.some((byte) => byte > 0x20)) yield { line, offset, bytes };
      offset += bytes.length + 1;
      held = [];
      heldNbytes = 0;
      if (piece[at] === 0x0a) line++;
      from = at + 1;
    }
    held.push(piece.subarray(from));
    heldNbytes += piece.length - from;
    if (heldNbytes > MAX_HELD_NBYTES) throw new CborError('LIMIT_EXCEEDED', { detail: `line ${line} is longer than 1 GB` });
  }
  if (heldNbytes > 0) {
    const bytes = join(held);
    if (bytes.some((byte) => byte > 0x20)) yield { line, offset, bytes };
  }
}

/** Where a command writes: standard output, or a file that takes its place once the command is done. */
export class Output {
  /** @param {string | undefined} path undefined or - for standard output */
  constructor(path) {
    this.isStandard = path === undefined || path === '-';
    this.name = this.isStandard ? 'standard output' : /** @type {string} */ (path);
    try {
      this.replacement = this.isStandard ? undefined : Replacement.for(this.name);
    } catch (error) {
      throw new FileError(this.name, error);
    }
    /** @type {import('node:stream').Writable} */
    this.stream = this.isStandard ? process.stdout : createWriteStream(this.name, { fd: this.replacement?.fd });
    /** @type {NodeJS.ErrnoException | undefined} */
    this.error = undefined;
    this.stream.on('error', (error) => (this.error ??= error));
  }

  #check() {
    if (this.error === undefined) return;
    // Whoever reads has seen enough.
    if (this.error.code === 'EPIPE') process.exit(0);
    throw new FileError(this.name, this.error);
  }

  /**
   * Writes, and waits until that has been taken, so that no more than one piece is held.
   * @param {string | Uint8Array} data
   */
  async write(data) {
    this.#check();
    if (data.length === 0) return;
    const error = await new Promise((resolve) => this.stream.write(data, resolve));
    this.error ??= error ?? undefined;
    this.#check();
  }

  /**
   * Waits until all is written.
   * @param {boolean} isKept whether what has been written to a file is to stand there
   */
  async end(isKept) {
    if (!this.isStandard && this.error === undefined) {
      const closed = new Promise((resolve) => this.stream.once('close', resolve));
      this.stream.end();
      await closed;
    }
    try {
      this.#check();
      if (isKept) this.replacement?.put();
    } catch (error) {
      throw error instanceof FileError ? error : new FileError(this.name, error);
    } finally {
      this.replacement?.drop();
    }
  }
}

/** How far a long input has come: on standard error, if that is a terminal and the result goes elsewhere. */
export class Progress {
  /** @param {boolean} isShown */
  constructor(isShown) {
    this.isShown = isShown;
    this.nbytes = 0;
    this.start = performance.now();
    this.shown = this.start;
  }

  /** @param {number} nbytes more */
  count(nbytes) {
    this.nbytes += nbytes;
    const now = performance.now();
    if (!this.isShown || now - this.shown < PROGRESS_MS) return;
    this.shown = now;
    const megabytes = this.nbytes / 1e6;
    process.stderr.write(`\r${megabytes.toFixed(0)} MB, ${(megabytes / ((now - this.start) / 1000)).toFixed(0)} MB/s `);
  }

  /** Takes the line away again. */
  clear() {
    if (this.isShown && this.shown !== this.start) process.stderr.write('\r\x1b[K');
  }
}
