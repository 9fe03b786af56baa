/*
 * Random calls on the writer and on the reference writer, which must agree after each of them.
 *
 *     differential [calls] [seed]         on a difference prints the calls that lead to it, made few, and exits with 1
 *     differential --dump calls [seed]    prints sequences and what must come of them, one JSON object a line:
 *         {"mode","convert","multipleRoots","maxDepth","calls":[[name,number,flag,bytes,
 *          status,nbytes,depth,complete]...],"hex"}     numbers and bytes in hexadecimal, bytes null for the null argument; "hex" null when not complete
 *
 * The same seed always gives the same calls.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subjects.h"

typedef struct totals {
    uint64_t calls, failures, sequences, documents;
    uint64_t statuses[256];
} totals;

static void count_call(totals *t, wcbor_status status, bool is_document) {
    t->calls++;
    t->failures += status != WCBOR_OK;
    t->statuses[status & 255]++;
    t->documents += is_document;
}

/* ------------------------------------------------------------------------------------- a difference found */

/* Runs the first `count` calls on new writers; whether they come to a difference, which is then in all->difference. */
static bool differs_again(subjects *all, const sequence *s, uint64_t batch_seed, size_t *count) {
    bool same = true;
    subjects_init(all, s, batch_seed);
    for (size_t i = 0; i < *count && same; i++) {
        same = subjects_step(all, &s->calls[i]);
        if (!same) *count = i + 1;
    }
    if (same) same = subjects_flush(all);
    subjects_free(all);
    return !same;
}

/* Leaves out what may be left out while there is still a difference. */
static void reduce(subjects *all, sequence *s, uint64_t batch_seed) {
    call *kept = malloc(s->count * sizeof *kept);
    if (kept == NULL) abort();
    if (!differs_again(all, s, batch_seed, &s->count)) printf("the difference does not come again\n");
    for (size_t chunk = s->count / 2; chunk > 0; chunk /= 2) {
        for (size_t at = 0; at + chunk <= s->count;) {
            size_t before = s->count;
            memcpy(kept, s->calls, before * sizeof *kept);
            memmove(s->calls + at, s->calls + at + chunk, (before - at - chunk) * sizeof *kept);
            s->count = before - chunk;
            if (differs_again(all, s, batch_seed, &s->count)) continue;
            memcpy(s->calls, kept, before * sizeof *kept);
            s->count = before;
            at += chunk;
        }
    }
    free(kept);
    differs_again(all, s, batch_seed, &s->count);
}

static void print_difference(subjects *all, sequence *s, uint64_t batch_seed) {
    static const char *const modes[] = {"lax", "strict", "canonical", "ctap2", "deterministic", "dag-cbor", "dcbor"};
    char first[sizeof all->difference];
    memcpy(first, all->difference, sizeof first);
    subjects_free(all);
    reduce(all, s, batch_seed);
    printf("mode %s, convert %d, several roots %d, max depth %d, capacity %u\n", modes[s->mode], s->convert,
           s->multiple_roots, (int)s->max_depth, s->capacity);
    for (size_t i = 0; i < s->count; i++) {
        printf("%4zu  ", i);
        call_print(&s->calls[i]);
    }
    printf("%s\n(at first: %s)\n", all->difference, first);
}

/* ------------------------------------------------------------------------------------------------ running */

/* The next call of the sequence: towards the end of a document when `closing`. */
static const call *next_call(sequence *s, random_state *r, const reference_writer *reference, bool closing) {
    reference_view view = reference_look(reference);
    return closing ? sequence_add_closing(s, r, view) : sequence_add(s, r, view);
}

typedef bool (*stepper)(void *self, const call *the_call);

/* Documents one after the other on the same writer, each some random calls and then mostly brought to its end. */
static bool make_documents(sequence *s, random_state *r, const reference_writer *reference, stepper step, void *self) {
    uint32_t documents = 1 + random_below(r, 6);
    for (uint32_t i = 0; i < documents; i++) {
        uint32_t ncalls = random_chance(r, s->is_wide ? 40 : 98) ? 1 + random_below(r, 60) : 200 + random_below(r, 500);
        for (uint32_t k = 0; k < ncalls && sequence_has_room(s); k++) {
            if (!step(self, next_call(s, r, reference, false))) return false;
        }
        uint32_t closing = random_chance(r, 85) ? 120 : 0;
        for (uint32_t k = 0; k < closing && !reference_is_complete(reference) && sequence_has_room(s); k++) {
            if (!step(self, next_call(s, r, reference, true))) return false;
        }
        if (!step(self, sequence_add_plain(s, CALL_RESULT))) return false;
        if (i + 1 < documents && !step(self, sequence_add_plain(s, CALL_RESET))) return false;
    }
    return true;
}

typedef struct run {
    subjects *all;
    totals *sums;
} run;

