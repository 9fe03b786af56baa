#include "keys.h"

#include "block.h"

/* ------------------------------------------------------------------------------------------------------- prints */

static uint64_t print_of(const wcbor_keys_ *keys, const uint8_t *key, size_t nbytes) {
    if (nbytes == 8) return wcbor_load64_le_(key);
    /* The loads overlap rather than loop. */
    if (nbytes < 4)
        return key[0] | (uint64_t)key[nbytes / 2] << (nbytes / 2 * 8) | (uint64_t)key[nbytes - 1] << (8 * nbytes - 8);
    if (nbytes < 8)
        return wcbor_load32_le_(key) | (uint64_t)wcbor_load32_le_(key + nbytes - 4) << (8 * nbytes - 32);
    uint64_t print = nbytes;
    const uint8_t *last = key + nbytes - 8;
    for (; key < last; key += 8) print = wcbor_keys_mix_(keys, print ^ wcbor_load64_le_(key));
    return wcbor_keys_mix_(keys, print ^ wcbor_load64_le_(last));
}

static size_t nbytes_of(const wcbor_key_ *key) {
    return key->value - key->start;
}

static bool alike(const wcbor_key_ *a, const wcbor_key_ *b, const uint8_t *document) {
    size_t nbytes = nbytes_of(a);
    return a->print == b->print && nbytes == nbytes_of(b)
        && (nbytes <= 8 || memcmp(document + a->start, document + b->start, nbytes) == 0);
}

int wcbor_keys_compare_(uint32_t order, const uint8_t *a, size_t a_nbytes, const uint8_t *b, size_t b_nbytes) {
    if (order == WCBOR_ORDER_CTAP2 && (*a ^ *b) >= 0x20) return *a < *b ? -1 : 1;
    if (order != WCBOR_ORDER_BYTEWISE && a_nbytes != b_nbytes) return a_nbytes < b_nbytes ? -1 : 1;
    return memcmp(a, b, a_nbytes < b_nbytes ? a_nbytes : b_nbytes);
}

/* Of two keys of at most 8 bytes, by the first of them that differs. */
static int compare_prints(uint64_t a, uint64_t b) {
    uint64_t differ = a ^ b;
    if (differ == 0) return 0;
#if defined(__GNUC__)
    unsigned shift = (unsigned)__builtin_ctzll(differ) & 56;
#else
    unsigned shift = 0;
    while ((differ >> shift & 0xff) == 0) shift += 8;
#endif
    return (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);
}

/* Likewise of two records. */
static int compare(const wcbor_keys_ *keys, const wcbor_key_ *a, const wcbor_key_ *b, const uint8_t *document) {
    size_t a_nbytes = nbytes_of(a), b_nbytes = nbytes_of(b);
    if (a_nbytes <= 8 && b_nbytes <= 8 && (keys->order == WCBOR_ORDER_BYTEWISE || a_nbytes == b_nbytes))
        return compare_prints(a->print, b->print);
    return wcbor_keys_compare_(keys->order, document + a->start, a_nbytes, document + b->start, b_nbytes);
}

/* ------------------------------------------------------------------------------------------------------- tables */

/* Slots for a table that holds `count` records and at most half of whose slots are taken. */
static uint32_t slots_for(uint32_t count) {
    uint32_t nslots = 4 * WCBOR_KEYS_LINEAR;
    while (nslots / 2 < count) nslots *= 2;
    return nslots;
}

/* Looks `record` up, and leaves its slot at `*slot`, or the free one where it belongs. */
static bool table_find(const wcbor_keys_ *keys, const wcbor_map_ *map, const wcbor_key_ *record,
                       const uint8_t *document, uint32_t **slot) {
    const wcbor_key_ *records = wcbor_keys_records_(keys, map);
    uint32_t *slots = (uint32_t *)keys->slots.items + map->slots;
    uint64_t at = (uint64_t)(uint32_t)wcbor_keys_mix_(keys, record->print) * map->nslots >> 32;
    while (slots[at] != 0) {
        if (alike(&records[slots[at] - 1], record, document)) return true;
        if (++at == map->nslots) at = 0;
    }
    *slot = &slots[at];
    return false;
}

/* Makes the table of the innermost map anew, of the size that its reservation made room for. */
static void table_make(wcbor_keys_ *keys, wcbor_map_ *map, uint32_t count, const uint8_t *document) {
    map->nslots = slots_for(count + 1);
    keys->slots.count = map->slots + map->nslots;
    memset((uint32_t *)keys->slots.items + map->slots, 0, map->nslots * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *slot;
        if (!table_find(keys, map, wcbor_keys_records_(keys, map) + i, document, &slot)) *slot = i + 1;
    }
}

/* ------------------------------------------------------------------------------------------------- the interface */

wcbor_status wcbor_keys_push_(wcbor_keys_ *keys, size_t pairs, size_t key) {
    if (WCBOR_UNLIKELY(keys->maps.count == keys->maps.capacity)) {
        wcbor_status status = wcbor_block_grow_(&keys->maps, (size_t)keys->maps.count + 1, sizeof(wcbor_map_),
                                                keys->reallocate, keys->context);
        if (status != WCBOR_OK) return status;
    }
    keys->map = (wcbor_map_ *)keys->maps.items + ++keys->maps.count;
    *wcbor_keys_map_(keys) = (wcbor_map_){pairs, key, 0, keys->records.count, keys->slots.count, 0, false};
    wcbor_keys_settle_(keys);
    return WCBOR_OK;
}

