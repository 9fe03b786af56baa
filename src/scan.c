#include "scan.h"

const uint8_t *wcbor_scan_text_(const uint8_t *next, const uint8_t *end, uint64_t *tops) {
    while (end - next >= 16) {
        unsigned count = wcbor_scan_16_(next, tops);
        next += count;
        if (count < 16) return next;
    }
    for (; next < end && *next != '"' && *next != '\\' && *next >= 0x20; next++) *tops |= *next & 0x80u;
    return next;
}
