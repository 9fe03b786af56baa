/*
 * Every row of the vectors with too little memory: in every capacity below what it needs, and with every
 * growth failing. The call that finds no room fails with OUT_OF_MEMORY and changes nothing; with room the
 * document is the same.
 */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"

static const vector_row *rows;
static size_t row_count;

/* What a row comes to when there is room: a status for each call that is made, and the most bytes there were. */
typedef struct trace {
    const vector_row *row;
    size_t *calls; /* which calls are made: the rest of an abbreviation that fails is not */
    wcbor_status *statuses;
    size_t count, peak_nbytes, nbytes;
    uint8_t *document; /* bytes written at the end, complete or not */
    bool fits_inline;  /* in what a writer without a hook can hold besides its output */
} trace;

static void start(wcbor_writer *writer, const vector_row *row, hook *memory, void *buffer, size_t capacity) {
    wcbor_writer_options options = suite_options(row, memory == NULL ? NULL : hook_reallocate, memory);
    assert_ok(wcbor_writer_init(writer, &options, buffer, capacity));
}

/* A buffer that is large enough for all rows, so that the writer stays in it and its bytes can be seen at any time. */
static uint8_t roomy[1 << 18];

static trace trace_of(const vector_row *row) {
    trace t = {.row = row};
    t.calls = calloc(row->ncalls + 1, sizeof *t.calls);
    t.statuses = calloc(row->ncalls + 1, sizeof *t.statuses);
    assert_true(t.calls != NULL && t.statuses != NULL);
    hook memory = {0};
    wcbor_writer writer;
    start(&writer, row, &memory, roomy, sizeof roomy);
    for (size_t i = 0; i < row->ncalls; i++) {
        wcbor_status status = call_apply(&writer, &row->calls[i]);
        t.calls[t.count] = i;
        t.statuses[t.count++] = status;
        if (wcbor_writer_nbytes(&writer) > t.peak_nbytes) t.peak_nbytes = wcbor_writer_nbytes(&writer);
        if (status == WCBOR_OK) continue;
        if (row->stops) break;
        while (i + 1 < row->ncalls && row->calls[i + 1].index == row->calls[i].index)
            i++;
    }
    t.fits_inline = memory.calls == 0;
    t.nbytes = wcbor_writer_nbytes(&writer);
    t.document = malloc(t.nbytes + 1);
    assert_non_null(t.document);
    memcpy(t.document, roomy, t.nbytes);
    wcbor_writer_free(&writer);
    return t;
}

static void release(trace *t) {
    free(t->calls);
    free(t->statuses);
    free(t->document);
}

static const call *call_at(const trace *t, size_t i) {
    return &t->row->calls[t->calls[i]];
}

/* What can be seen of a writer. */
typedef struct seen {
    size_t nbytes;
    uint32_t depth;
    bool is_complete;
} seen;

static seen look(const wcbor_writer *writer) {
    return (seen){wcbor_writer_nbytes(writer), wcbor_writer_depth(writer), wcbor_writer_is_complete(writer)};
}

static void assert_unchanged(const trace *t, const wcbor_writer *writer, seen before) {
    seen after = look(writer);
    if (after.nbytes == before.nbytes && after.depth == before.depth && after.is_complete == before.is_complete) return;
    fail_msg("row %s: OUT_OF_MEMORY changed the writer: %zu bytes, depth %u, complete %d; not %zu, %u, %d", t->row->id,
             after.nbytes, after.depth, after.is_complete, before.nbytes, before.depth, before.is_complete);
}

/* --------------------------------------------------------------------------------------------- capacities */

/* The row in a buffer of so many bytes and no hook; whether it ran out. What is in the buffer must not change then. */
static bool runs_out(const trace *t, const guard_area *area, size_t capacity) {
    uint8_t *buffer = guard_buffer(area, capacity), copy[2048];
    bool keeps_copy = t->peak_nbytes <= sizeof copy;
    wcbor_writer writer;
    start(&writer, t->row, NULL, buffer, capacity);
    for (size_t i = 0; i < t->count; i++) {
        seen before = look(&writer);
        if (keeps_copy) memcpy(copy, buffer, before.nbytes);
        wcbor_status status = call_apply(&writer, call_at(t, i));
        if (status != WCBOR_OUT_OF_MEMORY) {
            if (status != t->statuses[i]) {
                fail_msg("row %s, capacity %zu: call %zu gave %s, not %s", t->row->id, capacity, t->calls[i],
                         wcbor_status_name(status), wcbor_status_name(t->statuses[i]));
            }
            continue;
        }
        assert_unchanged(t, &writer, before);
        assert_status(WCBOR_OUT_OF_MEMORY, call_apply(&writer, call_at(t, i)));
        assert_status(WCBOR_OUT_OF_MEMORY, wcbor_writer_reserve(&writer, capacity + 1));
        assert_unchanged(t, &writer, before);
        if (keeps_copy) assert_memory_equal(copy, buffer, before.nbytes);
        return true;
    }
    assert_int_equal(wcbor_writer_nbytes(&writer), t->nbytes);
    assert_memory_equal(buffer, t->document, t->nbytes);
    return false;
}

