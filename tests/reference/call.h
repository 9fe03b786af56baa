/*
 * call.h - one call of the writer as data, so that tables, random sequences and fuzzers can drive every writer alike:
 * the library (call.c), the command stream (command.h) and the reference (reference_writer.h).
 */
#ifndef WCBOR_TEST_CALL_H
#define WCBOR_TEST_CALL_H

#include "../../src/wcbor.h"

typedef enum call_op {
    CALL_INT,          /* number: an int64 in two's complement */
    CALL_UINT,         /* number */
    CALL_NEGATIVE,     /* number */
    CALL_BYTES,        /* bytes */
    CALL_TEXT,         /* bytes */
    CALL_TEXT_INVALID, /* bytes: what stands for text with an unpaired surrogate, which UTF-8 cannot say */
    CALL_HALF,         /* number: the bits */
    CALL_SINGLE,       /* number: the bits */
    CALL_DOUBLE,       /* number: the bits */
    CALL_BOOL,         /* number: 0 or 1 */
    CALL_NULL,
    CALL_UNDEFINED,
    CALL_SIMPLE,      /* number */
    CALL_TAG,         /* number */
    CALL_START_ARRAY, /* number */
    CALL_START_MAP,   /* number */
    CALL_START_INDEFINITE_ARRAY,
    CALL_START_INDEFINITE_MAP,
    CALL_START_INDEFINITE_BYTES,
    CALL_START_INDEFINITE_TEXT,
    CALL_END_ARRAY,
    CALL_END_MAP,
    CALL_END_BYTES,
    CALL_END_TEXT,
    CALL_ENCODED,          /* bytes */
    CALL_DATE_TIME,        /* bytes */
    CALL_UNIX_TIME,        /* number: an int64 in two's complement */
    CALL_UNIX_TIME_DOUBLE, /* number: the bits */
    CALL_BIGNUM,           /* flag: negative; bytes: magnitude */
    CALL_DECIMAL,          /* number: the exponent, an int64; flag: negative; bytes: magnitude */
    CALL_RESET,
    CALL_RESULT,
    CALL_COPY, /* number: capacity */
    CALL_OPS_
} call_op;

typedef struct call {
    call_op op;
    uint32_t index; /* in a table: which of its calls this is, or came from */
    uint64_t number;
    bool flag;
    const uint8_t *bytes; /* NULL with nbytes 1 is the null argument */
    size_t nbytes;
} call;

/* The name that the tables use: "int", "startIndefiniteMap". */
const char *call_name(call_op op);

/* The op of that name, or CALL_OPS_. */
call_op call_op_of(const char *name, size_t name_nbytes);

/* Runs the call on the library's writer. */
wcbor_status call_apply(wcbor_writer *writer, const call *the_call);

/* Prints the call on one line: name and arguments, bytes in hex. */
void call_print(const call *the_call);

float call_float(uint64_t bits);
double call_double(uint64_t bits);

#endif
