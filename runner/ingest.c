/*
 * Ingesting: one run after another, in four steps.
 *
 * 1. All runs are found and sorted by their paths, so that the order of the arguments does not
 * matter.
 * 2. The trees of a run are read and analysed by all threads, BATCH_TREES at a time.
 * 3. One thread writes a batch and commits it before the next begins.
 * 4. A trajectory is put when the last of its trees is.
 *
 * A run that was stopped therefore has its facts in the store but not its trajectory, and continues
 * without analysing anything twice.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/stop.h"
#include "base/thread_pool.h"
#include "git/objects.h"
#include "runner/read/find_runs.h"
#include "runner/ingest_put.h"

enum { BATCH_TREES = 64 };

/* Where a run was found. */
struct place {
    const struct source_place *source;
    const char *root;     /* as messages name it */
    struct bytes folder;  /* of the run below it */
    struct bytes full;    /* both */
    const char *revision; /* NULL for files on disk */
    struct oid commit;
};

struct ingest {
    struct ingest_context context;
    struct runner_report *report;
    struct notes notes; /* of the report */
    struct store_writer *writer;
    struct source_place *sources;
    size_t n_sources;
    struct place *places; /* malloc'ed */
    size_t n_places, places_capacity;
    struct map ids; /* of the trajectories that were put since the program began */
};

/* ---- Finding ------------------------------------------------------------------------------- */

static int
add_place(struct ingest *ingest, struct place place, struct err *err)
{
    if (!ARRAY_RESERVE(ingest->places, ingest->n_places, ingest->places_capacity, 1))
        return err_nomem(err, "list of runs");
    place.full = run_path(&ingest->report->arena, bytes_of_text(place.root), place.folder);
    ingest->places[ingest->n_places++] = place;
    return place.full.data ? 0 : err_nomem(err, "list of runs");
}

/* Add NOTES about what is at PATH below ROOT to the report. */
static int
report_notes(struct ingest *ingest, struct bytes root, struct bytes path, const struct notes *notes,
             struct err *err)
{
    struct arena *arena = &ingest->report->arena;
    ingest->notes.n_lost += notes->n_lost;
    for (uint32_t i = 0; i < notes->n_items; i++) {
        struct bytes reason = notes->items[i].reason;
        struct bytes what = run_path(arena, root, path);
        what = what.data ? run_path(arena, what, notes->items[i].what) : what;
        if (!what.data)
            return err_nomem(err, "notes");
        if (notes_addf(&ingest->notes, what, err, "%.*s", BYTES_ARG(reason)) < 0)
            return -1;
    }
    return 0;
}

static int
find_in(struct ingest *ingest, struct place place, struct err *err)
{
    struct arena *arena = &ingest->report->arena;
    struct notes notes = {.arena = arena};
    struct source *source;
    struct bytes *found;
    size_t n = 0;
    struct err why;
    if (source_open(place.source, &source, &why) < 0) {
        ingest->report->n_unusable++;
        return notes_add_failure(&ingest->notes, bytes_of_text(place.root), &why, err);
    }
    int rc = find_runs(source, arena, &notes, &found, &n, err);
    source_close(source);
    if (rc == 0 && n == 0 && notes.n_items == 0)
        rc = notes_addf(&notes, BYTES(""), err, "there is no run in SlopCodeBench's layout in it");
    if (rc == 0)
        rc = report_notes(ingest, bytes_of_text(place.root), BYTES(""), &notes, err);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        place.folder = found[i];
        rc = add_place(ingest, place, err);
    }
    ingest->report->n_unusable += n == 0;
    return rc;
}

static int
find_in_revision(struct ingest *ingest, struct err *err)
{
    const struct runner_ingest_options *options = ingest->context.options;
    struct source_place *source = &ingest->sources[0];
    struct place place = {.source = source};
    if (source_resolve(options->repository, options->revision, options->prefix,
                       &ingest->report->arena, source, &place.commit, err) < 0)
        return -1;
    struct bytes revision = options->revision.len ? options->revision : BYTES("HEAD");
    place.revision = arena_format(&ingest->report->arena, "%.*s", BYTES_ARG(revision));
    place.root = arena_format(&ingest->report->arena, "%s:%.*s", options->repository,
                              BYTES_ARG(options->prefix));
    if (!place.revision || !place.root)
        return err_nomem(err, "list of runs");
    return find_in(ingest, place, err);
}

