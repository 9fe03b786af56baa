/*
 * plan.h - typed documents: a plan says what is expected where, and a tape (tape.h) that is made by it has what is asked for.
 *
 * Structs are TAPE_STRUCT, their pairs have the numbers of fields for keys, whatever the casing, order, representation or length of the input; the
 * values of keys that no field has are scanned like any others, and then taken back from the tape. Types and limits
 * have been checked. What is up to JavaScript is what has to be known when a struct has ended: which fields are absent, and which came twice.
 *
 * A key is first compared with that of the field that comes next, then looked for in a hash table of the struct's own
 * names: what other documents had in them, or other casings, makes no difference, and nothing grows. Each name stands in
 * the plan in both cases, so that any casing of what most names are made of is told by two comparisons; else casing is folded by the plan's
 * own table of the characters that its names have and their variants (Unicode simple case folding).
 */
#ifndef WCBOR_PLAN_H
#define WCBOR_PLAN_H

#include "../src/head.h"
#include "../src/wcbor.h"
#include "abi.h"
#include "vector.h"

/* Instead of the number of a field. */
enum { KEPT_FIELD = 0xfffe, NO_FIELD = 0xffff };

/* Where in a plan a container that is open is. */
typedef struct plan_place {
    uint32_t type;  /* its node; 0: anything may be in it */
    uint32_t begin; /* its offset in the input */
    /* Of a struct: */
    uint16_t hint;  /* the field that is expected next, */
    uint16_t field; /* and the one under way */
    uint8_t state;  /* STRUCT_..., so far */
    bool has_unknown; /* there was a key that no field has */
} plan_place;

/* What is yet to be done about an item. */
typedef struct plan_verdict {
    uint32_t status;         /* WCBOR_OK, or why it is refused */
    uint32_t nentries, entries[3]; /* to be put before it, */
    double number;           /* with a number for TAPE_DOUBLE, */
    const uint8_t *behind;   /* or instead of it: where it ends */
    bool defers;             /* it stays encoded */
} plan_verdict;

/* Fills the tables of a plan. What stands in it is the caller's promise. */
void wcbor_plan_prepare(uint32_t *plan);

/*
 * The number of the field whose key is at `key`, or NO_FIELD. `*behind` is where the key ends, but NULL when it is neither a
 * field's nor text of definite length, or not whole. 15 bytes behind `end` may be read. The text of a field is well-formed.
 */
uint32_t wcbor_plan_find(const uint32_t *plan, const uint32_t *record, const uint8_t *key, const uint8_t *end,
                         const uint8_t **behind);

/* What is to be done about the item at `at` for a node whose NODE_ACCEPTS has it. */
plan_verdict wcbor_plan_check(const uint32_t *plan, uint32_t node, const uint8_t *input, const uint8_t *at, const uint8_t *end);

/*
 * Behind the item at `next`; NULL when it is not one of the most common kinds, or might break a rule of any mode, or might be
 * more than `depth_left` containers deep. 15 bytes behind `end` may be read.
 */
const uint8_t *wcbor_plan_skip(const uint8_t *next, const uint8_t *end, uint32_t depth_left);

WCBOR_INLINE const uint8_t *wcbor_plan_bytes(const uint32_t *plan) {
    return (const uint8_t *)(plan + plan[PLAN_BYTES]);
}

WCBOR_INLINE bool wcbor_plan_is_within(const uint32_t *node, uint64_t count) {
    return count >= node[NODE_LEAST] && count <= node[NODE_MOST];
}

/* The bit of NODE_ACCEPTS for items of an initial byte. */
WCBOR_INLINE uint32_t wcbor_plan_accepted(unsigned initial) {
    if (initial < 0xe0) return UINT32_C(1) << (initial >> 5);
    if (initial >= 0xf9 && initial <= 0xfb) return ACCEPTS_FLOAT;
    return initial <= 0xf6 && initial >= 0xf4 ? initial == 0xf6 ? ACCEPTS_NULL : ACCEPTS_BOOL : ACCEPTS_SIMPLE;
}

/* Both may be read up to 15 bytes behind their end. */
WCBOR_INLINE bool wcbor_plan_same(const uint8_t *a, const uint8_t *b, size_t nbytes) {
    for (; nbytes > 16; nbytes -= 16, a += 16, b += 16)
        if (vector_same(vector_load(a), vector_load(b)) != 0xffff) return false;
    return (vector_same(vector_load(a), vector_load(b)) | UINT32_MAX << nbytes) == UINT32_MAX;
}

/* Whether a key is that of a field, as far as two comparisons tell. 15 bytes behind it may be read. */
WCBOR_INLINE bool wcbor_plan_is_key(const uint32_t *plan, const uint32_t *field, bool folds, const uint8_t *key) {
    const uint8_t *bytes = wcbor_plan_bytes(plan), *lower = bytes + field[FIELD_KEY];
    size_t nbytes = field[FIELD_KEY_NBYTES];
    if (!folds) return wcbor_plan_same(lower, key, nbytes);
    const uint8_t *upper = bytes + field[FIELD_UPPER];
    uint64_t split = field[FIELD_SPLIT] | (uint64_t)field[FIELD_SPLIT + 1] << 32;
    if (WCBOR_LIKELY(split == 0)) {
        for (; nbytes > 16; nbytes -= 16, key += 16, lower += 16, upper += 16)
            if (vector_same_as_either(vector_load(key), vector_load(lower), vector_load(upper)) != 0xffff) return false;
        uint32_t same = vector_same_as_either(vector_load(key), vector_load(lower), vector_load(upper));
        return (same | UINT32_MAX << nbytes) == UINT32_MAX;
    }
    uint64_t in_lower = 0;
    for (size_t at = 0; at < nbytes; at += 16) {
        vector piece = vector_load(key + at);
        uint32_t same = vector_same(piece, vector_load(lower + at));
        uint32_t all = same | vector_same(piece, vector_load(upper + at));
        if (nbytes - at < 16) all |= UINT32_MAX << (nbytes - at);
        if ((all & 0xffff) != 0xffff) return false;
        if (at < 64) in_lower |= (uint64_t)same << at;
    }
    return ((in_lower ^ in_lower >> 1) & split) == 0;
}

#endif
