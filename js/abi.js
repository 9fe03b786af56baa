// Generated from wasm/abi.h and src/wcbor.h by wasm/generate-abi.js. Change them and run it again.

// Commands: opcode, operands. A number of OP_NUMBERS is an integer if it is a safe one and not -0, else a double.
export const OP_END_ARRAY = 0x1c; // -
export const OP_END_MAP = 0x1d; // -
export const OP_END_BYTES = 0x1e; // -
export const OP_END_TEXT = 0x1f; // -
export const OP_TEXT_RUN = 0x3c; // u32 units: a text string, the next so many UTF-16 units of the session's text
export const OP_TEXT_RUN_SHORT = 0x3d; // u8 units: the same
export const OP_TEXT_INVALID = 0x3e; // -: a text string with an unpaired surrogate; fails with INVALID_TEXT
export const OP_BYTES_RUN = 0x3f; // u32 nbytes: a byte string, the next so many bytes of the session's side buffer
export const OP_ENCODED = 0x5c; // u32 nbytes, bytes: writeEncodedValue
export const OP_ENCODED_RUN = 0x5d; // u32 nbytes: writeEncodedValue of the next so many bytes of the side buffer
export const OP_HALF = 0x7c; // f64: writeHalf, rounded here
export const OP_BIGNUM = 0x7d; // u8 negative, u32 nbytes, bytes: writeBigInteger, big-endian
export const OP_BIGNUM_RUN = 0x5e; // u8 negative, u32 nbytes: writeBigInteger of the next so many bytes of the side buffer
export const OP_DECIMAL = 0x7e; // i64 exponent, u8 negative, u32 nbytes, bytes: writeDecimal
export const OP_DATE_TIME = 0x9c; // u32 nbytes, bytes: writeDateTime, UTF-8
export const OP_UNIX_TIME = 0x9d; // f64 seconds: writeUnixTime, an integer where it is whole
export const OP_UNIX_TIME_INT = 0x9e; // i64 seconds: writeUnixTime
export const OP_ARRAY = 0xdc; // u32 count: an array of so many items, which ends by itself
export const OP_ARRAY_SHORT = 0xdd; // u8 count: the same
export const OP_SHAPE = 0xbc; // u16 shape: a map with the shape's keys; values follow, and it ends by itself
export const OP_NUMBER_ARRAYS = 0xbd; // u32 count, u8 width, bytes and f64s as below: so many arrays of `width` numbers each
export const OP_NUMBERS = 0xbe; // u32 count, bytes up to a multiple of 8 from the run's begin, f64s: as many items
export const OP_TEXTS = 0xfc; // u32 count, u8 units of each: as many items of an array, OP_TEXT_RUN_SHORT each

// Flags of a session.
export const FLAG_CONVERT = 1; // convertIndefiniteLengths
export const FLAG_MULTIPLE_ROOTS = 2; // allowMultipleRoots

// The session as JavaScript sees it: u32 fields at this many bytes from its address. The module writes those marked <,
// JavaScript those marked >. The two lengths that are for the next run are 0 again after it, and so is
// SESSION_TEXT_INVALID.
export const SESSION_OUT = 0; // < address of the output
export const SESSION_NBYTES = 4; // < bytes written
export const SESSION_DEPTH = 8; // < open containers
export const SESSION_COMPLETE = 12; // < 1 when the document is complete
export const SESSION_FAILED_INDEX = 16; // < after a failure: how many commands of the run came before the failing one
export const SESSION_COMMANDS = 20; // < address of the command buffer
export const SESSION_TEXT = 24; // <> address of the text; at first that of the buffer that all sessions share
export const SESSION_TEXT_NBYTES = 28; // > bytes of text in it, for the next run
export const SESSION_TEXT_KIND = 32; // > a TEXT_ constant: what is known of it
export const SESSION_SIDE = 36; // > address of the side buffer, for the next run
export const SESSION_SIDE_NBYTES = 40; // > bytes in it
export const SESSION_CHUNKS = 44; // < where in the output the chunks begin of the text string that is open, or 0
export const SESSION_FAILED_KEY = 48; // < after a failure: 1 when the key of the item that failed stands behind the output
export const SESSION_TEXT_INVALID = 52; // <> address of what stands in the text for an unpaired surrogate that is to be refused; 0: none

