/*
 * exports-links.c - the links of a document, as a list of where they stand.
 */
#include "../src/writer.h"
#include "memory.h"
#include "result.h"

enum { LINKS_FIRST = 16 };

/*
 * The links of the item of all `nbytes` at `bytes`: RESULT_BYTES is a list of pairs, u32 offset and u32 nbytes of each CID, RESULT_NBYTES
 * its length, for the caller to free (NULL when empty); RESULT_OFFSET where it failed. WCBOR_TRAILING_BYTES.
 */
EXPORT(wcbor_scan_links) wcbor_status wcbor_scan_links(const uint8_t *bytes, size_t nbytes) {
    wcbor_links scan;
    wcbor_links_init(&scan, bytes, nbytes);
    uint32_t(*list)[2] = NULL;
    size_t count = 0, capacity = 0;
    wcbor_status status;
    for (;;) {
        const uint8_t *cid;
        size_t cid_nbytes;
        status = wcbor_links_next(&scan, &cid, &cid_nbytes);
        if (status != WCBOR_OK || cid == NULL) break;
        if (count == capacity) {
            capacity = capacity == 0 ? LINKS_FIRST : capacity * 2;
            void *grown = memory_resize(list, capacity * sizeof *list);
            if (grown == NULL) {
                status = WCBOR_OUT_OF_MEMORY;
                break;
            }
            list = grown;
        }
        list[count][0] = (uint32_t)(cid - bytes);
        list[count][1] = (uint32_t)cid_nbytes;
        count++;
    }
    wcbor_result_block.offset = wcbor_links_offset(&scan);
    if (status == WCBOR_OK && wcbor_result_block.offset != nbytes) status = WCBOR_TRAILING_BYTES;
    if (status != WCBOR_OK) {
        list = memory_resize(list, 0);
        count = 0;
    }
    wcbor_result_block.bytes = (const uint8_t *)list;
    wcbor_result_block.nbytes = count * sizeof *list;
    return status;
}

/* Whether the `nbytes` at `payload` are 00 and one CID, as tag 42 wants it. */
EXPORT(wcbor_is_link) uint32_t wcbor_is_link(const uint8_t *payload, size_t nbytes) {
    return wcbor_is_cid_payload_(payload, nbytes);
}
