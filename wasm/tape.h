/*
 * tape.h - a document as a tape: validated and scanned once, so that whoever builds values from it only follows entries.
 *
 * The tape is a row of 32-bit entries in the order of the document (abi.h has the list, TAPE_...); what does not fit an
 * entry lies beside it, in the same order, so that no entry has to say where:
 *
 *     entries   for each item one entry, for some with operands behind it
 *     doubles   numbers that are no 32-bit integers, aligned
 *     ascii     the text of strings that are all ASCII: TextDecoder decodes it at once, and strings are cut from it
 *     wide      other strings, in UTF-16
 *     bytes     byte strings, which JavaScript copies at once; each is a piece of the copy
 *     input     longer byte strings, those behind a tag, and text of more than `limit` bytes, stay where they are
 *
 * A map's keys stand before their values. A key that is known (names.h) is TAPE_KEY, its text is in the tables of names.
 * A map says at its end what its keys were (TAPE_OBJECT or TAPE_MAP, in place of TAPE_ANY_MAP), unless the run has ended
 * before; then TAPE_MIXED says so when it comes to that. An array's numbers may stand in runs, TAPE_INTS and TAPE_DOUBLES; there may be several, among other items.
 *
 * All parts have a fixed size. When one is nearly full the run ends with TAPE_MORE and TAPE_UNFINISHED; the next one goes
 * on behind it with the parts empty. So strings keep no more than TAPE_TEXT_NBYTES characters, or bytes, of others alive.
 *
 * Short text that comes again and again is given a slot, when it is met for the second time: from then on it is
 * TAPE_KNOWN_STRING. A slot may be given to another text later, which TAPE_NEW_STRING says: entries have to be used in
 * order, and all of them, or the slots be forgotten.
 *
 * A run refuses what is not well-formed, ill-formed text and simple values by its flags, too deep nesting, and nothing
 * else: duplicate keys are ruled out when `unchecked` is not set, and all that modes ask for is wcbor_validate's.
 */
#ifndef WCBOR_TAPE_H
#define WCBOR_TAPE_H

#include "../src/wcbor.h"
#include "abi.h"
#include "names.h"
#include "plan.h"

/* Bytes behind the input that may be read, and entries that one item may take. */
enum { TAPE_SLACK = 32, TAPE_ITEM_MAX = 8 };

typedef struct tape_slot {
    uint64_t text[2]; /* padded with zeros */
    uint32_t nbytes;
    uint32_t candidate; /* a hash of the text that was last here in vain */
} tape_slot;

typedef struct wcbor_tape_slots {
    tape_slot slots[TAPE_NSLOTS];
    uint32_t random;
} wcbor_tape_slots;

/* A container that is open around the innermost one. */
typedef struct tape_frame {
    size_t left;           /* items that are still to come; TAPE_LEFT_OPEN and down if that is not known */
    uint32_t start;        /* its entry, or TAPE_CUT when that was in an earlier run */
    uint16_t node, origin; /* names.h: the keys so far, or NO_NODE; that in whose `inner` its first key is predicted */
    uint32_t kind;
    plan_place place; /* of a tape that is made by a plan */
} tape_frame;

/* What is scanned for its end alone, and taken back then. */
typedef struct tape_skip {
    uint32_t depth;      /* of the container that it is in, or UINT32_MAX: nothing is skipped */
    uint32_t node;       /* of an item that stays encoded */
    bool is_pair;        /* it is a struct's whole pair instead */
    const uint8_t *from;
    /* The ends of the tape's parts before it. */
    uint32_t *entries;
    double *doubles;
    uint8_t *ascii;
    uint16_t *wide;
    uint8_t *bytes;
} tape_skip;

typedef struct wcbor_tape {
    /* The fields TAPE_..._AT and so on of abi.h, in their order. */
    uint32_t entries_at, doubles_at, ascii_at, wide_at, input_at;
    uint32_t ascii_nbytes, wide_nunits, read_nbytes, epoch, unchecked, nitems, limit;
    uint32_t bytes_at, bytes_nbytes, fault;

    uint32_t flags, max_depth;
    uint32_t nentries, ndoubles; /* of the last run */
    const uint8_t *input, *next, *end;
    const uint8_t *tag_end; /* where the last tag ended */
    wcbor_names *names;
    wcbor_tape_slots *slots;
    const uint32_t *plan; /* or NULL */
    tape_skip skip;
    tape_frame top; /* the innermost container; the root at first */
    uint32_t depth, capacity;
    tape_frame *frames;
    wcbor_reallocate reallocate;
    void *context;
    tape_frame inline_frames[32];

    _Alignas(16) uint32_t entries[TAPE_ENTRIES];
    _Alignas(16) double doubles[TAPE_NDOUBLES];
    _Alignas(16) uint8_t ascii[TAPE_TEXT_NBYTES + TAPE_SLACK];
    _Alignas(16) uint16_t wide[TAPE_TEXT_NBYTES + TAPE_SLACK];
    _Alignas(16) uint8_t bytes[TAPE_TEXT_NBYTES + TAPE_SLACK];
    _Alignas(16) uint8_t buffer[TAPE_INPUT_NBYTES + TAPE_SLACK];
} wcbor_tape;

/* Makes a tape, to be used with these tables. `slots` may be NULL. */
void wcbor_tape_init(wcbor_tape *tape, wcbor_names *names, wcbor_tape_slots *slots, wcbor_reallocate reallocate,
                     void *context);

/* Gives its memory back. */
void wcbor_tape_free(wcbor_tape *tape);

/*
 * Begins with the item at `input` (TAPE_SLACK bytes behind `nbytes` may be read), of at most `max_depth` open containers;
 * strings in chunks count. `flags`: TAPE_STRICT and so on. By a plan, if there is one. Then runs.
 */
uint32_t wcbor_tape_start(wcbor_tape *tape, const uint8_t *input, size_t nbytes, uint32_t flags, uint32_t max_depth,
                          const uint32_t *plan);

/*
 * Goes on. WCBOR_OK when the item is complete, TAPE_UNFINISHED, WCBOR_OUT_OF_MEMORY, or WCBOR_INVALID_ENCODED_VALUE when
 * the input is not one; wcbor_validate says why. By a plan also, for what the plan does not take, and `fault` says where:
 * WCBOR_TYPE_MISMATCH, WCBOR_OVERFLOW, WCBOR_LIMIT_EXCEEDED, WCBOR_INVALID_CID, PLAN_UNKNOWN_FIELD, PLAN_WRONG_COUNT; what
 * follows may not be valid then. Nothing of a run that failed is to be used, and no other to follow.
 */
uint32_t wcbor_tape_run(wcbor_tape *tape);

#endif
