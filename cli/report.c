/* strata report: every table of the calibration study. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/report_input.h"

extern const struct cli_command cli_report;

static int
write_tables(const struct report *report, const char *folder, struct err *err)
{
    struct buf name = {0}, text = {0};
    int outcome = 0;
    if (mkdir(folder, 0777) < 0 && errno != EEXIST)
        outcome = err_set_errno(err, "make the folder %s", folder);
    for (size_t i = 0; i < report_count_tables(report) && outcome == 0; i++) {
        buf_reset(&name);
        buf_reset(&text);
        buf_printf(&name, "%s/", folder);
        outcome = report_render_table(report, i, &name, &text, err);
        buf_append_text(&name, ".csv");
        buf_append_byte(&name, 0);
        if (outcome == 0)
            outcome = fs_write((const char *)name.data, buf_bytes(&text), err);
    }
    buf_clear(&name);
    buf_clear(&text);
    return outcome;
}

static int
print_report(struct report_args *args, struct report_files *files, struct buf *out,
             struct buf *warnings)
{
    struct report *report = NULL;
    struct err err;
    if (report_files_read(args, files, warnings, &err) < 0)
        return cli_fail(&cli_report, &err);
    args->options.panel.progress =
        progress_start("scoring", "trajectories", args->panel.common.quiet);
    int outcome = report_build(&files->input, &args->options, &report, warnings, &err);
    progress_finish(args->options.panel.progress);
    if (warnings->len)
        printable_write(stderr, buf_bytes(warnings));
    if (outcome == 0)
        outcome = args->output ? write_tables(report, args->output, &err)
                               : report_render(report, args->report_format, out, &err);
    report_destroy(report);
    int status = outcome == 0 ? cli_print(&cli_report, out) : cli_fail(&cli_report, &err);
    return status == CLI_DONE && warnings->len ? CLI_FINDINGS : status;
}

static int
run(int argc, char **argv)
{
    struct report_args args = report_args_default();
    const struct cli_option options[] = {
        PANEL_ARGS_OPTIONS(args.panel),
        CLI_JSON(args.panel.common),
        {.name = "--records", .list = &args.records},
        {.name = "--functions", .list = &args.functions},
        {.name = "--results", .list = &args.results},
        {.name = "--section", .list = &args.sections},
        {.name = "--format", .text = &args.format},
        {.name = "--output", .text = &args.output},
        {.name = "--cut", .list = &args.cuts},
        {.name = "--phases", .text = &args.phases},
        {.name = "--phase-count", .text = &args.phase_count},
        {.name = "--era-dates", .text = &args.era_dates},
        {.name = "--shift", .text = &args.shift},
        {.name = "--phase-means", .text = &args.phase_means},
        {.name = "--intervals", .text = &args.intervals},
        {.name = "--slope-points", .number = &args.slope_points, .min = 2, .max = 1000},
        {.name = "--baseline", .text = &args.baseline},
        {.name = "--all-runs", .flag = &args.all_runs},
        {.name = "--agent-quality", .text = &args.quality},
        {.name = "--verbosity", .text = &args.verbosity},
        {.name = "--expected", .number = &args.options.expected, .min = 1},
        {.name = "--expected-problems", .number = &args.options.expected_problems, .min = 1},
        {.name = "--predict", .text = &args.predicted},
        {.name = "--without-failed", .flag = &args.options.predict_no_failures},
        {.name = "--seed", .number = &args.options.seed},
        {.name = "--cutoffs", .text = &args.cutoffs},
        {.name = "--size-terms", .text = &args.sizes},
        {.name = "--clone-definitions", .text = &args.clones},
        {.name = "--rule-subset", .list = &args.rule_subsets},
        {.name = NULL},
    };
    struct cli_list rest = {0};
    struct report_files files = {0};
    struct buf out = {0}, warnings = {0};
    int status = CLI_USAGE;
    if (cli_parse(&cli_report, argc, argv, options, &rest) == 0)
        status = rest.n_items ? cli_usage(&cli_report, "'%s' is not asked for", rest.items[0])
                              : report_args_resolve(&args, &cli_report);
    if (status == CLI_DONE)
        status = print_report(&args, &files, &out, &warnings);
    report_files_clear(&files);
    buf_clear(&out);
    buf_clear(&warnings);
    report_args_clear(&args);
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_report = {
    .name = "report",
    .summary = "tables of a study: tiers, slopes, drift, growth, agents against people",
    .help =
        "usage: strata report (--store DIR | --records PATH | --results FILE)... [OPTION...]\n"
        "\n"
        "Makes the tables of the calibration study from a store, agents' records and results, "
        "with\n"
        "the paper's values beside.  What the paper leaves open is an option; footnotes say what "
        "was\n"
        "taken.\n"
        "\n"
        "  --section NAME   only this section, may be repeated: tiers, slopes, drift, growth,\n"
        "                   phases, outliers, agents-vs-human, solve, variance, prompts,\n"
        "                   sensitivity\n"
        "  --format NAME    text (default), markdown, html, csv, json; --json is for short\n"
        "  --output DIR     with csv: one file a table in this folder, and notes.csv\n"
        "\n"
        "Input:\n"
        "  --store DIR      the store\n"
        "  --records PATH   records of agent runs: a file, or the folder of a run, which says "
        "what\n"
        "                   its records do not; files that name no run are of one each\n"
        "  --results FILE   result.json of a run, or the lines of strata summary: the section "
        "solve\n"
        "                   has their rates over one denominator\n"
        "  --functions FILE lists of [complexity, source lines] under \"fn\" of the checkpoints\n"
        "                   in the records: the section sensitivity defines erosion anew with\n"
        "                   them\n" PANEL_ARGS_HELP "\n"
        "Choices:\n"
        "  --cut DAY[=NAME] a day that divides eras in drift, may be repeated\n"
        "                   (default 2022-11-30=ChatGPT and 2024-01-01)\n"
        "  --era-dates OF   whose date of a commit counts for a cut: committer (default), author\n"
        "  --phases SPLIT   contiguous (default), centres, positions, release\n"
        "  --shift OF       of a repository over a cut: medians (default), means\n"
        "  --phase-count OF checkpoints of a problem: configured (default), seen\n"
        "  --phase-means OF checkpoints (default), or trajectories: what a trajectory has in a\n"
        "                   phase is averaged first\n"
        "  --intervals NAME of means: t (default), bootstrap\n"
        "  --slope-points N least kept checkpoints of a trajectory with a slope (default 2)\n"
        "  --baseline NAME  the prompt of the runs that stand for a model (default just-solve)\n"
        "  --all-runs       every agent run counts, not the best of each model alone\n"
        "  --agent-quality NAME  snapshots (default) or records: where agents' measures come from\n"
        "  --verbosity NAME of records: flagged lines over source lines (sloc, default) or over\n"
        "                   physical lines (record)\n"
        "  --expected N     checkpoints that solve rates are of (default: those configured)\n"
        "  --expected-problems N  problems that the partial rate is of (default: those seen)\n"
        "  --predict RATE   strict (default), isolated, core: the pass rate to predict\n"
        "  --without-failed predict no checkpoint whose agent failed at once (cost 0)\n"
        "  --seed N         of the bootstrap (default 1)\n"
        "\n"
        "The grid of the section sensitivity; naming the section or one of these makes it:\n"
        "  --cutoffs N,...         of high complexity (default 8,10,12)\n"
        "  --size-terms NAME,...   none, sqrt, linear (default all)\n"
        "  --clone-definitions NAME,...  none, subtree, function_body (default the last two)\n"
        "  --rule-subset NAME=only:ID,...;except:ID,...;severity:WORD,...;advice  may be "
        "repeated;\n"
        "                   advice: rules that are advice count as well\n"
        "\n"
        "Exit status: 0; 1 when input was odd or left out, or the profile names a rule that was "
        "not\n"
        "run (each is named); 3 when input cannot be used.\n",
    .run = run,
};
