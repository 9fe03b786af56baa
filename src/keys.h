/*
 * keys.h - the keys of the maps that are open: are there two alike, are they in order? Private to the library.
 *
 * Two keys of a map are alike when their encoded bytes are. A key is remembered as a record: where it stands (offsets
 * into the document, `start` up to `value`, where its value begins) and a 64-bit `print` of its bytes. Up to 8 bytes
 * the print is the key itself as a little-endian number, padded with zeros (no encoded item begins with another one,
 * so that the padding hides nothing); of longer ones it is a seeded hash, and the bytes are compared when two prints
 * agree.
 *
 * Maps nest, so that all of this lives in three stacks: the records of an open map stand together, those of a map
 * inside it above them, and go when it ends.
 *
 *     maps     one entry for each open map whose keys are looked at. `pairs`: how many it may have; `key`: where its
 *              current key begins; `seen`: a bit for each print so far, so that most new keys are known to be new at
 *              once; `first`: its first record; `slots`, `nslots`: its part of `slots`; `unordered`: whether a key came
 *              that sorts before its predecessor
 *     map      behind the entry of the innermost one
 *     records  in the order in which the keys were written
 *     limit    how many there may be before another needs more than a place: memory, the table, or a larger map
 *     slots    hash tables over the records of maps of more than WCBOR_KEYS_LINEAR keys, open addressing, at most half
 *              full. An entry is a record's number within its map, plus 1; 0 is free
 *
 * In modes that sort, keys that come in order need no look-up at all: they cannot repeat. The table is made when the
 * first one comes out of order.
 *
 * Memory is reserved before a key is written (wcbor_keys_reserve_), so that adding it afterwards cannot fail.
 */
#ifndef WCBOR_KEYS_H
#define WCBOR_KEYS_H

#include "head.h"

enum { WCBOR_KEYS_LINEAR = 24 };

/* In which order the keys of a map must stand, or come to stand. */
enum { WCBOR_ORDER_NONE = 0, WCBOR_ORDER_BYTEWISE, WCBOR_ORDER_LENGTH_FIRST, WCBOR_ORDER_CTAP2 };

/* Begins a map of at most `pairs` pairs, the first at `key`. WCBOR_OUT_OF_MEMORY, with nothing changed. */
wcbor_status wcbor_keys_push_(wcbor_keys_ *keys, size_t pairs, size_t key);

/* The same where the first key stands in `document` already, up to `value`, and is taken too. `pairs` is not 0. */
wcbor_status wcbor_keys_push_first_(wcbor_keys_ *keys, size_t pairs, const uint8_t *document, size_t key, size_t value);

/* Forgets the innermost map and its keys. */
void wcbor_keys_pop_(wcbor_keys_ *keys);

/* Forgets all maps but the first `maps`, and their keys. */
void wcbor_keys_cut_(wcbor_keys_ *keys, uint32_t maps);

/* Makes sure that the innermost map can take one more key. WCBOR_OUT_OF_MEMORY. */
wcbor_status wcbor_keys_reserve_slow_(wcbor_keys_ *keys);

/*
 * Takes the key that stands in `document` from the innermost map's `key` up to `value`. WCBOR_DUPLICATE_KEY, with
 * nothing remembered, when the map has it already. Sets `unordered` of the map.
 */
wcbor_status wcbor_keys_add_(wcbor_keys_ *keys, const uint8_t *document, size_t value);

/* Negative when key `a` sorts before `b` in this order (not WCBOR_ORDER_NONE), 0 when they are alike. */
int wcbor_keys_compare_(uint32_t order, const uint8_t *a, size_t a_nbytes, const uint8_t *b, size_t b_nbytes);

/*
 * The order in which the pairs of the innermost map have to stand: an array of record numbers within the map, valid up
 * to the next call. O(n log n) comparisons. NULL when there is no memory for it.
 */
const uint32_t *wcbor_keys_sort_(wcbor_keys_ *keys, const uint8_t *document, uint32_t count);

WCBOR_INLINE wcbor_map_ *wcbor_keys_map_(const wcbor_keys_ *keys) {
    return keys->map - 1;
}

WCBOR_INLINE wcbor_key_ *wcbor_keys_records_(const wcbor_keys_ *keys, const wcbor_map_ *map) {
    return (wcbor_key_ *)keys->records.items + map->first;
}

/* How many keys the innermost map has. */
WCBOR_INLINE uint32_t wcbor_keys_count_(const wcbor_keys_ *keys) {
    return keys->records.count - wcbor_keys_map_(keys)->first;
}

/* Which bit of `seen` stands for a print. */
WCBOR_INLINE unsigned wcbor_keys_bit_(uint64_t print) {
    return (unsigned)(print * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* The print of longer keys is a hash, of which this is one round. */
WCBOR_INLINE uint64_t wcbor_keys_mix_(const wcbor_keys_ *keys, uint64_t value) {
    /* Two multiplications, one by a number that only the seed's owner knows: after one, chosen bits would still cancel. */
    value = (value ^ keys->seed) * UINT64_C(0x9e3779b97f4a7c15);
    value ^= value >> 29;
    value *= keys->seed | 1;
    return value ^ value >> 32;
}

/* The print of a key of 9 to 16 bytes: `first` and `last` are 8 of its bytes each. */
WCBOR_INLINE uint64_t wcbor_keys_print_two_(const wcbor_keys_ *keys, uint64_t first, uint64_t last, size_t nbytes) {
    return wcbor_keys_mix_(keys, wcbor_keys_mix_(keys, first ^ nbytes) ^ last);
}

/* Sets `limit` for the innermost map. */
WCBOR_INLINE void wcbor_keys_settle_(wcbor_keys_ *keys) {
    const wcbor_map_ *map = wcbor_keys_map_(keys);
    uint32_t most = keys->records.capacity - map->first;
    if (most > WCBOR_KEYS_LINEAR) most = WCBOR_KEYS_LINEAR;
    if (most > map->pairs) most = (uint32_t)map->pairs;
    keys->limit = map->first + most;
}

WCBOR_INLINE wcbor_status wcbor_keys_reserve_(wcbor_keys_ *keys) {
    if (WCBOR_LIKELY(keys->records.count < keys->limit)) return WCBOR_OK;
    return wcbor_keys_reserve_slow_(keys);
}

/*
 * wcbor_keys_add_ of a key that is short and certainly new, in a map whose keys need no order; false where that is not
 * plain to see, with nothing done. 8 bytes of the document may be read from the key on.
 */
WCBOR_INLINE bool wcbor_keys_add_new_(wcbor_keys_ *keys, const uint8_t *document, size_t start, size_t value) {
    size_t nbytes = value - start;
    if (WCBOR_UNLIKELY(nbytes > 16 || keys->records.count >= keys->limit)) return false;
    const uint8_t *key = document + start;
    uint64_t print = wcbor_load64_le_(key);
    if (nbytes <= 8) print &= UINT64_MAX >> (64 - 8 * nbytes);
    else print = wcbor_keys_print_two_(keys, print, wcbor_load64_le_(key + nbytes - 8), nbytes);
    wcbor_map_ *map = wcbor_keys_map_(keys);
    uint64_t bit = UINT64_C(1) << wcbor_keys_bit_(print);
    if (WCBOR_UNLIKELY((map->seen & bit) != 0)) return false;
    map->seen |= bit;
    ((wcbor_key_ *)keys->records.items)[keys->records.count++] = (wcbor_key_){print, start, value};
    return true;
}

#endif
