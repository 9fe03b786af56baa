/*
 * guard.h - memory that shows misuse: buffers that end where an unmapped page begins, so that reading or
 * writing past the end traps in any build, and hooks that run out of memory when they are told to.
 */
#ifndef WCBOR_TEST_GUARD_H
#define WCBOR_TEST_GUARD_H

#include "../../src/wcbor.h"

/* A buffer of `nbytes` that ends at an unmapped page. One at a time for each `guard_area`. */
typedef struct guard_area {
    uint8_t *start, *end;
} guard_area;

guard_area guard_make(size_t most_nbytes);
void guard_release(guard_area *area);
uint8_t *guard_buffer(const guard_area *area, size_t nbytes);

/* A hook's context. All zero: a hook that never fails. */
typedef struct hook {
    size_t fail_at;  /* this call fails, counted from 1 over those that ask for memory; 0: none */
    bool fail_after; /* and all that follow it */
    size_t calls;    /* that asked for memory */
    size_t blocks;   /* that are not freed */
    bool guarded;    /* every block ends near an unmapped page, and moves whenever it grows */
} hook;

/* A wcbor_reallocate; `context` is a hook. */
void *hook_reallocate(void *context, void *block, size_t nbytes);

#endif
