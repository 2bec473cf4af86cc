/*
 * Run box: a folder of its own for one test, to write runs into and stores from them.
 */
#ifndef STRATA_TESTS_RUNNER_RUN_BOX_H
#define STRATA_TESTS_RUNNER_RUN_BOX_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "cmocka_all.h"
#include "runner/runner.h"
#include "store/store.h"

struct run_box {
    char path[64];
    struct arena arena;
    struct runner_ingest_options options; /* of the next ingest; paths are of the box */
    struct runner_report *report;         /* of the last */
    struct err err;
};

static inline int
run_box_create(void **state)
{
    struct run_box *box = calloc(1, sizeof(*box));
    if (!box)
        return -1;
    snprintf(box->path, sizeof(box->path), "/tmp/strata-test.XXXXXX");
    arena_init(&box->arena, 0);
    box->options.analyzer.limits = analyzer_limits_default();
    box->options.n_jobs = 1;
    *state = box;
    return mkdtemp(box->path) ? 0 : -1;
}

static inline void
box_shell(struct run_box *box, const char *command)
{
    char line[4096];
    snprintf(line, sizeof(line), "cd '%s' && %s", box->path, command);
    if (system(line) != 0)
        fail_msg("command failed: %s", line);
}

static inline int
run_box_destroy(void **state)
{
    struct run_box *box = *state;
    box_shell(box, "chmod -R u+w . && rm -rf \"$PWD\"");
    runner_report_destroy(box->report);
    arena_clear(&box->arena);
    free(box);
    return 0;
}

/* NAME in the box, as a path. */
static inline const char *
box_path(struct run_box *box, const char *name)
{
    return arena_format(&box->arena, "%s/%s", box->path, name);
}

