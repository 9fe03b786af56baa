#include "modes.h"

#include "keys.h"

uint32_t wcbor_rules_(wcbor_mode mode) {
    enum {
        STRICT = RULE_STRICT_TEXT | RULE_STRICT_SIMPLE | RULE_KEYS,
        CANONICAL = STRICT | RULE_NO_INDEFINITE | RULE_SHORTEST_HEAD
    };
    switch (mode) {
    case WCBOR_MODE_LAX: return RULE_NET_DECIMAL;
    case WCBOR_MODE_STRICT: return STRICT | RULE_NET_DECIMAL;
    case WCBOR_MODE_CANONICAL: return CANONICAL | RULE_NET_DECIMAL;
    case WCBOR_MODE_CTAP2: return CANONICAL | RULE_NO_TAGS | RULE_KEEP_WIDTH;
    case WCBOR_MODE_DETERMINISTIC: return CANONICAL | RULE_SHORTEST_FLOAT | RULE_PREFER_INTEGER;
    case WCBOR_MODE_DAG_CBOR:
        return CANONICAL | RULE_TAG_42 | RULE_TEXT_KEYS | RULE_BASIC_SIMPLE | RULE_FLOAT64 | RULE_PREFER_INTEGER;
    default: return CANONICAL | RULE_SHORTEST_FLOAT | RULE_BASIC_SIMPLE | RULE_REDUCE | RULE_PREFER_INTEGER;
    }
}

uint32_t wcbor_order_(wcbor_mode mode) {
    switch (mode) {
    case WCBOR_MODE_CANONICAL:
    case WCBOR_MODE_DAG_CBOR: return WCBOR_ORDER_LENGTH_FIRST;
    case WCBOR_MODE_CTAP2: return WCBOR_ORDER_CTAP2;
    case WCBOR_MODE_DETERMINISTIC:
    case WCBOR_MODE_DCBOR: return WCBOR_ORDER_BYTEWISE;
    default: return WCBOR_ORDER_NONE;
    }
}

uint32_t wcbor_reader_rules_(wcbor_mode mode) {
    return wcbor_rules_(mode) | (mode == WCBOR_MODE_CANONICAL ? RULE_SHORTEST_FLOAT : 0);
}
