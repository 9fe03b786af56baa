/* What deterministic, dag-cbor and dcbor ask for beyond the four modes that the vectors cover. */
#include "script.h"

#define LAX           WCBOR_MODE_LAX
#define STRICT        WCBOR_MODE_STRICT
#define CANONICAL     WCBOR_MODE_CANONICAL
#define CTAP2         WCBOR_MODE_CTAP2
#define DETERMINISTIC WCBOR_MODE_DETERMINISTIC
#define DAG           WCBOR_MODE_DAG_CBOR
#define DCBOR         WCBOR_MODE_DCBOR

/* 00, version 1, dag-cbor, SHA2-256, 32 bytes. */
#define DIGEST "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define CID_1  "0001711220" DIGEST
#define CID_0  "001220" DIGEST

static void test_key_order(void **state) {
    (void)state;
    /* 10, 100, -1, "z", "aa", [100], [-1], false: the example of RFC 8949, section 4.2.1 and 4.2.3. */
    const char *calls =
        "startMap 8; startArray 1; int -1; endArray; null; text 'aa'; null; bool 0; null; int 100; null;"
        "text 'z'; null; startArray 1; int 100; endArray; null; int -1; null; int 10; null; endMap;";
    script_expect(DETERMINISTIC, 0, calls, "a80af61864f620f6617af6626161f6811864f68120f6f4f6");
    script_expect(DCBOR, 0, calls, "a80af61864f620f6617af6626161f6811864f68120f6f4f6");
    script_expect(CANONICAL, 0, calls, "a80af620f6f4f61864f6617af68120f6626161f6811864f6");
    script_expect(CTAP2, 0, calls, "a80af61864f620f6617af6626161f68120f6811864f6f4f6");
    script_expect(STRICT, 0, calls, "a88120f6626161f6f4f61864f6617af6811864f620f60af6");
    /* By UTF-8 bytes: never by UTF-16 units, in which U+1F600 would come before U+FFFF. */
    const char *texts =
        "startMap 5; text '\xf0\x9f\x98\x80'; int 5; text '\xef\xbf\xbf'; int 4; text '\xc3\xa9'; int 3;"
        "text 'zz'; int 2; text 'a'; int 1; endMap;";
    const char *sorted = "a5616101627a7a0262c3a90363efbfbf0464f09f988005";
    script_expect(DETERMINISTIC, 0, texts, sorted);
    script_expect(DAG, 0, texts, sorted);
    script_expect(DCBOR, 0, texts, sorted);
    script_expect(CANONICAL, 0, texts, sorted);
    script_expect(DAG, SCRIPT_CONVERT, "startIndefiniteMap; text 'bb'; int 1; text 'c'; int 2; endMap;",
                  "a261630262626201");
    script_fail(DAG, 0, "startMap 2; text 'a'; int 1; text 'a';", WCBOR_DUPLICATE_KEY);
    script_fail(DETERMINISTIC, 0, "startMap 2; int 1; int 1; int 1;", WCBOR_DUPLICATE_KEY);
}

static void test_indefinite(void **state) {
    static const wcbor_mode modes[] = {DETERMINISTIC, DAG, DCBOR};
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        script_fail(modes[i], 0, "startIndefiniteArray;", WCBOR_INDEFINITE_NOT_ALLOWED);
        script_fail(modes[i], 0, "startIndefiniteMap;", WCBOR_INDEFINITE_NOT_ALLOWED);
        script_fail(modes[i], 0, "startText;", WCBOR_INDEFINITE_NOT_ALLOWED);
        script_fail(modes[i], 0, "startBytes;", WCBOR_INDEFINITE_NOT_ALLOWED);
        script_fail(modes[i], SCRIPT_CONVERT, "encoded 9fff;", WCBOR_INVALID_ENCODED_VALUE);
        script_expect(modes[i], SCRIPT_CONVERT,
                      "startIndefiniteArray; startText; text 'a'; text 'b'; endText; endArray;", "81626162");
    }
}

