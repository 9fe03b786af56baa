/*
 * reader.c - the life of a reader, where it stands, the items that hold others, and skipping.
 */
#include "reader.h"

#include "block.h"

/* --------------------------------------------------------------------------------------------------------- life */

void wcbor_reader_make_(wcbor_reader *reader, uint32_t rules, uint32_t order, uint32_t max_depth,
                        const wcbor_reader_options *options) {
    reader->rules = rules;
    reader->order = order;
    reader->max_depth = max_depth;
    reader->is_partial = options->is_partial;
    reader->allow_multiple_roots = options->allow_multiple_roots;
    reader->levels = (wcbor_block_){NULL, 0, WCBOR_INLINE_DEPTH_, false};
    wcbor_keys_ *keys = &reader->keys;
    keys->records = (wcbor_block_){NULL, 0, WCBOR_INLINE_KEYS_, false};
    keys->maps = (wcbor_block_){NULL, 0, WCBOR_INLINE_MAPS_, false};
    keys->slots = (wcbor_block_){NULL, 0, 0, false};
    keys->reallocate = options->reallocate;
    keys->context = options->context;
    keys->seed = options->seed;
    keys->order = WCBOR_ORDER_NONE;
}

void wcbor_reader_start_(wcbor_reader *reader, const uint8_t *bytes, size_t nbytes) {
    reader->bytes = reader->next = bytes;
    reader->end = nbytes == 0 ? bytes : bytes + nbytes;
    reader->level.left = reader->allow_multiple_roots ? LEVEL_OPEN : 1;
    reader->level.kind = LEVEL_ROOT | (reader->allow_multiple_roots ? LEVEL_INDEFINITE : 0);
    reader->depth = 0;
    reader->tagged = false;
    reader->tag = 0;
    reader->fault = reader->before = 0;
    reader->keys.records.count = reader->keys.maps.count = reader->keys.slots.count = 0;
}

wcbor_status wcbor_reader_init(wcbor_reader *reader, const wcbor_reader_options *options, const void *bytes,
                               size_t nbytes) {
    static const wcbor_reader_options defaults = WCBOR_READER_OPTIONS_DEFAULT;
    if (options == NULL) options = &defaults;
    if ((unsigned)options->mode > WCBOR_MODE_DCBOR || options->max_depth < -1
        || (options->mode == WCBOR_MODE_DAG_CBOR && options->allow_multiple_roots))
        return WCBOR_OPTION_OUT_OF_RANGE;
    if (options->is_partial && options->mode != WCBOR_MODE_LAX) return WCBOR_LAX_ONLY;
    if (bytes == NULL && nbytes != 0) return WCBOR_NULL_ARGUMENT;
    wcbor_reader_make_(reader, wcbor_reader_rules_(options->mode), wcbor_order_(options->mode),
                       options->max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)options->max_depth, options);
    wcbor_reader_start_(reader, bytes, nbytes);
    return WCBOR_OK;
}

void wcbor_reader_free(wcbor_reader *reader) {
    wcbor_keys_ *keys = &reader->keys;
    wcbor_block_free_(&reader->levels, keys->reallocate, keys->context);
    wcbor_block_free_(&keys->records, keys->reallocate, keys->context);
    wcbor_block_free_(&keys->maps, keys->reallocate, keys->context);
    wcbor_block_free_(&keys->slots, keys->reallocate, keys->context);
}

wcbor_status wcbor_reader_reset(wcbor_reader *reader, const void *bytes, size_t nbytes, bool is_partial) {
    /* Modes other than lax have rules for keys. */
    if (is_partial && (reader->rules & RULE_KEYS) != 0) return WCBOR_LAX_ONLY;
    if (bytes == NULL && nbytes != 0) return WCBOR_NULL_ARGUMENT;
    reader->is_partial = is_partial;
    wcbor_reader_start_(reader, bytes, nbytes);
    return WCBOR_OK;
}

/* However many items have come, as many more may: all that counts is whether there were any, and if they are even. */
static void renew(wcbor_level_ *level) {
    if ((level->kind & LEVEL_INDEFINITE) != 0 && level->left < LEVEL_OPEN - 2)
        level->left = LEVEL_OPEN - 2 - (level->left & 1);
}

