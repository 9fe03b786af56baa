/*
 * nesting.c - the items that hold others: arrays, maps, chunked strings; conversion to definite lengths; sorting.
 */
#include "writer.h"

/* ------------------------------------------------------------------------------------------------------- starts */

/* The container around goes to `frames`; the new one begins behind what has been written. */
WCBOR_INLINE void push(wcbor_writer *writer, uint32_t kind, size_t left) {
    *writer->top++ = (wcbor_frame_){writer->left, writer->start, writer->kind};
    writer->kind = kind;
    writer->left = left;
    writer->start = wcbor_offset_(writer);
}

WCBOR_COLD static wcbor_status open_container_slow(wcbor_writer *writer, unsigned initial, size_t head_nbytes) {
    uint32_t depth = wcbor_depth_(writer);
    if (depth >= writer->max_depth) return WCBOR_DEPTH_EXCEEDED;
    wcbor_status status = wcbor_begin_(writer, initial, NULL, 0);
    if (status == WCBOR_OK && writer->top == writer->top_limit) status = wcbor_grow_frames_(writer, (size_t)depth + 1);
    if (status != WCBOR_OK) return status;
    return wcbor_room_(writer, head_nbytes);
}

/* The checks of every start, and memory for all that it needs, the head included. */
WCBOR_INLINE wcbor_status open_container(wcbor_writer *writer, unsigned initial, size_t head_nbytes) {
    if (WCBOR_LIKELY(writer->top < writer->top_limit && writer->left - 1 < GATE - 1
                     && (size_t)(writer->end - writer->next) >= head_nbytes))
        return WCBOR_OK;
    return open_container_slow(writer, initial, head_nbytes);
}

wcbor_status wcbor_write_start_array(wcbor_writer *writer, uint64_t count) {
    if (WCBOR_UNLIKELY(count > WCBOR_MAX_ARRAY_COUNT)) return WCBOR_LENGTH_OUT_OF_RANGE;
    wcbor_status status = open_container(writer, WCBOR_ARRAY, wcbor_head_nbytes_(count));
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    writer->next = wcbor_put_head_(writer->next, WCBOR_ARRAY, count);
    push(writer, WCBOR_ARRAY | ((count & 1) != 0 ? KIND_ODD : 0), (size_t)count);
    return WCBOR_OK;
}

wcbor_status wcbor_write_start_map(wcbor_writer *writer, uint64_t count) {
    if (WCBOR_UNLIKELY(count > WCBOR_MAX_MAP_COUNT)) return WCBOR_LENGTH_OUT_OF_RANGE;
    size_t head_nbytes = wcbor_head_nbytes_(count);
    wcbor_status status = open_container(writer, WCBOR_MAP, head_nbytes);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    uint32_t kind = WCBOR_MAP;
    size_t left = (size_t)count * 2;
    if ((writer->rules & RULE_KEYS) != 0 && (count > 1 || (writer->rules & RULE_TEXT_KEYS) != 0)) {
        status = wcbor_keys_push_(&writer->keys, (size_t)count, wcbor_offset_(writer) + head_nbytes);
        if (status != WCBOR_OK) return status;
        kind |= KIND_KEYED | KIND_TRACKED | (writer->map_kind & KIND_UNSORTED);
        left = 0;
    }
    writer->next = wcbor_put_head_(writer->next, WCBOR_MAP, count);
    push(writer, kind, left);
    return WCBOR_OK;
}

/* Whether an indefinite length may stand here at all; first of its checks. */
WCBOR_INLINE bool may_be_indefinite(const wcbor_writer *writer) {
    return (writer->rules & (RULE_NO_INDEFINITE | RULE_CONVERT)) != RULE_NO_INDEFINITE;
}

/* The kind of a container of indefinite length. */
WCBOR_INLINE uint32_t indefinite(const wcbor_writer *writer, uint32_t kind) {
    return kind | KIND_INDEFINITE | ((writer->rules & RULE_CONVERT) != 0 ? KIND_CONVERT : 0);
}

wcbor_status wcbor_write_start_indefinite_array(wcbor_writer *writer) {
    if (WCBOR_UNLIKELY(!may_be_indefinite(writer))) return WCBOR_INDEFINITE_NOT_ALLOWED;
    wcbor_status status = open_container(writer, WCBOR_ARRAY | WCBOR_INDEFINITE, 1);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    *writer->next++ = WCBOR_ARRAY | WCBOR_INDEFINITE;
    push(writer, indefinite(writer, WCBOR_ARRAY), LEFT_OPEN);
    return WCBOR_OK;
}

void wcbor_settle_maps_(wcbor_writer *writer) {
    uint32_t keyed = (writer->rules & RULE_KEYS) == 0 ? 0
                   : KIND_KEYED | (writer->keys.order == WCBOR_ORDER_NONE ? KIND_UNSORTED : 0);
    writer->map_kind = indefinite(writer, WCBOR_MAP | keyed);
    writer->map_left = keyed == 0 ? LEFT_OPEN : 2;
    /* Where keys must be text the first one is looked at too. */
    if ((writer->rules & RULE_TEXT_KEYS) != 0) {
        writer->map_kind |= KIND_TRACKED;
        writer->map_left = 0;
    }
}

