/*
 * json_write.h - CBOR that has been validated to JSON text, in one pass and without recursion: what its files share.
 * Private to the library.
 *
 *     bytes, next, end   the input; `next` is where it failed after a failure
 *     out, to, limit     the output, where the next character goes, and where the room ends
 *     levels             what surrounds the container that is open
 *     keys               where keys become strings: the names of the objects that are open, as they stand in the output
 */
#ifndef WCBOR_JSON_WRITE_H
#define WCBOR_JSON_WRITE_H

#include "decimal.h"
#include "keys.h"

typedef struct wcbor_writing_ {
    const uint8_t *bytes, *next, *end;
    uint8_t *out, *to, *limit;
    const wcbor_json_options *options;
    wcbor_powers_ *powers;
    wcbor_block_ levels;
    wcbor_keys_ keys;
} wcbor_writing_;

/* Room for any number or literal, and what may stand in front of it on the same line. */
enum { JSON_SCALAR_ROOM = 64 };

/* What byte strings become, from tags 21 to 23: a wcbor_json_bytes, or the option. */
enum { JSON_FORM_OPTION = 4 };

/* The one item at `next`, up to the end. */
wcbor_status wcbor_put_json_(wcbor_writing_ *w);

/* Makes room for `nbytes` more, out of line. WCBOR_OUT_OF_MEMORY, WCBOR_LIMIT_EXCEEDED. */
wcbor_status wcbor_grow_json_(wcbor_writing_ *w, size_t nbytes);

WCBOR_INLINE wcbor_status wcbor_room_json_(wcbor_writing_ *w, size_t nbytes) {
    return WCBOR_LIKELY((size_t)(w->limit - w->to) >= nbytes) ? WCBOR_OK : wcbor_grow_json_(w, nbytes);
}

/* The head at `next`, which has been validated, out of line; an indefinite length is 0. */
wcbor_head_ wcbor_long_json_head_(const wcbor_writing_ *w, const uint8_t *next);

WCBOR_INLINE wcbor_head_ wcbor_json_head_(const wcbor_writing_ *w, const uint8_t *next) {
    unsigned information = *next & WCBOR_INDEFINITE;
    return WCBOR_LIKELY(information < 24) ? (wcbor_head_){information, 1} : wcbor_long_json_head_(w, next);
}

/* The escape of a character that has to have one; there is room for 6. */
void wcbor_put_json_escape_(wcbor_writing_ *w, uint8_t character);

/*
 * The byte string at `next`. `tag`: 2 or 3 when that stands in front of it, else anything; `form` a wcbor_json_bytes.
 * WCBOR_NOT_IN_JSON.
 */
wcbor_status wcbor_put_json_bytes_(wcbor_writing_ *w, uint64_t tag, unsigned form);

#endif
