/*
 * decimal.c - doubles from and to decimal.
 *
 * Both ways a 64-bit integer is multiplied by the first 128 bits of a power of ten. To decimal that is enough in every
 * case (R. Giulietti, "The Schubfach way to render doubles"). From decimal, what the product leaves open is at most
 * whether the number is below, at or above the middle of two doubles: where its error covers the middle, the number and
 * the middle are compared as whole numbers.
 */
#include "decimal.h"

#include "big.h"
#include "float.h"
#include "scan.h"

/* ---------------------------------------------------------------------------------------------------- arithmetic */

typedef struct pair {
    uint64_t high, low;
} pair;

WCBOR_INLINE pair multiply(uint64_t a, uint64_t b) {
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t low = a_low * b_low, left = a_high * b_low, right = a_low * b_high;
    uint64_t middle = (low >> 32) + (uint32_t)left + (uint32_t)right;
    return (pair){a_high * b_high + (left >> 32) + (right >> 32) + (middle >> 32), middle << 32 | (uint32_t)low};
}

WCBOR_INLINE unsigned leading_zeros(uint64_t value) {
#if defined(__GNUC__)
    return (unsigned)__builtin_clzll(value);
#else
    unsigned zeros = 0;
    for (; value >> 63 == 0; value <<= 1) zeros++;
    return zeros;
#endif
}

/* Quotients of numbers that may be negative, rounded down. */
WCBOR_INLINE int shift_down(int64_t value, unsigned bits) {
    return (int)((uint64_t)(value + (INT64_C(1) << 48)) >> bits) - (int)(INT64_C(1) << (48 - bits));
}

/* The greatest integers that are not above log2(10^exponent), log10(2^exponent) and log10(3/4 * 2^exponent). */
WCBOR_INLINE int log2_of_10(int exponent) {
    return shift_down((int64_t)exponent * 1741647, 19);
}

WCBOR_INLINE int log10_of_2(int exponent) {
    return shift_down((int64_t)exponent * 1262611, 22);
}

WCBOR_INLINE int log10_of_2_less(int exponent) {
    return shift_down((int64_t)exponent * 1262611 - 524031, 22);
}

/* The first 128 bits of 5^exponent, rounded down, exactly. */
WCBOR_COLD static pair make_power(int exponent) {
    wcbor_big_ big = {1, {1}};
    if (exponent >= 0) {
        wcbor_big_scale_(&big, 5, exponent);
    } else {
        /* A power of two that leaves at least 128 bits; to round down step by step comes to the same as at the end. */
        big.count = (uint32_t)(-exponent * 19 / 256 + 6);
        for (uint32_t i = 0; i < big.count; i++) big.words[i] = i + 1 == big.count;
        for (; exponent < -12; exponent += 13) (void)wcbor_big_divide_(&big, 1220703125);
        for (; exponent < 0; exponent++) (void)wcbor_big_divide_(&big, 5);
    }
    uint64_t words[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 6 && i < big.count; i++)
        words[i / 2] |= (uint64_t)big.words[big.count - 1 - i] << (i % 2 == 0 ? 32 : 0);
    unsigned zeros = leading_zeros(words[0]);
    if (zeros == 0) return (pair){words[0], words[1]};
    return (pair){words[0] << zeros | words[1] >> (64 - zeros), words[1] << zeros | words[2] >> (64 - zeros)};
}

WCBOR_INLINE pair power_of_5(wcbor_powers_ *powers, int exponent) {
    unsigned at = (unsigned)(exponent - WCBOR_POWER_MIN);
    if (WCBOR_UNLIKELY((powers->known[at / 32] >> at % 32 & 1) == 0)) {
        pair made = make_power(exponent);
        powers->high[at] = made.high;
        powers->low[at] = made.low;
        powers->known[at / 32] |= UINT32_C(1) << at % 32;
    }
    return (pair){powers->high[at], powers->low[at]};
}

/* From here on up to here a power of five is exact in 128 bits. */
enum { EXACT_MIN = 0, EXACT_MAX = 55 };

/* ----------------------------------------------------------------------------------------------------- to decimal */

/* The 8 digits of a number, as bytes of 0 to 9: the first is the least byte. */
WCBOR_INLINE uint64_t eight_digits(uint32_t value) {
    uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = fours * 10486 >> 20 & UINT64_C(0x7f0000007f);
    uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = twos * 103 >> 10 & UINT64_C(0x000f000f000f000f);
    return tens | (twos - tens * 10) << 8;
}

