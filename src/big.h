/*
 * big.h - natural numbers of some thousand bits: what exact conversions to and from decimal need. Private to the library.
 */
#ifndef WCBOR_BIG_H
#define WCBOR_BIG_H

#include "head.h"

enum {
    WCBOR_BIG_DIGITS = 4096, /* any number of so many decimal digits fits */
    WCBOR_BIG_WORDS = 432
};

/* `count` words of 32 bits, the least first and the last not 0; 0 has none. */
typedef struct wcbor_big_ {
    uint32_t count;
    uint32_t words[WCBOR_BIG_WORDS];
} wcbor_big_;

/* Its lowest 64 bits. */
WCBOR_INLINE uint64_t wcbor_big_low_(const wcbor_big_ *big) {
    uint64_t low = big->count > 0 ? big->words[0] : 0;
    return big->count > 1 ? low | (uint64_t)big->words[1] << 32 : low;
}

/* Sets it to itself times `factor` plus `addend`. The caller knows that the result fits. */
void wcbor_big_multiply_(wcbor_big_ *big, uint32_t factor, uint32_t addend);

/* Sets it to itself times `base` to the power of `exponent`, which is at least 0. */
void wcbor_big_scale_(wcbor_big_ *big, uint32_t base, int exponent);

/* Divides it, rounding down. Returns the remainder. */
uint32_t wcbor_big_divide_(wcbor_big_ *big, uint32_t divisor);

/* Sets it to the digits in `text`, which may have a point among them: at most WCBOR_BIG_DIGITS of them. */
void wcbor_big_read_(wcbor_big_ *big, const uint8_t *text, const uint8_t *end);

/* Negative, 0 or positive, as `a` is less than, equal to or more than `b`. */
int wcbor_big_compare_(const wcbor_big_ *a, const wcbor_big_ *b);

#endif
