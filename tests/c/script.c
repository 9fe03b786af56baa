#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "guard.h"
#include "reference_writer.h"

enum { MOST_CALLS = 64, MOST_BYTES = 4096 };

typedef struct script {
    call calls[MOST_CALLS];
    size_t count;
    uint8_t bytes[MOST_BYTES];
    size_t nbytes;
} script;

static void bad(const char *what, const char *where) {
    fail_msg("script: %s at \"%s\"", what, where);
}

static const char *skip_spaces(const char *at) {
    while (*at == ' ')
        at++;
    return at;
}

static const char *parse_number(const char *at, uint64_t *number) {
    char *end;
    *number = *at == '-' ? (uint64_t)strtoll(at, &end, 10) : strtoull(at, &end, 10);
    if (end == at) bad("no number", at);
    return end;
}

static int digit_of(char c) {
    const char *digits = "0123456789abcdef", *found = strchr(digits, c);
    return c == 0 || found == NULL ? -1 : (int)(found - digits);
}

static const char *parse_bytes(script *s, const char *at, call *c) {
    uint8_t *start = s->bytes + s->nbytes, *to = start;
    if (*at == '\'') {
        for (at++; *at != '\''; at++)
            *to++ = (uint8_t)*at;
        at++;
    } else {
        for (; digit_of(at[0]) >= 0 && digit_of(at[1]) >= 0; at += 2) {
            *to++ = (uint8_t)(digit_of(at[0]) << 4 | digit_of(at[1]));
        }
    }
    c->bytes = start;
    c->nbytes = (size_t)(to - start);
    s->nbytes += c->nbytes;
    return at;
}

static const char *parse_magnitude(script *s, const char *at, call *c) {
    if (*at != '+' && *at != '-') bad("no sign", at);
    c->flag = *at == '-';
    return parse_bytes(s, at + 1, c);
}

static const char *parse_float(const char *at, call *c) {
    char *end;
    double value = strtod(at, &end);
    if (end == at) bad("no number", at);
    if (c->op == CALL_SINGLE) {
        float single = (float)value;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        c->number = bits;
    } else if (c->op == CALL_HALF) {
        c->number = wcbor_half_from_double(value);
    } else {
        memcpy(&c->number, &value, sizeof value);
    }
    return end;
}

static const char *parse_arguments(script *s, const char *at, call *c) {
    switch (c->op) {
    case CALL_INT:
    case CALL_UINT:
    case CALL_NEGATIVE:
    case CALL_BOOL:
    case CALL_SIMPLE:
    case CALL_TAG:
    case CALL_START_ARRAY:
    case CALL_START_MAP:
    case CALL_UNIX_TIME:
    case CALL_COPY: return parse_number(at, &c->number);
    case CALL_HALF:
    case CALL_SINGLE:
    case CALL_DOUBLE:
    case CALL_UNIX_TIME_DOUBLE: return parse_float(at, c);
    case CALL_BYTES:
    case CALL_TEXT:
    case CALL_ENCODED:
    case CALL_DATE_TIME: return parse_bytes(s, at, c);
    case CALL_BIGNUM: return parse_magnitude(s, at, c);
    case CALL_DECIMAL: return parse_magnitude(s, skip_spaces(parse_number(at, &c->number)), c);
    default: return at;
    }
}

static void parse(script *s, const char *at) {
    s->count = s->nbytes = 0;
    for (at = skip_spaces(at); *at != 0; at = skip_spaces(at)) {
        size_t name_nbytes = strcspn(at, " ;");
        call *c = &s->calls[s->count];
        *c = (call){.op = call_op_of(at, name_nbytes), .index = (uint32_t)s->count};
        if (c->op == CALL_OPS_) bad("no call", at);
        at = skip_spaces(parse_arguments(s, skip_spaces(at + name_nbytes), c));
        if (*at++ != ';') bad("no semicolon", at - 1);
        s->count++;
    }
}

/* ------------------------------------------------------------------------------------------------ running */

enum { ON_WRITER, ON_INTERPRETER, ON_REFERENCE, SUBJECTS };
static const char *const subject_names[] = {"writer", "interpreter", "reference"};

typedef struct subject {
    int kind;
    wcbor_writer writer;
    reference_writer *reference;
    command_buffer commands;
    hook memory;
} subject;