wcbor_status wcbor_keys_push_first_(wcbor_keys_ *keys, size_t pairs, const uint8_t *document, size_t key,
                                    size_t value) {
    wcbor_status status = wcbor_keys_push_(keys, pairs, key);
    if (status != WCBOR_OK) return status;
    status = wcbor_keys_reserve_(keys);
    if (status != WCBOR_OK) {
        wcbor_keys_pop_(keys);
        return status;
    }
    wcbor_map_ *map = wcbor_keys_map_(keys);
    uint64_t print = print_of(keys, document + key, value - key);
    map->seen = UINT64_C(1) << wcbor_keys_bit_(print);
    *wcbor_keys_records_(keys, map) = (wcbor_key_){print, key, value};
    keys->records.count++;
    return WCBOR_OK;
}

void wcbor_keys_pop_(wcbor_keys_ *keys) {
    const wcbor_map_ *map = wcbor_keys_map_(keys);
    keys->records.count = map->first;
    keys->slots.count = map->slots;
    keys->map--;
    if (--keys->maps.count != 0) wcbor_keys_settle_(keys);
}

void wcbor_keys_cut_(wcbor_keys_ *keys, uint32_t maps) {
    while (keys->maps.count > maps) wcbor_keys_pop_(keys);
}

wcbor_status wcbor_keys_reserve_slow_(wcbor_keys_ *keys) {
    wcbor_status status = wcbor_block_grow_(&keys->records, (size_t)keys->records.count + 1, sizeof(wcbor_key_),
                                            keys->reallocate, keys->context);
    const wcbor_map_ *map = wcbor_keys_map_(keys);
    wcbor_keys_settle_(keys);
    uint32_t count = wcbor_keys_count_(keys);
    if (status != WCBOR_OK || count < WCBOR_KEYS_LINEAR) return status;
    if (count > UINT32_MAX / 8) return WCBOR_OUT_OF_MEMORY;
    /* One more than the key to come, for a table is at most half full with the next in it. */
    return wcbor_block_grow_(&keys->slots, (size_t)map->slots + slots_for(count + 2),
                             sizeof(uint32_t), keys->reallocate, keys->context);
}

wcbor_status wcbor_keys_add_(wcbor_keys_ *keys, const uint8_t *document, size_t value) {
    wcbor_map_ *map = wcbor_keys_map_(keys);
    uint32_t count = wcbor_keys_count_(keys);
    wcbor_key_ *records = wcbor_keys_records_(keys, map), *record = records + count;
    *record = (wcbor_key_){print_of(keys, document + map->key, value - map->key), map->key, value};

    bool unordered = map->unordered;
    if (keys->order != WCBOR_ORDER_NONE && !unordered && count > 0) {
        int order = compare(keys, record - 1, record, document);
        if (order == 0) return WCBOR_DUPLICATE_KEY;
        unordered = order > 0;
    }
    if (keys->order == WCBOR_ORDER_NONE || unordered) {
        if (count < WCBOR_KEYS_LINEAR) {
            uint64_t bit = UINT64_C(1) << wcbor_keys_bit_(record->print);
            /* Keys that came in order before the first one out of it left no bits. */
            if ((map->seen & bit) != 0 || map->unordered != unordered)
                for (uint32_t i = 0; i < count; i++)
                    if (alike(&records[i], record, document)) return WCBOR_DUPLICATE_KEY;
            if (map->unordered != unordered) map->seen = UINT64_MAX;
            map->seen |= bit;
        } else {
            uint32_t *slot;
            if (map->nslots / 2 < count + 1) table_make(keys, map, count, document);
            if (table_find(keys, map, record, document, &slot)) return WCBOR_DUPLICATE_KEY;
            *slot = count + 1;
        }
        map->unordered = unordered;
    }
    keys->records.count++;
    return WCBOR_OK;
}

/* ----------------------------------------------------------------------------------------------------- the order */

typedef struct sorter {
    const wcbor_keys_ *keys;
    const wcbor_key_ *records;
    const uint8_t *document;
    uint32_t *order;
} sorter;

static bool before(const sorter *s, uint32_t a, uint32_t b) {
    return compare(s->keys, &s->records[a], &s->records[b], s->document) < 0;
}

/* Lets `item` sink from place `at` of the heap of `count` to where no child sorts after it. */
static void sift(const sorter *s, uint32_t at, uint32_t count, uint32_t item) {
    uint32_t *order = s->order;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && before(s, order[child], order[child + 1])) child++;
        if (!before(s, item, order[child])) break;
        order[at] = order[child];
        at = child;
    }
    order[at] = item;
}

const uint32_t *wcbor_keys_sort_(wcbor_keys_ *keys, const uint8_t *document, uint32_t count) {
    wcbor_map_ *map = wcbor_keys_map_(keys);
    if (wcbor_block_grow_(&keys->slots, (size_t)map->slots + count, sizeof(uint32_t), keys->reallocate,
                          keys->context) != WCBOR_OK)
        return NULL;
    /* The order takes the table's place, which is not needed any more: the map is about to end. */
    map->nslots = 0;
    sorter s = {keys, wcbor_keys_records_(keys, map), document, (uint32_t *)keys->slots.items + map->slots};
    uint32_t *order = s.order;
    if (count <= 12) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = i;
            for (; at > 0 && before(&s, i, order[at - 1]); at--) order[at] = order[at - 1];
            order[at] = i;
        }
        return order;
    }
    /* Heapsort: in place, not recursive, and never worse than O(n log n). */
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count / 2; i-- > 0;) sift(&s, i, count, order[i]);
    for (uint32_t i = count; i-- > 1;) {
        uint32_t item = order[i];
        order[i] = order[0];
        sift(&s, 0, i, item);
    }
    return order;
}
