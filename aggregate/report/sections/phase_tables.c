/*
 * Section "phases": correctness, cost and quality by phase of a trajectory, and their change from
 * start to final.
 *
 * The values of a phase are its checkpoints', or one mean per trajectory; the released code's split
 * counts the checkpoints seen and takes the last of each bin.
 */
#include "aggregate/report/sections/sections.h"
#include "base/num.h"

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
    {"functionality_all", "all of functionality", COLUMN_PERCENT, 2},
    {"error_all", "all of error", COLUMN_PERCENT, 2},
    {"cost", "cost", COLUMN_NUMBER, 4},
    {"churn", "churn / before", COLUMN_NUMBER, 4},
    {"churn_now", "churn / now", COLUMN_NUMBER, 4},
};

static const struct column quality_columns[] = {
    {"group", "group", COLUMN_TEXT, 0},
    {"phase", "phase", COLUMN_TEXT, 0},
    {"n", "n", COLUMN_COUNT, 0},
    {"erosion", "erosion", COLUMN_NUMBER, 4},
    {"erosion_95", "95 % interval", COLUMN_INTERVAL, 4},
    {"verbosity", "verbosity", COLUMN_NUMBER, 4},
    {"verbosity_95", "95 % interval", COLUMN_INTERVAL, 4},
    {"clone_ratio", "clone lines / lines", COLUMN_NUMBER, 4},
    {"hit_ratio", "rule hits / lines", COLUMN_NUMBER, 4},
    {"high_count", "high complexity", COLUMN_NUMBER, 3},
    {"cc_max", "largest complexity", COLUMN_NUMBER, 3},
};

static const struct column change_columns[] = {
    {"what", "from Start to Final", COLUMN_TEXT, 0},         {"start", "Start", COLUMN_NUMBER, 4},
    {"paper_start", "paper", COLUMN_NUMBER, DECIMALS_GIVEN}, {"final", "Final", COLUMN_NUMBER, 4},
    {"paper_final", "paper", COLUMN_NUMBER, DECIMALS_GIVEN}, {"ratio", "ratio", COLUMN_NUMBER, 3},
    {"paper_ratio", "paper", COLUMN_NUMBER, DECIMALS_GIVEN},
};

/* ---- Values of a phase --------------------------------------------------------------------- */

enum outcome {
    OUTCOME_STRICT,
    OUTCOME_ISOLATED,
    OUTCOME_CORE,
    OUTCOME_CORE_RATE,
    OUTCOME_FUNCTIONALITY_RATE,
    OUTCOME_ERROR_RATE,
    OUTCOME_FUNCTIONALITY_ALL,
    OUTCOME_ERROR_ALL,
    OUTCOME_COST,
    OUTCOME_CHURN,
    OUTCOME_CHURN_NOW,
    OUTCOME_N
};
enum { VALUES_N = OUTCOME_N + MEASURE_N };

/* The values of the checkpoints of a phase: outcomes, and the measures of those that are kept. */
struct values {
    size_t n_records, n_kept;
    struct series series[VALUES_N];
};

static void
add_known(struct series *series, double value)
{
    if (isfinite(value))
        series_add(series, value);
}

/* 1 if all tests passed, else 0; NaN without tests. */
static double
all_passed(double rate)
{
    return isnan(rate) ? NAN : rate == 1;
}

