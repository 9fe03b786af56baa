/* Floats of every width, the rounding of halves, integers at the edges of heads, and times. */
#include "script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The value of a half by the definition of IEEE 754, section 3.4. */
static double value_of_half(unsigned bits) {
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double magnitude = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) magnitude = fraction == 0 ? INFINITY : NAN;
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

static void test_every_half(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        double value = value_of_half(bits);
        unsigned rounded = wcbor_half_from_double(value);
        if (isnan(value))
            assert_true((rounded & 0x7c00) == 0x7c00 && (rounded & 0x3ff) != 0);
        else
            assert_int_equal(rounded, bits);
    }
}

static void check_rounding(double value, unsigned expected) {
    unsigned up = wcbor_half_from_double(value), down = wcbor_half_from_double(-value);
    if (up != expected || down != (expected | 0x8000)) {
        fail_msg("%a rounds to %04x and %04x, not to %04x", value, up, down, expected);
    }
}

/* Between each half and the next: the tie goes to the even one, what is just below or above it to the nearer one. */
static void test_ties(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        double low = value_of_half(bits);
        /* Past the largest half the next would be 2^16. */
        double high = bits == 0x7bff ? 65536 : value_of_half(bits + 1);
        double tie = (low + high) / 2;
        check_rounding(tie, bits + (bits & 1));
        check_rounding(nextafter(tie, 0), bits);
        check_rounding(nextafter(tie, INFINITY), bits + 1);
        check_rounding(nextafter(low, INFINITY), bits);
        check_rounding(nextafter(high, 0), bits + 1);
    }
    check_rounding(65520, 0x7c00);
    check_rounding(nextafter(65520, 0), 0x7bff);
    check_rounding(1e300, 0x7c00);
    check_rounding(0x1p-25, 0);
    check_rounding(nextafter(0x1p-25, 1), 1);
    check_rounding(5e-324, 0);
}

/* ------------------------------------------------------------------------------------------ shortest form */

static size_t written(uint8_t *out, wcbor_mode mode, double value) {
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    options.mode = mode;
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, &options, out, 16));
    assert_ok(wcbor_write_double(&writer, value));
    return wcbor_writer_nbytes(&writer);
}

static double read_back(const uint8_t *bytes, size_t nbytes) {
    uint64_t bits = 0;
    for (size_t i = 1; i < nbytes; i++)
        bits = bits << 8 | bytes[i];
    if (nbytes == 3) return value_of_half((unsigned)bits);
    if (nbytes == 5) {
        uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof value);
        return value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check_shortest(double value) {
    uint8_t out[16];
    size_t nbytes = written(out, WCBOR_MODE_STRICT, value);
    bool is_single = (double)(float)value == value;
    bool is_half = is_single && value_of_half(wcbor_half_from_double(value)) == value;
    size_t expected = is_half ? 3 : is_single ? 5 : 9;
    double back = read_back(out, nbytes);
    if (nbytes != expected || back != value || signbit(back) != signbit(value) ||
        out[0] != (nbytes == 3   ? 0xf9
                   : nbytes == 5 ? 0xfa
                                 : 0xfb)) {
        fail_msg("%a: %zu bytes, not %zu, which are %a", value, nbytes, expected, back);
    }
}

static void test_shortest(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        double value = value_of_half(bits);
        if (isnan(value)) continue;
        check_shortest(value);
        if (isinf(value)) continue;
        check_shortest((double)nextafterf((float)value, INFINITY));
        check_shortest((double)nextafterf((float)value, -INFINITY));
        check_shortest(nextafter(value, INFINITY));
        check_shortest(nextafter(value, -INFINITY));
    }
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1, exponent);
        check_shortest(power);
        check_shortest(-power);
        check_shortest(power * 1.5);
        check_shortest(nextafter(power, 0));
        check_shortest(nextafter(power, INFINITY));
    }
    check_shortest(3.4028234663852886e38);
    check_shortest(nextafter(3.4028234663852886e38, INFINITY));
}

static void test_nan(void **state) {
    static const uint64_t nans[] = {UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000),
                                    UINT64_C(0x7ff0000000000001), UINT64_C(0x7fffffffffffffff)};
    (void)state;
    for (size_t i = 0; i < sizeof nans / sizeof *nans; i++) {
        uint8_t out[16];
        double value;
        memcpy(&value, &nans[i], sizeof value);
        for (int mode = 0; mode <= WCBOR_MODE_DCBOR; mode++) {
            if (mode == WCBOR_MODE_DAG_CBOR) continue;
            size_t nbytes = written(out, (wcbor_mode)mode, value);
            if (mode == WCBOR_MODE_CTAP2) {
                assert_int_equal(nbytes, 9);
                for (int k = 0; k < 8; k++)
                    assert_int_equal(out[1 + k], nans[i] >> (56 - 8 * k) & 0xff);
            } else {
                assert_int_equal(nbytes, 3);
                assert_memory_equal(out, "\xf9\x7e\x00", 3);
            }
        }
    }
    script_expect(WCBOR_MODE_CTAP2, 0, "startArray 3; half 1.5; single 1.5; double 1.5; endArray;",
                  "83f93e00fa3fc00000fb3ff8000000000000");
}

