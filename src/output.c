#include "output.h"

#include "decimal.h"

uint8_t *wcbor_output_add_(wcbor_output_ *output, size_t nbytes) {
    if (output->failed) return NULL;
    if (nbytes > output->capacity - output->nbytes) {
        /* As much again, so that a long output moves seldom; where that is too much, what is needed may still fit. */
        size_t capacity = output->capacity;
        size_t need = nbytes > PTRDIFF_MAX - output->nbytes ? 0 : output->nbytes + nbytes;
        size_t size = capacity > PTRDIFF_MAX / 2 || capacity * 2 < need ? need : capacity * 2;
        if (size != 0 && size < 256) size = 256;
        uint8_t *bytes = need == 0 ? NULL : output->reallocate(output->context, output->bytes, size);
        if (bytes == NULL && need != 0 && size > need)
            bytes = output->reallocate(output->context, output->bytes, size = need);
        if (bytes == NULL) {
            output->failed = true;
            return NULL;
        }
        output->bytes = bytes;
        output->capacity = size;
    }
    uint8_t *added = output->bytes + output->nbytes;
    output->nbytes += nbytes;
    return added;
}

void wcbor_output_byte_(wcbor_output_ *output, unsigned byte) {
    if (output->nbytes == output->capacity || output->failed) {
        if (wcbor_output_add_(output, 1) == NULL) return;
        output->nbytes--;
    }
    output->bytes[output->nbytes++] = (uint8_t)byte;
}

void wcbor_output_put_(wcbor_output_ *output, const void *bytes, size_t nbytes) {
    uint8_t *added = nbytes == 0 ? NULL : wcbor_output_add_(output, nbytes);
    if (added != NULL) memcpy(added, bytes, nbytes);
}

void wcbor_output_decimal_(wcbor_output_ *output, uint64_t number) {
    uint8_t digits[WCBOR_INTEGER_ROOM];
    wcbor_output_put_(output, digits, (size_t)(wcbor_put_integer_(digits, number) - digits));
}

void wcbor_output_free_(wcbor_output_ *output) {
    if (output->bytes != NULL) output->reallocate(output->context, output->bytes, 0);
    output->bytes = NULL;
    output->nbytes = output->capacity = 0;
}
