#include "reference_writer.h"

#include <stdlib.h>
#include <string.h>

#include "reference_rules.h"

#define OPEN_COUNT UINT64_MAX
enum { MAJOR_UINT, MAJOR_NEGATIVE, MAJOR_BYTES, MAJOR_TEXT, MAJOR_ARRAY, MAJOR_MAP, MAJOR_TAG, MAJOR_SIMPLE };
#define ROOT REFERENCE_ROOT

typedef struct pair {
    ref_bytes key, value;
} pair;

/* A container that is open, or the root, frame 0. */
typedef struct frame {
    unsigned kind; /* major type, or ROOT */
    bool is_indefinite;
    uint64_t needed, written; /* items; a pair is two */
    ref_bytes head;           /* as it is for now: one byte where the length is open */
    ref_bytes content;        /* finished items of an array or the root, finished chunks of a string */
    ref_bytes payload;        /* chunks without their heads */
    pair *pairs;              /* finished keys and values of a map; the last may lack its value */
    size_t npairs, pairs_room;
    ref_bytes item; /* tags that wait for their item, which will be appended here */
    bool has_tag;
    uint64_t tag; /* the innermost of them */
} frame;

struct reference_writer {
    wcbor_mode mode;
    bool convert, multiple_roots;
    uint64_t max_depth;
    frame *frames;
    size_t depth, frames_room;
};

static frame *top(const reference_writer *w) {
    return &w->frames[w->depth];
}

static void release_frame(frame *f) {
    for (size_t i = 0; i < f->npairs; i++) {
        ref_release(&f->pairs[i].key);
        ref_release(&f->pairs[i].value);
    }
    free(f->pairs);
    ref_release(&f->head);
    ref_release(&f->content);
    ref_release(&f->payload);
    ref_release(&f->item);
}

static void push_frame(reference_writer *w, frame f) {
    if (w->depth + 1 == w->frames_room) {
        w->frames_room *= 2;
        w->frames = realloc(w->frames, w->frames_room * sizeof *w->frames);
        if (w->frames == NULL) abort();
    }
    w->frames[++w->depth] = f;
}

static frame root_frame(const reference_writer *w) {
    return (frame){.kind = ROOT, .needed = w->multiple_roots ? OPEN_COUNT : 1};
}

reference_writer *reference_new(wcbor_mode mode, bool convert, bool multiple_roots, int32_t max_depth) {
    if ((int)mode < 0 || mode > WCBOR_MODE_DCBOR || max_depth < -1) return NULL;
    if (mode == WCBOR_MODE_DAG_CBOR && multiple_roots) return NULL;
    reference_writer *w = calloc(1, sizeof *w);
    if (w == NULL) abort();
    w->mode = mode;
    w->convert = convert;
    w->multiple_roots = multiple_roots;
    w->max_depth = max_depth == -1 ? WCBOR_DEFAULT_MAX_DEPTH : (uint64_t)max_depth;
    w->frames_room = 8;
    w->frames = calloc(w->frames_room, sizeof *w->frames);
    if (w->frames == NULL) abort();
    w->frames[0] = root_frame(w);
    return w;
}

static void reset(reference_writer *w) {
    for (size_t i = 0; i <= w->depth; i++)
        release_frame(&w->frames[i]);
    w->depth = 0;
    w->frames[0] = root_frame(w);
}

void reference_free(reference_writer *w) {
    reset(w);
    free(w->frames);
    free(w);
}

size_t reference_nbytes(const reference_writer *w) {
    size_t nbytes = 0;
    for (size_t i = 0; i <= w->depth; i++) {
        const frame *f = &w->frames[i];
        nbytes += f->head.nbytes + f->content.nbytes + f->item.nbytes;
        for (size_t k = 0; k < f->npairs; k++)
            nbytes += f->pairs[k].key.nbytes + f->pairs[k].value.nbytes;
    }
    return nbytes;
}

uint32_t reference_depth(const reference_writer *w) {
    return (uint32_t)w->depth;
}

bool reference_is_complete(const reference_writer *w) {
    return w->depth == 0 && w->frames[0].written > 0 && !w->frames[0].has_tag;
}

const uint8_t *reference_bytes(const reference_writer *w) {
    return w->frames[0].content.at;
}

reference_view reference_look(const reference_writer *w) {
    const frame *f = top(w);
    uint64_t left = f->needed == OPEN_COUNT ? UINT64_MAX : f->needed - f->written;
    return (reference_view){f->kind, left, f->kind == MAJOR_MAP && f->written % 2 == 0, f->has_tag, f->tag};
}