/* dcbor: floats that are integers become integers exactly when they lie in -2^63 .. 2^64 - 1. */
static void test_reduction(void **state) {
    (void)state;
    for (int exponent = 0; exponent < 70; exponent++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double values[] = {ldexp(sign, exponent), nextafter(ldexp(sign, exponent), 0),
                               nextafter(ldexp(sign, exponent), sign < 0 ? -INFINITY : INFINITY)};
            for (int i = 0; i < 3; i++) {
                uint8_t out[16];
                double value = values[i];
                written(out, WCBOR_MODE_DCBOR, value);
                bool is_integer = value == floor(value) && value >= -0x1p63 && value < 0x1p64;
                if ((out[0] < 0x40) != is_integer) fail_msg("%a: %02x", value, out[0]);
            }
        }
    }
}

/* ----------------------------------------------------------------------------------------------- integers */

static void test_integers(void **state) {
    (void)state;
    for (int mode = 0; mode <= WCBOR_MODE_DCBOR; mode++) {
        wcbor_mode m = (wcbor_mode)mode;
        script_expect(m, 0, "int 23;", "17");
        script_expect(m, 0, "int 24;", "1818");
        script_expect(m, 0, "int 255;", "18ff");
        script_expect(m, 0, "int 256;", "190100");
        script_expect(m, 0, "int 65535;", "19ffff");
        script_expect(m, 0, "int 65536;", "1a00010000");
        script_expect(m, 0, "int 4294967295;", "1affffffff");
        script_expect(m, 0, "int 4294967296;", "1b0000000100000000");
        script_expect(m, 0, "uint 18446744073709551615;", "1bffffffffffffffff");
        script_expect(m, 0, "int -1;", "20");
        script_expect(m, 0, "int -24;", "37");
        script_expect(m, 0, "int -25;", "3818");
        script_expect(m, 0, "int -256;", "38ff");
        script_expect(m, 0, "int -257;", "390100");
        script_expect(m, 0, "int -9223372036854775808;", "3b7fffffffffffffff");
        script_expect(m, 0, "nint 18446744073709551615;", "3bffffffffffffffff");
        script_expect(m, 0, "nint 0;", "20");
    }
    script_fail(WCBOR_MODE_LAX, 0, "startArray 2147483648;", WCBOR_LENGTH_OUT_OF_RANGE);
    script_fail(WCBOR_MODE_LAX, 0, "startMap 1073741824;", WCBOR_LENGTH_OUT_OF_RANGE);
    script_fail(WCBOR_MODE_LAX, 0, "null; startMap 18446744073709551615;", WCBOR_LENGTH_OUT_OF_RANGE);
    script_fail(WCBOR_MODE_LAX, 0, "startArray 2147483647; startMap 1073741823; endMap;", WCBOR_NOT_FILLED);
}

/* -------------------------------------------------------------------------------------------------- times */

