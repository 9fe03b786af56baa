/*
 * diagnostic_parse.c - diagnostic notation (RFC 8949, section 8; RFC 8610, appendix G) to CBOR: words and containers.
 *
 * One pass, no recursion. What is open stands in `levels`. The head of a container of definite length, and of a string,
 * is one byte of room until its end says what it is; a longer head moves what is behind it.
 */
#include "diagnostic_parse.h"
#include "float.h"

WCBOR_NOINLINE void wcbor_push_level_(wcbor_notation_ *p, unsigned kind, size_t start, unsigned width) {
    const wcbor_diagnostic_options *options = p->options;
    uint32_t max_depth = options->max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)options->max_depth;
    wcbor_status status = WCBOR_DEPTH_EXCEEDED;
    if (kind <= LEVEL_TAG || p->depth < max_depth)
        status = wcbor_block_grow_(&p->levels, (size_t)p->levels.count + 1, sizeof(wcbor_opened_), options->reallocate, options->context);
    if (status != WCBOR_OK) {
        wcbor_fail_parse_with_(p, status, p->next);
        return;
    }
    p->top = (wcbor_opened_ *)p->levels.items + p->levels.count++;
    *p->top = (wcbor_opened_){start, 0, (uint8_t)kind, (uint8_t)width};
    p->depth += kind > LEVEL_TAG;
    p->after_item = false;
}

/* Opens a container behind whose bracket `next` is. */
WCBOR_NOINLINE static void open(wcbor_notation_ *p, unsigned kind, unsigned major) {
    size_t start = p->out.nbytes;
    unsigned width = kind == LEVEL_EMBEDDED ? WIDTH_AUTO : wcbor_take_width_(p);
    if (kind == LEVEL_CHUNKS && width != WIDTH_INDEFINITE) wcbor_fail_parse_(p);
    wcbor_output_byte_(&p->out, major | WCBOR_INDEFINITE);
    wcbor_push_level_(p, kind, start, width);
}

/* The end of what is open; `next` is behind its bracket. */
static void close(wcbor_notation_ *p) {
    wcbor_opened_ closed = *p->top;
    unsigned width = closed.width, major = closed.kind == LEVEL_MAP ? WCBOR_MAP : WCBOR_ARRAY;
    size_t count = closed.kind == LEVEL_MAP ? closed.count / 2 : closed.count;
    p->levels.count--;
    p->top--;
    if (closed.kind == LEVEL_TAG) return;
    p->depth--;
    if (closed.kind == LEVEL_EMBEDDED) {
        width = wcbor_take_width_(p);
        major = WCBOR_BYTES;
        count = p->out.nbytes - closed.start - 1;
        if (width == WIDTH_INDEFINITE) wcbor_fail_parse_(p);
    }
    if (width == WIDTH_INDEFINITE) wcbor_output_byte_(&p->out, WCBOR_BREAK);
    else wcbor_set_head_(p, closed.start, major, count, width);
}

static void take_name(wcbor_notation_ *p) {
    static const char names[] = "false\0true\0null\0undefined\0NaN\0Infinity\0simple(\0float'";
    const char *name = names;
    unsigned index = 0;
    while (index < 8 && !wcbor_take_word_(p, name)) {
        while (*name++ != 0) {}
        index++;
    }
    size_t start = p->out.nbytes;
    wcbor_big_ number;
    uint64_t value;
    switch (index) {
    case 4: wcbor_add_float_(p, wcbor_double_value_(UINT64_C(0x7ff8) << 48), false); return;
    case 5: wcbor_add_float_(p, wcbor_double_value_(UINT64_C(0x7ff) << 52), false); return;
    case 6:
        wcbor_skip_blanks_(p, false, true);
        wcbor_take_whole_(p, 10, &number);
        value = wcbor_big_low_(&number);
        if (value > 255 || number.count > 1 || value - 24 < 8) wcbor_fail_parse_(p);
        wcbor_skip_blanks_(p, false, true);
        wcbor_expect_(p, ')');
        wcbor_add_head_(p, WCBOR_SIMPLE, value, WIDTH_AUTO);
        return;
    case 7:
        /* A float by its bits. */
        wcbor_output_byte_(&p->out, 0);
        wcbor_take_string_digits_(p, BASE_16);
        size_t nbytes = p->out.nbytes - start - 1;
        if (nbytes != 2 && nbytes != 4 && nbytes != 8) wcbor_fail_parse_(p);
        if (!p->out.failed) p->out.bytes[start] = (uint8_t)(nbytes == 2 ? 0xf9 : nbytes == 4 ? 0xfa : 0xfb);
        return;
    case 8: wcbor_fail_parse_(p); return;
    default: wcbor_output_byte_(&p->out, WCBOR_SIMPLE | (20 + index));
    }
}

