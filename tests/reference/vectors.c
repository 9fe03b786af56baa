#include "vectors.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"

/* ----------------------------------------------------------------------------------------------- the file */

typedef struct reader {
    char *next; /* in the file's text, in which the fields are cut apart */
    vector_row *rows;
    size_t count;
} reader;

static void die(const char *what, const char *where) {
    fprintf(stderr, "vectors: %s: %s\n", what, where);
    exit(2);
}

static void *allocate(size_t nbytes) {
    void *block = calloc(1, nbytes == 0 ? 1 : nbytes);
    if (block == NULL) die("no memory", "");
    return block;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) die("cannot open", path);
    size_t nbytes = 0, room = 1 << 16;
    char *text = NULL;
    for (;;) {
        text = realloc(text, room + 1);
        if (text == NULL) die("no memory", path);
        size_t got = fread(text + nbytes, 1, room - nbytes, file);
        nbytes += got;
        if (nbytes < room) break;
        room *= 2;
    }
    fclose(file);
    text[nbytes] = 0;
    return text;
}

/* The next field, up to a space or the end of its line. */
static char *field(reader *r) {
    char *start = r->next;
    while (*r->next != ' ' && *r->next != '\n' && *r->next != 0)
        r->next++;
    if (*r->next == 0) die("ends early", start);
    *r->next++ = 0;
    return start;
}

static uint64_t number(reader *r, int base) {
    char *text = field(r), *end;
    uint64_t value = *text == '-' ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);
    if (end == text || *end != 0) die("not a number", text);
    return value;
}

static unsigned digit(char c) {
    const char *digits = "0123456789abcdef", *at = c == 0 ? NULL : strchr(digits, c);
    if (at == NULL) die("not a hexadecimal digit", "");
    return (unsigned)(at - digits);
}

