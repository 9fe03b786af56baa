/*
 * nesting.c - the items that hold others: arrays, maps, chunked strings; conversion to definite lengths; sorting.
 */
#include "writer.h"

#include "block.h"

/* ------------------------------------------------------------------------------------------------------- starts */

/* The container around goes to `frames`; the new one begins behind what has been written. */
static void push(wcbor_writer *writer, uint32_t kind, size_t left) {
    wcbor_frame_ *frame = (wcbor_frame_ *)writer->frames.items + writer->depth++;
    *frame = (wcbor_frame_){writer->left, writer->start, writer->kind};
    writer->frames.count = writer->depth;
    writer->kind = kind;
    writer->left = left;
    writer->start = wcbor_offset_(writer);
}

/* The checks of every start, and memory for all that it needs, the head included. */
static wcbor_status open(wcbor_writer *writer, unsigned initial, size_t head_nbytes) {
    if (writer->depth >= writer->max_depth) return WCBOR_DEPTH_EXCEEDED;
    wcbor_status status = wcbor_begin_(writer, initial, NULL, 0);
    if (status != WCBOR_OK) return status;
    if (WCBOR_UNLIKELY(writer->depth == writer->frames.capacity)) {
        status = wcbor_block_grow_(&writer->frames, (size_t)writer->depth + 1, sizeof(wcbor_frame_),
                                   writer->options.reallocate, writer->options.context);
        if (status != WCBOR_OK) return status;
    }
    return wcbor_room_(writer, head_nbytes);
}

static wcbor_status open_map(wcbor_writer *writer, unsigned initial, size_t head_nbytes) {
    wcbor_status status = open(writer, initial, head_nbytes);
    if (status != WCBOR_OK || (writer->rules & RULE_KEYS) == 0) return status;
    return wcbor_keys_push_(&writer->keys, wcbor_offset_(writer) + head_nbytes);
}

wcbor_status wcbor_write_start_array(wcbor_writer *writer, uint64_t count) {
    if (count > WCBOR_MAX_ARRAY_COUNT) return WCBOR_LENGTH_OUT_OF_RANGE;
    wcbor_status status = open(writer, WCBOR_ARRAY, wcbor_head_nbytes_(count));
    if (status != WCBOR_OK) return status;
    writer->next = wcbor_put_head_(writer->next, WCBOR_ARRAY, count);
    push(writer, WCBOR_ARRAY | ((count & 1) != 0 ? KIND_ODD : 0), (size_t)count);
    return WCBOR_OK;
}

wcbor_status wcbor_write_start_map(wcbor_writer *writer, uint64_t count) {
    if (count > WCBOR_MAX_MAP_COUNT) return WCBOR_LENGTH_OUT_OF_RANGE;
    wcbor_status status = open_map(writer, WCBOR_MAP, wcbor_head_nbytes_(count));
    if (status != WCBOR_OK) return status;
    writer->next = wcbor_put_head_(writer->next, WCBOR_MAP, count);
    bool keyed = (writer->rules & RULE_KEYS) != 0;
    push(writer, WCBOR_MAP | (keyed ? KIND_KEYED : 0), (size_t)count * 2 | (keyed ? GATE : 0));
    return WCBOR_OK;
}

/* Whether an indefinite length may stand here at all; first of its checks. */
static bool may_be_indefinite(const wcbor_writer *writer) {
    return (writer->rules & (RULE_NO_INDEFINITE | RULE_CONVERT)) != RULE_NO_INDEFINITE;
}

static void put_indefinite(wcbor_writer *writer, unsigned major, uint32_t flags) {
    *writer->next++ = (uint8_t)(major | WCBOR_INDEFINITE);
    push(writer, major | KIND_INDEFINITE | flags, (flags & KIND_GATED) != 0 ? LEFT_OPEN | GATE : LEFT_OPEN);
}

wcbor_status wcbor_write_start_indefinite_array(wcbor_writer *writer) {
    if (!may_be_indefinite(writer)) return WCBOR_INDEFINITE_NOT_ALLOWED;
    wcbor_status status = open(writer, WCBOR_ARRAY | WCBOR_INDEFINITE, 1);
    if (status == WCBOR_OK) put_indefinite(writer, WCBOR_ARRAY, 0);
    return status;
}

