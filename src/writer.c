/*
 * writer.c - the life of a writer, the checks around an item, and the items that hold no others.
 */
#include "writer.h"

#include "block.h"
#include "float.h"
#include "utf8.h"

/* --------------------------------------------------------------------------------------------------------- life */

wcbor_status wcbor_writer_init(wcbor_writer *writer, const wcbor_writer_options *options, void *buffer,
                               size_t capacity) {
    static const wcbor_writer_options defaults = WCBOR_WRITER_OPTIONS_DEFAULT;
    if (options == NULL) options = &defaults;
    if ((unsigned)options->mode > WCBOR_MODE_DCBOR || options->max_depth < -1
        || (options->mode == WCBOR_MODE_DAG_CBOR && options->allow_multiple_roots))
        return WCBOR_OPTION_OUT_OF_RANGE;
    if (buffer == NULL && capacity != 0) return WCBOR_NULL_ARGUMENT;

    writer->options = *options;
    writer->rules = wcbor_rules_(options->mode) | (options->convert_indefinite_lengths ? RULE_CONVERT : 0);
    writer->max_depth = options->max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)options->max_depth;
    writer->out = buffer;
    writer->end = buffer == NULL ? NULL : writer->out + capacity;
    writer->out_owned = false;
    writer->frames = (wcbor_block_){writer->inline_frames, 0, WCBOR_INLINE_DEPTH_, false};
    writer->top_limit = writer->inline_frames
                      + (writer->max_depth < WCBOR_INLINE_DEPTH_ ? writer->max_depth : WCBOR_INLINE_DEPTH_);
    writer->keys.records = (wcbor_block_){writer->inline_keys, 0, WCBOR_INLINE_KEYS_, false};
    writer->keys.maps = (wcbor_block_){writer->inline_maps, 0, WCBOR_INLINE_MAPS_, false};
    writer->keys.slots = (wcbor_block_){writer->inline_slots, 0, WCBOR_INLINE_KEYS_, false};
    writer->keys.reallocate = options->reallocate;
    writer->keys.context = options->context;
    writer->keys.seed = options->seed;
    writer->keys.order = wcbor_order_(options->mode);
    wcbor_settle_maps_(writer);
    wcbor_writer_reset(writer);
    return WCBOR_OK;
}

void wcbor_writer_reset(wcbor_writer *writer) {
    bool several = writer->options.allow_multiple_roots;
    writer->next = writer->out;
    writer->kind = KIND_ROOT | (several ? KIND_INDEFINITE : KIND_ODD);
    writer->left = several ? LEFT_OPEN : 1;
    writer->start = 0;
    writer->top = writer->frames.items;
    writer->tag_end = NO_TAG;
    writer->tag = 0;
    writer->keys.records.count = writer->keys.maps.count = writer->keys.slots.count = 0;
    writer->keys.map = writer->keys.maps.items;
}

void wcbor_writer_free(wcbor_writer *writer) {
    wcbor_reallocate reallocate = writer->options.reallocate;
    void *context = writer->options.context;
    if (writer->out_owned) reallocate(context, writer->out, 0);
    writer->out = writer->next = writer->end = NULL;
    writer->out_owned = false;
    wcbor_block_free_(&writer->frames, reallocate, context);
    wcbor_block_free_(&writer->keys.records, reallocate, context);
    wcbor_block_free_(&writer->keys.maps, reallocate, context);
    wcbor_block_free_(&writer->keys.slots, reallocate, context);
}

WCBOR_COLD wcbor_status wcbor_grow_frames_(wcbor_writer *writer, size_t count) {
    uint32_t depth = wcbor_depth_(writer);
    writer->frames.count = depth;
    wcbor_status status = wcbor_block_grow_(&writer->frames, count, sizeof(wcbor_frame_), writer->options.reallocate,
                                            writer->options.context);
    if (status != WCBOR_OK) return status;
    wcbor_frame_ *frames = writer->frames.items;
    writer->top = frames + depth;
    writer->top_limit = frames + (writer->max_depth < writer->frames.capacity ? writer->max_depth : writer->frames.capacity);
    return WCBOR_OK;
}

