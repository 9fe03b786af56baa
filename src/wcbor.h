/*
 * wcbor.h - CBOR (RFC 8949) for C11. This header is the manual.
 *
 * Names: everything public begins with wcbor_ or WCBOR_. A "head" is the initial byte of an item and its argument
 * (RFC 8949, section 3); `nbytes` counts bytes, `count` counts items or pairs.
 *
 * The writer keeps a document under construction in one contiguous buffer. It owns no memory of its own: it starts
 * with the buffer that the caller hands in and asks the caller's `reallocate` hook for more. Every call returns a
 * wcbor_status, and a call that fails leaves the writer as it was, with one exception: WCBOR_DUPLICATE_KEY removes
 * the key that the call wrote (or, of a container, ended), with its tags, so that the caller may write another in its
 * place; the map keeps the first.
 *
 *     uint8_t buffer[64];
 *     wcbor_writer writer;
 *     wcbor_writer_init(&writer, NULL, buffer, sizeof buffer);
 *     wcbor_write_start_map(&writer, 1);
 *     wcbor_write_text(&writer, "a", 1);
 *     wcbor_write_int64(&writer, 1);
 *     wcbor_write_end_map(&writer);                // buffer now begins with a1 61 61 01
 */
#ifndef WCBOR_H
#define WCBOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WCBOR_VERSION_MAJOR 0
#define WCBOR_VERSION_MINOR 1
#define WCBOR_VERSION_PATCH 0

#if defined(_WIN32) && defined(WCBOR_SHARED)
#  ifdef WCBOR_BUILDING
#    define WCBOR_API __declspec(dllexport)
#  else
#    define WCBOR_API __declspec(dllimport)
#  endif
#elif defined(__GNUC__)
#  define WCBOR_API __attribute__((visibility("default")))
#else
#  define WCBOR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------- status */

/* What a call came to. The numbers are part of the ABI: they never change and are never used again. */
typedef enum wcbor_status {
    WCBOR_OK = 0,
    WCBOR_DEFINITE_LENGTH_EXCEEDED = 1, /* the container already holds all its items, or the only root is written */
    WCBOR_STRING_CONTEXT_ITEM = 2,      /* in a chunked string only definite strings of its own kind may stand */
    WCBOR_NOT_IN_CONTAINER = 3,         /* an end call while nothing is open */
    WCBOR_CONTAINER_MISMATCH = 4,       /* an end call of another kind than the open container */
    WCBOR_NOT_FILLED = 5,               /* a definite container ended before all its items were written */
    WCBOR_MAP_KEY_WITHOUT_VALUE = 6,    /* a map ended after a key */
    WCBOR_DANGLING_TAG = 7,             /* a container ended after a tag */
    WCBOR_DUPLICATE_KEY = 8,            /* the key is already in this map; what was written of it again is gone */
    WCBOR_INDEFINITE_NOT_ALLOWED = 9,   /* an indefinite length in a mode without them, and no conversion asked for */
    WCBOR_TAGS_NOT_ALLOWED = 10,        /* ctap2: no tags at all */
    WCBOR_DEPTH_EXCEEDED = 11,          /* max_depth containers are open already */
    WCBOR_INCOMPLETE = 12,              /* the result was asked for before the document was complete */
    WCBOR_LENGTH_OUT_OF_RANGE = 13,     /* more than WCBOR_MAX_ARRAY_COUNT items or WCBOR_MAX_MAP_COUNT pairs */
    WCBOR_SIMPLE_NOT_ALLOWED = 14,      /* a simple value that the mode has no form for */
    WCBOR_OPTION_OUT_OF_RANGE = 15,     /* an option of wcbor_writer_init is not one of its values */
    WCBOR_NULL_ARGUMENT = 16,           /* a null pointer where there must be bytes */
    WCBOR_INVALID_TEXT = 17,            /* ill-formed UTF-8 outside lax */
    WCBOR_INVALID_ENCODED_VALUE = 18,   /* not exactly one item that is valid in this mode and fits the depth limit */
    WCBOR_DEST_TOO_SMALL = 19,          /* the destination does not hold the result */
    WCBOR_NOT_FINITE = 20,              /* NaN or an infinity as a time */
    WCBOR_OUT_OF_MEMORY = 21,           /* the buffer is full and cannot grow */
    WCBOR_INVALID_DATETIME = 22,        /* not an RFC 3339 date-time with an offset */
    WCBOR_TAG_NOT_ALLOWED = 23,         /* dag-cbor: a tag other than 42, or an integer that would need one */
    WCBOR_KEY_TYPE_NOT_ALLOWED = 24,    /* dag-cbor: a map key that is not a text string */
    WCBOR_FLOAT_NOT_ALLOWED = 25,       /* dag-cbor: NaN or an infinity */
    WCBOR_INVALID_CID = 26,             /* dag-cbor: tag 42 not on a byte string of 00 and one CID */
    WCBOR_BIGNUM_NOT_PREFERRED = 27,    /* deterministic, dcbor: a bignum of 64 bits or fewer, or with leading zeros */
    WCBOR_BAD_COMMAND = 28,             /* a command stream that is cut short or holds an unknown command */
    WCBOR_NO_MORE_ITEMS = 29,           /* the container, or the document, has no further item */
    WCBOR_TYPE_MISMATCH = 30,           /* the item is of another type than the call reads */
    WCBOR_UNEXPECTED_END = 31,          /* the bytes end inside an item, or where one is due */
    WCBOR_UNEXPECTED_BREAK = 32,        /* a break where nothing of indefinite length is open */
    WCBOR_TAG_WITHOUT_VALUE = 33,       /* a tag with no item behind it */
    WCBOR_KEY_WITHOUT_VALUE = 34,       /* an indefinite-length map ends after a key */
    WCBOR_STRING_CHUNK_INVALID = 35,    /* in a chunked string, an item that is not a definite-length string of its kind */
    WCBOR_INVALID_INTEGER_ENCODING = 36,/* additional information 28..31 where it has no meaning */
    WCBOR_NON_MINIMAL_INTEGER = 37,     /* an integer, length or tag number that is longer than need be */
    WCBOR_LENGTH_EXCEEDS_BUFFER = 38,   /* a length or count that the bytes left cannot hold */
    WCBOR_KEYS_NOT_SORTED = 39,         /* a map whose keys are not in the mode's order */
    WCBOR_INVALID_UTF8 = 40,            /* text that is not well-formed UTF-8 */
    WCBOR_INVALID_SIMPLE_VALUE = 41,    /* a simple value 0..31 in two bytes */
    WCBOR_RESERVED_SIMPLE_VALUE = 42,   /* the initial bytes fc, fd and fe */
    WCBOR_INVALID_BIGNUM = 43,          /* tag 2 or 3 not on a byte string */
    WCBOR_INVALID_DECIMAL = 44,         /* tag 4 not on an array of two integers */
    WCBOR_INVALID_UNIXTIME = 45,        /* tag 1 not on a finite number in range */
    WCBOR_NON_MINIMAL_FLOAT = 46,       /* a float that a shorter one holds, in a mode that wants the shortest */
    WCBOR_NOT_REDUCED = 47,             /* dcbor: a float that is an integer */
    WCBOR_NOT_NFC = 48,                 /* dcbor: text that is not in Unicode NFC */
    WCBOR_TRAILING_BYTES = 49,          /* bytes behind the end of the document */
    WCBOR_OVERFLOW = 50,                /* a number out of the range that the call reads */
    WCBOR_NOT_AT_BREAK = 51,            /* an end call where items are left */
    WCBOR_NOT_INDEFINITE = 52,          /* the string has a definite length */
    WCBOR_INDEFINITE_STRING = 53,       /* the string has an indefinite length */
    WCBOR_NOT_A_FLOAT = 54,             /* the item is no float */
    WCBOR_LOWER_PRECISION = 55,         /* the float is wider than the call reads */
    WCBOR_NOT_A_BOOLEAN = 56,           /* the item is no boolean */
    WCBOR_NOT_NULL = 57,                /* the item is not null */
    WCBOR_NOT_UNDEFINED = 58,           /* the item is not undefined */
    WCBOR_NOT_A_SIMPLE_VALUE = 59,      /* the item is no simple value */
    WCBOR_TAG_MISMATCH = 60,            /* the tag is another than the call reads */
    WCBOR_NOT_A_BIGNUM_TAG = 61,        /* the tag is neither 2 nor 3 */
    WCBOR_SKIP_INVALID_STATE = 62,      /* nothing is left here to skip */
    WCBOR_FINAL_BLOCK = 63,             /* the data were said to be complete */
    WCBOR_BUFFER_TOO_SHORT = 64,        /* new data must begin with those that are not read */
    WCBOR_LAX_ONLY = 65,                /* incremental reading is for lax alone */
    WCBOR_LIMIT_EXCEEDED = 66,          /* a limit of the caller's is exceeded */
    WCBOR_INVALID_JSON = 67,            /* not a JSON text (RFC 8259) */
    WCBOR_NOT_IN_JSON = 68,             /* the item has no form in JSON */
    WCBOR_INVALID_DIAGNOSTIC = 69       /* not diagnostic notation */
} wcbor_status;

