/*
 * tape.c - see tape.h. One loop, whose state is in locals while it runs.
 */
#include "tape.h"

#include "../src/float.h"
#include "../src/utf8.h"
#include "vector.h"
#include "widen.h"

/* `kind` of a frame. */
enum {
    IN_ROOT = 0,
    IN_ARRAY = 1,
    IN_MAP = 2,
    IN_CHUNKS = 4,
    OPEN = 8,    /* of indefinite length */
    ENDS = 0x10, /* its number is not in its entry: TAPE_END is to follow */
    MIXED = 0x20, /* a map with a key that is no text, or longer than need be */
    NOTED = 0x100, /* the tape says so */
    SINGLE = 0x40, /* a map of one pair */
    IS_TEXT = 0x80 /* the chunks are */
};

#define TAPE_LEFT_OPEN (SIZE_MAX - 1)
#define TAPE_CUT UINT32_MAX

/* In the middle of an array a run of numbers is tried when more than so many items are to come. */
enum { RUN_MIN = 8 };

/* Locals of the loop. */
typedef struct cursor {
    const uint8_t *next, *end;
    uint32_t *out, *out_end;
    double *doubles, *doubles_end;
    uint32_t nothers; /* entries that are no items, less items that have no entries */
} cursor;

#define ENTRY(op, value) ((uint32_t)(op) | (uint32_t)(value) << TAPE_OP_BITS)
#define OP_MASK ((UINT32_C(1) << TAPE_OP_BITS) - 1)

void wcbor_tape_init(wcbor_tape *tape, wcbor_names *names, wcbor_tape_slots *slots, wcbor_reallocate reallocate,
                     void *context) {
    memset(tape, 0, offsetof(wcbor_tape, entries));
    tape->entries_at = offsetof(wcbor_tape, entries);
    tape->doubles_at = offsetof(wcbor_tape, doubles);
    tape->ascii_at = offsetof(wcbor_tape, ascii);
    tape->wide_at = offsetof(wcbor_tape, wide);
    tape->input_at = offsetof(wcbor_tape, buffer);
    tape->bytes_at = offsetof(wcbor_tape, bytes);
    tape->names = names;
    tape->slots = slots;
    tape->frames = tape->inline_frames;
    tape->capacity = sizeof tape->inline_frames / sizeof tape->inline_frames[0];
    tape->reallocate = reallocate;
    tape->context = context;
    tape->limit = TAPE_TEXT_MAX;
}

void wcbor_tape_free(wcbor_tape *tape) {
    if (tape->frames != tape->inline_frames) tape->reallocate(tape->context, tape->frames, 0);
}

uint32_t wcbor_tape_start(wcbor_tape *tape, const uint8_t *input, size_t nbytes, uint32_t flags, uint32_t max_depth) {
    tape->input = tape->next = input;
    tape->end = input + nbytes;
    tape->flags = flags;
    tape->max_depth = max_depth;
    tape->unchecked = tape->nitems = 0;
    tape->tag_end = NULL;
    tape->top = (tape_frame){1, TAPE_CUT, NO_NODE, ROOT_NODE, IN_ROOT};
    tape->depth = 0;
    tape->epoch = tape->names->epoch;
    return wcbor_tape_run(tape);
}

static WCBOR_COLD bool grow_frames(wcbor_tape *tape) {
    if (tape->capacity > UINT32_MAX / 2 / sizeof(tape_frame)) return false;
    bool is_inline = tape->frames == tape->inline_frames;
    size_t nbytes = (size_t)tape->capacity * 2 * sizeof(tape_frame);
    tape_frame *frames = tape->reallocate(tape->context, is_inline ? NULL : tape->frames, nbytes);
    if (frames == NULL) return false;
    if (is_inline) memcpy(frames, tape->inline_frames, sizeof tape->inline_frames);
    tape->frames = frames;
    tape->capacity *= 2;
    return true;
}

/* ------------------------------------------------------------------------------------------------------ numbers */

enum { NO_NUMBER, INT32, DOUBLE };

