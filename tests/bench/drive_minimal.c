/* drive_minimal.c - the writer that only writes. */
#include "minimal_writer.h"
#include "wcbor.h"

static void *create(int mode) {
    static minimal_writer writers[8];
    static unsigned count;
    (void)mode;
    return &writers[count++];
}

static const uint8_t *result(void *writer, size_t *nbytes) {
    const minimal_writer *w = writer;
    *nbytes = (size_t)(w->next - w->out);
    return w->out;
}

static int copy(const minimal_writer *writer, void *to, size_t capacity) {
    size_t nbytes;
    return minimal_copy(writer, to, capacity, &nbytes);
}

#define NAME(document)                    run_minimal_##document
#define WRITER                            minimal_writer
#define DRIVER                            bench_minimal
#define DRIVER_NAME                       "minimal"
#define RESET()                           minimal_reset(w)
#define WRITE_TEXT(text, nbytes)          minimal_text(w, text, nbytes)
#define WRITE_START_ARRAY(count)          minimal_start_array(w, count)
#define WRITE_START_MAP(count)            minimal_start_map(w, count)
#define WRITE_START_INDEFINITE_MAP(count) minimal_start_map(w, count)
#define WRITE_END_ARRAY()                 minimal_end_array(w)
#define WRITE_END_MAP()                   minimal_end_map(w)
#define COPY(to, capacity)                copy(w, to, capacity)

#include "drive.h"
