/* See blob_index.h.  Entries are in the order of the keys.  Ids are evenly spread, so their first
 * bits lead to the few entries among which to search. */
#include "store/blob_index.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

enum { BUCKET_BITS_MAX = 24, CACHE_LINE_BYTES = 64, PREFETCH_BYTES = 512 };

/* A value in the map. */
struct place {
    const uint8_t *key, *value; /* NULL: none */
};

struct entry {
    uint64_t prefix; /* the first bytes of the key */
    struct place facts, hits;
    uint32_t facts_len, hits_len;
};

struct store_index {
    struct store_key facts, hits; /* what the keys end with */
    struct entry *entries;
    size_t n_entries;
    uint32_t *starts; /* by bucket: its first entry; and one more */
    unsigned bits;    /* of an id that choose its bucket */
};

/* Orders as the keys do, as far as it goes. */
static uint64_t
prefix_of(struct bytes key)
{
    uint64_t prefix;
    memcpy(&prefix, key.data, sizeof(prefix));
    return be64toh(prefix);
}

/* Rises with PREFIX: the ids of SHA-256 have the upper half. */
static size_t
bucket_of(const struct store_index *index, uint64_t prefix)
{
    size_t is_long = prefix >> 56 > OID_SHA1_BYTES;
    return is_long << index->bits | (size_t)(prefix << 8 >> 1 >> (63 - index->bits));
}

/* ---- Making -------------------------------------------------------------------------------- */

struct making {
    struct store_index *index;
    size_t n_room; /* for entries */
    size_t at;     /* the entry whose hits may come next */
};

/* Is KEY that of a blob, ending with SUFFIX? */
static bool
is_of(struct bytes key, const struct store_key *suffix)
{
    struct oid blob;
    struct store_key end;
    return key_read_blob(key, &blob, &end) && memcmp(&end, suffix, sizeof(end)) == 0;
}

static int
take_facts(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct making *making = context;
    struct store_index *index = making->index;
    (void)err;
    if (index->n_entries < making->n_room && index->n_entries < UINT32_MAX &&
        stored.len <= UINT32_MAX && is_of(key, &index->facts))
        index->entries[index->n_entries++] = (struct entry){.prefix = prefix_of(key),
                                                            .facts = {key.data, stored.data},
                                                            .facts_len = (uint32_t)stored.len};
    return 0;
}

/* Both tables are in one order, so entries and hits are passed side by side. */
static int
take_hits(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct making *making = context;
    struct store_index *index = making->index;
    (void)err;
    if (stored.len > UINT32_MAX || !is_of(key, &index->hits))
        return 0;
    uint64_t prefix = prefix_of(key);
    while (making->at < index->n_entries && index->entries[making->at].prefix < prefix)
        making->at++;
    if (making->at == index->n_entries || index->entries[making->at].prefix != prefix)
        return 0;
    struct entry *entry = &index->entries[making->at++];
    entry->hits = (struct place){key.data, stored.data};
    entry->hits_len = (uint32_t)stored.len;
    return 0;
}

/* Say where each bucket starts. */
static int
make_buckets(struct store_index *index, struct err *err)
{
    while (index->bits < BUCKET_BITS_MAX && (size_t)2 << index->bits < index->n_entries)
        index->bits++;
    size_t n_buckets = (size_t)2 << index->bits, bucket = 0;
    index->starts = calloc(n_buckets + 1, sizeof(*index->starts));
    if (!index->starts)
        return err_nomem(err, "index of blobs");
    for (size_t i = 0; i < index->n_entries; i++)
        for (; bucket <= bucket_of(index, index->entries[i].prefix); bucket++)
            index->starts[bucket] = num_u32(i);
    for (; bucket <= n_buckets; bucket++)
        index->starts[bucket] = num_u32(index->n_entries);
    return 0;
}

static int
fill(struct store_index *index, struct store_reader *reader, bool has_hits, struct err *err)
{
    struct making making = {.index = index};
    struct bytes all = {NULL, 0};
    if (reader_count(reader, TABLE_FACTS, &making.n_room, err) < 0)
        return -1;
    index->entries = calloc(making.n_room + 1, sizeof(*index->entries));
    if (!index->entries)
        return err_nomem(err, "index of blobs");
    if (reader_scan(reader, TABLE_FACTS, all, take_facts, &making, err) < 0 ||
        (has_hits && reader_scan(reader, TABLE_HITS, all, take_hits, &making, err) < 0))
        return -1;
    return make_buckets(index, err);
}

int
store_index_create(struct store_reader *reader, const struct store_key *facts,
                   const struct store_key *group, struct store_index **out, struct err *err)
{
    struct store_index *index = calloc(1, sizeof(*index));
    if (!index)
        return err_nomem(err, "index of blobs");
    index->facts = *facts;
    if (group)
        index->hits = *group;
    if (fill(index, reader, group != NULL, err) < 0) {
        store_index_destroy(index);
        return -1;
    }
    *out = index;
    return 0;
}

void
store_index_destroy(struct store_index *index)
{
    if (!index)
        return;
    free(index->entries);
    free(index->starts);
    free(index);
}

/* ---- Looking up ---------------------------------------------------------------------------- */

/* The first entry with PREFIX, or NULL. */
static const struct entry *
find_entry(const struct store_index *index, uint64_t prefix)
{
    size_t bucket = bucket_of(index, prefix);
    size_t from = index->starts[bucket], to = index->starts[bucket + 1];
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (index->entries[middle].prefix < prefix)
            from = middle + 1;
        else
            to = middle;
    }
    bool is_there = from < index->n_entries && index->entries[from].prefix == prefix;
    return is_there ? &index->entries[from] : NULL;
}

bool
blob_index_find(const struct store_index *index, enum store_table table, struct bytes key,
                struct bytes *out)
{
    const struct entry *entry = find_entry(index, prefix_of(key));
    if (!entry)
        return false;
    const struct place *place = table == TABLE_FACTS ? &entry->facts : &entry->hits;
    const struct store_key *suffix = table == TABLE_FACTS ? &index->facts : &index->hits;
    size_t n_id = key.len - STORE_KEY_BYTES;
    if (!place->key || memcmp(place->key, key.data, n_id) != 0 ||
        memcmp(suffix->bytes, key.data + n_id, STORE_KEY_BYTES) != 0)
        return false;
    *out = (struct bytes){place->value, table == TABLE_FACTS ? entry->facts_len : entry->hits_len};
    return true;
}

/* What prefix_of gives for the keys of BLOB. */
static uint64_t
prefix_of_blob(const struct oid *blob)
{
    return (uint64_t)blob->len << 56 | prefix_of(oid_bytes(blob)) >> 8;
}

static void
prefetch_values(const struct entry *entry)
{
    __builtin_prefetch(entry->facts.key);
    for (size_t at = 0; at < entry->facts_len && at < PREFETCH_BYTES; at += CACHE_LINE_BYTES)
        __builtin_prefetch(entry->facts.value + at);
    if (entry->hits.key)
        __builtin_prefetch(entry->hits.key);
}

/* In two passes, as where the values are is itself to be waited for. */
void
blob_index_prefetch(const struct store_index *index, const struct oid *const *blobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(
            &index->entries[index->starts[bucket_of(index, prefix_of_blob(blobs[i]))]]);
    for (size_t i = 0; i < n; i++) {
        const struct entry *entry = find_entry(index, prefix_of_blob(blobs[i]));
        if (entry)
            prefetch_values(entry);
    }
}