static int
compare_places(const void *a, const void *b)
{
    return bytes_compare(((const struct place *)a)->full, ((const struct place *)b)->full);
}

static int
find_all(struct ingest *ingest, struct err *err)
{
    const struct runner_ingest_options *options = ingest->context.options;
    size_t n = options->repository ? 1 : options->n_paths;
    ingest->sources = calloc(n ? n : 1, sizeof(*ingest->sources));
    if (!ingest->sources)
        return err_nomem(err, "list of runs");
    int rc = options->repository ? find_in_revision(ingest, err) : 0;
    for (size_t i = 0; rc == 0 && !options->repository && i < n; i++) {
        ingest->sources[i].folder = options->paths[i];
        struct place place = {.source = &ingest->sources[i], .root = options->paths[i]};
        rc = find_in(ingest, place, err);
    }
    if (rc == 0 && ingest->n_places > 1)
        qsort(ingest->places, ingest->n_places, sizeof(*ingest->places), compare_places);
    return rc;
}

/* ---- Reading ------------------------------------------------------------------------------- */

struct batch {
    struct ingest_context *context;
    const struct source_place *source;
    struct ingest_unit *units;
    size_t n_units;
    atomic_size_t next;
    pthread_mutex_t mutex;
    /* guarded by mutex */
    bool failed;
    struct err first_error;
};

static void
read_member(void *shared, size_t index)
{
    (void)index;
    struct batch *batch = shared;
    struct ingest_worker worker;
    struct err err;
    int rc = ingest_worker_init(&worker, batch->context, batch->source, &err);
    while (rc == 0) {
        size_t i = atomic_fetch_add(&batch->next, 1);
        if (i >= batch->n_units)
            break;
        if (stop_requested())
            rc = err_set(&err, ERR_STOPPED, "stopped on request");
        else
            rc = ingest_unit_read(&batch->units[i], &worker, &err);
        progress_add_done(batch->context->options->progress, 1);
    }
    ingest_worker_clear(&worker);
    if (rc == 0)
        return;
    pthread_mutex_lock(&batch->mutex);
    if (!batch->failed)
        batch->first_error = err;
    batch->failed = true;
    pthread_mutex_unlock(&batch->mutex);
    atomic_store(&batch->next, batch->n_units);
}

static int
read_batch(struct ingest *ingest, const struct source_place *source, struct ingest_unit *units,
           size_t n_units, struct err *err)
{
    struct batch batch = {.context = &ingest->context,
                          .source = source,
                          .units = units,
                          .n_units = n_units,
                          .mutex = PTHREAD_MUTEX_INITIALIZER};
    size_t n_jobs = ingest->context.options->n_jobs;
    thread_pool_run(n_jobs < n_units ? n_jobs : n_units, read_member, &batch);
    pthread_mutex_destroy(&batch.mutex);
    if (batch.failed)
        *err = batch.first_error;
    return batch.failed ? -1 : 0;
}

/* ---- One run ------------------------------------------------------------------------------- */

static size_t
count_units(const struct run *run, bool after_step)
{
    size_t n = 0;
    for (uint32_t p = 0; p < run->n_problems; p++)
        for (uint32_t c = 0; c < run->problems[p].n_checkpoints; c++)
            n += after_step && run->problems[p].checkpoints[c].has_after_step ? 2 : 1;
    return n;
}

/* Make a unit for each tree of RUN: per problem those of its checkpoints, then those after the
 * extra step. */
static void
make_units(const struct run *run, bool after_step, struct ingest_unit *units)
{
    for (uint32_t p = 0; p < run->n_problems; p++) {
        const struct run_problem *problem = &run->problems[p];
        for (int step = 0; step <= after_step; step++)
            for (uint32_t c = 0; c < problem->n_checkpoints; c++) {
                const struct run_checkpoint *checkpoint = &problem->checkpoints[c];
                if (step && !checkpoint->has_after_step)
                    continue;
                ingest_unit_init(units);
                units->run = run;
                units->problem = problem;
                units->checkpoint = checkpoint;
                units->after_step = step;
                units++;
            }
    }
}

