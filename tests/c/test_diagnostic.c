/* Diagnostic notation, the walk over items, and items encoded again: in buffers that end at a guard page, with memory that
   runs out. What each text is stands in tests/vectors/diagnostic-vectors.json, which the tests in JavaScript run. */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"

/* Items in all their forms, and their text in one line. */
static const struct {
    const char *hex, *text;
} rows[] = {
    {"00", "0"},
    {"1817", "23_0"},
    {"3bffffffffffffffff", "-18446744073709551616"},
    {"fb3ff199999999999a", "1.1"},
    {"fa7fc00000", "NaN_2"},
    {"f97e01", "float'7e01'"},
    {"f8ff", "simple(255)"},
    {"c249010000000000000000", "18446744073709551616"},
    {"c24101", "2(h'01')"},
    {"83c10a9f0102ffbf616180ff", "[1(10), [_ 1, 2], {_ \"a\": []}]"},
    {"5f4101404200ffff", "(_ h'01', h'', h'00ff')"},
    {"7fff", "\"\"_"},
    {"d81843820102", "24(<<[1, 2]>>)"},
    {"6a090a22c3a95ce280ae7f", "\"\\t\\n\\\"\xc3\xa9\\\\\\u202e\\u007f\""},
    {"8181818181818181818181818181818181818180", "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]"},
};

enum { ROWS = sizeof rows / sizeof *rows, MAX_NBYTES = 64 };