/* The status' name without its prefix ("DUPLICATE_KEY"); "UNKNOWN" for a number that is none. Never NULL. */
WCBOR_API const char *wcbor_status_name(wcbor_status status);

/* -------------------------------------------------------------------------------------------------------- modes */

/* What a writer or a reader enforces. The README has the table of all rules; the standards are named here. */
typedef enum wcbor_mode {
    WCBOR_MODE_LAX = 0,           /* well-formed structure; ill-formed text becomes U+FFFD */
    WCBOR_MODE_STRICT = 1,        /* and valid: RFC 8949, section 5.3.1 (UTF-8, no duplicate keys) */
    WCBOR_MODE_CANONICAL = 2,     /* RFC 7049, section 3.9: keys shorter first, then bytewise */
    WCBOR_MODE_CTAP2 = 3,         /* CTAP2 canonical form: no tags, keys by major type, length, bytes */
    WCBOR_MODE_DETERMINISTIC = 4, /* RFC 8949, section 4.2.1: keys bytewise */
    WCBOR_MODE_DAG_CBOR = 5,      /* IPLD DAG-CBOR: text keys, shorter first; 64-bit floats; tag 42 alone */
    WCBOR_MODE_DCBOR = 6          /* dCBOR: deterministic, floats reduced to integers where equal */
} wcbor_mode;

#define WCBOR_MAX_ARRAY_COUNT 2147483647u /* the most items of a definite array */
#define WCBOR_MAX_MAP_COUNT 1073741823u   /* the most pairs of a definite map */
#define WCBOR_DEFAULT_MAX_DEPTH 1000      /* containers that may be open at once unless an option says otherwise */

/*
 * The caller's memory. Works like realloc: `block` is NULL or came from this hook, `nbytes` is the new size; the
 * contents up to the smaller size are kept. `nbytes` 0 frees the block and returns NULL. Returns NULL when it cannot
 * (the old block then stays as it is). The returned address must be aligned for any type.
 */
typedef void *(*wcbor_reallocate)(void *context, void *block, size_t nbytes);

typedef struct wcbor_writer_options {
    wcbor_mode mode;                    /* WCBOR_MODE_STRICT in a writer made without options */
    bool convert_indefinite_lengths;    /* indefinite items become definite when they end */
    bool allow_multiple_roots;          /* a CBOR sequence (RFC 8742) instead of one item; not in dag-cbor */
    int32_t max_depth;                  /* containers that may be open at once; 0 allows none; -1 is the default */
    wcbor_reallocate reallocate;        /* NULL: the buffer handed to wcbor_writer_init is all there is */
    void *context;                      /* handed to `reallocate` */
    uint64_t seed;                      /* any number that a writer of hostile keys cannot know: it scatters the
                                           table in which the keys of large maps are looked up */
} wcbor_writer_options;

/* {strict, no conversion, one root, default depth, no hook}: the options of a writer made with NULL. */
#define WCBOR_WRITER_OPTIONS_DEFAULT {WCBOR_MODE_STRICT, false, false, -1, NULL, NULL, 0}

/* ------------------------------------------------------------------------------------------------------- writer */

/* Private: what a writer remembers of a container that is open. See src/writer.h. */
typedef struct wcbor_frame_ {
    size_t left, start;
    uint32_t kind;
} wcbor_frame_;

/* Private: a growable array that starts on memory inside its owner. */
typedef struct wcbor_block_ {
    void *items;
    uint32_t count, capacity;
    bool owned;
} wcbor_block_;

/* Private: what a writer remembers of an open map whose keys it checks, see src/keys.h. */
typedef struct wcbor_map_ {
    size_t pairs, key;
    uint64_t seen;
    uint32_t first, slots, nslots;
    bool unordered;
} wcbor_map_;

/* Private: one key of an open map, see src/keys.h. */
typedef struct wcbor_key_ {
    uint64_t print;
    size_t start, value;
} wcbor_key_;

/* Private: the keys of the maps that are open, one map above the other, see src/keys.h. */
typedef struct wcbor_keys_ {
    wcbor_map_ *map;
    wcbor_block_ records, maps, slots;
    wcbor_reallocate reallocate;
    void *context;
    uint64_t seed;
    uint32_t order, limit;
} wcbor_keys_;

#define WCBOR_INLINE_DEPTH_ 16
#define WCBOR_INLINE_KEYS_ 24
#define WCBOR_INLINE_MAPS_ 8

/*
 * A writer. Its fields are private; it may be moved or copied only while it is not initialised. Without a
 * `reallocate` hook up to 16 containers may be open at once, 8 of them maps in a mode that checks keys, and their
 * open maps may hold 24 keys together; past that, as when the buffer is full, calls fail with WCBOR_OUT_OF_MEMORY.
 */
typedef struct wcbor_writer {
    uint8_t *next, *end;
    size_t left, start;
    wcbor_frame_ *top, *top_limit;
    uint32_t kind, rules;
    uint32_t map_kind;
    size_t map_left;
    uint8_t *out;
    size_t tag_end;
    uint64_t tag;
    wcbor_block_ frames;
    wcbor_keys_ keys;
    wcbor_writer_options options;
    uint32_t max_depth;
    bool out_owned;
    wcbor_frame_ inline_frames[WCBOR_INLINE_DEPTH_];
    wcbor_key_ inline_keys[WCBOR_INLINE_KEYS_];
    wcbor_map_ inline_maps[WCBOR_INLINE_MAPS_];
    uint32_t inline_slots[WCBOR_INLINE_KEYS_];
} wcbor_writer;

/*
 * Makes a writer. `options` is NULL for WCBOR_WRITER_OPTIONS_DEFAULT, and is copied. `buffer` (of `capacity` bytes;
 * NULL with 0) stays the caller's: the writer writes into it until it is full and then moves to memory of the hook.
 * WCBOR_OPTION_OUT_OF_RANGE when an option is not one of its values, WCBOR_NULL_ARGUMENT for a NULL buffer that has a
 * capacity; the writer is then not usable.
 */
WCBOR_API wcbor_status wcbor_writer_init(wcbor_writer *writer, const wcbor_writer_options *options, void *buffer,
                                         size_t capacity);

/* Back to the empty document with the same options and memory. */
WCBOR_API void wcbor_writer_reset(wcbor_writer *writer);

/* Gives the memory of the hook back. The writer may then only be initialised again. */
WCBOR_API void wcbor_writer_free(wcbor_writer *writer);

