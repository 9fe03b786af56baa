/*
 * writer.h - what the files of the writer share. Private to the library.
 *
 * State, all in wcbor_writer:
 *
 *     out, next, end   the buffer, where the next byte goes, and where the buffer ends. Nothing else points into the
 *                      buffer; offsets survive its growth
 *     kind, start, left   the container that is open (or the root). `kind`: its major type and the KIND_ flags.
 *                      `start`: the offset behind its head. `left`: the items it still takes; an indefinite one
 *                      starts at LEFT_OPEN. GATE, the top bit, is set in `left` while an item needs more than to be
 *                      counted, so that one comparison finds both that and a full container
 *     frames, top      the same three of every container around it, and where the next goes. `top_limit`: where
 *                      there is no room for it, or max_depth is reached
 *     tag_end, tag     where the last tag ended, and its number: a tag waits for its item as long as nothing has
 *                      been written behind it. NO_TAG: none
 *     rules            what the mode asks for, as RULE_ flags, settled once
 *     map_kind, map_left   `kind` and `left` of a map of indefinite length at its start
 *     keys             the keys of the open maps, in modes that look at them (keys.h)
 *
 * In those modes a map of one pair costs nothing, for its key cannot repeat: an indefinite map starts with `left` at 2
 * for its first pair, like any definite one. Only when a second key comes (`left` is 0) is it KIND_TRACKED, with an
 * entry in `keys`, which takes over the count of pairs. From then on `left` is 0 between two pairs, GATE + 1 while a
 * key is written (KIND_AT_KEY), and 1 for the value.
 *
 * Every call goes: checks; room in the buffer (and for a key, in `keys`); then bytes, which cannot fail any more;
 * then wcbor_finish_, which counts the item and, where it was a key, looks for it among the others.
 */
#ifndef WCBOR_WRITER_H
#define WCBOR_WRITER_H

#include "head.h"
#include "keys.h"
#include "modes.h"

enum {
    KIND_ROOT = 0x01, /* no major type of a container, so that it equals none */
    KIND_MASK = 0xff,
    KIND_INDEFINITE = 0x100,
    KIND_ODD = 0x200,     /* a definite length that is odd; says with `left` how many items are written, modulo 2 */
    KIND_KEYED = 0x400,   /* a map whose keys are looked at */
    KIND_TRACKED = 0x800, /* and that has an entry in `keys` */
    KIND_AT_KEY = 0x1000, /* and where a key is next, or under way */
    KIND_CHUNKED = 0x2000, /* an indefinite-length string */
    KIND_CONVERT = 0x4000, /* an indefinite length that becomes definite */
    KIND_ENDS = 0x8000,    /* it ends by itself when it is full (command streams alone) */
    KIND_SHAPED = 0x10000, /* and its keys are laid down by whoever drives the writer, who keeps count in `start` */
    KIND_UNSORTED = 0x20000 /* a map whose keys are looked at, but not sorted: with KIND_KEYED, in strict */
};

#define GATE (SIZE_MAX / 2 + 1)
#define LEFT_OPEN (GATE - 2)
#define NO_TAG SIZE_MAX

/* `pairs` of a map in `keys` that may take any number of them. */
#define PAIRS_OPEN (LEFT_OPEN / 2)

/* Settles how maps of indefinite length start. */
void wcbor_settle_maps_(wcbor_writer *writer);

/* Puts a definite head over the placeholder of the open container: the content moves if the head is longer. */
void wcbor_put_definite_head_(wcbor_writer *writer, unsigned major, uint64_t argument);

/* Puts the pairs of the open map, which is tracked, in order. WCBOR_OUT_OF_MEMORY. */
wcbor_status wcbor_sort_map_(wcbor_writer *writer);

/* Makes the buffer larger, out of line. */
wcbor_status wcbor_grow_(wcbor_writer *writer, size_t nbytes);

