#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "../../wasm/abi.h"

static void put(uint8_t **at, size_t *room, size_t *nbytes, const void *bytes, size_t count) {
    if (*nbytes + count > *room) {
        *room = 2 * (*nbytes + count) + 64;
        *at = realloc(*at, *room);
        if (*at == NULL) abort();
    }
    if (count > 0) memcpy(*at + *nbytes, bytes, count);
    *nbytes += count;
}

static void put_command(command_buffer *b, const void *bytes, size_t nbytes) {
    put(&b->commands, &b->commands_room, &b->end.commands, bytes, nbytes);
}

static void put_byte(command_buffer *b, unsigned byte) {
    uint8_t one = (uint8_t)byte;
    put_command(b, &one, 1);
}

static void put_big_endian(command_buffer *b, uint64_t number, int nbytes) {
    for (int i = nbytes - 1; i >= 0; i--)
        put_byte(b, (unsigned)(number >> (8 * i)) & 0xff);
}

static void put_little_endian(command_buffer *b, uint64_t number, int nbytes) {
    for (int i = 0; i < nbytes; i++)
        put_byte(b, (unsigned)(number >> (8 * i)) & 0xff);
}

/*
 * A head that is longer than it need be for some arguments: a stream may hold those, and the writer makes every head
 * the shortest.
 */
static void put_head(command_buffer *b, unsigned major, uint64_t argument) {
    int longer = argument % 7 == 3;
    int size = argument < 24 ? 0 : argument < 256 ? 1 : argument < 65536 ? 2 : argument <= UINT32_MAX ? 3 : 4;
    if (longer && size < 4) size++;
    if (size == 0) {
        put_byte(b, major << 5 | (unsigned)argument);
    } else {
        put_byte(b, major << 5 | (23u + (unsigned)size));
        put_big_endian(b, argument, 1 << (size - 1));
    }
}

static bool is_ascii(const uint8_t *text, size_t nbytes) {
    for (size_t i = 0; i < nbytes; i++) {
        if (text[i] >= 0x80) return false;
    }
    return true;
}

/* UTF-16 units of well-formed UTF-8: one for each sequence, and one more for each of four bytes. */
static size_t units_of(const uint8_t *text, size_t nbytes) {
    size_t units = 0;
    for (size_t i = 0; i < nbytes; i++)
        if ((text[i] & 0xc0) != 0x80) units += text[i] >= 0xf0 ? 2 : 1;
    return units;
}

/* Whether the text may stand in the arena, which a TextEncoder fills: it is well-formed. Strict enough for tests. */
static bool is_well_formed(const uint8_t *t, size_t n) {
    for (size_t i = 0; i < n;) {
        uint32_t code = t[i];
        size_t more = code < 0x80 ? 0 : code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : 1;
        if ((code >= 0x80 && code < 0xc2) || code > 0xf4 || more >= n - i) return false;
        if (more > 0) code &= 0x3fu >> more;
        for (size_t k = 1; k <= more; k++) {
            if ((t[i + k] & 0xc0) != 0x80) return false;
            code = code << 6 | (t[i + k] & 0x3f);
        }
        if (more == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) return false;
        if (more == 3 && (code < 0x10000 || code > 0x10ffff)) return false;
        i += more + 1;
    }
    return true;
}

static void put_text(command_buffer *b, const call *c, command_form form) {
    if (form == COMMAND_INLINE || !is_well_formed(c->bytes, c->nbytes)) {
        put_head(b, 3, c->nbytes);
        put_command(b, c->bytes, c->nbytes);
        return;
    }
    size_t units = units_of(c->bytes, c->nbytes);
    if (units < 256 && units % 3 != 0) {
        put_byte(b, OP_TEXT_RUN_SHORT);
        put_little_endian(b, units, 1);
    } else {
        put_byte(b, OP_TEXT_RUN);
        put_little_endian(b, units, 4);
    }
    put(&b->text, &b->text_room, &b->end.text, c->bytes, c->nbytes);
}

static void put_side(command_buffer *b, unsigned opcode, const call *c) {
    put_byte(b, opcode);
    put_little_endian(b, c->nbytes, 4);
    put(&b->side, &b->side_room, &b->end.side, c->bytes, c->nbytes);
}

static void put_counted(command_buffer *b, const call *c) {
    put_little_endian(b, c->nbytes, 4);
    put_command(b, c->bytes, c->nbytes);
}

static bool is_whole(double seconds) {
    return seconds >= -9223372036854775808.0 && seconds <= 18446744073709551616.0 &&
           (seconds >= 9007199254740992.0 || seconds <= -9007199254740992.0 || seconds == (double)(int64_t)seconds);
}

static double double_of_half(unsigned bits) {
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value = exponent == 0 ? (double)fraction / 16777216.0 : 0;
    if (exponent > 0) {
        value = (double)(1024 + fraction) / 16777216.0;
        for (unsigned i = 1; i < exponent; i++)
            value *= 2;
    }
    return bits >> 15 ? -value : value;
}

/* A half as its own item, or by the command that rounds a double; the latter cannot carry a NaN's bits. */
static void put_half(command_buffer *b, const call *c, command_form form) {
    bool is_finite = (c->number & 0x7c00) != 0x7c00;
    if (form == COMMAND_INLINE || !is_finite) {
        put_byte(b, 0xf9);
        put_big_endian(b, c->number, 2);
    } else {
        double value = double_of_half((unsigned)c->number);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        put_byte(b, OP_HALF);
        put_little_endian(b, bits, 8);
    }
}