wcbor_status wcbor_reader_slide(wcbor_reader *reader, const void *bytes, size_t nbytes, bool is_partial) {
    if (!reader->is_partial) return WCBOR_FINAL_BLOCK;
    if (bytes == NULL && nbytes != 0) return WCBOR_NULL_ARGUMENT;
    if (nbytes < wcbor_reader_left(reader)) return WCBOR_BUFFER_TOO_SHORT;
    reader->before += (size_t)(reader->next - reader->bytes);
    reader->bytes = reader->next = bytes;
    reader->end = nbytes == 0 ? reader->bytes : reader->bytes + nbytes;
    reader->is_partial = is_partial;
    for (uint32_t i = 0; i < reader->depth; i++) renew(&wcbor_levels_(reader)[i]);
    renew(&reader->level);
    return WCBOR_OK;
}

size_t wcbor_reader_left(const wcbor_reader *reader) {
    return (size_t)(reader->end - reader->next);
}

uint32_t wcbor_reader_depth(const wcbor_reader *reader) {
    return reader->depth;
}

size_t wcbor_reader_offset(const wcbor_reader *reader) {
    return reader->before + (size_t)(reader->next - reader->bytes);
}

size_t wcbor_reader_fault(const wcbor_reader *reader) {
    return reader->before + reader->fault;
}

uint64_t wcbor_reader_missing(const wcbor_reader *reader, wcbor_status status) {
    return wcbor_missing_(reader, status, reader->bytes + reader->fault);
}

/* ------------------------------------------------------------------------------------------------ marks and heads */

wcbor_mark_ wcbor_mark_reader_(wcbor_reader *reader) {
    wcbor_mark_ mark;
    mark.next = reader->next;
    mark.level = reader->level;
    mark.depth = reader->depth;
    mark.tag = reader->tag;
    mark.tagged = reader->tagged;
    if ((reader->rules & RULE_KEYS) == 0 || reader->order != WCBOR_ORDER_NONE) return mark;
    wcbor_settle_keys_(reader);
    mark.nmaps = reader->keys.maps.count;
    mark.nrecords = reader->keys.records.count;
    if ((mark.level.kind & LEVEL_SET) == 0) return mark;
    mark.map = *wcbor_keys_map_(&reader->keys);
    if (mark.nrecords > mark.map.first) mark.record = ((wcbor_key_ *)reader->keys.records.items)[mark.map.first];
    return mark;
}

void wcbor_restore_reader_(wcbor_reader *reader, const wcbor_mark_ *mark) {
    reader->next = mark->next;
    reader->level = mark->level;
    reader->depth = mark->depth;
    reader->tag = mark->tag;
    reader->tagged = mark->tagged;
    wcbor_keys_ *keys = &reader->keys;
    if ((reader->rules & RULE_KEYS) == 0 || reader->order != WCBOR_ORDER_NONE) return;
    wcbor_settle_keys_(reader);
    wcbor_keys_cut_(keys, mark->nmaps);
    if ((mark->level.kind & LEVEL_SET) == 0) return;
    /*
     * The map may have ended meanwhile: its entry and its records still stand, but for the first, in whose place the
     * map around it may have tried a key. The table is made again when it is asked for.
     */
    keys->maps.count = mark->nmaps;
    keys->records.count = mark->nrecords;
    wcbor_settle_keys_(reader);
    wcbor_map_ *map = wcbor_keys_map_(keys);
    *map = mark->map;
    map->nslots = 0;
    keys->slots.count = map->slots;
    wcbor_keys_settle_(keys);
    if (mark->nrecords > map->first) ((wcbor_key_ *)keys->records.items)[map->first] = mark->record;
}

WCBOR_COLD wcbor_status wcbor_place_slow_(const wcbor_reader *reader) {
    const wcbor_level_ *level = &reader->level;
    if (level->left == 0) return WCBOR_NO_MORE_ITEMS;
    if (reader->next == reader->end) {
        bool is_over = !reader->is_partial && reader->depth == 0 && reader->allow_multiple_roots && level->left != LEVEL_OPEN;
        if (!is_over) return WCBOR_UNEXPECTED_END;
        return reader->tagged ? WCBOR_TAG_WITHOUT_VALUE : WCBOR_NO_MORE_ITEMS;
    }
    return *reader->next == WCBOR_BREAK ? WCBOR_OK : wcbor_watched_(level, *reader->next);
}

