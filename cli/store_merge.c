/* strata store merge: stores that were mined apart become one. */
#include <stdio.h>

#include "cli/store_args.h"

extern const struct cli_command cli_store_merge;

static int
merge_one(struct store *target, const char *path, struct buf *out)
{
    struct store *source;
    struct store_copied copied;
    struct err err;
    int status = store_args_open_to_read(&cli_store_merge, path, &source);
    if (status != CLI_DONE)
        return status;
    if (store_merge(target, source, &copied, &err) < 0)
        status = cli_fail(&cli_store_merge, &err);
    else
        buf_printf(out,
                   "%s: %llu trajectories taken, %llu of them fuller than what was there; %llu "
                   "left as they were; %llu listings, %llu facts, %llu hits looked at\n",
                   path, (unsigned long long)copied.n_trajectories,
                   (unsigned long long)copied.n_replaced, (unsigned long long)copied.n_kept,
                   (unsigned long long)copied.n_listings, (unsigned long long)copied.n_facts,
                   (unsigned long long)copied.n_hits);
    store_close(source);
    return status;
}

/* Nothing is made or written before every source is known to be a store. */
static int
look_at_sources(const struct cli_list *paths)
{
    int status = CLI_DONE;
    for (size_t i = 1; status == CLI_DONE && i < paths->n_items; i++) {
        struct store *source;
        status = store_args_open_to_read(&cli_store_merge, paths->items[i], &source);
        if (status == CLI_DONE)
            store_close(source);
    }
    return status;
}

static int
merge(const struct cli_list *paths, bool wait)
{
    struct store *target;
    struct buf out = {0};
    if (paths->n_items < 2)
        return cli_usage(&cli_store_merge, "name the store to merge into and at least one other");
    int status = look_at_sources(paths);
    if (status == CLI_DONE)
        status = store_args_open_to_write(&cli_store_merge, paths->items[0], wait, &target);
    if (status != CLI_DONE)
        return status;
    for (size_t i = 1; status == CLI_DONE && i < paths->n_items; i++)
        status = merge_one(target, paths->items[i], &out);
    store_close(target);
    int printed = cli_print(&cli_store_merge, &out);
    return status == CLI_DONE ? printed : status;
}

static int
run(int argc, char **argv)
{
    bool wait = false;
    struct cli_list paths = {0};
    const struct cli_option options[] = {{.name = "--wait", .flag = &wait}, {.name = NULL}};
    int status = CLI_USAGE;
    if (cli_parse(&cli_store_merge, argc, argv, options, &paths) == 0)
        status = merge(&paths, wait);
    cli_list_clear(&paths);
    return status;
}

const struct cli_command cli_store_merge = {
    .name = "store merge",
    .summary = "put what other stores hold into one",
    .help = "usage: strata store merge OUT IN... [--wait]\n"
            "\n"
            "Puts everything of the stores IN into the store OUT, which is made when it is\n"
            "missing; the stores IN are only read.  Where two have the same trajectory the fuller\n"
            "stays: done before partial before unfinished before skipped, then the one with more\n"
            "checkpoints, then the greater by bytes.  The order of the stores does not matter,\n"
            "and reports of the merged store are those of a store mined in one go.\n"
            "\n"
            "  --wait        wait when another process writes to OUT\n"
            "\n"
            "Exit status: 0; 2 usage; 3 when a store cannot be used or the disk is full.\n",
    .run = run,
};