static bool step_run(void *self, const call *c) {
    run *the_run = self;
    bool same = subjects_step(the_run->all, c);
    if (!same) return false;
    bool is_document = c->op == CALL_RESULT && the_run->all->status == WCBOR_OK;
    count_call(the_run->sums, the_run->all->status, is_document);
    return true;
}

static int compare_all(uint64_t ncalls, uint64_t seed) {
    static subjects all;
    totals sums = {0};
    sequence s;
    sequence_init(&s);
    while (sums.calls < ncalls) {
        random_state r = {seed + (++sums.sequences << 20)};
        uint64_t batch_seed = random_bits(&r);
        run the_run = {&all, &sums};
        sequence_begin(&s, &r);
        subjects_init(&all, &s, batch_seed);
        if (!make_documents(&s, &r, all.reference, step_run, &the_run) || !subjects_flush(&all)) {
            printf("difference in sequence %" PRIu64 " of seed %" PRIu64 "\n", sums.sequences, seed);
            print_difference(&all, &s, batch_seed);
            sequence_free(&s);
            return 1;
        }
        subjects_free(&all);
    }
    sequence_free(&s);
    printf("%" PRIu64 " calls in %" PRIu64 " sequences, %" PRIu64 " failing (%.1f %%), %" PRIu64 " documents\n",
           sums.calls, sums.sequences, sums.failures, 100.0 * (double)sums.failures / (double)sums.calls,
           sums.documents);
    for (int status = 0; status < 256; status++) {
        if (sums.statuses[status] == 0) continue;
        printf("%12" PRIu64 " %s\n", sums.statuses[status], wcbor_status_name((wcbor_status)status));
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------------ dumping */

static void print_hex(const uint8_t *bytes, size_t nbytes) {
    putchar('"');
    for (size_t i = 0; i < nbytes; i++)
        printf("%02x", bytes[i]);
    putchar('"');
}

/*
 * The call as JavaScript can make it: a NaN there has one form, and a time is a number, in which an integer
 * is exact up to 2^53.
 */
static call portable(const call *c) {
    call same = *c;
    uint64_t n = c->number;
    switch (c->op) {
    case CALL_HALF: same.number = (n & 0x7fff) > 0x7c00 ? 0x7e00 : n; break;
    case CALL_SINGLE: same.number = (n & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : n; break;
    case CALL_DOUBLE:
        same.number = (n & INT64_MAX) > UINT64_C(0x7ff0000000000000) ? UINT64_C(0x7ff8000000000000) : n;
        break;
    case CALL_UNIX_TIME: same.number = n % (UINT64_C(1) << 53); break;
    default: break;
    }
    return same;
}

typedef struct dump {
    reference_writer *reference;
    uint64_t calls;
    bool is_first;
} dump;

static bool step_dump(void *self, const call *random_call) {
    dump *d = self;
    call made = portable(random_call), *c = &made;
    wcbor_status status = reference_call(d->reference, c);
    printf("%s[\"%s\",\"%" PRIx64 "\",%d,", d->is_first ? "" : ",", call_name(c->op), c->number, c->flag);
    if (c->bytes == NULL && c->nbytes > 0)
        printf("null");
    else
        print_hex(c->bytes, c->nbytes);
    printf(",\"%s\",%zu,%u,%d]", wcbor_status_name(status), reference_nbytes(d->reference),
           reference_depth(d->reference), reference_is_complete(d->reference));
    d->is_first = false;
    d->calls++;
    return true;
}

static int dump_all(uint64_t ncalls, uint64_t seed) {
    static const char *const modes[] = {"lax", "strict", "canonical", "ctap2", "deterministic", "dag-cbor", "dcbor"};
    sequence s;
    dump d = {0};
    sequence_init(&s);
    for (uint64_t i = 1; d.calls < ncalls; i++) {
        random_state r = {seed + (i << 20)};
        (void)random_bits(&r); /* what compare_all takes for its batches */
        sequence_begin(&s, &r);
        d.reference = reference_new(s.mode, s.convert, s.multiple_roots, s.max_depth);
        d.is_first = true;
        printf("{\"mode\":\"%s\",\"convert\":%s,\"multipleRoots\":%s,\"maxDepth\":%d,\"calls\":[", modes[s.mode],
               s.convert ? "true" : "false", s.multiple_roots ? "true" : "false",
               s.max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (int)s.max_depth);
        make_documents(&s, &r, d.reference, step_dump, &d);
        printf("],\"hex\":");
        if (reference_is_complete(d.reference))
            print_hex(reference_bytes(d.reference), reference_nbytes(d.reference));
        else
            printf("null");
        printf("}\n");
        reference_free(d.reference);
    }
    sequence_free(&s);
    return 0;
}

int main(int argc, char **argv) {
    bool is_dump = argc > 1 && strcmp(argv[1], "--dump") == 0;
    argc -= is_dump, argv += is_dump;
    uint64_t ncalls = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    return is_dump ? dump_all(ncalls, seed) : compare_all(ncalls, seed);
}
