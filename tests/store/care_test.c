/* Compacting, merging, counting. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "sample.h"

static void
use_store(struct box *box, const char *name)
{
    box_close(box);
    snprintf(box->path, sizeof(box->path), "%s/%s", box->root, name);
}

static struct store *
open_other(struct box *box, const char *name)
{
    char path[96];
    struct store *store;
    snprintf(path, sizeof(path), "%s/%s", box->root, name);
    struct store_options options = {.path = path, .mode = STORE_READ};
    assert_ok(box, store_open(&options, &store, &box->err));
    return store;
}

static off_t
data_bytes(const struct box *box)
{
    char path[128];
    struct stat st;
    snprintf(path, sizeof(path), "%s/data.mdb", box->path);
    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

static void
compact(struct box *box, const struct store_compact_options *options, struct store_copied *copied)
{
    box_close(box);
    struct store_options where = {.path = box->path, .mode = STORE_WRITE};
    assert_ok(box, store_open(&where, &box->store, &box->err));
    assert_ok(box, store_compact(box->store, options, copied, &box->err));
    box_close(box);
}

static void
test_store_compact__same_values_in_less_room(void **state)
{
    struct box *box = *state;
    const struct store_compact_options nothing = {0};
    struct store_copied copied;
    box_open(box, STORE_WRITE);
    sample_mine(box);
    sample_mine(box);
    uint64_t digest = sample_digest(box);
    off_t before = data_bytes(box);
    compact(box, &nothing, &copied);
    assert_int_equal(copied.n_trajectories, SAMPLE_TRAJECTORIES);
    assert_int_equal(copied.n_facts, SAMPLE_TRAJECTORIES * SAMPLE_BLOBS_EACH);
    assert_int_equal(copied.n_dropped_facts + copied.n_dropped_listings, 0);
    assert_true(data_bytes(box) < before);
    box_open(box, STORE_WRITE);
    assert_true(sample_digest(box) == digest);
    assert_int_equal(sample_findings(box, true), 0);
    sample_mine(box); /* and it can be written to as before */
    assert_true(sample_digest(box) == digest);
}

static void
test_store_compact__drops_what_is_named(void **state)
{
    struct box *box = *state;
    struct store_key stale = box_key(9), fingerprint = box_key(1), *found;
    struct store_compact_options options = {
        .drop_facts = &stale, .n_drop_facts = 1, .drop_unreferenced = true};
    struct store_copied copied;
    size_t n_found;
    box_open(box, STORE_WRITE);
    sample_mine(box);
    for (uint32_t n = 0; n < 10; n++) {
        struct oid old = box_oid(n), nowhere = box_oid(100000 + n);
        assert_ok(box, store_put_facts(box->writer, &old, &stale, BYTES("old"), 0, &box->err));
        assert_ok(box,
                  store_put_facts(box->writer, &nowhere, &fingerprint, BYTES("x"), 0, &box->err));
    }
    box_commit(box);
    compact(box, &options, &copied);
    uint64_t n_listed = copied.n_facts;
    assert_true(n_listed < SAMPLE_TRAJECTORIES * SAMPLE_BLOBS_EACH); /* some were in no listing */
    assert_int_equal(copied.n_dropped_facts + n_listed,
                     20 + SAMPLE_TRAJECTORIES * SAMPLE_BLOBS_EACH);
    box_open(box, STORE_WRITE);
    assert_int_equal(sample_findings(box, true), 0);
    assert_ok(box, store_list_fingerprints(box->reader, &box->arena, &found, &n_found, &box->err));
    assert_int_equal(n_found, 1);
    assert_memory_equal(&found[0], &fingerprint, sizeof(fingerprint));
}

