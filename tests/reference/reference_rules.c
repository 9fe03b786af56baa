#include "reference_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ref_append(ref_bytes *to, const void *bytes, size_t nbytes) {
    if (to->nbytes + nbytes > to->room) {
        to->room = 2 * (to->nbytes + nbytes) + 16;
        to->at = realloc(to->at, to->room);
        if (to->at == NULL) abort();
    }
    if (nbytes > 0) memcpy(to->at + to->nbytes, bytes, nbytes);
    to->nbytes += nbytes;
}

void ref_append_byte(ref_bytes *to, unsigned byte) {
    uint8_t one = (uint8_t)byte;
    ref_append(to, &one, 1);
}

static void append_big_endian(ref_bytes *to, uint64_t number, unsigned nbytes) {
    for (unsigned i = nbytes; i-- > 0;)
        ref_append_byte(to, (unsigned)(number >> (8 * i)) & 0xff);
}

void ref_append_head(ref_bytes *to, unsigned major, uint64_t argument) {
    if (argument <= 23) {
        ref_append_byte(to, major << 5 | (unsigned)argument);
    } else if (argument <= 0xff) {
        ref_append_byte(to, major << 5 | 24);
        append_big_endian(to, argument, 1);
    } else if (argument <= 0xffff) {
        ref_append_byte(to, major << 5 | 25);
        append_big_endian(to, argument, 2);
    } else if (argument <= 0xffffffff) {
        ref_append_byte(to, major << 5 | 26);
        append_big_endian(to, argument, 4);
    } else {
        ref_append_byte(to, major << 5 | 27);
        append_big_endian(to, argument, 8);
    }
}

void ref_release(ref_bytes *bytes) {
    free(bytes->at);
    *bytes = (ref_bytes){NULL, 0, 0};
}

bool ref_mode_checks_keys(wcbor_mode mode) {
    return mode != WCBOR_MODE_LAX;
}

bool ref_mode_sorts(wcbor_mode mode) {
    return mode != WCBOR_MODE_LAX && mode != WCBOR_MODE_STRICT;
}

bool ref_mode_prefers(wcbor_mode mode) {
    return mode == WCBOR_MODE_DETERMINISTIC || mode == WCBOR_MODE_DCBOR;
}

/* --------------------------------------------------------------------------------------------------- text */