static void
add_outcomes(const struct point *point, struct series series[OUTCOME_N])
{
    const struct record *record = point->record;
    double functionality =
        record_rate(record, FIELD_FUNCTIONALITY_PASSED, FIELD_FUNCTIONALITY_TOTAL);
    double error = record_rate(record, FIELD_ERROR_PASSED, FIELD_ERROR_TOTAL);
    const double values[OUTCOME_N] = {
        [OUTCOME_STRICT] = record_is_solved(record, FIELD_STRICT_PASS_RATE),
        [OUTCOME_ISOLATED] = record_is_solved(record, FIELD_ISOLATED_PASS_RATE),
        [OUTCOME_CORE] = record_is_solved(record, FIELD_CORE_PASS_RATE),
        [OUTCOME_CORE_RATE] = record_rate(record, FIELD_CORE_PASSED, FIELD_CORE_TOTAL),
        [OUTCOME_FUNCTIONALITY_RATE] = functionality,
        [OUTCOME_ERROR_RATE] = error,
        [OUTCOME_FUNCTIONALITY_ALL] = all_passed(functionality),
        [OUTCOME_ERROR_ALL] = all_passed(error),
        [OUTCOME_COST] = record_value(record, FIELD_COST),
        [OUTCOME_CHURN] = record_value(record, FIELD_DELTA_CHURN_RATIO),
        [OUTCOME_CHURN_NOW] = point->is_kept ? (record_value(record, FIELD_LINES_ADDED) +
                                                record_value(record, FIELD_LINES_REMOVED)) /
                                                   record_value(record, FIELD_TOTAL_LINES)
                                             : NAN,
    };
    for (int outcome = 0; outcome < OUTCOME_N; outcome++)
        add_known(&series[outcome], values[outcome]);
}

static void
add_point(struct values *values, const struct point *point)
{
    values->n_kept += point->is_kept;
    values->n_records += point->record != NULL;
    if (point->record)
        add_outcomes(point, values->series);
    for (int measure = 0; point->is_kept && measure < MEASURE_N; measure++)
        add_known(&values->series[OUTCOME_N + measure], point->measures[measure]);
}

/* ---- Which points a phase has -------------------------------------------------------------- */

/* A checkpoint's number; 0 if its record does not have a valid one. */
static uint32_t
number_of(const struct point *point)
{
    return (uint32_t)num_clamp(point->x, UINT32_MAX);
}

/* Add the checkpoints of TRAJECTORY in PHASE.  The released code counts the checkpoints seen and
 * takes only the last of a bin. */
static void
points_of_agent(const struct trajectory *trajectory, const struct report_options *options,
                enum phase phase, struct values *values)
{
    enum phase_split split = options->phase_split;
    uint32_t n = trajectory->n_configured;
    if ((split == SPLIT_RELEASE || options->phase_of_seen) && trajectory->n_points)
        n = number_of(&trajectory->points[trajectory->n_points - 1]);
    for (size_t i = 0; i < trajectory->n_points; i++) {
        uint32_t x = number_of(&trajectory->points[i]);
        if (x < 1 || x > n || phase_of(split, x, n) != phase)
            continue;
        bool has_later = i + 1 < trajectory->n_points &&
                         phase_of(split, number_of(&trajectory->points[i + 1]), n) == phase;
        if (split != SPLIT_RELEASE || !has_later)
            add_point(values, &trajectory->points[i]);
    }
}

/* The same for a repository, whose kept commits are numbered in order of dates. */
static void
points_of_repository(const struct trajectory *trajectory, enum phase_split split, enum phase phase,
                     struct values *values)
{
    uint32_t n = 0, at = 0;
    for (size_t i = 0; i < trajectory->n_points; i++)
        n += trajectory->points[i].is_kept;
    for (size_t i = 0; i < trajectory->n_points; i++)
        if (trajectory->points[i].is_kept && phase_of(split, ++at, n) == phase)
            add_point(values, &trajectory->points[i]);
}

static void
points_of_trajectory(const struct trajectory *trajectory, const struct report_options *options,
                     enum phase phase, struct values *values)
{
    if (trajectory->is_agent)
        points_of_agent(trajectory, options, phase, values);
    else
        points_of_repository(trajectory, options->phase_split, phase, values);
}

