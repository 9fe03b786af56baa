/*
 * bench_writer - times the writers on the documents.
 *
 *     bench_writer --check              writes every document once with each and compares the bytes: 0 if all agree
 *     bench_writer --time ROUNDS        lines "document writer samples...", one sample of each round, in nanoseconds
 *                                       for one document
 *     bench_writer --count TIMES        runs every document TIMES times with each writer, twice: for callgrind
 *
 * All writers are measured in slices of a tenth of a millisecond that take turns, so that whatever else the machine
 * does falls on all of them.
 */
#include "driver.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DRIVERS = 3, SLICE_NS = 100000 };

uint8_t bench_span[1024];

static const bench_driver *const drivers[DRIVERS] = {&bench_baseline, &bench_ours, &bench_minimal};

/* One document by one writer. */
typedef struct plan {
    const bench_driver *driver;
    const bench_document *document;
    void *writer;
    long times; /* runs that fill a slice */
    double *samples;
} plan;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool is_expected(const bench_document *document, const uint8_t *bytes, size_t nbytes) {
    if (bytes == NULL || strlen(document->hex) != nbytes * 2) return false;
    for (size_t i = 0; i < nbytes; i++) {
        char hex[3];
        snprintf(hex, sizeof hex, "%02x", bytes[i]);
        if (memcmp(hex, document->hex + 2 * i, 2) != 0) return false;
    }
    return true;
}

static bool make_plan(plan *p, const bench_driver *driver, const bench_document *document) {
    *p = (plan){driver, document, driver->create(document->mode), 1, NULL};
    bool right = p->writer != NULL && document->run(p->writer, 1) == 0;
    if (right) {
        size_t nbytes = 0;
        const uint8_t *bytes = driver->result(p->writer, &nbytes);
        right = is_expected(document, bytes, nbytes);
    }
    if (!right) fprintf(stderr, "%s by %s: not the expected bytes\n", document->name, driver->name);
    return right;
}

static double slice(const plan *p) {
    double start = now();
    if (p->document->run(p->writer, p->times) != 0) abort();
    return (now() - start) / (double)p->times;
}

static void measure(plan *plans, unsigned count, unsigned rounds) {
    for (unsigned i = 0; i < count; i++) {
        plan *p = &plans[i];
        p->samples = malloc(rounds * sizeof(double));
        if (p->samples == NULL) abort();
        for (double ns = 0; ns * (double)p->times < (double)SLICE_NS;) {
            p->times *= 2;
            ns = slice(p);
        }
    }
    for (unsigned round = 0; round < rounds; round++) {
        /* Each round begins with another one, so that none always follows the same neighbour. */
        for (unsigned turn = 0; turn < count; turn++) {
            plan *p = &plans[(round + turn) % count];
            p->samples[round] = slice(p);
        }
    }
    for (unsigned i = 0; i < count; i++) {
        plan *p = &plans[i];
        printf("%s %s", p->document->name, p->driver->name);
        for (unsigned round = 0; round < rounds; round++) printf(" %.1f", p->samples[round]);
        putchar('\n');
        free(p->samples);
    }
}

int main(int argc, char **argv) {
    const char *command = argc > 1 ? argv[1] : "--check";
    long number = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    plan plans[BENCH_DOCUMENTS * DRIVERS];
    unsigned count = 0;
    bool right = true;
    for (unsigned document = 0; document < BENCH_DOCUMENTS; document++) {
        for (unsigned driver = 0; driver < DRIVERS; driver++)
            right &= make_plan(&plans[count++], drivers[driver], &drivers[driver]->documents[document]);
    }
    if (!right) return 1;
    if (strcmp(command, "--check") == 0) return 0;
    if (number <= 0 || number > 1000000) return 2;
    if (strcmp(command, "--count") == 0) {
        for (unsigned i = 0; i < count; i++) {
            /* The first of the two warms up. */
            if (plans[i].document->run(plans[i].writer, number) != 0) return 1;
            if (plans[i].document->run(plans[i].writer, number) != 0) return 1;
        }
        return 0;
    }
    if (strcmp(command, "--time") != 0) return 2;
    measure(plans, count, (unsigned)number);
    return 0;
}