WCBOR_COLD wcbor_status wcbor_grow_(wcbor_writer *writer, size_t nbytes) {
    size_t used = wcbor_offset_(writer), capacity = (size_t)(writer->end - writer->out);
    if (nbytes <= capacity - used) return WCBOR_OK;
    wcbor_reallocate reallocate = writer->options.reallocate;
    if (reallocate == NULL || nbytes > PTRDIFF_MAX - used) return WCBOR_OUT_OF_MEMORY;
    size_t need = used + nbytes, size = capacity > PTRDIFF_MAX / 2 ? need : capacity * 2;
    if (size < need) size = need;
    if (size < 1024) size = 1024;
    void *block = writer->out_owned ? writer->out : NULL;
    uint8_t *out = reallocate(writer->options.context, block, size);
    /* Where doubling is too much, what is needed may still fit. */
    if (out == NULL && size > need) out = reallocate(writer->options.context, block, size = need);
    if (out == NULL) return WCBOR_OUT_OF_MEMORY;
    if (!writer->out_owned && used != 0) memcpy(out, writer->out, used);
    writer->out = out;
    writer->next = out + used;
    writer->end = out + size;
    writer->out_owned = true;
    return WCBOR_OK;
}

wcbor_status wcbor_writer_reserve(wcbor_writer *writer, size_t nbytes) {
    return wcbor_room_(writer, nbytes);
}

size_t wcbor_writer_nbytes(const wcbor_writer *writer) {
    return wcbor_offset_(writer);
}

uint32_t wcbor_writer_depth(const wcbor_writer *writer) {
    return wcbor_depth_(writer);
}

bool wcbor_writer_is_complete(const wcbor_writer *writer) {
    size_t unwritten = writer->options.allow_multiple_roots ? LEFT_OPEN : 1;
    return wcbor_depth_(writer) == 0 && (writer->left & ~GATE) != unwritten && !wcbor_tag_waits_(writer);
}

wcbor_status wcbor_writer_result(const wcbor_writer *writer, const uint8_t **bytes, size_t *nbytes) {
    if (!wcbor_writer_is_complete(writer)) return WCBOR_INCOMPLETE;
    *bytes = writer->out;
    *nbytes = wcbor_offset_(writer);
    return WCBOR_OK;
}

wcbor_status wcbor_writer_copy(const wcbor_writer *writer, void *destination, size_t capacity, size_t *nbytes) {
    if (!wcbor_writer_is_complete(writer)) return WCBOR_INCOMPLETE;
    *nbytes = wcbor_offset_(writer);
    if (*nbytes > capacity) return WCBOR_DEST_TOO_SMALL;
    memcpy(destination, writer->out, *nbytes);
    return WCBOR_OK;
}

/* ----------------------------------------------------------------------------------------------- around an item */

/* What a tag that the mode looks into must stand on: `tag` is the one that waits. */
static wcbor_status tag_content(unsigned initial, uint64_t tag, const uint8_t *payload, size_t nbytes) {
    if ((initial & WCBOR_MAJOR) != WCBOR_BYTES) return tag == 42 ? WCBOR_INVALID_CID : WCBOR_OK;
    if (payload == NULL) return WCBOR_INDEFINITE_NOT_ALLOWED;
    if (tag == 42) return wcbor_is_cid_payload_(payload, nbytes) ? WCBOR_OK : WCBOR_INVALID_CID;
    return nbytes > 8 && payload[0] != 0 ? WCBOR_OK : WCBOR_BIGNUM_NOT_PREFERRED;
}

/*
 * The second key of a map is about to be written: from now on its keys are tracked. The first is found where it stands.
 */
