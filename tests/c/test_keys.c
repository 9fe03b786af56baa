/*
 * Maps of many keys: in order, backwards and shuffled, short and with a long common prefix. Nothing here
 * measures time; a look-up or a sort that takes n^2 steps for 100,000 keys runs into the time limit that
 * ctest sets.
 */
#include "script.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"

enum { MANY = 100000, PREFIX_NBYTES = 200 };

typedef enum order { IN_ORDER, BACKWARD, SHUFFLED, ORDERS } order;
typedef enum kind { SHORT_KEYS, LONG_KEYS, BYTES_OF_8, BYTES_OF_9, KINDS } kind;

static uint32_t numbers[MANY];

static void arrange(order how) {
    uint64_t bits = 12345;
    for (uint32_t i = 0; i < MANY; i++)
        numbers[i] = how == BACKWARD ? MANY - 1 - i : i;
    for (uint32_t i = MANY - 1; how == SHUFFLED && i > 0; i--) {
        bits = bits * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t other = (uint32_t)((bits >> 33) % (i + 1)), kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
}

/* The key of a number, all of the same length, so that their order is that of the numbers in every mode. */
static size_t make_key(char *key, kind of, uint32_t number) {
    switch (of) {
    case SHORT_KEYS: return (size_t)snprintf(key, 16, "%06u", (unsigned)number);
    case BYTES_OF_8: return (size_t)snprintf(key, 16, "%07u", (unsigned)number); /* encoded, 8 bytes */
    case BYTES_OF_9: return (size_t)snprintf(key, 16, "%08u", (unsigned)number);
    default:
        memset(key, 'p', PREFIX_NBYTES);
        return PREFIX_NBYTES + (size_t)snprintf(key + PREFIX_NBYTES, 16, "%06u", (unsigned)number);
    }
}

static void write_entry(wcbor_writer *writer, kind of, uint32_t number) {
    char key[PREFIX_NBYTES + 16];
    assert_ok(wcbor_write_text(writer, key, make_key(key, of, number)));
    assert_ok(wcbor_write_uint64(writer, number));
}

static void try_again(wcbor_writer *writer, kind of, uint32_t number) {
    char key[PREFIX_NBYTES + 16];
    size_t nbytes = wcbor_writer_nbytes(writer);
    assert_status(WCBOR_DUPLICATE_KEY, wcbor_write_text(writer, key, make_key(key, of, number)));
    assert_int_equal(wcbor_writer_nbytes(writer), nbytes);
}

/* Goes through the finished map and finds each key in its place. */
static void check_map(const uint8_t *at, const uint8_t *end, kind of, bool is_sorted) {
    char key[PREFIX_NBYTES + 16];
    assert_int_equal(*at, 0xba);
    at += 5;
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t number = is_sorted ? i : numbers[i];
        size_t nbytes = make_key(key, of, number);
        at += nbytes < 24 ? 1 : 2;
        if (memcmp(at, key, nbytes) != 0) fail_msg("another key at place %u", (unsigned)i);
        at += nbytes;
        at += *at < 24 ? 1 : *at == 24 ? 2 : *at == 25 ? 3 : 5;
    }
    assert_true(at == end);
}

static void check(wcbor_mode mode, bool convert, order how, kind of) {
    hook memory = {0};
    wcbor_writer_options options = {mode, convert, false, -1, hook_reallocate, &memory, UINT64_C(0x9d3c5b7a1)};
    wcbor_writer writer;
    const uint8_t *bytes = NULL;
    size_t nbytes;
    arrange(how);
    assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
    assert_ok(convert ? wcbor_write_start_indefinite_map(&writer) : wcbor_write_start_map(&writer, MANY));
    for (uint32_t i = 0; i < MANY; i++) {
        write_entry(&writer, of, numbers[i]);
        if (mode != WCBOR_MODE_LAX && i % 1000 == 0) try_again(&writer, of, numbers[i / 2]);
    }
    assert_ok(wcbor_write_end_map(&writer));
    assert_ok(wcbor_writer_result(&writer, &bytes, &nbytes));
    check_map(bytes, bytes + nbytes, of, mode >= WCBOR_MODE_CANONICAL);
    /* Growth is geometric: of the document, the keys and their table. */
    assert_true(memory.calls < 100);
    wcbor_writer_free(&writer);
    assert_int_equal(memory.blocks, 0);
}

static void test_many_keys(void **state) {
    static const wcbor_mode modes[] = {WCBOR_MODE_STRICT, WCBOR_MODE_CTAP2, WCBOR_MODE_DCBOR};
    (void)state;
    check(WCBOR_MODE_LAX, true, SHUFFLED, LONG_KEYS);
    for (size_t mode = 0; mode < sizeof modes / sizeof *modes; mode++) {
        for (int how = 0; how < ORDERS; how++) {
            for (int of = 0; of < KINDS; of++)
                check(modes[mode], (how + of) % 2 != 0, (order)how, (kind)of);
        }
    }
}

