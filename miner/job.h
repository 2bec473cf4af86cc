/*
 * Job: one repository from its folder to its trajectory.
 *
 *   begin (open, choose commits) -> { plan a batch -> analyse its slices -> write it } ... -> end
 *
 * The threads of a run are its members, numbered from 0; member 0 is the caller's thread.  Any one
 * member begins and plans a job, all members analyse its slices, and only member 0 writes.
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

/* What the jobs of a run share; immutable while they run. */
struct job_context {
    const struct miner_options *options;
    const struct source_filter *filter;
    struct store *store;
    const struct markers *markers;
    struct bytes params;          /* JSON, as in struct store_trajectory */
    struct store_key fingerprint; /* of facts */
    struct run_rules rules;
    size_t plan_bytes;   /* most bytes of a batch */
    size_t reader_bytes; /* of packs kept in memory, for each handle of a repository */
    size_t n_members;    /* threads */
};

struct job {
    const struct job_context *context;
    const struct miner_repository *spec;
    struct miner_result *result;
    struct arena arena; /* what lives as long as the job */
    struct repo repo;
    bool is_open;
    struct objects_budget budget; /* of all handles */
    struct objects **handles;     /* one for each thread; NULL until it is used */

    bool keeps_stored;  /* the store has checkpoints of it, which a failure must not lose */
    bool is_announced;  /* the store says that it is unfinished, or need not */
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

    size_t n_unwritten; /* results of the batch that are not written, with the planner's own */

    /* guarded by the mutex of the run */
    size_t next_slice; /* the next one to analyse */
    size_t n_slices;
    bool wants_plan; /* a batch was written and commits are left */
};

/* Create a job for SPEC, which is not begun yet.  CONTEXT, SPEC and RESULT are borrowed.  *OUT is
 * the caller's, to job_destroy.  0, or -1 with ERR_NOMEM. */
int job_create(const struct job_context *context, const struct miner_repository *spec,
               struct miner_result *result, struct job **out, struct err *err);
/* Close the repository of JOB and free JOB.  NULL is fine. */
void job_destroy(struct job *job);

/*
 * Open the repository and choose its commits; an earlier run may decide which.  If the repository
 * cannot be used, result->status is SKIPPED.  0, or -1: the run must end.
 */
int job_begin(struct job *job, size_t member, struct err *err);
/* Plan the next batch.  A commit that cannot be listed goes into the notes.  0, or -1: the run must
 * end. */
int job_plan(struct job *job, size_t member, struct err *err);
/* The object database of JOB for the thread MEMBER, opened when it is first used.  It belongs to
 * JOB.  NULL with ERR. */
struct objects *job_objects(struct job *job, size_t member, struct err *err);

/* The functions below are for member 0. */
/* Make sure that the store has the trajectory as unfinished. */
int job_announce(struct job *job, struct store_writer *writer, struct err *err);
/* Put the listings of the batch, whose blobs were all put, and reset the plan. */
int job_write_batch(struct job *job, struct store_writer *writer, struct err *err);
/* Put the trajectory and set the result. */
int job_end(struct job *job, struct store_writer *writer, struct err *err);

/* Are commits left that no batch has planned yet? */
static inline bool
job_has_more(const struct job *job)
{
    return job->next_pick < job->n_picks;
}

/* Is there nothing to write, because it was done before or cannot be used? */
static inline bool
job_is_settled(const struct job *job)
{
    return job->result->was_done || job->result->status == STORE_STATUS_SKIPPED;
}

#endif
