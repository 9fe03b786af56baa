/* The life of a writer: its memory, its result, its observers; and commands that are none. */
#include "suite.h"

#include <string.h>

#include "abi.h"
#include "guard.h"
#include "interpreter.h"

/* The example at the head of wcbor.h. */
static void test_example(void **state) {
    (void)state;
    uint8_t buffer[64];
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, NULL, buffer, sizeof buffer));
    assert_ok(wcbor_write_start_map(&writer, 1));
    assert_ok(wcbor_write_text(&writer, "a", 1));
    assert_ok(wcbor_write_int64(&writer, 1));
    assert_ok(wcbor_write_end_map(&writer));
    assert_memory_equal(buffer, "\xa1\x61\x61\x01", 4);
}

static void test_result(void **state) {
    (void)state;
    uint8_t buffer[64], copy[8];
    const uint8_t *bytes = copy;
    size_t nbytes = 77;
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, NULL, buffer, sizeof buffer));
    assert_status(WCBOR_INCOMPLETE, wcbor_writer_result(&writer, &bytes, &nbytes));
    assert_status(WCBOR_INCOMPLETE, wcbor_writer_copy(&writer, copy, 0, &nbytes));
    assert_true(bytes == copy && nbytes == 77);
    assert_ok(wcbor_write_uint64(&writer, 1000));
    assert_ok(wcbor_writer_result(&writer, &bytes, &nbytes));
    assert_true(bytes == buffer && nbytes == 3);
    memset(copy, 0x55, sizeof copy);
    assert_status(WCBOR_DEST_TOO_SMALL, wcbor_writer_copy(&writer, copy, 2, &nbytes));
    assert_int_equal(nbytes, 3);
    assert_memory_equal(copy, "\x55\x55\x55", 3);
    assert_ok(wcbor_writer_copy(&writer, copy, 3, &nbytes));
    assert_memory_equal(copy, "\x19\x03\xe8\x55", 4);
    assert_status(WCBOR_DEST_TOO_SMALL, wcbor_writer_copy(&writer, NULL, 0, &nbytes));
    /* Nothing of this closes the writer; the one root does. */
    assert_status(WCBOR_DEFINITE_LENGTH_EXCEEDED, wcbor_write_null(&writer));
    wcbor_writer_reset(&writer);
    assert_ok(wcbor_write_null(&writer));
    assert_memory_equal(buffer, "\xf6", 1);
}

static void test_several_roots(void **state) {
    (void)state;
    uint8_t buffer[16];
    const uint8_t *bytes;
    size_t nbytes;
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    options.allow_multiple_roots = true;
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, &options, buffer, sizeof buffer));
    assert_false(wcbor_writer_is_complete(&writer));
    assert_ok(wcbor_write_null(&writer));
    assert_ok(wcbor_writer_result(&writer, &bytes, &nbytes));
    assert_ok(wcbor_write_tag(&writer, 5));
    assert_status(WCBOR_INCOMPLETE, wcbor_writer_result(&writer, &bytes, &nbytes));
    assert_ok(wcbor_write_bool(&writer, true));
    assert_ok(wcbor_writer_result(&writer, &bytes, &nbytes));
    assert_int_equal(nbytes, 3);
    assert_memory_equal(bytes, "\xf6\xc5\xf5", 3);
}

/* The caller's buffer is left for memory of the hook when it is full, and is not written past its end. */
static void test_growth(void **state) {
    (void)state;
    hook memory = {.guarded = true};
    guard_area area = guard_make(16);
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    options.reallocate = hook_reallocate;
    options.context = &memory;
    wcbor_writer writer;
    const uint8_t *bytes;
    size_t nbytes;
    uint8_t *buffer = guard_buffer(&area, 7);
    assert_ok(wcbor_writer_init(&writer, &options, buffer, 7));
    assert_ok(wcbor_write_start_indefinite_array(&writer));
    for (int i = 0; i < 6; i++)
        assert_ok(wcbor_write_int64(&writer, i));
    assert_int_equal(memory.calls, 0);
    assert_ok(wcbor_write_int64(&writer, 6));
    assert_int_equal(memory.calls, 1);
    assert_memory_equal(buffer, "\x9f\x00\x01\x02\x03\x04\x05", 7);
    assert_ok(wcbor_writer_reserve(&writer, 100000));
    size_t calls = memory.calls;
    for (int i = 0; i < 100; i++)
        assert_ok(wcbor_write_double(&writer, 0.1));
    assert_ok(wcbor_write_end_array(&writer));
    assert_int_equal(memory.calls, calls);
    assert_ok(wcbor_writer_result(&writer, &bytes, &nbytes));
    assert_int_equal(nbytes, 1 + 7 + 900 + 1);
    wcbor_writer_free(&writer);
    assert_int_equal(memory.blocks, 0);
    guard_release(&area);
}