WCBOR_NOINLINE wcbor_status wcbor_read_long_head_(const wcbor_reader *reader, const uint8_t *at, wcbor_head_ *head) {
    if ((*at & 0x1f) > 27) return WCBOR_INVALID_INTEGER_ENCODING;
    if (!wcbor_get_head_(at, reader->end, head)) return WCBOR_UNEXPECTED_END;
    if ((reader->rules & RULE_SHORTEST_HEAD) != 0 && head->nbytes != wcbor_head_nbytes_(head->argument))
        return WCBOR_NON_MINIMAL_INTEGER;
    return WCBOR_OK;
}

/* -------------------------------------------------------------------------------------------------------- peeking */

/* Whether more of the data must come before the item at `next` can be read. */
static bool needs_more(const wcbor_reader *reader) {
    unsigned major = *reader->next & WCBOR_MAJOR, information = *reader->next & 0x1f;
    size_t have = wcbor_reader_left(reader);
    wcbor_head_ head;
    if (information > 27) return false;
    if (!wcbor_get_head_(reader->next, reader->end, &head)) return true;
    if (major != WCBOR_BYTES && major != WCBOR_TEXT) return false;
    return head.argument > have - head.nbytes && head.argument <= LONGEST_PARTIAL_STRING;
}

/* Where the open container ends by a break: which state that is. */
static wcbor_status peek_break(const wcbor_reader *reader, wcbor_state *state) {
    if (reader->tagged) return WCBOR_TAG_WITHOUT_VALUE;
    uint32_t kind = reader->level.kind;
    if ((kind & LEVEL_INDEFINITE) == 0) return WCBOR_UNEXPECTED_BREAK;
    switch (kind & LEVEL_MASK) {
    case WCBOR_BYTES: *state = WCBOR_STATE_END_INDEFINITE_BYTES; return WCBOR_OK;
    case WCBOR_TEXT: *state = WCBOR_STATE_END_INDEFINITE_TEXT; return WCBOR_OK;
    case WCBOR_ARRAY: *state = WCBOR_STATE_END_ARRAY; return WCBOR_OK;
    case WCBOR_MAP:
        if ((reader->level.left & 1) != 0) return WCBOR_KEY_WITHOUT_VALUE;
        *state = WCBOR_STATE_END_MAP;
        return WCBOR_OK;
    default: return WCBOR_UNEXPECTED_BREAK;
    }
}

wcbor_state wcbor_state_of_(unsigned initial) {
    bool open = (initial & 0x1f) == WCBOR_INDEFINITE;
    switch (initial & WCBOR_MAJOR) {
    case WCBOR_UNSIGNED: return WCBOR_STATE_UNSIGNED;
    case WCBOR_NEGATIVE: return WCBOR_STATE_NEGATIVE;
    case WCBOR_BYTES: return open ? WCBOR_STATE_START_INDEFINITE_BYTES : WCBOR_STATE_BYTES;
    case WCBOR_TEXT: return open ? WCBOR_STATE_START_INDEFINITE_TEXT : WCBOR_STATE_TEXT;
    case WCBOR_ARRAY: return WCBOR_STATE_START_ARRAY;
    case WCBOR_MAP: return WCBOR_STATE_START_MAP;
    case WCBOR_TAG: return WCBOR_STATE_TAG;
    default: break;
    }
    switch (initial & 0x1f) {
    case 20:
    case 21: return WCBOR_STATE_BOOL;
    case 22: return WCBOR_STATE_NULL;
    case 25: return WCBOR_STATE_HALF;
    case 26: return WCBOR_STATE_SINGLE;
    case 27: return WCBOR_STATE_DOUBLE;
    default: return WCBOR_STATE_SIMPLE;
    }
}

