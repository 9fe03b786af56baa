#include "head.h"

WCBOR_NOINLINE uint8_t *wcbor_put_long_head_(uint8_t *next, unsigned major, uint64_t argument) {
    if (argument <= UINT8_MAX) {
        next[0] = (uint8_t)(major | 24);
        next[1] = (uint8_t)argument;
        return next + 2;
    }
    if (argument <= UINT16_MAX) {
        next[0] = (uint8_t)(major | 25);
        wcbor_store16_(next + 1, (uint16_t)argument);
        return next + 3;
    }
    if (argument <= UINT32_MAX) {
        next[0] = (uint8_t)(major | 26);
        wcbor_store32_(next + 1, (uint32_t)argument);
        return next + 5;
    }
    next[0] = (uint8_t)(major | 27);
    wcbor_store64_(next + 1, argument);
    return next + 9;
}