/* Without a hook: 16 containers at once, 8 of them maps, 24 keys. */
static void test_inline_limits(void **state) {
    (void)state;
    uint8_t buffer[256];
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, NULL, buffer, sizeof buffer));
    for (int i = 0; i < 16; i++)
        assert_ok(wcbor_write_start_array(&writer, 1));
    assert_status(WCBOR_OUT_OF_MEMORY, wcbor_write_start_array(&writer, 1));
    assert_ok(wcbor_write_null(&writer));
    for (int i = 0; i < 16; i++)
        assert_ok(wcbor_write_end_array(&writer));
    assert_true(wcbor_writer_is_complete(&writer));
    wcbor_writer_reset(&writer);
    for (int i = 0; i < 8; i++) {
        assert_ok(wcbor_write_start_map(&writer, 2));
        assert_ok(wcbor_write_int64(&writer, 1));
        assert_ok(wcbor_write_null(&writer));
        assert_ok(wcbor_write_int64(&writer, 2));
    }
    assert_status(WCBOR_OUT_OF_MEMORY, wcbor_write_start_map(&writer, 2));
    assert_ok(wcbor_write_null(&writer));
    for (int i = 0; i < 8; i++)
        assert_ok(wcbor_write_end_map(&writer));
    wcbor_writer_reset(&writer);
    assert_ok(wcbor_write_start_map(&writer, 30));
    for (int i = 0; i < 24; i++) {
        assert_ok(wcbor_write_int64(&writer, i));
        assert_ok(wcbor_write_int64(&writer, i));
    }
    assert_status(WCBOR_OUT_OF_MEMORY, wcbor_write_int64(&writer, 24));
    assert_int_equal(wcbor_writer_nbytes(&writer), 2 + 48);
}

/* ------------------------------------------------------------------------------------------- bad commands */

static wcbor_status interpret(wcbor_writer *writer, const void *commands, size_t nbytes, wcbor_stream *stream) {
    stream->commands = commands;
    stream->commands_end = stream->commands + nbytes;
    return wcbor_interpret(writer, stream);
}

