// Annotated hex: what each byte of a document means, as data and as text in columns.
import {
  DIAGNOSTIC_EMBEDDED, DIAGNOSTIC_SEQUENCE, ITEM_ARGUMENT, ITEM_DEPTH, ITEM_HEAD_NBYTES, ITEM_INITIAL, ITEM_NBYTES, ITEM_OFFSET,
  ITEM_PAYLOAD_NBYTES, ITEM_PLACE, ITEM_TAGS, RESULT_BYTES, RESULT_EXTRA, RESULT_OFFSET, STATUS_NAMES,
} from './abi.js';
import { bytesOf } from './bytes.js';
import { checkDiagnosticOptions } from './diagnostic-options.js';
import { CborError } from './errors.js';
import { floatAt } from './heads.js';
import { crossed, refresh, view, wasm } from './instance.js';
import { result, withBytes } from './module-bytes.js';

/**
 * One item of a document, or a break.
 * @typedef {object} AnnotatedItem
 * @property {number} offset of the initial byte
 * @property {number} headLength bytes of the initial byte and the argument: 1, 2, 3, 5 or 9
 * @property {number} length bytes of all of it: content, break and, of a tag, what it stands on
 * @property {number} depth how many arrays, maps, chunked strings, tags and strings with embedded items are around it
 * @property {number} initialByte
 * @property {'unsigned' | 'negative' | 'bytes' | 'text' | 'array' | 'map' | 'tag' | 'simple' | 'float' | 'break'} type
 * @property {'item' | 'key' | 'value' | 'chunk' | 'content' | 'end'} place where it stands: at the top or in an array; in a map;
 *   in a chunked string; behind a tag; a break
 * @property {string} meaning in words: `array(3)`, `unsigned(10)`, `tag(1) epoch time`
 * @property {unknown} value a number or bigint; a string (U+FFFD for what is not UTF-8); a Uint8Array; of an array or a map how
 *   many items or pairs, null for an indefinite length, as of a chunked string; of a tag its number; of a simple value false,
 *   true, null, undefined or its number
 */

const TYPES = /** @type {const} */ (['unsigned', 'negative', 'bytes', 'text', 'array', 'map', 'tag', 'simple']);
const PLACES = /** @type {const} */ (['item', 'key', 'value', 'chunk', 'content', 'end']);
const SIMPLE_VALUES = [false, true, null, undefined];
const WIDTHS = ['half', 'single', 'double'];

/** What the common tags say, from the IANA registry. */
const TAG_NAMES = new Map([
  [0, 'date and time, as text'], [1, 'epoch time'], [2, 'unsigned bignum'], [3, 'negative bignum'], [4, 'decimal fraction'],
  [5, 'bigfloat'], [16, 'COSE_Encrypt0'], [17, 'COSE_Mac0'], [18, 'COSE_Sign1'], [21, 'base64url expected'],
  [22, 'base64 expected'], [23, 'base16 expected'], [24, 'encoded CBOR'], [28, 'shared value'], [29, 'reference to a shared value'],
  [32, 'URI'], [33, 'base64url text'], [34, 'base64 text'], [35, 'regular expression'], [36, 'MIME message'], [37, 'UUID'],
  [42, 'CID'], [61, 'CWT'], [63, 'encoded CBOR sequence'], [64, 'uint8 array'], [96, 'COSE_Encrypt'], [97, 'COSE_Mac'],
  [98, 'COSE_Sign'], [100, 'days since 1970'], [258, 'set'], [1004, 'date'], [55799, 'CBOR'],
]);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @param {bigint} argument */
function numberOf(argument) {
  return argument <= Number.MAX_SAFE_INTEGER ? Number(argument) : argument;
}

/** @param {number} value */
const floatText = (value) => (Object.is(value, -0) ? '-0.0' : Number.isInteger(value) && !/e/.test(`${value}`) ? `${value}.0` : `${value}`);

/**
 * What an item says, from its head and what follows.
 * @param {Uint8Array} bytes of the document
 * @param {{ offset: number, headLength: number, initialByte: number, nbytes: number, argument: bigint }} head
 * @returns {Pick<AnnotatedItem, 'type' | 'meaning' | 'value'>}
 */
