/*
 * Documents on both sides of every length at which a head gets longer: strings, arrays and maps, of known and unknown
 * size, in every mode, with and without conversion. What they must be is put together here, byte by byte.
 */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

typedef enum shape { SHAPE_BYTES, SHAPE_TEXT, SHAPE_ARRAY, SHAPE_MAP } shape;

/* One way to write a document. */
typedef struct variant {
    shape kind;
    wcbor_mode mode;
    bool convert;
    bool is_open;     /* by the calls for a size not known */
    bool is_backward; /* the pairs last to first, for the writer to sort */
} variant;

/* ------------------------------------------------------------------------------------- what must come out */

static uint8_t expected[1 << 21];
static size_t expected_nbytes;

static void make_head(unsigned major, size_t argument) {
    uint8_t *to = expected + expected_nbytes;
    int nbytes = argument < 24 ? 0 : argument < 256 ? 1 : argument < 65536 ? 2 : 4;
    *to++ = (uint8_t)(major << 5 | (nbytes == 0 ? argument : nbytes == 1 ? 24 : nbytes == 2 ? 25 : 26));
    for (int i = nbytes - 1; i >= 0; i--)
        *to++ = (uint8_t)(argument >> (8 * i));
    expected_nbytes = (size_t)(to - expected);
}

static void make(const void *bytes, size_t nbytes) {
    memcpy(expected + expected_nbytes, bytes, nbytes);
    expected_nbytes += nbytes;
}

static const size_t chunk_nbytes = 300;

static void make_string(unsigned major, size_t nbytes) {
    make_head(major, nbytes);
    memset(expected + expected_nbytes, 'a', nbytes);
    expected_nbytes += nbytes;
}

static void make_key(size_t i) {
    char key[32];
    int nbytes = snprintf(key, sizeof key, "k%zu", i);
    make_head(3, (size_t)nbytes);
    make(key, (size_t)nbytes);
}

static void make_document(const variant *v, size_t count) {
    static const unsigned majors[] = {2, 3, 4, 5};
    unsigned major = majors[v->kind];
    bool stays_open = v->is_open && !v->convert;
    expected_nbytes = 0;
    if (v->kind == SHAPE_BYTES || v->kind == SHAPE_TEXT) {
        if (!stays_open) {
            make_string(major, count);
            return;
        }
        expected[expected_nbytes++] = (uint8_t)(major << 5 | 31);
        for (size_t at = 0; at < count; at += chunk_nbytes) {
            make_string(major, count - at < chunk_nbytes ? count - at : chunk_nbytes);
        }
    } else {
        if (stays_open)
            expected[expected_nbytes++] = (uint8_t)(major << 5 | 31);
        else
            make_head(major, count);
        /* Shorter keys come before longer ones in every order there is, and these are written in that order. */
        for (size_t i = 0; i < count; i++) {
            if (v->kind == SHAPE_MAP) make_key(i);
            make_head(0, i);
        }
    }
    if (stays_open) expected[expected_nbytes++] = 0xff;
}

/* ------------------------------------------------------------------------------------------------ writing */

static uint8_t letters[1 << 17];

static void write_string(wcbor_writer *w, const variant *v, size_t nbytes) {
    const char *text = (const char *)letters;
    bool is_text = v->kind == SHAPE_TEXT;
    if (!v->is_open) {
        if (is_text)
            assert_ok(wcbor_write_text(w, text, nbytes));
        else
            assert_ok(wcbor_write_bytes(w, text, nbytes));
        return;
    }
    if (is_text)
        assert_ok(wcbor_write_start_indefinite_text(w));
    else
        assert_ok(wcbor_write_start_indefinite_bytes(w));
    for (size_t at = 0; at < nbytes; at += chunk_nbytes) {
        size_t chunk = nbytes - at < chunk_nbytes ? nbytes - at : chunk_nbytes;
        if (is_text)
            assert_ok(wcbor_write_text(w, text, chunk));
        else
            assert_ok(wcbor_write_bytes(w, text, chunk));
    }
    if (is_text)
        assert_ok(wcbor_write_end_indefinite_text(w));
    else
        assert_ok(wcbor_write_end_indefinite_bytes(w));
}

