/* Every row of the reader's vectors, whole, cut short everywhere, and with memory that runs out. */
#include "suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "guard.h"
#include "standard_walk.h"

typedef struct step {
    char name[24], first[256], second[16], result[512];
} step;

typedef struct row {
    char id[16];
    wcbor_reader_options options;
    uint8_t *bytes;
    size_t nbytes;
    bool is_walk;
    step *steps;
    size_t nsteps, remaining;
    unsigned depth;
} row;

static row *rows;
static size_t row_count;

/* ------------------------------------------------------------------------------------------------------ the file */

static uint8_t digit(char c) {
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static uint8_t *bytes_of(const char *hex, size_t *nbytes) {
    *nbytes = strcmp(hex, "-") == 0 ? 0 : strlen(hex) / 2;
    uint8_t *bytes = malloc(*nbytes == 0 ? 1 : *nbytes);
    assert_non_null(bytes);
    for (size_t i = 0; i < *nbytes; i++) bytes[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return bytes;
}

static step *add_step(row *r) {
    r->steps = realloc(r->steps, (r->nsteps + 1) * sizeof *r->steps);
    assert_non_null(r->steps);
    step *s = &r->steps[r->nsteps++];
    memset(s, 0, sizeof *s);
    return s;
}

static void load(const char *path) {
    static char line[16384], hex[8192];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t most = 0;
    row *r = NULL;
    step *op = NULL;
    while (fgets(line, sizeof line, file) != NULL) {
        unsigned mode, several, partial;
        int depth;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "rows %zu", &most) == 1) {
            rows = calloc(most, sizeof *rows);
            assert_non_null(rows);
        } else if (strncmp(line, "row ", 4) == 0) {
            r = &rows[row_count++];
            op = NULL;
            assert_int_equal(sscanf(line, "row %15s %u %u %d %u %8191s", r->id, &mode, &several, &depth, &partial, hex), 6);
            r->options = (wcbor_reader_options){(wcbor_mode)mode, several != 0, partial != 0, depth, NULL, NULL, 1};
            r->bytes = bytes_of(hex, &r->nbytes);
        } else if (strcmp(line, "walk") == 0) {
            r->is_walk = true;
        } else if (strncmp(line, "op ", 3) == 0) {
            op = add_step(r);
            assert_int_equal(sscanf(line, "op %23s %255s %15s", op->name, op->first, op->second), 3);
        } else if (strncmp(line, "is ", 3) == 0) {
            step *s = op != NULL ? op : add_step(r);
            snprintf(s->result, sizeof s->result, "%.500s", line + 3);
        } else if (strncmp(line, "after ", 6) == 0) {
            assert_int_equal(sscanf(line, "after %zu %u", &r->remaining, &r->depth), 2);
        }
    }
    fclose(file);
    assert_int_equal(row_count, most);
}

/* ------------------------------------------------------------------------------------------------------ the calls */

/* A reader, with the data that it slid over to, which must live as long as it does. */
typedef struct subject {
    wcbor_reader reader;
    uint8_t *slid[16];
    size_t nslid;
} subject;

static void release(subject *s) {
    wcbor_reader_free(&s->reader);
    while (s->nslid > 0) free(s->slid[--s->nslid]);
}

static void print_result(const subject *s, char *line, wcbor_status status) {
    const wcbor_reader *reader = &s->reader;
    if (status == WCBOR_OK) {
        snprintf(line, LINE_NBYTES, "ok");
    } else if (status == WCBOR_TYPE_MISMATCH) {
        snprintf(line, LINE_NBYTES, "TYPE_MISMATCH %u", *reader->next >> 5u);
    } else if (status == WCBOR_CONTAINER_MISMATCH) {
        snprintf(line, LINE_NBYTES, "CONTAINER_MISMATCH %u", (reader->level.kind & 0xffu) >> 5u);
    } else {
        snprintf(line, LINE_NBYTES, "%s", wcbor_status_name(status));
    }
}

