/*
 * A job and the planning of its batches.
 *
 * Planning lists commits until the memory of a batch is used, then asks the store which blobs it
 * has.  The reader of the store is open only while it asks, so that the pages of its snapshot can
 * be reused.
 */
#include "miner/job.h"

#include <assert.h>
#include <stdlib.h>

#include "base/stop.h"
#include "miner/known.h"
#include "miner/listing.h"

int
job_create(const struct job_context *context, const struct miner_repository *spec,
           struct miner_result *result, struct job **out, struct err *err)
{
    struct job *job = calloc(1, sizeof(*job));
    if (!job)
        return err_nomem(err, "repository");
    job->handles = calloc(context->n_members, sizeof(struct objects *));
    if (!job->handles) {
        free(job);
        return err_nomem(err, "repository");
    }
    job->context = context;
    job->spec = spec;
    job->result = result;
    objects_budget_init(&job->budget);
    arena_init(&job->arena, 0);
    notes_init(&job->notes, &job->arena);
    plan_init(&job->plan);
    *out = job;
    return 0;
}

void
job_destroy(struct job *job)
{
    if (!job)
        return;
    for (size_t i = 0; i < job->context->n_members; i++)
        objects_close(job->handles[i]);
    free(job->handles);
    plan_clear(&job->plan);
    if (job->is_open)
        repo_clear(&job->repo);
    free(job->picks);
    free(job->checkpoints);
    arena_clear(&job->arena);
    free(job);
}

struct objects *
job_objects(struct job *job, size_t member, struct err *err)
{
    assert(member < job->context->n_members);
    const struct objects_options options = {.verify = job->context->options->verify_objects,
                                            .memory_bytes = job->context->reader_bytes,
                                            .budget = &job->budget};
    if (!job->handles[member] &&
        objects_open(job->repo.objects_dir, &options, &job->handles[member], err) < 0)
        return NULL;
    return job->handles[member];
}

/* Add commits to the plan until the batch is full or none is left. */
static int
list_commits(struct job *job, const struct plan_sources *sources, struct err *err)
{
    while (job_has_more(job)) {
        const struct oid *commit = &job->picks[job->next_pick];
        struct err why;
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped on request");
        int added = plan_add(&job->plan, sources, commit, job->context->plan_bytes, &why);
        if (added > 0)
            return 0;
        job->next_pick++;
        if (added == 0)
            continue;
        if (why.code != ERR_DAMAGED && why.code != ERR_UNSUPPORTED) {
            *err = why;
            return -1;
        }
        char hex[OID_HEX_SIZE];
        if (notes_add(&job->notes, bytes_of_text(oid_to_hex(commit, hex)), why.text, err) < 0)
            return -1;
    }
    return 0;
}

int
job_plan(struct job *job, size_t member, struct err *err)
{
    struct objects *objects = job_objects(job, member, err);
    struct listing listing;
    struct known known;
    if (!objects)
        return -1;
    listing_init(&listing, objects, job->context->filter);
    struct plan_sources sources = {objects, &listing, job->context->markers,
                                   job->context->options->latest_s};
    int rc = list_commits(job, &sources, err);
    listing_clear(&listing);
    if (rc < 0 || known_init(&known, job->context, err) < 0)
        return -1;
    rc = plan_cut(&job->plan, objects, known_wants, &known, err);
    known_clear(&known);
    progress_add_total(job->context->options->progress, job->plan.n_order);
    return rc;
}
