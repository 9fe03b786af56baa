/* Text: what is well-formed, and what lax makes of what is not. */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "reference_rules.h"

#define REPLACED "efbfbd"

/* Ill-formed UTF-8 and what the WHATWG Encoding Standard decodes it to: one U+FFFD for each maximal subpart. */
static const struct {
    const char *what, *hex, *replaced;
} ill_formed[] = {
    {"a continuation alone", "80", REPLACED},
    {"two of them", "80bf", REPLACED REPLACED},
    {"a first byte alone", "c3", REPLACED},
    {"and text behind it", "c361", REPLACED "61"},
    {"two first bytes", "c3c3a9", REPLACED "c3a9"},
    {"overlong in two bytes", "c0af", REPLACED REPLACED},
    {"and c1", "c1bf", REPLACED REPLACED},
    {"overlong in three bytes", "e080af", REPLACED REPLACED REPLACED},
    {"overlong in four bytes", "f08080af", REPLACED REPLACED REPLACED REPLACED},
    {"the last that is overlong", "e09fbf", REPLACED REPLACED REPLACED},
    {"likewise in four", "f08fbfbf", REPLACED REPLACED REPLACED REPLACED},
    {"a surrogate", "eda080", REPLACED REPLACED REPLACED},
    {"a pair of them", "eda0bdedb880", REPLACED REPLACED REPLACED REPLACED REPLACED REPLACED},
    {"past U+10FFFF", "f4908080", REPLACED REPLACED REPLACED REPLACED},
    {"f5", "f5808080", REPLACED REPLACED REPLACED REPLACED},
    {"fe and ff", "feff", REPLACED REPLACED},
    {"three bytes, one missing", "e282", REPLACED},
    {"and text behind them", "e28261", REPLACED "61"},
    {"two missing", "e2", REPLACED},
    {"four bytes, one missing", "f09f98", REPLACED},
    {"two missing", "f09f61", REPLACED "61"},
    {"three missing", "f0", REPLACED},
    {"one broken off by a first byte", "f09f98c3a9", REPLACED "c3a9"},
    {"the example of The Unicode Standard, table 3-8", "c080e180c28041", REPLACED REPLACED REPLACED "c28041"},
    {"table 3-10", "eda080edbfbfedaf41", REPLACED REPLACED REPLACED REPLACED REPLACED REPLACED REPLACED REPLACED "41"},
    {"table 3-11", "f4919293ff4180bf42", REPLACED REPLACED REPLACED REPLACED REPLACED "41" REPLACED REPLACED "42"},
    {"table 3-11, truncated sequences", "e180e2f09192f1bf41", REPLACED REPLACED REPLACED REPLACED "41"},
};

static void check_ill_formed(const char *hex, const char *replaced) {
    char calls[512], document[512];
    size_t nbytes = strlen(replaced) / 2;
    snprintf(calls, sizeof calls, "text %s;", hex);
    if (nbytes < 24)
        snprintf(document, sizeof document, "%02x%s", 0x60u | (unsigned)nbytes, replaced);
    else
        snprintf(document, sizeof document, "78%02x%s", (unsigned)nbytes, replaced);
    script_expect(WCBOR_MODE_LAX, 0, calls, document);
    for (int mode = WCBOR_MODE_STRICT; mode <= WCBOR_MODE_DCBOR; mode++) {
        script_fail((wcbor_mode)mode, 0, calls, WCBOR_INVALID_TEXT);
    }
}

