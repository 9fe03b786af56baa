#include "subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `context` is NULL, or how many calls succeed before all fail. */
static void *reallocate(void *context, void *block, size_t nbytes) {
    uint32_t *until_failure = context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    if (until_failure != NULL && *until_failure == 0) return NULL;
    if (until_failure != NULL) --*until_failure;
    return realloc(block, nbytes);
}

static void start(wcbor_writer *writer, const sequence *s, uint32_t *until_failure) {
    wcbor_writer_options options = {s->mode,    s->convert,    s->multiple_roots,  s->max_depth,
                                    reallocate, until_failure, UINT64_C(0x1234567)};
    if (wcbor_writer_init(writer, &options, NULL, 0) != WCBOR_OK) abort();
    if (s->capacity > 0 && wcbor_writer_reserve(writer, s->capacity) != WCBOR_OK) abort();
}

void subjects_init(subjects *all, const sequence *s, uint64_t batch_seed) {
    all->until_failure = UINT32_MAX;
    start(&all->direct, s, &all->until_failure);
    start(&all->single, s, NULL);
    start(&all->batched, s, NULL);
    all->until_failure = (uint32_t)(batch_seed >> 32) % 8;
    all->reference = reference_new(s->mode, s->convert, s->multiple_roots, s->max_depth);
    if (all->reference == NULL) abort();
    all->batch_bits = batch_seed;
    command_clear(&all->one);
    command_clear(&all->batch);
}

void subjects_free(subjects *all) {
    wcbor_writer_free(&all->direct);
    wcbor_writer_free(&all->single);
    wcbor_writer_free(&all->batched);
    reference_free(all->reference);
    command_free(&all->one);
    command_free(&all->batch);
}

static bool differs(subjects *all, const char *who, const char *what, long long got, long long expected) {
    snprintf(all->difference, sizeof all->difference, "%s: %s %lld, not %lld", who, what, got, expected);
    return false;
}

/* The writer against the reference, after the call that the latter answered with all->status. */
static bool compare(subjects *all, const char *who, const wcbor_writer *writer, wcbor_status status) {
    const reference_writer *reference = all->reference;
    if (status != all->status) {
        snprintf(all->difference, sizeof all->difference, "%s: %s, not %s", who, wcbor_status_name(status),
                 wcbor_status_name(all->status));
        return false;
    }
    size_t nbytes = reference_nbytes(reference);
    if (wcbor_writer_nbytes(writer) != nbytes) {
        return differs(all, who, "bytes written", (long long)wcbor_writer_nbytes(writer), (long long)nbytes);
    }
    if (wcbor_writer_depth(writer) != reference_depth(reference)) {
        return differs(all, who, "depth", wcbor_writer_depth(writer), reference_depth(reference));
    }
    bool is_complete = reference_is_complete(reference);
    if (wcbor_writer_is_complete(writer) != is_complete)
        return differs(all, who, "complete", !is_complete, is_complete);
    if (!is_complete) return true;
    const uint8_t *document = NULL, *expected = reference_bytes(reference);
    size_t document_nbytes = 0;
    if (wcbor_writer_result(writer, &document, &document_nbytes) != WCBOR_OK || document_nbytes != nbytes) {
        return differs(all, who, "document of bytes", (long long)document_nbytes, (long long)nbytes);
    }
    if (memcmp(document, expected, nbytes) == 0) return true;
    size_t at = 0;
    while (document[at] == expected[at])
        at++;
    return differs(all, who, "document differs at byte", (long long)at, (long long)nbytes);
}

/* ------------------------------------------------------------------------------------------------ batches */

/* A different number for each use of it. */
static unsigned next_bits(subjects *all) {
    all->batch_bits = all->batch_bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(all->batch_bits >> 40);
}

/* Runs the batch, whose last `junk` commands stand behind the one that fails, if `status` is a failure. */
static bool run_batch(subjects *all, wcbor_status status, size_t junk) {
    size_t count = all->batch.count, done = 0;
    if (count == 0) return true;
    size_t expected = status == WCBOR_OK ? count : count - junk - 1;
    wcbor_status got = command_run(&all->batched, &all->batch, 0, count, &done);
    command_clear(&all->batch);
    if (done != expected && got == status) {
        return differs(all, "batch", "failed at command", (long long)done, (long long)expected);
    }
    all->status = status;
    return compare(all, "batch", &all->batched, got);
}

bool subjects_flush(subjects *all) {
    return run_batch(all, WCBOR_OK, 0);
}

static bool step_batched(subjects *all, const call *c) {
    wcbor_status status = all->status;
    unsigned bits = next_bits(all);
    command_form form = (bits & 1) != 0 ? COMMAND_RUN : COMMAND_INLINE;
    if (!command_exists(c)) {
        /* The batch belongs to the calls before this one, which the reference has made already. */
        size_t done, count = all->batch.count;
        if (count > 0 && command_run(&all->batched, &all->batch, 0, count, &done) != WCBOR_OK) {
            return differs(all, "batch", "failed at command", (long long)done, (long long)count);
        }
        command_clear(&all->batch);
        return compare(all, "batch", &all->batched, call_apply(&all->batched, c));
    }
    command_append(&all->batch, c, form);
    if (status != WCBOR_OK) {
        size_t junk = bits >> 1 & 3;
        for (size_t i = 0; i < junk; i++)
            command_append(&all->batch, c, form);
        return run_batch(all, status, junk);
    }
    return (bits >> 3 & 15) != 0 || run_batch(all, status, 0);
}

/* ---------------------------------------------------------------------------------------------------- all */

static wcbor_status run_single(subjects *all, const call *c) {
    size_t done;
    command_clear(&all->one);
    if (!command_append(&all->one, c, c->index % 2 != 0 ? COMMAND_RUN : COMMAND_INLINE)) {
        return call_apply(&all->single, c);
    }
    return command_run(&all->single, &all->one, 0, 1, &done);
}

/* The call on a writer that may run out of memory; false when that changes it. */
static bool run_direct(subjects *all, const call *c, wcbor_status *status) {
    const wcbor_writer *writer = &all->direct;
    size_t nbytes = wcbor_writer_nbytes(writer);
    uint32_t depth = wcbor_writer_depth(writer);
    bool is_complete = wcbor_writer_is_complete(writer);
    *status = call_apply(&all->direct, c);
    if (*status != WCBOR_OUT_OF_MEMORY) return true;
    if (wcbor_writer_nbytes(writer) != nbytes || wcbor_writer_depth(writer) != depth ||
        wcbor_writer_is_complete(writer) != is_complete) {
        return differs(all, "writer", "changed by OUT_OF_MEMORY: bytes", (long long)wcbor_writer_nbytes(writer),
                       (long long)nbytes);
    }
    all->until_failure = UINT32_MAX;
    *status = call_apply(&all->direct, c);
    all->until_failure = (uint32_t)nbytes % 3;
    return true;
}

bool subjects_step(subjects *all, const call *c) {
    wcbor_status status;
    all->status = reference_call(all->reference, c);
    return run_direct(all, c, &status) && compare(all, "writer", &all->direct, status) &&
           compare(all, "command", &all->single, run_single(all, c)) && step_batched(all, c);
}
