/*
 * Reading: look-ups and scans of one snapshot.
 *
 * A value is borrowed from the map only while it is decoded; what is returned is in the caller's
 * arena.
 * 1. A reader that failed to refresh has no transaction, and every call on it fails.
 * 2. Values are found in the index first, if there is one, else in LMDB.
 * 3. reader->base is the whole listing that was needed last, because neighbouring listings share
 * one.
 */
#include "store/reader.h"

#include <assert.h>
#include <stdlib.h>

#include "store/blob_index.h"
#include "store/dictionary.h"
#include "store/pages/resident.h"

enum { BASE_STEPS_MAX = 9 };

/* ---- Open ---------------------------------------------------------------------------------- */

/* Load the dictionaries of the snapshot.  A damaged one counts as missing: values that need it are
 * damaged, the others can be read. */
static int
load_dictionaries(struct store_reader *reader, struct err *err)
{
    for (int i = 0; i < TABLE_N; i++) {
        enum store_table table = (enum store_table)i;
        struct key key;
        struct bytes dictionary;
        struct err why;
        if (!dictionary_key(table, &key) || reader->decoder.dictionaries[table])
            continue;
        enum store_outcome outcome =
            reader_get(reader, TABLE_META, key_bytes(&key), &reader->scratch, &dictionary, &why);
        if (outcome == STORE_MISSING || (outcome == STORE_FAILED && why.code == ERR_DAMAGED))
            continue;
        if (outcome == STORE_FAILED)
            return err_set(err, why.code, "%s", why.text);
        if (frame_decoder_set_dictionary(&reader->decoder, table, dictionary, &why) < 0 &&
            why.code != ERR_DAMAGED)
            return err_set(err, why.code, "%s", why.text);
    }
    arena_reset(&reader->scratch);
    return 0;
}

static int
begin(struct store_reader *reader, struct err *err)
{
    MDB_env *env = reader->store->env;
    int rc = mdb_txn_begin(env, NULL, MDB_RDONLY, &reader->txn);
    int n_dead = 0;
    if (rc == MDB_READERS_FULL && mdb_reader_check(env, &n_dead) == 0 && n_dead > 0)
        rc = mdb_txn_begin(env, NULL, MDB_RDONLY, &reader->txn);
    if (rc == 0)
        return 0;
    reader->txn = NULL;
    return env_error(reader->store, rc, "begin to read", err);
}

int
store_reader_open(struct store *store, struct store_reader **out, struct err *err)
{
    struct store_reader *reader = calloc(1, sizeof(*reader));
    if (!reader)
        return err_nomem(err, "store reader");
    reader->store = store;
    listing_base_init(&reader->base);
    arena_init(&reader->scratch, 0);
    if (frame_decoder_init(&reader->decoder, err) < 0 || begin(reader, err) < 0 ||
        load_dictionaries(reader, err) < 0) {
        store_reader_close(reader);
        return err_wrap(err, "read store %s", store->folder.path);
    }
    *out = reader;
    return 0;
}

void
store_reader_close(struct store_reader *reader)
{
    if (!reader)
        return;
    if (reader->txn)
        mdb_txn_abort(reader->txn);
    frame_decoder_clear(&reader->decoder);
    listing_base_clear(&reader->base);
    arena_clear(&reader->scratch);
    free(reader);
}

int
store_reader_refresh(struct store_reader *reader, struct err *err)
{
    int rc = 0;
    if (reader->txn) {
        mdb_txn_reset(reader->txn);
        rc = mdb_txn_renew(reader->txn);
    } else {
        rc = begin(reader, err) < 0 ? -1 : 0;
    }
    if (rc > 0 || rc < -1) {
        mdb_txn_abort(reader->txn);
        reader->txn = NULL;
        return env_error(reader->store, rc, "begin to read", err);
    }
    return rc < 0 ? -1 : load_dictionaries(reader, err);
}

/* Move all READERS to one snapshot.  LMDB gives each transaction the newest, so those with an older
 * one are renewed. */
