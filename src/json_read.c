/*
 * json_read.c - the loop over a JSON text, with what is common in it. See json_read.h.
 */
#include "json_read.h"

#include "float.h"
#include "utf8.h"

wcbor_status wcbor_put_json_double_(wcbor_reading_ *r, double value) {
    uint64_t bits = wcbor_double_bits_(value);
    if (value > -9007199254740992.0 && value < 9007199254740992.0) {
        int64_t integer = (int64_t)value;
        if ((double)integer == value && (integer != 0 || bits == 0)) return wcbor_write_int64(r->writer, integer);
        if ((bits & 0x1fffffff) != 0) {
            /* No shorter float holds it, and no mode has another form for it. */
            uint8_t *next = r->writer->next;
            *next = WCBOR_SIMPLE | 27;
            wcbor_store64_(next + 1, bits);
            r->writer->next = next + 9;
            return WCBOR_OK;
        }
    }
    return wcbor_write_double(r->writer, value);
}

/*
 * The number at `next`, whose digits from `first` on are `mantissa` and end at a point. What is not common is left to
 * wcbor_take_json_item_.
 */
WCBOR_NOINLINE static wcbor_status take_fraction(wcbor_reading_ *r, const uint8_t *first, const uint8_t *point, uint64_t mantissa) {
    if (WCBOR_UNLIKELY(r->end - point <= WCBOR_DIGITS_ROOM)) return wcbor_take_json_item_(r);
    const uint8_t *next = wcbor_take_digits_(point + 1, &mantissa);
    int64_t fraction = next - point - 1;
    if (fraction == 0 || next - first > 20 || point == first || (*first == '0' && point - first > 1) || (*next | 0x20) == 'e')
        return wcbor_take_json_item_(r);
    wcbor_number_ number = {first, next, next, mantissa, -fraction, first != r->next, false, false};
    r->next = next;
    return wcbor_put_json_double_(r, wcbor_number_value_(&number, r->powers));
}

/* The string at `next`. */
WCBOR_NOINLINE static wcbor_status take_text(wcbor_reading_ *r) {
    wcbor_writer *writer = r->writer;
    uint64_t tops = 0;
    const uint8_t *from = r->next + 1, *to = wcbor_scan_text_(from, r->end, &tops);
    size_t nbytes = (size_t)(to - from);
    if (to == r->end || *to != '"'
        || (tops != 0 && !r->is_utf8 && wcbor_utf8_valid_((const char *)from, nbytes) != nbytes))
        return wcbor_take_json_item_(r);
    wcbor_status status = wcbor_room_(writer, nbytes + JSON_ROOM);
    if (status != WCBOR_OK) return status;
    uint8_t *out = wcbor_put_head_(writer->next, WCBOR_TEXT, nbytes);
    writer->next = out + nbytes;
    r->next = to + 1;
    if (nbytes <= 256 && (size_t)(r->end - from) >= nbytes + 16) {
        /* What is stored beyond the end is overwritten by what comes next. */
        for (const uint8_t *last = from + nbytes; from < last; from += 16, out += 16) memcpy(out, from, 16);
    } else {
        memcpy(out, from, nbytes);
    }
    return WCBOR_OK;
}

/* Behind the white space at `next`. */
WCBOR_NOINLINE static const uint8_t *skip_space(const uint8_t *next, const uint8_t *end) {
    for (;;) {
        while (end - next >= 8) {
            uint64_t others = wcbor_load_bytes_(next) ^ WCBOR_EACH_BYTE_(' ');
            if (others != 0) {
                next += wcbor_trailing_zeros_(others) / 8;
                break;
            }
            next += 8;
        }
        while (next < end && *next == ' ') next++;
        if (next == end || (*next != '\n' && *next != '\r' && *next != '\t')) return next;
        next++;
    }
}

