#include "sequence.h"

#include <stdlib.h>
#include <string.h>

#include "arguments.h"

enum { ARRAY = 4, MAP = 5, BYTES = 2, TEXT = 3 };

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

void sequence_init(sequence *s) {
    *s = (sequence){.arena = malloc(SEQUENCE_ARENA)};
    if (s->arena == NULL) abort();
}

void sequence_free(sequence *s) {
    free(s->calls);
    free(s->arena);
}

void sequence_begin(sequence *s, random_state *r) {
    static const int32_t depths[] = {0, 1, 2, 3, 5, 8, 12, 20};
    s->count = 0;
    s->arena_nbytes = 0;
    s->mode = (wcbor_mode)random_below(r, 7);
    s->convert = random_chance(r, 50);
    s->multiple_roots = s->mode != WCBOR_MODE_DAG_CBOR && random_chance(r, 40);
    s->max_depth = random_chance(r, 60) ? -1 : depths[random_below(r, COUNT_OF(depths))];
    s->capacity = random_chance(r, 50) ? 0 : random_below(r, 200);
    /* Some writers get documents with long containers and little misuse, for tables of keys and long heads. */
    s->is_wide = random_chance(r, 4);
}

bool sequence_has_room(const sequence *s) {
    return s->arena_nbytes + (1 << 18) < SEQUENCE_ARENA;
}

static call *add(sequence *s, call_op op) {
    if (s->count == s->room) {
        s->room = 2 * s->room + 256;
        s->calls = realloc(s->calls, s->room * sizeof *s->calls);
        if (s->calls == NULL) abort();
    }
    s->calls[s->count] = (call){.op = op, .index = (uint32_t)s->count};
    return &s->calls[s->count++];
}

const call *sequence_add_plain(sequence *s, call_op op) {
    return add(s, op);
}

/* -------------------------------------------------------------------------------------------------- calls */

static uint64_t some_tag(const sequence *s, random_state *r) {
    if (s->mode == WCBOR_MODE_DAG_CBOR && random_chance(r, 90)) return 42;
    if (random_chance(r, 30)) return 2 + random_below(r, 2);
    return some_number(r);
}

static uint64_t some_count(random_state *r) {
    uint32_t how = random_below(r, 1000);
    if (how < 950) return random_below(r, 4);
    if (how < 990) return 4 + random_below(r, 26);
    return how < 997 ? 250 + random_below(r, 10) : some_number(r);
}

static void fill(sequence *s, random_state *r, call *c) {
    switch (c->op) {
    case CALL_INT:
    case CALL_UNIX_TIME: c->number = random_chance(r, 50) ? some_number(r) : ~some_number(r); break;
    case CALL_UINT:
    case CALL_NEGATIVE: c->number = some_number(r); break;
    case CALL_BYTES:
        if (random_chance(r, 3))
            some_cid(s, r, c);
        else
            some_bytes(s, r, c);
        break;
    case CALL_TEXT: some_text(s, r, c); break;
    case CALL_TEXT_INVALID: c->nbytes = 3, c->bytes = some_put(s, "\xed\xa0\x80", 3); break;
    case CALL_HALF: c->number = random_chance(r, 50) ? 0x7c00u & random_bits(r) : random_bits(r) & 0xffff; break;
    case CALL_SINGLE: c->number = some_single(r); break;
    case CALL_DOUBLE: c->number = some_double(r); break;
    case CALL_BOOL: c->number = random_below(r, 2); break;
    case CALL_SIMPLE: c->number = random_chance(r, 50) ? 20 + random_below(r, 14) : random_below(r, 256); break;
    case CALL_TAG: c->number = some_tag(s, r); break;
    case CALL_START_ARRAY:
    case CALL_START_MAP: c->number = some_count(r); break;
    case CALL_ENCODED: some_encoded(s, r, c); break;
    case CALL_DATE_TIME: some_date_time(s, r, c); break;
    case CALL_UNIX_TIME_DOUBLE: c->number = some_seconds(r); break;
    case CALL_DECIMAL: c->number = random_chance(r, 50) ? ~some_number(r) : some_number(r); /* fall through */
    case CALL_BIGNUM: some_magnitude(s, r, c); break;
    case CALL_COPY: c->number = random_below(r, 80); break;
    default: break;
    }
}

