/*
 * Links of a document: where they are found, and that no byte behind the document is read.
 */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* d82a 45 0001550000 twice, in an array with everything else around it. */
static const uint8_t document[] = {
    0x9f, 0x01, 0x38, 0x64, 0x42, 0x01, 0x02, 0x63, 'a', 'b', 'c', 0xf5, 0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a,
    0xa2, 0x61, 'k', 0xd8, 0x2a, 0x45, 0x00, 0x01, 0x55, 0x00, 0x00, 0x61, 'l', 0x82, 0xc1, 0x01, 0x80,
    0xbf, 0xd8, 0x2a, 0x45, 0x00, 0x01, 0x55, 0x00, 0x00, 0x5f, 0x41, 0x01, 0x40, 0xff, 0xff, 0xff,
};

/* Scans a copy of the bytes that ends where memory does, to the sanitizers. */
static wcbor_status scan(const uint8_t *bytes, size_t nbytes, size_t *count, size_t *offset) {
    uint8_t *copy = malloc(nbytes == 0 ? 1 : nbytes);
    assert_non_null(copy);
    memcpy(copy, bytes, nbytes);
    wcbor_links links;
    wcbor_links_init(&links, copy, nbytes);
    wcbor_status status;
    *count = 0;
    for (;;) {
        const uint8_t *cid;
        size_t cid_nbytes;
        status = wcbor_links_next(&links, &cid, &cid_nbytes);
        if (status != WCBOR_OK || cid == NULL) break;
        assert_int_equal(cid_nbytes, 4);
        assert_memory_equal(cid, "\x01\x55\x00\x00", 4);
        ++*count;
    }
    *offset = wcbor_links_offset(&links);
    free(copy);
    return status;
}

static void test_document(void **state) {
    (void)state;
    size_t count, offset;
    assert_int_equal(scan(document, sizeof document, &count, &offset), WCBOR_OK);
    assert_int_equal(count, 2);
    assert_int_equal(offset, sizeof document);
}

static void test_prefixes(void **state) {
    (void)state;
    for (size_t nbytes = 0; nbytes < sizeof document; nbytes++) {
        size_t count, offset;
        wcbor_status status = scan(document, nbytes, &count, &offset);
        assert_true(status == WCBOR_UNEXPECTED_END || status == WCBOR_LENGTH_EXCEEDS_BUFFER);
        assert_true(offset <= nbytes);
    }
}

static void test_faults(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t nbytes;
        wcbor_status status;
        size_t offset;
    } cases[] = {
        {"\xd8\x2a\x60", 3, WCBOR_INVALID_CID, 2},
        {"\xd8\x2a\x40", 3, WCBOR_INVALID_CID, 2},
        {"\xd8\x2a\x45\xff\x01\x55\x00\x00", 8, WCBOR_INVALID_CID, 2},
        {"\xd8\x2a\x5f\x45\x00\x01\x55\x00\x00\xff", 10, WCBOR_INVALID_CID, 2},
        {"\xd8\x2a", 2, WCBOR_UNEXPECTED_END, 2},
        {"\xff", 1, WCBOR_UNEXPECTED_BREAK, 0},
        {"\x9f\x81\xff", 3, WCBOR_UNEXPECTED_BREAK, 2},
        {"\x9f\xc1\xff", 3, WCBOR_UNEXPECTED_BREAK, 2},
        {"\xbf\x01\xff", 3, WCBOR_KEY_WITHOUT_VALUE, 2},
        {"\x5f\x60\xff", 3, WCBOR_STRING_CHUNK_INVALID, 1},
        {"\x7f\x7f\xff\xff", 4, WCBOR_STRING_CHUNK_INVALID, 1},
        {"\x1c", 1, WCBOR_INVALID_INTEGER_ENCODING, 0},
        {"\xfc", 1, WCBOR_RESERVED_SIMPLE_VALUE, 0},
        {"\x81\x5a\x80\x00\x00\x00", 6, WCBOR_LENGTH_EXCEEDS_BUFFER, 1},
        /* Counts that would come round to what is left. */
        {"\xbb\x80\x00\x00\x00\x00\x00\x00\x00", 9, WCBOR_LENGTH_EXCEEDS_BUFFER, 0},
        {"\x82\x9b\xff\xff\xff\xff\xff\xff\xff\xff", 10, WCBOR_LENGTH_EXCEEDS_BUFFER, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count, offset;
        assert_int_equal(scan((const uint8_t *)cases[i].bytes, cases[i].nbytes, &count, &offset), cases[i].status);
        assert_int_equal(offset, cases[i].offset);
        assert_int_equal(count, 0);
    }
}

static void test_depth(void **state) {
    (void)state;
    uint8_t bytes[2 * WCBOR_LINKS_DEPTH_MAX + 2];
    size_t count, offset;
    memset(bytes, 0x9f, WCBOR_LINKS_DEPTH_MAX);
    memset(bytes + WCBOR_LINKS_DEPTH_MAX, 0xff, WCBOR_LINKS_DEPTH_MAX);
    assert_int_equal(scan(bytes, 2 * WCBOR_LINKS_DEPTH_MAX, &count, &offset), WCBOR_OK);
    memset(bytes, 0x9f, WCBOR_LINKS_DEPTH_MAX + 1);
    memset(bytes + WCBOR_LINKS_DEPTH_MAX + 1, 0xff, WCBOR_LINKS_DEPTH_MAX + 1);
    assert_int_equal(scan(bytes, sizeof bytes, &count, &offset), WCBOR_DEPTH_EXCEEDED);
    assert_int_equal(offset, WCBOR_LINKS_DEPTH_MAX);
    /* Definite containers nest as deep as the bytes go. */
    size_t deep = 1000000;
    uint8_t *nested = malloc(deep);
    assert_non_null(nested);
    memset(nested, 0x81, deep - 1);
    nested[deep - 1] = 0x00;
    assert_int_equal(scan(nested, deep, &count, &offset), WCBOR_OK);
    free(nested);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