static void start(subject *s, wcbor_mode mode, int flags) {
    bool convert = (flags & SCRIPT_CONVERT) != 0, several = (flags & SCRIPT_SEVERAL_ROOTS) != 0;
    wcbor_writer_options options = {mode, convert, several, -1, hook_reallocate, &s->memory, 0};
    if (s->kind == ON_REFERENCE)
        s->reference = reference_new(mode, convert, several, -1);
    else
        assert_ok(wcbor_writer_init(&s->writer, &options, NULL, 0));
}

static void stop(subject *s) {
    if (s->kind == ON_REFERENCE)
        reference_free(s->reference);
    else
        wcbor_writer_free(&s->writer);
    command_free(&s->commands);
    assert_int_equal(s->memory.blocks, 0);
}

static wcbor_status run(subject *s, const call *c) {
    size_t done;
    if (s->kind == ON_REFERENCE) return reference_call(s->reference, c);
    command_clear(&s->commands);
    if (s->kind == ON_WRITER || !command_append(&s->commands, c, COMMAND_RUN)) return call_apply(&s->writer, c);
    return command_run(&s->writer, &s->commands, 0, 1, &done);
}

static size_t nbytes_of(const subject *s) {
    return s->kind == ON_REFERENCE ? reference_nbytes(s->reference) : wcbor_writer_nbytes(&s->writer);
}

static uint32_t depth_of(const subject *s) {
    return s->kind == ON_REFERENCE ? reference_depth(s->reference) : wcbor_writer_depth(&s->writer);
}

static void run_all_but_last(subject *s, const script *the_script, const char *file, int line) {
    for (size_t i = 0; i + 1 < the_script->count; i++) {
        wcbor_status status = run(s, &the_script->calls[i]);
        if (status == WCBOR_OK) continue;
        fail_msg("%s:%d: %s: call %zu gave %s", file, line, subject_names[s->kind], i, wcbor_status_name(status));
    }
}

static void expect_status(subject *s, const script *the_script, wcbor_status expected, const char *file, int line) {
    wcbor_status status = run(s, &the_script->calls[the_script->count - 1]);
    if (status == expected) return;
    fail_msg("%s:%d: %s: the last call gave %s, not %s", file, line, subject_names[s->kind], wcbor_status_name(status),
             wcbor_status_name(expected));
}

static void expect_document(const subject *s, const char *hex, const char *file, int line) {
    const uint8_t *bytes = NULL;
    size_t nbytes = 0;
    char got[2 * MOST_BYTES + 1] = "";
    if (s->kind == ON_REFERENCE) {
        if (reference_is_complete(s->reference)) bytes = reference_bytes(s->reference), nbytes = nbytes_of(s);
    } else {
        (void)wcbor_writer_result(&s->writer, &bytes, &nbytes);
    }
    for (size_t i = 0; i < nbytes && i < MOST_BYTES; i++)
        snprintf(got + 2 * i, 3, "%02x", bytes[i]);
    if (strcmp(got, hex) != 0) fail_msg("%s:%d: %s: %s, not %s", file, line, subject_names[s->kind], got, hex);
}

void script_expect_(wcbor_mode mode, int flags, const char *calls, const char *hex, const char *file, int line) {
    static script the_script;
    parse(&the_script, calls);
    for (int kind = 0; kind < SUBJECTS; kind++) {
        subject s = {.kind = kind};
        start(&s, mode, flags);
        run_all_but_last(&s, &the_script, file, line);
        expect_status(&s, &the_script, WCBOR_OK, file, line);
        expect_document(&s, hex, file, line);
        stop(&s);
    }
}

void script_fail_(wcbor_mode mode, int flags, const char *calls, wcbor_status status, const char *file, int line) {
    static script the_script;
    parse(&the_script, calls);
    for (int kind = 0; kind < SUBJECTS; kind++) {
        subject s = {.kind = kind};
        start(&s, mode, flags);
        run_all_but_last(&s, &the_script, file, line);
        size_t nbytes = nbytes_of(&s);
        uint32_t depth = depth_of(&s);
        expect_status(&s, &the_script, status, file, line);
        if (status != WCBOR_DUPLICATE_KEY && (nbytes_of(&s) != nbytes || depth_of(&s) != depth)) {
            fail_msg("%s:%d: %s: the failing call changed the writer", file, line, subject_names[kind]);
        }
        stop(&s);
    }
}
