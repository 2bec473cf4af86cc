/*
 * Section "sensitivity": how much the findings depend on the definition of the measures, and how
 * well the measures predict an agent's next checkpoint.
 *
 * The variants are a grid.  Erosion depends only on cutoff and size term, and verbosity only on
 * clones and rules, so each half is scored by itself and the two are combined: a grid of 500 needs
 * about 50 scorings.
 */
#include "manifests/profile_write.h"
#include "aggregate/report/sections/selections.h"
#include "aggregate/report/sections/sweep.h"

static const struct column prediction_columns[] = {
    {"measure", "measure", COLUMN_TEXT, 0},
    {"n", "pairs", COLUMN_COUNT, 0},
    {"pass", "next pass", COLUMN_NUMBER, 4},
    {"paper_pass", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"pass_rank", "by rank", COLUMN_NUMBER, 4},
    {"cost", "next cost", COLUMN_NUMBER, 4},
    {"paper_cost", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
    {"cost_rank", "by rank", COLUMN_NUMBER, 4},
};

static const struct column erosion_columns[] = {
    {"cutoff", "complexity above", COLUMN_NUMBER, 0},
    {"size", "size term", COLUMN_TEXT, 0},
    {"n_human", "n", COLUMN_COUNT, 0},
    {"human", "repositories", COLUMN_SPREAD, 3},
    {"n_agents", "n", COLUMN_COUNT, 0},
    {"agents", "agents", COLUMN_SPREAD, 3},
    {"ratio", "ratio", COLUMN_NUMBER, 2},
    {"human_slope", "median slope", COLUMN_NUMBER, 5},
    {"agent_slope", "of agents", COLUMN_NUMBER, 5},
    {"pairs", "pairs", COLUMN_COUNT, 0},
    {"pass", "next pass", COLUMN_NUMBER, 4},
    {"cost", "next cost", COLUMN_NUMBER, 4},
    {"cost_rank", "by rank", COLUMN_NUMBER, 4},
};

static const struct column verbosity_columns[] = {
    {"clones", "clones", COLUMN_TEXT, 0},
    {"rules", "rules", COLUMN_TEXT, 0},
    {"n_human", "n", COLUMN_COUNT, 0},
    {"human", "repositories", COLUMN_SPREAD, 3},
    {"n_agents", "n", COLUMN_COUNT, 0},
    {"agents", "agents", COLUMN_SPREAD, 3},
    {"ratio", "ratio", COLUMN_NUMBER, 2},
    {"human_slope", "median slope", COLUMN_NUMBER, 5},
    {"agent_slope", "of agents", COLUMN_NUMBER, 5},
};

static const struct column variant_columns[] = {
    {"cutoff", "complexity above", COLUMN_NUMBER, 0},
    {"size", "size term", COLUMN_TEXT, 0},
    {"clones", "clones", COLUMN_TEXT, 0},
    {"rules", "rules", COLUMN_TEXT, 0},
    {"erosion", "erosion", COLUMN_NUMBER, 4},
    {"agent_erosion", "of agents", COLUMN_NUMBER, 4},
    {"verbosity", "verbosity", COLUMN_NUMBER, 4},
    {"agent_verbosity", "of agents", COLUMN_NUMBER, 4},
};

static const struct column list_columns[] = {
    {"cutoff", "complexity above", COLUMN_NUMBER, 0},
    {"size", "size term", COLUMN_TEXT, 0},
    {"n", "checkpoints", COLUMN_COUNT, 0},
    {"erosion", "erosion", COLUMN_SPREAD, 3},
    {"pairs", "pairs", COLUMN_COUNT, 0},
    {"pass", "next pass", COLUMN_NUMBER, 4},
    {"pass_rank", "by rank", COLUMN_NUMBER, 4},
    {"cost", "next cost", COLUMN_NUMBER, 4},
    {"cost_rank", "by rank", COLUMN_NUMBER, 4},
};

/* ---- Prediction ---------------------------------------------------------------------------- */

static int
add_predictions(struct context *context, struct section *section)
{
    static const struct {
        enum measure measure;
        double pass, cost;
    } rows[] = {
        {MEASURE_EROSION, -0.018, 0.167},     {MEASURE_PHYSICAL_LOC, -0.212, 0.502},
        {MEASURE_CC_MEAN, -0.046, 0.218},     {MEASURE_CC_MAX, -0.117, 0.356},
        {MEASURE_CLONE_RATIO, -0.042, 0.114}, {MEASURE_HIT_RATIO, -0.052, 0.151},
    };
    struct table *table = SECTION_TABLE(section, "prediction",
                                        "Correlation with the next checkpoint", prediction_columns);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct prediction found;
        if (predict(context->study, point_measure, &rows[i].measure, context->options, &found,
                    context->err) < 0)
            return -1;
        if (found.n == 0)
            continue;
        table_text(table, bytes_of_text(measure_name(rows[i].measure)));
        table_number(table, (double)found.n);
        table_number(table, found.pass);
        table_number(table, rows[i].pass);
        table_number(table, found.pass_rank);
        table_number(table, found.cost);
        table_number(table, rows[i].cost);
        table_number(table, found.cost_rank);
    }
    if (table->n_rows == 0)
        section_note(section, "No agent run has records of consecutive checkpoints.");
    return 0;
}