/* Makes room for `nbytes` more bytes of output, so that they are written without a growth. WCBOR_OUT_OF_MEMORY. */
WCBOR_API wcbor_status wcbor_writer_reserve(wcbor_writer *writer, size_t nbytes);

/* Bytes written so far; an open item that will be converted counts with its one-byte placeholder. */
WCBOR_API size_t wcbor_writer_nbytes(const wcbor_writer *writer);

/* Open arrays, maps and chunked strings. Tags do not count. */
WCBOR_API uint32_t wcbor_writer_depth(const wcbor_writer *writer);

/* Whether nothing is open, no tag waits for its item, and at least one root item is written. */
WCBOR_API bool wcbor_writer_is_complete(const wcbor_writer *writer);

/*
 * The document: `*bytes` and `*nbytes` are set to it where it stands, valid until the next call that writes, resets
 * or frees. WCBOR_INCOMPLETE, with both untouched, while wcbor_writer_is_complete is false.
 */
WCBOR_API wcbor_status wcbor_writer_result(const wcbor_writer *writer, const uint8_t **bytes, size_t *nbytes);

/*
 * Like wcbor_writer_result, but copies the document to `destination`. WCBOR_INCOMPLETE first; WCBOR_DEST_TOO_SMALL,
 * with nothing copied and `*nbytes` set to the size needed, when it is longer than `capacity`.
 */
WCBOR_API wcbor_status wcbor_writer_copy(const wcbor_writer *writer, void *destination, size_t capacity,
                                         size_t *nbytes);

/*
 * Items. Each of these may fail with WCBOR_DEFINITE_LENGTH_EXCEEDED, WCBOR_STRING_CONTEXT_ITEM, WCBOR_OUT_OF_MEMORY,
 * in the modes that check keys WCBOR_DUPLICATE_KEY, and in dag-cbor WCBOR_KEY_TYPE_NOT_ALLOWED and WCBOR_INVALID_CID;
 * what else may happen is said with the call. Heads are always the shortest (RFC 8949, section 4.1).
 */

/* An integer, major type 0 or 1. */
WCBOR_API wcbor_status wcbor_write_int64(wcbor_writer *writer, int64_t value);

/* An integer of major type 0. */
WCBOR_API wcbor_status wcbor_write_uint64(wcbor_writer *writer, uint64_t value);

/* The integer -1 - `argument`, major type 1: it reaches down to -2^64. */
WCBOR_API wcbor_status wcbor_write_negative(wcbor_writer *writer, uint64_t argument);

/* A byte string. WCBOR_NULL_ARGUMENT, unless `nbytes` is 0. */
WCBOR_API wcbor_status wcbor_write_bytes(wcbor_writer *writer, const void *bytes, size_t nbytes);

/*
 * A text string, given as UTF-8; it need not end in NUL. Ill-formed text: in lax each maximal ill-formed part becomes
 * U+FFFD (as the WHATWG Encoding Standard decodes), elsewhere WCBOR_INVALID_TEXT, before all other checks.
 * WCBOR_NULL_ARGUMENT, unless `nbytes` is 0. In dcbor the text must be in NFC already: this library has no Unicode
 * tables.
 */
WCBOR_API wcbor_status wcbor_write_text(wcbor_writer *writer, const char *text, size_t nbytes);

/*
 * Floating-point numbers (RFC 8949, section 4.1): written in the shortest of the three widths that keeps the value,
 * NaN as f97e00. Other rules in: ctap2, where the call's own width and the NaN's bits are kept; dag-cbor, always 64
 * bits, NaN and infinities WCBOR_FLOAT_NOT_ALLOWED; dcbor, where a number equal to an integer of -2^63..2^64-1 becomes
 * that integer. A half is given by its 16 bits.
 */
WCBOR_API wcbor_status wcbor_write_half(wcbor_writer *writer, uint16_t bits);
WCBOR_API wcbor_status wcbor_write_single(wcbor_writer *writer, float value);
WCBOR_API wcbor_status wcbor_write_double(wcbor_writer *writer, double value);

/* The half nearest to `value`, ties to even, as its 16 bits; too large values become an infinity. */
WCBOR_API uint16_t wcbor_half_from_double(double value);

/* Simple values 20 and 21 (section 3.3): false, true. */
WCBOR_API wcbor_status wcbor_write_bool(wcbor_writer *writer, bool value);

/* Simple value 22. */
WCBOR_API wcbor_status wcbor_write_null(wcbor_writer *writer);

/* Simple value 23. WCBOR_SIMPLE_NOT_ALLOWED in dag-cbor and dcbor. */
WCBOR_API wcbor_status wcbor_write_undefined(wcbor_writer *writer);

/*
 * The simple value `value` (RFC 8949, section 3.3). WCBOR_SIMPLE_NOT_ALLOWED, before all other checks: 24..31 outside
 * lax (which writes f818..f81f), and all but 20..22 (false, true, null) in dag-cbor and dcbor.
 */
WCBOR_API wcbor_status wcbor_write_simple(wcbor_writer *writer, uint8_t value);

/*
 * A tag for the next item (section 3.4). It is no item itself. WCBOR_TAGS_NOT_ALLOWED in ctap2, before all other
 * checks; WCBOR_TAG_NOT_ALLOWED in dag-cbor for all but 42. After tag 2 or 3 in deterministic and dcbor, a byte string
 * that is longer than its number needs, or whose number fits 64 bits, fails with WCBOR_BIGNUM_NOT_PREFERRED.
 */
WCBOR_API wcbor_status wcbor_write_tag(wcbor_writer *writer, uint64_t tag);

/*
 * Containers of a known size: `count` items, or `count` pairs, written as key, value, key, value. In this order:
 * WCBOR_LENGTH_OUT_OF_RANGE, WCBOR_DEPTH_EXCEEDED, and what every item may fail with.
 */
WCBOR_API wcbor_status wcbor_write_start_array(wcbor_writer *writer, uint64_t count);
WCBOR_API wcbor_status wcbor_write_start_map(wcbor_writer *writer, uint64_t count);

/*
 * Containers of a size not yet known, and strings in chunks, written as definite strings of the same kind up to the
 * end call (section 3.2). With convert_indefinite_lengths they become definite when they end. In this order:
 * WCBOR_INDEFINITE_NOT_ALLOWED in the modes from canonical on without conversion, WCBOR_DEPTH_EXCEEDED, and what every
 * item may fail with; last, WCBOR_INDEFINITE_NOT_ALLOWED for the chunked content of a tag that the mode looks into. In
 * dcbor the chunks of a text must be in NFC when they are joined.
 */
WCBOR_API wcbor_status wcbor_write_start_indefinite_array(wcbor_writer *writer);
WCBOR_API wcbor_status wcbor_write_start_indefinite_map(wcbor_writer *writer);
WCBOR_API wcbor_status wcbor_write_start_indefinite_bytes(wcbor_writer *writer);
WCBOR_API wcbor_status wcbor_write_start_indefinite_text(wcbor_writer *writer);

/*
 * Ends the open container. In this order: WCBOR_MAP_KEY_WITHOUT_VALUE (wcbor_write_end_map only: an odd number of
 * items in whatever is open), WCBOR_NOT_IN_CONTAINER, WCBOR_CONTAINER_MISMATCH, WCBOR_DANGLING_TAG, WCBOR_NOT_FILLED,
 * WCBOR_OUT_OF_MEMORY, and WCBOR_DUPLICATE_KEY where the container was a key. The modes from canonical on sort a map's
 * pairs here, in O(n log n) comparisons; if they are out of order that takes as much of the buffer again as the map has.
 */
