/*
 * memory.c - see memory.h.
 *
 * Every block has a header in front of it. The free ones are in a list in the order of their addresses, so that
 * neighbours are found and joined when one is freed; the first that is large enough is taken. A block grows where it
 * stands if what lies behind it is free, or nothing lies behind it: the output of a large document, which is the last
 * block as a rule, is then never copied.
 */
#include "memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct header {
    size_t nbytes; /* header included; a multiple of ALIGNMENT */
    struct header *next; /* of the free ones */
} header;

enum { ALIGNMENT = 16, PAGE = 65536 };

extern uint8_t __heap_base;

static header *free_blocks;
static uintptr_t heap_end;

static uintptr_t end_of(const header *block) {
    return (uintptr_t)block + block->nbytes;
}

/* Puts a block into the list and joins it with its neighbours. */
static void insert(header *block) {
    header *before = NULL, *after = free_blocks;
    while (after != NULL && after < block) {
        before = after;
        after = after->next;
    }
    block->next = after;
    if (after != NULL && end_of(block) == (uintptr_t)after) {
        block->nbytes += after->nbytes;
        block->next = after->next;
    }
    if (before == NULL) {
        free_blocks = block;
    } else if (end_of(before) == (uintptr_t)block) {
        before->nbytes += block->nbytes;
        before->next = block->next;
    } else {
        before->next = block;
    }
}

/* Gets at least `nbytes` more at the end of memory. */
static bool extend(size_t nbytes) {
    if (heap_end == 0) {
        heap_end = ((uintptr_t)&__heap_base + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
        uintptr_t end = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
        if (end - heap_end >= sizeof(header)) {
            header *block = (header *)heap_end;
            block->nbytes = end - heap_end;
            heap_end = end;
            insert(block);
            return true;
        }
    }
    /* A quarter more than there is, if that can be had: growing is dear, however little it is. */
    size_t need = nbytes / PAGE + (nbytes % PAGE != 0), pages = __builtin_wasm_memory_size(0) / 4;
    if (pages < need) pages = need;
    size_t before = __builtin_wasm_memory_grow(0, pages);
    if (before == SIZE_MAX && pages > need) before = __builtin_wasm_memory_grow(0, pages = need);
    if (before == SIZE_MAX) return false;
    header *block = (header *)(before * PAGE);
    block->nbytes = pages * PAGE;
    heap_end = end_of(block);
    insert(block);
    return true;
}

/* Cuts a block down to `nbytes`; the rest is free again. */
static void trim(header *block, size_t nbytes) {
    if (block->nbytes - nbytes < 2 * ALIGNMENT) return;
    header *rest = (header *)((uintptr_t)block + nbytes);
    rest->nbytes = block->nbytes - nbytes;
    block->nbytes = nbytes;
    insert(rest);
}

static header *take(size_t nbytes) {
    for (;;) {
        header **link = &free_blocks;
        while (*link != NULL && (*link)->nbytes < nbytes) link = &(*link)->next;
        header *block = *link;
        if (block != NULL) {
            *link = block->next;
            trim(block, nbytes);
            return block;
        }
        /* What lies free at the end counts. */
        size_t last = 0;
        for (header *at = free_blocks; at != NULL; at = at->next) last = end_of(at) == heap_end ? at->nbytes : 0;
        if (!extend(nbytes - last)) return NULL;
    }
}

/* Makes a block at least `nbytes` long where it stands. */
static bool grow(header *block, size_t nbytes) {
    for (;;) {
        header **link = &free_blocks;
        while (*link != NULL && (uintptr_t)*link < end_of(block)) link = &(*link)->next;
        header *behind = *link;
        if (behind != NULL && (uintptr_t)behind == end_of(block) && behind->nbytes >= nbytes - block->nbytes) {
            *link = behind->next;
            block->nbytes += behind->nbytes;
            trim(block, nbytes);
            return true;
        }
        bool is_last = behind != NULL ? end_of(behind) == heap_end && (uintptr_t)behind == end_of(block)
                                      : end_of(block) == heap_end;
        if (!is_last || !extend(nbytes - block->nbytes - (behind != NULL ? behind->nbytes : 0))) return false;
    }
}

void *memory_resize(void *memory, size_t nbytes) {
    header *block = memory == NULL ? NULL : (header *)((uintptr_t)memory - ALIGNMENT);
    if (nbytes == 0) {
        if (block != NULL) insert(block);
        return NULL;
    }
    if (nbytes > SIZE_MAX - 2 * PAGE) return NULL;
    nbytes = (nbytes + 2 * ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (block != NULL) {
        if (nbytes <= block->nbytes) return memory;
        if (grow(block, nbytes)) return memory;
    }
    header *fresh = take(nbytes);
    if (fresh == NULL) return NULL;
    void *result = (void *)((uintptr_t)fresh + ALIGNMENT);
    if (block != NULL) {
        memcpy(result, memory, block->nbytes - ALIGNMENT);
        insert(block);
    }
    return result;
}
