/*
 * Verbosity under each selection of the built-in rules.
 *
 * The profile is copied once for each selection, and the store is scored under all three copies in
 * one pass.  A selection that no rule of the store belongs to does not have a verbosity, and so not
 * a row.
 */
#include "aggregate/report/sections/selections.h"

#include "aggregate/panel/scored_panel.h"

enum { N_SELECTIONS = PROFILE_BOTH + 1 };

static const char *const names[N_SELECTIONS] = {
    [PROFILE_STRICT] = "strict", [PROFILE_CALIBRATED] = "calibrated", [PROFILE_BOTH] = "both"};

static const struct column ratio_columns[] = {
    {"selection", "selection", COLUMN_TEXT, 0}, {"rules", "rules that count", COLUMN_COUNT, 0},
    {"n_human", "n", COLUMN_COUNT, 0},          {"human", "repositories", COLUMN_SPREAD, 3},
    {"n_agents", "n", COLUMN_COUNT, 0},         {"agents", "agents", COLUMN_SPREAD, 3},
    {"ratio", "ratio", COLUMN_NUMBER, 2},
};

static const struct column part_columns[] = {
    {"selection", "selection", COLUMN_TEXT, 0},
    {"group", "group", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"verbosity", "verbosity", COLUMN_SPREAD, 3},
    {"clones", "clones", COLUMN_NUMBER, 3},
    {"statements", "statements", COLUMN_NUMBER, 3},
    {"functions", "whole functions", COLUMN_NUMBER, 3},
};

/* The profile under one selection, and what it makes of the store. */
struct scored {
    struct profile profile;
    struct scorer *scorer;
    struct study *study;
};

static struct stats
stats_in(struct context *context, const struct scored *scored, enum population population,
         enum measure measure)
{
    struct series values = {0};
    population_values(scored->study, population, measure, &values);
    struct stats stats = stats_of(&values);
    finish_series(context, &values);
    return stats;
}

static size_t
count_rules(const struct context *context, const struct scorer *scorer)
{
    size_t n = 0;
    for (size_t i = 0; i < context->rules->n_items; i++)
        n += scorer_takes_rule(scorer, (uint32_t)i);
    return n;
}

static void
add_ratio(struct context *context, struct table *table, const char *name,
          const struct scored *scored)
{
    struct stats human = stats_in(context, scored, POPULATION_REPOSITORIES, MEASURE_VERBOSITY);
    struct stats agents = stats_in(context, scored, POPULATION_AGENTS, MEASURE_VERBOSITY);
    table_text(table, bytes_of_text(name));
    table_number(table, (double)count_rules(context, scored->scorer));
    table_number(table, (double)human.n);
    table_stats(table, &human);
    table_number(table, (double)agents.n);
    table_stats(table, &agents);
    table_number(table, agents.mean / human.mean);
}

static void
add_parts(struct context *context, struct table *table, const char *name,
          const struct scored *scored, enum population population)
{
    static const enum measure parts[] = {MEASURE_CLONE_SHARE, MEASURE_STATEMENT_SHARE,
                                         MEASURE_FUNCTION_SHARE};
    struct stats verbosity = stats_in(context, scored, population, MEASURE_VERBOSITY);
    if (verbosity.n == 0)
        return;
    table_text(table, bytes_of_text(name));
    table_text(table, bytes_of_text(population_name(population)));
    table_number(table, (double)verbosity.n);
    table_stats(table, &verbosity);
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        table_number(table, stats_in(context, scored, population, parts[i]).mean);
}

static void
add_tables(struct context *context, struct section *section, const struct scored *scored)
{
    struct table *ratios = SECTION_TABLE(
        section, "selections", "Verbosity by selection of the built-in rules", ratio_columns);
    struct table *parts =
        SECTION_TABLE(section, "selection_parts",
                      "Its parts, each alone: shares of source lines, means", part_columns);
    for (size_t i = 0; i < N_SELECTIONS; i++) {
        if (scorer_lacks_selection(scored[i].scorer)) {
            section_note(section,
                         "There is no verbosity of the selection %s: the store has no hits of the "
                         "%s rules; mine it again to run them.",
                         names[i], scorer_lacks_selection(scored[i].scorer));
            continue;
        }
        add_ratio(context, ratios, names[i], &scored[i]);
        for (int population = 0; population < POPULATION_N; population++)
            add_parts(context, parts, names[i], &scored[i], (enum population)population);
    }
    section_note(section, "The paper's verbosity is 0.19 for repositories and 0.44 for agents, a "
                          "ratio of 2.3.");
}

static int
score_all(struct context *context, struct scored *scored, struct scored_panel **panel)
{
    const struct scorer *borrowed[N_SELECTIONS];
    struct study_options options = context->options->study;
    options.record_quality = false;
    for (size_t i = 0; i < N_SELECTIONS; i++) {
        scored[i].profile = *context->options->panel.profile;
        scored[i].profile.selection = (enum profile_selection)i;
        if (panel_scorer(context->rules, &scored[i].profile, &scored[i].scorer, NULL,
                         context->err) < 0)
            return -1;
        borrowed[i] = scored[i].scorer;
    }
    if (scored_panel_create(context->store, &context->options->panel, context->rules, borrowed,
                            N_SELECTIONS, panel, context->err) < 0)
        return -1;
    for (size_t i = 0; i < N_SELECTIONS; i++)
        if (study_create(&options, *panel, i, NULL, &scored[i].study, context->err) < 0)
            return -1;
    return 0;
}

/* Does any rule of the store belong to a selection? */
static bool
has_selections(const struct panel_rules *rules)
{
    for (size_t i = 0; i < rules->n_items; i++)
        if (rules->items[i].selection != SELECTION_NONE)
            return true;
    return false;
}

int
selections_add(struct context *context, struct section *section)
{
    const struct profile *profile = context->options->panel.profile;
    if (!profile->part_rules || !context->rules->has_group || !has_selections(context->rules)) {
        section_note(section, "Without hits of the built-in rules, or where rules do not enter "
                              "verbosity, there are no selections to compare.");
        return 0;
    }
    if (profile->rules_in.n_items) {
        section_note(section, "The profile names the rules that count, so there are no selections "
                              "to compare.");
        return 0;
    }
    struct scored scored[N_SELECTIONS] = {0};
    struct scored_panel *panel = NULL;
    int outcome = score_all(context, scored, &panel);
    if (outcome == 0)
        add_tables(context, section, scored);
    for (size_t i = 0; i < N_SELECTIONS; i++) {
        study_destroy(scored[i].study);
        scorer_destroy(scored[i].scorer);
    }
    scored_panel_destroy(panel);
    return outcome;
}
