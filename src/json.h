/*
 * json.h - what a caller of the converters from and to JSON may know and keep that the public functions do not ask for.
 * Private to the library.
 */
#ifndef WCBOR_JSON_H
#define WCBOR_JSON_H

#include "decimal.h"

/* wcbor_json_to_cbor with powers of ten that the caller keeps. `is_utf8`: the text is known to be well-formed. */
wcbor_status wcbor_read_json_(const void *text, size_t nbytes, const wcbor_json_options *options, bool is_utf8,
                              wcbor_powers_ *powers, wcbor_buffer *result);

/* Likewise wcbor_cbor_to_json. */
wcbor_status wcbor_write_json_(const void *bytes, size_t nbytes, const wcbor_json_options *options, wcbor_powers_ *powers,
                               wcbor_buffer *result);

#endif
