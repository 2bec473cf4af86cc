/*
 * SHA-1: the name of an object, computed from its content.
 */
#ifndef STRATA_GIT_ODB_SHA1_H
#define STRATA_GIT_ODB_SHA1_H

#include "base/bytes.h"
#include "base/oid.h"

enum { SHA1_BLOCK_BYTES = 64 };

/* A digest under way. */
struct sha1 {
    uint32_t h[5];
    uint8_t block[SHA1_BLOCK_BYTES]; /* the bytes after the last full block */
    size_t n_block;
    uint64_t n_bytes;
};

/* Begin a digest; append bytes any number of times; write the result to OUT. */
void sha1_begin(struct sha1 *state);
void sha1_add(struct sha1 *state, struct bytes b);
void sha1_end(struct sha1 *state, uint8_t out[OID_SHA1_BYTES]);

/* The digest of HEAD followed by BODY. */
void sha1_of(struct bytes head, struct bytes body, uint8_t out[OID_SHA1_BYTES]);

#endif
