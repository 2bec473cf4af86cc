/*
 * The options of `strata report`, resolved.
 *
 * Most are choices of words, which the table below checks.  Lists within one option (the cuts, the
 * grid of the section sensitivity) are read here; each of their values may be given once.
 */
#include "cli/report_args.h"

#include <stdio.h>
#include <string.h>

#include "base/calendar.h"

/* ---- The options --------------------------------------------------------------------------- */

static const char *const format_names[] = {
    [REPORT_TEXT] = "text", [REPORT_MARKDOWN] = "markdown", [REPORT_HTML] = "html",
    [REPORT_CSV] = "csv",   [REPORT_JSON] = "json",         NULL};
static const char *const verbosity_names[] = {
    [RECORD_VERBOSITY_SOURCE] = "sloc", [RECORD_VERBOSITY_PHYSICAL] = "record", NULL};
static const char *const rate_names[] = {
    [PASS_STRICT] = "strict", [PASS_ISOLATED] = "isolated", [PASS_CORE] = "core", NULL};
static const char *const interval_names[] = {
    [INTERVAL_T] = "t", [INTERVAL_BOOTSTRAP] = "bootstrap", NULL};
static const char *const quality_names[] = {"snapshots", "records", NULL};
static const char *const phase_mean_names[] = {"checkpoints", "trajectories", NULL};
static const char *const phase_count_names[] = {"configured", "seen", NULL};
static const char *const era_date_names[] = {"committer", "author", NULL};
static const char *const shift_names[] = {"medians", "means", NULL};
static const char *const severity_names[] = {"error", "warning", "info", "hint", NULL};

static const char *
section_at(size_t i)
{
    return report_section_names()[i];
}

static const char *
phase_split_at(size_t i)
{
    return i <= SPLIT_RELEASE ? phase_split_name((enum phase_split)i) : NULL;
}

