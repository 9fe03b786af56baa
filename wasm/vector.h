/*
 * vector.h - the little of 128-bit vectors that the module uses: WebAssembly's where there are some, else two words.
 */
#ifndef WCBOR_VECTOR_H
#define WCBOR_VECTOR_H

#include <stdint.h>
#include <string.h>

#ifdef __wasm_simd128__

#include <wasm_simd128.h>

typedef v128_t vector;

static inline vector vector_load(const uint8_t *from) {
    return wasm_v128_load(from);
}

static inline void vector_store(uint8_t *to, vector v) {
    wasm_v128_store(to, v);
}

/* Bit i is the top bit of byte i. */
static inline uint32_t vector_top_bits(vector v) {
    return (uint32_t)wasm_i8x16_bitmask(v);
}

/* UTF-16 units of the characters of UTF-8 that begin in these bytes. */
static inline size_t vector_units(vector v) {
    /* Signed, the bytes that continue a character are those under -64. */
    uint32_t begins = (uint32_t)wasm_i8x16_bitmask(wasm_i8x16_ge(v, wasm_i8x16_splat(-64)));
    uint32_t pairs = (uint32_t)wasm_i8x16_bitmask(wasm_u8x16_ge(v, wasm_u8x16_splat(0xf0)));
    return (size_t)__builtin_popcount(begins) + (size_t)__builtin_popcount(pairs);
}

#else

typedef struct vector {
    uint8_t bytes[16];
} vector;

static inline vector vector_load(const uint8_t *from) {
    vector v;
    memcpy(v.bytes, from, 16);
    return v;
}

static inline void vector_store(uint8_t *to, vector v) {
    memcpy(to, v.bytes, 16);
}

static inline uint32_t vector_top_bits(vector v) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < 16; i++) bits |= (uint32_t)(v.bytes[i] >> 7) << i;
    return bits;
}

static inline size_t vector_units(vector v) {
    size_t units = 0;
    for (unsigned i = 0; i < 16; i++) units += (size_t)((v.bytes[i] & 0xc0) != 0x80) + (size_t)(v.bytes[i] >= 0xf0);
    return units;
}

#endif

#endif
