/*
 * Verifying a store: one scan of each table, in an order in which a value comes before those that
 * refer to it.
 *
 *   fingerprints (meta), facts, rules, groups, hits, trajectories, checkpoints, listings
 *
 * What a scan finds is remembered in maps, so that no value is looked up at random.  Trajectories
 * that were not mined to their end may lack facts; those are not missed.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/stop.h"
#include "store/dictionary.h"
#include "store/env.h"
#include "store/reader.h"

/* The value of a listing in its map: a trajectory that was mined to its end has it. */
enum { LISTING_IS_FINISHED = 1 };

/* How many checkpoints a trajectory has, and how many of them were not seen yet, as one number. */
static uint64_t
pack_counts(uint32_t n_all, uint32_t n_left)
{
    assert(n_left <= n_all);
    return (uint64_t)n_all << 32 | n_left;
}

struct verifying {
    const struct store_verify_options *options;
    struct store_reader *reader;
    enum store_table table;  /* the one that is being scanned */
    struct bytes key;        /* of the value that is being looked at */
    struct arena arena;      /* reset for each value */
    struct map fingerprints; /* noted in meta */
    struct map blobs;        /* that have facts */
    struct map rules;
    struct map groups;      /* how many rules each has */
    struct map listings;    /* that checkpoints name: 0 or LISTING_IS_FINISHED */
    struct map checkpoints; /* of each trajectory: pack_counts */
    struct map finished;    /* trajectories that were mined to their end */
    struct map foreign; /* how many values each fingerprint or group has of another schema; of the
                           table that is being scanned */
    struct err foreign_why; /* what is wrong with the last of them */
    struct buf whole;       /* scratch */
    struct store_verified result;
};

static void
find(struct verifying *work, const char *problem)
{
    char key[KEY_TEXT_SIZE];
    struct store_finding finding = {.table = table_name(work->table),
                                    .key = key_describe(work->table, work->key, key),
                                    .problem = problem};
    work->result.n_findings++;
    if (work->options->report)
        work->options->report(work->options->context, &finding);
}

/* Report WHY as a finding; -1 with ERR when it ends the verification. */
static int
find_err(struct verifying *work, const struct err *why, struct err *err)
{
    if (why->code == ERR_NOMEM || why->code == ERR_STOPPED || why->code == ERR_IO)
        return err_set(err, why->code, "%s", why->text);
    find(work, why->text);
    return 0;
}

/*
 * The caller's check refused a value of SUFFIX, a fingerprint or a group.  A value of another
 * schema is whole, so it is counted and reported once for all of SUFFIX.
 */
static int
find_refused(struct verifying *work, const struct store_key *suffix, const struct err *why,
             struct err *err)
{
    if (why->code != ERR_UNSUPPORTED)
        return find_err(work, why, err);
    uint64_t *n = map_put(&work->foreign, (struct bytes){suffix->bytes, STORE_KEY_BYTES}, NULL);
    if (!n)
        return err_nomem(err, "verification");
    ++*n;
    work->foreign_why = *why;
    return 0;
}

/* Report the values of another schema in the table that was scanned. */
static void
find_foreign(struct verifying *work)
{
    for (size_t i = 0; i < work->foreign.n_entries; i++) {
        char problem[sizeof(work->foreign_why.text) + 64];
        snprintf(problem, sizeof(problem), "%llu values were written by another schema: %s",
                 (unsigned long long)work->foreign.entries[i].value, work->foreign_why.text);
        work->key = work->foreign.entries[i].key;
        find(work, problem);
    }
    map_clear(&work->foreign);
}

static int
remember(struct map *map, struct bytes key, uint64_t bits, struct err *err)
{
    uint64_t *value = map_put(map, key, NULL);
    if (!value)
        return err_nomem(err, "verification");
    *value |= bits;
    return 0;
}

/* ---- One value of each table --------------------------------------------------------------- */

static int
see_meta(struct verifying *work, struct bytes plain, struct err *err)
{
    struct bytes prefix = BYTES(META_FINGERPRINT);
    struct err why;
    if (bytes_starts_with(work->key, BYTES(META_DICTIONARY)) &&
        frame_check_dictionary(plain, &why) < 0)
        find(work, why.text);
    if (bytes_equal(work->key, BYTES(META_NEWEST_GROUP)) && plain.len != META_NEWEST_GROUP_BYTES)
        find(work, "it is malformed");
    if (!bytes_starts_with(work->key, prefix))
        return 0;
    if (work->key.len != prefix.len + STORE_KEY_BYTES) {
        find(work, "its key is malformed");
        return 0;
    }
    return remember(&work->fingerprints, bytes_slice(work->key, prefix.len, work->key.len), 0, err);
}

