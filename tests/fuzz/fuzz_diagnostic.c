/*
 * Diagnostic notation. The first byte holds options, the rest is taken as CBOR and as text: what is well-formed comes back
 * byte for byte through its text, whatever the options; a text that is understood is well-formed CBOR; and to encode it again
 * and again changes nothing after the first time. Memory may run out anywhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/wcbor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/* Gives so many blocks, and after that none. */
static void *reallocate(void *context, void *block, size_t nbytes) {
    size_t *left = context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    if (*left == 0) return NULL;
    --*left;
    return realloc(block, nbytes);
}

static void check(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* Whether the text has a mark, and so is not to be read: strings hide none, for the slash stands in them too. */
static wcbor_status fault_of(const uint8_t *bytes, size_t nbytes, const wcbor_diagnostic_options *options) {
    wcbor_items items;
    wcbor_item item;
    wcbor_status status;
    wcbor_items_init(&items, bytes, nbytes, options->sequence, options->max_depth, options->reallocate, options->context);
    while ((status = wcbor_items_next(&items, &item)) == WCBOR_OK) {}
    wcbor_items_free(&items);
    return status == WCBOR_NO_MORE_ITEMS ? WCBOR_OK : status;
}

static void from_bytes(const uint8_t *bytes, size_t nbytes, const wcbor_diagnostic_options *options) {
    wcbor_buffer text, back;
    wcbor_status status = wcbor_diagnose(bytes, nbytes, options, &text);
    check(text.bytes != NULL || text.nbytes == 0, "no text, but a length");
    if (status != WCBOR_OUT_OF_MEMORY && status != WCBOR_INVALID_UTF8) {
        wcbor_status expected = fault_of(bytes, nbytes, options);
        check(expected == WCBOR_OUT_OF_MEMORY || expected == status, "another fault than the walk finds");
    }
    if (status == WCBOR_OK && options->indicators != WCBOR_INDICATORS_NEVER) {
        wcbor_diagnostic_options reading = *options;
        reading.max_depth = INT32_MAX;
        status = wcbor_parse_diagnostic((const char *)text.bytes, text.nbytes, &reading, &back);
        check(status == WCBOR_OK || status == WCBOR_OUT_OF_MEMORY, "its own text is not understood");
        if (status == WCBOR_OK) {
            check(back.nbytes == nbytes && (nbytes == 0 || memcmp(back.bytes, bytes, nbytes) == 0), "other bytes come back");
            free(back.bytes);
        }
    }
    free(text.bytes);
}

/* The items again in a mode, and what comes of it once more. */
static void again(const uint8_t *bytes, size_t nbytes, const wcbor_diagnostic_options *options, wcbor_mode mode) {
    wcbor_writer_options writing = {mode, mode != WCBOR_MODE_LAX, options->sequence && mode != WCBOR_MODE_DAG_CBOR,
                                    options->max_depth, options->reallocate, options->context, 1};
    wcbor_writer first, second;
    size_t offset;
    const uint8_t *once, *twice;
    size_t once_nbytes, twice_nbytes;
    if (wcbor_writer_init(&first, &writing, NULL, 0) != WCBOR_OK) abort();
    if (wcbor_writer_init(&second, &writing, NULL, 0) != WCBOR_OK) abort();
    if (wcbor_write_reencoded(&first, bytes, nbytes, &offset) == WCBOR_OK
        && wcbor_writer_result(&first, &once, &once_nbytes) == WCBOR_OK) {
        wcbor_status status = wcbor_write_reencoded(&second, once, once_nbytes, &offset);
        check(status == WCBOR_OK || status == WCBOR_OUT_OF_MEMORY, "what a writer wrote cannot be written again");
        if (status == WCBOR_OK) {
            check(wcbor_writer_result(&second, &twice, &twice_nbytes) == WCBOR_OK, "not complete");
            check(once_nbytes == twice_nbytes && memcmp(once, twice, once_nbytes) == 0, "it changes when written again");
        }
    }
    wcbor_writer_free(&first);
    wcbor_writer_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    if (nbytes < 2) return 0;
    size_t left = data[1] < 0x80 ? SIZE_MAX : data[1] & 0x7f;
    wcbor_diagnostic_options options = WCBOR_DIAGNOSTIC_OPTIONS(reallocate, &left);
    options.indicators = (wcbor_indicators)(data[0] % 3);
    options.sequence = (data[0] & 0x10) != 0;
    options.embedded = (data[0] & 0x20) != 0;
    options.indent = (data[0] & 0x40) != 0 ? 2 : 0;
    if ((data[0] & 0x80) != 0) options.max_depth = 5;
    /* Bytes of their own, so that the sanitizer sees a read past their end. */
    size_t input_nbytes = nbytes - 2;
    uint8_t *input = malloc(input_nbytes == 0 ? 1 : input_nbytes);
    if (input == NULL) abort();
    memcpy(input, data + 2, input_nbytes);
    from_bytes(input, input_nbytes, &options);
    again(input, input_nbytes, &options, (wcbor_mode)(data[1] % 7));
    wcbor_buffer bytes;
    if (wcbor_parse_diagnostic((const char *)input, input_nbytes, &options, &bytes) == WCBOR_OK) {
        wcbor_diagnostic_options deep = options;
        deep.max_depth = INT32_MAX;
        wcbor_status status = fault_of(bytes.bytes, bytes.nbytes, &deep);
        check(status == WCBOR_OK || status == WCBOR_OUT_OF_MEMORY, "text gave bytes that are not well-formed");
        from_bytes(bytes.bytes, bytes.nbytes, &deep);
        free(bytes.bytes);
    }
    free(input);
    return 0;
}
