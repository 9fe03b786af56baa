/*
 * plan.c - see plan.h.
 */
#include "plan.h"

#include "../src/float.h"
#include "../src/modes.h"
#include "../src/utf8.h"
#include "../src/writer.h"

/* A folded key takes no more bytes than this; a longer one is no field's. */
enum { FOLD_MAX = PLAN_KEY_NBYTES_MAX + 8 };

/* Memory for keys that are made anew: heads, a folded key, and as much as is read behind it. */
enum { SCRATCH_NBYTES = FOLD_MAX + 2 * WCBOR_HEAD_MAX + 16 };

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

/* Folds text with characters beyond ASCII into `to`, of FOLD_MAX bytes: its bytes, or SIZE_MAX when it is no field's. */
static size_t fold_text(const uint32_t *plan, uint8_t *to, const uint8_t *text, size_t nbytes) {
    const uint8_t *end = text + nbytes;
    size_t at = 0;
    /* Ill-formed text is no field's. */
    if (wcbor_utf8_valid_((const char *)text, nbytes) != nbytes) return SIZE_MAX;
    while (text < end) {
        if (at > FOLD_MAX - 4) return SIZE_MAX;
        uint32_t character = *text;
        size_t length = character < 0xc0 ? 1 : character < 0xe0 ? 2 : character < 0xf0 ? 3 : 4;
        if (length > 1) {
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
static size_t fold_key(const uint32_t *plan, uint8_t *scratch, const uint8_t *text, size_t nbytes) {
    uint8_t *to = scratch + WCBOR_HEAD_MAX;
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
        nbytes = fold_text(plan, to, text, nbytes);
        if (nbytes == SIZE_MAX) return 0;
    }
    size_t head_nbytes = wcbor_head_nbytes_(nbytes);
    if (head_nbytes > 2) return 0;
    (void)wcbor_put_head_(to - head_nbytes, WCBOR_TEXT, nbytes);
    return head_nbytes + nbytes;
}

void wcbor_plan_prepare(uint32_t *plan) {
    static uint32_t nowners;
    const uint8_t *bytes = (const uint8_t *)(plan + plan[PLAN_BYTES]);
    /* Records follow one another, from behind the header on. */
    for (uint32_t at = PLAN_HEADER_WORDS; at < plan[PLAN_RECORDS_END];) {
        uint32_t *record = plan + at;
        const uint32_t *field = record + RECORD_FIELDS;
        record[RECORD_OWNER] = ++nowners;
        uint32_t *table = plan + record[RECORD_TABLE], mask = record[RECORD_TABLE_MASK];
        for (uint32_t i = 0; i < record[RECORD_NFIELDS]; i++, field += FIELD_WORDS) {
            uint32_t slot = hash_of(bytes + field[FIELD_KEY], field[FIELD_KEY_NBYTES]) & mask;
            while (table[slot] != 0) slot = (slot + 1) & mask;
            table[slot] = i + 1;
        }
        at += RECORD_FIELDS + record[RECORD_NFIELDS] * FIELD_WORDS;
    }
}

/* The number of the field with a key as plans have them, of which 15 bytes behind it may be read. */
static uint32_t look_up(const uint32_t *plan, const uint32_t *record, const uint8_t *key, size_t nbytes) {
    const uint32_t *table = plan + record[RECORD_TABLE];
    uint32_t mask = record[RECORD_TABLE_MASK], slot = hash_of(key, nbytes) & mask;
    for (; table[slot] != 0; slot = (slot + 1) & mask) {
        uint32_t number = table[slot] - 1;
        const uint32_t *field = record + RECORD_FIELDS + number * FIELD_WORDS;
        if (field[FIELD_KEY_NBYTES] == nbytes && wcbor_plan_same(wcbor_plan_bytes(plan) + field[FIELD_KEY], key, nbytes)) return number;
    }
    return NO_FIELD;
}

/* Likewise of text. */
static uint32_t look_up_text(const uint32_t *plan, const uint32_t *record, const uint8_t *text, size_t nbytes) {
    uint8_t scratch[SCRATCH_NBYTES];
    if ((record[RECORD_FLAGS] & PLAN_FOLD) != 0) {
        size_t key_nbytes = fold_key(plan, scratch, text, nbytes);
        if (key_nbytes == 0) return NO_FIELD;
        const uint8_t *key = scratch + WCBOR_HEAD_MAX - wcbor_head_nbytes_(key_nbytes - 1 - (key_nbytes > 24));
        return look_up(plan, record, key, key_nbytes);
    }
    if (nbytes > PLAN_KEY_NBYTES_MAX - 2) return NO_FIELD;
    uint8_t *next = wcbor_put_head_(scratch, WCBOR_TEXT, nbytes);
    memcpy(next, text, nbytes);
    return look_up(plan, record, scratch, (size_t)(next - scratch) + nbytes);
}

/* Likewise of text in chunks, well-formed ones; `*behind` is set when it is a field's. */
static uint32_t look_up_chunks(const uint32_t *plan, const uint32_t *record, const uint8_t *next, const uint8_t *end,
                               const uint8_t **behind) {
    uint8_t text[PLAN_KEY_NBYTES_MAX];
    size_t nbytes = 0;
    wcbor_head_ head;
    for (next++; next < end && *next != WCBOR_BREAK; next += head.argument) {
        if ((*next & WCBOR_MAJOR) != WCBOR_TEXT || !wcbor_get_head_(next, end, &head)) return NO_FIELD;
        next += head.nbytes;
        if (head.argument > (size_t)(end - next) || head.argument > sizeof text - nbytes) return NO_FIELD;
        if (wcbor_utf8_valid_((const char *)next, (size_t)head.argument) != head.argument) return NO_FIELD;
        memcpy(text + nbytes, next, (size_t)head.argument);
        nbytes += (size_t)head.argument;
    }
    if (next >= end) return NO_FIELD;
    uint32_t number = look_up_text(plan, record, text, nbytes);
    if (number != NO_FIELD) *behind = next + 1;
    return number;
}

WCBOR_NOINLINE uint32_t wcbor_plan_find(const uint32_t *plan, const uint32_t *record, const uint8_t *key, const uint8_t *end,
                         const uint8_t **behind) {
    unsigned major = *key & WCBOR_MAJOR;
    wcbor_head_ head;
    *behind = NULL;
    if (*key == (WCBOR_TEXT | WCBOR_INDEFINITE)) return look_up_chunks(plan, record, key, end, behind);
    if ((major > WCBOR_NEGATIVE && major != WCBOR_TEXT) || !wcbor_get_head_(key, end, &head)) return NO_FIELD;
    const uint8_t *content = key + head.nbytes;
    if (major == WCBOR_TEXT) {
        if (head.argument > (size_t)(end - content)) return NO_FIELD;
        size_t nbytes = (size_t)head.argument;
        *behind = content + nbytes;
        bool is_plain = (record[RECORD_FLAGS] & PLAN_FOLD) == 0 && head.nbytes == wcbor_head_nbytes_(nbytes);
        return is_plain ? look_up(plan, record, key, head.nbytes + nbytes) : look_up_text(plan, record, content, nbytes);
    }
    uint8_t scratch[WCBOR_HEAD_MAX + 16];
    uint32_t number = look_up(plan, record, scratch, (size_t)(wcbor_put_head_(scratch, major, head.argument) - scratch));
    if (number != NO_FIELD) *behind = content;
    return number;
}

/* ------------------------------------------------------------------------------------------------------- values */

/* Bytes of the string in chunks at `at`, or SIZE_MAX when it is none. */
static size_t chunks_nbytes(const uint8_t *at, const uint8_t *end) {
    size_t nbytes = 0;
    wcbor_head_ head;
    for (at++; at < end && *at != WCBOR_BREAK; at += head.argument) {
        if (!wcbor_get_head_(at, end, &head)) return SIZE_MAX;
        at += head.nbytes;
        if (head.argument > (size_t)(end - at)) return SIZE_MAX;
        nbytes += (size_t)head.argument;
    }
    return nbytes;
}

/* Whether an item of this initial byte may stand behind tag 0 or 1. */
static bool is_time(uint64_t tag, unsigned initial) {
    if (tag == 0) return (initial & WCBOR_MAJOR) == WCBOR_TEXT;
    return tag == 1 && ((initial & WCBOR_MAJOR) <= WCBOR_NEGATIVE || (initial >= 0xf9 && initial <= 0xfb));
}

#define ENTRY(op, value) ((uint32_t)(op) | (uint32_t)(value) << TAPE_OP_BITS)

WCBOR_NOINLINE plan_verdict wcbor_plan_check(const uint32_t *plan, uint32_t number, const uint8_t *input, const uint8_t *at, const uint8_t *end) {
    const uint32_t *node = plan + number;
    plan_verdict verdict = {.status = WCBOR_OK};
    unsigned initial = *at, major = initial & WCBOR_MAJOR, kind = node[NODE_KIND];
    wcbor_head_ head;
    bool is_open = (initial & 0x1f) == WCBOR_INDEFINITE;
    /* What is malformed fails by itself. */
    if ((initial == 0xf6 && kind != PLAN_DEFERRED) || (!is_open && !wcbor_get_head_(at, end, &head))) return verdict;
    const uint8_t *content = at + (is_open ? 1 : head.nbytes);
    uint64_t argument = is_open ? 0 : head.argument;
    switch (kind) {
    case PLAN_INT:
        if (argument > INT64_MAX) verdict.status = WCBOR_OVERFLOW;
        break;
    case PLAN_FLOAT:
        if (major > WCBOR_NEGATIVE || argument < UINT64_C(1) << 53) break;
        verdict.number = major == WCBOR_UNSIGNED ? (double)argument : -1.0 - (double)argument;
        verdict.entries[verdict.nentries++] = TAPE_DOUBLE;
        verdict.behind = content;
        break;
    case PLAN_TEXT:
    case PLAN_STRING:
        if (is_open) argument = chunks_nbytes(at, end);
        if (argument != SIZE_MAX && !wcbor_plan_is_within(node, argument)) verdict.status = WCBOR_LIMIT_EXCEEDED;
        break;
    case PLAN_BIGINT:
        verdict.entries[verdict.nentries++] = ENTRY(TAPE_CAST, CAST_BIGINT);
        if (major != WCBOR_TAG || content == end) break;
        if ((argument != 2 && argument != 3) || (*content & WCBOR_MAJOR) != WCBOR_BYTES) {
            verdict.status = WCBOR_TYPE_MISMATCH;
        } else if ((*content & 0x1f) == WCBOR_INDEFINITE) {
            argument = chunks_nbytes(content, end);
        } else {
            argument = wcbor_get_head_(content, end, &head) ? head.argument : SIZE_MAX;
        }
        if (argument != SIZE_MAX && verdict.status == WCBOR_OK && !wcbor_plan_is_within(node, argument))
            verdict.status = WCBOR_LIMIT_EXCEEDED;
        break;
    case PLAN_DATE:
        if (content != end && !is_time(argument, *content)) verdict.status = WCBOR_TYPE_MISMATCH;
        break;
    case PLAN_CID:
        if (content == end) break;
        if (argument != 42 || (*content & WCBOR_MAJOR) != WCBOR_BYTES || (*content & 0x1f) == WCBOR_INDEFINITE) {
            verdict.status = WCBOR_TYPE_MISMATCH;
            break;
        }
        if (!wcbor_get_head_(content, end, &head) || head.argument > (size_t)(end - content) - head.nbytes) break;
        content += head.nbytes;
        if (!wcbor_is_cid_payload_(content, (size_t)head.argument)) {
            verdict.status = WCBOR_INVALID_CID;
            break;
        }
        verdict.entries[0] = TAPE_LONG_BYTES;
        verdict.entries[1] = (uint32_t)(content + 1 - input);
        verdict.entries[2] = (uint32_t)head.argument - 1;
        verdict.nentries = 3;
        verdict.behind = content + head.argument;
        break;
    case PLAN_DEFERRED: verdict.defers = initial != 0xf6 || (node[NODE_ACCEPTS] & ACCEPTS_NULLABLE) == 0; break;
    case PLAN_MAP:
        if (plan[node[NODE_KEYS] + NODE_KIND] != PLAN_TEXT) verdict.entries[verdict.nentries++] = ENTRY(TAPE_CAST, CAST_MAP);
        /* fallthrough */
    case PLAN_ARRAY:
        /* Others are counted. */
        if (!is_open && !wcbor_plan_is_within(node, argument)) verdict.status = WCBOR_LIMIT_EXCEEDED;
        break;
    default: break;
    }
    return verdict;
}

/* Bytes of the item by its initial byte, where that tells: neither a container, nor a tag, nor a longer string. Else 0. */
static const uint8_t whole[256] = {
#define EIGHT(n) n, n, n, n, n, n, n, n
    EIGHT(1), EIGHT(1), EIGHT(1), 2, 3, 5, 9, 0, 0, 0, 0, /* unsigned */
    EIGHT(1), EIGHT(1), EIGHT(1), 2, 3, 5, 9, 0, 0, 0, 0, /* negative */
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, EIGHT(0), /* bytes */
    EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0),
    EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0), /* text, arrays, maps, tags */
    EIGHT(1), EIGHT(1), EIGHT(1), 0, 3, 5, 9, 0, 0, 0, 0, /* simple values and floats */
#undef EIGHT
};

