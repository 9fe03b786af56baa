/*
 * output.h - bytes of a length not known beforehand, in one block of the caller's hook. Private to the library.
 *
 * What does not fit any more is dropped, and `failed` set, so that only the end has to look at it.
 */
#ifndef WCBOR_OUTPUT_H
#define WCBOR_OUTPUT_H

#include "head.h"

typedef struct wcbor_output_ {
    uint8_t *bytes;
    size_t nbytes, capacity;
    wcbor_reallocate reallocate;
    void *context;
    bool failed;
} wcbor_output_;

/* Appends `nbytes`, not set to anything; NULL when there is no memory. */
uint8_t *wcbor_output_add_(wcbor_output_ *output, size_t nbytes);

/* Appends one byte, of which the lower 8 bits count. */
void wcbor_output_byte_(wcbor_output_ *output, unsigned byte);

/* Appends bytes. */
void wcbor_output_put_(wcbor_output_ *output, const void *bytes, size_t nbytes);

/* Appends a number in decimal. */
void wcbor_output_decimal_(wcbor_output_ *output, uint64_t number);

/* Gives the memory back. */
void wcbor_output_free_(wcbor_output_ *output);

#endif