wcbor_status wcbor_write_start_indefinite_map(wcbor_writer *writer) {
    if (!may_be_indefinite(writer)) return WCBOR_INDEFINITE_NOT_ALLOWED;
    wcbor_status status = open_map(writer, WCBOR_MAP | WCBOR_INDEFINITE, 1);
    if (status == WCBOR_OK) put_indefinite(writer, WCBOR_MAP, (writer->rules & RULE_KEYS) != 0 ? KIND_KEYED : 0);
    return status;
}

static wcbor_status start_chunked(wcbor_writer *writer, unsigned major) {
    if (!may_be_indefinite(writer)) return WCBOR_INDEFINITE_NOT_ALLOWED;
    wcbor_status status = open(writer, major | WCBOR_INDEFINITE, 1);
    if (status == WCBOR_OK) put_indefinite(writer, major, KIND_CHUNKED);
    return status;
}

wcbor_status wcbor_write_start_indefinite_bytes(wcbor_writer *writer) {
    return start_chunked(writer, WCBOR_BYTES);
}

wcbor_status wcbor_write_start_indefinite_text(wcbor_writer *writer) {
    return start_chunked(writer, WCBOR_TEXT);
}

/* --------------------------------------------------------------------------------------------------------- ends */

/* The checks of every end. */
static wcbor_status may_end(const wcbor_writer *writer, unsigned major) {
    unsigned kind = writer->kind & KIND_MASK;
    if (WCBOR_UNLIKELY(kind != major)) return kind == KIND_ROOT ? WCBOR_NOT_IN_CONTAINER : WCBOR_CONTAINER_MISMATCH;
    if (WCBOR_UNLIKELY(wcbor_tag_waits_(writer))) return WCBOR_DANGLING_TAG;
    if (WCBOR_UNLIKELY((writer->kind & KIND_INDEFINITE) == 0 && (writer->left & ~GATE) != 0)) return WCBOR_NOT_FILLED;
    return WCBOR_OK;
}

/* Back to the container around, in which the ended one is one item. */
static wcbor_status pop(wcbor_writer *writer) {
    const wcbor_frame_ *frame = (const wcbor_frame_ *)writer->frames.items + --writer->depth;
    writer->frames.count = writer->depth;
    writer->left = frame->left;
    writer->start = frame->start;
    writer->kind = frame->kind;
    return wcbor_finish_(writer);
}

/* Puts a definite head over the placeholder of the open container: the content moves if the head is longer. */
static void put_definite_head(wcbor_writer *writer, unsigned major, uint64_t argument) {
    uint8_t *content = writer->out + writer->start;
    size_t grown = wcbor_head_nbytes_(argument) - 1;
    if (WCBOR_UNLIKELY(grown != 0)) {
        memmove(content + grown, content, (size_t)(writer->next - content));
        writer->next += grown;
    }
    wcbor_put_head_(content - 1, major, argument);
}

/* Puts the pairs of the open map into the order of its keys. The room for another copy of them has been made. */
static void reorder(wcbor_writer *writer, const uint32_t *order, uint32_t count) {
    const wcbor_keys_ *keys = &writer->keys;
    const wcbor_key_ *records = wcbor_keys_records_(keys, wcbor_keys_map_(keys));
    uint8_t *content = writer->out + writer->start, *to = writer->next;
    size_t nbytes = (size_t)(writer->next - content);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair = order[i];
        size_t from = records[pair].start;
        size_t pair_nbytes = (pair + 1 < count ? records[pair + 1].start : wcbor_offset_(writer)) - from;
        memcpy(to, writer->out + from, pair_nbytes);
        to += pair_nbytes;
    }
    memcpy(content, writer->next, nbytes);
}

