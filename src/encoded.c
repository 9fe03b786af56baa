/*
 * encoded.c - items that are encoded already.
 */
#include "writer.h"

wcbor_status wcbor_write_encoded(wcbor_writer *writer, const void *bytes, size_t nbytes) {
    if (bytes == NULL) return WCBOR_NULL_ARGUMENT;
    if (nbytes == 0) return WCBOR_INVALID_ENCODED_VALUE;
    size_t item_nbytes;
    wcbor_status status = wcbor_walk_(writer, bytes, nbytes, &item_nbytes);
    if (status == WCBOR_OK && item_nbytes != nbytes) status = WCBOR_INVALID_ENCODED_VALUE;
    if (status != WCBOR_OK) return status;
    const uint8_t *item = bytes, *payload = NULL;
    wcbor_head_ head = {0, 0};
    if ((*item & WCBOR_MAJOR) == WCBOR_BYTES && wcbor_get_head_(item, item + nbytes, &head))
        payload = item + head.nbytes;
    status = wcbor_begin_(writer, *item, payload, payload == NULL ? 0 : (size_t)head.argument);
    if (status == WCBOR_OK) status = wcbor_room_(writer, nbytes);
    if (status != WCBOR_OK) return status;
    memcpy(writer->next, item, nbytes);
    writer->next += nbytes;
    return wcbor_finish_(writer);
}
