#include "call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[CALL_OPS_] = {
    [CALL_INT] = "int",
    [CALL_UINT] = "uint",
    [CALL_NEGATIVE] = "nint",
    [CALL_BYTES] = "bytes",
    [CALL_TEXT] = "text",
    [CALL_TEXT_INVALID] = "textInvalid",
    [CALL_HALF] = "half",
    [CALL_SINGLE] = "single",
    [CALL_DOUBLE] = "double",
    [CALL_BOOL] = "bool",
    [CALL_NULL] = "null",
    [CALL_UNDEFINED] = "undefined",
    [CALL_SIMPLE] = "simple",
    [CALL_TAG] = "tag",
    [CALL_START_ARRAY] = "startArray",
    [CALL_START_MAP] = "startMap",
    [CALL_START_INDEFINITE_ARRAY] = "startIndefiniteArray",
    [CALL_START_INDEFINITE_MAP] = "startIndefiniteMap",
    [CALL_START_INDEFINITE_BYTES] = "startBytes",
    [CALL_START_INDEFINITE_TEXT] = "startText",
    [CALL_END_ARRAY] = "endArray",
    [CALL_END_MAP] = "endMap",
    [CALL_END_BYTES] = "endBytes",
    [CALL_END_TEXT] = "endText",
    [CALL_ENCODED] = "encoded",
    [CALL_DATE_TIME] = "dateTime",
    [CALL_UNIX_TIME] = "unixTime",
    [CALL_UNIX_TIME_DOUBLE] = "unixTimeDouble",
    [CALL_BIGNUM] = "bigInt",
    [CALL_DECIMAL] = "decimal",
    [CALL_RESET] = "reset",
    [CALL_RESULT] = "encode",
    [CALL_COPY] = "encodeTo",
};

const char *call_name(call_op op) {
    return names[op];
}

call_op call_op_of(const char *name, size_t name_nbytes) {
    for (int op = 0; op < CALL_OPS_; op++) {
        if (strlen(names[op]) == name_nbytes && memcmp(names[op], name, name_nbytes) == 0) return (call_op)op;
    }
    return CALL_OPS_;
}

float call_float(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

double call_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static wcbor_status copy_result(const wcbor_writer *writer, size_t capacity) {
    uint8_t *destination = malloc(capacity ? capacity : 1);
    size_t nbytes = 0;
    wcbor_status status = wcbor_writer_copy(writer, destination, capacity, &nbytes);
    free(destination);
    return status;
}

wcbor_status call_apply(wcbor_writer *writer, const call *c) {
    const char *text = (const char *)c->bytes;
    const uint8_t *bytes;
    size_t nbytes;
    switch (c->op) {
    case CALL_INT: return wcbor_write_int64(writer, (int64_t)c->number);
    case CALL_UINT: return wcbor_write_uint64(writer, c->number);
    case CALL_NEGATIVE: return wcbor_write_negative(writer, c->number);
    case CALL_BYTES: return wcbor_write_bytes(writer, c->bytes, c->nbytes);
    case CALL_TEXT:
    case CALL_TEXT_INVALID: return wcbor_write_text(writer, text, c->nbytes);
    case CALL_HALF: return wcbor_write_half(writer, (uint16_t)c->number);
    case CALL_SINGLE: return wcbor_write_single(writer, call_float(c->number));
    case CALL_DOUBLE: return wcbor_write_double(writer, call_double(c->number));
    case CALL_BOOL: return wcbor_write_bool(writer, c->number != 0);
    case CALL_NULL: return wcbor_write_null(writer);
    case CALL_UNDEFINED: return wcbor_write_undefined(writer);
    case CALL_SIMPLE: return wcbor_write_simple(writer, (uint8_t)c->number);
    case CALL_TAG: return wcbor_write_tag(writer, c->number);
    case CALL_START_ARRAY: return wcbor_write_start_array(writer, c->number);
    case CALL_START_MAP: return wcbor_write_start_map(writer, c->number);
    case CALL_START_INDEFINITE_ARRAY: return wcbor_write_start_indefinite_array(writer);
    case CALL_START_INDEFINITE_MAP: return wcbor_write_start_indefinite_map(writer);
    case CALL_START_INDEFINITE_BYTES: return wcbor_write_start_indefinite_bytes(writer);
    case CALL_START_INDEFINITE_TEXT: return wcbor_write_start_indefinite_text(writer);
    case CALL_END_ARRAY: return wcbor_write_end_array(writer);
    case CALL_END_MAP: return wcbor_write_end_map(writer);
    case CALL_END_BYTES: return wcbor_write_end_indefinite_bytes(writer);
    case CALL_END_TEXT: return wcbor_write_end_indefinite_text(writer);
    case CALL_ENCODED: return wcbor_write_encoded(writer, c->bytes, c->nbytes);
    case CALL_DATE_TIME: return wcbor_write_date_time(writer, text, c->nbytes);
    case CALL_UNIX_TIME: return wcbor_write_unix_time(writer, (int64_t)c->number);
    case CALL_UNIX_TIME_DOUBLE: return wcbor_write_unix_time_double(writer, call_double(c->number));
    case CALL_BIGNUM: return wcbor_write_bignum(writer, c->flag, c->bytes, c->nbytes);
    case CALL_DECIMAL: return wcbor_write_decimal(writer, (int64_t)c->number, c->flag, c->bytes, c->nbytes);
    case CALL_RESET: wcbor_writer_reset(writer); return WCBOR_OK;
    case CALL_RESULT: return wcbor_writer_result(writer, &bytes, &nbytes);
    case CALL_COPY: return copy_result(writer, (size_t)c->number);
    case CALL_OPS_: break;
    }
    abort();
}

void call_print(const call *c) {
    printf("%s", call_name(c->op));
    switch (c->op) {
    case CALL_INT:
    case CALL_UNIX_TIME: printf(" %lld", (long long)c->number); break;
    case CALL_HALF:
    case CALL_SINGLE:
    case CALL_DOUBLE:
    case CALL_UNIX_TIME_DOUBLE: printf(" 0x%llx", (unsigned long long)c->number); break;
    case CALL_DECIMAL: printf(" %lld", (long long)c->number); break;
    case CALL_UINT:
    case CALL_NEGATIVE:
    case CALL_BOOL:
    case CALL_SIMPLE:
    case CALL_TAG:
    case CALL_START_ARRAY:
    case CALL_START_MAP:
    case CALL_COPY: printf(" %llu", (unsigned long long)c->number); break;
    default: break;
    }
    if (c->op == CALL_BIGNUM || c->op == CALL_DECIMAL) printf(" %s", c->flag ? "-1-" : "+");
    if (c->bytes == NULL && c->nbytes > 0) printf(" NULL");
    if (c->bytes != NULL) {
        printf(" h'");
        for (size_t i = 0; i < c->nbytes; i++)
            printf("%02x", c->bytes[i]);
        printf("'");
    }
    printf("\n");
}