function interpret(bytes, { offset, headLength, initialByte, nbytes, argument }) {
  const type = TYPES[initialByte >> 5];
  const information = initialByte & 31;
  const payload = bytes.slice(offset + headLength, offset + headLength + nbytes);
  const count = information === 31 ? '*' : argument;
  switch (type) {
    case 'unsigned': return { type, meaning: `unsigned(${argument})`, value: numberOf(argument) };
    case 'negative': {
      const value = -1n - argument;
      return { type, meaning: `negative(${value})`, value: value >= Number.MIN_SAFE_INTEGER ? Number(value) : value };
    }
    case 'bytes': return { type, meaning: `bytes(${count})`, value: information === 31 ? null : payload };
    case 'text': return { type, meaning: `text(${count})`, value: information === 31 ? null : decoder.decode(payload) };
    case 'array':
    case 'map': return { type, meaning: `${type}(${count})`, value: information === 31 ? null : numberOf(argument) };
    case 'tag': {
      const value = numberOf(argument);
      const name = TAG_NAMES.get(Number(argument));
      return { type, meaning: `tag(${argument})${name === undefined ? '' : ` ${name}`}`, value };
    }
  }
  if (information > 24) {
    const value = floatAt(bytes, offset);
    return { type: 'float', meaning: `${WIDTHS[information - 25]}(${floatText(value)})`, value };
  }
  const number = Number(argument);
  const value = number >= 20 && number < 24 ? SIMPLE_VALUES[number - 20] : number;
  return { type, meaning: typeof value === 'number' ? `simple(${value})` : String(value), value };
}

/**
 * Makes the list of items: takes what the module finds, and works out where each item ends.
 */
class Collector {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    /** @type {AnnotatedItem[]} */
    this.items = [];
    /** What has not ended: tags, and what holds other items. @type {AnnotatedItem[]} */
    this.open = [];
  }

  /** @param {number} at address of a wcbor_item */
  take(at) {
    const place = PLACES[view.getUint32(at + ITEM_PLACE, true)];
    const offset = view.getUint32(at + ITEM_OFFSET, true);
    const headLength = view.getUint32(at + ITEM_HEAD_NBYTES, true);
    const nbytes = view.getUint32(at + ITEM_PAYLOAD_NBYTES, true);
    const depth = view.getUint32(at + ITEM_DEPTH, true);
    const tags = view.getUint32(at + ITEM_TAGS, true);
    let end = offset + headLength;
    if (place === 'end') {
      if (headLength > 0) {
        this.items.push({
          offset, headLength, length: 1, depth: depth + 1, initialByte: 0xff, type: 'break', place, meaning: 'break', value: undefined,
        });
      }
      this.close(end, 1 + tags);
      return;
    }
    const initialByte = view.getUint8(at + ITEM_INITIAL);
    const head = { offset, headLength, initialByte, nbytes, argument: view.getBigUint64(at + ITEM_ARGUMENT, true) };
    const item = { offset, headLength, length: 0, depth, initialByte, place, ...interpret(this.bytes, head) };
    this.items.push(item);
    const isIndefinite = (initialByte & 31) === 31;
    const isEntered = item.type === 'bytes' && place === 'content' && tags === 0;
    const isOpen = isIndefinite || isEntered || item.type === 'array' || item.type === 'map' || item.type === 'tag';
    if (isOpen) {
      this.open.push(item);
    } else {
      end += nbytes;
      item.length = end - offset;
      this.close(end, tags);
    }
  }

  /**
   * The innermost items end.
   * @param {number} end
   * @param {number} count
   */
  close(end, count) {
    for (; count > 0; count--) {
      const item = /** @type {AnnotatedItem} */ (this.open.pop());
      item.length = end - item.offset;
    }
  }
}

/** Bytes of a string on one line of the text. */
const LINE_NBYTES = 16;
/** Deeper items are not indented further, and no comment stands further to the right unless it must. */
const MAX_INDENT_DEPTH = 24;
const MAX_COLUMN = 60;
const MAX_QUOTED_UNITS = 64;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** @param {Uint8Array} bytes @param {number} from @param {number} to */
function hexOf(bytes, from, to) {
  let hex = '';
  for (let at = from; at < to; at++) hex += HEX[bytes[at]];
  return hex;
}

