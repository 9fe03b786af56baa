/*
 * json_write.c - the loop over the items, and what is common in it. See json_write.h.
 */
#include "json_write.h"

#include "block.h"
#include "float.h"
#include "utf8.h"

/* The document, an array or a map. `left` counts the items to come, those of a map one by one; unless it `is_open`. */
typedef struct level {
    uint64_t left;
    uint8_t form;
    bool is_map, is_open, is_empty, at_value;
} level;

#define NO_TAG UINT64_MAX

/* Text with its escapes, and quotes around it or not; `next` is where it begins. */
WCBOR_NOINLINE static wcbor_status put_text(wcbor_writing_ *w, const uint8_t *text, size_t nbytes) {
    uint64_t tops = 0;
    const uint8_t *next = text, *const end = text + nbytes;
    for (;;) {
        const uint8_t *to = wcbor_scan_text_(next, end, &tops);
        size_t count = (size_t)(to - next);
        wcbor_status status = wcbor_room_json_(w, count + JSON_SCALAR_ROOM);
        if (status != WCBOR_OK) return status;
        if (count <= 256 && (size_t)(w->end - next) >= count + 16) {
            /* What is stored beyond the end is overwritten by what comes next. */
            for (size_t at = 0; at < count; at += 16) memcpy(w->to + at, next + at, 16);
        } else {
            memcpy(w->to, next, count);
        }
        w->to += count;
        next = to;
        if (next == end) break;
        wcbor_put_json_escape_(w, *next++);
    }
    /* Only lax lets other text come so far. */
    if (tops != 0 && w->options->mode == WCBOR_MODE_LAX && wcbor_utf8_valid_((const char *)text, nbytes) != nbytes)
        return WCBOR_INVALID_UTF8;
    return WCBOR_OK;
}

/* A text string of more than a few bytes, or in chunks, with its head at `next`. */
WCBOR_NOINLINE static wcbor_status put_string(wcbor_writing_ *w) {
    bool is_chunked = *w->next == (WCBOR_TEXT | WCBOR_INDEFINITE);
    const uint8_t *next = w->next + is_chunked;
    *w->to++ = '"';
    while (*next != WCBOR_BREAK) {
        wcbor_head_ head = wcbor_json_head_(w, next);
        next += head.nbytes;
        wcbor_status status = put_text(w, next, (size_t)head.argument);
        if (status != WCBOR_OK) return status;
        next += head.argument;
        if (!is_chunked) break;
    }
    *w->to++ = '"';
    w->next = next + is_chunked;
    return WCBOR_OK;
}

/* A simple value or a float, whose head is whole. Returns where it ends. */
static uint8_t *put_simple(uint8_t *to, unsigned information, uint64_t argument, wcbor_powers_ *powers) {
    double value;
    switch (information) {
    case 20: memcpy(to, "false", 5); return to + 5;
    case 21: memcpy(to, "true", 4); return to + 4;
    case 25: value = wcbor_half_value_((uint16_t)argument); break;
    case 26: value = (double)wcbor_single_value_((uint32_t)argument); break;
    case 27: value = wcbor_double_value_(argument); break;
    default: value = wcbor_double_value_(UINT64_C(0x7ff) << 52); break;
    }
    if (!wcbor_is_finite_(value)) {
        memcpy(to, "null", 4);
        return to + 4;
    }
    /* JSON.stringify knows no -0. */
    return wcbor_put_double_(to, value == 0 ? 0 : value, powers);
}

/* A new line, indented for what is nested so deep. */
static wcbor_status put_line(wcbor_writing_ *w, size_t depth) {
    size_t nbytes = depth * w->options->indent;
    wcbor_status status = wcbor_room_json_(w, nbytes + JSON_SCALAR_ROOM);
    if (status != WCBOR_OK) return status;
    *w->to++ = '\n';
    memset(w->to, ' ', nbytes);
    w->to += nbytes;
    return WCBOR_OK;
}

/* A key stands in the output from `start` on. Makes a string of it, and looks whether the object has it already. */
WCBOR_COLD static wcbor_status settle_key(wcbor_writing_ *w, size_t start) {
    uint8_t *key = w->out + start;
    if (*key != '"') {
        memmove(key + 1, key, (size_t)(w->to - key));
        *key = '"';
        w->to[1] = '"';
        w->to += 2;
    }
    if (w->options->mode == WCBOR_MODE_LAX) return WCBOR_OK;
    wcbor_status status = wcbor_keys_reserve_(&w->keys);
    wcbor_keys_map_(&w->keys)->key = start;
    return status != WCBOR_OK ? status : wcbor_keys_add_(&w->keys, w->out, (size_t)(w->to - w->out));
}

