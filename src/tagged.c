/*
 * tagged.c - tags, and the items that a tag gives a meaning: times, bignums, decimal fractions.
 *
 * A tagged item is written whole or not at all: what could fail is checked before its tag is written.
 */
#include "writer.h"

#include "float.h"

/* Whether the mode takes this tag. */
static wcbor_status may_tag(const wcbor_writer *writer, uint64_t tag) {
    if ((writer->rules & RULE_NO_TAGS) != 0) return WCBOR_TAGS_NOT_ALLOWED;
    if ((writer->rules & RULE_TAG_42) != 0 && tag != 42) return WCBOR_TAG_NOT_ALLOWED;
    return WCBOR_OK;
}

static void put_tag(wcbor_writer *writer, uint64_t tag) {
    writer->next = wcbor_put_head_(writer->next, WCBOR_TAG, tag);
    writer->tag_end = wcbor_offset_(writer);
    writer->tag = tag;
}

wcbor_status wcbor_write_tag(wcbor_writer *writer, uint64_t tag) {
    wcbor_status status = may_tag(writer, tag);
    if (status == WCBOR_OK) status = wcbor_begin_(writer, WCBOR_TAG, NULL, 0);
    if (status == WCBOR_OK) status = wcbor_room_(writer, wcbor_head_nbytes_(tag));
    if (status != WCBOR_OK) return status;
    put_tag(writer, tag);
    /* The item to come has to be looked at. */
    if ((writer->rules & (RULE_TAG_42 | RULE_PREFER_INTEGER)) != 0 && (tag == 42 || tag == 2 || tag == 3))
        writer->left |= GATE;
    return WCBOR_OK;
}

/* The checks before a tagged item of `nbytes` in all, its tag included. */
static wcbor_status begin_tagged(wcbor_writer *writer, uint64_t tag, size_t nbytes) {
    wcbor_status status = may_tag(writer, tag);
    if (status == WCBOR_OK) status = wcbor_begin_(writer, WCBOR_TAG, NULL, 0);
    if (status == WCBOR_OK) status = wcbor_room_(writer, nbytes);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- times */

static bool number_in(const char *digits, int count, int least, int most, int *value) {
    *value = 0;
    for (int i = 0; i < count; i++) {
        if (digits[i] < '0' || digits[i] > '9') return false;
        *value = *value * 10 + (digits[i] - '0');
    }
    return *value >= least && *value <= most;
}

bool wcbor_is_date_time_(const char *text, size_t nbytes) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day, value;
    if (nbytes < 20) return false;
    if (!number_in(text, 4, 0, 9999, &year) || text[4] != '-') return false;
    if (!number_in(text + 5, 2, 1, 12, &month) || text[7] != '-') return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (!number_in(text + 8, 2, 1, days[month - 1] + (month == 2 && leap), &day) || text[10] != 'T') return false;
    if (!number_in(text + 11, 2, 0, 23, &value) || text[13] != ':') return false;
    if (!number_in(text + 14, 2, 0, 59, &value) || text[16] != ':') return false;
    if (!number_in(text + 17, 2, 0, 60, &value)) return false; /* 60: a leap second */
    size_t at = 19;
    if (text[at] == '.') {
        size_t first = ++at;
        while (at < nbytes && text[at] >= '0' && text[at] <= '9') at++;
        if (at == first) return false;
    }
    if (at + 1 == nbytes) return text[at] == 'Z';
    return at + 6 == nbytes && (text[at] == '+' || text[at] == '-') && number_in(text + at + 1, 2, 0, 23, &value)
        && text[at + 3] == ':' && number_in(text + at + 4, 2, 0, 59, &value);
}

wcbor_status wcbor_write_date_time(wcbor_writer *writer, const char *text, size_t nbytes) {
    if (text == NULL) return WCBOR_NULL_ARGUMENT;
    if (!wcbor_is_date_time_(text, nbytes)) return WCBOR_INVALID_DATETIME;
    if (nbytes > PTRDIFF_MAX - 2 * WCBOR_HEAD_MAX) return WCBOR_OUT_OF_MEMORY;
    wcbor_status status = begin_tagged(writer, 0, 1 + wcbor_head_nbytes_(nbytes) + nbytes);
    if (status != WCBOR_OK) return status;
    put_tag(writer, 0);
    return wcbor_write_text(writer, text, nbytes);
}

wcbor_status wcbor_write_unix_time(wcbor_writer *writer, int64_t seconds) {
    uint64_t argument = (uint64_t)(seconds < 0 ? ~seconds : seconds);
    wcbor_status status = begin_tagged(writer, 1, 1 + wcbor_head_nbytes_(argument));
    if (status != WCBOR_OK) return status;
    put_tag(writer, 1);
    return wcbor_write_int64(writer, seconds);
}

