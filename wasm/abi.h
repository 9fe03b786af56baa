/*
 * abi.h - everything that both sides of the JS/wasm boundary must agree on, and the only place where it stands.
 * js/abi.js is generated from this file by tools in CMake's `abi` step (node wasm/generate-abi.js); a test fails when
 * the two drift. Keep one definition to a line: NAME, a number, and a comment.
 *
 * A command stream is a sequence of CBOR items in which the initial bytes that RFC 8949 reserves carry what CBOR
 * cannot say. A scalar, a short string, a tag, the head of a container is its own command; the rest is below.
 * Operands of our own commands are little-endian; CBOR heads are big-endian as ever, and may be longer than they
 * need be (the writer makes every head the shortest).
 */
#ifndef WCBOR_ABI_H
#define WCBOR_ABI_H

/* Commands: opcode, operands. A number of OP_NUMBERS is an integer if it is a safe one and not -0, else a double. */
#define OP_END_ARRAY 0x1c        /* - */
#define OP_END_MAP 0x1d          /* - */
#define OP_END_BYTES 0x1e        /* - */
#define OP_END_TEXT 0x1f         /* - */
#define OP_TEXT_RUN 0x3c         /* u32 units: a text string, the next so many UTF-16 units of the session's text */
#define OP_TEXT_RUN_SHORT 0x3d   /* u8 units: the same */
#define OP_TEXT_INVALID 0x3e     /* -: a text string with an unpaired surrogate; fails with INVALID_TEXT */
#define OP_TEXT_NOT_NFC 0xde     /* -: a chunk of text that makes the string one that is not in NFC; fails with NOT_NFC */
#define OP_BYTES_RUN 0x3f        /* u32 nbytes: a byte string, the next so many bytes of the session's side buffer */
#define OP_ENCODED 0x5c          /* u32 nbytes, bytes: writeEncodedValue */
#define OP_ENCODED_RUN 0x5d      /* u32 nbytes: writeEncodedValue of the next so many bytes of the side buffer */
#define OP_HALF 0x7c             /* f64: writeHalf, rounded here */
#define OP_BIGNUM 0x7d           /* u8 negative, u32 nbytes, bytes: writeBigInteger, big-endian */
#define OP_BIGNUM_RUN 0x5e       /* u8 negative, u32 nbytes: writeBigInteger of the next so many bytes of the side buffer */
#define OP_DECIMAL 0x7e          /* i64 exponent, u8 negative, u32 nbytes, bytes: writeDecimal */
#define OP_DATE_TIME 0x9c        /* u32 nbytes, bytes: writeDateTime, UTF-8 */
#define OP_UNIX_TIME 0x9d        /* f64 seconds: writeUnixTime, an integer where it is whole */
#define OP_UNIX_TIME_INT 0x9e    /* i64 seconds: writeUnixTime */
#define OP_ARRAY 0xdc            /* u32 count: an array of so many items, which ends by itself */
#define OP_ARRAY_SHORT 0xdd      /* u8 count: the same */
#define OP_SHAPE 0xbc            /* u16 shape: a map with the shape's keys; values follow, and it ends by itself */
#define OP_NUMBER_ARRAYS 0xbd    /* u32 count, u8 width, bytes and f64s as below: so many arrays of `width` numbers each */
#define OP_NUMBERS 0xbe          /* u32 count, bytes up to a multiple of 8 from the run's begin, f64s: as many items */
#define OP_TEXTS 0xfc            /* u32 count, u8 units of each: as many items of an array, OP_TEXT_RUN_SHORT each */

/* Flags of a session. */
#define FLAG_CONVERT 1           /* convertIndefiniteLengths */
#define FLAG_MULTIPLE_ROOTS 2    /* allowMultipleRoots */

/*
 * The session as JavaScript sees it: u32 fields at this many bytes from its address. The module writes those marked <,
 * JavaScript those marked >. The two lengths that are for the next run are 0 again after it, and so is
 * SESSION_TEXT_INVALID.
 */
#define SESSION_OUT 0            /* < address of the output */
#define SESSION_NBYTES 4         /* < bytes written */
#define SESSION_DEPTH 8          /* < open containers */
#define SESSION_COMPLETE 12      /* < 1 when the document is complete */
#define SESSION_FAILED_INDEX 16  /* < after a failure: how many commands of the run came before the failing one */
#define SESSION_COMMANDS 20      /* < address of the command buffer */
#define SESSION_TEXT 24          /* <> address of the text; at first that of the buffer that all sessions share */
#define SESSION_TEXT_NBYTES 28   /* > bytes of text in it, for the next run */
#define SESSION_TEXT_KIND 32     /* > a TEXT_ constant: what is known of it */
#define SESSION_SIDE 36          /* > address of the side buffer, for the next run */
#define SESSION_SIDE_NBYTES 40   /* > bytes in it */
#define SESSION_CHUNKS 44        /* < where in the output the chunks begin of the text string that is open, or 0 */
#define SESSION_FAILED_KEY 48    /* < after a failure: 1 when the key of the item that failed stands behind the output */
#define SESSION_TEXT_INVALID 52  /* <> address of what stands in the text for an unpaired surrogate that is to be refused; 0: none */

