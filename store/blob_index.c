/*
 * The index of blobs: an array of entries in the order of the tables' keys, and an array of
 * buckets.
 *
 * Object ids are evenly distributed, so the first bits of an id choose a bucket, which has about
 * one entry.  Invariants:
 * 1. entries are in the order of their names, each name once;
 * 2. starts[b] <= starts[b + 1], and the entries of bucket b are [starts[b], starts[b + 1]).
 */
#include "store/blob_index.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "store/pages/file.h"
#include "store/pages/resident.h"

enum {
    BUCKET_BITS_MAX = 24,
    CACHE_LINE_BYTES = 64,
    PREFETCH_BYTES = 512,
    NAME_MAX_BYTES = 1 + OID_MAX_BYTES
};

/* A blob.  It fills a cache line. */
struct entry {
    uint8_t name[NAME_MAX_BYTES]; /* its keys without their suffix: a length, then the id */
    uint32_t facts_len, hits_len;
    const uint8_t *facts, *hits; /* in the map; NULL: none */
};

struct store_index {
    struct store_key facts, hits; /* what the keys end with */
    struct entry *entries;
    size_t n_entries;
    uint32_t *starts; /* the first entry of each bucket, and the number of entries */
    unsigned bits;    /* of an id that choose its bucket */
    /* Where the map is too large to stay in memory, values are read from the file. */
    const uint8_t *map; /* or NULL */
    int fd;             /* LMDB's */
};

/* The bucket of NAME.  It rises with the order of keys: ids of SHA-256 have the upper half. */
static size_t
bucket_of(const struct store_index *index, const uint8_t *name)
{
    uint64_t first_bits;
    memcpy(&first_bits, name + 1, sizeof(first_bits));
    size_t is_long = name[0] > OID_SHA1_BYTES;
    return is_long << index->bits | (size_t)(be64toh(first_bits) >> 1 >> (63 - index->bits));
}

/* Compare ENTRY with NAME, which may have a suffix, in the order of keys. */
static int
compare_names(const struct entry *entry, const uint8_t *name)
{
    return memcmp(entry->name, name, 1 + (size_t)name[0]);
}

/* ---- Making -------------------------------------------------------------------------------- */

struct making {
    struct store_index *index;
    size_t n_entries_max; /* for entries */
    size_t at;            /* the entry whose hits may come next */
};

/* Is KEY the key of a blob that ends with SUFFIX? */
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
    if (index->n_entries == making->n_entries_max || index->n_entries == UINT32_MAX ||
        stored.len > UINT32_MAX || !is_of(key, &index->facts))
        return 0;
    struct entry *entry = &index->entries[index->n_entries++];
    assert(key.len - STORE_KEY_BYTES <= sizeof(entry->name));
    memcpy(entry->name, key.data, key.len - STORE_KEY_BYTES);
    entry->facts = stored.data;
    entry->facts_len = (uint32_t)stored.len;
    return 0;
}

/* Both tables are in the same order, so entries and hits are merged in one pass. */
static int
take_hits(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct making *making = context;
    struct store_index *index = making->index;
    (void)err;
    if (stored.len > UINT32_MAX || !is_of(key, &index->hits))
        return 0;
    int order = -1;
    while (making->at < index->n_entries &&
           (order = compare_names(&index->entries[making->at], key.data)) < 0)
        making->at++;
    if (order != 0)
        return 0;
    assert(making->at < index->n_entries);
    index->entries[making->at].hits = stored.data;
    index->entries[making->at].hits_len = (uint32_t)stored.len;
    return 0;
}

/* Set where each bucket starts. */
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
        for (; bucket <= bucket_of(index, index->entries[i].name); bucket++)
            index->starts[bucket] = num_u32(i);
    for (; bucket <= n_buckets; bucket++)
        index->starts[bucket] = num_u32(index->n_entries);
    return 0;
}

/* Choose how values are read.  If the store's pages are not of the system's size, the place of the
 * map is unknown, and values are read from the map in any case. */