/* Bytes in hex; "-" is none. Each piece has its own memory, so that a tool sees when it is read past its end. */
static uint8_t *bytes_of(const char *hex, size_t *nbytes) {
    *nbytes = strcmp(hex, "-") == 0 ? 0 : strlen(hex) / 2;
    uint8_t *bytes = malloc(*nbytes == 0 ? 1 : *nbytes);
    if (bytes == NULL) die("no memory", "");
    for (size_t i = 0; i < *nbytes; i++)
        bytes[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return bytes;
}

wcbor_status vectors_status_of(const char *name) {
    for (int status = 0; status < 256; status++) {
        if (strcmp(wcbor_status_name((wcbor_status)status), name) == 0) return (wcbor_status)status;
    }
    die("no status", name);
    return WCBOR_OK;
}

static void read_call(reader *r, vector_row *row) {
    call *c = &row->calls[row->ncalls++];
    c->index = (uint32_t)number(r, 10);
    const char *name = field(r);
    c->op = call_op_of(name, strlen(name));
    if (c->op == CALL_OPS_) die("unknown call", name);
    c->number = number(r, 16);
    c->flag = number(r, 10) != 0;
    const char *hex = field(r);
    if (strcmp(hex, "null") == 0)
        c->nbytes = 1;
    else
        c->bytes = bytes_of(hex, &c->nbytes);
}

static size_t lines_of_row(const char *text) {
    size_t count = 0;
    while (strncmp(text, "end\n", 4) != 0) {
        text = strchr(text, '\n');
        if (text++ == NULL) die("no end", "");
        count++;
    }
    return count;
}

static void read_row(reader *r) {
    vector_row *row = &r->rows[r->count++];
    size_t nlines = lines_of_row(r->next);
    row->calls = allocate(nlines * sizeof *row->calls);
    row->failures = allocate(nlines * sizeof *row->failures);
    for (;;) {
        const char *keyword = field(r);
        if (strcmp(keyword, "row") == 0) {
            snprintf(row->id, sizeof row->id, "%s", field(r));
            row->mode = (wcbor_mode)number(r, 10);
            row->convert = number(r, 10) != 0;
            row->multiple_roots = number(r, 10) != 0;
            row->max_depth = (int32_t)number(r, 10);
        } else if (strcmp(keyword, "call") == 0) {
            read_call(r, row);
        } else if (strcmp(keyword, "fail") == 0) {
            vector_failure *failure = &row->failures[row->nfailures++];
            failure->index = (uint32_t)number(r, 10);
            failure->status = vectors_status_of(field(r));
        } else if (strcmp(keyword, "state") == 0) {
            row->stops = true;
            row->nbytes = (size_t)number(r, 10);
            row->depth = (uint32_t)number(r, 10);
            row->is_complete = number(r, 10) != 0;
        } else if (strcmp(keyword, "hex") == 0) {
            row->has_document = true;
            row->document = bytes_of(field(r), &row->document_nbytes);
        } else if (strcmp(keyword, "digest") == 0) {
            size_t digest_nbytes;
            row->has_document = row->has_digest = true;
            row->document_nbytes = (size_t)number(r, 10);
            row->document = bytes_of(field(r), &digest_nbytes);
        } else if (strcmp(keyword, "end") == 0) {
            return;
        } else {
            die("unknown line", keyword);
        }
    }
}

const vector_row *vectors_load(const char *path, size_t *count) {
    static reader r; /* static, so that what it leads to is no leak */
    char *text = read_file(path);
    r.next = text;
    if (strcmp(field(&r), "rows") != 0) die("no rows", path);
    *count = (size_t)number(&r, 10);
    r.rows = allocate(*count * sizeof *r.rows);
    while (r.count < *count)
        read_row(&r);
    free(text);
    return r.rows;
}

/* ------------------------------------------------------------------------------------------------ one row */

static char complaint[256];

static const char *complain(const vector_row *row, const char *format, ...) {
    va_list arguments;
    int start = snprintf(complaint, sizeof complaint, "row %s: ", row->id);
    va_start(arguments, format);
    vsnprintf(complaint + start, sizeof complaint - (size_t)start, format, arguments);
    va_end(arguments);
    return complaint;
}

bool vectors_is_document(const vector_row *row, const uint8_t *bytes, size_t nbytes) {
    uint8_t digest[32];
    if (nbytes != row->document_nbytes) return false;
    if (!row->has_digest) return nbytes == 0 || memcmp(bytes, row->document, nbytes) == 0;
    sha256(bytes, nbytes, digest);
    return memcmp(digest, row->document, sizeof digest) == 0;
}

static const char *check_stop(const vector_row *row, const vector_subject *s) {
    size_t nbytes = s->nbytes(s->self);
    uint32_t depth = s->depth(s->self);
    bool is_complete = s->is_complete(s->self);
    if (nbytes == row->nbytes && depth == row->depth && is_complete == row->is_complete) return NULL;
    return complain(row, "after the failure %zu bytes, depth %u, complete %d; not %zu, %u, %d", nbytes, depth,
                    is_complete, row->nbytes, row->depth, row->is_complete);
}

const char *vectors_run(const vector_row *row, const vector_subject *s) {
    size_t failed = 0;
    for (size_t i = 0; i < row->ncalls; i++) {
        uint32_t index = row->calls[i].index;
        wcbor_status status = s->apply(s->self, &row->calls[i]);
        if (status == WCBOR_OK) continue;
        const char *name = wcbor_status_name(status);
        if (failed == row->nfailures) return complain(row, "call %u failed with %s", index, name);
        vector_failure expected = row->failures[failed++];
        if (expected.index != index || expected.status != status) {
            return complain(row, "call %u failed with %s, not call %u with %s", index, name, expected.index,
                            wcbor_status_name(expected.status));
        }
        if (row->stops) return check_stop(row, s);
        while (i + 1 < row->ncalls && row->calls[i + 1].index == index)
            i++;
    }
    if (failed < row->nfailures) return complain(row, "call %u did not fail", row->failures[failed].index);
    if (!row->has_document) return NULL;
    if (!s->is_complete(s->self)) return complain(row, "is not complete");
    if (!vectors_is_document(row, s->document(s->self), s->nbytes(s->self))) return complain(row, "other bytes");
    return NULL;
}
