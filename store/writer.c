/*
 * Writing: one LMDB write transaction is one batch.
 *
 * 1. The transaction begins with the first put, so an idle writer locks nothing.
 * 2. A put that fails loses the batch, because LMDB cannot continue a transaction that ran out of
 * disk.
 * 3. A value that exists is kept when its check is right and replaced when it is wrong, so mining
 * again repairs a store.
 * 4. A dictionary is trained once; until then values are samples and compressed without one.
 */
#include "store/writer.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/dictionary.h"
#include "store/env.h"
#include "store/frame.h"
#include "store/listing_codec.h"
#include "store/reader.h"
#include "base/memory.h"

/* The dictionary of one table in the making: its samples, until it is trained. */
struct learning {
    bool is_done;
    struct dictionary_samples samples;
};

struct store_writer {
    struct store *store;
    MDB_txn *txn;    /* the open batch; NULL before its first put */
    bool has_failed; /* a put or commit failed: nothing more can be written */
    uint64_t pending_bytes;
    struct frame_encoder encoder;
    struct learning learning[TABLE_N];
    struct listing_base base;          /* the whole listing that changes are written against */
    struct store_key last_fingerprint; /* known to be in the meta table */
    bool has_last_fingerprint;
    struct store_key newest_group; /* as the meta table has it */
    bool has_newest_group;
    struct buf plain, stored; /* scratch */
};

/* ---- Batches ------------------------------------------------------------------------------- */

static int
fail(struct store_writer *writer, int rc, const char *doing, struct err *err)
{
    assert(rc != 0);
    writer->has_failed = true;
    return env_error(writer->store, rc, doing, err);
}

static int
need_batch(struct store_writer *writer, struct err *err)
{
    if (writer->has_failed)
        return err_set(err, ERR_INTERNAL, "a batch that failed cannot be written to");
    if (writer->txn)
        return 0;
    int rc = mdb_txn_begin(writer->store->env, NULL, 0, &writer->txn);
    if (rc == 0)
        return 0;
    writer->txn = NULL;
    return fail(writer, rc, "begin a batch", err);
}

int
store_writer_commit(struct store_writer *writer, struct err *err)
{
    if (writer->has_failed)
        return err_set(err, ERR_INTERNAL, "a batch that failed cannot be committed");
    if (!writer->txn)
        return 0;
    if (memory_ran_out()) { /* a value of the batch may be wrong */
        writer->has_failed = true;
        return err_nomem(err, "the batch is not stored");
    }
    int rc = mdb_txn_commit(writer->txn);
    writer->txn = NULL;
    writer->pending_bytes = 0;
    return rc == 0 ? 0 : fail(writer, rc, "commit a batch", err);
}

uint64_t
store_writer_pending_bytes(const struct store_writer *writer)
{
    return writer->pending_bytes;
}

/* ---- Values -------------------------------------------------------------------------------- */

/* Make *OUT the stored bytes under KEY in the open batch, borrowed until the next put. */
static enum store_outcome
find(struct store_writer *writer, enum store_table table, struct bytes key, struct bytes *out,
     struct err *err)
{
    MDB_val key_val = {key.len, (void *)(uintptr_t)key.data}, value;
    assert(writer->txn && key.len <= KEY_MAX_BYTES);
    int rc = mdb_get(writer->txn, writer->store->tables[table], &key_val, &value);
    if (rc == MDB_NOTFOUND)
        return STORE_MISSING;
    if (rc != 0) {
        fail(writer, rc, "look up a value", err);
        return STORE_FAILED;
    }
    *out = (struct bytes){value.mv_data, value.mv_size};
    return STORE_FOUND;
}