static const call *add_filled(sequence *s, random_state *r, call_op op) {
    call *c = add(s, op);
    fill(s, r, c);
    return c;
}

static call_op end_of(unsigned major) {
    switch (major) {
    case ARRAY: return CALL_END_ARRAY;
    case MAP: return CALL_END_MAP;
    case BYTES: return CALL_END_BYTES;
    default: return CALL_END_TEXT;
    }
}

/* Anything at all, in any place. */
static const call *add_misuse(sequence *s, random_state *r) {
    call_op op = (call_op)random_below(r, CALL_OPS_);
    if (op == CALL_RESET && random_chance(r, 95)) op = CALL_END_MAP;
    /* In lax a text with an unpaired surrogate never reaches the writer as such. */
    if (op == CALL_TEXT_INVALID && s->mode == WCBOR_MODE_LAX) op = CALL_END_TEXT;
    call *c = add(s, op);
    fill(s, r, c);
    bool takes_null = op == CALL_BYTES || op == CALL_TEXT || op == CALL_ENCODED;
    if (takes_null && random_chance(r, 5)) c->bytes = NULL, c->nbytes = 1;
    return c;
}

static const call *add_key(sequence *s, random_state *r) {
    if (s->mode == WCBOR_MODE_DAG_CBOR || random_chance(r, 55)) return add_filled(s, r, CALL_TEXT);
    if (random_chance(r, 75)) {
        call *c = add(s, CALL_INT);
        uint32_t most = s->is_wide ? 2000 : 60;
        c->number = random_chance(r, 80) ? random_below(r, most) : ~(uint64_t)random_below(r, most);
        return c;
    }
    return NULL;
}

static const call *add_item(sequence *s, random_state *r, reference_view view) {
    static const call_op scalars[] = {CALL_INT,  CALL_INT,    CALL_UINT,   CALL_NEGATIVE, CALL_BYTES, CALL_TEXT,
                                      CALL_TEXT, CALL_DOUBLE, CALL_SINGLE, CALL_HALF,     CALL_BOOL,  CALL_NULL};
    static const call_op starts[] = {CALL_START_ARRAY,
                                     CALL_START_MAP,
                                     CALL_START_ARRAY,
                                     CALL_START_MAP,
                                     CALL_START_INDEFINITE_ARRAY,
                                     CALL_START_INDEFINITE_MAP,
                                     CALL_START_INDEFINITE_BYTES,
                                     CALL_START_INDEFINITE_TEXT};
    static const call_op rarer[] = {CALL_UNDEFINED,        CALL_SIMPLE, CALL_DATE_TIME, CALL_UNIX_TIME,
                                    CALL_UNIX_TIME_DOUBLE, CALL_BIGNUM, CALL_DECIMAL};
    bool no_indefinite = s->mode >= WCBOR_MODE_CANONICAL && !s->convert;
    if (view.has_tag && random_chance(r, 80)) {
        call *c = add(s, CALL_BYTES);
        if (s->mode == WCBOR_MODE_DAG_CBOR)
            some_cid(s, r, c);
        else
            some_magnitude(s, r, c), c->flag = false;
        return c;
    }
    if (view.is_key) {
        const call *key = add_key(s, r);
        if (key != NULL) return key;
    }
    uint32_t how = random_below(r, s->is_wide ? 65 : 100);
    if (how < 62) return add_filled(s, r, scalars[random_below(r, COUNT_OF(scalars))]);
    if (how < 80) return add_filled(s, r, starts[random_below(r, no_indefinite ? 4 : COUNT_OF(starts))]);
    if (how < 88) return add_filled(s, r, CALL_ENCODED);
    if (s->mode != WCBOR_MODE_CTAP2 && how < 95) return add_filled(s, r, CALL_TAG);
    if (s->mode == WCBOR_MODE_CTAP2 || s->mode == WCBOR_MODE_DAG_CBOR) return add_filled(s, r, CALL_BOOL);
    return add_filled(s, r, rarer[random_below(r, COUNT_OF(rarer))]);
}

