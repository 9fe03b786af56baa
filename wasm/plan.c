/*
 * plan.c - see plan.h.
 */
#include "plan.h"

#include "../src/float.h"
#include "../src/writer.h"
#include "tape.h"
#include "vector.h"

/* A folded key takes no more bytes than this; a longer one is no field's. */
enum { FOLD_MAX = PLAN_KEY_NBYTES_MAX + 8 };

typedef wcbor_plan_run plan_run;

/* ------------------------------------------------------------------------------------------------------- memory */

static bool reserve(plan_run *run, void **items, size_t *capacity, size_t count, size_t item_nbytes) {
    if (WCBOR_LIKELY(count <= *capacity)) return true;
    size_t grown = *capacity < 32 ? 64 : *capacity;
    while (grown < count) {
        if (grown > UINT32_MAX / 2 / item_nbytes) return false;
        grown *= 2;
    }
    void *memory = run->reallocate(run->context, *items, grown * item_nbytes);
    if (memory == NULL) return false;
    *items = memory;
    *capacity = grown;
    return true;
}

#define RESERVE(run, items, capacity, count) \
  reserve(run, (void **)&(run)->items, &(run)->capacity, count, sizeof *(run)->items)

static bool put(plan_run *run, const uint8_t *bytes, size_t nbytes) {
    if (!RESERVE(run, out, capacity, run->nbytes + nbytes)) return false;
    memcpy(run->out + run->nbytes, bytes, nbytes);
    run->nbytes += nbytes;
    return true;
}

static bool put_head(plan_run *run, unsigned major, uint64_t argument) {
    if (!RESERVE(run, out, capacity, run->nbytes + WCBOR_HEAD_MAX)) return false;
    run->nbytes = (size_t)(wcbor_put_head_(run->out + run->nbytes, major, argument) - run->out);
    return true;
}

/* --------------------------------------------------------------------------------------------------- input, valid */

/* The head at `*next`, which goes behind it; the argument of an indefinite length is UINT64_MAX. */
static uint64_t take_head(const uint8_t **next) {
    wcbor_head_ head = {0, 0};
    if ((**next & 0x1f) == WCBOR_INDEFINITE) {
        ++*next;
        return UINT64_MAX;
    }
    (void)wcbor_get_head_(*next, *next + WCBOR_HEAD_MAX, &head);
    *next += head.nbytes;
    return head.argument;
}

/* Bytes of the item by its initial byte, where that tells: neither a container, nor a tag, nor a longer string. Else 0. */
static const uint8_t whole[256] = {
#define EIGHT(n) n, n, n, n, n, n, n, n
    EIGHT(1), EIGHT(1), EIGHT(1), 2, 3, 5, 9, 0, 0, 0, 0, /* unsigned */
    EIGHT(1), EIGHT(1), EIGHT(1), 2, 3, 5, 9, 0, 0, 0, 0, /* negative */
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, EIGHT(0), /* bytes */
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, EIGHT(0), /* text */
    EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0),
    EIGHT(1), EIGHT(1), EIGHT(1), 2, 3, 5, 9, 0, 0, 0, 0, /* simple values and floats */
#undef EIGHT
};

/* The rest of skip: from an item that is not whole by its initial byte. */
static const uint8_t *skip_long(plan_run *run, const uint8_t *next) {
    size_t base = run->depth;
    uint64_t left = 1;
    for (;;) {
        if (left == 0) {
            if (run->depth == base) return next;
            left = 1;
        }
        unsigned initial = *next, nbytes = whole[initial];
        if (nbytes != 0) {
            next += nbytes;
            left--;
            continue;
        }
        if (initial == WCBOR_BREAK) {
            next++;
            left = run->frames[--run->depth].left;
            continue;
        }
        uint64_t argument = take_head(&next);
        unsigned major = initial & WCBOR_MAJOR;
        if (major == WCBOR_TAG) continue;
        left--;
        if (argument == UINT64_MAX) {
            /* The chunks of a string are items up to the break, too. */
            if (!RESERVE(run, frames, frames_capacity, run->depth + 1)) return NULL;
            run->frames[run->depth++].left = left;
            left = 0;
        } else if (major >= WCBOR_ARRAY) {
            left += argument << (major == WCBOR_MAP);
        } else {
            next += argument;
        }
    }
}