static int
put_with_tail(struct store_writer *writer, enum store_table table, struct bytes key,
              struct bytes plain, size_t tail_bytes, struct err *err)
{
    assert(tail_bytes <= plain.len && key.len <= KEY_MAX_BYTES);
    if (need_batch(writer, err) < 0)
        return -1;
    if (frame_encode(&writer->encoder, table, key, plain, tail_bytes, &writer->stored, err) < 0) {
        writer->has_failed = true;
        return -1;
    }
    MDB_val key_val = {key.len, (void *)(uintptr_t)key.data};
    MDB_val value = {writer->stored.len, writer->stored.data};
    int rc = mdb_put(writer->txn, writer->store->tables[table], &key_val, &value, 0);
    if (rc != 0)
        return fail(writer, rc, "write a value", err);
    writer->pending_bytes += key.len + writer->stored.len;
    return 0;
}

static int
put(struct store_writer *writer, enum store_table table, struct bytes key, struct bytes plain,
    struct err *err)
{
    return put_with_tail(writer, table, key, plain, 0, err);
}

/* Is there a value under KEY that can be used? */
static enum store_outcome
has(struct store_writer *writer, enum store_table table, struct bytes key, struct err *err)
{
    struct bytes stored;
    if (need_batch(writer, err) < 0)
        return STORE_FAILED;
    enum store_outcome outcome = find(writer, table, key, &stored, err);
    if (outcome == STORE_FOUND &&
        (!frame_is_whole(table, key, stored) ||
         !frame_needs_at_most(stored, writer->encoder.dictionary_ids[table])))
        return STORE_MISSING;
    return outcome;
}

/* Put a value unless there is one that can be used. */
static int
put_once(struct store_writer *writer, enum store_table table, struct bytes key, struct bytes plain,
         struct err *err)
{
    enum store_outcome outcome = has(writer, table, key, err);
    if (outcome != STORE_MISSING)
        return outcome == STORE_FOUND ? 0 : -1;
    return put(writer, table, key, plain, err);
}

/* ---- Open ---------------------------------------------------------------------------------- */

static int
load_dictionary(struct store_writer *writer, struct store_reader *reader, enum store_table table,
                struct arena *arena, struct err *err)
{
    struct key key;
    struct bytes dictionary;
    struct err why;
    if (!dictionary_key(table, &key)) {
        writer->learning[table].is_done = true;
        return 0;
    }
    enum store_outcome outcome =
        reader_get(reader, TABLE_META, key_bytes(&key), arena, &dictionary, &why);
    if (outcome == STORE_MISSING || (outcome == STORE_FAILED && why.code == ERR_DAMAGED))
        return 0; /* a damaged one is trained again */
    if (outcome == STORE_FAILED)
        return err_set(err, why.code, "%s", why.text);
    if (frame_encoder_set_dictionary(&writer->encoder, table, dictionary, &why) == 0)
        writer->learning[table].is_done = true;
    else if (why.code != ERR_DAMAGED)
        return err_set(err, why.code, "%s", why.text);
    return 0;
}

/* Load what meta says of the newest group.  A damaged entry counts as missing and is written again.
 */
static int
load_newest_group(struct store_writer *writer, struct store_reader *reader, struct arena *arena,
                  struct err *err)
{
    struct err why;
    enum store_outcome outcome = store_get_newest_group(reader, arena, &writer->newest_group, &why);
    writer->has_newest_group = outcome == STORE_FOUND;
    if (outcome == STORE_FAILED && why.code != ERR_DAMAGED)
        return err_set(err, why.code, "%s", why.text);
    return 0;
}

static int
load_meta(struct store_writer *writer, struct err *err)
{
    struct store_reader *reader;
    struct arena arena;
    if (store_reader_open(writer->store, &reader, err) < 0)
        return -1;
    arena_init(&arena, 0);
    int rc = 0;
    for (int i = 0; i < TABLE_N && rc == 0; i++)
        rc = load_dictionary(writer, reader, (enum store_table)i, &arena, err);
    if (rc == 0)
        rc = load_newest_group(writer, reader, &arena, err);
    arena_clear(&arena);
    store_reader_close(reader);
    return rc;
}