static void append(char *line, const char *format, uint64_t value) {
    size_t at = strlen(line);
    if (strcmp(line, "ok") == 0) snprintf(line + at, LINE_NBYTES - at, format, value);
}

static void append_hex(char *line, const void *bytes, size_t nbytes) {
    if (strcmp(line, "ok") != 0) return;
    strcat(line, " ");
    line_hex(line, bytes, nbytes);
}

static void append_count(char *line, int64_t count) {
    if (count < 0 && strcmp(line, "ok") == 0) strcat(line, " null");
    else append(line, " %" PRIu64, (uint64_t)count);
}

__extension__ typedef unsigned __int128 wide;

static void print_wide(char *line, bool negative, wide magnitude) {
    char digits[48], *at = digits + sizeof digits;
    *--at = 0;
    do *--at = (char)('0' + (int)(magnitude % 10));
    while ((magnitude /= 10) != 0);
    if (negative) *--at = '-';
    strcat(line, at);
}

/* The absolute value; `*negative` as of a bignum. */
static wide wide_of(bool negative, const uint8_t *magnitude, size_t nbytes) {
    wide value = 0;
    for (size_t i = 0; i < nbytes; i++) value = value << 8 | magnitude[i];
    return value + negative;
}

static size_t units_of(const char *text, size_t nbytes) {
    size_t units = 0;
    for (size_t i = 0; i < nbytes; i++) units += ((uint8_t)text[i] & 0xc0) == 0x80 ? 0u : (uint8_t)text[i] < 0xf0 ? 1u : 2u;
    return units;
}

/* tryReadText counts UTF-16 units: they are counted by a copy of the reader. */
static void try_read_text(subject *s, size_t most_units, char *line) {
    char text[1024];
    size_t nbytes;
    wcbor_reader copy = s->reader;
    wcbor_status status = wcbor_read_text(&copy, text, sizeof text, &nbytes);
    if (status == WCBOR_OK && units_of(text, nbytes) > most_units) {
        snprintf(line, LINE_NBYTES, "ok null");
        return;
    }
    print_result(s, line, wcbor_read_text(&s->reader, text, sizeof text, &nbytes));
    append_hex(line, text, nbytes);
}

static void append_time(char *line, wcbor_unix_time time) {
    size_t at = strlen(line);
    uint64_t bits;
    memcpy(&bits, &time.seconds, sizeof bits);
    if (strcmp(line, "ok") != 0) return;
    if (time.is_integer) snprintf(line + at, LINE_NBYTES - at, " %" PRId64, time.integer);
    else snprintf(line + at, LINE_NBYTES - at, " %016" PRIx64, bits);
}

static void read_number(subject *s, const char *name, char *line) {
    wcbor_reader *r = &s->reader;
    bool negative = false;
    uint8_t bytes[16];
    size_t nbytes = 0;
    int64_t exponent = 0;
    if (strcmp(name, "readBigInt") == 0) {
        print_result(s, line, wcbor_read_bignum(r, &negative, bytes, sizeof bytes, &nbytes));
        if (strcmp(line, "ok") != 0) return;
        strcat(line, " ");
        print_wide(line, negative, wide_of(negative, bytes, nbytes));
        return;
    }
    print_result(s, line, wcbor_read_decimal(r, &exponent, &negative, bytes, sizeof bytes, &nbytes));
    if (strcmp(line, "ok") != 0) return;
    wide value = wide_of(negative, bytes, nbytes);
    for (; value != 0 && value % 10 == 0; exponent++) value /= 10;
    strcat(line, " ");
    print_wide(line, negative, value);
    size_t at = strlen(line);
    snprintf(line + at, LINE_NBYTES - at, "e%" PRId64, value == 0 ? 0 : exponent);
}

static void skip_over(subject *s, const char *name, bool checks, char *line) {
    wcbor_reader *r = &s->reader;
    bool tries = strncmp(name, "try", 3) == 0;
    const char *plain = tries ? name + 3 : name;
    wcbor_status status = strcasecmp(plain, "skipValue") == 0 ? wcbor_skip_value(r, checks) : wcbor_skip_to_parent(r, checks);
    if (tries && status == WCBOR_OK) snprintf(line, LINE_NBYTES, "ok true");
    else if (tries && r->is_partial && wcbor_reader_missing(r, status) != 0) snprintf(line, LINE_NBYTES, "ok false");
    else print_result(s, line, status);
}

