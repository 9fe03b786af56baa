/*
 * widen.c - see widen.h. With vectors, each byte of eight is taken for the first of a character, whatever it is; what
 * comes of those that are is then moved together.
 */
#include "widen.h"

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

/* For each set of eight units, the bytes of those that are in it, moved together. Made at first use. */
static uint8_t together[256][16];

static WCBOR_COLD void make_together(void) {
    for (unsigned set = 0; set < 256; set++) {
        unsigned count = 0;
        for (unsigned i = 0; i < 8; i++) {
            if ((set >> i & 1) == 0) continue;
            together[set][count++] = (uint8_t)(2 * i);
            together[set][count++] = (uint8_t)(2 * i + 1);
        }
    }
}

/* The units that begin at each of eight bytes, of characters of up to three. */
WCBOR_INLINE v128_t units_at(v128_t first, v128_t second, v128_t third) {
    v128_t six = wasm_v128_and(second, wasm_i16x8_splat(0x3f));
    v128_t two = wasm_v128_or(wasm_i16x8_shl(wasm_v128_and(first, wasm_i16x8_splat(0x1f)), 6), six);
    v128_t three = wasm_v128_or(wasm_v128_or(wasm_i16x8_shl(first, 12), wasm_i16x8_shl(six, 6)),
                                wasm_v128_and(third, wasm_i16x8_splat(0x3f)));
    v128_t more = wasm_v128_bitselect(three, two, wasm_i16x8_gt(first, wasm_i16x8_splat(0xdf)));
    return wasm_v128_bitselect(more, first, wasm_i16x8_gt(first, wasm_i16x8_splat(0x7f)));
}

/* Likewise where there are characters of four bytes: their second unit is at their second byte. */
WCBOR_INLINE v128_t pairs_at(v128_t units, v128_t before, v128_t first, v128_t second, v128_t third) {
    v128_t high = wasm_v128_or(wasm_i16x8_shl(wasm_v128_and(first, wasm_i16x8_splat(7)), 8),
                               wasm_v128_or(wasm_i16x8_shl(wasm_v128_and(second, wasm_i16x8_splat(0x3f)), 2),
                                            wasm_v128_and(wasm_u16x8_shr(third, 4), wasm_i16x8_splat(3))));
    v128_t low = wasm_v128_or(wasm_i16x8_shl(wasm_v128_and(second, wasm_i16x8_splat(0xf)), 6),
                              wasm_v128_and(third, wasm_i16x8_splat(0x3f)));
    v128_t is_high = wasm_i16x8_gt(first, wasm_i16x8_splat(0xef));
    v128_t continues = wasm_i16x8_eq(wasm_v128_and(first, wasm_i16x8_splat(0xc0)), wasm_i16x8_splat(0x80));
    v128_t is_low = wasm_v128_and(wasm_i16x8_gt(before, wasm_i16x8_splat(0xef)), continues);
    units = wasm_v128_bitselect(wasm_i16x8_add(high, wasm_i16x8_splat((int16_t)0xd7c0)), units, is_high);
    return wasm_v128_bitselect(wasm_v128_or(low, wasm_i16x8_splat((int16_t)0xdc00)), units, is_low);
}

WCBOR_INLINE uint16_t *put(uint16_t *to, v128_t units, uint32_t set) {
    wasm_v128_store(to, wasm_i8x16_swizzle(units, wasm_v128_load(together[set])));
    return to + __builtin_popcount(set);
}

uint16_t *wcbor_widen(uint16_t *to, const uint8_t *text, size_t nbytes) {
    if (together[255][1] == 0) make_together();
    uint32_t carried = 0; /* the second unit of a pair is the first of the next block */
    for (size_t at = 0; at < nbytes; at += 16, text += 16) {
        size_t left = nbytes - at;
        v128_t block = wasm_v128_load(text);
        uint32_t inside = left < 16 ? (UINT32_C(1) << left) - 1 : 0xffff;
        if ((wasm_i8x16_bitmask(block) & inside) == 0) {
            wasm_v128_store(to, wasm_u16x8_extend_low_u8x16(block));
            wasm_v128_store(to + 8, wasm_u16x8_extend_high_u8x16(block));
            to += left < 16 ? left : 16;
            continue;
        }
        /* Signed, the bytes that continue a character are those under -64. */
        uint32_t set = wasm_i8x16_bitmask(wasm_i8x16_ge(block, wasm_i8x16_splat(-64)));
        uint32_t pairs = wasm_i8x16_bitmask(wasm_u8x16_ge(block, wasm_u8x16_splat(0xf0))) << 1 | carried;
        set = (set | pairs) & inside;
        carried = pairs >> 16;
        v128_t first = wasm_u16x8_extend_low_u8x16(block), second = wasm_u16x8_load8x8(text + 1), third = wasm_u16x8_load8x8(text + 2);
        v128_t first2 = wasm_u16x8_extend_high_u8x16(block), second2 = wasm_u16x8_load8x8(text + 9), third2 = wasm_u16x8_load8x8(text + 10);
        v128_t units = units_at(first, second, third), units2 = units_at(first2, second2, third2);
        if (WCBOR_UNLIKELY(pairs != 0)) {
            units = pairs_at(units, wasm_u16x8_load8x8(text - 1), first, second, third);
            units2 = pairs_at(units2, wasm_u16x8_load8x8(text + 7), first2, second2, third2);
        }
        to = put(put(to, units, set & 0xff), units2, set >> 8);
    }
    return to;
}

#else

uint16_t *wcbor_widen(uint16_t *to, const uint8_t *text, size_t nbytes) {
    const uint8_t *end = text + nbytes;
    while (text < end) {
        unsigned first = *text++;
        if (first < 0x80) {
            *to++ = (uint16_t)first;
        } else if (first < 0xe0) {
            *to++ = (uint16_t)((first & 0x1f) << 6 | (text[0] & 0x3f));
            text += 1;
        } else if (first < 0xf0) {
            *to++ = (uint16_t)((first & 0xf) << 12 | (text[0] & 0x3fu) << 6 | (text[1] & 0x3f));
            text += 2;
        } else {
            uint32_t point = (first & 7) << 18 | (text[0] & 0x3fu) << 12 | (text[1] & 0x3fu) << 6 | (text[2] & 0x3f);
            to[0] = (uint16_t)(0xd7c0 + (point >> 10));
            to[1] = (uint16_t)(0xdc00 | (point & 0x3ff));
            to += 2;
            text += 3;
        }
    }
    return to;
}

#endif
