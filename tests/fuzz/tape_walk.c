#include "tape_walk.h"

#include <stdlib.h>

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

void follow_tape(const wcbor_tape *tape, const wcbor_names *names, size_t nbytes, bool is_finished) {
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
        case TAPE_KEY: check(value > 0 && value < names->nkeys); break;
        case TAPE_SHAPE: check(value > ROOT_NODE && value < names->nnodes); break;
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