static void apply(subject *s, const step *op, char *line) {
    wcbor_reader *r = &s->reader;
    const char *name = op->name;
    bool checks = strcmp(op->first, "true") != 0, flag = false;
    size_t nbytes = 0, most = strtoul(op->first, NULL, 10);
    uint8_t bytes[1024], simple = 0;
    const uint8_t *view = NULL;
    const char *text = NULL;
    char date[64];
    int32_t i32 = 0;
    uint32_t u32 = 0;
    int64_t i64 = 0;
    uint64_t u64 = 0;
    uint16_t half = 0;
    float single = 0;
    double value = 0;
    wcbor_unix_time time = {0};
    wcbor_state state = WCBOR_STATE_UNDEFINED;
#define IS(what) (strcmp(name, what) == 0)
#define DO(call, then)                                                                                                 \
    do {                                                                                                               \
        print_result(s, line, (call));                                                                                 \
        then;                                                                                                          \
    } while (0)
    if (IS("readInt32")) {
        DO(wcbor_read_int32(r, &i32), i64 = i32);
        if (strcmp(line, "ok") == 0) snprintf(line, LINE_NBYTES, "ok %" PRId64, i64);
    } else if (IS("readInt64")) {
        print_result(s, line, wcbor_read_int64(r, &i64));
        if (strcmp(line, "ok") == 0) snprintf(line, LINE_NBYTES, "ok %" PRId64, i64);
    } else if (IS("readUInt32")) DO(wcbor_read_uint32(r, &u32), append(line, " %" PRIu64, u32));
    else if (IS("readUInt64")) DO(wcbor_read_uint64(r, &u64), append(line, " %" PRIu64, u64));
    else if (IS("readNint")) DO(wcbor_read_negative(r, &u64), append(line, " %" PRIu64, u64));
    else if (IS("readBytes")) DO(wcbor_read_bytes(r, bytes, sizeof bytes, &nbytes), append_hex(line, bytes, nbytes));
    else if (IS("tryReadBytes")) {
        DO(wcbor_read_bytes(r, bytes, most, &nbytes), append_hex(line, bytes, nbytes));
        if (strcmp(line, "DEST_TOO_SMALL") == 0) strcpy(line, "ok null");
    } else if (IS("readDefiniteBytes")) DO(wcbor_read_definite_bytes(r, &view, &nbytes), append_hex(line, view, nbytes));
    else if (IS("readDefiniteText")) DO(wcbor_read_definite_text(r, &text, &nbytes), append_hex(line, text, nbytes));
    else if (IS("readText")) DO(wcbor_read_text(r, (char *)bytes, sizeof bytes, &nbytes), append_hex(line, bytes, nbytes));
    else if (IS("tryReadText")) try_read_text(s, most, line);
    else if (IS("startBytes")) print_result(s, line, wcbor_read_start_indefinite_bytes(r));
    else if (IS("endBytes")) print_result(s, line, wcbor_read_end_indefinite_bytes(r));
    else if (IS("startText")) print_result(s, line, wcbor_read_start_indefinite_text(r));
    else if (IS("endText")) print_result(s, line, wcbor_read_end_indefinite_text(r));
    else if (IS("startArray")) DO(wcbor_read_start_array(r, &i64), append_count(line, i64));
    else if (IS("startMap")) DO(wcbor_read_start_map(r, &i64), append_count(line, i64));
    else if (IS("endArray")) print_result(s, line, wcbor_read_end_array(r));
    else if (IS("endMap")) print_result(s, line, wcbor_read_end_map(r));
    else if (IS("readTag")) DO(wcbor_read_tag(r, &u64), append(line, " %" PRIu64, u64));
    else if (IS("peekTag")) DO(wcbor_peek_tag(r, &u64), append(line, " %" PRIu64, u64));
    else if (IS("readHalf"))
        DO(wcbor_read_half(r, &half), append(line, (half & 0x7fff) > 0x7c00 ? " nan" : " %04" PRIx64, half));
    else if (IS("readSingle"))
        DO(wcbor_read_single(r, &single), memcpy(&u32, &single, 4);
           append(line, single != single ? " nan" : " %08" PRIx64, u32));
    else if (IS("readDouble"))
        DO(wcbor_read_double(r, &value), memcpy(&u64, &value, 8);
           append(line, value != value ? " nan" : " %016" PRIx64, u64));
    else if (IS("readBool")) {
        print_result(s, line, wcbor_read_bool(r, &flag));
        if (strcmp(line, "ok") == 0) strcpy(line, flag ? "ok true" : "ok false");
    } else if (IS("readNull")) print_result(s, line, wcbor_read_null(r));
    else if (IS("readSimple")) DO(wcbor_read_simple(r, &simple), append(line, " %" PRIu64, simple));
    else if (IS("readDateTime")) DO(wcbor_read_date_time(r, date, sizeof date, &nbytes), append_hex(line, date, nbytes));
    else if (IS("readUnixTime")) DO(wcbor_read_unix_time(r, &time), append_time(line, time));
    else if (IS("readBigInt") || IS("readDecimal")) read_number(s, name, line);
    else if (IS("skipValue") || IS("trySkipValue") || IS("skipToParent") || IS("trySkipToParent")) skip_over(s, name, checks, line);
    else if (IS("readEncoded")) DO(wcbor_read_encoded(r, checks, &view, &nbytes), append_hex(line, view, nbytes));
    else if (IS("peek")) {
        print_result(s, line, wcbor_reader_peek(r, &state));
        if (strcmp(line, "ok") == 0) snprintf(line, LINE_NBYTES, "ok %s", state_name(state));
    } else if (IS("depth")) {
        snprintf(line, LINE_NBYTES, "ok %u", wcbor_reader_depth(r));
    } else if (IS("remaining")) {
        snprintf(line, LINE_NBYTES, "ok %zu", wcbor_reader_left(r));
    } else if (IS("slide") || IS("reset")) {
        bool is_partial = strcmp(op->second, "true") != 0;
        view = s->slid[s->nslid++] = bytes_of(op->first, &nbytes);
        print_result(s, line, IS("slide") ? wcbor_reader_slide(r, view, nbytes, is_partial)
                                          : wcbor_reader_reset(r, view, nbytes, is_partial));
    } else {
        fail_msg("unknown call %s", name);
    }
#undef IS
#undef DO
}

