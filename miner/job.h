/*
 * Job: one repository on its way from a folder to a trajectory.
 *
 * A job is begun (opened, its commits chosen), then goes round: plan a batch of checkpoints, have
 * the slices analysed, write the batch; until no commit is left, and is ended.  Beginning and
 * planning are done by whichever thread has picked the job; slices by many; writing by one.
 */
#ifndef STRATA_MINER_JOB_H
#define STRATA_MINER_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "miner/markers.h"
#include "miner/miner.h"
#include "intake/notes.h"
#include "intake/intake.h"
#include "git/objects.h"
#include "miner/plan.h"
#include "git/repo.h"
#include "miner/sample.h"
#include "store/store.h"

/* What all jobs of a run share and nobody changes. */
struct job_context {
    const struct miner_options *options;
    const struct source_filter *filter;
    struct store *store;
    const struct markers *markers;
    struct bytes params;          /* JSON, as in struct store_trajectory */
    struct store_key fingerprint; /* of facts */
    struct run_rules rules;
    size_t plan_bytes;   /* at most, in a batch */
    size_t reader_bytes; /* of packs kept in memory, for each handle of a repository */
    size_t n_members;    /* threads */
};

struct job {
    const struct job_context *context;
    const struct miner_repository *spec;
    struct miner_result *result;
    struct arena arena; /* of what lives until the end */
    struct repo repo;
    bool is_open;
    struct objects_budget budget; /* of all handles */
    struct objects **handles;     /* one a thread, opened when first used; NULL until then */

    bool keeps_stored;  /* the store has checkpoints of it that must not be lost to a failure */
    bool is_announced;  /* the store knows that it is under way, or does not have to */
    struct oid head;    /* the commit the sampling started from */
    uint64_t n_commits; /* walked */
    struct oid *picks;  /* commits still to become checkpoints, oldest first */
    size_t n_picks;
    size_t next_pick;
    struct notes notes;                   /* of the trajectory */
    struct store_checkpoint *checkpoints; /* finished, in order */
    size_t n_checkpoints;
    size_t checkpoints_capacity;
    bool has_partial; /* some checkpoint lacks something */
    struct plan plan; /* the batch under way */

    size_t n_unwritten; /* results of the batch to come, the planner's own one among them */

    /* guarded by the mutex of the run */
    size_t next_slice; /* to hand out, below n_slices */
    size_t n_slices;
    bool wants_plan; /* a batch is written and commits are left */
};

/* A job for SPEC, not yet begun.  *out is the caller's, to job_destroy. */
int job_create(const struct job_context *context, const struct miner_repository *spec,
               struct miner_result *result, struct job **out, struct err *err);
void job_destroy(struct job *job);

/*
 * Open the repository and choose its commits: those of an earlier run where there was one.  A
 * repository that cannot be used ends with result->status SKIPPED.  -1: the run cannot go on.
 */
int job_begin(struct job *job, size_t member, struct err *err);
/* Plan the next batch of the picks; a commit that cannot be listed goes into the notes. */
int job_plan(struct job *job, size_t member, struct err *err);
/* The object database for the thread MEMBER. */
struct objects *job_objects(struct job *job, size_t member, struct err *err);

/* The thread that writes: make sure that the store knows of the job. */
int job_announce(struct job *job, struct store_writer *writer, struct err *err);
/* Put the listings of the batch, whose blobs have all been put, and let go of the plan. */
int job_write_batch(struct job *job, struct store_writer *writer, struct err *err);
/* Put the trajectory and fill in the result. */
int job_end(struct job *job, struct store_writer *writer, struct err *err);

static inline bool
job_has_more(const struct job *job)
{
    return job->next_pick < job->n_picks;
}

/* Nothing is to be written: it was done before, or could not be used. */
static inline bool
job_is_settled(const struct job *job)
{
    return job->result->was_done || job->result->status == STORE_STATUS_SKIPPED;
}

#endif
