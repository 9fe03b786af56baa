/*
 * memory.h - the module's allocator: a few blocks, most of them large, in a module that counts its bytes.
 */
#ifndef WCBOR_MEMORY_H
#define WCBOR_MEMORY_H

#include <stddef.h>

/*
 * Works like realloc, and as wcbor_reallocate has it: NULL and a size allocates, a size of 0 frees and returns NULL.
 * Blocks are aligned to 16 bytes. NULL when there is no memory; the block then stays as it is.
 */
void *memory_resize(void *block, size_t nbytes);

#endif