/* ------------------------------------------------------------------------------------------------------- the rows */

static size_t complain(const row *r, size_t index, const char *line, const char *expected) {
    print_error("%s: step %zu: %s, not %s\n", r->id, index, line, expected);
    return 1;
}

static size_t run_walk(const row *r, subject *s) {
    char line[LINE_NBYTES];
    for (size_t i = 0; i < r->nsteps; i++) {
        wcbor_state state = WCBOR_STATE_UNDEFINED;
        wcbor_status status = wcbor_reader_peek(&s->reader, &state);
        if (status != WCBOR_OK) {
            snprintf(line, sizeof line, "peek %s", wcbor_status_name(status));
        } else if (state >= WCBOR_STATE_FINISHED) {
            snprintf(line, sizeof line, "%s", state_name(state));
        } else {
            status = standard_read(&s->reader, state, line);
            if (status != WCBOR_OK) snprintf(line, sizeof line, "read %s", wcbor_status_name(status));
        }
        if (strcmp(line, r->steps[i].result) != 0) return complain(r, i, line, r->steps[i].result);
    }
    return 0;
}

static size_t run_ops(const row *r, subject *s) {
    char line[LINE_NBYTES];
    for (size_t i = 0; i < r->nsteps; i++) {
        apply(s, &r->steps[i], line);
        if (strcmp(line, r->steps[i].result) != 0) return complain(r, i, line, r->steps[i].result);
    }
    return 0;
}

