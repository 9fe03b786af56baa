/*
 * arguments.h - what random calls are made with. Bytes are put into the sequence's arena; `c` gets them, and
 * the flag of a magnitude.
 */
#ifndef WCBOR_TEST_ARGUMENTS_H
#define WCBOR_TEST_ARGUMENTS_H

#include "sequence.h"

/* Puts the bytes into the arena; where they stand there. */
uint8_t *some_put(sequence *s, const void *bytes, size_t nbytes);

/* A number of any size, with all lengths of heads about as likely. */
uint64_t some_number(random_state *r);

void some_bytes(sequence *s, random_state *r, call *c);

/*
 * Text, with keys of maps in mind: few different ones, some long ones that begin alike, and some that are
 * ill-formed.
 */
void some_text(sequence *s, random_state *r, call *c);

/* The bits of floats. */
uint64_t some_double(random_state *r);
uint64_t some_single(random_state *r);

/* Seconds with a fraction, for those without are integers to a command stream; or infinite, or no number. */
uint64_t some_seconds(random_state *r);

void some_date_time(sequence *s, random_state *r, call *c);

/* Of a bignum, or the payload of its tag. */
void some_magnitude(sequence *s, random_state *r, call *c);

/* The payload of tag 42. */
void some_cid(sequence *s, random_state *r, call *c);

/* A whole item that suits the mode as far as its heads go, and now and then something broken. */
void some_encoded(sequence *s, random_state *r, call *c);

/* An encoded definite string, for a chunk. */
void some_encoded_chunk(sequence *s, random_state *r, call *c, unsigned major);

#endif
