/*
 * links.c - the links (CIDs in tag 42) of a document, without building it.
 *
 * `left` counts the items that are due before the innermost indefinite-length container may go on: a definite
 * container only adds to it, so that its depth costs nothing. Each indefinite-length container puts it aside.
 */
#include "writer.h"

void wcbor_links_init(wcbor_links *links, const void *bytes, size_t nbytes) {
    links->bytes = links->next = bytes;
    links->end = links->bytes + nbytes;
    links->left = 1;
    links->depth = 0;
    links->odd = false;
    links->is_map = false;
}

/* Skips the chunks of a string up to its break. */
static wcbor_status skip_chunks(wcbor_links *links, unsigned major) {
    for (;;) {
        if (links->next == links->end) return WCBOR_UNEXPECTED_END;
        unsigned initial = *links->next;
        if (initial == WCBOR_BREAK) {
            links->next++;
            return WCBOR_OK;
        }
        wcbor_head_ head;
        if ((initial & WCBOR_MAJOR) != major || (initial & WCBOR_INDEFINITE) == WCBOR_INDEFINITE)
            return WCBOR_STRING_CHUNK_INVALID;
        if (!wcbor_get_head_(links->next, links->end, &head))
            return (initial & 0x1f) > 27 ? WCBOR_INVALID_INTEGER_ENCODING : WCBOR_UNEXPECTED_END;
        if (head.argument > (size_t)(links->end - links->next) - head.nbytes) return WCBOR_LENGTH_EXCEEDS_BUFFER;
        links->next += head.nbytes + (size_t)head.argument;
    }
}

/* An item of indefinite length, or a break. */
WCBOR_COLD static wcbor_status indefinite(wcbor_links *links, unsigned initial) {
    wcbor_links_frame_ *frame;
    switch (initial) {
    case WCBOR_BREAK:
        if (links->depth == 0 || links->left != 0) return WCBOR_UNEXPECTED_BREAK;
        if (links->is_map && links->odd) return WCBOR_KEY_WITHOUT_VALUE;
        frame = &links->frames[--links->depth];
        links->left = frame->left;
        links->odd = frame->odd;
        links->is_map = frame->is_map;
        links->next++;
        return WCBOR_OK;
    case WCBOR_BYTES | WCBOR_INDEFINITE:
    case WCBOR_TEXT | WCBOR_INDEFINITE:
        links->next++;
        return skip_chunks(links, initial & WCBOR_MAJOR);
    case WCBOR_ARRAY | WCBOR_INDEFINITE:
    case WCBOR_MAP | WCBOR_INDEFINITE:
        if (links->depth == WCBOR_LINKS_DEPTH_MAX) return WCBOR_DEPTH_EXCEEDED;
        frame = &links->frames[links->depth++];
        *frame = (wcbor_links_frame_){links->left, links->odd, links->is_map};
        links->left = 0;
        links->odd = false;
        links->is_map = initial == (WCBOR_MAP | WCBOR_INDEFINITE);
        links->next++;
        return WCBOR_OK;
    default:
        return (initial & WCBOR_MAJOR) == WCBOR_SIMPLE ? WCBOR_RESERVED_SIMPLE_VALUE : WCBOR_INVALID_INTEGER_ENCODING;
    }
}

/* The byte string of tag 42, behind which `next` moves. */
static wcbor_status read_link(wcbor_links *links, const uint8_t **cid, size_t *nbytes) {
    if (links->next == links->end) return WCBOR_UNEXPECTED_END;
    if ((*links->next & WCBOR_MAJOR) != WCBOR_BYTES || *links->next == (WCBOR_BYTES | WCBOR_INDEFINITE))
        return WCBOR_INVALID_CID;
    wcbor_head_ head;
    if (!wcbor_get_head_(links->next, links->end, &head))
        return (*links->next & 0x1f) > 27 ? WCBOR_INVALID_INTEGER_ENCODING : WCBOR_UNEXPECTED_END;
    if (head.argument > (size_t)(links->end - links->next) - head.nbytes) return WCBOR_LENGTH_EXCEEDS_BUFFER;
    const uint8_t *payload = links->next + head.nbytes;
    if (!wcbor_is_cid_payload_(payload, (size_t)head.argument)) return WCBOR_INVALID_CID;
    *cid = payload + 1;
    *nbytes = (size_t)head.argument - 1;
    links->next = payload + (size_t)head.argument;
    return WCBOR_OK;
}

wcbor_status wcbor_links_next(wcbor_links *links, const uint8_t **cid, size_t *nbytes) {
    *cid = NULL;
    *nbytes = 0;
    const uint8_t *next = links->next, *end = links->end;
    uint64_t left = links->left;
    wcbor_status status;
    for (;;) {
        /* In a container of indefinite length, whatever comes there is one of its items, or the break. */
        bool open = false;
        if (left == 0) {
            if (links->depth == 0) break;
            open = true;
        }
        if (next == end) {
            status = WCBOR_UNEXPECTED_END;
            goto fail;
        }
        unsigned initial = *next, information = initial & 0x1f;
        uint64_t argument = information;
        size_t nhead = 1;
        if (information >= 24) {
            wcbor_head_ head;
            if (information > 27) {
                links->next = next;
                links->left = left;
                bool is_break = initial == WCBOR_BREAK;
                if (!is_break && open) {
                    links->odd = !links->odd;
                    links->left = 0;
                } else if (!is_break) {
                    links->left--;
                }
                status = indefinite(links, initial);
                if (status != WCBOR_OK) return status;
                next = links->next;
                left = links->left;
                continue;
            }
            if (!wcbor_get_head_(next, end, &head)) {
                status = WCBOR_UNEXPECTED_END;
                goto fail;
            }
            argument = head.argument;
            nhead = head.nbytes;
        }
        unsigned major = initial & WCBOR_MAJOR;
        if (open) {
            links->odd = !links->odd;
            left = 1;
        }
        size_t remaining = (size_t)(end - next) - nhead;
        switch (major) {
        case WCBOR_UNSIGNED:
        case WCBOR_NEGATIVE: left--; break;
        case WCBOR_SIMPLE: left--; break;
        case WCBOR_BYTES:
        case WCBOR_TEXT:
            if (argument > remaining) {
                status = WCBOR_LENGTH_EXCEEDS_BUFFER;
                goto fail;
            }
            left--;
            nhead += (size_t)argument;
            break;
        case WCBOR_ARRAY:
        case WCBOR_MAP:
            if (argument > remaining >> (major == WCBOR_MAP)) {
                status = WCBOR_LENGTH_EXCEEDS_BUFFER;
                goto fail;
            }
            left += (argument << (major == WCBOR_MAP)) - 1;
            break;
        default:
            if (argument != 42) break;
            links->next = next + nhead;
            links->left = left - 1;
            return read_link(links, cid, nbytes);
        }
        next += nhead;
    }
    links->next = next;
    links->left = 0;
    return WCBOR_OK;
fail:
    links->next = next;
    links->left = left;
    return status;
}

size_t wcbor_links_offset(const wcbor_links *links) {
    return (size_t)(links->next - links->bytes);
}
