/*
 * runner: coding-agent runs to trajectories.
 *
 * Reads the output layout of SlopCodeBench: each problem of a run becomes a trajectory of kind
 * "agent", each checkpoint a listing of its snapshot's Python files and the record of its tests,
 * cost and tokens.  Snapshots are hashed to git blob ids and analysed as a repository's blobs are.
 * May include intake, git, analyzer, store, manifests and base.  Computes no score.
 *
 * Threads: one thread calls these functions; they use as many threads as their options say.
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
    /* Either folders on disk, each a run or a folder above some ... */
    const char *const *paths;
    size_t n_paths;
    /* ... or the folder PREFIX (empty: the root) of REVISION (empty: HEAD) of a repository. */
    const char *repository; /* NULL: the paths above */
    struct bytes revision;
    struct bytes prefix;

    bool after_step; /* also the trees after a run's extra step, as trajectories of their own */
    struct analyzer_options analyzer;
    size_t n_jobs;             /* at least 1 */
    struct progress *progress; /* may be NULL */
};

/* What became of one run. */
struct runner_run {
    struct bytes place; /* where it was found */
    struct bytes name;  /* "model/folder", which its trajectories' ids begin with */
    uint64_t n_problems;
    uint64_t n_new; /* of these: trajectories that the store lacked, or had with other content */
    uint64_t n_checkpoints;
    uint64_t n_trees;                /* of these: have a snapshot */
    uint64_t n_empty;                /* of these: without a Python file */
    uint64_t n_files;                /* listed in all of them */
    uint64_t n_analysed;             /* blobs for which the store lacked something */
    uint64_t n_taken_over;           /* of these: hits of unchanged rules were kept */
    uint64_t n_bytes;                /* of source in these */
    uint64_t n_records;              /* lines of checkpoint_results.jsonl */
    uint64_t n_made_records;         /* checkpoints without one, whose record was made */
    uint64_t n_duplicates, n_broken; /* lines of records: replaced by a later one; not readable */
    uint64_t n_after_step;           /* trees after the extra step, taken if requested */
    uint64_t n_notes;
};

struct runner_report {
    size_t n_found;          /* runs that were found */
    struct runner_run *runs; /* taken, in order of their places */
    size_t n_runs;
    uint32_t n_fresh_rules;   /* run on blobs whose other hits were kept */
    size_t n_unusable;        /* runs and paths that could not be used at all */
    struct store_note *notes; /* what was odd or left out, and why, by place */
    size_t n_notes;
    uint64_t n_notes_lost; /* made, but not kept */
    struct arena arena;    /* holds all of it */
};

/*
 * Take the runs into STORE; with STORE NULL, only find them.  A run that was taken before and has
 * not changed adds nothing; a problem that has changed replaces its trajectory.  What the store
 * holds in the end does not depend on n_jobs, on the order of the paths or on how often the work
 * was stopped. A run that cannot be used gets a note.  *out is the caller's, to
 * runner_report_destroy.
 *
 * A trajectory's id is "model/folder of the run/problem".  A checkpoint's time is the end of its
 * agent's work, by the clock of its machine.  Its record is its line of checkpoint_results.jsonl
 * unchanged (a bare Infinity included), or one made from its files.
 *
 * -1: the repository or revision cannot be read, the store cannot be written, ERR_NOMEM, or
 * ERR_STOPPED; what was written is kept.
 */
int runner_ingest(const struct runner_ingest_options *options, struct store *store,
                  struct runner_report **out, struct err *err);
/* Free REPORT.  NULL is fine. */
void runner_report_destroy(struct runner_report *report);

/* ---- The setup of a run -------------------------------------------------------------------- */

struct runner_problem {
    struct bytes name;
    uint64_t n_checkpoints; /* configured; 0: not known */
};

/* Texts are empty where the run does not say. */
struct runner_setup {
    struct bytes model, variant, run, prompt, thinking, agent_type, agent_version;
    const struct runner_problem *problems; /* that the run was configured with */
    size_t n_problems;
};

/*
 * Read the setup of the run in the folder PATH into ARENA.  What is odd is added to NOTES, a line
 * each.  ERR_INPUT when there is no such folder, ERR_NOMEM.
 */
int runner_read_setup(const char *path, struct arena *arena, struct runner_setup *out,
                      struct buf *notes, struct err *err);

#endif