WCBOR_INLINE void store_digits(uint8_t *to, uint64_t digits) {
    digits |= UINT64_C(0x3030303030303030);
    for (unsigned i = 0; i < 8; i++) to[i] = (uint8_t)(digits >> 8 * i);
}

/* A number of 1 to 8 digits; 8 bytes are stored. */
WCBOR_NOINLINE static uint8_t *put_first_digits(uint8_t *to, uint32_t value) {
    if (value < 10) {
        *to = (uint8_t)('0' + value);
        return to + 1;
    }
    uint64_t digits = eight_digits(value);
    unsigned zeros = wcbor_trailing_zeros_(digits) / 8;
    store_digits(to, digits >> 8 * zeros);
    return to + 8 - zeros;
}

/* Eight digits. */
WCBOR_NOINLINE static uint8_t *put_eight_digits(uint8_t *to, uint32_t value) {
    store_digits(to, eight_digits(value));
    return to + 8;
}

uint8_t *wcbor_put_integer_(uint8_t *to, uint64_t value) {
    if (WCBOR_LIKELY(value < 100000000)) return put_first_digits(to, (uint32_t)value);
    uint64_t upper = value / 100000000;
    uint32_t last = (uint32_t)(value - upper * 100000000);
    if (upper < 100000000) {
        to = put_first_digits(to, (uint32_t)upper);
    } else {
        /* Most that are so long have 17 digits. To divide by 32 bits is faster. */
        uint32_t first = upper <= UINT32_MAX ? (uint32_t)upper / 100000000 : (uint32_t)(upper / 100000000);
        to = put_first_digits(to, first);
        to = put_eight_digits(to, (uint32_t)(upper - (uint64_t)first * 100000000));
    }
    return put_eight_digits(to, last);
}

/* 192 bits, of which only whether they are above 1 counts of those in the middle, and nothing of the lowest. */
typedef struct scaled {
    uint64_t high, middle, low;
} scaled;

WCBOR_INLINE scaled plus(scaled a, scaled b) {
    scaled sum = {a.high + b.high, a.middle + b.middle, a.low + b.low};
    uint64_t carry = sum.low < b.low;
    sum.middle += carry;
    sum.high += (sum.middle < carry) | (uint64_t)(a.middle + b.middle < b.middle);
    return sum;
}

/* Rounded down, but odd unless exact. */
WCBOR_INLINE uint64_t rounded_to_odd(scaled value) {
    return value.high | (value.middle > 1);
}

uint64_t wcbor_shortest_digits_(double value, int *exponent, wcbor_powers_ *powers) {
    uint64_t bits = wcbor_double_bits_(value), fraction = bits & UINT64_C(0xfffffffffffff);
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = biased == 0 ? fraction : fraction | UINT64_C(1) << 52;
    int binary = (biased == 0 ? 1 : biased) - 1075;
    bool even = (mantissa & 1) == 0, closer = fraction == 0 && biased > 1;

    /* All in units of a quarter of 10^decimal: the value, and the ends of what rounds to it. */
    int decimal = closer ? log10_of_2_less(binary) : log10_of_2(binary);
    unsigned shift = (unsigned)(binary + log2_of_10(-decimal) + 1);
    pair power = power_of_5(powers, -decimal);
    if (-decimal < EXACT_MIN || -decimal > EXACT_MAX) {
        /* Rounded up instead. */
        power.low++;
        power.high += power.low == 0;
    }
    uint64_t factor = mantissa << (shift + 2);
    pair upper = multiply(factor, power.high), lower = multiply(factor, power.low);
    scaled middle = {upper.high, upper.low + lower.high, lower.low};
    middle.high += middle.middle < upper.low;
    unsigned half = shift + 1;
    scaled above = {power.high >> (64 - half), power.high << half | power.low >> (64 - half), power.low << half};
    scaled below = above;
    if (closer) {
        below.low = below.middle << 63 | below.low >> 1;
        below.middle = below.high << 63 | below.middle >> 1;
        below.high >>= 1;
    }
    /* Minus `below` is plus its complement and 1. */
    below = plus((scaled){~below.high, ~below.middle, ~below.low}, (scaled){0, 0, 1});
    uint64_t least = rounded_to_odd(plus(middle, below)) + !even;
    uint64_t exact = rounded_to_odd(middle);
    uint64_t most = rounded_to_odd(plus(middle, above)) - !even;

    uint64_t digits = exact / 4, tens = digits / 10 * 40;
    if (digits >= 10) {
        bool down = least <= tens, up = tens + 40 <= most;
        if (down != up) {
            *exponent = decimal + 1;
            return digits / 10 + up;
        }
    }
    *exponent = decimal;
    bool down = least <= digits * 4, up = digits * 4 + 4 <= most;
    if (down != up) return digits + up;
    uint64_t tie = digits * 4 + 2;
    return digits + (exact > tie || (exact == tie && (digits & 1) != 0));
}

