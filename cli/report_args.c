#include "cli/report_args.h"
#include "base/calendar.h"

#include <stdio.h>
#include <string.h>

struct report_args
report_args_default(void)
{
    struct report_args args = {.panel = panel_args_default(),
                               .format = "text",
                               .phases = "contiguous",
                               .baseline = "just-solve",
                               .quality = "snapshots",
                               .verbosity = "sloc",
                               .predicted = "strict",
                               .phase_count = "configured",
                               .phase_means = "checkpoints",
                               .era_dates = "committer",
                               .shift = "medians",
                               .intervals = "t",
                               .slope_points = 2};
    args.panel.store_is_optional = true;
    args.options.program = "strata " STRATA_VERSION;
    args.options.seed = 1;
    return args;
}

void
report_args_clear(struct report_args *args)
{
    cli_list_clear(&args->sections);
    cli_list_clear(&args->records);
    cli_list_clear(&args->functions);
    cli_list_clear(&args->results);
    cli_list_clear(&args->cuts);
    cli_list_clear(&args->rule_subsets);
    panel_args_clear(&args->panel);
}

/* The index of WORD among NAMES, or -1 after saying what OPTION takes. */
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
    cli_usage(command, "%s %s: takes one of %s", option, word, list);
    return -1;
}

static int
resolve_sections(struct report_args *args, const struct cli_command *command)
{
    const char *const *names = report_section_names();
    for (size_t i = 0; i < args->sections.n_items; i++) {
        int section = choose(args->sections.items[i], "--section", names, command);
        if (section < 0)
            return CLI_USAGE;
        args->options.sections[section] = true;
        if (strcmp(names[section], "sensitivity") == 0)
            args->options.sweep.is_wanted = true;
    }
    for (size_t i = 0; args->sections.n_items == 0 && names[i]; i++)
        args->options.sections[i] = true;
    return CLI_DONE;
}

static int
resolve_words(struct report_args *args, const struct cli_command *command)
{
    static const char *const formats[] = {"text", "markdown", "html", "csv", "json", NULL};
    static const char *const qualities[] = {"snapshots", "records", NULL};
    static const char *const verbosities[] = {"sloc", "record", NULL};
    static const char *const rates[] = {"strict", "isolated", "core", NULL};
    static const char *const splits[] = {"contiguous", "centres", "positions", "release", NULL};
    static const char *const phase_means[] = {"checkpoints", "trajectories", NULL};
    static const char *const phase_counts[] = {"configured", "seen", NULL};
    static const char *const era_dates[] = {"committer", "author", NULL};
    static const char *const shifts[] = {"medians", "means", NULL};
    static const char *const intervals[] = {"t", "bootstrap", NULL};
    struct report_options *options = &args->options;
    int format =
        choose(args->panel.common.json ? "json" : args->format, "--format", formats, command);
    int quality = choose(args->quality, "--agent-quality", qualities, command);
    int verbosity = choose(args->verbosity, "--verbosity", verbosities, command);
    int rate = choose(args->predicted, "--predict", rates, command);
    int split = choose(args->phases, "--phases", splits, command);
    int means = choose(args->phase_means, "--phase-means", phase_means, command);
    int interval = choose(args->intervals, "--intervals", intervals, command);
    int count = choose(args->phase_count, "--phase-count", phase_counts, command);
    int era_date = choose(args->era_dates, "--era-dates", era_dates, command);
    int shift = choose(args->shift, "--shift", shifts, command);
    if (format < 0 || quality < 0 || verbosity < 0 || rate < 0 || split < 0 || means < 0 ||
        interval < 0 || count < 0 || era_date < 0 || shift < 0)
        return CLI_USAGE;
    args->report_format = (enum report_format)format;
    options->study.record_quality = quality == 1;
    options->study.record_verbosity = (enum record_verbosity)verbosity;
    options->predicted = (enum pass_rate)rate;
    options->phase_split = (enum phase_split)split;
    options->phase_of_seen = count == 1;
    options->phase_by_trajectory = means == 1;
    options->eras_by_author_date = era_date == 1;
    options->shift_of_means = shift == 1;
    options->interval = (enum report_interval)interval;
    options->study.all_runs = args->all_runs;
    options->study.baseline_prompt = bytes_of_text(args->baseline);
    options->slope_points = (uint32_t)args->slope_points;
    return CLI_DONE;
}

/* "2024-01-01" or "2024-01-01=a name". */
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
            return cli_usage(command, "--cut %s: write a day, as 2024-01-01 or 2024-01-01=name",
                             texts[i]);
        cuts[i].name = name ? bytes_of_text(name + 1) : (struct bytes){NULL, 0};
        for (size_t k = 0; k < i; k++)
            if (cuts[k].time_s == cuts[i].time_s)
                return cli_usage(command, "--cut %s: this day is given twice", texts[i]);
    }
    args->options.cuts = cuts;
    args->options.n_cuts = cuts ? n : 0;
    return CLI_DONE;
}

/* ---- The grid ------------------------------------------------------------------------------ */

/* TEXT cut at its commas. */
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
            return cli_usage(command, "--cutoffs %s: numbers with commas between", args->cutoffs);
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

/* "NAME=only:ID,ID;except:ID;severity:WORD,WORD;advice". */
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
        static const char *const words[] = {"error", "warning", "info", "hint", NULL};
        char word[16];
        snprintf(word, sizeof(word), "%.*s", BYTES_ARG(out->severities.items[i]));
        if (choose(word, "--rule-subset", words, command) < 0)
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
                return cli_usage(command, "--rule-subset %s: this name is given twice",
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
    int status = resolve_sections(args, command);
    if (status == CLI_DONE)
        status = resolve_words(args, command);
    if (status == CLI_DONE)
        status = resolve_cuts(args, command);
    if (status == CLI_DONE)
        status = resolve_sweep(args, command);
    if (status == CLI_DONE && args->output && args->report_format != REPORT_CSV)
        status = cli_usage(command, "--output is for --format csv; redirect the others");
    if (status == CLI_DONE)
        status = panel_args_resolve(&args->panel, command);
    args->options.panel = args->panel.options;
    return status;
}
