#include "interpreter.h"

#include "../src/float.h"
#include "../src/writer.h"
#include "abi.h"
#include "vector.h"

/* ------------------------------------------------------------------------------------------------------ operands */

static uint32_t get_u32(const uint8_t *from) {
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint64_t get_u64(const uint8_t *from) {
    return get_u32(from) | (uint64_t)get_u32(from + 4) << 32;
}

static double get_f64(const uint8_t *from) {
    uint64_t bits = get_u64(from);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Where the numbers of OP_NUMBERS or OP_NUMBER_ARRAYS begin: their alignment counts from the run's begin. */
static size_t numbers_offset(const wcbor_stream *stream, const uint8_t *command) {
    size_t fixed = *command == OP_NUMBERS ? 5 : 6;
    return fixed + (-(size_t)(command + fixed - stream->commands) & 7);
}

/* Bytes of one command, its opcode included; 0 when it is unknown or cut short. */
WCBOR_COLD static size_t command_nbytes(const wcbor_stream *stream, const uint8_t *command, const uint8_t *end) {
    size_t remaining = (size_t)(end - command), fixed, counted = 0;
    wcbor_head_ head;
    switch (*command) {
    case OP_END_ARRAY:
    case OP_END_MAP:
    case OP_END_BYTES:
    case OP_END_TEXT:
    case OP_TEXT_INVALID:
    case OP_TEXT_NOT_NFC:
    case WCBOR_BYTES | WCBOR_INDEFINITE:
    case WCBOR_TEXT | WCBOR_INDEFINITE:
    case WCBOR_ARRAY | WCBOR_INDEFINITE:
    case WCBOR_MAP | WCBOR_INDEFINITE: return 1;
    case OP_TEXT_RUN_SHORT:
    case OP_ARRAY_SHORT: fixed = 2; break;
    case OP_SHAPE: fixed = 3; break;
    case OP_ARRAY:
    case OP_TEXT_RUN:
    case OP_BYTES_RUN:
    case OP_ENCODED_RUN: fixed = 5; break;
    case OP_HALF:
    case OP_UNIX_TIME:
    case OP_UNIX_TIME_INT: fixed = 9; break;
    case OP_ENCODED:
    case OP_DATE_TIME:
    case OP_TEXTS: fixed = 5, counted = 1; break;
    case OP_BIGNUM_RUN: fixed = 6; break;
    case OP_BIGNUM: fixed = 6, counted = 2; break;
    case OP_DECIMAL: fixed = 14, counted = 10; break;
    case OP_NUMBERS:
    case OP_NUMBER_ARRAYS:
        fixed = numbers_offset(stream, command);
        if (remaining < fixed) return 0;
        size_t width = *command == OP_NUMBERS ? 1 : command[5];
        if (width == 0 || get_u32(command + 1) > (remaining - fixed) / 8 / width) return 0;
        return fixed + get_u32(command + 1) * width * 8;
    default:
        if (!wcbor_get_head_(command, end, &head)) return 0;
        if ((*command & WCBOR_MAJOR) != WCBOR_BYTES && (*command & WCBOR_MAJOR) != WCBOR_TEXT) return head.nbytes;
        return head.argument <= remaining - head.nbytes ? head.nbytes + (size_t)head.argument : 0;
    }
    if (remaining < fixed) return 0;
    if (counted == 0) return fixed;
    uint32_t nbytes = get_u32(command + counted);
    return nbytes <= remaining - fixed ? fixed + nbytes : 0;
}

/* ---------------------------------------------------------------------------------------------- text, side buffer */

/*
 * How many bytes the next `units` UTF-16 units of well-formed UTF-8 take; SIZE_MAX when they do not end on a character.
 * With `slack`, STREAM_SLACK bytes may be read behind the end.
 */
static size_t units_nbytes(const uint8_t *text, const uint8_t *end, size_t units, bool slack) {
    const uint8_t *next = text;
    /* A character counts where it begins, so that a piece may end within one: its other bytes are passed over. */
    while (next < end && (slack || end - next >= 16)) {
        size_t piece = end - next < 16 ? (size_t)(end - next) : 16;
        uint32_t bits = vector_units(vector_load(next));
        if (piece < 16) bits &= ((uint32_t)1 << piece) - 1;
        size_t count = vector_bit_count(bits);
        if (count > units) {
            for (; units != 0; units--) bits &= bits - 1;
            next += vector_lowest_bit(bits);
            /* Or between the two units of one character. */
            return next < end && (*next & 0xc0) != 0x80 ? (size_t)(next - text) : SIZE_MAX;
        }
        units -= count;
        next += piece;
    }
    for (; next < end; next++) {
        if ((*next & 0xc0) == 0x80) continue;
        size_t taken = *next < 0xf0 ? 1 : 2;
        if (taken > units) break;
        units -= taken;
    }
    return units == 0 ? (size_t)(next - text) : SIZE_MAX;
}

/* Sets `*nbytes` to those of the next string of the text, which is at `text`. BAD_COMMAND, INVALID_TEXT. */
static inline wcbor_status next_text(const wcbor_stream *stream, const uint8_t *text, size_t units, size_t *nbytes) {
    *nbytes = stream->text_is_ascii ? units : units_nbytes(text, stream->text_end, units, stream->slack);
    if (WCBOR_UNLIKELY(*nbytes > (size_t)(stream->text_end - text))) return WCBOR_BAD_COMMAND;
    if (WCBOR_UNLIKELY(stream->text_invalid != NULL && text + *nbytes > stream->text_invalid)) return WCBOR_INVALID_TEXT;
    return WCBOR_OK;
}

static wcbor_status text_run(wcbor_writer *writer, wcbor_stream *stream, size_t units) {
    const uint8_t *text = stream->text;
    size_t nbytes;
    wcbor_status status = next_text(stream, text, units, &nbytes);
    if (status != WCBOR_OK) return status;
    if (nbytes != 0) stream->text += nbytes;
    return wcbor_put_text_(writer, text == NULL ? "" : (const char *)text, nbytes);
}

/* Copies text of `nbytes` with its head; up to 15 more bytes are read and written. Returns where it ends. */
static inline uint8_t *copy_text(uint8_t *next, const uint8_t *text, size_t nbytes) {
    next = wcbor_put_head_(next, WCBOR_TEXT, nbytes);
    for (size_t i = 0; i < nbytes; i += 16) vector_store(next + i, vector_load(text + i));
    return next + nbytes;
}

/* Strings, of `units` each, as items of the open array, up to the first that is refused. */
WCBOR_NOINLINE static wcbor_status texts(wcbor_writer *writer, wcbor_stream *stream, const uint8_t *units, size_t count) {
    if ((writer->kind & KIND_MASK) != WCBOR_ARRAY) return WCBOR_BAD_COMMAND;
    if (count > (writer->left & ~GATE)) return WCBOR_DEFINITE_LENGTH_EXCEEDED;
    size_t slack = stream->slack ? 0 : STREAM_SLACK;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *text = stream->text;
        size_t nbytes;
        wcbor_status status = next_text(stream, text, units[i], &nbytes);
        if (WCBOR_LIKELY(status == WCBOR_OK && writer->left - 1 < GATE - 1
                         && (size_t)(writer->end - writer->next) >= nbytes + WCBOR_HEAD_MAX + 16
                         && (size_t)(stream->text_end - text) >= nbytes + slack)) {
            writer->next = copy_text(writer->next, text, nbytes);
            writer->left--;
            stream->text += nbytes;
        } else {
            status = text_run(writer, stream, units[i]);
            if (status != WCBOR_OK) return status;
        }
    }
    return WCBOR_OK;
}

static const uint8_t *side_run(wcbor_stream *stream, size_t nbytes) {
    if (nbytes > (size_t)(stream->side_end - stream->side)) return NULL;
    const uint8_t *bytes = stream->side;
    if (nbytes != 0) stream->side += nbytes;
    return bytes == NULL ? (const uint8_t *)"" : bytes;
}

/* ---------------------------------------------------------------------------------------------------------- items */

static wcbor_status unix_time(wcbor_writer *writer, double seconds) {
    if (seconds >= -9223372036854775808.0 && seconds < 9223372036854775808.0 && (double)(int64_t)seconds == seconds)
        return wcbor_write_unix_time(writer, (int64_t)seconds);
    return wcbor_write_unix_time_double(writer, seconds);
}

/* A command that is a CBOR head and, for a string, its payload. */
static wcbor_status item(wcbor_writer *writer, const uint8_t *command, const uint8_t *end) {
    wcbor_head_ head = {0, 1};
    (void)wcbor_get_head_(command, end, &head);
    const uint8_t *payload = command + head.nbytes;
    switch (*command & WCBOR_MAJOR) {
    case WCBOR_UNSIGNED: return wcbor_write_uint64(writer, head.argument);
    case WCBOR_NEGATIVE: return wcbor_write_negative(writer, head.argument);
    case WCBOR_BYTES: return wcbor_write_bytes(writer, payload, (size_t)head.argument);
    case WCBOR_TEXT: return wcbor_write_text(writer, (const char *)payload, (size_t)head.argument);
    case WCBOR_ARRAY: return wcbor_write_start_array(writer, head.argument);
    case WCBOR_MAP: return wcbor_write_start_map(writer, head.argument);
    case WCBOR_TAG: return wcbor_write_tag(writer, head.argument);
    default: break;
    }
    double value;
    float single;
    uint32_t bits;
    switch (*command) {
    case WCBOR_SIMPLE | 25: return wcbor_write_half(writer, (uint16_t)head.argument);
    case WCBOR_SIMPLE | 26:
        bits = (uint32_t)head.argument;
        memcpy(&single, &bits, sizeof single);
        return wcbor_write_single(writer, single);
    case WCBOR_SIMPLE | 27:
        memcpy(&value, &head.argument, sizeof value);
        return wcbor_write_double(writer, value);
    default: return wcbor_write_simple(writer, (uint8_t)head.argument);
    }
}

static wcbor_status start_shape(wcbor_writer *writer, const wcbor_stream *stream, uint32_t number) {
    const wcbor_shapes *shapes = stream->shapes;
    if (shapes == NULL || number >= shapes->nshapes) return WCBOR_BAD_COMMAND;
    const shape *s = &shapes->shapes[number];
    return wcbor_write_start_ending_(writer, WCBOR_MAP | KIND_SHAPED, s->count, s->first);
}

/* The shortest head with an argument of 32 bits. */
static inline uint8_t *put_head32(uint8_t *next, unsigned major, uint32_t argument) {
    if (argument < 24) {
        next[0] = (uint8_t)(major | argument);
        return next + 1;
    }
    if (argument <= UINT8_MAX) {
        next[0] = (uint8_t)(major | 24);
        next[1] = (uint8_t)argument;
        return next + 2;
    }
    if (argument <= UINT16_MAX) {
        next[0] = (uint8_t)(major | 25);
        wcbor_store16_(next + 1, (uint16_t)argument);
        return next + 3;
    }
    next[0] = (uint8_t)(major | 26);
    wcbor_store32_(next + 1, argument);
    return next + 5;
}

/* Whether a double of these bits is no single, so that no shorter form keeps it: it is finite, and its last bits are set. */
static bool needs_double(uint64_t bits) {
    return (bits & 0x1fffffff) != 0 && (bits >> 52 & 0x7ff) != 0x7ff;
}

/* One number as JavaScript's encode has it. */
static wcbor_status number(wcbor_writer *writer, double value) {
    if (value >= -9007199254740991.0 && value <= 9007199254740991.0) {
        int64_t integer = (int64_t)value;
        if ((double)integer == value && (integer != 0 || wcbor_double_bits_(value) == 0))
            return wcbor_write_int64(writer, integer);
    }
    return wcbor_write_double(writer, value);
}

/*
 * Puts a number as above where no rule of the mode has a say, if it is an integer of 32 bits or a double that no shorter
 * float keeps. Returns where it ends, or NULL for any other number.
 */
static inline uint8_t *put_plain_number(uint8_t *next, double value) {
    uint64_t bits = wcbor_double_bits_(value);
    if (value >= -2147483648.0 && value <= 2147483647.0) {
        int32_t integer = (int32_t)value;
        if ((double)integer == value && (integer != 0 || bits == 0)) {
            uint32_t sign = (uint32_t)(integer >> 31);
            return put_head32(next, sign & WCBOR_NEGATIVE, (uint32_t)integer ^ sign);
        }
    }
    /* Integers do not end here. */
    if (needs_double(bits) && value > -4503599627370496.0 && value < 4503599627370496.0 && (double)(int64_t)value != value) {
        next[0] = WCBOR_SIMPLE | 27;
        wcbor_store64_(next + 1, bits);
        return next + 9;
    }
    return NULL;
}

/* Numbers as items of the open array, which takes so many, up to the first that is refused. The room has been made. */
static wcbor_status put_numbers(wcbor_writer *writer, const uint8_t *values, size_t count) {
    bool plain = (writer->rules & RULE_FLOATS) == 0 && writer->left < GATE;
    size_t left = writer->left;
    uint8_t *next = writer->next;
    for (size_t i = 0; i < count; i++) {
        double value;
        memcpy(&value, values + 8 * i, sizeof value);
        uint8_t *behind = plain ? put_plain_number(next, value) : NULL;
        if (behind == NULL) {
            writer->next = next;
            wcbor_status status = number(writer, value);
            if (status != WCBOR_OK) {
                writer->left = i == 0 ? left : (left & ~GATE) - i;
                return status;
            }
            behind = writer->next;
        }
        next = behind;
    }
    writer->next = next;
    writer->left = left - count;
    if (left >= GATE && count != 0) writer->left &= ~GATE;
    return WCBOR_OK;
}

/* Numbers as items of the open array, or arrays of `width` numbers each (0: none), up to the first that is refused. */
WCBOR_NOINLINE static wcbor_status numbers(wcbor_writer *writer, const uint8_t *values, size_t count, size_t width) {
    if ((writer->kind & KIND_MASK) != WCBOR_ARRAY) return WCBOR_BAD_COMMAND;
    if (count > (writer->left & ~GATE)) return WCBOR_DEFINITE_LENGTH_EXCEEDED;
    wcbor_status status = wcbor_room_(writer, count * (width == 0 ? 9 : 2 + width * 9));
    if (width == 0) return status != WCBOR_OK ? status : put_numbers(writer, values, count);
    for (size_t i = 0; i < count && status == WCBOR_OK; i++, values += width * 8) {
        status = wcbor_write_start_ending_(writer, WCBOR_ARRAY, width, 0);
        if (status == WCBOR_OK) status = put_numbers(writer, values, width);
        if (status == WCBOR_OK) status = wcbor_end_full_(writer);
    }
    return status;
}

/* Any command, by the writer's own functions. */
WCBOR_COLD static wcbor_status run(wcbor_writer *writer, wcbor_stream *stream, const uint8_t *command, size_t nbytes) {
    const uint8_t *side;
    switch (*command) {
    case OP_END_ARRAY: return wcbor_write_end_array(writer);
    case OP_END_MAP: return wcbor_write_end_map(writer);
    case OP_END_BYTES: return wcbor_write_end_indefinite_bytes(writer);
    case OP_END_TEXT: return wcbor_write_end_indefinite_text(writer);
    case WCBOR_BYTES | WCBOR_INDEFINITE: return wcbor_write_start_indefinite_bytes(writer);
    case WCBOR_TEXT | WCBOR_INDEFINITE: return wcbor_write_start_indefinite_text(writer);
    case WCBOR_ARRAY | WCBOR_INDEFINITE: return wcbor_write_start_indefinite_array(writer);
    case WCBOR_MAP | WCBOR_INDEFINITE: return wcbor_write_start_indefinite_map(writer);
    case OP_TEXT_RUN: return text_run(writer, stream, get_u32(command + 1));
    case OP_TEXT_RUN_SHORT: return text_run(writer, stream, command[1]);
    case OP_TEXT_INVALID: return WCBOR_INVALID_TEXT;
    case OP_TEXT_NOT_NFC: return WCBOR_NOT_NFC;
    case OP_BYTES_RUN:
        side = side_run(stream, get_u32(command + 1));
        return side == NULL ? WCBOR_BAD_COMMAND : wcbor_write_bytes(writer, side, get_u32(command + 1));
    case OP_ENCODED: return wcbor_write_encoded(writer, command + 5, nbytes - 5);
    case OP_ENCODED_RUN:
        side = side_run(stream, get_u32(command + 1));
        return side == NULL ? WCBOR_BAD_COMMAND : wcbor_write_encoded(writer, side, get_u32(command + 1));
    case OP_HALF: return wcbor_write_half(writer, wcbor_half_from_double(get_f64(command + 1)));
    case OP_BIGNUM: return wcbor_write_bignum(writer, command[1] != 0, command + 6, nbytes - 6);
    case OP_BIGNUM_RUN:
        side = side_run(stream, get_u32(command + 2));
        return side == NULL ? WCBOR_BAD_COMMAND
                            : wcbor_write_bignum(writer, command[1] != 0, side, get_u32(command + 2));
    case OP_DECIMAL:
        return wcbor_write_decimal(writer, (int64_t)get_u64(command + 1), command[9] != 0, command + 14, nbytes - 14);
    case OP_DATE_TIME: return wcbor_write_date_time(writer, (const char *)command + 5, nbytes - 5);
    case OP_UNIX_TIME: return unix_time(writer, get_f64(command + 1));
    case OP_UNIX_TIME_INT: return wcbor_write_unix_time(writer, (int64_t)get_u64(command + 1));
    case OP_ARRAY: return wcbor_write_start_ending_(writer, WCBOR_ARRAY, get_u32(command + 1), 0);
    case OP_ARRAY_SHORT: return wcbor_write_start_ending_(writer, WCBOR_ARRAY, command[1], 0);
    case OP_SHAPE: return start_shape(writer, stream, command[1] | (uint32_t)command[2] << 8);
    case OP_TEXTS: return texts(writer, stream, command + 5, get_u32(command + 1));
    case OP_NUMBERS: return numbers(writer, command + numbers_offset(stream, command), get_u32(command + 1), 0);
    case OP_NUMBER_ARRAYS:
        return numbers(writer, command + numbers_offset(stream, command), get_u32(command + 1), command[5]);
    default: return item(writer, command, command + nbytes);
    }
}

/* Commands are counted only when somebody wants to know. */
static uint32_t count_commands(const wcbor_stream *stream, const uint8_t *end) {
    uint32_t count = 0;
    for (const uint8_t *at = stream->commands; at < end; at += command_nbytes(stream, at, end)) count++;
    return count;
}

/*
 * The commands that most streams are made of are known to this loop. It keeps the writer's state in local variables, and
 * puts them itself while they stand in a container that only counts its items (`left`, see ../src/writer.h) and the
 * output has room for any of them. All others go through the writer's own functions.
 *
 * In a map that has a shape, `key` is the next key, which is put before the item that a command begins; in other
 * containers it is NULL. If the command then fails, the key goes again.
 */
wcbor_status wcbor_interpret(wcbor_writer *writer, wcbor_stream *stream) {
    const uint8_t *command = stream->commands, *end = stream->commands_end, *text = stream->text;
    /* No command but the text's and the side buffer's makes more bytes than it has, or it grows by itself. */
    if (writer->options.reallocate != NULL)
        (void)wcbor_writer_reserve(writer, (size_t)(end - command) + (size_t)(stream->text_end - text) + STREAM_PUT_MAX);
    /* The last commands and strings, behind which nothing may be read, take the long way. */
    const uint8_t *known_end = stream->slack ? end : end - command > STREAM_SLACK ? end - STREAM_SLACK : command;
    size_t text_slack = stream->slack ? 0 : STREAM_SLACK;
    bool undefined = (writer->rules & RULE_BASIC_SIMPLE) == 0, doubles = (writer->rules & RULE_FLOATS) == 0;
    const shape_key *keys = stream->shapes == NULL ? NULL : stream->shapes->keys, *key;
    uint32_t nshapes = stream->shapes == NULL ? 0 : stream->shapes->nshapes;
    uint8_t *next, *out_end;
    size_t left, key_nbytes;
    wcbor_status status;

#define LOAD_STATE()                                                                   \
    do {                                                                               \
        next = writer->next, out_end = writer->end, left = writer->left;               \
        key = (writer->kind & KIND_SHAPED) != 0 && left != 0 ? keys + writer->start : NULL; \
    } while (0)
#define SAVE_STATE()                                                                   \
    do {                                                                               \
        writer->next = next, writer->left = left;                                      \
        if (key != NULL) writer->start = (size_t)(key - keys);                         \
    } while (0)
#define CALL(function)                                                                 \
    do {                                                                               \
        SAVE_STATE();                                                                  \
        status = (function);                                                           \
        if (status != WCBOR_OK) goto failed;                                           \
        LOAD_STATE();                                                                  \
    } while (0)

/* Opens a container that ends by itself; there is a frame for it. The caller sets `key`. */
#define PUSH(opened, items)                                                            \
    do {                                                                               \
        *writer->top++ = (wcbor_frame_){left, key != NULL ? (size_t)(key - keys) : writer->start, writer->kind}; \
        writer->kind = (opened) | KIND_ENDS;                                           \
        writer->start = (size_t)(next - writer->out);                                  \
        left = (items);                                                                \
    } while (0)

    LOAD_STATE();
    while (command < end) {
        unsigned initial = *command, information = initial & 0x1f;
        size_t nbytes;
        wcbor_head_ head;
        vector low, high;
        key_nbytes = 0;
        if (WCBOR_UNLIKELY((size_t)(out_end - next) < STREAM_PUT_MAX)) {
            /* Where memory is short, the long way finds out what fits. */
            if (key != NULL) CALL(wcbor_room_(writer, key->nbytes));
        }
        bool roomy = (size_t)(out_end - next) >= STREAM_PUT_MAX;
        if (key != NULL && writer->tag_end != (size_t)(next - writer->out)) {
            key_nbytes = key->nbytes;
            const uint8_t *bytes = stream->shapes->bytes + key->offset;
            if (WCBOR_LIKELY(roomy && key_nbytes <= 32)) {
                vector_store(next, vector_load(bytes));
                vector_store(next + 16, vector_load(bytes + 16));
            } else {
                memcpy(next, bytes, key_nbytes);
            }
            next += key_nbytes;
            key++;
        }
        bool counts = left - 1 < GATE - 1 && roomy;
        if (command >= known_end) goto other;
        switch (initial >> 5) {
        case WCBOR_UNSIGNED >> 5:
        case WCBOR_NEGATIVE >> 5:
            if (counts && information < 24) {
                *next++ = (uint8_t)initial;
                left--;
                command++;
                goto finished;
            }
            if (information == 26 && counts && end - command >= 5) {
                next = put_head32(next, initial & WCBOR_MAJOR, wcbor_load32_(command + 1));
                left--;
                command += 5;
                goto finished;
            }
            if (information < 28) {
                if (!wcbor_get_head_(command, end, &head)) goto other;
                if (counts) {
                    next = wcbor_put_head_(next, initial & WCBOR_MAJOR, head.argument);
                    left--;
                } else {
                    CALL(wcbor_put_item_(writer, initial & WCBOR_MAJOR, head.argument));
                }
                command += head.nbytes;
                goto finished;
            }
            if (initial == OP_TEXT_RUN_SHORT && end - command >= 2) {
                if (next_text(stream, text, command[1], &nbytes) != WCBOR_OK) goto other;
                if (nbytes + text_slack > (size_t)(stream->text_end - text)) goto other;
                if (counts && nbytes <= STREAM_SLACK) {
                    low = vector_load(text);
                    high = vector_load(text + 16);
                    next = wcbor_put_head_(next, WCBOR_TEXT, nbytes);
                    vector_store(next, low);
                    vector_store(next + 16, high);
                    next += nbytes;
                    left--;
                } else if (counts && (size_t)(out_end - next) >= nbytes + WCBOR_HEAD_MAX + 16) {
                    next = copy_text(next, text, nbytes);
                    left--;
                } else {
                    CALL(wcbor_put_text_(writer, (const char *)text, nbytes));
                }
                text += nbytes;
                command += 2;
                goto finished;
            }
            if (initial == OP_END_MAP) {
                CALL(wcbor_write_end_map(writer));
                command++;
                goto finished;
            }
            if (initial == OP_END_ARRAY) {
                CALL(wcbor_write_end_array(writer));
                command++;
                goto finished;
            }
            goto other;
        case WCBOR_TEXT >> 5:
            if (information == 25 && end - command >= 3 && (nbytes = wcbor_load16_(command + 1)) <= (size_t)(end - command - 3)) {
                CALL(wcbor_write_text(writer, (const char *)command + 3, nbytes));
                command += 3 + nbytes;
                goto finished;
            }
            if (information >= 24 || information >= (size_t)(end - command)) goto other;
            low = vector_load(command + 1);
            high = vector_load(command + 1 + 16);
            if (counts && ((vector_top_bits(low) | vector_top_bits(high) << 16) & ((1u << information) - 1)) == 0) {
                *next = (uint8_t)initial;
                vector_store(next + 1, low);
                vector_store(next + 1 + 16, high);
                next += 1 + information;
                left--;
            } else {
                CALL(wcbor_write_text(writer, (const char *)command + 1, information));
            }
            command += 1 + information;
            goto finished;
        case WCBOR_ARRAY >> 5:
            if (information >= 24 && information != WCBOR_INDEFINITE) goto other;
            CALL(information < 24 ? wcbor_write_start_array(writer, information) : wcbor_write_start_indefinite_array(writer));
            command++;
            continue;
        case WCBOR_MAP >> 5:
            if (initial == OP_SHAPE && end - command >= 3) {
                uint32_t which = command[1] | (uint32_t)command[2] << 8;
                const shape *s = which < nshapes ? &stream->shapes->shapes[which] : NULL;
                if (counts && writer->top < writer->top_limit && s != NULL && s->count - 1 < 23) {
                    *next++ = (uint8_t)(WCBOR_MAP | s->count);
                    PUSH(WCBOR_MAP | KIND_SHAPED, s->count);
                    key = keys + s->first;
                    command += 3;
                    continue;
                }
                CALL(start_shape(writer, stream, which));
                command += 3;
                goto finished;
            }
            if (initial == OP_NUMBERS && (nbytes = command_nbytes(stream, command, end)) != 0) {
                CALL(numbers(writer, command + numbers_offset(stream, command), get_u32(command + 1), 0));
                command += nbytes;
                goto finished;
            }
            if (information >= 24 && information != WCBOR_INDEFINITE) goto other;
            CALL(information < 24 ? wcbor_write_start_map(writer, information) : wcbor_write_start_indefinite_map(writer));
            command++;
            continue;
        case WCBOR_TAG >> 5:
            if (initial == OP_ARRAY_SHORT && end - command >= 2) {
                if (counts && writer->top < writer->top_limit && command[1] != 0) {
                    next = put_head32(next, WCBOR_ARRAY, command[1]);
                    PUSH(WCBOR_ARRAY, command[1]);
                    key = NULL;
                    command += 2;
                    continue;
                }
                CALL(wcbor_write_start_ending_(writer, WCBOR_ARRAY, command[1], 0));
                command += 2;
                goto finished;
            }
            goto other;
        case WCBOR_SIMPLE >> 5:
            if (initial == (WCBOR_SIMPLE | 27) && end - command >= 9) {
                uint64_t bits = wcbor_load64_(command + 1);
                if (counts && doubles && needs_double(bits)) {
                    memcpy(next, command, 9);
                    next += 9;
                    left--;
                } else {
                    CALL(wcbor_write_double(writer, wcbor_double_value_(bits)));
                }
                command += 9;
                goto finished;
            }
            if (!counts || information < 20 || information > 23 || (information == 23 && !undefined)) goto other;
            *next++ = (uint8_t)initial;
            left--;
            command++;
            goto finished;
        default: break;
        }
    other:
        nbytes = command_nbytes(stream, command, end);
        stream->text = text;
        CALL(nbytes == 0 ? WCBOR_BAD_COMMAND : run(writer, stream, command, nbytes));
        text = stream->text;
        command += nbytes;
    finished:
        while (left == 0 && (writer->kind & KIND_ENDS) != 0) {
            const wcbor_frame_ *frame = writer->top - 1;
            if (WCBOR_UNLIKELY(frame->left - 1 >= GATE - 1)) {
                CALL(wcbor_end_full_(writer));
                break;
            }
            writer->top--;
            writer->kind = frame->kind;
            writer->start = frame->start;
            left = frame->left - 1;
            key = (frame->kind & KIND_SHAPED) != 0 && left != 0 ? keys + frame->start : NULL;
        }
    }
    SAVE_STATE();
    return WCBOR_OK;

failed:
    stream->failed_key = key_nbytes != 0 || status == WCBOR_DUPLICATE_KEY;
    if (key_nbytes != 0 && status != WCBOR_DUPLICATE_KEY) {
        writer->next -= key_nbytes;
        writer->start--;
    }
    stream->failed_index = count_commands(stream, command);
    return status;
}
