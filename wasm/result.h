/*
 * result.h - what the exports share: how they are marked, and the one block in which calls leave what they came to.
 */
#ifndef WCBOR_RESULT_H
#define WCBOR_RESULT_H

#include "abi.h"

#include <stddef.h>
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* The fields RESULT_... of abi.h, in their order. */
typedef struct wcbor_result_fields {
    const uint8_t *bytes;
    size_t nbytes, offset, extra;
} wcbor_result_fields;

extern wcbor_result_fields wcbor_result_block;

/* The number that tables of keys are scattered by. */
extern uint64_t wcbor_module_seed;

#endif