// Text is well-formed, but may have U+FFFD for what was an unpaired surrogate. Where those are refused, a run on text with
// U+FFFD does nothing and returns TEXT_TO_CHECK, unless it is TEXT_CHECKED.
export const TEXT_ANY = 0;
export const TEXT_ASCII = 1;
export const TEXT_CHECKED = 2;
export const TEXT_TO_CHECK = 255;

// What a call into the module came to besides its status: u32 fields at this many bytes from wcbor_result().
export const RESULT_BYTES = 0; // address of the bytes that came of it; the next call of the same kind may reuse them
export const RESULT_NBYTES = 4; // how many
export const RESULT_OFFSET = 8; // where in the input it ended or failed
export const RESULT_EXTRA = 12; // whatever else the call says that it is

// Sizes of a session's buffers, in bytes.
export const COMMANDS_NBYTES = 16384;
export const TEXT_NBYTES = 49152;

// Limits of shapes: how many, keys of all together, keys and encoded bytes of one key, encoded bytes of all keys.
export const SHAPES_MAX = 2048;
export const SHAPE_KEYS_MAX = 16384;
export const SHAPE_WIDTH_MAX = 128;
export const KEY_NBYTES_MAX = 64;
export const KEYS_NBYTES = 65536;

// What a call came to, by number.
export const STATUS_NAMES = [
  'OK',
  'DEFINITE_LENGTH_EXCEEDED',
  'STRING_CONTEXT_ITEM',
  'NOT_IN_CONTAINER',
  'CONTAINER_MISMATCH',
  'NOT_FILLED',
  'MAP_KEY_WITHOUT_VALUE',
  'DANGLING_TAG',
  'DUPLICATE_KEY',
  'INDEFINITE_NOT_ALLOWED',
  'TAGS_NOT_ALLOWED',
  'DEPTH_EXCEEDED',
  'INCOMPLETE',
  'LENGTH_OUT_OF_RANGE',
  'SIMPLE_NOT_ALLOWED',
  'OPTION_OUT_OF_RANGE',
  'NULL_ARGUMENT',
  'INVALID_TEXT',
  'INVALID_ENCODED_VALUE',
  'DEST_TOO_SMALL',
  'NOT_FINITE',
  'OUT_OF_MEMORY',
  'INVALID_DATETIME',
  'TAG_NOT_ALLOWED',
  'KEY_TYPE_NOT_ALLOWED',
  'FLOAT_NOT_ALLOWED',
  'INVALID_CID',
  'BIGNUM_NOT_PREFERRED',
  'BAD_COMMAND',
  'NO_MORE_ITEMS',
  'TYPE_MISMATCH',
  'UNEXPECTED_END',
  'UNEXPECTED_BREAK',
  'TAG_WITHOUT_VALUE',
  'KEY_WITHOUT_VALUE',
  'STRING_CHUNK_INVALID',
  'INVALID_INTEGER_ENCODING',
  'NON_MINIMAL_INTEGER',
  'LENGTH_EXCEEDS_BUFFER',
  'KEYS_NOT_SORTED',
  'INVALID_UTF8',
  'INVALID_SIMPLE_VALUE',
  'RESERVED_SIMPLE_VALUE',
  'INVALID_BIGNUM',
  'INVALID_DECIMAL',
  'INVALID_UNIXTIME',
  'NON_MINIMAL_FLOAT',
  'NOT_REDUCED',
  'NOT_NFC',
  'TRAILING_BYTES',
  'OVERFLOW',
  'NOT_AT_BREAK',
  'NOT_INDEFINITE',
  'INDEFINITE_STRING',
  'NOT_A_FLOAT',
  'LOWER_PRECISION',
  'NOT_A_BOOLEAN',
  'NOT_NULL',
  'NOT_UNDEFINED',
  'NOT_A_SIMPLE_VALUE',
  'TAG_MISMATCH',
  'NOT_A_BIGNUM_TAG',
  'SKIP_INVALID_STATE',
  'FINAL_BLOCK',
  'BUFFER_TOO_SHORT',
  'LAX_ONLY',
  'LIMIT_EXCEEDED',
  'INVALID_JSON',
  'NOT_IN_JSON',
  'INVALID_DIAGNOSTIC',
];

// The modes' numbers.
export const MODES = {
  lax: 0,
  strict: 1,
  canonical: 2,
  ctap2: 3,
  deterministic: 4,
  'dag-cbor': 5,
  dcbor: 6,
};
