/*
 * fields.c - see fields.h. A function of its own, because engines keep what few variables it has in registers.
 */
#include "fields.h"

#include "../src/float.h"
#include "entries.h"

WCBOR_NOINLINE uint8_t wcbor_skip_fields(const uint32_t *record, uint32_t hint, uint32_t number) {
    for (; hint < number; hint++)
        if ((record[RECORD_FIELDS + hint * FIELD_WORDS + FIELD_FLAGS] & PLAN_OPTIONAL) == 0) return STRUCT_LOOSE;
    return STRUCT_ORDERED;
}

/* Where a tape is written, and the input is read. */
typedef struct place_of_both {
    const uint8_t *next, *end;
    uint32_t *out;
    double *doubles;
    uint8_t *ascii;
} place_of_both;

/* The entry of ASCII text of `nbytes`, at `text`. False, with nothing done, when it is not ASCII. */
WCBOR_INLINE bool put_text(place_of_both *p, const wcbor_tape *tape, wcbor_tape_slots *slots, const uint8_t *text, size_t nbytes) {
    if (!copy_ascii(p->ascii, text, nbytes)) return false;
    uint32_t entry = 0;
    if (slots != NULL && nbytes - 1 < 16) entry = look_up(slots, tape->names->seed, text, nbytes);
    if (entry == 0) entry = ENTRY(TAPE_STRING, nbytes);
    if ((entry & OP_MASK) != TAPE_KNOWN_STRING) p->ascii += nbytes;
    *p->out++ = entry;
    p->next = text + nbytes;
    return true;
}

/* Puts an integer whose head has 64 bits. False, with nothing done, when the node does not take it as it is. */
static WCBOR_NOINLINE bool put_long_integer(place_of_both *p, const uint32_t *node) {
    bool is_negative = (*p->next & WCBOR_MAJOR) != WCBOR_UNSIGNED;
    uint64_t argument = wcbor_load64_(p->next + 1);
    uint32_t kind = node[NODE_KIND];
    if (kind != PLAN_UINT && kind != PLAN_ANY && (kind != PLAN_INT || argument > INT64_MAX)) return false;
    if (argument <= TAPE_NUMBER_MAX) {
        *p->out++ = ENTRY(TAPE_INT, is_negative ? ~(uint32_t)argument : (uint32_t)argument);
    } else if (argument < (UINT64_C(1) << 53) - is_negative) {
        *p->out++ = TAPE_DOUBLE;
        *p->doubles++ = is_negative ? -1.0 - (double)argument : (double)argument;
    } else {
        p->out[0] = is_negative ? TAPE_NEGATIVE : TAPE_UNSIGNED;
        uint64_t bits = is_negative ? ~argument : argument;
        p->out[1] = (uint32_t)bits;
        p->out[2] = (uint32_t)(bits >> 32);
        p->out += 3;
    }
    p->next += 9;
    return true;
}

/* Puts a scalar, or an array without items. False, with nothing done, when it is not of the most common kinds. */
WCBOR_INLINE bool put_scalar(place_of_both *p, const wcbor_tape *tape, const fields_run *run, const uint32_t *node) {
    const uint8_t *at = p->next, *content = at + 1;
    size_t remaining = (size_t)(p->end - at);
    unsigned initial = *at, information = initial & 0x1f, major = initial & WCBOR_MAJOR;
    uint32_t argument = information;
    if (information >= 24) {
        if (remaining < 9) return false;
        switch (information) {
        case 24: argument = content[0], content += 1; break;
        case 25: argument = wcbor_load16_(content), content += 2; break;
        case 26: argument = wcbor_load32_(content), content += 4; break;
        case 27:
            if (major <= WCBOR_NEGATIVE) return put_long_integer(p, node);
            if (major != WCBOR_SIMPLE) return false;
            *p->out++ = TAPE_DOUBLE;
            *p->doubles++ = wcbor_double_value_(wcbor_load64_(content));
            p->next = content + 8;
            return true;
        default: return false;
        }
    }
    switch (major) {
    case WCBOR_UNSIGNED:
    case WCBOR_NEGATIVE:
        if (argument > TAPE_NUMBER_MAX) return false;
        *p->out++ = ENTRY(TAPE_INT, major == WCBOR_UNSIGNED ? argument : ~argument);
        break;
    case WCBOR_TEXT:
        return argument <= TAPE_TEXT_MAX / 4 && argument < (size_t)(p->end - content) && argument <= tape->limit
               && put_text(p, tape, run->slots, content, argument);
    case WCBOR_ARRAY:
        if (initial != WCBOR_ARRAY || run->depth_left == 0 || node[NODE_KIND] != PLAN_ARRAY) return false;
        *p->out++ = ENTRY(TAPE_ARRAY, 0);
        break;
    case WCBOR_SIMPLE:
        if (initial < 0xf4 || initial > 0xf6) return false;
        *p->out++ = ENTRY(TAPE_SIMPLE, information);
        break;
    default: return false;
    }
    p->next = content;
    return true;
}

