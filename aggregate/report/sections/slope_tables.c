/*
 * Section "slopes": the slopes of verbosity and erosion per checkpoint, by every estimator, and the
 * share of trajectories that rise.
 */
#include "aggregate/report/sections/sections.h"

static const struct column slope_columns[] = {
    {"group", "group", COLUMN_TEXT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"estimator", "estimator", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"mean", "mean", COLUMN_NUMBER, 6},
    {"median", "median", COLUMN_NUMBER, 6},
    {"paper", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
};

static const struct column rising_columns[] = {
    {"group", "group", COLUMN_TEXT, 0},    {"measure", "measure", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},           {"rising", "last > first", COLUMN_COUNT, 0},
    {"share", "share", COLUMN_PERCENT, 1}, {"paper", "paper", COLUMN_PERCENT, 1},
    {"ties", "ties", COLUMN_COUNT, 0},     {"slope_rising", "slope > 0", COLUMN_COUNT, 0},
};

/* By population and measure: verbosity, erosion. */
static const double paper_slope[POPULATION_N][2] = {
    {NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {NAN, NAN}, {0.0022, 0.0053}, {0.0144, 0.0264},
};
static const double paper_rising[2] = {0.755, 0.77};

static void
add_slopes(struct context *context, struct table *table, enum population population, size_t m,
           enum slope slope)
{
    struct series slopes = {0};
    population_slopes(context, context->study, population, compared_measures[m], slope, &slopes);
    struct stats stats = stats_of(&slopes);
    if (stats.n) {
        table_text(table, bytes_of_text(population_name(population)));
        table_text(table, bytes_of_text(measure_name(compared_measures[m])));
        table_text(table, bytes_of_text(slope_name(slope)));
        table_number(table, (double)stats.n);
        table_number(table, stats.mean);
        table_number(table, stats.median);
        table_number(table, slope == SLOPE_LEAST_SQUARES ? paper_slope[population][m] : NAN);
    }
    finish_series(context, &slopes);
}

static void
add_rising(struct context *context, struct table *table, enum population population, size_t m)
{
    struct series y = {0}, slopes = {0};
    size_t n = 0, n_rising = 0, n_ties = 0, n_slope = 0;
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        if (!population_holds(population, &context->study->trajectories[i]))
            continue;
        series_reset(&y);
        trajectory_series(&context->study->trajectories[i], compared_measures[m], NULL, &y);
        if (y.n < 2 || y.n < context->options->slope_points)
            continue;
        n++;
        n_rising += y.values[y.n - 1] > y.values[0];
        n_ties += y.values[y.n - 1] == y.values[0];
    }
    population_slopes(context, context->study, population, compared_measures[m],
                      SLOPE_LEAST_SQUARES, &slopes);
    for (size_t i = 0; i < slopes.n; i++)
        n_slope += slopes.values[i] > 0;
    if (n) {
        table_text(table, bytes_of_text(population_name(population)));
        table_text(table, bytes_of_text(measure_name(compared_measures[m])));
        table_number(table, (double)n);
        table_number(table, (double)n_rising);
        table_number(table, (double)n_rising / (double)n);
        table_number(table, population == POPULATION_AGENTS ? paper_rising[m] : NAN);
        table_number(table, (double)n_ties);
        table_number(table, (double)n_slope);
    }
    finish_series(context, &y);
    finish_series(context, &slopes);
}

/* Add a footnote for each population without a trajectory that is long enough. */
static void
note_short(const struct context *context, struct section *section)
{
    static const enum population populations[] = {POPULATION_REPOSITORIES, POPULATION_AGENTS};
    for (size_t i = 0; i < 2; i++)
        if (population_count(context->study, populations[i]) &&
            longest_trajectory(context->study, populations[i]) < context->options->slope_points)
            section_note(section,
                         "No trajectory of %s has %u kept checkpoints, so none has a slope.",
                         population_name(populations[i]), context->options->slope_points);
}

int
section_slopes(struct context *context, struct section *section)
{
    struct table *main_table =
        SECTION_TABLE(section, "slopes", "Least squares by group", slope_columns);
    struct table *all =
        SECTION_TABLE(section, "estimators", "Every candidate for the slope", slope_columns);
    struct table *rising =
        SECTION_TABLE(section, "rising", "Trajectories that rise", rising_columns);
    for (int population = 0; population < POPULATION_N; population++)
        for (size_t m = 0; m < 2; m++) {
            enum population of = (enum population)population;
            add_slopes(context, main_table, of, m, SLOPE_LEAST_SQUARES);
            add_rising(context, rising, of, m);
            if (of != POPULATION_REPOSITORIES && of != POPULATION_AGENTS)
                continue;
            for (int slope = 0; slope < SLOPE_N; slope++)
                add_slopes(context, all, of, m, (enum slope)slope);
        }
    section_note(section,
                 "The slope is by least squares over kept checkpoints (x: 1, 2, ... in date order "
                 "for repositories, the checkpoint's number for agents), of trajectories with at "
                 "least %u; the median over trajectories is the one to quote.",
                 context->options->slope_points);
    section_note(section, "The paper's repository slopes are medians; for its agent slopes it does "
                          "not say whether mean or median.");
    section_note(section,
                 "Rising means last above first; ties do not rise and stay in the "
                 "denominator.  The paper's shares are of all its settings, as with --all-runs.");
    note_short(context, section);
    note_agents(context, section);
    note_populations(context, section);
    return 0;
}