static int
see_facts(struct verifying *work, struct bytes plain, struct err *err)
{
    struct oid blob;
    struct store_key fingerprint;
    struct err why;
    if (!key_read_blob(work->key, &blob, &fingerprint)) {
        find(work, "its key is malformed");
        return 0;
    }
    struct bytes name = {fingerprint.bytes, STORE_KEY_BYTES};
    if (!map_get(&work->fingerprints, name))
        find(work, "its fingerprint is not in the table meta");
    if (work->options->check_facts &&
        work->options->check_facts(work->options->context, plain, &why) < 0 &&
        find_refused(work, &fingerprint, &why, err) < 0)
        return -1;
    return remember(&work->blobs, oid_bytes(&blob), 0, err);
}

static int
see_hits(struct verifying *work, struct bytes plain, struct err *err)
{
    struct oid blob;
    struct store_key group;
    struct err why;
    if (!key_read_blob(work->key, &blob, &group)) {
        find(work, "its key is malformed");
        return 0;
    }
    const uint64_t *n_rules = map_get(&work->groups, (struct bytes){group.bytes, STORE_KEY_BYTES});
    if (!n_rules)
        find(work, "its group of rules is missing");
    else if (work->options->check_hits &&
             work->options->check_hits(work->options->context, (uint32_t)*n_rules, plain, &why) < 0)
        return find_refused(work, &group, &why, err);
    return 0;
}

static int
see_rule(struct verifying *work, struct bytes plain, struct err *err)
{
    struct store_rule rule;
    if (record_get_rule(plain, &rule) != RECORD_OK) {
        find(work, "it is malformed");
        return 0;
    }
    return remember(&work->rules, work->key, 0, err);
}

static bool
is_named_by_content(const struct verifying *work, struct bytes content)
{
    struct store_key name = name_of_content(content);
    return bytes_equal(work->key, (struct bytes){name.bytes, STORE_KEY_BYTES});
}

static int
see_group(struct verifying *work, struct bytes plain, struct err *err)
{
    if (plain.len % STORE_KEY_BYTES != 0 || !is_named_by_content(work, plain)) {
        find(work, "its content does not match its name");
        return 0;
    }
    for (size_t at = 0; at < plain.len; at += STORE_KEY_BYTES) {
        if (!map_get(&work->rules, bytes_slice(plain, at, at + STORE_KEY_BYTES)))
            find(work, "one of its rules is missing");
    }
    return remember(&work->groups, work->key, plain.len / STORE_KEY_BYTES, err);
}

static int
see_trajectory(struct verifying *work, struct bytes plain, struct err *err)
{
    struct store_trajectory trajectory;
    enum record_outcome outcome = record_get_trajectory(plain, &work->arena, &trajectory);
    if (outcome == RECORD_NOMEM)
        return err_nomem(err, "verification");
    if (outcome != RECORD_OK) {
        find(work, "it is malformed");
        return 0;
    }
    uint64_t counts = pack_counts(trajectory.n_checkpoints, trajectory.n_checkpoints);
    if (remember(&work->checkpoints, work->key, counts, err) < 0)
        return -1;
    bool is_finished = trajectory.status != STORE_STATUS_UNFINISHED;
    return is_finished ? remember(&work->finished, work->key, 0, err) : 0;
}

static int
see_checkpoint(struct verifying *work, struct bytes plain, struct err *err)
{
    struct store_checkpoint checkpoint;
    struct bytes id;
    uint32_t ordinal;
    enum record_outcome outcome = record_get_checkpoint(plain, &work->arena, &checkpoint);
    if (outcome == RECORD_NOMEM)
        return err_nomem(err, "verification");
    if (outcome != RECORD_OK || !key_read_checkpoint(work->key, &id, &ordinal)) {
        find(work, "it is malformed");
        return 0;
    }
    uint64_t *counts = map_get(&work->checkpoints, id);
    if (!counts)
        find(work, "its trajectory is missing");
    else if (ordinal >= *counts >> 32)
        find(work, "its trajectory has fewer checkpoints");
    else
        (*counts)--;
    bool is_finished = map_get(&work->finished, id) != NULL;
    struct bytes listing = {checkpoint.listing.bytes, STORE_KEY_BYTES};
    if (remember(&work->listings, listing, is_finished ? LISTING_IS_FINISHED : 0, err) < 0)
        return -1;
    struct key key;
    struct bytes stored;
    key_of_name(&checkpoint.listing, &key);
    enum store_outcome found =
        reader_find(work->reader, TABLE_LISTINGS, key_bytes(&key), &stored, err);
    if (found == STORE_MISSING)
        find(work, "its listing is missing");
    return found == STORE_FAILED ? -1 : 0;
}

