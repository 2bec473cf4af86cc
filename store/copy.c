/*
 * Copying a store into another one, for compacting and merging.
 *
 * Order of work: trajectories with their listings in order of their checkpoints, so that a listing
 * is written as changes against a similar one; then listings that no checkpoint names; then facts
 * and hits in order of their keys, which fills LMDB's pages.
 *
 * 1. Of two trajectories with one id the greater in a total order (compare) stays.
 * 2. Everything else that two stores both have is equal, or one of the two is chosen by its bytes
 *    (copy_meta).
 * Merging is therefore associative and commutative.
 */
#include "store/copy.h"

#include <string.h>

#include "base/map.h"
#include "base/stop.h"
#include "store/dictionary.h"
#include "store/reader.h"

static const uint64_t BATCH_BYTES = 64 << 20;

struct copying {
    const struct store_compact_options *options;
    struct store_reader *from;
    struct store_reader *there; /* what the target had before */
    struct store_writer *to;
    enum store_table table; /* the one that is being scanned */
    struct arena arena;     /* reset for each value or trajectory */
    struct map listings;    /* copied so far */
    struct map blobs;       /* listed by a checkpoint; only when unreferenced ones are dropped */
    struct map rules;       /* in the groups copied */
    struct store_copied result;
};

static int
commit_when_full(struct copying *work, struct err *err)
{
    if (stop_requested())
        return err_set(err, ERR_STOPPED, "stopped before all was copied");
    if (store_writer_pending_bytes(work->to) < BATCH_BYTES)
        return 0;
    return store_writer_commit(work->to, err);
}

static bool
is_among(const struct store_key *key, const struct store_key *keys, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (memcmp(key, &keys[i], sizeof(*key)) == 0)
            return true;
    }
    return false;
}

/* Decode the value that a scan has reached. */
static int
decode(struct copying *work, struct bytes key, struct bytes stored, struct bytes *plain,
       struct err *err)
{
    arena_reset(&work->arena);
    if (frame_decode(&work->from->decoder, work->table, key, stored, &work->arena, plain, err) < 0)
        return reader_name_value(work->table, key, err);
    return 0;
}

/* ---- Meta, rules, groups ------------------------------------------------------------------- */

/* Of two values under one name the smaller stays, whichever store is merged into which; of the
 * newest group the later one, which is the greater value.  Values that the target makes itself are
 * skipped. */
static int
copy_meta(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct copying *work = context;
    struct bytes plain, other;
    char name[KEY_MAX_BYTES + 1];
    if (bytes_equal(key, BYTES(META_SCHEMA)) || bytes_starts_with(key, BYTES(META_FINGERPRINT)) ||
        bytes_starts_with(key, BYTES(META_DICTIONARY)))
        return 0;
    if (decode(work, key, stored, &plain, err) < 0)
        return -1;
    enum store_outcome outcome =
        reader_get(work->there, TABLE_META, key, &work->arena, &other, err);
    if (outcome == STORE_FAILED)
        return -1;
    int order = outcome == STORE_FOUND ? bytes_compare(plain, other) : 0;
    if (outcome == STORE_FOUND &&
        (bytes_equal(key, BYTES(META_NEWEST_GROUP)) ? order <= 0 : order >= 0))
        return 0;
    memcpy(name, key.data, key.len);
    name[key.len] = 0;
    return store_put_meta(work->to, name, plain, err);
}

static int
copy_rule(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct copying *work = context;
    struct bytes plain;
    struct store_rule rule;
    if (decode(work, key, stored, &plain, err) < 0)
        return -1;
    if (reader_judge(record_get_rule(plain, &rule), TABLE_RULES, key, err) < 0)
        return -1;
    if (!key_read_name(key, &rule.key))
        return reader_judge(RECORD_DAMAGED, TABLE_RULES, key, err);
    if (work->options->n_drop_hits > 0 && !map_get(&work->rules, key)) {
        work->result.n_dropped_rules++;
        return 0;
    }
    return store_put_rule(work->to, &rule, err);
}

static int
copy_group(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct copying *work = context;
    struct bytes plain;
    struct store_key *rules, group;
    size_t n_rules;
    if (decode(work, key, stored, &plain, err) < 0)
        return -1;
    enum record_outcome outcome = record_get_group(plain, &work->arena, &rules, &n_rules);
    if (reader_judge(outcome, TABLE_GROUPS, key, err) < 0)
        return -1;
    if (key_read_name(key, &group) &&
        is_among(&group, work->options->drop_hits, work->options->n_drop_hits))
        return 0;
    for (size_t i = 0; i < n_rules; i++)
        if (!map_put(&work->rules, (struct bytes){rules[i].bytes, sizeof(rules[i].bytes)}, NULL))
            return err_nomem(err, "copy of a store");
    return store_put_group(work->to, rules, n_rules, &group, err);
}

