/*
 * tape.c - see tape.h. One loop, whose state is in locals while it runs.
 */
#include "tape.h"

#include "../src/float.h"
#include "../src/utf8.h"
#include "entries.h"
#include "fields.h"
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
    IS_TEXT = 0x80, /* the chunks are */
    IN_STRUCT = 0x200 /* of a plan; tuples too, whose items count as two */
};

#define TAPE_LEFT_OPEN (SIZE_MAX - 1)
#define TAPE_CUT UINT32_MAX
#define NO_TEXT UINT32_MAX

/* In the middle of an array a run of numbers is tried when more than so many items are to come. */
enum { RUN_MIN = 8 };

/* Locals of the loop. */
typedef struct cursor {
    const uint8_t *next, *end;
    uint32_t *out, *out_end;
    double *doubles, *doubles_end;
    uint32_t nothers; /* entries that are no items, less items that have no entries */
} cursor;

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

uint32_t wcbor_tape_start(wcbor_tape *tape, const uint8_t *input, size_t nbytes, uint32_t flags, uint32_t max_depth,
                          const uint32_t *plan) {
    tape->input = tape->next = input;
    tape->end = input + nbytes;
    tape->flags = flags;
    tape->max_depth = max_depth;
    tape->unchecked = tape->nitems = 0;
    tape->tag_end = NULL;
    tape->plan = plan;
    tape->skip.depth = UINT32_MAX;
    tape->top = (tape_frame){1, TAPE_CUT, NO_NODE, ROOT_NODE, IN_ROOT, {.type = plan == NULL ? 0 : plan[PLAN_ROOT]}};
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
 * Up to `most` numbers of initial bytes below `bound`, behind the entry `c->out` that says how many: TAPE_INTS or TAPE_DOUBLES. Returns how many; 0, with
 * nothing done, when there is none or no room.
 */
static size_t take_run(cursor *c, size_t most, unsigned bound) {
    uint32_t *ints = c->out + 1;
    if (ints >= c->out_end) return 0;
    size_t count = 0, room = (size_t)(c->out_end - ints), doubles_room = (size_t)(c->doubles_end - c->doubles);
    if (most > room) most = room;
    const uint8_t *next = c->next, *end = c->end;
    int32_t integer = 0;
    double number = 0;
    while (count < most && next < end && *next < bound) {
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

/* ----------------------------------------------------------------------------------------------------- the loop */

/* Whether a key is text of definite length with the shortest head, which is left in `head`. */
static bool is_plain_text(const uint8_t *key, wcbor_head_ *head) {
    /* The head is whole in any case: what lies behind the input makes it too long, or fails later. */
    if ((*key & WCBOR_MAJOR) != WCBOR_TEXT || !wcbor_get_head_(key, key + WCBOR_HEAD_MAX, head)) return false;
    return head->nbytes == wcbor_head_nbytes_(head->argument);
}

/*
 * The list of keys that `node` is with the key at `next`, of `*nbytes`, head included. NO_NODE when it is not known, NO_TEXT
 * when it is no text at all.
 */
static WCBOR_NOINLINE uint32_t step(wcbor_tape *tape, uint32_t node, const uint8_t *next, size_t *nbytes) {
    wcbor_head_ head;
    if (!is_plain_text(next, &head)) return NO_TEXT;
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

/* Like step, and what it comes to is predicted from now on. */
static WCBOR_NOINLINE uint32_t other_node(wcbor_tape *tape, uint32_t node, uint32_t origin, const uint8_t *next,
                                          size_t *nbytes) {
    name_node *nodes = tape->names->nodes;
    uint32_t child = step(tape, node, next, nbytes);
    if (child == NO_NODE || child == NO_TEXT) return child;
    if (node == ROOT_NODE) nodes[origin].inner = (uint16_t)child;
    else nodes[node].next = (uint16_t)child;
    return child;
}

/* What stands in place of a map's or an indefinite array's entry, once it has ended in the run in which it began. */
static uint32_t closed(const wcbor_tape *tape, uint32_t entry, uint32_t kind, uint32_t node, size_t left) {
    size_t count = TAPE_LEFT_OPEN - left;
    if ((kind & IN_ARRAY) != 0) return ENTRY(TAPE_ARRAY, count);
    if ((tape->flags & TAPE_SHAPES) != 0 && node > ROOT_NODE) return ENTRY(TAPE_SHAPE, node);
    uint32_t op = (kind & MIXED) != 0 ? TAPE_MAP : TAPE_OBJECT;
    return (kind & OPEN) != 0 ? ENTRY(op, count / 2) : (entry & ~OP_MASK) | op;
}

/* The initial bytes of numbers that may stand in a row in a container are below this; 0 when there are to be none. */
WCBOR_INLINE unsigned run_bound(const uint32_t *plan, uint32_t type) {
    return plan == NULL || type == 0 ? 0x100 : plan[plan[type + NODE_ITEMS] + NODE_RUN];
}

WCBOR_INLINE wcbor_tape_slots *slots_of(const wcbor_tape *tape) {
    return (tape->flags & TAPE_SLOTS) != 0 ? tape->slots : NULL;
}

/* Whether a container that was open has as many items, or pairs, as its node wants. */
static bool is_counted(const uint32_t *node, uint32_t kind, size_t left) {
    return wcbor_plan_is_within(node, (TAPE_LEFT_OPEN - left) >> ((kind & IN_MAP) != 0));
}

/* wcbor_tape_run, made twice: without a plan it is as if there was no such thing. */
WCBOR_INLINE uint32_t run_tape(wcbor_tape *tape, const uint32_t *plan) {
    cursor c = {tape->next, tape->end, tape->entries, tape->entries + TAPE_ENTRIES - TAPE_ITEM_MAX, tape->doubles,
                tape->doubles + TAPE_NDOUBLES - 1, 0};
    uint8_t *ascii = tape->ascii, *bytes = tape->bytes;
    uint16_t *wide = tape->wide;
    wcbor_names *names = tape->names;
    name_node *nodes = names->nodes;
    wcbor_tape_slots *slots = slots_of(tape);
    size_t left = tape->top.left;
    uint32_t kind = tape->top.kind, start = tape->top.start, node = tape->top.node, origin = tape->top.origin;
    uint32_t predicted = node == ROOT_NODE ? nodes[origin].inner : nodes[node].next;
    uint32_t depth = tape->depth, status = TAPE_UNFINISHED;
    const uint8_t *tag_end = tape->tag_end;
    plan_place place = tape->top.place;
    const uint32_t *record = plan == NULL || place.type == 0 ? NULL : plan + plan[place.type + NODE_ITEMS]; /* of a struct */
    tape_skip *skip = &tape->skip;
    uint32_t skip_depth = plan == NULL ? UINT32_MAX : skip->depth;
    if (skip_depth != UINT32_MAX) {
        slots = NULL;
        skip->entries = c.out;
        skip->doubles = c.doubles;
        skip->ascii = ascii;
        skip->wide = wide;
        skip->bytes = bytes;
    }
    if ((kind & IN_ARRAY) != 0 && left > 1 && tag_end != c.next && skip_depth == UINT32_MAX) left -= take_run(&c, left, run_bound(plan, place.type));

    for (;;) {
        if (WCBOR_UNLIKELY(c.out >= c.out_end || c.doubles >= c.doubles_end)) goto cut;
        uint32_t expected = 0;
        if (plan != NULL && place.type != 0 && tag_end != c.next) {
            if (skip_depth == depth && c.next != skip->from && !(skip->is_pair && (left & 1) != 0)) {
                c.out = skip->entries;
                c.doubles = skip->doubles;
                ascii = skip->ascii;
                wide = skip->wide;
                bytes = skip->bytes;
                skip_depth = skip->depth = UINT32_MAX;
                slots = slots_of(tape);
                if (!skip->is_pair) {
                    c.out[0] = ENTRY(TAPE_CAST, CAST_ENCODED);
                    c.out[1] = (uint32_t)(skip->from - tape->input);
                    c.out[2] = (uint32_t)(c.next - skip->from);
                    status = wcbor_plan_is_within(plan + skip->node, c.out[2]) ? TAPE_UNFINISHED : WCBOR_LIMIT_EXCEEDED;
                    if (status != TAPE_UNFINISHED) {
                        c.next = skip->from;
                        goto refused;
                    }
                    c.out += 3;
                }
            }
            if ((kind & IN_STRUCT) == 0) {
                expected = plan[place.type + NODE_ITEMS];
            } else if (left != 0 && c.next != c.end) {
                if ((left & 1) == 0 && skip_depth == UINT32_MAX) {
                    fields_run run = {c.next, c.end, c.out, c.out_end, c.doubles, c.doubles_end, ascii,
                                      tape->ascii + TAPE_TEXT_NBYTES - TAPE_TEXT_MAX, slots, left, node, predicted,
                                      tape->max_depth - depth};
                    wcbor_take_fields(tape, record, &place, &run);
                    c.next = run.next;
                    c.out = run.out;
                    c.doubles = run.doubles;
                    ascii = run.ascii;
                    node = run.node;
                    predicted = run.predicted;
                    if (run.left != left) {
                        left = run.left;
                        continue;
                    }
                }
                bool ends = (kind & OPEN) != 0 && *c.next == WCBOR_BREAK;
                if ((left & 1) == 0 && !ends) {
                    const uint32_t *field = record + RECORD_FIELDS + place.hint * FIELD_WORDS;
                    uint32_t flags = record[RECORD_FLAGS], number = place.hint;
                    bool is_hint = number < record[RECORD_NFIELDS];
                    size_t nbytes = is_hint ? field[FIELD_KEY_NBYTES] : 0;
                    bool is_known = false;
                    if ((flags & PLAN_TUPLE) != 0) {
                        if (!is_hint) {
                            c.next = tape->input + place.begin;
                            status = PLAN_WRONG_COUNT;
                            goto refused;
                        }
                        nbytes = 0;
                    } else if (!(is_hint && nbytes < (size_t)(c.end - c.next)
                                 && wcbor_plan_is_key(plan, field, (flags & PLAN_FOLD) != 0, c.next))) {
                        number = NO_FIELD;
                        /* A key of which not all is there is none, whatever lies behind the input. */
                        is_known = is_predicted(names, predicted, c.next, c.end, &nbytes) && nbytes < (size_t)(c.end - c.next);
                        if (!is_known || nodes[predicted].owner != record[RECORD_OWNER]) {
                            const uint8_t *behind;
                            number = wcbor_plan_find(plan, record, c.next, c.end, &behind);
                            nbytes = (size_t)(behind - c.next);
                        }
                    }
                    if (WCBOR_LIKELY(number != NO_FIELD)) {
                        begin_field(record, &place, number);
                        *c.out++ = ENTRY(TAPE_FIELD, number);
                        c.next += nbytes;
                        left--;
                        if (WCBOR_UNLIKELY(c.next == c.end)) goto invalid;
                    } else if ((flags & PLAN_REFUSE) != 0) {
                        status = PLAN_UNKNOWN_FIELD;
                        goto refused;
                    } else if ((flags & PLAN_KEEP) != 0) {
                        place.field = KEPT_FIELD;
                        place.state = STRUCT_LOOSE;
                        tape->unchecked = 1;
                    } else {
                        place.field = NO_FIELD;
                        const uint8_t *from = c.next;
                        if (is_known) {
                            node = predicted;
                        } else if (node != NO_NODE) {
                            size_t other_nbytes;
                            node = other_node(tape, node, origin, c.next, &other_nbytes);
                            if (node == NO_TEXT) node = NO_NODE;
                            nbytes = other_nbytes;
                        }
                        predicted = nodes[node].next;
                        if (node != NO_NODE) {
                            nodes[node].owner = record[RECORD_OWNER];
                            c.next += nbytes;
                            left--;
                            if (WCBOR_UNLIKELY(c.next >= c.end)) goto invalid;
                            const uint8_t *behind = wcbor_plan_skip(c.next, c.end, tape->max_depth - depth);
                            if (WCBOR_LIKELY(behind != NULL)) {
                                c.next = behind;
                                left--;
                                place.has_unknown = true;
                                continue;
                            }
                        } else if (place.has_unknown) {
                            tape->unchecked = 1;
                        }
                        place.has_unknown = true;
                        *skip = (tape_skip){depth, 0, true, from, c.out, c.doubles, ascii, wide, bytes};
                        skip_depth = depth;
                        slots = NULL;
                    }
                }
                if ((left & 1) != 0 && place.field < KEPT_FIELD)
                    expected = record[RECORD_FIELDS + place.field * FIELD_WORDS + FIELD_NODE];
            }
        }
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
            if (plan != NULL && place.type != 0) {
                if ((kind & IN_STRUCT) != 0) {
                    uint8_t state = end_struct(record, &place);
                    if (place.has_unknown && node != NO_NODE) wcbor_names_hit(names);
                    if (start != TAPE_CUT) tape->entries[start] |= ENTRY(0, state);
                    if (start == TAPE_CUT || state != STRUCT_WHOLE) *c.out++ = TAPE_END;
                    goto left_behind;
                }
                if ((kind & OPEN) != 0 && !is_counted(plan + place.type, kind, left)) {
                    c.next = tape->input + place.begin;
                    status = WCBOR_LIMIT_EXCEEDED;
                    goto refused;
                }
            }
            if (start != TAPE_CUT && (kind & (IN_MAP | OPEN)) != 0) {
                tape->entries[start] = closed(tape, tape->entries[start], kind, node, left);
            } else if (WCBOR_UNLIKELY((kind & ENDS) != 0)) {
                *c.out++ = ENTRY(TAPE_END, 0);
                c.nothers++;
            }
        left_behind:;
            const tape_frame *frame = &tape->frames[--depth];
            left = frame->left;
            kind = frame->kind;
            start = frame->start;
            node = frame->node;
            origin = frame->origin;
            if (plan != NULL) {
                place = frame->place;
                if (place.type != 0) record = plan + plan[place.type + NODE_ITEMS];
            }
            predicted = node == ROOT_NODE ? nodes[origin].inner : nodes[node].next;
            continue;
        }
        if (WCBOR_UNLIKELY(c.next == c.end)) goto invalid;
        unsigned initial = *c.next;
        if ((kind & IN_MAP) != 0 && (left & 1) == 0 && initial != WCBOR_BREAK) {
            if (node != NO_NODE) {
                size_t nbytes;
                if (WCBOR_LIKELY(is_predicted(names, predicted, c.next, c.end, &nbytes))) {
                    node = predicted;
                } else {
                    size_t other_nbytes;
                    node = other_node(tape, node, origin, c.next, &other_nbytes);
                    if (node == NO_TEXT) {
                        kind |= MIXED;
                        node = NO_NODE;
                    }
                    if (node == NO_NODE) goto other_key;
                    nbytes = other_nbytes;
                }
                /* Not in any case: nothing is known of what lies behind the input. */
                if (WCBOR_UNLIKELY(nbytes >= (size_t)(c.end - c.next))) goto invalid;
                predicted = nodes[node].next;
                *c.out++ = ENTRY(TAPE_KEY, nodes[node].key);
                c.next += nbytes;
                left--;
                initial = *c.next;
            } else {
                size_t nbytes;
                if ((kind & MIXED) == 0 && step(tape, NO_NODE, c.next, &nbytes) == NO_TEXT) kind |= MIXED;
            other_key:
                if (WCBOR_UNLIKELY((kind & (MIXED | NOTED)) == MIXED)) {
                    note_mixed(tape, &c, start, kind);
                    kind |= NOTED;
                }
            }
        }
        if (plan != NULL && expected != 0 && initial != WCBOR_BREAK) {
            if ((kind & IN_MAP) != 0 && (left & 1) == 0) expected = plan[place.type + NODE_KEYS];
            uint32_t accepts = plan[expected + NODE_ACCEPTS];
            if (WCBOR_UNLIKELY((accepts & wcbor_plan_accepted(initial)) == 0)) {
                bool is_integer = plan[expected + NODE_KIND] <= PLAN_UINT && initial < WCBOR_BYTES;
                status = is_integer ? WCBOR_OVERFLOW : WCBOR_TYPE_MISMATCH;
                goto refused;
            }
            if ((accepts & ACCEPTS_MORE) != 0 || (initial & 0x1f) == 27) {
                plan_verdict verdict = wcbor_plan_check(plan, expected, tape->input, c.next, c.end);
                if (verdict.status != WCBOR_OK) {
                    status = verdict.status;
                    goto refused;
                }
                if (verdict.defers && skip_depth == UINT32_MAX) {
                    *skip = (tape_skip){depth, expected, false, c.next, c.out, c.doubles, ascii, wide, bytes};
                    skip_depth = depth;
                    slots = NULL;
                }
                for (uint32_t i = 0; i < verdict.nentries; i++) *c.out++ = verdict.entries[i];
                if (verdict.behind != NULL) {
                    if (verdict.entries[0] == TAPE_DOUBLE) *c.doubles++ = verdict.number;
                    c.next = verdict.behind;
                    left--;
                    continue;
                }
            }
        }
        unsigned major = initial & WCBOR_MAJOR, information = initial & 0x1f;
        if (WCBOR_UNLIKELY((kind & IN_CHUNKS) != 0)) {
            if (major != ((kind & IS_TEXT) != 0 ? WCBOR_TEXT : WCBOR_BYTES) ? initial != WCBOR_BREAK : information == WCBOR_INDEFINITE)
                goto invalid;
        }

        const uint8_t *item = c.next;
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
                size_t count = take_run(&c, left, run_bound(plan, place.type));
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
                uint64_t bits = major == WCBOR_UNSIGNED ? argument : ~argument;
                c.out[0] = major == WCBOR_UNSIGNED ? TAPE_UNSIGNED : TAPE_NEGATIVE;
                c.out[1] = (uint32_t)bits;
                c.out[2] = (uint32_t)(bits >> 32);
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
            if (nbytes == 0 && !(plan != NULL && expected != 0 && plan[expected + NODE_KIND] == PLAN_STRUCT)) {
                *c.out++ = ENTRY(major == WCBOR_ARRAY ? TAPE_ARRAY : TAPE_OBJECT, 0);
                c.next = content;
                left--;
                continue;
            }
            c.next = content;
            break;
        }
        case WCBOR_TAG:
            if (plan != NULL && tag_end != c.next) {
                c.out[0] = ENTRY(TAPE_CAST, CAST_PLACE);
                c.out[1] = (uint32_t)(item - tape->input);
                c.out += 2;
                c.nothers += 2;
            }
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
                    size_t count = take_run(&c, left, run_bound(plan, place.type));
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
                if ((kind & OPEN) == 0 || tag_end == c.next || ((kind & (IN_MAP | IN_STRUCT)) != 0 && (left & 1) != 0)) goto invalid;
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
        bool is_struct = plan != NULL && expected != 0 && plan[expected + NODE_KIND] == PLAN_STRUCT;
        uint32_t inner_type = plan != NULL && expected != 0 && plan[expected + NODE_KIND] >= PLAN_ARRAY ? expected : 0;
        if (is_struct) {
            c.out[0] = ENTRY(TAPE_STRUCT, plan[plan[expected + NODE_ITEMS] + RECORD_NUMBER] << 2);
            c.out[1] = (uint32_t)(item - tape->input);
            c.out += 2;
        } else if (major == WCBOR_ARRAY) {
            *c.out++ = is_long ? TAPE_OPEN_ARRAY : ENTRY(TAPE_ARRAY, nbytes);
            if (!is_long) taken = take_run(&c, nbytes, run_bound(plan, inner_type));
            /* Nothing but numbers: it has ended already. */
            if (taken == nbytes) {
                left--;
                continue;
            }
        }
        if (depth == tape->capacity && !grow_frames(tape)) return WCBOR_OUT_OF_MEMORY;
        tape_frame *outer = &tape->frames[depth++];
        outer->left = left - 1;
        outer->start = start;
        outer->node = (uint16_t)node;
        outer->origin = (uint16_t)origin;
        outer->kind = kind;
        if (plan != NULL) {
            outer->place = place;
            place = (plan_place){.type = inner_type, .begin = (uint32_t)(item - tape->input), .state = STRUCT_WHOLE};
        }
        if (node != NO_NODE) origin = node;
        node = predicted = NO_NODE;
        start = is_long && !is_open ? TAPE_CUT : begin;
        kind = (is_open ? OPEN : 0) | (is_long ? ENDS : 0);
        left = nbytes - taken;
        if (is_struct) {
            kind = (is_open ? OPEN : 0) | IN_STRUCT;
            record = plan + plan[expected + NODE_ITEMS];
            if ((record[RECORD_FLAGS] & PLAN_LOOSE) != 0) place.state = STRUCT_LOOSE;
            if (!is_open) left *= 2;
            node = ROOT_NODE;
            predicted = nodes[origin].inner;
            continue;
        }
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
    if (skip_depth != UINT32_MAX) {
        c.out = skip->entries;
        c.doubles = skip->doubles;
        ascii = skip->ascii;
        wide = skip->wide;
        bytes = skip->bytes;
    }
    *c.out++ = TAPE_MORE;
    c.nothers++;
    for (uint32_t i = 0; i < depth; i++) tape->frames[i].start = TAPE_CUT;
    start = TAPE_CUT;
end:
    tape->top = (tape_frame){left, start, (uint16_t)node, (uint16_t)origin, kind, place};
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
refused:
    tape->fault = (uint32_t)(c.next - tape->input);
    return status;
invalid:
    return WCBOR_INVALID_ENCODED_VALUE;
}

uint32_t wcbor_tape_run(wcbor_tape *tape) {
    return tape->plan == NULL ? run_tape(tape, NULL) : run_tape(tape, tape->plan);
}
