/*
 * json_forms.c - what surrounds the loop over the items, and what JSON has no form of its own for. See json_write.h.
 */
#include "json.h"
#include "json_write.h"

#include "big.h"
#include "block.h"

WCBOR_COLD wcbor_status wcbor_grow_json_(wcbor_writing_ *w, size_t nbytes) {
    size_t used = (size_t)(w->to - w->out), size = (size_t)(w->limit - w->out);
    if (w->options->max_nbytes != 0 && used > w->options->max_nbytes) return WCBOR_LIMIT_EXCEEDED;
    if (nbytes > PTRDIFF_MAX / 2 - used || w->options->reallocate == NULL) return WCBOR_OUT_OF_MEMORY;
    size = size > PTRDIFF_MAX / 2 || size * 2 < used + nbytes ? used + nbytes : size * 2;
    uint8_t *out = w->options->reallocate(w->options->context, w->out, size);
    if (out == NULL) return WCBOR_OUT_OF_MEMORY;
    w->out = out;
    w->to = out + used;
    w->limit = out + size;
    return WCBOR_OK;
}

wcbor_head_ wcbor_long_json_head_(const wcbor_writing_ *w, const uint8_t *next) {
    wcbor_head_ head = {0, 1};
    (void)wcbor_get_head_(next, w->end, &head);
    return head;
}

void wcbor_put_json_escape_(wcbor_writing_ *w, uint8_t character) {
    static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    uint8_t *to = w->to;
    *to++ = '\\';
    for (const char *at = shorts; *at != 0; at += 2) {
        if ((uint8_t)*at != character) continue;
        *to++ = (uint8_t)at[1];
        w->to = to;
        return;
    }
    memcpy(to, "u00", 3);
    to[3] = (uint8_t)('0' + (character >> 4));
    to[4] = (uint8_t)"0123456789abcdef"[character & 15];
    w->to = to + 5;
}

/* ------------------------------------------------------------------------------------------------- byte strings */

/* The digits of base 64 (RFC 4648, sections 4 and 5). There is room for them. */
static uint8_t *put_base64(uint8_t *to, const uint8_t *bytes, size_t nbytes, bool is_url) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
    for (size_t at = 0; at < nbytes; at += 3) {
        uint32_t group = (uint32_t)bytes[at] << 16;
        if (at + 1 < nbytes) group |= (uint32_t)bytes[at + 1] << 8;
        if (at + 2 < nbytes) group |= bytes[at + 2];
        unsigned count = nbytes - at < 3 ? (unsigned)(nbytes - at) + 1 : 4;
        for (unsigned i = 0; i < 4; i++, group <<= 6) {
            unsigned digit = group >> 18 & 63;
            if (i < count) *to++ = (uint8_t)letters[digit + (is_url && digit > 61 ? 2 : 0)];
            else if (!is_url) *to++ = '=';
        }
    }
    return to;
}

static uint8_t *put_hex(uint8_t *to, const uint8_t *bytes, size_t nbytes) {
    for (size_t i = 0; i < nbytes; i++) {
        *to++ = (uint8_t)"0123456789ABCDEF"[bytes[i] >> 4];
        *to++ = (uint8_t)"0123456789ABCDEF"[bytes[i] & 15];
    }
    return to;
}

/* All digits of the number that the bytes are, or of -1 minus it. */
static wcbor_status put_bignum(wcbor_writing_ *w, bool negative, const uint8_t *bytes, size_t nbytes) {
    while (nbytes > 0 && *bytes == 0) {
        bytes++;
        nbytes--;
    }
    wcbor_big_ big = {0, {0}};
    /* Any of fewer than 1,700 bytes has fewer than 4,096 digits. */
    if (nbytes > 1700) return WCBOR_LIMIT_EXCEEDED;
    for (; nbytes > 0; nbytes--) wcbor_big_multiply_(&big, 256, *bytes++);
    if (negative) wcbor_big_multiply_(&big, 1, 1);
    uint32_t pieces[WCBOR_BIG_DIGITS / 9 + 1];
    size_t count = 0;
    do pieces[count++] = wcbor_big_divide_(&big, 1000000000);
    while (big.count > 0);
    wcbor_status status = wcbor_room_json_(w, count * 9 + JSON_SCALAR_ROOM);
    if (status != WCBOR_OK) return status;
    if (negative) *w->to++ = '-';
    w->to = wcbor_put_integer_(w->to, pieces[--count]);
    while (count-- > 0) {
        /* With the zeros that it begins with: a digit more goes in front, and is overwritten. */
        uint8_t before = w->to[-1];
        w->to = wcbor_put_integer_(w->to - 1, UINT64_C(1000000000) + pieces[count]);
        w->to[-10] = before;
    }
    return WCBOR_OK;
}

