/* drive_baseline.c - the plain design. */
#include "baseline_writer.h"

static void *create(int mode) {
    static baseline_writer writers[8];
    static unsigned count;
    baseline_writer *writer = &writers[count++];
    return baseline_init(writer, (wcbor_mode)mode, true, false, -1) == WCBOR_OK ? writer : NULL;
}

static const uint8_t *result(void *writer, size_t *nbytes) {
    const baseline_writer *w = writer;
    if (!baseline_is_complete(w)) return NULL;
    *nbytes = w->offset;
    return w->buffer;
}

static wcbor_status copy(const baseline_writer *writer, void *to, size_t capacity) {
    size_t nbytes;
    return baseline_copy(writer, to, capacity, &nbytes);
}

#define NAME(document)                    run_baseline_##document
#define WRITER                            baseline_writer
#define DRIVER                            bench_baseline
#define DRIVER_NAME                       "baseline"
#define RESET()                           baseline_reset(w)
#define WRITE_TEXT(text, nbytes)          baseline_write_text(w, text, nbytes)
#define WRITE_START_ARRAY(count)          baseline_write_start_array(w, count)
#define WRITE_START_MAP(count)            baseline_write_start_map(w, count)
#define WRITE_START_INDEFINITE_MAP(count) baseline_write_start_indefinite_map(w)
#define WRITE_END_ARRAY()                 baseline_write_end_array(w)
#define WRITE_END_MAP()                   baseline_write_end_map(w)
#define COPY(to, capacity)                copy(w, to, capacity)

#include "drive.h"
