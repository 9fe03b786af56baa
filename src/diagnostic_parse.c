/*
 * diagnostic_parse.c - diagnostic notation (RFC 8949, section 8; RFC 8610, appendix G) to CBOR.
 *
 * One pass, no recursion. What is open stands in `levels`. The head of a container of definite length, and of a string,
 * is one byte of room until its end says what it is; a longer head moves what is behind it.
 */
#include "big.h"
#include "block.h"
#include "decimal.h"
#include "float.h"
#include "output.h"
#include "utf8.h"

/* What is open: the containers come last. */
typedef enum level_kind {
    LEVEL_TOP,
    LEVEL_TAG,
    LEVEL_ARRAY,
    LEVEL_MAP,
    LEVEL_CHUNKS,
    LEVEL_EMBEDDED
} level_kind;

/* An encoding indicator: the width of an argument, as its additional information less 24, or one of these. */
enum { WIDTH_AUTO = 4, WIDTH_IMMEDIATE = 5, WIDTH_INDEFINITE = 6 };

typedef struct level {
    size_t start, count; /* where its head is; the items in it */
    uint8_t kind, width;
} level;

typedef struct parser {
    const wcbor_diagnostic_options *options;
    const uint8_t *text, *next, *end;
    wcbor_output_ out;
    wcbor_powers_ *powers; /* from the first number that needs them */
    wcbor_block_ levels;
    level *top;
    uint32_t depth;   /* of containers: all levels but tags */
    bool after_item;  /* and no comma or colon since */
    wcbor_status fault;
} parser;

/* All functions here that return a bool return false at a fault, which is where `next` is then. */
static bool fail(parser *p) {
    if (p->fault == WCBOR_OK) p->fault = WCBOR_INVALID_DIAGNOSTIC;
    return false;
}

static bool is_next(const parser *p, char character) {
    return p->next < p->end && *p->next == (uint8_t)character;
}

static bool take(parser *p, char character) {
    bool is_there = is_next(p, character);
    p->next += is_there;
    return is_there;
}

static bool is_digit(uint8_t character) {
    return character >= '0' && character <= '9';
}

static bool is_letter(uint8_t character) {
    return (character | 0x20) >= 'a' && (character | 0x20) <= 'z';
}

/* ---------------------------------------------------------------------------------------------- blanks and comments */

/* Up to the line's end; within a quoted string, or to the quote. */
static void skip_line(parser *p, bool quoted) {
    while (p->next < p->end && *p->next != '\n' && !(quoted && *p->next == '\''))
        p->next += quoted && *p->next == '\\' && p->end - p->next > 1 ? 2 : 1;
}

/* A comment that begins with a slash. */
static bool skip_comment(parser *p, bool quoted) {
    const uint8_t *start = p->next++;
    if (is_next(p, '/')) {
        skip_line(p, quoted);
        return true;
    }
    bool stars = take(p, '*');
    for (; p->next < p->end && !(quoted && *p->next == '\''); p->next++) {
        if (*p->next == '/' && (!stars || (p->next[-1] == '*' && p->next - start > 2))) {
            p->next++;
            return true;
        }
        if (quoted && *p->next == '\\' && p->end - p->next > 1) p->next++;
    }
    p->next = start;
    return fail(p);
}

