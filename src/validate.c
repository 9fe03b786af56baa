/*
 * validate.c - is this an item, and valid by the rules of a mode?
 *
 * One pass, no recursion. The reader skips with it, and the writer looks at encoded values with it.
 */
#include "reader.h"

#include "block.h"
#include "float.h"
#include "utf8.h"

/* -------------------------------------------------------------------------------------------------------- rules */

wcbor_status wcbor_tag_content_(uint32_t rules, uint64_t tag, const uint8_t *payload, uint64_t nbytes) {
    if ((rules & RULE_TAG_42) != 0) {
        return payload != NULL && wcbor_is_cid_payload_(payload, (size_t)nbytes) ? WCBOR_OK : WCBOR_INVALID_CID;
    }
    if ((rules & RULE_PREFER_INTEGER) == 0 || payload == NULL || (tag != 2 && tag != 3)) return WCBOR_OK;
    if (nbytes > 8 && payload[0] != 0) return WCBOR_OK;
    /* The dCBOR drafts disagree on integers below -2^63: both forms are taken. */
    if ((rules & RULE_REDUCE) != 0 && tag == 3 && nbytes == 8 && payload[0] >= 0x80) return WCBOR_OK;
    return WCBOR_BIGNUM_NOT_PREFERRED;
}

/* A float of the width that `information` says, by its bits. */
static wcbor_status check_float(uint32_t rules, unsigned information, uint64_t bits) {
    if ((rules & (RULE_FLOAT64 | RULE_REDUCE | RULE_SHORTEST_FLOAT)) == 0) return WCBOR_OK;
    uint32_t single;
    uint16_t half;
    double value = information == 25 ? wcbor_half_value_((uint16_t)bits)
                 : information == 26 ? wcbor_single_value_((uint32_t)bits)
                                     : wcbor_double_value_(bits);
    if ((rules & RULE_FLOAT64) != 0)
        return information == 27 && wcbor_is_finite_(value) ? WCBOR_OK : WCBOR_FLOAT_NOT_ALLOWED;
    if ((rules & RULE_REDUCE) != 0) {
        uint64_t argument;
        if (wcbor_integral_(value, &argument) != WCBOR_SIMPLE) return WCBOR_NOT_REDUCED;
        if (value != value && information == 25 && bits != 0x7e00) return WCBOR_FLOAT_NOT_ALLOWED;
    }
    if ((rules & RULE_SHORTEST_FLOAT) == 0) return WCBOR_OK;
    bool narrows = information == 27 ? wcbor_narrow_double_(bits, &single)
                                     : information == 26 && wcbor_narrow_single_((uint32_t)bits, &half);
    if (narrows) return WCBOR_NON_MINIMAL_FLOAT;
    return (rules & RULE_REDUCE) != 0 && value != value && information != 25 ? WCBOR_FLOAT_NOT_ALLOWED : WCBOR_OK;
}

wcbor_status wcbor_check_simple_(uint32_t rules, unsigned information, uint64_t argument) {
    if (information >= 25) return check_float(rules, information, argument);
    if (information == 24 && argument < 32 && (rules & RULE_STRICT_SIMPLE) != 0) return WCBOR_INVALID_SIMPLE_VALUE;
    if ((rules & RULE_BASIC_SIMPLE) != 0 && (argument < 20 || argument > 22)) return WCBOR_SIMPLE_NOT_ALLOWED;
    return WCBOR_OK;
}

/* --------------------------------------------------------------------------------------------------- containers */

WCBOR_NOINLINE wcbor_status wcbor_finish_keyed_(wcbor_reader *reader, uint32_t rules) {
    wcbor_level_ *level = &reader->level;
    size_t offset = (size_t)(reader->next - reader->bytes);
    if ((level->left & 1) == 0) {
        level->key = offset;
        return WCBOR_OK;
    }
    wcbor_status status = WCBOR_OK;
    if ((rules & RULE_KEYS) == 0) return WCBOR_OK;
    if ((level->kind & LEVEL_ORDERED) != 0) {
        const uint8_t *key = reader->bytes + level->key;
        if (level->last_nbytes != 0) {
            int order = wcbor_keys_compare_(reader->order, reader->bytes + level->last, level->last_nbytes, key,
                                            offset - level->key);
            status = order < 0 ? WCBOR_OK : order == 0 ? WCBOR_DUPLICATE_KEY : WCBOR_KEYS_NOT_SORTED;
        }
    } else {
        wcbor_settle_keys_(reader);
        if (reader->end - reader->bytes >= (ptrdiff_t)level->key + 8
            && wcbor_keys_add_new_(&reader->keys, reader->bytes, level->key, offset))
            return WCBOR_OK;
        status = wcbor_keys_reserve_(&reader->keys);
        if (status == WCBOR_OK) {
            wcbor_keys_map_(&reader->keys)->key = level->key;
            status = wcbor_keys_add_(&reader->keys, reader->bytes, offset);
        }
    }
    if (WCBOR_UNLIKELY(status != WCBOR_OK)) {
        reader->next = reader->bytes + level->key;
        level->left++;
        return status;
    }
    level->last = level->key;
    level->last_nbytes = offset - level->key;
    return WCBOR_OK;
}

