// Generated from wasm/abi.h and src/wcbor.h by wasm/generate-abi.js. Change them and run it again.

// Commands: opcode, operands. A number of OP_NUMBERS is an integer if it is a safe one and not -0, else a double.
export const OP_END_ARRAY = 0x1c; // -
export const OP_END_MAP = 0x1d; // -
export const OP_END_BYTES = 0x1e; // -
export const OP_END_TEXT = 0x1f; // -
export const OP_TEXT_RUN = 0x3c; // u32 units: a text string, the next so many UTF-16 units of the session's text
export const OP_TEXT_RUN_SHORT = 0x3d; // u8 units: the same
export const OP_TEXT_INVALID = 0x3e; // -: a text string with an unpaired surrogate; fails with INVALID_TEXT
export const OP_TEXT_NOT_NFC = 0xde; // -: a chunk of text that makes the string one that is not in NFC; fails with NOT_NFC
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

// What wcbor_result_text has made of the result's bytes.
export const RESULT_IS_ASCII = 0;
export const RESULT_IS_UTF8 = 1;
export const RESULT_IS_UTF16 = 2;

// Flags of diagnostic notation, and of what else shows documents and encodes them again.
export const DIAGNOSTIC_SEQUENCE = 1; // any number of items at the top
export const DIAGNOSTIC_EMBEDDED = 2; // items in the byte strings of tags 24 and 63
export const DIAGNOSTIC_CONVERT = 4; // indefinite lengths become definite

// The items of wcbor_annotate_next, as many at most in one go: the fields of wcbor_item at these bytes of each.
export const ITEMS_MAX = 256;
export const ITEM_OFFSET = 0; // u32
export const ITEM_HEAD_NBYTES = 4; // u32
export const ITEM_PAYLOAD_NBYTES = 8; // u32
export const ITEM_ARGUMENT = 16; // u64
export const ITEM_TAGS = 24; // u32
export const ITEM_DEPTH = 28; // u32
export const ITEM_INITIAL = 32; // u8
export const ITEM_PLACE = 36; // u32, a wcbor_place
export const ITEM_NBYTES = 40; // of all fields together
// Flags of JSON text that is read.
export const JSON_IS_UTF8 = 1; // the text is known to be well-formed
export const JSON_ROUND_INTEGERS = 2; // integers beyond 2^53 become the doubles nearest to them

// The choices of JSON text that is written, each times its number here, added up: the enums of src/wcbor.h, and spaces.
export const JSON_BYTES = 1;
export const JSON_BIGNUMS = 4;
export const JSON_KEYS = 16;
export const JSON_INDENT = 32;
// Calls of a reader (wcbor_cursor_read), and what of the cursor they set. Where there are checks they can be turned off.
export const READ_PEEK = 0; // LOW: a wcbor_state
export const READ_INT32 = 1; // NUMBER, and LOW and HIGH: two's complement
export const READ_UINT32 = 2; // NUMBER
export const READ_INT64 = 3; // NUMBER, LOW, HIGH
export const READ_UINT64 = 4; // NUMBER, LOW, HIGH
export const READ_NEGATIVE = 5; // NUMBER, LOW, HIGH: the argument
export const READ_BYTES = 6; // BYTES, NBYTES
export const READ_TEXT = 7; // BYTES, NBYTES; in lax as it stands, unless it is in chunks
export const READ_DEFINITE_BYTES = 8; // BYTES, NBYTES
export const READ_DEFINITE_TEXT = 9; // BYTES, NBYTES; in lax as it stands
export const READ_START_BYTES = 10;
export const READ_END_BYTES = 11;
export const READ_START_TEXT = 12;
export const READ_END_TEXT = 13;
export const READ_START_ARRAY = 14; // NUMBER: the count, or -1
export const READ_END_ARRAY = 15;
export const READ_START_MAP = 16; // NUMBER: the count, or -1
export const READ_END_MAP = 17;
export const READ_TAG = 18; // NUMBER, LOW, HIGH
export const READ_PEEK_TAG = 19; // NUMBER, LOW, HIGH
export const READ_HALF = 20; // NUMBER
export const READ_SINGLE = 21; // NUMBER
export const READ_DOUBLE = 22; // NUMBER
export const READ_BOOL = 23; // LOW
export const READ_NULL = 24;
export const READ_UNDEFINED = 25;
export const READ_SIMPLE = 26; // LOW
export const READ_DATE_TIME = 27; // BYTES, NBYTES
export const READ_UNIX_TIME = 28; // NUMBER; NEGATIVE: whether it is an integer, then LOW and HIGH
export const READ_BIGNUM = 29; // BYTES, NBYTES, NEGATIVE
export const READ_DECIMAL = 30; // BYTES, NBYTES, NEGATIVE; LOW, HIGH: the exponent
export const READ_SKIP = 31; // -
export const READ_SKIP_TO_PARENT = 32; // -
export const READ_ENCODED = 33; // BYTES, NBYTES
export const READ_UNDO = 34; // back to before the last call, which had FLAG_MARK and has succeeded
export const FLAG_UNCHECKED = 1; // of a call: without checks
export const FLAG_MARK = 2; // of a call: it may be undone