/* ------------------------------------------------------------------------- the beginning and end of items */

/* What every item is asked before it is written. `content` is that of a definite string. */
static wcbor_status begin(const reference_writer *w, unsigned major, bool is_indefinite, const uint8_t *content,
                          size_t nbytes) {
    const frame *f = top(w);
    if (f->written == f->needed) return WCBOR_DEFINITE_LENGTH_EXCEEDED;
    bool is_chunk = f->kind == MAJOR_BYTES || f->kind == MAJOR_TEXT;
    if (is_chunk && (major != f->kind || is_indefinite)) return WCBOR_STRING_CONTEXT_ITEM;
    if (w->mode == WCBOR_MODE_DAG_CBOR) {
        bool is_key = f->kind == MAJOR_MAP && f->written % 2 == 0;
        if (is_key && major != MAJOR_TEXT) return WCBOR_KEY_TYPE_NOT_ALLOWED;
        if (f->has_tag && major != MAJOR_BYTES) return WCBOR_INVALID_CID;
        if (f->has_tag && is_indefinite) return WCBOR_INDEFINITE_NOT_ALLOWED;
        if (f->has_tag && !ref_is_tagged_cid(content, nbytes)) return WCBOR_INVALID_CID;
    }
    if (ref_mode_prefers(w->mode) && f->has_tag && (f->tag == 2 || f->tag == 3) && major == MAJOR_BYTES) {
        if (is_indefinite) return WCBOR_INDEFINITE_NOT_ALLOWED;
        if (!ref_is_preferred_bignum(content, nbytes)) return WCBOR_BIGNUM_NOT_PREFERRED;
    }
    return WCBOR_OK;
}

static bool has_key(const frame *f, const ref_bytes *key) {
    for (size_t i = 0; i < f->npairs; i++) {
        const ref_bytes *other = &f->pairs[i].key;
        if (other->nbytes == key->nbytes && memcmp(other->at, key->at, key->nbytes) == 0) return true;
    }
    return false;
}

static void add_pair(frame *f, ref_bytes key) {
    if (f->npairs == f->pairs_room) {
        f->pairs_room = 2 * f->pairs_room + 4;
        f->pairs = realloc(f->pairs, f->pairs_room * sizeof *f->pairs);
        if (f->pairs == NULL) abort();
    }
    f->pairs[f->npairs++] = (pair){key, {NULL, 0, 0}};
}

/* The item at the end of the innermost frame is whole. */
static wcbor_status finish(reference_writer *w) {
    frame *f = top(w);
    ref_bytes item = f->item;
    f->has_tag = false;
    f->item = (ref_bytes){NULL, 0, 0};
    if (f->kind != MAJOR_MAP) {
        ref_append(&f->content, item.at, item.nbytes);
        ref_release(&item);
    } else if (f->written % 2 == 1) {
        f->pairs[f->npairs - 1].value = item;
    } else if (ref_mode_checks_keys(w->mode) && has_key(f, &item)) {
        ref_release(&item);
        return WCBOR_DUPLICATE_KEY;
    } else {
        add_pair(f, item);
    }
    f->written++;
    return WCBOR_OK;
}

static wcbor_status put_head_only(reference_writer *w, unsigned major, uint64_t argument) {
    wcbor_status status = begin(w, major, false, NULL, 0);
    if (status != WCBOR_OK) return status;
    ref_append_head(&top(w)->item, major, argument);
    return finish(w);
}

static wcbor_status put_int(reference_writer *w, bool is_negative, uint64_t argument) {
    return put_head_only(w, is_negative ? MAJOR_NEGATIVE : MAJOR_UINT, argument);
}

static wcbor_status put_string(reference_writer *w, unsigned major, const uint8_t *bytes, size_t nbytes) {
    wcbor_status status = begin(w, major, false, bytes, nbytes);
    if (status != WCBOR_OK) return status;
    frame *f = top(w);
    ref_append_head(&f->item, major, nbytes);
    ref_append(&f->item, bytes, nbytes);
    if (f->kind == major) ref_append(&f->payload, bytes, nbytes);
    return finish(w);
}

static wcbor_status put_text(reference_writer *w, const uint8_t *text, size_t nbytes) {
    if (w->mode != WCBOR_MODE_LAX) {
        if (!ref_text_is_valid(text, nbytes)) return WCBOR_INVALID_TEXT;
        return put_string(w, MAJOR_TEXT, text, nbytes);
    }
    ref_bytes replaced = {NULL, 0, 0};
    ref_append_replaced(&replaced, text, nbytes);
    wcbor_status status = put_string(w, MAJOR_TEXT, replaced.at, replaced.nbytes);
    ref_release(&replaced);
    return status;
}

