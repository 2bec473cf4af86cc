/* strata score --store S: a JSON line of scores per checkpoint. */
#include <stdio.h>

#include "cli/panel_args.h"

extern const struct cli_command cli_score;

static int
print_scores(struct panel_args *args)
{
    struct err err;
    struct buf out = {0}, warnings = {0};
    args->options.progress = progress_start("scoring", "trajectories", args->common.quiet);
    int outcome = panel_write_scores(args->store, &args->options, &out, &warnings, &err);
    progress_finish(args->options.progress);
    if (warnings.len)
        printable_write(stderr, buf_bytes(&warnings));
    int status = outcome == 0 ? cli_print(&cli_score, &out) : cli_fail(&cli_score, &err);
    if (status == CLI_DONE && warnings.len)
        status = CLI_FINDINGS;
    buf_clear(&out);
    buf_clear(&warnings);
    return status;
}

static int
run(int argc, char **argv)
{
    struct panel_args args = panel_args_default();
    const struct cli_option options[] = {PANEL_ARGS_OPTIONS(args), {.name = NULL}};
    struct cli_list rest = {0};
    int status = CLI_USAGE;
    if (cli_parse(&cli_score, argc, argv, options, &rest) == 0)
        status = rest.n_items ? cli_usage(&cli_score, "'%s' is not asked for", rest.items[0])
                              : panel_args_resolve(&args, &cli_score);
    if (status == CLI_DONE)
        status = print_scores(&args);
    panel_args_clear(&args);
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_score = {
    .name = "score",
    .summary = "score every checkpoint of a store, a JSON line each",
    .help =
        "usage: strata score --store DIR [OPTION...]\n"
        "\n"
        "Prints one JSON line per checkpoint, by trajectory and ordinal, from the facts in the\n"
        "store alone.  What needs rules is absent where none were run.\n"
        "\n"
        "  --store DIR      the store\n" PANEL_ARGS_HELP "\n"
        "Exit status: 0; 1 when a trajectory could not be scored, rules were not run on all files\n"
        "or the profile names a rule that was not run at all (it is said which); 3 when the store\n"
        "or the profile cannot be used.\n",
    .run = run,
};
