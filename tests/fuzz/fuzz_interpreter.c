/*
 * Any bytes are a safe command stream. The first ones choose the writer's options, how its memory behaves and where the
 * text and the side buffer are; the rest is commands. Whatever comes out, the writer's own observers must agree, and a
 * complete document must be one that the writer takes as an encoded item.
 */
#include <stdlib.h>
#include <string.h>

#include "interpreter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

/* Copies that end where they may be read, so that the sanitizer sees a read past the end of any of the three. */
static uint8_t *copy_of(const uint8_t *bytes, size_t nbytes, size_t slack) {
    uint8_t *copy = malloc(nbytes + slack == 0 ? 1 : nbytes + slack);
    if (copy == NULL) abort();
    if (nbytes > 0) memcpy(copy, bytes, nbytes);
    memset(copy + nbytes, 0xff, slack);
    return copy;
}

static void *reallocate(void *context, void *block, size_t nbytes) {
    uint32_t *until_failure = context;
    if (nbytes == 0) {
        free(block);
        return NULL;
    }
    if (*until_failure == 0) {
        *until_failure = 200; /* well again for a while */
        return NULL;
    }
    --*until_failure;
    return realloc(block, nbytes);
}

/*
 * Whether the text is what the interpreter asks for. It may do as it likes with other text as long as it
 * stays within the buffers; only then a mode's writer may write what the mode does not take.
 */
static bool is_as_promised(const uint8_t *text, size_t nbytes, bool is_ascii) {
    uint32_t never = UINT32_MAX;
    wcbor_writer_options options = {WCBOR_MODE_STRICT, false, false, -1, reallocate, &never, 0};
    wcbor_writer writer;
    if (wcbor_writer_init(&writer, &options, NULL, 0) != WCBOR_OK) abort();
    bool is_good = wcbor_write_text(&writer, (const char *)text, nbytes) == WCBOR_OK;
    wcbor_writer_free(&writer);
    for (size_t i = 0; i < nbytes && is_ascii; i++)
        is_good = is_good && text[i] < 0x80;
    return is_good;
}

/* What must hold whenever no call is running. */
static void check(const wcbor_writer *writer, const wcbor_writer_options *options, bool is_valid) {
    const uint8_t *document;
    size_t nbytes, copied;
    uint32_t most = options->max_depth < 0 ? WCBOR_DEFAULT_MAX_DEPTH : (uint32_t)options->max_depth;
    if (wcbor_writer_depth(writer) > most) abort();
    wcbor_status status = wcbor_writer_result(writer, &document, &nbytes);
    if ((status == WCBOR_OK) != wcbor_writer_is_complete(writer)) abort();
    if (status != WCBOR_OK) return;
    if (nbytes != wcbor_writer_nbytes(writer) || nbytes == 0 || wcbor_writer_depth(writer) != 0) abort();
    if (wcbor_writer_copy(writer, NULL, 0, &copied) != WCBOR_DEST_TOO_SMALL || copied != nbytes) abort();
    if (options->allow_multiple_roots || !is_valid) return;
    /* What a mode writes, it takes. */
    wcbor_writer_options other_options = *options;
    uint32_t never = UINT32_MAX;
    other_options.context = &never;
    wcbor_writer other;
    if (wcbor_writer_init(&other, &other_options, NULL, 0) != WCBOR_OK) abort();
    if (wcbor_write_encoded(&other, document, nbytes) != WCBOR_OK) abort();
    wcbor_writer_free(&other);
}

