/*
 * sequence.h - random calls of a writer, most of them what a caller might do next, the others misuse: extra
 * items, dropped calls, wrong ends, ill-formed text, duplicate keys, tags in odd places, encoded items good
 * and bad.
 */
#ifndef WCBOR_TEST_SEQUENCE_H
#define WCBOR_TEST_SEQUENCE_H

#include "random.h"
#include "reference_writer.h"

/* A writer's options and the calls made on it. The bytes of all calls stand in `arena`, which does not move. */
typedef struct sequence {
    wcbor_mode mode;
    bool convert, multiple_roots;
    int32_t max_depth;
    uint32_t capacity; /* of the buffer that a writer begins with */
    bool is_wide;      /* containers are long and calls mostly right */
    call *calls;
    size_t count, room;
    uint8_t *arena;
    size_t arena_nbytes;
} sequence;

enum { SEQUENCE_ARENA = 1 << 22 };

void sequence_init(sequence *s);
void sequence_free(sequence *s);

/* Options for a new writer, and no calls. */
void sequence_begin(sequence *s, random_state *r);

/* Whether there is room for one more call, whatever it is. */
bool sequence_has_room(const sequence *s);

/* Adds a call that suits what is open, or misuse. */
const call *sequence_add(sequence *s, random_state *r, reference_view view);

/* Adds the call that brings the document closer to its end. */
const call *sequence_add_closing(sequence *s, random_state *r, reference_view view);

/* Adds a call without arguments. */
const call *sequence_add_plain(sequence *s, call_op op);

#endif
