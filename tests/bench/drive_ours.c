/* drive_ours.c - the library's writer. */
#include "wcbor.h"

#include <stdlib.h>

static void *reallocate(void *context, void *block, size_t nbytes) {
    (void)context;
    if (nbytes != 0) return realloc(block, nbytes);
    free(block);
    return NULL;
}

static void *create(int mode) {
    static wcbor_writer writers[8];
    static unsigned count;
    wcbor_writer_options options = {(wcbor_mode)mode, true, false, -1, reallocate, NULL, 0x243f6a8885a308d3};
    wcbor_writer *writer = &writers[count++];
    return wcbor_writer_init(writer, &options, NULL, 0) == WCBOR_OK ? writer : NULL;
}

static const uint8_t *result(void *writer, size_t *nbytes) {
    const uint8_t *bytes;
    return wcbor_writer_result(writer, &bytes, nbytes) == WCBOR_OK ? bytes : NULL;
}

static wcbor_status copy(const wcbor_writer *writer, void *to, size_t capacity) {
    size_t nbytes;
    return wcbor_writer_copy(writer, to, capacity, &nbytes);
}

#define NAME(document)                    run_ours_##document
#define WRITER                            wcbor_writer
#define DRIVER                            bench_ours
#define DRIVER_NAME                       "ours"
#define RESET()                           wcbor_writer_reset(w)
#define WRITE_TEXT(text, nbytes)          wcbor_write_text(w, text, nbytes)
#define WRITE_START_ARRAY(count)          wcbor_write_start_array(w, count)
#define WRITE_START_MAP(count)            wcbor_write_start_map(w, count)
#define WRITE_START_INDEFINITE_MAP(count) wcbor_write_start_indefinite_map(w)
#define WRITE_END_ARRAY()                 wcbor_write_end_array(w)
#define WRITE_END_MAP()                   wcbor_write_end_map(w)
#define COPY(to, capacity)                copy(w, to, capacity)

#include "drive.h"