static void test_date_times(void **state) {
    static const char *const good[] = {"2013-03-21T20:04:00Z",
                                       "2013-03-21T20:04:00+00:00",
                                       "2013-03-21T20:04:00-00:00",
                                       "2013-03-21T20:04:00.5Z",
                                       "0000-01-01T00:00:00Z",
                                       "9999-12-31T23:59:59+23:59",
                                       "2000-02-29T00:00:00Z",
                                       "2004-02-29T00:00:00Z",
                                       "1990-12-31T23:59:60Z",
                                       "1985-04-12T23:20:50.52Z",
                                       "1996-12-19T16:39:57-08:00",
                                       "1937-01-01T12:00:27.87+00:20",
                                       "2013-03-21T20:04:00.123456789012345678901234567890Z"};
    static const char *const bad[] = {"",
                                      "2013-03-21",
                                      "2013-03-21T20:04:00",
                                      "2013-03-21T20:04Z",
                                      "2013-03-21 20:04:00Z",
                                      "2013-03-21t20:04:00Z",
                                      "2013-03-21T20:04:00z",
                                      "2013-3-21T20:04:00Z",
                                      "13-03-21T20:04:00Z",
                                      "2013-00-21T20:04:00Z",
                                      "2013-13-21T20:04:00Z",
                                      "2013-03-00T20:04:00Z",
                                      "2013-04-31T20:04:00Z",
                                      "1900-02-29T00:00:00Z",
                                      "2200-02-29T00:00:00Z",
                                      "2013-02-29T00:00:00Z",
                                      "2013-03-21T24:00:00Z",
                                      "2013-03-21T20:60:00Z",
                                      "2013-03-21T20:04:61Z",
                                      "2013-03-21T20:04:00.Z",
                                      "2013-03-21T20:04:00,5Z",
                                      "2013-03-21T20:04:00+24:00",
                                      "2013-03-21T20:04:00+00:60",
                                      "2013-03-21T20:04:00+0000",
                                      "2013-03-21T20:04:00+00",
                                      "2013-03-21T20:04:00ZZ",
                                      "2013-03-21T20:04:00Z ",
                                      " 2013-03-21T20:04:00Z",
                                      "+2013-03-21T20:04:00Z",
                                      "2013-03-21T20:04:00.5",
                                      "2013-03-21T20:04:00.5+1:00",
                                      "2013-03-21T20:04:0:Z",
                                      "2013-03-21T20:04:00\xc3\xa9"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char calls[128], hex[256];
        size_t nbytes = strlen(good[i]);
        int at = nbytes < 24 ? snprintf(hex, sizeof hex, "c0%02x", 0x60u | (unsigned)nbytes)
                             : snprintf(hex, sizeof hex, "c078%02x", (unsigned)nbytes);
        for (size_t k = 0; k < nbytes; k++)
            at += snprintf(hex + at, 3, "%02x", (unsigned)good[i][k]);
        snprintf(calls, sizeof calls, "dateTime '%s';", good[i]);
        script_expect(WCBOR_MODE_STRICT, 0, calls, hex);
        script_fail(WCBOR_MODE_CTAP2, 0, calls, WCBOR_TAGS_NOT_ALLOWED);
        /* Cut short anywhere, it is none. The shortest that is one has its first 19 characters. */
        for (size_t k = 0; k < 20; k++) {
            snprintf(calls, sizeof calls, "dateTime '%.*s';", (int)k, good[i]);
            script_fail(WCBOR_MODE_LAX, 0, calls, WCBOR_INVALID_DATETIME);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char calls[128];
        snprintf(calls, sizeof calls, "dateTime '%s';", bad[i]);
        for (int mode = 0; mode <= WCBOR_MODE_DCBOR; mode++) {
            script_fail((wcbor_mode)mode, 0, calls, WCBOR_INVALID_DATETIME);
        }
        snprintf(calls, sizeof calls, "null; dateTime '%s';", bad[i]);
        script_fail(WCBOR_MODE_STRICT, 0, calls, WCBOR_INVALID_DATETIME);
    }
}

static void test_unix_times(void **state) {
    (void)state;
    script_expect(WCBOR_MODE_STRICT, 0, "unixTime 1363896240;", "c11a514b67b0");
    script_expect(WCBOR_MODE_STRICT, 0, "unixTime -1;", "c120");
    script_expect(WCBOR_MODE_STRICT, 0, "unixTime -9223372036854775808;", "c13b7fffffffffffffff");
    script_expect(WCBOR_MODE_STRICT, 0, "unixTimeDouble 1363896240.5;", "c1fb41d452d9ec200000");
    script_expect(WCBOR_MODE_STRICT, 0, "unixTimeDouble 0.5;", "c1f93800");
    script_expect(WCBOR_MODE_STRICT, 0, "unixTimeDouble 1.0;", "c1f93c00");
    script_expect(WCBOR_MODE_DCBOR, 0, "unixTimeDouble 1.0;", "c101");
    script_expect(WCBOR_MODE_DCBOR, 0, "unixTimeDouble -0.5;", "c1f9b800");
    for (int mode = 0; mode <= WCBOR_MODE_DCBOR; mode++) {
        script_fail((wcbor_mode)mode, 0, "unixTimeDouble nan;", WCBOR_NOT_FINITE);
        script_fail((wcbor_mode)mode, 0, "null; unixTimeDouble -inf;", WCBOR_NOT_FINITE);
    }
    script_fail(WCBOR_MODE_STRICT, 0, "startText; unixTime 1;", WCBOR_STRING_CONTEXT_ITEM);
    script_fail(WCBOR_MODE_STRICT, 0, "startMap 2; unixTime 1; null; unixTime 1;", WCBOR_DUPLICATE_KEY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_half), cmocka_unit_test(test_ties),       cmocka_unit_test(test_shortest),
        cmocka_unit_test(test_nan),        cmocka_unit_test(test_reduction),  cmocka_unit_test(test_integers),
        cmocka_unit_test(test_date_times), cmocka_unit_test(test_unix_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