/* A row of table 3-7: which first bytes begin a sequence of which length, and what its second byte may be. */
static const struct {
    uint8_t first_from, first_to, nbytes, second_from, second_to;
} sequences[] = {
    {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

/* How many bytes belong together at the start of the text: a whole sequence, or a maximal ill-formed part. */
static size_t sequence_at(const uint8_t *text, size_t nbytes, bool *is_valid) {
    *is_valid = false;
    for (size_t row = 0; row < sizeof sequences / sizeof *sequences; row++) {
        if (text[0] < sequences[row].first_from || text[0] > sequences[row].first_to) continue;
        size_t whole = sequences[row].nbytes;
        for (size_t i = 1; i < whole; i++) {
            uint8_t from = i == 1 ? sequences[row].second_from : 0x80;
            uint8_t to = i == 1 ? sequences[row].second_to : 0xbf;
            if (i == nbytes || text[i] < from || text[i] > to) return i;
        }
        *is_valid = true;
        return whole;
    }
    return 1;
}

bool ref_text_is_valid(const uint8_t *text, size_t nbytes) {
    bool is_valid = true;
    for (size_t i = 0; i < nbytes && is_valid;)
        i += sequence_at(text + i, nbytes - i, &is_valid);
    return is_valid;
}

void ref_append_replaced(ref_bytes *to, const uint8_t *text, size_t nbytes) {
    for (size_t i = 0; i < nbytes;) {
        bool is_valid;
        size_t part = sequence_at(text + i, nbytes - i, &is_valid);
        if (is_valid)
            ref_append(to, text + i, part);
        else
            ref_append(to, "\xef\xbf\xbd", 3);
        i += part;
    }
}

/* --------------------------------------------------------------------------------------------------- keys */

int ref_compare_keys(wcbor_mode mode, const uint8_t *a, size_t a_nbytes, const uint8_t *b, size_t b_nbytes) {
    bool is_length_first = mode == WCBOR_MODE_CANONICAL || mode == WCBOR_MODE_CTAP2 || mode == WCBOR_MODE_DAG_CBOR;
    if (mode == WCBOR_MODE_CTAP2 && a[0] >> 5 != b[0] >> 5) return (a[0] >> 5) - (b[0] >> 5);
    if (is_length_first && a_nbytes != b_nbytes) return a_nbytes < b_nbytes ? -1 : 1;
    int order = memcmp(a, b, a_nbytes < b_nbytes ? a_nbytes : b_nbytes);
    if (order != 0) return order;
    return a_nbytes == b_nbytes ? 0 : a_nbytes < b_nbytes ? -1 : 1;
}

/* ------------------------------------------------------------------------------------------------- floats */

double ref_double_of_half(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude;
    if (exponent == 0)
        magnitude = ldexp(fraction, -24);
    else if (exponent < 31)
        magnitude = ldexp(fraction + 1024, exponent - 25);
    else
        magnitude = fraction == 0 ? INFINITY : NAN;
    return bits >> 15 ? -magnitude : magnitude;
}

/* The half that has this very value, looked for among all halves, which are in order of magnitude. */
static bool half_of_double(double value, uint16_t *bits) {
    double magnitude = fabs(value);
    uint16_t low = 0, high = 0x7c00;
    while (low < high) {
        uint16_t middle = (uint16_t)((low + high) / 2);
        if (ref_double_of_half(middle) < magnitude)
            low = (uint16_t)(middle + 1);
        else
            high = middle;
    }
    if (ref_double_of_half(low) != magnitude) return false;
    *bits = (uint16_t)(low | (signbit(value) ? 0x8000 : 0));
    return true;
}

static void append_shortest(ref_bytes *to, double value) {
    uint16_t half;
    if (isnan(value)) {
        ref_append(to, "\xf9\x7e\x00", 3);
    } else if (half_of_double(value, &half)) {
        ref_append_byte(to, 0xf9);
        append_big_endian(to, half, 2);
    } else if (fabs(value) <= 3.4028234663852886e38 && (double)(float)value == value) {
        float single = (float)value;
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        ref_append_byte(to, 0xfa);
        append_big_endian(to, bits, 4);
    } else {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        ref_append_byte(to, 0xfb);
        append_big_endian(to, bits, 8);
    }
}

static double double_of(unsigned width, uint64_t bits) {
    if (width == 2) return ref_double_of_half((uint16_t)bits);
    if (width == 4) {
        uint32_t low = (uint32_t)bits;
        float single;
        memcpy(&single, &low, sizeof single);
        return single;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool ref_append_float(ref_bytes *to, wcbor_mode mode, unsigned width, uint64_t bits) {
    double value = double_of(width, bits);
    if (mode == WCBOR_MODE_CTAP2) {
        ref_append_byte(to, width == 2 ? 0xf9 : width == 4 ? 0xfa : 0xfb);
        append_big_endian(to, bits, width);
    } else if (mode == WCBOR_MODE_DAG_CBOR) {
        if (!isfinite(value)) return false;
        memcpy(&bits, &value, sizeof bits);
        ref_append_byte(to, 0xfb);
        append_big_endian(to, bits, 8);
    } else if (mode == WCBOR_MODE_DCBOR && value == floor(value) && value >= -0x1p63 && value < 0x1p64) {
        if (value < 0)
            ref_append_head(to, 1, (uint64_t)(-1 - (int64_t)value));
        else
            ref_append_head(to, 0, (uint64_t)value);
    } else {
        append_shortest(to, value);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------ CIDs, bignums */

/* An unsigned LEB128 number as multiformats has it: at most nine bytes, no longer than need be. 0 bytes: it is none. */
static size_t varint_at(const uint8_t *bytes, size_t nbytes, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < nbytes && i < 9; i++) {
        *number |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
        if (bytes[i] < 0x80) return i > 0 && bytes[i] == 0 ? 0 : i + 1;
    }
    return 0;
}

bool ref_is_tagged_cid(const uint8_t *bytes, size_t nbytes) {
    if (nbytes == 0 || bytes[0] != 0) return false;
    bytes++, nbytes--;
    if (nbytes == 34 && bytes[0] == 0x12 && bytes[1] == 0x20) return true; /* version 0: a bare SHA2-256 multihash */
    /* version 1: 01, codec, hash function, length of the digest, digest */
    uint64_t numbers[4];
    for (int i = 0; i < 4; i++) {
        size_t taken = varint_at(bytes, nbytes, &numbers[i]);
        if (taken == 0) return false;
        bytes += taken, nbytes -= taken;
    }
    return numbers[0] == 1 && numbers[3] == nbytes;
}

bool ref_is_preferred_bignum(const uint8_t *bytes, size_t nbytes) {
    return nbytes > 8 && bytes[0] != 0;
}

/* --------------------------------------------------------------------------------------------- date-times */

/* Takes `count` digits; -1 when they are not there. */
static int take_digits(const uint8_t **at, const uint8_t *end, int count) {
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (*at == end || **at < '0' || **at > '9') return -1;
        number = number * 10 + (*(*at)++ - '0');
    }
    return number;
}

static bool take_one_of(const uint8_t **at, const uint8_t *end, const char *which) {
    if (*at == end || **at == 0 || strchr(which, **at) == NULL) return false;
    ++*at;
    return true;
}

static int days_of(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && is_leap);
}

bool ref_is_date_time(const uint8_t *text, size_t nbytes) {
    const uint8_t *at = text, *end = text + nbytes;
    int year = take_digits(&at, end, 4);
    if (year < 0 || !take_one_of(&at, end, "-")) return false;
    int month = take_digits(&at, end, 2);
    if (month < 1 || month > 12 || !take_one_of(&at, end, "-")) return false;
    int day = take_digits(&at, end, 2);
    if (day < 1 || day > days_of(year, month) || !take_one_of(&at, end, "T")) return false;
    int hour = take_digits(&at, end, 2);
    if (hour < 0 || hour > 23 || !take_one_of(&at, end, ":")) return false;
    int minute = take_digits(&at, end, 2);
    if (minute < 0 || minute > 59 || !take_one_of(&at, end, ":")) return false;
    int second = take_digits(&at, end, 2);
    if (second < 0 || second > 60) return false;
    if (take_one_of(&at, end, ".")) {
        if (take_digits(&at, end, 1) < 0) return false;
        while (take_digits(&at, end, 1) >= 0) {
        }
    }
    if (take_one_of(&at, end, "Z")) return at == end;
    if (!take_one_of(&at, end, "+-")) return false;
    hour = take_digits(&at, end, 2);
    if (hour < 0 || hour > 23 || !take_one_of(&at, end, ":")) return false;
    minute = take_digits(&at, end, 2);
    return minute >= 0 && minute <= 59 && at == end;
}