wcbor_status wcbor_write_start_indefinite_map(wcbor_writer *writer) {
    if (WCBOR_UNLIKELY(!may_be_indefinite(writer))) return WCBOR_INDEFINITE_NOT_ALLOWED;
    wcbor_status status = open_container(writer, WCBOR_MAP | WCBOR_INDEFINITE, 1);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    if (WCBOR_UNLIKELY((writer->map_kind & KIND_TRACKED) != 0)) {
        status = wcbor_keys_push_(&writer->keys, PAIRS_OPEN, wcbor_offset_(writer) + 1);
        if (status != WCBOR_OK) return status;
    }
    *writer->next++ = WCBOR_MAP | WCBOR_INDEFINITE;
    push(writer, writer->map_kind, writer->map_left);
    return WCBOR_OK;
}

WCBOR_COLD static wcbor_status start_chunked(wcbor_writer *writer, unsigned major) {
    if (!may_be_indefinite(writer)) return WCBOR_INDEFINITE_NOT_ALLOWED;
    wcbor_status status = open_container(writer, major | WCBOR_INDEFINITE, 1);
    if (status != WCBOR_OK) return status;
    *writer->next++ = (uint8_t)(major | WCBOR_INDEFINITE);
    push(writer, indefinite(writer, major | KIND_CHUNKED), LEFT_OPEN | GATE);
    return WCBOR_OK;
}

wcbor_status wcbor_write_start_indefinite_bytes(wcbor_writer *writer) {
    return start_chunked(writer, WCBOR_BYTES);
}

wcbor_status wcbor_write_start_indefinite_text(wcbor_writer *writer) {
    return start_chunked(writer, WCBOR_TEXT);
}

/* --------------------------------------------------------------------------------------------------------- ends */

/* Whether an odd number of items is written in the open container. */
WCBOR_INLINE bool is_odd(const wcbor_writer *writer) {
    unsigned odd = (writer->kind & (KIND_ODD | KIND_AT_KEY)) != 0;
    return ((writer->left ^ odd) & 1) != 0;
}

/* Whether the open container, of definite length, holds all its items. */
static bool is_filled(const wcbor_writer *writer) {
    const wcbor_keys_ *keys = &writer->keys;
    if ((writer->kind & KIND_TRACKED) != 0) return wcbor_keys_count_(keys) == wcbor_keys_map_(keys)->pairs;
    return (writer->left & ~GATE) == 0;
}

/* The checks of every end. */
WCBOR_INLINE wcbor_status may_end(const wcbor_writer *writer, unsigned major) {
    unsigned kind = writer->kind & KIND_MASK;
    if (WCBOR_UNLIKELY(kind != major)) return kind == KIND_ROOT ? WCBOR_NOT_IN_CONTAINER : WCBOR_CONTAINER_MISMATCH;
    if (WCBOR_UNLIKELY(wcbor_tag_waits_(writer))) return WCBOR_DANGLING_TAG;
    if (WCBOR_UNLIKELY((writer->kind & KIND_INDEFINITE) == 0 && !is_filled(writer))) return WCBOR_NOT_FILLED;
    return WCBOR_OK;
}

/* Back to the container around, in which the ended one is one item. */
WCBOR_INLINE wcbor_status pop(wcbor_writer *writer) {
    const wcbor_frame_ *frame = --writer->top;
    writer->start = frame->start;
    writer->kind = frame->kind;
    writer->left = frame->left;
    return wcbor_finish_(writer);
}

WCBOR_COLD void wcbor_put_definite_head_(wcbor_writer *writer, unsigned major, uint64_t argument) {
    uint8_t *content = writer->out + writer->start;
    size_t grown = wcbor_head_nbytes_(argument) - 1;
    if (WCBOR_UNLIKELY(grown != 0)) {
        memmove(content + grown, content, (size_t)(writer->next - content));
        writer->next += grown;
    }
    wcbor_put_head_(content - 1, major, argument);
}