/* ---- Trajectories -------------------------------------------------------------------------- */

/* A trajectory with its checkpoints. */
struct trajectory {
    struct store_trajectory about;
    struct store_checkpoint *checkpoints;
    size_t n_checkpoints;
};

static enum store_outcome
load(struct store_reader *reader, struct bytes id, struct arena *arena, struct trajectory *out,
     struct err *err)
{
    enum store_outcome outcome = store_get_trajectory(reader, id, arena, &out->about, err);
    if (outcome == STORE_FOUND &&
        store_get_checkpoints(reader, id, arena, &out->checkpoints, &out->n_checkpoints, err) < 0)
        return STORE_FAILED;
    return outcome;
}

/* The order of statuses by how much there is: skipped, unfinished, partial, done. */
static int
fullness(enum store_status status)
{
    static const int ORDER[] = {[STORE_STATUS_SKIPPED] = 0,
                                [STORE_STATUS_UNFINISHED] = 1,
                                [STORE_STATUS_PARTIAL] = 2,
                                [STORE_STATUS_DONE] = 3};
    return ORDER[status];
}

/* The number of checkpoints whose author date is recorded. */
static size_t
n_recorded(const struct trajectory *trajectory)
{
    size_t n = 0;
    for (size_t i = 0; i < trajectory->n_checkpoints; i++)
        n += trajectory->checkpoints[i].author_date != STORE_AUTHOR_UNRECORDED;
    return n;
}

static struct bytes
encode_all(const struct trajectory *trajectory, struct buf *out)
{
    record_put_trajectory(out, &trajectory->about);
    for (size_t i = 0; i < trajectory->n_checkpoints; i++)
        record_put_checkpoint(out, &trajectory->checkpoints[i]);
    return buf_bytes(out);
}

/* Compare A and B in the order of which one stays.  *FAILED: memory is out. */
static int
compare(const struct trajectory *a, const struct trajectory *b, bool *failed)
{
    int order = fullness(a->about.status) - fullness(b->about.status);
    if (order == 0)
        order = (a->n_checkpoints > b->n_checkpoints) - (a->n_checkpoints < b->n_checkpoints);
    if (order == 0)
        order = (n_recorded(a) > n_recorded(b)) - (n_recorded(a) < n_recorded(b));
    if (order != 0)
        return order;
    struct buf bytes_a = {0}, bytes_b = {0};
    order = bytes_compare(encode_all(a, &bytes_a), encode_all(b, &bytes_b));
    *failed = buf_failed(&bytes_a) || buf_failed(&bytes_b);
    buf_clear(&bytes_a);
    buf_clear(&bytes_b);
    return order;
}

static int
remember(struct map *map, struct bytes key, struct err *err)
{
    return map_put(map, key, NULL) ? 0 : err_nomem(err, "copy of a store");
}

static int
copy_listing(struct copying *work, const struct store_key *name, bool is_named, struct err *err)
{
    struct store_file *files;
    size_t n_files;
    struct store_key written;
    bool is_new;
    uint64_t *known =
        map_put(&work->listings, (struct bytes){name->bytes, STORE_KEY_BYTES}, &is_new);
    if (!known)
        return err_nomem(err, "copy of a store");
    if (!is_new)
        return 0;
    enum store_outcome outcome =
        store_get_listing(work->from, name, &work->arena, &files, &n_files, err);
    if (outcome == STORE_MISSING)
        return err_set(err, ERR_DAMAGED, "a checkpoint's listing is missing: mine it again");
    if (outcome == STORE_FAILED)
        return -1;
    for (size_t i = 0; is_named && work->options->drop_unreferenced && i < n_files; i++) {
        if (remember(&work->blobs, oid_bytes(&files[i].blob), err) < 0)
            return -1;
    }
    work->result.n_listings++;
    return store_put_listing(work->to, files, n_files, &written, err);
}

static int
copy_trajectory(struct copying *work, struct bytes id, struct err *err)
{
    struct trajectory new, old;
    bool failed = false;
    if (load(work->from, id, &work->arena, &new, err) != STORE_FOUND)
        return -1;
    for (size_t i = 0; i < new.n_checkpoints; i++) {
        if (copy_listing(work, &new.checkpoints[i].listing, true, err) < 0)
            return err_wrap(err, "trajectory %.*s", BYTES_ARG(id));
    }
    enum store_outcome outcome = load(work->there, id, &work->arena, &old, err);
    if (outcome == STORE_FAILED)
        return -1;
    int order = outcome == STORE_FOUND ? compare(&new, &old, &failed) : 1;
    if (failed)
        return err_nomem(err, "copy of a store");
    if (order < 0)
        work->result.n_kept++;
    if (order <= 0)
        return 0;
    if (outcome == STORE_FOUND)
        work->result.n_replaced++;
    work->result.n_trajectories++;
    return store_put_trajectory(work->to, &new.about, new.checkpoints, new.n_checkpoints, err);
}

