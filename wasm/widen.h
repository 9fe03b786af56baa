/*
 * widen.h - well-formed UTF-8 as UTF-16.
 */
#ifndef WCBOR_WIDEN_H
#define WCBOR_WIDEN_H

#include "../src/head.h"

/*
 * Writes text of `nbytes`, which must be well-formed, to `to` in UTF-16. There must be room for as many units as it has
 * bytes, and 8 more; 16 bytes behind the text, and the one before it, may be read. Returns the end of what was written.
 */
uint16_t *wcbor_widen(uint16_t *to, const uint8_t *text, size_t nbytes);

#endif
