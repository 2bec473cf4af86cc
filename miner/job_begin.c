/*
 * Choosing the commits of a job.
 *
 * It depends on what the store has of the trajectory with the same parameters:
 * 1. One that is done keeps its commits as long as its head is kept.
 * 2. One that was stopped or lacks something is sampled again from the head that it was sampled
 * from, which gives the same commits, also those that could not be read then.
 * 3. One whose head has moved is kept, extended or sampled again, as the options say.
 */
#include <stdlib.h>

#include "git/history.h"
#include "miner/job.h"
#include "miner/known.h"

enum choice {
    CHOOSE_NOTHING, /* everything is there */
    CHOOSE_STORED,  /* the commits of the stored checkpoints */
    CHOOSE_SAMPLE,  /* sample from job->head */
    CHOOSE_EXTEND   /* the stored ones, and a sample of what came after them */
};

/* What the store had when the job began. */
struct prior {
    bool exists;
    struct store_trajectory trajectory;
    struct store_checkpoint *checkpoints;
    size_t n_checkpoints;
};

static enum history_extent
extent_of(enum sampling_history history)
{
    return history == HISTORY_FIRST_PARENT ? HISTORY_CHAIN : HISTORY_WHOLE;
}

/* The repository cannot be used: add a note, and keep what the store has of it. */
static int
skip(struct job *job, const struct err *why, struct err *err)
{
    job->result->status = STORE_STATUS_SKIPPED;
    return notes_add(&job->notes, job->spec->id, why->text, err);
}

/* Is ERR about this repository, so that the run can continue with the others?  A failure of the
 * machine ends the run. */
static bool
is_fault_of_repository(const struct err *err)
{
    return err->code == ERR_INPUT || err->code == ERR_DAMAGED || err->code == ERR_UNSUPPORTED;
}

static int
load_prior(struct job *job, struct known *known, struct prior *prior, struct err *err)
{
    int found = known_trajectory(known, job->spec->id, &job->arena, &prior->trajectory, err);
    if (found <= 0)
        return found;
    if (known_checkpoints(known, job->spec->id, &job->arena, &prior->checkpoints,
                          &prior->n_checkpoints, err) < 0)
        return -1;
    enum store_status status = prior->trajectory.status;
    prior->exists = prior->trajectory.head.len > 0 && status != STORE_STATUS_SKIPPED &&
                    prior->n_checkpoints == prior->trajectory.n_checkpoints;
    job->keeps_stored =
        prior->exists && (status == STORE_STATUS_DONE || status == STORE_STATUS_PARTIAL);
    return 0;
}

static int
choose(struct job *job, struct known *known, const struct prior *prior, enum choice *out,
       struct err *err)
{
    struct miner_result *result = job->result;
    job->head = job->spec->pinned.len ? job->spec->pinned : job->repo.head;
    *out = CHOOSE_SAMPLE;
    if (!prior->exists)
        return 0;
    const struct oid *stored_head = &prior->trajectory.head;
    bool has_moved = !oid_equal(stored_head, &job->head);
    enum miner_moved moved = job->context->options->moved;
    if (has_moved && moved == MINER_MOVED_EXTEND && job->keeps_stored) {
        *out = CHOOSE_EXTEND;
        return 0;
    }
    if (has_moved && moved != MINER_MOVED_KEEP)
        return 0;
    result->has_moved = has_moved;
    job->head = *stored_head;
    if (prior->trajectory.status != STORE_STATUS_DONE)
        return 0;
    int whole = known_is_whole(known, prior->checkpoints, prior->n_checkpoints, &result->n_files,
                               &result->n_blobs, err);
    *out = whole > 0 ? CHOOSE_NOTHING : CHOOSE_STORED;
    return whole < 0 ? -1 : 0;
}

/* ---- The four ways ------------------------------------------------------------------------- */

static int
take_nothing(struct job *job, const struct prior *prior)
{
    job->result->was_done = true;
    job->result->status = prior->trajectory.status;
    job->result->n_checkpoints = prior->n_checkpoints;
    job->result->n_commits = prior->trajectory.n_commits;
    return 0;
}

static int
commit_of(const struct store_checkpoint *checkpoint, struct oid *out, struct err *err)
{
    if (oid_from_hex(checkpoint->name, out) == 0)
        return 0;
    return err_set(err, ERR_DAMAGED, "a stored checkpoint is named %.*s, which is not a commit id",
                   BYTES_ARG(checkpoint->name));
}

