/*
 * runner: coding-agent runs to trajectories.
 *
 * Reads what SlopCodeBench leaves behind: each problem of a run becomes a trajectory of kind
 * "agent", each checkpoint a listing of its snapshot's Python files and the record of its tests,
 * cost and tokens.  Snapshots are hashed to git blob ids and analysed as a repository's blobs are.
 * May include analyzer, store, manifests, base.  Computes no score.
 *
 * Threads: every function may be called from one thread at a time; inside they use as many as they
 * are told.
 */
#ifndef STRATA_RUNNER_RUNNER_H
#define STRATA_RUNNER_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/analyzer.h"
#include "intake/intake.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/progress.h"
#include "store/store.h"

struct runner_ingest_options {
    /* Either folders on disk, each a run or with runs somewhere in it ... */
    const char *const *paths;
    size_t n_paths;
    /* ... or the folder PREFIX (empty: the root) of REVISION (empty: HEAD) of a repository. */
    const char *repository; /* NULL: the paths above */
    struct bytes revision;
    struct bytes prefix;

    bool after_step; /* the trees after a run's extra step too, as trajectories of their own */
    struct analyzer_options analyzer;
    size_t n_jobs;             /* at least 1 */
    struct progress *progress; /* may be NULL */
};

/* What became of one run. */
struct runner_run {
    struct bytes place; /* where it was found */
    struct bytes name;  /* "model/folder", which its trajectories' ids begin with */
    uint64_t n_problems;
    uint64_t n_new; /* of these: trajectories the store did not hold, or not like this */
    uint64_t n_checkpoints;
    uint64_t n_trees;                /* of these: have a snapshot */
    uint64_t n_empty;                /* of these: without a Python file */
    uint64_t n_files;                /* listed in all of them */
    uint64_t n_analysed;             /* blobs of which the store lacked something */
    uint64_t n_taken_over;           /* of these: hits of rules that are as before taken over */
    uint64_t n_bytes;                /* of source in these */
    uint64_t n_records;              /* lines of checkpoint_results.jsonl */
    uint64_t n_made_records;         /* checkpoints without one, whose record was put together */
    uint64_t n_duplicates, n_broken; /* lines of records: replaced by a later one; not readable */
    uint64_t n_after_step; /* trees after the extra step: taken, or left out unless asked for */
    uint64_t n_notes;
};

struct runner_report {
    size_t n_found;          /* runs that there are to take */
    struct runner_run *runs; /* taken, in order of their places */
    size_t n_runs;
    uint32_t n_fresh_rules;   /* run where hits were taken over; the others were not */
    size_t n_unusable;        /* runs and paths of which nothing could be used */
    struct store_note *notes; /* what was odd or left out, and why, by place */
    size_t n_notes;
    uint64_t n_notes_lost; /* made, but not kept */
    struct arena arena;    /* holds all of it */
};

/*
 * Take the runs into STORE.  What was taken before and has not changed adds nothing; a problem that
 * has changed replaces its trajectory.  What the store holds in the end depends neither on n_jobs
 * nor on the order of paths nor on how often the work was stopped on the way.  A run that cannot be
 * used gets a note.  *out is the caller's, to runner_report_destroy.  STORE may be NULL to
 * only see which runs there are.
 *
 * A trajectory's id is "model/folder of the run/problem"; a checkpoint's time is when its agent
 * ended, by the clock of its machine; its record is its line of checkpoint_results.jsonl as it is
 * (bare Infinity included), else put together from its files.
 *
 * -1: the repository or revision cannot be read, the store cannot be written, ERR_NOMEM, or
 * ERR_STOPPED; what was written is kept.
 */
int runner_ingest(const struct runner_ingest_options *options, struct store *store,
                  struct runner_report **out, struct err *err);
void runner_report_destroy(struct runner_report *report);

/* ---- The setup of a run -------------------------------------------------------------------- */

struct runner_problem {
    struct bytes name;
    uint64_t n_checkpoints; /* configured; 0: the run's folder does not say */
};

/* Texts are empty where the run does not say. */
struct runner_setup {
    struct bytes model, variant, run, prompt, thinking, agent_type, agent_version;
    const struct runner_problem *problems; /* that the run was told to do */
    size_t n_problems;
};

/*
 * Read the setup of the run in the folder PATH into ARENA.  What is odd is said in WARNINGS, a line
 * each.  ERR_INPUT when there is no such folder, ERR_NOMEM.
 */
int runner_read_setup(const char *path, struct arena *arena, struct runner_setup *out,
                      struct buf *warnings, struct err *err);

#endif
