/*
 * entries.h - what puts entries on a tape (tape.h), for all that do.
 */
#ifndef WCBOR_ENTRIES_H
#define WCBOR_ENTRIES_H

#include "tape.h"
#include "vector.h"

#define ENTRY(op, value) ((uint32_t)(op) | (uint32_t)(value) << TAPE_OP_BITS)
#define OP_MASK ((UINT32_C(1) << TAPE_OP_BITS) - 1)

/* Whether text is all ASCII, which is copied on the way. Up to 15 bytes behind both may be touched. */
WCBOR_INLINE bool copy_ascii(uint8_t *to, const uint8_t *from, size_t nbytes) {
    vector all = vector_load(from);
    vector_store(to, all);
    if (nbytes <= 16) return (vector_top_bits(all) & ((UINT32_C(1) << nbytes) - 1)) == 0;
    if (vector_top_bits(all) != 0) return false;
    size_t at = 16;
    for (; at + 16 <= nbytes; at += 16) {
        vector piece = vector_load(from + at);
        vector_store(to + at, piece);
        all = vector_or(all, piece);
    }
    /* The last piece overlaps the one before. */
    vector piece = vector_load(from + nbytes - 16);
    vector_store(to + nbytes - 16, piece);
    return vector_top_bits(vector_or(all, piece)) == 0;
}

/* Up to 15 bytes behind both may be touched. */
WCBOR_INLINE void copy_bytes(uint8_t *to, const uint8_t *from, size_t nbytes) {
    for (size_t at = 0; at < nbytes; at += 16) vector_store(to + at, vector_load(from + at));
}

/* The entry for an ASCII text of 1 to 16 bytes by its slot; 0 when it has none. */
WCBOR_INLINE uint32_t look_up(wcbor_tape_slots *slots, uint64_t seed, const uint8_t *text, size_t nbytes) {
    uint64_t low, high = 0;
    memcpy(&low, text, 8);
    if (nbytes < 8) {
        low &= (UINT64_C(1) << 8 * nbytes) - 1;
    } else if (nbytes > 8) {
        memcpy(&high, text + 8, 8);
        if (nbytes < 16) high &= (UINT64_C(1) << 8 * (nbytes - 8)) - 1;
    }
    uint64_t hash = (low ^ seed) * UINT64_C(0x9e3779b97f4a7c15) ^ (high + nbytes) * UINT64_C(0xc2b2ae3d27d4eb4f);
    /* Only the top bits depend on all of the text. */
    uint32_t number = (uint32_t)(hash >> (64 - TAPE_SLOT_BITS)), candidate = (uint32_t)(hash >> 16);
    tape_slot *slot = &slots->slots[number];
    if (WCBOR_LIKELY(slot->text[0] == low && slot->text[1] == high && slot->nbytes == nbytes))
        return ENTRY(TAPE_KNOWN_STRING, number);
    if (slot->candidate != candidate) {
        /* As in names.c: two that come in turn must not drive each other out for ever. */
        slots->random = slots->random * 1664525 + 1013904223;
        if (slot->candidate == 0 || slots->random >> 31 != 0) slot->candidate = candidate;
        return 0;
    }
    slot->text[0] = low;
    slot->text[1] = high;
    slot->nbytes = (uint32_t)nbytes;
    return ENTRY(TAPE_NEW_STRING, number | (uint32_t)nbytes << TAPE_SLOT_BITS);
}

/* Whether the key at `next` is the last one of the list `predicted`, of `*nbytes`. */
WCBOR_INLINE bool is_predicted(const wcbor_names *names, uint32_t predicted, const uint8_t *next, const uint8_t *end,
                               size_t *nbytes) {
    const name_key *key = &names->keys[names->nodes[predicted].key];
    const uint8_t *name = names->bytes + (size_t)key->offset * 4;
    *nbytes = key->nbytes;
    uint32_t equal = vector_same(vector_load(next), vector_load(name));
    bool is_it = *nbytes <= 16 ? (equal | UINT32_MAX << *nbytes) == UINT32_MAX
                               : equal == 0xffff && *nbytes <= (size_t)(end - next)
                                     && memcmp(next + 16, name + 16, *nbytes - 16) == 0;
    return is_it && predicted != NO_NODE;
}

#endif