static int
read_and_write(struct ingest *ingest, const struct place *place, struct ingest_unit *units,
               size_t n_units, struct runner_run *counts, struct err *err)
{
    progress_add_total(ingest->context.options->progress, n_units);
    for (size_t from = 0; from < n_units; from += BATCH_TREES) {
        size_t n = n_units - from < BATCH_TREES ? n_units - from : BATCH_TREES;
        /* A stopped batch is written as well: each tree that was read is complete. */
        int rc = read_batch(ingest, place->source, &units[from], n, err);
        if (rc < 0 && err->code != ERR_STOPPED)
            return -1;
        struct err stopped = *err;
        if (ingest_put_trees(ingest->writer, &ingest->context, &units[from], n, counts, err) < 0)
            return -1;
        if (rc < 0) {
            *err = stopped;
            return -1;
        }
    }
    return 0;
}

static int
put_trajectories(struct ingest *ingest, const struct place *place, struct ingest_unit *units,
                 size_t n_units, struct runner_run *counts, struct err *err)
{
    struct ingest_origin origin = {.place = place->full,
                                   .revision = place->revision,
                                   .commit = place->commit,
                                   .name = counts->name};
    struct store_reader *reader;
    if (store_reader_open(ingest->context.store, &reader, err) < 0)
        return -1;
    int rc = 0;
    for (size_t from = 0, to; rc == 0 && from < n_units; from = to) {
        for (to = from + 1; to < n_units && units[to].problem == units[from].problem &&
                            units[to].after_step == units[from].after_step;)
            to++;
        rc = ingest_put_trajectory(ingest->writer, reader, &origin, &ingest->ids, &units[from],
                                   to - from, counts, err);
    }
    store_reader_close(reader);
    return rc;
}

/* Add the notes of a run and its parts to the report. */
static int
collect_notes(struct ingest *ingest, struct bytes place, const struct run *run,
              struct ingest_unit *units, size_t n_units, struct runner_run *counts, struct err *err)
{
    uint64_t before = ingest->notes.n_items + ingest->notes.n_lost;
    int rc = report_notes(ingest, place, BYTES(""), &run->notes, err);
    for (uint32_t p = 0; rc == 0 && p < run->n_problems; p++)
        rc = report_notes(ingest, place, run->problems[p].folder, &run->problems[p].notes, err);
    for (size_t i = 0; rc == 0 && i < n_units; i++) {
        struct ingest_unit *unit = &units[i];
        struct bytes path = run_path(&unit->arena, unit->problem->folder, unit->checkpoint->name);
        if (path.data && unit->after_step)
            path = run_path(&unit->arena, path, BYTES("after_skill"));
        rc = path.data ? report_notes(ingest, place, path, &unit->notes, err)
                       : err_nomem(err, "notes");
    }
    counts->n_notes = ingest->notes.n_items + ingest->notes.n_lost - before;
    return rc;
}

static int
take_units(struct ingest *ingest, const struct place *place, const struct run *run,
           struct runner_run *counts, struct err *err)
{
    bool after_step = ingest->context.options->after_step;
    size_t n_units = count_units(run, after_step);
    struct ingest_unit *units = calloc(n_units ? n_units : 1, sizeof(*units));
    if (!units)
        return err_nomem(err, "checkpoints");
    make_units(run, after_step, units);
    int rc = read_and_write(ingest, place, units, n_units, counts, err);
    if (rc == 0)
        rc = put_trajectories(ingest, place, units, n_units, counts, err);
    if (rc == 0)
        rc = store_writer_commit(ingest->writer, err);
    if (rc == 0)
        rc = collect_notes(ingest, place->full, run, units, n_units, counts, err);
    for (size_t i = 0; i < n_units; i++)
        ingest_unit_clear(&units[i]);
    free(units);
    return rc;
}

static void
count_run(const struct run *run, struct runner_run *counts)
{
    counts->n_records = run->n_records;
    counts->n_duplicates = run->n_duplicates;
    counts->n_broken = run->n_broken;
    counts->n_problems = run->n_problems;
    for (uint32_t p = 0; p < run->n_problems; p++)
        for (uint32_t c = 0; c < run->problems[p].n_checkpoints; c++)
            counts->n_after_step += run->problems[p].checkpoints[c].has_after_step;
}

/* The last part of PATH, after resolving it when that is "." or "..". */
static struct bytes
folder_name(struct bytes path, struct arena *arena)
{
    while (path.len > 1 && path.data[path.len - 1] == '/')
        path.len--;
    size_t from = path.len;
    while (from > 0 && path.data[from - 1] != '/' && path.data[from - 1] != ':')
        from--;
    struct bytes name = bytes_slice(path, from, path.len);
    if (name.len && !bytes_equal(name, BYTES(".")) && !bytes_equal(name, BYTES("..")))
        return name;
    char *text = arena_format(arena, "%.*s", BYTES_ARG(path));
    char *real = text ? realpath(text, NULL) : NULL;
    const char *slash = real ? strrchr(real, '/') : NULL;
    name = arena_copy(arena, bytes_of_text(slash && slash[1] ? slash + 1 : "run"));
    free(real);
    return name;
}

