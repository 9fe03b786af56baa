/*
 * diagnostic.c - CBOR to diagnostic notation (RFC 8949, section 8; RFC 8610, appendix G).
 *
 * A walk over the items, each of which is printed as it comes. What has to be known of the containers around is in the
 * walk; here there is only the depth of the lines.
 */
#include "big.h"
#include "decimal.h"
#include "float.h"
#include "output.h"
#include "utf8.h"

enum {
    MAX_INDENT = 80, /* deeper lines are not indented further, so that the text stays in proportion to the bytes */
    MAX_BIGNUM_NBYTES = 255 /* longer ones, which take too long to print in decimal, are shown as what they are encoded as */
};

enum { BIGNUM_GROUPS = MAX_BIGNUM_NBYTES * 8 / 29 + 1 }; /* of nine decimal digits, which are more than 29 bits */

typedef struct printer {
    const wcbor_diagnostic_options *options;
    wcbor_powers_ *powers; /* from the first number that needs them */
    wcbor_items items;
    wcbor_output_ out;
    uint32_t level; /* open brackets */
    wcbor_status fault;
    size_t fault_offset;
} printer;

static void put_char(printer *p, unsigned character) {
    wcbor_output_byte_(&p->out, character);
}

WCBOR_NOINLINE static void put(printer *p, const char *text) {
    for (; *text != 0; text++) put_char(p, (uint8_t)*text);
}

WCBOR_NOINLINE static void put_hex(printer *p, const uint8_t *bytes, size_t nbytes) {
    for (size_t i = 0; i < nbytes; i++)
        for (int shift = 4; shift >= 0; shift -= 4) put_char(p, (uint8_t)"0123456789abcdef"[bytes[i] >> shift & 15]);
}

/* A new line, where there are lines; else a space, unless `tight`. */
static void put_break(printer *p, bool tight) {
    uint32_t indent = p->options->indent, columns = MAX_INDENT;
    if (indent == 0) {
        if (!tight) put_char(p, ' ');
        return;
    }
    if (p->out.nbytes != 0 && p->out.bytes[p->out.nbytes - 1] == ' ') p->out.nbytes--;
    put_char(p, '\n');
    if (p->level < MAX_INDENT / indent) columns = p->level * indent;
    uint8_t *to = wcbor_output_add_(&p->out, columns);
    if (to != NULL) memset(to, ' ', columns);
}

/* Notes a fault, if it is the first, and shows it as a comment. */
static void mark(printer *p, wcbor_status fault, size_t offset) {
    offset += p->options->offset;
    if (p->fault == WCBOR_OK) {
        p->fault = fault;
        p->fault_offset = offset;
    }
    put(p, "/ ERR_CBOR_");
    put(p, wcbor_status_name(fault));
    put(p, " at ");
    wcbor_output_decimal_(&p->out, offset);
    put(p, " /");
}

/* ---------------------------------------------------------------------------------------------- encoding indicators */

/* RFC 8949, section 8.1: how wide the argument is, where the head is not the shortest. */
static bool put_indicator(printer *p, const wcbor_item *item) {
    wcbor_indicators indicators = p->options->indicators;
    bool is_preferred = item->head_nbytes == wcbor_head_nbytes_(item->argument);
    if (indicators == WCBOR_INDICATORS_NEVER || (is_preferred && indicators != WCBOR_INDICATORS_ALWAYS)) return false;
    unsigned information = item->initial & 0x1fu;
    put_char(p, '_');
    put_char(p, information < 24 ? 'i' : '0' + (information - 24));
    return true;
}

/* --------------------------------------------------------------------------------------------------------- numbers */

static void put_negative(printer *p, uint64_t argument) {
    if (argument == UINT64_MAX) {
        put(p, "-18446744073709551616");
        return;
    }
    put_char(p, '-');
    wcbor_output_decimal_(&p->out, argument + 1);
}

/* Whether a NaN is the one that "NaN" stands for. */
static bool is_plain_nan(unsigned information, uint64_t bits) {
    return information == 25 ? bits == 0x7e00 : information == 26 ? bits == 0x7fc00000u : bits == UINT64_C(0x7ff8) << 48;
}

