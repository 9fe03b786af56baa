/*
 * exports-plan.c - plans of structs, and documents made over by them.
 */
#include "memory.h"
#include "plan.h"
#include "result.h"

#include <string.h>

static void *reallocate(void *context, void *memory, size_t nbytes) {
    (void)context;
    return memory_resize(memory, nbytes);
}

/* There is one: no code of anybody else's runs between a document's making over and the end of its use. */
static wcbor_plan_run run = {.reallocate = reallocate};

/* Results of more bytes than this are not kept. */
enum { KEPT_NBYTES = 1 << 20 };

/* Fills the tables of the plan at `plan`, memory of wcbor_alloc that stays the caller's. */
EXPORT(wcbor_plan_ready) void wcbor_plan_ready(uint32_t *plan) {
    wcbor_plan_prepare(plan);
}

/*
 * Makes over the valid item at `input`: a status, or one of PLAN_... of abi.h. RESULT_BYTES and RESULT_NBYTES are the result,
 * valid until the next call; of a failure, RESULT_OFFSET says where in the input, RESULT_EXTRA the FIELD_PROPERTY of the
 * field that is missing.
 */
EXPORT(wcbor_plan_use) uint32_t wcbor_plan_use(const uint32_t *plan, const uint8_t *input) {
    if (run.capacity > KEPT_NBYTES) wcbor_plan_free(&run);
    uint32_t status = wcbor_plan_apply(&run, plan, input);
    wcbor_result_block = (wcbor_result_fields){run.out, run.nbytes, run.offset, run.field};
    return status;
}
