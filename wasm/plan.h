/*
 * plan.h - typed documents: a plan says what is expected where, and a document is made over by it.
 *
 * The result is an item again, for the tape to read: structs are maps with the properties' names for keys, in the order of
 * the fields, whatever the casing, order, representation or length of the input; keys that no field has are skipped, absent
 * fields have their defaults. Types and limits have been checked. What needs more than its CBOR to become a JavaScript
 * value has a tag of the plan's: integers that are bigints, and items that stay encoded (as byte strings).
 *
 * A key is looked for in a hash table of the struct's own names, after the one that comes next in the order of the fields has been
 * tried: what other documents had in them, or other casings, makes no difference, and nothing grows. Casing is
 * folded by the plan's own table of the characters that its names have and their variants (Unicode simple case folding).
 *
 * The input must be valid already (wcbor_validate), with TAPE_SLACK bytes behind it that may be read; so must the plan. Nothing recurses; the depth is that of the input.
 */
#ifndef WCBOR_PLAN_H
#define WCBOR_PLAN_H

#include "../src/wcbor.h"
#include "abi.h"

/* A container that is open. */
typedef struct plan_frame {
    uint64_t left;        /* items or pairs that are to come, or UINT64_MAX for an indefinite length */
    const uint8_t *begin; /* its head in the input */
    uint32_t node;        /* 0 while it is skipped */
    uint32_t count;       /* items or pairs so far */
    uint32_t hint;        /* of a struct: the field that is expected next */
    uint32_t field;       /* of a struct: the one under way */
    uint32_t out;         /* of a struct: where its pairs begin in the result */
    uint32_t spans;       /* of a struct: where its spans begin */
    uint32_t in_order;    /* of a struct: whether its pairs stand in the order of the fields, with nothing between them */
    uint32_t kept_at;     /* of a struct: where the pairs that are kept begin in `kept` */
} plan_frame;

/* Where a field's pair stands in the result; both 0: it is absent. */
typedef struct plan_span {
    uint32_t begin, end;
} plan_span;

/* A run of a plan. */
typedef struct wcbor_plan_run {
    const uint32_t *plan;
    const uint8_t *bytes; /* the plan's */
    wcbor_reallocate reallocate;
    void *context;
    uint8_t *out;
    size_t nbytes, capacity;
    plan_frame *frames;
    size_t depth, frames_capacity;
    plan_span *spans; /* of the fields of structs that are open */
    size_t nspans, spans_capacity;
    plan_span *kept; /* pairs of unknown keys, likewise */
    size_t nkept, kept_capacity;
    uint8_t *scratch; /* for pairs that are put in order, and for folded keys */
    size_t scratch_capacity;
    uint32_t field;  /* after PLAN_MISSING_FIELD: its FIELD_PROPERTY */
    size_t offset;   /* after a failure: where in the input */
} wcbor_plan_run;

/* Fills the tables of a plan. What stands in it is the caller's promise. */
void wcbor_plan_prepare(uint32_t *plan);

/*
 * Makes over the valid item at `input`. WCBOR_OK and the result in `out`, with TAPE_SLACK bytes behind it; else WCBOR_TYPE_MISMATCH, WCBOR_OVERFLOW,
 * WCBOR_LIMIT_EXCEEDED, WCBOR_INVALID_CID, PLAN_MISSING_FIELD, PLAN_UNKNOWN_FIELD, PLAN_WRONG_COUNT,
 * WCBOR_OUT_OF_MEMORY, and `offset`. `run` may be used again, with its memory.
 */
uint32_t wcbor_plan_apply(wcbor_plan_run *run, const uint32_t *plan, const uint8_t *input);

void wcbor_plan_free(wcbor_plan_run *run);

#endif
