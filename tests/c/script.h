/*
 * script.h - tests by example: a line of calls, and the bytes or the status that they come to.
 *
 *     script_expect(WCBOR_MODE_DCBOR, 0, "double 3.0;", "03")
 *
 * A script is calls, one after the other, each ended by a semicolon: a name of call.h, then its arguments: numbers in
 * decimal, floats as C writes them, text in single quotes, bytes in hexadecimal. `decimal` takes the exponent, then the
 * mantissa as `bigInt` does: a sign, + for n and - for -1 - n, and the magnitude in hexadecimal.
 */
#ifndef WCBOR_TEST_SCRIPT_H
#define WCBOR_TEST_SCRIPT_H

#include "suite.h"

enum { SCRIPT_CONVERT = 1, SCRIPT_SEVERAL_ROOTS = 2 };

/* The calls succeed and make the document, on the writer, on the interpreter and on the reference. */
#define script_expect(mode, flags, calls, hex) script_expect_(mode, flags, calls, hex, __FILE__, __LINE__)

/* The calls up to the last succeed; the last one fails so and changes nothing. Likewise on all three. */
#define script_fail(mode, flags, calls, status) script_fail_(mode, flags, calls, status, __FILE__, __LINE__)

void script_expect_(wcbor_mode mode, int flags, const char *calls, const char *hex, const char *file, int line);
void script_fail_(wcbor_mode mode, int flags, const char *calls, wcbor_status status, const char *file, int line);

#endif
