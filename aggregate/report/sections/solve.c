/*
 * Section "solve": what each agent run solved, at what cost, its quality and its tokens.
 */
#include "aggregate/report/sections/sections.h"

/* clang-format off */
#define NAME_COLUMNS                                                                     \
    {"model", "model", COLUMN_TEXT, 0}, {"prompt", "prompt", COLUMN_TEXT, 0},            \
    {"variant", "variant", COLUMN_TEXT, 0}, {"run", "run", COLUMN_TEXT, 0}
#define RATE_COLUMNS                                                                     \
    {"n", "n", COLUMN_COUNT, 0}, {"expected", "of", COLUMN_COUNT, 0},                    \
    {"strict", "strict", COLUMN_PERCENT, 1}, {"isolated", "isolated", COLUMN_PERCENT, 1}, \
    {"core", "core", COLUMN_PERCENT, 1}, {"partial", "partial", COLUMN_PERCENT, 1},      \
    {"solved", "problems solved", COLUMN_COUNT, 0},                                      \
    {"cost", "$ / checkpoint", COLUMN_SPREAD, 2}, {"net_cost", "net $", COLUMN_NUMBER, 2}, \
    {"tokens", "M tokens", COLUMN_NUMBER, 1},                                            \
    {"minutes", "minutes / checkpoint", COLUMN_SPREAD, 1},                               \
    {"erosion", "erosion", COLUMN_SPREAD, 2}, {"verbosity", "verbosity", COLUMN_SPREAD, 2}
/* clang-format on */

static const struct column columns[] = {NAME_COLUMNS,
                                        {"agent", "agent", COLUMN_TEXT, 0},
                                        {"thinking", "thinking", COLUMN_TEXT, 0},
                                        {"compared", "compared", COLUMN_TEXT, 0},
                                        RATE_COLUMNS};

static const struct column result_columns[] = {NAME_COLUMNS, RATE_COLUMNS};

static const struct column paper_columns[] = {
    {"model", "model", COLUMN_TEXT, 0},
    {"strict", "strict", COLUMN_PERCENT, 1},
    {"isolated", "isolated", COLUMN_PERCENT, 1},
    {"core", "core", COLUMN_PERCENT, 1},
    {"partial", "partial", COLUMN_PERCENT, 1},
    {"cost", "$ / checkpoint", COLUMN_SPREAD, 2},
    {"net_cost", "net $", COLUMN_NUMBER, 2},
    {"minutes", "minutes / checkpoint", COLUMN_SPREAD, 1},
    {"erosion", "erosion", COLUMN_SPREAD, 2},
    {"verbosity", "verbosity", COLUMN_SPREAD, 2},
};

