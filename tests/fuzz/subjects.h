/*
 * subjects.h - the reference and what must do as it does, call by call: the writer's own calls, command streams of one
 * command each, and command streams of many.
 */
#ifndef WCBOR_TEST_SUBJECTS_H
#define WCBOR_TEST_SUBJECTS_H

#include "command.h"
#include "reference_writer.h"
#include "sequence.h"

typedef struct subjects {
    reference_writer *reference;
    wcbor_writer direct, single, batched;
    command_buffer one, batch;
    uint32_t until_failure; /* growths of `direct` that succeed before one does not */
    uint64_t batch_bits;    /* decides where batches end, and how their strings are handed over */
    wcbor_status status;    /* the reference's, of the last call */
    char difference[512];   /* what the last call did otherwise */
} subjects;

/* Writers with the sequence's options. `batch_seed` decides how calls are batched. */
void subjects_init(subjects *all, const sequence *s, uint64_t batch_seed);
void subjects_free(subjects *all);

/*
 * Makes the call on all of them. False when one differs in its status, bytes written, depth or completeness,
 * or in the document when it is complete. The writer runs out of memory now and then, which must change
 * nothing; the call is then made again. A batch is compared when it ends: after some calls, and after one
 * that fails, with a few commands behind it, which must be dropped.
 */
bool subjects_step(subjects *all, const call *the_call);

/* Ends the batch and compares. */
bool subjects_flush(subjects *all);

#endif
