/*
 * strata mine: histories into a store.
 *
 * mine_args.c turns the options into those of the miner, the miner does the work, mine_print.c
 * prints what became of each repository.  With --count commits are only counted.
 */
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/mine_args.h"
#include "cli/mine_print.h"
#include "cli/store_args.h"

/* --count: count commits, store nothing. */
static int
count(struct mine_args *args)
{
    struct buf out = {0};
    bool all_counted = true;
    struct progress *progress = progress_start("counting", "repositories", args->common.quiet);
    progress_add_total(progress, args->n_mined);
    if (!args->common.json)
        mine_print_counts_head(&out);
    int status = CLI_DONE;
    for (size_t i = 0; status == CLI_DONE && i < args->n_mined; i++) {
        const struct miner_repository *repository = &args->mined[i];
        struct miner_counts counts;
        struct err err;
        int rc = miner_count(repository->path, repository->ref, &args->filter, &counts, &err);
        if (rc < 0 && err.code != ERR_INPUT && err.code != ERR_DAMAGED &&
            err.code != ERR_UNSUPPORTED)
            status = cli_fail(&cli_mine, &err);
        else
            mine_print_counts(repository->id, &counts, rc < 0 ? err.text : NULL, args->common.json,
                              &out);
        all_counted &= rc == 0;
        progress_add_done(progress, 1);
    }
    progress_finish(progress);
    int printed = cli_print(&cli_mine, &out);
    if (status == CLI_DONE)
        status = printed;
    return status == CLI_DONE && !all_counted ? CLI_FINDINGS : status;
}

static int
print_results(const struct mine_args *args, const struct miner_result *results)
{
    struct buf out = {0};
    if (args->common.json)
        mine_print_json(args->mined, results, args->n_mined, &out);
    else
        mine_print_table(args->mined, results, args->n_mined, &out);
    int status = cli_print(&cli_mine, &out);
    for (size_t i = 0; status == CLI_DONE && i < args->n_mined; i++)
        if (results[i].status != STORE_STATUS_DONE)
            status = CLI_FINDINGS;
    return status;
}

static int
mine_into(struct mine_args *args, struct store *store)
{
    struct err err;
    struct miner_result *results = calloc(args->n_mined + 1, sizeof(*results));
    if (!results) {
        err_nomem(&err, "results");
        return cli_fail(&cli_mine, &err);
    }
    args->options.progress = progress_start("mining", "blobs", args->common.quiet);
    int rc = miner_mine(&args->options, store, args->mined, args->n_mined, results, &err);
    progress_finish(args->options.progress);
    /* After a failure the results are about batches that were never stored. */
    bool is_stored = rc == 0 || err.code == ERR_STOPPED;
    int status = is_stored ? print_results(args, results) : CLI_DONE;
    if (rc < 0)
        status = cli_fail(&cli_mine, &err);
    free(results);
    return status;
}

/* Mine with the rules that were asked for. */
static int
mine(struct mine_args *args)
{
    struct store *store;
    struct ruleset *rules;
    int status = rules_args_load(&cli_mine, &args->rules, &rules);
    if (status != CLI_DONE)
        return status;
    args->options.analyzer.rules = rules;
    status = store_args_open_to_write(&cli_mine, args->store_path, args->wait, &store);
    if (status == CLI_DONE) {
        status = mine_into(args, store);
        store_close(store);
    }
    ruleset_destroy(rules);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    struct mine_args *args = self;
    struct err err;
    int status;
    args->repositories = arguments;
    arena_init(&args->arena, 0);
    if (mine_args_resolve(args, &err) < 0)
        status = err.code == ERR_USAGE ? cli_usage(&cli_mine, "%s", err.text)
                                       : cli_fail(&cli_mine, &err);
    else
        status = args->count ? count(args) : mine(args);
    mine_args_clear(args);
    return status;
}

const struct cli_command cli_mine = {
    .name = "mine",
    .summary = "mine a panel, or given repositories, into a store",
    .usage = "--store DIR --manifest FILE [--mirrors DIR] [OPTION...]\n"
             "--store DIR [NAME=]REPOSITORY... [OPTION...]\n"
             "--count (--manifest FILE [--mirrors DIR] | REPOSITORY...)",
    .about =
        "Chooses commits of each repository, lists their trees and analyses every file content "
        "that the store does not have. Objects are read from the repository as they are "
        "stored: nothing is checked out, fetched, run or written there. The same command "
        "continues a run that was stopped or killed. When rules have changed, only the "
        "changed ones are run.",
    .options = mine_args_options,
    .notes = "Renames are not followed, nor are replacement refs, grafts, submodules and symbolic "
             "links. Names that differ only in case are different files.",
    .statuses = "0 all done; 1 a repository was skipped or is partial, as the table says; 2 usage; "
                "3 the store, the manifest or the disk cannot be used; 130 stopped.",
    .request_size = sizeof(struct mine_args),
    .set_defaults = mine_args_set_defaults,
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
