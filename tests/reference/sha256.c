/* FIPS 180-4, section 6.2, with its constants worked out rather than copied. */
#include "sha256.h"

#include <math.h>
#include <string.h>

/* The first 32 bits of a root's fraction; a double's 53 bits hold them and the whole part of those used here. */
static uint32_t fraction_of(double root) {
    return (uint32_t)(uint64_t)floor(root * 0x1p32);
}

static uint32_t rotate(uint32_t word, int by) {
    return word >> by | word << (32 - by);
}

typedef struct constants {
    uint32_t start[8], round[64];
} constants;

static void make(constants *c) {
    int count = 0;
    for (uint64_t n = 2; count < 64; n++) {
        uint64_t divisor = 2;
        while (divisor * divisor <= n && n % divisor != 0)
            divisor++;
        if (divisor * divisor <= n) continue;
        if (count < 8) c->start[count] = fraction_of(sqrt((double)n));
        c->round[count++] = fraction_of(cbrt((double)n));
    }
}

static void block(const constants *c, uint32_t state[8], const uint8_t *bytes) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) {
        const uint8_t *at = bytes + 4 * i;
        w[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] =
            w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]), majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + choice + c->round[i] + w[i];
        uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void sha256(const uint8_t *bytes, size_t nbytes, uint8_t digest[32]) {
    constants c;
    make(&c);
    uint8_t last[128] = {0};
    size_t whole = nbytes / 64 * 64, rest = nbytes - whole, last_nbytes = rest < 56 ? 64 : 128;
    if (rest > 0) memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[last_nbytes - 1 - (size_t)i] = (uint8_t)((uint64_t)nbytes * 8 >> (8 * i));
    for (size_t i = 0; i < whole; i += 64)
        block(&c, c.start, bytes + i);
    for (size_t i = 0; i < last_nbytes; i += 64)
        block(&c, c.start, last + i);
    for (int i = 0; i < 32; i++)
        digest[i] = (uint8_t)(c.start[i / 4] >> (24 - 8 * (i % 4)));
}