/* The number at `*next`, if it is one and no integer beyond 2^53; then `*next` goes behind it. */
WCBOR_INLINE int take_number(const uint8_t **next, const uint8_t *end, int32_t *integer, double *number) {
    const uint8_t *at = *next;
    unsigned initial = *at;
    uint64_t argument;
    size_t nbytes = 1;
    switch (initial & 0x1f) {
    default: argument = initial & 0x1f; break;
    case 24: argument = at[1], nbytes = 2; break;
    case 25: argument = wcbor_load16_(at + 1), nbytes = 3; break;
    case 26: argument = wcbor_load32_(at + 1), nbytes = 5; break;
    case 27: argument = wcbor_load64_(at + 1), nbytes = 9; break;
    case 28: case 29: case 30: case 31: return NO_NUMBER;
    }
    if ((size_t)(end - at) < nbytes) return NO_NUMBER;
    *next = at + nbytes;
    unsigned major = initial & WCBOR_MAJOR;
    if (major == WCBOR_SIMPLE) {
        if (nbytes == 9) *number = wcbor_double_value_(argument);
        else if (nbytes == 5) *number = wcbor_single_value_((uint32_t)argument);
        else if (nbytes == 3) *number = wcbor_half_value_((uint16_t)argument);
        else goto none;
        return DOUBLE;
    }
    if (major > WCBOR_NEGATIVE) goto none;
    if (argument <= INT32_MAX) {
        *integer = major == WCBOR_UNSIGNED ? (int32_t)argument : ~(int32_t)argument;
        return INT32;
    }
    /* -(2^53 - 1) up to 2^53 - 1, the safe ones. */
    if (argument >= (UINT64_C(1) << 53) - (major == WCBOR_NEGATIVE)) goto none;
    *number = major == WCBOR_UNSIGNED ? (double)argument : -1.0 - (double)argument;
    return DOUBLE;
none:
    *next = at;
    return NO_NUMBER;
}

/*
 * Up to `most` numbers, behind the entry `c->out` that says how many: TAPE_INTS or TAPE_DOUBLES. Returns how many; 0, with
 * nothing done, when there is none or no room.
 */
static size_t take_run(cursor *c, size_t most) {
    uint32_t *ints = c->out + 1;
    if (ints >= c->out_end) return 0;
    size_t count = 0, room = (size_t)(c->out_end - ints), doubles_room = (size_t)(c->doubles_end - c->doubles);
    if (most > room) most = room;
    const uint8_t *next = c->next, *end = c->end;
    int32_t integer = 0;
    double number = 0;
    while (count < most && next < end) {
        const uint8_t *at = next;
        int found = take_number(&next, end, &integer, &number);
        if (found == INT32) {
            ints[count++] = (uint32_t)integer;
            continue;
        }
        if (found == NO_NUMBER || count >= doubles_room) {
            next = at;
            break;
        }
        /* They are all doubles then. */
        double *doubles = c->doubles;
        if (most > doubles_room) most = doubles_room;
        for (size_t i = 0; i < count; i++) doubles[i] = (int32_t)ints[i];
        doubles[count++] = number;
        while (count < most && next < end) {
            if (WCBOR_LIKELY(*next == (WCBOR_SIMPLE | 27) && end - next >= 9)) {
                doubles[count++] = wcbor_double_value_(wcbor_load64_(next + 1));
                next += 9;
                continue;
            }
            found = take_number(&next, end, &integer, &number);
            if (found == NO_NUMBER) break;
            doubles[count++] = found == INT32 ? integer : number;
        }
        *c->out++ = ENTRY(TAPE_DOUBLES, count);
        c->doubles += count;
        c->nothers -= (uint32_t)count - 1;
        c->next = next;
        return count;
    }
    if (count == 0) return 0;
    *c->out = ENTRY(TAPE_INTS, count);
    c->out = ints + count;
    c->nothers++;
    c->next = next;
    return count;
}

/* --------------------------------------------------------------------------------------------------------- text */

