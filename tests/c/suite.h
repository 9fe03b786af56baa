/* suite.h - what the tests of this directory share: cmocka, and a writer as the subject of a row of vectors. */
#ifndef WCBOR_TEST_SUITE_H
#define WCBOR_TEST_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "vectors.h"

/*
 * Prints the row's complaint, if there is one, so that a test goes on to the other rows; returns how many
 * there were.
 */
static inline size_t suite_report(const char *complaint) {
    if (complaint != NULL) print_error("%s\n", complaint);
    return complaint != NULL;
}

#define assert_status(expected, call_)                                                                                 \
  do {                                                                                                                 \
    wcbor_status status_ = (call_), expected_ = (expected);                                                            \
    if (status_ != expected_) {                                                                                        \
      fail_msg("%s gave %s, not %s", #call_, wcbor_status_name(status_), wcbor_status_name(expected_));                \
    }                                                                                                                  \
  } while (0)

#define assert_ok(call_) assert_status(WCBOR_OK, call_)

static inline size_t suite_nbytes(void *writer) {
    return wcbor_writer_nbytes(writer);
}

static inline uint32_t suite_depth(void *writer) {
    return wcbor_writer_depth(writer);
}

static inline bool suite_is_complete(void *writer) {
    return wcbor_writer_is_complete(writer);
}

static inline const uint8_t *suite_document(void *writer) {
    const uint8_t *bytes = NULL;
    size_t nbytes;
    return wcbor_writer_result(writer, &bytes, &nbytes) == WCBOR_OK ? bytes : NULL;
}

static inline wcbor_writer_options suite_options(const vector_row *row, wcbor_reallocate reallocate, void *context) {
    return (wcbor_writer_options){row->mode, row->convert, row->multiple_roots, row->max_depth, reallocate, context, 1};
}

#endif