/* Runs the commands, and those behind one that fails, as often as there are any. */
static void run(wcbor_writer *writer, const wcbor_writer_options *options, wcbor_stream stream, bool is_valid) {
    const uint8_t *commands = stream.commands;
    for (int runs = 0; runs < 16; runs++) {
        wcbor_status status = wcbor_interpret(writer, &stream);
        check(writer, options, is_valid);
        if (status == WCBOR_OK) return;
        if (strcmp(wcbor_status_name(status), "UNKNOWN") == 0) abort();
        if (stream.failed_index > (size_t)(stream.commands_end - commands)) abort();
        if (stream.text > stream.text_end || stream.side > stream.side_end) abort();
        /* From anywhere: commands are not self-synchronising, and need not be. */
        commands += 1 + stream.failed_index;
        if (commands >= stream.commands_end) return;
        stream.commands = commands;
    }
}

/* Shapes of the lengths 0 to 4, with keys of up to the most bytes. */
static const wcbor_shapes *shapes(void) {
    static wcbor_shapes all;
    if (all.nshapes != 0) return &all;
    uint8_t keys[4 * KEY_NBYTES_MAX];
    size_t nbytes = 0;
    for (unsigned i = 0; i < 5; i++) {
        if (wcbor_shapes_add(&all, keys, nbytes) != (int32_t)i) abort();
        if (i == 4) break;
        size_t text_nbytes = i == 0 ? 0 : i == 1 ? 1 : i == 2 ? 23 : KEY_NBYTES_MAX - 2;
        if (text_nbytes < 24) keys[nbytes++] = (uint8_t)(0x60 | text_nbytes);
        else keys[nbytes++] = 0x78, keys[nbytes++] = (uint8_t)text_nbytes;
        memset(keys + nbytes, 'a' + (int)i, text_nbytes);
        nbytes += text_nbytes;
    }
    return &all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes) {
    if (nbytes < 5) return 0;
    uint32_t until_failure = data[1] < 0xc0 ? UINT32_MAX : data[1] & 0x1f;
    wcbor_writer_options options = {.mode = (wcbor_mode)(data[0] % 7),
                                    .convert_indefinite_lengths = (data[0] & 0x20) != 0,
                                    .allow_multiple_roots = (data[0] & 0x40) != 0,
                                    .max_depth = data[2] < 0x80 ? -1 : data[2] & 0x1f,
                                    .reallocate = reallocate,
                                    .context = &until_failure};
    bool is_ascii = (data[0] & 0x80) != 0;
    size_t slack = (data[2] & 0x40) != 0 ? STREAM_SLACK : 0;
    if (options.mode == WCBOR_MODE_DAG_CBOR) options.allow_multiple_roots = false;
    bool has_shapes = (data[3] & 0x40) == 0, has_invalid = (data[3] & 0x80) != 0;
    size_t text_nbytes = data[3] % 64, side_nbytes = data[4] % 64;
    data += 5, nbytes -= 5;
    if (text_nbytes > nbytes) text_nbytes = nbytes;
    uint8_t *text = copy_of(data, text_nbytes, slack);
    data += text_nbytes, nbytes -= text_nbytes;
    if (side_nbytes > nbytes) side_nbytes = nbytes;
    uint8_t *side = copy_of(data, side_nbytes, 0);
    data += side_nbytes, nbytes -= side_nbytes;
    uint8_t *commands = copy_of(data, nbytes, slack);

    bool is_valid = is_as_promised(text, text_nbytes, is_ascii);
    wcbor_writer writer;
    if (wcbor_writer_init(&writer, &options, NULL, 0) != WCBOR_OK) abort();
    wcbor_stream stream = {.commands = commands,
                           .commands_end = commands + nbytes,
                           .text = text,
                           .text_end = text + text_nbytes,
                           .side = side,
                           .side_end = side + side_nbytes,
                           .shapes = has_shapes ? shapes() : NULL,
                           .text_invalid = has_invalid ? text + text_nbytes / 2 : NULL,
                           .text_is_ascii = is_ascii,
                           .slack = slack != 0};
    run(&writer, &options, stream, is_valid);
    wcbor_writer_reset(&writer);
    run(&writer, &options, stream, is_valid);
    wcbor_writer_free(&writer);
    free(text);
    free(side);
    free(commands);
    return 0;
}
