/*
 * utf8.c - see utf8.h. ASCII goes by words; other text, where there are vectors, by blocks of 16 bytes, and by
 * sequences elsewhere and at the end.
 */
#include "utf8.h"

#if defined(__wasm_simd128__)
#  include <wasm_simd128.h>
#  define VECTORS 1
typedef v128_t vector;
#  define LOAD(from) wasm_v128_load(from)
#  define SPLAT(byte) wasm_u8x16_splat(byte)
#  define TABLE(...) wasm_u8x16_const(__VA_ARGS__)
#  define LOOK_UP(table, indices) wasm_i8x16_swizzle(table, indices)
#  define HIGH_NIBBLES(v) wasm_u8x16_shr(v, 4)
#  define AND(a, b) wasm_v128_and(a, b)
#  define OR(a, b) wasm_v128_or(a, b)
#  define XOR(a, b) wasm_v128_xor(a, b)
#  define SUBTRACT(a, b) wasm_u8x16_sub_sat(a, b)
#  define IS_ZERO(v) (!wasm_v128_any_true(v))
#  define IS_ASCII(v) (wasm_i8x16_bitmask(v) == 0)
/* The last `count` bytes of `before`, and then `v` without as many at its end. */
#  define SHIFT_IN(before, v, count)                                                                                   \
    wasm_i8x16_shuffle(before, v, 16 - count, 17 - count, 18 - count, 19 - count, 20 - count, 21 - count, 22 - count,  \
                       23 - count, 24 - count, 25 - count, 26 - count, 27 - count, 28 - count, 29 - count, 30 - count, \
                       31 - count)
#elif defined(__SSSE3__)
#  include <tmmintrin.h>
#  define VECTORS 1
typedef __m128i vector;
#  define LOAD(from) _mm_loadu_si128((const __m128i *)(const void *)(from))
#  define SPLAT(byte) _mm_set1_epi8((char)(byte))
#  define TABLE(...) table_of((const uint8_t[16]){__VA_ARGS__})
#  define LOOK_UP(table, indices) _mm_shuffle_epi8(table, indices)
#  define HIGH_NIBBLES(v) _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(15))
#  define AND(a, b) _mm_and_si128(a, b)
#  define OR(a, b) _mm_or_si128(a, b)
#  define XOR(a, b) _mm_xor_si128(a, b)
#  define SUBTRACT(a, b) _mm_subs_epu8(a, b)
#  define IS_ZERO(v) (_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) == 0xffff)
#  define IS_ASCII(v) (_mm_movemask_epi8(v) == 0)
#  define SHIFT_IN(before, v, count) _mm_alignr_epi8(v, before, 16 - count)

WCBOR_INLINE vector table_of(const uint8_t *bytes) {
    return LOAD(bytes);
}
#endif

WCBOR_INLINE bool is_continuation(unsigned byte) {
    return (byte & 0xc0) == 0x80;
}

/* Bytes of the sequence at `text` (nbytes > 0), which begins with a byte from 80 on, or 0 when it is ill-formed. */
static size_t sequence(const uint8_t *text, size_t nbytes) {
    /* No overlong forms, no surrogates, nothing past U+10FFFF. */
    unsigned first = text[0];
    if (nbytes < 2) return 0;
    unsigned second = text[1];
    if (!is_continuation(second)) return 0;
    if (first < 0xe0) return first >= 0xc2 ? 2 : 0;
    unsigned point = (first & 0x0f) << 6 | (second & 0x3f); /* without its last 6 bits, or last 12 */
    if (nbytes < 3 || !is_continuation(text[2])) return 0;
    if (first < 0xf0) return point >= 0x20 && (point < 0x360 || point > 0x37f) ? 3 : 0;
    if (nbytes < 4 || !is_continuation(text[3])) return 0;
    return first < 0xf8 && point >= 0x10 && point < 0x110 ? 4 : 0;
}

#ifdef VECTORS
/*
 * Reads blocks from `next` on, as long as they are well-formed and not ASCII. Every pair of neighbours is judged by
 * three look-ups: what is wrong with it by the high half of the first byte, by its low half, and by the high half of
 * the second; an error is what all three agree on. That a byte continues one that continues another is such an error
 * (TWO_CONTINUE), except where a sequence of three or four asks for it. Returns where a sequence begins.
 */
