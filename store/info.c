/*
 * Counting what is in a store: a walk from the trajectories to the blobs that their checkpoints
 * list, then a scan of every table.  Sizes before compression are read from the frames, so facts
 * are not decompressed.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "store/env.h"
#include "store/reader.h"

_Static_assert((int)STORE_N_TABLES == (int)TABLE_N, "store.h and keys.h count the same tables");

struct counting {
    struct store_reader *reader;
    enum store_table table;
    struct arena *arena;  /* what is handed out */
    struct arena scratch; /* reset for each value */
    struct store_info *info;
    struct buf facts, hits; /* struct store_set_info */
    struct map params;      /* how many trajectories */
    struct map blobs;
    struct map listings; /* by name */
};

/* Count a value in the set of SUFFIX. */
static int
count_in_set(struct buf *sets, const struct store_key *suffix, struct bytes stored, bool is_listed,
             struct err *err)
{
    struct store_set_info *items = (struct store_set_info *)(void *)sets->data;
    size_t n = sets->len / sizeof(*items), i = 0;
    while (i < n && memcmp(&items[i].key, suffix, sizeof(*suffix)) != 0)
        i++;
    if (i == n) {
        struct store_set_info set = {.key = *suffix};
        buf_append(sets, &set, sizeof(set));
        if (buf_failed(sets))
            return err_nomem(err, "info");
        items = (struct store_set_info *)(void *)sets->data;
    }
    items[i].n_values++;
    items[i].n_listed += is_listed;
    items[i].plain_bytes += frame_plain_bytes(stored);
    items[i].stored_bytes += stored.len;
    return 0;
}

static int
count_value(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct counting *work = context;
    struct store_table_info *table = &work->info->tables[work->table];
    struct oid blob;
    struct store_key suffix;
    table->plain_bytes += frame_plain_bytes(stored);
    table->stored_bytes += stored.len;
    if ((work->table != TABLE_FACTS && work->table != TABLE_HITS) ||
        !key_read_blob(key, &blob, &suffix))
        return 0;
    return count_in_set(work->table == TABLE_FACTS ? &work->facts : &work->hits, &suffix, stored,
                        map_get(&work->blobs, oid_bytes(&blob)) != NULL, err);
}

static int
count_table(struct counting *work, struct err *err)
{
    struct store *store = work->reader->store;
    struct store_table_info *out = &work->info->tables[work->table];
    MDB_stat stat;
    int rc = mdb_stat(work->reader->txn, store->tables[work->table], &stat);
    if (rc != 0)
        return env_error(store, rc, "count a table", err);
    out->name = table_name(work->table);
    out->n_values = stat.ms_entries;
    out->page_bytes =
        (stat.ms_branch_pages + stat.ms_leaf_pages + stat.ms_overflow_pages) * stat.ms_psize;
    work->info->free_bytes -= out->page_bytes;
    return reader_scan(work->reader, work->table, (struct bytes){NULL, 0}, count_value, work, err);
}

static int
count_listing(struct counting *work, const struct store_key *name, struct err *err)
{
    struct store_file *files;
    size_t n_files;
    if (!map_put(&work->listings, (struct bytes){name->bytes, sizeof(name->bytes)}, NULL))
        return err_nomem(err, "info");
    enum store_outcome outcome =
        store_get_listing(work->reader, name, &work->scratch, &files, &n_files, err);
    if (outcome != STORE_FOUND)
        return outcome == STORE_MISSING ? 0 : -1;
    work->info->n_listed_files += n_files;
    for (size_t i = 0; i < n_files; i++) {
        if (!map_put(&work->blobs, oid_bytes(&files[i].blob), NULL))
            return err_nomem(err, "info");
    }
    return 0;
}

static int
count_trajectory(struct counting *work, struct bytes id, struct err *err)
{
    struct store_trajectory trajectory;
    struct store_checkpoint *checkpoints;
    size_t n_checkpoints;
    if (store_get_trajectory(work->reader, id, &work->scratch, &trajectory, err) != STORE_FOUND ||
        store_get_checkpoints(work->reader, id, &work->scratch, &checkpoints, &n_checkpoints, err) <
            0)
        return -1;
    work->info->n_trajectories[trajectory.status]++;
    work->info->n_checkpoints += n_checkpoints;
    uint64_t *with_params = map_put(&work->params, trajectory.params, NULL);
    if (!with_params)
        return err_nomem(err, "info");
    ++*with_params;
    for (size_t i = 0; i < n_checkpoints; i++) {
        if (count_listing(work, &checkpoints[i].listing, err) < 0)
            return -1;
    }
    return 0;
}

