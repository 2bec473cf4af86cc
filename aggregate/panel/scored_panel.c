/*
 * Scoring all trajectories of a store by several threads.
 *
 * Each thread has its own store reader and takes the next trajectory in order of ids.  A trajectory
 * is loaded, filtered and scored by one thread into its own arena, so that no result depends on
 * which thread scored it or when.  A problem of one trajectory is recorded with it and the others
 * are still scored; only lack of memory, a stop, and facts of another version end the scoring.
 */
#include "analyzer/limits.h"
#include "aggregate/panel/scored_panel.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "aggregate/panel/walk.h"
#include "base/stop.h"
#include "base/thread_pool.h"

const char *
author_name(enum author author)
{
    static const char *const names[AUTHOR_N] = {
        [AUTHOR_HUMAN] = "human", [AUTHOR_BOT] = "bot", [AUTHOR_ASSISTANT] = "assistant"};
    assert((int)author < AUTHOR_N);
    return names[author];
}

/* ---- Filters ------------------------------------------------------------------------------- */

static bool
list_has(const struct text_list *list, struct bytes text)
{
    for (size_t i = 0; i < list->n_items; i++)
        if (bytes_equal(list->items[i], text))
            return true;
    return false;
}

static bool
filter_takes(const struct panel_filter *filter, const struct scored_trajectory *trajectory)
{
    if (trajectory->is_agent)
        return true;
    if (filter->tiers && !(trajectory->has_tier && (filter->tiers & 1u << trajectory->tier)))
        return false;
    return filter->licenses.n_items == 0 || list_has(&filter->licenses, trajectory->about.license);
}

static bool
filter_takes_checkpoint(const struct panel_filter *filter, bool is_agent,
                        const struct scored_checkpoint *checkpoint)
{
    const struct store_checkpoint *stored = checkpoint->stored;
    if (is_agent)
        return true;
    if (filter->has_since && !(stored->has_time && stored->time_s >= filter->since_s))
        return false;
    if (filter->has_until && !(stored->has_time && stored->time_s < filter->until_s))
        return false;
    return filter->authors == 0 || (filter->authors & 1u << checkpoint->author);
}

/* ---- Loading ------------------------------------------------------------------------------- */

/* Set *OUT by MARKERS, a JSON array of objects with a "kind".  An assistant outranks a bot. */
static int
read_author(struct bytes markers, enum author *out, struct err *err)
{
    struct json_doc *doc;
    *out = AUTHOR_HUMAN;
    if (!markers.data)
        return 0;
    if (json_open(markers, "markers", false, &doc, err) < 0)
        return -1;
    for (const struct json_value *mark = json_first(json_root(doc)); mark; mark = json_next(mark)) {
        const struct json_value *kind = json_member(mark, "kind");
        if (kind && bytes_equal(json_string(kind), BYTES("assistant")))
            *out = AUTHOR_ASSISTANT;
        else if (*out == AUTHOR_HUMAN && kind && bytes_equal(json_string(kind), BYTES("bot")))
            *out = AUTHOR_BOT;
    }
    json_close(doc);
    return 0;
}

/* Read the record of CHECKPOINT.  One that is not a JSON object is ignored: the checkpoint then has
 * its code alone. */
static int
load_record(struct scored_trajectory *trajectory, struct scored_checkpoint *checkpoint,
            struct err *err)
{
    struct bytes text = checkpoint->stored->record;
    struct json_doc *doc;
    if (!text.data)
        return 0;
    if (json_open(text, "record", true, &doc, err) < 0)
        return err->code == ERR_NOMEM ? -1 : 0;
    struct record *record = ARENA_NEW(&trajectory->arena, struct record);
    int rc = 0;
    if (!record)
        rc = err_nomem(err, "a checkpoint's record");
    else if (json_type(json_root(doc)) == JSON_OBJECT)
        rc = record_read(json_root(doc), &trajectory->arena, record, err);
    else
        record = NULL;
    json_close(doc);
    checkpoint->record = record;
    return rc;
}

