/*
 * items.c - a walk over well-formed items, one head at a time, no recursion.
 *
 *     next, end    where the next head is looked for, and where the bytes end: those of the embedded items, inside such
 *     kind, left   the container that is open: its initial byte and the KIND_ flags, and how many items it still takes,
 *                  counting a pair as two. One of indefinite length starts at LEFT_OPEN, which is even, so that a key is
 *                  next in a map whenever `left` is even
 *     tags, tag    how many tags wait for the next item, and the last of them
 *     tags_around  how many wait in all containers together
 *     levels       the same of every container around
 */
#include "block.h"
#include "head.h"

enum {
    KIND_INITIAL = 0xff,
    KIND_INDEFINITE = 0x100, /* ends with a break */
    KIND_CHUNKED = 0x200,
    KIND_BYTES = 0x400, /* ends where its bytes do: the top of a sequence, embedded items */
    KIND_FIRST = 0x800  /* nothing in it yet */
};

#define LEFT_OPEN (SIZE_MAX - 1)

void wcbor_items_init(wcbor_items *items, const void *bytes, size_t nbytes, bool sequence, int32_t max_depth,
                      wcbor_reallocate reallocate, void *context) {
    items->bytes = items->next = bytes;
    items->end = nbytes == 0 ? items->bytes : items->bytes + nbytes;
    items->left = sequence ? LEFT_OPEN : 1;
    items->tags = items->tags_around = 0;
    items->tag = 0;
    items->kind = KIND_FIRST | (sequence ? KIND_BYTES : 0);
    items->max_depth = max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)max_depth;
    items->levels = (wcbor_block_){items->inline_levels, 0, WCBOR_INLINE_LEVELS_, false};
    items->reallocate = reallocate;
    items->context = context;
}

void wcbor_items_free(wcbor_items *items) {
    wcbor_block_free_(&items->levels, items->reallocate, items->context);
}

/* Room for one more container. */
static wcbor_status may_open(wcbor_items *items) {
    uint32_t depth = items->levels.count;
    if (depth >= items->max_depth) return WCBOR_DEPTH_EXCEEDED;
    return wcbor_block_grow_(&items->levels, (size_t)depth + 1, sizeof(wcbor_items_level_), items->reallocate, items->context);
}

static void open(wcbor_items *items, uint32_t kind, size_t left) {
    wcbor_items_level_ *level = (wcbor_items_level_ *)items->levels.items + items->levels.count++;
    *level = (wcbor_items_level_){items->end, items->left, items->tags, items->kind};
    items->kind = kind | KIND_FIRST;
    items->left = left;
    items->tags = 0;
}

/* An item is whole, with the tags before it. */
static void finish(wcbor_items *items, wcbor_item *item) {
    item->tags = items->tags;
    items->tags_around -= items->tags;
    items->tags = 0;
    items->left--;
    items->kind &= ~(uint32_t)KIND_FIRST;
}

static wcbor_status close(wcbor_items *items, wcbor_item *item, size_t head_nbytes) {
    item->place = WCBOR_PLACE_END;
    item->head_nbytes = head_nbytes;
    item->initial = items->kind & KIND_INITIAL;
    const wcbor_items_level_ *level = (const wcbor_items_level_ *)items->levels.items + --items->levels.count;
    items->next += head_nbytes;
    items->end = level->end;
    items->left = level->left;
    items->tags = level->tags;
    items->kind = level->kind;
    item->depth = items->levels.count + (uint32_t)items->tags_around;
    finish(items, item);
    return WCBOR_OK;
}

static wcbor_place place_of(const wcbor_items *items) {
    if (items->tags != 0) return WCBOR_PLACE_CONTENT;
    if ((items->kind & KIND_CHUNKED) != 0) return WCBOR_PLACE_CHUNK;
    if ((items->kind & WCBOR_MAJOR) != WCBOR_MAP) return WCBOR_PLACE_ITEM;
    return (items->left & 1) == 0 ? WCBOR_PLACE_KEY : WCBOR_PLACE_VALUE;
}

/* A break. */
static wcbor_status end_indefinite(wcbor_items *items, wcbor_item *item) {
    if (items->tags != 0) return WCBOR_TAG_WITHOUT_VALUE;
    if ((items->kind & KIND_INDEFINITE) == 0) return WCBOR_UNEXPECTED_BREAK;
    if (item->place == WCBOR_PLACE_VALUE) return WCBOR_KEY_WITHOUT_VALUE;
    return close(items, item, 1);
}

/* Where the bytes have come to an end. */
static wcbor_status end_bytes(wcbor_items *items, wcbor_item *item) {
    if ((items->kind & KIND_BYTES) == 0) return WCBOR_UNEXPECTED_END;
    if (items->tags != 0) return WCBOR_TAG_WITHOUT_VALUE;
    return items->levels.count == 0 ? WCBOR_NO_MORE_ITEMS : close(items, item, 0);
}