static size_t bytes_of(const char *hex, uint8_t *to) {
    size_t nbytes = strlen(hex) / 2;
    for (size_t i = 0; i < nbytes; i++) {
        char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        to[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return nbytes;
}

static wcbor_diagnostic_options options_with(hook *context) {
    wcbor_diagnostic_options options = WCBOR_DIAGNOSTIC_OPTIONS(hook_reallocate, context);
    options.embedded = true;
    return options;
}

static void test_both_ways(void **state) {
    (void)state;
    guard_area in = guard_make(128);
    for (size_t i = 0; i < ROWS; i++) {
        uint8_t item[MAX_NBYTES];
        size_t nbytes = bytes_of(rows[i].hex, item), text_nbytes = strlen(rows[i].text);
        hook memory = {.guarded = true};
        wcbor_diagnostic_options options = options_with(&memory);
        wcbor_buffer text, bytes;
        uint8_t *end = guard_buffer(&in, nbytes);
        memcpy(end, item, nbytes);
        assert_ok(wcbor_diagnose(end, nbytes, &options, &text));
        assert_int_equal(text.nbytes, text_nbytes);
        assert_memory_equal(text.bytes, rows[i].text, text_nbytes);
        end = guard_buffer(&in, text_nbytes);
        memcpy(end, rows[i].text, text_nbytes);
        assert_ok(wcbor_parse_diagnostic((const char *)end, text_nbytes, &options, &bytes));
        assert_int_equal(bytes.nbytes, nbytes);
        assert_memory_equal(bytes.bytes, item, nbytes);
        hook_reallocate(&memory, text.bytes, 0);
        hook_reallocate(&memory, bytes.bytes, 0);
        assert_int_equal(memory.blocks, 0);
    }
    guard_release(&in);
}

/* Every beginning of every item and text, in buffers that end with it. */
static void test_cut_short(void **state) {
    (void)state;
    guard_area in = guard_make(128);
    for (size_t i = 0; i < ROWS; i++) {
        uint8_t item[MAX_NBYTES];
        size_t nbytes = bytes_of(rows[i].hex, item);
        hook memory = {.guarded = true};
        wcbor_diagnostic_options options = options_with(&memory);
        wcbor_buffer result;
        for (size_t cut = 0; cut < nbytes; cut++) {
            uint8_t *end = guard_buffer(&in, cut);
            memcpy(end, item, cut);
            wcbor_status status = wcbor_diagnose(end, cut, &options, &result);
            assert_true(status == WCBOR_UNEXPECTED_END || status == WCBOR_LENGTH_EXCEEDS_BUFFER);
            assert_true(result.offset <= cut && result.nbytes > 20);
            hook_reallocate(&memory, result.bytes, 0);
        }
        for (size_t cut = 0; cut < strlen(rows[i].text); cut++) {
            uint8_t *end = guard_buffer(&in, cut);
            memcpy(end, rows[i].text, cut);
            wcbor_status status = wcbor_parse_diagnostic((const char *)end, cut, &options, &result);
            assert_true(status == WCBOR_OK || status == WCBOR_INVALID_DIAGNOSTIC);
            assert_true(result.offset <= cut);
            if (status == WCBOR_OK) hook_reallocate(&memory, result.bytes, 0);
            else assert_null(result.bytes);
        }
        assert_int_equal(memory.blocks, 0);
    }
    guard_release(&in);
}

/* Each call for memory fails once: the call says so, and leaves nothing behind. */
static void test_memory_runs_out(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        uint8_t item[MAX_NBYTES];
        size_t nbytes = bytes_of(rows[i].hex, item);
        for (int way = 0; way < 3; way++) {
            wcbor_status status = WCBOR_OUT_OF_MEMORY;
            for (size_t fail_at = 1; status == WCBOR_OUT_OF_MEMORY; fail_at++) {
                hook memory = {.fail_at = fail_at, .fail_after = true};
                wcbor_diagnostic_options options = options_with(&memory);
                wcbor_buffer result = {NULL, 0, 0};
                if (way == 0) status = wcbor_diagnose(item, nbytes, &options, &result);
                if (way == 1) status = wcbor_parse_diagnostic(rows[i].text, strlen(rows[i].text), &options, &result);
                if (way == 2) {
                    wcbor_writer_options writing = {WCBOR_MODE_LAX, true, false, -1, hook_reallocate, &memory, 1};
                    wcbor_writer writer;
                    assert_ok(wcbor_writer_init(&writer, &writing, NULL, 0));
                    status = wcbor_write_reencoded(&writer, item, nbytes, &result.offset);
                    wcbor_writer_free(&writer);
                }
                assert_true(status == WCBOR_OK || status == WCBOR_OUT_OF_MEMORY);
                if (status == WCBOR_OUT_OF_MEMORY) assert_null(result.bytes);
                if (result.bytes != NULL) hook_reallocate(&memory, result.bytes, 0);
                assert_int_equal(memory.blocks, 0);
            }
        }
    }
}

static void test_walk(void **state) {
    (void)state;
    static const uint8_t document[] = {0xc1, 0x82, 0x18, 0x20, 0xbf, 0x61, 'a', 0xc2, 0x41, 0x05, 0xff};
    static const struct {
        size_t offset, head_nbytes, nbytes, tags;
        uint32_t depth;
        uint8_t initial;
        bool first;
        wcbor_place place;
    } expected[] = {
        {0, 1, 0, 0, 0, 0xc1, true, WCBOR_PLACE_ITEM},    {1, 1, 0, 0, 1, 0x82, true, WCBOR_PLACE_CONTENT},
        {2, 2, 0, 0, 2, 0x18, true, WCBOR_PLACE_ITEM},    {4, 1, 0, 0, 2, 0xbf, false, WCBOR_PLACE_ITEM},
        {5, 1, 1, 0, 3, 0x61, true, WCBOR_PLACE_KEY},     {7, 1, 0, 0, 3, 0xc2, false, WCBOR_PLACE_VALUE},
        {8, 1, 1, 1, 4, 0x41, false, WCBOR_PLACE_CONTENT}, {10, 1, 0, 0, 2, 0xbf, false, WCBOR_PLACE_END},
        {11, 0, 0, 1, 1, 0x82, false, WCBOR_PLACE_END},
    };
    wcbor_items items;
    wcbor_item item;
    wcbor_items_init(&items, document, sizeof document, false, -1, NULL, NULL);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_ok(wcbor_items_next(&items, &item));
        assert_int_equal(item.offset, expected[i].offset);
        assert_int_equal(item.head_nbytes, expected[i].head_nbytes);
        assert_int_equal(item.nbytes, expected[i].nbytes);
        assert_int_equal(item.tags, expected[i].tags);
        assert_int_equal(item.depth, expected[i].depth);
        assert_int_equal(item.initial, expected[i].initial);
        assert_int_equal(item.first, expected[i].first);
        assert_int_equal(item.place, expected[i].place);
    }
    assert_status(WCBOR_NO_MORE_ITEMS, wcbor_items_next(&items, &item));
    assert_status(WCBOR_NO_MORE_ITEMS, wcbor_items_next(&items, &item));
    wcbor_items_free(&items);
}

