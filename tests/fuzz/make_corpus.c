/*
 * Writes the committed corpus from the vectors: some rows, as the bytes that fuzz_interpreter, fuzz_writer and fuzz_reader
 * take.
 *
 *     make_corpus writer-vectors.txt reader-vectors.txt corpus
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "vectors.h"

enum { EVERY = 13, MOST_BYTES = 400 };

typedef struct output {
    uint8_t bytes[1 << 16];
    size_t nbytes;
} output;

static void put(output *to, const void *bytes, size_t nbytes) {
    if (to->nbytes + nbytes > sizeof to->bytes) abort();
    if (nbytes > 0) memcpy(to->bytes + to->nbytes, bytes, nbytes);
    to->nbytes += nbytes;
}

static void put_byte(output *to, unsigned byte) {
    uint8_t one = (uint8_t)byte;
    put(to, &one, 1);
}

static void put_number(output *to, uint64_t number, unsigned size) {
    while (size-- > 0)
        put_byte(to, (unsigned)(number >> (8 * size)) & 0xff);
}

static void save(const output *from, const char *directory, const char *target, const char *id) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", directory, target, id);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(from->bytes, 1, from->nbytes, file) != from->nbytes || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(2);
    }
}

/* The byte of options, of which the targets take the mode modulo 7, the flags above it included. */
static unsigned first_byte(const vector_row *row) {
    unsigned flags = (row->convert ? 0x20u : 0) + (row->multiple_roots ? 0x40u : 0), mode = (unsigned)row->mode;
    return flags + (mode + 7 - flags % 7) % 7;
}

static bool save_commands(const vector_row *row, const char *directory) {
    static output to;
    command_buffer commands = {0};
    for (size_t i = 0; i < row->ncalls; i++) {
        command_append(&commands, &row->calls[i], i % 2 != 0 ? COMMAND_RUN : COMMAND_INLINE);
    }
    bool is_small = commands.end.commands <= MOST_BYTES && commands.end.text < 64 && commands.end.side < 64;
    if (is_small && commands.count > 0) {
        to.nbytes = 0;
        put_byte(&to, first_byte(row));
        put_byte(&to, 0);
        put_byte(&to, row->max_depth >= 0 ? 0x80u | (unsigned)row->max_depth : 0);
        put_byte(&to, (unsigned)commands.end.text);
        put_byte(&to, (unsigned)commands.end.side);
        put(&to, commands.text, commands.end.text);
        put(&to, commands.side, commands.end.side);
        put(&to, commands.commands, commands.end.commands);
        save(&to, directory, "fuzz_interpreter", row->id);
    }
    command_free(&commands);
    return is_small;
}

static void put_call(output *to, const call *c) {
    unsigned size = c->number == 0 ? 0 : c->number < 256 ? 1 : c->number < 65536 ? 2 : 8;
    put_byte(to, c->op);
    switch (c->op) {
    case CALL_INT:
    case CALL_UINT:
    case CALL_NEGATIVE:
    case CALL_TAG:
    case CALL_UNIX_TIME:
    case CALL_START_ARRAY:
    case CALL_START_MAP:
    case CALL_DECIMAL:
        put_byte(to, size);
        put_number(to, c->number, size);
        break;
    case CALL_HALF: put_number(to, c->number, 2); break;
    case CALL_SINGLE: put_number(to, c->number, 4); break;
    case CALL_DOUBLE:
    case CALL_UNIX_TIME_DOUBLE: put_number(to, c->number, 8); break;
    case CALL_BOOL:
    case CALL_SIMPLE:
    case CALL_COPY: put_byte(to, (unsigned)c->number & 0xff); break;
    default: break;
    }
    if (c->op == CALL_DECIMAL || c->op == CALL_BIGNUM) put_byte(to, c->flag);
    if (c->bytes == NULL) return;
    put_byte(to, (unsigned)c->nbytes & 0xff);
    put(to, c->bytes, c->nbytes & 0xff);
}

static void save_calls(const vector_row *row, const char *directory) {
    static output to;
    to.nbytes = 0;
    put_byte(&to, first_byte(row));
    put_byte(&to, row->max_depth >= 0 ? 0x80u | (unsigned)row->max_depth : 0);
    put_byte(&to, 0);
    put_byte(&to, 7);
    for (size_t i = 0; i < row->ncalls && to.nbytes <= MOST_BYTES; i++)
        put_call(&to, &row->calls[i]);
    save(&to, directory, "fuzz_writer", row->id);
}

/* The documents of the reader's rows, each in a mode of its own, and with some calls. */
static size_t save_documents(const char *path, const char *directory) {
    static char line[16384], hex[8192];
    static output to;
    char id[16];
    size_t count = 0, saved = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "row %15s %*u %*u %*d %*u %8191s", id, hex) != 2 || count++ % EVERY != 0) continue;
        to.nbytes = 0;
        put_byte(&to, (unsigned)(count / EVERY % 7));
        put_byte(&to, 0);
        put_byte(&to, (unsigned)(count % 4));
        for (unsigned i = 0; i < count % 4; i++) put_byte(&to, (unsigned)((count / EVERY + i) % 40));
        for (const char *at = hex; at[0] != '-' && at[0] != 0 && at[1] != 0; at += 2) {
            char two[3] = {at[0], at[1], 0};
            put_byte(&to, (unsigned)strtoul(two, NULL, 16));
        }
        save(&to, directory, "fuzz_reader", id);
        saved++;
    }
    fclose(file);
    return saved;
}

int main(int argc, char **argv) {
    size_t count, saved = 0;
    if (argc != 4) return 2;
    const vector_row *rows = vectors_load(argv[1], &count);
    for (size_t i = 0; i < count; i += EVERY) {
        if (!save_commands(&rows[i], argv[3])) continue;
        save_calls(&rows[i], argv[3]);
        saved++;
    }
    saved += save_documents(argv[2], argv[3]);
    printf("%zu rows\n", saved);
    return 0;
}
