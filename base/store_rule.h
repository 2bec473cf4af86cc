/*
 * Store rule: a rule as a store keeps it, and what else analyzer, which makes such things, and store,
 * which keeps them, must agree on: they do not know each other.
 */
#ifndef STRATA_BASE_STORE_RULE_H
#define STRATA_BASE_STORE_RULE_H

#include <stdint.h>

#include "base/bytes.h"

enum {
    STORE_KEY_BYTES = 16,
    STORE_RULE_HIT_BYTES = 8, /* of a rule's key: those that follow from what its hits depend on */
    STORE_BLOB_BYTES_MAX = 32 * 1024 * 1024 /* of the facts, or the hits, of one blob */
};

/* 128 bits that name a fingerprint, a rule, a group of rules, or a listing. */
struct store_key {
    uint8_t bytes[STORE_KEY_BYTES];
};

/* The part of a rule's key that its hits depend on, borrowed from it. */
static inline struct bytes
store_rule_hit_bytes(const struct store_key *key)
{
    return (struct bytes){key->bytes, STORE_RULE_HIT_BYTES};
}

struct store_rule {
    /* The first half follows from what its hits depend on, the second from all the rest of it.  So
     * hits can be taken over from a rule that only says something else about itself, and no store
     * holds two texts under one key. */
    struct store_key key;
    struct bytes id;
    struct bytes severity;
    struct bytes metadata; /* JSON object, or {NULL, 0} */
    struct bytes source;   /* its YAML document */
};

#endif
