/*
 * Scoring a store under many profiles.
 *
 * Several scorers share a pass over the store, so that each blob is decoded once for all of them.
 * The number per pass is limited, because each scorer keeps its tallies of all blobs of a
 * trajectory.
 */
#include "aggregate/report/sections/sweep.h"

#include "aggregate/panel/scored_panel.h"

enum { SCORERS_PER_PASS = 8 };

static double
median_slope(struct context *context, const struct study *study, enum population population,
             enum measure measure)
{
    struct series slopes = {0};
    population_slopes(context, study, population, measure, SLOPE_LEAST_SQUARES, &slopes);
    double median = stats_of(&slopes).median;
    finish_series(context, &slopes);
    return median;
}

static struct stats
stats_in(struct context *context, const struct study *study, enum population population,
         enum measure measure)
{
    struct series values = {0};
    population_values(study, population, measure, &values);
    struct stats stats = stats_of(&values);
    finish_series(context, &values);
    return stats;
}

static int
find(struct context *context, const struct scored_panel *panel, size_t scorer,
     struct variant *variant)
{
    struct study *study;
    struct finding *finding = &variant->finding;
    struct study_options options = context->options->study;
    options.record_quality = false;
    if (study_create(&options, panel, scorer, NULL, &study, context->err) < 0)
        return -1;
    finding->human = stats_in(context, study, POPULATION_REPOSITORIES, variant->measure);
    finding->agents = stats_in(context, study, POPULATION_AGENTS, variant->measure);
    finding->human_slope = median_slope(context, study, POPULATION_REPOSITORIES, variant->measure);
    finding->agent_slope = median_slope(context, study, POPULATION_AGENTS, variant->measure);
    int rc = predict(study, point_measure, &variant->measure, context->options,
                     &finding->prediction, context->err);
    study_destroy(study);
    return rc;
}

/* One pass for up to SCORERS_PER_PASS variants. */
static int
run_pass(struct context *context, struct variant *variants, size_t n)
{
    struct scorer *scorers[SCORERS_PER_PASS] = {NULL};
    const struct scorer *borrowed[SCORERS_PER_PASS];
    struct scored_panel *panel = NULL;
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        rc = panel_scorer(context->rules, &variants[i].profile, &scorers[i], NULL, context->err);
        borrowed[i] = scorers[i];
    }
    if (rc == 0)
        rc = scored_panel_create(context->store, &context->options->panel, context->rules, borrowed,
                                 n, &panel, context->err);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = find(context, panel, i, &variants[i]);
    scored_panel_destroy(panel);
    for (size_t i = 0; i < n; i++)
        scorer_destroy(scorers[i]);
    return rc;
}

int
sweep_run(struct context *context, struct variant *variants, size_t n_variants)
{
    for (size_t i = 0; i < n_variants; i += SCORERS_PER_PASS) {
        size_t n = n_variants - i < SCORERS_PER_PASS ? n_variants - i : SCORERS_PER_PASS;
        if (run_pass(context, variants + i, n) < 0)
            return -1;
    }
    return 0;
}
