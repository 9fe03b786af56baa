/*
 * json_items.c - what surrounds the loop over a JSON text, and what is less common in it. See json_read.h.
 */
#include "json.h"
#include "json_read.h"

#include "big.h"
#include "block.h"
#include "utf8.h"

typedef struct gap {
    size_t head, count; /* where the head of one byte stands, and what it shall say */
} gap;

/* ------------------------------------------------------------------------------------------------------- strings */

/* The number that four hexadecimal digits are, or -1, with `next` at what is none. */
static int32_t take_hex(wcbor_reading_ *r, const uint8_t *from) {
    int32_t value = 0;
    for (int i = 0; i < 4; i++, from++) {
        r->next = from;
        if (from == r->end) return -1;
        unsigned digit = (unsigned)*from - '0', letter = ((unsigned)*from | 0x20) - 'a';
        if (digit > 9 && letter > 5) return -1;
        value = value << 4 | (int32_t)(digit <= 9 ? digit : letter + 10);
    }
    r->next = from;
    return value;
}

static uint8_t *put_code_point(uint8_t *to, uint32_t point) {
    if (point < 0x80) {
        *to++ = (uint8_t)point;
        return to;
    }
    if (point < 0x800) {
        *to++ = (uint8_t)(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            *to++ = (uint8_t)(0xe0 | point >> 12);
        } else {
            *to++ = (uint8_t)(0xf0 | point >> 18);
            *to++ = (uint8_t)(0x80 | (point >> 12 & 0x3f));
        }
        *to++ = (uint8_t)(0x80 | (point >> 6 & 0x3f));
    }
    *to++ = (uint8_t)(0x80 | (point & 0x3f));
    return to;
}

/* The character that the escape \u at `next` stands for, two of them for one beyond U+FFFF. There is room for it. */
static wcbor_status take_escaped_unit(wcbor_reading_ *r) {
    const uint8_t *at = r->next;
    int32_t unit = take_hex(r, at + 2);
    if (unit < 0) return WCBOR_INVALID_JSON;
    uint32_t point = (uint32_t)unit;
    if ((point & 0xf800) == 0xd800) {
        const uint8_t *behind = r->next;
        int32_t low = -1;
        if (point < 0xdc00 && r->end - behind >= 2 && behind[0] == '\\' && behind[1] == 'u') {
            low = take_hex(r, behind + 2);
            if (low < 0) return WCBOR_INVALID_JSON;
        }
        if ((low & ~0x3ff) == 0xdc00) {
            point = 0x10000 + ((point & 0x3ff) << 10 | ((uint32_t)low & 0x3ff));
        } else {
            if ((r->writer->rules & RULE_STRICT_TEXT) != 0) {
                r->next = at;
                return WCBOR_INVALID_TEXT;
            }
            point = 0xfffd;
            r->next = behind;
        }
    }
    r->writer->next = put_code_point(r->writer->next, point);
    return WCBOR_OK;
}

/* The escape at `next`, which is a backslash. */
static wcbor_status take_escape(wcbor_reading_ *r) {
    if (r->end - r->next < 2) {
        r->next = r->end;
        return WCBOR_INVALID_JSON;
    }
    uint8_t character = r->next[1];
    switch (character) {
    case '"':
    case '\\':
    case '/': break;
    case 'n': character = '\n'; break;
    case 't': character = '\t'; break;
    case 'r': character = '\r'; break;
    case 'b': character = '\b'; break;
    case 'f': character = '\f'; break;
    case 'u': return take_escaped_unit(r);
    default: r->next++; return WCBOR_INVALID_JSON;
    }
    *r->writer->next++ = character;
    r->next += 2;
    return WCBOR_OK;
}

/* Puts text without escapes, `next` up to `to`, into a string. There is room for it and an escape. */
static wcbor_status put_run(wcbor_reading_ *r, const uint8_t *to, uint64_t tops) {
    wcbor_writer *writer = r->writer;
    for (;;) {
        size_t nbytes = (size_t)(to - r->next), valid = nbytes;
        if (tops != 0 && !r->is_utf8) valid = wcbor_utf8_valid_((const char *)r->next, nbytes);
        memcpy(writer->next, r->next, valid);
        writer->next += valid;
        r->next += valid;
        if (valid == nbytes) return WCBOR_OK;
        if ((writer->rules & RULE_STRICT_TEXT) != 0) return WCBOR_INVALID_TEXT;
        nbytes -= valid;
        r->next += wcbor_utf8_ill_formed_((const char *)r->next, nbytes);
        wcbor_status status = wcbor_room_(writer, nbytes + JSON_ROOM);
        if (status != WCBOR_OK) return status;
        writer->next = put_code_point(writer->next, 0xfffd);
    }
}

