/*
 * reencode.c - items that are encoded already, written again as a writer writes them.
 */
#include "writer.h"

#include "float.h"
#include "output.h"

/* Reads the chunks of the string that is open, up to its end, and joins them. */
static wcbor_status join_chunks(wcbor_items *items, wcbor_item *item, wcbor_output_ *joined) {
    if (joined->reallocate == NULL) return WCBOR_OUT_OF_MEMORY;
    for (;;) {
        wcbor_status status = wcbor_items_next(items, item);
        if (status != WCBOR_OK) return status;
        if (item->place == WCBOR_PLACE_END) return WCBOR_OK;
        wcbor_output_put_(joined, items->next - item->nbytes, item->nbytes);
        if (joined->failed) return WCBOR_OUT_OF_MEMORY;
    }
}

/* The byte string that has been read, as the content of tag 2, 3 or 42, whose head is not written yet for 2 and 3. */
static wcbor_status write_content(wcbor_writer *writer, wcbor_items *items, wcbor_item *item, uint64_t tag) {
    wcbor_output_ joined = {.reallocate = writer->options.reallocate, .context = writer->options.context};
    const uint8_t *bytes = items->next - item->nbytes;
    size_t nbytes = item->nbytes;
    wcbor_status status = WCBOR_OK;
    if ((item->initial & 0x1f) == WCBOR_INDEFINITE) {
        status = join_chunks(items, item, &joined);
        bytes = joined.bytes;
        nbytes = joined.nbytes;
    }
    if (status == WCBOR_OK)
        status = tag == 42 ? wcbor_write_bytes(writer, bytes, nbytes) : wcbor_write_bignum(writer, tag == 3, bytes, nbytes);
    if (joined.bytes != NULL) wcbor_output_free_(&joined);
    return status;
}

static wcbor_status write_end(wcbor_writer *writer, unsigned major) {
    switch (major) {
    case WCBOR_BYTES: return wcbor_write_end_indefinite_bytes(writer);
    case WCBOR_TEXT: return wcbor_write_end_indefinite_text(writer);
    case WCBOR_ARRAY: return wcbor_write_end_array(writer);
    default: return wcbor_write_end_map(writer);
    }
}

static wcbor_status write_indefinite(wcbor_writer *writer, unsigned major) {
    switch (major) {
    case WCBOR_BYTES: return wcbor_write_start_indefinite_bytes(writer);
    case WCBOR_TEXT: return wcbor_write_start_indefinite_text(writer);
    case WCBOR_ARRAY: return wcbor_write_start_indefinite_array(writer);
    default: return wcbor_write_start_indefinite_map(writer);
    }
}

static wcbor_status write_simple(wcbor_writer *writer, const wcbor_item *item) {
    switch (item->initial & 0x1f) {
    case 25: return wcbor_write_half(writer, (uint16_t)item->argument);
    case 26: return wcbor_write_single(writer, wcbor_single_value_((uint32_t)item->argument));
    case 27: return wcbor_write_double(writer, wcbor_double_value_(item->argument));
    default: return wcbor_write_simple(writer, (uint8_t)item->argument);
    }
}

/* A tag. Tags 2 and 3 go with the byte string behind them, as a number; what else they stand on is an item by itself. */
static wcbor_status write_tag(wcbor_writer *writer, wcbor_items *items, wcbor_item *item) {
    uint64_t tag = item->argument;
    bool on_bytes = items->next != items->end && (*items->next & WCBOR_MAJOR) == WCBOR_BYTES;
    if ((tag != 2 && tag != 3) || !on_bytes) return wcbor_write_tag(writer, tag);
    wcbor_status status = wcbor_items_next(items, item);
    return status == WCBOR_OK ? write_content(writer, items, item, tag) : status;
}

static wcbor_status write_item(wcbor_writer *writer, wcbor_items *items, wcbor_item *item) {
    unsigned major = item->initial & WCBOR_MAJOR;
    bool is_indefinite = (item->initial & 0x1f) == WCBOR_INDEFINITE;
    if (item->place == WCBOR_PLACE_END) return write_end(writer, major);
    if (is_indefinite && major == WCBOR_BYTES && item->place == WCBOR_PLACE_CONTENT && items->tag == 42)
        return write_content(writer, items, item, 42);
    if (is_indefinite) return write_indefinite(writer, major);
    switch (major) {
    case WCBOR_UNSIGNED: return wcbor_write_uint64(writer, item->argument);
    case WCBOR_NEGATIVE: return wcbor_write_negative(writer, item->argument);
    case WCBOR_BYTES: return wcbor_write_bytes(writer, items->next - item->nbytes, item->nbytes);
    case WCBOR_TEXT: return wcbor_write_text(writer, (const char *)items->next - item->nbytes, item->nbytes);
    case WCBOR_ARRAY: return wcbor_write_start_array(writer, item->argument);
    case WCBOR_MAP: return wcbor_write_start_map(writer, item->argument);
    case WCBOR_TAG: return write_tag(writer, items, item);
    default: return write_simple(writer, item);
    }
}

wcbor_status wcbor_write_reencoded(wcbor_writer *writer, const void *bytes, size_t nbytes, size_t *fault_offset) {
    if (bytes == NULL && nbytes != 0) return WCBOR_NULL_ARGUMENT;
    wcbor_items items;
    wcbor_item item = {.offset = 0};
    wcbor_items_init(&items, bytes, nbytes, writer->options.allow_multiple_roots, (int32_t)writer->max_depth,
                     writer->options.reallocate, writer->options.context);
    wcbor_status status;
    do {
        status = wcbor_items_next(&items, &item);
        if (status == WCBOR_OK) status = write_item(writer, &items, &item);
    } while (status == WCBOR_OK);
    wcbor_items_free(&items);
    *fault_offset = item.offset;
    return status == WCBOR_NO_MORE_ITEMS ? WCBOR_OK : status;
}
