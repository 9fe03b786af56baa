/*
 * shapes.h - the keys of maps that come again and again, encoded once.
 *
 * A shape is a list of keys, text or integers, in the order in which they are written. Its keys stand in `keys` as they are encoded,
 * head included; OP_SHAPE names a shape by its number, and the interpreter lays down a key before each value.
 */
#ifndef WCBOR_SHAPES_H
#define WCBOR_SHAPES_H

#include "../src/wcbor.h"
#include "abi.h"

/* Keys are copied in pieces of this many bytes, of which the last may reach past the key. */
enum { KEY_PIECE = 16 };

typedef struct shape_key {
    uint32_t offset, nbytes; /* in `bytes`; nbytes is at most KEY_NBYTES_MAX */
} shape_key;

typedef struct shape {
    uint32_t first, count; /* in `keys`; no two of a shape are alike */
} shape;

typedef struct wcbor_shapes {
    uint32_t nshapes, nkeys, nbytes;
    shape shapes[SHAPES_MAX];
    shape_key keys[SHAPE_KEYS_MAX];
    uint8_t bytes[KEYS_NBYTES + KEY_NBYTES_MAX + KEY_PIECE];
} wcbor_shapes;

/*
 * Adds a shape: `nbytes` of encoded text strings and integers, one after the other. Returns its number, or -1 when there is no room
 * for it, it has more than SHAPE_WIDTH_MAX keys, a key is longer than KEY_NBYTES_MAX, or the bytes are no
 * such items.
 * That no two keys are alike is the caller's promise.
 */
int32_t wcbor_shapes_add(wcbor_shapes *shapes, const uint8_t *keys, size_t nbytes);

#endif
