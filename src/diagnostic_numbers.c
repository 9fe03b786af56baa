/* diagnostic_numbers.c - diagnostic notation to CBOR: numbers, and the tags that begin with one. */
#include "diagnostic_parse.h"
#include "float.h"

/* A number in `words` has room for one more digit. */
enum { MAX_WORDS = WCBOR_BIG_WORDS - 1 };

void wcbor_add_float_(wcbor_notation_ *p, double value, bool negative) {
    unsigned width = wcbor_take_width_(p), information = wcbor_float_information_(value);
    bool is_nan = value != value;
    if (width <= 3) {
        if (24 + width < information) wcbor_fail_parse_(p);
        information = 24 + width;
    } else if (width != WIDTH_AUTO) {
        wcbor_fail_parse_(p);
    }
    if (negative) value = -value;
    /* Exact, all three; of a NaN the bits are not left to the machine. */
    uint64_t bits = is_nan ? UINT64_C(0x7ff8) << 48 : wcbor_double_bits_(value);
    if (information == 26) bits = is_nan ? 0x7fc00000u : wcbor_single_bits_((float)value);
    if (information < 26) bits = wcbor_half_from_double(value);
    wcbor_add_head_(p, WCBOR_SIMPLE, bits, information - 24);
}

WCBOR_NOINLINE void wcbor_take_whole_(wcbor_notation_ *p, unsigned base, wcbor_big_ *number) {
    const uint8_t *first = p->next;
    number->count = 0;
    for (unsigned digit; (digit = wcbor_digit_value_(wcbor_peek_(p), base)) < 64 && number->count < MAX_WORDS; p->next++)
        wcbor_big_multiply_(number, base, digit);
    if (p->next == first) wcbor_fail_parse_(p);
}

/* An integer and its encoding indicator: negative ones are -1 - n, and -0 is 0. */
static void put_integer(wcbor_notation_ *p, bool negative, wcbor_big_ *number) {
    unsigned width = wcbor_take_width_(p);
    negative = negative && number->count != 0;
    if (negative) {
        for (uint32_t i = 0; number->words[i]-- == 0;) i++;
        if (number->words[number->count - 1] == 0) number->count--;
    }
    if (number->count <= 2) {
        wcbor_add_head_(p, negative ? WCBOR_NEGATIVE : WCBOR_UNSIGNED, wcbor_big_low_(number), width);
        return;
    }
    if (width != WIDTH_AUTO) wcbor_fail_parse_(p);
    wcbor_output_byte_(&p->out, WCBOR_TAG | (negative ? 3 : 2));
    size_t start = p->out.nbytes;
    wcbor_output_byte_(&p->out, 0);
    for (uint32_t i = number->count * 4; i-- != 0;) {
        unsigned byte = number->words[i / 4] >> i % 4 * 8 & 0xff;
        if (byte != 0 || p->out.nbytes != start + 1) wcbor_output_byte_(&p->out, byte);
    }
    wcbor_set_head_(p, start, WCBOR_BYTES, p->out.nbytes - start - 1, WIDTH_AUTO);
}

/*
 * What follows the whole part of a float in base 16: a fraction, and an exponent of two. All steps but the last are
 * exact, for what they begin with is 0 or from 1 up to 2^64.
 */