/* What an item begins with. */
static void take_item(wcbor_notation_ *p) {
    const uint8_t *start = p->next;
    unsigned prefix = wcbor_take_prefix_(p), letter = wcbor_peek_(p) | 0x20;
    wcbor_opened_ *top = p->top;
    if (top->kind == LEVEL_CHUNKS) {
        /* The first says of which kind the string is. */
        uint8_t initial = (prefix == '"' ? WCBOR_TEXT : WCBOR_BYTES) | WCBOR_INDEFINITE;
        if (p->out.failed) return;
        if (top->count == 0) p->out.bytes[top->start] = initial;
        if (prefix == 0 || p->out.bytes[top->start] != initial) wcbor_fail_parse_with_(p, WCBOR_INVALID_DIAGNOSTIC, start);
    }
    uint32_t levels = p->levels.count;
    if (prefix != 0) wcbor_take_string_(p, prefix, start);
    else if (wcbor_take_word_(p, "<<")) open(p, LEVEL_EMBEDDED, 0);
    else if (wcbor_take_(p, '[')) open(p, LEVEL_ARRAY, WCBOR_ARRAY);
    else if (wcbor_take_(p, '{')) open(p, LEVEL_MAP, WCBOR_MAP);
    else if (wcbor_take_(p, '(')) open(p, LEVEL_CHUNKS, 0);
    else if (letter - 'a' < 26) take_name(p);
    else wcbor_take_number_(p);
    if (p->levels.count != levels) return;
    p->top->count++;
    p->after_item = true;
}

/* Takes the bracket that ends what is open, if it stands here and may. */
static bool take_end(wcbor_notation_ *p) {
    const wcbor_opened_ *top = p->top;
    switch (top->kind) {
    case LEVEL_TAG: return top->count == 1 && wcbor_take_(p, ')');
    case LEVEL_ARRAY: return wcbor_take_(p, ']');
    case LEVEL_MAP: return (top->count & 1) == 0 && wcbor_take_(p, '}');
    case LEVEL_CHUNKS: return top->count != 0 && wcbor_take_(p, ')');
    case LEVEL_EMBEDDED: return wcbor_take_word_(p, ">>");
    default: return false;
    }
}

/* One bracket, comma, colon or item. False at the end. */
static bool step(wcbor_notation_ *p) {
    const uint8_t *start = p->next;
    wcbor_skip_blanks_(p, false, true);
    wcbor_opened_ *top = p->top;
    bool sequence = p->options->sequence, is_key = top->kind == LEVEL_MAP && (top->count & 1) != 0;
    if (p->status != WCBOR_OK || p->out.failed) return false;
    if (p->next == p->end && top->kind == LEVEL_TOP && (top->count != 0 || sequence)) return false;
    if (take_end(p)) {
        close(p);
        p->top->count++;
        p->after_item = true;
    } else if (!p->after_item) {
        take_item(p);
    } else {
        /* Commas may be left out where there is something else between two items. */
        bool is_single = top->kind == LEVEL_TAG || (top->kind == LEVEL_TOP && !sequence);
        if (is_single || (!wcbor_take_(p, is_key ? ':' : ',') && (is_key || start == p->next))) wcbor_fail_parse_(p);
        p->after_item = false;
    }
    return true;
}

wcbor_status wcbor_parse_diagnostic(const char *text, size_t nbytes, const wcbor_diagnostic_options *options,
                                    wcbor_buffer *result) {
    wcbor_notation_ p;
    memset(&p, 0, sizeof p);
    p.options = options;
    p.fault = p.next = (const uint8_t *)text;
    p.end = nbytes == 0 ? p.next : p.next + nbytes;
    p.out.reallocate = options->reallocate;
    p.out.context = options->context;
    wcbor_push_level_(&p, LEVEL_TOP, 0, 0);
    while (p.status == WCBOR_OK && step(&p)) {}
    wcbor_block_free_(&p.levels, options->reallocate, options->context);
    if (p.powers != NULL) options->reallocate(options->context, p.powers, 0);
    if (p.out.failed) p.status = WCBOR_OUT_OF_MEMORY;
    if (p.status != WCBOR_OK) wcbor_output_free_(&p.out);
    *result = (wcbor_buffer){p.out.bytes, p.out.nbytes, (size_t)(p.fault - (const uint8_t *)text)};
    return p.status;
}
