/*
 * Commands that the interpreter has a way of its own for: containers that end by themselves, shapes, and runs of texts and
 * numbers. Random documents are written by a stream of those, and call by call.
 */
#include <string.h>

#include "../fuzz/random.h"
#include "abi.h"
#include "guard.h"
#include "interpreter.h"
#include "suite.h"

enum { COMMANDS_MOST = 1 << 16, TEXT_MOST = 1 << 16 };

static wcbor_shapes shapes;

/* The keys of shape `n` are the first `n` of these. */
static const char *const keys[] = {"a", "bb", "", "a key of more than twenty-three bytes", "c", "ключ"};
enum { NKEYS = sizeof keys / sizeof *keys };

static void make_shapes(void) {
    uint8_t encoded[256];
    wcbor_writer writer;
    for (int32_t n = 0; n <= NKEYS; n++) {
        wcbor_writer_options options = WCBOR_WRITER_OPTIONS_DEFAULT;
        options.allow_multiple_roots = true;
        assert_ok(wcbor_writer_init(&writer, &options, encoded, sizeof encoded));
        for (int32_t i = 0; i < n; i++)
            assert_ok(wcbor_write_text(&writer, keys[i], strlen(keys[i])));
        assert_int_equal(wcbor_shapes_add(&shapes, encoded, wcbor_writer_nbytes(&writer)), n);
    }
}

/* A document under way: the stream, and the writer that is called item by item. */
typedef struct document {
    random_state random;
    _Alignas(8) uint8_t commands[COMMANDS_MOST];
    uint8_t text[TEXT_MOST];
    size_t ncommands, ntext;
    bool is_ascii, has_shapes;
    uint32_t scripts; /* of 1 to so many bytes a character */
    wcbor_writer *writer;
    wcbor_status status; /* of the first call that failed */
} document;

static void put(document *d, const void *bytes, size_t nbytes) {
    assert_true(d->ncommands + nbytes <= COMMANDS_MOST);
    memcpy(d->commands + d->ncommands, bytes, nbytes);
    d->ncommands += nbytes;
}

static void put_byte(document *d, unsigned byte) {
    uint8_t one = (uint8_t)byte;
    put(d, &one, 1);
}

static void put_u32(document *d, uint32_t number) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        put_byte(d, number >> shift & 0xff);
}

/* What is written once a call has failed does not count. */
static void wrote(document *d, wcbor_status status) {
    if (d->status == WCBOR_OK) d->status = status;
}

/* Puts text of `units` UTF-16 units behind the others, and writes it. */
static void text(document *d, size_t units) {
    static const char *const characters[] = {"k", "\xd0\xb6", "\xe6\x9c\xa8", "\xf0\x9f\x8c\x8a"};
    size_t begin = d->ntext;
    for (size_t left = units; left > 0;) {
        uint32_t which = d->is_ascii ? 0 : random_below(&d->random, d->scripts);
        if (which == 3 && left < 2) which = 0;
        size_t nbytes = strlen(characters[which]);
        assert_true(d->ntext + nbytes <= TEXT_MOST);
        memcpy(d->text + d->ntext, characters[which], nbytes);
        d->ntext += nbytes;
        left -= which == 3 ? 2 : 1;
    }
    if (d->status == WCBOR_OK) wrote(d, wcbor_write_text(d->writer, (const char *)d->text + begin, d->ntext - begin));
}

static size_t some_units(document *d) {
    static const uint8_t lengths[] = {0, 1, 2, 7, 8, 15, 16, 17, 23, 24, 31, 32, 33, 64, 100, 255};
    return lengths[random_below(&d->random, sizeof lengths)];
}

static void number(document *d, double value) {
    bool integral = value >= -9007199254740991.0 && value <= 9007199254740991.0 && value == (double)(int64_t)value;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (d->status != WCBOR_OK) return;
    if (integral && bits != UINT64_C(1) << 63) wrote(d, wcbor_write_int64(d->writer, (int64_t)value));
    else wrote(d, wcbor_write_double(d->writer, value));
}