static wcbor_status put_simple(reference_writer *w, uint64_t value) {
    bool is_json = value >= 20 && value <= 22;
    if (value >= 24 && value <= 31 && w->mode != WCBOR_MODE_LAX) return WCBOR_SIMPLE_NOT_ALLOWED;
    if ((w->mode == WCBOR_MODE_DAG_CBOR || w->mode == WCBOR_MODE_DCBOR) && !is_json) return WCBOR_SIMPLE_NOT_ALLOWED;
    return put_head_only(w, MAJOR_SIMPLE, value);
}

static wcbor_status put_float(reference_writer *w, unsigned width, uint64_t bits) {
    ref_bytes encoded = {NULL, 0, 0};
    wcbor_status status = WCBOR_FLOAT_NOT_ALLOWED;
    if (ref_append_float(&encoded, w->mode, width, bits)) status = begin(w, encoded.at[0] >> 5, false, NULL, 0);
    if (status == WCBOR_OK) {
        ref_append(&top(w)->item, encoded.at, encoded.nbytes);
        status = finish(w);
    }
    ref_release(&encoded);
    return status;
}

/* Whether the mode lets a tag be written at all; the calls that write several things ask before the first. */
static wcbor_status may_tag(const reference_writer *w, uint64_t tag) {
    if (w->mode == WCBOR_MODE_CTAP2) return WCBOR_TAGS_NOT_ALLOWED;
    if (w->mode == WCBOR_MODE_DAG_CBOR && tag != 42) return WCBOR_TAG_NOT_ALLOWED;
    return WCBOR_OK;
}

static wcbor_status put_tag(reference_writer *w, uint64_t tag) {
    wcbor_status status = may_tag(w, tag);
    if (status == WCBOR_OK) status = begin(w, MAJOR_TAG, false, NULL, 0);
    if (status != WCBOR_OK) return status;
    frame *f = top(w);
    ref_append_head(&f->item, MAJOR_TAG, tag);
    f->has_tag = true;
    f->tag = tag;
    return WCBOR_OK;
}

/* --------------------------------------------------------------------------------------------- containers */

static wcbor_status start(reference_writer *w, unsigned major, bool is_indefinite, uint64_t count) {
    uint64_t most = major == MAJOR_MAP ? WCBOR_MAX_MAP_COUNT : WCBOR_MAX_ARRAY_COUNT;
    if (is_indefinite) {
        if (ref_mode_sorts(w->mode) && !w->convert) return WCBOR_INDEFINITE_NOT_ALLOWED;
    } else if (count > most) {
        return WCBOR_LENGTH_OUT_OF_RANGE;
    }
    if (w->depth >= w->max_depth) return WCBOR_DEPTH_EXCEEDED;
    wcbor_status status = begin(w, major, is_indefinite, NULL, 0);
    if (status != WCBOR_OK) return status;
    frame f = {.kind = major, .is_indefinite = is_indefinite, .needed = OPEN_COUNT};
    if (is_indefinite) {
        ref_append_byte(&f.head, major << 5 | 31);
    } else {
        ref_append_head(&f.head, major, count);
        f.needed = major == MAJOR_MAP ? 2 * count : count;
    }
    push_frame(w, f);
    return WCBOR_OK;
}

static wcbor_mode sorting_mode;

static int compare_pairs(const void *left, const void *right) {
    const pair *a = left, *b = right;
    return ref_compare_keys(sorting_mode, a->key.at, a->key.nbytes, b->key.at, b->key.nbytes);
}

/* The whole container in its final form. */
static void assemble(const reference_writer *w, const frame *f, ref_bytes *whole) {
    bool is_converted = f->is_indefinite && w->convert;
    if (is_converted && (f->kind == MAJOR_BYTES || f->kind == MAJOR_TEXT)) {
        ref_append_head(whole, f->kind, f->payload.nbytes);
        ref_append(whole, f->payload.at, f->payload.nbytes);
        return;
    }
    if (is_converted)
        ref_append_head(whole, f->kind, f->kind == MAJOR_MAP ? f->written / 2 : f->written);
    else
        ref_append(whole, f->head.at, f->head.nbytes);
    ref_append(whole, f->content.at, f->content.nbytes);
    sorting_mode = w->mode;
    if (f->npairs > 1 && ref_mode_sorts(w->mode)) qsort(f->pairs, f->npairs, sizeof *f->pairs, compare_pairs);
    for (size_t i = 0; i < f->npairs; i++) {
        ref_append(whole, f->pairs[i].key.at, f->pairs[i].key.nbytes);
        ref_append(whole, f->pairs[i].value.at, f->pairs[i].value.nbytes);
    }
    if (f->is_indefinite && !is_converted) ref_append_byte(whole, 0xff);
}

