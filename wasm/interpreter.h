/*
 * interpreter.h - runs a command stream (abi.h) against a writer (../src/wcbor.h).
 *
 * It trusts nothing: every operand is checked against the ends below, so that any bytes are safe to run. It knows
 * nothing of WebAssembly, and is built natively too, where the tests and the fuzzers reach it.
 */
#ifndef WCBOR_INTERPRETER_H
#define WCBOR_INTERPRETER_H

#include "../src/wcbor.h"
#include "shapes.h"

/* Short strings are moved in pieces of this many bytes where memory allows: that is faster than to look at lengths. */
enum { STREAM_SLACK = 32 };

/* What the output may have left for an item to be put without a look at its size: a head, text of 32 bytes, and a key
   before it. */
enum { STREAM_PUT_MAX = 9 + STREAM_SLACK + KEY_NBYTES_MAX + KEY_PIECE };

/* One run: the commands and what they refer to. `text` must be well-formed UTF-8, as a TextEncoder gives it. */
typedef struct wcbor_stream {
    const uint8_t *commands, *commands_end;
    const uint8_t *text, *text_end; /* OP_TEXT_RUN takes its strings from here, one after the other */
    const uint8_t *side, *side_end; /* OP_BYTES_RUN and OP_ENCODED_RUN likewise */
    const wcbor_shapes *shapes;     /* of OP_SHAPE; the same for all runs of a document; NULL: there are none */
    const uint8_t *text_invalid;    /* text that reaches beyond fails with INVALID_TEXT; NULL: none does */
    bool text_is_ascii;             /* UTF-16 units are bytes */
    bool slack;                     /* STREAM_SLACK bytes may be read behind the commands' and the text's end */
    uint32_t failed_index;          /* set on failure: how many commands came before the failing one */
    bool failed_key;                /* likewise: the key of the item that failed stands behind the output still */
} wcbor_stream;

/*
 * Runs the commands in order up to the first that fails. Those before it have taken effect, it and those after it have
 * not (but for what WCBOR_DUPLICATE_KEY removes, and what a run has put before
 * one that is refused). WCBOR_BAD_COMMAND for an unknown opcode or an operand that is cut short or reaches past its end.
 */
wcbor_status wcbor_interpret(wcbor_writer *writer, wcbor_stream *stream);

#endif