static int
choose_reading(struct store_index *index, struct store_reader *reader, struct err *err)
{
    MDB_env *env = reader->store->env;
    MDB_stat stat;
    struct stat file;
    int rc = mdb_env_stat(env, &stat);
    if (rc == 0)
        rc = mdb_env_get_fd(env, &index->fd);
    if (rc != 0)
        return env_error(reader->store, rc, "look at the file", err);
    if (fstat(index->fd, &file) < 0)
        return err_set_errno(err, "look at data.mdb");
    if (index->n_entries && !resident_fits((size_t)file.st_size))
        index->map = page_map_start(index->entries[0].facts, stat.ms_psize);
    return 0;
}

static int
fill(struct store_index *index, struct store_reader *reader, bool has_hits, struct err *err)
{
    struct making making = {.index = index};
    struct bytes all = {NULL, 0};
    if (reader_count(reader, TABLE_FACTS, &making.n_entries_max, err) < 0)
        return -1;
    index->entries = calloc(making.n_entries_max + 1, sizeof(*index->entries));
    if (!index->entries)
        return err_nomem(err, "index of blobs");
    if (reader_scan(reader, TABLE_FACTS, all, take_facts, &making, err) < 0 ||
        (has_hits && reader_scan(reader, TABLE_HITS, all, take_hits, &making, err) < 0))
        return -1;
    return make_buckets(index, err) < 0 ? -1 : choose_reading(index, reader, err);
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

/* The entry with NAME, or NULL. */
static const struct entry *
find_entry(const struct store_index *index, const uint8_t *name)
{
    size_t bucket = bucket_of(index, name);
    size_t from = index->starts[bucket], to = index->starts[bucket + 1];
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = compare_names(&index->entries[middle], name);
        if (order == 0)
            return &index->entries[middle];
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

bool
blob_index_reads_file(const struct store_index *index)
{
    return index->map != NULL;
}

/* Read VALUE, which points into the map, from the file into ARENA instead. */
static bool
read_value(const struct store_index *index, struct bytes value, struct arena *arena,
           struct bytes *out)
{
    uint8_t *copy = arena_alloc_raw(arena, value.len, 1);
    uint64_t at = (uint64_t)(value.data - index->map);
    if (!copy || fs_read_at(index->fd, copy, value.len, at) != (ssize_t)value.len)
        return false;
    *out = (struct bytes){copy, value.len};
    return true;
}

bool
blob_index_find(const struct store_index *index, enum store_table table, struct bytes key,
                struct arena *arena, struct bytes *out)
{
    const struct store_key *suffix = table == TABLE_FACTS ? &index->facts : &index->hits;
    const struct entry *entry = find_entry(index, key.data);
    if (!entry || memcmp(suffix->bytes, key.data + key.len - STORE_KEY_BYTES, STORE_KEY_BYTES) != 0)
        return false;
    struct bytes value = table == TABLE_FACTS ? (struct bytes){entry->facts, entry->facts_len}
                                              : (struct bytes){entry->hits, entry->hits_len};
    *out = value;
    return value.data && (!index->map || read_value(index, value, arena, out));
}

static void
prefetch_values(const struct entry *entry)
{
    for (size_t at = 0; at < entry->facts_len && at < PREFETCH_BYTES; at += CACHE_LINE_BYTES)
        __builtin_prefetch(entry->facts + at);
    __builtin_prefetch(entry->hits);
}

/* In two passes: the first waits for the entries, which say where the values are. */
void
blob_index_prefetch(const struct store_index *index, const struct oid *const *blobs, size_t n)
{
    _Static_assert(offsetof(struct oid, id) == 1, "an id with its length is as the name in a key");
    if (index->map)
        return;
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(&index->entries[index->starts[bucket_of(index, &blobs[i]->len)]]);
    for (size_t i = 0; i < n; i++) {
        const struct entry *entry = find_entry(index, &blobs[i]->len);
        if (entry)
            prefetch_values(entry);
    }
}
