/*
 * The reader on any bytes, in any mode, by any calls.
 *
 * Input: a byte of options, one of limits, one that counts the bytes of calls, those, and the document. What must hold:
 * wcbor_validate, the reader's calls one by one, a skip, and the writer of encoded values find the same fault in the
 * same place; a call that fails changes nothing; data in two pieces read like data that are there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standard_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Memory that may be all used up after so many calls. */
typedef struct memory {
    unsigned calls, most;
} memory;

static void *give(void *context, void *block, size_t nbytes) {
    memory *m = context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    return m->calls++ >= m->most ? NULL : realloc(block, nbytes);
}

typedef struct document {
    const uint8_t *bytes;
    size_t nbytes;
    wcbor_reader_options options;
} document;

/* What a document came to. */
typedef struct outcome {
    wcbor_status status;
    size_t offset;
    uint64_t missing, tokens;
} outcome;

static wcbor_reader make(const document *d) {
    wcbor_reader reader;
    CHECK(wcbor_reader_init(&reader, &d->options, d->bytes, d->nbytes) == WCBOR_OK);
    return reader;
}

static void mix(uint64_t *tokens, const char *line) {
    for (; *line != 0; line++) *tokens = (*tokens ^ (uint8_t)*line) * UINT64_C(0x100000001b3);
}

/* Reads on to the end, the first failure, or where data are missing. */
static wcbor_status read_on(wcbor_reader *reader, uint64_t *tokens) {
    static char line[LINE_NBYTES];
    for (;;) {
        wcbor_state state = WCBOR_STATE_UNDEFINED;
        wcbor_status status = wcbor_reader_peek(reader, &state);
        if (status == WCBOR_OK && state >= WCBOR_STATE_FINISHED) return WCBOR_OK;
        if (status == WCBOR_OK) status = standard_read(reader, state, line);
        if (status != WCBOR_OK) return status;
        mix(tokens, line);
    }
}

static outcome of_reader(const wcbor_reader *reader, wcbor_status status, uint64_t tokens) {
    if (status == WCBOR_OK) return (outcome){status, wcbor_reader_offset(reader), 0, tokens};
    return (outcome){status, wcbor_reader_fault(reader), wcbor_reader_missing(reader, status), tokens};
}

static outcome read_all(const document *d) {
    wcbor_reader reader = make(d);
    uint64_t tokens = 0;
    wcbor_status status = read_on(&reader, &tokens);
    outcome o = of_reader(&reader, status, tokens);
    wcbor_reader_free(&reader);
    return o;
}

/* Whether memory may run out: then it is not always known if bytes are only cut short. */
static bool is_scarce;

static void check_same(outcome a, outcome b) {
    if (a.status == WCBOR_OUT_OF_MEMORY || b.status == WCBOR_OUT_OF_MEMORY) return;
    if (a.status == b.status && a.offset == b.offset && (is_scarce || a.missing == b.missing)) return;
    fprintf(stderr, "%s at %zu, %u missing; %s at %zu, %u missing\n", wcbor_status_name(a.status), a.offset,
            (unsigned)a.missing, wcbor_status_name(b.status), b.offset, (unsigned)b.missing);
    abort();
}

static void check_skip(const document *d, outcome expected) {
    if (d->options.allow_multiple_roots) return;
    wcbor_reader reader = make(d);
    wcbor_status status = wcbor_skip_value(&reader, true);
    CHECK(status == WCBOR_OK || (wcbor_reader_offset(&reader) == 0 && wcbor_reader_depth(&reader) == 0));
    check_same(of_reader(&reader, status, 0), expected);
    /* What is valid is well-formed. */
    if (status == WCBOR_OK) {
        size_t end = wcbor_reader_offset(&reader);
        CHECK(wcbor_reader_reset(&reader, d->bytes, d->nbytes, false) == WCBOR_OK);
        status = wcbor_skip_value(&reader, false);
        CHECK(status == WCBOR_OUT_OF_MEMORY || (status == WCBOR_OK && wcbor_reader_offset(&reader) == end));
    }
    wcbor_reader_free(&reader);
}