/* Each of them alone, and at every place among letters up to where words of 8 and 16 bytes are over. */
static void test_ill_formed(void **state) {
    static const char letters[] = "6162636465666768696a6b6c6d6e6f70";
    (void)state;
    for (size_t i = 0; i < sizeof ill_formed / sizeof *ill_formed; i++) {
        for (int before = 0; before <= 16; before++) {
            char hex[256], replaced[256];
            snprintf(hex, sizeof hex, "%.*s%s", 2 * before, letters, ill_formed[i].hex);
            snprintf(replaced, sizeof replaced, "%.*s%s", 2 * before, letters, ill_formed[i].replaced);
            check_ill_formed(hex, replaced);
            snprintf(hex, sizeof hex, "%.*s%s%.*s", 2 * before, letters, ill_formed[i].hex, 2 * before, letters);
            snprintf(replaced, sizeof replaced, "%.*s%s%.*s", 2 * before, letters, ill_formed[i].replaced, 2 * before,
                     letters);
            check_ill_formed(hex, replaced);
        }
    }
}

static void test_order_of_checks(void **state) {
    (void)state;
    script_fail(WCBOR_MODE_STRICT, 0, "null; text 80;", WCBOR_INVALID_TEXT);
    script_fail(WCBOR_MODE_STRICT, 0, "startBytes; text 80;", WCBOR_INVALID_TEXT);
    script_fail(WCBOR_MODE_DAG_CBOR, 0, "tag 42; text 80;", WCBOR_INVALID_TEXT);
    script_fail(WCBOR_MODE_LAX, 0, "null; text 80;", WCBOR_DEFINITE_LENGTH_EXCEEDED);
    script_fail(WCBOR_MODE_LAX, 0, "startBytes; text 80;", WCBOR_STRING_CONTEXT_ITEM);
    script_expect(WCBOR_MODE_LAX, SCRIPT_CONVERT, "startText; text 80; text 'a'; endText;", "64" REPLACED "61");
    script_expect(WCBOR_MODE_LAX, 0, "startMap 2; text 80; int 1; text 80; int 2; endMap;",
                  "a263" REPLACED "0163" REPLACED "02");
}

/* ------------------------------------------------------------------------------------------- exhaustively */

/* Every code point there is, in a buffer that ends with it; and next to letters. */
static void test_every_code_point(void **state) {
    (void)state;
    guard_area area = guard_make(64);
    uint8_t out[64];
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    options.allow_multiple_roots = true;
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, &options, out, sizeof out));
    for (uint32_t code = 0; code <= 0x110000; code++) {
        uint8_t text[4];
        size_t nbytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        text[0] = (uint8_t)(nbytes == 1 ? code : (0xf00u >> nbytes & 0xff) | code >> (6 * (nbytes - 1)));
        for (size_t i = 1; i < nbytes; i++)
            text[i] = (uint8_t)(0x80 | (code >> (6 * (nbytes - 1 - i)) & 0x3f));
        uint8_t *end = guard_buffer(&area, nbytes);
        memcpy(end, text, nbytes);
        bool is_valid = (code < 0xd800 || code > 0xdfff) && code <= 0x10ffff;
        wcbor_writer_reset(&writer);
        wcbor_status status = wcbor_write_text(&writer, (const char *)end, nbytes);
        if (status != (is_valid ? WCBOR_OK : WCBOR_INVALID_TEXT)) fail_msg("U+%04X", (unsigned)code);
        if (is_valid && (out[0] != (0x60 | nbytes) || memcmp(out + 1, text, nbytes) != 0)) {
            fail_msg("U+%04X: other bytes", (unsigned)code);
        }
    }
    guard_release(&area);
}

/* Every text of three bytes, and four that begin as four-byte sequences do, as the table in the reference has it. */
static void test_short_texts(void **state) {
    (void)state;
    uint8_t out[64];
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    options.mode = WCBOR_MODE_LAX;
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, &options, out, sizeof out));
    ref_bytes replaced = {NULL, 0, 0};
    /* The bytes at which something changes, and those beside them. */
    static const uint8_t bytes[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
                                    0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
    uint32_t count = sizeof bytes, total = count * count * count * count;
    for (uint32_t i = 0; i < total; i++) {
        uint8_t text[4] = {bytes[i % count], bytes[i / count % count], bytes[i / count / count % count],
                           bytes[i / count / count / count]};
        replaced.nbytes = 0;
        ref_append_replaced(&replaced, text, sizeof text);
        wcbor_writer_reset(&writer);
        assert_ok(wcbor_write_text(&writer, (const char *)text, sizeof text));
        if (out[0] != (0x60 | replaced.nbytes) || memcmp(out + 1, replaced.at, replaced.nbytes) != 0) {
            fail_msg("%02x%02x%02x%02x", text[0], text[1], text[2], text[3]);
        }
    }
    ref_release(&replaced);
    printf("%u texts\n", (unsigned)total);
}