wcbor_status wcbor_begin_gated_(wcbor_writer *writer, unsigned initial, const uint8_t *payload, size_t nbytes);
wcbor_status wcbor_finish_gated_(wcbor_writer *writer);

/* wcbor_write_text of text that is known to be well-formed. */
wcbor_status wcbor_put_text_(wcbor_writer *writer, const char *text, size_t nbytes);

/* Opens a container that ends by itself; `left` are the items that it is told of, of `count` entries. */
wcbor_status wcbor_write_start_ending_(wcbor_writer *writer, uint32_t kind, size_t count, size_t start);

/* Ends every open container that is full and ends by itself. WCBOR_DUPLICATE_KEY, where one was a key. */
wcbor_status wcbor_end_full_(wcbor_writer *writer);

/*
 * Walks over the item that begins at `bytes` by some of the writer's rules, and sets `*item_nbytes` to its length. OK,
 * INVALID_ENCODED_VALUE, OUT_OF_MEMORY.
 */
wcbor_status wcbor_walk_encoded_(const wcbor_writer *writer, uint32_t rules, const uint8_t *bytes, size_t nbytes,
                                 size_t *item_nbytes);

/* Makes room for more frames, up to max_depth. WCBOR_OUT_OF_MEMORY. */
wcbor_status wcbor_grow_frames_(wcbor_writer *writer, size_t count);

WCBOR_INLINE size_t wcbor_offset_(const wcbor_writer *writer) {
    return (size_t)(writer->next - writer->out);
}

WCBOR_INLINE bool wcbor_tag_waits_(const wcbor_writer *writer) {
    return writer->tag_end == wcbor_offset_(writer);
}

/* Open containers. */
WCBOR_INLINE uint32_t wcbor_depth_(const wcbor_writer *writer) {
    return (uint32_t)(writer->top - (const wcbor_frame_ *)writer->frames.items);
}

/* Where the chunks begin of the text string that is the open container; 0 when it is none. */
WCBOR_INLINE size_t wcbor_text_chunks_(const wcbor_writer *writer) {
    return (writer->kind & KIND_MASK) == WCBOR_TEXT ? writer->start : 0;
}

/* Room for `nbytes` more. WCBOR_OUT_OF_MEMORY. */
WCBOR_INLINE wcbor_status wcbor_room_(wcbor_writer *writer, size_t nbytes) {
    if (WCBOR_LIKELY((size_t)(writer->end - writer->next) >= nbytes)) return WCBOR_OK;
    return wcbor_grow_(writer, nbytes);
}

/*
 * May an item stand here whose initial byte is `initial`? `payload`, of `nbytes`, is that of a definite byte string.
 */
WCBOR_INLINE wcbor_status wcbor_begin_(wcbor_writer *writer, unsigned initial, const uint8_t *payload, size_t nbytes) {
    if (WCBOR_LIKELY(writer->left - 1 < GATE - 1)) return WCBOR_OK;
    return wcbor_begin_gated_(writer, initial, payload, nbytes);
}

/* Counts the item whose last byte has been written. WCBOR_DUPLICATE_KEY. */
WCBOR_INLINE wcbor_status wcbor_finish_(wcbor_writer *writer) {
    writer->left--;
    if (WCBOR_LIKELY(writer->left < GATE)) return WCBOR_OK;
    return wcbor_finish_gated_(writer);
}

/* An item that is all head. */
WCBOR_INLINE wcbor_status wcbor_put_item_(wcbor_writer *writer, unsigned major, uint64_t argument) {
    wcbor_status status = wcbor_begin_(writer, major, NULL, 0);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    if (WCBOR_UNLIKELY((size_t)(writer->end - writer->next) < WCBOR_HEAD_MAX)) {
        status = wcbor_grow_(writer, wcbor_head_nbytes_(argument));
        if (status != WCBOR_OK) return status;
    }
    writer->next = wcbor_put_head_(writer->next, major, argument);
    return wcbor_finish_(writer);
}

#endif
