/*
 * Section "agents-vs-human": ratios of means and of slopes, and the repositories above the agents'
 * mean.
 */
#include "aggregate/report/sections/sections.h"

static const struct column ratio_columns[] = {
    {"what", "what", COLUMN_TEXT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"n_agents", "n", COLUMN_COUNT, 0},
    {"agents", "agents", COLUMN_NUMBER, 4},
    {"paper_agents", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"n_human", "n", COLUMN_COUNT, 0},
    {"human", "repositories", COLUMN_NUMBER, 4},
    {"paper_human", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"ratio", "ratio", COLUMN_NUMBER, 2},
    {"paper_ratio", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
};

static const struct column above_columns[] = {
    {"measure", "measure", COLUMN_TEXT, 0},      {"agent_mean", "agent mean", COLUMN_NUMBER, 4},
    {"n", "repositories", COLUMN_COUNT, 0},      {"at_head", "above at head", COLUMN_COUNT, 0},
    {"paper_at_head", "paper", COLUMN_COUNT, 0}, {"ever", "above at any commit", COLUMN_COUNT, 0},
};

static const struct column who_columns[] = {
    {"repository", "repository", COLUMN_TEXT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"at_head", "at head", COLUMN_NUMBER, 4},
    {"largest", "largest", COLUMN_NUMBER, 4},
};

struct ratio {
    size_t n_agents, n_human;
    double agents, human;
    double paper_agents, paper_human, paper_ratio;
};

static void
add_ratio(struct table *table, const char *what, enum measure measure, struct ratio ratio)
{
    table_text(table, bytes_of_text(what));
    table_text(table, bytes_of_text(measure_name(measure)));
    table_number(table, (double)ratio.n_agents);
    table_number(table, ratio.agents);
    table_number(table, ratio.paper_agents);
    table_number(table, (double)ratio.n_human);
    table_number(table, ratio.human);
    table_number(table, ratio.paper_human);
    table_number(table, ratio.human > 0 ? ratio.agents / ratio.human : NAN);
    table_number(table, ratio.paper_ratio);
}

static struct stats
slope_stats(struct context *context, enum population population, enum measure measure)
{
    struct series slopes = {0};
    population_slopes(context, context->study, population, measure, SLOPE_LEAST_SQUARES, &slopes);
    struct stats stats = stats_of(&slopes);
    finish_series(context, &slopes);
    return stats;
}

static void
add_ratios(struct context *context, struct table *table)
{
    static const struct {
        double agents, human, ratio;
    } paper_means[2] = {{0.44, 0.19, 2.3}, {0.68, 0.34, 2.0}},
      paper_slopes[2] = {{0.0144, 0.0022, 6.6}, {0.0264, 0.0053, 5.0}};
    for (size_t m = 0; m < 2; m++) {
        enum measure measure = compared_measures[m];
        struct stats pooled = population_stats(context, POPULATION_AGENTS, measure);
        struct stats heads = population_stats(context, POPULATION_REPOSITORIES, measure);
        struct stats agents = slope_stats(context, POPULATION_AGENTS, measure);
        struct stats human = slope_stats(context, POPULATION_REPOSITORIES, measure);
        add_ratio(table, "mean (agents pooled, repositories at head)", measure,
                  (struct ratio){pooled.n, heads.n, pooled.mean, heads.mean, paper_means[m].agents,
                                 paper_means[m].human, paper_means[m].ratio});
        add_ratio(table, "median slope", measure,
                  (struct ratio){agents.n, human.n, agents.median, human.median,
                                 paper_slopes[m].agents, paper_slopes[m].human,
                                 paper_slopes[m].ratio});
        add_ratio(table, "mean slope of agents, median of repositories", measure,
                  (struct ratio){agents.n, human.n, agents.mean, human.median, NAN, NAN, NAN});
    }
}

/* The largest value of a kept checkpoint; NaN if none is kept. */
static double
largest(const struct trajectory *trajectory, enum measure measure)
{
    double most = NAN;
    for (size_t i = 0; i < trajectory->n_points; i++)
        if (trajectory->points[i].is_kept)
            most = fmax(most, trajectory->points[i].measures[measure]);
    return most;
}

static void
add_above(struct context *context, struct table *counts, struct table *who, size_t m)
{
    enum measure measure = compared_measures[m];
    double mean = population_stats(context, POPULATION_AGENTS, measure).mean;
    size_t n = 0, n_head = 0, n_ever = 0;
    for (size_t i = 0; i < context->study->n_trajectories && !isnan(mean); i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        const struct point *head = trajectory->is_agent ? NULL : trajectory_head(trajectory);
        if (!head || isnan(head->measures[measure]))
            continue;
        n++;
        n_head += head->measures[measure] > mean;
        if (!(largest(trajectory, measure) > mean))
            continue;
        n_ever++;
        table_text(who, trajectory->id);
        table_text(who, bytes_of_text(measure_name(measure)));
        table_number(who, head->measures[measure]);
        table_number(who, largest(trajectory, measure));
    }
    if (n == 0)
        return;
    table_text(counts, bytes_of_text(measure_name(measure)));
    table_number(counts, mean);
    table_number(counts, (double)n);
    table_number(counts, (double)n_head);
    table_number(counts, measure == MEASURE_VERBOSITY ? 18 : NAN);
    table_number(counts, (double)n_ever);
}

int
section_agents_vs_human(struct context *context, struct section *section)
{
    struct table *ratios = SECTION_TABLE(section, "ratios", "Ratios", ratio_columns);
    struct table *counts =
        SECTION_TABLE(section, "above", "Repositories above the agents' mean", above_columns);
    struct table *who =
        SECTION_TABLE(section, "who", "Which these are, at any commit", who_columns);
    if (population_count(context->study, POPULATION_AGENTS) &&
        population_count(context->study, POPULATION_REPOSITORIES)) {
        add_ratios(context, ratios);
        for (size_t m = 0; m < 2; m++)
            add_above(context, counts, who, m);
    }
    section_note(
        section,
        "Above means above the mean before rounding; the paper counts 18 of 473 and does not "
        "say whether at head or at any commit.  Slopes are by least squares; there is no "
        "ratio if the value of the repositories is not above 0.");
    note_agents(context, section);
    note_populations(context, section);
    return 0;
}
