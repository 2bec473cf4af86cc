/*
 * Object ids: the name of a git object, with its length (SHA-1 has 20 bytes, SHA-256 has 32).
 */
#ifndef STRATA_BASE_OID_H
#define STRATA_BASE_OID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

enum { OID_SHA1_BYTES = 20, OID_SHA256_BYTES = 32, OID_MAX_BYTES = 32, OID_HEX_SIZE = 65 };

struct oid {
    uint8_t len;               /* 20 or 32; 0 means "none" */
    uint8_t id[OID_MAX_BYTES]; /* bytes past len are zero */
};

/* The id of LEN (20 or 32) raw bytes; "none" for any other LEN. */
struct oid oid_from_raw(const uint8_t *raw, size_t len);
/* Read 40 or 64 hexadecimal digits, either case.  0, or -1 when HEX is anything else. */
int oid_from_hex(struct bytes hex, struct oid *out);
/* Write the digits and a NUL into OUT and return OUT. */
char *oid_to_hex(const struct oid *oid, char out[OID_HEX_SIZE]);
/* Compare by length, then bytes: below, equal to, or above 0. */
int oid_compare(const struct oid *a, const struct oid *b);
/* Are A and B the same id? */
bool oid_equal(const struct oid *a, const struct oid *b);
/* The raw bytes, borrowed from OID. */
static inline struct bytes
oid_bytes(const struct oid *oid)
{
    return (struct bytes){oid->id, oid->len};
}

#endif
