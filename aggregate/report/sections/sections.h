/*
 * Sections: what each part of the report needs, and the populations they speak of.
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
    const struct function_lists *functions; /* NULL: none are given */
    const struct results *results;          /* none: no items */
    struct report *report;
    struct err *err; /* set by a section that returns -1 */
};

/* What the report is made from; always there, and first. */
void section_input(struct context *context, const struct scored_panel *panel);

/* Each fills its section, which is empty; -1 with context->err set when the report cannot be made.
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
    POPULATION_AGENTS, /* that are compared */
    POPULATION_N
};

/* "hobby", "all repositories", "agents". */
const char *population_name(enum population population);
bool population_holds(enum population population, const struct trajectory *trajectory);
size_t population_count(const struct study *study, enum population population);

/* The most kept checkpoints that a trajectory of the population has. */
size_t longest_trajectory(const struct study *study, enum population population);

/* Of each repository's head, or of each kept checkpoint of the agents, MEASURE. */
void population_values(const struct study *study, enum population population, enum measure measure,
                       struct series *out);
/* The slopes of a population's trajectories with at least context->options->slope_points. */
void
population_slopes(struct context *context, const struct study *study, enum population population,
                  enum measure measure, enum slope slope, struct series *out);
struct stats
population_stats(struct context *context, enum population population, enum measure measure);

/* The 95 % interval of the mean of VALUES, found as the options say; NaN for fewer than two. */
struct interval interval_of_mean(struct context *context, struct series *values);
/* Say in SECTION how these intervals are found. */
void note_intervals(const struct context *context, struct section *section);
/* Say in SECTION which of repositories and agents there are none of. */
void note_populations(const struct context *context, struct section *section);
/* Say which agents stand for the agents. */
void note_agents(const struct context *context, struct section *section);
/* Remember that memory ran out for SERIES, and free it. */
void finish_series(struct context *context, struct series *series);

/* The two measures every comparison is made in. */
extern const enum measure compared_measures[2];

#endif