static double some_number(document *d) {
    static const double numbers[] = {0, -0.0, 1, 23, 24, 255, 256, 65535, 65536, 4294967295.0, -1, -24, -25, -257, -65537, 0.1,
                                     1.5, 1e300, -2147483648.0, 2147483647.0, 2147483648.0, 9007199254740991.0, 9007199254740992.0,
                                     4503599627370497.5, -3.141592653589793};
    return numbers[random_below(&d->random, sizeof numbers / sizeof *numbers)];
}

static void put_numbers(document *d, size_t count) {
    while (d->ncommands % 8 != 0)
        put_byte(d, 0xff);
    for (size_t i = 0; i < count; i++) {
        double value = some_number(d);
        put(d, &value, sizeof value);
        number(d, value);
    }
}

static void scalar(document *d) {
    uint32_t argument = (uint32_t)random_bits(&d->random) >> random_below(&d->random, 32);
    switch (random_below(&d->random, 6)) {
    case 0:
        put_byte(d, 0x1a);
        for (unsigned shift = 32; shift > 0; shift -= 8)
            put_byte(d, argument >> (shift - 8) & 0xff);
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_uint64(d->writer, argument));
        break;
    case 1:
        put_byte(d, 0xf5);
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_bool(d->writer, true));
        break;
    case 2:
        put_byte(d, 0x63), put(d, "abc", 3);
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_text(d->writer, "abc", 3));
        break;
    case 3:
        put_byte(d, 0xc1);
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_tag(d->writer, 1));
        scalar(d);
        break;
    default: {
        size_t units = some_units(d);
        put_byte(d, OP_TEXT_RUN_SHORT), put_byte(d, (unsigned)units);
        text(d, units);
    }
    }
}

static void item(document *d, unsigned depth);

/* `count` items of an array, some of them in runs. */
static void items(document *d, size_t count, unsigned depth) {
    while (count > 0) {
        size_t run = 1 + random_below(&d->random, (uint32_t)count), width = 1 + random_below(&d->random, 4);
        uint32_t kind = random_below(&d->random, 6);
        if (kind > 2) run = 1;
        count -= run;
        switch (kind) {
        case 0:
            put_byte(d, OP_TEXTS), put_u32(d, (uint32_t)run);
            for (size_t i = 0; i < run; i++) {
                size_t units = some_units(d);
                put_byte(d, (unsigned)units);
                text(d, units);
            }
            break;
        case 1:
            put_byte(d, OP_NUMBERS), put_u32(d, (uint32_t)run);
            put_numbers(d, run);
            break;
        case 2:
            put_byte(d, OP_NUMBER_ARRAYS), put_u32(d, (uint32_t)run), put_byte(d, (unsigned)width);
            for (size_t i = 0; i < run; i++) {
                if (d->status == WCBOR_OK) wrote(d, wcbor_write_start_array(d->writer, width));
                put_numbers(d, width);
                if (d->status == WCBOR_OK) wrote(d, wcbor_write_end_array(d->writer));
            }
            break;
        default: item(d, depth);
        }
    }
}

static void item(document *d, unsigned depth) {
    uint32_t kind = depth == 0 ? 9 : random_below(&d->random, 8);
    if (kind < 3) {
        static const uint16_t counts[] = {0, 1, 2, 3, 5, 24, 40};
        size_t count = counts[random_below(&d->random, depth > 3 ? 7 : 5)];
        if (kind == 0) put_byte(d, OP_ARRAY), put_u32(d, (uint32_t)count);
        else put_byte(d, OP_ARRAY_SHORT), put_byte(d, (unsigned)count);
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_start_array(d->writer, count));
        items(d, count, depth - 1);
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_end_array(d->writer));
    } else if (kind < 6 && d->has_shapes) {
        size_t count = random_below(&d->random, NKEYS + 1);
        put_byte(d, OP_SHAPE), put_byte(d, (unsigned)count), put_byte(d, 0);
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_start_map(d->writer, count));
        for (size_t i = 0; i < count; i++) {
            if (d->status == WCBOR_OK) wrote(d, wcbor_write_text(d->writer, keys[i], strlen(keys[i])));
            item(d, depth - 1);
        }
        if (d->status == WCBOR_OK) wrote(d, wcbor_write_end_map(d->writer));
    } else {
        scalar(d);
    }
}