/* Texts of 0 to 70 bytes that end at a guard page, written to a buffer that ends at one. */
static void test_ends(void **state) {
    (void)state;
    guard_area in = guard_make(128), out = guard_make(128);
    for (size_t nbytes = 0; nbytes <= 70; nbytes++) {
        for (size_t non_ascii = 0; non_ascii <= nbytes; non_ascii++) {
            /* A two-byte character that ends at `non_ascii`; none for 0 and 1. */
            uint8_t *text = guard_buffer(&in, nbytes);
            memset(text, 'x', nbytes);
            if (non_ascii >= 2) memcpy(text + non_ascii - 2, "\xc3\xa9", 2);
            size_t need = nbytes + (nbytes < 24 ? 1 : 2);
            uint8_t *buffer = guard_buffer(&out, need);
            wcbor_writer writer;
            assert_ok(wcbor_writer_init(&writer, NULL, buffer, need));
            assert_ok(wcbor_write_text(&writer, (const char *)text, nbytes));
            assert_int_equal(wcbor_writer_nbytes(&writer), need);
            assert_memory_equal(buffer + need - nbytes, text, nbytes);
            assert_ok(wcbor_writer_init(&writer, NULL, buffer + 1, need - 1));
            assert_status(WCBOR_OUT_OF_MEMORY, wcbor_write_text(&writer, (const char *)text, nbytes));
            assert_int_equal(wcbor_writer_nbytes(&writer), 0);
            assert_false(wcbor_writer_is_complete(&writer));
        }
    }
    guard_release(&in);
    guard_release(&out);
}

static void test_null(void **state) {
    (void)state;
    uint8_t out[64];
    wcbor_writer writer;
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    options.allow_multiple_roots = true;
    assert_ok(wcbor_writer_init(&writer, &options, out, sizeof out));
    for (size_t nbytes = 1; nbytes < 40; nbytes++) {
        assert_status(WCBOR_NULL_ARGUMENT, wcbor_write_text(&writer, NULL, nbytes));
        assert_status(WCBOR_NULL_ARGUMENT, wcbor_write_bytes(&writer, NULL, nbytes));
        assert_status(WCBOR_NULL_ARGUMENT, wcbor_write_encoded(&writer, NULL, nbytes));
        assert_status(WCBOR_NULL_ARGUMENT, wcbor_write_date_time(&writer, NULL, nbytes));
        assert_status(WCBOR_NULL_ARGUMENT, wcbor_write_bignum(&writer, false, NULL, nbytes));
        assert_status(WCBOR_NULL_ARGUMENT, wcbor_write_decimal(&writer, 0, false, NULL, nbytes));
    }
    assert_int_equal(wcbor_writer_nbytes(&writer), 0);
    assert_ok(wcbor_write_text(&writer, NULL, 0));
    assert_ok(wcbor_write_bytes(&writer, NULL, 0));
    assert_ok(wcbor_write_bignum(&writer, false, NULL, 0));
    assert_memory_equal(out, "\x60\x40\xc2\x41\x00", 5);
    assert_int_equal(wcbor_writer_nbytes(&writer), 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ill_formed),
        cmocka_unit_test(test_order_of_checks),
        cmocka_unit_test(test_every_code_point),
        cmocka_unit_test(test_short_texts),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
