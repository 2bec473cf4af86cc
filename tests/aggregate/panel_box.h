/*
 * Panel box: a throw-away store filled with made-up trajectories, the same in every run.
 */
#ifndef STRATA_TESTS_AGGREGATE_PANEL_BOX_H
#define STRATA_TESTS_AGGREGATE_PANEL_BOX_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "cmocka_all.h"
#include "store/store.h"

enum { BOX_BLOBS = 60, BOX_FILES = 12, BOX_HITS = 4 };

struct panel_box {
    char path[64];
    struct arena arena;
    struct store *store;
    struct store_writer *writer;
    struct store_key facts_key;
    struct profile profile;
    struct facts blobs[BOX_BLOBS]; /* blob i has an id made of i */
    bool has_rules;
    struct hit hits[BOX_BLOBS][BOX_HITS]; /* of blob i, with rules */
    struct err err;
};

static inline void
box_ok(struct panel_box *box, int outcome)
{
    if (outcome < 0)
        fail_msg("%s", box->err.text);
}

static inline struct oid
box_blob_id(size_t blob)
{
    uint8_t raw[OID_SHA1_BYTES] = {0};
    raw[0] = (uint8_t)(blob * 37);
    raw[1] = (uint8_t)blob;
    return oid_from_raw(raw, sizeof(raw));
}

/* Facts with callables and clone candidates that other blobs share, by arithmetic on SEED. */
static inline struct facts
box_make_facts(struct arena *arena, uint32_t seed)
{
    uint32_t n_lines = 20 + seed * 7 % 50, n_callables = 1 + seed % 4, n_clones = seed % 5;
    struct line_run *runs = ARENA_ARRAY(arena, 2, struct line_run);
    struct callable *callables = ARENA_ARRAY(arena, n_callables, struct callable);
    struct clone_candidate *clones = ARENA_ARRAY(arena, n_clones, struct clone_candidate);
    runs[0] = (struct line_run){1, n_lines / 2};
    runs[1] = (struct line_run){n_lines / 2 + 2, n_lines / 3};
    struct line_set sloc = {runs, 2, n_lines / 2 + n_lines / 3};
    for (uint32_t i = 0; i < n_callables; i++) {
        callables[i] = (struct callable){.name = bytes_of_text(arena_format(arena, "f%u", i)),
                                         .start_line = 1 + i * 4,
                                         .end_line = 4 + i * 4,
                                         .sloc = {1 + (seed + i) % 9, 1 + (seed + i) % 9},
                                         .cognitive = (seed * 3 + i) % 25,
                                         .flags = CALLABLE_REACHABLE};
        callables[i].all[COUNT_IF] = (seed * 5 + i * 7) % 23;
        callables[i].own[COUNT_IF] = callables[i].all[COUNT_IF];
    }
    for (uint32_t i = 0; i < n_clones; i++)
        clones[i] = (struct clone_candidate){.hash = {(seed + i * i) % 17, 1},
                                             .start_line = 2 + i * 5,
                                             .end_line = 6 + i * 5,
                                             .sloc = {3 + i, 3 + i},
                                             .definition = CLONE_SUBTREE,
                                             .kind = CLONE_KIND_FOR};
    return (struct facts){.n_bytes = seed,
                          .encoding = "utf-8",
                          .physical_lines = n_lines,
                          .sloc = {sloc, sloc},
                          .has_error = seed % 11 == 3,
                          .n_errors = seed % 11 == 3,
                          .callables = callables,
                          .n_callables = n_callables,
                          .clones = clones,
                          .n_clones = n_clones};
}

static inline void
box_open(struct panel_box *box)
{
    *box = (struct panel_box){0};
    arena_init(&box->arena, 0);
    strcpy(box->path, "/tmp/strata-panel-XXXXXX");
    assert_non_null(mkdtemp(box->path));
    struct store_options options = {.path = box->path, .mode = STORE_WRITE, .no_sync = true};
    box_ok(box, store_open(&options, &box->store, &box->err));
    box_ok(box, store_writer_open(box->store, &box->writer, &box->err));
    box_ok(box, profile_read("paper", &box->arena, &box->profile, &box->err));
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint fingerprint = analyzer_fingerprint(&limits);
    memcpy(box->facts_key.bytes, fingerprint.bytes, sizeof(box->facts_key.bytes));
    struct buf encoded = {0};
    for (uint32_t i = 0; i < BOX_BLOBS; i++) {
        struct oid id = box_blob_id(i);
        box->blobs[i] = box_make_facts(&box->arena, i);
        buf_reset(&encoded);
        facts_encode(&box->blobs[i], &encoded);
        box_ok(box, store_put_facts(box->writer, &id, &box->facts_key, buf_bytes(&encoded), 0,
                                    &box->err));
    }
    buf_clear(&encoded);
}

