/*
 * Whether some bytes are one item that is valid in a mode: a plain recursive descent, one function to a kind of item.
 * Each takes the bytes that are left and moves past what it has read; false is "not valid", whatever the reason.
 * Recursion ends with the depth limit, and with the input, of which every level takes at least a byte.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_rules.h"

typedef struct cursor {
    const uint8_t *at, *end;
    wcbor_mode mode;
} cursor;

/* What comes right before an item, for the modes that look into some tags. */
typedef struct context {
    bool has_tag;
    uint64_t tag;
    bool is_key;
} context;

typedef struct head {
    unsigned major, info;
    bool is_indefinite;
    uint64_t argument;
} head;

static bool read_item(cursor *c, context around, uint64_t depth);

static bool is_canonical(wcbor_mode mode) {
    return ref_mode_sorts(mode);
}

static bool read_head(cursor *c, head *h) {
    if (c->at == c->end) return false;
    unsigned initial = *c->at++;
    *h = (head){initial >> 5, initial & 31, false, initial & 31};
    if (h->info < 24) return true;
    if (h->info == 31) {
        h->is_indefinite = true;
        return h->major >= 2 && h->major <= 5 && !is_canonical(c->mode);
    }
    if (h->info > 27) return false;
    unsigned size = 1u << (h->info - 24);
    if ((size_t)(c->end - c->at) < size) return false;
    h->argument = 0;
    for (unsigned i = 0; i < size; i++)
        h->argument = h->argument << 8 | *c->at++;
    if (h->major == 7 || !is_canonical(c->mode)) return true;
    static const uint64_t largest_of_shorter[] = {23, 0xff, 0xffff, 0xffffffff};
    return h->argument > largest_of_shorter[h->info - 24];
}

static bool take_break(cursor *c) {
    if (c->at == c->end || *c->at != 0xff) return false;
    c->at++;
    return true;
}

static bool read_definite_string(cursor *c, const head *h, const uint8_t **bytes) {
    if (h->argument > (uint64_t)(c->end - c->at)) return false;
    *bytes = c->at;
    c->at += h->argument;
    return h->major == 2 || c->mode == WCBOR_MODE_LAX || ref_text_is_valid(*bytes, (size_t)h->argument);
}

/* A bignum that the mode would have as an integer, or shorter. dcbor's drafts disagree below -2^63: both pass. */
static bool is_refused_bignum(wcbor_mode mode, uint64_t tag, const uint8_t *bytes, size_t nbytes) {
    if (!ref_mode_prefers(mode) || (tag != 2 && tag != 3)) return false;
    if (mode == WCBOR_MODE_DCBOR && tag == 3 && nbytes == 8 && bytes[0] >= 0x80) return false;
    return !ref_is_preferred_bignum(bytes, nbytes);
}

static bool read_string(cursor *c, const head *h, context around, uint64_t depth) {
    const uint8_t *bytes;
    if (!h->is_indefinite) {
        if (!read_definite_string(c, h, &bytes)) return false;
        if (!around.has_tag || h->major != 2) return true;
        if (c->mode == WCBOR_MODE_DAG_CBOR) return ref_is_tagged_cid(bytes, (size_t)h->argument);
        return !is_refused_bignum(c->mode, around.tag, bytes, (size_t)h->argument);
    }
    if (depth == 0) return false;
    while (!take_break(c)) {
        head chunk;
        if (!read_head(c, &chunk) || chunk.major != h->major || chunk.is_indefinite) return false;
        if (!read_definite_string(c, &chunk, &bytes)) return false;
    }
    return true;
}

static bool read_array(cursor *c, const head *h, uint64_t depth) {
    context inside = {false, 0, false};
    if (depth == 0) return false;
    for (uint64_t i = 0; h->is_indefinite ? !take_break(c) : i < h->argument; i++) {
        if (!read_item(c, inside, depth - 1)) return false;
    }
    return true;
}

typedef struct key {
    const uint8_t *at;
    size_t nbytes;
} key;

static bool may_follow(const cursor *c, const key *keys, size_t count, key next) {
    if (!ref_mode_checks_keys(c->mode)) return true;
    if (ref_mode_sorts(c->mode)) {
        if (count == 0) return true;
        key last = keys[count - 1];
        return ref_compare_keys(c->mode, last.at, last.nbytes, next.at, next.nbytes) < 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (keys[i].nbytes == next.nbytes && memcmp(keys[i].at, next.at, next.nbytes) == 0) return false;
    }
    return true;
}