static void put_finite(printer *p, double value) {
    const wcbor_diagnostic_options *options = p->options;
    uint8_t text[WCBOR_DOUBLE_ROOM];
    if (p->powers == NULL) {
        p->powers = options->reallocate(options->context, NULL, sizeof *p->powers);
        if (p->powers == NULL) {
            p->out.failed = true;
            return;
        }
        memset(p->powers->known, 0, sizeof p->powers->known);
    }
    const uint8_t *end = wcbor_put_double_(text, value, p->powers);
    bool has_point = false;
    /* What has no fraction gets one, for it is no integer; RFC 8949 has 1.0e+300 too. */
    for (const uint8_t *next = text; next < end; next++) {
        has_point = has_point || *next == '.';
        if (*next == 'e' && !has_point) put(p, ".0");
        has_point = has_point || *next == 'e';
        put_char(p, *next);
    }
    if (!has_point) put(p, ".0");
}

static void put_float(printer *p, const wcbor_item *item, const uint8_t *argument) {
    unsigned information = item->initial & 0x1fu;
    wcbor_indicators indicators = p->options->indicators;
    double value = wcbor_float_value_(information, item->argument);
    if (value != value && indicators != WCBOR_INDICATORS_NEVER && !is_plain_nan(information, item->argument)) {
        put(p, "float'");
        put_hex(p, argument, item->head_nbytes - 1);
        put_char(p, '\'');
        return;
    }
    if (value != value) {
        put(p, "NaN");
    } else if (!wcbor_is_finite_(value)) {
        put(p, value < 0 ? "-Infinity" : "Infinity");
    } else {
        put_finite(p, value);
    }
    if (indicators == WCBOR_INDICATORS_ALWAYS || (indicators == WCBOR_INDICATORS_AUTO && information != wcbor_float_information_(value))) {
        put_char(p, '_');
        put_char(p, '1' + (information - 25));
    }
}

static void put_simple(printer *p, const wcbor_item *item, const uint8_t *argument) {
    static const char *const names[] = {"false", "true", "null", "undefined"};
    unsigned information = item->initial & 0x1fu;
    if (information > 24) {
        put_float(p, item, argument);
    } else if (item->argument >= 20 && item->argument < 24) {
        put(p, names[item->argument - 20]);
    } else {
        put(p, "simple(");
        wcbor_output_decimal_(&p->out, item->argument);
        put_char(p, ')');
    }
}

/* The number in `bytes`, plus `addend`, in decimal. */
static void put_magnitude(printer *p, const uint8_t *bytes, size_t nbytes, uint32_t addend) {
    uint32_t groups[BIGNUM_GROUPS], count = 0;
    wcbor_big_ big = {.count = 0};
    for (size_t i = 0; i < nbytes; i++) wcbor_big_multiply_(&big, 256, bytes[i] + (i + 1 == nbytes ? addend : 0));
    while (big.count != 0) groups[count++] = wcbor_big_divide_(&big, 1000000000);
    wcbor_output_decimal_(&p->out, groups[--count]);
    while (count != 0) {
        uint32_t group = groups[--count];
        for (uint32_t unit = 100000000; unit != 0; unit /= 10) put_char(p, '0' + group / unit % 10);
    }
}

/*
 * A bignum as the number that it is, if it is one that the notation's reader writes like this: tag 2 or 3 has been read,
 * and the string is long enough, without leading zeros, and no head longer than need be. Reads the string too.
 */
static bool put_bignum(printer *p, wcbor_item *item) {
    const uint8_t *next = p->items.next;
    size_t left = (size_t)(p->items.end - next), head_nbytes = 1, nbytes;
    bool negative = item->initial == (WCBOR_TAG | 3);
    if ((item->initial != (WCBOR_TAG | 2) && !negative) || p->options->indicators == WCBOR_INDICATORS_ALWAYS) return false;
    if (left < 2) return false;
    nbytes = *next - (unsigned)WCBOR_BYTES;
    if (nbytes == 24 && next[1] >= 24) {
        nbytes = next[1];
        head_nbytes = 2;
    } else if (nbytes <= 8 || nbytes >= 24) {
        return false;
    }
    if (nbytes > left - head_nbytes || next[head_nbytes] == 0) return false;
    if (negative) put_char(p, '-');
    put_magnitude(p, next + head_nbytes, nbytes, negative);
    (void)wcbor_items_next(&p->items, item);
    item->tags--;
    return true;
}