static const struct column token_columns[] = {
    {"model", "model", COLUMN_TEXT, 0},
    {"run", "run", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"expected", "of", COLUMN_COUNT, 0},
    {"tokens", "M tokens", COLUMN_NUMBER, 1},
    {"tokens_whole", "were all reached", COLUMN_NUMBER, 1},
    {"paper", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
};

/* The counts that the paper's main table is computed from, of 196 checkpoints and 36 problems. */
static const struct {
    const char *model;
    int strict, isolated, core, partial;
} paper[] = {
    {"Opus 4.5", 18, 34, 113, 9},       {"Opus 4.6", 19, 41, 132, 10},
    {"Opus 4.7", 16, 41, 129, 13},      {"Sonnet 4.6", 14, 33, 113, 10},
    {"GPT 5.2 Codex", 19, 43, 110, 13}, {"GPT 5.3 Codex", 22, 51, 119, 15},
    {"GPT 5.3 Spark", 6, 16, 57, 4},    {"GPT 5.4", 21, 46, 123, 13},
    {"GPT 5.4 Mini", 10, 27, 104, 8},   {"GPT 5.5", 29, 55, 131, 18},
    {"Composer 2", 12, 32, 103, 5},     {"GLM 5.1", 19, 27, 79, 11},
    {"Kimi K2.5", 9, 19, 78, 7},        {"Kimi K2.6", 21, 37, 100, 12},
    {"MiniMax M2.7", 4, 8, 55, 3},
};

/* The smallest and the largest value in the paper's rows, those with other prompts included. */
static const struct {
    const char *which;
    double strict, isolated, core, partial;
    struct result_spread cost;
    double net_cost;
    struct result_spread minutes, erosion, verbosity;
} paper_ends[] = {
    {"lowest of 26 rows",
     0.020,
     0.036,
     0.204,
     0.056,
     {0.20, 0.41},
     37.17,
     {2.4, 4.6},
     {0.21, 0.15},
     {0.21, 0.08}},
    {"highest of 26 rows",
     0.148,
     0.281,
     0.673,
     0.500,
     {3.17, 2.82},
     620.80,
     {31.4, 20.0},
     {0.76, 0.20},
     {0.51, 0.22}},
};

/* The statistics of FIELD of the records of RUN, times FACTOR. */
static struct stats
record_stats(struct context *context, const struct agent_run *run, enum field field, double factor)
{
    struct series values = {0};
    for (size_t i = 0; i < run->n_trajectories; i++)
        for (size_t k = 0; k < run->trajectories[i]->n_points; k++) {
            const struct record *record = run->trajectories[i]->points[k].record;
            if (record && isfinite(record_value(record, field)))
                series_add(&values, record_value(record, field) * factor);
        }
    struct stats stats = stats_of(&values);
    finish_series(context, &values);
    return stats;
}

/* The tokens of all categories, in millions; NaN if no record has them. */
static double
million_tokens(const struct agent_run *run)
{
    static const enum field fields[] = {FIELD_INPUT, FIELD_OUTPUT, FIELD_CACHE_READ,
                                        FIELD_CACHE_WRITE, FIELD_REASONING};
    double sum = 0; /* exact, as it is of whole numbers */
    bool is_known = false;
    for (size_t i = 0; i < run->n_trajectories; i++)
        for (size_t k = 0; k < run->trajectories[i]->n_points; k++) {
            const struct record *record = run->trajectories[i]->points[k].record;
            for (size_t f = 0; record && f < sizeof(fields) / sizeof(*fields); f++)
                if (record_has(record, fields[f])) {
                    sum += record_value(record, fields[f]);
                    is_known = true;
                }
        }
    return is_known ? sum / 1e6 : NAN;
}

static struct stats
quality_stats(struct context *context, const struct agent_run *run, enum measure measure)
{
    struct series values = {0};
    for (size_t i = 0; i < run->n_trajectories; i++)
        trajectory_series(run->trajectories[i], measure, NULL, &values);
    struct stats stats = stats_of(&values);
    finish_series(context, &values);
    return stats;
}

static void
add_run(struct context *context, struct table *table, const struct agent_run *run)
{
    const struct report_options *options = context->options;
    double expected = (double)(options->expected ? options->expected : run->n_expected);
    double n_problems =
        (double)(options->expected_problems ? options->expected_problems : run->n_problems);
    struct stats cost = record_stats(context, run, FIELD_COST, 1);
    struct stats minutes = record_stats(context, run, FIELD_DURATION, 1.0 / 60);
    struct stats erosion = quality_stats(context, run, MEASURE_EROSION);
    struct stats verbosity = quality_stats(context, run, MEASURE_VERBOSITY);
    table_text(table, run->setup.model);
    table_text(table, run->setup.prompt);
    table_text(table, run->setup.variant);
    table_text(table, run->setup.run);
    table_format(table, "%.*s%s%.*s", BYTES_ARG(run->setup.agent_type),
                 run->setup.agent_type.len && run->setup.agent_version.len ? " " : "",
                 BYTES_ARG(run->setup.agent_version));
    table_text(table, run->setup.thinking);
    table_text(table, bytes_of_text(run->is_best ? "yes" : "no"));
    table_number(table, (double)run->n_records);
    table_number(table, expected);
    table_number(table, (double)run->strict / expected);
    table_number(table, (double)run->isolated / expected);
    table_number(table, (double)run->core / expected);
    table_number(table, (double)run->partial / n_problems);
    table_number(table, (double)run->solved);
    table_stats(table, &cost);
    table_number(table, run->cost);
    table_number(table, million_tokens(run));
    table_stats(table, &minutes);
    table_stats(table, &erosion);
    table_stats(table, &verbosity);
}

/* ---- Result files -------------------------------------------------------------------------- */

static void
add_spread(struct table *table, struct result_spread spread, double factor)
{
    table_pair(table, spread.mean * factor, spread.stddev * factor);
}

static void
add_result(struct context *context, struct table *table, const struct run_result *result)
{
    const struct report_options *options = context->options;
    double expected = options->expected ? (double)options->expected : result->expected;
    double n_problems =
        options->expected_problems ? (double)options->expected_problems : result->n_problems;
    table_text(table, result->setup.model);
    table_text(table, result->setup.prompt);
    table_text(table, result->setup.variant);
    table_text(table, result->setup.run);
    table_number(table, result->n_checkpoints);
    table_number(table, expected);
    table_number(table, result->strict / expected);
    table_number(table, result->isolated / expected);
    table_number(table, result->core / expected);
    table_number(table, result->partial / n_problems);
    table_number(table, result->solved);
    add_spread(table, result->cost, 1);
    table_number(table, result->net_cost);
    table_number(table, result->tokens / 1e6);
    add_spread(table, result->duration, 1.0 / 60);
    add_spread(table, result->erosion, 1);
    add_spread(table, result->verbosity, 1);
}

static void
add_results(struct context *context, struct section *section)
{
    const struct results *results = context->results;
    struct table *table =
        SECTION_TABLE(section, "results", "Runs by their result files", result_columns);
    for (size_t i = 0; i < results->n_items; i++)
        add_result(context, table, &results->items[i]);
    if (results->n_filled && !context->options->expected)
        section_note(section,
                     "%zu of %zu result files do not say how many checkpoints were expected: the "
                     "largest number of all files, %.0f, is used, and rates are computed again.",
                     results->n_filled, results->n_items, results->largest);
}

/* ---- Tokens and the paper ------------------------------------------------------------------ */

static void
add_token_row(struct table *table, struct bytes model, struct bytes run, double n, double expected,
              double tokens, double published)
{
    table_text(table, model);
    table_text(table, run);
    table_number(table, n);
    table_number(table, expected);
    table_number(table, tokens);
    table_number(table, tokens * expected / n);
    table_number(table, published);
}

/* Add a row for each compared run, then one for all runs. */
static void
add_tokens(struct context *context, struct section *section)
{
    static const double paper_total = 13180;
    const struct report_options *options = context->options;
    struct table *table =
        SECTION_TABLE(section, "tokens", "Tokens of all categories, in millions", token_columns);
    double n = 0, expected = 0, tokens = NAN;
    for (size_t i = 0; i < context->study->n_runs; i++) {
        const struct agent_run *run = &context->study->runs[i];
        double of_run = million_tokens(run);
        double expected_of_run = (double)(options->expected ? options->expected : run->n_expected);
        n += (double)run->n_records;
        expected += expected_of_run;
        if (!isnan(of_run))
            tokens = isnan(tokens) ? of_run : tokens + of_run;
        if (run->is_best && !isnan(of_run))
            add_token_row(table, run->setup.model, run->setup.run, (double)run->n_records,
                          expected_of_run, of_run, NAN);
    }
    if (!isnan(tokens))
        add_token_row(table, BYTES("all runs"), BYTES(""), n, expected, tokens, paper_total);
}

static void
add_paper(struct section *section)
{
    struct table *table =
        SECTION_TABLE(section, "paper", "The paper's models, for comparison", paper_columns);
    for (size_t i = 0; i < sizeof(paper) / sizeof(*paper); i++) {
        table_text(table, bytes_of_text(paper[i].model));
        table_number(table, paper[i].strict / 196.0);
        table_number(table, paper[i].isolated / 196.0);
        table_number(table, paper[i].core / 196.0);
        table_number(table, paper[i].partial / 36.0);
        for (int k = 0; k < 5; k++)
            table_empty(table);
    }
    for (size_t i = 0; i < sizeof(paper_ends) / sizeof(*paper_ends); i++) {
        table_text(table, bytes_of_text(paper_ends[i].which));
        table_number(table, paper_ends[i].strict);
        table_number(table, paper_ends[i].isolated);
        table_number(table, paper_ends[i].core);
        table_number(table, paper_ends[i].partial);
        add_spread(table, paper_ends[i].cost, 1);
        table_number(table, paper_ends[i].net_cost);
        add_spread(table, paper_ends[i].minutes, 1);
        add_spread(table, paper_ends[i].erosion, 1);
        add_spread(table, paper_ends[i].verbosity, 1);
    }
}

int
section_solve(struct context *context, struct section *section)
{
    struct table *table = SECTION_TABLE(section, "runs", "Agent runs", columns);
    for (size_t i = 0; i < context->study->n_runs; i++)
        add_run(context, table, &context->study->runs[i]);
    add_results(context, section);
    add_tokens(context, section);
    add_paper(section);
    if (context->options->expected)
        section_note(section, "Rates of checkpoints are of %llu.",
                     (unsigned long long)context->options->expected);
    else
        section_note(section,
                     "Rates of checkpoints are of those configured for the problems that a "
                     "run has records of; the paper's are always of 196.");
    if (context->options->expected_problems)
        section_note(section, "Partial is of %llu problems.",
                     (unsigned long long)context->options->expected_problems);
    else
        section_note(section, "Partial is of the problems with records; the paper's is of 36.");
    section_note(
        section,
        "Partial counts problems with at least one strictly solved checkpoint.  "
        "Costs and minutes are of every checkpoint with a record, failed agents' "
        "zeros included; erosion and verbosity of the kept ones.  Tokens are of all "
        "categories, and some agents count cached ones twice; the paper's models would take "
        "380 to 1,140 million each for all checkpoints.");
    if (context->study->n_duplicates)
        section_note(section, "%zu records are replaced by a later record of the same checkpoint.",
                     context->study->n_duplicates);
    if (context->study->n_runs == 0 && context->results->n_items == 0)
        section_note(section, "There are no agent runs in the input.");
    return 0;
}
