/*
 * SHA-1: the name of an object, computed from its content.
 */
#ifndef STRATA_GIT_ODB_SHA1_H
#define STRATA_GIT_ODB_SHA1_H

#include "base/bytes.h"
#include "base/oid.h"

/* The digest of HEAD followed by BODY. */
void sha1(struct bytes head, struct bytes body, uint8_t out[OID_SHA1_BYTES]);

#endif
