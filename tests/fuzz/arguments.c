/* Arguments of calls, with the edges of the format in mind. */
#include "arguments.h"

#include <math.h>
#include <string.h>

enum { ARRAY = 4, MAP = 5, BYTES = 2, TEXT = 3 };

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

uint8_t *some_put(sequence *s, const void *bytes, size_t nbytes) {
    uint8_t *at = s->arena + s->arena_nbytes;
    if (nbytes > 0) memcpy(at, bytes, nbytes);
    s->arena_nbytes += nbytes;
    return at;
}

uint64_t some_number(random_state *r) {
    static const uint64_t edges[] = {0,         23,        24, 255, 256, 65535, 65536, UINT32_MAX, UINT64_C(1) << 32,
                                     INT64_MAX, UINT64_MAX};
    uint32_t how = random_below(r, 10);
    if (how < 5) return random_below(r, 30);
    if (how < 7) return edges[random_below(r, COUNT_OF(edges))];
    return random_bits(r) >> random_below(r, 64);
}

static size_t some_length(random_state *r) {
    static const uint16_t edges[] = {7, 8, 15, 16, 17, 22, 23, 24, 25, 31, 32, 255, 256};
    uint32_t how = random_below(r, 400);
    if (how < 300) return random_below(r, 9);
    if (how < 399) return edges[random_below(r, COUNT_OF(edges))];
    return random_chance(r, 95) ? random_below(r, 600) : 65530 + random_below(r, 10);
}

void some_bytes(sequence *s, random_state *r, call *c) {
    c->nbytes = some_length(r);
    c->bytes = s->arena + s->arena_nbytes;
    for (size_t i = 0; i < c->nbytes; i++)
        s->arena[s->arena_nbytes++] = (uint8_t)(random_bits(r) >> 56);
}