/** @param {string} text */
function quoted(text) {
  const shown = text.length > MAX_QUOTED_UNITS ? `${text.slice(0, MAX_QUOTED_UNITS)}\u2026` : text;
  // What would break the line, or turn it round, is escaped.
  return JSON.stringify(shown).replace(/[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A document taken apart. */
class Annotation {
  #bytes;

  /**
   * @param {Uint8Array} bytes
   * @param {AnnotatedItem[]} items
   * @param {CborError | undefined} fault
   */
  constructor(bytes, items, fault) {
    this.#bytes = bytes;
    /** The items in the order of their bytes. */
    this.items = items;
    /** What is not well-formed, with its `offset`; the items are those before it. */
    this.fault = fault;
  }

  /** @returns {Generator<[left: string, comment: string]>} */
  * #lines() {
    const bytes = this.#bytes;
    let end = 0;
    for (const [index, { offset, headLength, length, depth, type, meaning, value }] of this.items.entries()) {
      const indent = '   '.repeat(Math.min(depth, MAX_INDENT_DEPTH));
      end = offset + headLength;
      yield [`${indent}${HEX[bytes[offset]]}${headLength > 1 ? ` ${hexOf(bytes, offset + 1, end)}` : ''}`, meaning];
      const isString = typeof value === 'string' || value instanceof Uint8Array;
      const isEntered = isString && this.items[index + 1]?.offset === end && length > headLength;
      if (!isString || isEntered) continue;
      let comment = typeof value === 'string' ? quoted(value) : '';
      for (const stop = offset + length; end < stop; end += LINE_NBYTES) {
        yield [`${indent}   ${hexOf(bytes, end, Math.min(stop, end + LINE_NBYTES))}`, comment];
        comment = '';
      }
      end = offset + length;
    }
    if (this.fault === undefined) return;
    let comment = `${this.fault.code} at ${this.fault.offset}: ${this.fault.message}`;
    do {
      yield [hexOf(bytes, end, Math.min(bytes.length, end + LINE_NBYTES)), comment];
      comment = '';
      end += LINE_NBYTES;
    } while (end < bytes.length);
  }

  /** Hex on the left, indented by depth, and what it means on the right, as RFC 8949 shows it. A line ends each line. */
  toString() {
    const lines = [...this.#lines()];
    const column = lines.reduce((widest, [left]) => Math.max(widest, left.length <= MAX_COLUMN ? left.length : 0), 0);
    return lines.map(([left, comment]) => (comment === '' ? `${left}\n` : `${left.padEnd(column)} # ${comment}\n`)).join('');
  }
}

/**
 * `annotate` of bytes that begin at `base` in a longer input.
 * @param {Uint8Array} bytes as from `bytesOf`
 * @param {import('./diagnostic-options.js').Checked} options
 * @param {number} base
 */
export function annotateFrom(bytes, { sequence, embedded, maxDepth }, base) {
  const collector = new Collector(bytes);
  /** @type {CborError | undefined} */
  let fault;
  withBytes(bytes, (address, nbytes) => {
    const flags = (sequence ? DIAGNOSTIC_SEQUENCE : 0) | (embedded ? DIAGNOSTIC_EMBEDDED : 0);
    wasm.wcbor_annotate_start(address, nbytes, flags, maxDepth);
    for (let name = 'OK'; name === 'OK' || name === 'LENGTH_EXCEEDS_BUFFER';) {
      name = STATUS_NAMES[wasm.wcbor_annotate_next()];
      refresh();
      const from = result(RESULT_BYTES);
      const count = result(RESULT_EXTRA);
      for (let i = 0; i < count; i++) collector.take(from + i * ITEM_NBYTES);
      if (name === 'OUT_OF_MEMORY') throw new CborError(name);
      if (name !== 'OK' && name !== 'NO_MORE_ITEMS') fault ??= new CborError(name, { offset: base + result(RESULT_OFFSET) });
    }
    crossed();
  });
  collector.close(bytes.length, collector.open.length);
  return new Annotation(bytes, collector.items, fault);
}

/**
 * Every item of a document, and what its bytes mean. Bytes that are not well-formed give the items before the fault.
 *
 * @param {Uint8Array | ArrayBuffer | DataView} bytes
 * @param {{ sequence?: boolean, embedded?: boolean, maxDepth?: number }} [options] `sequence`: any number of items at the top
 *   (RFC 8742) instead of one; `embedded`: items in the strings of tags 24 and 63 are taken apart too, if they are
 *   well-formed; `maxDepth`: 1000 by default
 * @returns {{ items: AnnotatedItem[], fault: CborError | undefined, toString(): string }} `items` in the order of their bytes;
 *   `fault` the first one, with `code` and `offset`; `toString()` the hex on the left, indented by depth, and what it means on
 *   the right, as RFC 8949 shows it
 */
export function annotate(bytes, options) {
  const checked = checkDiagnosticOptions(options, ['sequence', 'embedded', 'maxDepth']);
  return annotateFrom(bytesOf(bytes).slice(), checked, 0);
}
