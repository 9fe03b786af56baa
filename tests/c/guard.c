#define _DEFAULT_SOURCE
#include "guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_nbytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

guard_area guard_make(size_t most_nbytes) {
    size_t page = page_nbytes(), nbytes = (most_nbytes + page - 1) / page * page;
    uint8_t *start = mmap(NULL, nbytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + nbytes, page, PROT_NONE) != 0) abort();
    return (guard_area){start, start + nbytes};
}

void guard_release(guard_area *area) {
    munmap(area->start, (size_t)(area->end - area->start) + page_nbytes());
}

uint8_t *guard_buffer(const guard_area *area, size_t nbytes) {
    if (nbytes > (size_t)(area->end - area->start)) abort();
    return area->end - nbytes;
}

/* Behind a guarded block lie at most 15 bytes, for its alignment; before it what it takes to release it. */
typedef struct header {
    guard_area area;
    size_t nbytes;
} header;

static header *header_of(void *block) {
    return (header *)(void *)((uint8_t *)block - sizeof(header));
}

static void *guarded_block(size_t nbytes) {
    size_t aligned = (nbytes + 15) / 16 * 16;
    guard_area area = guard_make(aligned + sizeof(header));
    uint8_t *block = area.end - aligned;
    *header_of(block) = (header){area, nbytes};
    return block;
}

static void *guarded_reallocate(void *block, size_t nbytes) {
    void *moved = NULL;
    if (nbytes > 0) moved = guarded_block(nbytes);
    if (block != NULL) {
        header old = *header_of(block);
        if (moved != NULL) memcpy(moved, block, old.nbytes < nbytes ? old.nbytes : nbytes);
        guard_release(&old.area);
    }
    return moved;
}

void *hook_reallocate(void *context, void *block, size_t nbytes) {
    hook *h = context;
    if (nbytes == 0) {
        h->blocks -= block != NULL;
    } else {
        h->calls++;
        if (h->fail_at != 0 && (h->calls == h->fail_at || (h->fail_after && h->calls > h->fail_at))) return NULL;
        h->blocks += block == NULL;
    }
    if (h->guarded) return guarded_reallocate(block, nbytes);
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, nbytes);
}
