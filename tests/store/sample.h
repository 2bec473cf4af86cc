/* A small store with everything in it, mined as a miner would, and all of it as one number. */
#ifndef STRATA_TESTS_STORE_SAMPLE_H
#define STRATA_TESTS_STORE_SAMPLE_H

#include "box.h"

enum {
    SAMPLE_TRAJECTORIES = 6,
    SAMPLE_CHECKPOINTS = 8,
    SAMPLE_FILES = 40,
    SAMPLE_BLOBS_EACH = 200 /* distinct blobs a trajectory */
};

/* The blob of file F of checkpoint C of trajectory T: a file changes every few checkpoints. */
static inline uint32_t
sample_blob(uint32_t t, uint32_t c, uint32_t f)
{
    return t * SAMPLE_BLOBS_EACH + f * 5 + c * (f % 5) / SAMPLE_CHECKPOINTS;
}

static inline const char *
sample_id(uint32_t t, char out[32])
{
    snprintf(out, 32, "owner/repository-%u", t);
    return out;
}

static inline void
sample_put_blobs(struct box *box, struct store_reader *reader, uint32_t t,
                 const struct store_key *fingerprint, const struct store_key *group)
{
    for (uint32_t n = t * SAMPLE_BLOBS_EACH; n < (t + 1) * SAMPLE_BLOBS_EACH; n++) {
        struct oid blob = box_oid(n);
        if (store_has_facts(reader, &blob, fingerprint, &box->err) != STORE_FOUND)
            assert_ok(box, store_put_facts(box->writer, &blob, fingerprint, box_facts(box, n),
                                           n % 3, &box->err));
        if (store_has_hits(reader, &blob, group, &box->err) != STORE_FOUND)
            assert_ok(box,
                      store_put_hits(box->writer, &blob, group, box_facts(box, n % 7), &box->err));
    }
}

static inline void
sample_put_listing(struct box *box, uint32_t t, uint32_t c, struct store_key *name)
{
    struct store_file files[SAMPLE_FILES];
    char paths[SAMPLE_FILES][32];
    for (uint32_t f = 0; f < SAMPLE_FILES; f++) {
        snprintf(paths[f], sizeof(paths[f]), "src/package/module_%02u.py", f);
        files[f] =
            (struct store_file){bytes_of_text(paths[f]), box_oid(sample_blob(t, c, f)), 0100644};
    }
    assert_ok(box, store_put_listing(box->writer, files, SAMPLE_FILES, name, &box->err));
}

/* Mine trajectory T: what is there and whole is left alone.  The caller commits. */
static inline void
sample_mine_one(struct box *box, uint32_t t)
{
    struct store_rule rule = {.key = box_key(5), .id = BYTES("r"), .source = BYTES("id: r\n")};
    struct store_key fingerprint = box_key(1), group;
    struct store_checkpoint checkpoints[SAMPLE_CHECKPOINTS];
    char names[SAMPLE_CHECKPOINTS][8], id[32];
    assert_ok(box, store_put_rule(box->writer, &rule, &box->err));
    assert_ok(box, store_put_group(box->writer, &rule.key, 1, &group, &box->err));
    sample_put_blobs(box, box->reader, t, &fingerprint, &group);
    for (uint32_t c = 0; c < SAMPLE_CHECKPOINTS; c++) {
        snprintf(names[c], sizeof(names[c]), "c%u", c);
        checkpoints[c] = (struct store_checkpoint){
            .ordinal = c, .name = bytes_of_text(names[c]), .has_time = true, .time_s = 86400 * c};
        sample_put_listing(box, t, c, &checkpoints[c].listing);
    }
    struct store_trajectory trajectory = {.id = bytes_of_text(sample_id(t, id)),
                                          .kind = BYTES("human"),
                                          .stars = t,
                                          .status = STORE_STATUS_DONE,
                                          .n_checkpoints = SAMPLE_CHECKPOINTS};
    assert_ok(box, store_put_trajectory(box->writer, &trajectory, checkpoints, SAMPLE_CHECKPOINTS,
                                        &box->err));
}

static inline void
sample_mine(struct box *box)
{
    for (uint32_t t = 0; t < SAMPLE_TRAJECTORIES; t++) {
        sample_mine_one(box, t);
        box_commit(box);
    }
}

static inline void
sample_add_outcome(struct buf *all, enum store_outcome outcome, struct bytes value)
{
    buf_append_byte(all, (uint8_t)outcome);
    if (outcome == STORE_FOUND)
        buf_append_bytes(all, value);
}

/* A hash over all a reader can get from the store, failures included. */
static inline uint64_t
sample_digest(struct box *box)
{
    struct store_key fingerprint = box_key(1), *groups = NULL;
    struct buf all = {0};
    size_t n_groups = 0, n;
    struct bytes value, *ids = NULL;
    store_list_groups(box->reader, &box->arena, &groups, &n_groups, &box->err);
    buf_printf(&all, "%zu groups", n_groups);
    for (uint32_t b = 0; b < SAMPLE_TRAJECTORIES * SAMPLE_BLOBS_EACH; b++) {
        struct oid blob = box_oid(b);
        enum store_outcome outcome =
            store_get_facts(box->reader, &blob, &fingerprint, &box->arena, &value, &box->err);
        sample_add_outcome(&all, outcome, value);
        if (n_groups == 0)
            continue;
        outcome = store_get_hits(box->reader, &blob, &groups[0], &box->arena, &value, &box->err);
        sample_add_outcome(&all, outcome, value);
    }
    if (store_list_trajectories(box->reader, &box->arena, &ids, &n, &box->err) < 0)
        n = 0;
    for (size_t i = 0; i < n; i++) {
        struct store_trajectory trajectory = {0};
        struct store_checkpoint *checkpoints = NULL;
        size_t n_checkpoints;
        int found = store_get_trajectory(box->reader, ids[i], &box->arena, &trajectory, &box->err);
        buf_append_bytes(&all, ids[i]);
        buf_printf(&all, "%d %lld", found, (long long)trajectory.stars);
        if (store_get_checkpoints(box->reader, ids[i], &box->arena, &checkpoints, &n_checkpoints,
                                  &box->err) < 0)
            n_checkpoints = 0;
        for (size_t c = 0; c < n_checkpoints; c++) {
            struct store_file *files = NULL;
            size_t n_files = 0;
            buf_printf(&all, "%u %lld", checkpoints[c].ordinal, (long long)checkpoints[c].time_s);
            if (store_get_listing(box->reader, &checkpoints[c].listing, &box->arena, &files,
                                  &n_files, &box->err) != STORE_FOUND)
                n_files = 0;
            for (size_t f = 0; f < n_files; f++) {
                buf_append_bytes(&all, files[f].path);
                buf_append_bytes(&all, oid_bytes(&files[f].blob));
            }
        }
    }
    assert_false(buf_failed(&all));
    uint64_t digest = map_hash(buf_bytes(&all));
    buf_clear(&all);
    arena_reset(&box->arena);
    return digest;
}

static inline void
sample_print_finding(void *context, const struct store_finding *finding)
{
    (void)context;
    print_message("%s: %s: %s\n", finding->table, finding->key, finding->problem);
}

/* How many findings there are.  LOUD prints them. */
static inline uint64_t
sample_findings(struct box *box, bool loud)
{
    struct store_verify_options options = {.report = loud ? sample_print_finding : NULL};
    struct store_verified verified;
    assert_ok(box, store_verify(box->store, &options, &verified, &box->err));
    return verified.n_findings;
}

#endif