static size_t run_row(const row *r, const wcbor_reader_options *options) {
    subject s = {.nslid = 0};
    assert_ok(wcbor_reader_init(&s.reader, options, r->bytes, r->nbytes));
    size_t failed = r->is_walk ? run_walk(r, &s) : run_ops(r, &s);
    if (failed == 0 && (wcbor_reader_left(&s.reader) != r->remaining || wcbor_reader_depth(&s.reader) != r->depth)) {
        print_error("%s: %zu left, depth %u; not %zu, %u\n", r->id, wcbor_reader_left(&s.reader),
                    wcbor_reader_depth(&s.reader), r->remaining, r->depth);
        failed = 1;
    }
    release(&s);
    return failed;
}

static void test_rows(void **state) {
    (void)state;
    size_t failed = 0;
    assert_true(row_count > 600);
    for (size_t i = 0; i < row_count; i++) {
        hook memory = {.guarded = true};
        wcbor_reader_options options = rows[i].options;
        options.reallocate = hook_reallocate;
        options.context = &memory;
        failed += run_row(&rows[i], &options);
        assert_int_equal(memory.blocks, 0);
        /* Without a hook, where there are too few bytes to nest deeper than a reader holds inside itself. */
        if (rows[i].nbytes <= 16) failed += run_row(&rows[i], &rows[i].options);
    }
    assert_int_equal(failed, 0);
}

/* Reads on from wherever, to the end or the first failure. */
static wcbor_status read_all(wcbor_reader *reader) {
    for (;;) {
        wcbor_state state = WCBOR_STATE_UNDEFINED;
        wcbor_status status = wcbor_reader_peek(reader, &state);
        if (status == WCBOR_OK && state < WCBOR_STATE_FINISHED) status = standard_read(reader, state, NULL);
        else if (status == WCBOR_OK) return WCBOR_OK;
        if (status != WCBOR_OK) return status;
    }
}

/*
 * Every beginning of what every row reads without a failure is cut short, says so, and asks for no more bytes than
 * follow. What is read stands before an unmapped page.
 */
static void test_prefixes(void **state) {
    (void)state;
    guard_area area = guard_make(1 << 16);
    size_t documents = 0;
    for (size_t i = 0; i < row_count; i++) {
        wcbor_reader_options options = rows[i].options;
        options.is_partial = options.allow_multiple_roots = false;
        size_t whole, offset;
        uint64_t missing;
        if (wcbor_validate(rows[i].bytes, rows[i].nbytes, &options, &whole, NULL) != WCBOR_OK) continue;
        documents++;
        for (size_t nbytes = 0; nbytes < whole; nbytes++) {
            uint8_t *bytes = guard_buffer(&area, nbytes);
            if (nbytes > 0) memcpy(bytes, rows[i].bytes, nbytes);
            wcbor_status status = wcbor_validate(bytes, nbytes, &options, &offset, &missing);
            assert_true(status == WCBOR_UNEXPECTED_END || status == WCBOR_LENGTH_EXCEEDS_BUFFER);
            assert_true(offset <= nbytes && missing > 0 && missing <= whole - nbytes);
            wcbor_reader reader;
            assert_ok(wcbor_reader_init(&reader, &options, bytes, nbytes));
            assert_status(status, read_all(&reader));
            assert_int_equal(wcbor_reader_fault(&reader), offset);
            assert_int_equal(wcbor_reader_missing(&reader, status), missing);
            wcbor_reader_free(&reader);
        }
    }
    assert_true(documents > 300);
    guard_release(&area);
}

