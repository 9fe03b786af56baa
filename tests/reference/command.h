/*
 * command.h - calls as a command stream (../../wasm/abi.h), and the running of it, one run after the other.
 */
#ifndef WCBOR_TEST_COMMAND_H
#define WCBOR_TEST_COMMAND_H

#include "../../wasm/interpreter.h"
#include "call.h"

/* How strings and pre-encoded items are handed over: in the stream, or beside it. */
typedef enum command_form { COMMAND_INLINE, COMMAND_RUN } command_form;

/* One command's place in the three buffers: where the next one begins. */
typedef struct command_mark {
    size_t commands, text, side;
} command_mark;

/* A growing stream. All zero is an empty one. */
typedef struct command_buffer {
    uint8_t *commands, *text, *side;
    size_t commands_room, text_room, side_room;
    command_mark end;
    bool text_is_ascii;
    command_mark *marks; /* marks[i] is the end of command i */
    size_t count, marks_room;
} command_buffer;

void command_clear(command_buffer *buffer);
void command_free(command_buffer *buffer);

/*
 * Whether a stream has a command for the call. There is none for null arguments, reset, encode, encodeTo, and
 * Unix times as a double that is whole (a stream makes those integers).
 */
bool command_exists(const call *the_call);

/* Appends the call as exactly one command; false, with nothing appended, when there is none. */
bool command_append(command_buffer *buffer, const call *the_call, command_form form);

/*
 * Runs commands [first, last) in one run. Returns its status; `*done` is how many succeeded. The memory
 * handed over ends where the run ends, so that a tool that checks memory sees an over-read.
 */
wcbor_status command_run(wcbor_writer *writer, const command_buffer *buffer, size_t first, size_t last, size_t *done);

#endif
