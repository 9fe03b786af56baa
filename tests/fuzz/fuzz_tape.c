/*
 * Any bytes: the tape stays within its bounds, takes what wcbor_validate takes and nothing else, and says of strict
 * documents without `unchecked` that they have no duplicate keys. The first two bytes are the flags and the depth.
 * Whoever follows the entries meets each item once, and uses up doubles and text exactly.
 */
#include "tape_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    if (nbytes < 2) return 0;
    tape_reading r = read_tape(data, nbytes, NULL);
    if (r.status == WCBOR_OK) check(r.tape->nitems <= r.nbytes);
    check(r.status == WCBOR_OK || r.status == WCBOR_INVALID_ENCODED_VALUE);

    /* Lax takes ill-formed text, strict does not; both refuse what the tape refuses otherwise. */
    size_t offset;
    wcbor_reader_options options = {WCBOR_MODE_LAX, false, false, (int32_t)r.max_depth, test_reallocate, NULL, 1};
    wcbor_status lax = wcbor_validate(r.input, r.nbytes, &options, &offset, NULL);
    if (r.status == WCBOR_OK) check(lax == WCBOR_OK && offset == r.tape->read_nbytes);
    if ((r.flags & TAPE_REPLACE) != 0 && (r.flags & TAPE_STRICT) == 0) check((lax == WCBOR_OK) == (r.status == WCBOR_OK));
    options.mode = WCBOR_MODE_STRICT;
    wcbor_status strict = wcbor_validate(r.input, r.nbytes, &options, &offset, NULL);
    if ((r.flags & TAPE_STRICT) != 0 && (r.flags & TAPE_REPLACE) == 0) {
        if (strict == WCBOR_OK) check(r.status == WCBOR_OK);
        if (r.status == WCBOR_OK && strict != WCBOR_OK) check(strict == WCBOR_DUPLICATE_KEY && r.tape->unchecked);
    }
    free_reading(&r);
    return 0;
}