WCBOR_NOINLINE static wcbor_status track(wcbor_writer *writer) {
    const uint8_t *key = writer->out + writer->start;
    size_t nbytes = 1 + (*key & 0x1fu);
    wcbor_status status = WCBOR_OK;
    /* Most keys are short text, whose end is plain to see. */
    if (*key < WCBOR_TEXT || *key >= WCBOR_TEXT + 24)
        status = wcbor_walk_encoded_(writer, 0, key, wcbor_offset_(writer) - writer->start, &nbytes);
    size_t start = writer->start;
    if (status == WCBOR_OK)
        status = wcbor_keys_push_first_(&writer->keys, PAIRS_OPEN, writer->out, start, start + nbytes);
    if (status == WCBOR_OK) writer->kind |= KIND_TRACKED;
    return status;
}

/* One pair is whole, another begins. */
static wcbor_status begin_pair(wcbor_writer *writer) {
    if (WCBOR_UNLIKELY((writer->kind & KIND_TRACKED) == 0)) {
        wcbor_status status = track(writer);
        if (status != WCBOR_OK) return status;
    }
    wcbor_map_ *map = wcbor_keys_map_(&writer->keys);
    if (wcbor_keys_count_(&writer->keys) == map->pairs) return WCBOR_DEFINITE_LENGTH_EXCEEDED;
    wcbor_status status = wcbor_keys_reserve_(&writer->keys);
    if (status != WCBOR_OK) return status;
    map->key = wcbor_offset_(writer);
    writer->kind |= KIND_AT_KEY;
    writer->left = GATE + 1;
    return WCBOR_OK;
}

wcbor_status wcbor_begin_gated_(wcbor_writer *writer, unsigned initial, const uint8_t *payload, size_t nbytes) {
    if ((writer->left & ~GATE) == 0) {
        if ((writer->kind & KIND_KEYED) == 0) return WCBOR_DEFINITE_LENGTH_EXCEEDED;
        wcbor_status status = begin_pair(writer);
        if (status != WCBOR_OK) return status;
    }
    if ((writer->kind & KIND_CHUNKED) != 0 && ((initial & WCBOR_MAJOR) != (writer->kind & KIND_MASK)
                                               || (initial & WCBOR_INDEFINITE) == WCBOR_INDEFINITE))
        return WCBOR_STRING_CONTEXT_ITEM;
    if (WCBOR_LIKELY((writer->rules & (RULE_TAG_42 | RULE_PREFER_INTEGER)) == 0)) return WCBOR_OK;
    if (wcbor_tag_waits_(writer)
        && (writer->tag == 42 ? (writer->rules & RULE_TAG_42) != 0 : writer->tag == 2 || writer->tag == 3)) {
        wcbor_status status = tag_content(initial, writer->tag, payload, nbytes);
        if (status != WCBOR_OK) return status;
    }
    if ((writer->kind & KIND_AT_KEY) != 0 && (writer->rules & RULE_TEXT_KEYS) != 0
        && (initial & WCBOR_MAJOR) != WCBOR_TEXT)
        return WCBOR_KEY_TYPE_NOT_ALLOWED;
    return WCBOR_OK;
}

wcbor_status wcbor_finish_gated_(wcbor_writer *writer) {
    if ((writer->kind & KIND_AT_KEY) != 0) {
        wcbor_map_ *map = wcbor_keys_map_(&writer->keys);
        if (WCBOR_UNLIKELY(wcbor_keys_add_(&writer->keys, writer->out, wcbor_offset_(writer)) != WCBOR_OK)) {
            writer->next = writer->out + map->key;
            writer->tag_end = NO_TAG;
            writer->left = GATE + 1;
            return WCBOR_DUPLICATE_KEY;
        }
        writer->kind &= ~(uint32_t)KIND_AT_KEY;
        writer->left = 1;
    } else if ((writer->kind & KIND_CHUNKED) == 0) {
        writer->left &= ~GATE; /* it stood for a tag that has its item now */
    }
    return WCBOR_OK;
}

/* ----------------------------------------------------------------------------------------- integers and simples */

