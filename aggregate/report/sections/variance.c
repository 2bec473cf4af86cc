/*
 * Section "variance": how much the runs of one setup differ, at every checkpoint that all of them
 * reached and by problem.
 */
#include "aggregate/report/sections/sections.h"

static const struct column columns[] = {
    {"model", "model", COLUMN_TEXT, 0},
    {"prompt", "prompt", COLUMN_TEXT, 0},
    {"variant", "variant", COLUMN_TEXT, 0},
    {"problem", "problem", COLUMN_TEXT, 0},
    {"checkpoint", "checkpoint", COLUMN_COUNT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"n", "runs", COLUMN_COUNT, 0},
    {"value", "mean", COLUMN_SPREAD, 4},
    {"cv", "deviation / mean", COLUMN_NUMBER, 3},
    {"mean_95", "95 % interval", COLUMN_INTERVAL, 4},
};

static const struct column problem_columns[] = {
    {"model", "model", COLUMN_TEXT, 0},
    {"prompt", "prompt", COLUMN_TEXT, 0},
    {"variant", "variant", COLUMN_TEXT, 0},
    {"problem", "problem", COLUMN_TEXT, 0},
    {"measure", "measure", COLUMN_TEXT, 0},
    {"n", "runs", COLUMN_COUNT, 0},
    {"value", "mean", COLUMN_SPREAD, 4},
    {"cv", "deviation / mean", COLUMN_NUMBER, 3},
    {"mean_95", "95 % interval", COLUMN_INTERVAL, 4},
};

/* The values that are compared between runs: fields of the record, or measures. */
static const struct {
    const char *name;
    bool is_measure;
    int which; /* enum measure or enum field */
} compared[] = {
    {"strict", false, FIELD_STRICT_PASS_RATE},
    {"isolated", false, FIELD_ISOLATED_PASS_RATE},
    {"core", false, FIELD_CORE_PASS_RATE},
    {"cost", false, FIELD_COST},
    {"steps", false, FIELD_STEPS},
    {"duration", false, FIELD_DURATION},
    {"erosion", true, MEASURE_EROSION},
    {"verbosity", true, MEASURE_VERBOSITY},
    {"loc", true, MEASURE_PHYSICAL_LOC},
};
enum { N_COMPARED = sizeof(compared) / sizeof(*compared) };

static double
value_of(const struct point *point, size_t which)
{
    if (compared[which].is_measure)
        return point->is_kept ? point->measures[compared[which].which] : NAN;
    return point->record ? record_value(point->record, (enum field)compared[which].which) : NAN;
}

static const struct point *
find_point(const struct agent_run *run, struct bytes problem, double x)
{
    for (size_t i = 0; i < run->n_trajectories; i++)
        for (size_t k = 0; k < run->trajectories[i]->n_points; k++)
            if (run->trajectories[i]->points[k].x == x &&
                bytes_equal(run->trajectories[i]->problem, problem))
                return &run->trajectories[i]->points[k];
    return NULL;
}

/* Add a row of VALUES for the problem of TRAJECTORY: for its checkpoint X, or for all if X is NaN.
 */
static void
add_row(struct context *context, struct table *table, const struct trajectory *trajectory, double x,
        size_t which, struct series *values)
{
    struct stats stats = stats_of(values);
    struct interval interval = interval_of_mean(context, values);
    if (stats.n < 2)
        return;
    table_text(table, trajectory->setup.model);
    table_text(table, trajectory->setup.prompt);
    table_text(table, trajectory->setup.variant);
    table_text(table, trajectory->problem);
    if (!isnan(x))
        table_number(table, x);
    table_text(table, bytes_of_text(compared[which].name));
    table_number(table, (double)stats.n);
    table_stats(table, &stats);
    table_number(table, stats.mean == 0 ? NAN : stats.stddev / fabs(stats.mean));
    table_pair(table, interval.low, interval.high);
}

/* Runs of one setup. */
struct setup {
    const struct agent_run *runs;
    size_t n_runs;
};

