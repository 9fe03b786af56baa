/*
 * cid.c - content identifiers (CIDs), as far as tag 42 of DAG-CBOR needs them: their form, not what they stand for.
 */
#include "modes.h"

/* An unsigned varint of at most 9 bytes, in its shortest form (multiformats). */
static bool get_varint(const uint8_t **next, const uint8_t *end, uint64_t *value) {
    *value = 0;
    for (unsigned i = 0; i < 9 && *next < end; i++) {
        uint8_t byte = *(*next)++;
        *value |= (uint64_t)(byte & 0x7f) << (7 * i);
        if ((byte & 0x80) == 0) return byte != 0 || i == 0;
    }
    return false;
}

bool wcbor_is_cid_payload_(const uint8_t *payload, size_t nbytes) {
    if (nbytes < 3 || payload[0] != 0) return false;
    const uint8_t *next = payload + 1, *end = payload + nbytes;
    /* Version 0 is a bare SHA-256 multihash. */
    if (next[0] == 0x12 && next[1] == 0x20) return nbytes == 1 + 34;
    uint64_t version, codec, hash, length;
    return get_varint(&next, end, &version) && version == 1 && get_varint(&next, end, &codec)
        && get_varint(&next, end, &hash) && get_varint(&next, end, &length) && length == (uint64_t)(end - next);
}