WCBOR_API wcbor_status wcbor_write_end_array(wcbor_writer *writer);
WCBOR_API wcbor_status wcbor_write_end_map(wcbor_writer *writer);
WCBOR_API wcbor_status wcbor_write_end_indefinite_bytes(wcbor_writer *writer);
WCBOR_API wcbor_status wcbor_write_end_indefinite_text(wcbor_writer *writer);

/*
 * An item that is encoded already, with its tags, copied as it is. WCBOR_NULL_ARGUMENT; then WCBOR_INVALID_ENCODED_VALUE
 * when the bytes are not exactly one item that is valid in this writer's mode, or nest deeper than what is left of
 * max_depth.
 */
WCBOR_API wcbor_status wcbor_write_encoded(wcbor_writer *writer, const void *bytes, size_t nbytes);

/*
 * Tagged items, written whole or not at all. WCBOR_TAGS_NOT_ALLOWED in ctap2, WCBOR_TAG_NOT_ALLOWED in dag-cbor.
 */

/* Tag 0 (section 3.4.1) on `text`, written as given. WCBOR_NULL_ARGUMENT and WCBOR_INVALID_DATETIME, first, unless it is
   an RFC 3339 date-time with an offset, its T and Z in upper case (RFC 4287, section 3.3). */
WCBOR_API wcbor_status wcbor_write_date_time(wcbor_writer *writer, const char *text, size_t nbytes);

/* Tag 1 (section 3.4.2) on seconds since 1970. The double: WCBOR_NOT_FINITE, first. */
WCBOR_API wcbor_status wcbor_write_unix_time(wcbor_writer *writer, int64_t seconds);
WCBOR_API wcbor_status wcbor_write_unix_time_double(wcbor_writer *writer, double seconds);

/*
 * A bignum (section 3.4.3): tag 2 and the number, or with `negative` tag 3 and the number n of the value -1 - n.
 * `magnitude` is big-endian; leading zeros are dropped. Zero is one byte 00. In deterministic and dcbor a value that
 * fits 64 bits becomes an integer; in dag-cbor too, and larger ones are WCBOR_TAG_NOT_ALLOWED. WCBOR_NULL_ARGUMENT.
 */
WCBOR_API wcbor_status wcbor_write_bignum(wcbor_writer *writer, bool negative, const void *magnitude, size_t nbytes);

/*
 * A decimal fraction (section 3.4.4): tag 4, [exponent, mantissa], the mantissa as for wcbor_write_bignum. lax,
 * strict, canonical write mantissas of -1..2^64-1 as integers and all others as bignums; the other modes write every
 * mantissa that fits 64 bits as an integer. WCBOR_DEPTH_EXCEEDED, WCBOR_NULL_ARGUMENT.
 */
WCBOR_API wcbor_status wcbor_write_decimal(wcbor_writer *writer, int64_t exponent, bool negative,
                                           const void *magnitude, size_t nbytes);

/* -------------------------------------------------------------------------------------------------------- links */

/* How deep arrays and maps of indefinite length may nest where links are looked for; definite ones cost nothing. */
#define WCBOR_LINKS_DEPTH_MAX 64

typedef struct wcbor_links_frame_ {
    uint64_t left;
    bool odd, is_map;
} wcbor_links_frame_;

/* A scan for links. Its fields are private; it may be copied. */
typedef struct wcbor_links {
    const uint8_t *bytes, *next, *end;
    uint64_t left;
    uint32_t depth;
    bool odd, is_map;
    wcbor_links_frame_ frames[WCBOR_LINKS_DEPTH_MAX];
} wcbor_links;

/* Begins a scan of the item at `bytes`, which must stay where they are. It allocates nothing. */
WCBOR_API void wcbor_links_init(wcbor_links *links, const void *bytes, size_t nbytes);

/*
 * The next link (tag 42 on a byte string of 00 and one CID, as DAG-CBOR has it), in the order of the document: `*cid` and
 * `*nbytes` are the CID without the 00. `*cid` is NULL when there is none left: the item has been scanned whole, and ends
 * wcbor_links_offset bytes from the beginning. Any well-formed item is taken; text, simple values, keys and other tags
 * are not looked into. WCBOR_INVALID_CID, and what ill-formed bytes fail with: WCBOR_UNEXPECTED_END,
 * WCBOR_LENGTH_EXCEEDS_BUFFER, WCBOR_INVALID_INTEGER_ENCODING, WCBOR_UNEXPECTED_BREAK, WCBOR_KEY_WITHOUT_VALUE,
 * WCBOR_STRING_CHUNK_INVALID, WCBOR_DEPTH_EXCEEDED. After a failure the scan is over.
 */
WCBOR_API wcbor_status wcbor_links_next(wcbor_links *links, const uint8_t **cid, size_t *nbytes);

/* Bytes from the beginning to where the scan stands: behind the last link or the item, or at what failed. */
WCBOR_API size_t wcbor_links_offset(const wcbor_links *links);

/* ------------------------------------------------------------------------------------------------------- reader */

typedef struct wcbor_reader_options {
    wcbor_mode mode;             /* WCBOR_MODE_STRICT in a reader made without options */
    bool allow_multiple_roots;   /* a CBOR sequence (RFC 8742) instead of one item; not in dag-cbor */
    bool is_partial;             /* the bytes are a beginning, and more may come; lax alone */
    int32_t max_depth;           /* containers that may be open at once; 0 allows none; -1 is the default */
    wcbor_reallocate reallocate; /* NULL: what a reader holds inside itself is all there is */
    void *context;               /* handed to `reallocate` */
    uint64_t seed;               /* any number that a writer of hostile keys cannot know */
} wcbor_reader_options;

/* {strict, one root, all bytes, default depth, no hook}: the options of a reader made with NULL. */
#define WCBOR_READER_OPTIONS_DEFAULT {WCBOR_MODE_STRICT, false, false, -1, NULL, NULL, 0}

/* What the next call of a reader can be. The numbers are part of the ABI. */
typedef enum wcbor_state {
    WCBOR_STATE_UNDEFINED = 0,
    WCBOR_STATE_UNSIGNED = 1,
    WCBOR_STATE_NEGATIVE = 2,
    WCBOR_STATE_BYTES = 3,
    WCBOR_STATE_START_INDEFINITE_BYTES = 4,
    WCBOR_STATE_END_INDEFINITE_BYTES = 5,
    WCBOR_STATE_TEXT = 6,
    WCBOR_STATE_START_INDEFINITE_TEXT = 7,
    WCBOR_STATE_END_INDEFINITE_TEXT = 8,
    WCBOR_STATE_START_ARRAY = 9,
    WCBOR_STATE_END_ARRAY = 10,
    WCBOR_STATE_START_MAP = 11,
    WCBOR_STATE_END_MAP = 12,
    WCBOR_STATE_TAG = 13,
    WCBOR_STATE_SIMPLE = 14, /* undefined among them */
    WCBOR_STATE_HALF = 15,
    WCBOR_STATE_SINGLE = 16,
    WCBOR_STATE_DOUBLE = 17,
    WCBOR_STATE_NULL = 18,
    WCBOR_STATE_BOOL = 19,
    WCBOR_STATE_FINISHED = 20,
    WCBOR_STATE_NEEDS_MORE_DATA = 21 /* the bytes, which are partial, end before the next item does */
} wcbor_state;

/* Private: what a reader remembers of an open container, see src/reader.h. */
typedef struct wcbor_level_ {
    size_t left, key, last, last_nbytes;
    uint32_t kind;
} wcbor_level_;