static int
agree_on_snapshot(struct store_reader **readers, size_t n, struct err *err)
{
    for (int tries = 0; tries < SNAPSHOT_TRIES; tries++) {
        size_t newest = 0, n_older = 0;
        for (size_t i = 0; i < n; i++)
            if (mdb_txn_id(readers[i]->txn) > newest)
                newest = mdb_txn_id(readers[i]->txn);
        for (size_t i = 0; i < n; i++) {
            if (mdb_txn_id(readers[i]->txn) == newest)
                continue;
            n_older++;
            if (store_reader_refresh(readers[i], err) < 0)
                return -1;
        }
        if (n_older == 0)
            return 0;
    }
    return err_set(err, ERR_BUSY, "it is written to all the time: try again");
}

int
store_readers_open(struct store *store, size_t n, struct store_reader **out, struct err *err)
{
    int rc = 0;
    size_t n_open = 0;
    while (rc == 0 && n_open < n) {
        rc = store_reader_open(store, &out[n_open], err);
        n_open += rc == 0;
    }
    assert(rc != 0 || n_open == n);
    if (rc == 0 && agree_on_snapshot(out, n, err) < 0)
        rc = err_wrap(err, "read store %s", store->folder.path);
    if (rc < 0)
        store_readers_close(out, n_open);
    return rc;
}

void
store_readers_close(struct store_reader **readers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        store_reader_close(readers[i]);
}

/* ---- Values -------------------------------------------------------------------------------- */

static int
need_snapshot(const struct store_reader *reader, struct err *err)
{
    return reader->txn ? 0 : err_set(err, ERR_INTERNAL, "read after a failed refresh");
}

/* VALUE was found in the map: bound the pages of the map that the process holds. */
static void
see_value(struct store_reader *reader, struct bytes value)
{
    if (!reader->first || value.data < reader->first)
        reader->first = value.data;
    if (!reader->last || value.data + value.len > reader->last)
        reader->last = value.data + value.len;
    if (++reader->n_seen < RESIDENT_STEP)
        return;
    reader->n_seen = 0;
    resident_trim(reader->first, (size_t)(reader->last - reader->first));
}

enum store_outcome
reader_find(struct store_reader *reader, enum store_table table, struct bytes key,
            struct bytes *out, struct err *err)
{
    if (need_snapshot(reader, err) < 0)
        return STORE_FAILED;
    MDB_val key_val = {key.len, (void *)(uintptr_t)key.data}, value;
    int rc = mdb_get(reader->txn, reader->store->tables[table], &key_val, &value);
    if (rc == MDB_NOTFOUND)
        return STORE_MISSING;
    if (rc != 0) {
        env_error(reader->store, rc, "look up a value", err);
        return STORE_FAILED;
    }
    *out = (struct bytes){value.mv_data, value.mv_size};
    see_value(reader, *out);
    return STORE_FOUND;
}

static enum store_outcome
decode(struct store_reader *reader, enum store_table table, struct bytes key, struct bytes stored,
       struct arena *arena, struct bytes *out, struct err *err)
{
    if (frame_decode(&reader->decoder, table, key, stored, arena, out, err) < 0) {
        reader_name_value(table, key, err);
        return STORE_FAILED;
    }
    return STORE_FOUND;
}

enum store_outcome
reader_get(struct store_reader *reader, enum store_table table, struct bytes key,
           struct arena *arena, struct bytes *out, struct err *err)
{
    struct bytes stored;
    enum store_outcome outcome = reader_find(reader, table, key, &stored, err);
    return outcome == STORE_FOUND ? decode(reader, table, key, stored, arena, out, err) : outcome;
}

int
reader_count(struct store_reader *reader, enum store_table table, size_t *out, struct err *err)
{
    MDB_stat stat;
    if (need_snapshot(reader, err) < 0)
        return -1;
    int rc = mdb_stat(reader->txn, reader->store->tables[table], &stat);
    if (rc != 0)
        return env_error(reader->store, rc, "count a table", err);
    *out = stat.ms_entries;
    return 0;
}