/*
 * Text is well-formed, but may have U+FFFD for what was an unpaired surrogate. Where those are refused, a run on text with
 * U+FFFD does nothing and returns TEXT_TO_CHECK, unless it is TEXT_CHECKED.
 */
#define TEXT_ANY 0
#define TEXT_ASCII 1
#define TEXT_CHECKED 2
#define TEXT_TO_CHECK 255

/* What a call into the module came to besides its status: u32 fields at this many bytes from wcbor_result(). */
#define RESULT_BYTES 0           /* address of the bytes that came of it; the next call of the same kind may reuse them */
#define RESULT_NBYTES 4          /* how many */
#define RESULT_OFFSET 8          /* where in the input it ended or failed */
#define RESULT_EXTRA 12          /* whatever else the call says that it is */

/* What wcbor_result_text has made of the result's bytes. */
#define RESULT_IS_ASCII 0
#define RESULT_IS_UTF8 1
#define RESULT_IS_UTF16 2

/* Flags of diagnostic notation, and of what else shows documents and encodes them again. */
#define DIAGNOSTIC_SEQUENCE 1    /* any number of items at the top */
#define DIAGNOSTIC_EMBEDDED 2    /* items in the byte strings of tags 24 and 63 */
#define DIAGNOSTIC_CONVERT 4     /* indefinite lengths become definite */

/* The items of wcbor_annotate_next, as many at most in one go: the fields of wcbor_item at these bytes of each. */
#define ITEMS_MAX 256
#define ITEM_OFFSET 0            /* u32 */
#define ITEM_HEAD_NBYTES 4       /* u32 */
#define ITEM_PAYLOAD_NBYTES 8    /* u32 */
#define ITEM_ARGUMENT 16         /* u64 */
#define ITEM_TAGS 24             /* u32 */
#define ITEM_DEPTH 28            /* u32 */
#define ITEM_INITIAL 32          /* u8 */
#define ITEM_PLACE 36            /* u32, a wcbor_place */
#define ITEM_NBYTES 40           /* of all fields together */
/* Flags of JSON text that is read. */
#define JSON_IS_UTF8 1           /* the text is known to be well-formed */
#define JSON_ROUND_INTEGERS 2    /* integers beyond 2^53 become the doubles nearest to them */

/* The choices of JSON text that is written, each times its number here, added up: the enums of src/wcbor.h, and spaces. */
#define JSON_BYTES 1
#define JSON_BIGNUMS 4
#define JSON_KEYS 16
#define JSON_INDENT 32
/* Calls of a reader (wcbor_cursor_read), and what of the cursor they set. Where there are checks they can be turned off. */
#define READ_PEEK 0              /* LOW: a wcbor_state */
#define READ_INT32 1             /* NUMBER, and LOW and HIGH: two's complement */
#define READ_UINT32 2            /* NUMBER */
#define READ_INT64 3             /* NUMBER, LOW, HIGH */
#define READ_UINT64 4            /* NUMBER, LOW, HIGH */
#define READ_NEGATIVE 5          /* NUMBER, LOW, HIGH: the argument */
#define READ_BYTES 6             /* BYTES, NBYTES */
#define READ_TEXT 7              /* BYTES, NBYTES; in lax as it stands, unless it is in chunks */
#define READ_DEFINITE_BYTES 8    /* BYTES, NBYTES */
#define READ_DEFINITE_TEXT 9     /* BYTES, NBYTES; in lax as it stands */
#define READ_START_BYTES 10
#define READ_END_BYTES 11
#define READ_START_TEXT 12
#define READ_END_TEXT 13
#define READ_START_ARRAY 14      /* NUMBER: the count, or -1 */
#define READ_END_ARRAY 15
#define READ_START_MAP 16        /* NUMBER: the count, or -1 */
#define READ_END_MAP 17
#define READ_TAG 18              /* NUMBER, LOW, HIGH */
#define READ_PEEK_TAG 19         /* NUMBER, LOW, HIGH */
#define READ_HALF 20             /* NUMBER */
#define READ_SINGLE 21           /* NUMBER */
#define READ_DOUBLE 22           /* NUMBER */
#define READ_BOOL 23             /* LOW */
#define READ_NULL 24
#define READ_UNDEFINED 25
#define READ_SIMPLE 26           /* LOW */
#define READ_DATE_TIME 27        /* BYTES, NBYTES */
#define READ_UNIX_TIME 28        /* NUMBER; NEGATIVE: whether it is an integer, then LOW and HIGH */
#define READ_BIGNUM 29           /* BYTES, NBYTES, NEGATIVE */
#define READ_DECIMAL 30          /* BYTES, NBYTES, NEGATIVE; LOW, HIGH: the exponent */
#define READ_SKIP 31             /* - */
#define READ_SKIP_TO_PARENT 32   /* - */
#define READ_ENCODED 33          /* BYTES, NBYTES */
#define READ_UNDO 34             /* back to before the last call, which had FLAG_MARK and has succeeded */
#define FLAG_UNCHECKED 1         /* of a call: without checks */
#define FLAG_MARK 2              /* of a call: it may be undone */

