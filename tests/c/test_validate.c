/* wcbor_validate: the first fault of a document, in every mode, and where it is. */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"

#define LAX WCBOR_MODE_LAX
#define STRICT WCBOR_MODE_STRICT
#define CANONICAL WCBOR_MODE_CANONICAL
#define CTAP2 WCBOR_MODE_CTAP2
#define DETERMINISTIC WCBOR_MODE_DETERMINISTIC
#define DAG WCBOR_MODE_DAG_CBOR
#define DCBOR WCBOR_MODE_DCBOR

typedef struct row {
    wcbor_mode mode;
    const char *hex;
    wcbor_status status;
    size_t offset; /* of the fault, or where the item ends */
    uint64_t missing;
} row;

static uint8_t digit(char c) {
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static size_t bytes_of(const char *hex, uint8_t *bytes) {
    size_t nbytes = strlen(hex) / 2;
    for (size_t i = 0; i < nbytes; i++) bytes[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return nbytes;
}

static void check(const row *r, bool sequence) {
    uint8_t bytes[256], *end = bytes + sizeof bytes, *at;
    size_t nbytes = bytes_of(r->hex, bytes), offset = 99;
    uint64_t missing = 99;
    at = memmove(end - nbytes, bytes, nbytes);
    wcbor_reader_options options = WCBOR_READER_OPTIONS_DEFAULT;
    options.mode = r->mode;
    options.allow_multiple_roots = sequence;
    wcbor_status status = wcbor_validate(at, nbytes, &options, &offset, &missing);
    if (status != r->status || offset != r->offset || missing != r->missing) {
        fail_msg("mode %d, %s: %s at %zu, %u missing; not %s at %zu, %u missing", r->mode, r->hex,
                 wcbor_status_name(status), offset, (unsigned)missing, wcbor_status_name(r->status), r->offset,
                 (unsigned)r->missing);
    }
}

static void test_well_formedness(void **state) {
    static const row rows[] = {
        {LAX, "00", WCBOR_OK, 1, 0},
        {LAX, "0000", WCBOR_OK, 1, 0},
        {LAX, "83016161f4", WCBOR_OK, 5, 0},
        {LAX, "5f41014102ff", WCBOR_OK, 6, 0},
        {LAX, "a2010201029f01ff", WCBOR_OK, 5, 0},
        {LAX, "f800", WCBOR_OK, 2, 0},
        {LAX, "61ff", WCBOR_OK, 2, 0},
        {LAX, "", WCBOR_UNEXPECTED_END, 0, 1},
        {LAX, "18", WCBOR_UNEXPECTED_END, 0, 1},
        {LAX, "1b0000", WCBOR_UNEXPECTED_END, 0, 6},
        {LAX, "f90a", WCBOR_UNEXPECTED_END, 0, 1},
        {LAX, "8201", WCBOR_LENGTH_EXCEEDS_BUFFER, 0, 1},
        {LAX, "82821901", WCBOR_UNEXPECTED_END, 2, 1},
        {LAX, "824161", WCBOR_UNEXPECTED_END, 3, 1},
        {LAX, "9f01", WCBOR_UNEXPECTED_END, 2, 1},
        {LAX, "c1", WCBOR_UNEXPECTED_END, 1, 1},
        {LAX, "4401", WCBOR_LENGTH_EXCEEDS_BUFFER, 0, 3},
        {LAX, "a201", WCBOR_LENGTH_EXCEEDS_BUFFER, 0, 3},
        {LAX, "9b7fffffffffffffff", WCBOR_LENGTH_EXCEEDS_BUFFER, 0, 0},
        {LAX, "bb7fffffffffffffff", WCBOR_LENGTH_EXCEEDS_BUFFER, 0, 0},
        {LAX, "5bffffffffffffffff", WCBOR_LENGTH_EXCEEDS_BUFFER, 0, 0},
        {LAX, "5a00010000", WCBOR_LENGTH_EXCEEDS_BUFFER, 0, 0x10000},
        {LAX, "1c", WCBOR_INVALID_INTEGER_ENCODING, 0, 0},
        {LAX, "813e", WCBOR_INVALID_INTEGER_ENCODING, 1, 0},
        {LAX, "1f", WCBOR_INVALID_INTEGER_ENCODING, 0, 0},
        {LAX, "df00", WCBOR_INVALID_INTEGER_ENCODING, 0, 0},
        {LAX, "fc", WCBOR_RESERVED_SIMPLE_VALUE, 0, 0},
        {LAX, "ff", WCBOR_UNEXPECTED_BREAK, 0, 0},
        {LAX, "81ff", WCBOR_UNEXPECTED_BREAK, 1, 0},
        {LAX, "9fc1ff", WCBOR_TAG_WITHOUT_VALUE, 2, 0},
        {LAX, "bf01ff", WCBOR_KEY_WITHOUT_VALUE, 2, 0},
        {LAX, "5f01ff", WCBOR_STRING_CHUNK_INVALID, 1, 0},
        {LAX, "5f5f4100ffff", WCBOR_STRING_CHUNK_INVALID, 1, 0},
        {LAX, "7f4100ff", WCBOR_STRING_CHUNK_INVALID, 1, 0},
        {LAX, "7fc06100ff", WCBOR_STRING_CHUNK_INVALID, 1, 0},
        {LAX, "bf009fff01ff", WCBOR_KEY_WITHOUT_VALUE, 5, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i], false);
}

static void test_modes(void **state) {
    static const row rows[] = {
        {STRICT, "61ff", WCBOR_INVALID_UTF8, 0, 0},
        {STRICT, "8261617819c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3a9c3", WCBOR_INVALID_UTF8, 3, 0},
        {STRICT, "7f61c361a9ff", WCBOR_INVALID_UTF8, 1, 0},
        {STRICT, "f818", WCBOR_INVALID_SIMPLE_VALUE, 0, 0},
        {STRICT, "f820", WCBOR_OK, 2, 0},
        {STRICT, "a2616101616102", WCBOR_DUPLICATE_KEY, 4, 0},
        {STRICT, "a2c1016101c10102", WCBOR_DUPLICATE_KEY, 5, 0},
        {STRICT, "bf80008000ff", WCBOR_DUPLICATE_KEY, 3, 0},
        {STRICT, "a2810100810002", WCBOR_OK, 7, 0},
        {STRICT, "a3010218010301ff", WCBOR_DUPLICATE_KEY, 6, 0},
        {STRICT, "a201a2020302048005", WCBOR_DUPLICATE_KEY, 5, 0},
        {STRICT, "bf01bf0203ff0102ff", WCBOR_DUPLICATE_KEY, 6, 0},
        {CANONICAL, "1817", WCBOR_NON_MINIMAL_INTEGER, 0, 0},
        {CANONICAL, "811900ff", WCBOR_NON_MINIMAL_INTEGER, 1, 0},
        {CANONICAL, "d8010a", WCBOR_NON_MINIMAL_INTEGER, 0, 0},
        {CANONICAL, "9fff", WCBOR_INDEFINITE_NOT_ALLOWED, 0, 0},
        {CANONICAL, "815f4100ff", WCBOR_INDEFINITE_NOT_ALLOWED, 1, 0},
        {CANONICAL, "a2020001ff", WCBOR_KEYS_NOT_SORTED, 3, 0},
        {CANONICAL, "a2010001ff", WCBOR_DUPLICATE_KEY, 3, 0},
        {CANONICAL, "a3006a61616100", WCBOR_LENGTH_EXCEEDS_BUFFER, 2, 6},
        {CANONICAL, "a21903e8006161f6", WCBOR_KEYS_NOT_SORTED, 5, 0},
        {CANONICAL, "a2616100190100f6", WCBOR_OK, 8, 0},
        {CANONICAL, "fb3ff0000000000000", WCBOR_NON_MINIMAL_FLOAT, 0, 0},
        {CANONICAL, "f97e01", WCBOR_OK, 3, 0},
        {CTAP2, "fb3ff0000000000000", WCBOR_OK, 9, 0},
        {CTAP2, "c101", WCBOR_TAGS_NOT_ALLOWED, 0, 0},
        {CTAP2, "a2190100006161f6", WCBOR_OK, 8, 0},
        {CTAP2, "a2616100190100f6", WCBOR_KEYS_NOT_SORTED, 4, 0},
        {DETERMINISTIC, "a2190100006161f6", WCBOR_OK, 8, 0},
        {DETERMINISTIC, "a2616100190100f6", WCBOR_KEYS_NOT_SORTED, 4, 0},
        {DETERMINISTIC, "fa3f800000", WCBOR_NON_MINIMAL_FLOAT, 0, 0},
        {DETERMINISTIC, "fb7ff8000000000001", WCBOR_OK, 9, 0},
        {DETERMINISTIC, "fb7ff8000000000000", WCBOR_NON_MINIMAL_FLOAT, 0, 0},
        {DETERMINISTIC, "c24101", WCBOR_BIGNUM_NOT_PREFERRED, 1, 0},
        {DETERMINISTIC, "c249010000000000000000", WCBOR_OK, 11, 0},
        {DETERMINISTIC, "c34900ffffffffffffffff", WCBOR_BIGNUM_NOT_PREFERRED, 1, 0},
        {DETERMINISTIC, "f7", WCBOR_OK, 1, 0},
        {DAG, "f7", WCBOR_SIMPLE_NOT_ALLOWED, 0, 0},
        {DAG, "81e0", WCBOR_SIMPLE_NOT_ALLOWED, 1, 0},
        {DAG, "f820", WCBOR_SIMPLE_NOT_ALLOWED, 0, 0},
        {DAG, "f93c00", WCBOR_FLOAT_NOT_ALLOWED, 0, 0},
        {DAG, "fb3ff8000000000000", WCBOR_OK, 9, 0},
        {DAG, "fb7ff0000000000000", WCBOR_FLOAT_NOT_ALLOWED, 0, 0},
        {DAG, "fb7ff8000000000000", WCBOR_FLOAT_NOT_ALLOWED, 0, 0},
        {DAG, "a10101", WCBOR_KEY_TYPE_NOT_ALLOWED, 1, 0},
        {DAG, "a1d82a6101", WCBOR_KEY_TYPE_NOT_ALLOWED, 1, 0},
        {DAG, "a2616180616201", WCBOR_OK, 7, 0},
        {DAG, "c101", WCBOR_TAG_NOT_ALLOWED, 0, 0},
        {DAG, "d82a01", WCBOR_INVALID_CID, 2, 0},
        {DAG, "d82ad82a4100", WCBOR_INVALID_CID, 2, 0},
        {DAG, "d82a80", WCBOR_INVALID_CID, 2, 0},
        {DAG, "d82a450001550000", WCBOR_OK, 8, 0},
        {DAG, "d82a46000155000000", WCBOR_INVALID_CID, 2, 0},
        {DCBOR, "f93c00", WCBOR_NOT_REDUCED, 0, 0},
        {DCBOR, "f98000", WCBOR_NOT_REDUCED, 0, 0},
        {DCBOR, "fb43f0000000000000", WCBOR_NON_MINIMAL_FLOAT, 0, 0},
        {DCBOR, "fa5f800000", WCBOR_OK, 5, 0},
        {DCBOR, "f97e00", WCBOR_OK, 3, 0},
        {DCBOR, "f97e01", WCBOR_FLOAT_NOT_ALLOWED, 0, 0},
        {DCBOR, "fa7fc00000", WCBOR_NON_MINIMAL_FLOAT, 0, 0},
        {DCBOR, "fb7ff8000000000001", WCBOR_FLOAT_NOT_ALLOWED, 0, 0},
        {DCBOR, "f7", WCBOR_SIMPLE_NOT_ALLOWED, 0, 0},
        {DCBOR, "c3488000000000000000", WCBOR_OK, 10, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i], false);
}

static void test_sequences(void **state) {
    static const row rows[] = {
        {LAX, "", WCBOR_OK, 0, 0},
        {LAX, "00816100", WCBOR_OK, 4, 0},
        {LAX, "00c1", WCBOR_TAG_WITHOUT_VALUE, 2, 1},
        {LAX, "00ff", WCBOR_UNEXPECTED_BREAK, 1, 0},
        {STRICT, "a10102a10102", WCBOR_OK, 6, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i], true);
}

static void test_depth(void **state) {
    (void)state;
    static uint8_t bytes[3000];
    size_t offset;
    hook memory = {0};
    wcbor_reader_options options = {WCBOR_MODE_STRICT, false, false, -1, hook_reallocate, &memory, 1};
    memset(bytes, 0x81, sizeof bytes);
    bytes[1000] = 0;
    assert_status(WCBOR_OK, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_int_equal(offset, 1001);
    bytes[1000] = 0x81;
    assert_status(WCBOR_DEPTH_EXCEEDED, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_int_equal(offset, 1000);
    options.max_depth = 0;
    assert_status(WCBOR_DEPTH_EXCEEDED, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_status(WCBOR_OK, wcbor_validate("\x01", 1, &options, &offset, NULL));
    assert_status(WCBOR_DEPTH_EXCEEDED, wcbor_validate("\x5f\xff", 2, &options, &offset, NULL));
    options.max_depth = -1;
    options.reallocate = NULL;
    bytes[16] = 0;
    assert_status(WCBOR_OK, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    bytes[16] = 0x81;
    assert_status(WCBOR_OUT_OF_MEMORY, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_int_equal(memory.blocks, 0);
}

static void test_options(void **state) {
    (void)state;
    size_t offset;
    wcbor_reader_options options = WCBOR_READER_OPTIONS_DEFAULT;
    options.max_depth = -2;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_validate("", 0, &options, &offset, NULL));
    options.max_depth = -1;
    options.mode = WCBOR_MODE_DAG_CBOR;
    options.allow_multiple_roots = true;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_validate("", 0, &options, &offset, NULL));
    options.allow_multiple_roots = false;
    options.is_partial = true;
    assert_status(WCBOR_LAX_ONLY, wcbor_validate("", 0, &options, &offset, NULL));
    options.mode = (wcbor_mode)7;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_validate("", 0, &options, &offset, NULL));
    assert_status(WCBOR_NULL_ARGUMENT, wcbor_validate(NULL, 1, NULL, &offset, NULL));
    assert_status(WCBOR_UNEXPECTED_END, wcbor_validate(NULL, 0, NULL, &offset, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_well_formedness), cmocka_unit_test(test_modes), cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_depth),           cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