/* Of documents that are long, the capacities at both ends and around the lengths of heads. */
static bool is_tried(size_t capacity, size_t needed) {
    static const size_t edges[] = {256, 1024, 4096, 65536};
    if (needed <= 2048 || capacity < 32 || needed - capacity < 32) return true;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        if (capacity + 4 >= edges[i] && capacity < edges[i] + 4) return true;
    }
    return false;
}

static void test_capacities(void **state) {
    (void)state;
    guard_area area = guard_make(sizeof roomy);
    size_t tried = 0, exact = 0, more = 0;
    for (size_t i = 0; i < row_count; i++) {
        trace t = trace_of(&rows[i]);
        for (size_t capacity = 0; capacity < t.peak_nbytes; capacity++) {
            if (!is_tried(capacity, t.peak_nbytes)) continue;
            tried++;
            if (!runs_out(&t, &area, capacity)) {
                fail_msg("row %s: %zu bytes in a buffer of %zu", rows[i].id, t.peak_nbytes, capacity);
            }
        }
        if (t.fits_inline) {
            /* Sorting and a key that turns out to be a duplicate take more than what is left in the end. */
            if (!runs_out(&t, &area, t.peak_nbytes))
                exact++;
            else
                more++;
            assert_false(runs_out(&t, &area, 2 * t.peak_nbytes + 64));
        }
        release(&t);
    }
    guard_release(&area);
    printf("%zu capacities too small; of the rest %zu fit exactly, %zu take more\n", tried, exact, more);
    assert_true(exact > 5 * more);
}

/* ------------------------------------------------------------------------------------------------ growths */

/*
 * The row with the hook's call `fail_at` failing (and all later ones, with `fail_after`, up to the call that
 * reports it). The call is made again, the hook being well again. Returns whether anything failed.
 */
static bool recovers(const trace *t, size_t fail_at, bool fail_after, size_t buffer_nbytes) {
    uint8_t buffer[64];
    hook memory = {.fail_at = fail_at, .fail_after = fail_after};
    wcbor_writer writer;
    start(&writer, t->row, &memory, buffer_nbytes == 0 ? NULL : buffer, buffer_nbytes);
    for (size_t i = 0; i < t->count; i++) {
        seen before = look(&writer);
        wcbor_status status = call_apply(&writer, call_at(t, i));
        if (status == WCBOR_OUT_OF_MEMORY) {
            assert_unchanged(t, &writer, before);
            memory.fail_after = false;
            status = call_apply(&writer, call_at(t, i));
        }
        if (status != t->statuses[i]) {
            fail_msg("row %s, growth %zu failing: call %zu gave %s, not %s", t->row->id, fail_at, t->calls[i],
                     wcbor_status_name(status), wcbor_status_name(t->statuses[i]));
        }
    }
    assert_int_equal(wcbor_writer_nbytes(&writer), t->nbytes);
    const uint8_t *document = suite_document(&writer);
    if (document != NULL) assert_memory_equal(document, t->document, t->nbytes);
    assert_int_equal(document != NULL, wcbor_writer_is_complete(&writer));
    wcbor_writer_free(&writer);
    assert_int_equal(memory.blocks, 0);
    return memory.calls >= fail_at;
}

static void test_growths(void **state) {
    static const size_t buffers[] = {0, 1, 17, 64};
    (void)state;
    size_t tried = 0;
    for (size_t i = 0; i < row_count; i++) {
        trace t = trace_of(&rows[i]);
        for (int how = 0; how < 8; how++) {
            for (size_t fail_at = 1; recovers(&t, fail_at, (how & 1) != 0, buffers[how / 2]); fail_at++)
                tried++;
        }
        release(&t);
    }
    printf("%zu failing growths\n", tried);
}

/* Growth in small steps: room for each call is reserved just before it. */
static void test_reserve(void **state) {
    (void)state;
    for (size_t i = 0; i < row_count; i++) {
        trace t = trace_of(&rows[i]);
        hook memory = {0};
        wcbor_writer writer;
        start(&writer, t.row, &memory, NULL, 0);
        for (size_t k = 0; k < t.count; k++) {
            seen before = look(&writer);
            assert_ok(wcbor_writer_reserve(&writer, k % 5 * 1000));
            assert_unchanged(&t, &writer, before);
            assert_int_equal(call_apply(&writer, call_at(&t, k)), t.statuses[k]);
        }
        assert_int_equal(wcbor_writer_nbytes(&writer), t.nbytes);
        wcbor_writer_free(&writer);
        assert_int_equal(memory.blocks, 0);
        release(&t);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    rows = vectors_load(argv[1], &row_count);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capacities),
        cmocka_unit_test(test_growths),
        cmocka_unit_test(test_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
