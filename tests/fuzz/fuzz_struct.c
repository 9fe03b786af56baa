/*
 * Any bytes, read by the plans of generate-plans.js: the tape stays within its bounds, and takes nothing that wcbor_validate
 * refuses but for what only JavaScript looks at. The first two bytes are the flags, and the plan and the depth.
 */
#include <stdlib.h>
#include <string.h>

#include "plans.inc"
#include "tape_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static uint32_t *prepared[NPLANS];

/* A plan as it stands in the module's memory: its words, and its bytes behind them. */
static const uint32_t *plan_of(unsigned number) {
    if (prepared[number] == NULL) {
        const plan_source *source = &plans[number];
        uint32_t *plan = calloc(1, source->nwords * 4 + source->nbytes + 32);
        if (plan == NULL) abort();
        memcpy(plan, source->words, source->nwords * 4);
        memcpy(plan + source->nwords, source->bytes, source->nbytes);
        wcbor_plan_prepare(plan);
        prepared[number] = plan;
    }
    return prepared[number];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    if (nbytes < 2) return 0;
    tape_reading r = read_tape(data, nbytes, plan_of(data[1] % NPLANS));
    if (r.status == WCBOR_OK) {
        size_t offset;
        wcbor_reader_options options = {WCBOR_MODE_LAX, false, false, (int32_t)r.max_depth, test_reallocate, NULL, 1};
        check(wcbor_validate(r.input, r.nbytes, &options, &offset, NULL) == WCBOR_OK && offset == r.tape->read_nbytes);
    } else {
        check(r.status == WCBOR_INVALID_ENCODED_VALUE || r.tape->fault <= r.nbytes);
    }
    free_reading(&r);
    return 0;
}