wcbor_status wcbor_write_int64(wcbor_writer *writer, int64_t value) {
    if (value < 0) return wcbor_put_item_(writer, WCBOR_NEGATIVE, ~(uint64_t)value);
    return wcbor_put_item_(writer, WCBOR_UNSIGNED, (uint64_t)value);
}

wcbor_status wcbor_write_uint64(wcbor_writer *writer, uint64_t value) {
    return wcbor_put_item_(writer, WCBOR_UNSIGNED, value);
}

wcbor_status wcbor_write_negative(wcbor_writer *writer, uint64_t argument) {
    return wcbor_put_item_(writer, WCBOR_NEGATIVE, argument);
}

wcbor_status wcbor_write_bool(wcbor_writer *writer, bool value) {
    return wcbor_put_item_(writer, WCBOR_SIMPLE, value ? 21 : 20);
}

wcbor_status wcbor_write_null(wcbor_writer *writer) {
    return wcbor_put_item_(writer, WCBOR_SIMPLE, 22);
}

wcbor_status wcbor_write_undefined(wcbor_writer *writer) {
    if ((writer->rules & RULE_BASIC_SIMPLE) != 0) return WCBOR_SIMPLE_NOT_ALLOWED;
    return wcbor_put_item_(writer, WCBOR_SIMPLE, 23);
}

wcbor_status wcbor_write_simple(wcbor_writer *writer, uint8_t value) {
    if ((writer->rules & RULE_STRICT_SIMPLE) != 0 && value >= 24 && value <= 31) return WCBOR_SIMPLE_NOT_ALLOWED;
    if ((writer->rules & RULE_BASIC_SIMPLE) != 0 && (value < 20 || value > 22)) return WCBOR_SIMPLE_NOT_ALLOWED;
    return wcbor_put_item_(writer, WCBOR_SIMPLE, value);
}

/* ------------------------------------------------------------------------------------------------------- strings */

wcbor_status wcbor_write_bytes(wcbor_writer *writer, const void *bytes, size_t nbytes) {
    if (bytes == NULL) {
        if (nbytes != 0) return WCBOR_NULL_ARGUMENT;
        bytes = "";
    }
    wcbor_status status = wcbor_begin_(writer, WCBOR_BYTES, bytes, nbytes);
    if (status != WCBOR_OK) return status;
    if (nbytes > PTRDIFF_MAX - WCBOR_HEAD_MAX) return WCBOR_OUT_OF_MEMORY;
    status = wcbor_room_(writer, wcbor_head_nbytes_(nbytes) + nbytes);
    if (status != WCBOR_OK) return status;
    writer->next = wcbor_put_head_(writer->next, WCBOR_BYTES, nbytes);
    /* It may stand in the buffer itself, behind where it goes. */
    memmove(writer->next, bytes, nbytes);
    writer->next += nbytes;
    return wcbor_finish_(writer);
}

wcbor_status wcbor_put_text_(wcbor_writer *writer, const char *text, size_t nbytes) {
    wcbor_status status = wcbor_begin_(writer, WCBOR_TEXT, NULL, 0);
    if (status != WCBOR_OK) return status;
    if (nbytes > PTRDIFF_MAX - WCBOR_HEAD_MAX) return WCBOR_OUT_OF_MEMORY;
    status = wcbor_room_(writer, wcbor_head_nbytes_(nbytes) + nbytes);
    if (status != WCBOR_OK) return status;
    writer->next = wcbor_put_head_(writer->next, WCBOR_TEXT, nbytes);
    memmove(writer->next, text, nbytes);
    writer->next += nbytes;
    return wcbor_finish_(writer);
}

