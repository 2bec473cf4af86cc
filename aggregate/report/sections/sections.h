/*
 * Sections: the context that every section gets, and the populations that sections compare.
 */
#ifndef STRATA_AGGREGATE_REPORT_SECTIONS_SECTIONS_H
#define STRATA_AGGREGATE_REPORT_SECTIONS_SECTIONS_H

#include "aggregate/stats/effects.h"
#include "aggregate/records/function_lists.h"
#include "aggregate/panel/panel_rules.h"
#include "aggregate/report/study/phases.h"
#include "aggregate/report/document.h"
#include "aggregate/records/results.h"
#include "aggregate/stats/slopes.h"
#include "aggregate/report/study/study.h"

struct context {
    const struct report_options *options;
    const struct study *study;
    struct store *store;             /* for sections that score again; NULL without one */
    const struct panel_rules *rules; /* of the store */
    const struct scorer *scorer;     /* of the profile and these rules; NULL without a store */
    const struct function_lists *functions; /* NULL: there are none */
    const struct results *results;          /* without items: there are none */
    struct report *report;
    struct err *err; /* set by a section that returns -1 */
};

/* Add the first section of every report: what it is made from.  PANEL may be NULL. */
void section_input(struct context *context, const struct scored_panel *panel);

/* Each fills SECTION, which is empty.  0, or -1 with context->err set if the report cannot be made.
 */
#define SECTION_PROTOTYPE(function, name, title) \
    int section_##function(struct context *context, struct section *section);
REPORT_SECTIONS(SECTION_PROTOTYPE)
#undef SECTION_PROTOTYPE

/* ---- Populations --------------------------------------------------------------------------- */

enum population {
    POPULATION_HOBBY, /* the tiers, in their own order */
    POPULATION_NICHE,
    POPULATION_ESTABLISHED,
    POPULATION_MAJOR,
    POPULATION_REPOSITORIES,
    POPULATION_AGENTS, /* those that are compared */
    POPULATION_N
};

/* "hobby", "all repositories", "agents" and so on; static. */
const char *population_name(enum population population);
/* Is TRAJECTORY in POPULATION? */
bool population_holds(enum population population, const struct trajectory *trajectory);
/* The number of trajectories of STUDY in POPULATION. */
size_t population_count(const struct study *study, enum population population);

/* The largest number of kept checkpoints of a trajectory in POPULATION. */
size_t longest_trajectory(const struct study *study, enum population population);

/* Append MEASURE of each repository's head, or of each kept checkpoint of the agents, to OUT. */
void population_values(const struct study *study, enum population population, enum measure measure,
                       struct series *out);
/* Append the slopes of the trajectories in POPULATION with at least options->slope_points kept
 * checkpoints to OUT. */
void
population_slopes(struct context *context, const struct study *study, enum population population,
                  enum measure measure, enum slope slope, struct series *out);
/* The statistics of population_values. */
struct stats
population_stats(struct context *context, enum population population, enum measure measure);

/* The 95 % interval of the mean of VALUES by the method of the options; NaN for fewer than two. */
struct interval interval_of_mean(struct context *context, struct series *values);
/* Add a footnote on how these intervals are computed. */
void note_intervals(const struct context *context, struct section *section);
/* Add a footnote if there are no repositories or no agents. */
void note_populations(const struct context *context, struct section *section);
/* Add a footnote on which agents are compared. */
void note_agents(const struct context *context, struct section *section);
/* Free SERIES; if memory ran out for it, the report has failed. */
void finish_series(struct context *context, struct series *series);

/* The two measures that sections compare. */
extern const enum measure compared_measures[2];

#endif
