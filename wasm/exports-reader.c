/*
 * exports-reader.c - what JavaScript calls to read: a cursor, which is a reader with its data, and validation.
 */
#include "../src/reader.h"
#include "../src/float.h"
#include "abi.h"
#include "memory.h"
#include "result.h"

/* What JavaScript reads at the cursor's address, field by field as in abi.h. */
typedef struct cursor_fields {
    double number, missing;
    uint32_t low, high;
    const uint8_t *bytes;
    size_t nbytes;
    uint32_t negative, depth;
    size_t left, offset, fault;
} cursor_fields;

_Static_assert(offsetof(cursor_fields, missing) == CURSOR_MISSING && offsetof(cursor_fields, bytes) == CURSOR_BYTES
                   && offsetof(cursor_fields, depth) == CURSOR_DEPTH && offsetof(cursor_fields, fault) == CURSOR_FAULT,
               "cursor_fields and abi.h differ");

typedef struct cursor {
    cursor_fields fields;
    wcbor_reader reader;
    wcbor_mark_ mark; /* before the last call with FLAG_MARK */
    uint8_t *data, *joined; /* the data, and the last string that had to be put together */
} cursor;

static void *reallocate(void *context, void *memory, size_t nbytes) {
    (void)context;
    return memory_resize(memory, nbytes);
}

static wcbor_status show(cursor *c, wcbor_status status) {
    c->fields.depth = c->reader.depth;
    c->fields.left = wcbor_reader_left(&c->reader);
    c->fields.offset = wcbor_reader_offset(&c->reader);
    if (status != WCBOR_OK) {
        c->fields.fault = wcbor_reader_fault(&c->reader);
        c->fields.missing = (double)wcbor_reader_missing(&c->reader, status);
    }
    return status;
}

/* A cursor without data, whose options are in range (`mode` a wcbor_mode, FLAG_... of abi.h); NULL without memory. */
EXPORT(wcbor_cursor_new) cursor *wcbor_cursor_new(uint32_t mode, uint32_t flags, int32_t max_depth) {
    cursor *c = memory_resize(NULL, sizeof *c);
    if (c == NULL) return NULL;
    wcbor_reader_options options = {(wcbor_mode)mode, (flags & FLAG_MULTIPLE_ROOTS) != 0, false, max_depth, reallocate,
                                    NULL, wcbor_module_seed};
    (void)wcbor_reader_init(&c->reader, &options, NULL, 0);
    c->data = c->joined = NULL;
    return c;
}

EXPORT(wcbor_cursor_free) void wcbor_cursor_free(cursor *c) {
    wcbor_reader_free(&c->reader);
    (void)memory_resize(c->joined, 0);
    (void)memory_resize(c->data, 0);
    (void)memory_resize(c, 0);
}

/* Gives data, in a block that is the cursor's from then on, to a cursor that starts over, or with FLAG_SLIDE goes on. */
EXPORT(wcbor_cursor_data) wcbor_status wcbor_cursor_data(cursor *c, uint8_t *data, size_t nbytes, uint32_t flags) {
    bool is_partial = (flags & FLAG_PARTIAL) != 0;
    wcbor_status status = (flags & FLAG_SLIDE) != 0 ? wcbor_reader_slide(&c->reader, data, nbytes, is_partial)
                                                    : wcbor_reader_reset(&c->reader, data, nbytes, is_partial);
    uint8_t *old = c->data;
    if (status == WCBOR_OK) c->data = data;
    else old = data;
    (void)memory_resize(old, 0);
    return show(c, status);
}

static void put_integer(cursor *c, uint64_t bits, double number) {
    c->fields.low = (uint32_t)bits;
    c->fields.high = (uint32_t)(bits >> 32);
    c->fields.number = number;
}

/* A string in chunks, or a number of any length, is put together in memory of its own: `read` is told how much it has. */
typedef wcbor_status (*reading)(cursor *c, uint8_t *destination, size_t capacity, size_t *nbytes);