static int
read_run(const struct place *place, struct arena *arena, struct run *run, struct err *err)
{
    struct source *source;
    if (source_open(place->source, &source, err) < 0)
        return -1;
    int rc = run_read(source, place->folder, folder_name(place->full, arena), arena, run, err);
    source_close(source);
    return rc;
}

static int
take_run(struct ingest *ingest, const struct place *place, struct err *err)
{
    struct runner_report *report = ingest->report;
    struct arena arena;
    struct run run;
    struct err why;
    arena_init(&arena, 0);
    int rc = 0;
    if (read_run(place, &arena, &run, &why) < 0) {
        report->n_unusable++;
        rc = notes_add_failure(&ingest->notes, place->full, &why, err);
    } else {
        struct runner_run *counts = &report->runs[report->n_runs++];
        struct bytes model = run.model.len ? run.model : BYTES("unknown");
        *counts = (struct runner_run){.place = place->full,
                                      .name = run_path(&report->arena, model, run.folder)};
        count_run(&run, counts);
        rc = counts->name.data ? take_units(ingest, place, &run, counts, err)
                               : err_nomem(err, "report");
    }
    arena_clear(&arena);
    return rc;
}

/* ---- All of it ----------------------------------------------------------------------------- */

static int
take_runs(struct ingest *ingest, struct err *err)
{
    struct runner_report *report = ingest->report;
    if (store_writer_open(ingest->context.store, &ingest->writer, err) < 0 ||
        run_rules_begin(&ingest->context.rules, &ingest->context.options->analyzer,
                        ingest->context.store, ingest->writer, &report->arena, err) < 0)
        return -1;
    report->runs = ARENA_ARRAY(&report->arena, ingest->n_places, struct runner_run);
    if (!report->runs)
        return err_nomem(err, "report");
    for (size_t i = 0; i < ingest->n_places; i++) {
        progress_set_outer(ingest->context.options->progress, "runs", i, ingest->n_places);
        if (take_run(ingest, &ingest->places[i], err) < 0)
            return -1;
    }
    if (ingest->context.rules.reuse)
        report->n_fresh_rules = hit_reuse_n_fresh(ingest->context.rules.reuse);
    return 0;
}

static int
take_all(struct ingest *ingest, struct err *err)
{
    struct runner_report *report = ingest->report;
    if (find_all(ingest, err) < 0)
        return -1;
    report->n_found = ingest->n_places;
    if (ingest->context.store && take_runs(ingest, err) < 0)
        return -1;
    report->notes = ingest->notes.items;
    report->n_notes = ingest->notes.n_items;
    report->n_notes_lost = ingest->notes.n_lost;
    return 0;
}

int
runner_ingest(const struct runner_ingest_options *options, struct store *store,
              struct runner_report **out, struct err *err)
{
    struct ingest ingest = {
        .context = {.options = options, .store = store, .mutex = PTHREAD_MUTEX_INITIALIZER},
        .report = calloc(1, sizeof(*ingest.report))};
    if (!ingest.report)
        return err_nomem(err, "report");
    struct fingerprint fingerprint = analyzer_fingerprint(&options->analyzer.limits);
    memcpy(ingest.context.facts.bytes, fingerprint.bytes, sizeof(ingest.context.facts.bytes));
    arena_init(&ingest.report->arena, 0);
    ingest.notes.arena = &ingest.report->arena;
    map_init(&ingest.context.claimed);
    map_init(&ingest.ids);
    int rc = git_library_begin(err);
    if (rc == 0) {
        rc = take_all(&ingest, err);
        run_rules_end(&ingest.context.rules);
        if (ingest.writer)
            store_writer_close(ingest.writer);
        git_library_end();
    }
    map_clear(&ingest.context.claimed);
    map_clear(&ingest.ids);
    pthread_mutex_destroy(&ingest.context.mutex);
    free(ingest.sources);
    free(ingest.places);
    if (rc < 0)
        runner_report_destroy(ingest.report);
    else
        *out = ingest.report;
    return rc;
}

void
runner_report_destroy(struct runner_report *report)
{
    if (!report)
        return;
    arena_clear(&report->arena);
    free(report);
}
