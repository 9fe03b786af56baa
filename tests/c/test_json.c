/* JSON text to CBOR and back: what RFC 8259 takes and refuses, by hand; lengths, limits, memory that runs out. */
#include <stdlib.h>
#include <string.h>

#include "suite.h"

typedef struct memory {
    long left; /* allocations until one fails */
    long blocks;
} memory;

static void *reallocate(void *context, void *block, size_t nbytes) {
    memory *m = context;
    if (nbytes == 0) {
        m->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (m->left-- <= 0) return NULL;
    void *moved = realloc(block, nbytes);
    if (moved == NULL) abort();
    m->blocks += block == NULL;
    return moved;
}

typedef wcbor_status conversion(const void *, size_t, const wcbor_json_options *, wcbor_buffer *);

/* Converts a copy of the input that ends where its memory ends, and sees that all memory comes back. */
static wcbor_status convert(conversion *how, const void *input, size_t nbytes, wcbor_json_options options, wcbor_buffer *result) {
    memory m = {1000000, 0};
    options.reallocate = reallocate;
    options.context = &m;
    options.seed = 7;
    uint8_t *copy = malloc(nbytes == 0 ? 1 : nbytes);
    assert_non_null(copy);
    if (nbytes > 0) memcpy(copy, input, nbytes);
    wcbor_status status = how(copy, nbytes, &options, result);
    free(copy);
    assert_int_equal(m.blocks, status == WCBOR_OK);
    assert_int_equal(result->bytes != NULL, status == WCBOR_OK);
    return status;
}

static wcbor_json_options in_mode(wcbor_mode mode) {
    wcbor_json_options options = WCBOR_JSON_OPTIONS_DEFAULT;
    options.mode = mode;
    return options;
}

static const char *hex_of(const wcbor_buffer *buffer) {
    static char hex[4096];
    assert_true(buffer->nbytes * 2 < sizeof hex);
    for (size_t i = 0; i < buffer->nbytes; i++) snprintf(hex + 2 * i, 3, "%02x", buffer->bytes[i]);
    hex[2 * buffer->nbytes] = 0;
    return hex;
}

static size_t bytes_of(const char *hex, uint8_t *bytes) {
    size_t nbytes = strlen(hex) / 2;
    for (size_t i = 0; i < nbytes; i++) {
        char digits[] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return nbytes;
}

static void assert_reads(const char *text, size_t nbytes, wcbor_json_options options, const char *hex) {
    wcbor_buffer result;
    wcbor_status status = convert(wcbor_json_to_cbor, text, nbytes, options, &result);
    if (status != WCBOR_OK) fail_msg("%s: %s at %zu", text, wcbor_status_name(status), result.offset);
    if (strcmp(hex_of(&result), hex) != 0) fail_msg("%s: %s, not %s", text, hex_of(&result), hex);
    assert_int_equal(result.offset, nbytes);
    free(result.bytes);
}

static void assert_refuses(const char *text, size_t nbytes, wcbor_json_options options, wcbor_status expected, size_t offset) {
    wcbor_buffer result;
    wcbor_status status = convert(wcbor_json_to_cbor, text, nbytes, options, &result);
    if (status != expected || result.offset != offset)
        fail_msg("%s: %s at %zu, not %s at %zu", text, wcbor_status_name(status), result.offset, wcbor_status_name(expected), offset);
}

static void test_accepted(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"null", "f6"}, {"true", "f5"}, {"false", "f4"}, {" \t\r\n1 \t\r\n", "01"}, {"0", "00"}, {"-0", "f98000"}, {"-0.0", "f98000"},
        {"-1", "20"}, {"23", "17"}, {"24", "1818"}, {"-24", "37"}, {"-25", "3818"}, {"255", "18ff"}, {"256", "190100"}, {"65536", "1a00010000"},
        {"4294967296", "1b0000000100000000"}, {"9007199254740991", "1b001fffffffffffff"}, {"9007199254740993", "1b0020000000000001"},
        {"18446744073709551615", "1bffffffffffffffff"}, {"-18446744073709551616", "3bffffffffffffffff"},
        {"18446744073709551616", "c249010000000000000000"}, {"-18446744073709551617", "c349010000000000000000"},
        {"9223372036854775807", "1b7fffffffffffffff"}, {"-9223372036854775808", "3b7fffffffffffffff"},
        {"100000000000000000000", "c249056bc75e2d63100000"}, {"1.0", "01"}, {"1e2", "1864"}, {"1E+2", "1864"}, {"10e-1", "01"}, {"1.5", "f93e00"},
        {"0.1", "fb3fb999999999999a"}, {"100000.5", "fa47c35040"}, {"1e400", "f97c00"}, {"-1e400", "f9fc00"}, {"1e-400", "00"}, {"-1e-400", "f98000"},
        {"1e15", "1b00038d7ea4c68000"}, {"1e16", "fb4341c37937e08000"}, {"9007199254740992.0", "fa5a000000"}, {"5e-324", "fb0000000000000001"},
        {"0e5", "00"}, {"0.0000000000000000000000000", "00"}, {"-12.5", "f9ca40"},
        {"\"\"", "60"}, {"\"a\"", "6161"}, {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "68225c2f080c0a0d09"}, {"\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"", "6a41c3a9e282acf09f9880"},
        {"\"\xc3\xa9\xf0\x9f\x98\x80\"", "66c3a9f09f9880"}, {"\"\\u0000\"", "6100"}, {"\"\x7f\"", "617f"}, {"\"0123456789abcdef\"", "7030313233343536373839616263646566"},
        {"\"0123456789abcdef01234567\"", "7818303132333435363738396162636465663031323334353637"},
        {"[]", "80"}, {"[ ]", "80"}, {"{}", "a0"}, {"{ }", "a0"}, {"[1,2,3]", "83010203"}, {" [ 1 , [ ] , { } ] ", "830180a0"},
        {"{\"a\":1,\"b\":[true]}", "a2616101616281f5"}, {"{\"\":{\"\":\"\"}}", "a160a16060"}, {"{ \"a\" : null }", "a16161f6"},
        {"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]", "98180102030405060708090a0b0c0d0e0f10111213141516171818"},
        {"[[[[[[[[]]]]]]]]", "8181818181818180"}, {"[-0,0,-1]", "83f980000020"}, {"[\"\\uDBFF\\uDFFF\"]", "8164f48fbfbf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t nbytes = strlen(rows[i][0]);
        assert_reads(rows[i][0], nbytes, in_mode(WCBOR_MODE_LAX), rows[i][1]);
        assert_reads(rows[i][0], nbytes, in_mode(WCBOR_MODE_STRICT), rows[i][1]);
        /* Long enough behind it that all that is fast can be. */
        char text[256], hex[512];
        snprintf(text, sizeof text, "[%s,\"                                        \"]", rows[i][0]);
        snprintf(hex, sizeof hex, "82%s782820202020202020202020202020202020202020202020202020202020202020202020202020202020", rows[i][1]);
        assert_reads(text, strlen(text), in_mode(WCBOR_MODE_LAX), hex);
        /* A beginning of it is nothing, or, of a number, another number. */
        bool is_number = strspn(rows[i][0], "+-.eE0123456789") > 0;
        for (size_t cut = 0; cut < nbytes && !is_number && rows[i][0][nbytes - 1] > 0x20; cut++)
            assert_refuses(rows[i][0], cut, in_mode(WCBOR_MODE_LAX), WCBOR_INVALID_JSON, cut);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
    } rows[] = {
        {"", 0}, {" ", 1}, {"a", 0}, {"nul", 3}, {"nulL", 3}, {"True", 0}, {"truee", 4}, {"true false", 5}, {"NaN", 0}, {"Infinity", 0}, {"-Infinity", 1},
        {"+1", 0}, {"01", 1}, {"-01", 2}, {"-", 1}, {"--1", 1}, {"1.", 2}, {".1", 0}, {"1.e1", 2}, {"1e", 2}, {"1e+", 3}, {"1e1.5", 3}, {"0x10", 1}, {"1_0", 1},
        {"[1.]", 3}, {"[-]", 2}, {"[1e]", 3}, {"[01]", 2}, {"[", 1}, {"]", 0}, {"[1", 2}, {"[1,", 3}, {"[1,]", 3}, {"[,1]", 1}, {"[1 2]", 3}, {"[1,,2]", 3}, {"[1}", 2}, {"[1:2]", 2}, {"[]]", 2},
        {"{", 1}, {"}", 0}, {"{\"a\"", 4}, {"{\"a\":", 5}, {"{\"a\":1", 6}, {"{\"a\":1,", 7}, {"{\"a\":1,}", 7}, {"{\"a\"}", 4}, {"{\"a\",1}", 4}, {"{\"a\" 1}", 5}, {"{a:1}", 1}, {"{1:1}", 1},
        {"{'a':1}", 1}, {"{,}", 1}, {"{\"a\":1]", 6}, {"{\"a\":1 \"b\":2}", 7}, {"{null:1}", 1}, {"{[]:1}", 1}, {"{\"a\"::1}", 5}, {"{}{}", 2}, {"[][]", 2}, {"1,2", 1},
        {"\"", 1}, {"\"a", 2}, {"'a'", 0}, {"\"\\", 2}, {"\"\\\"", 3}, {"\"\\a\"", 2}, {"\"\\x41\"", 2}, {"\"\\u\"", 3}, {"\"\\u004\"", 6}, {"\"\\u004g\"", 6}, {"\"\\U0041\"", 2}, {"\"\\ud83d\\u\"", 9},
        {"\"\n\"", 1}, {"\"a\tb\"", 2}, {"\"\x01\"", 1}, {"\"0123456789abcdef\x1f\"", 17}, {"\"a\"b", 3}, {"\xef\xbb\xbf" "1", 0}, {"\xc3\xa9", 0}, {"[\xc2\xa0" "1]", 1}, {"\f1", 0}, {"\v1", 0},
        {"// c\n1", 0}, {"[1/**/]", 2}, {"#", 0}, {"[1]\x01", 3}, {"{\"a\":1}x", 7}, {"\"\\u00", 5}, {"\"\\ud83d\\", 8}, {"\"\\ud83d", 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t nbytes = strlen(rows[i].text);
        assert_refuses(rows[i].text, nbytes, in_mode(WCBOR_MODE_LAX), WCBOR_INVALID_JSON, rows[i].offset);
        if (rows[i].offset == nbytes) continue;
        /* The same where more follows, so that what is fast sees it. */
        char text[256];
        snprintf(text, sizeof text, "[ %s                                              ]", rows[i].text);
        wcbor_buffer result;
        wcbor_status status = convert(wcbor_json_to_cbor, text, strlen(text), in_mode(WCBOR_MODE_STRICT), &result);
        if (status == WCBOR_OK) free(result.bytes);
        bool is_item = strcmp(rows[i].text, "1,2") == 0 || strcmp(rows[i].text, "]") == 0;
        if (status == WCBOR_OK && !is_item) fail_msg("%s is taken", text);
    }
    assert_refuses("1\0", 2, in_mode(WCBOR_MODE_LAX), WCBOR_INVALID_JSON, 1);
    assert_refuses("\"\0\"", 3, in_mode(WCBOR_MODE_LAX), WCBOR_INVALID_JSON, 1);
}

static void test_text(void **state) {
    (void)state;
    wcbor_json_options lax = in_mode(WCBOR_MODE_LAX), strict = in_mode(WCBOR_MODE_STRICT);
    static const struct {
        const char *text, *hex;
        size_t offset; /* where strict refuses it */
    } rows[] = {
        {"\"\\ud800\"", "63efbfbd", 1},
        {"\"a\\udc00b\"", "6561efbfbd62", 2},
        {"\"\\ud800\\ud83d\\ude00\"", "67efbfbdf09f9880", 1},
        {"\"\\ud800\\u0041\"", "64efbfbd41", 1},
        {"\"\xff\"", "63efbfbd", 1},
        {"\"a\xe2\x82z\"", "6561efbfbd7a", 2},
        {"\"\xed\xa0\x80\"", "69efbfbdefbfbdefbfbd", 1},
        {"\"\\n\xc0\xaf\"", "670aefbfbdefbfbd", 3},
        {"\"0123456789abcdef0123456789\x80\"", "781d3031323334353637383961626364656630313233343536373839efbfbd", 27},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_reads(rows[i].text, strlen(rows[i].text), lax, rows[i].hex);
        assert_refuses(rows[i].text, strlen(rows[i].text), strict, WCBOR_INVALID_TEXT, rows[i].offset);
    }
}

static void test_modes(void **state) {
    (void)state;
    const char *unsorted = "{\"bb\":1,\"c\":{\"z\":0,\"y\":0},\"a\":1.5}", *twice = "{\"a\":1, \"b\":2,\"a\":3}";
    assert_reads(unsorted, strlen(unsorted), in_mode(WCBOR_MODE_STRICT), "a362626201" "6163a2617a00617900" "6161f93e00");
    for (int mode = WCBOR_MODE_CANONICAL; mode <= WCBOR_MODE_DCBOR; mode++) {
        bool wide = mode == WCBOR_MODE_CTAP2 || mode == WCBOR_MODE_DAG_CBOR;
        char hex[128];
        snprintf(hex, sizeof hex, "a36161%s6163a2617900617a0062626201", wide ? "fb3ff8000000000000" : "f93e00");
        assert_reads(unsorted, strlen(unsorted), in_mode((wcbor_mode)mode), hex);
    }
    assert_reads(twice, strlen(twice), in_mode(WCBOR_MODE_LAX), "a3616101616202616103");
    for (int mode = WCBOR_MODE_STRICT; mode <= WCBOR_MODE_DCBOR; mode++)
        assert_refuses(twice, strlen(twice), in_mode((wcbor_mode)mode), WCBOR_DUPLICATE_KEY, 14);
    assert_refuses("{\"a\":0,\"\\u0061\":0}", 18, in_mode(WCBOR_MODE_STRICT), WCBOR_DUPLICATE_KEY, 7);
    assert_refuses("[1e999]", 7, in_mode(WCBOR_MODE_DAG_CBOR), WCBOR_FLOAT_NOT_ALLOWED, 1);
    assert_refuses("[18446744073709551616]", 22, in_mode(WCBOR_MODE_DAG_CBOR), WCBOR_TAG_NOT_ALLOWED, 1);
    assert_refuses("[18446744073709551616]", 22, in_mode(WCBOR_MODE_CTAP2), WCBOR_TAGS_NOT_ALLOWED, 1);
    assert_reads("-0", 2, in_mode(WCBOR_MODE_DCBOR), "00");
    assert_reads("-0", 2, in_mode(WCBOR_MODE_DAG_CBOR), "fb8000000000000000");
    wcbor_json_options rounds = in_mode(WCBOR_MODE_LAX);
    rounds.round_integers = true;
    assert_reads("[9007199254740991,9007199254740993,18446744073709551616]", 56, rounds, "831b001ffffffffffffffa5a000000fa5f800000");
}

/* Arrays and maps of many lengths, one in another, against the writer. */
static void test_lengths(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 22, 23, 24, 25, 255, 256, 257, 65535, 65536};
    memory m = {1000000, 0};
    for (size_t outer = 1; outer < sizeof counts / sizeof *counts; outer++) {
        for (size_t inner = 0; inner < sizeof counts / sizeof *counts; inner++) {
            if ((uint64_t)counts[outer] * counts[inner] > 1000000) continue;
            wcbor_writer_options options = {WCBOR_MODE_LAX, false, false, -1, reallocate, &m, 1};
            wcbor_writer writer;
            assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
            char *text = malloc((size_t)counts[outer] * (counts[inner] * 8 + 24) + 16), *to = text;
            assert_non_null(text);
            assert_ok(wcbor_write_start_array(&writer, counts[outer]));
            *to++ = '[';
            for (uint32_t i = 0; i < counts[outer]; i++) {
                if (i > 0) *to++ = ',';
                bool is_map = i % 2 == 1;
                *to++ = is_map ? '{' : '[';
                if (is_map) assert_ok(wcbor_write_start_map(&writer, counts[inner]));
                else assert_ok(wcbor_write_start_array(&writer, counts[inner]));
                for (uint32_t k = 0; k < counts[inner]; k++) {
                    if (k > 0) *to++ = ',';
                    if (is_map) {
                        memcpy(to, "\"\":", 3);
                        to += 3;
                        assert_ok(wcbor_write_text(&writer, "", 0));
                    }
                    *to++ = (char)('0' + k % 10);
                    assert_ok(wcbor_write_int64(&writer, k % 10));
                }
                *to++ = is_map ? '}' : ']';
                if (is_map) assert_ok(wcbor_write_end_map(&writer));
                else assert_ok(wcbor_write_end_array(&writer));
            }
            *to++ = ']';
            assert_ok(wcbor_write_end_array(&writer));
            wcbor_buffer result, back;
            assert_ok(convert(wcbor_json_to_cbor, text, (size_t)(to - text), in_mode(WCBOR_MODE_LAX), &result));
            const uint8_t *expected;
            size_t nbytes;
            assert_ok(wcbor_writer_result(&writer, &expected, &nbytes));
            assert_int_equal(result.nbytes, nbytes);
            assert_memory_equal(result.bytes, expected, nbytes);
            assert_ok(convert(wcbor_cbor_to_json, result.bytes, result.nbytes, in_mode(WCBOR_MODE_LAX), &back));
            assert_int_equal(back.nbytes, to - text);
            assert_memory_equal(back.bytes, text, back.nbytes);
            free(back.bytes);
            free(result.bytes);
            free(text);
            wcbor_writer_free(&writer);
        }
    }
}

static void test_limits(void **state) {
    (void)state;
    static char text[20000];
    wcbor_json_options options = in_mode(WCBOR_MODE_LAX);
    wcbor_buffer result;
    memset(text, '[', 5000);
    memset(text + 5000, ']', 5000);
    assert_refuses(text, 10000, options, WCBOR_DEPTH_EXCEEDED, 1000);
    options.max_depth = 5000;
    assert_ok(convert(wcbor_json_to_cbor, text, 10000, options, &result));
    assert_int_equal(result.nbytes, 5000);
    wcbor_buffer back;
    assert_ok(convert(wcbor_cbor_to_json, result.bytes, result.nbytes, options, &back));
    assert_memory_equal(back.bytes, text, 10000);
    free(back.bytes);
    options.max_depth = 4999;
    assert_status(WCBOR_DEPTH_EXCEEDED, convert(wcbor_cbor_to_json, result.bytes, result.nbytes, options, &back));
    free(result.bytes);
    options.max_depth = 0;
    assert_refuses("[]", 2, options, WCBOR_DEPTH_EXCEEDED, 0);
    assert_reads("1", 1, options, "01");

    options = in_mode(WCBOR_MODE_LAX);
    options.max_nbytes = 4;
    assert_reads("[11]", 4, options, "810b");
    assert_refuses("[111]", 5, options, WCBOR_LIMIT_EXCEEDED, 0);
    assert_refuses("1e11", 4, options, WCBOR_LIMIT_EXCEEDED, 4);

    /* Integers of 4,096 digits, and of one more. */
    memset(text, '9', 4097);
    assert_ok(convert(wcbor_json_to_cbor, text, 4096, in_mode(WCBOR_MODE_STRICT), &result));
    options = in_mode(WCBOR_MODE_STRICT);
    options.bignums = WCBOR_JSON_BIGNUMS_NUMBER;
    assert_status(WCBOR_LIMIT_EXCEEDED, convert(wcbor_cbor_to_json, result.bytes, result.nbytes, options, &back));
    free(result.bytes);
    assert_refuses(text, 4097, in_mode(WCBOR_MODE_STRICT), WCBOR_LIMIT_EXCEEDED, 0);
    assert_ok(convert(wcbor_json_to_cbor, text, 4090, in_mode(WCBOR_MODE_STRICT), &result));
    assert_ok(convert(wcbor_cbor_to_json, result.bytes, result.nbytes, options, &back));
    assert_int_equal(back.nbytes, 4090);
    assert_memory_equal(back.bytes, text, 4090);
    free(back.bytes);
    free(result.bytes);

    wcbor_json_options wrong = in_mode((wcbor_mode)7);
    assert_refuses("1", 1, wrong, WCBOR_OPTION_OUT_OF_RANGE, 0);
    assert_status(WCBOR_NULL_ARGUMENT, wcbor_json_to_cbor(NULL, 1, NULL, &result));
    assert_status(WCBOR_OUT_OF_MEMORY, wcbor_json_to_cbor("1", 1, NULL, &result));
}

static void test_written(void **state) {
    (void)state;
    const wcbor_json_options plain = WCBOR_JSON_OPTIONS_DEFAULT;
    wcbor_json_options numbers = plain, strings = plain, keys = plain, base64 = plain, hex = plain, indent = plain, refused = plain;
    numbers.bignums = WCBOR_JSON_BIGNUMS_NUMBER;
    strings.bignums = WCBOR_JSON_BIGNUMS_STRING;
    keys.keys = WCBOR_JSON_KEYS_STRING;
    base64.bytes = WCBOR_JSON_BYTES_BASE64;
    hex.bytes = WCBOR_JSON_BYTES_HEX;
    indent.indent = 2;
    refused.bytes = WCBOR_JSON_BYTES_ERROR;
    refused.bignums = WCBOR_JSON_BIGNUMS_ERROR;
    const struct {
        const char *hex;
        const wcbor_json_options *options;
        const char *text;
    } rows[] = {
        {"00", &plain, "0"}, {"3903e7", &plain, "-1000"}, {"1bffffffffffffffff", &plain, "18446744073709551615"}, {"3bffffffffffffffff", &plain, "-18446744073709551616"},
        {"3bfffffffffffffffe", &plain, "-18446744073709551615"}, {"f98000", &plain, "0"}, {"f93e00", &plain, "1.5"}, {"fb444b1ae4d6e2ef50", &plain, "1e+21"}, {"fa7f7fffff", &plain, "3.4028234663852886e+38"},
        {"f90001", &plain, "5.960464477539063e-8"}, {"84f97c00f97e00f7f8ff", &plain, "[null,null,null,null]"}, {"83f4f5f6", &plain, "[false,true,null]"},
        {"4401fffe00", &plain, "\"Af_-AA\""}, {"4401fffe00", &base64, "\"Af/+AA==\""}, {"4401fffe00", &hex, "\"01FFFE00\""}, {"40", &plain, "\"\""}, {"42fbff", &base64, "\"+/8=\""}, {"43fbffff", &base64, "\"+///\""},
        {"d64401fffe00", &hex, "\"Af/+AA==\""}, {"d7824101d54102", &plain, "[\"01\",\"Ag\"]"}, {"d7a161618141ab", &plain, "{\"a\":[\"AB\"]}"}, {"82d7410141ff", &plain, "[\"01\",\"_w\"]"}, {"d74101", &refused, "\"01\""}, {"5f42010243030405ff", &hex, "\"0102030405\""},
        {"5fff", &plain, "\"\""}, {"c249010000000000000000", &plain, "\"AQAAAAAAAAAA\""}, {"c349010000000000000000", &plain, "\"~AQAAAAAAAAAA\""}, {"c249010000000000000000", &numbers, "18446744073709551616"},
        {"c349010000000000000000", &strings, "\"-18446744073709551617\""}, {"c240", &numbers, "0"}, {"c340", &numbers, "-1"}, {"c25f41014100ff", &numbers, "256"}, {"c24c033b2e3c9fd0803ce8000000", &numbers, "1000000000000000000000000000"},
        {"c11a514b67b0", &plain, "1363896240"}, {"c48221196ab3", &plain, "[-2,27315]"}, {"d9d9f7c06161", &plain, "\"a\""}, {"7f6161626263ff", &plain, "\"abc\""}, {"7fff", &plain, "\"\""},
        {"9f01bf616102ff80ff", &plain, "[1,{\"a\":2},[]]"}, {"6822080c0a0d095c2f", &plain, "\"\\\"\\b\\f\\n\\r\\t\\\\/\""}, {"63001f7f", &plain, "\"\\u0000\\u001f\x7f\""}, {"63e280a8", &plain, "\"\xe2\x80\xa8\""},
        {"72303132333435363738396162636465660a22", &plain, "\"0123456789abcdef\\n\\\"\""}, {"a20102f5f6", &keys, "{\"1\":2,\"true\":null}"}, {"a1fb3fb999999999999a4101", &keys, "{\"0.1\":\"AQ\"}"}, {"a1410100", &keys, "{\"AQ\":0}"}, {"a1c2420101d741ff", &keys, "{\"AQE\":\"FF\"}"},
        {"83018203a0a1616180", &indent, "[\n  1,\n  [\n    3,\n    {}\n  ],\n  {\n    \"a\": []\n  }\n]"}, {"80", &indent, "[]"}, {"01", &indent, "1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t bytes[64];
        size_t nbytes = bytes_of(rows[i].hex, bytes);
        wcbor_buffer result;
        wcbor_status status = convert(wcbor_cbor_to_json, bytes, nbytes, *rows[i].options, &result);
        if (status != WCBOR_OK) fail_msg("%s: %s at %zu", rows[i].hex, wcbor_status_name(status), result.offset);
        if (result.nbytes != strlen(rows[i].text) || memcmp(result.bytes, rows[i].text, result.nbytes) != 0)
            fail_msg("%s: %.*s, not %s", rows[i].hex, (int)result.nbytes, (char *)result.bytes, rows[i].text);
        free(result.bytes);
    }
    wcbor_json_options lax = plain, lax_keys = keys;
    lax.mode = lax_keys.mode = WCBOR_MODE_LAX;
    const struct {
        const char *hex;
        const wcbor_json_options *options;
        wcbor_status status;
        size_t offset;
    } failing[] = {
        {"", &plain, WCBOR_UNEXPECTED_END, 0}, {"0001", &plain, WCBOR_TRAILING_BYTES, 1}, {"61ff", &plain, WCBOR_INVALID_UTF8, 0}, {"8161ff", &lax, WCBOR_INVALID_UTF8, 1}, {"7f61c361a9ff", &lax, WCBOR_INVALID_UTF8, 0},
        {"8141ff", &refused, WCBOR_NOT_IN_JSON, 1}, {"81c241ff", &refused, WCBOR_NOT_IN_JSON, 2}, {"a10102", &plain, WCBOR_NOT_IN_JSON, 1}, {"a1800000", &keys, WCBOR_TRAILING_BYTES, 3}, {"a18000", &keys, WCBOR_NOT_IN_JSON, 1}, {"a1a000", &keys, WCBOR_NOT_IN_JSON, 1},
        {"a20102613103", &keys, WCBOR_DUPLICATE_KEY, 3}, {"a2616101616102", &plain, WCBOR_DUPLICATE_KEY, 4},
    };
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        uint8_t bytes[64];
        size_t nbytes = bytes_of(failing[i].hex, bytes);
        wcbor_buffer result;
        wcbor_status status = convert(wcbor_cbor_to_json, bytes, nbytes, *failing[i].options, &result);
        if (status != failing[i].status || result.offset != failing[i].offset) fail_msg("%s: %s at %zu", failing[i].hex, wcbor_status_name(status), result.offset);
    }
}

/* Whichever allocation fails, nothing is lost and nothing is left behind. */
static void test_memory(void **state) {
    (void)state;
    static char text[40000];
    size_t nbytes = 0;
    for (int i = 0; i < 20; i++) nbytes += (size_t)snprintf(text + nbytes, sizeof text - nbytes, "[{\"a\":");
    text[nbytes++] = '{';
    for (int i = 0; i < 200; i++) nbytes += (size_t)snprintf(text + nbytes, sizeof text - nbytes, "%s\"%d\":\"\xff\xff\xff\xff\\n\"", i > 0 ? "," : "", 1000 - i);
    text[nbytes++] = '}';
    for (int i = 0; i < 20; i++) nbytes += (size_t)snprintf(text + nbytes, sizeof text - nbytes, "}]");
    for (int round = 0; round < 3; round++) {
        wcbor_json_options options = in_mode(round == 0 ? WCBOR_MODE_LAX : WCBOR_MODE_DETERMINISTIC);
        options.keys = WCBOR_JSON_KEYS_STRING;
        memory m = {1000000, 0};
        options.reallocate = reallocate;
        options.context = &m;
        wcbor_buffer input = {(uint8_t *)text, nbytes, 0}, result;
        if (round > 0)
            for (char *at = text; (at = strchr(at, '\xff')) != NULL;) *at = 'f';
        if (round == 2) assert_ok(wcbor_json_to_cbor(text, nbytes, &options, &input));
        wcbor_status status = WCBOR_OUT_OF_MEMORY;
        for (long left = 0; status == WCBOR_OUT_OF_MEMORY; left++) {
            m.left = left;
            long before = m.blocks;
            status = round == 2 ? wcbor_cbor_to_json(input.bytes, input.nbytes, &options, &result)
                                : wcbor_json_to_cbor(input.bytes, input.nbytes, &options, &result);
            assert_int_equal(m.blocks - before, status == WCBOR_OK);
            assert_true(left < 1000);
        }
        assert_ok(status);
        free(result.bytes);
        if (round == 2) free(input.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted), cmocka_unit_test(test_refused), cmocka_unit_test(test_text),    cmocka_unit_test(test_modes),
        cmocka_unit_test(test_lengths),  cmocka_unit_test(test_limits),  cmocka_unit_test(test_written), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