/* Without a hook there is room for 16 containers. */
static void test_walk_without_memory(void **state) {
    (void)state;
    uint8_t nested[40];
    memset(nested, 0x81, sizeof nested);
    wcbor_items items;
    wcbor_item item;
    wcbor_items_init(&items, nested, sizeof nested, false, -1, NULL, NULL);
    for (int i = 0; i < 16; i++) assert_ok(wcbor_items_next(&items, &item));
    assert_status(WCBOR_OUT_OF_MEMORY, wcbor_items_next(&items, &item));
    assert_int_equal(item.offset, 16);
    wcbor_items_free(&items);
}

static void test_fault_offsets(void **state) {
    (void)state;
    static const uint8_t document[] = {0x82, 0x01, 0xff};
    hook memory = {0};
    wcbor_diagnostic_options options = options_with(&memory);
    options.offset = 1000;
    wcbor_buffer text;
    assert_status(WCBOR_UNEXPECTED_BREAK, wcbor_diagnose(document, sizeof document, &options, &text));
    assert_int_equal(text.offset, 1002);
    static const char expected[] = "[1, / ERR_CBOR_UNEXPECTED_BREAK at 1002 /";
    assert_int_equal(text.nbytes, sizeof expected - 1);
    assert_memory_equal(text.bytes, expected, sizeof expected - 1);
    hook_reallocate(&memory, text.bytes, 0);
    assert_int_equal(memory.blocks, 0);
}

static void test_reencode(void **state) {
    (void)state;
    static const uint8_t messy[] = {0xbf, 0x61, 'b', 0x18, 0x01, 0x61, 'a', 0xc2, 0x5f, 0x41, 0x01, 0x41, 0x00, 0xff, 0xff};
    static const uint8_t sorted[] = {0xa2, 0x61, 'a', 0x19, 0x01, 0x00, 0x61, 'b', 0x01};
    hook memory = {0};
    wcbor_writer_options options = {WCBOR_MODE_DETERMINISTIC, true, false, -1, hook_reallocate, &memory, 1};
    wcbor_writer writer;
    size_t offset, nbytes;
    const uint8_t *bytes;
    assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
    assert_ok(wcbor_write_reencoded(&writer, messy, sizeof messy, &offset));
    assert_ok(wcbor_writer_result(&writer, &bytes, &nbytes));
    assert_int_equal(nbytes, sizeof sorted);
    assert_memory_equal(bytes, sorted, sizeof sorted);
    wcbor_writer_reset(&writer);
    assert_status(WCBOR_NULL_ARGUMENT, wcbor_write_reencoded(&writer, NULL, 1, &offset));
    assert_status(WCBOR_UNEXPECTED_END, wcbor_write_reencoded(&writer, NULL, 0, &offset));
    wcbor_writer_free(&writer);
    assert_int_equal(memory.blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways),  cmocka_unit_test(test_cut_short),           cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_walk),       cmocka_unit_test(test_walk_without_memory), cmocka_unit_test(test_fault_offsets),
        cmocka_unit_test(test_reencode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
