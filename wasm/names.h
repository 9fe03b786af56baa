/*
 * names.h - the keys of maps that come again and again, known by number, and the lists of keys that follow each other.
 *
 * A trie over the order of keys: a node is a list of keys so far, `key` its last one. Each node predicts the key that
 * comes next (`next`), so that a map of a known list costs one comparison of bytes for each key, and no text. No list
 * has two keys alike. A node also predicts with what key a map begins that stands as the value of its key (`inner`).
 *
 * Everything is bounded. A key is known from the second time on that it is met. Nodes are paid for from `credit`, which maps of known lists earn back, so that dictionaries,
 * and maps that all have other keys, soon cost one look-up each. When the tables are full they are begun anew, between
 * two documents and only if that pays.
 */
#ifndef WCBOR_NAMES_H
#define WCBOR_NAMES_H

#include "../src/head.h"
#include "abi.h"

/* A key becomes known when it is met again before so many others, on average, were met for the first time. */
enum { NAME_CANDIDATES = 1024 };

/* Keys are compared in pieces of 16 bytes, and stand with as many spare bytes behind them. */
enum { NAME_PIECE = 16 };

enum { NO_NODE = 0, ROOT_NODE = 1 };

/* JavaScript reads `key`, `parent` and `depth` of a node, and both fields of a key. */
typedef struct name_node {
    uint16_t key, parent; /* the number of its last key; the list without it */
    uint16_t next, inner; /* predictions: a child of this node, and one of the root */
    uint32_t owner;       /* the last struct (plan.h) that has no field of this key */
    uint16_t depth, chain; /* keys in the list; the next node whose place in `children` is the same */
} name_node;

typedef struct name_key {
    uint16_t offset; /* in `bytes`, in units of 4 */
    uint8_t nbytes;  /* head included */
    uint8_t unused;
    uint16_t chain, padding;
} name_key;

typedef struct wcbor_names {
    uint32_t epoch;  /* counts the times that all numbers were given anew */
    uint32_t nnodes, nkeys, nbytes;
    uint32_t credit; /* in eighths of a node */
    uint32_t hits, misses; /* maps of known lists, and others, since then */
    bool full;
    uint64_t seed;
    uint16_t candidates[NAME_CANDIDATES]; /* of the hashes of keys that were not known */
    uint16_t children[NAME_NODES_MAX], known[NAME_KEYS_MAX];
    name_node nodes[NAME_NODES_MAX];
    name_key keys[NAME_KEYS_MAX];
    _Alignas(16) uint8_t bytes[NAME_BYTES_MAX + NAME_NBYTES_MAX + NAME_PIECE];
} wcbor_names;

enum { NAME_CREDIT_UNIT = 8, NAME_CREDIT_MAX = 2048 * NAME_CREDIT_UNIT };

/* Makes the tables empty; `seed` is a number that a writer of hostile keys cannot know. */
void wcbor_names_init(wcbor_names *names, uint64_t seed);

/* Begins anew if the tables are full and it pays. No tape that has numbers of them may be in use. */
void wcbor_names_renew(wcbor_names *names);

/*
 * The node behind `node` for the text string of `nbytes` (head included) at `key`, which is made if it is new and may be.
 * NO_NODE when the list has the key already, or it is not to become one of the lists. 16 bytes behind the key may be read.
 */
uint32_t wcbor_names_step(wcbor_names *names, uint32_t node, const uint8_t *key, size_t nbytes);

/* A map has ended whose keys are one of the lists. */
WCBOR_INLINE void wcbor_names_hit(wcbor_names *names) {
    names->hits++;
    if (names->credit < NAME_CREDIT_MAX) names->credit++;
}

#endif
