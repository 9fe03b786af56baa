#include "names.h"

#include "../src/utf8.h"

void wcbor_names_init(wcbor_names *names, uint64_t seed) {
    memset(names, 0, offsetof(wcbor_names, nodes));
    names->seed = seed;
    names->credit = NAME_CREDIT_MAX;
    names->nnodes = ROOT_NODE + 1;
    names->nkeys = 1;
    names->nodes[ROOT_NODE] = names->nodes[NO_NODE] = (name_node){0};
}

void wcbor_names_renew(wcbor_names *names) {
    if (!names->full || (names->hits < 8 * names->nnodes && names->misses < 4 * names->nnodes)) return;
    uint32_t epoch = names->epoch + 1;
    wcbor_names_init(names, names->seed);
    names->epoch = epoch;
}

static uint64_t mix(uint64_t value, uint64_t seed) {
    value = (value ^ seed) * UINT64_C(0x9e3779b97f4a7c15);
    value ^= value >> 29;
    value *= seed | 1;
    return value ^ value >> 32;
}

static uint64_t hash_of(const wcbor_names *names, const uint8_t *key, size_t nbytes) {
    uint64_t hash = nbytes, piece;
    for (; nbytes > 8; key += 8, nbytes -= 8) {
        memcpy(&piece, key, 8);
        hash = mix(hash ^ piece, names->seed);
    }
    piece = 0;
    memcpy(&piece, key, nbytes);
    return mix(hash ^ piece, names->seed);
}

/* The number of a key, which is given one if it has none yet; 0 when there is no room. */
static uint32_t number_of(wcbor_names *names, const uint8_t *key, size_t nbytes, uint64_t hash, bool may_add) {
    uint16_t *first = &names->known[hash % NAME_KEYS_MAX];
    for (uint32_t number = *first; number != 0; number = names->keys[number].chain) {
        const name_key *known = &names->keys[number];
        if (known->nbytes == nbytes && memcmp(names->bytes + (size_t)known->offset * 4, key, nbytes) == 0) return number;
    }
    if (!may_add) return 0;
    if (names->nkeys == NAME_KEYS_MAX || names->nbytes + nbytes > NAME_BYTES_MAX) {
        names->full = true;
        return 0;
    }
    uint32_t number = names->nkeys++;
    names->keys[number] = (name_key){(uint16_t)(names->nbytes / 4), (uint8_t)nbytes, 0, *first, 0};
    *first = (uint16_t)number;
    memcpy(names->bytes + names->nbytes, key, nbytes);
    names->nbytes = (names->nbytes + (uint32_t)nbytes + 3) & ~3u;
    return number;
}

/* Whether the text may be a key of an object like any other. */
static bool is_plain(const uint8_t *key, size_t nbytes) {
    size_t head = key[0] < 0x78 ? 1 : 2, text_nbytes = nbytes - head;
    if (wcbor_utf8_valid_((const char *)key + head, text_nbytes) != text_nbytes) return false;
    return text_nbytes != 9 || memcmp(key + head, "__proto__", 9) != 0;
}

static uint32_t miss(wcbor_names *names) {
    names->misses++;
    if (names->credit < NAME_CREDIT_MAX) names->credit++;
    return NO_NODE;
}

uint32_t wcbor_names_step(wcbor_names *names, uint32_t node, const uint8_t *key, size_t nbytes) {
    if (nbytes > NAME_NBYTES_MAX) return miss(names);
    uint64_t hash = hash_of(names, key, nbytes);
    bool may_add = names->credit >= NAME_CREDIT_UNIT && !names->full && names->nodes[node].depth < NAME_LIST_MAX;
    uint32_t number = number_of(names, key, nbytes, hash, false);
    if (number == 0) {
        uint16_t *candidate = &names->candidates[(hash >> 48) % NAME_CANDIDATES], print = (uint16_t)(hash >> 32);
        bool is_new = *candidate != print;
        /* Two that come in turn must not drive each other out for ever: half of them, at random, do not come in. */
        if (*candidate == 0 || (names->misses * UINT32_C(0x9e3779b9) >> 31) != 0) *candidate = print;
        if (is_new || !may_add || !is_plain(key, nbytes)) return miss(names);
        number = number_of(names, key, nbytes, hash, true);
        if (number == 0) return miss(names);
    }
    uint16_t *first = &names->children[mix((uint64_t)node << 16 | number, names->seed) % NAME_NODES_MAX];
    for (uint32_t child = *first; child != 0; child = names->nodes[child].chain)
        if (names->nodes[child].parent == node && names->nodes[child].key == number) return child;
    if (!may_add) return miss(names);
    for (uint32_t earlier = node; earlier != ROOT_NODE; earlier = names->nodes[earlier].parent)
        if (names->nodes[earlier].key == number) return miss(names);
    if (names->nnodes == NAME_NODES_MAX) {
        names->full = true;
        return miss(names);
    }
    names->credit -= NAME_CREDIT_UNIT;
    uint32_t child = names->nnodes++;
    names->nodes[child] = (name_node){(uint16_t)number, (uint16_t)node, 0, 0, 0, (uint16_t)(names->nodes[node].depth + 1), *first};
    *first = (uint16_t)child;
    return child;
}