/* What follows an opcode is cut short at every place; whatever is at that place, it is no command. */
static void test_cut_commands(void **state) {
    static const struct {
        uint8_t bytes[24];
        size_t nbytes;
    } commands[] = {
        {{OP_TEXT_RUN, 1, 0, 0, 0}, 5},
        {{OP_TEXT_RUN_SHORT, 1}, 2},
        {{OP_BYTES_RUN, 1, 0, 0, 0}, 5},
        {{OP_ENCODED, 1, 0, 0, 0, 0xf6}, 6},
        {{OP_ENCODED_RUN, 1, 0, 0, 0}, 5},
        {{OP_HALF, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9},
        {{OP_BIGNUM, 0, 1, 0, 0, 0, 7}, 7},
        {{OP_DECIMAL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 7}, 15},
        {{OP_DATE_TIME, 1, 0, 0, 0, '2'}, 6},
        {{OP_UNIX_TIME, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 9},
        {{OP_UNIX_TIME_INT, 1, 0, 0, 0, 0, 0, 0, 0}, 9},
        {{0x18, 24}, 2},
        {{0x19, 1, 0}, 3},
        {{0x3a, 1, 0, 0, 0}, 5},
        {{0x5b, 0, 0, 0, 0, 0, 0, 0, 1, 0}, 10},
        {{0x62, 'a', 'b'}, 3},
        {{0x9b, 0, 0, 0, 0, 0, 0, 0, 1}, 9},
        {{0xd8, 99}, 2},
        {{0xf8, 99}, 2},
        {{0xfb, 0, 0, 0, 0, 0, 0, 0, 0}, 9},
    };
    (void)state;
    guard_area area = guard_make(64);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        for (size_t nbytes = 1; nbytes <= commands[i].nbytes; nbytes++) {
            uint8_t buffer[64], *bytes = guard_buffer(&area, nbytes + 1);
            wcbor_stream stream = {.text = (const uint8_t *)"a", .side = (const uint8_t *)"\xf6"};
            stream.text_end = stream.text + 1;
            stream.side_end = stream.side + 1;
            wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
            options.allow_multiple_roots = true;
            wcbor_writer writer;
            assert_ok(wcbor_writer_init(&writer, &options, buffer, sizeof buffer));
            bytes[0] = 0xf6;
            memcpy(bytes + 1, commands[i].bytes, nbytes);
            wcbor_status status = interpret(&writer, bytes, nbytes + 1, &stream);
            if (nbytes == commands[i].nbytes) {
                if (status == WCBOR_BAD_COMMAND) fail_msg("command %02x is refused", commands[i].bytes[0]);
                continue;
            }
            assert_status(WCBOR_BAD_COMMAND, status);
            assert_int_equal(stream.failed_index, 1);
            assert_int_equal(wcbor_writer_nbytes(&writer), 1);
        }
    }
    guard_release(&area);
}

/* The initial bytes that mean nothing, neither to CBOR nor here; and the break, of which a stream has four instead. */
static void test_unknown_commands(void **state) {
    static const uint8_t unknown[] = {0xdf, 0xfd, 0xfe, 0xff};
    (void)state;
    for (size_t i = 0; i < sizeof unknown; i++) {
        uint8_t buffer[64], bytes[33] = {unknown[i]};
        wcbor_stream stream = {0};
        wcbor_writer writer;
        assert_ok(wcbor_writer_init(&writer, NULL, buffer, sizeof buffer));
        assert_status(WCBOR_BAD_COMMAND, interpret(&writer, bytes, sizeof bytes, &stream));
        assert_int_equal(stream.failed_index, 0);
        assert_int_equal(wcbor_writer_nbytes(&writer), 0);
    }
}

/* Operands that reach past the text or the side buffer, or end within a character. */
static void test_runs_past_the_end(void **state) {
    static const struct {
        uint8_t commands[8];
        size_t nbytes;
        bool is_ascii, is_good;
    } cases[] = {
        {{OP_TEXT_RUN_SHORT, 0}, 2, false, true},
        {{OP_TEXT_RUN_SHORT, 1}, 2, false, true},
        {{OP_TEXT_RUN_SHORT, 2}, 2, false, false}, /* half of a pair */
        {{OP_TEXT_RUN_SHORT, 3}, 2, false, true},
        {{OP_TEXT_RUN_SHORT, 4}, 2, false, false},
        {{OP_TEXT_RUN_SHORT, 6}, 2, true, false},
        {{OP_TEXT_RUN, 255, 255, 255, 255}, 5, false, false},
        {{OP_TEXT_RUN, 255, 255, 255, 255}, 5, true, false},
        {{OP_BYTES_RUN, 5, 0, 0, 0}, 5, false, true},
        {{OP_BYTES_RUN, 6, 0, 0, 0}, 5, false, false},
        {{OP_BYTES_RUN, 255, 255, 255, 255}, 5, false, false},
        {{OP_ENCODED_RUN, 6, 0, 0, 0}, 5, false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t buffer[64];
        wcbor_stream stream = {.text_is_ascii = cases[i].is_ascii};
        stream.text = stream.side = (const uint8_t *)"a\xf0\x9f\x98\x80";
        stream.text_end = stream.side_end = stream.text + 5;
        wcbor_writer writer;
        assert_ok(wcbor_writer_init(&writer, NULL, buffer, sizeof buffer));
        wcbor_status status = interpret(&writer, cases[i].commands, cases[i].nbytes, &stream);
        assert_status(cases[i].is_good ? WCBOR_OK : WCBOR_BAD_COMMAND, status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),          cmocka_unit_test(test_result),
        cmocka_unit_test(test_several_roots),    cmocka_unit_test(test_growth),
        cmocka_unit_test(test_inline_limits),    cmocka_unit_test(test_cut_commands),
        cmocka_unit_test(test_unknown_commands), cmocka_unit_test(test_runs_past_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
