/*
 * exports.c - what JavaScript calls: memory, sessions, and running a command stream in a session.
 *
 * A session is a writer with a command buffer of its own. Text is transcoded into one buffer that all sessions share:
 * it lives only between an encodeInto and the run that follows at once.
 */
#include "../src/writer.h"
#include "abi.h"
#include "interpreter.h"
#include "memory.h"
#include "result.h"
#include "vector.h"
#include "widen.h"

/* What JavaScript reads and writes at the session's address, field by field as in abi.h. */
typedef struct session_fields {
    const uint8_t *out;
    size_t nbytes;
    uint32_t depth, complete, failed_index;
    uint8_t *commands, *text;
    size_t text_nbytes;
    uint32_t text_kind;
    const uint8_t *side;
    size_t side_nbytes, chunks;
    uint32_t failed_key;
    const uint8_t *text_invalid;
} session_fields;

_Static_assert(offsetof(session_fields, failed_index) == SESSION_FAILED_INDEX && offsetof(session_fields, text) == SESSION_TEXT
                   && offsetof(session_fields, text_invalid) == SESSION_TEXT_INVALID,
               "session_fields and abi.h differ");

typedef struct session {
    session_fields fields;
    wcbor_writer writer;
    /* Aligned for the numbers of OP_NUMBERS, which JavaScript stores as such. */
    _Alignas(8) uint8_t commands[COMMANDS_NBYTES + STREAM_SLACK];
} session;

static uint8_t text_buffer[TEXT_NBYTES + STREAM_SLACK];
uint64_t wcbor_module_seed;
static wcbor_shapes shapes;

static void *reallocate(void *context, void *memory, size_t nbytes) {
    (void)context;
    return memory_resize(memory, nbytes);
}

/* Sets the number that the tables of keys are scattered by: random, from JavaScript. */
EXPORT(wcbor_seed) void wcbor_seed(uint32_t low, uint32_t high) {
    wcbor_module_seed = (uint64_t)high << 32 | low;
}

/* Adds a shape of the `nbytes` of encoded keys in the text buffer: its number, or -1 when it cannot be one. */
EXPORT(wcbor_shape_add) int32_t wcbor_shape_add(size_t nbytes) {
    return nbytes > TEXT_NBYTES ? -1 : wcbor_shapes_add(&shapes, text_buffer, nbytes);
}

/* Forgets all shapes. No document may be under way that has some. */
EXPORT(wcbor_shapes_reset) void wcbor_shapes_reset(void) {
    shapes.nshapes = shapes.nkeys = shapes.nbytes = 0;
}

wcbor_result_fields wcbor_result_block;

EXPORT(wcbor_result) const wcbor_result_fields *wcbor_result(void) {
    return &wcbor_result_block;
}

/*
 * Makes UTF-16 of the result's bytes, which must be well-formed UTF-8, if that is worth it. Returns a
 * RESULT_IS_... of abi.h.
 */
EXPORT(wcbor_result_text) uint32_t wcbor_result_text(void) {
    enum { TAIL_NBYTES = 32, SLACK_UNITS = 8 };
    const uint8_t *text = wcbor_result_block.bytes;
    size_t nbytes = wcbor_result_block.nbytes, at = 0;
    uint64_t tops = 0, word = 0;
    for (; nbytes - at >= 8; at += 8) {
        memcpy(&word, text + at, 8);
        tops |= word;
    }
    for (; at < nbytes; at++) tops |= text[at];
    if ((tops & UINT64_C(0x8080808080808080)) == 0) return RESULT_IS_ASCII;

    uint16_t *wide = nbytes > SIZE_MAX / 4 ? NULL : memory_resize(NULL, (nbytes + SLACK_UNITS) * sizeof *wide);
    if (wide == NULL) return RESULT_IS_UTF8;
    /* What is read beyond the end is the caller's own, so that the last characters are put where there is more behind them. */
    size_t body = nbytes < TAIL_NBYTES ? 0 : nbytes - TAIL_NBYTES;
    while (body > 0 && (text[body] & 0xc0) == 0x80) body--;
    uint8_t tail[1 + 2 * TAIL_NBYTES] = {0};
    memcpy(tail + 1, text + body, nbytes - body);
    uint16_t *end = wcbor_widen(wide, text, body);
    end = wcbor_widen(end, tail + 1, nbytes - body);
    (void)memory_resize((void *)(uintptr_t)text, 0);
    wcbor_result_block.bytes = (const uint8_t *)wide;
    wcbor_result_block.nbytes = (size_t)(end - wide) * sizeof *wide;
    return RESULT_IS_UTF16;
}

/* Memory for input or a side buffer; NULL when there is none. */
EXPORT(wcbor_alloc) void *wcbor_alloc(size_t nbytes) {
    return memory_resize(NULL, nbytes);
}

EXPORT(wcbor_free) void wcbor_free(void *memory) {
    (void)memory_resize(memory, 0);
}

static void show(session *s) {
    s->fields.out = s->writer.out;
    s->fields.nbytes = wcbor_writer_nbytes(&s->writer);
    s->fields.depth = wcbor_writer_depth(&s->writer);
    s->fields.complete = wcbor_writer_is_complete(&s->writer);
    s->fields.chunks = wcbor_text_chunks_(&s->writer);
    s->fields.text_nbytes = s->fields.side_nbytes = 0;
    s->fields.text_invalid = NULL;
}

