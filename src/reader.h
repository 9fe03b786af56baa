/*
 * reader.h - what the files of the reader share. Private to the library.
 *
 * State, all in wcbor_reader:
 *
 *     bytes, next, end  the data, the first byte that is not read, and the end of the data. `before`: how many bytes of
 *                       earlier data there were
 *     level             the container that is open (or the root). `kind`: its major type and the LEVEL_ flags. `left`:
 *                       the items it still holds; of one of indefinite length (and of the root of a sequence) LEVEL_OPEN
 *                       and less. In a map an even number of items is left where a key is due. Of a map whose keys are
 *                       looked at, `key` is where its current pair begins, and in modes with an order `last` and
 *                       `last_nbytes` are the key before
 *     levels, depth     the same of every container around it, and how many are open
 *     tagged, tag       whether a tag waits for its item, and its number
 *     keys              in strict, the keys of the open maps of more than one pair (keys.h)
 *     rules, order      what the mode asks for (modes.h)
 *     fault             after a failure, where the item at fault begins
 *
 * Modes with an order need no set of keys: keys that come in order cannot repeat.
 */
#ifndef WCBOR_READER_H
#define WCBOR_READER_H

#include "keys.h"
#include "modes.h"

enum {
    LEVEL_ROOT = 0x01, /* no major type of a container, so that it equals none */
    LEVEL_MASK = 0xff,
    LEVEL_INDEFINITE = 0x100,
    LEVEL_CHUNKED = 0x200,   /* an indefinite-length string */
    LEVEL_ORDERED = 0x400,   /* a map whose keys must be in order */
    LEVEL_SET = 0x800,       /* a map whose keys are in `keys` */
    LEVEL_TEXT_KEYS = 0x1000, /* and must be text */
    LEVEL_KEYED = LEVEL_ORDERED | LEVEL_SET,
    LEVEL_WATCHED = LEVEL_CHUNKED | LEVEL_TEXT_KEYS /* not every item may stand there */
};

/* Even, as what is left of a map between two pairs. */
#define LEVEL_OPEN (SIZE_MAX / 2 - 1)

/* Makes a reader of all that it needs but its data. */
void wcbor_reader_make_(wcbor_reader *reader, uint32_t rules, uint32_t order, uint32_t max_depth,
                        const wcbor_reader_options *options);

/* Gives new data to a reader that has read nothing. */
void wcbor_reader_start_(wcbor_reader *reader, const uint8_t *bytes, size_t nbytes);

/*
 * Reads whole items by `rules`: one item and what is in it, where `floor` is the depth; where `floor` is one less, all
 * up to the end of the open container. OK; else `next` is where the item at fault begins, and the reader only good for
 * being put back to where it was. A `rules` without RULE_KEYS leaves keys alone.
 */
wcbor_status wcbor_walk_(wcbor_reader *reader, uint32_t floor, uint32_t rules);

/* After a failure at the item that begins at `at`: how many bytes at least must follow, 0 if it is not only cut short. */
uint64_t wcbor_missing_(const wcbor_reader *reader, wcbor_status status, const uint8_t *at);

/* Whether the open container, where not every item may stand, takes one with this initial byte. */
wcbor_status wcbor_watched_(const wcbor_level_ *level, unsigned initial);

/* Opens a container whose head is read. OUT_OF_MEMORY, with nothing changed. */
wcbor_status wcbor_enter_(wcbor_reader *reader, uint32_t kind, size_t left, uint32_t rules);

/* Closes the open container, of which all is read. DUPLICATE_KEY and so on, as wcbor_took_key_. */
wcbor_status wcbor_leave_(wcbor_reader *reader, uint32_t rules);

/*
 * In a map whose keys are looked at, after a key or a value has been read and counted. DUPLICATE_KEY, KEYS_NOT_SORTED and
 * OUT_OF_MEMORY: the reader is back where the key begins.
 */
wcbor_status wcbor_finish_keyed_(wcbor_reader *reader, uint32_t rules);

/* What a tag that the mode looks into stands on; `payload` is that of a definite byte string, or NULL. */
wcbor_status wcbor_tag_content_(uint32_t rules, uint64_t tag, const uint8_t *payload, uint64_t nbytes);

/* Major type 7, of which the head is whole: does the mode take it? */
wcbor_status wcbor_check_simple_(uint32_t rules, unsigned information, uint64_t argument);

WCBOR_INLINE wcbor_level_ *wcbor_levels_(wcbor_reader *reader) {
    return reader->levels.owned ? reader->levels.items : reader->inline_levels;
}

