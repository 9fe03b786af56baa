/*
 * scan.h - text that may hold what JSON escapes, and digits, some bytes at a time. Private to the library.
 */
#ifndef WCBOR_SCAN_H
#define WCBOR_SCAN_H

#include "head.h"

#if defined(__wasm_simd128__)
#  include <wasm_simd128.h>
#endif

#define WCBOR_EACH_BYTE_(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight bytes, the first as the least. */
WCBOR_INLINE uint64_t wcbor_load_bytes_(const uint8_t *from) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 8; i++) bytes |= (uint64_t)from[i] << 8 * i;
    return bytes;
}

/* How many zeros the least bits are; there is another bit. */
WCBOR_INLINE unsigned wcbor_trailing_zeros_(uint64_t bits) {
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned zeros = 0;
    for (; (bits & 1) == 0; bits >>= 1) zeros++;
    return zeros;
#endif
}

/*
 * Where in the 16 bytes the first quote, backslash or control character is; 16 when there is none. Bits of `*tops` are set
 * when a byte in front of it has its top bit set.
 */
WCBOR_INLINE unsigned wcbor_scan_16_(const uint8_t *from, uint64_t *tops) {
#if defined(__wasm_simd128__)
    v128_t bytes = wasm_v128_load(from);
    v128_t quote = wasm_i8x16_eq(bytes, wasm_u8x16_const_splat('"'));
    v128_t backslash = wasm_i8x16_eq(bytes, wasm_u8x16_const_splat('\\'));
    v128_t control = wasm_u8x16_lt(bytes, wasm_u8x16_const_splat(0x20));
    unsigned special = wasm_i8x16_bitmask(wasm_v128_or(wasm_v128_or(quote, backslash), control)) | 0x10000u;
    *tops |= wasm_i8x16_bitmask(bytes) & ((special & (0 - special)) - 1);
    return wcbor_trailing_zeros_(special);
#else
    for (unsigned at = 0;; at += 8) {
        /* The top bit of a byte is set when it is special. Only of the first is that sure. */
        uint64_t bytes = wcbor_load_bytes_(from + at);
        uint64_t quote = bytes ^ WCBOR_EACH_BYTE_('"'), backslash = bytes ^ WCBOR_EACH_BYTE_('\\');
        uint64_t special = ((quote - WCBOR_EACH_BYTE_(1)) | (backslash - WCBOR_EACH_BYTE_(1)) | (bytes - WCBOR_EACH_BYTE_(0x20)))
                         & ~bytes & WCBOR_EACH_BYTE_(0x80);
        *tops |= bytes & WCBOR_EACH_BYTE_(0x80) & ((special & (0 - special)) - 1);
        if (special != 0) return at + wcbor_trailing_zeros_(special) / 8;
        if (at == 8) return 16;
    }
#endif
}

/*
 * Goes on from `next` to a quote, a backslash or a control character, or to the end. Bits of `*tops` are set when a byte
 * on the way has its top bit set.
 */
const uint8_t *wcbor_scan_text_(const uint8_t *next, const uint8_t *end, uint64_t *tops);

/* How many bytes wcbor_take_digits_ may read. */
enum { WCBOR_DIGITS_ROOM = 32 };

/*
 * Takes the digits at `next` into `*value`, which wraps around if they are many; up to 24 of them. Returns where they end.
 * How many there are is anybody's guess, so that a loop over them would end with a wrong one each time.
 */
WCBOR_INLINE const uint8_t *wcbor_take_digits_(const uint8_t *next, uint64_t *value) {
    static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    const uint8_t *last = next + 24;
    for (;;) {
        uint64_t digits = wcbor_load_bytes_(next) ^ WCBOR_EACH_BYTE_('0');
        uint64_t others = (digits | (digits + WCBOR_EACH_BYTE_(0x76))) & WCBOR_EACH_BYTE_(0x80);
        unsigned count = others == 0 ? 8 : wcbor_trailing_zeros_(others) / 8;
        if (count == 0) return next;
        digits <<= 64 - 8 * count;
        digits = (digits * 10 + (digits >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
        digits = (digits * 100 + (digits >> 16)) & UINT64_C(0x0000ffff0000ffff);
        *value = *value * powers[count] + (uint32_t)(digits * 10000 + (digits >> 32));
        next += count;
        if (count < 8 || next == last) return next;
    }
}

#endif