static void
test_store_compact__drops_a_group_with_the_rules_of_no_other(void **state)
{
    struct box *box = *state;
    const struct store_rule rules[] = {
        {.key = box_key(1)}, {.key = box_key(2)}, {.key = box_key(3)}};
    struct store_key old, new, *found;
    struct store_compact_options options = {.drop_hits = &old, .n_drop_hits = 1};
    struct store_copied copied;
    struct store_rule rule;
    struct oid blob = box_oid(1);
    size_t n_found;
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_rules(box->writer, rules, 2, &old, &box->err));
    assert_ok(box, store_put_rules(box->writer, rules + 1, 2, &new, &box->err));
    assert_ok(box, store_put_hits(box->writer, &blob, &old, BYTES("x"), &box->err));
    assert_ok(box, store_put_hits(box->writer, &blob, &new, BYTES("y"), &box->err));
    box_commit(box);
    compact(box, &options, &copied);
    assert_int_equal(copied.n_dropped_hits, 1);
    assert_int_equal(copied.n_dropped_rules, 1);
    box_open(box, STORE_READ);
    assert_ok(box, store_list_groups(box->reader, &box->arena, &found, &n_found, &box->err));
    assert_int_equal(n_found, 1);
    assert_memory_equal(&found[0], &new, sizeof(new));
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(store_get_rule(box->reader, &rules[i].key, &box->arena, &rule, &box->err),
                         i == 0 ? STORE_MISSING : STORE_FOUND);
    assert_ok(box, store_get_newest_group(box->reader, &box->arena, &old, &box->err));
    assert_memory_equal(&old, &new, sizeof(new));
}

static void
test_store_info__counts_what_no_checkpoint_leads_to(void **state)
{
    struct box *box = *state;
    struct store_key fingerprint = box_key(1);
    struct store_info before, after;
    struct oid nowhere = box_oid(100000);
    box_open(box, STORE_WRITE);
    sample_mine(box);
    box_commit(box);
    assert_ok(box, store_get_info(box->store, &box->arena, &before, &box->err));
    assert_int_equal(before.loose_listings.n_values, 0);
    assert_ok(box, store_put_facts(box->writer, &nowhere, &fingerprint, BYTES("x"), 0, &box->err));
    box_commit(box);
    assert_ok(box, store_get_info(box->store, &box->arena, &after, &box->err));
    assert_int_equal(after.loose_facts.n_values, before.loose_facts.n_values + 1);
    assert_int_equal(after.loose_hits.n_values, before.loose_hits.n_values);
}

static void
test_store_compact__waits_for_nobody_and_harms_nobody(void **state)
{
    struct box *box = *state;
    const struct store_compact_options nothing = {0};
    struct store_copied copied;
    box_open(box, STORE_WRITE);
    sample_mine_one(box, 0);
    box_commit(box);
    box_close(box);
    struct store_options where = {.path = box->path, .mode = STORE_WRITE};
    assert_ok(box, store_open(&where, &box->store, &box->err));
    int folder = open(box->path, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(folder, LOCK_SH), 0); /* as a reading process has it */
    assert_int_equal(store_compact(box->store, &nothing, &copied, &box->err), -1);
    assert_int_equal(box->err.code, ERR_BUSY);
    close(folder);
    store_close(box->store);
    box->store = NULL;
    box_open(box, STORE_READ);
    assert_int_equal(sample_findings(box, true), 0);
}

/* Mine trajectories FIRST to LAST into the store NAME. */
static void
mine_into(struct box *box, const char *name, uint32_t first, uint32_t last)
{
    use_store(box, name);
    box_open(box, STORE_WRITE);
    for (uint32_t t = first; t <= last; t++)
        sample_mine_one(box, t);
    box_commit(box);
    box_close(box);
}

/* Merge the stores that the letters of FROM name into a new one and give its digest. */
static uint64_t
merged(struct box *box, const char *into, const char *from)
{
    use_store(box, into);
    struct store_options where = {.path = box->path, .mode = STORE_WRITE, .no_sync = true};
    assert_ok(box, store_open(&where, &box->store, &box->err));
    for (; *from; from++) {
        char name[2] = {*from, 0};
        struct store *source = open_other(box, name);
        struct store_copied copied;
        assert_ok(box, store_merge(box->store, source, &copied, &box->err));
        store_close(source);
    }
    box_close(box);
    box_open(box, STORE_READ);
    assert_int_equal(sample_findings(box, true), 0);
    uint64_t digest = sample_digest(box);
    box_close(box);
    return digest;
}

static void
test_store_merge__any_order_gives_what_one_mine_gives(void **state)
{
    struct box *box = *state;
    mine_into(box, "a", 0, 2);
    mine_into(box, "b", 2, 4); /* has one trajectory of a */
    mine_into(box, "c", 5, 5);
    use_store(box, "all");
    box_open(box, STORE_WRITE);
    sample_mine(box);
    uint64_t digest = sample_digest(box);
    assert_true(merged(box, "m1", "abc") == digest);
    assert_true(merged(box, "m2", "cba") == digest);
    assert_true(merged(box, "x", "bc") != digest);
    assert_true(merged(box, "m3", "ax") == digest);
}