/* Keys that are integers, whose heads have all lengths: the order is by number in every mode that sorts. */
static void test_integer_keys(void **state) {
    (void)state;
    for (int mode = WCBOR_MODE_STRICT; mode <= WCBOR_MODE_DCBOR; mode++) {
        if (mode == WCBOR_MODE_DAG_CBOR) continue;
        hook memory = {0};
        wcbor_writer_options options = {(wcbor_mode)mode, false, false, -1, hook_reallocate, &memory, 0};
        wcbor_writer writer;
        const uint8_t *at = NULL;
        size_t nbytes;
        arrange(SHUFFLED);
        assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
        assert_ok(wcbor_write_start_map(&writer, MANY));
        for (uint32_t i = 0; i < MANY; i++) {
            assert_ok(wcbor_write_uint64(&writer, numbers[i]));
            assert_ok(wcbor_write_null(&writer));
        }
        assert_ok(wcbor_write_end_map(&writer));
        assert_ok(wcbor_writer_result(&writer, &at, &nbytes));
        at += 5;
        for (uint32_t i = 0; i < MANY; i++) {
            uint32_t number = 0, more = *at < 24 ? 0 : *at == 24 ? 1 : *at == 25 ? 2 : 4;
            if (more == 0) number = *at;
            for (uint32_t k = 1; k <= more; k++)
                number = number << 8 | at[k];
            at += 2 + more;
            uint32_t expected = mode == WCBOR_MODE_STRICT ? numbers[i] : i;
            if (number != expected) fail_msg("mode %d: %u at place %u", mode, (unsigned)number, (unsigned)i);
        }
        wcbor_writer_free(&writer);
    }
}

/* Many maps inside one another, each with its own keys, which come back into sight as the inner ones end. */
static void test_nested_maps(void **state) {
    (void)state;
    enum { LEVELS = 300, KEYS = 60 };
    for (int mode = WCBOR_MODE_STRICT; mode <= WCBOR_MODE_DCBOR; mode++) {
        hook memory = {0};
        wcbor_writer_options options = {(wcbor_mode)mode, true, false, -1, hook_reallocate, &memory, 7};
        wcbor_writer writer;
        char key[PREFIX_NBYTES + 16];
        assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
        for (uint32_t level = 0; level < LEVELS; level++) {
            assert_ok(wcbor_write_start_indefinite_map(&writer));
            /* Backwards, and half of them before the map that is the value of the last. */
            for (uint32_t i = KEYS; i > KEYS / 2; i--)
                write_entry(&writer, SHORT_KEYS, i);
            if (level + 1 == LEVELS) continue;
            assert_ok(wcbor_write_text(&writer, key, make_key(key, SHORT_KEYS, KEYS / 2)));
        }
        for (uint32_t level = LEVELS; level > 0; level--) {
            for (uint32_t i = KEYS; i > KEYS / 2; i--)
                try_again(&writer, SHORT_KEYS, i);
            for (uint32_t i = KEYS / 2 - 1; i > 0; i--)
                write_entry(&writer, SHORT_KEYS, i);
            for (uint32_t i = KEYS; i > 0; i--) {
                if (i != KEYS / 2) try_again(&writer, SHORT_KEYS, i);
            }
            assert_ok(wcbor_write_end_map(&writer));
        }
        assert_true(wcbor_writer_is_complete(&writer));
        wcbor_writer_free(&writer);
        assert_int_equal(memory.blocks, 0);
    }
}

/*
 * A map of indefinite length is first tracked at its second key, when the first one is looked at as it stands: whatever
 * that is, and whether the second is short or not, it is found again. So is the second, and a third is neither.
 */