/* The head is whole, and behind `next`. */
static wcbor_status take(wcbor_items *items, wcbor_item *item, unsigned major) {
    uint64_t remaining = (uint64_t)(items->end - items->next);
    size_t left = (size_t)item->argument;
    wcbor_status status = WCBOR_OK;
    if (major == WCBOR_TAG) {
        items->tags++;
        items->tags_around++;
        items->tag = item->argument;
        return WCBOR_OK;
    }
    if (major >= WCBOR_BYTES && major <= WCBOR_MAP
        && item->argument > (major == WCBOR_MAP ? remaining / 2 : remaining)) {
        status = WCBOR_LENGTH_EXCEEDS_BUFFER;
        left = major <= WCBOR_TEXT ? (size_t)remaining : LEFT_OPEN / 2;
    }
    if (major == WCBOR_ARRAY || major == WCBOR_MAP) {
        open(items, item->initial, major == WCBOR_MAP ? left * 2 : left);
        return status;
    }
    if (major == WCBOR_BYTES || major == WCBOR_TEXT) {
        item->nbytes = left;
        items->next += left;
    }
    finish(items, item);
    return status;
}

wcbor_status wcbor_items_next(wcbor_items *items, wcbor_item *item) {
    *item = (wcbor_item){.offset = (size_t)(items->next - items->bytes),
                         .depth = items->levels.count + (uint32_t)items->tags_around,
                         .first = (items->kind & KIND_FIRST) != 0,
                         .place = place_of(items)};
    bool is_at_end = items->next == items->end;
    if (items->left == 0) {
        if (items->levels.count != 0) return close(items, item, 0);
        return is_at_end ? WCBOR_NO_MORE_ITEMS : WCBOR_TRAILING_BYTES;
    }
    if (is_at_end) return end_bytes(items, item);
    unsigned initial = *items->next, major = initial & WCBOR_MAJOR, information = initial & 0x1f;
    item->initial = (uint8_t)initial;
    if (initial == WCBOR_BREAK) return end_indefinite(items, item);
    if ((items->kind & KIND_CHUNKED) != 0
        && (major != (items->kind & WCBOR_MAJOR) || information == WCBOR_INDEFINITE))
        return WCBOR_STRING_CHUNK_INVALID;
    bool is_indefinite = information == WCBOR_INDEFINITE && major >= WCBOR_BYTES && major <= WCBOR_MAP;
    if (is_indefinite || major == WCBOR_ARRAY || major == WCBOR_MAP) {
        wcbor_status status = may_open(items);
        if (status != WCBOR_OK) return status;
    }
    if (is_indefinite) {
        item->head_nbytes = 1;
        items->next++;
        open(items, initial | KIND_INDEFINITE | (major <= WCBOR_TEXT ? KIND_CHUNKED : 0), LEFT_OPEN);
        return WCBOR_OK;
    }
    if (information > 27) return major == WCBOR_SIMPLE ? WCBOR_RESERVED_SIMPLE_VALUE : WCBOR_INVALID_INTEGER_ENCODING;
    wcbor_head_ head;
    if (!wcbor_get_head_(items->next, items->end, &head)) return WCBOR_UNEXPECTED_END;
    if (initial == (WCBOR_SIMPLE | 24) && head.argument < 32) return WCBOR_INVALID_SIMPLE_VALUE;
    item->head_nbytes = head.nbytes;
    item->argument = head.argument;
    items->next += head.nbytes;
    return take(items, item, major);
}

/* Whether well-formed items, and one if there may be only one, come before the end of the open container's bytes. */
static bool are_items(wcbor_items *items, bool one) {
    uint32_t depth = items->levels.count;
    size_t count = 0;
    while (items->levels.count > depth || items->tags != 0 || items->next != items->end) {
        wcbor_item item;
        if (items->levels.count == depth && items->tags == 0) count++;
        if (wcbor_items_next(items, &item) != WCBOR_OK) return false;
    }
    return !one || count == 1;
}

bool wcbor_items_enter(wcbor_items *items, wcbor_item *item) {
    uint64_t tag = items->tag;
    bool is_string = (item->initial & WCBOR_MAJOR) == WCBOR_BYTES && (item->initial & 0x1f) != WCBOR_INDEFINITE
        && item->nbytes == item->argument;
    if (!is_string || item->place != WCBOR_PLACE_CONTENT || (tag != 24 && tag != 63) || may_open(items) != WCBOR_OK) return false;
    const uint8_t *outer_end = items->end, *end = items->next;
    size_t left = items->left, around = items->tags_around;
    uint32_t kind = items->kind, depth = items->levels.count;
    /* The string counts as soon as what is in it ends. */
    items->left++;
    items->tags = item->tags;
    open(items, KIND_BYTES, LEFT_OPEN);
    items->tags_around += item->tags;
    items->end = end;
    items->next = end - item->nbytes;
    if (are_items(items, tag == 24)) {
        items->kind = KIND_BYTES | KIND_FIRST;
        items->left = LEFT_OPEN;
        items->next = end - item->nbytes;
        item->tags = 0;
        return true;
    }
    items->levels.count = depth;
    items->tags = 0;
    items->tags_around = around;
    items->end = outer_end;
    items->next = end;
    items->left = left;
    items->kind = kind;
    return false;
}
