/*
 * reference_rules.h - what the reference writer asks about bytes and numbers, apart from any writer's state.
 */
#ifndef WCBOR_REFERENCE_RULES_H
#define WCBOR_REFERENCE_RULES_H

#include "../../src/wcbor.h"

/* A string of bytes that grows. All zero is the empty one. */
typedef struct ref_bytes {
    uint8_t *at;
    size_t nbytes, room;
} ref_bytes;

void ref_append(ref_bytes *to, const void *bytes, size_t nbytes);
void ref_append_byte(ref_bytes *to, unsigned byte);
void ref_append_head(ref_bytes *to, unsigned major, uint64_t argument);
void ref_release(ref_bytes *bytes);

/* Whether all of the text is well-formed UTF-8 (The Unicode Standard, table 3-7). */
bool ref_text_is_valid(const uint8_t *text, size_t nbytes);

/* Appends the text with each maximal ill-formed part replaced by U+FFFD. */
void ref_append_replaced(ref_bytes *to, const uint8_t *text, size_t nbytes);

/* Below 0, 0, above 0: the order of two encoded keys in the mode. In a mode that does not sort, 0 means equal. */
int ref_compare_keys(wcbor_mode mode, const uint8_t *a, size_t a_nbytes, const uint8_t *b, size_t b_nbytes);

/* Appends a float by the mode's rule. `width` 2, 4 or 8 and `bits` are the call's own. False: FLOAT_NOT_ALLOWED. */
bool ref_append_float(ref_bytes *to, wcbor_mode mode, unsigned width, uint64_t bits);

/* The value of a half; of a NaN any NaN. */
double ref_double_of_half(uint16_t bits);

/* Whether a CID follows a byte 00 and fills the rest: version 0 or 1. */
bool ref_is_tagged_cid(const uint8_t *bytes, size_t nbytes);

/* Whether a byte string after tag 2 or 3 is one that RFC 8949 prefers: no leading zero, more than 64 bits. */
bool ref_is_preferred_bignum(const uint8_t *bytes, size_t nbytes);

/*
 * Whether the text is an RFC 3339 date-time (section 5.6), which always has an offset. Upper-case T and Z
 * only: RFC 8949, section 3.4.1, takes the form "as refined by Section 3.3 of RFC 4287".
 */
bool ref_is_date_time(const uint8_t *text, size_t nbytes);

/* Whether the bytes are exactly one item that is valid in the mode and nests at most `max_depth` deep. */
bool ref_is_valid_item(const uint8_t *bytes, size_t nbytes, wcbor_mode mode, uint64_t max_depth);

/* Questions about modes. */
bool ref_mode_checks_keys(wcbor_mode mode);
bool ref_mode_sorts(wcbor_mode mode);
bool ref_mode_prefers(wcbor_mode mode); /* deterministic and dcbor: preferred serialization of big integers */

#endif