static void check_writer(const document *d, outcome expected) {
    /* Which takes other floats in canonical. */
    if (d->options.allow_multiple_roots || d->options.mode == WCBOR_MODE_CANONICAL || d->nbytes == 0) return;
    wcbor_writer_options options = {d->options.mode, false, false, d->options.max_depth, d->options.reallocate,
                                    d->options.context, 2};
    wcbor_writer writer;
    CHECK(wcbor_writer_init(&writer, &options, NULL, 0) == WCBOR_OK);
    wcbor_status status = wcbor_write_encoded(&writer, d->bytes, d->nbytes);
    if (status != WCBOR_OUT_OF_MEMORY && expected.status != WCBOR_OUT_OF_MEMORY)
        CHECK((status == WCBOR_OK) == (expected.status == WCBOR_OK && expected.offset == d->nbytes));
    wcbor_writer_free(&writer);
}

/* Lax, in two pieces, the second of which is all that follows what has been read of the first. */
static void check_pieces(const document *d, size_t cut) {
    document pieces = *d;
    pieces.options.mode = WCBOR_MODE_LAX;
    outcome whole = read_all(&pieces);
    pieces.options.is_partial = true;
    pieces.nbytes = cut <= d->nbytes ? cut : d->nbytes;
    wcbor_reader reader = make(&pieces);
    uint64_t tokens = 0;
    wcbor_status status = read_on(&reader, &tokens);
    if (status == WCBOR_OK) {
        size_t offset = wcbor_reader_offset(&reader);
        CHECK(wcbor_reader_slide(&reader, d->bytes + offset, d->nbytes - offset, false) == WCBOR_OK);
        status = read_on(&reader, &tokens);
    }
    if (status != WCBOR_OUT_OF_MEMORY && whole.status != WCBOR_OUT_OF_MEMORY) {
        CHECK((status == WCBOR_OK) == (whole.status == WCBOR_OK));
        if (status == WCBOR_OK) CHECK(tokens == whole.tokens && wcbor_reader_offset(&reader) == whole.offset);
    }
    wcbor_reader_free(&reader);
}

static wcbor_status call(wcbor_reader *r, unsigned op, unsigned argument) {
    uint8_t bytes[64], simple;
    size_t nbytes;
    int64_t i64;
    uint64_t u64;
    int32_t i32;
    uint32_t u32;
    uint16_t half;
    float single;
    double value;
    bool flag;
    const uint8_t *view;
    const char *text;
    wcbor_unix_time time;
    wcbor_state state = WCBOR_STATE_UNDEFINED;
    size_t capacity = argument % sizeof bytes;
    switch (op) {
    case 0: return wcbor_read_int32(r, &i32);
    case 1: return wcbor_read_uint32(r, &u32);
    case 2: return wcbor_read_int64(r, &i64);
    case 3: return wcbor_read_uint64(r, &u64);
    case 4: return wcbor_read_negative(r, &u64);
    case 5: return wcbor_read_bytes(r, bytes, capacity, &nbytes);
    case 6: return wcbor_read_text(r, (char *)bytes, capacity, &nbytes);
    case 7: return wcbor_read_definite_bytes(r, &view, &nbytes);
    case 8: return wcbor_read_definite_text(r, &text, &nbytes);
    case 9: return wcbor_read_start_indefinite_bytes(r);
    case 10: return wcbor_read_end_indefinite_bytes(r);
    case 11: return wcbor_read_start_indefinite_text(r);
    case 12: return wcbor_read_end_indefinite_text(r);
    case 13: return wcbor_read_start_array(r, &i64);
    case 14: return wcbor_read_end_array(r);
    case 15: return wcbor_read_start_map(r, &i64);
    case 16: return wcbor_read_end_map(r);
    case 17: return wcbor_read_tag(r, &u64);
    case 18: return wcbor_peek_tag(r, &u64);
    case 19: return wcbor_read_half(r, &half);
    case 20: return wcbor_read_single(r, &single);
    case 21: return wcbor_read_double(r, &value);
    case 22: return wcbor_read_bool(r, &flag);
    case 23: return wcbor_read_null(r);
    case 24: return wcbor_read_undefined(r);
    case 25: return wcbor_read_simple(r, &simple);
    case 26: return wcbor_read_date_time(r, (char *)bytes, capacity, &nbytes);
    case 27: return wcbor_read_unix_time(r, &time);
    case 28: return wcbor_read_bignum(r, &flag, bytes, capacity, &nbytes);
    case 29: return wcbor_read_decimal(r, &i64, &flag, bytes, capacity, &nbytes);
    case 30: return wcbor_skip_value(r, (argument & 1) != 0);
    case 31: return wcbor_skip_to_parent(r, (argument & 1) != 0);
    case 32: return wcbor_read_encoded(r, (argument & 1) != 0, &view, &nbytes);
    default:
        if (wcbor_reader_peek(r, &state) != WCBOR_OK || state >= WCBOR_STATE_FINISHED) return WCBOR_OK;
        return standard_read(r, state, NULL);
    }
}