/* A session whose writer has these options (`mode` a wcbor_mode, FLAG_... of abi.h); NULL when there is no memory or an
   option is out of range. */
EXPORT(wcbor_session_new) session *wcbor_session_new(uint32_t mode, uint32_t flags, int32_t max_depth) {
    session *s = memory_resize(NULL, sizeof *s);
    if (s == NULL) return NULL;
    wcbor_writer_options options = {(wcbor_mode)mode, (flags & FLAG_CONVERT) != 0, (flags & FLAG_MULTIPLE_ROOTS) != 0,
                                    max_depth, reallocate, NULL, wcbor_module_seed};
    if (wcbor_writer_init(&s->writer, &options, NULL, 0) != WCBOR_OK) {
        (void)memory_resize(s, 0);
        return NULL;
    }
    s->fields = (session_fields){.commands = s->commands, .text = text_buffer};
    show(s);
    return s;
}

EXPORT(wcbor_session_free) void wcbor_session_free(session *s) {
    wcbor_writer_free(&s->writer);
    (void)memory_resize(s, 0);
}

/* Makes room for `nbytes` more bytes of output. */
EXPORT(wcbor_session_reserve) wcbor_status wcbor_session_reserve(session *s, size_t nbytes) {
    if (nbytes > PTRDIFF_MAX - STREAM_PUT_MAX) return WCBOR_OUT_OF_MEMORY;
    wcbor_status status = wcbor_writer_reserve(&s->writer, nbytes + STREAM_PUT_MAX);
    show(s);
    return status;
}

/* Whether U+FFFD is in the text, behind which there is slack. */
static bool has_replacement(const uint8_t *text, const uint8_t *end) {
    for (; text < end; text += 16) {
        if ((vector_equal(vector_load(text), 0xef) & vector_equal(vector_load(text + 1), 0xbf)
             & vector_equal(vector_load(text + 2), 0xbd)) != 0)
            return true;
    }
    return false;
}

/* Runs the commands at `begin` up to `end`, and shows in the block what came of it; or TEXT_TO_CHECK. */
EXPORT(wcbor_run) uint32_t wcbor_run(session *s, const uint8_t *begin, const uint8_t *end) {
    const session_fields *b = &s->fields;
    wcbor_stream stream = {begin, end, b->text, b->text + b->text_nbytes, b->side, b->side + b->side_nbytes,
                           &shapes, b->text_invalid, b->text_kind == TEXT_ASCII, true, 0, false};
    if (b->text_kind == TEXT_ANY && (s->writer.rules & RULE_STRICT_TEXT) != 0 && has_replacement(stream.text, stream.text_end))
        return TEXT_TO_CHECK;
    wcbor_status status = wcbor_interpret(&s->writer, &stream);
    s->fields.failed_index = stream.failed_index;
    s->fields.failed_key = stream.failed_key;
    show(s);
    return status;
}

/* Like wcbor_run, but on a fresh document. */
EXPORT(wcbor_run_fresh) uint32_t wcbor_run_fresh(session *s, const uint8_t *begin, const uint8_t *end) {
    wcbor_writer_reset(&s->writer);
    return wcbor_run(s, begin, end);
}

/*
 * One call at a time, for writers that do not gather them. None of these shows in the block what came of it.
 */

/* Shows in the block what the calls have come to. */
EXPORT(wcbor_session_show) void wcbor_session_show(session *s) {
    show(s);
}

/* `initial`: OP_END_ARRAY or OP_END_MAP; an initial byte with additional information 0, for the item, tag or start of that
   major type with `argument`, an integer of 0 to 2^53; fb, for the double `argument`; 9f or bf; or a simple value of one
   byte. */
EXPORT(wcbor_call) wcbor_status wcbor_call(session *s, uint32_t initial, double argument) {
    wcbor_writer *writer = &s->writer;
    switch (initial) {
    case OP_END_ARRAY: return wcbor_write_end_array(writer);
    case OP_END_MAP: return wcbor_write_end_map(writer);
    case WCBOR_UNSIGNED: return wcbor_write_uint64(writer, (uint64_t)argument);
    case WCBOR_NEGATIVE: return wcbor_write_negative(writer, (uint64_t)argument);
    case WCBOR_ARRAY: return wcbor_write_start_array(writer, (uint64_t)argument);
    case WCBOR_MAP: return wcbor_write_start_map(writer, (uint64_t)argument);
    case WCBOR_TAG: return wcbor_write_tag(writer, (uint64_t)argument);
    case WCBOR_SIMPLE | 27: return wcbor_write_double(writer, argument);
    case WCBOR_ARRAY | WCBOR_INDEFINITE: return wcbor_write_start_indefinite_array(writer);
    case WCBOR_MAP | WCBOR_INDEFINITE: return wcbor_write_start_indefinite_map(writer);
    default: return wcbor_write_simple(writer, (uint8_t)initial & 0x1f);
    }
}

/* The text that stands in the command buffer. */
EXPORT(wcbor_call_text) wcbor_status wcbor_call_text(session *s, size_t nbytes) {
    return wcbor_write_text(&s->writer, (const char *)s->commands, nbytes);
}
