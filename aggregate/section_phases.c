/* What happens on the way: correctness, cost and quality by phase. */
#include "aggregate/sections.h"

static const struct column agent_columns[] = {
    {"phase", "phase", COLUMN_TEXT, 0},
    {"records", "records", COLUMN_COUNT, 0},
    {"kept", "kept", COLUMN_COUNT, 0},
    {"strict", "strict", COLUMN_PERCENT, 2},
    {"isolated", "isolated", COLUMN_PERCENT, 2},
    {"core", "core", COLUMN_PERCENT, 2},
    {"core_rate", "core tests", COLUMN_PERCENT, 2},
    {"functionality_rate", "functionality tests", COLUMN_PERCENT, 2},
    {"error_rate", "error tests", COLUMN_PERCENT, 2},
    {"cost", "cost", COLUMN_NUMBER, 4},
    {"churn", "churn / before", COLUMN_NUMBER, 4},
    {"churn_now", "churn / now", COLUMN_NUMBER, 4},
};

static const struct column quality_columns[] = {
    {"group", "group", COLUMN_TEXT, 0},
    {"phase", "phase", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"erosion", "erosion", COLUMN_NUMBER, 4},
    {"erosion_half_width", "± 95 %", COLUMN_NUMBER, 4},
    {"verbosity", "verbosity", COLUMN_NUMBER, 4},
    {"verbosity_half_width", "± 95 %", COLUMN_NUMBER, 4},
    {"clone_ratio", "clone lines / lines", COLUMN_NUMBER, 4},
    {"hit_ratio", "rule hits / lines", COLUMN_NUMBER, 4},
    {"high_count", "high complexity", COLUMN_NUMBER, 3},
    {"cc_max", "largest complexity", COLUMN_NUMBER, 3},
};

static const struct column change_columns[] = {
    {"what", "from Start to Final", COLUMN_TEXT, 0}, {"start", "Start", COLUMN_NUMBER, 4},
    {"paper_start", "paper", COLUMN_NUMBER, 4},      {"final", "Final", COLUMN_NUMBER, 4},
    {"paper_final", "paper", COLUMN_NUMBER, 4},      {"ratio", "ratio", COLUMN_NUMBER, 3},
    {"paper_ratio", "paper", COLUMN_NUMBER, 3},
};

/* ---- Which points a phase has -------------------------------------------------------------- */

/* Called with each point of a phase. */
typedef void use_point(void *context, const struct point *point);

/* The released code counts from the checkpoints seen and takes the latest of a bin only. */
static void
points_of_agent(const struct line *line, enum phase_split split, enum phase phase, use_point *use,
                void *context)
{
    uint32_t n = line->n_configured;
    if (split == SPLIT_RELEASE && line->n_points)
        n = (uint32_t)line->points[line->n_points - 1].x;
    for (size_t i = 0; i < line->n_points; i++) {
        uint32_t x = (uint32_t)line->points[i].x;
        if (x < 1 || x > n || phase_of(split, x, n) != phase)
            continue;
        bool has_later =
            i + 1 < line->n_points && phase_of(split, (uint32_t)line->points[i + 1].x, n) == phase;
        if (split != SPLIT_RELEASE || !has_later)
            use(context, &line->points[i]);
    }
}

/* Of a repository the kept commits are numbered. */
static void
points_of_repository(const struct line *line, enum phase_split split, enum phase phase,
                     use_point *use, void *context)
{
    uint32_t n = 0, at = 0;
    for (size_t i = 0; i < line->n_points; i++)
        n += line->points[i].is_kept;
    for (size_t i = 0; i < line->n_points; i++)
        if (line->points[i].is_kept && phase_of(split, ++at, n) == phase)
            use(context, &line->points[i]);
}

static void
each_point(const struct context *context, enum population population, enum phase phase,
           use_point *use, void *shared)
{
    enum phase_split split = context->options->phase_split;
    for (size_t i = 0; i < context->study->n_lines; i++) {
        const struct line *line = &context->study->lines[i];
        if (!population_holds(population, line))
            continue;
        if (line->is_agent)
            points_of_agent(line, split, phase, use, shared);
        else
            points_of_repository(line, split, phase, use, shared);
    }
}

/* ---- Correctness and cost ------------------------------------------------------------------ */

struct outcome {
    size_t n_records, n_kept;
    size_t strict, isolated, core;
    struct series core_rate, functionality_rate, error_rate, cost, churn, churn_now;
};

static void
add_known(struct series *series, double value)
{
    if (isfinite(value))
        series_add(series, value);
}

