/* Numbers as decimal text: exact values by hand, and the C library's strtod and printf as judges of many more. */
#include <math.h>
#include <stdlib.h>

#include "decimal.h"
#include "float.h"
#include "../fuzz/random.h"
#include "suite.h"

static wcbor_powers_ powers;

static uint64_t bits_of(const char *text) {
    wcbor_number_ number;
    const uint8_t *begin = (const uint8_t *)text, *end = begin + strlen(text);
    assert_true(wcbor_scan_number_(begin, end, &number));
    assert_ptr_equal(number.end, end);
    return wcbor_double_bits_(wcbor_number_value_(&number, &powers));
}

static void assert_reads_like_strtod(const char *text) {
    uint64_t expected = wcbor_double_bits_(strtod(text, NULL)), got = bits_of(text);
    if (got != expected)
        fail_msg("%s is %016llx, not %016llx", text, (unsigned long long)got, (unsigned long long)expected);
}

static const char *text_of(double value) {
    static char text[WCBOR_DOUBLE_ROOM + 1];
    *wcbor_put_double_((uint8_t *)text, value, &powers) = 0;
    return text;
}

/* It reads back as the same double, and no fewer digits do. */
static void assert_writes_shortest(double value) {
    const char *text = text_of(value);
    assert_int_equal(bits_of(text), wcbor_double_bits_(value));
    size_t digits = 0, zeros = 0;
    for (; *text != 0 && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && digits == 0)) continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    char shorter[64];
    if (digits - zeros < 2) return;
    snprintf(shorter, sizeof shorter, "%.*e", (int)(digits - zeros - 2), value);
    if (strtod(shorter, NULL) == value) fail_msg("%s, but %s will do", text_of(value), shorter);
}

static void test_values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t bits;
    } rows[] = {
        {"0", 0},
        {"-0", UINT64_C(0x8000000000000000)},
        {"0e999999999999999999999", 0},
        {"-0.000e-1", UINT64_C(0x8000000000000000)},
        {"1", UINT64_C(0x3ff0000000000000)},
        {"1.0", UINT64_C(0x3ff0000000000000)},
        {"10E-1", UINT64_C(0x3ff0000000000000)},
        {"0.1", UINT64_C(0x3fb999999999999a)},
        {"1e23", UINT64_C(0x44b52d02c7e14af6)},
        {"5e-324", 1},
        {"1.7976931348623157e308", UINT64_C(0x7fefffffffffffff)},
        {"1.7976931348623159e308", UINT64_C(0x7ff0000000000000)},
        {"1e309", UINT64_C(0x7ff0000000000000)},
        {"-1e999999999999999999999", UINT64_C(0xfff0000000000000)},
        {"1e-99999999999999999999", 0},
        {"2.2250738585072011e-308", UINT64_C(0x000fffffffffffff)},
        {"2.2250738585072014e-308", UINT64_C(0x0010000000000000)},
        /* Half of the least double is a tie with 0, which is even; a little more is not. */
        {"2.4703282292062327208299439634347e-324", 0},
        {"2.4703282292062327208299439634348e-324", 0},
        {"2.4703282292062328e-324", 1},
        /* 2^53 + 1 is a tie, to the even one below; 2^53 + 3 to the one above. */
        {"9007199254740993", UINT64_C(0x4340000000000000)},
        {"9007199254740993.0", UINT64_C(0x4340000000000000)},
        {"900719925474099300000000000000e-14", UINT64_C(0x4340000000000000)},
        {"9007199254740993.00000000000000000000000000000000000000000001", UINT64_C(0x4340000000000001)},
        {"9007199254740992.99999999999999999999999999999999999999999999", UINT64_C(0x4340000000000000)},
        {"9007199254740995", UINT64_C(0x4340000000000002)},
        {"0.500000000000000166533453693773481063544750213623046875", UINT64_C(0x3fe0000000000002)},
        {"3.518437208883201171875e13", UINT64_C(0x42c0000000000002)},
        {"100000000000000000000000000000000e-32", UINT64_C(0x3ff0000000000000)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t bits = bits_of(rows[i].text);
        if (bits != rows[i].bits) fail_msg("%s is %016llx", rows[i].text, (unsigned long long)bits);
    }
}

