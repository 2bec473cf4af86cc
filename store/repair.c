/*
 * Repair of a damaged store.
 *
 * Rebuilding: the data file is walked from its newest meta page, and what is below a damaged page
 * is lost. Every value whose check is right is copied as it is.  Nothing is decoded, so no
 * dictionary is needed; the dictionaries are copied like other values.
 *
 * Sweeping: no put would replace a value under a damaged key, because nothing has that key.  The
 * store is read once and every value whose check is wrong is deleted.  The entries that name the
 * fingerprints of facts are put again, because no put brings them back while the facts are intact.
 */
#include "store/repair.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/decoder.h"
#include "base/map.h"
#include "store/env.h"
#include "store/frame.h"
#include "store/pages/walk.h"
#include "store/reader.h"
#include "store/writer.h"

static const uint64_t BATCH_BYTES = 32 << 20;

struct rebuilding {
    struct page_walk walk;
    struct store *target;
    MDB_txn *txn;
    enum store_table table; /* the one that is being walked */
    uint64_t pending_bytes;
    struct store_repaired result;
};

static int
next_batch(struct rebuilding *work, struct err *err)
{
    int rc = work->txn ? mdb_txn_commit(work->txn) : 0;
    work->txn = NULL;
    work->pending_bytes = 0;
    if (rc == 0)
        rc = mdb_txn_begin(work->target->env, NULL, 0, &work->txn);
    return rc == 0 ? 0 : env_error(work->target, rc, "write a batch", err);
}

static int
keep_value(void *context, struct bytes key, struct bytes value, bool is_table, struct err *err)
{
    struct rebuilding *work = context;
    assert(work->txn);
    if (is_table || !frame_is_whole(work->table, key, value)) {
        work->result.n_dropped++;
        return 0;
    }
    MDB_val key_val = {key.len, (void *)(uintptr_t)key.data};
    MDB_val stored = {value.len, (void *)(uintptr_t)value.data};
    int rc = mdb_put(work->txn, work->target->tables[work->table], &key_val, &stored, 0);
    if (rc != 0)
        return env_error(work->target, rc, "write a value", err);
    work->pending_bytes += key.len + value.len;
    return work->pending_bytes < BATCH_BYTES ? 0 : next_batch(work, err);
}

static int
keep_table(void *context, struct bytes name, struct bytes record, bool is_table, struct err *err)
{
    struct rebuilding *work = context;
    if (!is_table)
        return 0;
    for (int i = 0; i < TABLE_N; i++) {
        if (!bytes_equal(name, bytes_of_text(table_name((enum store_table)i))))
            continue;
        struct page_tree tree = page_tree_read(record.data);
        work->table = (enum store_table)i;
        return page_walk_tree(&work->walk, table_name(work->table), &tree, PAGE_KEYS_BYTES,
                              keep_value, work, err);
    }
    return 0;
}

static int
copy_whole(struct rebuilding *work, const struct page_file *file, struct err *err)
{
    if (page_walk_init(&work->walk, file, false, err) < 0)
        return -1;
    int rc = next_batch(work, err);
    if (rc == 0)
        rc = page_walk_tree(&work->walk, "the list of tables", &file->meta.tables, PAGE_KEYS_BYTES,
                            keep_table, work, err);
    if (rc == 0) {
        int mdb_rc = mdb_txn_commit(work->txn);
        work->txn = NULL;
        rc = mdb_rc == 0 ? 0 : env_error(work->target, mdb_rc, "write a batch", err);
    }
    if (work->txn)
        mdb_txn_abort(work->txn);
    work->result.n_bad_places = work->walk.n_faults;
    page_walk_clear(&work->walk);
    return rc;
}

/* Build the store PATH from the data file FD.  Without a usable meta page it stays empty. */
static int
rebuild(const char *path, int fd, struct store_repaired *out, struct err *err)
{
    struct store_options options = {.path = path, .mode = STORE_WRITE};
    struct rebuilding work = {0};
    struct page_file file;
    struct page_meta meta;
    if (store_open(&options, &work.target, err) < 0)
        return -1;
    int rc = 0;
    if (!page_meta_read_any(fd, &meta)) {
        work.result.n_bad_places = 1;
    } else {
        rc = page_file_open(fd, &meta, &file, err);
        if (rc == 0) {
            rc = copy_whole(&work, &file, err);
            page_file_close(&file);
        }
    }
    store_close(work.target);
    *out = work.result;
    out->is_rebuilt = true;
    return rc;
}

