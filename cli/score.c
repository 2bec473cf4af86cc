/*
 * strata score: a JSON line of scores per checkpoint, from the store alone.  panel_args.c resolves
 * the options and panel_write_scores() makes the lines.
 */
#include <stdio.h>

#include "cli/commands.h"
#include "cli/panel_args.h"

struct request {
    struct panel_args panel;
};

static int
print_scores(struct panel_args *args)
{
    struct err err;
    struct buf out = {0}, notes = {0};
    args->options.progress = progress_start("scoring", "trajectories", args->common.quiet);
    int rc = panel_write_scores(args->store, &args->options, &out, &notes, &err);
    progress_finish(args->options.progress);
    if (notes.len)
        printable_write(stderr, buf_bytes(&notes));
    int status = rc == 0 ? cli_print(&cli_score, &out) : cli_fail(&cli_score, &err);
    if (status == CLI_DONE && notes.len)
        status = CLI_FINDINGS;
    buf_clear(&out);
    buf_clear(&notes);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    struct request *request = self;
    int status = panel_args_resolve(&request->panel, &cli_score);
    if (status == CLI_DONE)
        status = print_scores(&request->panel);
    panel_args_clear(&request->panel);
    return status;
}

static void
set_defaults(void *self)
{
    struct request *request = self;
    panel_args_set_defaults(&request->panel);
}

static const struct cli_option options[] = {
    PANEL_ARGS_OPTIONS(struct request, panel),
    CLI_END,
};

const struct cli_command cli_score = {
    .name = "score",
    .summary = "score every checkpoint of a store, a JSON line for each",
    .usage = "--store DIR [OPTION...]",
    .about =
        "Prints one JSON line per checkpoint, ordered by trajectory and ordinal, from the facts "
        "in the store alone. What needs rules is absent where no rules were run.",
    .options = options,
    .notes = PANEL_ARGS_NOTES,
    .statuses =
        "0; 1 when a trajectory could not be scored, rules were not run on all files, or the "
        "profile names a rule that was not run at all (each is reported); 2 usage; 3 when "
        "the store or the profile cannot be used.",
    .request_size = sizeof(struct request),
    .set_defaults = set_defaults,
    .run = run,
};