/* Text that is not all well-formed: the lax mode's replacement. */
WCBOR_COLD static wcbor_status put_replaced_text(wcbor_writer *writer, const char *text, size_t nbytes) {
    wcbor_status status = wcbor_begin_(writer, WCBOR_TEXT, NULL, 0);
    if (status != WCBOR_OK) return status;
    if (nbytes > PTRDIFF_MAX / 3 - WCBOR_HEAD_MAX) return WCBOR_OUT_OF_MEMORY;
    size_t total = wcbor_utf8_replace_(NULL, text, nbytes);
    status = wcbor_room_(writer, wcbor_head_nbytes_(total) + total);
    if (status != WCBOR_OK) return status;
    uint8_t *next = wcbor_put_head_(writer->next, WCBOR_TEXT, total);
    next += wcbor_utf8_replace_(next, text, nbytes);
    writer->next = next;
    return wcbor_finish_(writer);
}

static wcbor_status put_any_text(wcbor_writer *writer, const char *text, size_t nbytes) {
    if (text == NULL) {
        if (nbytes != 0) return WCBOR_NULL_ARGUMENT;
        text = "";
    }
    if (WCBOR_LIKELY(wcbor_utf8_valid_(text, nbytes) == nbytes)) return wcbor_put_text_(writer, text, nbytes);
    if ((writer->rules & RULE_STRICT_TEXT) != 0) return WCBOR_INVALID_TEXT;
    return put_replaced_text(writer, text, nbytes);
}

/* Text that has been moved to behind where its head goes, where an item needs more than to be counted. */
WCBOR_NOINLINE static wcbor_status put_moved_text(wcbor_writer *writer, size_t nbytes) {
    uint8_t *next = writer->next;
    wcbor_status status = wcbor_begin_gated_(writer, WCBOR_TEXT, NULL, 0);
    if (status != WCBOR_OK) return status;
    next[0] = (uint8_t)(WCBOR_TEXT | nbytes);
    writer->next = next + 1 + nbytes;
    return wcbor_finish_(writer);
}

/* Whether a record of the innermost map has this print. */
static bool has_print(const wcbor_keys_ *keys, uint64_t print) {
    const wcbor_key_ *records = keys->records.items;
    for (uint32_t i = wcbor_keys_map_(keys)->first; i < keys->records.count; i++)
        if (records[i].print == print) return true;
    return false;
}

/* Puts a key that is new, for which there is room. */
WCBOR_INLINE wcbor_status put_new_key(wcbor_writer *writer, size_t nbytes, uint64_t print) {
    wcbor_block_ *records = &writer->keys.records;
    wcbor_key_ *record = (wcbor_key_ *)records->items + records->count++;
    uint8_t *next = writer->next;
    size_t start = wcbor_offset_(writer);
    next[0] = (uint8_t)(WCBOR_TEXT | nbytes);
    writer->next = next + 1 + nbytes;
    writer->left = 1;
    *record = (wcbor_key_){print, start, start + 1 + nbytes};
    return WCBOR_OK;
}

/* put_key where the filter says that the key may be there already. */
WCBOR_NOINLINE static wcbor_status put_seen_key(wcbor_writer *writer, size_t nbytes, uint64_t print) {
    if (WCBOR_UNLIKELY(has_print(&writer->keys, print))) return put_moved_text(writer, nbytes);
    return put_new_key(writer, nbytes, print);
}

/* Puts a key into a map that is tracked: begin_pair, wcbor_keys_add_ and wcbor_finish_gated_ in one. */
WCBOR_INLINE wcbor_status put_key(wcbor_writer *writer, size_t nbytes, uint64_t print) {
    if (WCBOR_UNLIKELY(writer->keys.records.count >= writer->keys.limit)) return put_moved_text(writer, nbytes);
    wcbor_map_ *map = wcbor_keys_map_(&writer->keys);
    unsigned bit = wcbor_keys_bit_(print);
    if (WCBOR_UNLIKELY((map->seen >> bit & 1) != 0)) return put_seen_key(writer, nbytes, print);
    map->seen |= UINT64_C(1) << bit;
    return put_new_key(writer, nbytes, print);
}