// A cursor as JavaScript sees it: fields of u32 at this many bytes from its address, NUMBER and MISSING f64.
export const CURSOR_NUMBER = 0;
export const CURSOR_MISSING = 8; // after a failure: bytes that must follow at least, 0 if it is none of being cut short
export const CURSOR_LOW = 16;
export const CURSOR_HIGH = 20;
export const CURSOR_BYTES = 24;
export const CURSOR_NBYTES = 28;
export const CURSOR_NEGATIVE = 32;
export const CURSOR_DEPTH = 36; // open containers
export const CURSOR_LEFT = 40; // bytes that are not read
export const CURSOR_OFFSET = 44; // bytes that have been read
export const CURSOR_FAULT = 48; // after a failure: where the item at fault begins
export const FLAG_PARTIAL = 4; // of the data of a cursor: more may come
export const FLAG_SLIDE = 8; // of the data of a cursor: they go on from those before

// Sizes of a session's buffers, in bytes.
export const COMMANDS_NBYTES = 16384;
export const TEXT_NBYTES = 49152;

// A plan: what struct() compiled, as u32 words (plan.h). Words that are offsets count words from the plan's beginning, but
// for those of bytes, which count bytes from the beginning of its bytes. A node is a type: PLAN_NODE_WORDS words.
export const PLAN_BYTES = 0; // header: offset, in words, of the bytes,
export const PLAN_ROOT = 1; // of the node of an array whose one item is the document,
export const PLAN_FOLDS = 2; // of a table of pairs of code points: one, and what it is folded to; its place is its last bits, or behind,
export const PLAN_FOLDS_MASK = 3; // its size, a power of 2 with room to spare, less 1; empty pairs are 0,
export const PLAN_RECORDS_END = 4; // and of what follows the records
export const PLAN_HEADER_WORDS = 5;
export const NODE_KIND = 0; // PLAN_INT and so on
export const NODE_ACCEPTS = 1; // ACCEPTS_... of the items that may be of this type
export const NODE_LEAST = 2; // of items, pairs or bytes
export const NODE_MOST = 3; // likewise
export const NODE_ITEMS = 4; // node of an array's items or a map's values; record of a struct
export const NODE_KEYS = 5; // node of a map's keys
export const NODE_RUN = 6; // numbers of initial bytes below this are of this type, and arrays may have them in a row; 0: none
export const PLAN_NODE_WORDS = 7;
export const PLAN_INT = 0;
export const PLAN_UINT = 1;
export const PLAN_FLOAT = 2;
export const PLAN_BOOL = 3;
export const PLAN_TEXT = 4;
export const PLAN_STRING = 5; // bytes
export const PLAN_BIGINT = 6;
export const PLAN_DATE = 7;
export const PLAN_CID = 8;
export const PLAN_ANY = 9;
export const PLAN_DEFERRED = 10;
export const PLAN_ARRAY = 11;
export const PLAN_MAP = 12;
export const PLAN_STRUCT = 13;
export const ACCEPTS_BOOL = 0x80; // bit n stands for the major type n, up to 6; those of 7 have several,
export const ACCEPTS_NULL = 0x100;
export const ACCEPTS_FLOAT = 0x200;
export const ACCEPTS_SIMPLE = 0x400; // all others
export const ACCEPTS_ANY = 0x7ff;
export const ACCEPTS_MORE = 0x800; // there is more to check
export const ACCEPTS_NULLABLE = 0x1000; // null is null, even where it would stay encoded
export const RECORD_FLAGS = 0; // record of a struct: PLAN_TUPLE and so on,
export const RECORD_NUMBER = 1; // its number,
export const RECORD_NFIELDS = 2; // how many fields, at most PLAN_FIELDS_MAX,
export const RECORD_TABLE = 3; // offset of a table, a power of 2 of words that the module fills,
export const RECORD_TABLE_MASK = 4; // its size less 1
export const RECORD_OWNER = 5; // what the module knows it by,
export const RECORD_FIELDS = 6; // and the fields, FIELD_WORDS words each, follow
export const PLAN_TUPLE = 1;
export const PLAN_FOLD = 2;
export const PLAN_REFUSE = 4; // unknown keys
export const PLAN_KEEP = 8; // likewise
export const PLAN_LOOSE = 16; // it is STRUCT_LOOSE in any case
export const FIELD_NODE = 0;
export const FIELD_FLAGS = 1; // PLAN_OPTIONAL
export const FIELD_KEY = 2; // its key as it is read: offset of the encoded item; that of text is folded
export const FIELD_KEY_NBYTES = 3;
export const FIELD_UPPER = 4; // offset of the same in upper case, as long; or FIELD_KEY
export const FIELD_SPLIT = 5; // 64 bits: byte n and the next one are a character both of whose bytes are others in upper case
export const FIELD_WORDS = 7;
export const PLAN_OPTIONAL = 1; // it may be absent, and then has no property
export const PLAN_FIELDS_MAX = 1024;
export const PLAN_KEY_NBYTES_MAX = 255; // of a key that is read, head included