void some_text(sequence *s, random_state *r, call *c) {
    static const char *const words[] = {"",
                                        "a",
                                        "b",
                                        "id",
                                        "name",
                                        "key",
                                        "value",
                                        "zz",
                                        "\xc3\xa9",
                                        "S",
                                        "N",
                                        "tag",
                                        "caf\xc3\xa9",
                                        "\xf0\x9f\x98\x80",
                                        "\xef\xbf\xbf",
                                        "\xe2\x82\xac"};
    static const char *const ill_formed[] = {"\x80",         "\xc3",         "\xe2\x82",     "\xf0\x9f\x98",
                                             "\xed\xa0\x80", "\xc0\xaf",     "\xe0\x80\x80", "\xf4\x90\x80\x80",
                                             "\xff",         "\xf0\x80\x80", "\xe2\x28\xa1", "\xf1\x80\xc3"};
    uint32_t how = random_below(r, 100);
    c->bytes = s->arena + s->arena_nbytes;
    if (how < 60) {
        const char *word = words[random_below(r, COUNT_OF(words))];
        some_put(s, word, strlen(word));
    } else if (how < 70) {
        some_put(s, "a common prefix of some length, ", 32);
        s->arena[s->arena_nbytes++] = (uint8_t)('a' + random_below(r, 6));
    } else {
        size_t nbytes = some_length(r);
        for (size_t i = 0; i < nbytes; i++)
            s->arena[s->arena_nbytes++] = (uint8_t)('a' + random_below(r, 26));
        if (how >= 85) {
            const char *word = words[random_below(r, COUNT_OF(words))];
            some_put(s, word, strlen(word));
        }
    }
    if (random_chance(r, 4)) {
        const char *part = ill_formed[random_below(r, COUNT_OF(ill_formed))];
        some_put(s, part, strlen(part));
        if (random_chance(r, 50)) some_put(s, "end", 3);
    }
    c->nbytes = (size_t)(s->arena + s->arena_nbytes - c->bytes);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t some_double(random_state *r) {
    static const double edges[] = {0.0,
                                   -0.0,
                                   1.0,
                                   -1.0,
                                   65504,
                                   65520,
                                   0x1p-24,
                                   0x1p-25,
                                   0x1p-14,
                                   3.4028234663852886e38,
                                   0x1p-149,
                                   0x1p-150,
                                   0x1p53,
                                   0x1p63,
                                   -0x1p63,
                                   0x1p64,
                                   -0x1p64,
                                   0.1,
                                   1e300,
                                   INFINITY,
                                   -INFINITY,
                                   18446744073709549568.0,
                                   -9223372036854777856.0,
                                   0.5,
                                   0x1.8p127};
    uint32_t how = random_below(r, 12);
    if (how < 4) return bits_of(edges[random_below(r, COUNT_OF(edges))]);
    if (how < 6) return bits_of((double)random_below(r, 5000) / 8 - 200);
    if (how < 8) return bits_of((double)(float)(random_below(r, 100000) * 0.001));
    if (how < 9) return UINT64_C(0x7ff0000000000000) | random_bits(r) << random_below(r, 53);
    if (how < 11) return random_bits(r) & random_bits(r) << random_below(r, 60);
    return random_bits(r);
}

uint64_t some_single(random_state *r) {
    static const uint32_t edges[] = {0,          0x80000000, 0x3f800000, 0x477fe000, 0x477ff000, 0x33800000,
                                     0x33000000, 0x38800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc00001,
                                     0x7fa00000, 0xdf000000, 0x5f800000, 0x5f7fffff, 1,          0x387fc000};
    uint32_t how = random_below(r, 4);
    if (how < 2) return edges[random_below(r, COUNT_OF(edges))];
    if (how < 3) return 0x38000000u + ((uint32_t)random_below(r, 5000) << 13);
    return random_bits(r) >> 32;
}

uint64_t some_seconds(random_state *r) {
    static const double edges[] = {0.5, 1363896240.5, -1.25, INFINITY, -INFINITY, NAN, 1e300, 0.1, 1e-310};
    return bits_of(edges[random_below(r, COUNT_OF(edges))]);
}

void some_date_time(sequence *s, random_state *r, call *c) {
    static const char *const texts[] = {"2013-03-21T20:04:00Z",
                                        "2020-04-09T11:41:19.12-08:00",
                                        "2000-02-29T23:59:60Z",
                                        "1970-01-01T00:00:00.000+00:00",
                                        "0000-01-01T00:00:00-23:59",
                                        "2013-03-21T20:04:00",
                                        "2013-02-29T20:04:00Z",
                                        "2013-13-21T20:04:00Z",
                                        "2013-03-21 20:04:00Z",
                                        "2013-03-21T24:00:00Z",
                                        "2013-03-21T20:04:00.Z",
                                        "2013-03-21T20:04:00+24:00",
                                        "",
                                        "2013-03-21T20:04:00Zz",
                                        "2013-03-21t20:04:00z",
                                        "1900-02-29T00:00:00Z"};
    uint32_t which = random_below(r, 2 * COUNT_OF(texts));
    const char *text = texts[which < COUNT_OF(texts) ? which : which % 5];
    c->nbytes = strlen(text);
    c->bytes = some_put(s, text, c->nbytes);
}

void some_magnitude(sequence *s, random_state *r, call *c) {
    c->nbytes = random_below(r, 13);
    c->flag = random_chance(r, 50);
    c->bytes = s->arena + s->arena_nbytes;
    size_t zeros = random_chance(r, 30) ? random_below(r, 6) : 0;
    for (size_t i = 0; i < c->nbytes; i++) {
        s->arena[s->arena_nbytes++] = i < zeros ? 0 : (uint8_t)(random_chance(r, 20) ? 0xff : random_bits(r) >> 56);
    }
}

void some_cid(sequence *s, random_state *r, call *c) {
    static const uint8_t heads[][8] = {{5, 0x00, 0x01, 0x71, 0x12, 0x20}, /* version 1, dag-cbor, SHA2-256 */
                                       {3, 0x00, 0x12, 0x20},             /* version 0 */
                                       {6, 0x00, 0x01, 0x55, 0x9b, 0x24, 0x20},
                                       {6, 0x00, 0x01, 0x55, 0x80, 0x00, 0x20},
                                       {4, 0x01, 0x71, 0x12, 0x20},
                                       {5, 0x00, 0x02, 0x71, 0x12, 0x20}};
    const uint8_t *head = heads[random_chance(r, 60) ? random_below(r, 2) : random_below(r, COUNT_OF(heads))];
    c->bytes = some_put(s, head + 1, head[0]);
    size_t digest = random_chance(r, 90) ? 32 : random_below(r, 40);
    for (size_t i = 0; i < digest; i++)
        s->arena[s->arena_nbytes++] = (uint8_t)i;
    c->nbytes = head[0] + digest;
    if (random_chance(r, 3)) c->nbytes = random_below(r, (uint32_t)c->nbytes);
}

/* ------------------------------------------------------------------------------------------ encoded items */

typedef struct encoder {
    sequence *s;
    random_state *r;
    bool is_minimal, may_be_indefinite;
} encoder;

static void put_byte(encoder *e, unsigned byte) {
    e->s->arena[e->s->arena_nbytes++] = (uint8_t)byte;
}

static void put_head(encoder *e, unsigned major, uint64_t argument) {
    unsigned size = argument < 24 ? 0 : argument < 256 ? 1 : argument < 65536 ? 2 : argument <= UINT32_MAX ? 3 : 4;
    if (!e->is_minimal && size < 4 && random_chance(e->r, 20)) size++;
    if (size == 0) {
        put_byte(e, major << 5 | (unsigned)argument);
        return;
    }
    put_byte(e, major << 5 | (23 + size));
    for (int shift = (8 << (size - 1)) - 8; shift >= 0; shift -= 8)
        put_byte(e, (unsigned)(argument >> shift) & 0xff);
}

static void put_string(encoder *e, unsigned major) {
    call c = {.op = CALL_TEXT};
    size_t start = e->s->arena_nbytes;
    if (major == TEXT)
        some_text(e->s, e->r, &c);
    else
        some_bytes(e->s, e->r, &c);
    if (c.nbytes > 300) c.nbytes = 300;
    uint8_t payload[300];
    memcpy(payload, c.bytes, c.nbytes);
    e->s->arena_nbytes = start;
    put_head(e, major, c.nbytes);
    some_put(e->s, payload, c.nbytes);
}

static void put_float(encoder *e) {
    static const uint16_t halves[] = {0x3800, 0x7e00, 0x7c00, 0xfc00, 0x3c00, 0x8000, 0x7e01, 0x0001, 0x7bff};
    uint64_t bits;
    switch (random_below(e->r, 3)) {
    case 0:
        put_byte(e, 0xf9);
        bits = halves[random_below(e->r, COUNT_OF(halves))];
        for (int shift = 8; shift >= 0; shift -= 8)
            put_byte(e, (unsigned)(bits >> shift) & 0xff);
        break;
    case 1:
        put_byte(e, 0xfa);
        bits = some_single(e->r);
        for (int shift = 24; shift >= 0; shift -= 8)
            put_byte(e, (unsigned)(bits >> shift) & 0xff);
        break;
    default:
        put_byte(e, 0xfb);
        bits = some_double(e->r);
        for (int shift = 56; shift >= 0; shift -= 8)
            put_byte(e, (unsigned)(bits >> shift) & 0xff);
    }
}

static void put_item(encoder *e, int depth);

static void put_tagged(encoder *e, int depth) {
    call c = {.op = CALL_BYTES};
    size_t start;
    uint8_t payload[64];
    switch (random_below(e->r, 3)) {
    case 0:
        put_head(e, 6, 42);
        start = e->s->arena_nbytes;
        some_cid(e->s, e->r, &c);
        break;
    case 1:
        put_head(e, 6, 2 + random_below(e->r, 2));
        start = e->s->arena_nbytes;
        some_magnitude(e->s, e->r, &c);
        break;
    default:
        put_head(e, 6, some_number(e->r));
        put_item(e, depth);
        return;
    }
    memcpy(payload, c.bytes, c.nbytes);
    e->s->arena_nbytes = start;
    put_head(e, BYTES, c.nbytes);
    some_put(e->s, payload, c.nbytes);
}

/* Keys that mostly rise, so that sorting modes take the map. */
static void put_key(encoder *e, uint32_t i, bool of_text) {
    if (random_chance(e->r, 5)) {
        put_item(e, 0);
    } else if (of_text) {
        put_head(e, TEXT, 1);
        put_byte(e, 'a' + (random_chance(e->r, 92) ? 2 * i : random_below(e->r, 8)));
    } else {
        put_head(e, 0, random_chance(e->r, 92) ? 2 * i : random_below(e->r, 8));
    }
}

static void put_container(encoder *e, unsigned major, int depth) {
    uint32_t count = random_chance(e->r, 95) ? random_below(e->r, 4) : random_below(e->r, 30);
    bool is_open = e->may_be_indefinite && random_chance(e->r, 30), of_text = random_chance(e->r, 60);
    if (is_open)
        put_byte(e, major << 5 | 31);
    else
        put_head(e, major, count);
    for (uint32_t i = 0; i < count; i++) {
        if (major == MAP) put_key(e, i, of_text);
        put_item(e, count > 4 ? 0 : depth);
    }
    if (is_open) put_byte(e, 0xff);
}

static void put_item(encoder *e, int depth) {
    static const uint8_t simples[] = {0xf4, 0xf5, 0xf6, 0xf4, 0xf5, 0xf6, 0xf7, 0xe0, 0xf3};
    uint32_t how = random_below(e->r, depth > 0 ? 14 : 9);
    unsigned major = random_chance(e->r, 50) ? BYTES : TEXT;
    switch (how) {
    case 0:
    case 1: put_head(e, random_below(e->r, 2), some_number(e->r)); break;
    case 2:
    case 3: put_string(e, TEXT); break;
    case 4: put_string(e, BYTES); break;
    case 5:
    case 6: put_byte(e, simples[random_below(e->r, COUNT_OF(simples))]); break;
    case 7: put_float(e); break;
    case 8:
        if (random_chance(e->r, 70))
            put_head(e, 0, random_below(e->r, 10));
        else
            put_byte(e, 0xf8), put_byte(e, random_below(e->r, 256));
        break;
    case 9: put_tagged(e, depth - 1); break;
    case 10:
        if (!e->may_be_indefinite) {
            put_string(e, major);
            break;
        }
        put_byte(e, major << 5 | 31);
        for (uint32_t i = random_below(e->r, 3); i > 0; i--)
            put_string(e, major);
        put_byte(e, 0xff);
        break;
    case 11:
    case 12: put_container(e, MAP, depth - 1); break;
    default: put_container(e, ARRAY, depth - 1); break;
    }
}

void some_encoded(sequence *s, random_state *r, call *c) {
    bool sorts = s->mode != WCBOR_MODE_LAX && s->mode != WCBOR_MODE_STRICT;
    encoder e = {s, r, sorts ? random_chance(r, 97) : random_chance(r, 70), !sorts || random_chance(r, 5)};
    size_t start = s->arena_nbytes;
    put_item(&e, (int)random_below(r, 4));
    c->bytes = s->arena + start;
    c->nbytes = s->arena_nbytes - start;
    if (!random_chance(r, 12)) return;
    uint8_t *bytes = s->arena + start;
    switch (random_below(r, 4)) {
    case 0: c->nbytes = random_below(r, (uint32_t)c->nbytes + 1); break;
    case 1: bytes[random_below(r, (uint32_t)c->nbytes)] ^= (uint8_t)(1u << random_below(r, 8)); break;
    case 2: bytes[random_below(r, (uint32_t)c->nbytes)] = (uint8_t)random_bits(r); break;
    default: s->arena[s->arena_nbytes++] = (uint8_t)random_bits(r), c->nbytes++; break;
    }
}

void some_encoded_chunk(sequence *s, random_state *r, call *c, unsigned major) {
    encoder e = {s, r, random_chance(r, 50), false};
    size_t start = s->arena_nbytes;
    put_string(&e, major);
    c->bytes = s->arena + start;
    c->nbytes = s->arena_nbytes - start;
}