/* Whether text is all ASCII, which is copied on the way. Up to 15 bytes behind both may be touched. */
WCBOR_INLINE bool copy_ascii(uint8_t *to, const uint8_t *from, size_t nbytes) {
    vector all = vector_load(from);
    vector_store(to, all);
    if (nbytes <= 16) return (vector_top_bits(all) & ((UINT32_C(1) << nbytes) - 1)) == 0;
    if (vector_top_bits(all) != 0) return false;
    size_t at = 16;
    for (; at + 16 <= nbytes; at += 16) {
        vector piece = vector_load(from + at);
        vector_store(to + at, piece);
        all = vector_or(all, piece);
    }
    /* The last piece overlaps the one before. */
    vector piece = vector_load(from + nbytes - 16);
    vector_store(to + nbytes - 16, piece);
    return vector_top_bits(vector_or(all, piece)) == 0;
}

/* Up to 15 bytes behind both may be touched. */
WCBOR_INLINE void copy_bytes(uint8_t *to, const uint8_t *from, size_t nbytes) {
    for (size_t at = 0; at < nbytes; at += 16) vector_store(to + at, vector_load(from + at));
}

/* The entry for an ASCII text of 1 to 16 bytes by its slot; 0 when it has none. */
WCBOR_INLINE uint32_t look_up(wcbor_tape_slots *slots, uint64_t seed, const uint8_t *text, size_t nbytes) {
    uint64_t low, high = 0;
    memcpy(&low, text, 8);
    if (nbytes < 8) {
        low &= (UINT64_C(1) << 8 * nbytes) - 1;
    } else if (nbytes > 8) {
        memcpy(&high, text + 8, 8);
        if (nbytes < 16) high &= (UINT64_C(1) << 8 * (nbytes - 8)) - 1;
    }
    uint64_t hash = (low ^ seed) * UINT64_C(0x9e3779b97f4a7c15) ^ (high + nbytes) * UINT64_C(0xc2b2ae3d27d4eb4f);
    /* Only the top bits depend on all of the text. */
    uint32_t number = (uint32_t)(hash >> (64 - TAPE_SLOT_BITS)), candidate = (uint32_t)(hash >> 16);
    tape_slot *slot = &slots->slots[number];
    if (WCBOR_LIKELY(slot->text[0] == low && slot->text[1] == high && slot->nbytes == nbytes))
        return ENTRY(TAPE_KNOWN_STRING, number);
    if (slot->candidate != candidate) {
        /* As in names.c: two that come in turn must not drive each other out for ever. */
        slots->random = slots->random * 1664525 + 1013904223;
        if (slot->candidate == 0 || slots->random >> 31 != 0) slot->candidate = candidate;
        return 0;
    }
    slot->text[0] = low;
    slot->text[1] = high;
    slot->nbytes = (uint32_t)nbytes;
    return ENTRY(TAPE_NEW_STRING, number | (uint32_t)nbytes << TAPE_SLOT_BITS);
}

/* ----------------------------------------------------------------------------------------------------- the loop */

/* Whether a key is text of definite length with the shortest head, which is left in `head`. */
static bool is_plain_text(const uint8_t *key, wcbor_head_ *head) {
    /* The head is whole in any case: what lies behind the input makes it too long, or fails later. */
    if ((*key & WCBOR_MAJOR) != WCBOR_TEXT || !wcbor_get_head_(key, key + WCBOR_HEAD_MAX, head)) return false;
    return head->nbytes == wcbor_head_nbytes_(head->argument);
}

/*
 * The list of keys that `node` is with the key at `next`, of `*nbytes`, head included. NO_NODE when it is not known; then
 * `*kind` may become MIXED.
 */
static WCBOR_NOINLINE uint32_t step(wcbor_tape *tape, uint32_t node, const uint8_t *next, size_t *nbytes, uint32_t *kind) {
    wcbor_head_ head;
    if (!is_plain_text(next, &head)) {
        *kind |= MIXED;
        return NO_NODE;
    }
    size_t remaining = (size_t)(tape->end - next);
    if (node == NO_NODE || head.nbytes > remaining || head.argument > remaining - head.nbytes) return NO_NODE;
    *nbytes = head.nbytes + (size_t)head.argument;
    return wcbor_names_step(tape->names, node, next, *nbytes);
}

