/*
 * Opening a store, in this order:
 * 1. open and lock the folder; a writer locks out other writers;
 * 2. map the data file and check every page of the newest snapshot, before LMDB follows any;
 * 3. open the tables and check the schema; a new store gets its tables and schema.
 *
 * The map reserves address space, not memory or disk.  The file grows within it, so a writer never
 * has to map it again.  Where the system does not give that much address space (ENOMEM; EINVAL
 * under valgrind) the reservation is halved until it does.
 */
#include "store/env.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/num.h"
#include "store/frame.h"
#include "store/pages/check.h"
#include "store/repair.h"

static const size_t MAP_MOST_BYTES = (size_t)1 << 40;
static const size_t MAP_LEAST_BYTES = (size_t)1 << 28;

enum { DISK_FULL_BYTES = 256 * 1024 };
enum { READERS_MAX = 1024, FILE_MODE = 0666 };
/* At least LMDB's header and a slot of 64 bytes for each reader. */
enum { LOCK_BYTES = 64 * READERS_MAX + 4096 };

/* LMDB reports a short write as EIO.  Is the disk or the limit of file sizes so nearly full that
 * this must be the reason? */
static bool
disk_is_full(const struct store *store)
{
    struct statvfs disk;
    struct rlimit limit;
    struct stat st;
    if (fstatvfs(store->folder.fd, &disk) == 0 && disk.f_bavail < DISK_FULL_BYTES / disk.f_bsize)
        return true;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           fstatat(store->folder.fd, "data.mdb", &st, 0) == 0 &&
           (rlim_t)st.st_size + DISK_FULL_BYTES > limit.rlim_cur;
}

int
env_error(const struct store *store, int rc, const char *doing, struct err *err)
{
    enum err_code code;
    switch (rc) {
    case MDB_MAP_FULL:
    case MDB_MAP_RESIZED:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        code = ERR_FULL;
        break;
    case EIO:
        code = disk_is_full(store) ? ERR_FULL : ERR_IO;
        break;
    case ENOMEM:
        code = ERR_NOMEM;
        break;
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_PANIC:
        code = ERR_DAMAGED;
        break;
    case MDB_VERSION_MISMATCH:
        code = ERR_UNSUPPORTED;
        break;
    case MDB_READERS_FULL:
        code = ERR_BUSY;
        break;
    case ENOENT:
        code = ERR_INPUT;
        break;
    default:
        code = ERR_IO;
    }
    bool is_map_full = rc == MDB_MAP_FULL || rc == MDB_MAP_RESIZED;
    bool lacks_memory = is_map_full || code == ERR_NOMEM;
    const char *hint = lacks_memory       ? "; raise the limit of address space (ulimit -v)"
                       : code == ERR_FULL ? "; free some space and run it again"
                       : code == ERR_BUSY ? "; wait until some of its readers are done"
                                          : "";
    const char *why = code == ERR_FULL && !is_map_full ? "no space left on disk" : mdb_strerror(rc);
    return err_set(err, code, "%s in store %s: %s%s", doing, store->folder.path, why, hint);
}

/* ---- The map ------------------------------------------------------------------------------- */

static int
open_env_with(struct store *store, unsigned flags, size_t map_bytes)
{
    int rc = mdb_env_create(&store->env);
    if (rc != 0)
        return rc;
    mdb_env_set_maxdbs(store->env, TABLE_N);
    mdb_env_set_maxreaders(store->env, READERS_MAX);
    mdb_env_set_mapsize(store->env, map_bytes);
    rc = mdb_env_open(store->env, store->folder.path, flags, FILE_MODE);
    if (rc != 0) {
        mdb_env_close(store->env);
        store->env = NULL;
    }
    return rc;
}

static int
open_env_in_reach(struct store *store, unsigned flags)
{
    size_t map_bytes = MAP_MOST_BYTES;
    int rc = open_env_with(store, flags, map_bytes);
    while ((rc == ENOMEM || rc == EINVAL) && map_bytes > MAP_LEAST_BYTES) {
        map_bytes /= 2;
        rc = open_env_with(store, flags, map_bytes);
    }
    return rc;
}

static int
map_file(struct store *store, bool no_sync, struct err *err)
{
    unsigned flags = MDB_NOTLS | (store->is_writable ? 0 : MDB_RDONLY) | (no_sync ? MDB_NOSYNC : 0);
    if (folder_reserve_lock(&store->folder, LOCK_BYTES, err) < 0)
        return -1;
    int rc = open_env_in_reach(store, flags);
    if (rc == EACCES && !store->is_writable) {
        /* Without permission to write the table of readers we would be invisible to writers. */
        if (folder_keep_writers_out(&store->folder, err) < 0)
            return -1;
        rc = open_env_in_reach(store, flags | MDB_NOLOCK);
    }
    return rc == 0 ? 0 : env_error(store, rc, "map data.mdb", err);
}

/* Check the snapshot that TXN reads.  If a commit comes between the start of TXN and the reading of
 * the meta page, take the newer snapshot. */
