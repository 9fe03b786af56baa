/*
 * reader-items.c - the items that hold no others: numbers, simple values, strings.
 *
 * Every call goes: what stands there, and may it; its argument; its range; and wcbor_commit_, which counts it.
 */
#include "reader.h"

#include "float.h"
#include "utf8.h"

/* ------------------------------------------------------------------------------------------------------- integers */

/* An integer: its major type and argument, not yet counted. `end` is where it ends. */
static wcbor_status integer(const wcbor_reader *reader, unsigned *major, uint64_t *argument, const uint8_t **end) {
    wcbor_status status = wcbor_place_(reader);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    unsigned initial = *reader->next;
    if (WCBOR_UNLIKELY(initial >= WCBOR_BYTES)) return WCBOR_TYPE_MISMATCH;
    if (WCBOR_UNLIKELY((reader->level.kind & LEVEL_TEXT_KEYS) != 0)) {
        status = wcbor_watched_(&reader->level, initial);
        if (status != WCBOR_OK) return status;
    }
    wcbor_head_ head;
    status = wcbor_read_head_(reader, reader->next, &head);
    if (status == WCBOR_OK) status = wcbor_content_(reader, NULL, 0);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    *major = initial & WCBOR_MAJOR;
    *argument = head.argument;
    *end = reader->next + head.nbytes;
    return WCBOR_OK;
}

/* A signed integer of -most - 1 to most. */
WCBOR_INLINE_IF_FAST wcbor_status signed_integer(wcbor_reader *reader, uint64_t most, int64_t *value) {
    unsigned major;
    uint64_t argument;
    const uint8_t *end;
    wcbor_status status = integer(reader, &major, &argument, &end);
    if (status == WCBOR_OK && argument > most) status = WCBOR_OVERFLOW;
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    status = wcbor_commit_(reader, end);
    if (status == WCBOR_OK) *value = major == WCBOR_UNSIGNED ? (int64_t)argument : -1 - (int64_t)argument;
    return status;
}

/* An integer of 0 to most. */
WCBOR_INLINE_IF_FAST wcbor_status unsigned_integer(wcbor_reader *reader, uint64_t most, uint64_t *value) {
    unsigned major;
    uint64_t argument;
    const uint8_t *end;
    wcbor_status status = wcbor_place_(reader);
    /* A negative one overflows whatever its argument. */
    if (status == WCBOR_OK && (*reader->next & WCBOR_MAJOR) == WCBOR_NEGATIVE) status = WCBOR_OVERFLOW;
    if (status == WCBOR_OK) status = integer(reader, &major, &argument, &end);
    if (status == WCBOR_OK && argument > most) status = WCBOR_OVERFLOW;
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    status = wcbor_commit_(reader, end);
    if (status == WCBOR_OK) *value = argument;
    return status;
}

wcbor_status wcbor_read_int32(wcbor_reader *reader, int32_t *value) {
    int64_t wide = 0;
    wcbor_status status = signed_integer(reader, INT32_MAX, &wide);
    if (status == WCBOR_OK) *value = (int32_t)wide;
    return status;
}

wcbor_status wcbor_read_uint32(wcbor_reader *reader, uint32_t *value) {
    uint64_t wide = 0;
    wcbor_status status = unsigned_integer(reader, UINT32_MAX, &wide);
    if (status == WCBOR_OK) *value = (uint32_t)wide;
    return status;
}

wcbor_status wcbor_read_int64(wcbor_reader *reader, int64_t *value) {
    return signed_integer(reader, INT64_MAX, value);
}

wcbor_status wcbor_read_uint64(wcbor_reader *reader, uint64_t *value) {
    return unsigned_integer(reader, UINT64_MAX, value);
}

