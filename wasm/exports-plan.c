/*
 * exports-plan.c - plans of structs.
 */
#include "memory.h"
#include "plan.h"
#include "result.h"

/* Fills the tables of the plan at `plan`, memory of wcbor_alloc that stays the caller's. */
EXPORT(wcbor_plan_ready) void wcbor_plan_ready(uint32_t *plan) {
    wcbor_plan_prepare(plan);
}