/*
 * A reader: a cursor over the caller's bytes, which must stay where and as they are. Its fields are private. Without a
 * `reallocate` hook up to 16 containers may be open at once, and in strict 8 maps of more than one pair, with 24 keys
 * together; past that calls fail with WCBOR_OUT_OF_MEMORY. As long as it keeps to that, a reader may be copied by
 * assignment, and the copy is a reader of its own at the same place.
 *
 *     wcbor_reader reader;
 *     int64_t count, value;
 *     wcbor_reader_init(&reader, NULL, "\x82\x01\x20", 3);
 *     wcbor_read_start_array(&reader, &count);      // count is 2
 *     wcbor_read_int64(&reader, &value);            // value is 1
 *     wcbor_read_int64(&reader, &value);            // value is -1
 *     wcbor_read_end_array(&reader);
 *
 * What is read is checked by the rules of the mode as it is read: see wcbor_validate for what the modes refuse. A call
 * that fails leaves the reader as it was, so that the item can be read by another call, with one exception: after
 * WCBOR_DUPLICATE_KEY and WCBOR_KEYS_NOT_SORTED the reader stands where the key (with its tags) begins; if the key is a
 * container that has just ended it is not open any more.
 */
typedef struct wcbor_reader {
    const uint8_t *bytes, *next, *end;
    wcbor_level_ level;
    uint32_t depth, max_depth, rules, order;
    bool tagged, is_partial, allow_multiple_roots;
    uint64_t tag;
    size_t fault, before;
    wcbor_block_ levels;
    wcbor_keys_ keys;
    wcbor_level_ inline_levels[WCBOR_INLINE_DEPTH_];
    wcbor_key_ inline_keys[WCBOR_INLINE_KEYS_];
    wcbor_map_ inline_maps[WCBOR_INLINE_MAPS_];
} wcbor_reader;

/*
 * Makes a reader of the bytes, which stay the caller's. `options` is NULL for WCBOR_READER_OPTIONS_DEFAULT, and is
 * copied. WCBOR_OPTION_OUT_OF_RANGE when an option is not one of its values; WCBOR_LAX_ONLY for is_partial in any other
 * mode; WCBOR_NULL_ARGUMENT for NULL `bytes`, unless `nbytes` is 0. The reader is then not usable.
 */
WCBOR_API wcbor_status wcbor_reader_init(wcbor_reader *reader, const wcbor_reader_options *options, const void *bytes,
                                         size_t nbytes);

/* Gives the memory of the hook back. The reader may then only be initialised again. */
WCBOR_API void wcbor_reader_free(wcbor_reader *reader);

/* Starts over with other bytes, the same options and memory. WCBOR_LAX_ONLY, WCBOR_NULL_ARGUMENT as above. */
WCBOR_API wcbor_status wcbor_reader_reset(wcbor_reader *reader, const void *bytes, size_t nbytes, bool is_partial);

/*
 * Goes on with other bytes, which must begin with those that have not been read. WCBOR_FINAL_BLOCK, unless the bytes so
 * far were partial; WCBOR_NULL_ARGUMENT; WCBOR_BUFFER_TOO_SHORT when they are fewer than wcbor_reader_left.
 */
WCBOR_API wcbor_status wcbor_reader_slide(wcbor_reader *reader, const void *bytes, size_t nbytes, bool is_partial);

/* Bytes that have not been read. */
WCBOR_API size_t wcbor_reader_left(const wcbor_reader *reader);

/* Open arrays, maps and chunked strings. Tags do not count. */
WCBOR_API uint32_t wcbor_reader_depth(const wcbor_reader *reader);

/* Bytes that have been read, of earlier bytes (wcbor_reader_slide) too. */
WCBOR_API size_t wcbor_reader_offset(const wcbor_reader *reader);

/* After a call that failed: where the item at fault begins, as wcbor_validate has it, counted like wcbor_reader_offset. */
WCBOR_API size_t wcbor_reader_fault(const wcbor_reader *reader);

/*
 * After a call that failed with `status`: how many bytes at least must follow for the item at fault to be whole, if it
 * is only cut short; 0 for all other faults.
 */
WCBOR_API uint64_t wcbor_reader_missing(const wcbor_reader *reader, wcbor_status status);

/*
 * What the next item is, by its initial byte; or the end that is due. Nothing moves. WCBOR_STATE_FINISHED: the root, or
 * with allow_multiple_roots all bytes, have been read; a reader of one root does not look at what follows it. Fails with
 * WCBOR_UNEXPECTED_END, WCBOR_TAG_WITHOUT_VALUE, WCBOR_UNEXPECTED_BREAK, WCBOR_KEY_WITHOUT_VALUE,
 * WCBOR_STRING_CHUNK_INVALID.
 */
WCBOR_API wcbor_status wcbor_reader_peek(wcbor_reader *reader, wcbor_state *state);

/*
 * Items. Each of these may fail with, in this order: WCBOR_NO_MORE_ITEMS; WCBOR_UNEXPECTED_END (with
 * allow_multiple_roots WCBOR_TAG_WITHOUT_VALUE or WCBOR_NO_MORE_ITEMS, behind the last root); WCBOR_STRING_CHUNK_INVALID
 * in a chunked string; WCBOR_TYPE_MISMATCH; in dag-cbor WCBOR_KEY_TYPE_NOT_ALLOWED; what is said with the call; and where
 * the item was a key WCBOR_DUPLICATE_KEY, WCBOR_KEYS_NOT_SORTED, WCBOR_OUT_OF_MEMORY. Where there is an argument:
 * WCBOR_INVALID_INTEGER_ENCODING, WCBOR_UNEXPECTED_END, WCBOR_NON_MINIMAL_INTEGER. Results are set by success alone.
 */

/* An integer of that range. WCBOR_OVERFLOW; an unsigned read of a negative integer fails so whatever its argument. */
WCBOR_API wcbor_status wcbor_read_int32(wcbor_reader *reader, int32_t *value);
WCBOR_API wcbor_status wcbor_read_uint32(wcbor_reader *reader, uint32_t *value);
WCBOR_API wcbor_status wcbor_read_int64(wcbor_reader *reader, int64_t *value);
WCBOR_API wcbor_status wcbor_read_uint64(wcbor_reader *reader, uint64_t *value);

/* The integer -1 - `argument`, major type 1: it reaches down to -2^64. */
WCBOR_API wcbor_status wcbor_read_negative(wcbor_reader *reader, uint64_t *argument);

/*
 * A string as a whole, its chunks joined, copied to `destination`. WCBOR_DEST_TOO_SMALL, with `*nbytes` set to the size
 * needed, when it is longer than `capacity`. WCBOR_LENGTH_EXCEEDS_BUFFER; of chunks WCBOR_INDEFINITE_NOT_ALLOWED,
 * WCBOR_DEPTH_EXCEEDED, WCBOR_STRING_CHUNK_INVALID. Text is UTF-8, each chunk by itself: ill-formed parts become U+FFFD in
 * lax, as the WHATWG Encoding Standard decodes, and are WCBOR_INVALID_UTF8 elsewhere.
 */
WCBOR_API wcbor_status wcbor_read_bytes(wcbor_reader *reader, void *destination, size_t capacity, size_t *nbytes);
WCBOR_API wcbor_status wcbor_read_text(wcbor_reader *reader, char *destination, size_t capacity, size_t *nbytes);

/*
 * Like the two above, but where the payload stands in the caller's bytes, without a copy. WCBOR_INDEFINITE_STRING for
 * one in chunks. In lax the text is as it stands, ill-formed or not.
 */
WCBOR_API wcbor_status wcbor_read_definite_bytes(wcbor_reader *reader, const uint8_t **bytes, size_t *nbytes);
WCBOR_API wcbor_status wcbor_read_definite_text(wcbor_reader *reader, const char **text, size_t *nbytes);

/*
 * Strings in chunks (section 3.2.3), chunk by chunk: between the two calls each chunk is read as a definite string.
 * WCBOR_NOT_INDEFINITE, WCBOR_INDEFINITE_NOT_ALLOWED, WCBOR_DEPTH_EXCEEDED. The ends: as of containers.
 */
