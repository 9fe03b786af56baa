/* diagnostic_strings.c - diagnostic notation to CBOR: strings. */
#include "diagnostic_parse.h"
#include "utf8.h"

void wcbor_take_string_digits_(wcbor_notation_ *p, unsigned base) {
    unsigned bits = base == BASE_16 ? 4 : base == BASE_64 ? 6 : 5, quantum = bits == 5 ? 8 : 4;
    unsigned buffer = 0, count = 0, digits = 0, padding = 0;
    for (;;) {
        wcbor_skip_blanks_(p, true, base != BASE_64);
        unsigned character = wcbor_peek_(p), value = wcbor_digit_value_(character, base);
        if (padding != 0 || value >= 64) {
            if (character != '=' || bits == 4) break;
            padding++;
        } else {
            buffer = buffer << bits | value;
            count += bits;
            digits++;
            if (count >= 8) {
                count -= 8;
                wcbor_output_byte_(&p->out, buffer >> count);
                buffer &= (1u << count) - 1;
            }
        }
        p->next++;
    }
    /* What is left over is less than a digit, and zero. */
    if (count >= bits || buffer != 0 || padding >= quantum || (padding != 0 && (digits + padding) % quantum != 0)) wcbor_fail_parse_(p);
    wcbor_expect_(p, '\'');
}

/* A number of `count` digits of base 16, or of any count up to a brace. */
WCBOR_NOINLINE static uint32_t take_code(wcbor_notation_ *p) {
    uint32_t code = 0, count = 0;
    bool braced = wcbor_take_(p, '{');
    for (;; count++) {
        if (braced ? wcbor_peek_(p) == '}' && count != 0 : count == 4) break;
        unsigned value = wcbor_digit_value_(wcbor_peek_(p), BASE_16);
        if (value >= 64 || code > 0x10ffff) {
            wcbor_fail_parse_(p);
            break;
        }
        p->next++;
        code = code << 4 | value;
    }
    if (braced) wcbor_expect_(p, '}');
    return code;
}

/* What follows \u: four digits, a pair of surrogates of four each, or any number of digits in braces. */
static void take_code_point(wcbor_notation_ *p, unsigned quote) {
    const uint8_t *start = p->next;
    uint32_t code = take_code(p);
    if (code >= 0xd800 && code < 0xdc00 && wcbor_take_word_(p, "\\u")) {
        uint32_t low = take_code(p) - 0xdc00;
        code = low < 0x400 ? 0x10000 + ((code - 0xd800) << 10) + low : 0xd800;
    }
    bool plain = code >= 0x20 && code < 0x7f && quote == '\'';
    if (plain || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) wcbor_fail_parse_with_(p, WCBOR_INVALID_DIAGNOSTIC, start);
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    wcbor_output_byte_(&p->out, (more == 0 ? 0 : 0xf00u >> (more + 1)) | code >> 6 * more);
    while (more-- != 0) wcbor_output_byte_(&p->out, 0x80 | (code >> 6 * more & 0x3f));
}

/* Text up to the quote. Carriage returns do not count, line feeds do. */
static void take_quoted(wcbor_notation_ *p, unsigned quote) {
    static const char letters[] = "bfnrt/\\\"'", values[] = "\b\f\n\r\t/\\\"'";
    while (!wcbor_take_(p, quote)) {
        if (wcbor_take_(p, '\r')) continue;
        unsigned character = wcbor_peek_(p);
        if (character < 0x20 && character != '\n') {
            wcbor_fail_parse_(p);
            return;
        }
        p->next++;
        if (character == '\\') {
            unsigned at = 0, letter = wcbor_peek_(p);
            if (wcbor_take_(p, 'u')) {
                take_code_point(p, quote);
                continue;
            }
            while (at < sizeof letters - 1 && (uint8_t)letters[at] != letter) at++;
            if (at == sizeof letters - 1 || (letter == '\'' && letter != quote)) {
                wcbor_fail_parse_(p);
                return;
            }
            character = (uint8_t)values[at];
            p->next++;
        }
        wcbor_output_byte_(&p->out, character);
    }
}

unsigned wcbor_take_prefix_(wcbor_notation_ *p) {
    if (wcbor_take_(p, '"')) return '"';
    if (wcbor_take_(p, '\'')) return '\'';
    if (wcbor_take_word_(p, "h'")) return BASE_16;
    if (wcbor_take_word_(p, "b64'")) return BASE_64;
    if (wcbor_take_word_(p, "b32'")) return BASE_32;
    return wcbor_take_word_(p, "h32'") ? BASE_32_HEX : 0;
}

/* In a chunked string only a + between two makes them one. */
void wcbor_take_string_(wcbor_notation_ *p, unsigned prefix, const uint8_t *first) {
    unsigned major = prefix == '"' ? WCBOR_TEXT : WCBOR_BYTES, width;
    size_t start = p->out.nbytes;
    wcbor_output_byte_(&p->out, 0);
    for (;;) {
        if (prefix == '"' || prefix == '\'') take_quoted(p, prefix);
        else wcbor_take_string_digits_(p, prefix);
        width = wcbor_take_width_(p);
        const uint8_t *end = p->next;
        if (width != WIDTH_AUTO) break;
        wcbor_skip_blanks_(p, false, true);
        bool plus = wcbor_take_(p, '+');
        if (plus) wcbor_skip_blanks_(p, false, true);
        prefix = plus || p->top->kind != LEVEL_CHUNKS ? wcbor_take_prefix_(p) : 0;
        if (prefix == 0 && plus) wcbor_fail_parse_(p);
        if (prefix == '"' && major == WCBOR_BYTES) wcbor_fail_parse_(p);
        if (p->status != WCBOR_OK) return;
        if (prefix == 0) {
            p->next = end;
            break;
        }
    }
    if (p->out.failed) return;
    const uint8_t *content = p->out.bytes + start + 1;
    size_t nbytes = p->out.nbytes - start - 1;
    if (major == WCBOR_TEXT && wcbor_utf8_valid_((const char *)content, nbytes) != nbytes)
        wcbor_fail_parse_with_(p, WCBOR_INVALID_DIAGNOSTIC, first);
    if (width == WIDTH_INDEFINITE) {
        if (nbytes != 0 || p->top->kind == LEVEL_CHUNKS) wcbor_fail_parse_(p);
        p->out.bytes[start] = (uint8_t)(major | WCBOR_INDEFINITE);
        wcbor_output_byte_(&p->out, WCBOR_BREAK);
        return;
    }
    wcbor_set_head_(p, start, major, nbytes, width);
}
