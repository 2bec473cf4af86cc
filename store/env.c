/*
 * Opening goes: lock the folder, lock out other writers, map the file, find the tables, check the
 * schema.
 *
 * The map reserves address space, not memory or disk: the file grows under it as it is written, so
 * no writer ever has to stop and map again.  Where the system will not give that much address space
 * the reservation is halved until it does.
 *
 * Two locks beside LMDB's own.  Everybody who has the store open holds a shared flock on the
 * folder: who wants to replace the data file takes it exclusively.  The writing process holds an
 * exclusive flock on "writer.lock", which also holds its process id for the message to the second.
 * Both vanish with the process.
 */
#include "store/env.h"

#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/stop.h"
#include "store/frame.h"

static const size_t MAP_WISH_BYTES = (size_t)1 << 40;
static const size_t MAP_LEAST_BYTES = (size_t)1 << 28;

enum { READERS_MAX = 1024, FILE_MODE = 0666 };

static const char WRITER_LOCK[] = "writer.lock";

int
env_error(const struct store *store, int rc, const char *doing, struct err *err)
{
    struct statvfs disk;
    enum err_code code;
    switch (rc) {
    case MDB_MAP_FULL:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        code = ERR_FULL;
        break;
    case EIO: /* LMDB's word for a short write, which is what a full disk gives */
        code = statvfs(store->path, &disk) == 0 && disk.f_bavail < 64 ? ERR_FULL : ERR_IO;
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
    const char *hint = code == ERR_FULL   ? "; free some space and run it again"
                       : code == ERR_BUSY ? "; wait until some of its readers are done"
                                          : "";
    return err_set(err, code, "%s in store %s: %s%s", doing, store->path, mdb_strerror(rc), hint);
}

/* ---- The folder ---------------------------------------------------------------------------- */

/* Does the folder hold anything but what a store puts there? */
static bool
holds_other_files(int folder_fd)
{
    int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir)
        return false;
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(dir));)
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                strcmp(entry->d_name, "lock.mdb") != 0 && strcmp(entry->d_name, WRITER_LOCK) != 0;
    closedir(dir);
    return found;
}

/* Open the folder, make it when it may be made, and see that it is or can become a store. */
static int
open_folder(struct store *store, struct err *err)
{
    if (store->is_writable && mkdir(store->path, 0777) < 0 && errno != EEXIST)
        return err_set_errno(err, "make the folder");
    store->folder_fd = open(store->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->folder_fd < 0)
        return err_set_errno(err, "a store is a folder");
    struct stat st;
    if (fstatat(store->folder_fd, "data.mdb", &st, 0) == 0)
        return 0;
    if (errno != ENOENT)
        return err_set_errno(err, "look at data.mdb");
    if (!store->is_writable)
        return err_set(err, ERR_INPUT, "the folder holds no store: it has no data.mdb");
    if (holds_other_files(store->folder_fd))
        return err_set(err, ERR_INPUT,
                       "the folder holds other files and no store: name a new or empty folder");
    return 0;
}

static int
flock_waiting(int fd, int operation)
{
    while (flock(fd, operation) < 0) {
        if (errno != EINTR || stop_requested())
            return -1;
    }
    return 0;
}

static int
lock_folder(struct store *store, struct err *err)
{
    if (flock_waiting(store->folder_fd, LOCK_SH | LOCK_NB) == 0)
        return 0;
    if (errno == EWOULDBLOCK)
        return err_set(err, ERR_BUSY, "its data file is being replaced: try again in a moment");
    return err_set_errno(err, "lock the folder");
}

/* Who holds the writer's lock?  0 when it does not say. */
static uint64_t
writer_pid(int fd)
{
    uint8_t text[24];
    ssize_t n = pread(fd, text, sizeof(text), 0);
    uint64_t pid = 0;
    if (n <= 0 || num_parse_u64((struct bytes){text, (size_t)n}, 1, INT32_MAX, &pid) < 0)
        return 0;
    return pid;
}

static int
lock_writer(struct store *store, bool wait, struct err *err)
{
    store->writer_fd = openat(store->folder_fd, WRITER_LOCK, O_RDWR | O_CREAT | O_CLOEXEC,
                              FILE_MODE);
    if (store->writer_fd < 0)
        return err_set_errno(err, "open %s", WRITER_LOCK);
    if (flock_waiting(store->writer_fd, LOCK_EX | (wait ? 0 : LOCK_NB)) < 0) {
        if (errno == EWOULDBLOCK)
            return err_set(err, ERR_BUSY,
                           "process %llu writes to it: wait until that is done, or name another "
                           "store",
                           (unsigned long long)writer_pid(store->writer_fd));
        if (errno == EINTR)
            return err_set(err, ERR_STOPPED, "stopped while waiting for the other writer");
        return err_set_errno(err, "lock %s", WRITER_LOCK);
    }
    char pid[24];
    int n = snprintf(pid, sizeof(pid), "%ld", (long)getpid());
    if (ftruncate(store->writer_fd, 0) < 0 || pwrite(store->writer_fd, pid, (size_t)n, 0) < 0)
        return err_set_errno(err, "write %s", WRITER_LOCK);
    return 0;
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
    rc = mdb_env_open(store->env, store->path, flags, FILE_MODE);
    if (rc != 0) {
        mdb_env_close(store->env);
        store->env = NULL;
    }
    return rc;
}