static int
count_trajectories(struct counting *work, struct err *err)
{
    struct bytes *ids;
    size_t n_ids;
    if (store_list_trajectories(work->reader, work->arena, &ids, &n_ids, err) < 0)
        return -1;
    for (size_t i = 0; i < n_ids; i++) {
        arena_reset(&work->scratch);
        if (count_trajectory(work, ids[i], err) < 0)
            return -1;
    }
    return 0;
}

/* Count a value of facts, hits or listings, if no checkpoint leads to it. */
static int
count_loose(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct counting *work = context;
    struct store_info *info = work->info;
    struct oid blob;
    struct store_key suffix;
    (void)err;
    bool is_listing = work->table == TABLE_LISTINGS;
    if (is_listing ? map_get(&work->listings, key) != NULL
                   : !key_read_blob(key, &blob, &suffix) ||
                         map_get(&work->blobs, oid_bytes(&blob)) != NULL)
        return 0;
    struct store_loose_info *loose = is_listing                   ? &info->loose_listings
                                     : work->table == TABLE_FACTS ? &info->loose_facts
                                                                  : &info->loose_hits;
    loose->n_values++;
    loose->stored_bytes += stored.len;
    return 0;
}

static int
count_all_loose(struct counting *work, struct err *err)
{
    static const enum store_table tables[] = {TABLE_LISTINGS, TABLE_FACTS, TABLE_HITS};
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
        work->table = tables[i];
        if (reader_scan(work->reader, work->table, (struct bytes){NULL, 0}, count_loose, work,
                        err) < 0)
            return -1;
    }
    return 0;
}

static int
by_key(const void *a, const void *b)
{
    const struct store_set_info *x = a, *y = b;
    return memcmp(&x->key, &y->key, sizeof(x->key));
}

static int
by_params(const void *a, const void *b)
{
    const struct store_params_info *x = a, *y = b;
    return bytes_compare(x->params, y->params);
}

/* Copy SETS into the arena, sorted by key. */
static struct store_set_info *
keep_sets(struct counting *work, const struct buf *sets, size_t *n_out)
{
    size_t n = sets->len / sizeof(struct store_set_info);
    struct store_set_info *kept = ARENA_ARRAY(work->arena, n, struct store_set_info);
    if (kept && n) {
        memcpy(kept, sets->data, n * sizeof(*kept));
        qsort(kept, n, sizeof(*kept), by_key);
    }
    *n_out = n;
    return kept;
}

static int
finish(struct counting *work, struct err *err)
{
    struct store_info *info = work->info;
    size_t n = work->params.n_entries;
    info->facts = keep_sets(work, &work->facts, &info->n_facts);
    info->hits = keep_sets(work, &work->hits, &info->n_hits);
    info->params = ARENA_ARRAY(work->arena, n, struct store_params_info);
    info->n_params = n;
    info->n_listed_blobs = work->blobs.n_entries;
    if (!info->facts || !info->hits || !info->params)
        return err_nomem(err, "info");
    for (size_t i = 0; i < n; i++) {
        info->params[i].params = arena_copy(work->arena, work->params.entries[i].key);
        info->params[i].n_trajectories = work->params.entries[i].value;
    }
    if (n)
        qsort(info->params, n, sizeof(*info->params), by_params);
    return 0;
}

static int
count_all(struct counting *work, struct err *err)
{
    if (count_trajectories(work, err) < 0)
        return -1;
    for (int i = 0; i < TABLE_N; i++) {
        work->table = (enum store_table)i;
        if (count_table(work, err) < 0)
            return -1;
    }
    return count_all_loose(work, err) < 0 ? -1 : finish(work, err);
}

int
store_get_info(struct store *store, struct arena *arena, struct store_info *out, struct err *err)
{
    struct counting work = {.arena = arena, .info = out};
    MDB_envinfo env_info;
    MDB_stat stat;
    struct stat st;
    *out = (struct store_info){0};
    mdb_env_info(store->env, &env_info);
    mdb_env_stat(store->env, &stat);
    if (fstatat(store->folder.fd, "data.mdb", &st, 0) < 0)
        return err_set_errno(err, "look at the data file of store %s", store->folder.path);
    out->file_bytes = (uint64_t)st.st_size;
    /* Each table is subtracted when it is counted; the list of tables and both meta pages here. */
    out->free_bytes = (env_info.me_last_pgno - 1 - stat.ms_leaf_pages) * stat.ms_psize;
    if (store_reader_open(store, &work.reader, err) < 0)
        return -1;
    arena_init(&work.scratch, 0);
    map_init(&work.params);
    map_init(&work.blobs);
    map_init(&work.listings);
    int rc = count_all(&work, err);
    map_clear(&work.params);
    map_clear(&work.blobs);
    map_clear(&work.listings);
    buf_clear(&work.facts);
    buf_clear(&work.hits);
    arena_clear(&work.scratch);
    store_reader_close(work.reader);
    return rc < 0 ? err_wrap(err, "look through store %s", store->folder.path) : 0;
}
