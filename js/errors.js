// What goes wrong, as JavaScript sees it. `CborError` is for documents and call sequences; a wrong argument is a
// TypeError or a RangeError that carries a `code` too.

/** What each code means, in words. */
const MESSAGES = {
  DEFINITE_LENGTH_EXCEEDED: 'the container already holds all its items, or the only root value is written',
  STRING_CONTEXT_ITEM: 'in a chunked string only definite-length strings of its own kind may stand',
  NOT_IN_CONTAINER: 'nothing is open that could end',
  CONTAINER_MISMATCH: 'the container that is open is of another kind',
  NOT_FILLED: 'the definite-length container ends before all its items are written',
  MAP_KEY_WITHOUT_VALUE: 'the map ends after a key',
  DANGLING_TAG: 'the container ends after a tag',
  DUPLICATE_KEY: 'the key is already in this map',
  INDEFINITE_NOT_ALLOWED: 'the mode has no indefinite lengths',
  TAGS_NOT_ALLOWED: 'the mode has no tags',
  DEPTH_EXCEEDED: 'nested deeper than maxDepth',
  INCOMPLETE: 'the document is not complete',
  LENGTH_OUT_OF_RANGE: 'the length is not an integer in range',
  SIMPLE_NOT_ALLOWED: 'the mode has no such simple value',
  OPTION_OUT_OF_RANGE: 'the option is out of range',
  NULL_ARGUMENT: 'the argument is missing',
  INVALID_TEXT: 'the string has an unpaired surrogate',
  INVALID_ENCODED_VALUE: 'the bytes are not exactly one item that is valid in this mode',
  DEST_TOO_SMALL: 'the target does not hold the result',
  NOT_FINITE: 'the time is not a finite number',
  OUT_OF_MEMORY: 'no more memory is to be had',
  INVALID_DATETIME: 'the text is not an RFC 3339 date-time with an offset',
  TAG_NOT_ALLOWED: 'the mode has no tag but 42, and no integers beyond 64 bits',
  KEY_TYPE_NOT_ALLOWED: 'the mode has no map keys but text strings',
  FLOAT_NOT_ALLOWED: 'the mode has no NaN and no infinities',
  INVALID_CID: 'tag 42 stands on a byte string of 00 and one CID',
  BIGNUM_NOT_PREFERRED: 'the bignum has leading zeros, or fits a 64-bit integer',
  UNSUPPORTED_VALUE: 'CBOR has no form for this value',
  ARGUMENT_TYPE: 'the argument is of the wrong type',
  VALUE_OUT_OF_RANGE: 'the value is out of range',
  UNKNOWN_OPTION: 'there is no such option',
  BAD_COMMAND: 'the command stream is broken',
  DISPOSED: 'the writer has been disposed',
};

/**
 * A document that cannot be written, or a call that cannot stand where it does.
 */
export class CborError extends Error {
  /**
   * @param {string} name the code without its prefix
   * @param {{ offset?: number, callIndex?: number, path?: string, detail?: string }} [where]
   */
  constructor(name, { offset, callIndex, path, detail } = {}) {
    const message = /** @type {Record<string, string>} */ (MESSAGES)[name] ?? name;
    super(`${message}${detail === undefined ? '' : `: ${detail}`}${path === undefined ? '' : ` at ${path}`}`);
    /** `'ERR_CBOR_...'`: which rule is broken. Codes keep their meaning. @type {string} */
    this.code = `ERR_CBOR_${name}`;
    /** In a writer, the bytes written when the call failed. @type {number | undefined} */
    this.offset = offset;
    /** Which write call failed, counted from 0 since the writer was made or reset. @type {number | undefined} */
    this.callIndex = callIndex;
    /** Where in the value, like `$.items[3].name`. @type {string | undefined} */
    this.path = path;
  }
}
Object.defineProperty(CborError.prototype, 'name', { value: 'CborError', configurable: true, writable: true });

/**
 * @param {string} name the code without its prefix
 * @param {string} [detail]
 */
function argumentMessage(name, detail) {
  const message = /** @type {Record<string, string>} */ (MESSAGES)[name];
  return detail === undefined ? message : `${message}: ${detail}`;
}

/**
 * A TypeError with a code.
 * @param {string} name
 * @param {string} [detail]
 */
export function typeError(name, detail) {
  return Object.assign(new TypeError(argumentMessage(name, detail)), { code: `ERR_CBOR_${name}` });
}

/**
 * A RangeError with a code.
 * @param {string} name
 * @param {string} [detail]
 */
export function rangeError(name, detail) {
  return Object.assign(new RangeError(argumentMessage(name, detail)), { code: `ERR_CBOR_${name}` });
}
