// Where items end, in bytes that come in pieces of any size (RFC 8949, section 3). Every byte of a head is looked at once,
// the payload of a string never, and what is open is kept from one piece to the next; so an item costs the same however
// it is cut. What only a mode forbids is left to whoever decodes the item.
import { CborError } from './errors.js';
import { argumentAt, headLength } from './heads.js';

// What is open.
const DEFINITE = 0; // an array or map of so many items
const ARRAY = 1; // of indefinite length, as are all below
const MAP = 2;
const BYTES = 3;
const TEXT = 4;

const INDEFINITE_KINDS = [-1, -1, BYTES, TEXT, ARRAY, MAP];

/** Finds the ends of items in bytes that come in pieces. */
export class Boundaries {
  #maxDepth;
  #maxItemBytes;
  /** Bytes before the item that is under way, since the beginning. */
  #start = 0;
  /** Bytes of the item under way that have been looked at, or passed. */
  #length = 0;
  /** Bytes of a string that are still to pass; they are not counted in #length. */
  #payload = 0;
  /** The beginning of a head that a piece ended in. */
  #head = new Uint8Array(9);
  #headLength = 0;
  /** Whether a tag waits for its item. */
  #tagged = false;
  /** What is open, and the innermost of it: its kind, and the items that are to come (or that have come). */
  #kind = DEFINITE;
  #left = 1;
  #depth = 0;
  /** @type {number[]} */
  #kinds = [];
  /** @type {number[]} */
  #lefts = [];

  /**
   * @param {number} maxDepth how deep arrays, maps and chunked strings may nest
   * @param {number} maxItemBytes how long an item may be
   */
  constructor(maxDepth, maxItemBytes) {
    this.#maxDepth = maxDepth;
    this.#maxItemBytes = maxItemBytes;
  }

  /** Bytes before the item that is under way, or the next one. */
  get start() {
    return this.#start;
  }

  /** How many bytes at least the item under way still takes. */
  get missing() {
    if (this.#headLength > 0) return headLength(this.#head[0]) - this.#headLength;
    return Math.max(this.#payload, 1);
  }

  /**
   * Looks at a piece, which continues the one before.
   * @param {Uint8Array} bytes
   * @param {number} from where to begin
   * @returns {number} where in `bytes` an item ends, or -1 when it goes on behind them: the next call is to have what
   *   follows, from its beginning
   * @throws {CborError} when the bytes are not well-formed, or a limit is exceeded; `offset` is that of the head at fault, since
   *   the beginning of all pieces, which is the end of what can be read
   */
  next(bytes, from) {
    let at = from;
    const end = bytes.length;
    for (;;) {
      if (this.#payload > 0) {
        const passed = Math.min(this.#payload, end - at);
        at += passed;
        this.#length += passed;
        this.#payload -= passed;
        if (this.#payload > 0) return -1;
        if (this.#finish()) return this.#whole(at);
      }
      if (at === end && this.#headLength === 0) return -1;
      // A head that was cut is put together; all others are read where they stand.
      let head = bytes;
      let headAt = at;
      if (this.#headLength > 0) {
        const wanted = headLength(this.#head[0]);
        while (this.#headLength < wanted && at < end) this.#head[this.#headLength++] = bytes[at++];
        if (this.#headLength < wanted) return -1;
        this.#headLength = 0;
        head = this.#head;
        headAt = 0;
      } else {
        const wanted = headLength(bytes[at]);
        if (end - at < wanted) {
          while (at < end) this.#head[this.#headLength++] = bytes[at++];
          return -1;
        }
        at += wanted;
      }
      if (this.#takeHead(head, headAt)) return this.#whole(at);
    }
  }

  /** @param {number} at */
  #whole(at) {
    this.#start += this.#length;
    this.#length = 0;
    this.#left = 1;
    return at;
  }

  /** @param {string} name */
  #fail(name) {
    return new CborError(name, { offset: this.#start + this.#length });
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} at where a whole head begins
   * @returns {boolean} whether the outermost item ends with it
   */
  #takeHead(bytes, at) {
    const initial = bytes[at];
    const major = initial >> 5;
    const information = initial & 31;
    if (information > 27) return this.#takeSpecial(initial);
    const kind = this.#kind;
    if (kind >= BYTES && major !== kind - 1) throw this.#fail('STRING_CHUNK_INVALID');
    const argument = information < 24 ? information : argumentAt(bytes, at);
    if (major >= 2 && major < 6) this.#checkRoom(major, headLength(initial), argument);
    this.#length += headLength(initial);
    if (this.#length > this.#maxItemBytes) throw this.#fail('LIMIT_EXCEEDED');
    switch (major) {
      case 2:
      case 3:
        this.#payload = argument;
        return argument === 0 && this.#finish();
      case 4:
      case 5:
        return argument === 0 ? this.#finish() : this.#open(DEFINITE, argument * (major - 3));
      case 6:
        this.#tagged = true;
        return false;
      default:
        return this.#finish();
    }
  }

  /** Additional information 28 to 31. @param {number} initial */
  #takeSpecial(initial) {
    const kind = this.#kind;
    if (initial === 0xff) {
      if (kind === DEFINITE) throw this.#fail('UNEXPECTED_BREAK');
      if (this.#tagged) throw this.#fail('TAG_WITHOUT_VALUE');
      if (kind === MAP && this.#left % 2 !== 0) throw this.#fail('KEY_WITHOUT_VALUE');
      this.#length++;
      this.#close();
      return this.#finish();
    }
    if (initial >= 0xfc) throw this.#fail('RESERVED_SIMPLE_VALUE');
    const major = initial >> 5;
    if ((initial & 31) !== 31 || major < 2 || major > 5) throw this.#fail('INVALID_INTEGER_ENCODING');
    if (kind >= BYTES) throw this.#fail('STRING_CHUNK_INVALID');
    this.#length++;
    return this.#open(INDEFINITE_KINDS[major], 0);
  }

  /**
   * What is announced must fit the limit, before any of it has come.
   * @param {number} major
   * @param {number} head
   * @param {number} argument
   */
  #checkRoom(major, head, argument) {
    const least = argument * (major === 5 ? 2 : 1);
    if (this.#length + head + least > this.#maxItemBytes) throw this.#fail('LIMIT_EXCEEDED');
  }

  /**
   * @param {number} kind
   * @param {number} left
   */
  #open(kind, left) {
    if (this.#depth >= this.#maxDepth) throw this.#fail('DEPTH_EXCEEDED');
    this.#kinds[this.#depth] = this.#kind;
    this.#lefts[this.#depth] = this.#left;
    this.#depth++;
    this.#kind = kind;
    this.#left = left;
    this.#tagged = false;
    return false;
  }

  #close() {
    this.#depth--;
    this.#kind = this.#kinds[this.#depth];
    this.#left = this.#lefts[this.#depth];
  }

  /** An item is whole, and with it whatever it was the last of. Whether that is the outermost one. */
  #finish() {
    this.#tagged = false;
    for (;;) {
      if (this.#kind !== DEFINITE) {
        this.#left++;
        return false;
      }
      if (--this.#left > 0) return false;
      if (this.#depth === 0) return true;
      this.#close();
    }
  }
}