static int
load_checkpoints(struct store_reader *reader, const struct panel_filter *filter,
                 struct scored_trajectory *trajectory, struct err *err)
{
    struct store_checkpoint *stored;
    size_t n;
    if (store_get_checkpoints(reader, trajectory->about.id, &trajectory->arena, &stored, &n, err) <
        0)
        return -1;
    trajectory->checkpoints = ARENA_ARRAY(&trajectory->arena, n, struct scored_checkpoint);
    if (!trajectory->checkpoints)
        return err_nomem(err, "checkpoints");
    for (size_t i = 0; i < n; i++) {
        struct scored_checkpoint *checkpoint = &trajectory->checkpoints[trajectory->n_checkpoints];
        *checkpoint = (struct scored_checkpoint){.stored = &stored[i]};
        if (read_author(stored[i].markers, &checkpoint->author, err) < 0 ||
            load_record(trajectory, checkpoint, err) < 0)
            return -1;
        if (filter_takes_checkpoint(filter, trajectory->is_agent, checkpoint))
            trajectory->n_checkpoints++;
        else
            trajectory->n_left_out++;
    }
    return 0;
}

static int
load_about(struct store_reader *reader, struct bytes id, struct scored_trajectory *trajectory,
           struct err *err)
{
    switch (store_get_trajectory(reader, id, &trajectory->arena, &trajectory->about, err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        return err_set(err, ERR_DAMAGED, "it is listed but not in the store");
    case STORE_FAILED:
        return -1;
    }
    trajectory->is_agent = bytes_equal(trajectory->about.kind, BYTES("agent"));
    trajectory->has_tier = !trajectory->is_agent && trajectory->about.stars >= 0;
    if (trajectory->has_tier)
        trajectory->tier = tier_of_stars(trajectory->about.stars);
    return 0;
}

/* ---- Scoring ------------------------------------------------------------------------------- */

struct work {
    struct scored_panel *panel;
    const struct panel_options *options;
    struct store_reader **readers; /* of one snapshot, by thread */
    struct walk_options walk;      /* all but the reader */
    const struct store_index *index;
    atomic_size_t next; /* the next trajectory to score */
    atomic_bool failed; /* err is set */
    pthread_mutex_t mutex;
    struct err err; /* guarded by mutex: the first error, which ends the work */
};

static int
score_checkpoints(struct walk *walk, size_t n_scorers, struct scored_trajectory *trajectory,
                  struct err *err)
{
    walk_begin(walk);
    for (size_t i = 0; i < trajectory->n_checkpoints && !stop_requested(); i++) {
        struct scored_checkpoint *checkpoint = &trajectory->checkpoints[i];
        struct score *scores = ARENA_ARRAY(&trajectory->arena, n_scorers, struct score);
        if (!scores)
            return err_nomem(err, "scores");
        checkpoint->scores = scores;
        if (walk_step(walk, &checkpoint->stored->listing, scores, err) < 0)
            return err_wrap(err, "checkpoint %.*s", BYTES_ARG(checkpoint->stored->name));
    }
    return 0;
}

/* Load, filter and score trajectory INDEX.  Its problem is kept with it; -1 if memory is out or the
 * facts are of another version, as then all facts of the store are. */
static int
score_trajectory(struct work *work, struct store_reader *reader, struct walk *walk, size_t index,
                 struct err *err)
{
    struct scored_trajectory *trajectory = &work->panel->trajectories[index];
    struct bytes id = trajectory->about.id;
    int rc = load_about(reader, id, trajectory, err);
    bool is_taken = rc == 0 && filter_takes(&work->options->filter, trajectory);
    if (is_taken)
        rc = load_checkpoints(reader, &work->options->filter, trajectory, err);
    if (is_taken && rc == 0)
        rc = score_checkpoints(walk, work->walk.n_scorers, trajectory, err);
    if (rc < 0 && err->code != ERR_NOMEM && err->code != ERR_UNSUPPORTED) {
        trajectory->problem = arena_format(&trajectory->arena, "%s", err->text);
        trajectory->n_checkpoints = 0;
        trajectory->about.id = id;
        rc = trajectory->problem ? 0 : err_nomem(err, "a message");
    }
    if (rc == 0 && !is_taken && !trajectory->problem)
        trajectory->about.id = (struct bytes){NULL, 0};
    return rc;
}

/* Score trajectories until there are no more. */
static int
score_share(struct work *work, struct store_reader *reader, struct err *err)
{
    struct walk_options options = work->walk;
    struct walk *walk = NULL;
    options.reader = reader;
    store_reader_use_index(reader, work->index);
    int rc = walk_create(&options, &walk, err);
    while (rc == 0 && !stop_requested() && !atomic_load(&work->failed)) {
        size_t index = atomic_fetch_add(&work->next, 1);
        if (index >= work->panel->n_trajectories)
            break;
        rc = score_trajectory(work, reader, walk, index, err);
        progress_add_done(work->options->progress, 1);
    }
    walk_destroy(walk);
    return rc;
}

/* The work of thread INDEX. */
static void
run_thread(void *shared, size_t index)
{
    struct work *work = shared;
    struct err err;
    if (score_share(work, work->readers[index], &err) == 0)
        return;
    pthread_mutex_lock(&work->mutex);
    if (!atomic_exchange(&work->failed, true))
        work->err = err;
    pthread_mutex_unlock(&work->mutex);
}

/* Remove the trajectories that the filter left out, whose id is NULL. */
static void
drop_left_out(struct scored_panel *panel)
{
    size_t n = 0;
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        if (panel->trajectories[i].about.id.data) {
            if (n != i)
                panel->trajectories[n] = panel->trajectories[i];
            n++;
        } else {
            arena_clear(&panel->trajectories[i].arena);
        }
    }
    panel->n_left_out = panel->n_trajectories - n;
    panel->n_trajectories = n;
}

