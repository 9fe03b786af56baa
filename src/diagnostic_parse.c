/*
 * diagnostic_parse.c - diagnostic notation (RFC 8949, section 8; RFC 8610, appendix G) to CBOR.
 *
 * One pass, no recursion. What is open stands in `levels`. The head of a container of definite length, and of a string,
 * is one byte of room until its end says what it is; a longer head moves what is behind it.
 *
 * A fault puts `next` to the end of the text, where nothing is found any more, so that only the outermost loop has to ask
 * whether there was one.
 */
#include "big.h"
#include "block.h"
#include "decimal.h"
#include "float.h"
#include "output.h"
#include "utf8.h"

/* What is open; the containers come last. */
enum { LEVEL_TOP, LEVEL_TAG, LEVEL_ARRAY, LEVEL_MAP, LEVEL_CHUNKS, LEVEL_EMBEDDED };

/* An encoding indicator: the width of an argument, as its additional information less 24, or one of these. */
enum { WIDTH_AUTO = 4, WIDTH_IMMEDIATE = 5, WIDTH_INDEFINITE = 6 };

/* A number in `words` has room for one more digit. */
enum { MAX_WORDS = WCBOR_BIG_WORDS - 1 };

/* The bases of digits; the two of 32 have different alphabets (RFC 4648, sections 6 and 7). */
enum { BASE_16 = 16, BASE_32 = 32, BASE_32_HEX = 33, BASE_64 = 64 };

typedef struct level {
    size_t start, count; /* where its head is; the items in it */
    uint8_t kind, width;
} level;

typedef struct parser {
    const wcbor_diagnostic_options *options;
    const uint8_t *next, *end;
    wcbor_output_ out;
    wcbor_powers_ *powers; /* from the first number that needs them */
    wcbor_block_ levels;
    level *top;
    uint32_t depth;       /* of containers: all levels but tags */
    bool after_item;      /* and no comma or colon since */
    wcbor_status status;
    const uint8_t *fault;
} parser;

WCBOR_NOINLINE static void fail_with(parser *p, wcbor_status status, const uint8_t *at) {
    if (p->status == WCBOR_OK) {
        p->status = status;
        p->fault = at;
    }
    p->next = p->end;
}

WCBOR_NOINLINE static void fail(parser *p) {
    fail_with(p, WCBOR_INVALID_DIAGNOSTIC, p->next);
}

/* The next character; 0, which means nothing anywhere, at the end. */
WCBOR_NOINLINE static unsigned peek(const parser *p) {
    return p->next < p->end ? *p->next : 0;
}

WCBOR_NOINLINE static bool take(parser *p, unsigned character) {
    if (peek(p) != character) return false;
    p->next++;
    return true;
}

/* Takes a word, if it stands here. */
WCBOR_NOINLINE static bool take_word(parser *p, const char *word) {
    const uint8_t *start = p->next;
    for (; *word != 0; word++) {
        if (take(p, (uint8_t)*word)) continue;
        p->next = start;
        return false;
    }
    return true;
}

WCBOR_NOINLINE static void expect(parser *p, unsigned character) {
    if (!take(p, character)) fail(p);
}

static void put_byte(parser *p, unsigned value) {
    wcbor_output_byte_(&p->out, value);
}

/* ---------------------------------------------------------------------------------------------- blanks and comments */

/*
 * What means nothing, comments too: up to the end of the line from # and //, else from / to / and from a slash and a star to both. In a
 * quoted string the quote ends them as well, unless a backslash is before it. In base 64 the slash is a digit.
 */
WCBOR_NOINLINE static void skip_blanks(parser *p, bool quoted, bool slashes) {
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
    if (start != NULL && end != '\n') fail_with(p, WCBOR_INVALID_DIAGNOSTIC, start);
}

/* -------------------------------------------------------------------------------------------- digits, heads */