/* ---- The grid ------------------------------------------------------------------------------ */

/* The grid with every dimension filled: from the sweep, or the profile's own value. */
struct grid {
    struct sweep sweep;
    double cutoff;
    enum profile_size_term size;
    enum profile_clones clone;
    struct sweep_rules rule;
};

static void
fill_grid(struct grid *grid, const struct sweep *sweep, const struct profile *profile)
{
    *grid = (struct grid){.sweep = *sweep,
                          .cutoff = profile->high_cc,
                          .size = profile->size_term,
                          .clone = profile->clones,
                          .rule = {.name = BYTES("profile")}};
    if (!sweep->n_cutoffs) {
        grid->sweep.cutoffs = &grid->cutoff;
        grid->sweep.n_cutoffs = 1;
    }
    if (!sweep->n_sizes) {
        grid->sweep.sizes = &grid->size;
        grid->sweep.n_sizes = 1;
    }
    if (!sweep->n_clones) {
        grid->sweep.clones = &grid->clone;
        grid->sweep.n_clones = 1;
    }
    if (!sweep->n_rules) {
        grid->sweep.rules = &grid->rule;
        grid->sweep.n_rules = 1;
    }
}

/* Variant INDEX of erosion: clones and rules are off, as it does not need them. */
static struct variant
erosion_variant(const struct profile *base, const struct sweep *sweep, size_t index)
{
    struct variant variant = {.profile = *base, .measure = MEASURE_EROSION};
    variant.profile.high_cc = sweep->cutoffs[index / sweep->n_sizes];
    variant.profile.size_term = sweep->sizes[index % sweep->n_sizes];
    variant.profile.clones = PROFILE_CLONES_NONE;
    variant.profile.part_clones = variant.profile.part_rules = false;
    variant.profile.severities = (struct text_list){NULL, 0};
    return variant;
}

static struct variant
verbosity_variant(const struct profile *base, const struct sweep *sweep, size_t index)
{
    struct variant variant = {.profile = *base, .measure = MEASURE_VERBOSITY};
    const struct sweep_rules *rules = &sweep->rules[index % sweep->n_rules];
    variant.profile.clones = sweep->clones[index / sweep->n_rules];
    if (variant.profile.clones == PROFILE_CLONES_NONE)
        variant.profile.part_clones = false;
    if (rules->severities.n_items)
        variant.profile.severities = rules->severities;
    variant.profile.advice = variant.profile.advice || rules->advice;
    if (rules->only.n_items)
        variant.profile.rules_in = rules->only;
    if (rules->except.n_items)
        variant.profile.rules_out = rules->except;
    return variant;
}

static void
add_finding(struct table *table, const struct finding *finding)
{
    table_number(table, (double)finding->human.n);
    table_stats(table, &finding->human);
    table_number(table, (double)finding->agents.n);
    table_stats(table, &finding->agents);
    table_number(table, finding->agents.mean / finding->human.mean);
    table_number(table, finding->human_slope);
    table_number(table, finding->agent_slope);
}