/* Put trajectory "t" with N checkpoints into the store NAME. */
static void
put_trajectory(struct box *box, const char *name, enum store_status status, uint32_t n, int stars)
{
    use_store(box, name);
    box_open(box, STORE_WRITE);
    struct store_checkpoint checkpoints[4];
    for (uint32_t c = 0; c < n; c++) {
        checkpoints[c] = (struct store_checkpoint){.ordinal = c, .time_s = stars};
        if (stars == 0) /* of the trajectory that both dates are recorded of */
            checkpoints[c].author_date = STORE_AUTHOR_NO_DATE;
        sample_put_listing(box, 0, c, &checkpoints[c].listing);
    }
    struct store_trajectory trajectory = {
        .id = BYTES("t"), .stars = stars, .status = status, .n_checkpoints = n};
    assert_ok(box, store_put_trajectory(box->writer, &trajectory, checkpoints, n, &box->err));
    box_commit(box);
    box_close(box);
}

static int64_t
merged_stars(struct box *box, const char *into, const char *from)
{
    struct store_trajectory trajectory;
    use_store(box, into);
    struct store_options where = {.path = box->path, .mode = STORE_WRITE};
    assert_ok(box, store_open(&where, &box->store, &box->err));
    for (; *from; from++) {
        char name[2] = {*from, 0};
        struct store *source = open_other(box, name);
        struct store_copied copied;
        assert_ok(box, store_merge(box->store, source, &copied, &box->err));
        store_close(source);
    }
    assert_ok(box, store_reader_open(box->store, &box->reader, &box->err));
    assert_ok(box,
              store_get_trajectory(box->reader, BYTES("t"), &box->arena, &trajectory, &box->err));
    return trajectory.stars;
}

static void
test_store_merge__the_fuller_trajectory_stays(void **state)
{
    struct box *box = *state;
    put_trajectory(box, "a", STORE_STATUS_UNFINISHED, 4, 1);
    put_trajectory(box, "b", STORE_STATUS_DONE, 2, 2);
    put_trajectory(box, "c", STORE_STATUS_DONE, 3, 3);
    put_trajectory(box, "d", STORE_STATUS_DONE, 3, 4);
    static const char *const ORDERS[] = {"abcd", "dcba", "cdab", "badc", "dabc"};
    for (size_t i = 0; i < sizeof(ORDERS) / sizeof(ORDERS[0]); i++) {
        char into[8];
        snprintf(into, sizeof(into), "m%zu", i);
        assert_int_equal(merged_stars(box, into, ORDERS[i]), 4);
    }
    assert_int_equal(merged_stars(box, "x", "ab"), 2);
    put_trajectory(box, "e", STORE_STATUS_DONE, 3, 0);
    assert_int_equal(merged_stars(box, "y", "cde"), 0);
    assert_int_equal(merged_stars(box, "z", "edc"), 0);
}

static void
test_store_merge__refuses_itself(void **state)
{
    struct box *box = *state;
    struct store_copied copied;
    box_open(box, STORE_WRITE);
    store_writer_close(box->writer);
    box->writer = NULL;
    assert_int_equal(store_merge(box->store, box->store, &copied, &box->err), -1);
    assert_int_equal(box->err.code, ERR_INPUT);
}

static void
test_store_get_info__counts_what_is_there(void **state)
{
    struct box *box = *state;
    struct store_info info;
    box_open(box, STORE_WRITE);
    sample_mine(box);
    assert_ok(box, store_get_info(box->store, &box->arena, &info, &box->err));
    assert_int_equal(info.n_trajectories[STORE_STATUS_DONE], SAMPLE_TRAJECTORIES);
    assert_int_equal(info.n_checkpoints, SAMPLE_TRAJECTORIES * SAMPLE_CHECKPOINTS);
    assert_int_equal(info.n_listed_files, SAMPLE_TRAJECTORIES * SAMPLE_CHECKPOINTS * SAMPLE_FILES);
    assert_true(info.n_listed_blobs <= SAMPLE_TRAJECTORIES * SAMPLE_BLOBS_EACH);
    assert_int_equal(info.n_facts, 1);
    assert_int_equal(info.facts[0].n_values, SAMPLE_TRAJECTORIES * SAMPLE_BLOBS_EACH);
    assert_int_equal(info.n_hits, 1);
    assert_int_equal(info.n_params, 1);
    assert_int_equal(info.params[0].n_trajectories, SAMPLE_TRAJECTORIES);
    uint64_t page_bytes = info.free_bytes + 3 * 4096; /* both meta pages, the list of tables */
    for (size_t i = 0; i < STORE_N_TABLES; i++) {
        page_bytes += info.tables[i].page_bytes;
        assert_true(info.tables[i].stored_bytes <= info.tables[i].page_bytes);
    }
    assert_int_equal(page_bytes, info.file_bytes);
    assert_true(info.tables[1].plain_bytes > 2 * info.tables[1].stored_bytes);
    assert_true(info.facts[0].n_listed <= info.facts[0].n_values);
    assert_int_equal(info.facts[0].n_listed, info.n_listed_blobs);
}