/*
 * The digits of a number that somebody wrote with 15 of them at most: one product and one quotient, each rounded once,
 * tell. No two such numbers are the same double, so that it is the shortest; it may end in zeros. False for all others.
 */
WCBOR_INLINE bool written_digits(double value, uint64_t *digits, int *exponent) {
    static const double tens[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int decimals = 14 - log10_of_2((int)(wcbor_double_bits_(value) >> 52) - 1022);
    if (decimals < 0 || decimals > 22) return false;
    *digits = (uint64_t)(value * tens[decimals] + 0.5);
    *exponent = -decimals;
    return (double)*digits / tens[decimals] == value;
}

/* Moves 16 digits to the right and puts a point in front of them. */
WCBOR_INLINE void put_point(uint8_t *at) {
    uint64_t digits[2];
    memcpy(digits, at, 16);
    memcpy(at + 1, digits, 16);
    *at = '.';
}

uint8_t *wcbor_put_double_(uint8_t *to, double value, wcbor_powers_ *powers) {
    if (wcbor_double_bits_(value) >> 63 != 0) {
        *to++ = '-';
        value = -value;
    }
    /* Most of those that are no fractions. */
    if (value < 9007199254740992.0 && (double)(uint64_t)value == value) return wcbor_put_integer_(to, (uint64_t)value);

    uint64_t digits;
    int exponent;
    if (!written_digits(value, &digits, &exponent)) digits = wcbor_shortest_digits_(value, &exponent, powers);
    uint8_t *end = wcbor_put_integer_(to, digits);
    int count = (int)(end - to), point = count + exponent; /* digits in front of the point */
    for (int zeros = 8; count > 8 && zeros == 8; count -= zeros, end -= zeros) {
        uint64_t others = wcbor_load_bytes_(end - 8) ^ WCBOR_EACH_BYTE_('0');
        zeros = others == 0 ? 8 : (int)leading_zeros(others) / 8;
    }
    for (; count > 1 && end[-1] == '0'; count--) end--;
    if (count <= point && point <= 21) {
        for (; count < point; count++) *end++ = '0';
        return end;
    }
    if (0 < point && point <= 21) {
        put_point(to + point);
        return end + 1;
    }
    if (-6 < point && point <= 0) {
        size_t zeros = (size_t)(2 - point);
        memmove(to + zeros, to, (size_t)count);
        memset(to, '0', zeros);
        to[1] = '.';
        return end + zeros;
    }
    if (count > 1) {
        put_point(to + 1);
        end++;
    }
    *end++ = 'e';
    *end++ = point > 0 ? '+' : '-';
    return wcbor_put_integer_(end, (uint64_t)(point > 0 ? point - 1 : 1 - point));
}

/* --------------------------------------------------------------------------------------------------- from decimal */

/*
 * Takes the digits at `next`, as many as the mantissa holds; `exponent` goes up by one for each that is left out. Returns
 * where they end.
 */
static const uint8_t *take_digits(const uint8_t *next, const uint8_t *end, wcbor_number_ *number) {
    for (; next < end && wcbor_is_digit_(*next); next++) {
        if (number->mantissa < UINT64_C(1000000000000000000)) {
            number->mantissa = number->mantissa * 10 + (uint64_t)(*next - '0');
        } else {
            number->cut = true;
            number->exponent++;
        }
    }
    return next;
}

bool wcbor_scan_number_(const uint8_t *text, const uint8_t *end, wcbor_number_ *number) {
    const uint8_t *next = text + (*text == '-');
    *number = (wcbor_number_){.digits = next, .end = next, .negative = *text == '-', .integral = true};
    if (next == end || !wcbor_is_digit_(*next)) return false;
    next = *next == '0' ? next + 1 : take_digits(next, end, number);
    if (next < end && *next == '.') {
        const uint8_t *first = ++next;
        next = take_digits(next, end, number);
        number->end = next;
        number->exponent -= next - first;
        number->integral = false;
        if (next == first) return false;
    }
    number->digits_end = next;
    if (next < end && (*next | 0x20) == 'e') {
        next++;
        bool minus = next < end && *next == '-';
        next += minus || (next < end && *next == '+');
        number->end = next;
        number->integral = false;
        if (next == end || !wcbor_is_digit_(*next)) return false;
        int64_t exponent = 0;
        for (; next < end && wcbor_is_digit_(*next); next++)
            if (exponent < INT64_C(1000000000000)) exponent = exponent * 10 + (*next - '0');
        number->exponent += minus ? -exponent : exponent;
    }
    number->end = next;
    return true;
}

/*
 * Compares a number with (2 * kept + 1) * 2^exponent, the middle of two doubles.
 */
WCBOR_COLD static int compare_with_middle(const wcbor_number_ *number, uint64_t kept, int exponent) {
    /* No such middle has more than 767 significant digits: of what follows, only whether it is 0 matters. */
    enum { DIGITS = 768 };
    const uint8_t *first = number->digits, *end = number->digits_end;
    while (*first == '0' || *first == '.') first++;
    const uint8_t *last = first;
    int64_t taken = 0;
    for (; last < end && taken < DIGITS; last++) taken += *last != '.';
    const uint8_t *rest = last;
    while (rest < end && (*rest == '0' || *rest == '.')) rest++;
    wcbor_big_ digits, middle;
    wcbor_big_read_(&digits, first, last);
    /* The exponent of ten of the last digit taken: the one of the mantissa's last digit is known. */
    int64_t decimal = number->exponent - (number->cut ? taken - 19 : 0);
    if (rest < end) {
        wcbor_big_multiply_(&digits, 10, 1);
        decimal--;
    }
    middle.words[0] = (uint32_t)(2 * kept + 1);
    middle.words[1] = (uint32_t)(kept >> 31);
    middle.count = middle.words[1] == 0 ? 1 : 2;
    wcbor_big_scale_(decimal < 0 ? &middle : &digits, 5, (int)(decimal < 0 ? -decimal : decimal));
    int shift = (int)decimal - exponent;
    wcbor_big_scale_(shift < 0 ? &middle : &digits, 2, shift < 0 ? -shift : shift);
    return wcbor_big_compare_(&digits, &middle);
}

double wcbor_number_value_(const wcbor_number_ *number, wcbor_powers_ *powers) {
    uint64_t sign = (uint64_t)number->negative << 63, mantissa = number->mantissa;
    if (mantissa == 0 || number->exponent < -342) return wcbor_double_value_(sign);
    if (number->exponent > 308) return wcbor_double_value_(sign | UINT64_C(0x7ff) << 52);
    int decimal = (int)number->exponent;
    unsigned zeros = leading_zeros(mantissa);
    mantissa <<= zeros;
    pair power = power_of_5(powers, decimal);
    pair product = multiply(mantissa, power.high);

    /* The number is product.high * 2^unit and a little; the double keeps its first 53 bits, or less where it is small. */
    int unit = 1 - (int)zeros + log2_of_10(decimal);
    int top = 62 + (int)(product.high >> 63) + unit, drop = 10 + (int)(product.high >> 63);
    if (top < -1022) drop += -1022 - top;
    if (drop > 64) return wcbor_double_value_(sign);
    uint64_t kept = drop == 64 ? 0 : product.high >> drop;
    uint64_t half = UINT64_C(1) << (drop - 1), rest = product.high & (half - 1 + half);

    /* What the product leaves out: less than 1 each for its lower half and that of the power, 16 for digits cut off. */
    bool up = rest > half;
    if (WCBOR_UNLIKELY(rest - (half - 18) <= 18)) {
        bool exact = decimal >= EXACT_MIN && decimal <= EXACT_MAX;
        pair lower = multiply(mantissa, power.low);
        uint64_t middle = product.low + lower.high;
        rest += middle < lower.high;
        /* Where digits are cut off, the number may be either. */
        if (!number->cut && (rest > half || (rest == half && (middle | lower.low) != 0))) {
            up = true;
        } else if (!number->cut && rest < half && (exact || middle != UINT64_MAX)) {
            up = false;
        } else {
            int order = compare_with_middle(number, kept, unit + drop - 1);
            up = order > 0 || (order == 0 && (kept & 1) != 0);
        }
    }
    kept += up;
    uint64_t bits = (top < -1022 ? 0 : (uint64_t)(top + 1022) << 52) + kept;
    if (bits > UINT64_C(0x7ff) << 52) bits = UINT64_C(0x7ff) << 52;
    return wcbor_double_value_(sign | bits);
}