wcbor_status wcbor_take_json_(wcbor_reading_ *r) {
    wcbor_writer *writer = r->writer;
    const bool keyed = (writer->rules & RULE_KEYS) != 0;
    const uint8_t *next = r->next, *begin, *point, *first, *const end = r->end;
    uint8_t *out = writer->next;
    unsigned kind = KIND_ROOT;
    size_t head = 0, count = 0, nbytes;
    uint64_t number, tops;
    bool at_key = false;
    wcbor_status status;

/* Moves what is kept in locals to where others find it, and back. */
#define LEAVE (r->next = next, writer->next = out)
#define ENTER (next = r->next, out = writer->next)
#define SKIP_SPACE                                                                                                     \
  if (next < end && *next <= ' ') next = skip_space(next, end)

value:
    SKIP_SPACE;
item:
    if (WCBOR_UNLIKELY(next == end)) goto invalid;
    begin = next;
    if (WCBOR_UNLIKELY((size_t)(writer->end - out) < JSON_ROOM)) {
        LEAVE;
        status = wcbor_grow_(writer, JSON_ROOM);
        if (status != WCBOR_OK) return status;
        ENTER;
    }
    point = NULL;
    if (WCBOR_UNLIKELY(end - next < WCBOR_DIGITS_ROOM)) goto short_of_input;
    if (*next == '"') {
        tops = 0;
        nbytes = wcbor_scan_16_(next + 1, &tops);
        if (WCBOR_UNLIKELY(next[1 + nbytes] != '"' || tops != 0 || nbytes == 16)) goto slow;
        memcpy(out + 1, next + 1, 16);
        *out = (uint8_t)(WCBOR_TEXT | nbytes);
        out += 1 + nbytes;
        next += nbytes + 2;
        goto done;
    }
    if (WCBOR_UNLIKELY(at_key)) goto invalid;
    if (wcbor_is_digit_(*next) || *next == '-') {
        bool negative = *next == '-';
        first = next + negative;
        number = 0;
        point = first;
        if (wcbor_is_digit_(*point)) number = (uint64_t)(*point++ - '0');
        if (wcbor_is_digit_(*point)) point = wcbor_take_digits_(point, &number);
        nbytes = (size_t)(point - first);
        if (WCBOR_LIKELY(nbytes - 1 < 18 && *point != '.' && (*point | 0x20) != 'e' && (nbytes == 1 || *first != '0')
                         && (number <= JSON_MAX_SAFE || !r->rounds) && !(negative && number == 0))) {
            out = wcbor_put_head_(out, negative ? WCBOR_NEGATIVE : WCBOR_UNSIGNED, number - negative);
            next = point;
            goto done;
        }
        goto slow;
    }
open:
    if (*next == '{' || *next == '[') {
        if (WCBOR_UNLIKELY(writer->top == writer->top_limit)) {
            status = wcbor_deepen_json_(r);
            if (status != WCBOR_OK) goto failed;
        }
        *writer->top++ = (wcbor_frame_){count, head, kind};
        kind = *next == '[' ? WCBOR_ARRAY : WCBOR_MAP;
        head = (size_t)(out - writer->out);
        count = 0;
        if (keyed && kind == WCBOR_MAP) {
            status = wcbor_keys_push_(&writer->keys, PAIRS_OPEN, head + 1);
            if (status != WCBOR_OK) goto failed;
        }
        out++;
        next++;
        SKIP_SPACE;
        if (next < end && *next == (uint8_t)(kind - (WCBOR_ARRAY - ']'))) goto end_of_container;
        at_key = kind == WCBOR_MAP;
        goto item;
    }
    goto slow;

short_of_input:
    if (*next != '"' && at_key) goto invalid;
    if (*next == '{' || *next == '[') goto open;

slow:
    LEAVE;
    status = *next == '"'                    ? take_text(r)
           : point != NULL && *point == '.' ? take_fraction(r, first, point, number)
                                             : wcbor_take_json_item_(r);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    ENTER;
    goto done;

end_of_container:
    next++;
    if (WCBOR_UNLIKELY(count >= 24 || (keyed && kind == WCBOR_MAP))) {
        LEAVE;
        status = wcbor_close_json_(r, kind, head, count);
        if (status != WCBOR_OK) return status;
        ENTER;
    } else {
        writer->out[head] = (uint8_t)(kind | count);
    }
    writer->top--;
    kind = writer->top->kind;
    head = writer->top->start;
    count = writer->top->left;

done:
    SKIP_SPACE;
    if (at_key) {
        if (keyed) {
            status = wcbor_keys_reserve_(&writer->keys);
            if (status == WCBOR_OK) status = wcbor_keys_add_(&writer->keys, writer->out, (size_t)(out - writer->out));
            if (status != WCBOR_OK) {
                next = begin;
                goto failed;
            }
        }
        if (WCBOR_UNLIKELY(next == end || *next != ':')) goto invalid;
        next++;
        at_key = false;
        goto value;
    }
    count++;
    if (WCBOR_UNLIKELY(kind == KIND_ROOT)) {
        status = WCBOR_OK;
        if (next == end) goto failed;
        goto invalid;
    }
    if (WCBOR_UNLIKELY(next == end)) goto invalid;
    if (*next == ',') {
        next++;
        SKIP_SPACE;
        at_key = kind == WCBOR_MAP;
        if (keyed && at_key) wcbor_keys_map_(&writer->keys)->key = (size_t)(out - writer->out);
        goto item;
    }
    if (*next == (uint8_t)(kind - (WCBOR_ARRAY - ']'))) goto end_of_container;

invalid:
    status = WCBOR_INVALID_JSON;
failed:
    LEAVE;
    return status;
#undef LEAVE
#undef ENTER
#undef SKIP_SPACE
}