/*
 * Behind the item at `next`, tags included. Definite containers only add to what is left; each indefinite one takes a
 * frame above those that are in use. NULL when there is no memory.
 */
WCBOR_INLINE const uint8_t *skip(plan_run *run, const uint8_t *next) {
    unsigned nbytes = whole[*next];
    return WCBOR_LIKELY(nbytes != 0) ? next + nbytes : skip_long(run, next);
}

/* Bytes of the string at `at`, in chunks or not. */
static uint64_t string_nbytes(const uint8_t *at) {
    uint64_t nbytes = take_head(&at);
    if (nbytes != UINT64_MAX) return nbytes;
    nbytes = 0;
    while (*at != WCBOR_BREAK) {
        uint64_t chunk = take_head(&at);
        nbytes += chunk;
        at += chunk;
    }
    return nbytes;
}

/* -------------------------------------------------------------------------------------------------------- names */

/* Of a key of at least 1 byte. 7 bytes behind it may be read. */
static uint32_t hash_of(const uint8_t *key, size_t nbytes) {
    uint64_t first, last;
    memcpy(&first, key, 8);
    if (nbytes < 8) first &= (UINT64_C(1) << 8 * nbytes) - 1, last = 0;
    else memcpy(&last, key + nbytes - 8, 8);
    uint64_t hash = (first ^ nbytes) * UINT64_C(0x9e3779b97f4a7c15) ^ last * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (uint32_t)(hash >> 32) ^ (uint32_t)hash;
}

/* 8 bytes, their ASCII letters in lower case. */
static uint64_t lower(uint64_t word) {
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
    uint64_t low = word & ~tops;
    /* The top bit of each byte that is A or more, and of each that is more than Z. */
    uint64_t letters = (low + ones * (0x80 - 'A')) & ~(low + ones * (0x7f - 'Z')) & ~word & tops;
    return word | letters >> 2;
}

/* A character, folded by the plan. */
WCBOR_INLINE uint32_t fold(const uint32_t *plan, uint32_t character) {
    uint32_t mask = plan[PLAN_FOLDS_MASK];
    const uint32_t *folds = plan + plan[PLAN_FOLDS];
    for (uint32_t slot = character & mask; folds[2 * slot] != 0; slot = (slot + 1) & mask)
        if (folds[2 * slot] == character) return folds[2 * slot + 1];
    return character;
}

static size_t put_character(uint8_t *to, uint32_t character) {
    if (character < 0x80) {
        to[0] = (uint8_t)character;
        return 1;
    }
    size_t nbytes = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = nbytes; i-- > 1; character >>= 6) to[i] = (uint8_t)(0x80 | (character & 0x3f));
    to[0] = (uint8_t)(0xf00u >> nbytes | character);
    return nbytes;
}

/* Folds text with characters beyond ASCII into `to`, of FOLD_MAX bytes: its bytes, or SIZE_MAX when that is too short. */
static size_t fold_text(const uint32_t *plan, uint8_t *to, const uint8_t *text, size_t nbytes) {
    const uint8_t *end = text + nbytes;
    size_t at = 0;
    while (text < end) {
        if (at > FOLD_MAX - 4) return SIZE_MAX;
        uint32_t character = *text;
        size_t length = character < 0xc0 ? 1 : character < 0xe0 ? 2 : character < 0xf0 ? 3 : 4;
        if (length > 1) {
            /* Ill-formed text, which lax takes, is no field's. */
            if ((size_t)(end - text) < length) return SIZE_MAX;
            character &= 0x7fu >> length;
            for (size_t i = 1; i < length; i++) character = character << 6 | (text[i] & 0x3f);
        } else if (character >= 'A' && character <= 'Z') {
            character |= 0x20;
        }
        text += length;
        at += put_character(to + at, fold(plan, character));
    }
    return at;
}

