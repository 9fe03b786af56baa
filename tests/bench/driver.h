/*
 * driver.h - what main.c knows of a writer under measurement. Each drive_*.c defines one of these by including drive.h.
 */
#ifndef WCBOR_BENCH_DRIVER_H
#define WCBOR_BENCH_DRIVER_H

#include <stddef.h>
#include <stdint.h>

enum { BENCH_DOCUMENTS = 6 };

typedef struct bench_document {
    const char *name;
    const char *hex; /* what has to come of it */
    int mode;        /* a wcbor_mode */
    /* Writes the document so many times, each time from a reset on. 0 when no call failed. */
    int (*run)(void *writer, long times);
} bench_document;

typedef struct bench_driver {
    const char *name;
    /* A writer in this mode, with conversion of indefinite lengths. It lives as long as the process. */
    void *(*create)(int mode);
    /* The document of the last run. */
    const uint8_t *(*result)(void *writer, size_t *nbytes);
    bench_document documents[BENCH_DOCUMENTS];
} bench_driver;

extern const bench_driver bench_baseline, bench_minimal, bench_ours;

/* Where COPY_OUT puts the document. */
extern uint8_t bench_span[1024];

#endif