static const uint8_t *blocks(const uint8_t *next, const uint8_t *end) {
    enum {
        TOO_SHORT = 1,     /* a lead, and then no continuation */
        TOO_LONG = 2,      /* ASCII, and then a continuation */
        OVERLONG_3 = 4,
        TOO_LARGE = 8,     /* from U+110000 on */
        SURROGATE = 0x10,
        OVERLONG_2 = 0x20,
        EXTREME = 0x40,    /* four bytes, overlong, or from f5 on with the least of second bytes */
        TWO_CONTINUE = 0x80,
        ANY = TOO_SHORT | TOO_LONG | TWO_CONTINUE,
        LARGE = ANY | TOO_LARGE | EXTREME,
        CONTINUES = TOO_LONG | OVERLONG_2 | TWO_CONTINUE
    };
    vector by_first_high = TABLE(TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
                                 TWO_CONTINUE, TWO_CONTINUE, TWO_CONTINUE, TWO_CONTINUE, TOO_SHORT | OVERLONG_2,
                                 TOO_SHORT, TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | EXTREME);
    vector by_first_low = TABLE(ANY | OVERLONG_3 | OVERLONG_2 | EXTREME, ANY | OVERLONG_2, ANY, ANY, ANY | TOO_LARGE,
                                LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE | SURROGATE, LARGE, LARGE);
    vector by_second_high = TABLE(TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
                                  CONTINUES | OVERLONG_3 | EXTREME, CONTINUES | OVERLONG_3 | TOO_LARGE,
                                  CONTINUES | SURROGATE | TOO_LARGE, CONTINUES | SURROGATE | TOO_LARGE, TOO_SHORT,
                                  TOO_SHORT, TOO_SHORT, TOO_SHORT);
    const uint8_t *start = next;
    vector before = SPLAT(0);
    while (end - next >= 16) {
        vector block = LOAD(next);
        vector first = SHIFT_IN(before, block, 1);
        vector errors = AND(AND(LOOK_UP(by_first_high, HIGH_NIBBLES(first)), LOOK_UP(by_first_low, AND(first, SPLAT(15)))),
                            LOOK_UP(by_second_high, HIGH_NIBBLES(block)));
        /* The top bit where a third or a fourth byte is due. */
        vector due = OR(SUBTRACT(SHIFT_IN(before, block, 2), SPLAT(0xe0 - 0x80)),
                        SUBTRACT(SHIFT_IN(before, block, 3), SPLAT(0xf0 - 0x80)));
        if (!IS_ZERO(XOR(AND(due, SPLAT(0x80)), errors))) break;
        before = block;
        next += 16;
        if (IS_ASCII(block)) break;
    }
    /* Back to the lead of a sequence that is not whole, or of the last one. */
    for (int i = 1; i < 4 && next - start >= i; i++) {
        if (is_continuation(next[-i])) continue;
        return next[-i] >= 0x80 ? next - i : next;
    }
    return next;
}
#endif

size_t wcbor_utf8_valid_(const char *text, size_t nbytes) {
    const uint8_t *start = (const uint8_t *)text, *next = start, *end = start + nbytes;
    while (next < end) {
        if (*next < 0x80) {
#ifdef VECTORS
            while (end - next >= 64 && IS_ASCII(OR(OR(LOAD(next), LOAD(next + 16)), OR(LOAD(next + 32), LOAD(next + 48)))))
                next += 64;
#else
            while (end - next >= 32) {
                uint64_t words[4];
                memcpy(words, next, 32);
                if (((words[0] | words[1] | words[2] | words[3]) & WCBOR_TOP_BITS) != 0) break;
                next += 32;
            }
#endif
            while (end - next >= 8) {
                uint64_t word;
                memcpy(&word, next, 8);
                if ((word & WCBOR_TOP_BITS) != 0) break;
                next += 8;
            }
            while (next < end && *next < 0x80) next++;
            continue;
        }
#ifdef VECTORS
        if (end - next >= 16) {
            const uint8_t *behind = blocks(next, end);
            if (behind != next) {
                next = behind;
                continue;
            }
        }
#endif
        size_t length = sequence(next, (size_t)(end - next));
        if (length == 0) break;
        next += length;
    }
    return (size_t)(next - start);
}

size_t wcbor_utf8_ill_formed_(const char *text, size_t nbytes) {
    const uint8_t *bytes = (const uint8_t *)text;
    unsigned first = bytes[0];
    /* The second byte's range depends on the first. */
    unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80, high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (first < 0xc2 || first > 0xf4 || nbytes < 2 || bytes[1] < low || bytes[1] > high) return 1;
    /* It is ill-formed, so that one more continuation at most belongs to it. */
    return first >= 0xf0 && nbytes >= 3 && is_continuation(bytes[2]) ? 3 : 2;
}

size_t wcbor_utf8_replace_(uint8_t *to, const char *text, size_t nbytes) {
    size_t total = 0;
    for (size_t at = 0;;) {
        size_t valid = wcbor_utf8_valid_(text + at, nbytes - at);
        if (to != NULL) memcpy(to + total, text + at, valid);
        at += valid;
        total += valid;
        if (at == nbytes) return total;
        at += wcbor_utf8_ill_formed_(text + at, nbytes - at);
        if (to != NULL) memcpy(to + total, "\xef\xbf\xbd", 3);
        total += 3;
    }
}
