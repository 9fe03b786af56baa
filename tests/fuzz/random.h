/* random.h - numbers for sequences that can be made again from their seed (SplitMix64). */
#ifndef WCBOR_TEST_RANDOM_H
#define WCBOR_TEST_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct random_state {
    uint64_t next;
} random_state;

static inline uint64_t random_bits(random_state *r) {
    uint64_t z = r->next += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 .. count - 1 */
static inline uint32_t random_below(random_state *r, uint32_t count) {
    return (uint32_t)((random_bits(r) >> 32) * count >> 32);
}

static inline bool random_chance(random_state *r, uint32_t percent) {
    return random_below(r, 100) < percent;
}

#endif