static void
add_outcome(void *shared, const struct point *point)
{
    struct outcome *outcome = shared;
    const struct record *record = point->record;
    outcome->n_kept += point->is_kept;
    if (!record)
        return;
    outcome->n_records++;
    outcome->strict += record_is_solved(record, FIELD_STRICT_PASS_RATE);
    outcome->isolated += record_is_solved(record, FIELD_ISOLATED_PASS_RATE);
    outcome->core += record_is_solved(record, FIELD_CORE_PASS_RATE);
    add_known(&outcome->core_rate, record_rate(record, FIELD_CORE_PASSED, FIELD_CORE_TOTAL));
    add_known(&outcome->functionality_rate,
              record_rate(record, FIELD_FUNCTIONALITY_PASSED, FIELD_FUNCTIONALITY_TOTAL));
    add_known(&outcome->error_rate, record_rate(record, FIELD_ERROR_PASSED, FIELD_ERROR_TOTAL));
    add_known(&outcome->cost, record_value(record, FIELD_COST));
    add_known(&outcome->churn, record_value(record, FIELD_DELTA_CHURN_RATIO));
    if (point->is_kept)
        add_known(&outcome->churn_now, (record_value(record, FIELD_LINES_ADDED) +
                                        record_value(record, FIELD_LINES_REMOVED)) /
                                           record_value(record, FIELD_TOTAL_LINES));
}

static double
mean_and_finish(struct context *context, struct series *series)
{
    double mean = stats_of(series).mean;
    finish_series(context, series);
    return mean;
}

static void
add_outcomes(struct context *context, struct table *table, enum phase phase,
             struct outcome *outcome)
{
    double n = outcome->n_records ? (double)outcome->n_records : NAN;
    table_text(table, bytes_of_text(phase_name(phase)));
    table_number(table, (double)outcome->n_records);
    table_number(table, (double)outcome->n_kept);
    table_number(table, (double)outcome->strict / n);
    table_number(table, (double)outcome->isolated / n);
    table_number(table, (double)outcome->core / n);
    table_number(table, mean_and_finish(context, &outcome->core_rate));
    table_number(table, mean_and_finish(context, &outcome->functionality_rate));
    table_number(table, mean_and_finish(context, &outcome->error_rate));
    table_number(table, mean_and_finish(context, &outcome->cost));
    table_number(table, mean_and_finish(context, &outcome->churn));
    table_number(table, mean_and_finish(context, &outcome->churn_now));
}

/* ---- Quality ------------------------------------------------------------------------------- */

struct quality {
    size_t n;
    struct series values[MEASURE_N];
};

static void
add_quality(void *shared, const struct point *point)
{
    struct quality *quality = shared;
    if (!point->is_kept)
        return;
    quality->n++;
    for (int measure = 0; measure < MEASURE_N; measure++)
        add_known(&quality->values[measure], point->measures[measure]);
}

/* The means of the phase by measure, for the table of changes. */
static void
add_quality_row(struct context *context, struct table *table, enum population population,
                enum phase phase, double means[MEASURE_N])
{
    struct quality quality = {0};
    struct stats stats[MEASURE_N];
    each_point(context, population, phase, add_quality, &quality);
    for (int measure = 0; measure < MEASURE_N; measure++) {
        stats[measure] = stats_of(&quality.values[measure]);
        means[measure] = stats[measure].mean;
        finish_series(context, &quality.values[measure]);
    }
    table_text(table, bytes_of_text(population_name(population)));
    table_text(table, bytes_of_text(phase_name(phase)));
    table_number(table, (double)quality.n);
    table_number(table, means[MEASURE_EROSION]);
    table_number(table, stats_t_half_width(&stats[MEASURE_EROSION]));
    table_number(table, means[MEASURE_VERBOSITY]);
    table_number(table, stats_t_half_width(&stats[MEASURE_VERBOSITY]));
    table_number(table, means[MEASURE_CLONE_RATIO]);
    table_number(table, means[MEASURE_HIT_RATIO]);
    table_number(table, means[MEASURE_HIGH_COUNT]);
    table_number(table, means[MEASURE_CC_MAX]);
}

/* ---- Start against Final ------------------------------------------------------------------- */

struct change {
    double start, final;
    double paper_start, paper_final, paper_ratio;
};

static void
add_change(struct table *table, const char *what, struct change change)
{
    table_text(table, bytes_of_text(what));
    table_number(table, change.start);
    table_number(table, change.paper_start);
    table_number(table, change.final);
    table_number(table, change.paper_final);
    table_number(table, change.final / change.start);
    table_number(table, change.paper_ratio);
}

static double
cell_value(const struct table *table, size_t row, size_t column)
{
    return table->cells[row * table->n_columns + column].value;
}

