/*
 * encoded.c - items that are encoded already.
 */
#include "reader.h"
#include "writer.h"

wcbor_status wcbor_walk_encoded_(const wcbor_writer *writer, uint32_t rules, const uint8_t *bytes, size_t nbytes,
                                 size_t *item_nbytes) {
    wcbor_reader reader;
    wcbor_reader_options options = {.reallocate = writer->options.reallocate, .context = writer->options.context,
                                    .seed = writer->keys.seed};
    wcbor_reader_make_(&reader, rules, writer->keys.order, writer->max_depth - wcbor_depth_(writer), &options);
    wcbor_reader_start_(&reader, bytes, nbytes);
    wcbor_status status = wcbor_walk_(&reader, 0, rules);
    *item_nbytes = (size_t)(reader.next - bytes);
    wcbor_reader_free(&reader);
    if (status == WCBOR_OK || status == WCBOR_OUT_OF_MEMORY) return status;
    return WCBOR_INVALID_ENCODED_VALUE;
}

wcbor_status wcbor_write_encoded(wcbor_writer *writer, const void *bytes, size_t nbytes) {
    if (bytes == NULL) return WCBOR_NULL_ARGUMENT;
    if (nbytes == 0) return WCBOR_INVALID_ENCODED_VALUE;
    size_t item_nbytes;
    wcbor_status status = wcbor_walk_encoded_(writer, writer->rules, bytes, nbytes, &item_nbytes);
    if (status == WCBOR_OK && item_nbytes != nbytes) status = WCBOR_INVALID_ENCODED_VALUE;
    if (status != WCBOR_OK) return status;
    const uint8_t *item = bytes, *payload = NULL;
    wcbor_head_ head = {0, 0};
    if ((*item & WCBOR_MAJOR) == WCBOR_BYTES && wcbor_get_head_(item, item + nbytes, &head))
        payload = item + head.nbytes;
    status = wcbor_begin_(writer, *item, payload, payload == NULL ? 0 : (size_t)head.argument);
    if (status == WCBOR_OK) status = wcbor_room_(writer, nbytes);
    if (status != WCBOR_OK) return status;
    memmove(writer->next, item, nbytes);
    writer->next += nbytes;
    return wcbor_finish_(writer);
}