int
store_writer_open(struct store *store, struct store_writer **out, struct err *err)
{
    if (!store->is_writable)
        return err_set(err, ERR_INTERNAL, "write to store %s, which was opened to read",
                       store->folder.path);
    if (store->has_writer)
        return err_set(err, ERR_INTERNAL, "store %s has a writer already", store->folder.path);
    struct store_writer *writer = calloc(1, sizeof(*writer));
    if (!writer)
        return err_nomem(err, "store writer");
    writer->store = store;
    store->has_writer = true;
    listing_base_init(&writer->base);
    if (frame_encoder_init(&writer->encoder, err) < 0 || load_meta(writer, err) < 0) {
        store_writer_close(writer);
        return err_wrap(err, "write to store %s", store->folder.path);
    }
    *out = writer;
    return 0;
}

void
store_writer_close(struct store_writer *writer)
{
    if (!writer)
        return;
    if (writer->txn)
        mdb_txn_abort(writer->txn);
    for (int i = 0; i < TABLE_N; i++)
        dictionary_samples_clear(&writer->learning[i].samples);
    frame_encoder_clear(&writer->encoder);
    listing_base_clear(&writer->base);
    buf_clear(&writer->plain);
    buf_clear(&writer->stored);
    writer->store->has_writer = false;
    free(writer);
}

/* ---- Facts and hits ------------------------------------------------------------------------ */

/* Add PLAIN as a sample; when there are enough, train the dictionary and use it from now on. */
static int
learn(struct store_writer *writer, enum store_table table, struct bytes key, struct bytes plain,
      struct err *err)
{
    struct learning *learning = &writer->learning[table];
    struct key name;
    if (learning->is_done)
        return 0;
    if (dictionary_samples_add(&learning->samples, key, plain, err) < 0)
        return -1;
    if (!dictionary_samples_enough(&learning->samples))
        return 0;
    struct buf dictionary = {0};
    int rc = dictionary_train(&learning->samples, &dictionary, err);
    dictionary_samples_clear(&learning->samples);
    learning->is_done = true;
    if (rc == 0 && dictionary.len > 0 && dictionary_key(table, &name)) {
        rc = put(writer, TABLE_META, key_bytes(&name), buf_bytes(&dictionary), err);
        if (rc == 0)
            rc = frame_encoder_set_dictionary(&writer->encoder, table, buf_bytes(&dictionary), err);
    }
    buf_clear(&dictionary);
    return rc;
}

static int
put_blob(struct store_writer *writer, enum store_table table, const struct oid *blob,
         const struct store_key *suffix, struct bytes encoded, size_t tail_bytes, struct err *err)
{
    struct key key;
    key_of_blob(blob, suffix, &key);
    enum store_outcome outcome = has(writer, table, key_bytes(&key), err);
    if (outcome != STORE_MISSING)
        return outcome == STORE_FOUND ? 0 : -1;
    struct bytes packed = bytes_slice(encoded, 0, encoded.len - tail_bytes);
    if (learn(writer, table, key_bytes(&key), packed, err) < 0)
        return -1;
    return put_with_tail(writer, table, key_bytes(&key), encoded, tail_bytes, err);
}

int
writer_note_fingerprint(struct store_writer *writer, const struct store_key *fingerprint,
                        struct err *err)
{
    struct key key;
    if (writer->has_last_fingerprint &&
        memcmp(&writer->last_fingerprint, fingerprint, sizeof(*fingerprint)) == 0)
        return 0;
    key_of_fingerprint(fingerprint, &key);
    if (put_once(writer, TABLE_META, key_bytes(&key), (struct bytes){NULL, 0}, err) < 0)
        return -1;
    writer->last_fingerprint = *fingerprint;
    writer->has_last_fingerprint = true;
    return 0;
}

int
store_put_facts(struct store_writer *writer, const struct oid *blob,
                const struct store_key *fingerprint, struct bytes encoded, size_t tail_bytes,
                struct err *err)
{
    if (writer_note_fingerprint(writer, fingerprint, err) < 0)
        return -1;
    return put_blob(writer, TABLE_FACTS, blob, fingerprint, encoded, tail_bytes, err);
}

