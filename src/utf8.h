/*
 * utf8.h - UTF-8 (RFC 3629; the Unicode Standard, table 3-7). Private to the library.
 */
#ifndef WCBOR_UTF8_H
#define WCBOR_UTF8_H

#include "head.h"

/* Bytes at the beginning of `text` that are well-formed; `nbytes` when all are. */
size_t wcbor_utf8_valid_(const char *text, size_t nbytes);

/*
 * Bytes of the ill-formed part that begins at `text` (nbytes > 0), where wcbor_utf8_valid_ is 0: the maximal subpart
 * that becomes one U+FFFD in the WHATWG Encoding Standard and in the Unicode Standard, section 3.9.
 */
size_t wcbor_utf8_ill_formed_(const char *text, size_t nbytes);

/*
 * Copies text to `to` with each such part replaced by U+FFFD, or only counts where `to` is NULL. Returns the bytes that
 * come of it, at most three for each of `nbytes`.
 */
size_t wcbor_utf8_replace_(uint8_t *to, const char *text, size_t nbytes);

/* The top bits of eight bytes. */
#define WCBOR_TOP_BITS UINT64_C(0x8080808080808080)

/*
 * Whether text of 1 to 16 bytes is all ASCII. At least 8 bytes from `text` on may be read, whatever `nbytes` is.
 */
WCBOR_INLINE bool wcbor_utf8_is_short_ascii_(const uint8_t *text, size_t nbytes) {
    uint64_t first, last;
    memcpy(&first, text, 8);
    if (nbytes <= 8) {
        /* The bytes behind the text are shifted out. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return (first << (64 - 8 * nbytes) & WCBOR_TOP_BITS) == 0;
#else
        return (wcbor_load64_(text) >> (64 - 8 * nbytes) & WCBOR_TOP_BITS) == 0;
#endif
    }
    memcpy(&last, text + nbytes - 8, 8);
    return ((first | last) & WCBOR_TOP_BITS) == 0;
}

#endif
