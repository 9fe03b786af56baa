/* sha256.h - the digest by which the vectors give long documents. */
#ifndef WCBOR_TEST_SHA256_H
#define WCBOR_TEST_SHA256_H

#include <stddef.h>
#include <stdint.h>

void sha256(const uint8_t *bytes, size_t nbytes, uint8_t digest[32]);

#endif