int
store_put_hits(struct store_writer *writer, const struct oid *blob, const struct store_key *group,
               struct bytes encoded, struct err *err)
{
    return put_blob(writer, TABLE_HITS, blob, group, encoded, 0, err);
}

/* ---- Listings ------------------------------------------------------------------------------ */

/* Write changes against the base when they take less than half the bytes of the whole form; else
 * the whole form, which becomes the base. */
static int
put_new_listing(struct store_writer *writer, const struct store_key *name, struct bytes key,
                const struct store_file *files, size_t n_files, struct err *err)
{
    struct buf changes = {0};
    if (writer->base.is_set)
        listing_put_changes(&changes, &writer->base, files, n_files);
    int rc;
    if (buf_failed(&changes)) {
        rc = err_nomem(err, "listing");
    } else if (writer->base.is_set && changes.len < writer->plain.len / 2) {
        rc = put(writer, TABLE_LISTINGS, key, buf_bytes(&changes), err);
    } else {
        rc = put(writer, TABLE_LISTINGS, key, buf_bytes(&writer->plain), err);
        if (rc == 0 && listing_base_copy(&writer->base, name, files, n_files) < 0)
            rc = err_nomem(err, "listing");
    }
    buf_clear(&changes);
    return rc;
}

int
store_put_listing(struct store_writer *writer, const struct store_file *files, size_t n_files,
                  struct store_key *name, struct err *err)
{
    struct key key;
    if (!listing_is_ordered(files, n_files))
        return err_set(err, ERR_INTERNAL,
                       "a listing is not in order of its paths, or mixes kinds of object ids");
    buf_reset(&writer->plain);
    listing_put_whole(&writer->plain, files, n_files);
    if (buf_failed(&writer->plain))
        return err_nomem(err, "listing");
    *name = name_of_content(buf_bytes(&writer->plain));
    key_of_name(name, &key);
    enum store_outcome outcome = has(writer, TABLE_LISTINGS, key_bytes(&key), err);
    if (outcome != STORE_MISSING)
        return outcome == STORE_FOUND ? 0 : -1;
    return put_new_listing(writer, name, key_bytes(&key), files, n_files, err);
}

/* ---- Trajectories -------------------------------------------------------------------------- */

/* Delete every checkpoint of trajectory ID. */
static int
delete_checkpoints(struct store_writer *writer, struct bytes id, struct err *err)
{
    struct key first;
    MDB_cursor *cursor;
    if (key_of_checkpoint(id, 0, &first, err) < 0)
        return -1;
    struct bytes prefix = {first.data, id.len + 1};
    int rc = mdb_cursor_open(writer->txn, writer->store->tables[TABLE_CHECKPOINTS], &cursor);
    if (rc != 0)
        return fail(writer, rc, "replace checkpoints", err);
    MDB_val key = {prefix.len, first.data}, value;
    rc = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
    while (rc == 0 && bytes_starts_with((struct bytes){key.mv_data, key.mv_size}, prefix)) {
        rc = mdb_cursor_del(cursor, 0);
        if (rc == 0)
            rc = mdb_cursor_get(cursor, &key, &value, MDB_GET_CURRENT);
        if (rc == EINVAL) /* the last of the table was deleted: the cursor is at no value */
            rc = MDB_NOTFOUND;
    }
    mdb_cursor_close(cursor);
    return rc == 0 || rc == MDB_NOTFOUND ? 0 : fail(writer, rc, "replace checkpoints", err);
}

static int
put_checkpoints(struct store_writer *writer, struct bytes id,
                const struct store_checkpoint *checkpoints, size_t n_checkpoints, struct err *err)
{
    struct key key;
    if (delete_checkpoints(writer, id, err) < 0)
        return -1;
    for (size_t i = 0; i < n_checkpoints; i++) {
        if (key_of_checkpoint(id, checkpoints[i].ordinal, &key, err) < 0)
            return -1;
        buf_reset(&writer->plain);
        record_put_checkpoint(&writer->plain, &checkpoints[i]);
        if (buf_failed(&writer->plain))
            return err_nomem(err, "checkpoint");
        if (put(writer, TABLE_CHECKPOINTS, key_bytes(&key), buf_bytes(&writer->plain), err) < 0)
            return -1;
    }
    return 0;
}