static int
copy_trajectories(struct copying *work, struct err *err)
{
    struct arena ids_arena;
    struct bytes *ids;
    size_t n_ids;
    arena_init(&ids_arena, 0);
    int rc = store_list_trajectories(work->from, &ids_arena, &ids, &n_ids, err);
    for (size_t i = 0; rc == 0 && i < n_ids; i++) {
        arena_reset(&work->arena);
        rc = copy_trajectory(work, ids[i], err);
        if (rc == 0)
            rc = commit_when_full(work, err);
    }
    arena_clear(&ids_arena);
    return rc;
}

/* ---- Scans of what is left ----------------------------------------------------------------- */

static int
copy_other_listing(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct copying *work = context;
    struct store_key name;
    (void)stored;
    arena_reset(&work->arena);
    if (!key_read_name(key, &name))
        return reader_judge(RECORD_DAMAGED, TABLE_LISTINGS, key, err);
    if (map_get(&work->listings, key))
        return 0;
    if (work->options->drop_unreferenced) {
        work->result.n_dropped_listings++;
        return 0;
    }
    if (copy_listing(work, &name, false, err) < 0)
        return -1;
    return commit_when_full(work, err);
}

static bool
drops(const struct copying *work, const struct oid *blob, const struct store_key *suffix)
{
    const struct store_compact_options *options = work->options;
    if (options->drop_unreferenced && !map_get(&work->blobs, oid_bytes(blob)))
        return true;
    return work->table == TABLE_FACTS ? is_among(suffix, options->drop_facts, options->n_drop_facts)
                                      : is_among(suffix, options->drop_hits, options->n_drop_hits);
}

static int
copy_blob(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct copying *work = context;
    struct oid blob;
    struct store_key suffix;
    struct bytes plain;
    bool is_facts = work->table == TABLE_FACTS;
    if (!key_read_blob(key, &blob, &suffix))
        return reader_judge(RECORD_DAMAGED, work->table, key, err);
    if (drops(work, &blob, &suffix)) {
        ++*(is_facts ? &work->result.n_dropped_facts : &work->result.n_dropped_hits);
        return 0;
    }
    if (decode(work, key, stored, &plain, err) < 0)
        return -1;
    ++*(is_facts ? &work->result.n_facts : &work->result.n_hits);
    int put = is_facts
                  ? store_put_facts(work->to, &blob, &suffix, plain, frame_tail_bytes(stored), err)
                  : store_put_hits(work->to, &blob, &suffix, plain, err);
    return put < 0 ? -1 : commit_when_full(work, err);
}

static int
scan(struct copying *work, enum store_table table, reader_visit *visit, struct err *err)
{
    work->table = table;
    return reader_scan(work->from, table, (struct bytes){NULL, 0}, visit, work, err);
}

static int
copy_all(struct copying *work, struct err *err)
{
    if (scan(work, TABLE_META, copy_meta, err) < 0 ||
        scan(work, TABLE_GROUPS, copy_group, err) < 0 ||
        scan(work, TABLE_RULES, copy_rule, err) < 0 || copy_trajectories(work, err) < 0 ||
        scan(work, TABLE_LISTINGS, copy_other_listing, err) < 0 ||
        scan(work, TABLE_FACTS, copy_blob, err) < 0 || scan(work, TABLE_HITS, copy_blob, err) < 0)
        return -1;
    return store_writer_commit(work->to, err);
}

int
copy_store(struct store *source, struct store *target, const struct store_compact_options *options,
           struct store_copied *out, struct err *err)
{
    struct copying work = {.options = options};
    arena_init(&work.arena, 0);
    map_init(&work.listings);
    map_init(&work.blobs);
    map_init(&work.rules);
    int rc = store_reader_open(source, &work.from, err);
    if (rc == 0)
        rc = store_reader_open(target, &work.there, err);
    if (rc == 0)
        rc = store_writer_open(target, &work.to, err);
    if (rc == 0)
        rc = copy_all(&work, err);
    *out = work.result;
    store_writer_close(work.to);
    store_reader_close(work.there);
    store_reader_close(work.from);
    map_clear(&work.blobs);
    map_clear(&work.rules);
    map_clear(&work.listings);
    arena_clear(&work.arena);
    return rc;
}
