/*
 * Section "growth": the growth of trajectories from their first kept checkpoint to their last.
 */
#include "aggregate/report/sections/sections.h"

static const struct column columns[] = {
    {"group", "group", COLUMN_TEXT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"least", "kept at least", COLUMN_COUNT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"rising", "rising", COLUMN_COUNT, 0},
    {"rising_share", "share", COLUMN_PERCENT, 1},
    {"positive", "positive start", COLUMN_COUNT, 0},
    {"paper_positive", "paper", COLUMN_COUNT, 0},
    {"positive_rising", "of these rising", COLUMN_COUNT, 0},
    {"positive_share", "share", COLUMN_PERCENT, 1},
    {"paper_share", "paper", COLUMN_PERCENT, 1},
    {"median_growth", "median growth", COLUMN_PERCENT, 1},
    {"paper_growth", "paper", COLUMN_PERCENT, 1},
};

enum { PANEL_POINTS = 5 }; /* kept commits that the paper requires */

/* Of all repositories; verbosity, erosion. */
static const struct {
    double positive, share, growth;
} paper[2] = {{378, 256.0 / 378, 0.36}, {196, 103.0 / 196, NAN}};

struct growth {
    size_t n, n_rising, n_positive_rising;
    struct series growths; /* of those whose first value is above 0 */
};

static void
measure_growth(struct context *context, enum population population, enum measure measure,
               size_t least, struct growth *out)
{
    struct series y = {0};
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        if (!population_holds(population, &context->study->trajectories[i]))
            continue;
        series_reset(&y);
        trajectory_series(&context->study->trajectories[i], measure, NULL, &y);
        if (y.n < least)
            continue;
        bool rises = y.values[y.n - 1] > y.values[0];
        double growth = growth_of(&y);
        out->n++;
        out->n_rising += rises;
        if (isnan(growth))
            continue;
        out->n_positive_rising += rises;
        series_add(&out->growths, growth);
    }
    finish_series(context, &y);
}

static double
share(size_t part, size_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static void
add_row(struct context *context, struct table *table, enum population population, size_t m,
        size_t least)
{
    struct growth growth = {0};
    bool has_paper = population == POPULATION_REPOSITORIES;
    measure_growth(context, population, compared_measures[m], least, &growth);
    struct stats stats = stats_of(&growth.growths);
    if (growth.n) {
        table_text(table, bytes_of_text(population_name(population)));
        table_text(table, bytes_of_text(measure_name(compared_measures[m])));
        table_number(table, (double)least);
        table_number(table, (double)growth.n);
        table_number(table, (double)growth.n_rising);
        table_number(table, share(growth.n_rising, growth.n));
        table_number(table, (double)stats.n);
        table_number(table, has_paper ? paper[m].positive : NAN);
        table_number(table, (double)growth.n_positive_rising);
        table_number(table, share(growth.n_positive_rising, stats.n));
        table_number(table, has_paper ? paper[m].share : NAN);
        table_number(table, stats.median);
        table_number(table, has_paper ? paper[m].growth : NAN);
    }
    finish_series(context, &growth.growths);
}

int
section_growth(struct context *context, struct section *section)
{
    struct table *table =
        SECTION_TABLE(section, "growth", "First kept checkpoint to last", columns);
    for (int population = 0; population < POPULATION_N; population++)
        for (size_t m = 0; m < 2; m++) {
            if (population == POPULATION_AGENTS)
                add_row(context, table, POPULATION_AGENTS, m, 2);
            add_row(context, table, (enum population)population, m, PANEL_POINTS);
        }
    section_note(section, "Growth is (last - first) / first and needs a first value above 0, which "
                          "the paper's counts imply for its share as well; the share without this "
                          "condition is printed beside it.");
    if (population_count(context->study, POPULATION_REPOSITORIES) &&
        longest_trajectory(context->study, POPULATION_REPOSITORIES) < PANEL_POINTS)
        section_note(section, "No repository has %d kept commits, so none has a growth.",
                     PANEL_POINTS);
    if (population_count(context->study, POPULATION_AGENTS) &&
        longest_trajectory(context->study, POPULATION_AGENTS) < 2)
        section_note(section,
                     "No agent's trajectory has 2 kept checkpoints, so none has a growth.");
    note_agents(context, section);
    note_populations(context, section);
    return 0;
}