/* Data that come in one byte at a time, or in two pieces cut anywhere, read like data that are there. */
static void test_slides(void **state) {
    (void)state;
    char line[LINE_NBYTES], other[LINE_NBYTES];
    for (size_t i = 0; i < row_count; i++) {
        wcbor_reader_options options = {WCBOR_MODE_LAX, false, false, -1, NULL, NULL, 0};
        size_t whole;
        if (wcbor_validate(rows[i].bytes, rows[i].nbytes, &options, &whole, NULL) != WCBOR_OK) continue;
        wcbor_reader reader, pieces;
        assert_ok(wcbor_reader_init(&reader, &options, rows[i].bytes, whole));
        options.is_partial = true;
        assert_ok(wcbor_reader_init(&pieces, &options, rows[i].bytes, 0));
        size_t given = 0;
        for (;;) {
            wcbor_state expected = WCBOR_STATE_UNDEFINED, found = WCBOR_STATE_UNDEFINED;
            assert_ok(wcbor_reader_peek(&reader, &expected));
            assert_ok(wcbor_reader_peek(&pieces, &found));
            while (found == WCBOR_STATE_NEEDS_MORE_DATA && given < whole) {
                size_t read = wcbor_reader_offset(&pieces);
                given++;
                assert_ok(wcbor_reader_slide(&pieces, rows[i].bytes + read, given - read, true));
                assert_ok(wcbor_reader_peek(&pieces, &found));
            }
            assert_int_equal(found, expected);
            if (expected == WCBOR_STATE_FINISHED) break;
            assert_ok(standard_read(&reader, expected, line));
            assert_ok(standard_read(&pieces, found, other));
            assert_string_equal(line, other);
            assert_int_equal(wcbor_reader_offset(&pieces), wcbor_reader_offset(&reader));
        }
    }
}

/* Without memory a call fails and changes nothing; with it, it is as if nothing had been. */
static void test_memory_runs_out(void **state) {
    (void)state;
    static uint8_t bytes[2000];
    size_t nbytes = 0;
    for (unsigned i = 0; i < 20; i++) { /* maps in maps, each with keys before */
        bytes[nbytes++] = 0xa0 + 4;
        for (unsigned j = 0; j < 3; j++) {
            bytes[nbytes++] = (uint8_t)j;
            bytes[nbytes++] = 0xf6;
        }
        bytes[nbytes++] = 3;
    }
    bytes[nbytes++] = 0;
    for (size_t fail_at = 1;; fail_at++) {
        hook memory = {.fail_at = fail_at, .guarded = true};
        wcbor_reader_options options = {WCBOR_MODE_STRICT, false, false, -1, hook_reallocate, &memory, 1};
        wcbor_reader reader;
        assert_ok(wcbor_reader_init(&reader, &options, bytes, nbytes));
        wcbor_status status = wcbor_skip_value(&reader, true);
        assert_true(status == WCBOR_OK || wcbor_reader_offset(&reader) == 0);
        if (status == WCBOR_OUT_OF_MEMORY) status = read_all(&reader);
        assert_ok(status);
        assert_int_equal(wcbor_reader_left(&reader), 0);
        wcbor_reader_free(&reader);
        assert_int_equal(memory.blocks, 0);
        if (memory.calls < fail_at) break;
    }
    /* And when the typed calls are those that fail. */
    for (size_t fail_at = 1;; fail_at++) {
        hook memory = {.fail_at = fail_at};
        wcbor_reader_options options = {WCBOR_MODE_STRICT, false, false, -1, hook_reallocate, &memory, 1};
        wcbor_reader reader;
        assert_ok(wcbor_reader_init(&reader, &options, bytes, nbytes));
        wcbor_status status = read_all(&reader);
        if (status == WCBOR_OUT_OF_MEMORY) status = read_all(&reader);
        assert_ok(status);
        assert_int_equal(wcbor_reader_left(&reader), 0);
        wcbor_reader_free(&reader);
        assert_int_equal(memory.blocks, 0);
        if (memory.calls < fail_at) break;
    }
}

