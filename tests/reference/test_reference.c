/* The reference writer passes all vectors too: it may be wrong only where they say nothing. */
#include <stdio.h>

#include "reference_writer.h"
#include "vectors.h"

static wcbor_status apply(void *self, const call *c) {
    return reference_call(self, c);
}

static size_t nbytes_of(void *self) {
    return reference_nbytes(self);
}

static uint32_t depth_of(void *self) {
    return reference_depth(self);
}

static bool is_complete(void *self) {
    return reference_is_complete(self);
}

static const uint8_t *document_of(void *self) {
    return reference_bytes(self);
}

int main(int argc, char **argv) {
    size_t count, failed = 0;
    if (argc != 2) return 2;
    const vector_row *rows = vectors_load(argv[1], &count);
    for (size_t i = 0; i < count; i++) {
        const vector_row *row = &rows[i];
        reference_writer *writer = reference_new(row->mode, row->convert, row->multiple_roots, row->max_depth);
        vector_subject subject = {writer, apply, nbytes_of, depth_of, is_complete, document_of};
        const char *complaint = vectors_run(row, &subject);
        if (complaint != NULL) printf("%s\n", complaint);
        failed += complaint != NULL;
        reference_free(writer);
    }
    printf("%zu rows, %zu failed\n", count, failed);
    return failed != 0 || count == 0;
}
