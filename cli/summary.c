/* strata summary RECORDS...: the result figures of agent runs from their checkpoint records. */
#include <stdio.h>

#include "aggregate/aggregate.h"
#include "cli/cli.h"

extern const struct cli_command cli_summary;

static int
summarise(const char *path, bool functions, const struct summary_options *options)
{
    struct buf text = {0}, out = {0}, warnings = {0};
    struct err err;
    int outcome = fs_read(path, (size_t)4 << 30, &text, &err);
    if (outcome == 0)
        outcome = functions
                      ? summary_of_functions(buf_bytes(&text), path, &out, &warnings, &err)
                      : summary_of_records(buf_bytes(&text), path, options, &out, &warnings, &err);
    if (warnings.len)
        fwrite(warnings.data, 1, warnings.len, stderr);
    int status = outcome == 0 ? cli_print(&cli_summary, &out) : cli_fail(&cli_summary, &err);
    buf_clear(&text);
    buf_clear(&out);
    buf_clear(&warnings);
    return status;
}

static int
run(int argc, char **argv)
{
    struct summary_options summary = {0};
    bool functions = false;
    const struct cli_option options[] = {
        {.name = "--expected", .number = &summary.expected, .min = 1},
        {.name = "--functions", .flag = &functions},
        {.name = "--result", .flag = &summary.result_only},
        {.name = NULL},
    };
    struct cli_list files = {0};
    int status = CLI_USAGE;
    if (cli_parse(&cli_summary, argc, argv, options, &files) == 0) {
        if (files.n_items == 0)
            status = cli_usage(&cli_summary, "name at least one file of records");
        else if (functions && summary.result_only)
            status = cli_usage(&cli_summary, "--functions and --result exclude each other");
        else
            status = CLI_DONE;
    }
    for (size_t i = 0; i < files.n_items && status == CLI_DONE; i++)
        status = summarise(files.items[i], functions, &summary);
    cli_list_clear(&files);
    return status;
}

const struct cli_command cli_summary = {
    .name = "summary",
    .summary = "result figures of agent runs from their checkpoint records",
    .help = "usage: strata summary [OPTION...] RECORDS...\n"
            "\n"
            "Reads checkpoint records (checkpoint_results.jsonl, one JSON object a line) and\n"
            "prints one JSON line per run, {model, variant, run, result}, where result holds the\n"
            "figures of the run's result.json to the last bit.  Infinity and NaN are read and\n"
            "written as bare words.  A line that is not JSON is left out with a warning.\n"
            "\n"
            "  --expected N  the number of checkpoints a run was configured with; without it the\n"
            "                records' n_checkpoints, added over the problems that have records\n"
            "  --result      print the bare result object of the one run, indented\n"
            "  --functions   the lines hold lists of [complexity, source lines] under \"fn\";\n"
            "                print each line with the complexity and mass figures instead\n"
            "\n"
            "Exit status: 0; 3 when a file cannot be used.\n",
    .run = run,
};
