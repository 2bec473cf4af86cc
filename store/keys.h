/*
 * Keys: the tables of a store and the bytes that name a value in them.
 *
 * LMDB orders keys as unsigned bytes and allows at most 511 of them.  An object id is preceded by
 * its length; ordinals are big-endian, so that a scan returns them in order.
 */
#ifndef STRATA_STORE_KEYS_H
#define STRATA_STORE_KEYS_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"
#include "store/store.h"

/* Its number is part of every value's check: append only. */
enum store_table {
    TABLE_META,
    TABLE_FACTS,
    TABLE_HITS,
    TABLE_RULES,
    TABLE_GROUPS,
    TABLE_LISTINGS,
    TABLE_TRAJECTORIES,
    TABLE_CHECKPOINTS,
    TABLE_N
};

enum { KEY_MAX_BYTES = 511 };

struct key {
    uint8_t data[KEY_MAX_BYTES];
    size_t len;
};

/* What the meta keys of fingerprints start with; 16 bytes follow. */
#define META_FINGERPRINT "fingerprint/"

/* The name of TABLE in LMDB and in messages, such as "facts".  Static. */
const char *table_name(enum store_table table);

static inline struct bytes
key_bytes(const struct key *key)
{
    return (struct bytes){key->data, key->len};
}

/* The key_of functions make *OUT the key of a value. */
/* Facts and hits: the length of the id, the id, the fingerprint or group. */
void key_of_blob(const struct oid *blob, const struct store_key *suffix, struct key *out);
/* The name of a value that is named by its content: XXH3 with 128 bits. */
struct store_key name_of_content(struct bytes content);
/* Rules, groups, listings: the 16 bytes. */
void key_of_name(const struct store_key *name, struct key *out);
/* Meta: NAME itself.  0, or -1 with ERR_INPUT when it is empty or too long. */
int key_of_text(const char *name, struct key *out, struct err *err);
/* Meta: the entry that says that there are facts with FINGERPRINT. */
void key_of_fingerprint(const struct store_key *fingerprint, struct key *out);
/* Trajectories: the id.  0, or -1 with ERR_INPUT when it is empty, longer than STORE_ID_MAX or has
 * a NUL. */
int key_of_trajectory(struct bytes id, struct key *out, struct err *err);
/* Checkpoints: the id, a NUL, the ordinal as four bytes.  Fails as key_of_trajectory does. */
int key_of_checkpoint(struct bytes id, uint32_t ordinal, struct key *out, struct err *err);

/* Read the parts of KEY.  False when it cannot be a key of such a value; nothing is set then. */
bool key_read_blob(struct bytes key, struct oid *blob, struct store_key *suffix);
bool key_read_name(struct bytes key, struct store_key *name);
bool key_read_checkpoint(struct bytes key, struct bytes *id, uint32_t *ordinal);

enum { KEY_TEXT_SIZE = 640 };
/* Describe KEY for a message: "blob 1f2e…, fingerprint 00aa…". */
const char *key_describe(enum store_table table, struct bytes key, char out[KEY_TEXT_SIZE]);

#endif
