/*
 * tape_walk.h - what the targets that make tapes share.
 */
#ifndef WCBOR_TAPE_WALK_H
#define WCBOR_TAPE_WALK_H

#include "tape.h"

/* Aborts unless it does. */
void check(bool holds);

/* As a writer and a tape want it. */
void *test_reallocate(void *context, void *block, size_t nbytes);

/* A document that has been read: its tape, and what it was made from. */
typedef struct tape_reading {
    wcbor_tape *tape;
    uint8_t *input;
    size_t nbytes;
    uint32_t flags, max_depth, status;
} tape_reading;

/*
 * Reads what is behind the first two bytes of `data`, which are the flags and the depth, twice, and follows each run: what
 * stands behind the input makes no difference.
 */
tape_reading read_tape(const uint8_t *data, size_t nbytes, const uint32_t *plan);

void free_reading(tape_reading *reading);

#endif
