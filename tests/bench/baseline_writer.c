#include "baseline_writer.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 0x40, TEXT = 0x60, ARRAY = 0x80, MAP = 0xa0, TAG = 0xc0, INDEFINITE = 0x1f, BREAK = 0xff };
enum { DEFAULT_CAPACITY = 1024, FIRST_SLOTS = 16 };

static const baseline_optional absent = {0, false};

static baseline_optional some(int32_t value) {
    return (baseline_optional){value, true};
}

/* -------------------------------------------------------------------------------------------------------- modes */

static inline bool requires_unique_keys(wcbor_mode mode) {
    switch (mode) {
    case WCBOR_MODE_LAX: return false;
    default: return true;
    }
}

static inline bool requires_sorted_keys(wcbor_mode mode) {
    switch (mode) {
    case WCBOR_MODE_LAX:
    case WCBOR_MODE_STRICT: return false;
    default: return true;
    }
}

static inline bool requires_definite_lengths(wcbor_mode mode) {
    switch (mode) {
    case WCBOR_MODE_LAX:
    case WCBOR_MODE_STRICT: return false;
    default: return true;
    }
}

static bool allows_tags(wcbor_mode mode) {
    return mode != WCBOR_MODE_CTAP2;
}

static inline bool replaces_invalid_text(wcbor_mode mode) {
    return mode == WCBOR_MODE_LAX;
}

/* ----------------------------------------------------------------------------------------------------- key sets */

typedef struct key_range {
    uint32_t hash;
    int32_t offset, nbytes;
} key_range;

/* A hash set of ranges of the document, compared by their bytes. Open addressing, at most half full. */
struct baseline_key_set {
    key_range *ranges;
    int32_t *slots; /* an index into `ranges`, plus 1; 0 is free */
    int32_t count, nslots;
    baseline_key_set *next_free;
};