int
reader_name_value(enum store_table table, struct bytes key, struct err *err)
{
    char text[KEY_TEXT_SIZE];
    return err_wrap(err, "the value of table %s under %s", table_name(table),
                    key_describe(table, key, text));
}

int
reader_judge(enum record_outcome outcome, enum store_table table, struct bytes key, struct err *err)
{
    if (outcome == RECORD_OK)
        return 0;
    if (outcome == RECORD_NOMEM)
        return err_nomem(err, table_name(table));
    err_set(err, ERR_DAMAGED, "it is malformed");
    return reader_name_value(table, key, err);
}

int
reader_scan(struct store_reader *reader, enum store_table table, struct bytes prefix,
            reader_visit *visit, void *context, struct err *err)
{
    MDB_cursor *cursor;
    if (need_snapshot(reader, err) < 0)
        return -1;
    int mdb_rc = mdb_cursor_open(reader->txn, reader->store->tables[table], &cursor);
    if (mdb_rc != 0)
        return env_error(reader->store, mdb_rc, "scan a table", err);
    MDB_val key = {prefix.len, (void *)(uintptr_t)prefix.data}, value;
    int rc = 0;
    mdb_rc = mdb_cursor_get(cursor, &key, &value, prefix.len ? MDB_SET_RANGE : MDB_FIRST);
    while (mdb_rc == 0 && rc == 0) {
        struct bytes found = {key.mv_data, key.mv_size};
        if (!bytes_starts_with(found, prefix))
            break;
        struct bytes stored = {value.mv_data, value.mv_size};
        see_value(reader, stored);
        rc = visit(context, found, stored, err);
        if (rc == 0)
            mdb_rc = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
    }
    mdb_cursor_close(cursor);
    if (mdb_rc != 0 && mdb_rc != MDB_NOTFOUND)
        return env_error(reader->store, mdb_rc, "scan a table", err);
    return rc;
}

/* ---- Facts and hits ------------------------------------------------------------------------ */

/* Is there a value that can be used?  One whose check is wrong, or whose dictionary is lost, counts
 * as missing, so that it is made again. */
static enum store_outcome
has_blob(struct store_reader *reader, enum store_table table, const struct oid *blob,
         const struct store_key *suffix, struct err *err)
{
    struct key key;
    struct bytes stored;
    key_of_blob(blob, suffix, &key);
    enum store_outcome outcome = reader_find(reader, table, key_bytes(&key), &stored, err);
    if (outcome == STORE_FOUND &&
        (!frame_is_whole(table, key_bytes(&key), stored) ||
         !frame_needs_at_most(stored, reader->decoder.dictionary_ids[table])))
        return STORE_MISSING;
    return outcome;
}

static enum store_outcome
get_blob(struct store_reader *reader, enum store_table table, const struct oid *blob,
         const struct store_key *suffix, struct arena *arena, struct bytes *out, struct err *err)
{
    struct key key;
    struct bytes stored;
    key_of_blob(blob, suffix, &key);
    if (!reader->index || !blob_index_find(reader->index, table, key_bytes(&key), arena, &stored))
        return reader_get(reader, table, key_bytes(&key), arena, out, err);
    if (!blob_index_reads_file(reader->index))
        see_value(reader, stored);
    return decode(reader, table, key_bytes(&key), stored, arena, out, err);
}

void
store_reader_use_index(struct store_reader *reader, const struct store_index *index)
{
    reader->index = index;
}

void
store_reader_expect(const struct store_reader *reader, const struct oid *const *blobs, size_t n)
{
    if (reader->index)
        blob_index_prefetch(reader->index, blobs, n);
}

enum store_outcome
store_has_facts(struct store_reader *reader, const struct oid *blob,
                const struct store_key *fingerprint, struct err *err)
{
    return has_blob(reader, TABLE_FACTS, blob, fingerprint, err);
}