WCBOR_API wcbor_status wcbor_read_start_indefinite_bytes(wcbor_reader *reader);
WCBOR_API wcbor_status wcbor_read_end_indefinite_bytes(wcbor_reader *reader);
WCBOR_API wcbor_status wcbor_read_start_indefinite_text(wcbor_reader *reader);
WCBOR_API wcbor_status wcbor_read_end_indefinite_text(wcbor_reader *reader);

/*
 * Containers. `*count` (unless `count` is NULL) is the number of items, or of pairs, or -1 of an indefinite length.
 * WCBOR_DEPTH_EXCEEDED, WCBOR_INDEFINITE_NOT_ALLOWED, WCBOR_LENGTH_EXCEEDS_BUFFER. Keys and values are read in turn.
 */
WCBOR_API wcbor_status wcbor_read_start_array(wcbor_reader *reader, int64_t *count);
WCBOR_API wcbor_status wcbor_read_start_map(wcbor_reader *reader, int64_t *count);

/*
 * The end of the open container. Where that has an indefinite length (or is the root of a sequence), first
 * WCBOR_UNEXPECTED_END and so on as of items, WCBOR_NOT_AT_BREAK, and of a map WCBOR_KEY_WITHOUT_VALUE. Then
 * WCBOR_NOT_IN_CONTAINER, WCBOR_CONTAINER_MISMATCH, WCBOR_NOT_FILLED, WCBOR_TAG_WITHOUT_VALUE, and what a key may fail with.
 */
WCBOR_API wcbor_status wcbor_read_end_array(wcbor_reader *reader);
WCBOR_API wcbor_status wcbor_read_end_map(wcbor_reader *reader);

/* A tag (section 3.4), which is no item itself. WCBOR_TAGS_NOT_ALLOWED in ctap2, WCBOR_TAG_NOT_ALLOWED in dag-cbor. */
WCBOR_API wcbor_status wcbor_read_tag(wcbor_reader *reader, uint64_t *tag);

/* Like wcbor_read_tag, but nothing moves. */
WCBOR_API wcbor_status wcbor_peek_tag(wcbor_reader *reader, uint64_t *tag);

/*
 * Floating-point numbers of at most that width; a half as its 16 bits. WCBOR_NOT_A_FLOAT, WCBOR_LOWER_PRECISION when it
 * is wider, WCBOR_UNEXPECTED_END; and what the mode says: WCBOR_FLOAT_NOT_ALLOWED, WCBOR_NOT_REDUCED,
 * WCBOR_NON_MINIMAL_FLOAT.
 */
WCBOR_API wcbor_status wcbor_read_half(wcbor_reader *reader, uint16_t *bits);
WCBOR_API wcbor_status wcbor_read_single(wcbor_reader *reader, float *value);
WCBOR_API wcbor_status wcbor_read_double(wcbor_reader *reader, double *value);

/* f4 and f5, f6, f7. WCBOR_NOT_A_BOOLEAN, WCBOR_NOT_NULL, WCBOR_NOT_UNDEFINED; WCBOR_SIMPLE_NOT_ALLOWED. */
WCBOR_API wcbor_status wcbor_read_bool(wcbor_reader *reader, bool *value);
WCBOR_API wcbor_status wcbor_read_null(wcbor_reader *reader);
WCBOR_API wcbor_status wcbor_read_undefined(wcbor_reader *reader);

/*
 * Any simple value, those three included. WCBOR_RESERVED_SIMPLE_VALUE for fc, fd and fe, WCBOR_NOT_A_SIMPLE_VALUE,
 * WCBOR_UNEXPECTED_END, WCBOR_INVALID_SIMPLE_VALUE for f800..f81f outside lax, WCBOR_SIMPLE_NOT_ALLOWED.
 */
WCBOR_API wcbor_status wcbor_read_simple(wcbor_reader *reader, uint8_t *value);

/*
 * Tagged items, read whole or not at all: a call that fails, in whatever way, puts the reader back to before the tag.
 */

/*
 * Tag 0 (section 3.4.1): the text, of at most 33 bytes, to `destination`. WCBOR_TAG_MISMATCH; WCBOR_INVALID_DATETIME unless
 * it is a text string, an RFC 3339 date-time with an offset, its T and Z in upper case, with at most seven digits of a
 * fraction; WCBOR_DEST_TOO_SMALL.
 */
WCBOR_API wcbor_status wcbor_read_date_time(wcbor_reader *reader, char *destination, size_t capacity, size_t *nbytes);

/* Seconds since 1970. */
typedef struct wcbor_unix_time {
    bool is_integer;
    int64_t integer; /* 0 if it is none */
    double seconds;  /* the same, rounded if need be */
} wcbor_unix_time;

/* Tag 1 (section 3.4.2). WCBOR_TAG_MISMATCH; WCBOR_INVALID_UNIXTIME unless it is a finite float or an integer of 64 bits. */
WCBOR_API wcbor_status wcbor_read_unix_time(wcbor_reader *reader, wcbor_unix_time *time);

/*
 * A bignum (section 3.4.3), to `destination`, big-endian, leading zeros included: the number, or with `*negative` the
 * number n of the value -1 - n. Empty is 0. WCBOR_NOT_A_BIGNUM_TAG, WCBOR_INVALID_BIGNUM, WCBOR_BIGNUM_NOT_PREFERRED, and
 * as wcbor_read_bytes.
 */
WCBOR_API wcbor_status wcbor_read_bignum(wcbor_reader *reader, bool *negative, void *destination, size_t capacity,
                                         size_t *nbytes);

/*
 * A decimal fraction (section 3.4.4), its mantissa as of wcbor_read_bignum. WCBOR_TAG_MISMATCH; WCBOR_INVALID_DECIMAL
 * unless it is a definite array of an integer, and an integer or a bignum; WCBOR_OVERFLOW for an exponent past 64 bits,
 * and in lax, strict and canonical for what .NET's decimals do not hold: exponents of more than 28, more than 96 bits,
 * unless the mantissa is 0. WCBOR_DEST_TOO_SMALL.
 */
WCBOR_API wcbor_status wcbor_read_decimal(wcbor_reader *reader, int64_t *exponent, bool *negative, void *destination,
                                          size_t capacity, size_t *nbytes);

/*
 * Reads over the next item with its tags and all that is in it, or over the rest of the open container with its end;
 * neither is recursive. Without `checks` the mode's rules are not kept to, only the structure and the depth, and keys
 * that are skipped are not remembered. All or nothing. WCBOR_SKIP_INVALID_STATE where an end is due;
 * WCBOR_NOT_IN_CONTAINER; and all that reading the items may fail with, as of wcbor_validate. If the bytes are partial
 * and wcbor_reader_missing is not 0, the skip can be tried again with more of them.
 */
WCBOR_API wcbor_status wcbor_skip_value(wcbor_reader *reader, bool checks);
WCBOR_API wcbor_status wcbor_skip_to_parent(wcbor_reader *reader, bool checks);

/* Like wcbor_skip_value; the item, with its tags, is where it stands in the caller's bytes. */
WCBOR_API wcbor_status wcbor_read_encoded(wcbor_reader *reader, bool checks, const uint8_t **bytes, size_t *nbytes);

/*
 * Checks the bytes by the rules of a mode, without recursion, in one pass: an item, or with allow_multiple_roots all
 * items up to the end. `options` is NULL for WCBOR_READER_OPTIONS_DEFAULT; is_partial makes no difference.
 *
 * WCBOR_OK: `*offset` is where the item ends. Bytes behind it are the caller's business.
 *
 * Else the first fault, and `*offset` is where the item at fault begins: its initial byte; of a key that is there
 * already or out of order, the key's (with its tags); of a break, the break's; the end, where an item is due. `*missing`
 * (unless `missing` is NULL) is how many bytes at least must follow if the bytes are only cut short, and 0 for all other
 * faults. In dcbor the caller sees to it that text is in NFC: this library has no Unicode tables.
 *
 * What wcbor_reader_init may fail with comes first; WCBOR_OUT_OF_MEMORY where the nesting, or in strict the keys of open
 * maps, take more than the hook gives: some 30 bytes for each key.
 */
