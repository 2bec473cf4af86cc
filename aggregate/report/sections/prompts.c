/*
 * Section "prompts": what a prompt changes against the baseline, model by model and on average.
 */
#include <stdlib.h>

#include "aggregate/report/sections/sections.h"

static const struct column columns[] = {
    {"model", "model", COLUMN_TEXT, 0},
    {"prompt", "prompt", COLUMN_TEXT, 0},
    {"strict", "strict lift", COLUMN_PERCENT, 2},
    {"isolated", "isolated lift", COLUMN_PERCENT, 2},
    {"core", "core lift", COLUMN_PERCENT, 2},
    {"erosion", "erosion reduced by", COLUMN_PERCENT, 1},
    {"verbosity", "verbosity reduced by", COLUMN_PERCENT, 1},
    {"start_erosion", "at Start", COLUMN_PERCENT, 1},
    {"start_verbosity", "at Start", COLUMN_PERCENT, 1},
    {"cost", "net cost increased by", COLUMN_PERCENT, 2},
    {"erosion_slope", "mean slope of erosion", COLUMN_NUMBER, 4},
    {"verbosity_slope", "of verbosity", COLUMN_NUMBER, 4},
};

static const struct column average_columns[] = {
    {"prompt", "prompt", COLUMN_TEXT, 0},
    {"n", "models", COLUMN_COUNT, 0},
    {"strict", "strict lift", COLUMN_PERCENT, 2},
    {"isolated", "isolated lift", COLUMN_PERCENT, 2},
    {"core", "core lift", COLUMN_PERCENT, 2},
    {"correctness", "mean of the three", COLUMN_PERCENT, 2},
    {"erosion", "erosion reduced by", COLUMN_PERCENT, 1},
    {"verbosity", "verbosity reduced by", COLUMN_PERCENT, 1},
    {"cost", "net cost increased by", COLUMN_PERCENT, 2},
};

static const struct column paper_columns[] = {
    {"what", "the paper", COLUMN_TEXT, 0},
    {"value", "value", COLUMN_PERCENT, 2},
};

struct setup {
    double strict, isolated, core, cost;
    double means[2], start_means[2]; /* verbosity, erosion */
    double slopes[2];                /* mean over its trajectories */
};

/* What a prompt changes, as shares. */
enum lift {
    LIFT_STRICT,
    LIFT_ISOLATED,
    LIFT_CORE,
    LIFT_EROSION,   /* how much it is reduced by */
    LIFT_VERBOSITY, /* how much it is reduced by */
    LIFT_COST,
    LIFT_N
};

static double
mean_of_run(struct context *context, const struct agent_run *run, enum measure measure,
            bool start_only)
{
    struct series values = {0};
    for (size_t i = 0; i < run->n_trajectories; i++)
        for (size_t k = 0; k < run->trajectories[i]->n_points; k++) {
            const struct point *point = &run->trajectories[i]->points[k];
            if (point->is_kept && (!start_only || point->x == 1) &&
                !isnan(point->measures[measure]))
                series_add(&values, point->measures[measure]);
        }
    double mean = stats_of(&values).mean;
    finish_series(context, &values);
    return mean;
}

/* The mean slope of the run's trajectories, by least squares. */
static double
mean_slope_of_run(struct context *context, const struct agent_run *run, enum measure measure)
{
    struct series x = {0}, y = {0}, slopes = {0};
    for (size_t i = 0; i < run->n_trajectories; i++) {
        series_reset(&x);
        series_reset(&y);
        trajectory_series(run->trajectories[i], measure, &x, &y);
        double slope =
            y.n < context->options->slope_points ? NAN : slope_of(SLOPE_LEAST_SQUARES, &x, &y);
        if (!isnan(slope))
            series_add(&slopes, slope);
    }
    double mean = stats_of(&slopes).mean;
    finish_series(context, &x);
    finish_series(context, &y);
    finish_series(context, &slopes);
    return mean;
}