/* put_gated_text where what comes is not a key of a map that is tracked already, but the second of a map, or no key. */
WCBOR_NOINLINE static wcbor_status put_untracked_text(wcbor_writer *writer, size_t nbytes, uint64_t print) {
    if (writer->left != 0 || (writer->kind & KIND_UNSORTED) == 0) return put_moved_text(writer, nbytes);
    wcbor_status status = track(writer);
    return status == WCBOR_OK ? put_key(writer, nbytes, print) : status;
}

/*
 * put_moved_text of up to 15 bytes. In strict that is mostly a key, whose print is `print`. All that is not common is
 * in functions that it ends with, so that it needs no registers saved.
 */
WCBOR_NOINLINE static wcbor_status put_gated_text(wcbor_writer *writer, size_t nbytes, uint64_t print) {
    uint32_t flags = KIND_UNSORTED | KIND_TRACKED;
    if (WCBOR_UNLIKELY((writer->kind & flags) != flags || writer->left != 0))
        return put_untracked_text(writer, nbytes, print);
    return put_key(writer, nbytes, print);
}

/* The same for 8 to 16 bytes, which begin with `first` and end with `last`. */
WCBOR_NOINLINE static wcbor_status put_longer_gated_text(wcbor_writer *writer, size_t nbytes, uint64_t first,
                                                         uint64_t last) {
    if (nbytes > 15) return put_moved_text(writer, nbytes);
    uint64_t key = WCBOR_TEXT | nbytes | first << 8;
    return put_gated_text(writer, nbytes, wcbor_keys_print_two_(&writer->keys, key, last, nbytes + 1));
}

wcbor_status wcbor_write_text(wcbor_writer *writer, const char *text, size_t nbytes) {
    /*
     * Most strings are short and ASCII. Those of up to 16 bytes are moved by two overlapping loads and stores, which
     * see on the way that no byte has its top bit set. What lies behind `next` is nobody's yet, so that they may be
     * stored before it is known whether they may stand there.
     */
    if (WCBOR_UNLIKELY(nbytes - 1 > 15 || (size_t)(writer->end - writer->next) < 17 || text == NULL))
        return put_any_text(writer, text, nbytes);
    const uint8_t *from = (const uint8_t *)text;
    uint8_t *next = writer->next;
    /* Prints are made of what is in registers: to load at once what was stored in pieces would wait for the pieces. */
    if (nbytes >= 8) {
        uint64_t first = wcbor_load64_le_(from), last = wcbor_load64_le_(from + nbytes - 8);
        if (WCBOR_UNLIKELY(((first | last) & UINT64_C(0x8080808080808080)) != 0))
            return put_any_text(writer, text, nbytes);
        wcbor_store64_le_(next + 1, first);
        wcbor_store64_le_(next + 1 + nbytes - 8, last);
        if (WCBOR_UNLIKELY(writer->left - 1 >= GATE - 1)) return put_longer_gated_text(writer, nbytes, first, last);
    } else if (nbytes >= 4) {
        uint32_t first = wcbor_load32_le_(from), last = wcbor_load32_le_(from + nbytes - 4);
        if (WCBOR_UNLIKELY(((first | last) & 0x80808080u) != 0)) return put_any_text(writer, text, nbytes);
        wcbor_store32_le_(next + 1, first);
        wcbor_store32_le_(next + 1 + nbytes - 4, last);
        if (WCBOR_UNLIKELY(writer->left - 1 >= GATE - 1)) {
            uint64_t key = WCBOR_TEXT | nbytes | (uint64_t)first << 8 | (uint64_t)last << (8 * nbytes - 24);
            return put_gated_text(writer, nbytes, key);
        }
    } else {
        uint8_t first = from[0], middle = from[nbytes / 2], last = from[nbytes - 1];
        if (WCBOR_UNLIKELY(((first | middle | last) & 0x80) != 0)) return put_any_text(writer, text, nbytes);
        next[1] = first;
        next[1 + nbytes / 2] = middle;
        next[nbytes] = last;
        if (WCBOR_UNLIKELY(writer->left - 1 >= GATE - 1)) {
            uint32_t key = WCBOR_TEXT | (uint32_t)nbytes | (uint32_t)first << 8;
            key |= (uint32_t)middle << (8 + nbytes / 2 * 8) | (uint32_t)last << 8 * nbytes;
            return put_gated_text(writer, nbytes, key);
        }
    }
    next[0] = (uint8_t)(WCBOR_TEXT | nbytes);
    writer->next = next + 1 + nbytes;
    return wcbor_finish_(writer);
}