static void test_floats(void **state) {
    (void)state;
    script_expect(DETERMINISTIC, 0, "double 1.5;", "f93e00");
    script_expect(DETERMINISTIC, 0, "double 1.1;", "fb3ff199999999999a");
    script_expect(DETERMINISTIC, 0, "double 3.0;", "f94200");
    script_expect(DETERMINISTIC, 0, "double -0.0;", "f98000");
    script_expect(DETERMINISTIC, 0, "double nan;", "f97e00");
    script_expect(DETERMINISTIC, 0, "double inf;", "f97c00");
    script_expect(DAG, 0, "half 1.5;", "fb3ff8000000000000");
    script_expect(DAG, 0, "single 1.5;", "fb3ff8000000000000");
    script_expect(DAG, 0, "double -0.0;", "fb8000000000000000");
    script_fail(DAG, 0, "double nan;", WCBOR_FLOAT_NOT_ALLOWED);
    script_fail(DAG, 0, "single inf;", WCBOR_FLOAT_NOT_ALLOWED);
    script_fail(DAG, 0, "half -inf;", WCBOR_FLOAT_NOT_ALLOWED);
    script_expect(DCBOR, 0, "double 3.0;", "03");
    script_expect(DCBOR, 0, "half -1.0;", "20");
    script_expect(DCBOR, 0, "single 256.0;", "190100");
    script_expect(DCBOR, 0, "double -0.0;", "00");
    script_expect(DCBOR, 0, "double 0.5;", "f93800");
    script_expect(DCBOR, 0, "double nan;", "f97e00");
    script_expect(DCBOR, 0, "double -inf;", "f9fc00");
    script_expect(DCBOR, 0, "double 9007199254740993.0;", "1b0020000000000000");
    script_expect(DCBOR, 0, "double -0x1p63;", "3b7fffffffffffffff");
    script_expect(DCBOR, 0, "double -0x1.0000000000001p63;", "fbc3e0000000000001");
    script_expect(DCBOR, 0, "double 0x1.fffffffffffffp63;", "1bfffffffffffff800");
    script_expect(DCBOR, 0, "double 0x1p64;", "fa5f800000");
    script_fail(DCBOR, 0, "startMap 2; int 1; int 1; double 1.0;", WCBOR_DUPLICATE_KEY);
}

static void test_simple_values(void **state) {
    (void)state;
    script_expect(DETERMINISTIC, 0, "simple 0;", "e0");
    script_expect(DETERMINISTIC, 0, "simple 32;", "f820");
    script_expect(DETERMINISTIC, 0, "undefined;", "f7");
    script_fail(DETERMINISTIC, 0, "simple 24;", WCBOR_SIMPLE_NOT_ALLOWED);
    script_expect(LAX, 0, "simple 31;", "f81f");
    static const wcbor_mode modes[] = {DAG, DCBOR};
    for (size_t i = 0; i < 2; i++) {
        script_expect(modes[i], 0, "startArray 3; simple 20; bool 1; null; endArray;", "83f4f5f6");
        script_fail(modes[i], 0, "undefined;", WCBOR_SIMPLE_NOT_ALLOWED);
        script_fail(modes[i], 0, "simple 23;", WCBOR_SIMPLE_NOT_ALLOWED);
        script_fail(modes[i], 0, "simple 19;", WCBOR_SIMPLE_NOT_ALLOWED);
        script_fail(modes[i], 0, "simple 255;", WCBOR_SIMPLE_NOT_ALLOWED);
        script_fail(modes[i], 0, "null; simple 255;", WCBOR_SIMPLE_NOT_ALLOWED);
    }
}