static void test_first_keys(void **state) {
    static const char *const keys[] = {
        "startBytes; endBytes;",
        "startBytes; bytes 00; endBytes;",
        "startBytes; bytes 0102030405060708090a0b0c0d0e0f1011; bytes 12; endBytes;",
        "startText; endText;",
        "startText; text 'a'; endText;",
        "startText; text 'aaaaaaaaaaaaaaaa'; text ''; text 'b'; endText;",
        "text '';",
        "text 'a';",
        "text 'aaaaaaaaaaaaaaa';",
        "text 'aaaaaaaaaaaaaaaa';",
        "text 'aaaaaaaaaaaaaaaaa';",
        "text 'aaaaaaaaaaaaaaaaaaaaaaa';",
        "text 'aaaaaaaaaaaaaaaaaaaaaaaa';",
        "int 0;",
        "int -1000000;",
        "bool 1;",
        "double 1.1;",
        "bytes '';",
        "bytes 6161;",
        "startArray 0; endArray;",
        "startArray 2; int 1; text 'a'; endArray;",
        "startIndefiniteArray; text 'a'; endArray;",
        "startIndefiniteMap; text 'k'; int 1; text 'b'; int 2; endMap;",
        "tag 1; int 1;",
        "tag 1000; tag 5; text 'a';",
        "bigInt +010000000000000000;",
        "encoded 7f6161ff;",
        "encoded 5f41004101ff;",
    };
    static const char *const seconds[] = {"text 'k';", "text 'kkkkkkkkkkkkkkk';", "text 'kkkkkkkkkkkkkkkk';", "int 7;"};
    /* In a writer that has room for keys already, and in a new one. */
    static const char *const starts[] = {
        "startArray 2; startMap 2; int 1; int 1; int 2; int 2; endMap; startIndefiniteMap;", "startMap 3;"};
    char calls[512];
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        for (size_t k = 0; k < 2 * (sizeof seconds / sizeof *seconds); k++) {
            const char *start = starts[k % 2], *second = seconds[k / 2];
            snprintf(calls, sizeof calls, "%s %s int 1; %s int 2; %s", start, keys[i], second, keys[i]);
            script_fail(WCBOR_MODE_STRICT, 0, calls, WCBOR_DUPLICATE_KEY);
            snprintf(calls, sizeof calls, "%s %s int 1; %s int 2; %s", start, keys[i], second, second);
            script_fail(WCBOR_MODE_STRICT, 0, calls, WCBOR_DUPLICATE_KEY);
            snprintf(calls, sizeof calls, "%s %s int 1; %s int 2; text 'third'; int 3; %s", start, keys[i], second,
                     k % 2 == 0 ? keys[i] : "int 4;");
            script_fail(WCBOR_MODE_STRICT, 0, calls, k % 2 == 0 ? WCBOR_DUPLICATE_KEY : WCBOR_DEFINITE_LENGTH_EXCEEDED);
        }
    }
}

/* Writes the key that is `letter` at `place` of `nbytes` and else "aaa...", as text or as an item that is encoded. */
static wcbor_status write_letters(wcbor_writer *writer, size_t nbytes, size_t place, char letter, bool encoded) {
    char key[32];
    memset(key, 'a', sizeof key);
    key[0] = (char)(0x60 + nbytes);
    key[1 + place] = letter;
    return encoded ? wcbor_write_encoded(writer, key, nbytes + 1) : wcbor_write_text(writer, key + 1, nbytes);
}

/*
 * Keys that differ in one byte, wherever it is, are two keys, and sort by it; each is found again, however it is
 * written. `ways`: which of the keys are written as encoded items.
 */
static void check_letters(wcbor_mode mode, size_t nbytes, size_t place, unsigned ways) {
    hook memory = {0};
    wcbor_writer_options options = {mode, true, false, -1, hook_reallocate, &memory, 0};
    wcbor_writer writer;
    assert_ok(wcbor_writer_init(&writer, &options, NULL, 0));
    assert_ok(wcbor_write_start_indefinite_map(&writer));
    for (unsigned i = 0; i < 3; i++) {
        assert_ok(write_letters(&writer, nbytes, place, "cba"[i], (ways >> i & 1) != 0));
        assert_ok(wcbor_write_int64(&writer, (int64_t)i));
        for (unsigned k = 0; k <= i && i > 0; k++) {
            assert_status(WCBOR_DUPLICATE_KEY, write_letters(&writer, nbytes, place, "cba"[k], false));
            assert_status(WCBOR_DUPLICATE_KEY, write_letters(&writer, nbytes, place, "cba"[k], true));
        }
    }
    assert_ok(wcbor_write_end_map(&writer));
    const uint8_t *bytes;
    size_t total;
    assert_ok(wcbor_writer_result(&writer, &bytes, &total));
    assert_int_equal(total, 1 + 3 * (nbytes + 2));
    for (unsigned i = 0; i < 3; i++) {
        const uint8_t *pair = bytes + 1 + i * (nbytes + 2);
        assert_int_equal(pair[1 + place], (mode == WCBOR_MODE_STRICT ? "cba" : "abc")[i]);
        assert_int_equal(pair[1 + nbytes], mode == WCBOR_MODE_STRICT ? i : 2 - i);
    }
    wcbor_writer_free(&writer);
}

static void test_letters(void **state) {
    static const wcbor_mode modes[] = {WCBOR_MODE_STRICT, WCBOR_MODE_CANONICAL, WCBOR_MODE_DETERMINISTIC};
    (void)state;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        for (size_t nbytes = 1; nbytes <= 20; nbytes++) {
            for (size_t place = 0; place < nbytes; place++)
                for (unsigned ways = 0; ways < 8; ways++) check_letters(modes[m], nbytes, place, ways);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_integer_keys),
        cmocka_unit_test(test_nested_maps),
        cmocka_unit_test(test_first_keys),
        cmocka_unit_test(test_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
