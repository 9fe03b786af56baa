/*
 * exports-diagnostic.c - what shows documents, and what makes documents of other documents: diagnostic notation both
 * ways, the items one by one, and items encoded again.
 *
 * What comes of a call is a block at RESULT_BYTES of RESULT_NBYTES, for the caller to free (NULL when empty);
 * RESULT_OFFSET is where in the input the fault is.
 */
#include "../src/writer.h"
#include "memory.h"
#include "result.h"

static void *reallocate(void *context, void *memory, size_t nbytes) {
    (void)context;
    return memory_resize(memory, nbytes);
}

static wcbor_status show(wcbor_status status, const wcbor_buffer *result) {
    wcbor_result_block.bytes = result->bytes;
    wcbor_result_block.nbytes = result->nbytes;
    wcbor_result_block.offset = result->offset;
    return status;
}

static wcbor_diagnostic_options options_of(uint32_t flags, int32_t max_depth) {
    wcbor_diagnostic_options options = WCBOR_DIAGNOSTIC_OPTIONS(reallocate, NULL);
    options.sequence = (flags & DIAGNOSTIC_SEQUENCE) != 0;
    options.embedded = (flags & DIAGNOSTIC_EMBEDDED) != 0;
    options.max_depth = max_depth;
    return options;
}

/* The text of wcbor_diagnose. `indicators`: a wcbor_indicators. */
EXPORT(wcbor_to_diagnostic) wcbor_status wcbor_to_diagnostic(const uint8_t *bytes, size_t nbytes, uint32_t flags,
                                                             int32_t max_depth, uint32_t indicators, uint32_t indent,
                                                             size_t offset) {
    wcbor_diagnostic_options options = options_of(flags, max_depth);
    options.indicators = (wcbor_indicators)indicators;
    options.indent = indent;
    options.offset = offset;
    wcbor_buffer result;
    wcbor_status status = wcbor_diagnose(bytes, nbytes, &options, &result);
    return show(status, &result);
}

/* The bytes of wcbor_parse_diagnostic. */
EXPORT(wcbor_from_diagnostic) wcbor_status wcbor_from_diagnostic(const char *text, size_t nbytes, uint32_t flags,
                                                                 int32_t max_depth) {
    wcbor_diagnostic_options options = options_of(flags, max_depth);
    wcbor_buffer result;
    wcbor_status status = wcbor_parse_diagnostic(text, nbytes, &options, &result);
    return show(status, &result);
}

/* The bytes of wcbor_write_reencoded, by a writer of its own that makes all lengths definite if DIAGNOSTIC_CONVERT. */
EXPORT(wcbor_reencode) wcbor_status wcbor_reencode(const uint8_t *bytes, size_t nbytes, uint32_t flags,
                                                   int32_t max_depth, uint32_t mode) {
    wcbor_writer writer;
    wcbor_writer_options options = {(wcbor_mode)mode, (flags & DIAGNOSTIC_CONVERT) != 0, (flags & DIAGNOSTIC_SEQUENCE) != 0,
                                    max_depth, reallocate, NULL, wcbor_module_seed};
    wcbor_result_block.bytes = NULL;
    wcbor_result_block.nbytes = wcbor_result_block.offset = 0;
    wcbor_status status = wcbor_writer_init(&writer, &options, NULL, 0);
    if (status != WCBOR_OK) return status;
    status = wcbor_write_reencoded(&writer, bytes, nbytes, &wcbor_result_block.offset);
    if (status == WCBOR_OK) {
        wcbor_result_block.bytes = writer.out;
        wcbor_result_block.nbytes = wcbor_writer_nbytes(&writer);
        writer.out_owned = false;
    }
    wcbor_writer_free(&writer);
    return status;
}

/* The walk of wcbor_annotate_start. There is one at a time. */
static wcbor_items walk;
static bool embedded;
static wcbor_item items[ITEMS_MAX];

_Static_assert(offsetof(wcbor_item, nbytes) == ITEM_PAYLOAD_NBYTES && offsetof(wcbor_item, argument) == ITEM_ARGUMENT
                   && offsetof(wcbor_item, depth) == ITEM_DEPTH && offsetof(wcbor_item, place) == ITEM_PLACE
                   && sizeof(wcbor_item) == ITEM_NBYTES,
               "wcbor_item and abi.h differ");

EXPORT(wcbor_annotate_start) void wcbor_annotate_start(const uint8_t *bytes, size_t nbytes, uint32_t flags, int32_t max_depth) {
    wcbor_items_init(&walk, bytes, nbytes, (flags & DIAGNOSTIC_SEQUENCE) != 0, max_depth, reallocate, NULL);
    embedded = (flags & DIAGNOSTIC_EMBEDDED) != 0;
}

/*
 * Up to ITEMS_MAX more items: RESULT_EXTRA of them at RESULT_BYTES, not to be freed. WCBOR_OK when there may be more,
 * WCBOR_LENGTH_EXCEEDS_BUFFER too, which the last of them has; WCBOR_NO_MORE_ITEMS behind the last of all, or a fault at
 * RESULT_OFFSET, which both end the walk. A byte string behind a tag is complete with one tag at least, unless embedded
 * items follow.
 */
EXPORT(wcbor_annotate_next) wcbor_status wcbor_annotate_next(void) {
    wcbor_status status = WCBOR_OK;
    size_t count = 0;
    while (count < ITEMS_MAX && status == WCBOR_OK) {
        wcbor_item *item = items + count;
        status = wcbor_items_next(&walk, item);
        wcbor_result_block.offset = item->offset;
        if (embedded && status == WCBOR_OK) (void)wcbor_items_enter(&walk, item);
        count += status == WCBOR_OK || status == WCBOR_LENGTH_EXCEEDS_BUFFER;
    }
    wcbor_result_block.bytes = (const uint8_t *)items;
    wcbor_result_block.extra = count;
    if (status != WCBOR_OK && status != WCBOR_LENGTH_EXCEEDS_BUFFER) wcbor_items_free(&walk);
    return status;
}