static void test_bignums(void **state) {
    static const wcbor_mode reducing[] = {DETERMINISTIC, DCBOR, DAG};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        script_expect(reducing[i], 0, "bigInt +;", "00");
        script_expect(reducing[i], 0, "bigInt -00;", "20");
        script_expect(reducing[i], 0, "bigInt +0000ff;", "18ff");
        script_expect(reducing[i], 0, "bigInt +ffffffffffffffff;", "1bffffffffffffffff");
        script_expect(reducing[i], 0, "bigInt -ffffffffffffffff;", "3bffffffffffffffff");
    }
    script_expect(DETERMINISTIC, 0, "bigInt +010000000000000000;", "c249010000000000000000");
    script_expect(DCBOR, 0, "bigInt -0000010000000000000000;", "c349010000000000000000");
    script_fail(DAG, 0, "bigInt +010000000000000000;", WCBOR_TAG_NOT_ALLOWED);
    script_expect(STRICT, 0, "bigInt +0005;", "c24105");
    script_expect(STRICT, 0, "bigInt +;", "c24100");
    script_fail(CTAP2, 0, "bigInt +05;", WCBOR_TAGS_NOT_ALLOWED);
    for (size_t i = 0; i < 2; i++) {
        script_fail(reducing[i], 0, "tag 2; bytes ;", WCBOR_BIGNUM_NOT_PREFERRED);
        script_fail(reducing[i], 0, "tag 2; bytes ffffffffffffffff;", WCBOR_BIGNUM_NOT_PREFERRED);
        script_fail(reducing[i], 0, "tag 3; bytes 00ffffffffffffffffff;", WCBOR_BIGNUM_NOT_PREFERRED);
        script_expect(reducing[i], 0, "tag 3; bytes ffffffffffffffffff;", "c349ffffffffffffffffff");
        script_expect(reducing[i], 0, "tag 2; text 'a';", "c26161");
        script_expect(reducing[i], 0, "tag 2; tag 9; bytes 01;", "c2c94101");
        script_fail(reducing[i], SCRIPT_CONVERT, "tag 2; startBytes;", WCBOR_INDEFINITE_NOT_ALLOWED);
        script_fail(reducing[i], 0, "tag 2; encoded 4101;", WCBOR_BIGNUM_NOT_PREFERRED);
        script_fail(reducing[i], 0, "encoded c24101;", WCBOR_INVALID_ENCODED_VALUE);
        script_fail(reducing[i], 0, "encoded c24900ffffffffffffffff;", WCBOR_INVALID_ENCODED_VALUE);
        script_expect(reducing[i], 0, "encoded c249010000000000000000;", "c249010000000000000000");
    }
    /* The dCBOR drafts disagree about integers below -2^63. */
    script_expect(DCBOR, 0, "encoded c3488000000000000000;", "c3488000000000000000");
    script_expect(DCBOR, 0, "encoded 3b8000000000000000;", "3b8000000000000000");
    script_fail(DCBOR, 0, "encoded c3487fffffffffffffff;", WCBOR_INVALID_ENCODED_VALUE);
    script_fail(DETERMINISTIC, 0, "encoded c3488000000000000000;", WCBOR_INVALID_ENCODED_VALUE);
}

static void test_decimals(void **state) {
    (void)state;
    script_expect(STRICT, 0, "decimal -2 +6ab3;", "c48221196ab3");
    script_expect(STRICT, 0, "decimal 0 -00;", "c4820020");
    script_expect(STRICT, 0, "decimal 0 -01;", "c48200c34101");
    script_expect(DETERMINISTIC, 0, "decimal 0 -01;", "c4820021");
    script_expect(DCBOR, 0, "decimal -1 -ffffffffffffffff;", "c482203bffffffffffffffff");
    script_expect(DETERMINISTIC, 0, "decimal -9223372036854775808 -010000000000000000;",
                  "c4823b7fffffffffffffffc349010000000000000000");
    script_expect(LAX, 0, "decimal 9223372036854775807 +;", "c4821b7fffffffffffffff00");
    script_fail(DAG, 0, "decimal 0 +01;", WCBOR_TAG_NOT_ALLOWED);
    script_fail(CTAP2, 0, "decimal 0 +01;", WCBOR_TAGS_NOT_ALLOWED);
}

