/*
 * decimal.h - numbers as decimal text: doubles to their shortest digits, and decimal text to the nearest double, both
 * exact. Private to the library.
 */
#ifndef WCBOR_DECIMAL_H
#define WCBOR_DECIMAL_H

#include "scan.h"

enum {
    WCBOR_POWER_MIN = -342,
    WCBOR_POWER_MAX = 324,
    WCBOR_POWERS = WCBOR_POWER_MAX - WCBOR_POWER_MIN + 1
};

/*
 * The first 128 bits of powers of five (and ten), rounded down, made when they are first needed. `known` must be zero
 * at the start: bit by bit it says which of the others are made.
 */
typedef struct wcbor_powers_ {
    uint32_t known[(WCBOR_POWERS + 31) / 32];
    uint64_t high[WCBOR_POWERS], low[WCBOR_POWERS];
} wcbor_powers_;

/* The room that wcbor_put_integer_ and wcbor_put_double_ need: they may store more than they write. */
enum { WCBOR_INTEGER_ROOM = 20, WCBOR_DOUBLE_ROOM = 40 };

/* Writes `value` in decimal, without a NUL. There must be room for WCBOR_INTEGER_ROOM bytes. Returns where it ends. */
uint8_t *wcbor_put_integer_(uint8_t *to, uint64_t value);

/*
 * The shortest digits that read back as `value`, which is finite and above 0, and among them the nearest: `value` is
 * about the number returned times ten to the power of `*exponent`. That number has at most 17 digits, and may end in 0.
 */
uint64_t wcbor_shortest_digits_(double value, int *exponent, wcbor_powers_ *powers);

/*
 * Writes a finite double as ECMAScript's Number::toString does, but -0 as -0: 1, -0.5, 1e-7, 1.5e+300, without a NUL.
 * There must be room for WCBOR_DOUBLE_ROOM bytes. Returns where it ends.
 */
uint8_t *wcbor_put_double_(uint8_t *to, double value, wcbor_powers_ *powers);

WCBOR_INLINE bool wcbor_is_digit_(uint8_t character) {
    return (uint8_t)(character - '0') < 10;
}

/* A number of JSON (RFC 8259, section 6) that has been scanned. */
typedef struct wcbor_number_ {
    const uint8_t *digits, *digits_end; /* its digits, with the point if there is one */
    const uint8_t *end;                 /* where it ends */
    uint64_t mantissa;                  /* the first 19 of its digits, leading zeros not counted */
    int64_t exponent;                   /* of ten, that goes with `mantissa` */
    bool negative;
    bool integral;                      /* neither a point nor an exponent */
    bool cut;                           /* more than 19 digits, so that there may be more to it than `mantissa` */
} wcbor_number_;

/*
 * Scans the number that begins at `text`, before `end`. False when there is none; `end` is then where the first character stands that
 * cannot be part of one, or the end of the text.
 */
bool wcbor_scan_number_(const uint8_t *text, const uint8_t *end, wcbor_number_ *number);

/* The double nearest to a number that has been scanned, ties to even. Infinite beyond the doubles' range. */
double wcbor_number_value_(const wcbor_number_ *number, wcbor_powers_ *powers);

#endif