/* Whether so many items at `next` are ASCII texts of less than 24 bytes. 15 bytes behind `end` may be read. */
WCBOR_INLINE bool are_texts(const uint8_t *next, const uint8_t *end, size_t count) {
    for (; count > 0; count--) {
        unsigned nbytes = *next - WCBOR_TEXT;
        if (nbytes >= 24 || nbytes >= (size_t)(end - next)) return false;
        uint32_t tops = vector_top_bits(vector_load(next + 1));
        if (nbytes > 16) tops |= vector_top_bits(vector_load(next + nbytes - 15));
        else tops &= (UINT32_C(1) << nbytes) - 1;
        if (tops != 0) return false;
        next += 1 + nbytes;
    }
    return true;
}

/* Puts a short array of short texts. False, with nothing done, when it is something else. */
WCBOR_INLINE bool put_texts(place_of_both *p, const wcbor_tape *tape, const fields_run *run, const uint32_t *node) {
    unsigned count = *p->next - WCBOR_ARRAY;
    const uint32_t *items = tape->plan + node[NODE_ITEMS];
    if (count - 1 >= 23 || items[NODE_KIND] != PLAN_TEXT || (items[NODE_ACCEPTS] & ACCEPTS_MORE) != 0) return false;
    if (run->depth_left == 0 || count >= (size_t)(run->out_end - p->out) || p->ascii > run->ascii_end - 24 * 24) return false;
    if (!are_texts(p->next + 1, p->end, count)) return false;
    *p->out++ = ENTRY(TAPE_ARRAY, count);
    p->next++;
    for (; count > 0; count--) (void)put_text(p, tape, run->slots, p->next + 1, *p->next - WCBOR_TEXT);
    return true;
}

/* Skips a pair whose key was met before in this place, and is no field's. False, with nothing done, when it is another one. */
WCBOR_INLINE bool skip_pair(place_of_both *p, const wcbor_names *names, const uint32_t *record, fields_run *run, uint32_t *predicted) {
    const name_node *other = &names->nodes[*predicted];
    size_t nbytes;
    if (!is_predicted(names, *predicted, p->next, p->end, &nbytes) || other->owner != record[RECORD_OWNER]
        || nbytes >= (size_t)(p->end - p->next))
        return false;
    const uint8_t *behind = wcbor_plan_skip(p->next + nbytes, p->end, run->depth_left);
    if (behind == NULL) return false;
    p->next = behind;
    run->node = *predicted;
    *predicted = other->next;
    return true;
}

WCBOR_NOINLINE void wcbor_take_fields(const wcbor_tape *tape, const uint32_t *record, plan_place *place, fields_run *run) {
    const uint32_t *plan = tape->plan, nfields = record[RECORD_NFIELDS];
    const wcbor_names *names = tape->names;
    place_of_both p = {run->next, run->end, run->out, run->doubles, run->ascii};
    size_t left = run->left;
    uint32_t hint = place->hint, predicted = run->predicted;
    bool folds = (record[RECORD_FLAGS] & PLAN_FOLD) != 0, is_tuple = (record[RECORD_FLAGS] & PLAN_TUPLE) != 0;
    const uint32_t *field = record + RECORD_FIELDS + hint * FIELD_WORDS;

    /* What comes behind a key that is no field's is most often another one. */
    bool was_other = place->has_unknown;

    while (left != 0 && p.out < run->out_end && p.doubles < run->doubles_end && p.ascii < run->ascii_end) {
        if (was_other && skip_pair(&p, names, record, run, &predicted)) {
            left -= 2;
            continue;
        }
        size_t nbytes = hint == nfields ? SIZE_MAX : is_tuple ? 0 : field[FIELD_KEY_NBYTES];
        if (nbytes < (size_t)(p.end - p.next) && (is_tuple ? *p.next != WCBOR_BREAK : wcbor_plan_is_key(plan, field, folds, p.next))) {
            const uint32_t *node = plan + field[FIELD_NODE];
            *p.out++ = ENTRY(TAPE_FIELD, hint);
            p.next += nbytes;
            hint++;
            field += FIELD_WORDS;
            left--;
            was_other = false;
            bool is_simple = (node[NODE_ACCEPTS] & ACCEPTS_MORE) == 0 && (node[NODE_ACCEPTS] & wcbor_plan_accepted(*p.next)) != 0;
            if (!is_simple || !(put_scalar(&p, tape, run, node) || (node[NODE_KIND] == PLAN_ARRAY && put_texts(&p, tape, run, node)))) {
                place->field = (uint16_t)(hint - 1);
                break;
            }
            left--;
        } else {
            if (was_other || is_tuple || !skip_pair(&p, names, record, run, &predicted)) break;
            place->has_unknown = was_other = true;
            left -= 2;
        }
    }
    run->next = p.next;
    run->out = p.out;
    run->doubles = p.doubles;
    run->ascii = p.ascii;
    run->left = left;
    run->predicted = predicted;
    place->hint = (uint16_t)hint;
}
