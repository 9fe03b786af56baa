/*
 * reader-tagged.c - tagged items that are read as a whole: times, bignums, decimal fractions.
 *
 * A call that fails puts the reader back to before the tag.
 */
#include "reader.h"

#include "float.h"

/* The longest date-time that is read: seven digits of a fraction, and an offset. */
enum { DATE_TIME_MAX = 33, FRACTION_MAX = 7, DECIMAL_NBYTES = 12, EXPONENT_MAX = 28 };

/* Ends a call whose inner calls have failed, or which has found its content to be at fault where the reader stands. */
static wcbor_status undo(wcbor_reader *reader, const wcbor_mark_ *mark, wcbor_status status) {
    wcbor_restore_reader_(reader, mark);
    return status;
}

/* Reads the tag, which must be `first` or `second`. */
static wcbor_status take_tag(wcbor_reader *reader, uint64_t first, uint64_t second, wcbor_status other, uint64_t *tag) {
    wcbor_status status = wcbor_peek_tag(reader, tag);
    if (status != WCBOR_OK) return status;
    if (*tag != first && *tag != second) return wcbor_fail_read_(reader, other);
    return wcbor_read_tag(reader, tag);
}

/* What stands under a tag. */
static wcbor_status content_state(wcbor_reader *reader, wcbor_state *state) {
    wcbor_status status = wcbor_reader_peek(reader, state);
    if (status != WCBOR_OK || *state != WCBOR_STATE_NEEDS_MORE_DATA) return status;
    if (reader->next == reader->end) return wcbor_fail_read_(reader, WCBOR_UNEXPECTED_END);
    *state = wcbor_state_of_(*reader->next);
    return WCBOR_OK;
}

/* ---------------------------------------------------------------------------------------------------------- times */

static bool is_date_time(const char *text, size_t nbytes) {
    if (!wcbor_is_date_time_(text, nbytes)) return false;
    if (text[19] != '.') return true;
    size_t behind = text[nbytes - 1] == 'Z' ? 1 : 6;
    return nbytes - 20 - behind <= FRACTION_MAX;
}

wcbor_status wcbor_read_date_time(wcbor_reader *reader, char *destination, size_t capacity, size_t *nbytes) {
    wcbor_mark_ mark = wcbor_mark_reader_(reader);
    wcbor_state state;
    char text[DATE_TIME_MAX];
    uint64_t tag;
    size_t length = 0;
    wcbor_status status = take_tag(reader, 0, 0, WCBOR_TAG_MISMATCH, &tag);
    if (status == WCBOR_OK) status = content_state(reader, &state);
    if (status != WCBOR_OK) return undo(reader, &mark, status);
    if (state != WCBOR_STATE_TEXT && state != WCBOR_STATE_START_INDEFINITE_TEXT) {
        (void)wcbor_fail_read_(reader, status);
        return undo(reader, &mark, WCBOR_INVALID_DATETIME);
    }
    size_t content = (size_t)(reader->next - reader->bytes);
    status = wcbor_read_text(reader, text, sizeof text, &length);
    if (status != WCBOR_OK && status != WCBOR_DEST_TOO_SMALL) return undo(reader, &mark, status);
    if (status == WCBOR_DEST_TOO_SMALL || !is_date_time(text, length)) {
        reader->fault = content;
        return undo(reader, &mark, WCBOR_INVALID_DATETIME);
    }
    *nbytes = length;
    if (length > capacity) return undo(reader, &mark, WCBOR_DEST_TOO_SMALL);
    memcpy(destination, text, length);
    return WCBOR_OK;
}

wcbor_status wcbor_read_unix_time(wcbor_reader *reader, wcbor_unix_time *time) {
    wcbor_mark_ mark = wcbor_mark_reader_(reader);
    wcbor_state state;
    uint64_t tag;
    int64_t integer = 0;
    double seconds = 0;
    wcbor_status status = take_tag(reader, 1, 1, WCBOR_TAG_MISMATCH, &tag);
    if (status == WCBOR_OK) status = content_state(reader, &state);
    if (status != WCBOR_OK) return undo(reader, &mark, status);
    size_t content = (size_t)(reader->next - reader->bytes);
    bool is_integer = false;
    switch (state) {
    case WCBOR_STATE_UNSIGNED:
    case WCBOR_STATE_NEGATIVE:
        is_integer = true;
        status = wcbor_read_int64(reader, &integer);
        if (status == WCBOR_OVERFLOW) status = WCBOR_INVALID_UNIXTIME;
        seconds = (double)integer;
        break;
    case WCBOR_STATE_HALF:
    case WCBOR_STATE_SINGLE:
    case WCBOR_STATE_DOUBLE:
        status = wcbor_read_double(reader, &seconds);
        if (status == WCBOR_OK && !wcbor_is_finite_(seconds)) status = WCBOR_INVALID_UNIXTIME;
        break;
    default: status = WCBOR_INVALID_UNIXTIME;
    }
    if (status != WCBOR_OK) {
        if (status == WCBOR_INVALID_UNIXTIME) reader->fault = content;
        return undo(reader, &mark, status);
    }
    *time = (wcbor_unix_time){is_integer, integer, seconds};
    return WCBOR_OK;
}

/* -------------------------------------------------------------------------------------------------------- bignums */