const struct cli_option report_args_options[] = {
    {.name = "--section",
     .value = "NAME",
     .help = "only this section of the report",
     .choice_at = section_at,
     CLI_SET(struct report_args, sections)},
    {.name = "--format",
     .value = "NAME",
     .help = "the format of the report",
     .choices = format_names,
     CLI_CHOICE(struct report_args, format)},
    CLI_JSON(struct report_args, panel.common, "the same as --format json"),
    {.name = "--output",
     .value = "DIR",
     .help = "with csv: a file for each table in this folder, and notes.csv",
     CLI_TEXT(struct report_args, output)},
    CLI_HEADING("Input:"),
    PANEL_ARGS_OPTIONS(struct report_args, panel),
    {.name = "--records",
     .value = "PATH",
     .help = "records of agent runs: a file, or the folder of a run, whose setup is read as well. "
             "Several files whose records do not name their run are a run each",
     CLI_LIST(struct report_args, records)},
    {.name = "--results",
     .value = "FILE",
     .help = "result.json of a run, or lines of strata summary. The section solve compares their "
             "rates over one denominator",
     CLI_LIST(struct report_args, results)},
    {.name = "--functions",
     .value = "FILE",
     .help = "lists of [complexity, source lines] under \"fn\" for the checkpoints of the records. "
             "The section sensitivity computes erosion again from them",
     CLI_LIST(struct report_args, functions)},
    CLI_HEADING("Choices:"),
    {.name = "--cut",
     .value = "DAY[=NAME]",
     .help = "a day that separates the eras of drift",
     .no_default = "2022-11-30=ChatGPT and 2024-01-01",
     CLI_LIST(struct report_args, cuts)},
    {.name = "--era-dates",
     .value = "OF",
     .help = "whose date of a commit is compared with a cut",
     .choices = era_date_names,
     CLI_CHOICE(struct report_args, era_dates)},
    {.name = "--shift",
     .value = "OF",
     .help = "what the shift of a repository over a cut compares",
     .choices = shift_names,
     CLI_CHOICE(struct report_args, shift)},
    {.name = "--phases",
     .value = "SPLIT",
     .help = "how the checkpoints of a trajectory are divided into phases",
     .choice_at = phase_split_at,
     CLI_CHOICE(struct report_args, phases)},
    {.name = "--phase-count",
     .value = "OF",
     .help = "which checkpoints of a problem are counted for its phases",
     .choices = phase_count_names,
     CLI_CHOICE(struct report_args, phase_count)},
    {.name = "--phase-means",
     .value = "OF",
     .help = "what a phase averages: all checkpoints, or the mean of each trajectory",
     .choices = phase_mean_names,
     CLI_CHOICE(struct report_args, phase_means)},
    {.name = "--intervals",
     .value = "NAME",
     .help = "how confidence intervals of means are computed",
     .choices = interval_names,
     CLI_CHOICE(struct report_args, intervals)},
    {.name = "--seed",
     .value = "N",
     .help = "of the bootstrap",
     CLI_NUMBER(struct report_args, options.seed)},
    {.name = "--slope-points",
     .value = "N",
     .help = "the fewest checkpoints of a trajectory that has a slope",
     .min = 2,
     .max = 1000,
     CLI_NUMBER(struct report_args, slope_points)},
    {.name = "--baseline",
     .value = "NAME",
     .help = "the prompt of the runs that represent a model",
     CLI_TEXT(struct report_args, baseline)},
    {.name = "--all-runs",
     .help = "count every agent run, not only the best of each model",
     CLI_FLAG(struct report_args, all_runs)},
    {.name = "--agent-quality",
     .value = "NAME",
     .help = "where the measures of agents come from",
     .choices = quality_names,
     CLI_CHOICE(struct report_args, quality)},
    {.name = "--verbosity",
     .value = "NAME",
     .help = "what verbosity of records divides by: source lines (sloc) or physical lines (record)",
     .choices = verbosity_names,
     CLI_CHOICE(struct report_args, verbosity)},
    {.name = "--expected",
     .value = "N",
     .help = "the number of checkpoints that solve rates divide by",
     .min = 1,
     .no_default = "those configured",
     CLI_NUMBER(struct report_args, options.expected)},
    {.name = "--expected-problems",
     .value = "N",
     .help = "the number of problems that the partial rate divides by",
     .min = 1,
     .no_default = "those seen",
     CLI_NUMBER(struct report_args, options.expected_problems)},
    {.name = "--predict",
     .value = "RATE",
     .help = "the pass rate to predict",
     .choices = rate_names,
     CLI_CHOICE(struct report_args, predicted)},
    {.name = "--without-failed",
     .help = "do not predict checkpoints whose agent failed at once (cost 0)",
     CLI_FLAG(struct report_args, options.predict_no_failures)},
    CLI_HEADING("The grid of the section sensitivity, made when the section or one of these is "
                "named:"),
    {.name = "--cutoffs",
     .value = "N,...",
     .help = "complexities above which a function is complex",
     .no_default = "8,10,12",
     CLI_TEXT(struct report_args, cutoffs)},
    {.name = "--size-terms",
     .value = "NAME,...",
     .help = "none, sqrt, linear",
     .no_default = "all",
     CLI_TEXT(struct report_args, sizes)},
    {.name = "--clone-definitions",
     .value = "NAME,...",
     .help = "none, subtree, function_body",
     .no_default = "the last two",
     CLI_TEXT(struct report_args, clones)},
    {.name = "--rule-subset",
     .value = "NAME=PART;...",
     .help = "parts are only:ID,... except:ID,... severity:WORD,... and advice, which counts the "
             "rules that are advice as well",
     CLI_LIST(struct report_args, rule_subsets)},
    CLI_END,
};

void
report_args_set_defaults(void *self)
{
    struct report_args *args = self;
    panel_args_set_defaults(&args->panel);
    args->panel.store_is_optional = true;
    args->baseline = "just-solve";
    args->slope_points = 2;
    args->options.seed = 1;
    args->options.program = "strata " STRATA_VERSION;
}

void
report_args_clear(struct report_args *args)
{
    panel_args_clear(&args->panel);
}

/* ---- Choices ------------------------------------------------------------------------------- */

/* The index of WORD among NAMES, or -1 after printing what OPTION takes. */
static int
choose(const char *word, const char *option, const char *const *names,
       const struct cli_command *command)
{
    char list[256] = "";
    size_t len = 0;
    for (int i = 0; names[i]; i++) {
        if (strcmp(word, names[i]) == 0)
            return i;
        int n = snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", names[i]);
        len += n > 0 && (size_t)n < sizeof(list) - len ? (size_t)n : 0;
    }
    cli_usage(command, "%s takes one of %s, not '%s'", option, list, word);
    return -1;
}

static void
resolve_sections(struct report_args *args)
{
    const char *const *names = report_section_names();
    for (size_t i = 0; names[i]; i++) {
        args->options.sections[i] = args->sections == 0 || (args->sections >> i & 1);
        if ((args->sections >> i & 1) && strcmp(names[i], "sensitivity") == 0)
            args->options.sweep.is_wanted = true;
    }
}

