/*
 * repeat_store FROM TO COPIES [ID...]: a store of panel size out of a mined one.
 *
 * Every trajectory (of these IDs) is put COPIES times, as ID#1 and so on.  The blobs of copy K get
 * ids of their own (the old id with K mixed in), with the same facts and hits, so that nothing is
 * shared between copies and a score of TO does COPIES times the work of one of FROM.
 */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/analyzer.h"
#include "base/map.h"
#include "base/num.h"
#include "store/store.h"

enum { BATCH_BYTES = 64 * 1024 * 1024 };

struct repeat {
    struct store_reader *reader;
    struct store_writer *writer;
    struct arena arena;
    struct store_key facts;
    struct store_key group;
    bool has_group;
    struct map done; /* blobs of the trajectory's copy at hand */
    uint64_t n_files, n_blobs;
};

static struct oid
altered(const struct oid *blob, uint64_t copy)
{
    struct oid id = *blob;
    for (size_t i = 0; i < sizeof(copy); i++)
        id.id[i] ^= (uint8_t)(copy * 0x9e3779b97f4a7c15u >> 8 * i);
    return id;
}

static int
copy_values(struct repeat *repeat, const struct oid *from, const struct oid *to, struct err *err)
{
    struct bytes value;
    bool is_new;
    if (!map_put(&repeat->done, oid_bytes(to), &is_new))
        return err_nomem(err, "blobs");
    if (!is_new)
        return 0;
    if (store_get_facts(repeat->reader, from, &repeat->facts, &repeat->arena, &value, err) !=
            STORE_FOUND ||
        store_put_facts(repeat->writer, to, &repeat->facts, value, facts_hash_bytes(value), err) <
            0)
        return -1;
    repeat->n_blobs++;
    if (!repeat->has_group || store_get_hits(repeat->reader, from, &repeat->group, &repeat->arena,
                                             &value, err) != STORE_FOUND)
        return 0;
    return store_put_hits(repeat->writer, to, &repeat->group, value, err);
}

static int
copy_listing(struct repeat *repeat, uint64_t copy, struct store_key *key, struct err *err)
{
    struct store_file *files;
    size_t n_files;
    if (store_get_listing(repeat->reader, key, &repeat->arena, &files, &n_files, err) !=
        STORE_FOUND)
        return -1;
    for (size_t i = 0; i < n_files; i++) {
        struct oid id = altered(&files[i].blob, copy);
        if (copy_values(repeat, &files[i].blob, &id, err) < 0)
            return -1;
        files[i].blob = id;
    }
    repeat->n_files += n_files;
    return store_put_listing(repeat->writer, files, n_files, key, err);
}

static int
copy_trajectory(struct repeat *repeat, struct bytes id, uint64_t copy, struct err *err)
{
    struct arena arena;
    struct store_trajectory trajectory;
    struct store_checkpoint *checkpoints = NULL;
    size_t n = 0;
    arena_init(&arena, 0);
    map_reset(&repeat->done);
    int outcome =
        store_get_trajectory(repeat->reader, id, &arena, &trajectory, err) == STORE_FOUND &&
                store_get_checkpoints(repeat->reader, id, &arena, &checkpoints, &n, err) == 0
            ? 0
            : -1;
    for (size_t i = 0; i < n && outcome == 0; i++) {
        arena_reset(&repeat->arena);
        outcome = copy_listing(repeat, copy, &checkpoints[i].listing, err);
    }
    char *name = arena_format(&arena, "%.*s#%llu", BYTES_ARG(id), (unsigned long long)copy);
    if (outcome == 0 && !name)
        outcome = err_nomem(err, "trajectory");
    if (outcome == 0) {
        trajectory.id = bytes_of_text(name);
        outcome = store_put_trajectory(repeat->writer, &trajectory, checkpoints, n, err);
    }
    arena_clear(&arena);
    if (outcome == 0 && store_writer_pending_bytes(repeat->writer) > BATCH_BYTES)
        outcome = store_writer_commit(repeat->writer, err);
    return outcome;
}