static wcbor_status end(reference_writer *w, unsigned major) {
    frame *f = top(w);
    if (major == MAJOR_MAP && f->written % 2 == 1) return WCBOR_MAP_KEY_WITHOUT_VALUE;
    if (f->kind == ROOT) return WCBOR_NOT_IN_CONTAINER;
    if (f->kind != major) return WCBOR_CONTAINER_MISMATCH;
    /* end-bytes and end-text close what the start of a chunked string opened; nothing else makes such a frame */
    if (f->has_tag) return WCBOR_DANGLING_TAG;
    if (!f->is_indefinite && f->written < f->needed) return WCBOR_NOT_FILLED;
    frame ended = *f;
    w->depth--;
    assemble(w, &ended, &top(w)->item);
    release_frame(&ended);
    return finish(w);
}

/* ---------------------------------------------------------------------------- encoded items, tagged items */

/* The payload of a definite string's encoding, whose head may be longer than it need be. */
static const uint8_t *payload_of(const uint8_t *bytes) {
    unsigned info = bytes[0] & 31;
    return bytes + 1 + (info < 24 ? 0 : 1 << (info - 24));
}

static wcbor_status put_encoded(reference_writer *w, const uint8_t *bytes, size_t nbytes) {
    if (!ref_is_valid_item(bytes, nbytes, w->mode, w->max_depth - w->depth)) return WCBOR_INVALID_ENCODED_VALUE;
    unsigned major = bytes[0] >> 5;
    bool is_indefinite = major >= MAJOR_BYTES && major <= MAJOR_MAP && (bytes[0] & 31) == 31;
    bool is_string = (major == MAJOR_BYTES || major == MAJOR_TEXT) && !is_indefinite;
    const uint8_t *payload = is_string ? payload_of(bytes) : NULL;
    size_t payload_nbytes = is_string ? (size_t)(bytes + nbytes - payload) : 0;
    wcbor_status status = begin(w, major, is_indefinite, payload, payload_nbytes);
    if (status != WCBOR_OK) return status;
    frame *f = top(w);
    ref_append(&f->item, bytes, nbytes);
    if (f->kind == major) ref_append(&f->payload, payload, payload_nbytes);
    return finish(w);
}

static wcbor_status put_date_time(reference_writer *w, const uint8_t *text, size_t nbytes) {
    if (!ref_is_date_time(text, nbytes)) return WCBOR_INVALID_DATETIME;
    wcbor_status status = put_tag(w, 0);
    return status == WCBOR_OK ? put_text(w, text, nbytes) : status;
}

static wcbor_status put_unix_time(reference_writer *w, int64_t seconds) {
    wcbor_status status = put_tag(w, 1);
    if (status != WCBOR_OK) return status;
    return seconds < 0 ? put_int(w, true, (uint64_t)(-1 - seconds)) : put_int(w, false, (uint64_t)seconds);
}

static wcbor_status put_unix_time_double(reference_writer *w, uint64_t bits) {
    if ((bits >> 52 & 0x7ff) == 0x7ff) return WCBOR_NOT_FINITE;
    wcbor_status status = put_tag(w, 1);
    return status == WCBOR_OK ? put_float(w, 8, bits) : status;
}

static void drop_leading_zeros(const uint8_t **magnitude, size_t *nbytes) {
    while (*nbytes > 0 && **magnitude == 0)
        ++*magnitude, --*nbytes;
}

static uint64_t number_of(const uint8_t *magnitude, size_t nbytes) {
    uint64_t number = 0;
    for (size_t i = 0; i < nbytes; i++)
        number = number << 8 | magnitude[i];
    return number;
}

static wcbor_status put_bignum_as_such(reference_writer *w, bool negative, const uint8_t *magnitude, size_t nbytes) {
    wcbor_status status = put_tag(w, negative ? 3 : 2);
    if (status != WCBOR_OK) return status;
    return nbytes == 0 ? put_string(w, MAJOR_BYTES, (const uint8_t *)"", 1)
                       : put_string(w, MAJOR_BYTES, magnitude, nbytes);
}

static wcbor_status put_bignum(reference_writer *w, bool negative, const uint8_t *magnitude, size_t nbytes) {
    drop_leading_zeros(&magnitude, &nbytes);
    bool is_integer = ref_mode_prefers(w->mode) || w->mode == WCBOR_MODE_DAG_CBOR;
    if (is_integer && nbytes <= 8) return put_int(w, negative, number_of(magnitude, nbytes));
    return put_bignum_as_such(w, negative, magnitude, nbytes);
}