int
repair_rebuild(struct folder *folder, struct store_repaired *out, struct err *err)
{
    int fd = openat(folder->fd, "data.mdb", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return err_set_errno(err, "open data.mdb");
    char *path = folder_make_temporary(folder, err);
    int rc = path ? rebuild(path, fd, out, err) : -1;
    if (rc == 0)
        rc = folder_replace_data(folder, true, err);
    if (rc == 0)
        folder_share(folder);
    folder_remove_temporary(folder);
    free(path);
    close(fd);
    return rc;
}

/* ---- Sweep --------------------------------------------------------------------------------- */

struct sweeping {
    enum store_table table;
    struct buf keys;         /* to delete, each after its length */
    struct map fingerprints; /* of the facts that are whole */
};

static int
keep_fingerprint(struct sweeping *work, struct bytes key, struct err *err)
{
    struct oid blob;
    struct store_key fingerprint;
    if (work->table != TABLE_FACTS || !key_read_blob(key, &blob, &fingerprint))
        return 0;
    struct bytes name = {fingerprint.bytes, STORE_KEY_BYTES};
    return map_put(&work->fingerprints, name, NULL) ? 0 : err_nomem(err, "repair");
}

static int
note_damaged(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct sweeping *work = context;
    if (frame_is_whole(work->table, key, stored))
        return keep_fingerprint(work, key, err);
    buf_append_varint(&work->keys, key.len);
    buf_append_bytes(&work->keys, key);
    return buf_failed(&work->keys) ? err_nomem(err, "repair") : 0;
}

static int
delete_noted(struct store *store, const struct sweeping *work, uint64_t *n_dropped, struct err *err)
{
    MDB_txn *txn;
    struct decoder decoder = decoder_init(buf_bytes(&work->keys));
    int rc = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (rc != 0)
        return env_error(store, rc, "begin a batch", err);
    while (rc == 0 && decoder_left(&decoder) > 0) {
        struct bytes key = decoder_take(&decoder, (size_t)decoder_varint(&decoder));
        MDB_val key_val = {key.len, (void *)(uintptr_t)key.data};
        rc = mdb_del(txn, store->tables[work->table], &key_val, NULL);
        ++*n_dropped;
    }
    if (rc != 0) {
        mdb_txn_abort(txn);
        return env_error(store, rc, "drop a damaged value", err);
    }
    rc = mdb_txn_commit(txn);
    return rc == 0 ? 0 : env_error(store, rc, "drop a damaged value", err);
}

static int
sweep_table(struct store *store, struct sweeping *work, uint64_t *n_dropped, struct err *err)
{
    struct store_reader *reader;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int rc = reader_scan(reader, work->table, (struct bytes){NULL, 0}, note_damaged, work, err);
    store_reader_close(reader);
    if (rc == 0 && work->keys.len > 0)
        rc = delete_noted(store, work, n_dropped, err);
    buf_reset(&work->keys);
    return rc;
}

static int
note_fingerprints(struct store *store, const struct map *fingerprints, struct err *err)
{
    struct store_writer *writer;
    if (store_writer_open(store, &writer, err) < 0)
        return -1;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < fingerprints->n_entries; i++) {
        struct store_key fingerprint;
        memcpy(fingerprint.bytes, fingerprints->entries[i].key.data, sizeof(fingerprint.bytes));
        rc = writer_note_fingerprint(writer, &fingerprint, err);
    }
    if (rc == 0)
        rc = store_writer_commit(writer, err);
    store_writer_close(writer);
    return rc;
}

int
repair_sweep(struct store *store, struct store_repaired *out, struct err *err)
{
    struct sweeping work = {0};
    int rc = 0;
    map_init(&work.fingerprints);
    for (int i = 0; i < TABLE_N && rc == 0; i++) {
        work.table = (enum store_table)i;
        rc = sweep_table(store, &work, &out->n_dropped, err);
    }
    if (rc == 0)
        rc = note_fingerprints(store, &work.fingerprints, err);
    buf_clear(&work.keys);
    map_clear(&work.fingerprints);
    return rc;
}