// What reading by a plan comes to besides a status.
export const PLAN_UNKNOWN_FIELD = 241;
export const PLAN_WRONG_COUNT = 242;

// What TAPE_STRUCT says of the pairs of a struct, and what TAPE_CAST makes of a value.
export const STRUCT_LOOSE = 0; // up to TAPE_END, in any order; keys may come again, be no fields', or be absent
export const STRUCT_ORDERED = 1; // up to TAPE_END, in the order of the fields; those that are absent may be
export const STRUCT_WHOLE = 2; // one for each field, in their order, without TAPE_MORE among them
export const CAST_BIGINT = 0; // integers become bigints
export const CAST_MAP = 1; // a map becomes a Map, even an empty one
export const CAST_ENCODED = 2; // offset in the input, nbytes: an item that stays encoded, in place of a value
export const CAST_PLACE = 3; // offset in the input: where the tagged item begins that follows

// Limits of shapes: how many, keys of all together, keys and encoded bytes of one key, encoded bytes of all keys.
export const SHAPES_MAX = 2048;
export const SHAPE_KEYS_MAX = 16384;
export const SHAPE_WIDTH_MAX = 128;
export const KEY_NBYTES_MAX = 64;
export const KEYS_NBYTES = 65536;

// The tape of a document that is decoded: 32-bit entries, see tape.h. The low TAPE_OP_BITS bits say what an entry is, the
// rest (v) is a number that belongs to it; further entries may follow.
export const TAPE_OP_BITS = 5;
export const TAPE_INT = 0; // v, signed: an integer
export const TAPE_STRING = 1; // v: a text string, the next so many bytes of the ASCII text
export const TAPE_KNOWN_STRING = 2; // v: the text string in slot v
export const TAPE_NEW_STRING = 3; // v: slot, and from its bit TAPE_SLOT_BITS on a length: a text string like TAPE_STRING, and the slot's from now on
export const TAPE_KEY = 4; // v: a map's key, by number
export const TAPE_SIMPLE = 5; // v: a simple value
export const TAPE_DOUBLE = 6; // -: the next number of the doubles; a safe integer, too
export const TAPE_OBJECT = 7; // v: a map of so many pairs, all of whose keys are text, and none in a longer form than need be
export const TAPE_ARRAY = 8; // v: an array of so many items
export const TAPE_INTS = 9; // v: so many items of an array, each an entry that is a signed integer
export const TAPE_DOUBLES = 10; // v: so many items of an array, the next numbers of the doubles
export const TAPE_WIDE_STRING = 11; // v: a text string, the next so many UTF-16 units of the other text
export const TAPE_LONG_STRING = 12; // v: 1 if it is ASCII, 0 if it is well-formed, 2 if not; offset in the input, nbytes
export const TAPE_LONG_BYTES = 13; // -; offset in the input, nbytes: a byte string
export const TAPE_INT32 = 14; // -; a signed integer
export const TAPE_MAP = 15; // v: a map of so many pairs, with some other key
export const TAPE_ANY_MAP = 16; // v: a map of so many pairs, with whatever keys
export const TAPE_OPEN_ARRAY = 17; // -: an array up to TAPE_END
export const TAPE_OPEN_MAP = 18; // v: a map up to TAPE_END, with some other key if v is 1
export const TAPE_CHUNKS = 19; // v: a string, 2 of bytes or 3 of text, in chunks up to TAPE_END
export const TAPE_END = 20; // -
export const TAPE_TAG = 21; // v: a tag
export const TAPE_LONG_TAG = 22; // -; low, high: a tag
export const TAPE_UNSIGNED = 23; // -; low, high: an integer beyond 2^53 - 1
export const TAPE_NEGATIVE = 24; // -; low, high: the 64 low bits of one below -(2^53 - 1)
export const TAPE_SHAPE = 25; // v: a map whose keys are the list v: before each value stands its key
export const TAPE_BYTES = 26; // v: a byte string, the next so many bytes of those of the run
export const TAPE_MIXED = 27; // -: before a key, the first that is other than an object's; where the map's entry does not say so
export const TAPE_MORE = 28; // -: the tape goes on after another run
export const TAPE_STRUCT = 29; // v: number of a struct, times 4, and STRUCT_...; offset in the input; pairs, TAPE_FIELD before each value
export const TAPE_FIELD = 30; // v: number of a field
export const TAPE_CAST = 31; // v: CAST_..., of the value that follows or of what is said of it