WCBOR_API wcbor_status wcbor_validate(const void *bytes, size_t nbytes, const wcbor_reader_options *options,
                                      size_t *offset, uint64_t *missing);

/* ------------------------------------------------------------------------------------------------ items one by one */

/* Where an item stands. */
typedef enum wcbor_place {
    WCBOR_PLACE_ITEM = 0,    /* at the top, or in an array */
    WCBOR_PLACE_KEY = 1,     /* a map's key, or its value */
    WCBOR_PLACE_VALUE = 2,
    WCBOR_PLACE_CHUNK = 3,   /* in a chunked string */
    WCBOR_PLACE_CONTENT = 4, /* behind a tag */
    WCBOR_PLACE_END = 5      /* no item: the end of the innermost container */
} wcbor_place;

/* What wcbor_items_next finds: one head and, of a string, its payload; or the end of a container. */
typedef struct wcbor_item {
    size_t offset;       /* of the initial byte; of an end, where it is found */
    size_t head_nbytes;  /* 1, 2, 3, 5 or 9; of an end the break's 1, or 0 */
    size_t nbytes;       /* of the payload behind the head, as far as it is there; 0 unless it is a definite string */
    uint64_t argument;   /* RFC 8949, section 3; 0 for an indefinite length */
    size_t tags;         /* how many tags are complete with this item; 0 for what has yet to end, and for a tag */
    uint32_t depth;      /* containers and tags around it */
    uint8_t initial;     /* the initial byte; of an end, that of what ends (00: embedded items) */
    bool first;          /* nothing precedes it in its container; of an end: the container is empty */
    wcbor_place place;
} wcbor_item;

/* Private: what the walk remembers of a container around. */
typedef struct wcbor_items_level_ {
    const uint8_t *end;
    size_t left, tags;
    uint32_t kind;
} wcbor_items_level_;

#define WCBOR_INLINE_LEVELS_ 16

/* A walk over the items of some bytes. Its fields are private; not to be copied or moved once it is initialised. */
typedef struct wcbor_items {
    const uint8_t *bytes, *next, *end;
    size_t left, tags, tags_around;
    uint64_t tag;
    uint32_t kind, max_depth;
    wcbor_block_ levels;
    wcbor_reallocate reallocate;
    void *context;
    wcbor_items_level_ inline_levels[WCBOR_INLINE_LEVELS_];
} wcbor_items;

/*
 * Begins a walk over `bytes`: one item, or with `sequence` any number (RFC 8742). The bytes stay the caller's and must
 * stay as they are. `max_depth`: how many containers may be open at once, -1 for WCBOR_DEFAULT_MAX_DEPTH; past 16 they
 * take memory of the hook, which may be NULL.
 */
WCBOR_API void wcbor_items_init(wcbor_items *items, const void *bytes, size_t nbytes, bool sequence, int32_t max_depth,
                                wcbor_reallocate reallocate, void *context);

/*
 * The next head, or the next end; of an item of definite length too, whose end has no bytes. WCBOR_NO_MORE_ITEMS behind
 * the last. What is not well-formed (RFC 8949, section 5.3.1 and appendix F; text is not looked into) fails, with
 * `offset` where the fault is and `place`, `first` and `depth` of the item that was due, and fails again if it is asked
 * again: WCBOR_UNEXPECTED_END, WCBOR_UNEXPECTED_BREAK, WCBOR_TAG_WITHOUT_VALUE, WCBOR_KEY_WITHOUT_VALUE,
 * WCBOR_STRING_CHUNK_INVALID, WCBOR_INVALID_INTEGER_ENCODING, WCBOR_RESERVED_SIMPLE_VALUE, WCBOR_INVALID_SIMPLE_VALUE,
 * WCBOR_TRAILING_BYTES; and so do WCBOR_DEPTH_EXCEEDED and WCBOR_OUT_OF_MEMORY. Only WCBOR_LENGTH_EXCEEDS_BUFFER lets
 * the walk go on: the item is given as far as it is there.
 */
WCBOR_API wcbor_status wcbor_items_next(wcbor_items *items, wcbor_item *item);

/*
 * Makes the walk go on inside the byte string that wcbor_items_next has just given, if it is of definite length and the
 * content of tag 24 (section 3.4.5.1), and holds exactly one well-formed item, or of tag 63 (a sequence),
 * and holds any number. They stand between `item`, whose `tags` is now 0, and an end whose `initial` is 00. False, with
 * nothing changed, when the string holds something else.
 */
WCBOR_API bool wcbor_items_enter(wcbor_items *items, wcbor_item *item);

/* Gives the memory of the hook back. */
WCBOR_API void wcbor_items_free(wcbor_items *items);

/*
 * Writes well-formed items again, one item or with allow_multiple_roots any number, as this writer writes them: in its
 * mode's form where there is one, whatever form they have. Lengths get definite with convert_indefinite_lengths.
 * `*fault_offset` is where in `bytes` the item stands that cannot be written, or is not well-formed; what stands before
 * it is written by then. WCBOR_NULL_ARGUMENT; else as the writer's calls, and as wcbor_items_next.
 */
WCBOR_API wcbor_status wcbor_write_reencoded(wcbor_writer *writer, const void *bytes, size_t nbytes,
                                             size_t *fault_offset);

/* ------------------------------------------------------------------------------------------- diagnostic notation */
/* --------------------------------------------------------------------------------------------------------- JSON */

/* What a byte string becomes in JSON that no tag 21, 22 or 23 says otherwise of. */
typedef enum wcbor_json_bytes {
    WCBOR_JSON_BYTES_BASE64URL = 0, /* as RFC 8949, section 6.1, has it: without padding */
    WCBOR_JSON_BYTES_BASE64 = 1,    /* with padding, as tag 22 has it */
    WCBOR_JSON_BYTES_HEX = 2,       /* in upper case, as tag 23 has it (RFC 4648, section 8) */
    WCBOR_JSON_BYTES_ERROR = 3      /* WCBOR_NOT_IN_JSON */
} wcbor_json_bytes;

/* What a bignum (tag 2 or 3) becomes. */
typedef enum wcbor_json_bignums {
    WCBOR_JSON_BIGNUMS_BASE64URL = 0, /* text, as RFC 8949, section 6.1, has it: ~ in front of the bytes of a negative one */
    WCBOR_JSON_BIGNUMS_NUMBER = 1,    /* a number of as many digits as it has, up to 4096: beyond WCBOR_LIMIT_EXCEEDED */
    WCBOR_JSON_BIGNUMS_STRING = 2,    /* likewise, as a string */
    WCBOR_JSON_BIGNUMS_ERROR = 3      /* WCBOR_NOT_IN_JSON */
} wcbor_json_bignums;

/* What a map key becomes that is not text. */
typedef enum wcbor_json_keys {
    WCBOR_JSON_KEYS_ERROR = 0, /* WCBOR_NOT_IN_JSON */
    WCBOR_JSON_KEYS_STRING = 1 /* its JSON as a string; of arrays and maps WCBOR_NOT_IN_JSON */
} wcbor_json_keys;

