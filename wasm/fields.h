/*
 * fields.h - the pairs of structs on a tape that is made by a plan (plan.h, tape.h).
 */
#ifndef WCBOR_FIELDS_H
#define WCBOR_FIELDS_H

#include "tape.h"

/* Where the tape, the input and a struct are. */
typedef struct fields_run {
    const uint8_t *next, *end;
    uint32_t *out, *out_end;
    double *doubles, *doubles_end;
    uint8_t *ascii, *ascii_end;
    wcbor_tape_slots *slots;
    size_t left;
    uint32_t node, predicted; /* the list of keys that are no fields' */
    uint32_t depth_left;
} fields_run;

/*
 * Puts pairs of a struct that is a map, as long as they are of the most common kinds: of a field that is not behind those
 * before, with a value that has one entry, or else the
 * key alone, and then `left` is odd; or of a key that was met before in this place, and is no field's.
 */
void wcbor_take_fields(const wcbor_tape *tape, const uint32_t *record, plan_place *place, fields_run *run);

/* The fields from `hint` up to `number` are absent: what that makes of the struct. */
uint8_t wcbor_skip_fields(const uint32_t *record, uint32_t hint, uint32_t number);

/* A field's key is there. */
WCBOR_INLINE void begin_field(const uint32_t *record, plan_place *place, uint32_t number) {
    if (WCBOR_UNLIKELY(number != place->hint)) {
        uint8_t state = number < place->hint ? STRUCT_LOOSE : wcbor_skip_fields(record, place->hint, number);
        if (state < place->state) place->state = state;
    }
    place->field = (uint16_t)number;
    place->hint = (uint16_t)(number + 1);
}

/* The state of a struct that has ended. */
WCBOR_INLINE uint8_t end_struct(const uint32_t *record, const plan_place *place) {
    if (WCBOR_LIKELY(place->hint == record[RECORD_NFIELDS])) return place->state;
    uint8_t state = wcbor_skip_fields(record, place->hint, record[RECORD_NFIELDS]);
    return state < place->state ? state : place->state;
}

#endif
