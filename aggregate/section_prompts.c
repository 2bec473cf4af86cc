/* What a prompt changes against the baseline, model by model. */
#include "aggregate/sections.h"

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
};

static const struct column paper_columns[] = {
    {"what", "the paper", COLUMN_TEXT, 0},
    {"value", "value", COLUMN_PERCENT, 2},
};

struct setup {
    double strict, isolated, core, cost;
    double means[2], start_means[2]; /* verbosity, erosion */
};

static double
mean_of_run(struct context *context, const struct agent_run *run, enum measure measure,
            bool start_only)
{
    struct series values = {0};
    for (size_t i = 0; i < run->n_lines; i++)
        for (size_t k = 0; k < run->lines[i]->n_points; k++) {
            const struct point *point = &run->lines[i]->points[k];
            if (point->is_kept && (!start_only || point->x == 1) &&
                !isnan(point->measures[measure]))
                series_add(&values, point->measures[measure]);
        }
    double mean = stats_of(&values).mean;
    finish_series(context, &values);
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
    }
    return setup;
}

/* The run that stands for PROMPT of MODEL: the one with most isolated solved. */
static const struct agent_run *
find_run(const struct study *study, struct bytes model, struct bytes prompt)
{
    const struct agent_run *best = NULL;
    for (size_t i = 0; i < study->n_runs; i++) {
        const struct agent_run *run = &study->runs[i];
        if (bytes_equal(run->model, model) && bytes_equal(run->prompt, prompt) &&
            (!best || run->isolated > best->isolated))
            best = run;
    }
    return best;
}

static void
add_row(struct context *context, struct table *table, const struct agent_run *run,
        const struct agent_run *baseline, struct series lifts[4])
{
    struct setup now = measure_run(context, run), was = measure_run(context, baseline);
    const double values[] = {now.strict - was.strict, now.isolated - was.isolated,
                             now.core - was.core, now.cost / was.cost - 1};
    for (size_t i = 0; i < 4; i++)
        if (isfinite(values[i]))
            series_add(&lifts[i], values[i]);
    table_text(table, run->model);
    table_text(table, run->prompt);
    table_number(table, values[0]);
    table_number(table, values[1]);
    table_number(table, values[2]);
    table_number(table, 1 - now.means[1] / was.means[1]);
    table_number(table, 1 - now.means[0] / was.means[0]);
    table_number(table, 1 - now.start_means[1] / was.start_means[1]);
    table_number(table, 1 - now.start_means[0] / was.start_means[0]);
    table_number(table, values[3]);
}

static void
add_averages(struct context *context, struct table *table, struct series lifts[4])
{
    double means[4];
    for (size_t i = 0; i < 4; i++) {
        means[i] = stats_of(&lifts[i]).mean;
        finish_series(context, &lifts[i]);
    }
    if (table->n_rows == 0)
        return;
    table_text(table, BYTES("mean over rows"));
    table_empty(table);
    for (size_t i = 0; i < 3; i++)
        table_number(table, means[i]);
    for (size_t i = 0; i < 4; i++)
        table_empty(table);
    table_number(table, means[3]);
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
        {"net cost increased by, mean over rows", 0.1215},
    };
    struct table *table = SECTION_TABLE(section, "paper", "The paper's prompts", paper_columns);
    for (size_t i = 0; i < sizeof(paper) / sizeof(*paper); i++) {
        table_text(table, bytes_of_text(paper[i].what));
        table_number(table, paper[i].value);
    }
}

int
section_prompts(struct context *context)
{
    const struct study *study = context->study;
    struct section *section = report_add_section(context->report, "prompts", "Prompts");
    struct table *table = SECTION_TABLE(section, "prompts", "Against the baseline", columns);
    struct series lifts[4] = {{0}, {0}, {0}, {0}};
    struct bytes baseline = context->options->study.baseline_prompt;
    for (size_t i = 0; i < study->n_runs; i++) {
        const struct agent_run *run = &study->runs[i];
        const struct agent_run *base = find_run(study, run->model, baseline);
        if (base && !bytes_equal(run->prompt, baseline) &&
            find_run(study, run->model, run->prompt) == run)
            add_row(context, table, run, base, lifts);
    }
    add_averages(context, table, lifts);
    add_paper(section);
    if (table->n_rows == 0)
        section_note(section,
                     "No model has runs both with the prompt %.*s and with another, so there is "
                     "nothing to compare.",
                     BYTES_ARG(baseline));
    section_note(section,
                 "A lift is the value with the prompt less the value with %.*s; a reduction "
                 "is 1 - new mean / old mean over all kept checkpoints.  Of several runs "
                 "the one with most isolated checkpoints solved stands for its prompt.",
                 BYTES_ARG(baseline));
    return 0;
}