wcbor_status wcbor_reader_peek(wcbor_reader *reader, wcbor_state *state) {
    const wcbor_level_ *level = &reader->level;
    wcbor_status status = WCBOR_OK;
    if (level->left == 0) {
        *state = (level->kind & LEVEL_ROOT) != 0               ? WCBOR_STATE_FINISHED
               : (level->kind & LEVEL_MASK) == WCBOR_ARRAY ? WCBOR_STATE_END_ARRAY
                                                           : WCBOR_STATE_END_MAP;
        return WCBOR_OK;
    }
    if (reader->next == reader->end) {
        if (reader->is_partial) {
            *state = WCBOR_STATE_NEEDS_MORE_DATA;
            return WCBOR_OK;
        }
        if (reader->depth != 0 || !reader->allow_multiple_roots) status = WCBOR_UNEXPECTED_END;
        else if (reader->tagged) status = WCBOR_TAG_WITHOUT_VALUE;
        else *state = WCBOR_STATE_FINISHED;
    } else if (*reader->next == WCBOR_BREAK) {
        status = peek_break(reader, state);
    } else if ((level->kind & LEVEL_CHUNKED) != 0 && (*reader->next & WCBOR_MAJOR) != (level->kind & LEVEL_MASK)) {
        status = WCBOR_STRING_CHUNK_INVALID;
    } else {
        *state = reader->is_partial && needs_more(reader) ? WCBOR_STATE_NEEDS_MORE_DATA : wcbor_state_of_(*reader->next);
    }
    return WCBOR_LIKELY(status == WCBOR_OK) ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

/* ----------------------------------------------------------------------------------------------------- containers */

/* The start of an array or a map. */
static wcbor_status start(wcbor_reader *reader, unsigned major, int64_t *count) {
    wcbor_status status = wcbor_place_of_(reader, major);
    if (status != WCBOR_OK) return status;
    if (WCBOR_UNLIKELY(reader->depth >= reader->max_depth)) return WCBOR_DEPTH_EXCEEDED;
    const uint8_t *item = reader->next;
    wcbor_head_ head = {0, 1};
    size_t left = LEVEL_OPEN;
    uint32_t kind = major;
    if (WCBOR_UNLIKELY((*item & 0x1f) == WCBOR_INDEFINITE)) {
        if ((reader->rules & RULE_NO_INDEFINITE) != 0) return WCBOR_INDEFINITE_NOT_ALLOWED;
        kind |= LEVEL_INDEFINITE;
    } else {
        unsigned items = major == WCBOR_MAP ? 2 : 1;
        status = wcbor_read_head_(reader, item, &head);
        if (status != WCBOR_OK) return status;
        bool fits = head.argument <= (wcbor_reader_left(reader) - head.nbytes) / items;
        if (WCBOR_UNLIKELY((!fits && !reader->is_partial) || head.argument > WCBOR_MAX_ARRAY_COUNT / items))
            return WCBOR_LENGTH_EXCEEDS_BUFFER;
        left = (size_t)head.argument * items;
    }
    status = wcbor_content_(reader, NULL, 0);
    if (status != WCBOR_OK) return status;
    reader->next += head.nbytes;
    status = wcbor_enter_(reader, kind, left, reader->rules);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) {
        reader->next = item;
        return status;
    }
    if (count != NULL) *count = left == LEVEL_OPEN ? -1 : (int64_t)head.argument;
    return WCBOR_OK;
}

