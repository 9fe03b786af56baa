#include "wcbor.h"

const char *wcbor_status_name(wcbor_status status) {
    static const char *const names[] = {
        "OK",
        "DEFINITE_LENGTH_EXCEEDED",
        "STRING_CONTEXT_ITEM",
        "NOT_IN_CONTAINER",
        "CONTAINER_MISMATCH",
        "NOT_FILLED",
        "MAP_KEY_WITHOUT_VALUE",
        "DANGLING_TAG",
        "DUPLICATE_KEY",
        "INDEFINITE_NOT_ALLOWED",
        "TAGS_NOT_ALLOWED",
        "DEPTH_EXCEEDED",
        "INCOMPLETE",
        "LENGTH_OUT_OF_RANGE",
        "SIMPLE_NOT_ALLOWED",
        "OPTION_OUT_OF_RANGE",
        "NULL_ARGUMENT",
        "INVALID_TEXT",
        "INVALID_ENCODED_VALUE",
        "DEST_TOO_SMALL",
        "NOT_FINITE",
        "OUT_OF_MEMORY",
        "INVALID_DATETIME",
        "TAG_NOT_ALLOWED",
        "KEY_TYPE_NOT_ALLOWED",
        "FLOAT_NOT_ALLOWED",
        "INVALID_CID",
        "BIGNUM_NOT_PREFERRED",
        "BAD_COMMAND",
    };
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "UNKNOWN";
}
