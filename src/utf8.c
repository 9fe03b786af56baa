#include "utf8.h"

/*
 * Reads the sequence at `text`, which begins with a byte from 80 on. Returns its bytes when it is well-formed; else
 * minus the bytes of its maximal subpart.
 */
static int sequence(const uint8_t *text, size_t nbytes) {
    /* The second byte's range depends on the first: no overlong forms, no surrogates, nothing past U+10FFFF. */
    unsigned first = text[0], low = 0x80, high = 0xbf;
    int length;
    if (first >= 0xc2 && first <= 0xdf) {
        length = 2;
    } else if (first >= 0xe0 && first <= 0xef) {
        length = 3;
        if (first == 0xe0) low = 0xa0;
        if (first == 0xed) high = 0x9f;
    } else if (first >= 0xf0 && first <= 0xf4) {
        length = 4;
        if (first == 0xf0) low = 0x90;
        if (first == 0xf4) high = 0x8f;
    } else {
        return -1;
    }
    for (int i = 1; i < length; i++) {
        if ((size_t)i == nbytes || text[i] < low || text[i] > high) return -i;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

size_t wcbor_utf8_valid_(const char *text, size_t nbytes) {
    const uint8_t *start = (const uint8_t *)text, *next = start, *end = start + nbytes;
    while (next < end) {
        while (end - next >= 8) {
            uint64_t word;
            memcpy(&word, next, 8);
            if ((word & UINT64_C(0x8080808080808080)) != 0) break;
            next += 8;
        }
        if (next == end) break;
        if (*next < 0x80) {
            next++;
            continue;
        }
        int length = sequence(next, (size_t)(end - next));
        if (length < 0) break;
        next += length;
    }
    return (size_t)(next - start);
}

size_t wcbor_utf8_ill_formed_(const char *text, size_t nbytes) {
    return (size_t)-sequence((const uint8_t *)text, nbytes);
}
