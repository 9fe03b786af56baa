/*
 * diagnostic_parse.h - diagnostic notation to CBOR: what its files share. Private to the library.
 *
 * A fault puts `next` to the end of the text, where nothing is found any more, so that only the outermost loop has to ask
 * whether there was one. All that is taken begins at `next`, which is moved behind it.
 */
#ifndef WCBOR_DIAGNOSTIC_PARSE_H
#define WCBOR_DIAGNOSTIC_PARSE_H

#include "big.h"
#include "block.h"
#include "decimal.h"
#include "output.h"

/* What is open; the containers come last. */
enum { LEVEL_TOP, LEVEL_TAG, LEVEL_ARRAY, LEVEL_MAP, LEVEL_CHUNKS, LEVEL_EMBEDDED };

/* An encoding indicator: the width of an argument, as its additional information less 24, or one of these. */
enum { WIDTH_AUTO = 4, WIDTH_IMMEDIATE = 5, WIDTH_INDEFINITE = 6 };

/* The bases of digits; the two of 32 have different alphabets (RFC 4648, sections 6 and 7). */
enum { BASE_16 = 16, BASE_32 = 32, BASE_32_HEX = 33, BASE_64 = 64 };

typedef struct wcbor_opened_ {
    size_t start, count; /* where its head is; the items in it */
    uint8_t kind, width;
} wcbor_opened_;

typedef struct wcbor_notation_ {
    const wcbor_diagnostic_options *options;
    const uint8_t *next, *end;
    wcbor_output_ out;
    wcbor_powers_ *powers; /* from the first number that needs them */
    wcbor_block_ levels;
    wcbor_opened_ *top;
    uint32_t depth;       /* of containers: all levels but tags */
    bool after_item;      /* and no comma or colon since */
    wcbor_status status;
    const uint8_t *fault;
} wcbor_notation_;

/* ------------------------------------------------------------------------------------------ diagnostic_scan.c */

/* The first fault stays; the second is WCBOR_INVALID_DIAGNOSTIC at `next`. */
void wcbor_fail_parse_with_(wcbor_notation_ *p, wcbor_status status, const uint8_t *at);
void wcbor_fail_parse_(wcbor_notation_ *p);

/* The next character; 0, which means nothing anywhere, at the end. */
unsigned wcbor_peek_(const wcbor_notation_ *p);

/* Takes a character, or a word, if it stands here. */
bool wcbor_take_(wcbor_notation_ *p, unsigned character);
bool wcbor_take_word_(wcbor_notation_ *p, const char *word);

/* Takes a character, or fails. */
void wcbor_expect_(wcbor_notation_ *p, unsigned character);

/*
 * What means nothing, comments too: up to the end of the line from # and //, else from / to / and from a slash and a star to both. In a
 * quoted string the quote ends them as well, unless a backslash is before it. In base 64 the slash is a digit.
 */
void wcbor_skip_blanks_(wcbor_notation_ *p, bool quoted, bool slashes);

/* What a character means as a digit; 64 and more if nothing. */
unsigned wcbor_digit_value_(unsigned character, unsigned base);

/* An encoding indicator, if there is one. */
unsigned wcbor_take_width_(wcbor_notation_ *p);

/* Puts a head in the width that is asked for over the byte at `start`, or behind all that is there. */
void wcbor_set_head_(wcbor_notation_ *p, size_t start, unsigned major, uint64_t argument, unsigned width);
void wcbor_add_head_(wcbor_notation_ *p, unsigned major, uint64_t argument, unsigned width);

/* --------------------------------------------------------------------------------------- diagnostic_strings.c */

/* What string begins here: 0 when none does, the quote of one in plain text, or the base of one in digits. */
unsigned wcbor_take_prefix_(wcbor_notation_ *p);

/* A string, or several that are one; `prefix` is behind us, `first` where it began. */
void wcbor_take_string_(wcbor_notation_ *p, unsigned prefix, const uint8_t *first);

/* The digits of a base up to the quote, as bytes. */
void wcbor_take_string_digits_(wcbor_notation_ *p, unsigned base);

/* --------------------------------------------------------------------------------------- diagnostic_numbers.c */

/* A number, or a tag, which begins with one. */
void wcbor_take_number_(wcbor_notation_ *p);

/* The digits of a whole number. */
void wcbor_take_whole_(wcbor_notation_ *p, unsigned base, wcbor_big_ *number);

/* Adds a float in the width of the encoding indicator that stands here. */
void wcbor_add_float_(wcbor_notation_ *p, double value, bool negative);

/* ----------------------------------------------------------------------------------------- diagnostic_parse.c */

/* Opens a level. Faults: WCBOR_DEPTH_EXCEEDED, WCBOR_OUT_OF_MEMORY. */
void wcbor_push_level_(wcbor_notation_ *p, unsigned kind, size_t start, unsigned width);

#endif