static void
resolve_choices(struct report_args *args)
{
    struct report_options *options = &args->options;
    if (args->panel.common.json)
        args->format = REPORT_JSON;
    options->study.record_quality = args->quality == 1;
    options->study.record_verbosity = args->verbosity;
    options->study.all_runs = args->all_runs;
    options->study.baseline_prompt = bytes_of_text(args->baseline);
    options->predicted = args->predicted;
    options->phase_split = args->phases;
    options->phase_of_seen = args->phase_count == 1;
    options->phase_by_trajectory = args->phase_means == 1;
    options->eras_by_author_date = args->era_dates == 1;
    options->shift_of_means = args->shift == 1;
    options->interval = args->intervals;
    options->slope_points = (uint32_t)args->slope_points;
}

/* Read the cuts, "2024-01-01" or "2024-01-01=a name" each. */
static int
resolve_cuts(struct report_args *args, const struct cli_command *command)
{
    static const char *const defaults[] = {"2022-11-30=ChatGPT", "2024-01-01"};
    const char *const *texts = args->cuts.n_items ? args->cuts.items : defaults;
    size_t n = args->cuts.n_items ? args->cuts.n_items : 2;
    struct report_cut *cuts = ARENA_ARRAY(&args->panel.arena, n, struct report_cut);
    for (size_t i = 0; cuts && i < n; i++) {
        const char *name = strchr(texts[i], '=');
        size_t day_len = name ? (size_t)(name - texts[i]) : strlen(texts[i]);
        struct bytes day = {(const uint8_t *)texts[i], day_len};
        if (calendar_parse_day(day, &cuts[i].time_s) < 0)
            return cli_usage(
                command, "--cut takes a day, as 2024-01-01 or 2024-01-01=NAME, not '%s'", texts[i]);
        cuts[i].name = name ? bytes_of_text(name + 1) : (struct bytes){NULL, 0};
        for (size_t k = 0; k < i; k++)
            if (cuts[k].time_s == cuts[i].time_s)
                return cli_usage(command, "--cut %s: the day is given twice", texts[i]);
    }
    args->options.cuts = cuts;
    args->options.n_cuts = cuts ? n : 0;
    return CLI_DONE;
}

/* ---- The grid ------------------------------------------------------------------------------ */

/* The parts of TEXT between commas. */
static struct text_list
split_list(struct report_args *args, struct bytes text)
{
    size_t n = text.len > 0;
    for (size_t i = 0; i < text.len; i++)
        n += text.data[i] == ',';
    struct bytes *items = ARENA_ARRAY(&args->panel.arena, n, struct bytes);
    size_t from = 0, k = 0;
    for (size_t i = 0; items && n && i <= text.len; i++)
        if (i == text.len || text.data[i] == ',') {
            items[k++] = bytes_slice(text, from, i);
            from = i + 1;
        }
    return (struct text_list){items, k};
}

static int
resolve_cutoffs(struct report_args *args, const struct cli_command *command)
{
    struct text_list list =
        split_list(args, bytes_of_text(args->cutoffs ? args->cutoffs : "8,10,12"));
    double *cutoffs = ARENA_ARRAY(&args->panel.arena, list.n_items, double);
    if (list.n_items == 0)
        return cli_usage(command, "--cutoffs: name at least one number");
    for (size_t i = 0; cutoffs && i < list.n_items; i++) {
        if (num_parse_double(list.items[i], &cutoffs[i]) < 0)
            return cli_usage(command, "--cutoffs takes numbers with commas between, not '%s'",
                             args->cutoffs);
        for (size_t k = 0; k < i; k++)
            if (cutoffs[k] == cutoffs[i])
                return cli_usage(command, "--cutoffs: %.*s is given twice",
                                 BYTES_ARG(list.items[i]));
    }
    args->options.sweep.cutoffs = cutoffs;
    args->options.sweep.n_cutoffs = cutoffs ? list.n_items : 0;
    return CLI_DONE;
}

static int
resolve_names(struct report_args *args, const char *text, const char *option,
              const char *const *names, unsigned **out, size_t *n_out,
              const struct cli_command *command)
{
    struct text_list list = split_list(args, bytes_of_text(text));
    *out = ARENA_ARRAY(&args->panel.arena, list.n_items, unsigned);
    *n_out = *out ? list.n_items : 0;
    if (list.n_items == 0)
        return cli_usage(command, "%s: name at least one", option);
    for (size_t i = 0; i < *n_out; i++) {
        char word[64];
        snprintf(word, sizeof(word), "%.*s", BYTES_ARG(list.items[i]));
        int index = choose(word, option, names, command);
        if (index < 0)
            return CLI_USAGE;
        (*out)[i] = (unsigned)index;
        for (size_t k = 0; k < i; k++)
            if ((*out)[k] == (*out)[i])
                return cli_usage(command, "%s: %s is given twice", option, word);
    }
    return CLI_DONE;
}

