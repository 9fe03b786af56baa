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

#endif