/* A cursor as JavaScript sees it: fields of u32 at this many bytes from its address, NUMBER and MISSING f64. */
#define CURSOR_NUMBER 0
#define CURSOR_MISSING 8         /* after a failure: bytes that must follow at least, 0 if it is none of being cut short */
#define CURSOR_LOW 16
#define CURSOR_HIGH 20
#define CURSOR_BYTES 24
#define CURSOR_NBYTES 28
#define CURSOR_NEGATIVE 32
#define CURSOR_DEPTH 36          /* open containers */
#define CURSOR_LEFT 40           /* bytes that are not read */
#define CURSOR_OFFSET 44         /* bytes that have been read */
#define CURSOR_FAULT 48          /* after a failure: where the item at fault begins */
#define FLAG_PARTIAL 4           /* of the data of a cursor: more may come */
#define FLAG_SLIDE 8             /* of the data of a cursor: they go on from those before */

/* Sizes of a session's buffers, in bytes. */
#define COMMANDS_NBYTES 16384
#define TEXT_NBYTES 49152

/*
 * A plan: what struct() compiled, as u32 words (plan.h). Words that are offsets count words from the plan's beginning, but
 * for those of bytes, which count bytes from the beginning of its bytes. A node is a type: PLAN_NODE_WORDS words.
 */
#define PLAN_BYTES 0             /* header: offset, in words, of the bytes, */
#define PLAN_ROOT 1              /* of the node of an array whose one item is the document, */
#define PLAN_FOLDS 2             /* of a table of pairs of code points: one, and what it is folded to; its place is its last bits, or behind, */
#define PLAN_FOLDS_MASK 3        /* its size, a power of 2 with room to spare, less 1; empty pairs are 0, */
#define PLAN_RECORDS_END 4       /* and of what follows the records */
#define PLAN_HEADER_WORDS 5
#define NODE_KIND 0              /* PLAN_INT and so on */
#define NODE_ACCEPTS 1           /* ACCEPTS_... of the items that may be of this type */
#define NODE_LEAST 2             /* of items, pairs or bytes */
#define NODE_MOST 3              /* likewise */
#define NODE_ITEMS 4             /* node of an array's items or a map's values; record of a struct */
#define NODE_KEYS 5              /* node of a map's keys */
#define NODE_RUN 6               /* numbers of initial bytes below this are of this type, and arrays may have them in a row; 0: none */
#define PLAN_NODE_WORDS 7
#define PLAN_INT 0
#define PLAN_UINT 1
#define PLAN_FLOAT 2
#define PLAN_BOOL 3
#define PLAN_TEXT 4
#define PLAN_STRING 5            /* bytes */
#define PLAN_BIGINT 6
#define PLAN_DATE 7
#define PLAN_CID 8
#define PLAN_ANY 9
#define PLAN_DEFERRED 10
#define PLAN_ARRAY 11
#define PLAN_MAP 12
#define PLAN_STRUCT 13
#define ACCEPTS_BOOL 0x80        /* bit n stands for the major type n, up to 6; those of 7 have several, */
#define ACCEPTS_NULL 0x100
#define ACCEPTS_FLOAT 0x200
#define ACCEPTS_SIMPLE 0x400     /* all others */
#define ACCEPTS_ANY 0x7ff
#define ACCEPTS_MORE 0x800       /* there is more to check */
#define ACCEPTS_NULLABLE 0x1000  /* null is null, even where it would stay encoded */
#define RECORD_FLAGS 0           /* record of a struct: PLAN_TUPLE and so on, */
#define RECORD_NUMBER 1          /* its number, */
#define RECORD_NFIELDS 2         /* how many fields, at most PLAN_FIELDS_MAX, */
#define RECORD_TABLE 3           /* offset of a table, a power of 2 of words that the module fills, */
#define RECORD_TABLE_MASK 4      /* its size less 1 */
#define RECORD_OWNER 5           /* what the module knows it by, */
#define RECORD_FIELDS 6          /* and the fields, FIELD_WORDS words each, follow */
#define PLAN_TUPLE 1
#define PLAN_FOLD 2
#define PLAN_REFUSE 4            /* unknown keys */
#define PLAN_KEEP 8              /* likewise */
#define PLAN_LOOSE 16            /* it is STRUCT_LOOSE in any case */
#define FIELD_NODE 0
#define FIELD_FLAGS 1            /* PLAN_OPTIONAL */
#define FIELD_KEY 2              /* its key as it is read: offset of the encoded item; that of text is folded */
#define FIELD_KEY_NBYTES 3
#define FIELD_UPPER 4            /* offset of the same in upper case, as long; or FIELD_KEY */
#define FIELD_SPLIT 5            /* 64 bits: byte n and the next one are a character both of whose bytes are others in upper case */
#define FIELD_WORDS 7
#define PLAN_OPTIONAL 1          /* it may be absent, and then has no property */
#define PLAN_FIELDS_MAX 1024
#define PLAN_KEY_NBYTES_MAX 255  /* of a key that is read, head included */