wcbor_status wcbor_read_bignum(wcbor_reader *reader, bool *negative, void *destination, size_t capacity, size_t *nbytes) {
    wcbor_mark_ mark = wcbor_mark_reader_(reader);
    wcbor_state state;
    uint64_t tag;
    wcbor_status status = take_tag(reader, 2, 3, WCBOR_NOT_A_BIGNUM_TAG, &tag);
    if (status == WCBOR_OK) status = content_state(reader, &state);
    if (status != WCBOR_OK) return undo(reader, &mark, status);
    if (state != WCBOR_STATE_BYTES && state != WCBOR_STATE_START_INDEFINITE_BYTES) {
        (void)wcbor_fail_read_(reader, status);
        return undo(reader, &mark, WCBOR_INVALID_BIGNUM);
    }
    status = wcbor_read_bytes(reader, destination, capacity, nbytes);
    if (status != WCBOR_OK) return undo(reader, &mark, status);
    *negative = tag == 3;
    return WCBOR_OK;
}

/* The argument of an integer, big-endian, without leading zeros. */
static wcbor_status put_argument(uint64_t argument, uint8_t *destination, size_t capacity, size_t *nbytes) {
    for (*nbytes = 0; *nbytes < 8 && argument >> (8 * *nbytes) != 0;) ++*nbytes;
    if (*nbytes > capacity) return WCBOR_DEST_TOO_SMALL;
    for (size_t i = *nbytes; i-- > 0; argument >>= 8) destination[i] = (uint8_t)argument;
    return WCBOR_OK;
}

/* Whether the decimal that a mantissa and an exponent are fits the 96 bits and the 28 digits of .NET's. */
static bool is_net_decimal(int64_t exponent, bool negative, const uint8_t *magnitude, size_t nbytes) {
    while (nbytes > 0 && magnitude[0] == 0) {
        magnitude++;
        nbytes--;
    }
    if (nbytes > DECIMAL_NBYTES) return false;
    /* Three words, the least first; of a negative number the magnitude is one less. */
    uint64_t words[DECIMAL_NBYTES / 4] = {0}, carry = negative;
    for (size_t i = 0; i < nbytes; i++) words[(nbytes - 1 - i) / 4] |= (uint64_t)magnitude[i] << (8 * ((nbytes - 1 - i) % 4));
    if (!negative && (words[0] | words[1] | words[2]) == 0) return true;
    if (exponent < -EXPONENT_MAX || exponent > EXPONENT_MAX) return false;
    for (int64_t round = exponent < 0 ? 0 : exponent, factor = 1; round >= 0; round--, factor = 10) {
        for (size_t i = 0; i < 3; i++) {
            carry += words[i] * (uint64_t)factor;
            words[i] = carry & UINT32_MAX;
            carry >>= 32;
        }
        if (carry != 0) return false;
    }
    return true;
}

/* The mantissa of a decimal fraction, an integer or a bignum. */
static wcbor_status mantissa(wcbor_reader *reader, bool *negative, uint8_t *destination, size_t capacity, size_t *nbytes) {
    wcbor_state state;
    uint64_t argument = 0;
    wcbor_status status = content_state(reader, &state);
    if (status != WCBOR_OK) return status;
    switch (state) {
    case WCBOR_STATE_UNSIGNED:
        *negative = false;
        status = wcbor_read_uint64(reader, &argument);
        break;
    case WCBOR_STATE_NEGATIVE:
        *negative = true;
        status = wcbor_read_negative(reader, &argument);
        break;
    case WCBOR_STATE_TAG:
        status = wcbor_read_bignum(reader, negative, destination, capacity, nbytes);
        return status == WCBOR_NOT_A_BIGNUM_TAG ? WCBOR_INVALID_DECIMAL : status;
    default: return wcbor_fail_read_(reader, WCBOR_INVALID_DECIMAL);
    }
    return status == WCBOR_OK ? put_argument(argument, destination, capacity, nbytes) : status;
}

/* What is under tag 4. */
static wcbor_status decimal(wcbor_reader *reader, int64_t *exponent, bool *negative, uint8_t *destination,
                            size_t capacity, size_t *nbytes) {
    wcbor_state state;
    int64_t count = 0;
    wcbor_status status = content_state(reader, &state);
    if (status == WCBOR_OK && state != WCBOR_STATE_START_ARRAY) return wcbor_fail_read_(reader, WCBOR_INVALID_DECIMAL);
    size_t array = (size_t)(reader->next - reader->bytes);
    if (status == WCBOR_OK) status = wcbor_read_start_array(reader, &count);
    if (status == WCBOR_OK && count != 2) {
        reader->fault = array;
        return WCBOR_INVALID_DECIMAL;
    }
    if (status == WCBOR_OK) status = content_state(reader, &state);
    if (status == WCBOR_OK && state != WCBOR_STATE_UNSIGNED && state != WCBOR_STATE_NEGATIVE)
        return wcbor_fail_read_(reader, WCBOR_INVALID_DECIMAL);
    if (status == WCBOR_OK) status = wcbor_read_int64(reader, exponent);
    if (status == WCBOR_OK) status = mantissa(reader, negative, destination, capacity, nbytes);
    if (status == WCBOR_OK) status = wcbor_read_end_array(reader);
    if (status != WCBOR_OK) return status;
    if ((reader->rules & RULE_NET_DECIMAL) != 0 && !is_net_decimal(*exponent, *negative, destination, *nbytes)) {
        reader->fault = array;
        return WCBOR_OVERFLOW;
    }
    return WCBOR_OK;
}

wcbor_status wcbor_read_decimal(wcbor_reader *reader, int64_t *exponent, bool *negative, void *destination,
                                size_t capacity, size_t *nbytes) {
    wcbor_mark_ mark = wcbor_mark_reader_(reader);
    uint64_t tag;
    wcbor_status status = take_tag(reader, 4, 4, WCBOR_TAG_MISMATCH, &tag);
    if (status == WCBOR_OK) status = decimal(reader, exponent, negative, destination, capacity, nbytes);
    return status == WCBOR_OK ? WCBOR_OK : undo(reader, &mark, status);
}