static const call *add_chunk(sequence *s, random_state *r, unsigned major) {
    if (random_chance(r, 80)) return add_filled(s, r, major == TEXT ? CALL_TEXT : CALL_BYTES);
    call *c = add(s, CALL_ENCODED);
    some_encoded_chunk(s, r, c, major);
    return c;
}

const call *sequence_add_closing(sequence *s, random_state *r, reference_view view) {
    bool needs_item = view.has_tag || (view.left != UINT64_MAX && view.left > 0) ||
                      (view.major == MAP && view.left == UINT64_MAX && !view.is_key);
    if (view.major == BYTES || view.major == TEXT || !needs_item) return add(s, end_of(view.major));
    if (view.is_key) { /* one that is new, most likely */
        call *c = add(s, CALL_TEXT);
        uint8_t name[8];
        for (int i = 0; i < 8; i++)
            name[i] = (uint8_t)('a' + random_below(r, 26));
        c->bytes = some_put(s, name, c->nbytes = 3 + random_below(r, 6));
        return c;
    }
    if (view.has_tag && s->mode == WCBOR_MODE_DAG_CBOR) {
        call *c = add(s, CALL_BYTES);
        some_cid(s, r, c);
        return c;
    }
    return add_filled(s, r, CALL_UINT);
}

/* A call made before, arguments and all: a key that the map may have, an item too many. */
static const call *add_again(sequence *s, random_state *r) {
    size_t recent = s->count < 30 ? s->count : 30;
    if (recent == 0) return add_misuse(s, r);
    call old = s->calls[s->count - 1 - random_below(r, (uint32_t)recent)];
    if (old.op >= CALL_START_ARRAY && old.op != CALL_ENCODED) return add_misuse(s, r);
    call *c = add(s, old.op);
    old.index = c->index;
    *c = old;
    return c;
}

const call *sequence_add(sequence *s, random_state *r, reference_view view) {
    if (random_chance(r, s->is_wide ? 12 : 60)) {
        uint32_t how = random_below(r, 100);
        if (how < 12 && view.major != REFERENCE_ROOT) return add(s, end_of(view.major));
        if (how < 40) return add_again(s, r);
        return add_misuse(s, r);
    }
    bool is_open = view.left == UINT64_MAX;
    if (view.major == BYTES || view.major == TEXT) {
        return random_chance(r, 65) ? add_chunk(s, r, view.major) : add(s, end_of(view.major));
    }
    if (view.left == 0) {
        if (view.major == REFERENCE_ROOT) return add(s, random_chance(r, 70) ? CALL_RESET : CALL_RESULT);
        return add(s, end_of(view.major));
    }
    bool may_end = view.major != REFERENCE_ROOT && is_open && !view.has_tag && (view.major != MAP || view.is_key);
    if (may_end && random_chance(r, s->is_wide ? 1 : 25)) return add(s, end_of(view.major));
    if (view.major == REFERENCE_ROOT && !view.has_tag && random_chance(r, 60)) {
        bool no_indefinite = s->mode >= WCBOR_MODE_CANONICAL && !s->convert;
        static const call_op starts[] = {CALL_START_ARRAY, CALL_START_MAP, CALL_START_INDEFINITE_ARRAY,
                                         CALL_START_INDEFINITE_MAP};
        return add_filled(s, r, starts[random_below(r, no_indefinite ? 2 : 4)]);
    }
    return add_item(s, r, view);
}