static void
add_erosions(struct section *section, const struct sweep *sweep, const struct variant *variants)
{
    struct table *table =
        SECTION_TABLE(section, "erosion", "Erosion by cutoff and size term", erosion_columns);
    for (size_t i = 0; i < sweep->n_cutoffs * sweep->n_sizes; i++) {
        table_number(table, sweep->cutoffs[i / sweep->n_sizes]);
        table_text(table, bytes_of_text(profile_size_term_names[sweep->sizes[i % sweep->n_sizes]]));
        add_finding(table, &variants[i].finding);
        table_number(table, (double)variants[i].finding.prediction.n);
        table_number(table, variants[i].finding.prediction.pass);
        table_number(table, variants[i].finding.prediction.cost);
        table_number(table, variants[i].finding.prediction.cost_rank);
    }
}

static void
add_verbosities(struct section *section, const struct sweep *sweep, const struct variant *variants)
{
    struct table *table =
        SECTION_TABLE(section, "verbosity", "Verbosity by clones and rules", verbosity_columns);
    for (size_t i = 0; i < sweep->n_clones * sweep->n_rules; i++) {
        table_text(table, bytes_of_text(profile_clones_names[sweep->clones[i / sweep->n_rules]]));
        table_text(table, sweep->rules[i % sweep->n_rules].name);
        add_finding(table, &variants[i].finding);
    }
}

/* Add every combination of the two halves. */
static void
add_combinations(struct section *section, const struct sweep *sweep, const struct variant *erosions,
                 const struct variant *verbosities)
{
    struct table *table =
        SECTION_TABLE(section, "variants", "Every combination, means", variant_columns);
    for (size_t e = 0; e < sweep->n_cutoffs * sweep->n_sizes; e++)
        for (size_t v = 0; v < sweep->n_clones * sweep->n_rules; v++) {
            table_number(table, sweep->cutoffs[e / sweep->n_sizes]);
            table_text(table,
                       bytes_of_text(profile_size_term_names[sweep->sizes[e % sweep->n_sizes]]));
            table_text(table,
                       bytes_of_text(profile_clones_names[sweep->clones[v / sweep->n_rules]]));
            table_text(table, sweep->rules[v % sweep->n_rules].name);
            table_number(table, erosions[e].finding.human.mean);
            table_number(table, erosions[e].finding.agents.mean);
            table_number(table, verbosities[v].finding.human.mean);
            table_number(table, verbosities[v].finding.agents.mean);
        }
}

/* Refuse a subset that names a rule which the store does not have. */
static int
check_rules(struct context *context, const struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->n_rules; i++) {
        const struct text_list *lists[] = {&sweep->rules[i].only, &sweep->rules[i].except};
        for (size_t k = 0; k < 2; k++) {
            const struct bytes *unknown = panel_rules_unknown(context->rules, lists[k]);
            if (unknown)
                return err_set(context->err, ERR_INPUT,
                               "the subset of rules %.*s: no rule of the store is called \"%.*s\"",
                               BYTES_ARG(sweep->rules[i].name), BYTES_ARG(*unknown));
        }
    }
    return 0;
}

static int
add_grid(struct context *context, struct section *section)
{
    struct grid grid;
    const struct profile *base = context->options->panel.profile;
    fill_grid(&grid, &context->options->sweep, base);
    if (check_rules(context, &context->options->sweep) < 0)
        return -1;
    size_t n_erosions = grid.sweep.n_cutoffs * grid.sweep.n_sizes;
    size_t n_verbosities = grid.sweep.n_clones * grid.sweep.n_rules;
    if (base->part_rules && !context->rules->has_group) {
        section_note(section, "There are no variants of verbosity without hits of rules.");
        n_verbosities = 0;
    }
    struct variant *variants =
        ARENA_ARRAY(&context->report->arena, n_erosions + n_verbosities, struct variant);
    if (!variants)
        return err_nomem(context->err, "variants");
    for (size_t i = 0; i < n_erosions; i++)
        variants[i] = erosion_variant(base, &grid.sweep, i);
    for (size_t i = 0; i < n_verbosities; i++)
        variants[n_erosions + i] = verbosity_variant(base, &grid.sweep, i);
    if (sweep_run(context, variants, n_erosions + n_verbosities) < 0)
        return -1;
    add_erosions(section, &grid.sweep, variants);
    if (n_verbosities)
        add_verbosities(section, &grid.sweep, variants + n_erosions);
    if (n_erosions > 1 && n_verbosities > 1)
        add_combinations(section, &grid.sweep, variants, variants + n_erosions);
    return 0;
}