enum store_outcome
store_get_facts(struct store_reader *reader, const struct oid *blob,
                const struct store_key *fingerprint, struct arena *arena, struct bytes *out,
                struct err *err)
{
    return get_blob(reader, TABLE_FACTS, blob, fingerprint, arena, out, err);
}

enum store_outcome
store_has_hits(struct store_reader *reader, const struct oid *blob, const struct store_key *group,
               struct err *err)
{
    return has_blob(reader, TABLE_HITS, blob, group, err);
}

enum store_outcome
store_get_hits(struct store_reader *reader, const struct oid *blob, const struct store_key *group,
               struct arena *arena, struct bytes *out, struct err *err)
{
    return get_blob(reader, TABLE_HITS, blob, group, arena, out, err);
}

/* ---- Listings ------------------------------------------------------------------------------ */

/* Make reader->base the listing NAME.  A base was whole when changes were written against it; if it
 * was damaged and mined again it may be changes itself, so a chain of bases is followed, up to a
 * limit. */
static int
need_base(struct store_reader *reader, const struct store_key *name, struct err *err)
{
    struct store_key names[BASE_STEPS_MAX] = {*name};
    struct bytes encoded[BASE_STEPS_MAX];
    struct key key;
    struct listing_base *base = &reader->base;
    if (base->is_set && memcmp(&base->key, name, sizeof(*name)) == 0)
        return 0;
    listing_base_reset(base);
    size_t n_steps = 0;
    do {
        key_of_name(&names[n_steps], &key);
        enum store_outcome outcome = reader_get(reader, TABLE_LISTINGS, key_bytes(&key),
                                                &base->arena, &encoded[n_steps], err);
        if (outcome == STORE_FAILED)
            return -1;
        if (outcome == STORE_MISSING)
            return err_set(err, ERR_DAMAGED, "the listing that it is changes of is missing");
        n_steps++;
        if (n_steps == BASE_STEPS_MAX)
            return err_set(err, ERR_DAMAGED, "its chain of changes is too long");
    } while (listing_is_changes(encoded[n_steps - 1], &names[n_steps]));

    while (n_steps-- > 0) {
        struct store_file *files;
        size_t n_files;
        enum record_outcome decoded = listing_get(encoded[n_steps], base->is_set ? base : NULL,
                                                  &base->arena, &files, &n_files);
        key_of_name(&names[n_steps], &key);
        if (decoded != RECORD_OK) {
            base->is_set = false;
            return reader_judge(decoded, TABLE_LISTINGS, key_bytes(&key), err);
        }
        listing_base_take(base, &names[n_steps], files, n_files);
    }
    return 0;
}

/* Decode ENCODED with the base that it needs.  Paths are borrowed from ENCODED and from
 * reader->base. */
static int
get_listing(struct store_reader *reader, struct bytes key, struct bytes encoded,
            struct arena *arena, struct store_file **out, size_t *n_out, struct err *err)
{
    struct store_key base_name;
    bool is_changes = listing_is_changes(encoded, &base_name);
    if (is_changes && need_base(reader, &base_name, err) < 0)
        return reader_name_value(TABLE_LISTINGS, key, err);
    return reader_judge(listing_get(encoded, is_changes ? &reader->base : NULL, arena, out, n_out),
                        TABLE_LISTINGS, key, err);
}

enum store_outcome
store_get_listing(struct store_reader *reader, const struct store_key *name, struct arena *arena,
                  struct store_file **out, size_t *n_out, struct err *err)
{
    struct key key;
    struct bytes encoded;
    key_of_name(name, &key);
    enum store_outcome outcome =
        reader_get(reader, TABLE_LISTINGS, key_bytes(&key), arena, &encoded, err);
    if (outcome != STORE_FOUND)
        return outcome;
    if (get_listing(reader, key_bytes(&key), encoded, arena, out, n_out, err) < 0)
        return STORE_FAILED;
    return STORE_FOUND;
}