WCBOR_COLD static wcbor_status grow_levels(wcbor_reader *reader) {
    reader->levels.items = wcbor_levels_(reader);
    reader->levels.count = reader->depth;
    return wcbor_block_grow_(&reader->levels, (size_t)reader->depth + 1, sizeof(wcbor_level_), reader->keys.reallocate,
                             reader->keys.context);
}

wcbor_status wcbor_enter_(wcbor_reader *reader, uint32_t kind, size_t left, uint32_t rules) {
    if (WCBOR_UNLIKELY(reader->depth == reader->levels.capacity)) {
        wcbor_status status = grow_levels(reader);
        if (status != WCBOR_OK) return status;
    }
    /* A key cannot repeat in a map of one pair. */
    if (kind >= WCBOR_MAP && (rules & RULE_KEYS) != 0 && (left > 2 || (rules & RULE_TEXT_KEYS) != 0)
        && (kind & LEVEL_MASK) == WCBOR_MAP) {
        if (reader->order == WCBOR_ORDER_NONE) {
            wcbor_settle_keys_(reader);
            wcbor_status status = wcbor_keys_push_(&reader->keys, left / 2, 0);
            if (status != WCBOR_OK) return status;
            kind |= LEVEL_SET;
        } else {
            kind |= LEVEL_ORDERED | ((rules & RULE_TEXT_KEYS) != 0 ? LEVEL_TEXT_KEYS : 0);
        }
    }
    wcbor_levels_(reader)[reader->depth++] = reader->level;
    reader->level.kind = kind;
    reader->level.left = left;
    reader->level.key = (size_t)(reader->next - reader->bytes);
    reader->level.last_nbytes = 0;
    reader->tagged = false;
    return WCBOR_OK;
}

wcbor_status wcbor_leave_(wcbor_reader *reader, uint32_t rules) {
    if ((reader->level.kind & LEVEL_SET) != 0) {
        wcbor_settle_keys_(reader);
        wcbor_keys_pop_(&reader->keys);
    }
    reader->level = wcbor_levels_(reader)[--reader->depth];
    return wcbor_finish_read_(reader, rules);
}

/* ----------------------------------------------------------------------------------------------------- the walk */

/* What begins or ends something of indefinite length; `next` is behind it when that is OK. */
WCBOR_NOINLINE static wcbor_status indefinite(wcbor_reader *reader, unsigned major, uint32_t rules) {
    uint32_t kind = reader->level.kind;
    switch (major) {
    case WCBOR_SIMPLE:
        if (reader->tagged) return WCBOR_TAG_WITHOUT_VALUE;
        if ((kind & LEVEL_INDEFINITE) == 0 || (kind & LEVEL_ROOT) != 0) return WCBOR_UNEXPECTED_BREAK;
        if ((kind & LEVEL_MASK) == WCBOR_MAP && (reader->level.left & 1) != 0) return WCBOR_KEY_WITHOUT_VALUE;
        reader->next++;
        return wcbor_leave_(reader, rules);
    case WCBOR_BYTES:
    case WCBOR_TEXT:
        if ((rules & RULE_NO_INDEFINITE) != 0) return WCBOR_INDEFINITE_NOT_ALLOWED;
        if (reader->depth >= reader->max_depth) return WCBOR_DEPTH_EXCEEDED;
        break;
    case WCBOR_ARRAY:
    case WCBOR_MAP:
        if (reader->depth >= reader->max_depth) return WCBOR_DEPTH_EXCEEDED;
        if ((rules & RULE_NO_INDEFINITE) != 0) return WCBOR_INDEFINITE_NOT_ALLOWED;
        break;
    default: return WCBOR_INVALID_INTEGER_ENCODING;
    }
    reader->next++;
    wcbor_status status = wcbor_enter_(reader, major | LEVEL_INDEFINITE | (major < WCBOR_ARRAY ? LEVEL_CHUNKED : 0),
                                       LEVEL_OPEN, rules);
    if (status != WCBOR_OK) reader->next--;
    return status;
}

