/*
 * Keys: the tables of a store and the bytes that name a value in them.
 *
 * LMDB orders keys as unsigned bytes and takes at most 511 of them.  Object ids carry their length
 * in front; ordinals are big-endian so that a scan gives them in order.
 */
#ifndef STRATA_STORE_KEYS_H
#define STRATA_STORE_KEYS_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"
#include "store/store.h"

/* Written into every value's check: append only. */
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

/* "facts" and so on: the name of the table in LMDB and in messages. */
const char *table_name(enum store_table table);

static inline struct bytes
key_bytes(const struct key *key)
{
    return (struct bytes){key->data, key->len};
}

/* Facts and hits: length of the id, the id, fingerprint or group. */
void key_of_blob(const struct oid *blob, const struct store_key *suffix, struct key *out);
/* The name of a value that is known by its content: 128 bits of XXH3 over it. */
struct store_key name_of_content(struct bytes content);
/* Rules, groups, listings: the 16 bytes. */
void key_of_name(const struct store_key *name, struct key *out);
/* Meta: NAME as it is.  ERR_INPUT when it is empty or too long. */
int key_of_text(const char *name, struct key *out, struct err *err);
/* Meta: the note that there are facts with FINGERPRINT. */
void key_of_fingerprint(const struct store_key *fingerprint, struct key *out);
/* Trajectories: the id.  ERR_INPUT when it is empty, longer than STORE_ID_MAX or holds a NUL. */
int key_of_trajectory(struct bytes id, struct key *out, struct err *err);
/* Checkpoints: the id, a NUL, the ordinal as four bytes.  Fails as key_of_trajectory does. */
int key_of_checkpoint(struct bytes id, uint32_t ordinal, struct key *out, struct err *err);

/* The parts of a key read back; false when KEY cannot be one of its table. */
bool key_read_blob(struct bytes key, struct oid *blob, struct store_key *suffix);
bool key_read_name(struct bytes key, struct store_key *name);
bool key_read_checkpoint(struct bytes key, struct bytes *id, uint32_t *ordinal);

enum { KEY_TEXT_SIZE = 640 };
/* KEY in words for a message: "blob 1f2e…, fingerprint 00aa…". */
const char *key_describe(enum store_table table, struct bytes key, char out[KEY_TEXT_SIZE]);

#endif
