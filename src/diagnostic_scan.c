/* diagnostic_scan.c - diagnostic notation to CBOR: characters, comments, digits and heads. */
#include "diagnostic_parse.h"
#include "head.h"

WCBOR_NOINLINE void wcbor_fail_parse_with_(wcbor_notation_ *p, wcbor_status status, const uint8_t *at) {
    if (p->status == WCBOR_OK) {
        p->status = status;
        p->fault = at;
    }
    p->next = p->end;
}

WCBOR_NOINLINE void wcbor_fail_parse_(wcbor_notation_ *p) {
    wcbor_fail_parse_with_(p, WCBOR_INVALID_DIAGNOSTIC, p->next);
}

WCBOR_NOINLINE unsigned wcbor_peek_(const wcbor_notation_ *p) {
    return p->next < p->end ? *p->next : 0;
}

WCBOR_NOINLINE bool wcbor_take_(wcbor_notation_ *p, unsigned character) {
    if (wcbor_peek_(p) != character) return false;
    p->next++;
    return true;
}

WCBOR_NOINLINE bool wcbor_take_word_(wcbor_notation_ *p, const char *word) {
    const uint8_t *start = p->next;
    for (; *word != 0; word++) {
        if (wcbor_take_(p, (uint8_t)*word)) continue;
        p->next = start;
        return false;
    }
    return true;
}

WCBOR_NOINLINE void wcbor_expect_(wcbor_notation_ *p, unsigned character) {
    if (!wcbor_take_(p, character)) wcbor_fail_parse_(p);
}

/* ---------------------------------------------------------------------------------------------- blanks and comments */

WCBOR_NOINLINE void wcbor_skip_blanks_(wcbor_notation_ *p, bool quoted, bool slashes) {
    const uint8_t *start = NULL; /* of the comment that this is in */
    unsigned end = 0, before = 0;
    for (; p->next < p->end; p->next++) {
        unsigned character = *p->next;
        if (start != NULL) {
            if (quoted && character == '\'') break;
            if (quoted && character == '\\' && p->next + 1 < p->end) p->next++;
            if (p->next == start + 1 && *start == '/' && (character == '/' || character == '*')) {
                end = character == '/' ? '\n' : '*';
                before = 0;
                continue;
            }
            if (end == '*' ? character == '/' && before == '*' : character == end) start = NULL;
            before = character;
        } else if (character == '#' || (character == '/' && slashes)) {
            start = p->next;
            end = character == '#' ? '\n' : '/';
        } else if (character != ' ' && (character < '\t' || character > '\r')) {
            return;
        }
    }
    if (start != NULL && end != '\n') wcbor_fail_parse_with_(p, WCBOR_INVALID_DIAGNOSTIC, start);
}

/* -------------------------------------------------------------------------------------------- digits, heads */

WCBOR_NOINLINE unsigned wcbor_digit_value_(unsigned character, unsigned base) {
    unsigned digit = character - '0', letter = (character | 0x20) - 'a';
    if (base == BASE_64) {
        if (character == '+' || character == '-') return 62;
        if (character == '/' || character == '_') return 63;
        return digit < 10 ? digit + 52 : letter < 26 ? letter + (character < 'a' ? 0 : 26) : 64;
    }
    if (base == BASE_32) return digit - 2 < 6 ? digit + 24 : letter < 26 ? letter : 64;
    if (base == BASE_32_HEX) base = 32;
    if (digit >= 10) digit = letter < 26 ? letter + 10 : 64;
    return digit < base ? digit : 64;
}

WCBOR_NOINLINE unsigned wcbor_take_width_(wcbor_notation_ *p) {
    if (!wcbor_take_(p, '_')) return WIDTH_AUTO;
    if (wcbor_take_(p, 'i')) return WIDTH_IMMEDIATE;
    unsigned width = wcbor_peek_(p) - '0';
    if (width <= 3) p->next++;
    else width = WIDTH_INDEFINITE;
    /* No letter or digit of what follows. */
    if (width == WIDTH_INDEFINITE && wcbor_digit_value_(wcbor_peek_(p), BASE_64) < 62) wcbor_fail_parse_(p);
    return width;
}

WCBOR_NOINLINE void wcbor_set_head_(wcbor_notation_ *p, size_t start, unsigned major, uint64_t argument, unsigned width) {
    uint8_t head[WCBOR_HEAD_MAX];
    size_t nbytes = 1, content = p->out.nbytes - start - 1;
    bool fits = argument < 24 && width == WIDTH_IMMEDIATE;
    if (width == WIDTH_AUTO) {
        nbytes = (size_t)(wcbor_put_head_(head, major, argument) - head);
        fits = true;
    } else {
        head[0] = (uint8_t)(major | argument);
        if (width <= 3) {
            unsigned bytes = 1u << width;
            nbytes = 1 + bytes;
            fits = width == 3 || argument >> 8 * bytes == 0;
            head[0] = (uint8_t)(major | (24 + width));
            for (uint64_t rest = argument; bytes != 0; rest >>= 8) head[bytes--] = (uint8_t)rest;
        }
    }
    if (!fits) wcbor_fail_parse_(p);
    if (nbytes > 1) (void)wcbor_output_add_(&p->out, nbytes - 1);
    if (p->out.failed) return;
    uint8_t *to = p->out.bytes + start;
    memmove(to + nbytes, to + 1, content);
    memcpy(to, head, nbytes);
}

WCBOR_NOINLINE void wcbor_add_head_(wcbor_notation_ *p, unsigned major, uint64_t argument, unsigned width) {
    size_t start = p->out.nbytes;
    wcbor_output_byte_(&p->out, 0);
    wcbor_set_head_(p, start, major, argument, width);
}
