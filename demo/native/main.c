/* Writes a small document from C and prints it in hexadecimal. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wcbor.h>

/* Memory from malloc, for documents that outgrow the buffer on the stack. */
static void *reallocate(void *context, void *block, size_t nbytes) {
    (void)context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, nbytes);
}

static wcbor_status write_text(wcbor_writer *writer, const char *text) {
    return wcbor_write_text(writer, text, strlen(text));
}

/* {"id": 7, "name": "pump", "on": true, "readings": [20.5, 21.25, -3.0]}, its readings in a list of unknown length. */
static wcbor_status write_document(wcbor_writer *writer) {
    static const double readings[] = {20.5, 21.25, -3};
    wcbor_status status;
    if ((status = wcbor_write_start_map(writer, 4))) return status;
    if ((status = write_text(writer, "id"))) return status;
    if ((status = wcbor_write_uint64(writer, 7))) return status;
    if ((status = write_text(writer, "name"))) return status;
    if ((status = write_text(writer, "pump"))) return status;
    if ((status = write_text(writer, "on"))) return status;
    if ((status = wcbor_write_bool(writer, true))) return status;
    if ((status = write_text(writer, "readings"))) return status;
    if ((status = wcbor_write_start_indefinite_array(writer))) return status;
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        if ((status = wcbor_write_double(writer, readings[i]))) return status;
    }
    if ((status = wcbor_write_end_array(writer))) return status;
    return wcbor_write_end_map(writer);
}

int main(void) {
    wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
    options.reallocate = reallocate;

    uint8_t buffer[16];
    wcbor_writer writer;
    wcbor_status status = wcbor_writer_init(&writer, &options, buffer, sizeof buffer);
    if (status) {
        fprintf(stderr, "wcbor: %s\n", wcbor_status_name(status));
        return 1;
    }

    const uint8_t *bytes;
    size_t nbytes;
    status = write_document(&writer);
    if (!status) status = wcbor_writer_result(&writer, &bytes, &nbytes);
    if (status) {
        fprintf(stderr, "wcbor: %s\n", wcbor_status_name(status));
    } else {
        for (size_t i = 0; i < nbytes; i++) printf("%02" PRIx8, bytes[i]);
        putchar('\n');
    }
    wcbor_writer_free(&writer);
    return status ? 1 : 0;
}
