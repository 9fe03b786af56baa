/*
 * block.h - a growable array of equal items. Private to the library.
 *
 * It starts on memory inside its owner and moves to memory of the owner's hook when that is full.
 */
#ifndef WCBOR_BLOCK_H
#define WCBOR_BLOCK_H

#include "wcbor.h"

/* Makes room for `count` items in all, each of `item_nbytes`; out of line, for it is rare. WCBOR_OUT_OF_MEMORY. */
wcbor_status wcbor_block_grow_(wcbor_block_ *block, size_t count, size_t item_nbytes, wcbor_reallocate reallocate,
                               void *context);

/* Gives its memory back. */
void wcbor_block_free_(wcbor_block_ *block, wcbor_reallocate reallocate, void *context);

#endif