static void test_dag_tags(void **state) {
    (void)state;
    script_expect(DAG, 0, "tag 42; bytes " CID_1 ";", "d82a5825" CID_1);
    script_expect(DAG, 0, "tag 42; bytes " CID_0 ";", "d82a5823" CID_0);
    script_expect(DAG, 0, "tag 42; bytes 0001550003aabbcc;", "d82a480001550003aabbcc");
    script_expect(DAG, 0, "tag 42; encoded 480001550003aabbcc;", "d82a480001550003aabbcc");
    script_expect(DAG, 0, "encoded d82a480001550003aabbcc;", "d82a480001550003aabbcc");
    script_fail(DAG, 0, "tag 41;", WCBOR_TAG_NOT_ALLOWED);
    script_fail(DAG, 0, "tag 42; tag 42;", WCBOR_INVALID_CID);
    script_fail(DAG, 0, "tag 42; text 'a';", WCBOR_INVALID_CID);
    script_fail(DAG, 0, "tag 42; startArray 1;", WCBOR_INVALID_CID);
    script_fail(DAG, SCRIPT_CONVERT, "tag 42; startBytes;", WCBOR_INDEFINITE_NOT_ALLOWED);
    static const char *const bad[] = {
        "",                                   /* no 00 */
        "00",                                 /* no CID */
        "01550003aabbcc",                     /* no 00 */
        "0001550003aabb",                     /* a digest that is short */
        "0001550003aabbccdd",                 /* or long */
        "0002550003aabbcc",                   /* no such version */
        "000155800003aabbcc",                 /* a varint that is longer than it need be */
        "0001ffffffffffffffffff010003aabbcc", /* of more than nine bytes */
        "001220" DIGEST "00",                 /* version 0, and more */
        "001221" DIGEST "00"                  /* what version 0 never has */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char calls[256];
        snprintf(calls, sizeof calls, "tag 42; bytes %s;", bad[i]);
        script_fail(DAG, 0, calls, WCBOR_INVALID_CID);
    }
    script_fail(DAG, 0, "encoded d82a00;", WCBOR_INVALID_ENCODED_VALUE);
    script_fail(DAG, 0, "encoded d82a4100;", WCBOR_INVALID_ENCODED_VALUE);
    script_fail(DAG, 0, "encoded c100;", WCBOR_INVALID_ENCODED_VALUE);
    script_fail(DAG, 0, "unixTime 1;", WCBOR_TAG_NOT_ALLOWED);
    script_fail(DAG, 0, "dateTime '2013-03-21T20:04:00Z';", WCBOR_TAG_NOT_ALLOWED);
}

static void test_dag_keys(void **state) {
    (void)state;
    script_fail(DAG, 0, "startMap 1; int 1;", WCBOR_KEY_TYPE_NOT_ALLOWED);
    script_fail(DAG, 0, "startMap 1; bytes 61;", WCBOR_KEY_TYPE_NOT_ALLOWED);
    script_fail(DAG, 0, "startMap 1; startArray 0;", WCBOR_KEY_TYPE_NOT_ALLOWED);
    script_fail(DAG, 0, "startMap 1; double 1.0;", WCBOR_KEY_TYPE_NOT_ALLOWED);
    script_fail(DAG, 0, "startMap 1; tag 42;", WCBOR_KEY_TYPE_NOT_ALLOWED);
    script_fail(DAG, 0, "startMap 1; encoded 01;", WCBOR_KEY_TYPE_NOT_ALLOWED);
    script_expect(DAG, 0, "startMap 1; encoded 6161; int 1; endMap;", "a1616101");
    script_expect(DAG, SCRIPT_CONVERT, "startMap 1; startText; text 'a'; endText; int 1; endMap;", "a1616101");
    script_fail(DAG, 0, "encoded a10101;", WCBOR_INVALID_ENCODED_VALUE);
}