static wcbor_status put_decimal(reference_writer *w, int64_t exponent, bool negative, const uint8_t *magnitude,
                                size_t nbytes) {
    wcbor_status status = may_tag(w, 4);
    if (status != WCBOR_OK) return status;
    if (w->depth >= w->max_depth) return WCBOR_DEPTH_EXCEEDED;
    status = put_tag(w, 4);
    if (status != WCBOR_OK) return status;
    start(w, MAJOR_ARRAY, false, 2);
    put_int(w, exponent < 0, exponent < 0 ? (uint64_t)(-1 - exponent) : (uint64_t)exponent);
    drop_leading_zeros(&magnitude, &nbytes);
    bool is_integer = nbytes <= 8;
    if (!ref_mode_prefers(w->mode) && negative) is_integer = nbytes == 0; /* -1 alone */
    if (is_integer)
        put_int(w, negative, number_of(magnitude, nbytes));
    else
        put_bignum_as_such(w, negative, magnitude, nbytes);
    return end(w, MAJOR_ARRAY);
}

static wcbor_status copy(const reference_writer *w, uint64_t capacity) {
    if (!reference_is_complete(w)) return WCBOR_INCOMPLETE;
    return reference_nbytes(w) > capacity ? WCBOR_DEST_TOO_SMALL : WCBOR_OK;
}

wcbor_status reference_call(reference_writer *w, const call *c) {
    int64_t integer = (int64_t)c->number;
    if (c->bytes == NULL && c->nbytes > 0) return WCBOR_NULL_ARGUMENT;
    switch (c->op) {
    case CALL_INT: return put_int(w, integer < 0, integer < 0 ? (uint64_t)(-1 - integer) : c->number);
    case CALL_UINT: return put_int(w, false, c->number);
    case CALL_NEGATIVE: return put_int(w, true, c->number);
    case CALL_BYTES: return put_string(w, MAJOR_BYTES, c->bytes, c->nbytes);
    case CALL_TEXT: return put_text(w, c->bytes, c->nbytes);
    case CALL_TEXT_INVALID: return WCBOR_INVALID_TEXT;
    case CALL_HALF: return put_float(w, 2, c->number);
    case CALL_SINGLE: return put_float(w, 4, c->number);
    case CALL_DOUBLE: return put_float(w, 8, c->number);
    case CALL_BOOL: return put_simple(w, c->number ? 21 : 20);
    case CALL_NULL: return put_simple(w, 22);
    case CALL_UNDEFINED: return put_simple(w, 23);
    case CALL_SIMPLE: return put_simple(w, c->number);
    case CALL_TAG: return put_tag(w, c->number);
    case CALL_START_ARRAY: return start(w, MAJOR_ARRAY, false, c->number);
    case CALL_START_MAP: return start(w, MAJOR_MAP, false, c->number);
    case CALL_START_INDEFINITE_ARRAY: return start(w, MAJOR_ARRAY, true, 0);
    case CALL_START_INDEFINITE_MAP: return start(w, MAJOR_MAP, true, 0);
    case CALL_START_INDEFINITE_BYTES: return start(w, MAJOR_BYTES, true, 0);
    case CALL_START_INDEFINITE_TEXT: return start(w, MAJOR_TEXT, true, 0);
    case CALL_END_ARRAY: return end(w, MAJOR_ARRAY);
    case CALL_END_MAP: return end(w, MAJOR_MAP);
    case CALL_END_BYTES: return end(w, MAJOR_BYTES);
    case CALL_END_TEXT: return end(w, MAJOR_TEXT);
    case CALL_ENCODED: return put_encoded(w, c->bytes, c->nbytes);
    case CALL_DATE_TIME: return put_date_time(w, c->bytes, c->nbytes);
    case CALL_UNIX_TIME: return put_unix_time(w, integer);
    case CALL_UNIX_TIME_DOUBLE: return put_unix_time_double(w, c->number);
    case CALL_BIGNUM: return put_bignum(w, c->flag, c->bytes, c->nbytes);
    case CALL_DECIMAL: return put_decimal(w, integer, c->flag, c->bytes, c->nbytes);
    case CALL_RESET: reset(w); return WCBOR_OK;
    case CALL_RESULT: return reference_is_complete(w) ? WCBOR_OK : WCBOR_INCOMPLETE;
    case CALL_COPY: return copy(w, c->number);
    case CALL_OPS_: break;
    }
    abort();
}
