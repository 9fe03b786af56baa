/* wcbor_validate: the first fault of a document, in every mode, and where it is. */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"

typedef struct row {
    unsigned mode, sequence;
    char hex[256], status[48];
    size_t offset; /* of the fault, or where the item ends */
    unsigned missing;
} row;

static row rows[400];
static size_t row_count;

/* A row to a line: mode, sequence or not, hex, status, offset, missing. */
static void load(const char *path) {
    static char line[1024];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        assert_true(row_count < sizeof rows / sizeof *rows);
        row *r = &rows[row_count++];
        assert_int_equal(sscanf(line, "%u %u %255s %47s %zu %u", &r->mode, &r->sequence, r->hex, r->status, &r->offset,
                                &r->missing), 6);
    }
    fclose(file);
}

static uint8_t digit(char c) {
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static size_t bytes_of(const char *hex, uint8_t *bytes) {
    size_t nbytes = strlen(hex) / 2;
    for (size_t i = 0; i < nbytes; i++) bytes[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    return nbytes;
}

static void check(const row *r) {
    uint8_t bytes[256], *end = bytes + sizeof bytes, *at;
    size_t nbytes = strcmp(r->hex, "-") == 0 ? 0 : bytes_of(r->hex, bytes), offset = 99;
    uint64_t missing = 99;
    at = memmove(end - nbytes, bytes, nbytes);
    wcbor_reader_options options = WCBOR_READER_OPTIONS_DEFAULT;
    options.mode = (wcbor_mode)r->mode;
    options.allow_multiple_roots = r->sequence != 0;
    wcbor_status status = wcbor_validate(at, nbytes, &options, &offset, &missing);
    if (strcmp(wcbor_status_name(status), r->status) != 0 || offset != r->offset || missing != r->missing) {
        fail_msg("mode %u, %s: %s at %zu, %u missing; not %s at %zu, %u missing", r->mode, r->hex,
                 wcbor_status_name(status), offset, (unsigned)missing, r->status, r->offset,
                 r->missing);
    }
}

static void test_rows(void **state) {
    (void)state;
    assert_true(row_count > 100);
    for (size_t i = 0; i < row_count; i++) check(&rows[i]);
}

static void test_depth(void **state) {
    (void)state;
    static uint8_t bytes[3000];
    size_t offset;
    hook memory = {0};
    wcbor_reader_options options = {WCBOR_MODE_STRICT, false, false, -1, hook_reallocate, &memory, 1};
    memset(bytes, 0x81, sizeof bytes);
    bytes[1000] = 0;
    assert_status(WCBOR_OK, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_int_equal(offset, 1001);
    bytes[1000] = 0x81;
    assert_status(WCBOR_DEPTH_EXCEEDED, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_int_equal(offset, 1000);
    options.max_depth = 0;
    assert_status(WCBOR_DEPTH_EXCEEDED, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_status(WCBOR_OK, wcbor_validate("\x01", 1, &options, &offset, NULL));
    assert_status(WCBOR_DEPTH_EXCEEDED, wcbor_validate("\x5f\xff", 2, &options, &offset, NULL));
    options.max_depth = -1;
    options.reallocate = NULL;
    bytes[16] = 0;
    assert_status(WCBOR_OK, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    bytes[16] = 0x81;
    assert_status(WCBOR_OUT_OF_MEMORY, wcbor_validate(bytes, sizeof bytes, &options, &offset, NULL));
    assert_int_equal(memory.blocks, 0);
}

static void test_options(void **state) {
    (void)state;
    size_t offset;
    wcbor_reader_options options = WCBOR_READER_OPTIONS_DEFAULT;
    options.max_depth = -2;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_validate("", 0, &options, &offset, NULL));
    options.max_depth = -1;
    options.mode = WCBOR_MODE_DAG_CBOR;
    options.allow_multiple_roots = true;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_validate("", 0, &options, &offset, NULL));
    options.allow_multiple_roots = false;
    options.is_partial = true;
    assert_status(WCBOR_LAX_ONLY, wcbor_validate("", 0, &options, &offset, NULL));
    options.mode = (wcbor_mode)7;
    assert_status(WCBOR_OPTION_OUT_OF_RANGE, wcbor_validate("", 0, &options, &offset, NULL));
    assert_status(WCBOR_NULL_ARGUMENT, wcbor_validate(NULL, 1, NULL, &offset, NULL));
    assert_status(WCBOR_UNEXPECTED_END, wcbor_validate(NULL, 0, NULL, &offset, NULL));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_options),
    };
    if (argc != 2) return 2;
    load(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