// The longest lengths, and greatest tags, that stand in an entry.
export const TAPE_NUMBER_MAX = 67108863;

// The tape as JavaScript sees it: u32 fields at this many bytes from its address.
export const TAPE_ENTRIES_AT = 0; // < where its parts are, in bytes from its address: the entries,
export const TAPE_DOUBLES_AT = 4; // < the doubles,
export const TAPE_ASCII_AT = 8; // < the text of strings that are all ASCII,
export const TAPE_WIDE_AT = 12; // < that of others of moderate length, in UTF-16,
export const TAPE_INPUT_AT = 16; // < and a buffer of TAPE_INPUT_NBYTES for input
export const TAPE_ASCII_NBYTES = 20; // < bytes of text that the last run put there
export const TAPE_WIDE_NUNITS = 24; // < and units there
export const TAPE_READ_NBYTES = 28; // < bytes of input behind the run: of the whole item when it is complete
export const TAPE_EPOCH = 32; // < other than before when the numbers of keys have been given anew
export const TAPE_UNCHECKED = 36; // < 1 when a map may have two keys alike
export const TAPE_ITEMS = 40; // < how many items there have been, keys and tags included
export const TAPE_LIMIT = 44; // > bytes of text up to which it is on the tape; at most TAPE_TEXT_MAX
export const TAPE_BYTES_AT = 48; // < where byte strings of moderate length are, like the parts above,
export const TAPE_BYTES_NBYTES = 52; // < and how many bytes of them the last run put there
export const TAPE_FAULT = 56; // < after a failure of reading by a plan: where in the input

// What a run of the tape comes to besides a status.
export const TAPE_UNFINISHED = 255; // the tape is full: it is to be used, and run again

// Flags of a tape.
export const TAPE_STRICT = 1; // simple values 0..31 in two bytes are refused
export const TAPE_REPLACE = 2; // ill-formed text is taken
export const TAPE_SLOTS = 4; // text is looked for in the slots
export const TAPE_SHAPES = 8; // maps of known lists of keys are TAPE_SHAPE
export const TAPE_VIEWS = 16; // all byte strings stay in the input

// Sizes of the tape's parts.
export const TAPE_INPUT_NBYTES = 8192;
export const TAPE_TEXT_NBYTES = 24576;
export const TAPE_TEXT_MAX = 2048;
export const TAPE_ENTRIES = 8192;
export const TAPE_NDOUBLES = 4096;
export const TAPE_NSLOTS = 8192;
export const TAPE_SLOT_BITS = 13;

// Known keys: lists of keys, keys and encoded bytes of all, keys of a list, encoded bytes of a key; and how the tables lie.
export const NAME_NODES_MAX = 4096;
export const NAME_KEYS_MAX = 2048;
export const NAME_BYTES_MAX = 32768;
export const NAME_LIST_MAX = 128;
export const NAME_NBYTES_MAX = 64;
export const NAME_NODE_NBYTES = 16;
export const NAME_NODE_DEPTH = 12; // u16, where in a node stands how many keys its list has
export const NAME_KEY_NBYTES = 8;

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
