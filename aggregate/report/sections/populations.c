/*
 * Populations: the groups of trajectories that sections compare, with their values and slopes, and
 * the footnotes that several sections share.
 */
#include "aggregate/report/sections/sections.h"

const enum measure compared_measures[2] = {MEASURE_VERBOSITY, MEASURE_EROSION};

const char *
population_name(enum population population)
{
    switch (population) {
    case POPULATION_HOBBY:
    case POPULATION_NICHE:
    case POPULATION_ESTABLISHED:
    case POPULATION_MAJOR:
        return tier_name((enum tier)population);
    case POPULATION_REPOSITORIES:
        return "all repositories";
    case POPULATION_AGENTS:
    case POPULATION_N:
        break;
    }
    return "agents";
}

bool
population_holds(enum population population, const struct trajectory *trajectory)
{
    if (population == POPULATION_AGENTS)
        return trajectory->is_agent && trajectory->is_compared;
    if (population == POPULATION_REPOSITORIES)
        return !trajectory->is_agent;
    return !trajectory->is_agent && trajectory->has_tier &&
           (int)trajectory->tier == (int)population;
}

size_t
population_count(const struct study *study, enum population population)
{
    size_t n = 0;
    for (size_t i = 0; i < study->n_trajectories; i++)
        n += population_holds(population, &study->trajectories[i]);
    return n;
}

size_t
longest_trajectory(const struct study *study, enum population population)
{
    size_t longest = 0;
    for (size_t i = 0; i < study->n_trajectories; i++) {
        const struct trajectory *trajectory = &study->trajectories[i];
        size_t n = 0;
        for (size_t k = 0; k < trajectory->n_points; k++)
            n += trajectory->points[k].is_kept;
        if (population_holds(population, trajectory) && n > longest)
            longest = n;
    }
    return longest;
}

void
population_values(const struct study *study, enum population population, enum measure measure,
                  struct series *out)
{
    for (size_t i = 0; i < study->n_trajectories; i++) {
        const struct trajectory *trajectory = &study->trajectories[i];
        if (!population_holds(population, trajectory))
            continue;
        const struct point *head = trajectory->is_agent ? NULL : trajectory_head(trajectory);
        if (trajectory->is_agent)
            trajectory_series(trajectory, measure, NULL, out);
        else if (head && !isnan(head->measures[measure]))
            series_add(out, head->measures[measure]);
    }
}

void
population_slopes(struct context *context, const struct study *study, enum population population,
                  enum measure measure, enum slope slope, struct series *out)
{
    struct series x = {0}, y = {0};
    for (size_t i = 0; i < study->n_trajectories; i++) {
        if (!population_holds(population, &study->trajectories[i]))
            continue;
        series_reset(&x);
        series_reset(&y);
        trajectory_series(&study->trajectories[i], measure, &x, &y);
        double value = y.n < context->options->slope_points ? NAN : slope_of(slope, &x, &y);
        if (!isnan(value))
            series_add(out, value);
        context->report->failed = context->report->failed || x.failed || y.failed;
    }
    finish_series(context, &x);
    finish_series(context, &y);
}

struct stats
population_stats(struct context *context, enum population population, enum measure measure)
{
    struct series values = {0};
    population_values(context->study, population, measure, &values);
    struct stats stats = stats_of(&values);
    finish_series(context, &values);
    return stats;
}

struct interval
interval_of_mean(struct context *context, struct series *values)
{
    struct interval interval = {NAN, NAN};
    if (values->n < 2)
        return interval;
    if (context->options->interval == INTERVAL_BOOTSTRAP) {
        interval = bootstrap_mean(values, context->options->seed);
    } else {
        struct stats stats = stats_of(values);
        double half = stats_t_half_width(&stats);
        interval = (struct interval){stats.mean - half, stats.mean + half};
    }
    context->report->failed = context->report->failed || values->failed;
    return interval;
}

void
note_intervals(const struct context *context, struct section *section)
{
    if (context->options->interval == INTERVAL_BOOTSTRAP)
        section_note(section, "Intervals of means: percentiles of %d bootstrap draws, seed %llu.",
                     BOOTSTRAP_ROUNDS, (unsigned long long)context->options->seed);
    else
        section_note(section, "Intervals of means: t(n - 1) * deviation / sqrt(n).");
}

void
note_populations(const struct context *context, struct section *section)
{
    if (population_count(context->study, POPULATION_REPOSITORIES) == 0)
        section_note(section, "There are no repositories in the input.");
    if (population_count(context->study, POPULATION_AGENTS))
        return;
    if (context->study->n_runs == 0)
        section_note(section, "There are no agent runs in the input.");
    else
        section_note(
            section,
            "No agent run has the prompt %.*s, so no agents are compared: --baseline names "
            "another prompt, --all-runs takes every run.",
            BYTES_ARG(context->options->study.baseline_prompt));
}

void
note_agents(const struct context *context, struct section *section)
{
    if (population_count(context->study, POPULATION_AGENTS) == 0)
        return;
    if (context->options->study.all_runs)
        section_note(section, "Agents: the kept checkpoints of every run, pooled.");
    else
        section_note(
            section,
            "Agents: the kept checkpoints of the best run of each model with the prompt "
            "%.*s, pooled (best: most isolated checkpoints solved, then core, strict, lower "
            "cost of a checkpoint).",
            BYTES_ARG(context->options->study.baseline_prompt));
}

void
finish_series(struct context *context, struct series *series)
{
    context->report->failed = context->report->failed || series->failed;
    series_clear(series);
}