wcbor_status wcbor_read_start_array(wcbor_reader *reader, int64_t *count) {
    wcbor_status status = start(reader, WCBOR_ARRAY, count);
    return WCBOR_LIKELY(status == WCBOR_OK) ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

wcbor_status wcbor_read_start_map(wcbor_reader *reader, int64_t *count) {
    wcbor_status status = start(reader, WCBOR_MAP, count);
    return WCBOR_LIKELY(status == WCBOR_OK) ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

static wcbor_status start_chunked(wcbor_reader *reader, unsigned major) {
    wcbor_status status = wcbor_place_of_(reader, major);
    if (status != WCBOR_OK) return status;
    if ((*reader->next & 0x1f) != WCBOR_INDEFINITE) return WCBOR_NOT_INDEFINITE;
    if ((reader->rules & RULE_NO_INDEFINITE) != 0) return WCBOR_INDEFINITE_NOT_ALLOWED;
    if (reader->depth >= reader->max_depth) return WCBOR_DEPTH_EXCEEDED;
    reader->next++;
    status = wcbor_enter_(reader, major | LEVEL_INDEFINITE | LEVEL_CHUNKED, LEVEL_OPEN, reader->rules);
    if (status != WCBOR_OK) reader->next--;
    return status;
}

wcbor_status wcbor_read_start_indefinite_bytes(wcbor_reader *reader) {
    wcbor_status status = start_chunked(reader, WCBOR_BYTES);
    return status == WCBOR_OK ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

wcbor_status wcbor_read_start_indefinite_text(wcbor_reader *reader) {
    wcbor_status status = start_chunked(reader, WCBOR_TEXT);
    return status == WCBOR_OK ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

/* The end of whatever is open, by a call for `major`. */
static wcbor_status end(wcbor_reader *reader, unsigned major) {
    const wcbor_level_ *level = &reader->level;
    bool breaks = (level->kind & LEVEL_INDEFINITE) != 0 || major < WCBOR_ARRAY;
    if (breaks) {
        wcbor_status status = wcbor_place_(reader);
        if (status != WCBOR_OK) return status;
        if (*reader->next != WCBOR_BREAK) return WCBOR_NOT_AT_BREAK;
        if (major == WCBOR_MAP && (level->left & 1) != 0) return WCBOR_KEY_WITHOUT_VALUE;
    }
    if ((level->kind & LEVEL_MASK) != major)
        return (level->kind & LEVEL_ROOT) != 0 ? WCBOR_NOT_IN_CONTAINER : WCBOR_CONTAINER_MISMATCH;
    if (!breaks && level->left != 0) return WCBOR_NOT_FILLED;
    if (reader->tagged) return WCBOR_TAG_WITHOUT_VALUE;
    reader->next += breaks;
    return wcbor_leave_(reader, reader->rules);
}

wcbor_status wcbor_read_end_array(wcbor_reader *reader) {
    wcbor_status status = end(reader, WCBOR_ARRAY);
    return WCBOR_LIKELY(status == WCBOR_OK) ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

wcbor_status wcbor_read_end_map(wcbor_reader *reader) {
    wcbor_status status = end(reader, WCBOR_MAP);
    return WCBOR_LIKELY(status == WCBOR_OK) ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

wcbor_status wcbor_read_end_indefinite_bytes(wcbor_reader *reader) {
    wcbor_status status = end(reader, WCBOR_BYTES);
    return status == WCBOR_OK ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

wcbor_status wcbor_read_end_indefinite_text(wcbor_reader *reader) {
    wcbor_status status = end(reader, WCBOR_TEXT);
    return status == WCBOR_OK ? WCBOR_OK : wcbor_fail_read_(reader, status);
}

/* ------------------------------------------------------------------------------------------------------- skipping */

/* What a walk keeps to when checks are off: the structure alone. */
static uint32_t walk_rules(const wcbor_reader *reader, bool checks) {
    return checks ? reader->rules : 0;
}

/* Walks to where `floor` says; on failure the reader is as it was. */
static wcbor_status walk_or_stay(wcbor_reader *reader, uint32_t floor, bool checks) {
    wcbor_mark_ mark = wcbor_mark_reader_(reader);
    wcbor_status status = wcbor_walk_(reader, floor, walk_rules(reader, checks));
    if (WCBOR_LIKELY(status == WCBOR_OK)) return WCBOR_OK;
    (void)wcbor_fail_read_(reader, status);
    wcbor_restore_reader_(reader, &mark);
    return status;
}

wcbor_status wcbor_skip_value(wcbor_reader *reader, bool checks) {
    wcbor_state state = WCBOR_STATE_UNDEFINED;
    wcbor_status status = wcbor_reader_peek(reader, &state);
    if (status != WCBOR_OK) return status;
    switch (state) {
    case WCBOR_STATE_FINISHED:
    case WCBOR_STATE_END_ARRAY:
    case WCBOR_STATE_END_MAP:
    case WCBOR_STATE_END_INDEFINITE_BYTES:
    case WCBOR_STATE_END_INDEFINITE_TEXT: return wcbor_fail_read_(reader, WCBOR_SKIP_INVALID_STATE);
    default: return walk_or_stay(reader, reader->depth, checks);
    }
}

wcbor_status wcbor_skip_to_parent(wcbor_reader *reader, bool checks) {
    if (reader->depth == 0) return wcbor_fail_read_(reader, WCBOR_NOT_IN_CONTAINER);
    return walk_or_stay(reader, reader->depth - 1, checks);
}

wcbor_status wcbor_read_encoded(wcbor_reader *reader, bool checks, const uint8_t **bytes, size_t *nbytes) {
    const uint8_t *start_of_item = reader->next;
    wcbor_status status = wcbor_skip_value(reader, checks);
    if (status != WCBOR_OK) return status;
    *bytes = start_of_item;
    *nbytes = (size_t)(reader->next - start_of_item);
    return WCBOR_OK;
}
