/*
 * Section "outliers": the repositories with the largest values, and those that the paper names.
 */
#include <stdlib.h>

#include "aggregate/report/sections/sections.h"

static const struct column named_columns[] = {
    {"repository", "repository", COLUMN_TEXT, 0},
    {"verbosity", "verbosity", COLUMN_NUMBER, 3},
    {"paper_verbosity", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"erosion", "erosion", COLUMN_NUMBER, 3},
    {"paper_erosion", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
};

static const struct column ranked_columns[] = {
    {"measure", "measure", COLUMN_TEXT, 0},
    {"rank", "rank", COLUMN_COUNT, 0},
    {"repository", "repository", COLUMN_TEXT, 0},
    {"tier", "tier", COLUMN_TEXT, 0},
    {"value", "at head", COLUMN_NUMBER, 4},
    {"deviations", "deviations from the mean", COLUMN_NUMBER, 2},
};

enum { N_RANKED = 10 };

static const struct {
    const char *name; /* the last part of owner/name */
    double verbosity, erosion;
} named[] = {
    {"transformers", 0.451, 0.473}, {"fastapi", 0.273, 0.219}, {"flask", 0.111, 0.209},
    {"scikit-learn", 0.094, 0.407}, {"scipy", 0.145, 0.441},
};

static bool
is_named(const struct trajectory *trajectory, const char *name)
{
    struct bytes last = bytes_of_text(name);
    if (!bytes_ends_with(trajectory->id, last))
        return false;
    return trajectory->id.len == last.len ||
           trajectory->id.data[trajectory->id.len - last.len - 1] == '/';
}

static void
add_named(const struct context *context, struct table *table)
{
    for (size_t n = 0; n < sizeof(named) / sizeof(*named); n++)
        for (size_t i = 0; i < context->study->n_trajectories; i++) {
            const struct trajectory *trajectory = &context->study->trajectories[i];
            const struct point *head = trajectory->is_agent ? NULL : trajectory_head(trajectory);
            if (!head || !is_named(trajectory, named[n].name))
                continue;
            table_text(table, trajectory->id);
            table_number(table, head->measures[MEASURE_VERBOSITY]);
            table_number(table, named[n].verbosity);
            table_number(table, head->measures[MEASURE_EROSION]);
            table_number(table, named[n].erosion);
        }
}

struct ranked {
    double value;
    const struct trajectory *trajectory;
};

static int
by_value_down(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return bytes_compare(a->trajectory->id, b->trajectory->id);
}

static void
add_ranked(struct context *context, struct table *table, enum measure measure)
{
    struct ranked *heads =
        ARENA_ARRAY(&context->report->arena, context->study->n_trajectories, struct ranked);
    struct stats stats = population_stats(context, POPULATION_REPOSITORIES, measure);
    size_t n = 0;
    for (size_t i = 0; heads && i < context->study->n_trajectories; i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        const struct point *head = trajectory->is_agent ? NULL : trajectory_head(trajectory);
        if (head && !isnan(head->measures[measure]))
            heads[n++] = (struct ranked){head->measures[measure], trajectory};
    }
    if (!heads)
        context->report->failed = true;
    if (n > 1)
        qsort(heads, n, sizeof(*heads), by_value_down);
    for (size_t i = 0; i < n && i < N_RANKED; i++) {
        table_text(table, bytes_of_text(measure_name(measure)));
        table_number(table, (double)(i + 1));
        table_text(table, heads[i].trajectory->id);
        table_text(table, bytes_of_text(heads[i].trajectory->has_tier
                                            ? tier_name(heads[i].trajectory->tier)
                                            : ""));
        table_number(table, heads[i].value);
        table_number(table, stats.stddev > 0 ? (heads[i].value - stats.mean) / stats.stddev : NAN);
    }
}

int
section_outliers(struct context *context, struct section *section)
{
    add_named(context,
              SECTION_TABLE(section, "named", "Repositories that the paper names", named_columns));
    struct table *ranked =
        SECTION_TABLE(section, "ranked", "The ten highest at head", ranked_columns);
    for (size_t m = 0; m < 2; m++)
        add_ranked(context, ranked, compared_measures[m]);
    if (section->tables[0].n_rows == 0)
        section_note(section, "None of the repositories that the paper names is in the input.");
    section_note(section, "Repositories are found by the last part of their name, so forks count.");
    if (population_count(context->study, POPULATION_REPOSITORIES) == 0)
        section_note(section, "There are no repositories in the input.");
    return 0;
}