wcbor_status wcbor_watched_(const wcbor_level_ *level, unsigned initial) {
    unsigned major = initial & WCBOR_MAJOR;
    if ((level->kind & LEVEL_CHUNKED) != 0) {
        return major == (level->kind & LEVEL_MASK) && initial != (major | WCBOR_INDEFINITE) ? WCBOR_OK
                                                                                             : WCBOR_STRING_CHUNK_INVALID;
    }
    return (level->left & 1) != 0 || major == WCBOR_TEXT ? WCBOR_OK : WCBOR_KEY_TYPE_NOT_ALLOWED;
}

/*
 * Reads over numbers, strings and simple values, up to `*left` of them, as long as they are plainly valid: what is not, or
 * is something else, is left to the walk. In a chunked string `chunks` is its major type, else 0. Returns where that is.
 */
WCBOR_INLINE const uint8_t *plain_items(const uint8_t *next, const uint8_t *end, size_t *left, uint32_t rules,
                                        unsigned chunks) {
    enum { LONG_FORMS = RULE_SHORTEST_HEAD | RULE_FLOAT64 | RULE_REDUCE | RULE_SHORTEST_FLOAT | RULE_BASIC_SIMPLE };
    for (; *left != 0 && next != end; --*left) {
        unsigned initial = *next, information = initial & 0x1f;
        if (((initial + 0x20) & 0xff) < 0x60) {
            /* Major types 7, 0 and 1, by their length alone. What is shorter may be asked for where it is longer. */
            size_t nbytes = 1 + ((size_t)(information >= 24) << ((information - 24) & 31));
            if (information > 27 || initial == 0xf8 || chunks != 0 || (size_t)(end - next) < nbytes) break;
            if ((rules & LONG_FORMS) != 0 && (nbytes > 1 || (initial >= WCBOR_SIMPLE && (initial < 0xf4 || initial > 0xf6))))
                break;
            next += nbytes;
        } else if ((initial & 0xc0) == WCBOR_BYTES) {
            size_t nbytes = information;
            const uint8_t *payload = next + 1;
            if (information >= 24) {
                if (information > 24 || payload == end) break;
                nbytes = *payload++;
                if (nbytes < 24 && (rules & RULE_SHORTEST_HEAD) != 0) break;
            }
            if (nbytes > (size_t)(end - payload) || (chunks != 0 && (initial & WCBOR_MAJOR) != chunks)) break;
            if (initial >= WCBOR_TEXT && (rules & RULE_STRICT_TEXT) != 0 && nbytes != 0
                && !(nbytes <= 16 && end - payload >= 8 && wcbor_utf8_is_short_ascii_(payload, nbytes))
                && wcbor_utf8_valid_((const char *)payload, nbytes) != nbytes)
                break;
            next = payload + nbytes;
        } else {
            break;
        }
    }
    return next;
}

