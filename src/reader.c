/*
 * reader.c - the life of a reader.
 */
#include "reader.h"

#include "block.h"

void wcbor_reader_make_(wcbor_reader *reader, uint32_t rules, uint32_t order, uint32_t max_depth,
                        const wcbor_reader_options *options) {
    reader->rules = rules;
    reader->order = order;
    reader->max_depth = max_depth;
    reader->is_partial = options->is_partial;
    reader->allow_multiple_roots = options->allow_multiple_roots;
    reader->levels = (wcbor_block_){NULL, 0, WCBOR_INLINE_DEPTH_, false};
    wcbor_keys_ *keys = &reader->keys;
    keys->records = (wcbor_block_){NULL, 0, WCBOR_INLINE_KEYS_, false};
    keys->maps = (wcbor_block_){NULL, 0, WCBOR_INLINE_MAPS_, false};
    keys->slots = (wcbor_block_){NULL, 0, 0, false};
    keys->reallocate = options->reallocate;
    keys->context = options->context;
    keys->seed = options->seed;
    keys->order = WCBOR_ORDER_NONE;
}

void wcbor_reader_start_(wcbor_reader *reader, const uint8_t *bytes, size_t nbytes) {
    reader->bytes = reader->next = bytes;
    reader->end = nbytes == 0 ? bytes : bytes + nbytes;
    reader->level.left = reader->allow_multiple_roots ? LEVEL_OPEN : 1;
    reader->level.kind = LEVEL_ROOT | (reader->allow_multiple_roots ? LEVEL_INDEFINITE : 0);
    reader->depth = 0;
    reader->tagged = false;
    reader->tag = 0;
    reader->fault = reader->before = 0;
    wcbor_keys_cut_(&reader->keys, 0);
}

void wcbor_reader_free(wcbor_reader *reader) {
    wcbor_keys_ *keys = &reader->keys;
    wcbor_block_free_(&reader->levels, keys->reallocate, keys->context);
    wcbor_block_free_(&keys->records, keys->reallocate, keys->context);
    wcbor_block_free_(&keys->maps, keys->reallocate, keys->context);
    wcbor_block_free_(&keys->slots, keys->reallocate, keys->context);
}

wcbor_status wcbor_reader_init(wcbor_reader *reader, const wcbor_reader_options *options, const void *bytes,
                               size_t nbytes) {
    static const wcbor_reader_options defaults = WCBOR_READER_OPTIONS_DEFAULT;
    if (options == NULL) options = &defaults;
    if ((unsigned)options->mode > WCBOR_MODE_DCBOR || options->max_depth < -1
        || (options->mode == WCBOR_MODE_DAG_CBOR && options->allow_multiple_roots))
        return WCBOR_OPTION_OUT_OF_RANGE;
    if (options->is_partial && options->mode != WCBOR_MODE_LAX) return WCBOR_LAX_ONLY;
    if (bytes == NULL && nbytes != 0) return WCBOR_NULL_ARGUMENT;
    wcbor_reader_make_(reader, wcbor_reader_rules_(options->mode), wcbor_order_(options->mode),
                       options->max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)options->max_depth, options);
    wcbor_reader_start_(reader, bytes, nbytes);
    return WCBOR_OK;
}