/* ------------------------------------------------------------------------------------------------------- floats */

/* A float that has its form: `information` says how wide it is, `bits` stand at the top. */
static wcbor_status put_float(wcbor_writer *writer, unsigned information, uint64_t bits) {
    size_t nbytes = 1 + ((size_t)1 << (information - 24));
    wcbor_status status = wcbor_begin_(writer, WCBOR_SIMPLE, NULL, 0);
    if (status == WCBOR_OK) status = wcbor_room_(writer, nbytes);
    if (status != WCBOR_OK) return status;
    uint8_t *next = writer->next;
    next[0] = (uint8_t)(WCBOR_SIMPLE | information);
    for (size_t i = 1; i < nbytes; i++, bits <<= 8) next[i] = (uint8_t)(bits >> 56);
    writer->next = next + nbytes;
    return wcbor_finish_(writer);
}

WCBOR_INLINE wcbor_status put_half(wcbor_writer *writer, uint16_t bits) {
    return put_float(writer, 25, (uint64_t)bits << 48);
}

WCBOR_INLINE wcbor_status put_single(wcbor_writer *writer, uint32_t bits) {
    return put_float(writer, 26, (uint64_t)bits << 32);
}

WCBOR_INLINE wcbor_status put_double(wcbor_writer *writer, uint64_t bits) {
    return put_float(writer, 27, bits);
}

static wcbor_status put_shortest(wcbor_writer *writer, double value) {
    if (value != value) return put_half(writer, 0x7e00);
    uint64_t bits = wcbor_double_bits_(value);
    uint32_t single;
    uint16_t half;
    if (!wcbor_narrow_double_(bits, &single)) return put_double(writer, bits);
    if (!wcbor_narrow_single_(single, &half)) return put_single(writer, single);
    return put_half(writer, half);
}

/* A float in the modes that do not simply write the shortest form; never ctap2. */
WCBOR_COLD static wcbor_status put_ruled(wcbor_writer *writer, double value) {
    if ((writer->rules & RULE_FLOAT64) != 0) {
        if (!wcbor_is_finite_(value)) return WCBOR_FLOAT_NOT_ALLOWED;
        return put_double(writer, wcbor_double_bits_(value));
    }
    uint64_t argument;
    unsigned major = wcbor_integral_(value, &argument);
    if (major != WCBOR_SIMPLE) return wcbor_put_item_(writer, major, argument);
    return put_shortest(writer, value);
}

WCBOR_COLD wcbor_status wcbor_write_half(wcbor_writer *writer, uint16_t bits) {
    if ((writer->rules & RULE_KEEP_WIDTH) != 0) return put_half(writer, bits);
    double value = wcbor_half_value_(bits);
    return (writer->rules & RULE_FLOATS) != 0 ? put_ruled(writer, value) : put_shortest(writer, value);
}

WCBOR_COLD wcbor_status wcbor_write_single(wcbor_writer *writer, float value) {
    if ((writer->rules & RULE_KEEP_WIDTH) != 0) return put_single(writer, wcbor_single_bits_(value));
    return (writer->rules & RULE_FLOATS) != 0 ? put_ruled(writer, (double)value) : put_shortest(writer, (double)value);
}

wcbor_status wcbor_write_double(wcbor_writer *writer, double value) {
    if ((writer->rules & RULE_FLOATS) == 0) return put_shortest(writer, value);
    if ((writer->rules & RULE_KEEP_WIDTH) != 0) return put_double(writer, wcbor_double_bits_(value));
    return put_ruled(writer, value);
}
