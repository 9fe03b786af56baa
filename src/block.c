#include "block.h"

#include <string.h>

wcbor_status wcbor_block_grow_(wcbor_block_ *block, size_t count, size_t item_nbytes, wcbor_reallocate reallocate,
                               void *context) {
    if (count <= block->capacity) return WCBOR_OK;
    if (reallocate == NULL) return WCBOR_OUT_OF_MEMORY;
    size_t most = SIZE_MAX / item_nbytes < UINT32_MAX ? SIZE_MAX / item_nbytes : UINT32_MAX;
    if (count > most) return WCBOR_OUT_OF_MEMORY;
    size_t capacity = block->capacity > most / 2 ? most : (size_t)block->capacity * 2;
    if (capacity < count) capacity = count;
    if (capacity < 32) capacity = 32;
    void *items = reallocate(context, block->owned ? block->items : NULL, capacity * item_nbytes);
    if (items == NULL) return WCBOR_OUT_OF_MEMORY;
    if (!block->owned && block->count != 0) memcpy(items, block->items, block->count * item_nbytes);
    block->items = items;
    block->capacity = (uint32_t)capacity;
    block->owned = true;
    return WCBOR_OK;
}

void wcbor_block_free_(wcbor_block_ *block, wcbor_reallocate reallocate, void *context) {
    if (block->owned) reallocate(context, block->items, 0);
    block->items = NULL;
    block->count = block->capacity = 0;
    block->owned = false;
}
