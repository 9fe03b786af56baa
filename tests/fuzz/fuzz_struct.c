/*
 * Any bytes, read by the plans of generate-plans.js: the tape stays within its bounds, and takes nothing that wcbor_validate
 * refuses but for what only JavaScript looks at. The first two bytes are the flags and the plan.
 */
#include <stdlib.h>
#include <string.h>

#include "plans.inc"
#include "tape_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static wcbor_names names;
static wcbor_tape_slots slots;
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
    uint32_t flags = data[0] & 31, limit = data[0] & 0x20;
    unsigned number = data[1] % NPLANS;
    uint32_t max_depth = data[1] < 0x80 ? 1000 : data[1] & 7;
    data += 2, nbytes -= 2;
    if (names.nnodes == 0) wcbor_names_init(&names, 20261130);
    wcbor_names_renew(&names);

    uint8_t *input = malloc(nbytes + TAPE_SLACK);
    wcbor_tape *tape = malloc(sizeof *tape);
    if (input == NULL || tape == NULL) abort();
    if (nbytes > 0) memcpy(input, data, nbytes);
    memset(input + nbytes, data[-1], TAPE_SLACK);
    wcbor_tape_init(tape, &names, &slots, test_reallocate, NULL);
    if (limit != 0) tape->limit = 20;
    uint32_t status = wcbor_tape_start(tape, input, nbytes, flags, max_depth, plan_of(number));
    for (; status == TAPE_UNFINISHED; status = wcbor_tape_run(tape)) follow_tape(tape, &names, nbytes, false);
    if (status == WCBOR_OK) {
        follow_tape(tape, &names, nbytes, true);
        check(tape->read_nbytes <= nbytes);
        size_t offset;
        wcbor_reader_options options = {WCBOR_MODE_LAX, false, false, (int32_t)max_depth, test_reallocate, NULL, 1};
        check(wcbor_validate(input, nbytes, &options, &offset, NULL) == WCBOR_OK && offset == tape->read_nbytes);
    } else {
        check(status == WCBOR_INVALID_ENCODED_VALUE || tape->fault <= nbytes);
    }
    wcbor_tape_free(tape);
    free(tape);
    free(input);
    return 0;
}