int
store_put_trajectory(struct store_writer *writer, const struct store_trajectory *trajectory,
                     const struct store_checkpoint *checkpoints, size_t n_checkpoints,
                     struct err *err)
{
    struct key key;
    if (key_of_trajectory(trajectory->id, &key, err) < 0 || need_batch(writer, err) < 0)
        return -1;
    buf_reset(&writer->plain);
    record_put_trajectory(&writer->plain, trajectory);
    if (buf_failed(&writer->plain))
        return err_nomem(err, "trajectory");
    if (put(writer, TABLE_TRAJECTORIES, key_bytes(&key), buf_bytes(&writer->plain), err) < 0)
        return -1;
    if (!checkpoints)
        return 0;
    return put_checkpoints(writer, trajectory->id, checkpoints, n_checkpoints, err);
}

/* ---- Rules, groups, meta ------------------------------------------------------------------- */

int
store_put_rule(struct store_writer *writer, const struct store_rule *rule, struct err *err)
{
    struct key key;
    key_of_name(&rule->key, &key);
    buf_reset(&writer->plain);
    record_put_rule(&writer->plain, rule);
    if (buf_failed(&writer->plain))
        return err_nomem(err, "rule");
    return put_once(writer, TABLE_RULES, key_bytes(&key), buf_bytes(&writer->plain), err);
}

int
store_put_group(struct store_writer *writer, const struct store_key *rules, size_t n_rules,
                struct store_key *group, struct err *err)
{
    struct key key;
    buf_reset(&writer->plain);
    record_put_group(&writer->plain, rules, n_rules);
    if (buf_failed(&writer->plain))
        return err_nomem(err, "rule group");
    *group = name_of_content(buf_bytes(&writer->plain));
    key_of_name(group, &key);
    return put_once(writer, TABLE_GROUPS, key_bytes(&key), buf_bytes(&writer->plain), err);
}

static int
note_newest_group(struct store_writer *writer, const struct store_key *group, struct err *err)
{
    uint8_t value[META_NEWEST_GROUP_BYTES];
    uint64_t now = (uint64_t)time(NULL);
    if (writer->has_newest_group && memcmp(&writer->newest_group, group, sizeof(*group)) == 0)
        return 0;
    for (int i = 0; i < 8; i++)
        value[i] = (uint8_t)(now >> (56 - 8 * i));
    memcpy(value + 8, group, sizeof(*group));
    if (store_put_meta(writer, META_NEWEST_GROUP, (struct bytes){value, sizeof(value)}, err) < 0)
        return -1;
    writer->newest_group = *group;
    writer->has_newest_group = true;
    return 0;
}

int
store_put_rules(struct store_writer *writer, const struct store_rule *rules, size_t n_rules,
                struct store_key *group, struct err *err)
{
    struct store_key *keys = calloc(n_rules ? n_rules : 1, sizeof(*keys));
    int rc = keys ? 0 : err_nomem(err, "rules");
    for (size_t i = 0; rc == 0 && i < n_rules; i++) {
        keys[i] = rules[i].key;
        rc = store_put_rule(writer, &rules[i], err);
    }
    if (rc == 0)
        rc = store_put_group(writer, keys, n_rules, group, err);
    if (rc == 0)
        rc = note_newest_group(writer, group, err);
    free(keys);
    return rc;
}

int
store_put_meta(struct store_writer *writer, const char *name, struct bytes value, struct err *err)
{
    struct key key;
    if (key_of_text(name, &key, err) < 0)
        return -1;
    return put(writer, TABLE_META, key_bytes(&key), value, err);
}
