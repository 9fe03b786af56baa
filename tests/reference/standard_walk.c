#include "standard_walk.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *state_name(wcbor_state state) {
    static const char *const names[] = {
        "Undefined",
        "UnsignedInteger",
        "NegativeInteger",
        "ByteString",
        "StartIndefiniteLengthByteString",
        "EndIndefiniteLengthByteString",
        "TextString",
        "StartIndefiniteLengthTextString",
        "EndIndefiniteLengthTextString",
        "StartArray",
        "EndArray",
        "StartMap",
        "EndMap",
        "Tag",
        "SimpleValue",
        "HalfPrecisionFloat",
        "SinglePrecisionFloat",
        "DoublePrecisionFloat",
        "Null",
        "Boolean",
        "Finished",
        "NeedsMoreData",
    };
    return names[state];
}

void line_hex(char *line, const void *bytes, size_t nbytes) {
    size_t at = strlen(line);
    if (nbytes == 0) snprintf(line + at, LINE_NBYTES - at, "-");
    for (size_t i = 0; i < nbytes && at + 3 < LINE_NBYTES; i++, at += 2)
        snprintf(line + at, 3, "%02x", ((const uint8_t *)bytes)[i]);
}

static wcbor_status print(char *line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (line != NULL) vsnprintf(line, LINE_NBYTES, format, arguments);
    va_end(arguments);
    return WCBOR_OK;
}

static wcbor_status print_bytes(char *line, const char *name, const void *bytes, size_t nbytes) {
    if (line == NULL) return WCBOR_OK;
    snprintf(line, LINE_NBYTES, "%s ", name);
    line_hex(line, bytes, nbytes);
    return WCBOR_OK;
}

static wcbor_status print_count(char *line, const char *name, int64_t count) {
    return count < 0 ? print(line, "%s null", name) : print(line, "%s %" PRId64, name, count);
}

static wcbor_status print_double(char *line, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? print(line, "double nan") : print(line, "double %016" PRIx64, bits);
}

static wcbor_status print_single(char *line, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? print(line, "single nan") : print(line, "single %08" PRIx32, bits);
}

/* A whole text: in lax what is ill-formed comes repaired. */
static wcbor_status read_text(wcbor_reader *reader, char *line) {
    size_t nbytes = 0;
    wcbor_status status = wcbor_read_text(reader, NULL, 0, &nbytes);
    if (status != WCBOR_DEST_TOO_SMALL) return status == WCBOR_OK ? print(line, "text -") : status;
    char *text = malloc(nbytes);
    if (text == NULL) abort();
    status = wcbor_read_text(reader, text, nbytes, &nbytes);
    if (status == WCBOR_OK) print_bytes(line, "text", text, nbytes);
    free(text);
    return status;
}

wcbor_status standard_read(wcbor_reader *reader, wcbor_state state, char *line) {
    uint64_t number = 0;
    int64_t count = 0;
    const uint8_t *bytes = NULL;
    size_t nbytes = 0;
    uint8_t simple = 0;
    uint16_t half = 0;
    float single = 0;
    double value = 0;
    bool boolean = false;
    wcbor_status status;
#define DO(call, print_it)                                                                                             \
    status = (call);                                                                                                   \
    return status == WCBOR_OK ? (print_it) : status
    switch (state) {
    case WCBOR_STATE_UNSIGNED: DO(wcbor_read_uint64(reader, &number), print(line, "uint %" PRIu64, number));
    case WCBOR_STATE_NEGATIVE: DO(wcbor_read_negative(reader, &number), print(line, "nint %" PRIu64, number));
    case WCBOR_STATE_BYTES:
        DO(wcbor_read_definite_bytes(reader, &bytes, &nbytes), print_bytes(line, "bytes", bytes, nbytes));
    case WCBOR_STATE_START_INDEFINITE_BYTES:
        DO(wcbor_read_start_indefinite_bytes(reader), print(line, "startBytes"));
    case WCBOR_STATE_END_INDEFINITE_BYTES: DO(wcbor_read_end_indefinite_bytes(reader), print(line, "endBytes"));
    case WCBOR_STATE_TEXT: return read_text(reader, line);
    case WCBOR_STATE_START_INDEFINITE_TEXT: DO(wcbor_read_start_indefinite_text(reader), print(line, "startText"));
    case WCBOR_STATE_END_INDEFINITE_TEXT: DO(wcbor_read_end_indefinite_text(reader), print(line, "endText"));
    case WCBOR_STATE_START_ARRAY:
        DO(wcbor_read_start_array(reader, &count), print_count(line, "startArray", count));
    case WCBOR_STATE_END_ARRAY: DO(wcbor_read_end_array(reader), print(line, "endArray"));
    case WCBOR_STATE_START_MAP: DO(wcbor_read_start_map(reader, &count), print_count(line, "startMap", count));
    case WCBOR_STATE_END_MAP: DO(wcbor_read_end_map(reader), print(line, "endMap"));
    case WCBOR_STATE_TAG: DO(wcbor_read_tag(reader, &number), print(line, "tag %" PRIu64, number));
    case WCBOR_STATE_SIMPLE: DO(wcbor_read_simple(reader, &simple), print(line, "simple %u", simple));
    case WCBOR_STATE_HALF:
        DO(wcbor_read_half(reader, &half),
           (half & 0x7fff) > 0x7c00 ? print(line, "half nan") : print(line, "half %04x", half));
    case WCBOR_STATE_SINGLE: DO(wcbor_read_single(reader, &single), print_single(line, single));
    case WCBOR_STATE_DOUBLE: DO(wcbor_read_double(reader, &value), print_double(line, value));
    case WCBOR_STATE_NULL: DO(wcbor_read_null(reader), print(line, "null"));
    case WCBOR_STATE_BOOL: DO(wcbor_read_bool(reader, &boolean), print(line, "bool %s", boolean ? "true" : "false"));
    default: abort();
    }
#undef DO
}