/* Two rules, "often" and "rare", which is advice, and their hits in every blob: one group. */
static inline void
box_put_rules(struct panel_box *box)
{
    struct store_rule rules[2] = {
        {.key = {{1}}, .id = BYTES("often"), .severity = BYTES("warning"), .source = BYTES("x")},
        {.key = {{2}},
         .id = BYTES("rare"),
         .severity = BYTES("hint"),
         .metadata = BYTES("{\"min_file_count\": 2, \"advice\": true}"),
         .source = BYTES("y")}};
    struct store_key keys[2] = {rules[0].key, rules[1].key}, group;
    struct buf encoded = {0};
    box_ok(box, store_put_rule(box->writer, &rules[0], &box->err));
    box_ok(box, store_put_rule(box->writer, &rules[1], &box->err));
    box_ok(box, store_put_group(box->writer, keys, 2, &group, &box->err));
    for (uint32_t i = 0; i < BOX_BLOBS; i++) {
        for (uint32_t k = 0; k < BOX_HITS; k++)
            box->hits[i][k] = (struct hit){.rule = k / 2 + (i % 3 == 0 && k == 1),
                                           .start_line = 1 + k * 5,
                                           .end_line = 2 + k * 6};
        struct hit_list list = {.hits = box->hits[i], .n_hits = BOX_HITS};
        struct oid id = box_blob_id(i);
        buf_reset(&encoded);
        hits_encode(&list, &encoded);
        box_ok(box, store_put_hits(box->writer, &id, &group, buf_bytes(&encoded), &box->err));
    }
    buf_clear(&encoded);
    box->has_rules = true;
}

static inline void
box_close(struct panel_box *box)
{
    char command[96];
    store_writer_close(box->writer);
    store_close(box->store);
    arena_clear(&box->arena);
    snprintf(command, sizeof(command), "rm -r %s", box->path);
    assert_int_equal(system(command), 0);
}

/* The blob at file F of checkpoint C of trajectory SEED; -1 where there is no such file. */
static inline int
box_blob_at(uint32_t seed, uint32_t c, uint32_t f)
{
    if ((seed + c + f) % 5 == 0)
        return -1;
    return (int)((seed * 13 + f * 7 + (c + f) / 3 * 11) % BOX_BLOBS);
}

static inline const char *
box_path_of(struct panel_box *box, uint32_t f)
{
    return arena_format(&box->arena, "%s/m%02u.py", f % 3 == 0 ? "build" : "pkg", f);
}

static inline struct store_key
box_put_listing(struct panel_box *box, uint32_t seed, uint32_t c)
{
    struct store_file files[BOX_FILES];
    struct store_key key;
    size_t n = 0;
    for (uint32_t pass = 0; pass < 2; pass++) /* "build" sorts before "pkg" */
        for (uint32_t f = 0; f < BOX_FILES; f++) {
            int blob = box_blob_at(seed, c, f);
            if (blob >= 0 && (f % 3 != 0) == pass)
                files[n++] = (struct store_file){bytes_of_text(box_path_of(box, f)),
                                                 box_blob_id((size_t)blob), 0100644};
        }
    box_ok(box, store_put_listing(box->writer, files, n, &key, &box->err));
    return key;
}

/* A trajectory of N checkpoints, a month apart from mid 2022 on. */
static inline void
box_put_trajectory(struct panel_box *box, const char *id, int64_t stars, uint32_t seed, uint32_t n)
{
    struct store_checkpoint *checkpoints = ARENA_ARRAY(&box->arena, n, struct store_checkpoint);
    for (uint32_t c = 0; c < n; c++)
        checkpoints[c] = (struct store_checkpoint){
            .ordinal = c,
            .name = bytes_of_text(arena_format(&box->arena, "%040x", seed * 1000 + c)),
            .has_time = true,
            .time_s = 1655000000 + (int64_t)c * 30 * 86400,
            .author_date = c == 1 ? STORE_AUTHOR_NO_DATE : STORE_AUTHOR_DATE,
            .author_time_s = c == 1 ? 0 : 1655000000 + (int64_t)c * 30 * 86400 - seed % 3 * 86400,
            .listing = box_put_listing(box, seed, c),
            .markers = c % 4 == 3 ? BYTES("[{\"id\":\"x\",\"kind\":\"assistant\"}]")
                                  : (struct bytes){NULL, 0}};
    struct store_trajectory trajectory = {.id = bytes_of_text(id),
                                          .kind = BYTES("human"),
                                          .stars = stars,
                                          .as_of = BYTES("2024-01-31"),
                                          .params = seed % 2 ? BYTES("{\"commits\":30}")
                                                             : BYTES("{\"commits\":9}"),
                                          .head = box_blob_id(seed % BOX_BLOBS),
                                          .status = STORE_STATUS_DONE,
                                          .n_checkpoints = n};
    box_ok(box, store_put_trajectory(box->writer, &trajectory, checkpoints, n, &box->err));
}

static inline void
box_commit(struct panel_box *box)
{
    box_ok(box, store_writer_commit(box->writer, &box->err));
}

#endif
