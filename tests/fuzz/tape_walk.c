#include "tape_walk.h"

#include <stdlib.h>
#include <string.h>

static wcbor_names names;
static wcbor_tape_slots slots;

void check(bool holds) {
    if (!holds) abort();
}

void *test_reallocate(void *context, void *block, size_t nbytes) {
    (void)context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, nbytes);
}

/* Follows the entries of a run: each item is met once, and doubles and text are used up exactly. */
static void follow(const wcbor_tape *tape, size_t nbytes, bool is_finished) {
    size_t doubles = 0, ascii = 0, units = 0, bytes = 0, i = 0;
    check(tape->nentries <= TAPE_ENTRIES && tape->ndoubles <= TAPE_NDOUBLES);
    check(tape->ascii_nbytes <= TAPE_TEXT_NBYTES && tape->wide_nunits <= TAPE_TEXT_NBYTES);
    check(tape->bytes_nbytes <= TAPE_TEXT_NBYTES);
    while (i < tape->nentries) {
        uint32_t entry = tape->entries[i++], op = entry & ((1u << TAPE_OP_BITS) - 1), value = entry >> TAPE_OP_BITS;
        switch (op) {
        case TAPE_STRING: ascii += value; break;
        case TAPE_KNOWN_STRING: check(value < TAPE_NSLOTS && tape->slots->slots[value].nbytes <= 16); break;
        case TAPE_NEW_STRING: ascii += value >> TAPE_SLOT_BITS; break;
        case TAPE_KEY: check(value > 0 && value < names.nkeys); break;
        case TAPE_SHAPE: check(value > ROOT_NODE && value < names.nnodes); break;
        case TAPE_SIMPLE: check(value < 256); break;
        case TAPE_DOUBLE: doubles++; break;
        case TAPE_DOUBLES: doubles += value; break;
        case TAPE_INTS: i += value; break;
        case TAPE_INT32: i++; break;
        case TAPE_WIDE_STRING: units += value; break;
        case TAPE_BYTES: bytes += value; break;
        case TAPE_LONG_STRING:
        case TAPE_LONG_BYTES:
            check(tape->entries[i] <= nbytes && tape->entries[i + 1] <= nbytes - tape->entries[i]);
            i += 2;
            break;
        case TAPE_LONG_TAG:
        case TAPE_UNSIGNED:
        case TAPE_NEGATIVE: i += 2; break;
        case TAPE_STRUCT: check(tape->entries[i++] < nbytes); break;
        case TAPE_CAST:
            if (value != CAST_ENCODED && value != CAST_PLACE) break;
            check(tape->entries[i] <= nbytes);
            if (value == CAST_ENCODED) check(tape->entries[i + 1] <= nbytes - tape->entries[i]);
            i += value == CAST_ENCODED ? 2 : 1;
            break;
        case TAPE_MORE: check(!is_finished && i == tape->nentries); break;
        default: break;
        }
    }
    check(i == tape->nentries && doubles == tape->ndoubles && ascii == tape->ascii_nbytes && units == tape->wide_nunits);
    check(bytes == tape->bytes_nbytes);
    check(is_finished || tape->entries[i - 1] == TAPE_MORE);
}

/* Makes the tape of the input with bytes of one value behind it, and follows each run. */
static void run(tape_reading *r, const uint32_t *plan, int behind, bool has_limit) {
    memset(r->input + r->nbytes, behind, TAPE_SLACK);
    wcbor_tape_init(r->tape, &names, &slots, test_reallocate, NULL);
    if (has_limit) r->tape->limit = 20;
    r->status = wcbor_tape_start(r->tape, r->input, r->nbytes, r->flags, r->max_depth, plan);
    for (; r->status == TAPE_UNFINISHED; r->status = wcbor_tape_run(r->tape)) follow(r->tape, r->nbytes, false);
    if (r->status == WCBOR_OK) {
        follow(r->tape, r->nbytes, true);
        check(r->tape->read_nbytes <= r->nbytes);
    }
}

/* Where it was read to, or is at fault. */
static uint32_t end_of(const tape_reading *r) {
    return r->status == WCBOR_OK ? r->tape->read_nbytes : r->tape->fault;
}

tape_reading read_tape(const uint8_t *data, size_t nbytes, const uint32_t *plan) {
    tape_reading r = {.nbytes = nbytes - 2, .flags = data[0] & 31, .max_depth = data[1] < 0x80 ? 1000 : data[1] & 7};
    bool has_limit = (data[0] & 0x20) != 0;
    if (names.nnodes == 0) wcbor_names_init(&names, 20261130);
    wcbor_names_renew(&names);
    r.input = malloc(r.nbytes + TAPE_SLACK);
    r.tape = malloc(sizeof *r.tape);
    if (r.input == NULL || r.tape == NULL) abort();
    if (r.nbytes > 0) memcpy(r.input, data + 2, r.nbytes);
    run(&r, plan, data[1], has_limit);
    uint32_t status = r.status, end = end_of(&r);
    wcbor_tape_free(r.tape);
    run(&r, plan, ~data[1] & 0xff, has_limit);
    check(r.status == status && end_of(&r) == end);
    return r;
}

void free_reading(tape_reading *reading) {
    wcbor_tape_free(reading->tape);
    free(reading->tape);
    free(reading->input);
}
