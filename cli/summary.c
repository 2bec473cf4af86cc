/*
 * strata summary: the figures of result.json, computed from the records of agent runs.
 *
 * All runs are opened first, because the setup of one run may have the number of checkpoints of a
 * problem whose records are in another run.
 */
#include <stdio.h>

#include "aggregate/records.h"
#include "cli/commands.h"
#include "cli/run_input.h"

struct request {
    struct run_input *inputs;
    size_t n_inputs;
    bool functions;
    struct summary_options summary;
    struct arena arena;
};

/* ---- Runs ---------------------------------------------------------------------------------- */

static int
read_inputs(struct request *request, const struct cli_list *paths, struct buf *notes,
            struct err *err)
{
    request->inputs = ARENA_ARRAY(&request->arena, paths->n_items, struct run_input);
    if (!request->inputs)
        return err_nomem(err, "runs");
    request->n_inputs = paths->n_items;
    for (size_t i = 0; i < paths->n_items; i++)
        if (run_input_open(paths->items[i], &request->arena, &request->inputs[i], notes, err) < 0)
            return -1;
    return 0;
}

/* The number of checkpoints of the problem NAME, from the first run that says; 0 when none does. */
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

/* The configured checkpoints of a run; a problem whose number is not known is left out. */
static uint64_t
expected_of_run(const struct request *request, const struct run_input *input, struct buf *notes)
{
    uint64_t expected = 0;
    for (size_t i = 0; i < input->setup.n_problems; i++) {
        struct bytes name = input->setup.problems[i].name;
        uint64_t n = checkpoints_of(request, name);
        if (n == 0)
            buf_printf(notes,
                       "%s: how many checkpoints problem %.*s has is not known, so the expected "
                       "number leaves it out; give --expected\n",
                       input->path, BYTES_ARG(name));
        expected += n;
    }
    return expected;
}

static struct summary_options
options_of_input(const struct request *request, const struct run_input *input, struct buf *notes)
{
    struct summary_options options = request->summary;
    options.setup = run_input_setup(input);
    if (input->is_run && !options.expected)
        options.expected = expected_of_run(request, input, notes);
    return options;
}

/* ---- Summaries ----------------------------------------------------------------------------- */

/* Append the summary of one run to OUT.  1 when a line was left out, 0, or -1. */
static int
summarise_input(struct request *request, const struct run_input *input, struct buf *out,
                struct buf *notes, struct err *err)
{
    struct buf text = {0};
    const char *path = input->records;
    int rc = fs_read(path, (size_t)4 << 30, &text, err);
    if (rc == 0 && request->functions) {
        rc = summary_of_functions(buf_bytes(&text), path, out, notes, err);
    } else if (rc == 0) {
        struct summary_options options = options_of_input(request, input, notes);
        rc = summary_of_records(buf_bytes(&text), path, &options, out, notes, err);
    }
    buf_clear(&text);
    return rc;
}

static int
summarise(struct request *request, const struct cli_list *paths)
{
    struct buf out = {0}, notes = {0};
    struct err err;
    bool any_left_out = false;
    int rc = read_inputs(request, paths, &notes, &err);
    for (size_t i = 0; i < request->n_inputs && rc >= 0; i++) {
        rc = summarise_input(request, &request->inputs[i], &out, &notes, &err);
        any_left_out |= rc > 0;
    }
    if (notes.len)
        printable_write(stderr, buf_bytes(&notes));
    int status = rc >= 0 ? cli_print(&cli_summary, &out) : cli_fail(&cli_summary, &err);
    if (status == CLI_DONE && any_left_out)
        status = CLI_FINDINGS;
    buf_clear(&out);
    buf_clear(&notes);
    return status;
}

static int
run(void *self, const struct cli_list *paths)
{
    struct request *request = self;
    if (paths->n_items == 0)
        return cli_usage(&cli_summary, "name at least one file of records or folder of a run");
    if (request->functions && request->summary.result_only)
        return cli_usage(&cli_summary, "give either --functions or --result, not both");
    if (request->summary.result_only && paths->n_items > 1)
        return cli_usage(&cli_summary, "--result is for one run");
    arena_init(&request->arena, 0);
    int status = summarise(request, paths);
    arena_clear(&request->arena);
    return status;
}

static const struct cli_option options[] = {
    {.name = "--expected",
     .value = "N",
     .help = "the number of checkpoints that a run was configured with. Without it, a folder has "
             "those of the problems it was told to do, as far as any of the folders says; a file "
             "has its records' n_checkpoints, summed over the problems that have records",
     .min = 1,
     CLI_NUMBER(struct request, summary.expected)},
    {.name = "--result",
     .help = "print only the result object of the one run, indented",
     CLI_FLAG(struct request, summary.result_only)},
    {.name = "--functions",
     .help =
         "the lines hold lists of [complexity, source lines] under \"fn\"; print each line with "
         "the complexity and mass figures instead",
     CLI_FLAG(struct request, functions)},
    CLI_END,
};

const struct cli_command cli_summary = {
    .name = "summary",
    .summary = "result figures of agent runs from their checkpoint records",
    .usage = "[OPTION...] RECORDS|RUN...",
    .about = "Reads checkpoint records (checkpoint_results.jsonl, a JSON object per line), or the "
             "folder of a run with such a file, its config.yaml and its problems. Prints one JSON "
             "line per run, {model, variant, run, result}, where result holds the figures of the "
             "run's result.json to the last bit. Infinity and NaN are read and written as bare "
             "words. A line that is not JSON is left out and reported.",
    .options = options,
    .statuses = "0; 1 when a line was left out; 2 usage; 3 when a file cannot be used.",
    .request_size = sizeof(struct request),
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