static void write_pair(wcbor_writer *w, size_t i) {
    char key[32];
    int nbytes = snprintf(key, sizeof key, "k%zu", i);
    assert_ok(wcbor_write_text(w, key, (size_t)nbytes));
    assert_ok(wcbor_write_uint64(w, i));
}

static void write_document(wcbor_writer *w, const variant *v, size_t count) {
    switch (v->kind) {
    case SHAPE_BYTES:
    case SHAPE_TEXT: write_string(w, v, count); break;
    case SHAPE_ARRAY:
        assert_ok(v->is_open ? wcbor_write_start_indefinite_array(w) : wcbor_write_start_array(w, count));
        for (size_t i = 0; i < count; i++)
            assert_ok(wcbor_write_uint64(w, i));
        assert_ok(wcbor_write_end_array(w));
        break;
    case SHAPE_MAP:
        assert_ok(v->is_open ? wcbor_write_start_indefinite_map(w) : wcbor_write_start_map(w, count));
        for (size_t i = 0; i < count; i++)
            write_pair(w, v->is_backward ? count - 1 - i : i);
        assert_ok(wcbor_write_end_map(w));
        break;
    }
}

static void *reallocate(void *context, void *block, size_t nbytes) {
    (void)context;
    if (nbytes > 0) return realloc(block, nbytes);
    free(block);
    return NULL;
}

static size_t check_document(const variant *v, size_t count) {
    wcbor_writer_options options = {v->mode, v->convert, false, -1, reallocate, NULL, 0};
    wcbor_writer writer;
    const uint8_t *bytes = NULL;
    size_t nbytes = 0;
    assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
    write_document(&writer, v, count);
    assert_ok(wcbor_writer_result(&writer, &bytes, &nbytes));
    make_document(v, count);
    if (nbytes != expected_nbytes || memcmp(bytes, expected, nbytes) != 0) {
        fail_msg("kind %d, mode %d, convert %d, open %d, backward %d, %zu entries: other bytes", v->kind, v->mode,
                 v->convert, v->is_open, v->is_backward, count);
    }
    wcbor_writer_free(&writer);
    return nbytes;
}

/* All ways to write a document; `most` of them fit. Returns how many there are. */
static size_t list_variants(variant *variants) {
    size_t count = 0;
    for (int kind = SHAPE_BYTES; kind <= SHAPE_MAP; kind++) {
        for (int mode = 0; mode <= WCBOR_MODE_DCBOR; mode++) {
            for (int bits = 0; bits < 8; bits++) {
                variant v = {(shape)kind, (wcbor_mode)mode, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
                bool sorts = mode >= WCBOR_MODE_CANONICAL;
                if (v.is_open && sorts && !v.convert) continue;
                if (v.is_backward && (v.kind != SHAPE_MAP || !sorts)) continue;
                variants[count++] = v;
            }
        }
    }
    return count;
}

/* Whether the variant is one of the 36 whose documents come to a total that is known from elsewhere. */
static bool is_in_known_total(const variant *v) {
    if (v->mode > WCBOR_MODE_CTAP2 || v->is_backward) return false;
    return v->kind >= SHAPE_ARRAY || (!v->is_open && !v->convert);
}

static void test_documents(void **state) {
    (void)state;
    variant variants[4 * 7 * 8];
    size_t count = list_variants(variants), documents = 0, known = 0, known_nbytes = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t entries = 0; entries <= 260; entries++) {
            if (entries > 30 && entries < 250) continue;
            size_t nbytes = check_document(&variants[i], entries);
            documents++;
            if (!is_in_known_total(&variants[i])) continue;
            known++;
            known_nbytes += nbytes;
        }
    }
    printf("%zu documents, of which %zu come to %zu bytes\n", documents, known, known_nbytes);
    assert_true(documents >= 1512);
    assert_int_equal(known, 1512);
    assert_int_equal(known_nbytes, 394032);
}

static void test_long_documents(void **state) {
    (void)state;
    variant variants[4 * 7 * 8];
    size_t count = list_variants(variants), documents = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t entries = 65535; entries <= 65536; entries++, documents++)
            check_document(&variants[i], entries);
    }
    printf("%zu documents\n", documents);
}

int main(void) {
    memset(letters, 'a', sizeof letters);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_long_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