typedef struct wcbor_json_options {
    wcbor_mode mode;             /* what the CBOR that is written, or read, keeps to */
    int32_t max_depth;           /* arrays and maps that may be open at once; 0 allows none; -1 is the default */
    size_t max_nbytes;           /* neither the input nor the result may be longer; 0: no limit */
    wcbor_reallocate reallocate; /* where the result comes from */
    void *context;               /* handed to `reallocate` */
    uint64_t seed;               /* any number that a writer of hostile keys cannot know */
    bool round_integers;         /* wcbor_json_to_cbor: integers beyond 2^53 become the doubles nearest to them */
    wcbor_json_bytes bytes;      /* the rest: wcbor_cbor_to_json */
    wcbor_json_bignums bignums;
    wcbor_json_keys keys;
    uint8_t indent;              /* by how many spaces what is nested is indented, on lines of its own; 0: all on one line */
} wcbor_json_options;

/* {strict, default depth, no limit, no hook}, and the first of each choice. */
#define WCBOR_JSON_OPTIONS_DEFAULT                                                                                     \
  {                                                                                                                    \
    WCBOR_MODE_STRICT, -1, 0, NULL, NULL, 0, false, WCBOR_JSON_BYTES_BASE64URL, WCBOR_JSON_BIGNUMS_BASE64URL,          \
      WCBOR_JSON_KEYS_ERROR, 0                                                                                         \
  }

/* What a conversion came to. */
typedef struct wcbor_buffer {
    uint8_t *bytes; /* memory of the caller's hook, for the caller to give back; NULL after a failure */
    size_t nbytes;
    size_t offset;  /* where in the input the conversion ended or failed */
} wcbor_buffer;

/* How diagnostic notation says in which of several ways an item is encoded: 1_0, 1.5_3, [_1 2]. */
typedef enum wcbor_indicators {
    WCBOR_INDICATORS_AUTO = 0,   /* where the encoding is not the preferred one (RFC 8949, section 4.1) */
    WCBOR_INDICATORS_ALWAYS = 1, /* everywhere, also 1_i for an argument in the initial byte */
    WCBOR_INDICATORS_NEVER = 2
} wcbor_indicators;

typedef struct wcbor_diagnostic_options {
    wcbor_reallocate reallocate; /* all memory, the result's too; there must be one */
    void *context;
    wcbor_indicators indicators;
    uint32_t indent;             /* columns for each level, 80 at most, of a text with one item to a line; 0: one line */
    bool sequence;               /* any number of items at the top (RFC 8742), none too, instead of one */
    bool embedded;               /* what tags 24 and 63 stand on is shown as <<items>>, if it is well-formed */
    int32_t max_depth;           /* containers, embedded ones too, that may be open at once; -1 is the default */
    size_t offset;               /* where in the caller's input `bytes` begins: added to the offsets that are shown */
} wcbor_diagnostic_options;

/* All zero or false, with the default depth and this hook. */
#define WCBOR_DIAGNOSTIC_OPTIONS(reallocate_, context_)                                                                \
  {reallocate_, context_, WCBOR_INDICATORS_AUTO, 0, false, false, -1, 0}

/*
 * Diagnostic notation (RFC 8949, section 8; RFC 8610, appendix G) of the items in `bytes`. `result->bytes` is
 * the text, UTF-8 without a NUL; NULL when it is empty.
 *
 * Bytes that are not well-formed give the text up to the fault, which then stands in a comment:
 * [1, / ERR_CBOR_UNEXPECTED_END at 2 /. The status is the first fault, as from wcbor_items_next, `result->offset` where it
 * is. A length that the bytes cannot hold is marked behind its item, and so is WCBOR_INVALID_UTF8, where what is
 * ill-formed is shown as U+FFFD; the text goes on behind them. WCBOR_OUT_OF_MEMORY leaves no text.
 *
 * What it writes of well-formed items, with valid text and indicators, wcbor_parse_diagnostic makes the same bytes of.
 * The common bignums are shown as numbers, a NaN with a payload of its own as float'7e01'.
 */
WCBOR_API wcbor_status wcbor_diagnose(const void *bytes, size_t nbytes, const wcbor_diagnostic_options *options,
                                      wcbor_buffer *result);

/*
 * The items that diagnostic notation stands for, encoded as their encoding indicators say, else in the preferred way.
 * Of the options, `indicators`, `indent`, `embedded` and `offset` are not looked at. WCBOR_INVALID_DIAGNOSTIC,
 * with `result->offset` where in the text it is; WCBOR_DEPTH_EXCEEDED, likewise; WCBOR_OUT_OF_MEMORY. There are no bytes
 * then.
 *
 * It takes all of RFC 8949, section 8, and RFC 8610, appendix G: comments (also # and // up to the end of the line),
 * trailing commas, numbers in base 2, 8, 10 and 16, floats in base 10 and 16, byte strings as h'', b32'', h32'', b64'' and
 * '', embedded items <<>>, and strings that are concatenated by standing side by side or with + between them. Integers
 * past 64 bits become bignums.
 */
WCBOR_API wcbor_status wcbor_parse_diagnostic(const char *text, size_t nbytes, const wcbor_diagnostic_options *options,
                                              wcbor_buffer *result);
/*
 * Makes one CBOR item of a JSON text (RFC 8259) in UTF-8, without a byte order mark.
 *
 * An integer (no point, no exponent) is one in CBOR too, beyond 64 bits as a bignum; one of more than 4096 digits fails
 * with WCBOR_LIMIT_EXCEEDED. Any other number, and -0, is the nearest double: an integer again if it is one within
 * 2^53 and not -0, else a float as wcbor_write_double has it. Strings lose their escapes; objects keep the order of their
 * names, or are sorted in the modes that sort. A name that comes again is written again in lax, and elsewhere
 * WCBOR_DUPLICATE_KEY. In lax, ill-formed UTF-8 and escapes of single surrogates become U+FFFD, elsewhere they are
 * WCBOR_INVALID_TEXT. In dcbor the caller sees to it that text is in NFC.
 *
 * WCBOR_INVALID_JSON: `offset` is that of the first byte that cannot stand there, or `nbytes` when the text is only cut
 * short. WCBOR_DEPTH_EXCEEDED and WCBOR_DUPLICATE_KEY at the bracket and the name; what the mode has no form for
 * (WCBOR_TAGS_NOT_ALLOWED, WCBOR_TAG_NOT_ALLOWED, WCBOR_FLOAT_NOT_ALLOWED) at the number; WCBOR_OPTION_OUT_OF_RANGE,
 * WCBOR_NULL_ARGUMENT, WCBOR_LIMIT_EXCEEDED, WCBOR_OUT_OF_MEMORY. It takes 11 KB of stack.
 */
WCBOR_API wcbor_status wcbor_json_to_cbor(const void *text, size_t nbytes, const wcbor_json_options *options,
                                          wcbor_buffer *result);

/*
 * Makes a JSON text of the one CBOR item at `bytes`, as RFC 8949, section 6.1, advises. The item is validated in the mode
 * first, as by wcbor_validate, with the same statuses and offsets; WCBOR_TRAILING_BYTES. Numbers, strings and white space
 * come out as ECMAScript's JSON.stringify writes them: a float with the fewest digits that give it back, -0 as 0; an
 * integer of 64 bits with all of its digits. NaN, infinities, undefined and unassigned simple values become null. Tags
 * 21, 22 and 23 say how the byte strings in what they stand on are written; tags 2 and 3 on a byte string are bignums; of
 * other tags only the content is written.
 *
 * WCBOR_NOT_IN_JSON, with the offset of the item, as the options have it; WCBOR_INVALID_UTF8 also in lax, for JSON has no
 * other text; WCBOR_DUPLICATE_KEY where two keys become the same string, outside lax; WCBOR_OPTION_OUT_OF_RANGE,
 * WCBOR_NULL_ARGUMENT, WCBOR_LIMIT_EXCEEDED, WCBOR_OUT_OF_MEMORY. It takes 13 KB of stack.
 */
WCBOR_API wcbor_status wcbor_cbor_to_json(const void *bytes, size_t nbytes, const wcbor_json_options *options,
                                          wcbor_buffer *result);

#ifdef __cplusplus
}
#endif

#endif