/* The encoded key of text, in the scratch memory: its bytes, or 0 when it is no field's. */
static size_t fold_key(plan_run *run, const uint8_t *text, size_t nbytes) {
    uint8_t *to = run->scratch + WCBOR_HEAD_MAX;
    uint64_t all = 0;
    size_t at = 0;
    if (nbytes > FOLD_MAX - 8) return 0;
    for (; at + 8 <= nbytes; at += 8) {
        uint64_t word;
        memcpy(&word, text + at, 8);
        all |= word;
        word = lower(word);
        memcpy(to + at, &word, 8);
    }
    uint64_t last = 0;
    for (size_t i = at; i < nbytes; i++) last |= (uint64_t)text[i] << 8 * (i - at);
    all |= last;
    last = lower(last);
    for (; at < nbytes; at++, last >>= 8) to[at] = (uint8_t)last;
    if ((all & UINT64_C(0x8080808080808080)) != 0) {
        nbytes = fold_text(run->plan, to, text, nbytes);
        if (nbytes == SIZE_MAX) return 0;
    }
    size_t head_nbytes = wcbor_head_nbytes_(nbytes);
    if (head_nbytes > 2) return 0;
    (void)wcbor_put_head_(to - head_nbytes, WCBOR_TEXT, nbytes);
    return head_nbytes + nbytes;
}

/* Both may be read up to 15 bytes behind the key. */
static bool is_key_of(const plan_run *run, const uint32_t *field, const uint8_t *key, size_t nbytes) {
    if (field[FIELD_KEY_NBYTES] != nbytes) return false;
    const uint8_t *name = run->bytes + field[FIELD_KEY];
    for (; nbytes >= 16; nbytes -= 16, name += 16, key += 16)
        if (vector_same(vector_load(name), vector_load(key)) != 0xffff) return false;
    return (~vector_same(vector_load(name), vector_load(key)) & ((UINT32_C(1) << nbytes) - 1)) == 0;
}

void wcbor_plan_prepare(uint32_t *plan) {
    const uint8_t *bytes = (const uint8_t *)(plan + plan[PLAN_BYTES]);
    /* Records follow one another, from behind the header up to the root's node. */
    for (uint32_t at = PLAN_HEADER_WORDS; at < plan[PLAN_ROOT];) {
        const uint32_t *record = plan + at, *field = record + RECORD_FIELDS;
        uint32_t *table = plan + record[RECORD_TABLE], mask = record[RECORD_TABLE_MASK];
        for (uint32_t i = 0; i < record[RECORD_NFIELDS]; i++, field += FIELD_WORDS) {
            uint32_t slot = hash_of(bytes + field[FIELD_KEY], field[FIELD_KEY_NBYTES]) & mask;
            while (table[slot] != 0) slot = (slot + 1) & mask;
            table[slot] = i + 1;
        }
        at += RECORD_FIELDS + record[RECORD_NFIELDS] * FIELD_WORDS;
    }
}