/* ---- The grid of erosion from lists of functions ------------------------------------------- */

/* One definition of erosion over lists. */
struct list_variant {
    const struct function_lists *lists;
    double cutoff;
    enum profile_size_term size;
};

static double
list_erosion(const struct point *point, const void *context)
{
    const struct list_variant *variant = context;
    const struct function_list *list =
        point->is_kept && point->record ? function_lists_find(variant->lists, point->record) : NULL;
    return list ? function_list_erosion(list, variant->cutoff, variant->size) : NAN;
}

static int
add_list_variant(struct context *context, struct table *table, const struct list_variant *variant)
{
    struct prediction found;
    struct series values = {0};
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        for (size_t k = 0; trajectory->is_compared && k < trajectory->n_points; k++) {
            double value = list_erosion(&trajectory->points[k], variant);
            if (!isnan(value))
                series_add(&values, value);
        }
    }
    struct stats stats = stats_of(&values);
    finish_series(context, &values);
    if (predict(context->study, list_erosion, variant, context->options, &found, context->err) < 0)
        return -1;
    table_number(table, variant->cutoff);
    table_text(table, bytes_of_text(profile_size_term_names[variant->size]));
    table_number(table, (double)stats.n);
    table_stats(table, &stats);
    table_number(table, (double)found.n);
    table_number(table, found.pass);
    table_number(table, found.pass_rank);
    table_number(table, found.cost);
    table_number(table, found.cost_rank);
    return 0;
}

static int
add_list_grid(struct context *context, struct section *section)
{
    struct grid grid;
    fill_grid(&grid, &context->options->sweep, context->options->panel.profile);
    struct table *table = SECTION_TABLE(section, "functions",
                                        "Erosion of agents from lists of functions", list_columns);
    for (size_t i = 0; i < grid.sweep.n_cutoffs * grid.sweep.n_sizes; i++) {
        struct list_variant variant = {context->functions,
                                       grid.sweep.cutoffs[i / grid.sweep.n_sizes],
                                       grid.sweep.sizes[i % grid.sweep.n_sizes]};
        if (add_list_variant(context, table, &variant) < 0)
            return -1;
    }
    section_note(section, "From %zu lists of functions, those of kept checkpoints.",
                 context->functions->n_items);
    return 0;
}

int
section_sensitivity(struct context *context, struct section *section)
{
    static const char *const rates[] = {"strict", "isolated", "core"};
    if (add_predictions(context, section) < 0)
        return -1;
    if (context->functions && add_list_grid(context, section) < 0)
        return -1;
    if (context->store && selections_add(context, section) < 0)
        return -1;
    if (!context->options->sweep.is_wanted)
        section_note(section,
                     "The grid of variants is computed if this section is requested by name.");
    else if (!context->store && !context->functions)
        section_note(section,
                     "There is no grid of variants, as it needs a store or lists of functions.");
    else if (!context->store)
        section_note(section, "There are no variants of verbosity without a store.");
    else if (add_grid(context, section) < 0)
        return -1;
    section_note(
        section,
        "Pairs are consecutive checkpoints of the compared agents, the first kept, those whose "
        "agent "
        "failed at once (cost 0) %s; the next pass is the %s rate; Pearson, and Spearman by rank.",
        context->options->predict_no_failures ? "left out" : "included",
        rates[context->options->predicted]);
    section_note(section, "The paper's best of nine variants (complexity above 8, 10, 12 with no, "
                          "root and linear size): -0.136 with pass, 0.095 with cost; it does not "
                          "say which.");
    note_populations(context, section);
    return 0;
}
