/*
 * float.h - floating-point numbers of 16, 32 and 64 bits (RFC 8949, section 3.3). Private to the library.
 */
#ifndef WCBOR_FLOAT_H
#define WCBOR_FLOAT_H

#include "head.h"

WCBOR_INLINE uint64_t wcbor_double_bits_(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

WCBOR_INLINE double wcbor_double_value_(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

WCBOR_INLINE uint32_t wcbor_single_bits_(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

WCBOR_INLINE float wcbor_single_value_(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

WCBOR_INLINE bool wcbor_is_finite_(double value) {
    return value - value == 0;
}

/* Whether a double is a single, bit for bit; a NaN is when the bits of its payload that go are zero. */
bool wcbor_narrow_double_(uint64_t bits, uint32_t *single);

/* Likewise from a single to a half. */
bool wcbor_narrow_single_(uint32_t bits, uint16_t *half);

double wcbor_half_value_(uint16_t bits);

/* The value of a float as its head has it: additional information 25, 26 or 27, and the argument. */
double wcbor_float_value_(unsigned information, uint64_t argument);

/* The additional information of the shortest form of a value; 25 for any NaN. */
unsigned wcbor_float_information_(double value);

/*
 * dCBOR's numeric reduction: WCBOR_UNSIGNED or WCBOR_NEGATIVE and the argument, when the value is an integer from -2^63
 * to 2^64 - 1; -0 is 0. Else WCBOR_SIMPLE.
 */
unsigned wcbor_integral_(double value, uint64_t *argument);

#endif