bool command_exists(const call *c) {
    if (c->bytes == NULL && c->nbytes > 0) return false;
    if (c->op == CALL_UNIX_TIME_DOUBLE) return !is_whole(call_double(c->number));
    return c->op != CALL_RESET && c->op != CALL_RESULT && c->op != CALL_COPY;
}

static void put_call(command_buffer *b, const call *c, command_form form) {
    switch (c->op) {
    case CALL_INT:
        if ((int64_t)c->number < 0)
            put_head(b, 1, ~c->number);
        else
            put_head(b, 0, c->number);
        break;
    case CALL_UINT: put_head(b, 0, c->number); break;
    case CALL_NEGATIVE: put_head(b, 1, c->number); break;
    case CALL_BYTES:
        if (form == COMMAND_RUN) {
            put_side(b, OP_BYTES_RUN, c);
        } else {
            put_head(b, 2, c->nbytes);
            put_command(b, c->bytes, c->nbytes);
        }
        break;
    case CALL_TEXT: put_text(b, c, form); break;
    case CALL_TEXT_INVALID: put_byte(b, OP_TEXT_INVALID); break;
    case CALL_HALF: put_half(b, c, form); break;
    case CALL_SINGLE: put_byte(b, 0xfa), put_big_endian(b, c->number, 4); break;
    case CALL_DOUBLE: put_byte(b, 0xfb), put_big_endian(b, c->number, 8); break;
    case CALL_BOOL: put_byte(b, 0xf4 + (c->number != 0)); break;
    case CALL_NULL: put_byte(b, 0xf6); break;
    case CALL_UNDEFINED: put_byte(b, 0xf7); break;
    case CALL_SIMPLE:
        if (c->number < 24)
            put_byte(b, 0xe0 + (unsigned)c->number);
        else
            put_byte(b, 0xf8), put_byte(b, (unsigned)c->number);
        break;
    case CALL_TAG: put_head(b, 6, c->number); break;
    case CALL_START_ARRAY: put_head(b, 4, c->number); break;
    case CALL_START_MAP: put_head(b, 5, c->number); break;
    case CALL_START_INDEFINITE_ARRAY: put_byte(b, 0x9f); break;
    case CALL_START_INDEFINITE_MAP: put_byte(b, 0xbf); break;
    case CALL_START_INDEFINITE_BYTES: put_byte(b, 0x5f); break;
    case CALL_START_INDEFINITE_TEXT: put_byte(b, 0x7f); break;
    case CALL_END_ARRAY: put_byte(b, OP_END_ARRAY); break;
    case CALL_END_MAP: put_byte(b, OP_END_MAP); break;
    case CALL_END_BYTES: put_byte(b, OP_END_BYTES); break;
    case CALL_END_TEXT: put_byte(b, OP_END_TEXT); break;
    case CALL_ENCODED:
        if (form == COMMAND_RUN)
            put_side(b, OP_ENCODED_RUN, c);
        else
            put_byte(b, OP_ENCODED), put_counted(b, c);
        break;
    case CALL_DATE_TIME: put_byte(b, OP_DATE_TIME), put_counted(b, c); break;
    case CALL_UNIX_TIME: put_byte(b, OP_UNIX_TIME_INT), put_little_endian(b, c->number, 8); break;
    case CALL_UNIX_TIME_DOUBLE: put_byte(b, OP_UNIX_TIME), put_little_endian(b, c->number, 8); break;
    case CALL_BIGNUM: put_byte(b, OP_BIGNUM), put_byte(b, c->flag), put_counted(b, c); break;
    case CALL_DECIMAL:
        put_byte(b, OP_DECIMAL), put_little_endian(b, c->number, 8);
        put_byte(b, c->flag), put_counted(b, c);
        break;
    default: abort();
    }
}

bool command_append(command_buffer *b, const call *c, command_form form) {
    if (!command_exists(c)) return false;
    size_t text_before = b->end.text;
    if (b->count == 0) b->text_is_ascii = true;
    put_call(b, c, form);
    if (b->end.text > text_before && !is_ascii(b->text + text_before, b->end.text - text_before)) {
        b->text_is_ascii = false;
    }
    if (b->count == b->marks_room) {
        b->marks_room = 2 * b->marks_room + 64;
        b->marks = realloc(b->marks, b->marks_room * sizeof *b->marks);
        if (b->marks == NULL) abort();
    }
    b->marks[b->count++] = b->end;
    return true;
}

void command_clear(command_buffer *b) {
    b->end = (command_mark){0, 0, 0};
    b->count = 0;
    b->text_is_ascii = true;
}

void command_free(command_buffer *b) {
    free(b->commands);
    free(b->text);
    free(b->side);
    free(b->marks);
    *b = (command_buffer){0};
}

wcbor_status command_run(wcbor_writer *writer, const command_buffer *b, size_t first, size_t last, size_t *done) {
    command_mark from = {0, 0, 0}, to = from;
    if (first > 0) from = b->marks[first - 1];
    if (last > 0) to = b->marks[last - 1];
    wcbor_stream stream = {.text_is_ascii = b->text_is_ascii};
    if (b->commands != NULL)
        stream.commands = b->commands + from.commands, stream.commands_end = b->commands + to.commands;
    if (b->text != NULL) stream.text = b->text + from.text, stream.text_end = b->text + to.text;
    if (b->side != NULL) stream.side = b->side + from.side, stream.side_end = b->side + to.side;
    /* With slack and without, by turns. */
    stream.slack = ((first ^ last) & 1) != 0 && b->commands_room >= to.commands + STREAM_SLACK
                && (b->text == NULL || b->text_room >= to.text + STREAM_SLACK);
    wcbor_status status = wcbor_interpret(writer, &stream);
    *done = status == WCBOR_OK ? last - first : stream.failed_index;
    return status;
}