static int
take_stored(struct job *job, const struct prior *prior, struct err *err)
{
    job->picks = reallocarray(NULL, prior->n_checkpoints + 1, sizeof(*job->picks));
    if (!job->picks)
        return err_nomem(err, "commits");
    for (size_t i = 0; i < prior->n_checkpoints; i++)
        if (commit_of(&prior->checkpoints[i], &job->picks[job->n_picks++], err) < 0)
            return -1;
    job->n_commits = prior->trajectory.n_commits;
    return 0;
}

/* Note that a shallow clone lacks history. */
static int
note_cut(struct job *job, const struct history *history, struct err *err)
{
    if (history->n_cut == 0)
        return 0;
    char *why = arena_format(&job->arena,
                             "the clone is shallow: the history ends at %zu commits whose parents "
                             "are not here",
                             history->n_cut);
    return why ? notes_add(&job->notes, BYTES("history"), why, err) : err_nomem(err, "notes");
}

static int
sample(struct job *job, const struct sample_options *options, const struct history *history,
       const struct spill *leave_out, struct objects *objects, struct sample *out, struct err *err)
{
    struct compare compare;
    compare_init(&compare, objects, job->context->filter);
    int rc = sample_choose(options, history, leave_out, &compare, &job->notes, out, err);
    compare_clear(&compare);
    if (rc < 0)
        return -1;
    job->result->n_commits = history->n_commits; /* for a run that is stopped before its end */
    job->result->n_tested = out->n_tested;
    job->result->n_touching = out->n_touching;
    job->n_commits = history->n_commits;
    progress_add_aside(job->context->options->progress, "commits", history->n_commits);
    return note_cut(job, history, err);
}

static int
take_sample(struct job *job, struct objects *objects, struct err *err)
{
    const struct miner_options *options = job->context->options;
    struct sample_options how = {options->sampling, options->content_only};
    struct history history;
    struct sample picked = {0};
    if (history_walk(&job->repo, objects, &job->head, extent_of(how.sampling.history), &history,
                     err) < 0)
        return -1;
    int rc = sample(job, &how, &history, NULL, objects, &picked, err);
    job->picks = picked.picks;
    job->n_picks = picked.n_picks;
    history_clear(&history);
    return rc;
}

/* Map the ids of HISTORY to their places. */
static int
map_ids(const struct history *history, struct id_map *out, struct err *err)
{
    for (size_t i = 0; i < history->n_commits; i++) {
        struct history_commit commit;
        if (history_get(history, i, &commit, err) < 0 ||
            id_map_set(out, &commit.id, (uint32_t)i, err) < 0)
            return -1;
    }
    return 0;
}

/* Set IS_OLD[i] if commit i of HISTORY is in OLD_IDS; *N_NEW are not. */
static int
mark_shared(const struct history *history, const struct id_map *old_ids, struct spill *is_old,
            size_t *n_new, struct err *err)
{
    *n_new = 0;
    for (size_t i = 0; i < history->n_commits; i++) {
        struct history_commit commit;
        uint32_t place;
        if (history_get(history, i, &commit, err) < 0)
            return -1;
        int found = id_map_get(old_ids, &commit.id, &place, err);
        bool is_shared = found == 1;
        if (found < 0 || spill_add(is_old, &is_shared, err) < 0)
            return -1;
        *n_new += !is_shared;
    }
    return 0;
}

/* Mark the commits of HISTORY, whose ids are IDS, that are also in the history of the stored head.
 */
static int
mark_old(struct job *job, const struct prior *prior, struct objects *objects,
         const struct history *history, const struct id_map *ids, struct spill *is_old,
         size_t *n_new, struct err *err)
{
    const struct oid *old_head = &prior->trajectory.head;
    enum sampling_history order = job->context->options->sampling.history;
    struct history old;
    struct id_map old_ids;
    uint32_t place;
    if (history_walk(&job->repo, objects, old_head, extent_of(order), &old, err) < 0)
        return -1;
    id_map_init(&old_ids);
    int rc = map_ids(&old, &old_ids, err);
    if (rc == 0)
        rc = mark_shared(history, &old_ids, is_old, n_new, err);
    id_map_clear(&old_ids);
    history_clear(&old);
    int found = rc == 0 ? id_map_get(ids, old_head, &place, err) : -1;
    char hex[OID_HEX_SIZE];
    if (found == 0)
        err_set(err, ERR_INPUT,
                "its history was rewritten: %s, from which it was mined, is not in it any more, so "
                "it cannot be extended; keep it, or sample it again with --moved anew",
                oid_to_hex(old_head, hex));
    return found > 0 ? 0 : -1;
}

struct placed_pick {
    struct oid id;
    uint32_t place; /* in the history, which is newest first */
};

