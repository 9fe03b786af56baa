/*
 * exports-tape.c - what JavaScript calls to decode: tapes, which share their tables of keys and of short text.
 */
#include "memory.h"
#include "result.h"
#include "tape.h"

#include <string.h>

static wcbor_names names;
static wcbor_tape_slots slots;

static void *reallocate(void *context, void *memory, size_t nbytes) {
    (void)context;
    return memory_resize(memory, nbytes);
}

/* A tape, of which the fields TAPE_... of abi.h may be read; NULL when there is no memory. */
EXPORT(wcbor_decode_new) wcbor_tape *wcbor_decode_new(void) {
    wcbor_tape *tape = memory_resize(NULL, sizeof *tape);
    if (tape == NULL) return NULL;
    if (names.nnodes == 0) wcbor_names_init(&names, wcbor_module_seed);
    wcbor_tape_init(tape, &names, &slots, reallocate, NULL);
    return tape;
}

EXPORT(wcbor_decode_free) void wcbor_decode_free(wcbor_tape *tape) {
    wcbor_tape_free(tape);
    (void)memory_resize(tape, 0);
}

/* wcbor_tape_start. With TAPE_SLOTS it is the only tape in use, so that the tables of keys may be begun anew first. */
EXPORT(wcbor_decode_start) uint32_t wcbor_decode_start(wcbor_tape *tape, const uint8_t *input, size_t nbytes, uint32_t flags,
                                                       uint32_t max_depth, const uint32_t *plan) {
    if ((flags & TAPE_SLOTS) != 0) wcbor_names_renew(&names);
    return wcbor_tape_start(tape, input, nbytes, flags, max_depth, plan);
}

/* wcbor_tape_run. */
EXPORT(wcbor_decode_run) uint32_t wcbor_decode_run(wcbor_tape *tape) {
    return wcbor_tape_run(tape);
}

/* Forgets what short text has slots. */
EXPORT(wcbor_decode_forget) void wcbor_decode_forget(void) {
    memset(&slots, 0, sizeof slots);
}

/* Where the tables are: the nodes and keys of names.h, the bytes of keys. */
EXPORT(wcbor_decode_tables) const void *wcbor_decode_tables(uint32_t which) {
    switch (which) {
    case 0: return names.nodes;
    case 1: return names.keys;
    default: return names.bytes;
    }
}
