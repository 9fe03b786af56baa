/* Every row of the vectors: through the writer's calls, and as a command stream. */
#include "suite.h"

#include <stdlib.h>

#include "command.h"
#include "guard.h"

static const vector_row *rows;
static size_t row_count;

static wcbor_status apply(void *writer, const call *c) {
    return call_apply(writer, c);
}

static void test_calls(void **state) {
    (void)state;
    size_t failed = 0;
    for (int guarded = 0; guarded < 2; guarded++) {
        for (size_t i = 0; i < row_count; i++) {
            hook memory = {.guarded = guarded != 0};
            wcbor_writer_options options = suite_options(&rows[i], hook_reallocate, &memory);
            wcbor_writer writer;
            assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
            vector_subject subject = {&writer, apply, suite_nbytes, suite_depth, suite_is_complete, suite_document};
            failed += suite_report(vectors_run(&rows[i], &subject));
            wcbor_writer_free(&writer);
            assert_int_equal(memory.blocks, 0);
        }
    }
    assert_int_equal(failed, 0);
}

/* A row run again after a reset gives the same. */
static void test_reset(void **state) {
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < row_count; i++) {
        hook memory = {0};
        uint8_t buffer[256];
        wcbor_writer_options options = suite_options(&rows[i], hook_reallocate, &memory);
        wcbor_writer writer;
        assert_ok(wcbor_writer_init(&writer, &options, buffer, sizeof buffer));
        for (int round = 0; round < 3; round++) {
            vector_subject subject = {&writer, apply, suite_nbytes, suite_depth, suite_is_complete, suite_document};
            failed += suite_report(vectors_run(&rows[i], &subject));
            wcbor_writer_reset(&writer);
            assert_int_equal(wcbor_writer_nbytes(&writer), 0);
            assert_int_equal(wcbor_writer_depth(&writer), 0);
            assert_false(wcbor_writer_is_complete(&writer));
        }
        wcbor_writer_free(&writer);
        assert_int_equal(memory.blocks, 0);
    }
    assert_int_equal(failed, 0);
}

/* ---------------------------------------------------------------------------------------- command streams */

/* One command for each run. What has no command is a call, as the JavaScript side makes it too. */
typedef struct streamed {
    wcbor_writer writer; /* first, so that the observers of suite.h take it */
    command_buffer commands;
    command_form form;
} streamed;

static wcbor_status apply_command(void *self, const call *c) {
    streamed *s = self;
    size_t done;
    command_clear(&s->commands);
    if (!command_append(&s->commands, c, s->form)) return call_apply(&s->writer, c);
    wcbor_status status = command_run(&s->writer, &s->commands, 0, 1, &done);
    assert_int_equal(done, status == WCBOR_OK);
    return status;
}

static void run_single_commands(command_form form) {
    streamed s = {.form = form};
    size_t failed = 0;
    for (size_t i = 0; i < row_count; i++) {
        hook memory = {0};
        wcbor_writer_options options = suite_options(&rows[i], hook_reallocate, &memory);
        assert_ok(wcbor_writer_init(&s.writer, &options, NULL, 0));
        vector_subject subject = {&s, apply_command, suite_nbytes, suite_depth, suite_is_complete, suite_document};
        failed += suite_report(vectors_run(&rows[i], &subject));
        wcbor_writer_free(&s.writer);
    }
    command_free(&s.commands);
    assert_int_equal(failed, 0);
}

static void test_single_commands_inline(void **state) {
    (void)state;
    run_single_commands(COMMAND_INLINE);
}

static void test_single_commands_beside(void **state) {
    (void)state;
    run_single_commands(COMMAND_RUN);
}

/*
 * A row in as few runs as there can be: one, unless a call has no command, or a command fails. The statuses
 * of all calls are worked out first and then handed to the check call by call; its observers are read at the
 * end, or where the row stops, and both are the end of the last run.
 */
typedef struct batched {
    wcbor_writer writer;
    wcbor_status *statuses;
    size_t next;
} batched;

static wcbor_status next_status(void *self, const call *c) {
    batched *b = self;
    (void)c;
    return b->statuses[b->next++];
}

/*
 * Runs calls [first, last) as one stream, and what is left of it after a failing call again; false when the
 * row stops.
 */
static bool run_segment(const vector_row *row, batched *b, const command_buffer *commands, size_t first, size_t last,
                        size_t *count) {
    size_t start = 0;
    while (first + start < last) {
        size_t done = 0;
        wcbor_status status = command_run(&b->writer, commands, start, last - first, &done);
        for (size_t i = 0; i < done; i++)
            b->statuses[(*count)++] = WCBOR_OK;
        if (status == WCBOR_OK) return true;
        b->statuses[(*count)++] = status;
        if (row->stops) return false;
        /* The rest of an abbreviation goes with the call that fails. */
        size_t failed = first + start + done, after = failed + 1;
        while (after < last && row->calls[after].index == row->calls[failed].index)
            after++;
        start = after - first;
    }
    return true;
}

static size_t run_batched(const vector_row *row, command_form form) {
    hook memory = {0};
    batched b = {.statuses = calloc(row->ncalls + 1, sizeof *b.statuses)};
    command_buffer commands = {0};
    size_t count = 0;
    wcbor_writer_options options = suite_options(row, hook_reallocate, &memory);
    assert_non_null(b.statuses);
    assert_ok(wcbor_writer_init(&b.writer, &options, NULL, 0));
    bool goes_on = true;
    for (size_t first = 0; first < row->ncalls && goes_on;) {
        size_t last = first;
        command_clear(&commands);
        while (last < row->ncalls && command_append(&commands, &row->calls[last], form))
            last++;
        if (last == first) {
            wcbor_status status = call_apply(&b.writer, &row->calls[first]);
            b.statuses[count++] = status;
            goes_on = status == WCBOR_OK || !row->stops;
            first++;
        } else {
            goes_on = run_segment(row, &b, &commands, first, last, &count);
            first = last;
        }
    }
    vector_subject subject = {&b, next_status, suite_nbytes, suite_depth, suite_is_complete, suite_document};
    size_t failed = suite_report(vectors_run(row, &subject));
    wcbor_writer_free(&b.writer);
    command_free(&commands);
    free(b.statuses);
    return failed;
}

static void test_batches_inline(void **state) {
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < row_count; i++)
        failed += run_batched(&rows[i], COMMAND_INLINE);
    assert_int_equal(failed, 0);
}

static void test_batches_beside(void **state) {
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < row_count; i++)
        failed += run_batched(&rows[i], COMMAND_RUN);
    assert_int_equal(failed, 0);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    rows = vectors_load(argv[1], &row_count);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_single_commands_inline),
        cmocka_unit_test(test_single_commands_beside),
        cmocka_unit_test(test_batches_inline),
        cmocka_unit_test(test_batches_beside),
    };
    printf("%zu rows\n", row_count);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
