/*
 * Keys.  A key is built by appending its parts, and read back only if its length and its parts
 * are valid.  Invariant: no key is longer than KEY_MAX_BYTES, which is LMDB's limit.
 */
#include "store/keys.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/decoder.h"

static const char *const TABLE_NAMES[TABLE_N] = {
    [TABLE_META] = "meta",
    [TABLE_FACTS] = "facts",
    [TABLE_HITS] = "hits",
    [TABLE_RULES] = "rules",
    [TABLE_GROUPS] = "groups",
    [TABLE_LISTINGS] = "listings",
    [TABLE_TRAJECTORIES] = "trajectories",
    [TABLE_CHECKPOINTS] = "checkpoints",
};

enum { ORDINAL_BYTES = 4 };

const char *
table_name(enum store_table table)
{
    assert((unsigned)table < TABLE_N);
    return TABLE_NAMES[table];
}

static void
append(struct key *key, const void *data, size_t len)
{
    assert(len <= sizeof(key->data) - key->len);
    if (len)
        memcpy(key->data + key->len, data, len);
    key->len += len;
}

void
key_of_blob(const struct oid *blob, const struct store_key *suffix, struct key *out)
{
    out->len = 0;
    append(out, &blob->len, 1);
    append(out, blob->id, blob->len);
    append(out, suffix->bytes, STORE_KEY_BYTES);
}

struct store_key
name_of_content(struct bytes content)
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(content.data, content.len));
    struct store_key name;
    memcpy(name.bytes, canonical.digest, STORE_KEY_BYTES);
    return name;
}

void
key_of_name(const struct store_key *name, struct key *out)
{
    out->len = 0;
    append(out, name->bytes, STORE_KEY_BYTES);
}

int
key_of_text(const char *name, struct key *out, struct err *err)
{
    size_t len = strlen(name);
    if (len == 0 || len > KEY_MAX_BYTES)
        return err_set(err, ERR_INPUT, "a name in the meta table has 1 to %d bytes, not %zu",
                       KEY_MAX_BYTES, len);
    out->len = 0;
    append(out, name, len);
    return 0;
}

void
key_of_fingerprint(const struct store_key *fingerprint, struct key *out)
{
    out->len = 0;
    append(out, META_FINGERPRINT, sizeof(META_FINGERPRINT) - 1);
    append(out, fingerprint->bytes, STORE_KEY_BYTES);
}

int
key_of_trajectory(struct bytes id, struct key *out, struct err *err)
{
    if (id.len == 0)
        return err_set(err, ERR_INPUT, "a trajectory needs an id of at least one byte");
    if (id.len > STORE_ID_MAX)
        return err_set(err, ERR_INPUT,
                       "trajectory id \"%.60s...\" has %zu bytes, at most %d are possible: "
                       "shorten it",
                       (const char *)id.data, id.len, STORE_ID_MAX);
    if (memchr(id.data, 0, id.len))
        return err_set(err, ERR_INPUT, "trajectory id \"%.*s\" holds a NUL byte: rename it",
                       BYTES_ARG(id));
    out->len = 0;
    append(out, id.data, id.len);
    return 0;
}

int
key_of_checkpoint(struct bytes id, uint32_t ordinal, struct key *out, struct err *err)
{
    if (key_of_trajectory(id, out, err) < 0)
        return -1;
    uint8_t tail[1 + ORDINAL_BYTES] = {0, (uint8_t)(ordinal >> 24), (uint8_t)(ordinal >> 16),
                                       (uint8_t)(ordinal >> 8), (uint8_t)ordinal};
    append(out, tail, sizeof(tail));
    return 0;
}

bool
key_read_blob(struct bytes key, struct oid *blob, struct store_key *suffix)
{
    struct decoder decoder = decoder_init(key);
    size_t len = decoder_byte(&decoder);
    if (len != OID_SHA1_BYTES && len != OID_SHA256_BYTES)
        return false;
    struct bytes id = decoder_take(&decoder, len);
    struct bytes tail = decoder_take(&decoder, STORE_KEY_BYTES);
    if (!decoder_done(&decoder))
        return false;
    *blob = oid_from_raw(id.data, id.len);
    memcpy(suffix->bytes, tail.data, STORE_KEY_BYTES);
    return true;
}

bool
key_read_name(struct bytes key, struct store_key *name)
{
    if (key.len != STORE_KEY_BYTES)
        return false;
    memcpy(name->bytes, key.data, STORE_KEY_BYTES);
    return true;
}

bool
key_read_checkpoint(struct bytes key, struct bytes *id, uint32_t *ordinal)
{
    if (key.len < 2 + ORDINAL_BYTES || key.data[key.len - 1 - ORDINAL_BYTES] != 0)
        return false;
    *id = bytes_slice(key, 0, key.len - 1 - ORDINAL_BYTES);
    struct decoder decoder = decoder_init(bytes_slice(key, key.len - ORDINAL_BYTES, key.len));
    *ordinal = decoder_be32(&decoder);
    return true;
}

/* BYTES as hexadecimal digits into OUT, which holds them and a NUL. */
static void
hex(const uint8_t *bytes, size_t len, char *out)
{
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    out[2 * len] = 0;
}

const char *
key_describe(enum store_table table, struct bytes key, char out[KEY_TEXT_SIZE])
{
    struct oid blob;
    struct store_key name;
    struct bytes id;
    uint32_t ordinal;
    char blob_hex[OID_HEX_SIZE], name_hex[2 * STORE_KEY_BYTES + 1];

    if ((table == TABLE_FACTS || table == TABLE_HITS) && key_read_blob(key, &blob, &name)) {
        hex(name.bytes, STORE_KEY_BYTES, name_hex);
        snprintf(out, KEY_TEXT_SIZE, "blob %s, %s %s", oid_to_hex(&blob, blob_hex),
                 table == TABLE_FACTS ? "fingerprint" : "rule group", name_hex);
    } else if (table == TABLE_CHECKPOINTS && key_read_checkpoint(key, &id, &ordinal)) {
        snprintf(out, KEY_TEXT_SIZE, "\"%.*s\", ordinal %u", BYTES_ARG(id), ordinal);
    } else if (table == TABLE_TRAJECTORIES || table == TABLE_META) {
        snprintf(out, KEY_TEXT_SIZE, "\"%.*s\"", BYTES_ARG(key));
    } else if ((table == TABLE_FACTS || table == TABLE_HITS) && key_read_name(key, &name)) {
        hex(name.bytes, STORE_KEY_BYTES, name_hex);
        snprintf(out, KEY_TEXT_SIZE, "%s %s", table == TABLE_FACTS ? "fingerprint" : "rule group",
                 name_hex);
    } else {
        char key_hex[2 * 64 + 1];
        hex(key.data, key.len < 64 ? key.len : 64, key_hex);
        snprintf(out, KEY_TEXT_SIZE, "%s", key_hex);
    }
    return out;
}
