/*
 * validate.c - is this an item, and valid by the rules of a mode?
 *
 * One pass, no recursion. What is open stands above the writer's own containers, in its stacks of frames and keys, and
 * is taken off again at the end.
 */
#include "writer.h"

#include "float.h"
#include "utf8.h"

typedef struct walk {
    wcbor_writer *writer;
    const uint8_t *bytes, *next, *end;
    uint32_t depth; /* the writer's containers included */
    uint32_t kind;  /* of the open container, as in the writer */
    size_t left;    /* likewise, without GATE */
    bool tagged;    /* a tag waits for its item */
    uint64_t tag;
} walk;

static size_t remaining(const walk *w) {
    return (size_t)(w->end - w->next);
}

/* One item is whole, its last byte is behind us. */
static wcbor_status finish(walk *w) {
    w->tagged = false;
    w->left--;
    if ((w->kind & KIND_KEYED) == 0) return WCBOR_OK;
    wcbor_keys_ *keys = &w->writer->keys;
    size_t offset = (size_t)(w->next - w->bytes);
    if ((w->left & 1) == 0) {
        wcbor_keys_map_(keys)->key = offset;
        return WCBOR_OK;
    }
    if (wcbor_keys_add_(keys, w->bytes, offset) != WCBOR_OK) return WCBOR_INVALID_ENCODED_VALUE;
    return wcbor_keys_map_(keys)->unordered ? WCBOR_INVALID_ENCODED_VALUE : WCBOR_OK;
}

/* More frames. To the writer they are all in use while they grow. */
static wcbor_status grow(walk *w) {
    uint32_t depth = wcbor_depth_(w->writer);
    w->writer->top += w->depth - depth;
    wcbor_status status = wcbor_grow_frames_(w->writer, (size_t)w->depth + 1);
    w->writer->top -= w->depth - depth;
    return status;
}

/* Opens a container whose head is behind us. */
static wcbor_status enter(walk *w, uint32_t kind, size_t left) {
    wcbor_writer *writer = w->writer;
    if (w->depth >= writer->max_depth) return WCBOR_INVALID_ENCODED_VALUE;
    if (w->depth == writer->frames.capacity) {
        wcbor_status status = grow(w);
        if (status != WCBOR_OK) return status;
    }
    if ((kind & KIND_MASK) == WCBOR_MAP && (writer->rules & RULE_KEYS) != 0) {
        wcbor_status status = wcbor_keys_push_(&writer->keys, left / 2, (size_t)(w->next - w->bytes));
        if (status != WCBOR_OK) return status;
        kind |= KIND_KEYED;
    }
    ((wcbor_frame_ *)writer->frames.items)[w->depth++] = (wcbor_frame_){w->left, 0, w->kind};
    w->kind = kind;
    w->left = left;
    w->tagged = false;
    return WCBOR_OK;
}

/* Closes the open container, whose end is behind us. */
static wcbor_status leave(walk *w) {
    if ((w->kind & KIND_KEYED) != 0) wcbor_keys_pop_(&w->writer->keys);
    const wcbor_frame_ *frame = (const wcbor_frame_ *)w->writer->frames.items + --w->depth;
    w->kind = frame->kind;
    w->left = frame->left;
    return finish(w);
}

/* Major type 7, of which the head is whole. */
static bool is_valid_simple(const walk *w, unsigned information, uint64_t argument) {
    uint32_t rules = w->writer->rules;
    uint32_t single;
    uint16_t half;
    double value;
    switch (information) {
    case 24: return (rules & RULE_BASIC_SIMPLE) == 0 && (argument >= 32 || (rules & RULE_STRICT_SIMPLE) == 0);
    case 25:
        if ((rules & RULE_FLOAT64) != 0) return false;
        value = wcbor_half_value_((uint16_t)argument);
        if ((rules & RULE_REDUCE) != 0 && value != value) return argument == 0x7e00;
        break;
    case 26:
        if ((rules & RULE_FLOAT64) != 0) return false;
        if ((rules & RULE_SHORTEST_FLOAT) != 0 && wcbor_narrow_single_((uint32_t)argument, &half)) return false;
        value = wcbor_single_value_((uint32_t)argument);
        break;
    case 27:
        if ((rules & RULE_SHORTEST_FLOAT) != 0 && wcbor_narrow_double_(argument, &single)) return false;
        value = wcbor_double_value_(argument);
        if ((rules & RULE_FLOAT64) != 0) return wcbor_is_finite_(value);
        break;
    default: return (rules & RULE_BASIC_SIMPLE) == 0 || (argument >= 20 && argument <= 22);
    }
    return (rules & RULE_REDUCE) == 0 || (value == value && wcbor_integral_(value, &argument) == WCBOR_SIMPLE);
}

/* What a tag that the mode looks into stands on; `payload` is that of a definite byte string, or NULL. */
static bool is_valid_content(const walk *w, const uint8_t *payload, size_t nbytes) {
    uint32_t rules = w->writer->rules;
    if ((rules & RULE_TAG_42) != 0) return payload != NULL && wcbor_is_cid_payload_(payload, nbytes);
    if ((rules & RULE_PREFER_INTEGER) == 0 || payload == NULL || (w->tag != 2 && w->tag != 3)) return true;
    if (nbytes > 8) return payload[0] != 0;
    /* The dCBOR drafts disagree on integers below -2^63: both forms are taken. */
    return (rules & RULE_REDUCE) != 0 && w->tag == 3 && nbytes == 8 && payload[0] >= 0x80;
}

