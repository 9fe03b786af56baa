/*
 * Any bytes: the tape stays within its bounds, takes what wcbor_validate takes and nothing else, and says of strict
 * documents without `unchecked` that they have no duplicate keys. The first two bytes are the flags and the depth.
 * Whoever follows the entries meets each item once, and uses up doubles and text exactly.
 */
#include <stdlib.h>
#include <string.h>

#include "tape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static wcbor_names names;
static wcbor_tape_slots slots;

static void *reallocate(void *context, void *block, size_t nbytes) {
    (void)context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, nbytes);
}

static void check(bool holds) {
    if (!holds) abort();
}

/* Follows the entries of a run. */
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
        case TAPE_MORE: check(!is_finished && i == tape->nentries); break;
        default: check(op < TAPE_MORE);
        }
    }
    check(i == tape->nentries && doubles == tape->ndoubles && ascii == tape->ascii_nbytes && units == tape->wide_nunits);
    check(bytes == tape->bytes_nbytes);
    check(is_finished || tape->entries[i - 1] == TAPE_MORE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    if (nbytes < 2) return 0;
    uint32_t flags = data[0] & 31, max_depth = data[1] < 0x80 ? 1000 : data[1] & 7;
    data += 2, nbytes -= 2;
    if (names.nnodes == 0) wcbor_names_init(&names, 20261130);
    wcbor_names_renew(&names);

    uint8_t *input = malloc(nbytes + TAPE_SLACK);
    wcbor_tape *tape = malloc(sizeof *tape);
    if (input == NULL || tape == NULL) abort();
    if (nbytes > 0) memcpy(input, data, nbytes);
    memset(input + nbytes, data[-1], TAPE_SLACK);
    wcbor_tape_init(tape, &names, &slots, reallocate, NULL);
    if ((data[-2] & 0x20) != 0) tape->limit = 20;
    uint32_t status = wcbor_tape_start(tape, input, nbytes, flags, max_depth, NULL);
    for (; status == TAPE_UNFINISHED; status = wcbor_tape_run(tape)) follow(tape, nbytes, false);
    if (status == WCBOR_OK) {
        follow(tape, nbytes, true);
        check(tape->read_nbytes <= nbytes && tape->nitems <= nbytes);
    }
    check(status == WCBOR_OK || status == WCBOR_INVALID_ENCODED_VALUE);

    /* Lax takes ill-formed text, strict does not; both refuse what the tape refuses otherwise. */
    size_t offset;
    wcbor_reader_options options = {WCBOR_MODE_LAX, false, false, (int32_t)max_depth, reallocate, NULL, 1};
    wcbor_status lax = wcbor_validate(input, nbytes, &options, &offset, NULL);
    if (status == WCBOR_OK) check(lax == WCBOR_OK && offset == tape->read_nbytes);
    if ((flags & TAPE_REPLACE) != 0 && (flags & TAPE_STRICT) == 0) check((lax == WCBOR_OK) == (status == WCBOR_OK));
    options.mode = WCBOR_MODE_STRICT;
    wcbor_status strict = wcbor_validate(input, nbytes, &options, &offset, NULL);
    if ((flags & TAPE_STRICT) != 0 && (flags & TAPE_REPLACE) == 0) {
        if (strict == WCBOR_OK) check(status == WCBOR_OK);
        if (status == WCBOR_OK && strict != WCBOR_OK) check(strict == WCBOR_DUPLICATE_KEY && tape->unchecked);
    }
    wcbor_tape_free(tape);
    free(tape);
    free(input);
    return 0;
}