static uint32_t hash_of(const uint8_t *bytes, size_t nbytes) {
    uint64_t hash = nbytes;
    while (nbytes >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
        bytes += 8;
        nbytes -= 8;
    }
    uint64_t word = 0;
    memcpy(&word, bytes, nbytes);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

static baseline_key_set *take_set(baseline_writer *writer) {
    baseline_key_set *set = writer->free_sets;
    if (set != NULL) {
        writer->free_sets = set->next_free;
        return set;
    }
    set = malloc(sizeof *set);
    if (set == NULL) return NULL;
    *set = (baseline_key_set){malloc(FIRST_SLOTS / 2 * sizeof(key_range)), calloc(FIRST_SLOTS, sizeof(int32_t)), 0,
                              FIRST_SLOTS, NULL};
    if (set->ranges != NULL && set->slots != NULL) return set;
    free(set->ranges);
    free(set->slots);
    free(set);
    return NULL;
}

static void give_set_back(baseline_writer *writer, baseline_key_set *set) {
    memset(set->slots, 0, (size_t)set->nslots * sizeof(int32_t));
    set->count = 0;
    set->next_free = writer->free_sets;
    writer->free_sets = set;
}

static bool grow_set(baseline_key_set *set) {
    int32_t nslots = set->nslots * 2;
    int32_t *slots = calloc((size_t)nslots, sizeof *slots);
    if (slots == NULL) return false;
    key_range *ranges = realloc(set->ranges, (size_t)nslots / 2 * sizeof *ranges);
    if (ranges == NULL) {
        free(slots);
        return false;
    }
    for (int32_t i = 0; i < set->count; i++) {
        uint32_t slot = ranges[i].hash & (uint32_t)(nslots - 1);
        while (slots[slot] != 0) slot = (slot + 1) & (uint32_t)(nslots - 1);
        slots[slot] = i + 1;
    }
    free(set->slots);
    set->ranges = ranges;
    set->slots = slots;
    set->nslots = nslots;
    return true;
}

static wcbor_status add_key(const baseline_writer *writer, baseline_key_set *set, int32_t offset, int32_t nbytes) {
    if (set->count == set->nslots / 2 && !grow_set(set)) return WCBOR_OUT_OF_MEMORY;
    const uint8_t *key = writer->buffer + offset;
    key_range range = {hash_of(key, (size_t)nbytes), offset, nbytes};
    uint32_t mask = (uint32_t)(set->nslots - 1), slot = range.hash & mask;
    for (; set->slots[slot] != 0; slot = (slot + 1) & mask) {
        const key_range *other = &set->ranges[set->slots[slot] - 1];
        if (other->hash == range.hash && other->nbytes == nbytes
            && memcmp(writer->buffer + other->offset, key, (size_t)nbytes) == 0)
            return WCBOR_DUPLICATE_KEY;
    }
    set->ranges[set->count++] = range;
    set->slots[slot] = set->count;
    return WCBOR_OK;
}

/* -------------------------------------------------------------------------------------------------------- frames */

static wcbor_status push(baseline_writer *writer, int32_t type, baseline_optional definite_length) {
    if (writer->depth == writer->stack_capacity) {
        int32_t capacity = writer->stack_capacity == 0 ? 4 : writer->stack_capacity * 2;
        baseline_frame *stack = realloc(writer->stack, (size_t)capacity * sizeof *stack);
        if (stack == NULL) return WCBOR_OUT_OF_MEMORY;
        writer->stack = stack;
        writer->stack_capacity = capacity;
    }
    writer->stack[writer->depth++] = writer->frame;
    int32_t content = (int32_t)writer->offset;
    writer->frame = (baseline_frame){
        .type = some(type),
        .content = content,
        .definite_length = definite_length,
        .items_written = 0,
        .key_offset = type == MAP ? some(content) : absent,
        .value_offset = absent,
        .first_key_nbytes = absent,
        .keys_unordered = false,
        .keys = NULL,
    };
    writer->tag_waits = false;
    return WCBOR_OK;
}

static void pop(baseline_writer *writer) {
    if (writer->frame.keys != NULL) give_set_back(writer, writer->frame.keys);
    writer->frame = writer->stack[--writer->depth];
}

wcbor_status baseline_init(baseline_writer *writer, wcbor_mode mode, bool convert, bool multiple_roots,
                           int32_t max_depth) {
    /* Sorting is not here; what the mode is asked on the way to it is. */
    if (requires_sorted_keys(mode)) return WCBOR_OPTION_OUT_OF_RANGE;
    *writer = (baseline_writer){.mode = mode,
                                .convert = convert,
                                .multiple_roots = multiple_roots,
                                .max_depth = max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : max_depth};
    baseline_reset(writer);
    return WCBOR_OK;
}

void baseline_reset(baseline_writer *writer) {
    while (writer->depth > 0) pop(writer);
    writer->frame = (baseline_frame){.definite_length = writer->multiple_roots ? absent : some(1)};
    writer->offset = 0;
    writer->tag_waits = false;
}

bool baseline_is_complete(const baseline_writer *writer) {
    return writer->depth == 0 && writer->frame.items_written > 0 && !writer->tag_waits;
}

wcbor_status baseline_copy(const baseline_writer *writer, void *to, size_t capacity, size_t *nbytes) {
    if (!baseline_is_complete(writer)) return WCBOR_INCOMPLETE;
    *nbytes = writer->offset;
    if (*nbytes > capacity) return WCBOR_DEST_TOO_SMALL;
    memcpy(to, writer->buffer, *nbytes);
    return WCBOR_OK;
}

/* --------------------------------------------------------------------------------------------------------- heads */

static wcbor_status grow(baseline_writer *writer, size_t nbytes) {
    size_t need = writer->offset + nbytes, capacity = writer->capacity * 2;
    if (need > INT32_MAX) return WCBOR_OUT_OF_MEMORY;
    if (capacity < need) capacity = need;
    if (capacity < DEFAULT_CAPACITY) capacity = DEFAULT_CAPACITY;
    uint8_t *buffer = realloc(writer->buffer, capacity);
    if (buffer == NULL) return WCBOR_OUT_OF_MEMORY;
    writer->buffer = buffer;
    writer->capacity = capacity;
    return WCBOR_OK;
}

static inline wcbor_status ensure_room(baseline_writer *writer, size_t nbytes) {
    if (writer->capacity - writer->offset >= nbytes) return WCBOR_OK;
    return grow(writer, nbytes);
}

static inline size_t head_nbytes(uint64_t argument) {
    if (argument < 24) return 1;
    if (argument <= UINT8_MAX) return 2;
    if (argument <= UINT16_MAX) return 3;
    if (argument <= UINT32_MAX) return 5;
    return 9;
}

/* The checks of every item, and its first byte. */
static inline wcbor_status put_initial_byte(baseline_writer *writer, unsigned initial) {
    const baseline_frame *frame = &writer->frame;
    if (frame->definite_length.present && frame->definite_length.value == frame->items_written)
        return WCBOR_DEFINITE_LENGTH_EXCEEDED;
    /* No call here starts a string in chunks, but every item has to ask whether it stands in one. */
    if (frame->type.present && (frame->type.value == BYTES || frame->type.value == TEXT)
        && ((int32_t)(initial & 0xe0) != frame->type.value || (initial & 0x1f) == INDEFINITE))
        return WCBOR_STRING_CONTEXT_ITEM;
    writer->buffer[writer->offset++] = (uint8_t)initial;
    return WCBOR_OK;
}

static inline wcbor_status put_head(baseline_writer *writer, unsigned major, uint64_t argument) {
    size_t nbytes = head_nbytes(argument);
    wcbor_status status = ensure_room(writer, nbytes);
    if (status != WCBOR_OK) return status;
    switch (nbytes) {
    case 1: return put_initial_byte(writer, major | (unsigned)argument);
    case 2: status = put_initial_byte(writer, major | 24); break;
    case 3: status = put_initial_byte(writer, major | 25); break;
    case 5: status = put_initial_byte(writer, major | 26); break;
    default: status = put_initial_byte(writer, major | 27); break;
    }
    if (status != WCBOR_OK) return status;
    for (size_t i = nbytes - 1; i-- > 0;) writer->buffer[writer->offset++] = (uint8_t)(argument >> (8 * i));
    return WCBOR_OK;
}

/* --------------------------------------------------------------------------------------------- finishing an item */

static wcbor_status key_written(baseline_writer *writer) {
    baseline_frame *frame = &writer->frame;
    if (requires_unique_keys(writer->mode)) {
        int32_t offset = frame->key_offset.value, nbytes = (int32_t)writer->offset - offset;
        wcbor_status status = WCBOR_OK;
        if (frame->keys == NULL && !frame->first_key_nbytes.present) {
            frame->first_key_nbytes = some(nbytes);
        } else {
            if (frame->keys == NULL) {
                frame->keys = take_set(writer);
                if (frame->keys == NULL) status = WCBOR_OUT_OF_MEMORY;
                else status = add_key(writer, frame->keys, frame->content, frame->first_key_nbytes.value);
            }
            if (status == WCBOR_OK) status = add_key(writer, frame->keys, offset, nbytes);
        }
        if (status != WCBOR_OK) {
            writer->offset = (size_t)offset;
            writer->tag_waits = false;
            return status;
        }
    }
    frame->value_offset = some((int32_t)writer->offset);
    return WCBOR_OK;
}

static void value_written(baseline_writer *writer) {
    baseline_frame *frame = &writer->frame;
    if (requires_sorted_keys(writer->mode)) frame->keys_unordered = true;
    frame->key_offset = some((int32_t)writer->offset);
    frame->value_offset = absent;
}

static inline wcbor_status finish(baseline_writer *writer) {
    baseline_frame *frame = &writer->frame;
    if (frame->type.present && frame->type.value == MAP) {
        if ((frame->items_written & 1) == 0) {
            wcbor_status status = key_written(writer);
            if (status != WCBOR_OK) return status;
        } else {
            value_written(writer);
        }
    }
    frame->items_written++;
    writer->tag_waits = false;
    return WCBOR_OK;
}

/* ---------------------------------------------------------------------------------------------------------- text */

/* Bytes of the well-formed character at `text`; 0 when it is ill-formed, and then `*bad` is how much of it is. */
static size_t character_nbytes(const uint8_t *text, size_t nbytes, size_t *bad) {
    uint8_t first = text[0], low = 0x80, high = 0xbf;
    size_t need = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (first == 0xe0) low = 0xa0;
    if (first == 0xed) high = 0x9f;
    if (first == 0xf0) low = 0x90;
    if (first == 0xf4) high = 0x8f;
    *bad = 1;
    if (need == 0) return 0;
    for (size_t i = 1; i < need; i++, low = 0x80, high = 0xbf) {
        if (i == nbytes || text[i] < low || text[i] > high) return 0;
        *bad = i + 1;
    }
    return need;
}

/* Bytes that the text will take; every ill-formed part becomes U+FFFD. `*valid` is whether there is none. */
static size_t text_nbytes(const char *text, size_t nbytes, bool *valid) {
    size_t total = 0, at = 0;
    *valid = true;
    while (at < nbytes) {
        uint64_t word;
        while (nbytes - at >= 8 && (memcpy(&word, text + at, 8), (word & UINT64_C(0x8080808080808080)) == 0)) {
            at += 8;
            total += 8;
        }
        while (at < nbytes && (text[at] & 0x80) == 0) {
            at++;
            total++;
        }
        if (at == nbytes) break;
        size_t bad, good = character_nbytes((const uint8_t *)text + at, nbytes - at, &bad);
        if (good == 0) *valid = false;
        at += good == 0 ? bad : good;
        total += good == 0 ? 3 : good;
    }
    return total;
}

static void put_replaced(baseline_writer *writer, const char *text, size_t nbytes) {
    for (size_t at = 0; at < nbytes;) {
        size_t bad, good = character_nbytes((const uint8_t *)text + at, nbytes - at, &bad);
        size_t put = good == 0 ? 3 : good;
        memcpy(writer->buffer + writer->offset, good == 0 ? "\xef\xbf\xbd" : text + at, put);
        writer->offset += put;
        at += good == 0 ? bad : good;
    }
}

wcbor_status baseline_write_text(baseline_writer *writer, const char *text, size_t nbytes) {
    if (text == NULL) {
        if (nbytes != 0) return WCBOR_NULL_ARGUMENT;
        text = "";
    }
    if (nbytes > INT32_MAX / 3) return WCBOR_OUT_OF_MEMORY;
    bool valid;
    size_t encoded_nbytes = text_nbytes(text, nbytes, &valid);
    if (!valid && !replaces_invalid_text(writer->mode)) return WCBOR_INVALID_TEXT;
    /* All the room first, so that a growth that fails leaves no head behind. */
    wcbor_status status = ensure_room(writer, head_nbytes(encoded_nbytes) + encoded_nbytes);
    if (status == WCBOR_OK) status = put_head(writer, TEXT, encoded_nbytes);
    if (status != WCBOR_OK) return status;
    if (valid) {
        memcpy(writer->buffer + writer->offset, text, nbytes);
        writer->offset += nbytes;
    } else {
        put_replaced(writer, text, nbytes);
    }
    return finish(writer);
}

wcbor_status baseline_write_tag(baseline_writer *writer, uint64_t tag) {
    if (!allows_tags(writer->mode)) return WCBOR_TAGS_NOT_ALLOWED;
    wcbor_status status = put_head(writer, TAG, tag);
    if (status == WCBOR_OK) writer->tag_waits = true;
    return status;
}

/* ---------------------------------------------------------------------------------------------------- containers */

static wcbor_status start_definite(baseline_writer *writer, int32_t type, uint64_t count, int32_t items) {
    if (writer->depth >= writer->max_depth) return WCBOR_DEPTH_EXCEEDED;
    wcbor_status status = put_head(writer, (unsigned)type, count);
    if (status != WCBOR_OK) return status;
    return push(writer, type, some(items));
}

wcbor_status baseline_write_start_array(baseline_writer *writer, uint64_t count) {
    if (count > WCBOR_MAX_ARRAY_COUNT) return WCBOR_LENGTH_OUT_OF_RANGE;
    return start_definite(writer, ARRAY, count, (int32_t)count);
}

wcbor_status baseline_write_start_map(baseline_writer *writer, uint64_t count) {
    if (count > WCBOR_MAX_MAP_COUNT) return WCBOR_LENGTH_OUT_OF_RANGE;
    return start_definite(writer, MAP, count, (int32_t)count * 2);
}

static wcbor_status start_indefinite(baseline_writer *writer, int32_t type) {
    if (!writer->convert && requires_definite_lengths(writer->mode)) return WCBOR_INDEFINITE_NOT_ALLOWED;
    if (writer->depth >= writer->max_depth) return WCBOR_DEPTH_EXCEEDED;
    wcbor_status status = ensure_room(writer, 1);
    if (status == WCBOR_OK) status = put_initial_byte(writer, (unsigned)type | INDEFINITE);
    if (status != WCBOR_OK) return status;
    return push(writer, type, absent);
}

wcbor_status baseline_write_start_indefinite_array(baseline_writer *writer) {
    return start_indefinite(writer, ARRAY);
}

wcbor_status baseline_write_start_indefinite_map(baseline_writer *writer) {
    return start_indefinite(writer, MAP);
}

/* Goes back to the placeholder of the open container and writes the head that it turned out to need. */
static wcbor_status patch_head(baseline_writer *writer) {
    const baseline_frame *frame = &writer->frame;
    unsigned type = (unsigned)frame->type.value;
    uint64_t count = (uint64_t)frame->items_written;
    if (type == MAP) count /= 2;
    size_t content = (size_t)frame->content, end = writer->offset, shift = head_nbytes(count) - 1;
    if (shift > 0) {
        wcbor_status status = ensure_room(writer, shift);
        if (status != WCBOR_OK) return status;
        memmove(writer->buffer + content + shift, writer->buffer + content, end - content);
        end += shift;
    }
    writer->offset = content - 1;
    wcbor_status status = put_head(writer, type, count);
    writer->offset = end;
    return status;
}

static wcbor_status end_container(baseline_writer *writer, int32_t type) {
    const baseline_frame *frame = &writer->frame;
    if (!frame->type.present) return WCBOR_NOT_IN_CONTAINER;
    if (frame->type.value != type) return WCBOR_CONTAINER_MISMATCH;
    if (writer->tag_waits) return WCBOR_DANGLING_TAG;
    if (frame->definite_length.present && frame->items_written < frame->definite_length.value) return WCBOR_NOT_FILLED;
    wcbor_status status = WCBOR_OK;
    if (!frame->definite_length.present) {
        if (writer->convert) {
            status = patch_head(writer);
        } else {
            status = ensure_room(writer, 1);
            if (status == WCBOR_OK) writer->buffer[writer->offset++] = BREAK;
        }
    }
    if (status != WCBOR_OK) return status;
    pop(writer);
    return finish(writer);
}

wcbor_status baseline_write_end_array(baseline_writer *writer) {
    return end_container(writer, ARRAY);
}

wcbor_status baseline_write_end_map(baseline_writer *writer) {
    if ((writer->frame.items_written & 1) != 0) return WCBOR_MAP_KEY_WITHOUT_VALUE;
    return end_container(writer, MAP);
}
