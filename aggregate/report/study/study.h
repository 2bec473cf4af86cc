/*
 * Study: trajectories as the reports read them, whether they come from a store or from records.
 *
 * A point is one checkpoint with its measures, NaN where one is absent.  A point is kept when its
 * quality counts: its snapshot has source lines and could be measured.  What was not kept stays for
 * correctness and cost.
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
    X(CLONE_SHARE, "clone_share", "source lines in clones, per source line")
/* clang-format on */

enum measure {
#define MEASURE_ENUM(id, name, meaning) MEASURE_##id,
    MEASURES(MEASURE_ENUM)
#undef MEASURE_ENUM
        MEASURE_N
};

/* "verbosity" and so on. */
const char *measure_name(enum measure measure);

struct point {
    double x; /* idx of an agent's checkpoint; ordinal plus one of a commit */
    bool is_kept;
    bool is_of_record; /* its measures are the record's, not the snapshot's */
    double measures[MEASURE_N];
    bool has_time;
    int64_t time_s; /* of the committer */
    enum store_author_date author_date;
    int64_t author_time_s;
    bool is_assisted;
    const struct record *record; /* of an agent's checkpoint, or NULL */
};

struct trajectory {
    struct bytes id;
    bool is_agent;
    bool has_tier;
    enum tier tier;
    struct run_setup setup; /* of agents, also below */
    struct bytes problem;
    bool is_after_step;    /* its trees are those after the run's extra step */
    uint32_t n_configured; /* checkpoints of the problem; of a repository those there are */
    struct point *points;  /* agents: by x; repositories: by date, those without one left out */
    size_t n_points;
    size_t n_undated; /* commits left out for want of a real date */
    bool is_compared; /* an agent's, of the best run of its model */
};

/* One agent run: its trajectories and what it achieved. */
struct agent_run {
    struct trajectory **trajectories; /* by problem */
    size_t n_trajectories;
    struct run_setup setup;
    size_t n_records, n_problems;    /* checkpoints and problems with a record */
    uint64_t n_expected;             /* configured checkpoints of the problems it has */
    uint64_t strict, isolated, core; /* checkpoints solved */
    uint64_t partial, solved;        /* problems */
    double cost;                     /* of all checkpoints; NaN when no record says */
    bool is_after_step;              /* as its trajectories */
    bool is_best;                    /* of its model, among runs with the baseline prompt */
};

struct study {
    struct trajectory *trajectories; /* by id */
    size_t n_trajectories;
    struct agent_run *runs; /* by model, prompt, variant, the rest of their setup, run */
    size_t n_runs;
    size_t
        n_twice; /* trajectories of records that the store has as well, and which it stands for */
    size_t n_duplicates; /* records of a checkpoint that a later record of it replaces */
    struct arena arena;
};

/* Take the scores of scorer K of PANEL (may be NULL) and RECORDS (may be NULL), both borrowed. */
int study_create(const struct study_options *options, const struct scored_panel *panel,
                 size_t scorer, const struct records *records, struct study **out, struct err *err);
void study_destroy(struct study *study);

/* ---- What sections often ask --------------------------------------------------------------- */

/* The last kept point: of a repository the newest commit that counts.  NULL when none is kept. */
const struct point *trajectory_head(const struct trajectory *trajectory);
/* The kept points' values of MEASURE into Y and their x into X (may be NULL); of a repository x is
 * 1, 2, ... in date order. */
void trajectory_series(const struct trajectory *trajectory, enum measure measure, struct series *x,
                       struct series *y);
/* Most isolated checkpoints solved, then core, strict, then the lower cost of a checkpoint.  Counts
 * and not rates: the rates of one model's runs are of one number of checkpoints, and one that ran
 * a single problem is not the best for solving it. */
bool agent_run_is_better(const struct agent_run *a, const struct agent_run *b);
/* Find the agent runs among the trajectories and the best of each model: the last step of
 * study_create. */
int study_find_runs(struct study *study, const struct study_options *options, struct err *err);

#endif