/* From the rows of the phases in OUTCOMES and the MEANS of quality. */
static void
add_changes(struct section *section, const struct table *outcomes, double means[PHASE_N][MEASURE_N])
{
    enum { CORE = 5, ISOLATED = 4, FUNCTIONALITY_RATE = 7, ERROR_RATE = 8, COST = 9, CHURN = 10 };
    enum { START = PHASE_START, FINAL = PHASE_FINAL };
    struct table *table = SECTION_TABLE(section, "changes", "From Start to Final", change_columns);
    const struct table *o = outcomes;
    add_change(
        table, "core solved",
        (struct change){cell_value(o, START, CORE), cell_value(o, FINAL, CORE), 0.646, 0.355, NAN});
    add_change(table, "core solved / isolated solved",
               (struct change){cell_value(o, START, CORE) / cell_value(o, START, ISOLATED),
                               cell_value(o, FINAL, CORE) / cell_value(o, FINAL, ISOLATED), 2.5,
                               5.4, NAN});
    add_change(table, "functionality tests passed",
               (struct change){cell_value(o, START, FUNCTIONALITY_RATE),
                               cell_value(o, FINAL, FUNCTIONALITY_RATE), 0.627, 0.577, NAN});
    add_change(table, "error tests passed",
               (struct change){cell_value(o, START, ERROR_RATE), cell_value(o, FINAL, ERROR_RATE),
                               0.801, 0.622, NAN});
    add_change(
        table, "cost",
        (struct change){cell_value(o, START, COST), cell_value(o, FINAL, COST), NAN, NAN, 2.2});
    add_change(table, "lines changed / lines before (Early to Final)",
               (struct change){cell_value(o, PHASE_EARLY, CHURN), cell_value(o, FINAL, CHURN),
                               0.974, 0.295, NAN});
    add_change(table, "functions of high complexity",
               (struct change){means[START][MEASURE_HIGH_COUNT], means[FINAL][MEASURE_HIGH_COUNT],
                               3.6, 23.7, NAN});
    add_change(table, "largest complexity",
               (struct change){means[START][MEASURE_CC_MAX], means[FINAL][MEASURE_CC_MAX], 27.5,
                               69.0, NAN});
    add_change(table, "clone lines / lines",
               (struct change){means[START][MEASURE_CLONE_RATIO], means[FINAL][MEASURE_CLONE_RATIO],
                               NAN, NAN, 1.96});
    add_change(table, "rule hits / lines",
               (struct change){means[START][MEASURE_HIT_RATIO], means[FINAL][MEASURE_HIT_RATIO],
                               NAN, NAN, 1.003});
}

int
section_phases(struct context *context)
{
    struct section *section =
        report_add_section(context->report, "phases", "Phases from start to final");
    bool has_agents = population_count(context->study, POPULATION_AGENTS) > 0;
    struct table *outcomes = NULL;
    double means[PHASE_N][MEASURE_N], others[MEASURE_N];
    if (has_agents) {
        outcomes = SECTION_TABLE(section, "outcomes", "Agents: tests and cost", agent_columns);
        for (int phase = 0; phase < PHASE_N; phase++) {
            struct outcome outcome = {0};
            each_point(context, POPULATION_AGENTS, (enum phase)phase, add_outcome, &outcome);
            add_outcomes(context, outcomes, (enum phase)phase, &outcome);
        }
    }
    struct table *quality =
        SECTION_TABLE(section, "quality", "Means over kept checkpoints", quality_columns);
    for (int phase = 0; has_agents && phase < PHASE_N; phase++)
        add_quality_row(context, quality, POPULATION_AGENTS, (enum phase)phase, means[phase]);
    if (population_count(context->study, POPULATION_REPOSITORIES))
        for (int phase = 0; phase < PHASE_N; phase++)
            add_quality_row(context, quality, POPULATION_REPOSITORIES, (enum phase)phase, others);
    if (has_agents && !context->report->failed)
        add_changes(section, outcomes, means);
    section_note(
        section,
        "Split of the interior: %s; n is the configured number of checkpoints of an agent's "
        "problem%s and the number of kept commits of a repository.  A phase pools its "
        "checkpoints.",
        phase_split_name(context->options->phase_split),
        context->options->phase_split == SPLIT_RELEASE ? " that was seen" : "");
    section_note(section,
                 "Half widths: t(n - 1) times deviation over the root of n, 95 %%.  Churn: "
                 "lines added and removed, over the lines before (the one compared with the "
                 "paper; finite values only) or over the lines now (kept checkpoints).");
    note_agents(context, section);
    note_populations(context, section);
    return 0;
}
