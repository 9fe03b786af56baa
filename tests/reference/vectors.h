/*
 * vectors.h - the rows of writer-vectors.json, as tests/vectors/compile.js has written them out, and the
 * check of one row against whatever runs its calls.
 */
#ifndef WCBOR_TEST_VECTORS_H
#define WCBOR_TEST_VECTORS_H

#include "call.h"

typedef struct vector_failure {
    uint32_t index; /* of the call in the table, which may stand for several here */
    wcbor_status status;
} vector_failure;

typedef struct vector_row {
    char id[16];
    wcbor_mode mode;
    bool convert, multiple_roots;
    int32_t max_depth;
    call *calls;
    size_t ncalls;
    vector_failure *failures;
    size_t nfailures;
    bool stops; /* at its failure, in this state */
    size_t nbytes;
    uint32_t depth;
    bool is_complete;
    bool has_document, has_digest;
    uint8_t *document; /* `document_nbytes` bytes, or 32 of a digest */
    size_t document_nbytes;
} vector_row;

/* Reads the file; ends the program when it cannot. The rows live until the program ends. */
const vector_row *vectors_load(const char *path, size_t *count);

/* The status of that name; ends the program when there is none. */
wcbor_status vectors_status_of(const char *name);

/* Whether the bytes are the row's document. */
bool vectors_is_document(const vector_row *row, const uint8_t *bytes, size_t nbytes);

/* What runs a row: one call after the other, and what can be seen of it. */
typedef struct vector_subject {
    void *self;
    wcbor_status (*apply)(void *self, const call *the_call);
    size_t (*nbytes)(void *self);
    uint32_t (*depth)(void *self);
    bool (*is_complete)(void *self);
    const uint8_t *(*document)(void *self);
} vector_subject;

/* Runs the row; NULL when all is as the row says, else what is not (in static memory). */
const char *vectors_run(const vector_row *row, const vector_subject *subject);

#endif
