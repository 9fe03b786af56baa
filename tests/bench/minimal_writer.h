/*
 * minimal_writer.h - the least that a writer can do: heads and bytes into a buffer that grows. It checks nothing but
 * the room, remembers nothing but where it stands, and has to be told the size of every container. Calls give 0, or 1
 * when there is no memory.
 */
#ifndef WCBOR_BENCH_MINIMAL_WRITER_H
#define WCBOR_BENCH_MINIMAL_WRITER_H

#include <stddef.h>
#include <stdint.h>

typedef struct minimal_writer {
    uint8_t *out, *next, *end;
} minimal_writer;

/* `writer` begins as all zeros. */
void minimal_reset(minimal_writer *writer);
int minimal_text(minimal_writer *writer, const char *text, size_t nbytes);
int minimal_start_array(minimal_writer *writer, uint64_t count);
int minimal_start_map(minimal_writer *writer, uint64_t count);
int minimal_end_array(minimal_writer *writer);
int minimal_end_map(minimal_writer *writer);
int minimal_copy(const minimal_writer *writer, void *to, size_t capacity, size_t *nbytes);

#endif
