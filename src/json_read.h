/*
 * json_read.h - JSON text to CBOR, in one pass and without recursion: what its files share. Private to the library.
 *
 * Items are written as they are read. JSON does not say how long arrays and objects are: each is written with a head of
 * one byte, which is set when it ends. One of 24 items or more needs a longer head. Where maps are sorted, its content
 * is moved at once. Elsewhere it is remembered as a gap, and all gaps are made in one pass at the end, so that nested
 * ones do not move the same bytes again and again.
 *
 *     writer   the output. To the writer all items are roots of a sequence: what is open is kept here, in the writer's
 *              stack of frames (`left` is a count, `start` where the head stands, `kind` a major type), and in its keys
 *     text, next, end   the input; `next` is where it failed after a failure
 *     gaps     in the order in which their containers ended; `grown` is how many bytes they come to
 *
 * All of these take what begins at `next`, move `next` behind it, and write to where there is JSON_ROOM already.
 */
#ifndef WCBOR_JSON_READ_H
#define WCBOR_JSON_READ_H

#include "decimal.h"
#include "writer.h"

typedef struct wcbor_reading_ {
    wcbor_writer *writer;
    const uint8_t *text, *next, *end;
    wcbor_powers_ *powers;
    wcbor_block_ gaps;
    size_t grown;
    bool is_utf8, sorts, rounds;
} wcbor_reading_;

/* Room for any scalar, and for 16 bytes to be stored behind the head of a short text. */
enum { JSON_ROOM = 32 };

#define JSON_MAX_SAFE UINT64_C(9007199254740991)

/* All of the text, white space included. */
wcbor_status wcbor_take_json_(wcbor_reading_ *r);

/* A double, as an integer if it is one within 2^53 and not -0. */
wcbor_status wcbor_put_json_double_(wcbor_reading_ *r, double value);

/*
 * Any scalar: a string that may have escapes or be wrong, a number, a literal, or what is none. After a failure `next` is
 * at what is wrong: at the number, or at the character.
 */
wcbor_status wcbor_take_json_item_(wcbor_reading_ *r);

/* Makes room for a frame. WCBOR_DEPTH_EXCEEDED, WCBOR_OUT_OF_MEMORY. */
wcbor_status wcbor_deepen_json_(wcbor_reading_ *r);

/* Sets the head of a container that ends, where that takes more than one byte, or its keys may have to be sorted. */
wcbor_status wcbor_close_json_(wcbor_reading_ *r, unsigned major, size_t head, size_t count);

#endif
