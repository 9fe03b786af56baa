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

static inline vector vector_or(vector a, vector b) {
    return wasm_v128_or(a, b);
}

/* Bit i is whether byte i is the same in both. */
static inline uint32_t vector_same(vector a, vector b) {
    return (uint32_t)wasm_i8x16_bitmask(wasm_i8x16_eq(a, b));
}

/* Bit i is whether byte i of the first is the same in one of the others. */
static inline uint32_t vector_same_as_either(vector v, vector a, vector b) {
    return (uint32_t)wasm_i8x16_bitmask(wasm_v128_or(wasm_i8x16_eq(v, a), wasm_i8x16_eq(v, b)));
}

/* Bit i is whether byte i is this one. */
static inline uint32_t vector_equal(vector v, uint8_t byte) {
    return (uint32_t)wasm_i8x16_bitmask(wasm_i8x16_eq(v, wasm_u8x16_splat(byte)));
}

/*
 * Where UTF-16 units are in UTF-8, so to say: bit i stands for a unit at byte i. The second unit of a character of four
 * bytes is at its second byte, and that may be bit 16.
 */
static inline uint32_t vector_units(vector v) {
    /* Signed, the bytes that continue a character are those under -64. */
    uint32_t begins = (uint32_t)wasm_i8x16_bitmask(wasm_i8x16_ge(v, wasm_i8x16_splat(-64)));
    uint32_t pairs = (uint32_t)wasm_i8x16_bitmask(wasm_u8x16_ge(v, wasm_u8x16_splat(0xf0)));
    return begins | pairs << 1;
}

/* How many bits are set, and how many below the lowest one that is (there is one). */
static inline unsigned vector_bit_count(uint32_t bits) {
    return (unsigned)__builtin_popcount(bits);
}

static inline unsigned vector_lowest_bit(uint32_t bits) {
    return (unsigned)__builtin_ctz(bits);
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

static inline vector vector_or(vector a, vector b) {
    for (unsigned i = 0; i < 16; i++) a.bytes[i] |= b.bytes[i];
    return a;
}

static inline uint32_t vector_same(vector a, vector b) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < 16; i++) bits |= (uint32_t)(a.bytes[i] == b.bytes[i]) << i;
    return bits;
}

static inline uint32_t vector_same_as_either(vector v, vector a, vector b) {
    return vector_same(v, a) | vector_same(v, b);
}

static inline uint32_t vector_equal(vector v, uint8_t byte) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < 16; i++) bits |= (uint32_t)(v.bytes[i] == byte) << i;
    return bits;
}

static inline uint32_t vector_units(vector v) {
    uint32_t units = 0;
    for (unsigned i = 0; i < 16; i++) {
        if ((v.bytes[i] & 0xc0) != 0x80) units |= (uint32_t)1 << i;
        if (v.bytes[i] >= 0xf0) units |= (uint32_t)2 << i;
    }
    return units;
}

/* How many bits are set, and how many below the lowest one that is (there is one). */
static inline unsigned vector_bit_count(uint32_t bits) {
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1) count++;
    return count;
}

static inline unsigned vector_lowest_bit(uint32_t bits) {
    unsigned at = 0;
    for (; (bits & 1) == 0; bits >>= 1) at++;
    return at;
}

#endif

#endif
