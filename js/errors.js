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
  MISSING_FIELD: 'a field that must be there is not',
  UNKNOWN_FIELD: 'the struct has no such field',
  WRONG_COUNT: 'the tuple has another number of fields',
  UNSUPPORTED_VALUE: 'CBOR has no form for this value',
  ARGUMENT_TYPE: 'the argument is of the wrong type',
  VALUE_OUT_OF_RANGE: 'the value is out of range',
  INVALID_TAG_CONTENT: 'the tag stands on what it has no meaning for',
  UNKNOWN_OPTION: 'there is no such option',
  BAD_COMMAND: 'the command stream is broken',
  NO_MORE_ITEMS: 'the container, or the document, has no further item',
  TYPE_MISMATCH: 'the item is of another type than the call reads',
  UNEXPECTED_END: 'the bytes end inside an item, or where one is due',
  UNEXPECTED_BREAK: 'a break where nothing of indefinite length is open',
  TAG_WITHOUT_VALUE: 'a tag with no item behind it',
  KEY_WITHOUT_VALUE: 'an indefinite-length map ends after a key',
  STRING_CHUNK_INVALID: 'in a chunked string, an item that is not a definite-length string of its kind',
  INVALID_INTEGER_ENCODING: 'additional information 28..31 where it has no meaning',
  NON_MINIMAL_INTEGER: 'an integer, length or tag number that is longer than need be',
  LENGTH_EXCEEDS_BUFFER: 'a length or count that the bytes left cannot hold',
  KEYS_NOT_SORTED: "a map whose keys are not in the mode's order",
  INVALID_UTF8: 'text that is not well-formed UTF-8',
  INVALID_SIMPLE_VALUE: 'a simple value 0..31 in two bytes',
  RESERVED_SIMPLE_VALUE: 'the initial bytes fc, fd and fe',
  INVALID_BIGNUM: 'tag 2 or 3 not on a byte string',
  INVALID_DECIMAL: 'tag 4 not on an array of two integers',
  INVALID_UNIXTIME: 'tag 1 not on a finite number in range',
  NON_MINIMAL_FLOAT: 'a float that a shorter one holds, in a mode that wants the shortest',
  NOT_REDUCED: 'dcbor: a float that is an integer',
  NOT_NFC: 'dcbor: text that is not in Unicode NFC',
  TRAILING_BYTES: 'bytes behind the end of the document',
  OVERFLOW: 'a number out of the range that the call reads',
  NOT_AT_BREAK: 'an end call where items are left',
  NOT_INDEFINITE: 'the string has a definite length',
  INDEFINITE_STRING: 'the string has an indefinite length',
  NOT_A_FLOAT: 'the item is no float',
  LOWER_PRECISION: 'the float is wider than the call reads',
  NOT_A_BOOLEAN: 'the item is no boolean',
  NOT_NULL: 'the item is not null',
  NOT_UNDEFINED: 'the item is not undefined',
  NOT_A_SIMPLE_VALUE: 'the item is no simple value',
  TAG_MISMATCH: 'the tag is another than the call reads',
  NOT_A_BIGNUM_TAG: 'the tag is neither 2 nor 3',
  SKIP_INVALID_STATE: 'nothing is left here to skip',
  FINAL_BLOCK: 'the data were said to be complete',
  BUFFER_TOO_SHORT: 'new data must begin with those that are not read',
  LAX_ONLY: 'incremental reading is for lax alone',
  LIMIT_EXCEEDED: "a limit of the caller's is exceeded",
  INVALID_JSON: 'not a JSON text (RFC 8259)',
  NOT_IN_JSON: 'the item has no form in JSON',
  INVALID_DIAGNOSTIC: 'not diagnostic notation',
  INVALID_DIGIT: 'a character that is no digit',
  DISPOSED: 'it has been disposed',
};

/**
 * A document that cannot be written, or a call that cannot stand where it does.
 */
export class CborError extends Error {
  /**
   * @param {string} name the code without its prefix
   * @param {{ offset?: number, callIndex?: number, path?: string, detail?: string, missing?: number }} [where]
   */
  constructor(name, { offset, callIndex, path, detail, missing } = {}) {
    const message = /** @type {Record<string, string>} */ (MESSAGES)[name] ?? name;
    super(`${message}${detail === undefined ? '' : `: ${detail}`}${path === undefined ? '' : ` at ${path}`}`);
    /** `'ERR_CBOR_...'`: which rule is broken. Codes keep their meaning. @type {string} */
    this.code = `ERR_CBOR_${name}`;
    /**
     * In a writer, the bytes written when the call failed; of bytes that are read, where the item at fault begins.
     * @type {number | undefined}
     */
    this.offset = offset;
    /** Which write call failed, counted from 0 since the writer was made or reset. @type {number | undefined} */
    this.callIndex = callIndex;
    /** Where in the value, like `$.items[3].name`. @type {string | undefined} */
    this.path = path;
    /** Of bytes that are read: whether they are no more than cut short. @type {boolean} */
    this.incomplete = missing !== undefined && missing > 0;
    /** How many bytes at least must follow then. @type {number | undefined} */
    this.missing = this.incomplete ? missing : undefined;
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

/**
 * Whether an error says that the engine's stack is used up.
 * @param {unknown} error
 */
export function isStackOverflow(error) {
  const message = error instanceof Error ? error.message : '';
  return message === 'Maximum call stack size exceeded' || message === 'Maximum call stack size exceeded.' || message === 'too much recursion';
}