static wcbor_status join(cursor *c, reading read) {
    size_t nbytes = 0;
    wcbor_status status = read(c, NULL, 0, &nbytes);
    if (status == WCBOR_DEST_TOO_SMALL) {
        c->joined = memory_resize(NULL, nbytes);
        if (c->joined == NULL) return WCBOR_OUT_OF_MEMORY;
        status = read(c, c->joined, nbytes, &nbytes);
    }
    c->fields.bytes = c->joined;
    c->fields.nbytes = nbytes;
    return status;
}

static wcbor_status join_bytes(cursor *c, uint8_t *destination, size_t capacity, size_t *nbytes) {
    return wcbor_read_bytes(&c->reader, destination, capacity, nbytes);
}

static wcbor_status join_text(cursor *c, uint8_t *destination, size_t capacity, size_t *nbytes) {
    return wcbor_read_text(&c->reader, (char *)destination, capacity, nbytes);
}

static wcbor_status join_date_time(cursor *c, uint8_t *destination, size_t capacity, size_t *nbytes) {
    return wcbor_read_date_time(&c->reader, (char *)destination, capacity, nbytes);
}

static wcbor_status join_bignum(cursor *c, uint8_t *destination, size_t capacity, size_t *nbytes) {
    bool negative = false;
    wcbor_status status = wcbor_read_bignum(&c->reader, &negative, destination, capacity, nbytes);
    c->fields.negative = negative;
    return status;
}

static wcbor_status join_decimal(cursor *c, uint8_t *destination, size_t capacity, size_t *nbytes) {
    bool negative = false;
    int64_t exponent = 0;
    wcbor_status status = wcbor_read_decimal(&c->reader, &exponent, &negative, destination, capacity, nbytes);
    put_integer(c, (uint64_t)exponent, (double)exponent);
    c->fields.negative = negative;
    return status;
}

/* Whether the next item is a string in chunks, where it is a string. */
static bool is_chunked(const wcbor_reader *reader) {
    return reader->next != reader->end && (*reader->next & 0x1f) == WCBOR_INDEFINITE;
}