/* A skip that fails late restores everything, a map that has ended meanwhile and its keys included. */
static void test_failed_skips(void **state) {
    (void)state;
    /* {{0: 0, 1: 0, ..}: 0, {0: 0, 1: 0, ..}: 0}, the second key, a map of 30 pairs, there twice. */
    static uint8_t bytes[400];
    size_t nbytes = 0;
    bytes[nbytes++] = 0xa3;
    for (unsigned map = 0; map < 2; map++) {
        bytes[nbytes++] = 0xb8;
        bytes[nbytes++] = 30;
        for (unsigned i = 0; i < 30; i++) {
            if (i >= 24) bytes[nbytes++] = 0x18;
            bytes[nbytes++] = (uint8_t)i;
            bytes[nbytes++] = 0;
        }
        bytes[nbytes++] = 0;
    }
    bytes[nbytes++] = 0xf6;
    bytes[nbytes++] = 0xf6;
    for (unsigned before = 0; before < 30; before++) {
        hook memory = {.guarded = true};
        wcbor_reader_options options = {WCBOR_MODE_STRICT, false, false, -1, hook_reallocate, &memory, 1};
        wcbor_reader reader;
        int64_t count;
        uint64_t number;
        assert_ok(wcbor_reader_init(&reader, &options, bytes, nbytes));
        assert_ok(wcbor_read_start_map(&reader, &count));
        assert_ok(wcbor_skip_value(&reader, true));
        assert_ok(wcbor_skip_value(&reader, true));
        assert_ok(wcbor_read_start_map(&reader, &count));
        assert_int_equal(count, 30);
        for (unsigned i = 0; i < before; i++) {
            assert_ok(wcbor_read_uint64(&reader, &number));
            assert_ok(wcbor_read_uint64(&reader, &number));
        }
        size_t offset = wcbor_reader_offset(&reader);
        for (unsigned round = 0; round < 2; round++) {
            assert_status(WCBOR_DUPLICATE_KEY, wcbor_skip_to_parent(&reader, true));
            assert_int_equal(wcbor_reader_offset(&reader), offset);
            assert_int_equal(wcbor_reader_depth(&reader), 2);
        }
        for (unsigned i = before; i < 30; i++) {
            assert_ok(wcbor_read_uint64(&reader, &number));
            assert_int_equal(number, i);
            assert_ok(wcbor_read_uint64(&reader, &number));
        }
        /* The container stays ended, the reader is where the key begins. */
        assert_status(WCBOR_DUPLICATE_KEY, wcbor_read_end_map(&reader));
        assert_int_equal(wcbor_reader_depth(&reader), 1);
        assert_int_equal(wcbor_reader_offset(&reader), 1 + (nbytes - 3) / 2);
        assert_status(WCBOR_DUPLICATE_KEY, wcbor_skip_value(&reader, true));
        assert_ok(wcbor_skip_value(&reader, false));
        assert_ok(wcbor_skip_value(&reader, false));
        assert_ok(wcbor_read_null(&reader));
        assert_ok(wcbor_read_null(&reader));
        assert_ok(wcbor_read_end_map(&reader));
        wcbor_reader_free(&reader);
        assert_int_equal(memory.blocks, 0);
    }
}

/* A copy is a reader of its own, in strict with its keys. */
static void test_copies(void **state) {
    (void)state;
    wcbor_reader reader, copy;
    int64_t count, value;
    assert_ok(wcbor_reader_init(&reader, NULL, "\xa3\x01\x01\x02\x02\x01\x03", 7));
    assert_ok(wcbor_read_start_map(&reader, &count));
    for (unsigned i = 0; i < 3; i++) assert_ok(wcbor_read_int64(&reader, &value));
    copy = reader;
    memset(&reader, 0xee, sizeof reader);
    assert_ok(wcbor_read_int64(&copy, &value));
    assert_int_equal(value, 2);
    reader = copy;
    assert_status(WCBOR_DUPLICATE_KEY, wcbor_read_int64(&copy, &value));
    memset(&copy, 0xee, sizeof copy);
    assert_status(WCBOR_DUPLICATE_KEY, wcbor_read_int64(&reader, &value));
    assert_int_equal(wcbor_reader_fault(&reader), 5);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),            cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_slides),          cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_failed_skips),    cmocka_unit_test(test_copies),
    };
    if (argc != 2) return 2;
    load(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
