/*
 * Study: trajectories in the form that reports use, whether they come from a store or from records.
 *
 * A point is a checkpoint with its measures, NaN for those that it does not have.  A point is kept
 * if its quality counts: its snapshot has source lines and was measured.  Points that are not kept
 * still count for correctness and cost.
 */
#ifndef STRATA_AGGREGATE_REPORT_STUDY_STUDY_H
#define STRATA_AGGREGATE_REPORT_STUDY_STUDY_H

#include "aggregate/panel/scored_panel.h"
#include "aggregate/report.h"
#include "aggregate/records/record.h"
#include "aggregate/stats/series.h"

/* X(MEASURE_..., name, meaning): what reports compare between checkpoints. */
/* clang-format off */
#define MEASURES(X)                                                              \
    X(VERBOSITY, "verbosity", "verbosity as the profile defines it")             \
    X(EROSION, "erosion", "share of mass in callables of high complexity")       \
    X(PHYSICAL_LOC, "loc", "physical lines")                                     \
    X(CC_MEAN, "cc_mean", "mean cyclomatic complexity")                          \
    X(CC_MAX, "cc_max", "largest cyclomatic complexity")                         \
    X(HIGH_COUNT, "high_count", "callables of high complexity")                  \
    X(CLONE_RATIO, "clone_ratio", "physical lines in clones per physical line")  \
    X(HIT_RATIO, "hit_ratio", "rule hits per physical line")                     \
    X(RULE_SHARE, "rule_share", "source lines that rules flag, per source line") \
    X(CLONE_SHARE, "clone_share", "source lines in clones, per source line")     \
    X(STATEMENT_SHARE, "statement_share",                                        \
      "source lines of hits that are not whole functions, per source line")      \
    X(FUNCTION_SHARE, "function_share",                                          \
      "source lines of hits that are whole functions, per source line")
/* clang-format on */

enum measure {
#define MEASURE_ENUM(id, name, meaning) MEASURE_##id,
    MEASURES(MEASURE_ENUM)
#undef MEASURE_ENUM
        MEASURE_N
};

/* "verbosity" and so on; static. */
const char *measure_name(enum measure measure);

struct point {
    double x; /* number of an agent's checkpoint; ordinal + 1 of a commit */
    bool is_kept;
    bool is_of_record; /* the measures are those of the record, not of the snapshot */
    double measures[MEASURE_N];
    bool has_time;
    int64_t time_s; /* committer date, seconds since 1970 */
    enum store_author_date author_date;
    int64_t author_time_s;
    bool is_assisted;
    const struct record *record; /* of an agent's checkpoint; NULL if there is none */
};

/* A repository, or an agent's run on one problem. */
struct trajectory {
    struct bytes id;
    bool is_agent;
    bool has_tier;
    enum tier tier;
    struct run_setup setup; /* of agents, also below */
    struct bytes problem;
    bool is_after_step;    /* its snapshots are those after the run's extra step */
    uint32_t n_configured; /* checkpoints of the problem; of a repository, its points */
    struct point *points;  /* agents: by x; repositories: by date */
    size_t n_points;
    size_t n_undated; /* commits left out because they have no date that can be real */
    bool is_compared; /* of an agent, and its run is compared (see agent_run.is_best) */
};

/* An agent run: its trajectories and what it solved. */
struct agent_run {
    struct trajectory **trajectories; /* by problem */
    size_t n_trajectories;
    struct run_setup setup;
    size_t n_records, n_problems;    /* checkpoints and problems with a record */
    uint64_t n_expected;             /* configured checkpoints of the problems it has */
    uint64_t strict, isolated, core; /* checkpoints solved */
    uint64_t partial, solved;        /* problems */
    double cost;                     /* of all checkpoints; NaN if no record has it */
    bool is_after_step;              /* as its trajectories */
    bool is_best; /* the best run of its model with the baseline prompt, or every run counts */
};

struct study {
    struct trajectory *trajectories; /* by id */
    size_t n_trajectories;
    struct agent_run *runs; /* by setup */
    size_t n_runs;
    size_t n_twice;      /* trajectories of records left out because the store has them */
    size_t n_duplicates; /* records left out because a later one is of the same checkpoint */
    struct arena arena;
};

/*
 * Create a study of the scores by scorer number SCORER of PANEL, and of RECORDS.  Either may be
 * NULL; both are borrowed for the life of the study.  *out is the caller's, to study_destroy.  0,
 * or -1 with ERR_NOMEM.
 */
int study_create(const struct study_options *options, const struct scored_panel *panel,
                 size_t scorer, const struct records *records, struct study **out, struct err *err);
/* Free STUDY; NULL is fine. */
void study_destroy(struct study *study);

/* ---- Queries ------------------------------------------------------------------------------- */

/* The last point that is kept: of a repository the newest commit that counts.  NULL if none is. */
const struct point *trajectory_head(const struct trajectory *trajectory);
/* Append MEASURE of the kept points to Y and their x to X, which may be NULL.  Of a repository, x
 * is 1, 2, ... in order of dates. */
void trajectory_series(const struct trajectory *trajectory, enum measure measure, struct series *x,
                       struct series *y);
/* Is A better than B: more isolated checkpoints solved, then core, then strict, then a lower cost
 * per checkpoint?  Counts are compared, not rates: a run of one easy problem is not the best. */
bool agent_run_is_better(const struct agent_run *a, const struct agent_run *b);
/* Find the agent runs among the trajectories and the best of each model; the last step of
 * study_create.  0, or -1 with ERR_NOMEM. */
int study_find_runs(struct study *study, const struct study_options *options, struct err *err);

#endif