static int
compare_placed(const void *a, const void *b)
{
    const struct placed_pick *x = a, *y = b;
    return x->place < y->place ? 1 : x->place > y->place ? -1 : 0;
}

/* Merge job->picks, the stored commits, with the newly picked ones in the order of the history. */
static int
merge_picks(struct job *job, const struct id_map *ids, const struct sample *picked, struct err *err)
{
    size_t n_stored = job->n_picks, n = n_stored + picked->n_picks, n_placed = 0;
    struct placed_pick *placed = reallocarray(NULL, n + 1, sizeof(*placed));
    struct oid *picks = reallocarray(job->picks, n + 1, sizeof(*picks));
    if (picks)
        job->picks = picks;
    int found = placed && picks ? 0 : err_nomem(err, "commits");
    for (size_t i = 0; found >= 0 && i < n; i++) {
        placed[n_placed].id = i < n_stored ? job->picks[i] : picked->picks[i - n_stored];
        found = id_map_get(ids, &placed[n_placed].id, &placed[n_placed].place, err);
        n_placed += found > 0;
    }
    if (found >= 0) {
        qsort(placed, n_placed, sizeof(*placed), compare_placed);
        job->n_picks = 0;
        for (size_t i = 0; i < n_placed; i++)
            job->picks[job->n_picks++] = placed[i].id;
    }
    free(placed);
    return found < 0 ? -1 : 0;
}

/* Sample the commits of HISTORY, whose ids are IDS, that are newer than the stored head, at the
 * stored rate. */
static int
extend(struct job *job, const struct prior *prior, struct objects *objects,
       const struct history *history, const struct id_map *ids, struct err *err)
{
    const struct miner_options *options = job->context->options;
    struct sample_options how = {options->sampling, options->content_only};
    struct sample picked = {0};
    struct spill is_old;
    size_t n_new = 0;
    spill_init(&is_old, sizeof(bool));
    int rc = mark_old(job, prior, objects, history, ids, &is_old, &n_new, err);
    if (rc == 0) {
        uint64_t n_old = history->n_commits - n_new;
        uint64_t wanted = ((uint64_t)how.sampling.n_commits * n_new + n_old - 1) / n_old;
        how.sampling.n_commits = wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
        rc = sample(job, &how, history, &is_old, objects, &picked, err);
    }
    spill_clear(&is_old);
    if (rc == 0)
        rc = take_stored(job, prior, err);
    if (rc == 0)
        rc = merge_picks(job, ids, &picked, err);
    sample_clear(&picked);
    job->n_commits = history->n_commits;
    return rc;
}

static int
take_extended(struct job *job, const struct prior *prior, struct objects *objects, struct err *err)
{
    enum sampling_history order = job->context->options->sampling.history;
    struct history history;
    struct id_map ids;
    if (history_walk(&job->repo, objects, &job->head, extent_of(order), &history, err) < 0)
        return -1;
    id_map_init(&ids);
    int rc = map_ids(&history, &ids, err);
    if (rc == 0)
        rc = extend(job, prior, objects, &history, &ids, err);
    id_map_clear(&ids);
    history_clear(&history);
    return rc;
}

static int
take(struct job *job, enum choice choice, const struct prior *prior, size_t member, struct err *err)
{
    if (choice == CHOOSE_NOTHING)
        return take_nothing(job, prior);
    if (choice == CHOOSE_STORED)
        return take_stored(job, prior, err);
    struct objects *objects = job_objects(job, member, err);
    if (!objects)
        return -1;
    return choice == CHOOSE_SAMPLE ? take_sample(job, objects, err)
                                   : take_extended(job, prior, objects, err);
}

int
job_begin(struct job *job, size_t member, struct err *err)
{
    struct known known;
    struct prior prior = {0};
    enum choice choice = CHOOSE_SAMPLE;
    struct err why = {0};
    if (known_init(&known, job->context, err) < 0)
        return -1;
    int rc = load_prior(job, &known, &prior, err);
    if (rc == 0 && repo_open(job->spec->path, job->spec->ref, &job->repo, &why) < 0) {
        known_clear(&known);
        return skip(job, &why, err);
    }
    job->is_open = rc == 0;
    if (rc == 0)
        rc = choose(job, &known, &prior, &choice, err);
    known_clear(&known);
    if (rc < 0)
        return -1;
    job->result->has_grafts = job->repo.has_grafts || job->repo.has_replacements;
    job->is_announced = job->keeps_stored || choice == CHOOSE_NOTHING;
    if (take(job, choice, &prior, member, &why) == 0)
        return 0;
    if (is_fault_of_repository(&why))
        return skip(job, &why, err);
    *err = why;
    return -1;
}