static int
check_snapshot(struct store *store, int fd, MDB_txn *txn, struct err *err)
{
    struct page_meta meta;
    for (int i = 0; i < SNAPSHOT_TRIES; i++) {
        if (page_meta_read(fd, &meta, err) < 0)
            return -1;
        if (meta.txn_id == mdb_txn_id(txn))
            return page_check(fd, &meta, txn, err);
        mdb_txn_reset(txn);
        int rc = mdb_txn_renew(txn);
        if (rc != 0)
            return env_error(store, rc, "begin to read", err);
    }
    return err_set(err, ERR_BUSY, "it is written to all the time: try again");
}

static int
open_checked(struct store *store, int fd, bool no_sync, struct err *err)
{
    struct page_meta meta;
    MDB_txn *txn;
    int n_dead;
    if (fd >= 0 && page_meta_read(fd, &meta, err) < 0)
        return -1;
    if (fd >= 0 && meta.page_bytes == 0 && !store->is_writable)
        return err_set(err, ERR_INPUT,
                       "data.mdb is empty: nothing was ever written to this store; "
                       "mine or ingest into it");
    if (map_file(store, no_sync, err) < 0)
        return -1;
    mdb_reader_check(store->env, &n_dead);
    if (fd < 0 || meta.page_bytes == 0)
        return 0;
    int mdb_rc = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &txn);
    if (mdb_rc != 0)
        return env_error(store, mdb_rc, "begin to read", err);
    int rc = check_snapshot(store, fd, txn, err);
    mdb_txn_abort(txn);
    return rc;
}

/* Map the file, if there is one, and check its pages before LMDB follows them. */
static int
open_env(struct store *store, bool no_sync, struct err *err)
{
    int fd = openat(store->folder.fd, "data.mdb", O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno != ENOENT)
        return err_set_errno(err, "open data.mdb");
    int rc = open_checked(store, fd, no_sync, err);
    if (fd >= 0)
        close(fd);
    return rc;
}

/* ---- Tables and schema --------------------------------------------------------------------- */

/* Open every table within TXN.  0, or an LMDB code: MDB_NOTFOUND when one is missing and may not be
 * made. */
static int
open_tables(struct store *store, MDB_txn *txn)
{
    for (int i = 0; i < TABLE_N; i++) {
        int rc = mdb_dbi_open(txn, table_name((enum store_table)i),
                              store->is_writable ? MDB_CREATE : 0, &store->tables[i]);
        if (rc != 0)
            return rc;
    }
    return 0;
}

static int
put_text(struct store *store, MDB_txn *txn, const char *name, const char *text, struct err *err)
{
    struct frame_encoder encoder;
    struct key key;
    struct buf stored = {0};
    if (key_of_text(name, &key, err) < 0)
        return -1;
    int rc = frame_encoder_init(&encoder, err);
    if (rc == 0)
        rc = frame_encode(&encoder, TABLE_META, key_bytes(&key), bytes_of_text(text), 0, &stored,
                          err);
    if (rc == 0) {
        MDB_val name_val = {key.len, key.data}, stored_val = {stored.len, stored.data};
        int mdb_rc = mdb_put(txn, store->tables[TABLE_META], &name_val, &stored_val, 0);
        rc = mdb_rc == 0 ? 0 : env_error(store, mdb_rc, "write the schema", err);
    }
    frame_encoder_clear(&encoder);
    buf_clear(&stored);
    return rc;
}

static int
write_schema(struct store *store, MDB_txn *txn, struct err *err)
{
    char text[24];
    snprintf(text, sizeof(text), "%d", STORE_SCHEMA);
    return put_text(store, txn, META_SCHEMA, text, err);
}

static int
write_birth(struct store *store, MDB_txn *txn, struct err *err)
{
    char text[24];
    if (write_schema(store, txn, err) < 0)
        return -1;
    snprintf(text, sizeof(text), "%lld", (long long)time(NULL));
    return put_text(store, txn, META_CREATED, text, err);
}

static int
judge_schema(struct bytes text, uint64_t *schema_out, struct err *err)
{
    uint64_t schema;
    if (num_parse_u64(text, 0, UINT32_MAX, &schema) < 0)
        return err_set(err, ERR_DAMAGED, "its schema version is not a number");
    *schema_out = schema;
    if (schema > STORE_SCHEMA)
        return err_set(err, ERR_UNSUPPORTED,
                       "it has schema version %llu, this program knows %d: use a newer strata",
                       (unsigned long long)schema, STORE_SCHEMA);
    if (schema < STORE_SCHEMA_OLDEST)
        return err_set(err, ERR_UNSUPPORTED,
                       "it has schema version %llu, this program knows %d to %d: mine it again",
                       (unsigned long long)schema, STORE_SCHEMA_OLDEST, STORE_SCHEMA);
    return 0;
}

/* Check the schema version.  A new store gets one; an older one that is opened to write becomes of
 * the newest schema. */