/* Which of these items a mode takes, from lax to dcbor; 1 or 0 each. */
static const struct {
    const char *hex, *taken;
} items[] = {
    {"1817", "1100000"}, /* a head that is longer than it need be */
    {"9800", "1100000"},
    {"d80100", "1100000"},
    {"9fff", "1100000"}, /* indefinite lengths */
    {"5f4101ff", "1100000"},
    {"5f5f4101ffff", "0000000"},
    {"7f4101ff", "0000000"},
    {"a201020103", "1000000"},   /* duplicate keys */
    {"a202010102", "1100000"},   /* keys out of order */
    {"a2200118640a", "1110000"}, /* -1, 100: shorter first */
    {"a21864012001", "1101101"}, /* 100, -1: bytewise; by major type */
    {"a26161012001", "1100000"},
    {"a2200161610a", "1111101"},
    {"a2616101626161f6", "1111111"},
    {"61ff", "1000000"}, /* text that is no UTF-8 */
    {"63eda080", "1000000"},
    {"c100", "1110101"}, /* tags */
    {"f7", "1111100"},   /* simple values */
    {"e0", "1111100"},
    {"f8ff", "1111100"},
    {"f818", "1000000"},
    {"f814", "1000000"},
    {"fc", "0000000"},
    {"ff", "0000000"},
    {"f93e00", "1111101"}, /* 1.5 */
    {"fa3fc00000", "1111000"},
    {"fb3ff8000000000000", "1111010"},
    {"f94200", "1111100"}, /* 3.0 */
    {"fb4008000000000000", "1111010"},
    {"f97e00", "1111101"}, /* NaN */
    {"f97e01", "1111100"},
    {"fa7fc00001", "1111100"},
    {"fb7ff8000000000000", "1111000"},
    {"fb7ff8000000000001", "1111100"},
    {"f97c00", "1111101"}, /* infinity */
    {"fb7ff0000000000000", "1111000"},
    {"fa5f800000", "1111101"}, /* 2^64 */
    {"fbc3e0000000000001", "1111111"},
    {"1b0000000100000000", "1111111"},
    {"3bffffffffffffffff", "1111111"},
    {"", "0000000"}, /* not one item */
    {"18", "0000000"},
    {"0000", "0000000"},
    {"81", "0000000"},
    {"a101", "0000000"},
    {"c1", "0000000"},
    {"9b7fffffffffffffff", "0000000"},
    {"bbffffffffffffffff", "0000000"},
    {"5bffffffffffffffff", "0000000"},
    {"bf01ff", "0000000"},
};

static void test_encoded_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        char calls[64];
        snprintf(calls, sizeof calls, "encoded %s;", items[i].hex);
        for (int mode = 0; mode <= WCBOR_MODE_DCBOR; mode++) {
            if (items[i].taken[mode] == '1')
                script_expect((wcbor_mode)mode, 0, calls, items[i].hex);
            else
                script_fail((wcbor_mode)mode, 0, calls, WCBOR_INVALID_ENCODED_VALUE);
        }
    }
}

static void test_options(void **state) {
    (void)state;
    wcbor_writer writer;
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    assert_int_equal(options.mode, WCBOR_MODE_STRICT);
    for (int mode = -1; mode <= 8; mode++) {
        options.mode = (wcbor_mode)mode;
        bool is_mode = mode >= 0 && mode <= WCBOR_MODE_DCBOR;
        assert_status(is_mode ? WCBOR_OK : WCBOR_OPTION_OUT_OF_RANGE, wcbor_writer_init(&writer, &options, NULL, 0));
    }
    options.mode = WCBOR_MODE_LAX;
    options.max_depth = -2;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_writer_init(&writer, &options, NULL, 0));
    options.max_depth = INT32_MIN;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_writer_init(&writer, &options, NULL, 0));
    options.max_depth = INT32_MAX;
    assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
    options = (wcbor_writer_options)WCBOR_WRITER_OPTIONS_DEFAULT;
    options.mode = WCBOR_MODE_DAG_CBOR;
    options.allow_multiple_roots = true;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_writer_init(&writer, &options, NULL, 0));
}

/* That each has the name of its enumerator is checked where the header is read, in tests/js/build.test.js. */
static void test_status_names(void **state) {
    (void)state;
    assert_string_equal(wcbor_status_name(WCBOR_OK), "OK");
    assert_string_equal(wcbor_status_name(WCBOR_DUPLICATE_KEY), "DUPLICATE_KEY");
    assert_string_equal(wcbor_status_name(WCBOR_INVALID_DIAGNOSTIC), "INVALID_DIAGNOSTIC");
    assert_string_equal(wcbor_status_name((wcbor_status)10000), "UNKNOWN");
    assert_string_equal(wcbor_status_name((wcbor_status)-1), "UNKNOWN");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key_order),      cmocka_unit_test(test_indefinite),
        cmocka_unit_test(test_floats),         cmocka_unit_test(test_simple_values),
        cmocka_unit_test(test_bignums),        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_dag_tags),       cmocka_unit_test(test_dag_keys),
        cmocka_unit_test(test_encoded_values), cmocka_unit_test(test_options),
        cmocka_unit_test(test_status_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