wcbor_status wcbor_read_negative(wcbor_reader *reader, uint64_t *argument) {
    unsigned major;
    uint64_t wide;
    const uint8_t *end;
    wcbor_status status = wcbor_place_of_(reader, WCBOR_NEGATIVE);
    if (status == WCBOR_OK) status = integer(reader, &major, &wide, &end);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    status = wcbor_commit_(reader, end);
    if (status == WCBOR_OK) *argument = wide;
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- tags */

static wcbor_status tag_at(const wcbor_reader *reader, wcbor_head_ *head) {
    wcbor_status status = wcbor_place_of_(reader, WCBOR_TAG);
    if (status == WCBOR_OK) status = wcbor_read_head_(reader, reader->next, head);
    if (status != WCBOR_OK) return status;
    if ((reader->rules & RULE_NO_TAGS) != 0) return WCBOR_TAGS_NOT_ALLOWED;
    if ((reader->rules & RULE_TAG_42) != 0 && head->argument != 42) return WCBOR_TAG_NOT_ALLOWED;
    return (reader->rules & RULE_TAG_42) != 0 && reader->tagged ? WCBOR_INVALID_CID : WCBOR_OK;
}

wcbor_status wcbor_read_tag(wcbor_reader *reader, uint64_t *tag) {
    wcbor_head_ head;
    wcbor_status status = tag_at(reader, &head);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    reader->next += head.nbytes;
    reader->tagged = true;
    reader->tag = *tag = head.argument;
    return WCBOR_OK;
}

wcbor_status wcbor_peek_tag(wcbor_reader *reader, uint64_t *tag) {
    wcbor_head_ head;
    wcbor_status status = tag_at(reader, &head);
    if (status != WCBOR_OK) return wcbor_fail_read_(reader, status);
    *tag = head.argument;
    return WCBOR_OK;
}

/* ------------------------------------------------------------------------------------------- floats, simple values */

/* Counts an item of major type 7 of `nbytes`, if the mode takes it. */
static wcbor_status take_simple(wcbor_reader *reader, unsigned information, uint64_t argument, size_t nbytes) {
    wcbor_status status = wcbor_check_simple_(reader->rules, information, argument);
    if (status == WCBOR_OK) status = wcbor_content_(reader, NULL, 0);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    return wcbor_commit_(reader, reader->next + nbytes);
}

/* A float of at most the width that `widest` says: how wide it is, and its bits. */
static wcbor_status read_float(wcbor_reader *reader, unsigned widest, unsigned *information, uint64_t *bits) {
    wcbor_status status = wcbor_place_of_(reader, WCBOR_SIMPLE);
    wcbor_head_ head = {0, 0};
    if (status == WCBOR_OK) {
        *information = *reader->next & 0x1f;
        if (*information < 25 || *information > 27) status = WCBOR_NOT_A_FLOAT;
        else if (*information > widest) status = WCBOR_LOWER_PRECISION;
        else if (!wcbor_get_head_(reader->next, reader->end, &head)) status = WCBOR_UNEXPECTED_END;
    }
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    *bits = head.argument;
    return take_simple(reader, *information, head.argument, head.nbytes);
}

wcbor_status wcbor_read_half(wcbor_reader *reader, uint16_t *bits) {
    unsigned information;
    uint64_t wide;
    wcbor_status status = read_float(reader, 25, &information, &wide);
    if (status == WCBOR_OK) *bits = (uint16_t)wide;
    return status;
}

wcbor_status wcbor_read_single(wcbor_reader *reader, float *value) {
    unsigned information;
    uint64_t bits;
    wcbor_status status = read_float(reader, 26, &information, &bits);
    if (status == WCBOR_OK)
        *value = information == 26 ? wcbor_single_value_((uint32_t)bits) : (float)wcbor_half_value_((uint16_t)bits);
    return status;
}

wcbor_status wcbor_read_double(wcbor_reader *reader, double *value) {
    unsigned information;
    uint64_t bits;
    wcbor_status status = read_float(reader, 27, &information, &bits);
    if (status == WCBOR_OK)
        *value = information == 27 ? wcbor_double_value_(bits)
               : information == 26 ? (double)wcbor_single_value_((uint32_t)bits)
                                   : wcbor_half_value_((uint16_t)bits);
    return status;
}

/* A simple value of one byte that is `first` or `last`; `other` when it is not. */
static wcbor_status read_constant(wcbor_reader *reader, unsigned first, unsigned last, wcbor_status other) {
    wcbor_status status = wcbor_place_of_(reader, WCBOR_SIMPLE);
    if (status == WCBOR_OK && *reader->next != (WCBOR_SIMPLE | first) && *reader->next != (WCBOR_SIMPLE | last)) status = other;
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    return take_simple(reader, *reader->next & 0x1f, *reader->next & 0x1f, 1);
}

wcbor_status wcbor_read_bool(wcbor_reader *reader, bool *value) {
    const uint8_t *item = reader->next;
    wcbor_status status = read_constant(reader, 20, 21, WCBOR_NOT_A_BOOLEAN);
    if (status == WCBOR_OK) *value = *item == (WCBOR_SIMPLE | 21);
    return status;
}

wcbor_status wcbor_read_null(wcbor_reader *reader) {
    return read_constant(reader, 22, 22, WCBOR_NOT_NULL);
}

wcbor_status wcbor_read_undefined(wcbor_reader *reader) {
    return read_constant(reader, 23, 23, WCBOR_NOT_UNDEFINED);
}

wcbor_status wcbor_read_simple(wcbor_reader *reader, uint8_t *value) {
    wcbor_status status = wcbor_place_of_(reader, WCBOR_SIMPLE);
    wcbor_head_ head = {0, 0};
    if (status == WCBOR_OK) {
        unsigned information = *reader->next & 0x1f;
        if (information > 27 && information < WCBOR_INDEFINITE) status = WCBOR_RESERVED_SIMPLE_VALUE;
        else if (information > 24) status = WCBOR_NOT_A_SIMPLE_VALUE;
        else if (!wcbor_get_head_(reader->next, reader->end, &head)) status = WCBOR_UNEXPECTED_END;
    }
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    status = take_simple(reader, *reader->next & 0x1f, head.argument, head.nbytes);
    if (status == WCBOR_OK) *value = (uint8_t)head.argument;
    return status;
}

/* -------------------------------------------------------------------------------------------------------- strings */

/* The definite string at `at`, which is of the right type: its payload. */
static wcbor_status definite(const wcbor_reader *reader, const uint8_t *at, const uint8_t **payload, size_t *nbytes) {
    wcbor_head_ head;
    wcbor_status status = wcbor_read_head_(reader, at, &head);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    at += head.nbytes;
    if (WCBOR_UNLIKELY(head.argument > (size_t)(reader->end - at))) return WCBOR_LENGTH_EXCEEDS_BUFFER;
    *payload = at;
    *nbytes = (size_t)head.argument;
    return WCBOR_OK;
}

/* Whether the mode takes the payload of a string, with the tag before it, if there is one. */
static wcbor_status check_payload(const wcbor_reader *reader, unsigned major, const uint8_t *payload, size_t nbytes) {
    if (major == WCBOR_BYTES) return wcbor_content_(reader, payload, nbytes);
    if ((reader->rules & RULE_STRICT_TEXT) != 0 && wcbor_utf8_valid_((const char *)payload, nbytes) != nbytes)
        return WCBOR_INVALID_UTF8;
    return wcbor_content_(reader, NULL, 0);
}

static wcbor_status read_definite(wcbor_reader *reader, unsigned major, const uint8_t **payload, size_t *nbytes) {
    const uint8_t *start = NULL;
    size_t length = 0;
    wcbor_status status = wcbor_place_of_(reader, major);
    if (status == WCBOR_OK && (*reader->next & 0x1f) == WCBOR_INDEFINITE) status = WCBOR_INDEFINITE_STRING;
    if (status == WCBOR_OK) status = definite(reader, reader->next, &start, &length);
    if (status == WCBOR_OK) status = check_payload(reader, major, start, length);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    status = wcbor_commit_(reader, start + length);
    if (status != WCBOR_OK) return status;
    *payload = start;
    *nbytes = length;
    return WCBOR_OK;
}

wcbor_status wcbor_read_definite_bytes(wcbor_reader *reader, const uint8_t **bytes, size_t *nbytes) {
    return read_definite(reader, WCBOR_BYTES, bytes, nbytes);
}

wcbor_status wcbor_read_definite_text(wcbor_reader *reader, const char **text, size_t *nbytes) {
    const uint8_t *payload = NULL;
    wcbor_status status = read_definite(reader, WCBOR_TEXT, &payload, nbytes);
    if (status == WCBOR_OK) *text = (const char *)payload;
    return status;
}

/* Copies a payload to `to`, or only counts where `to` is NULL; lax repairs text. */
static size_t copy(const wcbor_reader *reader, unsigned major, uint8_t *to, const uint8_t *payload, size_t nbytes) {
    if (major == WCBOR_TEXT && (reader->rules & RULE_STRICT_TEXT) == 0)
        return wcbor_utf8_replace_(to, (const char *)payload, nbytes);
    if (to != NULL) memcpy(to, payload, nbytes);
    return nbytes;
}

/*
 * Goes over the chunks that begin at `at`, and copies them to `to`, unless that is NULL. `at` ends up behind the break,
 * or at the chunk at fault.
 */
static wcbor_status chunks(const wcbor_reader *reader, unsigned major, const uint8_t **at, uint8_t *to, size_t *total) {
    for (*total = 0;;) {
        if (*at == reader->end) return WCBOR_UNEXPECTED_END;
        if (**at == WCBOR_BREAK) break;
        if ((**at & WCBOR_MAJOR) != major) return WCBOR_STRING_CHUNK_INVALID;
        const uint8_t *payload;
        size_t nbytes;
        wcbor_status status = definite(reader, *at, &payload, &nbytes);
        if (status != WCBOR_OK) return status;
        if (major == WCBOR_TEXT && (reader->rules & RULE_STRICT_TEXT) != 0
            && wcbor_utf8_valid_((const char *)payload, nbytes) != nbytes)
            return WCBOR_INVALID_UTF8;
        *total += copy(reader, major, to == NULL ? NULL : to + *total, payload, nbytes);
        /* Text that is repaired may be three times as long. */
        if (*total > PTRDIFF_MAX) return WCBOR_OUT_OF_MEMORY;
        *at = payload + nbytes;
    }
    ++*at;
    return WCBOR_OK;
}

/* A string of either kind as a whole, to `destination`. */
static wcbor_status read_string(wcbor_reader *reader, unsigned major, void *destination, size_t capacity, size_t *nbytes) {
    const uint8_t *payload = NULL, *end = NULL;
    size_t length = 0, total = 0;
    wcbor_status status = wcbor_place_of_(reader, major);
    if (status != WCBOR_OK) return wcbor_fail_read_(reader, status);
    bool is_chunked = (*reader->next & 0x1f) == WCBOR_INDEFINITE;
    if (!is_chunked) {
        status = definite(reader, reader->next, &payload, &length);
        if (status == WCBOR_OK) status = check_payload(reader, major, payload, length);
        if (status != WCBOR_OK) return wcbor_fail_read_(reader, status);
        total = copy(reader, major, NULL, payload, length);
        end = payload + length;
    } else {
        if ((reader->rules & RULE_NO_INDEFINITE) != 0) return wcbor_fail_read_(reader, WCBOR_INDEFINITE_NOT_ALLOWED);
        if (reader->depth >= reader->max_depth) return wcbor_fail_read_(reader, WCBOR_DEPTH_EXCEEDED);
        end = reader->next + 1;
        status = chunks(reader, major, &end, NULL, &total);
        if (status != WCBOR_OK) {
            reader->fault = (size_t)(end - reader->bytes);
            return status;
        }
    }
    *nbytes = total;
    if (total > capacity) return wcbor_fail_read_(reader, WCBOR_DEST_TOO_SMALL);
    const uint8_t *item = reader->next;
    status = wcbor_commit_(reader, end);
    if (status != WCBOR_OK) return status;
    if (total == 0) return WCBOR_OK;
    if (!is_chunked) {
        (void)copy(reader, major, destination, payload, length);
    } else {
        item++;
        (void)chunks(reader, major, &item, destination, &total);
    }
    return WCBOR_OK;
}

wcbor_status wcbor_read_bytes(wcbor_reader *reader, void *destination, size_t capacity, size_t *nbytes) {
    return read_string(reader, WCBOR_BYTES, destination, capacity, nbytes);
}

wcbor_status wcbor_read_text(wcbor_reader *reader, char *destination, size_t capacity, size_t *nbytes) {
    return read_string(reader, WCBOR_TEXT, destination, capacity, nbytes);
}