/* The number of the field whose key is at `at`, or UINT32_MAX; its key ends at `end`. */
static uint32_t find_field(plan_run *run, const uint32_t *record, uint32_t hint, const uint8_t *at, const uint8_t *end) {
    const uint32_t *fields = record + RECORD_FIELDS;
    size_t nbytes = (size_t)(end - at);
    bool folds = (record[RECORD_FLAGS] & PLAN_FOLD) != 0;
    if (!folds && hint < record[RECORD_NFIELDS] && is_key_of(run, fields + hint * FIELD_WORDS, at, nbytes)) return hint;
    const uint8_t *key = at;
    unsigned major = *at & WCBOR_MAJOR;
    if (major == WCBOR_TEXT && (*at & 0x1f) != WCBOR_INDEFINITE) {
        const uint8_t *text = at;
        uint64_t text_nbytes = take_head(&text);
        if (folds) {
            nbytes = fold_key(run, text, (size_t)text_nbytes);
            if (nbytes == 0) return UINT32_MAX;
            key = run->scratch + WCBOR_HEAD_MAX - wcbor_head_nbytes_(nbytes - 1 - (nbytes > 24));
            if (hint < record[RECORD_NFIELDS] && is_key_of(run, fields + hint * FIELD_WORDS, key, nbytes)) return hint;
        } else if ((size_t)(text - at) != wcbor_head_nbytes_(text_nbytes)) {
            /* Encoded with more bytes than need be. */
            if (text_nbytes > PLAN_KEY_NBYTES_MAX - 2) return UINT32_MAX;
            uint8_t *next = wcbor_put_head_(run->scratch, WCBOR_TEXT, text_nbytes);
            memcpy(next, text, (size_t)text_nbytes);
            key = run->scratch;
            nbytes = (size_t)(next - key) + (size_t)text_nbytes;
        }
    } else if (major <= WCBOR_NEGATIVE) {
        const uint8_t *next = at;
        uint64_t argument = take_head(&next);
        key = run->scratch;
        nbytes = (size_t)(wcbor_put_head_(run->scratch, major, argument) - key);
    } else if (major == WCBOR_TEXT) {
        /* In chunks. */
        uint64_t text_nbytes = string_nbytes(at);
        if (text_nbytes > PLAN_KEY_NBYTES_MAX - 2) return UINT32_MAX;
        uint8_t *joined = run->scratch + FOLD_MAX + 2 * WCBOR_HEAD_MAX, *next = wcbor_put_head_(joined, WCBOR_TEXT, text_nbytes);
        for (at++; *at != WCBOR_BREAK;) {
            uint64_t chunk = take_head(&at);
            memcpy(next, at, (size_t)chunk);
            next += chunk;
            at += chunk;
        }
        return find_field(run, record, hint, joined, next);
    } else {
        return UINT32_MAX;
    }
    const uint32_t *table = run->plan + record[RECORD_TABLE];
    uint32_t mask = record[RECORD_TABLE_MASK], slot = hash_of(key, nbytes) & mask;
    for (; table[slot] != 0; slot = (slot + 1) & mask) {
        uint32_t number = table[slot] - 1;
        if (is_key_of(run, fields + number * FIELD_WORDS, key, nbytes)) return number;
    }
    return UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------------------- values */

/* Puts the bytes of a tag of the plan. */
static bool put_tag(plan_run *run, unsigned word) {
    return put_head(run, WCBOR_TAG, run->plan[word] | (uint64_t)run->plan[word + 1] << 32);
}

static bool put_double(plan_run *run, double number) {
    uint8_t item[WCBOR_HEAD_MAX] = {WCBOR_SIMPLE | 27};
    wcbor_store64_(item + 1, wcbor_double_bits_(number));
    return put(run, item, sizeof item);
}

/* Whether an item of this initial byte may stand behind tag 0 or 1. */
static bool is_time(uint64_t tag, unsigned initial) {
    if (tag == 0) return (initial & WCBOR_MAJOR) == WCBOR_TEXT;
    return (initial & WCBOR_MAJOR) <= WCBOR_NEGATIVE || (initial >= 0xf9 && initial <= 0xfb);
}

static bool is_within(const uint32_t *node, uint64_t count) {
    return count >= node[NODE_LEAST] && count <= node[NODE_MOST];
}

/* Begins a container. */
static uint32_t open(plan_run *run, uint32_t node, uint64_t left, const uint8_t *begin) {
    if (!RESERVE(run, frames, frames_capacity, run->depth + 1)) return WCBOR_OUT_OF_MEMORY;
    plan_frame *frame = &run->frames[run->depth++];
    *frame = (plan_frame){.left = left, .begin = begin, .node = node, .in_order = 1};
    const uint32_t *of = run->plan + node;
    unsigned kind = of[NODE_KIND] & ~(unsigned)PLAN_NULLABLE;
    if (kind != PLAN_STRUCT) {
        if (kind == PLAN_MAP && (run->plan[of[NODE_KEYS] + NODE_KIND]) != PLAN_TEXT && !put_tag(run, PLAN_MAP_TAG))
            return WCBOR_OUT_OF_MEMORY;
        if (left != UINT64_MAX && !is_within(of, left)) return WCBOR_LIMIT_EXCEEDED;
        unsigned major = kind == PLAN_ARRAY ? WCBOR_ARRAY : WCBOR_MAP;
        if (left != UINT64_MAX) return put_head(run, major, left) ? WCBOR_OK : WCBOR_OUT_OF_MEMORY;
        uint8_t initial = (uint8_t)(major | WCBOR_INDEFINITE);
        return put(run, &initial, 1) ? WCBOR_OK : WCBOR_OUT_OF_MEMORY;
    }
    uint32_t nfields = run->plan[of[NODE_ITEMS] + RECORD_NFIELDS];
    if (!RESERVE(run, spans, spans_capacity, run->nspans + nfields)) return WCBOR_OUT_OF_MEMORY;
    frame->spans = (uint32_t)run->nspans;
    frame->kept_at = (uint32_t)run->nkept;
    memset(run->spans + run->nspans, 0, nfields * sizeof *run->spans);
    run->nspans += nfields;
    /* A head that takes any number of pairs; it is written in the end. */
    if (!put(run, (const uint8_t *)"\xba\0\0\0", 5)) return WCBOR_OUT_OF_MEMORY;
    frame->out = (uint32_t)run->nbytes;
    return WCBOR_OK;
}

/*
 * The value of a node at `*next`, which goes behind it, or behind the head of a container that is now open.
 */
static uint32_t value(plan_run *run, uint32_t number, const uint8_t **next) {
    const uint32_t *node = run->plan + number;
    const uint8_t *at = *next, *begin = at;
    unsigned initial = *at, major = initial & WCBOR_MAJOR, kind = node[NODE_KIND];
    if ((kind & PLAN_NULLABLE) != 0) {
        if (initial == 0xf6) goto copy;
        kind &= ~(unsigned)PLAN_NULLABLE;
    }
    uint64_t argument;
    switch (kind) {
    case PLAN_INT:
    case PLAN_UINT:
        if (major > WCBOR_NEGATIVE) return WCBOR_TYPE_MISMATCH;
        argument = take_head(&at);
        if (kind == PLAN_UINT ? major != WCBOR_UNSIGNED : argument > INT64_MAX) return WCBOR_OVERFLOW;
        break;
    case PLAN_FLOAT:
        if (initial >= 0xf9 && initial <= 0xfb) goto copy;
        if (major > WCBOR_NEGATIVE) return WCBOR_TYPE_MISMATCH;
        argument = take_head(&at);
        if (argument < UINT64_C(1) << 53) break;
        *next = at;
        return put_double(run, major == WCBOR_UNSIGNED ? (double)argument : -1.0 - (double)argument) ? WCBOR_OK
                                                                                                     : WCBOR_OUT_OF_MEMORY;
    case PLAN_BOOL:
        if (initial != 0xf4 && initial != 0xf5) return WCBOR_TYPE_MISMATCH;
        goto copy;
    case PLAN_TEXT:
    case PLAN_STRING:
        if (major != (kind == PLAN_TEXT ? WCBOR_TEXT : WCBOR_BYTES)) return WCBOR_TYPE_MISMATCH;
        if ((initial & 0x1f) != WCBOR_INDEFINITE) {
            argument = take_head(&at);
            at += argument;
        } else {
            argument = string_nbytes(at);
            at = skip(run, at);
        }
        if (!is_within(node, argument)) return WCBOR_LIMIT_EXCEEDED;
        break;
    case PLAN_BIGINT:
        if (major <= WCBOR_NEGATIVE) {
            (void)take_head(&at);
        } else {
            if (major != WCBOR_TAG) return WCBOR_TYPE_MISMATCH;
            argument = take_head(&at);
            if ((argument != 2 && argument != 3) || (*at & WCBOR_MAJOR) != WCBOR_BYTES) return WCBOR_TYPE_MISMATCH;
            if (!is_within(node, string_nbytes(at))) return WCBOR_LIMIT_EXCEEDED;
            at = skip(run, at);
        }
        if (!put_tag(run, PLAN_BIGINT_TAG)) return WCBOR_OUT_OF_MEMORY;
        break;
    case PLAN_DATE:
        if (major != WCBOR_TAG) return WCBOR_TYPE_MISMATCH;
        argument = take_head(&at);
        if (argument > 1 || !is_time(argument, *at)) return WCBOR_TYPE_MISMATCH;
        goto copy;
    case PLAN_CID:
        if (major != WCBOR_TAG || take_head(&at) != 42 || (*at & WCBOR_MAJOR) != WCBOR_BYTES
            || *at == (WCBOR_BYTES | WCBOR_INDEFINITE))
            return WCBOR_TYPE_MISMATCH;
        argument = take_head(&at);
        if (!wcbor_is_cid_payload_(at, (size_t)argument)) return WCBOR_INVALID_CID;
        begin = at + 1;
        at += argument;
        if (!put_head(run, WCBOR_BYTES, argument - 1)) return WCBOR_OUT_OF_MEMORY;
        break;
    case PLAN_ANY: goto copy;
    case PLAN_DEFERRED:
        at = skip(run, at);
        if (at == NULL) return WCBOR_OUT_OF_MEMORY;
        if (!is_within(node, (uint64_t)(at - begin))) return WCBOR_LIMIT_EXCEEDED;
        if (!put_tag(run, PLAN_DEFERRED_TAG) || !put_head(run, WCBOR_BYTES, (uint64_t)(at - begin)))
            return WCBOR_OUT_OF_MEMORY;
        break;
    default: {
        bool is_array = kind == PLAN_ARRAY;
        if (kind == PLAN_STRUCT) is_array = (run->plan[node[NODE_ITEMS] + RECORD_FLAGS] & PLAN_TUPLE) != 0;
        if (major != (is_array ? WCBOR_ARRAY : WCBOR_MAP)) return WCBOR_TYPE_MISMATCH;
        argument = take_head(next);
        return open(run, number, argument, at);
    }
    }
    *next = at;
    return put(run, begin, (size_t)(at - begin)) ? WCBOR_OK : WCBOR_OUT_OF_MEMORY;
copy:
    at = skip(run, *next);
    if (at == NULL) return WCBOR_OUT_OF_MEMORY;
    *next = at;
    return put(run, begin, (size_t)(at - begin)) ? WCBOR_OK : WCBOR_OUT_OF_MEMORY;
}

/* Puts the pairs of a struct in order, with the defaults of absent fields, and its head before them. */
static uint32_t close_struct(plan_run *run, plan_frame *frame, const uint32_t *record) {
    const uint32_t *fields = record + RECORD_FIELDS;
    uint32_t nfields = record[RECORD_NFIELDS], count = 0;
    plan_span *spans = run->spans + frame->spans;
    size_t kept = run->nkept - frame->kept_at;
    for (uint32_t i = 0; i < nfields; i++) {
        const uint32_t *field = fields + i * FIELD_WORDS;
        if (spans[i].end != 0) {
            count++;
        } else if ((field[FIELD_FLAGS] & PLAN_DEFAULT) != 0) {
            frame->in_order = 0;
        } else if ((field[FIELD_FLAGS] & PLAN_OPTIONAL) == 0) {
            run->field = field[FIELD_PROPERTY];
            return PLAN_MISSING_FIELD;
        }
    }
    if (frame->in_order == 0 || kept != 0) {
        /* Laid down anew behind what is there, then moved. */
        size_t begin = run->nbytes;
        count = 0;
        for (uint32_t i = 0; i < nfields; i++) {
            const uint32_t *field = fields + i * FIELD_WORDS;
            size_t span_nbytes = spans[i].end - spans[i].begin;
            if (spans[i].end != 0) {
                if (!RESERVE(run, out, capacity, run->nbytes + span_nbytes)) return WCBOR_OUT_OF_MEMORY;
                memcpy(run->out + run->nbytes, run->out + spans[i].begin, span_nbytes);
                run->nbytes += span_nbytes;
            } else if ((field[FIELD_FLAGS] & PLAN_DEFAULT) != 0) {
                if (!put(run, run->bytes + field[FIELD_PROPERTY], field[FIELD_PROPERTY_NBYTES])
                    || !put(run, run->bytes + field[FIELD_DEFAULT], field[FIELD_DEFAULT_NBYTES]))
                    return WCBOR_OUT_OF_MEMORY;
            } else {
                continue;
            }
            count++;
        }
        for (size_t i = 0; i < kept; i++) {
            plan_span span = run->kept[frame->kept_at + i];
            if (!RESERVE(run, out, capacity, run->nbytes + (span.end - span.begin))) return WCBOR_OUT_OF_MEMORY;
            memcpy(run->out + run->nbytes, run->out + span.begin, span.end - span.begin);
            run->nbytes += span.end - span.begin;
            count++;
        }
        size_t nbytes = run->nbytes - begin;
        memmove(run->out + frame->out, run->out + begin, nbytes);
        run->nbytes = frame->out + nbytes;
    }
    wcbor_store32_(run->out + frame->out - 4, count);
    run->nspans = frame->spans;
    run->nkept = frame->kept_at;
    return WCBOR_OK;
}

/* The pair of a field begins. */
static bool begin_field(plan_run *run, plan_frame *frame, const uint32_t *record, uint32_t number) {
    const uint32_t *field = record + RECORD_FIELDS + number * FIELD_WORDS;
    plan_span *span = &run->spans[frame->spans + number];
    /* Out of order, or the second of the same key, of which the last one counts. */
    if (number < frame->hint || span->end != 0) frame->in_order = 0;
    frame->hint = number + 1;
    frame->field = number;
    span->begin = (uint32_t)run->nbytes;
    return put(run, run->bytes + field[FIELD_PROPERTY], field[FIELD_PROPERTY_NBYTES]);
}

/* The pair of a struct at `*next`, and those of unknown keys before it, which are skipped. `*item` is what may be at fault. */
static uint32_t take_pair(plan_run *run, const uint32_t *record, plan_frame *frame, const uint8_t **next, const uint8_t **item) {
    uint32_t flags = record[RECORD_FLAGS], hint = frame->hint;
    uint64_t left = frame->left;
    const uint8_t *at = *next;
    size_t depth = run->depth - 1;
    for (;;) {
        const uint8_t *key = at;
        at = skip(run, at);
        if (at == NULL) return WCBOR_OUT_OF_MEMORY;
        uint32_t number = find_field(run, record, hint, key, at);
        frame = &run->frames[depth];
        if (number != UINT32_MAX) {
            frame->left = left;
            *item = *next = at;
            if (!begin_field(run, frame, record, number)) return WCBOR_OUT_OF_MEMORY;
            return value(run, record[RECORD_FIELDS + number * FIELD_WORDS + FIELD_NODE], next);
        }
        *item = key;
        if ((flags & PLAN_REFUSE) != 0) return PLAN_UNKNOWN_FIELD;
        frame->field = UINT32_MAX;
        at = skip(run, at);
        if (at == NULL) return WCBOR_OUT_OF_MEMORY;
        if ((flags & PLAN_KEEP) != 0) {
            if (!RESERVE(run, kept, kept_capacity, run->nkept + 1)) return WCBOR_OUT_OF_MEMORY;
            plan_span span = {(uint32_t)run->nbytes, 0};
            if (!put(run, key, (size_t)(at - key))) return WCBOR_OUT_OF_MEMORY;
            span.end = (uint32_t)run->nbytes;
            run->kept[run->nkept++] = span;
        }
        if (left == 0 || *at == WCBOR_BREAK) {
            run->frames[depth].left = left;
            *next = at;
            return WCBOR_OK;
        }
        if (left != UINT64_MAX) left--;
    }
}

uint32_t wcbor_plan_apply(wcbor_plan_run *run, const uint32_t *plan, const uint8_t *input) {
    run->plan = plan;
    run->bytes = (const uint8_t *)(plan + plan[PLAN_BYTES]);
    run->nbytes = run->depth = run->nspans = run->nkept = 0;
    run->field = UINT32_MAX;
    run->offset = 0;
    if (!RESERVE(run, scratch, scratch_capacity, 2 * FOLD_MAX + 4 * WCBOR_HEAD_MAX)) return WCBOR_OUT_OF_MEMORY;
    const uint8_t *next = input, *item = input;
    uint32_t status = value(run, plan[PLAN_ROOT], &next);
    while (status == WCBOR_OK && run->depth != 0) {
        plan_frame *frame = &run->frames[run->depth - 1];
        const uint32_t *node = plan + frame->node;
        unsigned kind = node[NODE_KIND] & ~(unsigned)PLAN_NULLABLE;
        const uint32_t *record = plan + node[NODE_ITEMS];
        item = next;
        /* The value of a field has ended. */
        if (kind == PLAN_STRUCT && frame->field != UINT32_MAX && frame->count != 0)
            run->spans[frame->spans + frame->field].end = (uint32_t)run->nbytes;
        if (frame->left == 0 || (frame->left == UINT64_MAX && *next == WCBOR_BREAK)) {
            bool is_open = frame->left != 0;
            if (kind == PLAN_STRUCT) {
                item = frame->begin;
                bool is_short = (record[RECORD_FLAGS] & PLAN_TUPLE) != 0 && frame->count < record[RECORD_NFIELDS];
                status = close_struct(run, frame, record);
                if (status == PLAN_MISSING_FIELD && is_short) status = PLAN_WRONG_COUNT;
            } else if (is_open) {
                item = frame->begin;
                if (!is_within(node, frame->count)) status = WCBOR_LIMIT_EXCEEDED;
                else if (!put(run, next, 1)) status = WCBOR_OUT_OF_MEMORY;
            }
            next += is_open;
            run->depth--;
            continue;
        }
        if (frame->left != UINT64_MAX) frame->left--;
        frame->count++;
        if (kind == PLAN_ARRAY) {
            status = value(run, node[NODE_ITEMS], &next);
        } else if (kind == PLAN_MAP) {
            status = value(run, node[NODE_KEYS], &next);
            if (status != WCBOR_OK) break;
            item = next;
            status = value(run, node[NODE_ITEMS], &next);
        } else if ((record[RECORD_FLAGS] & PLAN_TUPLE) != 0) {
            uint32_t number = frame->count - 1;
            if (number >= record[RECORD_NFIELDS]) {
                item = frame->begin;
                status = PLAN_WRONG_COUNT;
            } else if (!begin_field(run, frame, record, number)) {
                status = WCBOR_OUT_OF_MEMORY;
            } else {
                status = value(run, record[RECORD_FIELDS + number * FIELD_WORDS + FIELD_NODE], &next);
            }
        } else {
            status = take_pair(run, record, frame, &next, &item);
        }
    }
    run->offset = (size_t)(item - input);
    if (status == WCBOR_OK && !RESERVE(run, out, capacity, run->nbytes + TAPE_SLACK)) return WCBOR_OUT_OF_MEMORY;
    return status;
}

void wcbor_plan_free(wcbor_plan_run *run) {
    void *const blocks[] = {run->out, run->frames, run->spans, run->kept, run->scratch};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i] != NULL) run->reallocate(run->context, blocks[i], 0);
    *run = (wcbor_plan_run){.reallocate = run->reallocate, .context = run->context};
}