wcbor_status wcbor_put_json_bytes_(wcbor_writing_ *w, uint64_t tag, unsigned form) {
    bool is_bignum = tag == 2 || tag == 3;
    if (is_bignum ? w->options->bignums == WCBOR_JSON_BIGNUMS_ERROR : form == WCBOR_JSON_BYTES_ERROR) return WCBOR_NOT_IN_JSON;
    bool is_chunked = *w->next == (WCBOR_BYTES | WCBOR_INDEFINITE);
    wcbor_head_ head = wcbor_json_head_(w, w->next);
    size_t nbytes = (size_t)head.argument;
    const uint8_t *bytes, *next = w->next + 1;
    if (is_chunked) {
        for (nbytes = 0; *next != WCBOR_BREAK; next += head.nbytes + head.argument) {
            head = wcbor_json_head_(w, next);
            nbytes += (size_t)head.argument;
        }
        next = w->next + 1;
    }
    wcbor_status status = nbytes > PTRDIFF_MAX / 8 ? WCBOR_OUT_OF_MEMORY : wcbor_room_json_(w, nbytes * 3 + JSON_SCALAR_ROOM);
    if (status != WCBOR_OK) return status;
    if (is_chunked) {
        /* Joined where the room ends: what they become does not reach so far. */
        uint8_t *joined = w->limit - nbytes;
        bytes = joined;
        while (*next != WCBOR_BREAK) {
            head = wcbor_json_head_(w, next);
            memcpy(joined, next + head.nbytes, (size_t)head.argument);
            joined += head.argument;
            next += head.nbytes + head.argument;
        }
        w->next = next + 1;
    } else {
        bytes = w->next + head.nbytes;
        w->next = bytes + nbytes;
    }
    bool in_quotes = !is_bignum || w->options->bignums != WCBOR_JSON_BIGNUMS_NUMBER;
    if (in_quotes) *w->to++ = '"';
    if (is_bignum && w->options->bignums != WCBOR_JSON_BIGNUMS_BASE64URL) {
        status = put_bignum(w, tag == 3, bytes, nbytes);
    } else if (!is_bignum && form == WCBOR_JSON_BYTES_HEX) {
        w->to = put_hex(w->to, bytes, nbytes);
    } else {
        if (tag == 3) *w->to++ = '~';
        w->to = put_base64(w->to, bytes, nbytes, is_bignum || form == WCBOR_JSON_BYTES_BASE64URL);
    }
    if (in_quotes) *w->to++ = '"';
    return status;
}

/* ------------------------------------------------------------------------------------------------------ documents */

wcbor_status wcbor_write_json_(const void *bytes, size_t nbytes, const wcbor_json_options *options, wcbor_powers_ *powers,
                               wcbor_buffer *result) {
    static const wcbor_json_options defaults = WCBOR_JSON_OPTIONS_DEFAULT;
    if (options == NULL) options = &defaults;
    *result = (wcbor_buffer){NULL, 0, 0};
    if ((unsigned)options->bytes > WCBOR_JSON_BYTES_ERROR || (unsigned)options->bignums > WCBOR_JSON_BIGNUMS_ERROR
        || (unsigned)options->keys > WCBOR_JSON_KEYS_STRING)
        return WCBOR_OPTION_OUT_OF_RANGE;
    if (options->max_nbytes != 0 && nbytes > options->max_nbytes) return WCBOR_LIMIT_EXCEEDED;
    wcbor_reader_options rules = {options->mode, false, false, options->max_depth, options->reallocate, options->context,
                                  options->seed};
    wcbor_status status = wcbor_validate(bytes, nbytes, &rules, &result->offset, NULL);
    if (status == WCBOR_OK && result->offset != nbytes) status = WCBOR_TRAILING_BYTES;
    if (status != WCBOR_OK) return status;

    wcbor_writing_ w = {.bytes = bytes, .next = bytes, .options = options, .powers = powers};
    w.end = w.next + nbytes;
    w.keys.reallocate = options->reallocate;
    w.keys.context = options->context;
    w.keys.seed = options->seed;
    status = wcbor_grow_json_(&w, nbytes + nbytes / 4 + JSON_SCALAR_ROOM);
    if (status == WCBOR_OK) status = wcbor_put_json_(&w);
    result->offset = (size_t)(w.next - w.bytes);
    result->bytes = w.out;
    result->nbytes = (size_t)(w.to - w.out);
    if (status == WCBOR_OK && options->max_nbytes != 0 && result->nbytes > options->max_nbytes) status = WCBOR_LIMIT_EXCEEDED;
    if (status != WCBOR_OK && w.out != NULL) {
        options->reallocate(options->context, w.out, 0);
        result->bytes = NULL;
        result->nbytes = 0;
    }
    wcbor_block_free_(&w.levels, options->reallocate, options->context);
    wcbor_block_free_(&w.keys.records, options->reallocate, options->context);
    wcbor_block_free_(&w.keys.maps, options->reallocate, options->context);
    wcbor_block_free_(&w.keys.slots, options->reallocate, options->context);
    return status;
}

wcbor_status wcbor_cbor_to_json(const void *bytes, size_t nbytes, const wcbor_json_options *options, wcbor_buffer *result) {
    wcbor_powers_ powers;
    memset(powers.known, 0, sizeof powers.known);
    return wcbor_write_json_(bytes, nbytes, options, &powers, result);
}
