#include "big.h"

void wcbor_big_multiply_(wcbor_big_ *big, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (uint32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) big->words[big->count++] = (uint32_t)carry;
}

void wcbor_big_scale_(wcbor_big_ *big, uint32_t base, int exponent) {
    /* As many factors at a time as a word holds. */
    while (exponent > 0) {
        uint32_t factor = base;
        for (exponent--; exponent > 0 && factor <= UINT32_MAX / base; exponent--) factor *= base;
        wcbor_big_multiply_(big, factor, 0);
    }
}

uint32_t wcbor_big_divide_(wcbor_big_ *big, uint32_t divisor) {
    uint64_t remainder = 0;
    for (uint32_t i = big->count; i-- > 0;) {
        remainder = remainder << 32 | big->words[i];
        big->words[i] = (uint32_t)(remainder / divisor);
        remainder %= divisor;
    }
    while (big->count > 0 && big->words[big->count - 1] == 0) big->count--;
    return (uint32_t)remainder;
}

void wcbor_big_read_(wcbor_big_ *big, const uint8_t *text, const uint8_t *end) {
    uint32_t digits = 0, factor = 1;
    big->count = 0;
    for (; text < end; text++) {
        if (*text == '.') continue;
        digits = digits * 10 + (*text - '0');
        factor *= 10;
        if (factor < 1000000000) continue;
        wcbor_big_multiply_(big, factor, digits);
        digits = 0;
        factor = 1;
    }
    if (factor > 1) wcbor_big_multiply_(big, factor, digits);
}

int wcbor_big_compare_(const wcbor_big_ *a, const wcbor_big_ *b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}