static int
open_env(struct store *store, bool no_sync, struct err *err)
{
    unsigned flags = MDB_NOTLS | (store->is_writable ? 0 : MDB_RDONLY) | (no_sync ? MDB_NOSYNC : 0);
    size_t map_bytes = MAP_WISH_BYTES;
    int rc = open_env_with(store, flags, map_bytes);
    while (rc == ENOMEM && map_bytes > MAP_LEAST_BYTES) {
        map_bytes /= 2;
        rc = open_env_with(store, flags, map_bytes);
    }
    if (rc != 0)
        return env_error(store, rc, "map data.mdb", err);
    int n_dead;
    mdb_reader_check(store->env, &n_dead);
    return 0;
}

/* ---- Tables and schema --------------------------------------------------------------------- */

/* Open every table within TXN.  MDB_NOTFOUND when one is missing and may not be made. */
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
    int result = frame_encoder_init(&encoder, 1, err);
    if (result == 0)
        result = frame_encode(&encoder, TABLE_META, key_bytes(&key), bytes_of_text(text), &stored,
                              err);
    if (result == 0) {
        MDB_val name_val = {key.len, key.data}, stored_val = {stored.len, stored.data};
        int rc = mdb_put(txn, store->tables[TABLE_META], &name_val, &stored_val, 0);
        result = rc == 0 ? 0 : env_error(store, rc, "write the schema", err);
    }
    frame_encoder_clear(&encoder);
    buf_clear(&stored);
    return result;
}

static int
write_schema(struct store *store, MDB_txn *txn, struct err *err)
{
    char text[24];
    snprintf(text, sizeof(text), "%d", STORE_SCHEMA);
    if (put_text(store, txn, META_SCHEMA, text, err) < 0)
        return -1;
    snprintf(text, sizeof(text), "%lld", (long long)time(NULL));
    return put_text(store, txn, META_CREATED, text, err);
}

static int
judge_schema(struct bytes text, struct err *err)
{
    uint64_t schema;
    if (num_parse_u64(text, 0, UINT32_MAX, &schema) < 0)
        return err_set(err, ERR_DAMAGED, "its schema version is no number");
    if (schema > STORE_SCHEMA)
        return err_set(err, ERR_UNSUPPORTED,
                       "it has schema version %llu, this program knows %d: use a newer strata",
                       (unsigned long long)schema, STORE_SCHEMA);
    if (schema < STORE_SCHEMA)
        return err_set(err, ERR_UNSUPPORTED,
                       "it has schema version %llu, this program knows only %d: mine it anew",
                       (unsigned long long)schema, STORE_SCHEMA);
    return 0;
}

/* Check the schema version; a store that has just been made gets one. */
static int
check_schema(struct store *store, MDB_txn *txn, bool is_new, struct err *err)
{
    struct key key;
    if (key_of_text(META_SCHEMA, &key, err) < 0)
        return -1;
    MDB_val name = {key.len, key.data}, stored;
    int rc = mdb_get(txn, store->tables[TABLE_META], &name, &stored);
    if (rc == MDB_NOTFOUND && is_new)
        return write_schema(store, txn, err);
    if (rc == MDB_NOTFOUND)
        return err_set(err, ERR_DAMAGED, "it lost its schema version");
    if (rc != 0)
        return env_error(store, rc, "read the schema", err);

    struct frame_decoder decoder;
    struct arena arena;
    struct bytes text;
    arena_init(&arena, 0);
    int result = frame_decoder_init(&decoder, err);
    if (result == 0)
        result = frame_decode(&decoder, TABLE_META, key_bytes(&key),
                              (struct bytes){stored.mv_data, stored.mv_size}, &arena, &text, err);
    if (result == 0)
        result = judge_schema(text, err);
    frame_decoder_clear(&decoder);
    arena_clear(&arena);
    return result;
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
    int rc = mdb_txn_begin(store->env, NULL, store->is_writable ? 0 : MDB_RDONLY, &txn);
    if (rc != 0)
        return env_error(store, rc, "begin", err);
    bool is_new = is_empty(txn);
    int result = 0;
    rc = open_tables(store, txn);
    if (rc == MDB_NOTFOUND && is_new)
        result = err_set(err, ERR_INPUT, "the store is empty: mine something into it first");
    else if (rc == MDB_NOTFOUND)
        result = err_set(err, ERR_INPUT, "data.mdb is no store of strata: a table is missing");
    else if (rc != 0)
        result = env_error(store, rc, "open the tables", err);
    else
        result = check_schema(store, txn, is_new, err);
    if (result < 0) {
        mdb_txn_abort(txn);
        return -1;
    }
    rc = mdb_txn_commit(txn);
    return rc == 0 ? 0 : env_error(store, rc, "open the tables", err);
}

/* ---- Open and close ------------------------------------------------------------------------ */

int
store_open(const struct store_options *options, struct store **out, struct err *err)
{
    struct store *store = calloc(1, sizeof(*store));
    if (!store)
        return err_nomem(err, "store");
    store->folder_fd = store->writer_fd = -1;
    store->is_writable = options->mode == STORE_WRITE;
    store->path = strdup(options->path);
    if (!store->path) {
        err_nomem(err, "store");
        goto fail;
    }
    if (open_folder(store, err) < 0 || lock_folder(store, err) < 0)
        goto fail;
    if (store->is_writable && lock_writer(store, options->wait, err) < 0)
        goto fail;
    if (open_env(store, options->no_sync, err) < 0 || prepare_tables(store, err) < 0)
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
    if (store->env)
        mdb_env_close(store->env);
    if (store->writer_fd >= 0)
        close(store->writer_fd);
    if (store->folder_fd >= 0)
        close(store->folder_fd);
    free(store->path);
    free(store);
}