/* Add the means of the values of one trajectory to INTO, and empty them. */
static void
fold_trajectory(struct values *of_trajectory, struct values *into)
{
    for (int i = 0; i < VALUES_N; i++) {
        struct series *series = &of_trajectory->series[i];
        if (series->n)
            series_add(&into->series[i], stats_of(series).mean);
        into->series[i].failed = into->series[i].failed || series->failed;
        series_reset(series);
    }
    into->n_records += of_trajectory->n_records;
    into->n_kept += of_trajectory->n_kept;
    of_trajectory->n_records = of_trajectory->n_kept = 0;
}

/* Collect the values of PHASE: of every checkpoint, or one mean per trajectory. */
static void
collect(const struct context *context, enum population population, enum phase phase,
        struct values *out)
{
    const struct report_options *options = context->options;
    struct values of_trajectory = {0};
    *out = (struct values){0};
    for (size_t i = 0; i < context->study->n_trajectories; i++) {
        const struct trajectory *trajectory = &context->study->trajectories[i];
        if (!population_holds(population, trajectory))
            continue;
        points_of_trajectory(trajectory, options, phase,
                             options->phase_by_trajectory ? &of_trajectory : out);
        if (options->phase_by_trajectory)
            fold_trajectory(&of_trajectory, out);
    }
    for (int i = 0; i < VALUES_N; i++)
        series_clear(&of_trajectory.series[i]);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* The means of a phase, for the table of changes. */
struct means {
    double outcomes[OUTCOME_N], measures[MEASURE_N];
};

static void
add_outcome_row(struct table *table, enum phase phase, const struct values *values,
                const struct means *means)
{
    table_text(table, bytes_of_text(phase_name(phase)));
    table_number(table, (double)values->n_records);
    table_number(table, (double)values->n_kept);
    for (int outcome = 0; outcome < OUTCOME_N; outcome++)
        table_number(table, means->outcomes[outcome]);
}

static void
add_quality_row(struct context *context, struct table *table, enum population population,
                enum phase phase, struct values *values, const struct means *means)
{
    const double *measures = means->measures;
    table_text(table, bytes_of_text(population_name(population)));
    table_text(table, bytes_of_text(phase_name(phase)));
    table_number(table, (double)values->n_kept);
    for (size_t m = 2; m-- > 0;) {
        enum measure measure = compared_measures[m];
        struct interval interval = interval_of_mean(context, &values->series[OUTCOME_N + measure]);
        table_number(table, measures[measure]);
        table_pair(table, interval.low, interval.high);
    }
    table_number(table, measures[MEASURE_CLONE_RATIO]);
    table_number(table, measures[MEASURE_HIT_RATIO]);
    table_number(table, measures[MEASURE_HIGH_COUNT]);
    table_number(table, measures[MEASURE_CC_MAX]);
}

/* Add the rows of PHASE; OUTCOMES may be NULL. */
static void
add_phase(struct context *context, struct table *outcomes, struct table *quality,
          enum population population, enum phase phase, struct means *means)
{
    struct values values;
    collect(context, population, phase, &values);
    for (int i = 0; i < OUTCOME_N; i++)
        means->outcomes[i] = stats_of(&values.series[i]).mean;
    for (int i = 0; i < MEASURE_N; i++)
        means->measures[i] = stats_of(&values.series[OUTCOME_N + i]).mean;
    if (outcomes)
        add_outcome_row(outcomes, phase, &values, means);
    add_quality_row(context, quality, population, phase, &values, means);
    for (int i = 0; i < VALUES_N; i++)
        finish_series(context, &values.series[i]);
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

/* Add the table of changes from MEANS, by phase. */
static void
add_changes(struct section *section, const struct means means[PHASE_N])
{
    struct table *table = SECTION_TABLE(section, "changes", "From Start to Final", change_columns);
    const struct means *start = &means[PHASE_START], *final = &means[PHASE_FINAL];
    const double *from = start->outcomes, *to = final->outcomes;
    const struct {
        const char *what;
        struct change change;
    } rows[] = {
        {"core solved", {from[OUTCOME_CORE], to[OUTCOME_CORE], 0.646, 0.355, NAN}},
        {"core solved / isolated solved",
         {from[OUTCOME_CORE] / from[OUTCOME_ISOLATED], to[OUTCOME_CORE] / to[OUTCOME_ISOLATED], 2.5,
          5.4, NAN}},
        {"functionality tests passed",
         {from[OUTCOME_FUNCTIONALITY_RATE], to[OUTCOME_FUNCTIONALITY_RATE], 0.627, 0.577, NAN}},
        {"error tests passed",
         {from[OUTCOME_ERROR_RATE], to[OUTCOME_ERROR_RATE], 0.801, 0.622, NAN}},
        {"cost", {from[OUTCOME_COST], to[OUTCOME_COST], NAN, NAN, 2.2}},
        {"lines changed / lines before (Early to Final)",
         {means[PHASE_EARLY].outcomes[OUTCOME_CHURN], to[OUTCOME_CHURN], 0.974, 0.295, NAN}},
        {"functions of high complexity",
         {start->measures[MEASURE_HIGH_COUNT], final->measures[MEASURE_HIGH_COUNT], 3.6, 23.7,
          NAN}},
        {"largest complexity",
         {start->measures[MEASURE_CC_MAX], final->measures[MEASURE_CC_MAX], 27.5, 69.0, NAN}},
        {"clone lines / lines",
         {start->measures[MEASURE_CLONE_RATIO], final->measures[MEASURE_CLONE_RATIO], NAN, NAN,
          1.96}},
        {"rule hits / lines",
         {start->measures[MEASURE_HIT_RATIO], final->measures[MEASURE_HIT_RATIO], NAN, NAN, 1.003}},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        add_change(table, rows[i].what, rows[i].change);
}

int
section_phases(struct context *context, struct section *section)
{
    bool has_agents = population_count(context->study, POPULATION_AGENTS) > 0;
    struct table *outcomes = NULL;
    struct means means[PHASE_N], others;
    if (has_agents)
        outcomes = SECTION_TABLE(section, "outcomes", "Agents: tests and cost", agent_columns);
    struct table *quality =
        SECTION_TABLE(section, "quality", "Means over kept checkpoints", quality_columns);
    for (int phase = 0; has_agents && phase < PHASE_N; phase++)
        add_phase(context, outcomes, quality, POPULATION_AGENTS, (enum phase)phase, &means[phase]);
    if (population_count(context->study, POPULATION_REPOSITORIES))
        for (int phase = 0; phase < PHASE_N; phase++)
            add_phase(context, NULL, quality, POPULATION_REPOSITORIES, (enum phase)phase, &others);
    section_add_plot(section, "Erosion by phase, mean and its 95 % interval", quality, "phase",
                     "group", "erosion", "erosion_95", NULL);
    section_add_plot(section, "Verbosity by phase, mean and its 95 % interval", quality, "phase",
                     "group", "verbosity", "verbosity_95", NULL);
    if (has_agents)
        add_changes(section, means);
    const struct report_options *options = context->options;
    section_note(section,
                 "Split of the interior: %s; n is the number of checkpoints of an agent's problem "
                 "that %s and the number of kept commits of a repository.  %s",
                 phase_split_name(options->phase_split),
                 options->phase_split == SPLIT_RELEASE || options->phase_of_seen
                     ? "the agent reached"
                     : "are configured",
                 options->phase_by_trajectory
                     ? "The checkpoints of a trajectory in a phase are averaged first."
                     : "A phase pools its checkpoints.");
    note_intervals(context, section);
    section_note(
        section,
        "Tests: the mean share that passed (which is compared with the paper) and the "
        "share of checkpoints where all passed; checkpoints without such tests are left "
        "out.  Churn: lines added and removed, over the lines before (which is compared with the "
        "paper; finite values only) or over the lines now (kept checkpoints).");
    note_agents(context, section);
    note_populations(context, section);
    return 0;
}