/* The sums are those of the tables, and a dictionary of values that are much alike is worth it. */
static void
test_store_measure__tells_what_the_dictionary_saves(void **state)
{
    struct box *box = *state;
    struct store_measured measured[STORE_N_MEASURED];
    struct store_info info;
    box_open(box, STORE_WRITE);
    sample_mine(box);
    box_close(box);
    struct store_copied copied;
    compact(box, &(struct store_compact_options){0}, &copied);
    box_open(box, STORE_READ);
    assert_ok(box, store_get_info(box->store, &box->arena, &info, &box->err));
    assert_ok(box, store_measure(box->store, measured, &box->err));
    for (size_t i = 0; i < STORE_N_MEASURED; i++) {
        const struct store_table_info *table = &info.tables[i + 1];
        assert_string_equal(measured[i].table, table->name);
        assert_int_equal(measured[i].n_values, table->n_values);
        assert_int_equal(measured[i].plain_bytes, table->plain_bytes);
        assert_int_equal(measured[i].stored_bytes, table->stored_bytes);
    }
    assert_true(measured[0].n_with_dictionary > 0);
    assert_true(measured[0].stored_bytes < measured[0].without_bytes);
    assert_true(measured[0].without_bytes < measured[0].plain_bytes);
}

/* Their checks fit, so only their forms tell. */
static void
test_store_verify__notes_of_another_form_are_findings(void **state)
{
    struct box *box = *state;
    const char *const names[] = {"fingerprint/short", "newest_group"};
    box_open(box, STORE_WRITE);
    sample_mine(box);
    assert_int_equal(sample_findings(box, true), 0);
    for (size_t i = 0; i < 2; i++) {
        box_close(box);
        box_open(box, STORE_WRITE);
        assert_ok(box, store_put_meta(box->writer, names[i], BYTES("x"), &box->err));
        box_commit(box);
        assert_int_equal(sample_findings(box, false), i + 1);
    }
}

struct named {
    unsigned n_checked, n_findings;
    char key[128], problem[256];
};

/* The facts of every third blob are of another schema. */
static int
check_schema(void *context, struct bytes encoded, struct err *err)
{
    struct named *named = context;
    (void)encoded;
    return ++named->n_checked % 3 ? 0 : err_set(err, ERR_UNSUPPORTED, "facts of version 9");
}

static void
keep_finding(void *context, const struct store_finding *finding)
{
    struct named *named = context;
    named->n_findings++;
    snprintf(named->key, sizeof(named->key), "%s: %s", finding->table, finding->key);
    snprintf(named->problem, sizeof(named->problem), "%s", finding->problem);
}

static void
test_store_verify__facts_of_another_schema_are_named_once(void **state)
{
    struct box *box = *state;
    struct named named = {0};
    struct store_verified verified;
    struct store_verify_options options = {
        .check_facts = check_schema, .report = keep_finding, .context = &named};
    box_open(box, STORE_WRITE);
    sample_mine(box);
    assert_ok(box, store_verify(box->store, &options, &verified, &box->err));
    assert_int_equal(verified.n_findings, 1);
    assert_string_equal(named.key, "facts: fingerprint 01010101010101010101010101010101");
    assert_string_equal(named.problem,
                        "400 values were written by another schema: facts of version 9");
}

struct findings {
    struct buf text;
};

static void
append_finding(void *context, const struct store_finding *finding)
{
    struct findings *findings = context;
    buf_printf(&findings->text, "%s: %s: %s\n", finding->table, finding->key, finding->problem);
}

static int
refuse_hits(void *context, uint32_t n_rules, struct bytes encoded, struct err *err)
{
    (void)context;
    return encoded.len % 2 == n_rules ? 0 : err_set(err, ERR_DAMAGED, "hits that do not decode");
}