wcbor_status wcbor_walk_(wcbor_reader *reader, uint32_t floor, uint32_t rules) {
    const uint8_t *next = reader->next, *const end = reader->end;
    size_t left = reader->level.left;
    uint32_t kind = reader->level.kind;
    bool tagged = reader->tagged;
    wcbor_status status;
    for (;;) {
        if (WCBOR_LIKELY((kind & (LEVEL_KEYED | LEVEL_TEXT_KEYS)) == 0 && !tagged && reader->depth != floor))
            next = plain_items(next, end, &left, rules, (kind & LEVEL_CHUNKED) != 0 ? kind & LEVEL_MASK : 0);
        const uint8_t *item = next;
        if (WCBOR_UNLIKELY(left == 0)) {
            reader->next = next;
            status = wcbor_leave_(reader, rules);
            goto changed;
        }
        if (WCBOR_UNLIKELY(next == end)) {
            status = tagged && reader->allow_multiple_roots && reader->depth == 0 ? WCBOR_TAG_WITHOUT_VALUE
                                                                                  : WCBOR_UNEXPECTED_END;
            goto failed;
        }
        unsigned initial = *next++, information = initial & 0x1f;
        uint64_t argument = information;
        if (WCBOR_UNLIKELY((kind & LEVEL_WATCHED) != 0) && initial != WCBOR_BREAK) {
            reader->level.left = left;
            status = wcbor_watched_(&reader->level, initial);
            if (status != WCBOR_OK) goto failed;
        }
        if (WCBOR_UNLIKELY(information >= 24)) {
            if (information == WCBOR_INDEFINITE) {
                reader->next = item;
                reader->level.left = left;
                reader->tagged = tagged;
                status = indefinite(reader, initial & WCBOR_MAJOR, rules);
                if (status != WCBOR_OK) return status;
                next = reader->next;
                goto changed;
            }
            /* Depth comes before the argument. */
            if (initial >= WCBOR_ARRAY && initial < WCBOR_TAG && reader->depth >= reader->max_depth) {
                status = WCBOR_DEPTH_EXCEEDED;
                goto failed;
            }
            if (information > 27) {
                status = initial >= WCBOR_SIMPLE ? WCBOR_RESERVED_SIMPLE_VALUE : WCBOR_INVALID_INTEGER_ENCODING;
                goto failed;
            }
            size_t nbytes = (size_t)1 << (information - 24);
            if (WCBOR_UNLIKELY((size_t)(end - next) < nbytes)) {
                status = WCBOR_UNEXPECTED_END;
                goto failed;
            }
            switch (nbytes) {
            case 1: argument = next[0]; break;
            case 2: argument = wcbor_load16_(next); break;
            case 4: argument = wcbor_load32_(next); break;
            default: argument = wcbor_load64_(next); break;
            }
            next += nbytes;
            if ((rules & RULE_SHORTEST_HEAD) != 0 && initial < WCBOR_SIMPLE && nbytes + 1 != wcbor_head_nbytes_(argument)) {
                status = WCBOR_NON_MINIMAL_INTEGER;
                goto failed;
            }
        }
        switch (initial >> 5) {
        case WCBOR_BYTES >> 5:
            if (WCBOR_UNLIKELY(argument > (size_t)(end - next))) {
                status = WCBOR_LENGTH_EXCEEDS_BUFFER;
                goto failed;
            }
            if (WCBOR_UNLIKELY(tagged) && (status = wcbor_tag_content_(rules, reader->tag, next, argument)) != WCBOR_OK)
                goto failed;
            next += argument;
            tagged = false;
            break;
        case WCBOR_TEXT >> 5:
            if (WCBOR_UNLIKELY(argument > (size_t)(end - next))) {
                status = WCBOR_LENGTH_EXCEEDS_BUFFER;
                goto failed;
            }
            if ((rules & RULE_STRICT_TEXT) != 0 && argument != 0
                && !(argument <= 16 && end - next >= 8 && wcbor_utf8_is_short_ascii_(next, (size_t)argument))
                && wcbor_utf8_valid_((const char *)next, (size_t)argument) != argument) {
                status = WCBOR_INVALID_UTF8;
                goto failed;
            }
            next += argument;
            break;
        case WCBOR_ARRAY >> 5:
        case WCBOR_MAP >> 5: {
            unsigned items = initial >> 5 == WCBOR_MAP >> 5 ? 2 : 1;
            if (WCBOR_UNLIKELY(reader->depth >= reader->max_depth)) {
                status = WCBOR_DEPTH_EXCEEDED;
                goto failed;
            }
            /* Of a part of the data the rest may hold the items. */
            if (WCBOR_UNLIKELY(argument > (size_t)(end - next) / items && !reader->is_partial)
                || argument > WCBOR_MAX_ARRAY_COUNT / items) {
                status = WCBOR_LENGTH_EXCEEDS_BUFFER;
                goto failed;
            }
            if (WCBOR_UNLIKELY(tagged) && (status = wcbor_tag_content_(rules, reader->tag, NULL, 0)) != WCBOR_OK)
                goto failed;
            reader->next = next;
            reader->level.left = left;
            status = wcbor_enter_(reader, initial & WCBOR_MAJOR, (size_t)argument * items, rules);
            if (WCBOR_UNLIKELY(status != WCBOR_OK)) goto failed;
            left = (size_t)argument * items;
            kind = reader->level.kind;
            tagged = false;
            continue;
        }
        case WCBOR_TAG >> 5:
            if ((rules & (RULE_NO_TAGS | RULE_TAG_42)) != 0) {
                status = (rules & RULE_NO_TAGS) != 0 ? WCBOR_TAGS_NOT_ALLOWED
                       : argument != 42 ? WCBOR_TAG_NOT_ALLOWED
                       : tagged ? WCBOR_INVALID_CID : WCBOR_OK;
                if (status != WCBOR_OK) goto failed;
            }
            tagged = true;
            reader->tag = argument;
            continue;
        case WCBOR_SIMPLE >> 5:
            status = wcbor_check_simple_(rules, information, argument);
            if (status != WCBOR_OK) goto failed;
            break;
        default: break;
        }
        if (WCBOR_UNLIKELY(tagged)) {
            /* Text, numbers and simple values; a byte string has been looked at. */
            status = wcbor_tag_content_(rules, reader->tag, NULL, 0);
            if (status != WCBOR_OK) goto failed;
            tagged = false;
        }
        left--;
        if ((kind & LEVEL_KEYED) != 0) {
            if ((left & 1) == 0) {
                reader->level.key = (size_t)(next - reader->bytes);
            } else {
                reader->next = next;
                reader->level.left = left;
                status = wcbor_finish_keyed_(reader, rules);
                if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
            }
        }
        if (WCBOR_UNLIKELY(reader->depth == floor)) {
            reader->next = next;
            reader->level.left = left;
            reader->tagged = false;
            return WCBOR_OK;
        }
        continue;

    changed: /* another container is open */
        if (WCBOR_UNLIKELY(status != WCBOR_OK)) return status;
        if (reader->depth == floor) return WCBOR_OK;
        left = reader->level.left;
        kind = reader->level.kind;
        tagged = false;
        continue;

    failed:
        reader->next = item;
        return status;
    }
}