static bool read_map(cursor *c, const head *h, uint64_t depth) {
    context before_key = {false, 0, true}, before_value = {false, 0, false};
    if (depth == 0) return false;
    key *keys = malloc(((size_t)(c->end - c->at) + 1) * sizeof *keys);
    bool is_valid = keys != NULL;
    for (uint64_t i = 0; is_valid && (h->is_indefinite ? !take_break(c) : i < h->argument); i++) {
        key next = {c->at, 0};
        is_valid = read_item(c, before_key, depth - 1);
        next.nbytes = (size_t)(c->at - next.at);
        is_valid = is_valid && may_follow(c, keys, (size_t)i, next) && read_item(c, before_value, depth - 1);
        if (is_valid) keys[i] = next;
    }
    free(keys);
    return is_valid;
}

/* Whether dropping `dropped` bits of a NaN's fraction would lose none that is set. */
static bool is_shorter_nan(uint64_t bits, unsigned dropped) {
    return (bits & ((UINT64_C(1) << dropped) - 1)) == 0;
}

static bool is_shortest_float(unsigned width, uint64_t bits) {
    ref_bytes shortest = {NULL, 0, 0};
    if (width == 2) return true;
    if (width == 4 && (bits & 0x7fffffff) > 0x7f800000) return !is_shorter_nan(bits, 13);
    if (width == 8 && (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000)) return !is_shorter_nan(bits, 29);
    ref_append_float(&shortest, WCBOR_MODE_STRICT, width, bits);
    bool same = shortest.nbytes == width + 1;
    ref_release(&shortest);
    return same;
}

static bool float_is_valid(wcbor_mode mode, unsigned width, uint64_t bits) {
    ref_bytes written = {NULL, 0, 0};
    unsigned initial = width == 2 ? 0xf9 : width == 4 ? 0xfa : 0xfb;
    bool same;
    switch (mode) {
    case WCBOR_MODE_DETERMINISTIC: return is_shortest_float(width, bits);
    case WCBOR_MODE_DAG_CBOR: return width == 8 && (bits >> 52 & 0x7ff) != 0x7ff;
    case WCBOR_MODE_DCBOR: /* only what the writer itself writes */
        ref_append_float(&written, mode, width, bits);
        same = written.nbytes == width + 1 && written.at[0] == initial;
        if (same && width == 2 && (bits & 0x7fff) > 0x7c00) same = bits == 0x7e00;
        ref_release(&written);
        return same;
    default: return true; /* canonical too: only its reader looks at widths (vector w0695) */
    }
}

static bool simple_is_valid(wcbor_mode mode, uint64_t value, bool in_two_bytes) {
    if (in_two_bytes && value < 32 && mode != WCBOR_MODE_LAX) return false;
    if (mode == WCBOR_MODE_DAG_CBOR || mode == WCBOR_MODE_DCBOR) return value >= 20 && value <= 22;
    return true;
}

static bool read_item(cursor *c, context around, uint64_t depth) {
    head h;
    if (!read_head(c, &h)) return false;
    if (c->mode == WCBOR_MODE_DAG_CBOR) {
        if (around.is_key && h.major != 3) return false;
        if (around.has_tag && h.major != 2) return false;
    }
    switch (h.major) {
    case 0:
    case 1: return true;
    case 2:
    case 3: return read_string(c, &h, around, depth);
    case 4: return read_array(c, &h, depth);
    case 5: return read_map(c, &h, depth);
    case 6:
        if (c->mode == WCBOR_MODE_CTAP2 || (c->mode == WCBOR_MODE_DAG_CBOR && h.argument != 42)) return false;
        return read_item(c, (context){true, h.argument, false}, depth);
    default:
        if (h.info >= 25) return float_is_valid(c->mode, 1u << (h.info - 24), h.argument);
        return simple_is_valid(c->mode, h.argument, h.info == 24);
    }
}

bool ref_is_valid_item(const uint8_t *bytes, size_t nbytes, wcbor_mode mode, uint64_t max_depth) {
    cursor c = {bytes, bytes + nbytes, mode};
    return nbytes > 0 && read_item(&c, (context){false, 0, false}, max_depth) && c.at == c.end;
}