/* ---- Trajectories and checkpoints ---------------------------------------------------------- */

enum store_outcome
store_get_trajectory(struct store_reader *reader, struct bytes id, struct arena *arena,
                     struct store_trajectory *out, struct err *err)
{
    struct key key;
    struct bytes encoded;
    if (key_of_trajectory(id, &key, err) < 0)
        return STORE_FAILED;
    enum store_outcome outcome =
        reader_get(reader, TABLE_TRAJECTORIES, key_bytes(&key), arena, &encoded, err);
    if (outcome != STORE_FOUND)
        return outcome;
    enum record_outcome decoded = record_get_trajectory(encoded, arena, out);
    if (reader_judge(decoded, TABLE_TRAJECTORIES, key_bytes(&key), err) < 0)
        return STORE_FAILED;
    out->id = arena_copy(arena, id);
    if (!out->id.data) {
        err_nomem(err, "trajectory");
        return STORE_FAILED;
    }
    return STORE_FOUND;
}

/* A list that grows while a table is scanned. */
struct collected {
    struct store_reader *reader;
    struct arena *arena;
    struct buf items;
};

/* Copy the list to an array in the arena, NULL when memory is out, and free it. */
static void *
collected_array(struct collected *list, size_t item_bytes, size_t *n_out)
{
    size_t n = list->items.len / item_bytes;
    void *array = NULL;
    if (!buf_failed(&list->items))
        array = arena_alloc(list->arena, n, item_bytes, _Alignof(max_align_t));
    if (array && n)
        memcpy(array, list->items.data, n * item_bytes);
    buf_clear(&list->items);
    *n_out = n;
    return array;
}

static int
collect_id(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct collected *list = context;
    (void)stored;
    struct bytes copy = arena_copy(list->arena, key);
    if (!copy.data)
        return err_nomem(err, "trajectory ids");
    buf_append(&list->items, &copy, sizeof(copy));
    return 0;
}

int
store_list_trajectories(struct store_reader *reader, struct arena *arena, struct bytes **out,
                        size_t *n_out, struct err *err)
{
    struct collected list = {.reader = reader, .arena = arena};
    int rc =
        reader_scan(reader, TABLE_TRAJECTORIES, (struct bytes){NULL, 0}, collect_id, &list, err);
    *out = collected_array(&list, sizeof(struct bytes), n_out);
    if (rc == 0 && !*out)
        return err_nomem(err, "trajectory ids");
    return rc;
}

static int
collect_checkpoint(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct collected *list = context;
    struct store_reader *reader = list->reader;
    struct store_checkpoint checkpoint;
    struct bytes id, encoded;
    uint32_t ordinal;
    if (!key_read_checkpoint(key, &id, &ordinal))
        return reader_judge(RECORD_DAMAGED, TABLE_CHECKPOINTS, key, err);
    if (frame_decode(&reader->decoder, TABLE_CHECKPOINTS, key, stored, list->arena, &encoded, err) <
        0)
        return reader_name_value(TABLE_CHECKPOINTS, key, err);
    enum record_outcome decoded = record_get_checkpoint(encoded, list->arena, &checkpoint);
    if (reader_judge(decoded, TABLE_CHECKPOINTS, key, err) < 0)
        return -1;
    checkpoint.ordinal = ordinal;
    buf_append(&list->items, &checkpoint, sizeof(checkpoint));
    return 0;
}

int
store_get_checkpoints(struct store_reader *reader, struct bytes id, struct arena *arena,
                      struct store_checkpoint **out, size_t *n_out, struct err *err)
{
    struct key first;
    if (key_of_checkpoint(id, 0, &first, err) < 0)
        return -1;
    struct collected list = {.reader = reader, .arena = arena};
    struct bytes prefix = {first.data, id.len + 1};
    int rc = reader_scan(reader, TABLE_CHECKPOINTS, prefix, collect_checkpoint, &list, err);
    *out = collected_array(&list, sizeof(struct store_checkpoint), n_out);
    if (rc == 0 && !*out)
        return err_nomem(err, "checkpoints");
    return rc;
}

