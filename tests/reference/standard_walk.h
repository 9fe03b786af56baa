/*
 * standard_walk.h - reading whatever comes: the call that fits a state of a reader, and what it read as a line of text.
 */
#ifndef WCBOR_TEST_STANDARD_WALK_H
#define WCBOR_TEST_STANDARD_WALK_H

#include "../../src/wcbor.h"

enum { LINE_NBYTES = 4096 };

/* A state's name in the vectors. */
const char *state_name(wcbor_state state);

/* Bytes as hex, `-` when there are none, behind what is in `line` already. */
void line_hex(char *line, const void *bytes, size_t nbytes);

/*
 * Makes the call for `state`, which wcbor_reader_peek gave: not the last two of them. `line` (of LINE_NBYTES, or NULL)
 * becomes what was read.
 */
wcbor_status standard_read(wcbor_reader *reader, wcbor_state state, char *line);

#endif