/* Read "NAME=only:ID,ID;except:ID;severity:WORD,WORD;advice". */
static int
resolve_rule_subset(struct report_args *args, const char *text, struct sweep_rules *out,
                    const struct cli_command *command)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return cli_usage(command, "--rule-subset %s: write NAME=only:ID,ID;except:ID;severity:WORD",
                         text);
    *out = (struct sweep_rules){.name = {(const uint8_t *)text, (size_t)(equals - text)}};
    for (const char *at = equals + 1; *at;) {
        size_t len = strcspn(at, ";");
        struct bytes part = {(const uint8_t *)at, len};
        at += len + (at[len] == ';');
        if (bytes_starts_with(part, BYTES("only:")))
            out->only = split_list(args, bytes_slice(part, 5, part.len));
        else if (bytes_starts_with(part, BYTES("except:")))
            out->except = split_list(args, bytes_slice(part, 7, part.len));
        else if (bytes_equal(part, BYTES("advice")))
            out->advice = true;
        else if (bytes_starts_with(part, BYTES("severity:")))
            out->severities = split_list(args, bytes_slice(part, 9, part.len));
        else
            return cli_usage(
                command, "--rule-subset %s: parts are only:, except:, severity: and advice", text);
    }
    for (size_t i = 0; i < out->severities.n_items; i++) {
        char word[16];
        snprintf(word, sizeof(word), "%.*s", BYTES_ARG(out->severities.items[i]));
        if (choose(word, "--rule-subset", severity_names, command) < 0)
            return CLI_USAGE;
    }
    return CLI_DONE;
}

static int
resolve_rule_subsets(struct report_args *args, const struct cli_command *command)
{
    size_t n = args->rule_subsets.n_items;
    struct sweep_rules *rules = ARENA_ARRAY(&args->panel.arena, n, struct sweep_rules);
    for (size_t i = 0; rules && i < n; i++) {
        if (resolve_rule_subset(args, args->rule_subsets.items[i], &rules[i], command) != CLI_DONE)
            return CLI_USAGE;
        for (size_t k = 0; k < i; k++)
            if (bytes_equal(rules[k].name, rules[i].name))
                return cli_usage(command, "--rule-subset %s: the name is given twice",
                                 args->rule_subsets.items[i]);
    }
    args->options.sweep.rules = rules;
    args->options.sweep.n_rules = rules ? n : 0;
    return CLI_DONE;
}

static int
resolve_sweep(struct report_args *args, const struct cli_command *command)
{
    struct sweep *sweep = &args->options.sweep;
    unsigned *sizes, *clones;
    size_t n_sizes, n_clones;
    if (resolve_cutoffs(args, command) != CLI_DONE ||
        resolve_names(args, args->sizes ? args->sizes : "none,sqrt,linear", "--size-terms",
                      profile_size_term_names, &sizes, &n_sizes, command) != CLI_DONE ||
        resolve_names(args, args->clones ? args->clones : "subtree,function_body",
                      "--clone-definitions", profile_clones_names, &clones, &n_clones,
                      command) != CLI_DONE ||
        resolve_rule_subsets(args, command) != CLI_DONE)
        return CLI_USAGE;
    enum profile_size_term *size_terms =
        ARENA_ARRAY(&args->panel.arena, n_sizes, enum profile_size_term);
    enum profile_clones *definitions =
        ARENA_ARRAY(&args->panel.arena, n_clones, enum profile_clones);
    for (size_t i = 0; size_terms && i < n_sizes; i++)
        size_terms[i] = (enum profile_size_term)sizes[i];
    for (size_t i = 0; definitions && i < n_clones; i++)
        definitions[i] = (enum profile_clones)clones[i];
    sweep->sizes = size_terms;
    sweep->n_sizes = size_terms ? n_sizes : 0;
    sweep->clones = definitions;
    sweep->n_clones = definitions ? n_clones : 0;
    if (args->cutoffs || args->sizes || args->clones || args->rule_subsets.n_items)
        sweep->is_wanted = true;
    return CLI_DONE;
}

int
report_args_resolve(struct report_args *args, const struct cli_command *command)
{
    if (!args->panel.store_path && args->records.n_items == 0 && args->results.n_items == 0)
        return cli_usage(command, "name a store with --store, records with --records, or results "
                                  "with --results; all may be given");
    resolve_sections(args);
    resolve_choices(args);
    int status = resolve_cuts(args, command);
    if (status == CLI_DONE)
        status = resolve_sweep(args, command);
    if (status == CLI_DONE && args->output && args->format != REPORT_CSV)
        status = cli_usage(command, "--output is for --format csv; redirect the others");
    if (status == CLI_DONE)
        status = panel_args_resolve(&args->panel, command);
    args->options.panel = args->panel.options;
    return status;
}