wcbor_status wcbor_write_unix_time_double(wcbor_writer *writer, double seconds) {
    if (!wcbor_is_finite_(seconds)) return WCBOR_NOT_FINITE;
    wcbor_status status = begin_tagged(writer, 1, 1);
    if (status != WCBOR_OK) return status;
    /* The float's width is not known here; if there is no room for it the tag goes again. */
    size_t tag_end = writer->tag_end, at = wcbor_offset_(writer);
    uint64_t tag = writer->tag;
    put_tag(writer, 1);
    status = wcbor_write_double(writer, seconds);
    if (status == WCBOR_OUT_OF_MEMORY) {
        writer->next = writer->out + at;
        writer->tag_end = tag_end;
        writer->tag = tag;
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------- bignums */

/* A number as it will be written: an integer, or a bignum of the bytes that are not leading zeros. */
typedef struct number {
    const uint8_t *magnitude;
    size_t nbytes;
    uint64_t argument; /* of the integer */
    bool negative, integer;
} number;

static number make_number(bool negative, const uint8_t *magnitude, size_t nbytes) {
    while (nbytes > 1 && magnitude[0] == 0) {
        magnitude++;
        nbytes--;
    }
    number n = {magnitude, nbytes, 0, negative, nbytes <= 8};
    if (n.integer)
        for (size_t i = 0; i < nbytes; i++) n.argument = n.argument << 8 | magnitude[i];
    return n;
}

static size_t number_nbytes(const number *n) {
    if (n->integer) return wcbor_head_nbytes_(n->argument);
    return 1 + wcbor_head_nbytes_(n->nbytes) + n->nbytes;
}

/* The caller has made the checks and the room. */
static wcbor_status put_number(wcbor_writer *writer, const number *n) {
    if (n->integer) return wcbor_put_item_(writer, n->negative ? WCBOR_NEGATIVE : WCBOR_UNSIGNED, n->argument);
    put_tag(writer, n->negative ? 3 : 2);
    return wcbor_write_bytes(writer, n->magnitude, n->nbytes);
}

wcbor_status wcbor_write_bignum(wcbor_writer *writer, bool negative, const void *magnitude, size_t nbytes) {
    if (magnitude == NULL && nbytes != 0) return WCBOR_NULL_ARGUMENT;
    if (nbytes == 0) magnitude = "\0", nbytes = 1;
    number n = make_number(negative, magnitude, nbytes);
    n.integer = n.integer && (writer->rules & RULE_PREFER_INTEGER) != 0;
    if (n.integer) return put_number(writer, &n);
    if (n.nbytes > PTRDIFF_MAX - 2 * WCBOR_HEAD_MAX) return WCBOR_OUT_OF_MEMORY;
    wcbor_status status = begin_tagged(writer, negative ? 3 : 2, number_nbytes(&n));
    if (status != WCBOR_OK) return status;
    return put_number(writer, &n);
}

wcbor_status wcbor_write_decimal(wcbor_writer *writer, int64_t exponent, bool negative, const void *magnitude,
                                 size_t nbytes) {
    if (magnitude == NULL && nbytes != 0) return WCBOR_NULL_ARGUMENT;
    if (nbytes == 0) magnitude = "\0", nbytes = 1;
    number n = make_number(negative, magnitude, nbytes);
    if ((writer->rules & RULE_NET_DECIMAL) != 0 && negative && n.integer && n.argument != 0) n.integer = false;
    if (n.nbytes > PTRDIFF_MAX - 4 * WCBOR_HEAD_MAX) return WCBOR_OUT_OF_MEMORY;
    wcbor_status status = may_tag(writer, 4);
    if (status != WCBOR_OK) return status;
    if (wcbor_depth_(writer) >= writer->max_depth) return WCBOR_DEPTH_EXCEEDED;
    uint64_t argument = (uint64_t)(exponent < 0 ? ~exponent : exponent);
    status = begin_tagged(writer, 4, 2 + wcbor_head_nbytes_(argument) + number_nbytes(&n));
    if (status == WCBOR_OK) status = wcbor_grow_frames_(writer, (size_t)wcbor_depth_(writer) + 1);
    if (status != WCBOR_OK) return status;
    put_tag(writer, 4);
    (void)wcbor_write_start_array(writer, 2);
    (void)wcbor_write_int64(writer, exponent);
    (void)put_number(writer, &n);
    return wcbor_write_end_array(writer);
}