/* The keys of a reader that has been copied are inside itself. */
WCBOR_INLINE_IF_FAST void wcbor_settle_keys_(wcbor_reader *reader) {
    wcbor_keys_ *keys = &reader->keys;
    if (!keys->records.owned) keys->records.items = reader->inline_keys;
    if (!keys->maps.owned) keys->maps.items = reader->inline_maps;
    keys->map = (wcbor_map_ *)keys->maps.items + keys->maps.count;
}

/* The longest definite string that fits any memory, and that a part of the data may promise. */
#define LONGEST_STRING (PTRDIFF_MAX < INT64_MAX ? (uint64_t)PTRDIFF_MAX : UINT64_C(0x1fffffffffffff))
#define LONGEST_PARTIAL_STRING UINT64_C(0x7ffffff6)

/* Leaves the place of a failure where it can be asked for. */
WCBOR_INLINE_IF_FAST wcbor_status wcbor_fail_read_(wcbor_reader *reader, wcbor_status status) {
    reader->fault = (size_t)(reader->next - reader->bytes);
    return status;
}

/* The checks before any item, where something is unusual. */
wcbor_status wcbor_place_slow_(const wcbor_reader *reader);

/* Is there an initial byte, and one that may stand here? */
WCBOR_INLINE_IF_FAST wcbor_status wcbor_place_(const wcbor_reader *reader) {
    if (WCBOR_LIKELY(reader->level.left != 0 && reader->next != reader->end
                     && (reader->level.kind & LEVEL_CHUNKED) == 0))
        return WCBOR_OK;
    return wcbor_place_slow_(reader);
}

/* Likewise, and of this major type? */
WCBOR_INLINE_IF_FAST wcbor_status wcbor_place_of_(const wcbor_reader *reader, unsigned major) {
    wcbor_status status = wcbor_place_(reader);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
    if (WCBOR_UNLIKELY((*reader->next & WCBOR_MAJOR) != major)) return WCBOR_TYPE_MISMATCH;
    if (WCBOR_UNLIKELY((reader->level.kind & LEVEL_TEXT_KEYS) != 0)) return wcbor_watched_(&reader->level, *reader->next);
    return WCBOR_OK;
}

/* The head at `at`, which is there. UNEXPECTED_END, INVALID_INTEGER_ENCODING, NON_MINIMAL_INTEGER. */
wcbor_status wcbor_read_long_head_(const wcbor_reader *reader, const uint8_t *at, wcbor_head_ *head);

WCBOR_INLINE_IF_FAST wcbor_status wcbor_read_head_(const wcbor_reader *reader, const uint8_t *at, wcbor_head_ *head) {
    unsigned information = *at & 0x1fu;
    *head = (wcbor_head_){information, 1};
    return WCBOR_LIKELY(information < 24) ? WCBOR_OK : wcbor_read_long_head_(reader, at, head);
}

/* What an initial byte that is no break, and stands where it may, peeks as. */
wcbor_state wcbor_state_of_(unsigned initial);

/* What a call may have to undo. */
typedef struct wcbor_mark_ {
    const uint8_t *next;
    wcbor_level_ level;
    uint32_t depth, nmaps, nrecords;
    uint64_t tag;
    bool tagged;
    wcbor_map_ map;
    wcbor_key_ record;
} wcbor_mark_;

wcbor_mark_ wcbor_mark_reader_(wcbor_reader *reader);
void wcbor_restore_reader_(wcbor_reader *reader, const wcbor_mark_ *mark);

/* One item is whole, its last byte is behind us. As wcbor_finish_keyed_. */
WCBOR_INLINE_IF_FAST wcbor_status wcbor_finish_read_(wcbor_reader *reader, uint32_t rules) {
    reader->tagged = false;
    reader->level.left--;
    if (WCBOR_LIKELY((reader->level.kind & LEVEL_KEYED) == 0)) return WCBOR_OK;
    return wcbor_finish_keyed_(reader, rules);
}

/* The end of every call that reads an item: it ends before `next`. */
WCBOR_INLINE_IF_FAST wcbor_status wcbor_commit_(wcbor_reader *reader, const uint8_t *next) {
    reader->next = next;
    wcbor_status status = wcbor_finish_read_(reader, reader->rules);
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) return wcbor_fail_read_(reader, status);
    return WCBOR_OK;
}

/* Looks at the content of a tag, which begins at `next`, as wcbor_tag_content_. */
WCBOR_INLINE_IF_FAST wcbor_status wcbor_content_(const wcbor_reader *reader, const uint8_t *payload, uint64_t nbytes) {
    if (WCBOR_LIKELY(!reader->tagged)) return WCBOR_OK;
    return wcbor_tag_content_(reader->rules, reader->tag, payload, nbytes);
}

#endif