static struct setup
measure_run(struct context *context, const struct agent_run *run)
{
    double expected =
        (double)(context->options->expected ? context->options->expected : run->n_expected);
    struct setup setup = {.strict = (double)run->strict / expected,
                          .isolated = (double)run->isolated / expected,
                          .core = (double)run->core / expected,
                          .cost = run->cost};
    for (size_t m = 0; m < 2; m++) {
        setup.means[m] = mean_of_run(context, run, compared_measures[m], false);
        setup.start_means[m] = mean_of_run(context, run, compared_measures[m], true);
        setup.slopes[m] = mean_slope_of_run(context, run, compared_measures[m]);
    }
    return setup;
}

/* The best run of MODEL with PROMPT; NULL if there is none. */
static const struct agent_run *
find_run(const struct study *study, struct bytes model, struct bytes prompt)
{
    const struct agent_run *best = NULL;
    for (size_t i = 0; i < study->n_runs; i++) {
        const struct agent_run *run = &study->runs[i];
        if (!run->is_after_step && bytes_equal(run->setup.model, model) &&
            bytes_equal(run->setup.prompt, prompt) && (!best || agent_run_is_better(run, best)))
            best = run;
    }
    return best;
}

static void
find_lifts(const struct setup *now, const struct setup *was, double lifts[LIFT_N])
{
    lifts[LIFT_STRICT] = now->strict - was->strict;
    lifts[LIFT_ISOLATED] = now->isolated - was->isolated;
    lifts[LIFT_CORE] = now->core - was->core;
    lifts[LIFT_EROSION] = 1 - now->means[1] / was->means[1];
    lifts[LIFT_VERBOSITY] = 1 - now->means[0] / was->means[0];
    lifts[LIFT_COST] = now->cost / was->cost - 1;
}

/* The lifts of one prompt, or of all prompts. */
struct averages {
    struct bytes prompt;
    size_t n_models;
    struct series lifts[LIFT_N];
};

static void
add_row(struct context *context, struct table *table, const struct agent_run *run,
        const struct agent_run *baseline, double lifts[LIFT_N])
{
    struct setup now = measure_run(context, run), was = measure_run(context, baseline);
    find_lifts(&now, &was, lifts);
    table_text(table, run->setup.model);
    table_text(table, run->setup.prompt);
    for (int lift = 0; lift < LIFT_COST; lift++)
        table_number(table, lifts[lift]);
    table_number(table, 1 - now.start_means[1] / was.start_means[1]);
    table_number(table, 1 - now.start_means[0] / was.start_means[0]);
    table_number(table, lifts[LIFT_COST]);
    table_number(table, now.slopes[1]);
    table_number(table, now.slopes[0]);
}

static void
average_add(struct averages *averages, const double lifts[LIFT_N])
{
    averages->n_models++;
    for (int lift = 0; lift < LIFT_N; lift++)
        if (isfinite(lifts[lift]))
            series_add(&averages->lifts[lift], lifts[lift]);
}

static void
add_average(struct context *context, struct table *table, struct averages *averages)
{
    double means[LIFT_N];
    for (int lift = 0; lift < LIFT_N; lift++) {
        means[lift] = stats_of(&averages->lifts[lift]).mean;
        finish_series(context, &averages->lifts[lift]);
    }
    table_text(table, averages->prompt);
    table_number(table, (double)averages->n_models);
    for (int lift = 0; lift <= LIFT_CORE; lift++)
        table_number(table, means[lift]);
    table_number(table, (means[LIFT_STRICT] + means[LIFT_ISOLATED] + means[LIFT_CORE]) / 3);
    for (int lift = LIFT_EROSION; lift < LIFT_N; lift++)
        table_number(table, means[lift]);
}