static wcbor_status take_text(wcbor_reading_ *r) {
    wcbor_writer *writer = r->writer;
    size_t head = wcbor_offset_(writer);
    r->next++;
    /* The head comes when its length is known; the room for it is there. */
    writer->next += WCBOR_HEAD_MAX;
    wcbor_status status;
    for (;;) {
        uint64_t tops = 0;
        const uint8_t *to = wcbor_scan_text_(r->next, r->end, &tops);
        status = wcbor_room_(writer, (size_t)(to - r->next) + JSON_ROOM);
        if (status == WCBOR_OK) status = put_run(r, to, tops);
        if (status != WCBOR_OK) return status;
        if (to == r->end || (*to != '"' && *to != '\\')) return WCBOR_INVALID_JSON;
        if (*to == '"') break;
        status = take_escape(r);
        if (status != WCBOR_OK) return status;
    }
    r->next++;
    uint8_t *content = writer->out + head + WCBOR_HEAD_MAX, *to;
    size_t nbytes = (size_t)(writer->next - content);
    to = wcbor_put_head_(writer->out + head, WCBOR_TEXT, nbytes);
    memmove(to, content, nbytes);
    writer->next = to + nbytes;
    return WCBOR_OK;
}

/* ------------------------------------------------------------------------------------------- numbers and literals */

/* An integer of more than 19 digits. */
WCBOR_COLD static wcbor_status put_large_integer(wcbor_reading_ *r, const wcbor_number_ *number) {
    if (number->digits_end - number->digits > WCBOR_BIG_DIGITS) return WCBOR_LIMIT_EXCEEDED;
    wcbor_big_ big;
    wcbor_big_read_(&big, number->digits, number->digits_end);
    if (number->negative) {
        /* The number of -1 - n is one less; it is not 0. */
        uint32_t at = 0;
        while (big.words[at]-- == 0) at++;
    }
    if (big.count <= 2 || (big.count == 3 && big.words[2] == 0)) {
        uint64_t argument = (uint64_t)big.words[1] << 32 | big.words[0];
        return number->negative ? wcbor_write_negative(r->writer, argument) : wcbor_write_uint64(r->writer, argument);
    }
    uint8_t bytes[WCBOR_BIG_WORDS * 4];
    for (uint32_t i = 0; i < big.count; i++) wcbor_store32_(bytes + 4 * i, big.words[big.count - 1 - i]);
    return wcbor_write_bignum(r->writer, number->negative, bytes, (size_t)big.count * 4);
}

static wcbor_status put_number(wcbor_reading_ *r, const wcbor_number_ *number) {
    if (number->integral && !r->rounds && !(number->negative && number->mantissa == 0)) {
        if (number->cut) return put_large_integer(r, number);
        if (number->negative) return wcbor_write_negative(r->writer, number->mantissa - 1);
        return wcbor_write_uint64(r->writer, number->mantissa);
    }
    return wcbor_put_json_double_(r, wcbor_number_value_(number, r->powers));
}

static wcbor_status take_number(wcbor_reading_ *r) {
    wcbor_number_ number;
    bool found = wcbor_scan_number_(r->next, r->end, &number);
    wcbor_status status = found ? put_number(r, &number) : WCBOR_INVALID_JSON;
    if (!found || status == WCBOR_OK) r->next = number.end;
    return status;
}

/* `word`: true, false or null. */
static wcbor_status take_word(wcbor_reading_ *r, const char *word, unsigned value) {
    for (; *word != 0; word++, r->next++)
        if (r->next == r->end || *r->next != (uint8_t)*word) return WCBOR_INVALID_JSON;
    *r->writer->next++ = (uint8_t)(WCBOR_SIMPLE | value);
    return WCBOR_OK;
}

wcbor_status wcbor_take_json_item_(wcbor_reading_ *r) {
    switch (*r->next) {
    case '"': return take_text(r);
    case 't': return take_word(r, "true", 21);
    case 'f': return take_word(r, "false", 20);
    case 'n': return take_word(r, "null", 22);
    default: return take_number(r);
    }
}

/* ---------------------------------------------------------------------------------------------------- containers */

wcbor_status wcbor_deepen_json_(wcbor_reading_ *r) {
    wcbor_writer *writer = r->writer;
    uint32_t depth = wcbor_depth_(writer);
    return depth >= writer->max_depth ? WCBOR_DEPTH_EXCEEDED : wcbor_grow_frames_(writer, (size_t)depth + 1);
}