static bool
all_reached(const struct setup *setup, struct bytes problem, double x)
{
    for (size_t run = 0; run < setup->n_runs; run++)
        if (!find_point(&setup->runs[run], problem, x))
            return false;
    return true;
}

/* Add the rows of checkpoint X of TRAJECTORY's problem, which every run of SETUP reached. */
static void
add_checkpoint(struct context *context, struct table *table, const struct setup *setup,
               const struct trajectory *trajectory, double x)
{
    for (size_t which = 0; which < N_COMPARED; which++) {
        struct series values = {0};
        for (size_t run = 0; run < setup->n_runs; run++) {
            double value = value_of(find_point(&setup->runs[run], trajectory->problem, x), which);
            if (isfinite(value))
                series_add(&values, value);
        }
        add_row(context, table, trajectory, x, which, &values);
        finish_series(context, &values);
    }
}

/* The mean of run number RUN over the checkpoints of TRAJECTORY's problem that every run of SETUP
 * reached. */
static double
mean_over_problem(struct context *context, const struct setup *setup, size_t run,
                  const struct trajectory *trajectory, size_t which)
{
    struct series values = {0};
    for (size_t k = 0; k < trajectory->n_points; k++) {
        double x = trajectory->points[k].x;
        if (!all_reached(setup, trajectory->problem, x))
            continue;
        double value = value_of(find_point(&setup->runs[run], trajectory->problem, x), which);
        if (isfinite(value))
            series_add(&values, value);
    }
    double mean = stats_of(&values).mean;
    finish_series(context, &values);
    return mean;
}

static void
add_problem(struct context *context, struct table *table, const struct setup *setup,
            const struct trajectory *trajectory)
{
    for (size_t which = 0; which < N_COMPARED; which++) {
        struct series values = {0};
        for (size_t run = 0; run < setup->n_runs; run++) {
            double mean = mean_over_problem(context, setup, run, trajectory, which);
            if (isfinite(mean))
                series_add(&values, mean);
        }
        add_row(context, table, trajectory, NAN, which, &values);
        finish_series(context, &values);
    }
}

/* Add the rows of SETUP.  Going through the first run suffices: what it lacks is not common to all.
 */
static void
add_setup(struct context *context, struct table *checkpoints, struct table *problems,
          const struct setup *setup)
{
    for (size_t i = 0; i < setup->runs[0].n_trajectories && setup->n_runs > 1; i++) {
        const struct trajectory *trajectory = setup->runs[0].trajectories[i];
        for (size_t k = 0; k < trajectory->n_points; k++)
            if (all_reached(setup, trajectory->problem, trajectory->points[k].x))
                add_checkpoint(context, checkpoints, setup, trajectory, trajectory->points[k].x);
        add_problem(context, problems, setup, trajectory);
    }
}

static bool
is_same_setup(const struct agent_run *a, const struct agent_run *b)
{
    struct run_setup first = a->setup, second = b->setup;
    first.run = second.run = (struct bytes){NULL, 0};
    return run_setup_compare(&first, &second) == 0;
}

int
section_variance(struct context *context, struct section *section)
{
    const struct study *study = context->study;
    struct table *table = SECTION_TABLE(section, "variance", "By checkpoint", columns);
    struct table *problems = SECTION_TABLE(
        section, "problems", "By problem, means over its checkpoints", problem_columns);
    for (size_t from = 0; from < study->n_runs;) {
        size_t to = from + 1;
        while (to < study->n_runs && is_same_setup(&study->runs[from], &study->runs[to]))
            to++;
        add_setup(context, table, problems, &(struct setup){&study->runs[from], to - from});
        from = to;
    }
    if (table->n_rows == 0)
        section_note(section, "No setup has two runs that share a checkpoint.");
    section_note(section, "A setup is a model, a prompt, a variant, a thinking level, and an agent "
                          "with its version.  "
                          "Only checkpoints that every run of it reached count.");
    note_intervals(context, section);
    return 0;
}