/* What reading by a plan comes to besides a status. */
#define PLAN_UNKNOWN_FIELD 241
#define PLAN_WRONG_COUNT 242

/* What TAPE_STRUCT says of the pairs of a struct, and what TAPE_CAST makes of a value. */
#define STRUCT_LOOSE 0           /* up to TAPE_END, in any order; keys may come again, be no fields', or be absent */
#define STRUCT_ORDERED 1         /* up to TAPE_END, in the order of the fields; those that are absent may be */
#define STRUCT_WHOLE 2           /* one for each field, in their order, without TAPE_MORE among them */
#define CAST_BIGINT 0            /* integers become bigints */
#define CAST_MAP 1               /* a map becomes a Map, even an empty one */
#define CAST_ENCODED 2           /* offset in the input, nbytes: an item that stays encoded, in place of a value */
#define CAST_PLACE 3             /* offset in the input: where the tagged item begins that follows */

/* Limits of shapes: how many, keys of all together, keys and encoded bytes of one key, encoded bytes of all keys. */
#define SHAPES_MAX 2048
#define SHAPE_KEYS_MAX 16384
#define SHAPE_WIDTH_MAX 128
#define KEY_NBYTES_MAX 64
#define KEYS_NBYTES 65536

/*
 * The tape of a document that is decoded: 32-bit entries, see tape.h. The low TAPE_OP_BITS bits say what an entry is, the
 * rest (v) is a number that belongs to it; further entries may follow.
 */
#define TAPE_OP_BITS 5
#define TAPE_INT 0               /* v, signed: an integer */
#define TAPE_STRING 1            /* v: a text string, the next so many bytes of the ASCII text */
#define TAPE_KNOWN_STRING 2      /* v: the text string in slot v */
#define TAPE_NEW_STRING 3        /* v: slot, and from its bit TAPE_SLOT_BITS on a length: a text string like TAPE_STRING, and the slot's from now on */
#define TAPE_KEY 4               /* v: a map's key, by number */
#define TAPE_SIMPLE 5            /* v: a simple value */
#define TAPE_DOUBLE 6            /* -: the next number of the doubles; a safe integer, too */
#define TAPE_OBJECT 7            /* v: a map of so many pairs, all of whose keys are text, and none in a longer form than need be */
#define TAPE_ARRAY 8             /* v: an array of so many items */
#define TAPE_INTS 9              /* v: so many items of an array, each an entry that is a signed integer */
#define TAPE_DOUBLES 10          /* v: so many items of an array, the next numbers of the doubles */
#define TAPE_WIDE_STRING 11      /* v: a text string, the next so many UTF-16 units of the other text */
#define TAPE_LONG_STRING 12      /* v: 1 if it is ASCII, 0 if it is well-formed, 2 if not; offset in the input, nbytes */
#define TAPE_LONG_BYTES 13       /* -; offset in the input, nbytes: a byte string */
#define TAPE_INT32 14            /* -; a signed integer */
#define TAPE_MAP 15              /* v: a map of so many pairs, with some other key */
#define TAPE_ANY_MAP 16          /* v: a map of so many pairs, with whatever keys */
#define TAPE_OPEN_ARRAY 17       /* -: an array up to TAPE_END */
#define TAPE_OPEN_MAP 18         /* v: a map up to TAPE_END, with some other key if v is 1 */
#define TAPE_CHUNKS 19           /* v: a string, 2 of bytes or 3 of text, in chunks up to TAPE_END */
#define TAPE_END 20              /* - */
#define TAPE_TAG 21              /* v: a tag */
#define TAPE_LONG_TAG 22         /* -; low, high: a tag */
#define TAPE_UNSIGNED 23         /* -; low, high: an integer beyond 2^53 - 1 */
#define TAPE_NEGATIVE 24         /* -; low, high: the 64 low bits of one below -(2^53 - 1) */
#define TAPE_SHAPE 25            /* v: a map whose keys are the list v: before each value stands its key */
#define TAPE_BYTES 26            /* v: a byte string, the next so many bytes of those of the run */
#define TAPE_MIXED 27            /* -: before a key, the first that is other than an object's; where the map's entry does not say so */
#define TAPE_MORE 28             /* -: the tape goes on after another run */
#define TAPE_STRUCT 29           /* v: number of a struct, times 4, and STRUCT_...; offset in the input; pairs, TAPE_FIELD before each value */
#define TAPE_FIELD 30            /* v: number of a field */
#define TAPE_CAST 31             /* v: CAST_..., of the value that follows or of what is said of it */