WCBOR_NOINLINE const uint8_t *wcbor_plan_skip(const uint8_t *next, const uint8_t *end, uint32_t depth_left) {
    for (uint64_t left = 1; left > 0; left--) {
        if (next >= end) return NULL;
        unsigned nbytes = whole[*next], major = *next & WCBOR_MAJOR;
        if (nbytes != 0) {
            next += nbytes;
            continue;
        }
        wcbor_head_ head = {*next & 0x1f, 1};
        if (head.argument >= 24 && !wcbor_get_head_(next, end, &head)) return NULL;
        next += head.nbytes;
        size_t remaining = (size_t)(end - next);
        switch (major) {
        case WCBOR_TEXT:
            if (head.argument > remaining) return NULL;
            nbytes = (unsigned)head.argument;
            if (WCBOR_UNLIKELY(nbytes > 16 || (vector_top_bits(vector_load(next)) & ((UINT32_C(1) << nbytes) - 1)) != 0)
                && wcbor_utf8_valid_((const char *)next, nbytes) != nbytes)
                return NULL;
            next += nbytes;
            break;
        case WCBOR_BYTES:
            if (head.argument > remaining) return NULL;
            next += head.argument;
            break;
        case WCBOR_ARRAY:
        case WCBOR_MAP:
            /* Two pairs might have the same key. */
            if (major == WCBOR_MAP && head.argument > 1) return NULL;
            if (head.argument > remaining || depth_left == 0) return NULL;
            depth_left--;
            left += head.argument << (major == WCBOR_MAP);
            break;
        case WCBOR_TAG: left++; break;
        default: return NULL;
        }
    }
    return next <= end ? next : NULL;
}