/* Ends an array or a map whose checks are passed. `items` is what one of its entries is made of, 1 or 2. */
WCBOR_INLINE wcbor_status close(wcbor_writer *writer, unsigned major, unsigned items) {
    if ((writer->kind & KIND_INDEFINITE) == 0) return WCBOR_OK;
    if ((writer->rules & RULE_CONVERT) == 0) {
        wcbor_status status = wcbor_room_(writer, 1);
        if (status == WCBOR_OK) *writer->next++ = WCBOR_BREAK;
        return status;
    }
    size_t count = (LEFT_OPEN - (writer->left & ~GATE)) / items;
    if (WCBOR_LIKELY(count < 24)) {
        writer->out[writer->start - 1] = (uint8_t)(major | count);
        return WCBOR_OK;
    }
    wcbor_status status = wcbor_room_(writer, wcbor_head_nbytes_(count) - 1);
    if (status == WCBOR_OK) put_definite_head(writer, major, count);
    return status;
}

wcbor_status wcbor_write_end_array(wcbor_writer *writer) {
    wcbor_status status = may_end(writer, WCBOR_ARRAY);
    if (status == WCBOR_OK) status = close(writer, WCBOR_ARRAY, 1);
    if (status != WCBOR_OK) return status;
    return pop(writer);
}

/* What a map in a mode that looks at keys needs before it is closed: its pairs in order. */
static wcbor_status settle_keys(wcbor_writer *writer) {
    wcbor_keys_ *keys = &writer->keys;
    uint32_t count = wcbor_keys_count_(keys);
    if (!wcbor_keys_map_(keys)->unordered) return WCBOR_OK;
    /* Also for the head that close may have to make longer, so that nothing is left to fail. */
    wcbor_status status = wcbor_room_(writer, wcbor_offset_(writer) - writer->start + WCBOR_HEAD_MAX);
    if (status != WCBOR_OK) return status;
    const uint32_t *order = wcbor_keys_sort_(keys, writer->out, count);
    if (order == NULL) return WCBOR_OUT_OF_MEMORY;
    reorder(writer, order, count);
    return WCBOR_OK;
}

wcbor_status wcbor_write_end_map(wcbor_writer *writer) {
    unsigned odd = (writer->kind & KIND_ODD) != 0;
    if (WCBOR_UNLIKELY(((writer->left ^ odd) & 1) != 0)) return WCBOR_MAP_KEY_WITHOUT_VALUE;
    wcbor_status status = may_end(writer, WCBOR_MAP);
    if (status == WCBOR_OK && (writer->kind & KIND_KEYED) != 0) status = settle_keys(writer);
    if (status == WCBOR_OK) status = close(writer, WCBOR_MAP, 2);
    if (status != WCBOR_OK) return status;
    if ((writer->kind & KIND_KEYED) != 0) wcbor_keys_pop_(&writer->keys);
    return pop(writer);
}

/* Joins the chunks of the open string: their heads go, one head for all comes. It cannot get longer. */
static void join(wcbor_writer *writer, unsigned major) {
    const uint8_t *from = writer->out + writer->start, *end = writer->next;
    uint8_t *to = writer->out + writer->start;
    while (from < end) {
        wcbor_head_ head = {0, 1};
        (void)wcbor_get_head_(from, end, &head);
        memmove(to, from + head.nbytes, (size_t)head.argument);
        from += head.nbytes + (size_t)head.argument;
        to += head.argument;
    }
    writer->next = to;
    put_definite_head(writer, major, (size_t)(to - writer->out) - writer->start);
}

static wcbor_status end_chunked(wcbor_writer *writer, unsigned major) {
    wcbor_status status = may_end(writer, major);
    if (status != WCBOR_OK) return status;
    if ((writer->rules & RULE_CONVERT) != 0) {
        join(writer, major);
    } else {
        status = wcbor_room_(writer, 1);
        if (status != WCBOR_OK) return status;
        *writer->next++ = WCBOR_BREAK;
    }
    return pop(writer);
}

wcbor_status wcbor_write_end_indefinite_bytes(wcbor_writer *writer) {
    return end_chunked(writer, WCBOR_BYTES);
}

wcbor_status wcbor_write_end_indefinite_text(wcbor_writer *writer) {
    return end_chunked(writer, WCBOR_TEXT);
}
