/*
 * Section "tiers": verbosity and erosion by star tier, of all repositories and of the agents, and
 * the parts of verbosity.
 */
#include "aggregate/report/sections/sections.h"

static const struct column columns[] = {
    {"group", "group", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"paper_n", "paper n", COLUMN_COUNT, 0},
    {"verbosity", "verbosity", COLUMN_SPREAD, 3},
    {"paper_verbosity", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"erosion", "erosion", COLUMN_SPREAD, 3},
    {"paper_erosion", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
};

/* The paper's table of tiers; not all of its values are known here. */
static const struct {
    double n, verbosity, erosion;
} paper[POPULATION_N] = {
    {114, NAN, NAN}, {124, NAN, NAN},   {120, NAN, NAN},
    {115, NAN, NAN}, {473, 0.19, 0.34}, {2869, 0.44, 0.68},
};

static const struct column part_columns[] = {
    {"group", "group", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"verbosity", "verbosity", COLUMN_NUMBER, 3},
    {"rules_alone", "rules alone", COLUMN_NUMBER, 3},
    {"clones_alone", "clones alone", COLUMN_NUMBER, 3},
    {"both", "both", COLUMN_NUMBER, 3},
    {"rules", "rules", COLUMN_NUMBER, 3},
    {"clones", "clones", COLUMN_NUMBER, 3},
    {"clones_of_verbosity", "clones of all", COLUMN_PERCENT, 1},
    {"statements", "statements", COLUMN_NUMBER, 3},
    {"functions", "whole functions", COLUMN_NUMBER, 3},
};

static void
add_row(struct context *context, struct table *table, enum population population)
{
    struct stats verbosity = population_stats(context, population, MEASURE_VERBOSITY);
    struct stats erosion = population_stats(context, population, MEASURE_EROSION);
    table_text(table, bytes_of_text(population_name(population)));
    table_number(table, (double)erosion.n);
    table_number(table, paper[population].n);
    table_stats(table, &verbosity);
    table_number(table, paper[population].verbosity);
    table_stats(table, &erosion);
    table_number(table, paper[population].erosion);
}

/* Add the parts of verbosity.  Verbosity is their union, so rules + clones - verbosity is what both
 * flag. */
static void
add_parts(struct context *context, struct table *table, enum population population)
{
    struct stats verbosity = population_stats(context, population, MEASURE_VERBOSITY);
    double rules = population_stats(context, population, MEASURE_RULE_SHARE).mean;
    double clones = population_stats(context, population, MEASURE_CLONE_SHARE).mean;
    if (isnan(verbosity.mean) || isnan(rules) || isnan(clones))
        return;
    table_text(table, bytes_of_text(population_name(population)));
    table_number(table, (double)verbosity.n);
    table_number(table, verbosity.mean);
    table_number(table, verbosity.mean - clones);
    table_number(table, verbosity.mean - rules);
    table_number(table, rules + clones - verbosity.mean);
    table_number(table, rules);
    table_number(table, clones);
    table_number(table, clones / verbosity.mean);
    table_number(table, population_stats(context, population, MEASURE_STATEMENT_SHARE).mean);
    table_number(table, population_stats(context, population, MEASURE_FUNCTION_SHARE).mean);
}

/* Is verbosity the union of the lines of rules and clones, and of nothing else? */
static bool
is_of_two_parts(const struct profile *profile)
{
    return profile->verbosity == VERBOSITY_UNION && profile->part_rules && profile->part_clones &&
           !profile->part_structural;
}

/* Add footnotes on what is left out of the table. */
static void
note_left_out(const struct context *context, struct section *section)
{
    size_t n_empty = 0, n_untiered = 0, n_undated = 0, n_dropped = 0;
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        for (size_t k = 0; k < trajectory->n_points; k++)
            n_dropped += !trajectory->points[k].is_kept;
        if (trajectory->is_agent)
            continue;
        n_empty += !trajectory_head(trajectory);
        n_untiered += !trajectory->has_tier;
        n_undated += trajectory->n_undated;
    }
    if (n_dropped)
        section_note(section, "%zu checkpoints have no source line or no measure and are dropped.",
                     n_dropped);
    if (n_empty)
        section_note(section, "%zu repositories have no checkpoint that counts.", n_empty);
    if (n_untiered)
        section_note(section, "%zu repositories have no star count and are in no tier.",
                     n_untiered);
    if (n_undated)
        section_note(section, "%zu commits have no date that can be real and are left out.",
                     n_undated);
}

/* The number of rules of the store that count under the profile. */
static size_t
count_rules(const struct context *context)
{
    size_t n = 0;
    for (size_t i = 0; i < context->rules->n_items; i++)
        n += scorer_takes_rule(context->scorer, (uint32_t)i);
    return n;
}

/* Does POPULATION have kept checkpoints, but none with a verbosity? */
static bool
lacks_verbosity(struct context *context, enum population population)
{
    return longest_trajectory(context->study, population) > 0 &&
           population_stats(context, population, MEASURE_VERBOSITY).n == 0;
}

int
section_tiers(struct context *context, struct section *section)
{
    struct table *table =
        SECTION_TABLE(section, "tiers", "Mean ± deviation; repositories at their head", columns);
    for (int population = 0; population < POPULATION_N; population++)
        if (population_count(context->study, (enum population)population))
            add_row(context, table, (enum population)population);
    section_add_plot(section, "Verbosity, mean ± deviation", table, "group", NULL, "verbosity",
                     NULL, "paper_verbosity");
    section_add_plot(section, "Erosion, mean ± deviation", table, "group", NULL, "erosion", NULL,
                     "paper_erosion");
    struct table *parts = SECTION_TABLE(
        section, "parts", "What verbosity is made of: shares of source lines", part_columns);
    for (int population = 0; population < POPULATION_N; population++)
        if (is_of_two_parts(context->options->panel.profile))
            add_parts(context, parts, (enum population)population);
    section_note(section, "Rules are statements and whole functions; each of the columns rules, "
                          "clones, statements and whole functions is of that part alone.");
    section_note(section,
                 "Tiers: hobby below 100 stars, niche below 1,000, established below 10,000, then "
                 "major; head is the newest kept commit; deviations have the divisor n - 1.");
    section_note(section, "Of the paper's values for single tiers only the lowest are known here, "
                          "verbosity 0.18 and erosion 0.32; weighted by n its tiers give 0.192 "
                          "and 0.337.");
    if (context->rules->has_group)
        section_note(section,
                     "Verbosity counts %zu of the %zu rules that were run; the paper's counts 137 "
                     "of its own.",
                     count_rules(context), context->rules->n_items);
    if (lacks_verbosity(context, POPULATION_REPOSITORIES))
        section_note(section, "No rules were run on the repositories, so they have no verbosity.");
    if (lacks_verbosity(context, POPULATION_AGENTS))
        section_note(section, "No rules were run on the agents' snapshots, or their records do not "
                              "say what is verbose, so they have no verbosity.");
    if (population_count(context->study, POPULATION_AGENTS) &&
        longest_trajectory(context->study, POPULATION_AGENTS) == 0)
        section_note(section, "No checkpoint of these agents is kept.");
    note_agents(context, section);
    note_left_out(context, section);
    note_populations(context, section);
    return 0;
}