static int
see_listing(struct verifying *work, struct bytes plain, struct err *err)
{
    (void)plain;
    struct store_file *files;
    size_t n_files;
    struct store_key name;
    struct err why;
    if (!key_read_name(work->key, &name)) {
        find(work, "its key is malformed");
        return 0;
    }
    if (store_get_listing(work->reader, &name, &work->arena, &files, &n_files, &why) ==
        STORE_FAILED)
        return find_err(work, &why, err);
    buf_reset(&work->whole);
    listing_put_whole(&work->whole, files, n_files);
    if (buf_failed(&work->whole))
        return err_nomem(err, "verification");
    if (!is_named_by_content(work, buf_bytes(&work->whole)))
        find(work, "its content does not match its name");
    const uint64_t *known = map_get(&work->listings, work->key);
    if (!known || !(*known & LISTING_IS_FINISHED))
        return 0;
    for (size_t i = 0; i < n_files; i++) {
        char problem[OID_HEX_SIZE + 40], hex[OID_HEX_SIZE];
        if (map_get(&work->blobs, oid_bytes(&files[i].blob)))
            continue;
        snprintf(problem, sizeof(problem), "blob %s in it has no facts",
                 oid_to_hex(&files[i].blob, hex));
        find(work, problem);
    }
    return 0;
}

/* ---- Scans --------------------------------------------------------------------------------- */

typedef int see_value(struct verifying *work, struct bytes plain, struct err *err);

static see_value *const SEE[TABLE_N] = {
    [TABLE_META] = see_meta,
    [TABLE_FACTS] = see_facts,
    [TABLE_HITS] = see_hits,
    [TABLE_RULES] = see_rule,
    [TABLE_GROUPS] = see_group,
    [TABLE_LISTINGS] = see_listing,
    [TABLE_TRAJECTORIES] = see_trajectory,
    [TABLE_CHECKPOINTS] = see_checkpoint,
};

static int
verify_value(void *context, struct bytes key, struct bytes stored, struct err *err)
{
    struct verifying *work = context;
    struct bytes plain;
    struct err why;
    if (stop_requested())
        return err_set(err, ERR_STOPPED, "verification stopped");
    work->key = key;
    work->result.n_values++;
    arena_reset(&work->arena);
    if (frame_decode(&work->reader->decoder, work->table, key, stored, &work->arena, &plain, &why) <
        0)
        return find_err(work, &why, err);
    return SEE[work->table](work, plain, err);
}

/* After the scan of checkpoints: report trajectories that lack some. */
static void
find_missing_checkpoints(struct verifying *work)
{
    work->table = TABLE_TRAJECTORIES;
    for (size_t i = 0; i < work->checkpoints.n_entries; i++) {
        char problem[64];
        uint32_t n_missing = (uint32_t)work->checkpoints.entries[i].value;
        if (n_missing == 0)
            continue;
        snprintf(problem, sizeof(problem), "%u of its checkpoints are missing", n_missing);
        work->key = work->checkpoints.entries[i].key;
        find(work, problem);
    }
}

static int
verify_tables(struct verifying *work, struct err *err)
{
    static const enum store_table ORDER[TABLE_N] = {
        TABLE_META, TABLE_FACTS,        TABLE_RULES,       TABLE_GROUPS,
        TABLE_HITS, TABLE_TRAJECTORIES, TABLE_CHECKPOINTS, TABLE_LISTINGS};
    for (size_t i = 0; i < TABLE_N; i++) {
        work->table = ORDER[i];
        if (reader_scan(work->reader, ORDER[i], (struct bytes){NULL, 0}, verify_value, work, err) <
            0)
            return -1;
        find_foreign(work);
    }
    find_missing_checkpoints(work);
    return 0;
}

int
store_verify(struct store *store, const struct store_verify_options *options,
             struct store_verified *out, struct err *err)
{
    struct verifying work = {.options = options};
    struct map *maps[] = {&work.fingerprints, &work.blobs,       &work.rules,    &work.groups,
                          &work.listings,     &work.checkpoints, &work.finished, &work.foreign};
    if (store_reader_open(store, &work.reader, err) < 0)
        return -1;
    arena_init(&work.arena, 0);
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
        map_init(maps[i]);
    int rc = verify_tables(&work, err);
    *out = work.result;
    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
        map_clear(maps[i]);
    buf_clear(&work.whole);
    arena_clear(&work.arena);
    store_reader_close(work.reader);
    return rc;
}
