/*
 * Any bytes as a JSON text and as CBOR. What is taken as JSON is valid CBOR in its mode; JSON that is made is taken, and
 * gives CBOR of which the same JSON is made again. The first bytes choose mode and options.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/wcbor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static void *reallocate(void *context, void *block, size_t nbytes) {
    (void)context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, nbytes);
}

static void check(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* JSON of some CBOR, and that again to and fro. */
static void there_and_back(const uint8_t *bytes, size_t nbytes, wcbor_json_options options) {
    wcbor_buffer json, cbor, again;
    if (wcbor_cbor_to_json(bytes, nbytes, &options, &json) != WCBOR_OK) return;
    options.mode = WCBOR_MODE_LAX; /* keys that differ may become the same name */
    options.bignums = WCBOR_JSON_BIGNUMS_NUMBER;
    options.round_integers = false;
    wcbor_status status = wcbor_json_to_cbor(json.bytes, json.nbytes, &options, &cbor);
    if (status != WCBOR_LIMIT_EXCEEDED) {
        check(status == WCBOR_OK, "JSON that was made is refused");
        status = wcbor_cbor_to_json(cbor.bytes, cbor.nbytes, &options, &again);
        if (status != WCBOR_LIMIT_EXCEEDED) {
            check(status == WCBOR_OK, "CBOR of it is refused");
            check(again.nbytes == json.nbytes && memcmp(again.bytes, json.bytes, json.nbytes) == 0, "other JSON the second time");
            free(again.bytes);
        }
        free(cbor.bytes);
    }
    free(json.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    if (nbytes < 2) return 0;
    wcbor_json_options options = WCBOR_JSON_OPTIONS_DEFAULT;
    options.mode = (wcbor_mode)(data[0] % 7);
    options.max_depth = data[0] & 0x80 ? 8 : -1;
    options.reallocate = reallocate;
    options.seed = data[0];
    options.round_integers = (data[1] & 1) != 0;
    options.bytes = (wcbor_json_bytes)(data[1] >> 1 & 3);
    options.bignums = (wcbor_json_bignums)(data[1] >> 3 & 3);
    options.keys = (wcbor_json_keys)(data[1] >> 5 & 1);
    options.indent = data[1] >> 6;
    data += 2;
    nbytes -= 2;

    there_and_back(data, nbytes, options);
    wcbor_buffer cbor;
    if (wcbor_json_to_cbor(data, nbytes, &options, &cbor) != WCBOR_OK) return 0;
    wcbor_reader_options rules = WCBOR_READER_OPTIONS_DEFAULT;
    rules.mode = options.mode;
    rules.reallocate = reallocate;
    size_t offset;
    check(wcbor_validate(cbor.bytes, cbor.nbytes, &rules, &offset, NULL) == WCBOR_OK, "invalid CBOR");
    check(offset == cbor.nbytes, "not one item");
    there_and_back(cbor.bytes, cbor.nbytes, options);
    free(cbor.bytes);
    return 0;
}