wcbor_status wcbor_close_json_(wcbor_reading_ *r, unsigned major, size_t head, size_t count) {
    wcbor_writer *writer = r->writer;
    writer->start = head + 1;
    if (major == WCBOR_MAP && (writer->rules & RULE_KEYS) != 0) {
        wcbor_status status = wcbor_keys_map_(&writer->keys)->unordered ? wcbor_sort_map_(writer) : WCBOR_OK;
        wcbor_keys_pop_(&writer->keys);
        if (status != WCBOR_OK) return status;
    }
    if (count < 24) {
        writer->out[head] = (uint8_t)(major | count);
        return WCBOR_OK;
    }
    if (r->sorts) {
        wcbor_status status = wcbor_room_(writer, WCBOR_HEAD_MAX);
        if (status == WCBOR_OK) wcbor_put_definite_head_(writer, major, count);
        return status;
    }
    writer->out[head] = (uint8_t)major;
    if (r->gaps.count == r->gaps.capacity) {
        wcbor_status status = wcbor_block_grow_(&r->gaps, (size_t)r->gaps.count + 1, sizeof(gap),
                                                writer->options.reallocate, writer->options.context);
        if (status != WCBOR_OK) return status;
    }
    ((gap *)r->gaps.items)[r->gaps.count++] = (gap){head, count};
    r->grown += wcbor_head_nbytes_(count) - 1;
    return WCBOR_OK;
}

/*
 * Puts the longer heads in, from the last one to the first. Gaps are in the order in which their containers ended: read
 * backwards, a container comes before those in it, so that it has to wait until all that begin behind it are done. Those
 * that wait are kept at the end of the list, in place of gaps that have been read.
 */
static wcbor_status fill_gaps(wcbor_reading_ *r) {
    wcbor_writer *writer = r->writer;
    wcbor_status status = wcbor_room_(writer, r->grown);
    if (status != WCBOR_OK) return status;
    gap *gaps = r->gaps.items, *unread = gaps + r->gaps.count, *waiting = unread, *last = unread;
    uint8_t *from = writer->next, *to = from + r->grown;
    writer->next = to;
    while (from != to) {
        if (unread > gaps && (waiting == last || unread[-1].head > waiting->head)) {
            gap read = *--unread;
            *--waiting = read;
            continue;
        }
        gap done = *waiting++;
        uint8_t *content = writer->out + done.head + 1;
        unsigned major = content[-1];
        to -= from - content;
        memmove(to, content, (size_t)(from - content));
        to -= wcbor_head_nbytes_(done.count);
        wcbor_put_head_(to, major, done.count);
        from = content - 1;
    }
    return WCBOR_OK;
}

/* ------------------------------------------------------------------------------------------------------ documents */

wcbor_status wcbor_read_json_(const void *text, size_t nbytes, const wcbor_json_options *options, bool is_utf8,
                              wcbor_powers_ *powers, wcbor_buffer *result) {
    static const wcbor_json_options defaults = WCBOR_JSON_OPTIONS_DEFAULT;
    if (options == NULL) options = &defaults;
    *result = (wcbor_buffer){NULL, 0, 0};
    wcbor_writer_options sink = {options->mode, false, false, options->max_depth, options->reallocate, options->context,
                                 options->seed};
    wcbor_writer writer;
    wcbor_status status = wcbor_writer_init(&writer, &sink, NULL, 0);
    if (status != WCBOR_OK) return status;
    if (text == NULL) return WCBOR_NULL_ARGUMENT;
    size_t limit = options->max_nbytes == 0 ? PTRDIFF_MAX - JSON_ROOM : options->max_nbytes;
    if (nbytes > limit) return WCBOR_LIMIT_EXCEEDED;
    /* To the writer, roots of a sequence. */
    writer.options.allow_multiple_roots = true;
    wcbor_writer_reset(&writer);

    const uint8_t *start = text;
    wcbor_reading_ r = {&writer, start, start, start + nbytes, powers, {NULL, 0, 0, false}, 0, is_utf8,
                 writer.keys.order != WCBOR_ORDER_NONE, options->round_integers};
    /* CBOR is shorter than JSON, as a rule. */
    status = wcbor_room_(&writer, nbytes + JSON_ROOM);
    if (status == WCBOR_OK) status = wcbor_take_json_(&r);
    if (status == WCBOR_OK && r.grown != 0) status = fill_gaps(&r);
    result->offset = (size_t)(r.next - r.text);
    if (status == WCBOR_OK && wcbor_offset_(&writer) > limit) status = WCBOR_LIMIT_EXCEEDED;
    if (status == WCBOR_OK) {
        result->bytes = writer.out;
        result->nbytes = wcbor_offset_(&writer);
        writer.out_owned = false;
    }
    wcbor_block_free_(&r.gaps, options->reallocate, options->context);
    wcbor_writer_free(&writer);
    return status;
}

wcbor_status wcbor_json_to_cbor(const void *text, size_t nbytes, const wcbor_json_options *options, wcbor_buffer *result) {
    wcbor_powers_ powers;
    memset(powers.known, 0, sizeof powers.known);
    return wcbor_read_json_(text, nbytes, options, false, &powers, result);
}