/* ---- Opening ------------------------------------------------------------------------------- */

int
panel_choose_facts(struct store_reader *reader, struct arena *arena, struct store_key *out,
                   struct err *err)
{
    struct store_key *keys;
    size_t n;
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint wanted = analyzer_fingerprint(&limits);
    if (store_list_fingerprints(reader, arena, &keys, &n, err) < 0)
        return -1;
    memcpy(out->bytes, wanted.bytes, sizeof(out->bytes));
    for (size_t i = 0; i < n; i++)
        if (memcmp(keys[i].bytes, wanted.bytes, sizeof(wanted.bytes)) == 0)
            return 0;
    if (n > 1)
        return err_set(
            err, ERR_INPUT,
            "the store holds %zu sets of facts, none with this program's default limits; "
            "mine again, or drop the old sets with `strata store compact`",
            n);
    if (n == 1)
        *out = keys[0];
    return 0;
}

static int
list_trajectories(struct scored_panel *panel, struct store_reader *reader, struct err *err)
{
    struct bytes *ids;
    size_t n;
    if (store_list_trajectories(reader, &panel->arena, &ids, &n, err) < 0)
        return -1;
    panel->trajectories = ARENA_ARRAY(&panel->arena, n, struct scored_trajectory);
    if (!panel->trajectories)
        return err_nomem(err, "trajectories");
    for (size_t i = 0; i < n; i++) {
        panel->trajectories[i].about.id = ids[i];
        arena_init(&panel->trajectories[i].arena, 0);
    }
    panel->n_trajectories = n;
    return 0;
}

/* Set *OUT to the number of threads: N_WANTED, but at most one per trajectory of STORE. */
static int
count_threads(struct store *store, size_t n_wanted, size_t *out, struct err *err)
{
    struct store_reader *reader;
    struct arena arena;
    struct bytes *ids;
    *out = n_wanted;
    if (n_wanted == 1)
        return 0;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    arena_init(&arena, 0);
    int rc = store_list_trajectories(reader, &arena, &ids, out, err);
    arena_clear(&arena);
    store_reader_close(reader);
    *out = *out < 1 ? 1 : *out < n_wanted ? *out : n_wanted;
    return rc;
}

