#include "shapes.h"

#include "../src/utf8.h"

int32_t wcbor_shapes_add(wcbor_shapes *shapes, const uint8_t *keys, size_t nbytes) {
    if (shapes->nshapes == SHAPES_MAX || nbytes > KEYS_NBYTES - shapes->nbytes) return -1;
    uint32_t count = 0;
    for (size_t at = 0; at < nbytes; count++) {
        wcbor_head_ head;
        if (count == SHAPE_WIDTH_MAX || shapes->nkeys + count == SHAPE_KEYS_MAX) return -1;
        if (!wcbor_get_head_(keys + at, keys + nbytes, &head)) return -1;
        uint32_t key_nbytes = head.nbytes;
        if ((keys[at] & WCBOR_MAJOR) == WCBOR_TEXT) {
            if (head.argument > KEY_NBYTES_MAX - head.nbytes || head.nbytes + head.argument > nbytes - at) return -1;
            const char *text = (const char *)keys + at + head.nbytes;
            if (wcbor_utf8_valid_(text, (size_t)head.argument) != head.argument) return -1;
            key_nbytes += (uint32_t)head.argument;
        } else if ((keys[at] & WCBOR_MAJOR) > WCBOR_NEGATIVE) {
            return -1;
        }
        shapes->keys[shapes->nkeys + count] = (shape_key){shapes->nbytes + (uint32_t)at, key_nbytes};
        at += key_nbytes;
    }
    if (nbytes != 0) memcpy(shapes->bytes + shapes->nbytes, keys, nbytes);
    shapes->shapes[shapes->nshapes] = (shape){shapes->nkeys, count};
    shapes->nkeys += count;
    shapes->nbytes += (uint32_t)nbytes;
    return (int32_t)shapes->nshapes++;
}
