/*
 * reference_writer.h - a second writer, made to be checked by reading and not to be fast. It is written from the rules
 * alone (RFC 8949, the table of modes, the comments of wcbor.h) and shares nothing with src/: every open container is a
 * frame of its own, every finished item a piece of memory of its own, and a container's bytes are put together when it
 * ends. What a frame holds and the library only remembers as offsets can thus not be wrong in the same way twice.
 */
#ifndef WCBOR_REFERENCE_WRITER_H
#define WCBOR_REFERENCE_WRITER_H

#include "call.h"

typedef struct reference_writer reference_writer;

/* The options as of wcbor_writer_options. NULL when they are refused (WCBOR_OPTION_OUT_OF_RANGE). */
reference_writer *reference_new(wcbor_mode mode, bool convert, bool multiple_roots, int32_t max_depth);
void reference_free(reference_writer *writer);

/* Runs one call, whichever it is; the status that the library must give. */
wcbor_status reference_call(reference_writer *writer, const call *the_call);

size_t reference_nbytes(const reference_writer *writer);
uint32_t reference_depth(const reference_writer *writer);
bool reference_is_complete(const reference_writer *writer);

/* The roots that are written so far; the document, once it is complete. */
const uint8_t *reference_bytes(const reference_writer *writer);

/* What is open and what may come next, for whoever makes up calls. */
typedef struct reference_view {
    unsigned major; /* of the open container; REFERENCE_ROOT */
    uint64_t left;  /* items that it still takes; UINT64_MAX when there is no end to them */
    bool is_key;    /* the next item is a map's key */
    bool has_tag;   /* `tag` waits for its item */
    uint64_t tag;
} reference_view;

#define REFERENCE_ROOT 8u

reference_view reference_look(const reference_writer *writer);

#endif