/* Puts the pairs of the open map into the order of its keys. The room for another copy of them has been made. */
WCBOR_COLD static void reorder(wcbor_writer *writer, const uint32_t *order, uint32_t count) {
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

/* Gives an array or a map of indefinite length, with `count` items or pairs, its end, or its definite head. */
WCBOR_INLINE wcbor_status close_container(wcbor_writer *writer, unsigned major, size_t count) {
    if ((writer->kind & KIND_CONVERT) == 0) {
        wcbor_status status = wcbor_room_(writer, 1);
        if (status == WCBOR_OK) *writer->next++ = WCBOR_BREAK;
        return status;
    }
    if (WCBOR_LIKELY(count < 24)) {
        writer->out[writer->start - 1] = (uint8_t)(major | count);
        return WCBOR_OK;
    }
    wcbor_status status = wcbor_room_(writer, wcbor_head_nbytes_(count) - 1);
    if (status == WCBOR_OK) wcbor_put_definite_head_(writer, major, count);
    return status;
}

wcbor_status wcbor_write_end_array(wcbor_writer *writer) {
    wcbor_status status = may_end(writer, WCBOR_ARRAY);
    if (status == WCBOR_OK && (writer->kind & KIND_INDEFINITE) != 0)
        status = close_container(writer, WCBOR_ARRAY, LEFT_OPEN - (writer->left & ~GATE));
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    return pop(writer);
}

WCBOR_COLD wcbor_status wcbor_sort_map_(wcbor_writer *writer) {
    wcbor_keys_ *keys = &writer->keys;
    uint32_t count = wcbor_keys_count_(keys);
    /* Also for the head that close may have to make longer, so that nothing is left to fail. */
    wcbor_status status = wcbor_room_(writer, wcbor_offset_(writer) - writer->start + WCBOR_HEAD_MAX);
    if (status != WCBOR_OK) return status;
    const uint32_t *order = wcbor_keys_sort_(keys, writer->out, count);
    if (order == NULL) return WCBOR_OUT_OF_MEMORY;
    reorder(writer, order, count);
    return WCBOR_OK;
}

/* The end of a map that is tracked. Its checks are passed. */
static wcbor_status end_tracked(wcbor_writer *writer) {
    wcbor_status status = wcbor_keys_map_(&writer->keys)->unordered ? wcbor_sort_map_(writer) : WCBOR_OK;
    if (status == WCBOR_OK && (writer->kind & KIND_INDEFINITE) != 0)
        status = close_container(writer, WCBOR_MAP, wcbor_keys_count_(&writer->keys));
    if (status != WCBOR_OK) return status;
    wcbor_keys_pop_(&writer->keys);
    return pop(writer);
}

/* Any end of a map. */
WCBOR_NOINLINE static wcbor_status end_map(wcbor_writer *writer) {
    if (is_odd(writer)) return WCBOR_MAP_KEY_WITHOUT_VALUE;
    wcbor_status status = may_end(writer, WCBOR_MAP);
    if (status != WCBOR_OK) return status;
    if ((writer->kind & KIND_TRACKED) != 0) return end_tracked(writer);
    if ((writer->kind & KIND_INDEFINITE) != 0) {
        size_t open = (writer->kind & KIND_KEYED) != 0 ? 2 : LEFT_OPEN;
        status = close_container(writer, WCBOR_MAP, (open - (writer->left & ~GATE)) / 2);
        if (status != WCBOR_OK) return status;
    }
    return pop(writer);
}

wcbor_status wcbor_write_end_map(wcbor_writer *writer) {
    /* Most maps are short and become definite: their one byte of head is put over the placeholder. */
    size_t open = writer->kind == (WCBOR_MAP | KIND_INDEFINITE | KIND_CONVERT) ? LEFT_OPEN : 2;
    size_t written = open - writer->left;
    if (WCBOR_LIKELY((writer->kind & ~(uint32_t)(KIND_KEYED | KIND_UNSORTED)) == (WCBOR_MAP | KIND_INDEFINITE | KIND_CONVERT)
                     && written < 48 && (written & 1) == 0 && !wcbor_tag_waits_(writer))) {
        writer->out[writer->start - 1] = (uint8_t)(WCBOR_MAP | written / 2);
        return pop(writer);
    }
    if (writer->kind == WCBOR_MAP && writer->left == 0 && !wcbor_tag_waits_(writer)) return pop(writer);
    return end_map(writer);
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
    wcbor_put_definite_head_(writer, major, (size_t)(to - writer->out) - writer->start);
}

WCBOR_COLD static wcbor_status end_chunked(wcbor_writer *writer, unsigned major) {
    wcbor_status status = may_end(writer, major);
    if (status != WCBOR_OK) return status;
    if ((writer->kind & KIND_CONVERT) != 0) {
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

/* ------------------------------------------------------------------------------------------- ends by themselves */

wcbor_status wcbor_write_start_ending_(wcbor_writer *writer, uint32_t kind, size_t count, size_t start) {
    unsigned major = kind & KIND_MASK;
    if (WCBOR_UNLIKELY(count > (major == WCBOR_MAP ? WCBOR_MAX_MAP_COUNT : WCBOR_MAX_ARRAY_COUNT)))
        return WCBOR_LENGTH_OUT_OF_RANGE;
    wcbor_status status = open_container(writer, major, wcbor_head_nbytes_(count));
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    writer->next = wcbor_put_head_(writer->next, major, count);
    push(writer, kind | KIND_ENDS, count);
    if ((kind & KIND_SHAPED) != 0) writer->start = start;
    return WCBOR_OK;
}

wcbor_status wcbor_end_full_(wcbor_writer *writer) {
    while (writer->left == 0 && (writer->kind & KIND_ENDS) != 0) {
        wcbor_status status = pop(writer);
        if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    }
    return WCBOR_OK;
}