static double take_hex_float(wcbor_notation_ *p, uint64_t mantissa) {
    enum { MAX_EXPONENT = 100000 };
    int32_t places = 0, exponent = 0;
    double factor = 1;
    if (wcbor_take_(p, '.')) {
        for (unsigned digit; (digit = wcbor_digit_value_(wcbor_peek_(p), BASE_16)) < 64; p->next++) {
            if (mantissa >> 60 != 0 || places < -MAX_EXPONENT) wcbor_fail_parse_(p);
            mantissa = mantissa << 4 | digit;
            places -= 4;
        }
    }
    if (!wcbor_take_(p, 'P')) wcbor_expect_(p, 'p');
    bool minus = wcbor_take_(p, '-');
    if (!minus) (void)wcbor_take_(p, '+');
    const uint8_t *first = p->next;
    for (unsigned digit; (digit = wcbor_peek_(p) - '0') < 10; p->next++)
        if (exponent < MAX_EXPONENT) exponent = exponent * 10 + (int32_t)digit;
    if (p->next == first) wcbor_fail_parse_(p);
    double value = (double)mantissa;
    exponent = (minus ? -exponent : exponent) + places;
    if (value == 0) return value;
    for (; exponent > 0 && wcbor_is_finite_(value); exponent--) value *= 2;
    for (; exponent < -500 && value != 0; exponent += 250) value *= 0x1p-250;
    for (; exponent < 0 && value != 0; exponent++) factor /= 2;
    return value * factor;
}

/* A number in base 10 that is no integer. */
static double decimal_value(wcbor_notation_ *p, const wcbor_number_ *number) {
    const wcbor_diagnostic_options *options = p->options;
    if (p->powers == NULL) {
        p->powers = options->reallocate(options->context, NULL, sizeof *p->powers);
        if (p->powers == NULL) {
            wcbor_fail_parse_with_(p, WCBOR_OUT_OF_MEMORY, p->next);
            return 0;
        }
        memset(p->powers->known, 0, sizeof p->powers->known);
    }
    return wcbor_number_value_(number, p->powers);
}

void wcbor_take_number_(wcbor_notation_ *p) {
    const uint8_t *first = p->next;
    bool negative = wcbor_take_(p, '-'), is_signed = negative || wcbor_take_(p, '+');
    wcbor_big_ whole;
    wcbor_number_ number;
    unsigned letter = p->end - p->next > 1 && *p->next == '0' ? p->next[1] | 0x20u : 0;
    unsigned base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    double value;
    if (base == 10) {
        if (is_signed && wcbor_take_word_(p, "Infinity")) {
            wcbor_add_float_(p, wcbor_double_value_(UINT64_C(0x7ff) << 52), negative);
            return;
        }
        if (p->next == p->end || !wcbor_scan_number_(p->next, p->end, &number)) {
            if (p->next < p->end) p->next = number.end;
            wcbor_fail_parse_(p);
            return;
        }
        if (number.integral) {
            wcbor_take_whole_(p, 10, &whole);
            /* Leading zeros, and more digits than there may be. */
            if (p->next != number.end) wcbor_fail_parse_(p);
        }
        value = number.integral ? 0 : decimal_value(p, &number);
        if (!number.integral) p->next = number.end;
        base = number.integral ? 0 : 1;
    } else {
        p->next += 2;
        bool is_fraction = base == 16 && wcbor_peek_(p) == '.' && p->end - p->next > 1 && wcbor_digit_value_(p->next[1], 16) < 64;
        whole.count = 0;
        if (!is_fraction) wcbor_take_whole_(p, base, &whole);
        base = base == 16 && whole.count <= 2 && (wcbor_peek_(p) == '.' || (wcbor_peek_(p) | 0x20) == 'p');
        value = base != 0 ? take_hex_float(p, wcbor_big_low_(&whole)) : 0;
    }
    if (p->status != WCBOR_OK) return;
    if (!wcbor_is_finite_(value)) wcbor_fail_parse_with_(p, WCBOR_INVALID_DIAGNOSTIC, first);
    if (base != 0) {
        wcbor_add_float_(p, value, negative);
        return;
    }
    size_t start = p->out.nbytes;
    put_integer(p, negative, &whole);
    if (is_signed || !wcbor_take_(p, '(')) return;
    if (whole.count > 2) wcbor_fail_parse_(p);
    if (!p->out.failed) p->out.bytes[start] |= WCBOR_TAG;
    wcbor_push_level_(p, LEVEL_TAG, 0, WIDTH_AUTO);
}