/* Write TEXT into the file NAME, folders made on the way. */
static inline void
box_write(struct run_box *box, const char *name, const char *text)
{
    char *path = arena_format(&box->arena, "%s/%s", box->path, name);
    for (char *slash = strchr(path + strlen(box->path) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A run "run" of model m with one problem p of two configured checkpoints, no checkpoint yet. */
static inline void
box_begin_run(struct run_box *box)
{
    box_write(box, "run/config.yaml",
              "agent: {type: claude_code, version: '2.0'}\n"
              "model: {name: m, provider: q}\n"
              "prompt_path: prompts/plain.jinja\nthinking: none\noutput_path: out/run\n");
    box_write(box, "run/environment.yaml", "type: local\n");
    box_write(box, "run/p/problem.yaml",
              "name: p\nversion: 3\ncheckpoints:\n"
              "  checkpoint_1: {order: 1}\n  checkpoint_2: {order: 2}\n");
    box_write(box, "run/p/run_info.yaml",
              "summary:\n  checkpoints: {checkpoint_1: ran, checkpoint_2: error}\n"
              "  state: error\n");
}

/* Ingest NAME of the box into the store STORE; the outcome. */
static inline int
box_ingest(struct run_box *box, const char *store_name, const char *name)
{
    const char *path = box_path(box, name);
    struct store_options store_options = {
        .path = box_path(box, store_name), .mode = STORE_WRITE, .no_sync = true};
    struct store *store;
    runner_report_destroy(box->report);
    box->report = NULL;
    if (!box->options.repository) {
        box->options.paths = &path;
        box->options.n_paths = 1;
    }
    if (store_open(&store_options, &store, &box->err) < 0)
        fail_msg("%s", box->err.text);
    int outcome = runner_ingest(&box->options, store, &box->report, &box->err);
    store_close(store);
    return outcome;
}

/* The same, which must go well and find one run. */
static inline const struct runner_run *
box_ingest_run(struct run_box *box, const char *store_name, const char *name)
{
    if (box_ingest(box, store_name, name) < 0)
        fail_msg("%s", box->err.text);
    assert_int_equal(box->report->n_runs, 1);
    return &box->report->runs[0];
}

/* Is there a note on a place that ends in PLACE, whose reason has WORDS in it? */
static inline bool
box_has_note(const struct run_box *box, const char *place, const char *words)
{
    for (size_t i = 0; i < box->report->n_notes; i++) {
        const struct store_note *note = &box->report->notes[i];
        if (bytes_ends_with(note->what, bytes_of_text(place)) &&
            strstr((const char *)note->reason.data, words))
            return true;
    }
    return false;
}

/* ---- What a store holds -------------------------------------------------------------------- */

struct stored {
    struct store *store;
    struct store_reader *reader;
    struct arena arena;
};

static inline void
stored_open(struct run_box *box, const char *name, struct stored *stored)
{
    struct store_options options = {.path = box_path(box, name), .mode = STORE_READ};
    arena_init(&stored->arena, 0);
    if (store_open(&options, &stored->store, &box->err) < 0 ||
        store_reader_open(stored->store, &stored->reader, &box->err) < 0)
        fail_msg("%s", box->err.text);
}

static inline void
stored_close(struct stored *stored)
{
    store_reader_close(stored->reader);
    store_close(stored->store);
    arena_clear(&stored->arena);
}

/* The checkpoints of trajectory ID, which must be there. */
static inline struct store_checkpoint *
stored_checkpoints(struct stored *stored, const char *id, size_t *n)
{
    struct store_checkpoint *checkpoints;
    struct store_trajectory about;
    struct err err;
    if (store_get_trajectory(stored->reader, bytes_of_text(id), &stored->arena, &about, &err) !=
            STORE_FOUND ||
        store_get_checkpoints(stored->reader, about.id, &stored->arena, &checkpoints, n, &err) < 0)
        fail_msg("no trajectory %s", id);
    assert_int_equal(about.n_checkpoints, *n);
    return checkpoints;
}

/* Everything a reader can see of the trajectories, their listings and facts, as text. */
static inline struct bytes
stored_text(struct run_box *box, const char *name)
{
    struct stored stored;
    struct bytes *ids;
    size_t n_ids;
    struct buf out = {0};
    struct err err;
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint fingerprint = analyzer_fingerprint(&limits);
    struct store_key facts_key;
    memcpy(facts_key.bytes, fingerprint.bytes, sizeof(facts_key.bytes));
    stored_open(box, name, &stored);
    assert_int_equal(store_list_trajectories(stored.reader, &stored.arena, &ids, &n_ids, &err), 0);
    for (size_t i = 0; i < n_ids; i++) {
        struct store_trajectory about;
        size_t n;
        store_get_trajectory(stored.reader, ids[i], &stored.arena, &about, &err);
        buf_printf(&out, "%.*s %.*s %d\n", BYTES_ARG(about.id), BYTES_ARG(about.params),
                   (int)about.status);
        const struct store_checkpoint *checkpoints =
            stored_checkpoints(&stored, (const char *)ids[i].data, &n);
        for (size_t c = 0; c < n; c++) {
            struct store_file *files;
            size_t n_files;
            buf_printf(&out, "%.*s %lld %.*s %u\n", BYTES_ARG(checkpoints[c].name),
                       (long long)checkpoints[c].time_s, BYTES_ARG(checkpoints[c].record),
                       checkpoints[c].n_notes);
            assert_int_equal(store_get_listing(stored.reader, &checkpoints[c].listing,
                                               &stored.arena, &files, &n_files, &err),
                             STORE_FOUND);
            for (size_t f = 0; f < n_files; f++) {
                char hex[OID_HEX_SIZE];
                struct bytes facts;
                assert_int_equal(store_get_facts(stored.reader, &files[f].blob, &facts_key,
                                                 &stored.arena, &facts, &err),
                                 STORE_FOUND);
                buf_printf(&out, "%.*s %s %zu\n", BYTES_ARG(files[f].path),
                           oid_to_hex(&files[f].blob, hex), facts.len);
            }
        }
    }
    stored_close(&stored);
    struct bytes text = arena_copy(&box->arena, buf_bytes(&out));
    buf_clear(&out);
    return text;
}

#endif
