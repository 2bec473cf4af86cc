/* Which commits become checkpoints.  A trajectory that is in the store with the same parameters has
 * its say: one that is done keeps its commits as long as its head is kept; one that was stopped or
 * lacks something is sampled again from the head it was begun from, which gives the same commits
 * (and those that could not be had then). */
#include <stdlib.h>

#include "miner/history.h"
#include "miner/job.h"
#include "miner/known.h"

enum choice {
    CHOOSE_NOTHING, /* all is there */
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

/* The repository cannot be used: say so, and leave what the store has of it. */
static int
skip(struct job *job, const struct err *why, struct err *err)
{
    job->result->status = STORE_STATUS_SKIPPED;
    return notes_add(&job->notes, job->spec->id, why->text, err);
}

/* Failures of the repository are its own; those of the machine end the run. */
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
    job->keeps_stored = prior->exists && (status == STORE_STATUS_DONE ||
                                          status == STORE_STATUS_PARTIAL);
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
    return err_set(err, ERR_DAMAGED, "a stored checkpoint is named %.*s, which is no commit id",
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

/* Say what a shallow clone cannot. */
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
       const bool *leave_out, struct objects *objects, struct sample *out, struct err *err)
{
    struct compare compare;
    compare_init(&compare, objects, job->context->filter);
    int result = sample_choose(options, history, leave_out, &compare, &job->notes, out, err);
    compare_clear(&compare);
    if (result < 0)
        return -1;
    job->result->n_tested = out->n_tested;
    job->result->n_touching = out->n_touching;
    job->n_commits = history->n_commits;
    return note_cut(job, history, err);
}

static int
take_sample(struct job *job, struct objects *objects, struct err *err)
{
    const struct miner_options *options = job->context->options;
    struct sample_options how = {options->sampling, options->content_only};
    struct history history;
    struct sample picked = {0};
    if (history_walk(&job->repo, objects, &job->head, how.sampling.history, &history, err) < 0)
        return -1;
    int result = sample(job, &how, &history, NULL, objects, &picked, err);
    if (result == 0) {
        job->picks = reallocarray(NULL, picked.n_picks + 1, sizeof(*job->picks));
        if (!job->picks)
            result = err_nomem(err, "commits");
        for (size_t i = 0; result == 0 && i < picked.n_picks; i++)
            job->picks[job->n_picks++] = history.commits[picked.picks[i]].id;
    }
    sample_clear(&picked);
    history_clear(&history);
    return result;
}

/* Mark the commits of HISTORY that the history of the stored head has too.  *N_NEW are left. */
static int
mark_old(struct job *job, const struct prior *prior, struct objects *objects,
         const struct history *history, bool *is_old, size_t *n_new, struct err *err)
{
    const struct oid *old_head = &prior->trajectory.head;
    enum sampling_history order = job->context->options->sampling.history;
    struct history old = {0};
    struct map old_ids;
    if (history_walk(&job->repo, objects, old_head, order, &old, err) < 0)
        return -1;
    map_init(&old_ids);
    int result = 0;
    for (size_t i = 0; result == 0 && i < old.n_commits; i++)
        if (!map_put(&old_ids, oid_bytes(&old.commits[i].id), NULL))
            result = err_nomem(err, "history");
    bool has_old_head = false;
    *n_new = 0;
    for (size_t i = 0; i < history->n_commits; i++) {
        const struct oid *id = &history->commits[i].id;
        is_old[i] = map_get(&old_ids, oid_bytes(id)) != NULL;
        *n_new += !is_old[i];
        has_old_head |= oid_equal(id, old_head);
    }
    map_clear(&old_ids);
    history_clear(&old);
    char hex[OID_HEX_SIZE];
    if (result == 0 && !has_old_head)
        result = err_set(err, ERR_INPUT,
                         "its history was rewritten: %s, from which it was mined, is not in it any "
                         "more, so it cannot be extended; keep it or sample anew",
                         oid_to_hex(old_head, hex));
    return result;
}

/* The stored commits and the new picks, in order of the history. */
static int
merge_picks(struct job *job, const struct prior *prior, const struct history *history,
            const struct sample *picked, struct err *err)
{
    struct map chosen;
    map_init(&chosen);
    int result = take_stored(job, prior, err);
    for (size_t i = 0; result == 0 && i < job->n_picks; i++)
        if (!map_put(&chosen, oid_bytes(&job->picks[i]), NULL))
            result = err_nomem(err, "commits");
    for (size_t i = 0; result == 0 && i < picked->n_picks; i++)
        if (!map_put(&chosen, oid_bytes(&history->commits[picked->picks[i]].id), NULL))
            result = err_nomem(err, "commits");
    if (result == 0) {
        free(job->picks);
        job->n_picks = 0;
        job->picks = reallocarray(NULL, chosen.n_entries + 1, sizeof(*job->picks));
        if (!job->picks)
            result = err_nomem(err, "commits");
    }
    for (size_t i = history->n_commits; result == 0 && i-- > 0;)
        if (map_get(&chosen, oid_bytes(&history->commits[i].id)))
            job->picks[job->n_picks++] = history->commits[i].id;
    map_clear(&chosen);
    job->n_commits = history->n_commits;
    return result;
}

static int
take_extended(struct job *job, const struct prior *prior, struct objects *objects, struct err *err)
{
    const struct miner_options *options = job->context->options;
    struct sample_options how = {options->sampling, options->content_only};
    struct history history;
    struct sample picked = {0};
    if (history_walk(&job->repo, objects, &job->head, how.sampling.history, &history, err) < 0)
        return -1;
    bool *is_old = calloc(history.n_commits, sizeof(*is_old));
    size_t n_new = 0;
    int result = is_old ? mark_old(job, prior, objects, &history, is_old, &n_new, err)
                        : err_nomem(err, "history");
    if (result == 0) {
        uint64_t n_old = history.n_commits - n_new;
        uint64_t wanted = ((uint64_t)how.sampling.n_commits * n_new + n_old - 1) / n_old;
        how.sampling.n_commits = wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
        result = sample(job, &how, &history, is_old, objects, &picked, err);
    }
    if (result == 0)
        result = merge_picks(job, prior, &history, &picked, err);
    free(is_old);
    sample_clear(&picked);
    history_clear(&history);
    return result;
}

static int
take(struct job *job, enum choice choice, const struct prior *prior, size_t member,
     struct err *err)
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
    int result = load_prior(job, &known, &prior, err);
    if (result == 0 && repo_open(job->spec->path, job->spec->ref, &job->repo, &why) < 0) {
        known_clear(&known);
        return skip(job, &why, err);
    }
    job->is_open = result == 0;
    if (result == 0)
        result = choose(job, &known, &prior, &choice, err);
    known_clear(&known);
    if (result < 0)
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