/* Says that a map is MIXED, in its entry if that was in this run. */
static WCBOR_COLD void note_mixed(wcbor_tape *tape, cursor *c, uint32_t start, uint32_t kind) {
    if (start == TAPE_CUT) {
        *c->out++ = TAPE_MIXED;
        c->nothers++;
    } else if ((kind & OPEN) != 0) {
        tape->entries[start] = ENTRY(TAPE_OPEN_MAP, 1);
    } else {
        tape->entries[start] = (tape->entries[start] & ~OP_MASK) | TAPE_MAP;
    }
}

/* What stands in place of a map's or an indefinite array's entry, once it has ended in the run in which it began. */
static uint32_t closed(const wcbor_tape *tape, uint32_t entry, uint32_t kind, uint32_t node, size_t left) {
    size_t count = TAPE_LEFT_OPEN - left;
    if ((kind & IN_ARRAY) != 0) return ENTRY(TAPE_ARRAY, count);
    if ((tape->flags & TAPE_SHAPES) != 0 && node > ROOT_NODE) return ENTRY(TAPE_SHAPE, node);
    uint32_t op = (kind & MIXED) != 0 ? TAPE_MAP : TAPE_OBJECT;
    return (kind & OPEN) != 0 ? ENTRY(op, count / 2) : (entry & ~OP_MASK) | op;
}