/* Names that lead nowhere: everything is whole, but something that a value names is not there. */
static void
test_store_verify__names_that_lead_nowhere_are_findings(void **state)
{
    struct box *box = *state;
    struct findings findings = {0};
    struct store_verified verified;
    struct store_verify_options options = {
        .check_hits = refuse_hits, .report = append_finding, .context = &findings};
    struct store_key missing_rule = box_key(8), group, listing, no_group = box_key(9);
    struct oid blob = box_oid(1);
    struct store_file file = {BYTES("a.py"), blob, 0100644};
    struct store_trajectory trajectory = {
        .id = BYTES("t"), .kind = BYTES("human"), .status = STORE_STATUS_DONE, .n_checkpoints = 3};
    box_open(box, STORE_WRITE);
    assert_ok(box, store_put_group(box->writer, &missing_rule, 1, &group, &box->err));
    assert_ok(box, store_put_hits(box->writer, &blob, &no_group, BYTES("abc"), &box->err));
    assert_ok(box, store_put_hits(box->writer, &blob, &group, BYTES("abcd"), &box->err));
    assert_ok(box, store_put_listing(box->writer, &file, 1, &listing, &box->err));
    struct store_checkpoint checkpoints[2] = {
        {.ordinal = 0, .name = BYTES("c0"), .listing = listing},
        {.ordinal = 1, .name = BYTES("c1"), .listing = box_key(7)}};
    assert_ok(box, store_put_trajectory(box->writer, &trajectory, checkpoints, 2, &box->err));
    box_commit(box);
    assert_ok(box, store_verify(box->store, &options, &verified, &box->err));
    buf_append_byte(&findings.text, 0);
    static const char *const expected[] = {"one of its rules is missing\n",
                                           "its group of rules is missing\n",
                                           "hits that do not decode\n",
                                           "\"t\", ordinal 1: its listing is missing\n",
                                           "has no facts\n",
                                           "\"t\": 1 of its checkpoints are missing\n"};
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
        if (!strstr((char *)findings.text.data, expected[i]))
            fail_msg("no \"%s\" in:\n%s", expected[i], (char *)findings.text.data);
    assert_int_equal(verified.n_findings, sizeof(expected) / sizeof(*expected));
    buf_clear(&findings.text);
}

/* Its pages are not looked at in a map, wherever LMDB has one; the list of free pages is so long
 * that it stands in pages of its own. */
static void
test_store_open__a_file_too_large_to_stay_in_memory(void **state)
{
    enum { N_WORDS = 1 << 19, FILE_BYTES = 1 << 30 };
    struct box *box = *state;
    struct store_info info;
    char path[128];
    uint64_t *words = ARENA_ARRAY(&box->arena, N_WORDS, uint64_t);
    for (uint64_t i = 0; i < N_WORDS; i++)
        words[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    box_open(box, STORE_WRITE);
    struct bytes large = {(const uint8_t *)words, N_WORDS * sizeof(*words)};
    assert_ok(box, store_put_meta(box->writer, "large", large, &box->err));
    box_commit(box);
    assert_ok(box, store_put_meta(box->writer, "large", BYTES("small"), &box->err));
    sample_mine(box);
    uint64_t digest = sample_digest(box);
    box_close(box);
    snprintf(path, sizeof(path), "%s/data.mdb", box->path);
    assert_int_equal(truncate(path, FILE_BYTES), 0);

    box_open(box, STORE_READ);
    assert_ok(box, store_get_info(box->store, &box->arena, &info, &box->err));
    assert_true(info.free_bytes > 2 * 1024 * 1024);
    assert_int_equal(sample_findings(box, true), 0);
    assert_true(sample_digest(box) == digest);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        box_test(test_store_compact__same_values_in_less_room),
        box_test(test_store_compact__drops_what_is_named),
        box_test(test_store_compact__drops_a_group_with_the_rules_of_no_other),
        box_test(test_store_info__counts_what_no_checkpoint_leads_to),
        box_test(test_store_compact__waits_for_nobody_and_harms_nobody),
        box_test(test_store_merge__any_order_gives_what_one_mine_gives),
        box_test(test_store_merge__the_fuller_trajectory_stays),
        box_test(test_store_merge__refuses_itself),
        box_test(test_store_get_info__counts_what_is_there),
        box_test(test_store_measure__tells_what_the_dictionary_saves),
        box_test(test_store_verify__notes_of_another_form_are_findings),
        box_test(test_store_verify__facts_of_another_schema_are_named_once),
        box_test(test_store_verify__names_that_lead_nowhere_are_findings),
        box_test(test_store_open__a_file_too_large_to_stay_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