/* What is common in the loop, with where it reads and writes as variables of their own, which no store can change. */
wcbor_status wcbor_put_json_(wcbor_writing_ *w) {
    const wcbor_json_options *options = w->options;
    const bool is_lax = options->mode == WCBOR_MODE_LAX, is_indented = options->indent != 0;
    const bool settles = options->keys == WCBOR_JSON_KEYS_STRING, tracks = settles && !is_lax;
    const uint8_t *next = w->next, *const end = w->end;
    uint8_t *to = w->to;
    level in = {1, JSON_FORM_OPTION, false, false, true, false};
    wcbor_status status = WCBOR_OK;
    for (;;) {
        if (WCBOR_UNLIKELY(w->limit - to < JSON_SCALAR_ROOM)) {
            w->to = to;
            status = wcbor_grow_json_(w, JSON_SCALAR_ROOM);
            if (status != WCBOR_OK) break;
            to = w->to;
        }
        if (in.is_open ? *next == WCBOR_BREAK : in.left == 0) {
            if (w->levels.count == 0) break;
            next += in.is_open;
            w->levels.count--;
            if (is_indented && !in.is_empty) {
                w->to = to;
                status = put_line(w, w->levels.count);
                if (status != WCBOR_OK) break;
                to = w->to;
            }
            *to++ = in.is_map ? '}' : ']';
            if (tracks && in.is_map) wcbor_keys_pop_(&w->keys);
            in = ((level *)w->levels.items)[w->levels.count];
            continue;
        }

        bool is_key = in.is_map && !in.at_value;
        if (in.at_value) {
            *to++ = ':';
            if (is_indented) *to++ = ' ';
        } else {
            *to = ',';
            to += !in.is_empty;
            in.is_empty = false;
            if (WCBOR_UNLIKELY(is_indented && w->levels.count != 0)) {
                w->to = to;
                status = put_line(w, w->levels.count);
                if (status != WCBOR_OK) break;
                to = w->to;
            }
        }
        in.at_value = is_key;
        in.left--;

        const uint8_t *begin = next;
        uint64_t tag = NO_TAG;
        unsigned form = in.form;
        while (WCBOR_UNLIKELY((*next & WCBOR_MAJOR) == WCBOR_TAG)) {
            wcbor_head_ head = wcbor_json_head_(w, next);
            tag = head.argument;
            if (tag >= 21 && tag <= 23) form = (unsigned)tag - 21;
            next += head.nbytes;
        }
        unsigned initial = *next, major = initial & WCBOR_MAJOR;
        size_t key = (size_t)(to - w->out);
        if (WCBOR_LIKELY(major == WCBOR_TEXT)) {
            size_t nbytes = initial & WCBOR_INDEFINITE;
            uint64_t tops = 0;
            if (WCBOR_LIKELY(nbytes < 16 && end - next > 16) && wcbor_scan_16_(next + 1, &tops) >= nbytes && (tops == 0 || !is_lax)) {
                *to = '"';
                memcpy(to + 1, next + 1, 16);
                to[1 + nbytes] = '"';
                to += nbytes + 2;
                next += nbytes + 1;
            } else {
                w->to = to;
                w->next = next;
                status = put_string(w);
                to = w->to;
                next = w->next;
            }
        } else {
            if (WCBOR_UNLIKELY(is_key && (!settles || major == WCBOR_ARRAY || major == WCBOR_MAP))) {
                next = begin;
                status = WCBOR_NOT_IN_JSON;
                break;
            }
            wcbor_head_ head = wcbor_json_head_(w, next);
            next += head.nbytes;
            switch (major) {
            case WCBOR_UNSIGNED: to = wcbor_put_integer_(to, head.argument); break;
            case WCBOR_NEGATIVE:
                *to++ = '-';
                if (head.argument == UINT64_MAX) {
                    memcpy(to, "18446744073709551616", 20);
                    to += 20;
                } else {
                    to = wcbor_put_integer_(to, head.argument + 1);
                }
                break;
            case WCBOR_BYTES:
                w->to = to;
                w->next = next - head.nbytes;
                status = wcbor_put_json_bytes_(w, tag, form == JSON_FORM_OPTION ? options->bytes : form);
                to = w->to;
                next = w->next;
                break;
            case WCBOR_SIMPLE: to = put_simple(to, initial & WCBOR_INDEFINITE, head.argument, w->powers); break;
            default:
                if (WCBOR_UNLIKELY(w->levels.count == w->levels.capacity)) {
                    status = wcbor_block_grow_(&w->levels, (size_t)w->levels.count + 1, sizeof(level), options->reallocate,
                                               options->context);
                    if (status != WCBOR_OK) break;
                }
                ((level *)w->levels.items)[w->levels.count++] = in;
                in = (level){head.argument, (uint8_t)form, major == WCBOR_MAP,
                             (initial & WCBOR_INDEFINITE) == WCBOR_INDEFINITE, true, false};
                if (in.is_map) in.left *= 2;
                if (tracks && in.is_map) status = wcbor_keys_push_(&w->keys, SIZE_MAX, 0);
                *to++ = in.is_map ? '{' : '[';
                break;
            }
        }
        if (WCBOR_UNLIKELY(is_key && settles && status == WCBOR_OK)) {
            w->to = to;
            status = settle_key(w, key);
            to = w->to;
            if (status != WCBOR_OK) next = begin;
        }
        if (WCBOR_UNLIKELY(status != WCBOR_OK)) break;
    }
    w->to = to;
    w->next = next;
    return status;
}
