/* strata summary PATH...: the result figures of agent runs from their records. */
#include <stdio.h>

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "cli/cli.h"
#include "cli/run_input.h"

extern const struct cli_command cli_summary;

struct request {
    struct run_input *inputs;
    size_t n_inputs;
    bool functions;
    struct summary_options summary;
    struct arena arena;
};

/* ---- Runs ---------------------------------------------------------------------------------- */

static int
read_inputs(struct request *request, const struct cli_list *paths, struct buf *warnings,
            struct err *err)
{
    request->inputs = ARENA_ARRAY(&request->arena, paths->n_items, struct run_input);
    if (!request->inputs)
        return err_nomem(err, "runs");
    request->n_inputs = paths->n_items;
    for (size_t i = 0; i < paths->n_items; i++)
        if (run_input_open(paths->items[i], &request->arena, &request->inputs[i], warnings, err) <
            0)
            return -1;
    return 0;
}

/* How many checkpoints the problem NAME has by any of the runs; 0 when none says. */
static uint64_t
checkpoints_of(const struct request *request, struct bytes name)
{
    for (size_t i = 0; i < request->n_inputs; i++)
        for (size_t k = 0; k < request->inputs[i].setup.n_problems; k++) {
            const struct runner_problem *problem = &request->inputs[i].setup.problems[k];
            if (problem->n_checkpoints && bytes_equal(problem->name, name))
                return problem->n_checkpoints;
        }
    return 0;
}

/* The configured checkpoints of a run; a problem of which nothing is known is left out. */
static uint64_t
expected_of_run(const struct request *request, const struct run_input *input, struct buf *warnings)
{
    uint64_t expected = 0;
    for (size_t i = 0; i < input->setup.n_problems; i++) {
        struct bytes name = input->setup.problems[i].name;
        uint64_t n = checkpoints_of(request, name);
        if (n == 0)
            buf_printf(warnings,
                       "%s: how many checkpoints problem %.*s has is not known, so those expected "
                       "lack it; give --expected\n",
                       input->path, BYTES_ARG(name));
        expected += n;
    }
    return expected;
}

static struct summary_options
options_of_input(const struct request *request, const struct run_input *input, struct buf *warnings)
{
    struct summary_options options = request->summary;
    options.setup = run_input_setup(input);
    if (input->is_run && !options.expected)
        options.expected = expected_of_run(request, input, warnings);
    return options;
}

/* ---- Summaries ----------------------------------------------------------------------------- */

/* 1 when a line was left out. */
static int
summarise_input(struct request *request, const struct run_input *input, struct buf *out,
                struct buf *warnings, struct err *err)
{
    struct buf text = {0};
    const char *path = input->records;
    int outcome = fs_read(path, (size_t)4 << 30, &text, err);
    if (outcome == 0 && request->functions) {
        outcome = summary_of_functions(buf_bytes(&text), path, out, warnings, err);
    } else if (outcome == 0) {
        struct summary_options options = options_of_input(request, input, warnings);
        outcome = summary_of_records(buf_bytes(&text), path, &options, out, warnings, err);
    }
    buf_clear(&text);
    return outcome;
}

static int
summarise(struct request *request, const struct cli_list *paths)
{
    struct buf out = {0}, warnings = {0};
    struct err err;
    bool any_left_out = false;
    int outcome = read_inputs(request, paths, &warnings, &err);
    for (size_t i = 0; i < request->n_inputs && outcome >= 0; i++) {
        outcome = summarise_input(request, &request->inputs[i], &out, &warnings, &err);
        any_left_out |= outcome > 0;
    }
    if (warnings.len)
        printable_write(stderr, buf_bytes(&warnings));
    int status = outcome >= 0 ? cli_print(&cli_summary, &out) : cli_fail(&cli_summary, &err);
    if (status == CLI_DONE && any_left_out)
        status = CLI_FINDINGS;
    buf_clear(&out);
    buf_clear(&warnings);
    return status;
}

static int
run(int argc, char **argv)
{
    struct request request = {0};
    const struct cli_option options[] = {
        {.name = "--expected", .number = &request.summary.expected, .min = 1},
        {.name = "--functions", .flag = &request.functions},
        {.name = "--result", .flag = &request.summary.result_only},
        {.name = NULL},
    };
    struct cli_list paths = {0};
    int status = CLI_USAGE;
    arena_init(&request.arena, 0);
    if (cli_parse(&cli_summary, argc, argv, options, &paths) < 0)
        status = CLI_USAGE;
    else if (paths.n_items == 0)
        status = cli_usage(&cli_summary, "name at least one file of records or folder of a run");
    else if (request.functions && request.summary.result_only)
        status = cli_usage(&cli_summary, "--functions and --result exclude each other");
    else if (request.summary.result_only && paths.n_items > 1)
        status = cli_usage(&cli_summary, "--result is of one run");
    else
        status = summarise(&request, &paths);
    cli_list_clear(&paths);
    arena_clear(&request.arena);
    return status;
}

const struct cli_command cli_summary = {
    .name = "summary",
    .summary = "result figures of agent runs from their checkpoint records",
    .help =
        "usage: strata summary [OPTION...] RECORDS|RUN...\n"
        "\n"
        "Reads checkpoint records (checkpoint_results.jsonl, one JSON object a line), or the\n"
        "folder of a run with such a file, its config.yaml and its problems, and prints one\n"
        "JSON line per run, {model, variant, run, result}, where result holds the figures of\n"
        "the run's result.json to the last bit.  Infinity and NaN are read and written as bare\n"
        "words.  A line that is not JSON is left out with a warning.\n"
        "\n"
        "  --expected N  the number of checkpoints a run was configured with; without it, of a\n"
        "                folder those of the problems it was told to do, as far as any of the\n"
        "                folders says, and of a file the records' n_checkpoints, added over the\n"
        "                problems that have records\n"
        "  --result      print the bare result object of the one run, indented\n"
        "  --functions   the lines hold lists of [complexity, source lines] under \"fn\";\n"
        "                print each line with the complexity and mass figures instead\n"
        "\n"
        "Exit status: 0; 1 when a line was left out; 2 usage; 3 when a file cannot be used.\n",
    .run = run,
};