/* The rules of the only group there is, and what its hits are kept under. */
static int
copy_rules(struct repeat *repeat, struct err *err)
{
    struct store_key *groups, *keys;
    size_t n_groups, n_keys;
    if (store_list_groups(repeat->reader, &repeat->arena, &groups, &n_groups, err) < 0)
        return -1;
    if (n_groups != 1)
        return 0;
    if (store_get_group(repeat->reader, &groups[0], &repeat->arena, &keys, &n_keys, err) !=
        STORE_FOUND)
        return -1;
    for (size_t i = 0; i < n_keys; i++) {
        struct store_rule rule;
        if (store_get_rule(repeat->reader, &keys[i], &repeat->arena, &rule, err) != STORE_FOUND ||
            store_put_rule(repeat->writer, &rule, err) < 0)
            return -1;
    }
    repeat->has_group = true;
    return store_put_group(repeat->writer, keys, n_keys, &repeat->group, err);
}

/* Keep the trajectories that are WANTED; NULL at the end, none at all takes every one. */
static size_t
keep_wanted(struct bytes *ids, size_t n_ids, char *const *wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < n_ids; i++) {
        bool is_wanted = !*wanted;
        for (char *const *name = wanted; *name; name++)
            is_wanted = is_wanted || bytes_equal(ids[i], bytes_of_text(*name));
        if (is_wanted)
            ids[n++] = ids[i];
    }
    return n;
}

static int
repeat_all(struct repeat *repeat, uint64_t n_copies, char *const *wanted, struct err *err)
{
    struct arena arena;
    struct bytes *ids;
    struct store_key *facts;
    size_t n_ids, n_facts;
    arena_init(&arena, 0);
    int outcome = store_list_trajectories(repeat->reader, &arena, &ids, &n_ids, err);
    if (outcome == 0)
        outcome = store_list_fingerprints(repeat->reader, &arena, &facts, &n_facts, err);
    if (outcome == 0 && n_facts != 1)
        outcome = err_set(err, ERR_INPUT, "%zu sets of facts; one is wanted", n_facts);
    if (outcome == 0) {
        repeat->facts = facts[0];
        outcome = copy_rules(repeat, err);
    }
    if (outcome == 0)
        n_ids = keep_wanted(ids, n_ids, wanted);
    for (uint64_t copy = 1; copy <= n_copies && outcome == 0; copy++)
        for (size_t i = 0; i < n_ids && outcome == 0; i++)
            outcome = copy_trajectory(repeat, ids[i], copy, err);
    if (outcome == 0)
        outcome = store_writer_commit(repeat->writer, err);
    printf("%zu trajectories, %llu listed files, %llu blobs\n", n_ids * (size_t)n_copies,
           (unsigned long long)repeat->n_files, (unsigned long long)repeat->n_blobs);
    arena_clear(&arena);
    return outcome;
}

int
main(int argc, char **argv)
{
    struct repeat repeat = {0};
    struct store *from = NULL, *to = NULL;
    struct err err;
    uint64_t n_copies;
    if (argc < 4 || num_parse_u64(bytes_of_text(argv[3]), 1, 10000, &n_copies) < 0) {
        fputs("usage: repeat_store FROM TO COPIES [ID...]\n", stderr);
        return 2;
    }
    struct store_options from_options = {.path = argv[1], .mode = STORE_READ};
    struct store_options to_options = {.path = argv[2], .mode = STORE_WRITE, .no_sync = true};
    arena_init(&repeat.arena, 0);
    map_init(&repeat.done);
    int outcome = store_open(&from_options, &from, &err);
    if (outcome == 0)
        outcome = store_reader_open(from, &repeat.reader, &err);
    if (outcome == 0)
        outcome = store_open(&to_options, &to, &err);
    if (outcome == 0)
        outcome = store_writer_open(to, &repeat.writer, &err);
    if (outcome == 0)
        outcome = repeat_all(&repeat, n_copies, argv + 4, &err);
    if (outcome < 0)
        fprintf(stderr, "repeat_store: %s\n", err.text);
    store_writer_close(repeat.writer);
    store_reader_close(repeat.reader);
    store_close(to);
    store_close(from);
    map_clear(&repeat.done);
    arena_clear(&repeat.arena);
    return outcome == 0 ? 0 : 1;
}