static void test_streams_and_calls(void **state) {
    static document d;
    static const wcbor_mode modes[] = {WCBOR_MODE_LAX, WCBOR_MODE_STRICT, WCBOR_MODE_DAG_CBOR, WCBOR_MODE_DCBOR};
    size_t succeeded = 0;
    (void)state;
    make_shapes();
    for (uint64_t seed = 0; seed < 6000; seed++) {
        hook growth = {0}, other = {0};
        wcbor_writer_options options = {modes[seed % 4], false, false, seed % 11 == 0 ? 3 : -1, hook_reallocate, &other, 1};
        wcbor_writer called, driven;
        assert_ok(wcbor_writer_init(&called, &options, NULL, 0));
        options.context = &growth;
        assert_ok(wcbor_writer_init(&driven, &options, NULL, 0));
        d.random.next = seed;
        d.ncommands = d.ntext = 0;
        d.is_ascii = seed % 3 == 0;
        /* Shapes are put in order for modes that want it, which these are not. */
        d.has_shapes = options.mode <= WCBOR_MODE_STRICT;
        d.scripts = 1 + seed % 4;
        d.writer = &called;
        d.status = WCBOR_OK;
        item(&d, 5);
        /* With memory behind the stream to read, and without. */
        wcbor_stream stream = {.commands = d.commands, .commands_end = d.commands + d.ncommands, .text = d.text,
                               .text_end = d.text + d.ntext, .shapes = &shapes, .text_is_ascii = d.is_ascii,
                               .slack = seed % 2 != 0 && d.ncommands + STREAM_SLACK <= COMMANDS_MOST
                                     && d.ntext + STREAM_SLACK <= TEXT_MOST};
        wcbor_status status = wcbor_interpret(&driven, &stream);
        if (status != d.status) {
            fail_msg("seed %u: %s, not %s", (unsigned)seed, wcbor_status_name(status), wcbor_status_name(d.status));
        }
        if (status == WCBOR_OK) {
            const uint8_t *is, *should;
            size_t is_nbytes, should_nbytes;
            assert_ok(wcbor_writer_result(&driven, &is, &is_nbytes));
            assert_ok(wcbor_writer_result(&called, &should, &should_nbytes));
            assert_int_equal(is_nbytes, should_nbytes);
            assert_memory_equal(is, should, is_nbytes);
            succeeded++;
        }
        wcbor_writer_free(&driven);
        wcbor_writer_free(&called);
        assert_int_equal(growth.blocks + other.blocks, 0);
    }
    assert_true(succeeded > 3000);
}