/* The averages for PROMPT among the N, added if they are new. */
static struct averages *
find_averages(struct averages *averages, size_t *n, struct bytes prompt)
{
    for (size_t i = 0; i < *n; i++)
        if (bytes_equal(averages[i].prompt, prompt))
            return &averages[i];
    averages[*n] = (struct averages){.prompt = prompt};
    return &averages[(*n)++];
}

static int
by_prompt(const void *left, const void *right)
{
    const struct averages *a = left, *b = right;
    return bytes_compare(a->prompt, b->prompt);
}

/* Compare the best run of each model and prompt with the best one of the model with the baseline.
 */
static void
add_runs(struct context *context, struct table *table, struct averages *averages, size_t *n)
{
    const struct study *study = context->study;
    struct bytes baseline = context->options->study.baseline_prompt;
    for (size_t i = 0; i < study->n_runs; i++) {
        const struct agent_run *run = &study->runs[i];
        const struct agent_run *base = find_run(study, run->setup.model, baseline);
        double lifts[LIFT_N];
        if (!base || bytes_equal(run->setup.prompt, baseline) ||
            find_run(study, run->setup.model, run->setup.prompt) != run)
            continue;
        add_row(context, table, run, base, lifts);
        average_add(find_averages(averages, n, run->setup.prompt), lifts);
        average_add(find_averages(averages, n, BYTES("all prompts")), lifts);
    }
    if (*n > 1)
        qsort(averages, *n, sizeof(*averages), by_prompt);
}

static void
add_paper(struct section *section)
{
    static const struct {
        const char *what;
        double value;
    } paper[] = {
        {"strict lift, anti-slop, mean over models", -0.0238},
        {"strict lift, plan-first, mean over models", -0.0357},
        {"core lift, plan-first, mean over models", 0.0083},
        {"verbosity reduced by, GPT 5.4", 0.275},
        {"verbosity reduced by, GPT 5.5", 0.356},
        {"verbosity reduced by, GPT 5.3", 0.328},
        {"erosion reduced by, GPT 5.4", 0.451},
        {"erosion reduced by, GPT 5.5", 0.576},
        {"erosion reduced by, GPT 5.3", 0.343},
        {"erosion reduced by, at Start, largest", 0.623},
        {"verbosity reduced by, at Start, largest", 0.348},
        {"strict, isolated and core lift, anti-slop, mean of all", -0.0227},
        {"net cost increased by, mean over rows", 0.1215},
    };
    struct table *table = SECTION_TABLE(section, "paper", "The paper's prompts", paper_columns);
    for (size_t i = 0; i < sizeof(paper) / sizeof(*paper); i++) {
        table_text(table, bytes_of_text(paper[i].what));
        table_number(table, paper[i].value);
    }
}

int
section_prompts(struct context *context, struct section *section)
{
    const struct study *study = context->study;
    struct table *table = SECTION_TABLE(section, "prompts", "Against the baseline", columns);
    struct table *means =
        SECTION_TABLE(section, "averages", "Means over models, by prompt", average_columns);
    struct bytes baseline = context->options->study.baseline_prompt;
    size_t n = 0; /* at most one prompt per run, and all of them together */
    struct averages *averages =
        ARENA_ARRAY(&context->report->arena, study->n_runs + 1, struct averages);
    if (!averages)
        return err_nomem(context->err, "prompts");
    add_runs(context, table, averages, &n);
    for (size_t i = 0; i < n; i++)
        add_average(context, means, &averages[i]);
    add_paper(section);
    if (table->n_rows == 0)
        section_note(section,
                     "No model has runs with the prompt %.*s and with another, so there is "
                     "nothing to compare.",
                     BYTES_ARG(baseline));
    section_note(section,
                 "A lift is the value with the prompt minus the value with %.*s; a reduction "
                 "is 1 - new mean / old mean over all kept checkpoints.  Lifts are in percentage "
                 "points.  Of several runs with a prompt the best counts: most isolated "
                 "checkpoints solved, then core, strict, lower cost of a checkpoint.",
                 BYTES_ARG(baseline));
    return 0;
}