static wcbor_status string(walk *w, unsigned major, uint64_t nbytes) {
    if (nbytes > remaining(w)) return WCBOR_INVALID_ENCODED_VALUE;
    const uint8_t *payload = w->next;
    if (w->tagged && !is_valid_content(w, major == WCBOR_BYTES ? payload : NULL, (size_t)nbytes))
        return WCBOR_INVALID_ENCODED_VALUE;
    if (major == WCBOR_TEXT && (w->writer->rules & RULE_STRICT_TEXT) != 0
        && wcbor_utf8_valid_((const char *)payload, (size_t)nbytes) != nbytes)
        return WCBOR_INVALID_ENCODED_VALUE;
    w->next += nbytes;
    return finish(w);
}

/* What begins with an indefinite length, or ends one. */
static wcbor_status indefinite(walk *w, unsigned major) {
    w->next++;
    if (major == WCBOR_SIMPLE) {
        bool odd_map = (w->kind & KIND_MASK) == WCBOR_MAP && (w->left & 1) != 0;
        if ((w->kind & KIND_INDEFINITE) == 0 || w->tagged || odd_map) return WCBOR_INVALID_ENCODED_VALUE;
        return leave(w);
    }
    if (major < WCBOR_BYTES || major == WCBOR_TAG || (w->kind & KIND_CHUNKED) != 0
        || (w->writer->rules & RULE_NO_INDEFINITE) != 0)
        return WCBOR_INVALID_ENCODED_VALUE;
    return enter(w, major | KIND_INDEFINITE | (major < WCBOR_ARRAY ? KIND_CHUNKED : 0), LEFT_OPEN);
}

/* Takes one head, and what belongs to it. */
static wcbor_status step(walk *w) {
    uint32_t rules = w->writer->rules;
    if (w->next == w->end) return WCBOR_INVALID_ENCODED_VALUE;
    unsigned initial = *w->next, major = initial & WCBOR_MAJOR, information = initial & 0x1f;
    if (information == WCBOR_INDEFINITE && major == WCBOR_SIMPLE) return indefinite(w, major);
    if ((w->kind & KIND_CHUNKED) != 0 && major != (w->kind & KIND_MASK)) return WCBOR_INVALID_ENCODED_VALUE;
    if ((w->kind & KIND_KEYED) != 0 && (w->left & 1) == 0) {
        if ((rules & RULE_TEXT_KEYS) != 0 && major != WCBOR_TEXT) return WCBOR_INVALID_ENCODED_VALUE;
        wcbor_status status = wcbor_keys_reserve_(&w->writer->keys);
        if (status != WCBOR_OK) return status;
    }
    if (information == WCBOR_INDEFINITE) return indefinite(w, major);

    wcbor_head_ head;
    if (!wcbor_get_head_(w->next, w->end, &head)) return WCBOR_INVALID_ENCODED_VALUE;
    w->next += head.nbytes;
    if ((rules & RULE_SHORTEST_HEAD) != 0 && major != WCBOR_SIMPLE && head.nbytes != wcbor_head_nbytes_(head.argument))
        return WCBOR_INVALID_ENCODED_VALUE;
    if (major == WCBOR_BYTES || major == WCBOR_TEXT) return string(w, major, head.argument);
    if (w->tagged && !is_valid_content(w, NULL, 0)) return WCBOR_INVALID_ENCODED_VALUE;
    switch (major) {
    case WCBOR_ARRAY:
        if (head.argument > remaining(w) || head.argument > WCBOR_MAX_ARRAY_COUNT) return WCBOR_INVALID_ENCODED_VALUE;
        return enter(w, WCBOR_ARRAY, (size_t)head.argument);
    case WCBOR_MAP:
        if (head.argument > remaining(w) / 2 || head.argument > WCBOR_MAX_MAP_COUNT) return WCBOR_INVALID_ENCODED_VALUE;
        return enter(w, WCBOR_MAP, (size_t)head.argument * 2);
    case WCBOR_TAG:
        if ((rules & RULE_NO_TAGS) != 0 || ((rules & RULE_TAG_42) != 0 && head.argument != 42))
            return WCBOR_INVALID_ENCODED_VALUE;
        w->tagged = true;
        w->tag = head.argument;
        return WCBOR_OK;
    case WCBOR_SIMPLE:
        if (!is_valid_simple(w, information, head.argument)) return WCBOR_INVALID_ENCODED_VALUE;
        return finish(w);
    default: return finish(w);
    }
}

wcbor_status wcbor_walk_(wcbor_writer *writer, const uint8_t *bytes, size_t nbytes, size_t *item_nbytes) {
    uint32_t maps = writer->keys.maps.count;
    uint32_t depth = wcbor_depth_(writer);
    walk w = {writer, bytes, bytes, bytes + nbytes, depth, KIND_ROOT, 1, false, 0};
    wcbor_status status = WCBOR_OK;
    while (status == WCBOR_OK && (w.left != 0 || w.depth != depth)) status = w.left == 0 ? leave(&w) : step(&w);
    wcbor_keys_cut_(&writer->keys, maps);
    *item_nbytes = (size_t)(w.next - bytes);
    return status;
}