static void test_scan(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t end; /* where it ends or fails */
        bool number;
    } rows[] = {
        {"", 0, false}, {"-", 1, false}, {"+1", 0, false}, {".5", 0, false}, {"1.", 2, false}, {"1.e1", 2, false},
        {"1e", 2, false}, {"1e+", 3, false}, {"1E-x", 3, false}, {"-a", 1, false}, {"Infinity", 0, false}, {"01", 1, true},
        {"-01", 2, true}, {"1,", 1, true}, {"1.5.5", 3, true}, {"1e5e", 3, true}, {"12345678901234567890x", 20, true},
        {"0x1", 1, true}, {"1_000", 1, true}, {"1234567:", 7, true}, {"12345678/", 8, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        /* A copy without a NUL behind it, so that a sanitizer sees a read too many. */
        size_t nbytes = strlen(rows[i].text);
        uint8_t *text = malloc(nbytes + 1);
        assert_non_null(text);
        memcpy(text + 1, rows[i].text, nbytes);
        wcbor_number_ number;
        if (nbytes > 0) {
            assert_int_equal(wcbor_scan_number_(text + 1, text + 1 + nbytes, &number), rows[i].number);
            if (number.end != text + 1 + rows[i].end) fail_msg("%s ends at %td", rows[i].text, number.end - text - 1);
        }
        free(text);
    }
}

static void test_texts(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        {0, "0"}, {-0.0, "-0"}, {1, "1"}, {-1, "-1"}, {10, "10"}, {0.5, "0.5"}, {-1.5, "-1.5"}, {0.1, "0.1"}, {1e21, "1e+21"},
        {123456789012345680000.0, "123456789012345680000"}, {1e-6, "0.000001"}, {1e-7, "1e-7"}, {1.5e-7, "1.5e-7"},
        {5e-324, "5e-324"}, {1.7976931348623157e308, "1.7976931348623157e+308"}, {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {1e23, "1e+23"}, {9.5e-322, "9.5e-322"}, {9007199254740991, "9007199254740991"}, {9007199254740992, "9007199254740992"},
        {9007199254740994, "9007199254740994"}, {18446744073709551616.0, "18446744073709552000"}, {100.25, "100.25"},
        {7.120236347223045e-307, "7.120236347223045e-307"}, {-65.613616999999977, "-65.61361699999998"}, {99999999.5, "99999999.5"},
        {3.4028234663852886e38, "3.4028234663852886e+38"}, {0.000012345, "0.000012345"}, {123e-20, "1.23e-18"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_string_equal(text_of(rows[i].value), rows[i].text);
    static const uint64_t integers[] = {0, 9, 10, 99999999, 100000000, 100000001, 9999999999999999, 10000000000000000, UINT64_MAX};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        char text[WCBOR_INTEGER_ROOM + 1], expected[32];
        *wcbor_put_integer_((uint8_t *)text, integers[i]) = 0;
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)integers[i]);
        assert_string_equal(text, expected);
    }
}

static void test_every_exponent(void **state) {
    (void)state;
    char text[1300];
    for (uint64_t exponent = 0; exponent < 0x7ff; exponent++) {
        for (uint64_t low = 0; low < 5; low++) {
            uint64_t bits = (exponent << 52) + low - 2;
            if (exponent == 0 && low < 3) continue;
            double value = wcbor_double_value_(bits), next = wcbor_double_value_(bits + 1);
            /* The shortest text of a power of two may not be the nearest of its length, which is all that printf knows. */
            if (low != 2) assert_writes_shortest(value);
            if (isinf(next)) continue;
            /* The exact middle of two doubles, and what is a little above, by hundreds of digits. */
            long double middle = ((long double)value + (long double)next) / 2;
            int nbytes = snprintf(text, sizeof text, "%.1100Le", middle);
            assert_reads_like_strtod(text);
            char *mark = strchr(text, 'e');
            memmove(mark + 1, mark, (size_t)(text + nbytes + 1 - mark));
            *mark = '1';
            assert_reads_like_strtod(text);
            for (int digits = 16; digits < 22; digits++) {
                snprintf(text, sizeof text, "%.*Le", digits, middle);
                assert_reads_like_strtod(text);
            }
        }
    }
}

static void test_random(void **state) {
    (void)state;
    random_state random = {20261130};
    char text[128];
    for (int i = 0; i < 100000; i++) {
        double value = wcbor_double_value_(random_bits(&random) & ~(UINT64_C(1) << 63));
        if (!wcbor_is_finite_(value)) continue;
        assert_writes_shortest(value);
        snprintf(text, sizeof text, "%.16e", value);
        assert_reads_like_strtod(text);
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(random_bits(&random) >> i % 64),
                 (unsigned long long)random_bits(&random), (int)(random_bits(&random) % 700) - 350);
        assert_reads_like_strtod(text);
        assert_writes_shortest((double)(random_bits(&random) % 100000000) / 1000);
        /* What is written with few digits is written again with these, where it is about 10^-30 to 10^30. */
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)(random_bits(&random) >> (10 + i % 54)),
                 (int)(random_bits(&random) % 50) - 30);
        assert_writes_shortest(strtod(text, NULL));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_scan),           cmocka_unit_test(test_texts),
        cmocka_unit_test(test_random), cmocka_unit_test(test_every_exponent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