/* ---- Rules, groups, meta ------------------------------------------------------------------- */

enum store_outcome
store_get_rule(struct store_reader *reader, const struct store_key *name, struct arena *arena,
               struct store_rule *out, struct err *err)
{
    struct key key;
    struct bytes encoded;
    key_of_name(name, &key);
    enum store_outcome outcome =
        reader_get(reader, TABLE_RULES, key_bytes(&key), arena, &encoded, err);
    if (outcome != STORE_FOUND)
        return outcome;
    if (reader_judge(record_get_rule(encoded, out), TABLE_RULES, key_bytes(&key), err) < 0)
        return STORE_FAILED;
    out->key = *name;
    return STORE_FOUND;
}

enum store_outcome
store_get_group(struct store_reader *reader, const struct store_key *group, struct arena *arena,
                struct store_key **out, size_t *n_out, struct err *err)
{
    struct key key;
    struct bytes encoded;
    key_of_name(group, &key);
    enum store_outcome outcome =
        reader_get(reader, TABLE_GROUPS, key_bytes(&key), arena, &encoded, err);
    if (outcome != STORE_FOUND)
        return outcome;
    if (reader_judge(record_get_group(encoded, arena, out, n_out), TABLE_GROUPS, key_bytes(&key),
                     err) < 0)
        return STORE_FAILED;
    return STORE_FOUND;
}

/* Collect the last 16 bytes of each key: the group, or the fingerprint after its prefix. */
static int
collect_name(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct collected *list = context;
    (void)stored;
    if (key.len < STORE_KEY_BYTES)
        return reader_judge(RECORD_DAMAGED, TABLE_META, key, err);
    buf_append(&list->items, key.data + key.len - STORE_KEY_BYTES, STORE_KEY_BYTES);
    return 0;
}

static int
list_names(struct store_reader *reader, enum store_table table, struct bytes prefix,
           struct arena *arena, struct store_key **out, size_t *n_out, struct err *err)
{
    struct collected list = {.reader = reader, .arena = arena};
    int rc = reader_scan(reader, table, prefix, collect_name, &list, err);
    *out = collected_array(&list, sizeof(struct store_key), n_out);
    if (rc == 0 && !*out)
        return err_nomem(err, "list of names");
    return rc;
}

int
store_list_groups(struct store_reader *reader, struct arena *arena, struct store_key **out,
                  size_t *n_out, struct err *err)
{
    return list_names(reader, TABLE_GROUPS, (struct bytes){NULL, 0}, arena, out, n_out, err);
}

enum store_outcome
store_get_newest_group(struct store_reader *reader, struct arena *arena, struct store_key *out,
                       struct err *err)
{
    struct bytes value;
    enum store_outcome outcome = store_get_meta(reader, META_NEWEST_GROUP, arena, &value, err);
    if (outcome != STORE_FOUND)
        return outcome;
    if (value.len != META_NEWEST_GROUP_BYTES) {
        reader_judge(RECORD_DAMAGED, TABLE_META, BYTES(META_NEWEST_GROUP), err);
        return STORE_FAILED;
    }
    memcpy(out, value.data + 8, sizeof(*out));
    return STORE_FOUND;
}

int
store_list_fingerprints(struct store_reader *reader, struct arena *arena, struct store_key **out,
                        size_t *n_out, struct err *err)
{
    return list_names(reader, TABLE_META, BYTES(META_FINGERPRINT), arena, out, n_out, err);
}

enum store_outcome
store_get_meta(struct store_reader *reader, const char *name, struct arena *arena,
               struct bytes *out, struct err *err)
{
    struct key key;
    if (key_of_text(name, &key, err) < 0)
        return STORE_FAILED;
    return reader_get(reader, TABLE_META, key_bytes(&key), arena, out, err);
}