uint32_t wcbor_tape_run(wcbor_tape *tape) {
    cursor c = {tape->next, tape->end, tape->entries, tape->entries + TAPE_ENTRIES - TAPE_ITEM_MAX, tape->doubles,
                tape->doubles + TAPE_NDOUBLES - 1, 0};
    uint8_t *ascii = tape->ascii, *bytes = tape->bytes;
    uint16_t *wide = tape->wide;
    wcbor_names *names = tape->names;
    name_node *nodes = names->nodes;
    wcbor_tape_slots *slots = (tape->flags & TAPE_SLOTS) != 0 ? tape->slots : NULL;
    size_t left = tape->top.left;
    uint32_t kind = tape->top.kind, start = tape->top.start, node = tape->top.node, origin = tape->top.origin;
    uint32_t predicted = node == ROOT_NODE ? nodes[origin].inner : nodes[node].next;
    uint32_t depth = tape->depth, status = TAPE_UNFINISHED;
    const uint8_t *tag_end = tape->tag_end;
    if ((kind & IN_ARRAY) != 0 && left > 1 && tag_end != c.next) left -= take_run(&c, left);

    for (;;) {
        if (WCBOR_UNLIKELY(c.out >= c.out_end || c.doubles >= c.doubles_end)) goto cut;
        if (left == 0) {
        leave:
            if (depth == 0) {
                status = WCBOR_OK;
                goto end;
            }
            if ((kind & IN_MAP) != 0) {
                if (node != NO_NODE) wcbor_names_hit(names);
                else if ((kind & SINGLE) == 0) tape->unchecked = 1;
            }
            if (start != TAPE_CUT && (kind & (IN_MAP | OPEN)) != 0) {
                tape->entries[start] = closed(tape, tape->entries[start], kind, node, left);
            } else if (WCBOR_UNLIKELY((kind & ENDS) != 0)) {
                *c.out++ = ENTRY(TAPE_END, 0);
                c.nothers++;
            }
            const tape_frame *frame = &tape->frames[--depth];
            left = frame->left;
            kind = frame->kind;
            start = frame->start;
            node = frame->node;
            origin = frame->origin;
            predicted = nodes[node].next;
            continue;
        }
        if (WCBOR_UNLIKELY(c.next == c.end)) goto invalid;
        unsigned initial = *c.next;
        if ((kind & IN_MAP) != 0 && (left & 1) == 0 && initial != WCBOR_BREAK) {
            if (node != NO_NODE) {
                /* Most often it is the one that is predicted. */
                const name_key *key = &names->keys[nodes[predicted].key];
                const uint8_t *name = names->bytes + (size_t)key->offset * 4;
                size_t nbytes = key->nbytes;
                uint32_t equal = vector_same(vector_load(c.next), vector_load(name));
                bool is_it = nbytes <= 16 ? (equal | UINT32_MAX << nbytes) == UINT32_MAX
                                          : equal == 0xffff && nbytes <= (size_t)(c.end - c.next)
                                                && memcmp(c.next + 16, name + 16, nbytes - 16) == 0;
                uint32_t child = predicted;
                if (WCBOR_UNLIKELY(!is_it || child == NO_NODE)) {
                    child = step(tape, node, c.next, &nbytes, &kind);
                    if (child == NO_NODE) {
                        node = NO_NODE;
                        goto other_key;
                    }
                    if (node == ROOT_NODE) nodes[origin].inner = (uint16_t)child;
                    else nodes[node].next = (uint16_t)child;
                }
                /* Not in any case: nothing is known of what lies behind the input. */
                if (WCBOR_UNLIKELY(nbytes >= (size_t)(c.end - c.next))) goto invalid;
                node = child;
                predicted = nodes[node].next;
                *c.out++ = ENTRY(TAPE_KEY, nodes[node].key);
                c.next += nbytes;
                left--;
                initial = *c.next;
            } else {
                size_t nbytes;
                if ((kind & MIXED) == 0) (void)step(tape, NO_NODE, c.next, &nbytes, &kind);
            other_key:
                if (WCBOR_UNLIKELY((kind & (MIXED | NOTED)) == MIXED)) {
                    note_mixed(tape, &c, start, kind);
                    kind |= NOTED;
                }
            }
        }
        unsigned major = initial & WCBOR_MAJOR, information = initial & 0x1f;
        if (WCBOR_UNLIKELY((kind & IN_CHUNKS) != 0)) {
            if (major != ((kind & IS_TEXT) != 0 ? WCBOR_TEXT : WCBOR_BYTES) ? initial != WCBOR_BREAK : information == WCBOR_INDEFINITE)
                goto invalid;
        }

        uint64_t argument = information;
        size_t head_nbytes = 1;
        if (information >= 24) {
            wcbor_head_ head;
            if (WCBOR_UNLIKELY(!wcbor_get_head_(c.next, c.end, &head))) {
                if (information != WCBOR_INDEFINITE) goto invalid;
                goto indefinite;
            }
            argument = head.argument;
            head_nbytes = head.nbytes;
        }
        const uint8_t *content = c.next + head_nbytes;
        size_t remaining = (size_t)(c.end - content), nbytes = (size_t)argument;
        bool may_run = (kind & IN_ARRAY) != 0 && left > RUN_MIN && tag_end != c.next;
        switch (major) {
        case WCBOR_UNSIGNED:
        case WCBOR_NEGATIVE: {
            if (may_run) {
                size_t count = take_run(&c, left);
                left -= count;
                if (count > 0) continue;
            }
            uint32_t integer = major == WCBOR_UNSIGNED ? (uint32_t)argument : ~(uint32_t)argument;
            if (WCBOR_LIKELY(argument <= TAPE_NUMBER_MAX)) {
                *c.out++ = ENTRY(TAPE_INT, integer);
            } else if (argument <= INT32_MAX) {
                c.out[0] = TAPE_INT32;
                c.out[1] = integer;
                c.out += 2;
                c.nothers++;
            } else if (argument < (UINT64_C(1) << 53) - (major == WCBOR_NEGATIVE)) {
                *c.out++ = TAPE_DOUBLE;
                *c.doubles++ = major == WCBOR_UNSIGNED ? (double)argument : -1.0 - (double)argument;
            } else {
                c.out[0] = major == WCBOR_UNSIGNED ? TAPE_UNSIGNED : TAPE_NEGATIVE;
                c.out[1] = (uint32_t)argument;
                c.out[2] = (uint32_t)(argument >> 32);
                c.out += 3;
                c.nothers += 2;
            }
            c.next = content;
            left--;
            continue;
        }
        case WCBOR_BYTES:
            if (argument > remaining) goto invalid;
            if (nbytes <= TAPE_TEXT_MAX && tag_end != c.next && (kind & IN_CHUNKS) == 0 && (tape->flags & TAPE_VIEWS) == 0) {
                if (WCBOR_UNLIKELY(bytes - tape->bytes > TAPE_TEXT_NBYTES - TAPE_TEXT_MAX)) goto cut;
                copy_bytes(bytes, content, nbytes);
                bytes += nbytes;
                *c.out++ = ENTRY(TAPE_BYTES, nbytes);
            } else {
                c.out[0] = TAPE_LONG_BYTES;
                c.out[1] = (uint32_t)(content - tape->input);
                c.out[2] = (uint32_t)nbytes;
                c.out += 3;
                c.nothers += 2;
            }
            c.next = content + nbytes;
            left--;
            continue;
        case WCBOR_TEXT: {
            if (argument > remaining) goto invalid;
            if (WCBOR_LIKELY(nbytes <= tape->limit)) {
                if (WCBOR_UNLIKELY(ascii - tape->ascii > TAPE_TEXT_NBYTES - TAPE_TEXT_MAX
                                   || wide - tape->wide > TAPE_TEXT_NBYTES - TAPE_TEXT_MAX))
                    goto cut;
                if (WCBOR_LIKELY(copy_ascii(ascii, content, nbytes))) {
                    uint32_t entry = 0;
                    if (slots != NULL && nbytes - 1 < 16) entry = look_up(slots, names->seed, content, nbytes);
                    if (entry == 0) entry = ENTRY(TAPE_STRING, nbytes);
                    if ((entry & OP_MASK) != TAPE_KNOWN_STRING) ascii += nbytes;
                    *c.out++ = entry;
                    c.next = content + nbytes;
                    left--;
                    continue;
                }
            }
            bool is_valid = wcbor_utf8_valid_((const char *)content, nbytes) == nbytes;
            if (!is_valid && (tape->flags & TAPE_REPLACE) == 0) goto invalid;
            if (is_valid && nbytes <= tape->limit) {
                uint16_t *text_end = wcbor_widen(wide, content, nbytes);
                *c.out++ = ENTRY(TAPE_WIDE_STRING, text_end - wide);
                wide = text_end;
            } else {
                c.out[0] = ENTRY(TAPE_LONG_STRING, is_valid ? 0 : 2);
                c.out[1] = (uint32_t)(content - tape->input);
                c.out[2] = (uint32_t)nbytes;
                c.out += 3;
                c.nothers += 2;
            }
            c.next = content + nbytes;
            left--;
            continue;
        }
        case WCBOR_ARRAY:
        case WCBOR_MAP: {
            if (major == WCBOR_ARRAY ? argument > remaining || argument > WCBOR_MAX_ARRAY_COUNT
                                     : argument > remaining / 2 || argument > WCBOR_MAX_MAP_COUNT)
                goto invalid;
            if (depth >= tape->max_depth) goto invalid;
            if (nbytes == 0) {
                *c.out++ = ENTRY(major == WCBOR_ARRAY ? TAPE_ARRAY : TAPE_OBJECT, 0);
                c.next = content;
                left--;
                continue;
            }
            c.next = content;
            break;
        }
        case WCBOR_TAG:
            if (argument <= TAPE_NUMBER_MAX) {
                *c.out++ = ENTRY(TAPE_TAG, argument);
            } else {
                c.out[0] = TAPE_LONG_TAG;
                c.out[1] = (uint32_t)argument;
                c.out[2] = (uint32_t)(argument >> 32);
                c.out += 3;
                c.nothers += 2;
            }
            c.next = tag_end = content;
            continue;
        default:
            if (information >= 25) {
                if (may_run) {
                    size_t count = take_run(&c, left);
                    left -= count;
                    if (count > 0) continue;
                }
                *c.out++ = TAPE_DOUBLE;
                *c.doubles++ = information == 27   ? wcbor_double_value_(argument)
                             : information == 26 ? wcbor_single_value_((uint32_t)argument)
                                                 : wcbor_half_value_((uint16_t)argument);
            } else {
                if (information == 24 && argument < 32 && (tape->flags & TAPE_STRICT) != 0) goto invalid;
                *c.out++ = ENTRY(TAPE_SIMPLE, argument);
            }
            c.next = content;
            left--;
            continue;

        indefinite:
            if (major == WCBOR_SIMPLE) {
                if ((kind & OPEN) == 0 || tag_end == c.next || ((kind & IN_MAP) != 0 && (left & 1) != 0)) goto invalid;
                c.next++;
                goto leave;
            }
            if (major < WCBOR_BYTES || major == WCBOR_TAG || depth >= tape->max_depth) goto invalid;
            c.next++;
            nbytes = TAPE_LEFT_OPEN;
            break;
        }

        /* What is left opens a container, of `nbytes` items or pairs. */
        bool is_open = nbytes == TAPE_LEFT_OPEN, is_long = nbytes > TAPE_NUMBER_MAX;
        uint32_t begin = (uint32_t)(c.out - tape->entries);
        size_t taken = 0;
        if (major == WCBOR_ARRAY) {
            *c.out++ = is_long ? TAPE_OPEN_ARRAY : ENTRY(TAPE_ARRAY, nbytes);
            if (!is_long) taken = take_run(&c, nbytes);
            /* Nothing but numbers: it has ended already. */
            if (taken == nbytes) {
                left--;
                continue;
            }
        }
        if (depth == tape->capacity && !grow_frames(tape)) return WCBOR_OUT_OF_MEMORY;
        tape->frames[depth++] = (tape_frame){left - 1, start, (uint16_t)node, (uint16_t)origin, kind};
        if (node != NO_NODE) origin = node;
        node = predicted = NO_NODE;
        start = is_long && !is_open ? TAPE_CUT : begin;
        kind = (is_open ? OPEN : 0) | (is_long ? ENDS : 0);
        left = nbytes - taken;
        switch (major) {
        case WCBOR_ARRAY: kind |= IN_ARRAY; break;
        case WCBOR_MAP:
            kind |= IN_MAP | (nbytes == 1 ? SINGLE : 0);
            *c.out++ = is_long ? TAPE_OPEN_MAP : ENTRY(TAPE_ANY_MAP, nbytes);
            if (!is_open) left *= 2;
            /* Keys that are known are not counted against a limit. */
            node = tape->limit < NAME_NBYTES_MAX ? NO_NODE : ROOT_NODE;
            predicted = nodes[origin].inner;
            break;
        default:
            kind |= IN_CHUNKS | (major == WCBOR_TEXT ? IS_TEXT : 0);
            *c.out++ = ENTRY(TAPE_CHUNKS, major >> 5);
            start = TAPE_CUT;
        }
    }

cut:
    *c.out++ = TAPE_MORE;
    c.nothers++;
    for (uint32_t i = 0; i < depth; i++) tape->frames[i].start = TAPE_CUT;
    start = TAPE_CUT;
end:
    tape->top = (tape_frame){left, start, (uint16_t)node, (uint16_t)origin, kind};
    tape->depth = depth;
    tape->next = c.next;
    tape->tag_end = tag_end;
    tape->ascii_nbytes = (uint32_t)(ascii - tape->ascii);
    tape->wide_nunits = (uint32_t)(wide - tape->wide);
    tape->bytes_nbytes = (uint32_t)(bytes - tape->bytes);
    tape->read_nbytes = (uint32_t)(c.next - tape->input);
    tape->nentries = (uint32_t)(c.out - tape->entries);
    tape->ndoubles = (uint32_t)(c.doubles - tape->doubles);
    tape->nitems += tape->nentries - c.nothers;
    return status;
invalid:
    return WCBOR_INVALID_ENCODED_VALUE;
}
