/*
 * modes.h - what the modes ask for, as flags that are settled once, and the forms of what stands under some tags. Private
 * to the library.
 */
#ifndef WCBOR_MODES_H
#define WCBOR_MODES_H

#include "head.h"

enum {
    RULE_STRICT_TEXT = 1,        /* ill-formed text is refused */
    RULE_STRICT_SIMPLE = 2,      /* simple values 24..31 are refused */
    RULE_KEYS = 4,               /* duplicate keys are refused, and keys sorted if the order says how */
    RULE_NO_INDEFINITE = 8,      /* indefinite lengths are refused, or converted by a writer */
    RULE_NO_TAGS = 0x10,         /* ctap2 */
    RULE_TAG_42 = 0x20,          /* dag-cbor: no tag but 42, which is checked */
    RULE_TEXT_KEYS = 0x40,       /* dag-cbor */
    RULE_BASIC_SIMPLE = 0x80,    /* dag-cbor, dcbor: false, true and null alone */
    RULE_KEEP_WIDTH = 0x100,     /* ctap2: floats as they are given */
    RULE_FLOAT64 = 0x200,        /* dag-cbor: floats of 64 bits, finite */
    RULE_REDUCE = 0x400,         /* dcbor: integral floats are integers */
    RULE_PREFER_INTEGER = 0x800, /* no bignum for what 64 bits hold, nor with leading zeros */
    RULE_SHORTEST_FLOAT = 0x1000, /* for what is read; what the writer writes is shortest wherever it may be */
    RULE_SHORTEST_HEAD = 0x2000, /* likewise */
    RULE_NET_DECIMAL = 0x4000,   /* mantissas from -1 to 2^64 - 1 are integers, all others bignums; read if 96 bits hold it */
    RULE_CONVERT = 0x8000,       /* an option of a writer, not of the mode */
    RULE_FLOATS = RULE_KEEP_WIDTH | RULE_FLOAT64 | RULE_REDUCE
};

/* The rules of a mode, for a writer and for the encoded values that it takes, and the order of its keys. */
uint32_t wcbor_rules_(wcbor_mode mode);
uint32_t wcbor_order_(wcbor_mode mode);

/* The rules for a reader: likewise, but that canonical wants the shortest floats (RFC 8949, section 4.2.3). */
uint32_t wcbor_reader_rules_(wcbor_mode mode);

/* Whether a CID follows the 00 that begins the payload of tag 42, and nothing follows the CID. */
bool wcbor_is_cid_payload_(const uint8_t *payload, size_t nbytes);

/* RFC 3339, section 5.6, date-time with upper-case T and Z, as RFC 4287, section 3.3, has it. */
bool wcbor_is_date_time_(const char *text, size_t nbytes);

#endif
