/*
 * Any bytes: the tape stays within its bounds, takes what wcbor_validate takes and nothing else, and says of strict
 * documents without `unchecked` that they have no duplicate keys. The first two bytes are the flags and the depth.
 * Whoever follows the entries meets each item once, and uses up doubles and text exactly.
 */
#include <stdlib.h>
#include <string.h>

#include "tape_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static wcbor_names names;
static wcbor_tape_slots slots;

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
    wcbor_tape_init(tape, &names, &slots, test_reallocate, NULL);
    if ((data[-2] & 0x20) != 0) tape->limit = 20;
    uint32_t status = wcbor_tape_start(tape, input, nbytes, flags, max_depth, NULL);
    for (; status == TAPE_UNFINISHED; status = wcbor_tape_run(tape)) follow_tape(tape, &names, nbytes, false);
    if (status == WCBOR_OK) {
        follow_tape(tape, &names, nbytes, true);
        check(tape->read_nbytes <= nbytes && tape->nitems <= nbytes);
    }
    check(status == WCBOR_OK || status == WCBOR_INVALID_ENCODED_VALUE);

    /* Lax takes ill-formed text, strict does not; both refuse what the tape refuses otherwise. */
    size_t offset;
    wcbor_reader_options options = {WCBOR_MODE_LAX, false, false, (int32_t)max_depth, test_reallocate, NULL, 1};
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
