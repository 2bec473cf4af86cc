/* strata mine: histories into a store. */
#include <stdlib.h>

#include "cli/mine_args.h"
#include "cli/mine_print.h"
#include "cli/store_args.h"

extern const struct cli_command cli_mine;

/* --count: look, store nothing. */
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
        int counted = miner_count(repository->path, repository->ref, &args->filter, &counts, &err);
        if (counted < 0 && err.code != ERR_INPUT && err.code != ERR_DAMAGED &&
            err.code != ERR_UNSUPPORTED)
            status = cli_fail(&cli_mine, &err);
        else
            mine_print_counts(repository->id, &counts, counted < 0 ? err.text : NULL,
                              args->common.json, &out);
        all_counted &= counted == 0;
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
    int mined = miner_mine(&args->options, store, args->mined, args->n_mined, results, &err);
    progress_finish(args->options.progress);
    /* After a failure the results speak of batches that were never stored. */
    bool is_stored = mined == 0 || err.code == ERR_STOPPED;
    int status = is_stored ? print_results(args, results) : CLI_DONE;
    if (mined < 0)
        status = cli_fail(&cli_mine, &err);
    free(results);
    return status;
}

static int
mine(struct mine_args *args)
{
    struct err err;
    struct store *store;
    if (mine_args_resolve(args, &err) < 0)
        return err.code == ERR_USAGE ? cli_usage(&cli_mine, "%s", err.text)
                                     : cli_fail(&cli_mine, &err);
    if (args->count)
        return count(args);
    int status = store_args_open_to_write(&cli_mine, args->store_path, args->wait, &store);
    if (status != CLI_DONE)
        return status;
    status = mine_into(args, store);
    store_close(store);
    return status;
}

static int
run(int argc, char **argv)
{
    struct mine_args args = mine_args_default();
    const struct cli_option options[] = {
        {.name = "--store", .text = &args.store_path},
        {.name = "--manifest", .text = &args.manifest_path},
        {.name = "--mirrors", .text = &args.mirrors},
        {.name = "--ref", .text = &args.ref},
        {.name = "--commits", .number = &args.commits, .min = 1, .max = 1000000000},
        {.name = "--strategy", .text = &args.strategy},
        {.name = "--history", .text = &args.history},
        {.name = "--seed", .number = &args.seed, .max = UINT64_MAX - 1},
        {.name = "--no-merges", .flag = &args.no_merges},
        {.name = "--content-only", .flag = &args.content_only},
        {.name = "--moved", .text = &args.moved},
        {.name = "--latest-date", .text = &args.latest_date},
        {.name = "--suffix", .list = &args.suffixes},
        {.name = "--include", .list = &args.include},
        {.name = "--exclude", .list = &args.exclude},
        {.name = "--exclude-dir", .list = &args.exclude_dirs},
        {.name = "--exclude-tests", .flag = &args.exclude_tests},
        {.name = "--exclude-vendored", .flag = &args.exclude_vendored},
        {.name = "--exclude-generated", .flag = &args.exclude_generated},
        {.name = "--rules", .list = &args.rules},
        {.name = "--no-rules", .flag = &args.no_rules},
        {.name = "--max-file-bytes", .size = &args.max_file_bytes},
        {.name = "--verify-objects", .flag = &args.verify_objects},
        {.name = "--memory", .size = &args.memory_bytes},
        {.name = "--commit-every", .size = &args.commit_bytes},
        {.name = "--wait", .flag = &args.wait},
        {.name = "--count", .flag = &args.count},
        CLI_JOBS(args.common),
        CLI_QUIET(args.common),
        CLI_JSON(args.common),
        {.name = NULL}};
    int status = CLI_USAGE;
    if (cli_parse(&cli_mine, argc, argv, options, &args.repositories) == 0)
        status = mine(&args);
    mine_args_clear(&args);
    return status;
}

const struct cli_command cli_mine = {
    .name = "mine",
    .summary = "mine a panel, or given repositories, into a store",
    .help =
        "usage: strata mine --store DIR --manifest FILE [--mirrors DIR] [OPTION...]\n"
        "       strata mine --store DIR [NAME=]REPOSITORY... [OPTION...]\n"
        "       strata mine --count (--manifest FILE [--mirrors DIR] | REPOSITORY...)\n"
        "\n"
        "Chooses commits of each repository, lists their trees and analyses every file content\n"
        "that the store does not know.  Objects are read from the repository as they are stored:\n"
        "nothing is checked out, fetched, run or written there.  A run that was stopped or killed\n"
        "goes on where it was when it is given again.\n"
        "\n"
        "  --store DIR         the store; made when it is missing\n"
        "  --manifest FILE     a panel; its sampling and source are the defaults of the options\n"
        "  --mirrors DIR       where its repositories are, as NAME.git or NAME\n"
        "  --ref NAME          branch or tag to mine instead of HEAD (repositories only)\n"
        "  --count             only count commits: all, those with fewer than two parents, and of\n"
        "                      these the ones that change source\n"
        "\n"
        "Which commits (defaults in brackets, a manifest's come first):\n"
        "  --strategy NAME     random, even or all [random]\n"
        "  --commits N         how many, for random and even [30]\n"
        "  --seed N            of the random choice [0]\n"
        "  --history NAME      first-parent or all [first-parent]\n"
        "  --no-merges         leave merge commits out [they are sampled like others]\n"
        "  --content-only      a changed file mode alone does not make a commit touch source [it\n"
        "                      does]\n"
        "  --moved NAME        when the head has moved since it was mined: keep (what was mined),\n"
        "                      extend (it at the same rate) or anew (sample again) [keep]\n"
        "  --latest-date DAY   committer dates after it are named and kept out of time [tomorrow]\n"
        "\n"
        "Which files (tests, vendored and generated files are in unless said otherwise):\n"
        "  --suffix TEXT       also files with this ending, such as .pyw [.py]\n"
        "  --include GLOB      only files that match; may be repeated.  * and ? stop at /, ** "
        "does\n"
        "                      not; a glob without / is about the last part of a path\n"
        "  --exclude GLOB      no files that match; may be repeated\n"
        "  --exclude-dir NAME  nor any below folders of this name; may be repeated [.git, venv,\n"
        "                      build, dist, node_modules, site-packages and the like, always]\n"
        "  --exclude-tests, --exclude-vendored, --exclude-generated\n"
        "                      by usual names of files and folders\n"
        "  --max-file-bytes N  larger files are recorded as skipped [4M]\n"
        "\n"
        "  --rules PATH        rules to run: a file, or a folder of *.yml; may be repeated [the\n"
        "                      built-in ones].  After a change only the changed rules are run\n"
        "  --no-rules          run none\n"
        "  --verify-objects    check the hash of every object read\n"
        "  --memory SIZE       bound of lists, waiting results, mapped packs and parsing [256M]\n"
        "  --commit-every SIZE what is written between two commits, the most that a crash can "
        "lose\n"
        "                      [16M]\n"
        "  --wait              wait when another process writes to the store\n"
        "  --jobs N            threads (default: every core)\n"
        "  --quiet             no progress\n"
        "  --json              a JSON line per repository\n"
        "\n"
        "Renames are not followed.  Replacement refs, grafts, submodules and symbolic links are\n"
        "not followed.  Names that differ in case only are different files.\n"
        "\n"
        "Exit status: 0 all done; 1 a repository was skipped or is partial, as the table says;\n"
        "2 usage; 3 the store, the manifest or the disk cannot be used; 130 stopped.\n",
    .run = run,
};