/* Score the trajectories in the snapshot of the readers. */
static int
score_all(struct work *work, size_t n_readers, struct err *err)
{
    struct store_reader *reader = work->readers[0];
    struct scored_panel *panel = work->panel;
    const struct panel_options *options = work->options;
    const struct panel_rules *rules = work->walk.rules;
    struct store_index *index;
    if (panel_choose_facts(reader, &panel->arena, &panel->facts, err) < 0 ||
        list_trajectories(panel, reader, err) < 0 ||
        store_index_create(reader, &panel->facts, rules->has_group ? &rules->group : NULL, &index,
                           err) < 0)
        return -1;
    work->index = index;
    work->walk.facts = panel->facts;
    work->walk.paths = (struct path_choice){&options->profile->source, options->filter.files};
    progress_add_total(options->progress, panel->n_trajectories);
    thread_pool_run(n_readers, run_thread, work);
    store_index_destroy(index);
    if (atomic_load(&work->failed)) {
        *err = work->err;
        return -1;
    }
    return stop_requested() ? err_set(err, ERR_STOPPED, "stopped before all was scored") : 0;
}

int
scored_panel_create(struct store *store, const struct panel_options *options,
                    const struct panel_rules *rules, const struct scorer *const *scorers,
                    size_t n_scorers, struct scored_panel **out, struct err *err)
{
    size_t n_readers;
    if (count_threads(store, options->n_jobs ? options->n_jobs : thread_pool_default_size(),
                      &n_readers, err) < 0)
        return -1;
    struct scored_panel *panel = calloc(1, sizeof(*panel));
    if (!panel)
        return err_nomem(err, "panel");
    arena_init(&panel->arena, 0);
    struct work work = {.panel = panel,
                        .options = options,
                        .readers = ARENA_ARRAY(&panel->arena, n_readers, struct store_reader *),
                        .walk = {.rules = rules, .scorers = scorers, .n_scorers = n_scorers},
                        .mutex = PTHREAD_MUTEX_INITIALIZER};
    int rc = work.readers ? store_readers_open(store, n_readers, work.readers, err)
                          : err_nomem(err, "panel");
    if (rc == 0) {
        rc = score_all(&work, n_readers, err);
        store_readers_close(work.readers, n_readers);
    }
    pthread_mutex_destroy(&work.mutex);
    drop_left_out(panel);
    if (rc < 0) {
        scored_panel_destroy(panel);
        return -1;
    }
    *out = panel;
    return 0;
}

size_t
scored_panel_count_without_hits(const struct scored_panel *panel)
{
    size_t n = 0;
    for (size_t i = 0; i < panel->n_trajectories; i++)
        for (size_t k = 0; k < panel->trajectories[i].n_checkpoints; k++)
            n += panel->trajectories[i].checkpoints[k].scores->files_without_hits > 0;
    return n;
}

void
scored_panel_note(const struct scored_panel *panel, struct buf *notes)
{
    for (size_t i = 0; i < panel->n_trajectories; i++) {
        const struct scored_trajectory *trajectory = &panel->trajectories[i];
        if (trajectory->problem)
            buf_printf(notes, "%.*s: %s\n", BYTES_ARG(trajectory->about.id), trajectory->problem);
    }
    size_t n_without_hits = scored_panel_count_without_hits(panel);
    if (n_without_hits)
        buf_printf(notes,
                   "%zu checkpoints have files that the rules were not run on, and so no "
                   "verbosity: mine again\n",
                   n_without_hits);
}

void
scored_panel_destroy(struct scored_panel *panel)
{
    if (!panel)
        return;
    for (size_t i = 0; i < panel->n_trajectories; i++)
        arena_clear(&panel->trajectories[i].arena);
    arena_clear(&panel->arena);
    free(panel);
}
