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

/* Follows the entries of a run: each item is met once, and doubles and text are used up exactly. */
void follow_tape(const wcbor_tape *tape, const wcbor_names *names, size_t nbytes, bool is_finished);

#endif
