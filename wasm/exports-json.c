/*
 * exports-json.c - JSON text to CBOR, and CBOR to JSON text.
 */
#include "../src/json.h"
#include "memory.h"
#include "result.h"

/* Powers of ten that have been needed once are kept. */
static wcbor_powers_ powers;

static void *reallocate(void *context, void *memory, size_t nbytes) {
    (void)context;
    return memory_resize(memory, nbytes);
}

static wcbor_status finish(wcbor_status status, const wcbor_buffer *buffer) {
    wcbor_result_block.bytes = buffer->bytes;
    wcbor_result_block.nbytes = buffer->nbytes;
    wcbor_result_block.offset = buffer->offset;
    return status;
}

/*
 * The JSON text as CBOR: RESULT_BYTES and RESULT_NBYTES, for the caller to free (NULL after a failure); RESULT_OFFSET
 * where it failed. `form`: flags JSON_... of abi.h. `max_nbytes`: of the text and of the result; 0 for no limit.
 */
EXPORT(wcbor_json_read) wcbor_status wcbor_json_read(const uint8_t *text, size_t nbytes, uint32_t mode, uint32_t form,
                                                     int32_t max_depth, size_t max_nbytes) {
    wcbor_json_options options = {.mode = (wcbor_mode)mode, .max_depth = max_depth, .max_nbytes = max_nbytes,
                                  .reallocate = reallocate, .seed = wcbor_module_seed,
                                  .round_integers = (form & JSON_ROUND_INTEGERS) != 0};
    wcbor_buffer buffer;
    return finish(wcbor_read_json_(text, nbytes, &options, (form & JSON_IS_UTF8) != 0, &powers, &buffer), &buffer);
}

/* CBOR as JSON text, likewise. `form`: choices JSON_... of abi.h. */
EXPORT(wcbor_json_write) wcbor_status wcbor_json_write(const uint8_t *bytes, size_t nbytes, uint32_t mode, uint32_t form,
                                                       int32_t max_depth, size_t max_nbytes) {
    wcbor_json_options options = {.mode = (wcbor_mode)mode, .max_depth = max_depth, .max_nbytes = max_nbytes,
                                  .reallocate = reallocate, .seed = wcbor_module_seed,
                                  .bytes = (wcbor_json_bytes)(form / JSON_BYTES & 3),
                                  .bignums = (wcbor_json_bignums)(form / JSON_BIGNUMS & 3),
                                  .keys = (wcbor_json_keys)(form / JSON_KEYS & 1),
                                  .indent = (uint8_t)(form / JSON_INDENT)};
    wcbor_buffer buffer;
    return finish(wcbor_write_json_(bytes, nbytes, &options, &powers, &buffer), &buffer);
}