/* Any calls, and then whatever is left. */
static void check_calls(const document *d, const uint8_t *calls, size_t ncalls) {
    wcbor_reader reader = make(d);
    for (size_t i = 0; i < ncalls; i++) {
        size_t offset = wcbor_reader_offset(&reader), left = wcbor_reader_left(&reader);
        uint32_t depth = wcbor_reader_depth(&reader);
        wcbor_status status = call(&reader, calls[i] % 40, i + 1 < ncalls ? calls[i + 1] : 0);
        CHECK(wcbor_reader_offset(&reader) + wcbor_reader_left(&reader) == offset + left);
        if (status == WCBOR_OK) continue;
        size_t fault = wcbor_reader_fault(&reader);
        CHECK(fault <= d->nbytes);
        if (status == WCBOR_DUPLICATE_KEY || status == WCBOR_KEYS_NOT_SORTED || status == WCBOR_OUT_OF_MEMORY) {
            CHECK(wcbor_reader_offset(&reader) <= offset);
            continue;
        }
        CHECK(wcbor_reader_offset(&reader) == offset && wcbor_reader_depth(&reader) == depth);
        if (wcbor_reader_missing(&reader, status) == 0)
            CHECK(status != WCBOR_UNEXPECTED_END);
    }
    uint64_t tokens = 0;
    (void)read_on(&reader, &tokens);
    wcbor_reader_free(&reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    if (nbytes < 3) return 0;
    memory m = {0, data[1] < 0x80 ? 1000000 : data[1] & 7};
    is_scarce = data[1] >= 0x80;
    document d = {NULL, 0, {(wcbor_mode)(data[0] % 7), false, false, -1, give, &m, data[0]}};
    d.options.allow_multiple_roots = (data[0] & 0x80) != 0 && d.options.mode != WCBOR_MODE_DAG_CBOR;
    if ((data[1] & 0x40) != 0) d.options.max_depth = data[1] & 0x1f;
    size_t ncalls = data[2] & 0x3f;
    if (ncalls > nbytes - 3) ncalls = nbytes - 3;
    d.nbytes = nbytes - 3 - ncalls;
    /* Bytes of their own, so that the sanitizer sees a read past their end. */
    uint8_t *bytes = malloc(d.nbytes == 0 ? 1 : d.nbytes);
    CHECK(bytes != NULL);
    if (d.nbytes > 0) memcpy(bytes, data + 3 + ncalls, d.nbytes);
    d.bytes = bytes;

    outcome o = {0};
    o.status = wcbor_validate(d.bytes, d.nbytes, &d.options, &o.offset, &o.missing);
    CHECK(o.offset <= d.nbytes);
    check_same(read_all(&d), o);
    check_skip(&d, o);
    check_writer(&d, o);
    check_pieces(&d, data[2]);
    check_calls(&d, data + 3, ncalls);
    free(bytes);
    return 0;
}