/* What a character means as a digit; 64 and more if nothing. */
WCBOR_NOINLINE static unsigned digit_value(unsigned character, unsigned base) {
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

/* An encoding indicator, if there is one. */
WCBOR_NOINLINE static unsigned take_width(parser *p) {
    if (!take(p, '_')) return WIDTH_AUTO;
    if (take(p, 'i')) return WIDTH_IMMEDIATE;
    unsigned width = peek(p) - '0';
    if (width <= 3) p->next++;
    else width = WIDTH_INDEFINITE;
    /* No letter or digit of what follows. */
    if (width == WIDTH_INDEFINITE && digit_value(peek(p), BASE_64) < 62) fail(p);
    return width;
}

/* Puts a head in the width that is asked for over the byte at `start`. */
WCBOR_NOINLINE static void set_head(parser *p, size_t start, unsigned major, uint64_t argument, unsigned width) {
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
    if (!fits) fail(p);
    if (nbytes > 1) (void)wcbor_output_add_(&p->out, nbytes - 1);
    if (p->out.failed) return;
    uint8_t *to = p->out.bytes + start;
    memmove(to + nbytes, to + 1, content);
    memcpy(to, head, nbytes);
}

WCBOR_NOINLINE static void put_head(parser *p, unsigned major, uint64_t argument, unsigned width) {
    size_t start = p->out.nbytes;
    put_byte(p, 0);
    set_head(p, start, major, argument, width);
}

/* --------------------------------------------------------------------------------------------------------- strings */

/* The digits of a base up to the quote, as bytes. */
static void take_digits(parser *p, unsigned base) {
    unsigned bits = base == BASE_16 ? 4 : base == BASE_64 ? 6 : 5, quantum = bits == 5 ? 8 : 4;
    unsigned buffer = 0, count = 0, digits = 0, padding = 0;
    for (;;) {
        skip_blanks(p, true, base != BASE_64);
        unsigned character = peek(p), value = digit_value(character, base);
        if (padding != 0 || value >= 64) {
            if (character != '=' || bits == 4) break;
            padding++;
        } else {
            buffer = buffer << bits | value;
            count += bits;
            digits++;
            if (count >= 8) {
                count -= 8;
                put_byte(p, buffer >> count);
                buffer &= (1u << count) - 1;
            }
        }
        p->next++;
    }
    /* What is left over is less than a digit, and zero. */
    if (count >= bits || buffer != 0 || padding >= quantum || (padding != 0 && (digits + padding) % quantum != 0)) fail(p);
    expect(p, '\'');
}

/* A number of `count` digits of base 16, or of any count up to a brace. */
WCBOR_NOINLINE static uint32_t take_code(parser *p) {
    uint32_t code = 0, count = 0;
    bool braced = take(p, '{');
    for (;; count++) {
        if (braced ? peek(p) == '}' && count != 0 : count == 4) break;
        unsigned value = digit_value(peek(p), BASE_16);
        if (value >= 64 || code > 0x10ffff) {
            fail(p);
            break;
        }
        p->next++;
        code = code << 4 | value;
    }
    if (braced) expect(p, '}');
    return code;
}

/* What follows \u: four digits, a pair of surrogates of four each, or any number of digits in braces. */
static void take_code_point(parser *p, unsigned quote) {
    const uint8_t *start = p->next;
    uint32_t code = take_code(p);
    if (code >= 0xd800 && code < 0xdc00 && take_word(p, "\\u")) {
        uint32_t low = take_code(p) - 0xdc00;
        code = low < 0x400 ? 0x10000 + ((code - 0xd800) << 10) + low : 0xd800;
    }
    bool plain = code >= 0x20 && code < 0x7f && quote == '\'';
    if (plain || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) fail_with(p, WCBOR_INVALID_DIAGNOSTIC, start);
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    put_byte(p, (more == 0 ? 0 : 0xf00u >> (more + 1)) | code >> 6 * more);
    while (more-- != 0) put_byte(p, 0x80 | (code >> 6 * more & 0x3f));
}

/* Text up to the quote. Carriage returns do not count, line feeds do. */
static void take_quoted(parser *p, unsigned quote) {
    static const char letters[] = "bfnrt/\\\"'", values[] = "\b\f\n\r\t/\\\"'";
    while (!take(p, quote)) {
        if (take(p, '\r')) continue;
        unsigned character = peek(p);
        if (character < 0x20 && character != '\n') {
            fail(p);
            return;
        }
        p->next++;
        if (character == '\\') {
            unsigned at = 0, letter = peek(p);
            if (take(p, 'u')) {
                take_code_point(p, quote);
                continue;
            }
            while (at < sizeof letters - 1 && (uint8_t)letters[at] != letter) at++;
            if (at == sizeof letters - 1 || (letter == '\'' && letter != quote)) {
                fail(p);
                return;
            }
            character = (uint8_t)values[at];
            p->next++;
        }
        put_byte(p, character);
    }
}

/* What string begins here: 0 when none does, the quote of one in plain text, or the base of one in digits. */
static unsigned take_prefix(parser *p) {
    if (take(p, '"')) return '"';
    if (take(p, '\'')) return '\'';
    if (take_word(p, "h'")) return BASE_16;
    if (take_word(p, "b64'")) return BASE_64;
    if (take_word(p, "b32'")) return BASE_32;
    return take_word(p, "h32'") ? BASE_32_HEX : 0;
}

/* A string, or several that are one; `prefix` is behind us. In a chunked string only a + between two makes them one. */
static void take_string(parser *p, unsigned prefix, const uint8_t *first) {
    unsigned major = prefix == '"' ? WCBOR_TEXT : WCBOR_BYTES, width;
    size_t start = p->out.nbytes;
    put_byte(p, 0);
    for (;;) {
        if (prefix == '"' || prefix == '\'') take_quoted(p, prefix);
        else take_digits(p, prefix);
        width = take_width(p);
        const uint8_t *end = p->next;
        if (width != WIDTH_AUTO) break;
        skip_blanks(p, false, true);
        bool plus = take(p, '+');
        if (plus) skip_blanks(p, false, true);
        prefix = plus || p->top->kind != LEVEL_CHUNKS ? take_prefix(p) : 0;
        if (prefix == 0 && plus) fail(p);
        if (prefix == '"' && major == WCBOR_BYTES) fail(p);
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
        fail_with(p, WCBOR_INVALID_DIAGNOSTIC, first);
    if (width == WIDTH_INDEFINITE) {
        if (nbytes != 0 || p->top->kind == LEVEL_CHUNKS) fail(p);
        p->out.bytes[start] = (uint8_t)(major | WCBOR_INDEFINITE);
        put_byte(p, WCBOR_BREAK);
        return;
    }
    set_head(p, start, major, nbytes, width);
}

/* --------------------------------------------------------------------------------------------------------- numbers */

/* A float and its encoding indicator. */
static void put_float(parser *p, double value, bool negative) {
    unsigned width = take_width(p), information = wcbor_float_information_(value);
    bool is_nan = value != value;
    if (width <= 3) {
        if (24 + width < information) fail(p);
        information = 24 + width;
    } else if (width != WIDTH_AUTO) {
        fail(p);
    }
    if (negative) value = -value;
    /* Exact, all three; of a NaN the bits are not left to the machine. */
    uint64_t bits = is_nan ? UINT64_C(0x7ff8) << 48 : wcbor_double_bits_(value);
    if (information == 26) bits = is_nan ? 0x7fc00000u : wcbor_single_bits_((float)value);
    if (information < 26) bits = wcbor_half_from_double(value);
    put_head(p, WCBOR_SIMPLE, bits, information - 24);
}

/* The digits of a whole number. */
WCBOR_NOINLINE static void take_whole(parser *p, unsigned base, wcbor_big_ *number) {
    const uint8_t *first = p->next;
    number->count = 0;
    for (unsigned digit; (digit = digit_value(peek(p), base)) < 64 && number->count < MAX_WORDS; p->next++)
        wcbor_big_multiply_(number, base, digit);
    if (p->next == first) fail(p);
}

static uint64_t low_words(const wcbor_big_ *number) {
    uint64_t low = number->count > 0 ? number->words[0] : 0;
    return number->count > 1 ? low | (uint64_t)number->words[1] << 32 : low;
}

/* An integer and its encoding indicator: negative ones are -1 - n, and -0 is 0. */
static void put_integer(parser *p, bool negative, wcbor_big_ *number) {
    unsigned width = take_width(p);
    negative = negative && number->count != 0;
    if (negative) {
        for (uint32_t i = 0; number->words[i]-- == 0;) i++;
        if (number->words[number->count - 1] == 0) number->count--;
    }
    if (number->count <= 2) {
        put_head(p, negative ? WCBOR_NEGATIVE : WCBOR_UNSIGNED, low_words(number), width);
        return;
    }
    if (width != WIDTH_AUTO) fail(p);
    put_byte(p, WCBOR_TAG | (negative ? 3 : 2));
    size_t start = p->out.nbytes;
    put_byte(p, 0);
    for (uint32_t i = number->count * 4; i-- != 0;) {
        unsigned byte = number->words[i / 4] >> i % 4 * 8 & 0xff;
        if (byte != 0 || p->out.nbytes != start + 1) put_byte(p, byte);
    }
    set_head(p, start, WCBOR_BYTES, p->out.nbytes - start - 1, WIDTH_AUTO);
}

/*
 * What follows the whole part of a float in base 16: a fraction, and an exponent of two. All steps but the last are
 * exact, for what they begin with is 0 or from 1 up to 2^64.
 */
static double take_hex_float(parser *p, uint64_t mantissa) {
    enum { MAX_EXPONENT = 100000 };
    int32_t places = 0, exponent = 0;
    double factor = 1;
    if (take(p, '.')) {
        for (unsigned digit; (digit = digit_value(peek(p), BASE_16)) < 64; p->next++) {
            if (mantissa >> 60 != 0 || places < -MAX_EXPONENT) fail(p);
            mantissa = mantissa << 4 | digit;
            places -= 4;
        }
    }
    if (!take(p, 'P')) expect(p, 'p');
    bool minus = take(p, '-');
    if (!minus) (void)take(p, '+');
    const uint8_t *first = p->next;
    for (unsigned digit; (digit = peek(p) - '0') < 10; p->next++)
        if (exponent < MAX_EXPONENT) exponent = exponent * 10 + (int32_t)digit;
    if (p->next == first) fail(p);
    double value = (double)mantissa;
    exponent = (minus ? -exponent : exponent) + places;
    if (value == 0) return value;
    for (; exponent > 0 && wcbor_is_finite_(value); exponent--) value *= 2;
    for (; exponent < -500 && value != 0; exponent += 250) value *= 0x1p-250;
    for (; exponent < 0 && value != 0; exponent++) factor /= 2;
    return value * factor;
}

/* A number in base 10 that is no integer. */
static double decimal_value(parser *p, const wcbor_number_ *number) {
    const wcbor_diagnostic_options *options = p->options;
    if (p->powers == NULL) {
        p->powers = options->reallocate(options->context, NULL, sizeof *p->powers);
        if (p->powers == NULL) {
            fail_with(p, WCBOR_OUT_OF_MEMORY, p->next);
            return 0;
        }
        memset(p->powers->known, 0, sizeof p->powers->known);
    }
    return wcbor_number_value_(number, p->powers);
}

static void push(parser *p, unsigned kind, size_t start, unsigned width);

/* A number, or a tag, which begins with one. */
static void take_number(parser *p) {
    const uint8_t *first = p->next;
    bool negative = take(p, '-'), is_signed = negative || take(p, '+');
    wcbor_big_ whole;
    wcbor_number_ number;
    unsigned letter = p->end - p->next > 1 && *p->next == '0' ? p->next[1] | 0x20u : 0;
    unsigned base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    double value;
    if (base == 10) {
        if (is_signed && take_word(p, "Infinity")) {
            put_float(p, wcbor_double_value_(UINT64_C(0x7ff) << 52), negative);
            return;
        }
        if (p->next == p->end || !wcbor_scan_number_(p->next, p->end, &number)) {
            if (p->next < p->end) p->next = number.end;
            fail(p);
            return;
        }
        if (number.integral) {
            take_whole(p, 10, &whole);
            /* Leading zeros, and more digits than there may be. */
            if (p->next != number.end) fail(p);
        }
        value = number.integral ? 0 : decimal_value(p, &number);
        if (!number.integral) p->next = number.end;
        base = number.integral ? 0 : 1;
    } else {
        p->next += 2;
        bool is_fraction = base == 16 && peek(p) == '.' && p->end - p->next > 1 && digit_value(p->next[1], 16) < 64;
        whole.count = 0;
        if (!is_fraction) take_whole(p, base, &whole);
        base = base == 16 && whole.count <= 2 && (peek(p) == '.' || (peek(p) | 0x20) == 'p');
        value = base != 0 ? take_hex_float(p, low_words(&whole)) : 0;
    }
    if (p->status != WCBOR_OK) return;
    if (!wcbor_is_finite_(value)) fail_with(p, WCBOR_INVALID_DIAGNOSTIC, first);
    if (base != 0) {
        put_float(p, value, negative);
        return;
    }
    size_t start = p->out.nbytes;
    put_integer(p, negative, &whole);
    if (is_signed || !take(p, '(')) return;
    if (whole.count > 2) fail(p);
    if (!p->out.failed) p->out.bytes[start] |= WCBOR_TAG;
    push(p, LEVEL_TAG, 0, WIDTH_AUTO);
}

/* ------------------------------------------------------------------------------------------- words and containers */

WCBOR_NOINLINE static void push(parser *p, unsigned kind, size_t start, unsigned width) {
    const wcbor_diagnostic_options *options = p->options;
    uint32_t max_depth = options->max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)options->max_depth;
    wcbor_status status = WCBOR_DEPTH_EXCEEDED;
    if (kind <= LEVEL_TAG || p->depth < max_depth)
        status = wcbor_block_grow_(&p->levels, (size_t)p->levels.count + 1, sizeof(level), options->reallocate, options->context);
    if (status != WCBOR_OK) {
        fail_with(p, status, p->next);
        return;
    }
    p->top = (level *)p->levels.items + p->levels.count++;
    *p->top = (level){start, 0, (uint8_t)kind, (uint8_t)width};
    p->depth += kind > LEVEL_TAG;
    p->after_item = false;
}

/* Opens a container behind whose bracket `next` is. */
WCBOR_NOINLINE static void open(parser *p, unsigned kind, unsigned major) {
    size_t start = p->out.nbytes;
    unsigned width = kind == LEVEL_EMBEDDED ? WIDTH_AUTO : take_width(p);
    if (kind == LEVEL_CHUNKS && width != WIDTH_INDEFINITE) fail(p);
    put_byte(p, major | WCBOR_INDEFINITE);
    push(p, kind, start, width);
}

/* The end of what is open; `next` is behind its bracket. */
static void close(parser *p) {
    level closed = *p->top;
    unsigned width = closed.width, major = closed.kind == LEVEL_MAP ? WCBOR_MAP : WCBOR_ARRAY;
    size_t count = closed.kind == LEVEL_MAP ? closed.count / 2 : closed.count;
    p->levels.count--;
    p->top--;
    if (closed.kind == LEVEL_TAG) return;
    p->depth--;
    if (closed.kind == LEVEL_EMBEDDED) {
        width = take_width(p);
        major = WCBOR_BYTES;
        count = p->out.nbytes - closed.start - 1;
        if (width == WIDTH_INDEFINITE) fail(p);
    }
    if (width == WIDTH_INDEFINITE) put_byte(p, WCBOR_BREAK);
    else set_head(p, closed.start, major, count, width);
}

static void take_name(parser *p) {
    static const char names[] = "false\0true\0null\0undefined\0NaN\0Infinity\0simple(\0float'";
    const char *name = names;
    unsigned index = 0;
    while (index < 8 && !take_word(p, name)) {
        while (*name++ != 0) {}
        index++;
    }
    size_t start = p->out.nbytes;
    wcbor_big_ number;
    uint64_t value;
    switch (index) {
    case 4: put_float(p, wcbor_double_value_(UINT64_C(0x7ff8) << 48), false); return;
    case 5: put_float(p, wcbor_double_value_(UINT64_C(0x7ff) << 52), false); return;
    case 6:
        skip_blanks(p, false, true);
        take_whole(p, 10, &number);
        value = low_words(&number);
        if (value > 255 || number.count > 1 || value - 24 < 8) fail(p);
        skip_blanks(p, false, true);
        expect(p, ')');
        put_head(p, WCBOR_SIMPLE, value, WIDTH_AUTO);
        return;
    case 7:
        /* A float by its bits. */
        put_byte(p, 0);
        take_digits(p, BASE_16);
        size_t nbytes = p->out.nbytes - start - 1;
        if (nbytes != 2 && nbytes != 4 && nbytes != 8) fail(p);
        if (!p->out.failed) p->out.bytes[start] = (uint8_t)(nbytes == 2 ? 0xf9 : nbytes == 4 ? 0xfa : 0xfb);
        return;
    case 8: fail(p); return;
    default: put_byte(p, WCBOR_SIMPLE | (20 + index));
    }
}

/* What an item begins with. */
static void take_item(parser *p) {
    const uint8_t *start = p->next;
    unsigned prefix = take_prefix(p), letter = peek(p) | 0x20;
    level *top = p->top;
    if (top->kind == LEVEL_CHUNKS) {
        /* The first says of which kind the string is. */
        uint8_t initial = (prefix == '"' ? WCBOR_TEXT : WCBOR_BYTES) | WCBOR_INDEFINITE;
        if (p->out.failed) return;
        if (top->count == 0) p->out.bytes[top->start] = initial;
        if (prefix == 0 || p->out.bytes[top->start] != initial) fail_with(p, WCBOR_INVALID_DIAGNOSTIC, start);
    }
    uint32_t levels = p->levels.count;
    if (prefix != 0) take_string(p, prefix, start);
    else if (take_word(p, "<<")) open(p, LEVEL_EMBEDDED, 0);
    else if (take(p, '[')) open(p, LEVEL_ARRAY, WCBOR_ARRAY);
    else if (take(p, '{')) open(p, LEVEL_MAP, WCBOR_MAP);
    else if (take(p, '(')) open(p, LEVEL_CHUNKS, 0);
    else if (letter - 'a' < 26) take_name(p);
    else take_number(p);
    if (p->levels.count != levels) return;
    p->top->count++;
    p->after_item = true;
}

/* Takes the bracket that ends what is open, if it stands here and may. */
static bool take_end(parser *p) {
    const level *top = p->top;
    switch (top->kind) {
    case LEVEL_TAG: return top->count == 1 && take(p, ')');
    case LEVEL_ARRAY: return take(p, ']');
    case LEVEL_MAP: return (top->count & 1) == 0 && take(p, '}');
    case LEVEL_CHUNKS: return top->count != 0 && take(p, ')');
    case LEVEL_EMBEDDED: return take_word(p, ">>");
    default: return false;
    }
}

/* One bracket, comma, colon or item. False at the end. */
static bool step(parser *p) {
    const uint8_t *start = p->next;
    skip_blanks(p, false, true);
    level *top = p->top;
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
        if (is_single || (!take(p, is_key ? ':' : ',') && (is_key || start == p->next))) fail(p);
        p->after_item = false;
    }
    return true;
}

wcbor_status wcbor_parse_diagnostic(const char *text, size_t nbytes, const wcbor_diagnostic_options *options,
                                    wcbor_buffer *result) {
    parser p;
    memset(&p, 0, sizeof p);
    p.options = options;
    p.fault = p.next = (const uint8_t *)text;
    p.end = nbytes == 0 ? p.next : p.next + nbytes;
    p.out.reallocate = options->reallocate;
    p.out.context = options->context;
    push(&p, LEVEL_TOP, 0, 0);
    while (p.status == WCBOR_OK && step(&p)) {}
    wcbor_block_free_(&p.levels, options->reallocate, options->context);
    if (p.powers != NULL) options->reallocate(options->context, p.powers, 0);
    if (p.out.failed) p.status = WCBOR_OUT_OF_MEMORY;
    if (p.status != WCBOR_OK) wcbor_output_free_(&p.out);
    *result = (wcbor_buffer){p.out.bytes, p.out.nbytes, (size_t)(p.fault - (const uint8_t *)text)};
    return p.status;
}