/* --------------------------------------------------------------------------------------------------------- strings */

/* The bytes at `text`, of well-formed UTF-8, that are shown by an escape: 0 or the bytes of one character. */
static size_t escaped(const uint8_t *text, size_t nbytes) {
    if (text[0] < 0x20 || text[0] == '"' || text[0] == '\\' || text[0] == 0x7f) return 1;
    if (text[0] == 0xc2 && text[1] < 0xa0) return 2;
    /* Line ends of Unicode, and marks that would show the text behind them in another order. */
    if (text[0] == 0xe2 && nbytes > 2
        && ((text[1] == 0x80 && text[2] >= 0xa8 && text[2] <= 0xae) || (text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9)))
        return 3;
    return 0;
}

static void put_escape(printer *p, const uint8_t *character, size_t nbytes) {
    static const char plain[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    unsigned code = *character, at = 0;
    if (nbytes > 1) code = nbytes == 2 ? character[1] : 0x2000 | (character[1] & 0x3fu) << 6 | (character[2] & 0x3fu);
    while (plain[at] != 0 && (uint8_t)plain[at] != code) at++;
    put_char(p, '\\');
    if (plain[at] != 0) {
        put_char(p, (uint8_t)letters[at]);
        return;
    }
    uint8_t units[2] = {(uint8_t)(code >> 8), (uint8_t)code};
    put_char(p, 'u');
    put_hex(p, units, 2);
}

/* Returns whether all of it is well-formed; what is not is shown as U+FFFD. */
static bool put_text(printer *p, const uint8_t *text, size_t nbytes) {
    bool well_formed = true;
    put_char(p, '"');
    while (nbytes != 0) {
        size_t valid = wcbor_utf8_valid_((const char *)text, nbytes);
        for (size_t at = 0; at < valid;) {
            size_t skip = escaped(text + at, valid - at);
            if (skip != 0) put_escape(p, text + at, skip);
            else put_char(p, text[at]);
            at += skip != 0 ? skip : 1;
        }
        text += valid;
        nbytes -= valid;
        if (nbytes == 0) break;
        size_t ill_formed = wcbor_utf8_ill_formed_((const char *)text, nbytes);
        put(p, "\\ufffd");
        text += ill_formed;
        nbytes -= ill_formed;
        well_formed = false;
    }
    put_char(p, '"');
    return well_formed;
}

/* ---------------------------------------------------------------------------------------------------------- items */

/* What stands between an item and what comes before it. */
static void put_separator(printer *p, const wcbor_item *item) {
    switch (item->place) {
    case WCBOR_PLACE_CONTENT: return;
    case WCBOR_PLACE_VALUE: put(p, ": "); return;
    default:
        if (!item->first) put_char(p, ',');
        if (!item->first || p->level != 0) put_break(p, item->first);
    }
}

static void put_opening(printer *p, const wcbor_item *item, const char *bracket) {
    put(p, bracket);
    p->level++;
    if ((item->initial & 0x1f) == WCBOR_INDEFINITE) {
        put(p, "_ ");
    } else if (put_indicator(p, item)) {
        put_char(p, ' ');
    }
}

static void put_end(printer *p, const wcbor_item *item) {
    p->level--;
    if (!item->first) put_break(p, true);
    switch (item->initial & WCBOR_MAJOR) {
    case WCBOR_UNSIGNED: put(p, ">>"); break;
    case WCBOR_ARRAY: put_char(p, ']'); break;
    case WCBOR_MAP: put_char(p, '}'); break;
    default: put_char(p, ')');
    }
}

static void put_string(printer *p, wcbor_item *item, unsigned major) {
    const uint8_t *payload = p->items.next - item->nbytes;
    if ((item->initial & 0x1f) == WCBOR_INDEFINITE) {
        /* One without chunks has a form of its own, for (_ ) would not say of which kind it is. */
        if (p->items.next != p->items.end && *p->items.next == WCBOR_BREAK) {
            (void)wcbor_items_next(&p->items, item);
            put(p, major == WCBOR_BYTES ? "''_" : "\"\"_");
        } else {
            put_opening(p, item, "(");
        }
        return;
    }
    bool well_formed = true;
    if (major == WCBOR_TEXT) {
        well_formed = put_text(p, payload, item->nbytes);
    } else if (p->options->embedded && item->head_nbytes == wcbor_head_nbytes_(item->argument)
               && wcbor_items_enter(&p->items, item)) {
        put(p, "<<");
        p->level++;
        return;
    } else {
        put(p, "h'");
        put_hex(p, payload, item->nbytes);
        put_char(p, '\'');
    }
    (void)put_indicator(p, item);
    if (well_formed || item->nbytes != item->argument) return;
    put_char(p, ' ');
    mark(p, WCBOR_INVALID_UTF8, item->offset);
}

static void put_item(printer *p, wcbor_item *item) {
    unsigned major = item->initial & WCBOR_MAJOR;
    if (item->place == WCBOR_PLACE_END) {
        put_end(p, item);
        return;
    }
    switch (major) {
    case WCBOR_UNSIGNED:
    case WCBOR_NEGATIVE:
        if (major == WCBOR_UNSIGNED) wcbor_output_decimal_(&p->out, item->argument);
        else put_negative(p, item->argument);
        (void)put_indicator(p, item);
        return;
    case WCBOR_BYTES:
    case WCBOR_TEXT: put_string(p, item, major); return;
    case WCBOR_ARRAY: put_opening(p, item, "["); return;
    case WCBOR_MAP: put_opening(p, item, "{"); return;
    case WCBOR_TAG:
        if (put_bignum(p, item)) return;
        wcbor_output_decimal_(&p->out, item->argument);
        (void)put_indicator(p, item);
        put_char(p, '(');
        return;
    default: put_simple(p, item, p->items.next - (item->head_nbytes - 1)); return;
    }
}

/* One step; false at the end, or at a fault that ends the text. */
static bool step(printer *p) {
    wcbor_item item;
    wcbor_status status = wcbor_items_next(&p->items, &item);
    if (status == WCBOR_NO_MORE_ITEMS) return false;
    bool is_complete = status == WCBOR_OK, is_string = (item.initial & WCBOR_MAJOR) < WCBOR_ARRAY;
    if (status == WCBOR_TRAILING_BYTES) put_char(p, ' ');
    else if (item.place != WCBOR_PLACE_END) put_separator(p, &item);
    if (is_complete || status == WCBOR_LENGTH_EXCEEDS_BUFFER) {
        put_item(p, &item);
        for (; item.tags != 0; item.tags--) put_char(p, ')');
        if (is_complete) return true;
        if (is_string) put_char(p, ' ');
    }
    if (status == WCBOR_OUT_OF_MEMORY) p->out.failed = true;
    mark(p, status, item.offset);
    if (status != WCBOR_LENGTH_EXCEEDS_BUFFER) return false;
    if (!is_string) put_char(p, ' ');
    return true;
}

wcbor_status wcbor_diagnose(const void *bytes, size_t nbytes, const wcbor_diagnostic_options *options,
                            wcbor_buffer *result) {
    printer p;
    memset(&p, 0, sizeof p);
    p.options = options;
    p.out.reallocate = options->reallocate;
    p.out.context = options->context;
    wcbor_items_init(&p.items, bytes, nbytes, options->sequence, options->max_depth, options->reallocate,
                     options->context);
    while (!p.out.failed && step(&p)) {}
    wcbor_items_free(&p.items);
    if (p.powers != NULL) options->reallocate(options->context, p.powers, 0);
    if (p.out.failed) {
        wcbor_output_free_(&p.out);
        p.fault = WCBOR_OUT_OF_MEMORY;
    }
    *result = (wcbor_buffer){p.out.bytes, p.out.nbytes, p.fault_offset};
    return p.fault;
}