/* ------------------------------------------------------------------------------------------------ whole documents */

/* Whether the container that begins at `at`, for whose items there are too few bytes, is all right as far as they go. */
WCBOR_COLD static bool is_beginning(const wcbor_reader *reader, const uint8_t *at) {
    wcbor_reader probe;
    wcbor_reader_options options = {.is_partial = true, .reallocate = reader->keys.reallocate,
                                    .context = reader->keys.context};
    wcbor_reader_make_(&probe, 0, WCBOR_ORDER_NONE, reader->max_depth, &options);
    wcbor_reader_start_(&probe, at, (size_t)(reader->end - at));
    wcbor_status status = wcbor_walk_(&probe, 0, 0);
    wcbor_reader_free(&probe);
    /* Without memory to look it is taken to be. */
    return status == WCBOR_UNEXPECTED_END || status == WCBOR_LENGTH_EXCEEDS_BUFFER || status == WCBOR_OUT_OF_MEMORY;
}

uint64_t wcbor_missing_(const wcbor_reader *reader, wcbor_status status, const uint8_t *at) {
    const uint8_t *end = reader->end;
    if (status != WCBOR_UNEXPECTED_END && status != WCBOR_LENGTH_EXCEEDS_BUFFER && status != WCBOR_TAG_WITHOUT_VALUE)
        return 0;
    if (at == end) return 1;
    unsigned major = *at & WCBOR_MAJOR, information = *at & 0x1f;
    size_t head_nbytes = information < 24 ? 1 : information < 28 ? 1 + ((size_t)1 << (information - 24)) : 0;
    if (head_nbytes > (size_t)(end - at)) return head_nbytes - (size_t)(end - at);
    wcbor_head_ head;
    if (major < WCBOR_BYTES || major > WCBOR_MAP || !wcbor_get_head_(at, end, &head)) return 0;
    /* What no memory holds is not only cut short. */
    uint64_t most = major == WCBOR_ARRAY ? WCBOR_MAX_ARRAY_COUNT
                  : major == WCBOR_MAP   ? WCBOR_MAX_MAP_COUNT
                  : reader->is_partial   ? LONGEST_PARTIAL_STRING
                                         : LONGEST_STRING;
    if (head.argument > most) return 0;
    uint64_t need = major == WCBOR_MAP ? head.argument * 2 : head.argument, have = (size_t)(end - at) - head_nbytes;
    return need > have && (major < WCBOR_ARRAY || is_beginning(reader, at)) ? need - have : 0;
}

wcbor_status wcbor_validate(const void *bytes, size_t nbytes, const wcbor_reader_options *options, size_t *offset,
                            uint64_t *missing) {
    wcbor_reader reader;
    *offset = 0;
    if (missing != NULL) *missing = 0;
    wcbor_status status = wcbor_reader_init(&reader, options, bytes, nbytes);
    if (status != WCBOR_OK) return status;
    bool several = reader.allow_multiple_roots;
    while (status == WCBOR_OK && (several ? reader.next != reader.end : reader.level.left != 0))
        status = wcbor_walk_(&reader, 0, reader.rules);
    *offset = (size_t)(reader.next - reader.bytes);
    if (missing != NULL && status != WCBOR_OK) *missing = wcbor_missing_(&reader, status, reader.next);
    wcbor_reader_free(&reader);
    return status;
}