/* Runs where they may not stand, that are cut short, or that reach too far. */
static void test_bad_runs(void **state) {
    static const struct {
        uint8_t commands[32];
        size_t nbytes, written;
        wcbor_status status;
    } cases[] = {
        {{OP_TEXTS, 1, 0, 0, 0, 1}, 6, 0, WCBOR_BAD_COMMAND},
        {{OP_NUMBERS, 0, 0, 0, 0, 0, 0, 0}, 8, 0, WCBOR_BAD_COMMAND},
        {{OP_NUMBER_ARRAYS, 0, 0, 0, 0, 1, 0, 0}, 8, 0, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 1, OP_TEXTS, 2, 0, 0, 0, 1, 0}, 9, 1, WCBOR_DEFINITE_LENGTH_EXCEEDED},
        {{OP_ARRAY_SHORT, 2, OP_TEXTS, 2, 0, 0, 0, 1}, 8, 1, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 2, OP_TEXTS, 255, 255, 255, 255, 1, 1}, 9, 1, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 2, OP_TEXTS, 2, 0, 0, 0, 1, 1}, 9, 3, WCBOR_BAD_COMMAND}, /* half of a pair */
        {{OP_ARRAY_SHORT, 2, OP_TEXTS, 2, 0, 0, 0, 1, 3}, 9, 3, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 2, OP_TEXTS, 2, 0, 0, 0, 1, 2}, 9, 8, WCBOR_OK},
        {{OP_ARRAY_SHORT, 1, OP_NUMBERS, 2, 0, 0, 0}, 31, 1, WCBOR_DEFINITE_LENGTH_EXCEEDED},
        {{OP_ARRAY_SHORT, 1, OP_NUMBERS, 1, 0, 0, 0}, 15, 1, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 1, OP_NUMBERS, 1, 0, 0, 0}, 16, 2, WCBOR_OK},
        {{OP_ARRAY_SHORT, 1, OP_NUMBER_ARRAYS, 1, 0, 0, 0, 0}, 16, 1, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 1, OP_NUMBER_ARRAYS, 1, 0, 0, 0, 2}, 23, 1, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 1, OP_NUMBER_ARRAYS, 255, 255, 255, 255, 255}, 24, 1, WCBOR_BAD_COMMAND},
        {{OP_ARRAY_SHORT, 1, OP_NUMBER_ARRAYS, 2, 0, 0, 0, 1}, 24, 1, WCBOR_DEFINITE_LENGTH_EXCEEDED},
        {{OP_ARRAY_SHORT, 1, OP_NUMBER_ARRAYS, 1, 0, 0, 0, 2}, 24, 4, WCBOR_OK},
        {{OP_SHAPE, 99, 0}, 3, 0, WCBOR_BAD_COMMAND},
    };
    (void)state;
    guard_area area = guard_make(64);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t buffer[128], *commands = guard_buffer(&area, cases[i].nbytes);
        memcpy(commands, cases[i].commands, cases[i].nbytes);
        wcbor_stream stream = {.commands = commands, .commands_end = commands + cases[i].nbytes, .shapes = &shapes};
        stream.text = (const uint8_t *)"a\xf0\x9f\x98\x80";
        stream.text_end = stream.text + 5;
        wcbor_writer writer;
        assert_ok(wcbor_writer_init(&writer, NULL, buffer, sizeof buffer));
        wcbor_status status = wcbor_interpret(&writer, &stream);
        if (status != cases[i].status || wcbor_writer_nbytes(&writer) != cases[i].written)
            fail_msg("case %zu: %s, %zu bytes", i, wcbor_status_name(status), wcbor_writer_nbytes(&writer));
    }
    guard_release(&area);
}

/* An unpaired surrogate stands in the text as U+FFFD; a string that takes it in is refused, and no other. */
static void test_invalid_text(void **state) {
    static const char text[] = "ab\xef\xbf\xbd\xef\xbf\xbd!";
    static const uint8_t streams[][16] = {
        {OP_ARRAY_SHORT, 3, OP_TEXTS, 3, 0, 0, 0, 3, 1, 1},
        {OP_ARRAY_SHORT, 3, OP_TEXT_RUN_SHORT, 3, OP_TEXT_RUN_SHORT, 1, OP_TEXT_RUN_SHORT, 1, 0xf6, 0xf6},
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (int slack = 0; slack < 2; slack++) {
            uint8_t buffer[64], padded[sizeof text + STREAM_SLACK] = {0}, commands[16 + STREAM_SLACK] = {0};
            memcpy(padded, text, sizeof text);
            memcpy(commands, streams[i], 16);
            wcbor_stream stream = {.commands = commands, .commands_end = commands + (i == 0 ? 10 : 8), .text = padded,
                                   .text_end = padded + sizeof text - 1, .slack = slack != 0};
            wcbor_writer writer;
            assert_ok(wcbor_writer_init(&writer, NULL, buffer, sizeof buffer));
            assert_ok(wcbor_interpret(&writer, &stream));
            assert_int_equal(wcbor_writer_nbytes(&writer), 1 + 6 + 4 + 2);
            wcbor_writer_reset(&writer);
            stream.text = padded;
            stream.text_invalid = padded + 5;
            assert_status(WCBOR_INVALID_TEXT, wcbor_interpret(&writer, &stream));
            assert_int_equal(wcbor_writer_nbytes(&writer), 1 + 6);
            wcbor_writer_reset(&writer);
            stream.text = padded;
            stream.text_invalid = padded + 2;
            assert_status(WCBOR_INVALID_TEXT, wcbor_interpret(&writer, &stream));
            assert_int_equal(wcbor_writer_nbytes(&writer), 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams_and_calls),
        cmocka_unit_test(test_bad_runs),
        cmocka_unit_test(test_invalid_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
