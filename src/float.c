#include "float.h"

/* A single has 23 bits of fraction and a bias of 127; a double 52 and 1023; a half 10 and 15. */

bool wcbor_narrow_double_(uint64_t bits, uint32_t *single) {
    uint32_t sign = (uint32_t)(bits >> 32) & 0x80000000u;
    unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits & UINT64_C(0xfffffffffffff);
    if (exponent == 0x7ff) {
        *single = sign | 0x7f800000u | (uint32_t)(fraction >> 29);
        return (fraction & 0x1fffffff) == 0;
    }
    if (exponent >= 1023 - 126 && exponent <= 1023 + 127) {
        *single = sign | (uint32_t)(exponent - (1023 - 127)) << 23 | (uint32_t)(fraction >> 29);
        return (fraction & 0x1fffffff) == 0;
    }
    if (exponent >= 1023 - 149 && exponent < 1023 - 126) {
        unsigned shift = 29 + (1023 - 126) - exponent;
        fraction |= UINT64_C(1) << 52;
        *single = sign | (uint32_t)(fraction >> shift);
        return (fraction & ((UINT64_C(1) << shift) - 1)) == 0;
    }
    *single = sign;
    return exponent == 0 && fraction == 0;
}

bool wcbor_narrow_single_(uint32_t bits, uint16_t *half) {
    uint32_t sign = bits >> 16 & 0x8000u;
    unsigned exponent = bits >> 23 & 0xff;
    uint32_t fraction = bits & 0x7fffff;
    if (exponent == 0xff) {
        *half = (uint16_t)(sign | 0x7c00 | fraction >> 13);
        return (fraction & 0x1fff) == 0;
    }
    if (exponent >= 127 - 14 && exponent <= 127 + 15) {
        *half = (uint16_t)(sign | (exponent - (127 - 15)) << 10 | fraction >> 13);
        return (fraction & 0x1fff) == 0;
    }
    if (exponent >= 127 - 24 && exponent < 127 - 14) {
        unsigned shift = 13 + (127 - 14) - exponent;
        fraction |= 1u << 23;
        *half = (uint16_t)(sign | fraction >> shift);
        return (fraction & ((1u << shift) - 1)) == 0;
    }
    *half = (uint16_t)sign;
    return exponent == 0 && fraction == 0;
}

double wcbor_half_value_(uint16_t half) {
    uint64_t sign = (uint64_t)(half & 0x8000u) << 48;
    unsigned exponent = half >> 10 & 0x1fu;
    uint64_t fraction = half & 0x3ffu;
    if (exponent == 0x1f) return wcbor_double_value_(sign | UINT64_C(0x7ff) << 52 | fraction << 42);
    if (exponent != 0) return wcbor_double_value_(sign | (uint64_t)(exponent + 1023 - 15) << 52 | fraction << 42);
    double value = (double)fraction / 16777216; /* units of 2^-24 */
    return sign != 0 ? -value : value;
}

double wcbor_float_value_(unsigned information, uint64_t argument) {
    if (information == 25) return wcbor_half_value_((uint16_t)argument);
    return information == 26 ? (double)wcbor_single_value_((uint32_t)argument) : wcbor_double_value_(argument);
}

unsigned wcbor_float_information_(double value) {
    uint32_t single;
    uint16_t half;
    if (value != value) return 25;
    if (!wcbor_narrow_double_(wcbor_double_bits_(value), &single)) return 27;
    return wcbor_narrow_single_(single, &half) ? 25 : 26;
}

uint16_t wcbor_half_from_double(double value) {
    uint64_t bits = wcbor_double_bits_(value);
    unsigned sign = (unsigned)(bits >> 48) & 0x8000u, exponent = (unsigned)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits & UINT64_C(0xfffffffffffff);
    if (exponent == 0x7ff && fraction != 0) return 0x7e00;
    if (exponent > 1023 + 15) return (uint16_t)(sign | 0x7c00);
    if (exponent < 1023 - 25) return (uint16_t)sign; /* under half of the smallest, 2^-24 */
    /* The half's bits as an integer, with the bits below its last place: rounding may carry into the exponent. */
    unsigned drop = 42;
    uint64_t digits = fraction | (uint64_t)(exponent - (1023 - 15)) << 52;
    if (exponent < 1023 - 14) {
        drop += (1023 - 14) - exponent;
        digits = fraction | UINT64_C(1) << 52;
    }
    uint64_t kept = digits >> drop, rest = digits & ((UINT64_C(1) << drop) - 1), tie = UINT64_C(1) << (drop - 1);
    if (rest > tie || (rest == tie && (kept & 1) != 0)) kept++;
    return (uint16_t)(sign | kept);
}

unsigned wcbor_integral_(double value, uint64_t *argument) {
    if (value >= 0 && value < 18446744073709551616.0) {
        uint64_t integer = (uint64_t)value;
        if ((double)integer != value) return WCBOR_SIMPLE;
        *argument = integer;
        return WCBOR_UNSIGNED;
    }
    if (value < 0 && value >= -9223372036854775808.0) {
        int64_t integer = (int64_t)value;
        if ((double)integer != value) return WCBOR_SIMPLE;
        *argument = ~(uint64_t)integer;
        return WCBOR_NEGATIVE;
    }
    return WCBOR_SIMPLE;
}