static wcbor_status call(cursor *c, uint32_t op, bool checks) {
    wcbor_reader *reader = &c->reader;
    cursor_fields *f = &c->fields;
    wcbor_status status;
    wcbor_state state = WCBOR_STATE_UNDEFINED;
    int64_t i64 = 0;
    uint64_t u64 = 0;
    int32_t i32 = 0;
    uint32_t u32 = 0;
    uint16_t half = 0;
    uint8_t simple = 0;
    bool flag = false;
    float single = 0;
    wcbor_unix_time time = {false, 0, 0};
    switch (op) {
    case READ_PEEK:
        status = wcbor_reader_peek(reader, &state);
        f->low = state;
        return status;
    case READ_INT32:
        status = wcbor_read_int32(reader, &i32);
        f->number = i32;
        return status;
    case READ_UINT32:
        status = wcbor_read_uint32(reader, &u32);
        f->number = u32;
        return status;
    case READ_INT64:
        status = wcbor_read_int64(reader, &i64);
        put_integer(c, (uint64_t)i64, (double)i64);
        return status;
    case READ_UINT64:
        status = wcbor_read_uint64(reader, &u64);
        put_integer(c, u64, (double)u64);
        return status;
    case READ_NEGATIVE:
        status = wcbor_read_negative(reader, &u64);
        put_integer(c, u64, (double)u64);
        return status;
    case READ_BYTES:
        return is_chunked(reader) ? join(c, join_bytes) : wcbor_read_definite_bytes(reader, &f->bytes, &f->nbytes);
    case READ_DEFINITE_BYTES: return wcbor_read_definite_bytes(reader, &f->bytes, &f->nbytes);
    case READ_TEXT:
        if (is_chunked(reader)) return join(c, join_text);
        return wcbor_read_definite_text(reader, (const char **)&f->bytes, &f->nbytes);
    case READ_DEFINITE_TEXT: return wcbor_read_definite_text(reader, (const char **)&f->bytes, &f->nbytes);
    case READ_START_BYTES: return wcbor_read_start_indefinite_bytes(reader);
    case READ_END_BYTES: return wcbor_read_end_indefinite_bytes(reader);
    case READ_START_TEXT: return wcbor_read_start_indefinite_text(reader);
    case READ_END_TEXT: return wcbor_read_end_indefinite_text(reader);
    case READ_START_ARRAY:
        status = wcbor_read_start_array(reader, &i64);
        f->number = (double)i64;
        return status;
    case READ_END_ARRAY: return wcbor_read_end_array(reader);
    case READ_START_MAP:
        status = wcbor_read_start_map(reader, &i64);
        f->number = (double)i64;
        return status;
    case READ_END_MAP: return wcbor_read_end_map(reader);
    case READ_TAG:
    case READ_PEEK_TAG:
        status = op == READ_TAG ? wcbor_read_tag(reader, &u64) : wcbor_peek_tag(reader, &u64);
        put_integer(c, u64, (double)u64);
        return status;
    case READ_HALF:
        status = wcbor_read_half(reader, &half);
        f->number = wcbor_half_value_(half);
        return status;
    case READ_SINGLE:
        status = wcbor_read_single(reader, &single);
        f->number = (double)single;
        return status;
    case READ_DOUBLE: return wcbor_read_double(reader, &f->number);
    case READ_BOOL:
        status = wcbor_read_bool(reader, &flag);
        f->low = flag;
        return status;
    case READ_NULL: return wcbor_read_null(reader);
    case READ_UNDEFINED: return wcbor_read_undefined(reader);
    case READ_SIMPLE:
        status = wcbor_read_simple(reader, &simple);
        f->low = simple;
        return status;
    case READ_DATE_TIME: return join(c, join_date_time);
    case READ_UNIX_TIME:
        status = wcbor_read_unix_time(reader, &time);
        put_integer(c, (uint64_t)time.integer, time.seconds);
        f->negative = time.is_integer;
        return status;
    case READ_BIGNUM: return join(c, join_bignum);
    case READ_DECIMAL: return join(c, join_decimal);
    case READ_SKIP: return wcbor_skip_value(reader, checks);
    case READ_SKIP_TO_PARENT: return wcbor_skip_to_parent(reader, checks);
    default: return wcbor_read_encoded(reader, checks, &f->bytes, &f->nbytes);
    }
}

/* One call, READ_... of abi.h, with FLAG_UNCHECKED and FLAG_MARK. */
EXPORT(wcbor_cursor_read) wcbor_status wcbor_cursor_read(cursor *c, uint32_t op, uint32_t flags) {
    if (c->joined != NULL) c->joined = memory_resize(c->joined, 0);
    if (op == READ_UNDO) {
        wcbor_restore_reader_(&c->reader, &c->mark);
        return show(c, WCBOR_OK);
    }
    if ((flags & FLAG_MARK) != 0) c->mark = wcbor_mark_reader_(&c->reader);
    return show(c, call(c, op, (flags & FLAG_UNCHECKED) == 0));
}

/*
 * wcbor_validate by a mode and FLAG_MULTIPLE_ROOTS. `offset` of the result is where it ends or what went wrong begins;
 * `extra` is how many bytes are missing.
 */
EXPORT(wcbor_check) wcbor_status wcbor_check(const uint8_t *bytes, size_t nbytes, uint32_t mode, uint32_t flags,
                                             int32_t max_depth) {
    wcbor_reader_options options = {(wcbor_mode)mode, (flags & FLAG_MULTIPLE_ROOTS) != 0, false, max_depth, reallocate,
                                    NULL, wcbor_module_seed};
    uint64_t missing = 0;
    wcbor_status status = wcbor_validate(bytes, nbytes, &options, &wcbor_result_block.offset, &missing);
    wcbor_result_block.extra = missing < SIZE_MAX ? (size_t)missing : SIZE_MAX;
    return status;
}