/* What means nothing, in a quoted string too. Base 64 has the slash among its digits: no such comments there. */
static bool skip_blanks(parser *p, bool quoted, bool slashes) {
    for (; p->next < p->end;) {
        uint8_t character = *p->next;
        if (character == ' ' || (character >= '\t' && character <= '\r')) {
            p->next++;
        } else if (character == '#') {
            skip_line(p, quoted);
        } else if (character == '/' && slashes) {
            if (!skip_comment(p, quoted)) return false;
        } else {
            break;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ heads */

/* An encoding indicator, if there is one. */
static unsigned take_width(parser *p) {
    if (!take(p, '_')) return WIDTH_AUTO;
    if (take(p, 'i')) return WIDTH_IMMEDIATE;
    if (p->next < p->end && *p->next >= '0' && *p->next <= '3') return *p->next++ - (unsigned)'0';
    return WIDTH_INDEFINITE;
}

/* The head in the width that is asked for; 0 when the argument does not fit it. */
static size_t make_head(uint8_t *to, unsigned major, uint64_t argument, unsigned width) {
    if (width == WIDTH_AUTO) return (size_t)(wcbor_put_head_(to, major, argument) - to);
    if (width == WIDTH_IMMEDIATE) {
        *to = (uint8_t)(major | argument);
        return argument < 24;
    }
    unsigned nbytes = 1u << width;
    if (width > 3 || (width < 3 && argument >> (8 * nbytes) != 0)) return 0;
    *to = (uint8_t)(major | (24 + width));
    for (unsigned i = nbytes; i > 0; i--, argument >>= 8) to[i] = (uint8_t)argument;
    return 1 + nbytes;
}

static bool put_head(parser *p, unsigned major, uint64_t argument, unsigned width) {
    uint8_t head[WCBOR_HEAD_MAX];
    size_t nbytes = make_head(head, major, argument, width);
    if (nbytes == 0) return fail(p);
    wcbor_output_put_(&p->out, head, nbytes);
    return true;
}

static void put_byte(parser *p, unsigned value) {
    uint8_t byte = (uint8_t)value;
    wcbor_output_put_(&p->out, &byte, 1);
}

/* Puts a head over the byte at `start`. */
static bool set_head(parser *p, size_t start, unsigned major, uint64_t argument, unsigned width) {
    uint8_t head[WCBOR_HEAD_MAX];
    size_t nbytes = make_head(head, major, argument, width), content = p->out.nbytes - start - 1;
    if (nbytes == 0) return fail(p);
    if (nbytes > 1) (void)wcbor_output_add_(&p->out, nbytes - 1);
    if (p->out.failed) return false;
    uint8_t *to = p->out.bytes + start;
    memmove(to + nbytes, to + 1, content);
    memcpy(to, head, nbytes);
    return true;
}

/* --------------------------------------------------------------------------------------------------------- strings */

static int digit_value(uint8_t character, unsigned bits, bool extended) {
    unsigned lower = character | 0x20u;
    if (bits == 4) return is_digit(character) ? character - '0' : lower >= 'a' && lower <= 'f' ? (int)lower - 'a' + 10 : -1;
    if (bits == 5 && extended) { /* base32hex */
        if (is_digit(character)) return character - '0';
        return lower >= 'a' && lower <= 'v' ? (int)lower - 'a' + 10 : -1;
    }
    if (bits == 5) {
        if (character >= '2' && character <= '7') return character - '2' + 26;
        return lower >= 'a' && lower <= 'z' ? (int)lower - 'a' : -1;
    }
    if (character >= 'A' && character <= 'Z') return character - 'A';
    if (character >= 'a' && character <= 'z') return character - 'a' + 26;
    if (is_digit(character)) return character - '0' + 52;
    if (character == '+' || character == '-') return 62;
    return character == '/' || character == '_' ? 63 : -1;
}

/* The digits of a base up to the quote, of `bits` bits each. */
static bool take_digits(parser *p, unsigned bits, bool extended) {
    unsigned buffer = 0, count = 0, digits = 0, padding = 0, quantum = bits == 5 ? 8 : 4;
    for (;;) {
        if (!skip_blanks(p, true, bits != 6)) return false;
        if (p->next == p->end) return fail(p);
        uint8_t character = *p->next;
        if (character == '\'') break;
        if (character == '=' && bits != 4) {
            padding++;
        } else {
            int value = digit_value(character, bits, extended);
            if (value < 0 || padding != 0) return fail(p);
            buffer = buffer << bits | (unsigned)value;
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
    if (count >= bits || buffer != 0) return fail(p);
    if (padding != 0 && (padding >= quantum || (digits + padding) % quantum != 0)) return fail(p);
    p->next++;
    return true;
}

static bool take_hex(parser *p, unsigned count, uint32_t *code) {
    for (*code = 0; count > 0; count--, p->next++) {
        int value = p->next == p->end ? -1 : digit_value(*p->next, 4, false);
        if (value < 0) return fail(p);
        *code = *code << 4 | (uint32_t)value;
    }
    return true;
}

/* What follows \u: four digits, a pair of surrogates, or digits in braces. */
static bool take_code_point(parser *p, uint32_t *code) {
    if (take(p, '{')) {
        uint32_t digit, count = 0;
        for (*code = 0; !take(p, '}'); count++) {
            if (!take_hex(p, 1, &digit)) return false;
            *code = *code << 4 | digit;
            if (*code > 0x10ffff) return fail(p);
        }
        if (count == 0) return fail(p);
    } else if (!take_hex(p, 4, code)) {
        return false;
    } else if (*code >= 0xd800 && *code < 0xdc00) {
        uint32_t low;
        if (!take(p, '\\') || !take(p, 'u') || !take_hex(p, 4, &low)) return fail(p);
        if (low < 0xdc00 || low > 0xdfff) return fail(p);
        *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    }
    return *code >= 0xd800 && *code <= 0xdfff ? fail(p) : true;
}

static void put_code_point(parser *p, uint32_t code) {
    if (code < 0x80) {
        put_byte(p, code);
        return;
    }
    unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    put_byte(p, (more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | code >> (6 * more));
    while (more-- > 0) put_byte(p, 0x80 | (code >> (6 * more) & 0x3f));
}

/* What follows a backslash. */
static bool take_escape(parser *p, char quote) {
    static const char letters[] = "bfnrt/\\\"'", values[] = "\b\f\n\r\t/\\\"'";
    if (p->next == p->end) return fail(p);
    uint8_t letter = *p->next;
    if (letter == 'u') {
        const uint8_t *start = p->next++;
        uint32_t code;
        if (!take_code_point(p, &code)) return false;
        if (quote == '\'' && code >= 0x20 && code < 0x7f) {
            p->next = start;
            return fail(p);
        }
        put_code_point(p, code);
        return true;
    }
    const char *found = letter == 0 || (letter == '\'' && quote == '"') ? NULL : strchr(letters, letter);
    if (found == NULL) return fail(p);
    put_byte(p, (uint8_t)values[found - letters]);
    p->next++;
    return true;
}

/* Text up to the quote. Carriage returns do not count, line feeds do. */
static bool take_quoted(parser *p, char quote) {
    for (;;) {
        const uint8_t *start = p->next;
        while (p->next < p->end && *p->next != (uint8_t)quote && *p->next != '\\' && (*p->next >= 0x20 || *p->next == '\n'))
            p->next++;
        wcbor_output_put_(&p->out, start, (size_t)(p->next - start));
        if (take(p, quote)) return true;
        if (take(p, '\r')) continue;
        if (!take(p, '\\')) return fail(p);
        if (!take_escape(p, quote)) return false;
    }
}

/* The kinds of strings: how many characters come before the content, and how many bits a digit has. */
typedef struct string_kind {
    uint8_t prefix, bits;
    bool extended;
} string_kind;

/* What string begins here: `prefix` is 0 when none does. */
static string_kind string_at(const parser *p) {
    static const struct {
        char prefix[5];
        string_kind kind;
    } kinds[] = {{"\"", {1, 0, false}},   {"'", {1, 0, false}},    {"h'", {2, 4, false}},
                 {"b64'", {4, 6, false}}, {"b32'", {4, 5, false}}, {"h32'", {4, 5, true}}};
    size_t left = (size_t)(p->end - p->next);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t nbytes = kinds[i].kind.prefix;
        if (nbytes <= left && memcmp(p->next, kinds[i].prefix, nbytes) == 0) return kinds[i].kind;
    }
    return (string_kind){0, 0, false};
}

/* Goes on to another string that this one is concatenated with, if there is one. In a chunked string only + does that. */
static bool take_joint(parser *p, bool *joined) {
    const uint8_t *start = p->next;
    if (!skip_blanks(p, false, true)) return false;
    *joined = take(p, '+');
    if (*joined) {
        if (!skip_blanks(p, false, true)) return false;
        return string_at(p).prefix != 0 ? true : fail(p);
    }
    *joined = p->top->kind != LEVEL_CHUNKS && string_at(p).prefix != 0;
    if (!*joined) p->next = start;
    return true;
}

/* A string, or several that are one. */
static bool take_string(parser *p) {
    const uint8_t *first = p->next;
    unsigned major = *first == '"' ? WCBOR_TEXT : WCBOR_BYTES, width = WIDTH_AUTO;
    size_t start = p->out.nbytes;
    put_byte(p, 0);
    for (bool joined = true; joined;) {
        string_kind kind = string_at(p);
        char quote = (char)p->next[kind.prefix - 1];
        if (quote == '"' && major == WCBOR_BYTES) return fail(p);
        p->next += kind.prefix;
        if (!(kind.bits == 0 ? take_quoted(p, quote) : take_digits(p, kind.bits, kind.extended))) return false;
        width = take_width(p);
        if (width != WIDTH_AUTO) break;
        if (!take_joint(p, &joined)) return false;
    }
    if (p->out.failed) return false;
    const uint8_t *content = p->out.bytes + start + 1;
    size_t nbytes = p->out.nbytes - start - 1;
    if (major == WCBOR_TEXT && wcbor_utf8_valid_((const char *)content, nbytes) != nbytes) {
        p->next = first;
        return fail(p);
    }
    if (width == WIDTH_INDEFINITE) {
        if (nbytes != 0 || p->top->kind == LEVEL_CHUNKS) return fail(p);
        p->out.bytes[start] = (uint8_t)(major | WCBOR_INDEFINITE);
        put_byte(p, WCBOR_BREAK);
        return true;
    }
    return set_head(p, start, major, nbytes, width);
}

/* --------------------------------------------------------------------------------------------------------- numbers */

static bool put_float(parser *p, double value, unsigned width) {
    unsigned information = width == WIDTH_AUTO ? wcbor_float_information_(value) : 24 + width;
    uint64_t bits = wcbor_double_bits_(value);
    uint32_t single;
    uint16_t half;
    if (value != value) bits = UINT64_C(0x7ff8) << 48;
    if (information < 25 || information > 27) return fail(p);
    if (information < 27) {
        if (!wcbor_narrow_double_(bits, &single)) return fail(p);
        bits = single;
        if (information == 25) {
            if (!wcbor_narrow_single_(single, &half)) return fail(p);
            bits = half;
        }
    }
    return put_head(p, WCBOR_SIMPLE, bits, information - 24);
}

/* The digits of a whole number. */
static bool take_whole(parser *p, unsigned base, wcbor_big_ *number) {
    const uint8_t *first = p->next;
    uint32_t value = 0, factor = 1;
    number->count = 0;
    for (; p->next < p->end; p->next++) {
        int digit = digit_value(*p->next, 4, false);
        if (digit < 0 || digit >= (int)base) break;
        if (factor > UINT32_MAX / base) {
            if (number->count >= WCBOR_BIG_WORDS - 1) return fail(p);
            wcbor_big_multiply_(number, factor, value);
            value = 0;
            factor = 1;
        }
        value = value * base + (uint32_t)digit;
        factor *= base;
    }
    if (p->next == first) return fail(p);
    wcbor_big_multiply_(number, factor, value);
    return true;
}

static uint64_t low_words(const wcbor_big_ *number) {
    return (number->count > 0 ? number->words[0] : 0) | (number->count > 1 ? (uint64_t)number->words[1] << 32 : 0);
}

/* An integer: negative ones are -1 - n, and -0 is 0. */
static bool put_integer(parser *p, bool negative, wcbor_big_ *number, unsigned width) {
    if (number->count == 0) negative = false;
    if (negative) {
        for (uint32_t i = 0; number->words[i]-- == 0;) i++;
        while (number->count > 0 && number->words[number->count - 1] == 0) number->count--;
    }
    if (number->count <= 2) return put_head(p, negative ? WCBOR_NEGATIVE : WCBOR_UNSIGNED, low_words(number), width);
    if (width != WIDTH_AUTO) return fail(p);
    uint32_t most = number->words[number->count - 1];
    unsigned skip = most > 0xffffff ? 0 : most > 0xffff ? 1 : most > 0xff ? 2 : 3;
    put_byte(p, WCBOR_TAG | (negative ? 3 : 2));
    (void)put_head(p, WCBOR_BYTES, (uint64_t)number->count * 4 - skip, WIDTH_AUTO);
    for (uint32_t i = number->count; i-- > 0; skip = 0)
        for (; skip < 4; skip++) put_byte(p, number->words[i] >> (24 - 8 * skip));
    return true;
}

/* value * 2^exponent, rounded once: the value is 0 or at least 1, so that what comes before the last step is exact. */
static double scale(double value, int32_t exponent) {
    double factor = 1;
    for (; exponent > 0 && wcbor_is_finite_(value) && value != 0; exponent--) value *= 2;
    for (; exponent < -500 && value != 0; exponent += 250) value *= 0x1p-250;
    for (; exponent < 0 && value != 0; exponent++) factor /= 2;
    return value * factor;
}

/* What follows the whole part of a float in base 16: a fraction, and an exponent of two. */
static bool take_hex_float(parser *p, const wcbor_big_ *whole, double *value) {
    enum { MAX_EXPONENT = 100000 };
    uint64_t mantissa = low_words(whole);
    int32_t places = 0, exponent = 0;
    if (whole->count > 2) return fail(p);
    if (take(p, '.')) {
        for (int digit; p->next < p->end && (digit = digit_value(*p->next, 4, false)) >= 0; p->next++) {
            if (mantissa >> 60 != 0 || places < -MAX_EXPONENT) return fail(p);
            mantissa = mantissa << 4 | (unsigned)digit;
            places -= 4;
        }
    }
    if (!take(p, 'p') && !take(p, 'P')) return fail(p);
    bool minus = take(p, '-');
    if (!minus) (void)take(p, '+');
    if (p->next == p->end || !is_digit(*p->next)) return fail(p);
    for (; p->next < p->end && is_digit(*p->next); p->next++)
        if (exponent < MAX_EXPONENT) exponent = exponent * 10 + (*p->next - '0');
    *value = scale((double)mantissa, (minus ? -exponent : exponent) + places);
    return true;
}

static bool get_powers(parser *p) {
    const wcbor_diagnostic_options *options = p->options;
    if (p->powers != NULL) return true;
    p->powers = options->reallocate(options->context, NULL, sizeof *p->powers);
    if (p->powers == NULL) {
        p->fault = WCBOR_OUT_OF_MEMORY;
        return false;
    }
    memset(p->powers->known, 0, sizeof p->powers->known);
    return true;
}

/* A number in base 10: a whole one, or with `*is_float` a value. */
static bool take_decimal(parser *p, wcbor_big_ *whole, bool *is_float, double *value) {
    wcbor_number_ number;
    bool is_number = p->next < p->end && wcbor_scan_number_(p->next, p->end, &number);
    if (!is_number) return fail(p);
    *is_float = !number.integral;
    if (*is_float) {
        if (!get_powers(p)) return false;
        *value = wcbor_number_value_(&number, p->powers);
    } else {
        if (number.digits_end - number.digits > WCBOR_BIG_DIGITS) return fail(p);
        wcbor_big_read_(whole, number.digits, number.digits_end);
    }
    p->next = number.end;
    return true;
}

/* Takes a word, if it stands here. */
static bool take_word(parser *p, const char *word) {
    size_t nbytes = strlen(word);
    if ((size_t)(p->end - p->next) < nbytes || memcmp(p->next, word, nbytes) != 0) return false;
    p->next += nbytes;
    return true;
}

static bool push(parser *p, level_kind kind, size_t start, unsigned width);

static bool take_number(parser *p) {
    const uint8_t *first = p->next;
    bool negative = take(p, '-'), is_signed = negative || take(p, '+'), is_float = false;
    double value = 0;
    wcbor_big_ whole;
    whole.count = 0;
    uint8_t letter = p->end - p->next > 1 && *p->next == '0' ? p->next[1] | 0x20 : 0;
    if (letter == 'x' || letter == 'o' || letter == 'b') {
        p->next += 2;
        bool is_fraction = letter == 'x' && is_next(p, '.') && p->end - p->next > 1 && digit_value(p->next[1], 4, false) >= 0;
        if (!is_fraction && !take_whole(p, letter == 'x' ? 16 : letter == 'o' ? 8 : 2, &whole)) return false;
        is_float = letter == 'x' && (is_next(p, '.') || is_next(p, 'p') || is_next(p, 'P'));
        if (is_float && !take_hex_float(p, &whole, &value)) return false;
    } else if (is_signed && take_word(p, "Infinity")) {
        return put_float(p, wcbor_double_value_((uint64_t)(negative ? 0xfff : 0x7ff) << 52), take_width(p));
    } else if (!take_decimal(p, &whole, &is_float, &value)) {
        return false;
    }
    if (is_float && !wcbor_is_finite_(value)) {
        p->next = first;
        return fail(p);
    }
    unsigned width = take_width(p);
    if (is_float) return put_float(p, negative ? -value : value, width);
    if (is_signed || !take(p, '(')) return put_integer(p, negative, &whole, width);
    if (whole.count > 2 || !put_head(p, WCBOR_TAG, low_words(&whole), width)) return fail(p);
    return push(p, LEVEL_TAG, 0, WIDTH_AUTO);
}

/* ------------------------------------------------------------------------------------------- words and containers */

static bool push(parser *p, level_kind kind, size_t start, unsigned width) {
    const wcbor_diagnostic_options *options = p->options;
    uint32_t max_depth = options->max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)options->max_depth;
    wcbor_status status = kind > LEVEL_TAG && p->depth >= max_depth ? WCBOR_DEPTH_EXCEEDED : WCBOR_OK;
    if (status == WCBOR_OK)
        status = wcbor_block_grow_(&p->levels, (size_t)p->levels.count + 1, sizeof(level), options->reallocate, options->context);
    if (status != WCBOR_OK) {
        p->fault = status;
        return false;
    }
    p->top = (level *)p->levels.items + p->levels.count++;
    *p->top = (level){start, 0, (uint8_t)kind, (uint8_t)width};
    p->depth += kind > LEVEL_TAG;
    p->after_item = false;
    return true;
}

/* An item is whole. */
static bool finish(parser *p) {
    p->top->count++;
    p->after_item = true;
    return true;
}

/* Opens a container behind whose bracket `next` is. */
static bool open(parser *p, level_kind kind, unsigned major) {
    size_t start = p->out.nbytes;
    unsigned width = take_width(p);
    put_byte(p, width == WIDTH_INDEFINITE ? major | WCBOR_INDEFINITE : 0);
    return push(p, kind, start, width);
}

/* The end of what is open; `next` is behind its bracket. */
static bool close(parser *p) {
    level closed = *p->top;
    unsigned width = closed.width, major = closed.kind == LEVEL_MAP ? WCBOR_MAP : WCBOR_ARRAY;
    size_t count = closed.kind == LEVEL_MAP ? closed.count / 2 : closed.count;
    p->levels.count--;
    p->top--;
    p->depth -= closed.kind > LEVEL_TAG;
    if (closed.kind == LEVEL_TAG) return finish(p);
    if (closed.kind == LEVEL_EMBEDDED) {
        width = take_width(p);
        major = WCBOR_BYTES;
        count = p->out.nbytes - closed.start - 1;
        if (width == WIDTH_INDEFINITE) return fail(p);
    }
    if (width == WIDTH_INDEFINITE) put_byte(p, WCBOR_BREAK);
    else if (!set_head(p, closed.start, major, count, width)) return false;
    return finish(p);
}

static bool take_simple(parser *p) {
    wcbor_big_ number;
    if (!skip_blanks(p, false, true) || !take_whole(p, 10, &number)) return false;
    uint64_t value = low_words(&number);
    if (number.count > 1 || value > 255 || (value >= 24 && value < 32)) return fail(p);
    if (!skip_blanks(p, false, true)) return false;
    if (!take(p, ')')) return fail(p);
    return put_head(p, WCBOR_SIMPLE, value, WIDTH_AUTO);
}

/* A float by its bits, float'7e01'. */
static bool take_float_bits(parser *p) {
    size_t start = p->out.nbytes;
    put_byte(p, 0);
    if (!take_digits(p, 4, false)) return false;
    size_t nbytes = p->out.nbytes - start - 1;
    if (p->out.failed || (nbytes != 2 && nbytes != 4 && nbytes != 8)) return fail(p);
    p->out.bytes[start] = (uint8_t)(WCBOR_SIMPLE | (nbytes == 2 ? 25 : nbytes == 4 ? 26 : 27));
    return true;
}

static bool take_name(parser *p) {
    static const char *const names[] = {"false", "true", "null", "undefined"};
    for (unsigned i = 0; i < 4; i++) {
        if (!take_word(p, names[i])) continue;
        put_byte(p, WCBOR_SIMPLE | (20 + i));
        return true;
    }
    if (take_word(p, "NaN")) return put_float(p, wcbor_double_value_(UINT64_C(0x7ff8) << 48), take_width(p));
    if (take_word(p, "Infinity")) return put_float(p, wcbor_double_value_(UINT64_C(0x7ff) << 52), take_width(p));
    if (take_word(p, "simple(")) return take_simple(p);
    if (take_word(p, "float'")) return take_float_bits(p);
    return fail(p);
}

/* What an item begins with. */
static bool take_item(parser *p) {
    uint32_t levels = p->levels.count;
    bool is_string = string_at(p).prefix != 0, taken;
    if (p->top->kind == LEVEL_CHUNKS) {
        /* The first says of which kind the string is. */
        uint8_t initial = (is_next(p, '"') ? WCBOR_TEXT : WCBOR_BYTES) | WCBOR_INDEFINITE;
        if (!is_string) return fail(p);
        if (p->top->count == 0 && !p->out.failed) p->out.bytes[p->top->start] = initial;
        if (!p->out.failed && p->out.bytes[p->top->start] != initial) return fail(p);
    }
    if (is_string) taken = take_string(p);
    else if (take_word(p, "<<")) taken = push(p, LEVEL_EMBEDDED, p->out.nbytes, 0) && (put_byte(p, 0), true);
    else if (take(p, '[')) taken = open(p, LEVEL_ARRAY, WCBOR_ARRAY);
    else if (take(p, '{')) taken = open(p, LEVEL_MAP, WCBOR_MAP);
    else if (is_next(p, '(')) {
        p->next++;
        if (!is_next(p, '_')) return fail(p);
        taken = open(p, LEVEL_CHUNKS, WCBOR_BYTES) && (p->top->width == WIDTH_INDEFINITE ? true : fail(p));
    } else if (p->next < p->end && is_letter(*p->next)) taken = take_name(p);
    else taken = take_number(p);
    if (!taken) return false;
    return p->levels.count == levels ? finish(p) : true;
}

/* Whether the bracket that ends what is open stands here, and may; `next` is then behind it. */
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

/* One bracket, comma, colon or item. */
static bool step(parser *p) {
    const uint8_t *start = p->next;
    const level *top = p->top;
    if (!skip_blanks(p, false, true)) return false;
    if (take_end(p)) return close(p);
    if (!p->after_item) return take_item(p);
    bool is_single = top->kind == LEVEL_TAG || (top->kind == LEVEL_TOP && !p->options->sequence);
    bool is_key = top->kind == LEVEL_MAP && (top->count & 1) != 0;
    if (is_single) return fail(p);
    p->after_item = false;
    if (take(p, is_key ? ':' : ',')) return true;
    /* Commas may be left out where there is something else between two items. */
    return is_key || start == p->next ? fail(p) : true;
}

static bool parse(parser *p) {
    if (!push(p, LEVEL_TOP, 0, 0)) return false;
    for (;;) {
        const uint8_t *start = p->next;
        if (!skip_blanks(p, false, true)) return false;
        if (p->next == p->end && p->levels.count == 1) return p->top->count != 0 || p->options->sequence ? true : fail(p);
        p->next = start;
        if (!step(p) || p->out.failed) return false;
    }
}

wcbor_status wcbor_parse_diagnostic(const char *text, size_t text_nbytes, const wcbor_diagnostic_options *options,
                                    uint8_t **bytes, size_t *nbytes, size_t *fault_offset) {
    level inline_levels[16];
    parser p;
    memset(&p, 0, sizeof p);
    p.options = options;
    p.text = p.next = (const uint8_t *)text;
    p.end = text_nbytes == 0 ? p.next : p.next + text_nbytes;
    p.out.reallocate = options->reallocate;
    p.out.context = options->context;
    p.levels = (wcbor_block_){inline_levels, 0, 16, false};
    bool parsed = parse(&p);
    wcbor_status status = p.out.failed ? WCBOR_OUT_OF_MEMORY : parsed ? WCBOR_OK : p.fault;
    wcbor_block_free_(&p.levels, options->reallocate, options->context);
    if (p.powers != NULL) options->reallocate(options->context, p.powers, 0);
    if (status != WCBOR_OK) wcbor_output_free_(&p.out);
    *bytes = p.out.bytes;
    *nbytes = p.out.nbytes;
    *fault_offset = (size_t)(p.next - p.text);
    return status;
}
