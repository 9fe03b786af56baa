/*
 * head.h - heads of items (RFC 8949, section 3): the initial byte and its argument. Private to the library.
 *
 * wcbor_put_head_ makes every head the shortest (section 4.1).
 */
#ifndef WCBOR_HEAD_H
#define WCBOR_HEAD_H

#include "wcbor.h"

#include <string.h>
#ifdef __wasm_simd128__
#  include <wasm_simd128.h>
#endif

/* Major types, where they stand in the initial byte. */
enum {
    WCBOR_UNSIGNED = 0x00,
    WCBOR_NEGATIVE = 0x20,
    WCBOR_BYTES = 0x40,
    WCBOR_TEXT = 0x60,
    WCBOR_ARRAY = 0x80,
    WCBOR_MAP = 0xa0,
    WCBOR_TAG = 0xc0,
    WCBOR_SIMPLE = 0xe0,
    WCBOR_MAJOR = 0xe0 /* the mask */
};

enum { WCBOR_BREAK = 0xff, WCBOR_INDEFINITE = 0x1f, WCBOR_HEAD_MAX = 9 };

#if defined(__GNUC__)
#  define WCBOR_LIKELY(condition) __builtin_expect(!!(condition), 1)
#  define WCBOR_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#  define WCBOR_NOINLINE __attribute__((noinline))
#  define WCBOR_COLD __attribute__((noinline, cold))
#  define WCBOR_INLINE static inline __attribute__((always_inline))
/* For what is not worth its size where size was asked for. */
#  ifdef __OPTIMIZE_SIZE__
#    define WCBOR_INLINE_IF_FAST static __attribute__((noinline, unused))
#  else
#    define WCBOR_INLINE_IF_FAST WCBOR_INLINE
#  endif
#else
#  define WCBOR_LIKELY(condition) (condition)
#  define WCBOR_UNLIKELY(condition) (condition)
#  define WCBOR_NOINLINE
#  define WCBOR_COLD
#  define WCBOR_INLINE static inline
#  define WCBOR_INLINE_IF_FAST static inline
#endif

/* Big-endian numbers. Compilers make one load or store (and a byte swap) of each. */
WCBOR_INLINE void wcbor_store16_(uint8_t *to, uint16_t value) {
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

WCBOR_INLINE void wcbor_store32_(uint8_t *to, uint32_t value) {
    to[0] = (uint8_t)(value >> 24);
    to[1] = (uint8_t)(value >> 16);
    to[2] = (uint8_t)(value >> 8);
    to[3] = (uint8_t)value;
}

WCBOR_INLINE void wcbor_store64_(uint8_t *to, uint64_t value) {
    wcbor_store32_(to, (uint32_t)(value >> 32));
    wcbor_store32_(to + 4, (uint32_t)value);
}

WCBOR_INLINE uint16_t wcbor_load16_(const uint8_t *from) {
    return (uint16_t)(from[0] << 8 | from[1]);
}

WCBOR_INLINE uint32_t wcbor_load32_(const uint8_t *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

#ifdef __wasm_simd128__
/* Which has no instruction that swaps bytes. */
WCBOR_INLINE uint64_t wcbor_load64_(const uint8_t *from) {
    v128_t bytes = wasm_v128_load64_zero(from);
    return (uint64_t)wasm_i64x2_extract_lane(wasm_i8x16_shuffle(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0), 0);
}
#else
WCBOR_INLINE uint64_t wcbor_load64_(const uint8_t *from) {
    return (uint64_t)wcbor_load32_(from) << 32 | wcbor_load32_(from + 4);
}
#endif

/* Little-endian ones, for what is moved or compared rather than read as a number. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
WCBOR_INLINE uint32_t wcbor_load32_le_(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    return value;
}

WCBOR_INLINE uint64_t wcbor_load64_le_(const uint8_t *from) {
    uint64_t value;
    memcpy(&value, from, 8);
    return value;
}

WCBOR_INLINE void wcbor_store32_le_(uint8_t *to, uint32_t value) {
    memcpy(to, &value, 4);
}

WCBOR_INLINE void wcbor_store64_le_(uint8_t *to, uint64_t value) {
    memcpy(to, &value, 8);
}
#else
WCBOR_INLINE uint32_t wcbor_load32_le_(const uint8_t *from) {
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

WCBOR_INLINE uint64_t wcbor_load64_le_(const uint8_t *from) {
    return wcbor_load32_le_(from) | (uint64_t)wcbor_load32_le_(from + 4) << 32;
}

WCBOR_INLINE void wcbor_store32_le_(uint8_t *to, uint32_t value) {
    for (unsigned i = 0; i < 4; i++) to[i] = (uint8_t)(value >> 8 * i);
}

WCBOR_INLINE void wcbor_store64_le_(uint8_t *to, uint64_t value) {
    for (unsigned i = 0; i < 8; i++) to[i] = (uint8_t)(value >> 8 * i);
}
#endif

/* Bytes of the shortest head with this argument: 1, 2, 3, 5 or 9. */
WCBOR_INLINE size_t wcbor_head_nbytes_(uint64_t argument) {
    return argument < 24 ? 1 : argument <= UINT8_MAX ? 2 : argument <= UINT16_MAX ? 3 : argument <= UINT32_MAX ? 5 : 9;
}

/* wcbor_put_head_ for an argument from 24 on. */
uint8_t *wcbor_put_long_head_(uint8_t *next, unsigned major, uint64_t argument);

/* Writes the shortest head; the caller has made sure of the room. Returns where the head ends. */
WCBOR_INLINE uint8_t *wcbor_put_head_(uint8_t *next, unsigned major, uint64_t argument) {
    if (WCBOR_UNLIKELY(argument >= 24)) return wcbor_put_long_head_(next, major, argument);
    next[0] = (uint8_t)(major | argument);
    return next + 1;
}

/* A head as it was read. */
typedef struct wcbor_head_ {
    uint64_t argument;
    unsigned nbytes; /* 1, 2, 3, 5 or 9 */
} wcbor_head_;

/*
 * Reads the head at `next` (next < end). False when it is cut short, or its additional information is 28..31: what 31
 * means depends on the major type, so that the caller looks at it first.
 */
WCBOR_INLINE bool wcbor_get_head_(const uint8_t *next, const uint8_t *end, wcbor_head_ *head) {
    unsigned information = *next & 0x1fu;
    if (WCBOR_LIKELY(information < 24)) {
        *head = (wcbor_head_){information, 1};
        return true;
    }
    if (information > 27) return false;
    unsigned nbytes = 1 + (1u << (information - 24));
    if ((size_t)(end - next) < nbytes) return false;
    head->nbytes = nbytes;
    switch (information) {
    case 24: head->argument = next[1]; break;
    case 25: head->argument = wcbor_load16_(next + 1); break;
    case 26: head->argument = wcbor_load32_(next + 1); break;
    default: head->argument = wcbor_load64_(next + 1); break;
    }
    return true;
}

#endif
