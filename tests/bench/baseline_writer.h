/*
 * baseline_writer.h - the writer as one would first design it, to compare with: plain, complete in its checks, and
 * keeping for every container all that any mode might ever want to know.
 *
 * Of the calls it has those that the benchmark makes, in the modes lax and strict. Statuses, rules and bytes are those
 * of wcbor.h.
 *
 * State:
 *
 *     buffer, offset, capacity   the document; everything else refers to it by offsets
 *     frame                      the container that is open, or the root; nine fields, some of which may be absent
 *     stack, depth               the frames around it, whole
 *     tag_waits                  a tag is waiting for its item
 *     free_sets                  key sets of maps that have ended, for the next ones
 */
#ifndef WCBOR_BENCH_BASELINE_WRITER_H
#define WCBOR_BENCH_BASELINE_WRITER_H

#include "wcbor.h"

/* An offset or a count that may be absent. */
typedef struct baseline_optional {
    int32_t value;
    bool present;
} baseline_optional;

typedef struct baseline_key_set baseline_key_set;

typedef struct baseline_frame {
    baseline_optional type;            /* major type in the upper bits of a byte; absent at the root */
    int32_t content;                   /* where the first byte of the content stands */
    baseline_optional definite_length; /* items, not pairs; absent when the length is indefinite */
    int32_t items_written;
    baseline_optional key_offset;       /* maps: where the current key begins */
    baseline_optional value_offset;     /* maps: where the current value begins, once the key is written */
    baseline_optional first_key_nbytes; /* maps, while there is one key only: it begins at `content` */
    bool keys_unordered;                /* for modes that sort */
    baseline_key_set *keys;             /* maps of more than one key, in modes that want them unique */
} baseline_frame;

typedef struct baseline_writer {
    wcbor_mode mode;
    bool convert, multiple_roots;
    int32_t max_depth;
    uint8_t *buffer;
    size_t offset, capacity;
    baseline_frame frame;
    baseline_frame *stack;
    int32_t depth, stack_capacity;
    bool tag_waits;
    baseline_key_set *free_sets;
} baseline_writer;

wcbor_status baseline_init(baseline_writer *writer, wcbor_mode mode, bool convert, bool multiple_roots,
                           int32_t max_depth);
void baseline_reset(baseline_writer *writer);
bool baseline_is_complete(const baseline_writer *writer);
wcbor_status baseline_copy(const baseline_writer *writer, void *to, size_t capacity, size_t *nbytes);

wcbor_status baseline_write_text(baseline_writer *writer, const char *text, size_t nbytes);
wcbor_status baseline_write_tag(baseline_writer *writer, uint64_t tag);
wcbor_status baseline_write_start_array(baseline_writer *writer, uint64_t count);
wcbor_status baseline_write_start_map(baseline_writer *writer, uint64_t count);
wcbor_status baseline_write_start_indefinite_array(baseline_writer *writer);
wcbor_status baseline_write_start_indefinite_map(baseline_writer *writer);
wcbor_status baseline_write_end_array(baseline_writer *writer);
wcbor_status baseline_write_end_map(baseline_writer *writer);

#endif