/* The longest lengths, and greatest tags, that stand in an entry. */
#define TAPE_NUMBER_MAX 67108863

/* The tape as JavaScript sees it: u32 fields at this many bytes from its address. */
#define TAPE_ENTRIES_AT 0        /* < where its parts are, in bytes from its address: the entries, */
#define TAPE_DOUBLES_AT 4        /* < the doubles, */
#define TAPE_ASCII_AT 8          /* < the text of strings that are all ASCII, */
#define TAPE_WIDE_AT 12          /* < that of others of moderate length, in UTF-16, */
#define TAPE_INPUT_AT 16         /* < and a buffer of TAPE_INPUT_NBYTES for input */
#define TAPE_ASCII_NBYTES 20     /* < bytes of text that the last run put there */
#define TAPE_WIDE_NUNITS 24      /* < and units there */
#define TAPE_READ_NBYTES 28      /* < bytes of input behind the run: of the whole item when it is complete */
#define TAPE_EPOCH 32            /* < other than before when the numbers of keys have been given anew */
#define TAPE_UNCHECKED 36        /* < 1 when a map may have two keys alike */
#define TAPE_ITEMS 40            /* < how many items there have been, keys and tags included */
#define TAPE_LIMIT 44            /* > bytes of text up to which it is on the tape; at most TAPE_TEXT_MAX */
#define TAPE_BYTES_AT 48         /* < where byte strings of moderate length are, like the parts above, */
#define TAPE_BYTES_NBYTES 52     /* < and how many bytes of them the last run put there */
#define TAPE_FAULT 56            /* < after a failure of reading by a plan: where in the input */

/* What a run of the tape comes to besides a status. */
#define TAPE_UNFINISHED 255      /* the tape is full: it is to be used, and run again */

/* Flags of a tape. */
#define TAPE_STRICT 1            /* simple values 0..31 in two bytes are refused */
#define TAPE_REPLACE 2           /* ill-formed text is taken */
#define TAPE_SLOTS 4             /* text is looked for in the slots */
#define TAPE_SHAPES 8            /* maps of known lists of keys are TAPE_SHAPE */
#define TAPE_VIEWS 16            /* all byte strings stay in the input */

/* Sizes of the tape's parts. */
#define TAPE_INPUT_NBYTES 8192
#define TAPE_TEXT_NBYTES 24576
#define TAPE_TEXT_MAX 2048
#define TAPE_ENTRIES 8192
#define TAPE_NDOUBLES 4096
#define TAPE_NSLOTS 8192
#define TAPE_SLOT_BITS 13

/* Known keys: lists of keys, keys and encoded bytes of all, keys of a list, encoded bytes of a key; and how the tables lie. */
#define NAME_NODES_MAX 4096
#define NAME_KEYS_MAX 2048
#define NAME_BYTES_MAX 32768
#define NAME_LIST_MAX 128
#define NAME_NBYTES_MAX 64
#define NAME_NODE_NBYTES 16
#define NAME_NODE_DEPTH 12         /* u16, where in a node stands how many keys its list has */
#define NAME_KEY_NBYTES 8

#endif
