/*
 * The writer driven by bytes as calls, against the reference writer, with memory that runs out. A byte is the call; its
 * arguments follow: lengths in one byte, numbers in as many as a byte says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subjects.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

typedef struct input {
    const uint8_t *next, *end;
} input;

static uint8_t take_byte(input *in) {
    return in->next < in->end ? *in->next++ : 0;
}

static uint64_t take_number(input *in, unsigned size) {
    uint64_t number = 0;
    for (unsigned i = 0; i < size; i++)
        number = number << 8 | take_byte(in);
    return number;
}

/* Bytes of their own, so that the sanitizer sees a read past their end. */
static void take_bytes(input *in, call *c, uint8_t **owned) {
    size_t nbytes = take_byte(in);
    if (nbytes > (size_t)(in->end - in->next)) nbytes = (size_t)(in->end - in->next);
    *owned = malloc(nbytes == 0 ? 1 : nbytes);
    if (*owned == NULL) abort();
    if (nbytes > 0) memcpy(*owned, in->next, nbytes);
    in->next += nbytes;
    c->bytes = *owned;
    c->nbytes = nbytes;
}

static void take_arguments(input *in, call *c, uint8_t **owned) {
    switch (c->op) {
    case CALL_INT:
    case CALL_UINT:
    case CALL_NEGATIVE:
    case CALL_TAG:
    case CALL_UNIX_TIME:
    case CALL_START_ARRAY:
    case CALL_START_MAP: c->number = take_number(in, take_byte(in) % 9); break;
    case CALL_HALF: c->number = take_number(in, 2); break;
    case CALL_SINGLE: c->number = take_number(in, 4); break;
    case CALL_DOUBLE: c->number = take_number(in, 8); break;
    case CALL_UNIX_TIME_DOUBLE: c->number = take_number(in, 8); break;
    case CALL_BOOL: c->number = take_byte(in) & 1; break;
    case CALL_SIMPLE:
    case CALL_COPY: c->number = take_byte(in); break;
    case CALL_DECIMAL: c->number = take_number(in, take_byte(in) % 9); /* fall through */
    case CALL_BIGNUM: c->flag = (take_byte(in) & 1) != 0;              /* fall through */
    case CALL_BYTES:
    case CALL_TEXT:
    case CALL_TEXT_INVALID:
    case CALL_ENCODED:
    case CALL_DATE_TIME: take_bytes(in, c, owned); break;
    default: break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    static subjects all;
    if (nbytes < 4) return 0;
    sequence options = {.mode = (wcbor_mode)(data[0] % 7),
                        .convert = (data[0] & 0x20) != 0,
                        .multiple_roots = (data[0] & 0x40) != 0 && data[0] % 7 != WCBOR_MODE_DAG_CBOR,
                        .max_depth = data[1] < 0x80 ? -1 : data[1] & 0x1f,
                        .capacity = data[2]};
    input in = {data + 4, data + nbytes};
    bool same = true;
    subjects_init(&all, &options, (uint64_t)data[3] << 32 | data[3]);
    for (uint32_t i = 0; in.next < in.end && same; i++) {
        call c = {.op = (call_op)(take_byte(&in) % CALL_OPS_), .index = i};
        uint8_t *owned = NULL;
        take_arguments(&in, &c, &owned);
        if (c.op == CALL_TEXT_INVALID) {
            /* Text that no mode but lax takes, and in lax it never gets here. */
            c.op = options.mode == WCBOR_MODE_LAX ? CALL_NULL : c.op;
            c.bytes = (const uint8_t *)"\xed\xa0\x80";
            c.nbytes = 3;
        }
        same = subjects_step(&all, &c);
        free(owned);
    }
    if (same) same = subjects_flush(&all);
    if (!same) {
        fprintf(stderr, "%s\n", all.difference);
        abort();
    }
    subjects_free(&all);
    return 0;
}