static int
check_schema(struct store *store, MDB_txn *txn, bool is_new, struct err *err)
{
    struct key key;
    if (key_of_text(META_SCHEMA, &key, err) < 0)
        return -1;
    MDB_val name = {key.len, key.data}, stored;
    int mdb_rc = mdb_get(txn, store->tables[TABLE_META], &name, &stored);
    if (mdb_rc == MDB_NOTFOUND && is_new)
        return write_birth(store, txn, err);
    if (mdb_rc == MDB_NOTFOUND)
        return err_set(err, ERR_DAMAGED, "it lost its schema version");
    if (mdb_rc != 0)
        return env_error(store, mdb_rc, "read the schema", err);

    struct frame_decoder decoder;
    struct arena arena;
    struct bytes text;
    uint64_t schema = 0;
    arena_init(&arena, 0);
    int rc = frame_decoder_init(&decoder, err);
    if (rc == 0)
        rc = frame_decode(&decoder, TABLE_META, key_bytes(&key),
                          (struct bytes){stored.mv_data, stored.mv_size}, &arena, &text, err);
    if (rc == 0)
        rc = judge_schema(text, &schema, err);
    if (rc == 0 && schema < STORE_SCHEMA && store->is_writable)
        rc = write_schema(store, txn, err);
    frame_decoder_clear(&decoder);
    arena_clear(&arena);
    return rc;
}

/* Is there nothing in the environment at all? */
static bool
is_empty(MDB_txn *txn)
{
    MDB_dbi main_table;
    MDB_stat stat;
    return mdb_dbi_open(txn, NULL, 0, &main_table) == 0 && mdb_stat(txn, main_table, &stat) == 0 &&
           stat.ms_entries == 0;
}

static int
prepare_tables(struct store *store, struct err *err)
{
    MDB_txn *txn;
    int mdb_rc = mdb_txn_begin(store->env, NULL, store->is_writable ? 0 : MDB_RDONLY, &txn);
    if (mdb_rc != 0)
        return env_error(store, mdb_rc, "begin", err);
    bool is_new = is_empty(txn);
    int rc = 0;
    mdb_rc = open_tables(store, txn);
    if (mdb_rc == MDB_NOTFOUND && is_new)
        rc = err_set(err, ERR_INPUT, "the store is empty: mine something into it first");
    else if (mdb_rc == MDB_NOTFOUND)
        rc = err_set(err, ERR_INPUT, "data.mdb is not a store of strata: a table is missing");
    else if (mdb_rc != 0)
        rc = env_error(store, mdb_rc, "open the tables", err);
    else
        rc = check_schema(store, txn, is_new, err);
    if (rc < 0) {
        mdb_txn_abort(txn);
        return -1;
    }
    mdb_rc = mdb_txn_commit(txn);
    return mdb_rc == 0 ? 0 : env_error(store, mdb_rc, "open the tables", err);
}

/* ---- Open and close ------------------------------------------------------------------------ */

static void
close_env(struct store *store)
{
    if (store->env)
        mdb_env_close(store->env);
    store->env = NULL;
}

static int
open_env_and_tables(struct store *store, const struct store_options *options, struct err *err)
{
    if (open_env(store, options->no_sync, err) == 0 && prepare_tables(store, err) == 0)
        return 0;
    close_env(store);
    return -1;
}

/* Open the data file; if requested, a damaged one is repaired first. */
static int
open_data(struct store *store, const struct store_options *options, struct err *err)
{
    struct err why;
    if (!options->repair || !store->is_writable)
        return open_env_and_tables(store, options, err);
    if (open_env_and_tables(store, options, &why) < 0) {
        if (why.code != ERR_DAMAGED)
            return err_set(err, why.code, "%s", why.text);
        if (repair_rebuild(&store->folder, &store->repaired, err) < 0)
            return err_wrap(err, "rebuild a damaged store (%s)", why.text);
        if (open_env_and_tables(store, options, err) < 0)
            return -1;
    }
    return repair_sweep(store, &store->repaired, err);
}

bool
store_was_repaired(const struct store *store, struct store_repaired *out)
{
    *out = store->repaired;
    return out->is_rebuilt || out->n_dropped > 0;
}

int
store_open(const struct store_options *options, struct store **out, struct err *err)
{
    bool is_writable = options->mode == STORE_WRITE;
    struct store *store = calloc(1, sizeof(*store));
    if (!store)
        return err_nomem(err, "store");
    store->is_writable = is_writable;
    if (folder_open(&store->folder, options->path, is_writable, err) < 0)
        goto fail;
    if (is_writable && folder_lock_writer(&store->folder, options->wait, err) < 0)
        goto fail;
    if (open_data(store, options, err) < 0)
        goto fail;
    *out = store;
    return 0;

fail:
    store_close(store);
    return err_wrap(err, "open store %s", options->path);
}

void
store_close(struct store *store)
{
    if (!store)
        return;
    close_env(store);
    folder_close(&store->folder);
    free(store);
}
