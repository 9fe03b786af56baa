#include "minimal_writer.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD_MAX = 9, TEXT = 0x60, ARRAY = 0x80, MAP = 0xa0 };

static int grow(minimal_writer *writer, size_t nbytes) {
    size_t used = (size_t)(writer->next - writer->out), size = (size_t)(writer->end - writer->out) * 2;
    if (size < used + nbytes) size = used + nbytes;
    if (size < 1024) size = 1024;
    uint8_t *out = realloc(writer->out, size);
    if (out == NULL) return 1;
    writer->out = out;
    writer->next = out + used;
    writer->end = out + size;
    return 0;
}

static inline int room(minimal_writer *writer, size_t nbytes) {
    if ((size_t)(writer->end - writer->next) >= nbytes) return 0;
    return grow(writer, nbytes);
}

static inline uint8_t *put_head(uint8_t *next, unsigned major, uint64_t argument) {
    if (argument < 24) {
        *next = (uint8_t)(major | argument);
        return next + 1;
    }
    unsigned information = argument <= UINT8_MAX ? 0 : argument <= UINT16_MAX ? 1 : argument <= UINT32_MAX ? 2 : 3;
    *next++ = (uint8_t)(major | (24 + information));
    for (unsigned shift = 8u << information; shift != 0; *next++ = (uint8_t)(argument >> shift)) shift -= 8;
    return next;
}

static inline int put_container(minimal_writer *writer, unsigned major, uint64_t count) {
    if (room(writer, HEAD_MAX) != 0) return 1;
    writer->next = put_head(writer->next, major, count);
    return 0;
}

void minimal_reset(minimal_writer *writer) {
    writer->next = writer->out;
}

int minimal_text(minimal_writer *writer, const char *text, size_t nbytes) {
    if (room(writer, HEAD_MAX + nbytes) != 0) return 1;
    uint8_t *next = put_head(writer->next, TEXT, nbytes);
    memcpy(next, text, nbytes);
    writer->next = next + nbytes;
    return 0;
}

int minimal_start_array(minimal_writer *writer, uint64_t count) {
    return put_container(writer, ARRAY, count);
}

int minimal_start_map(minimal_writer *writer, uint64_t count) {
    return put_container(writer, MAP, count);
}

int minimal_end_array(minimal_writer *writer) {
    (void)writer;
    return 0;
}

int minimal_end_map(minimal_writer *writer) {
    (void)writer;
    return 0;
}

int minimal_copy(const minimal_writer *writer, void *to, size_t capacity, size_t *nbytes) {
    *nbytes = (size_t)(writer->next - writer->out);
    if (*nbytes > capacity) return 1;
    memcpy(to, writer->out, *nbytes);
    return 0;
}
