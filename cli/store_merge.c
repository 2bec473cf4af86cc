/*
 * strata store merge: stores that were mined apart become one.
 *
 * Every source is opened once before anything is written, so that a missing one leaves the target
 * as it was.
 */
#include "cli/commands.h"
#include "cli/store_args.h"

struct request {
    bool wait;
};

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
                   "left as they were; %llu listings, %llu facts, %llu hits compared\n",
                   path, (unsigned long long)copied.n_trajectories,
                   (unsigned long long)copied.n_replaced, (unsigned long long)copied.n_kept,
                   (unsigned long long)copied.n_listings, (unsigned long long)copied.n_facts,
                   (unsigned long long)copied.n_hits);
    store_close(source);
    return status;
}

/* Can every source be opened? */
static int
check_sources(const struct cli_list *paths)
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
    int status = check_sources(paths);
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
run(void *self, const struct cli_list *arguments)
{
    const struct request *request = self;
    return merge(arguments, request->wait);
}

static const struct cli_option options[] = {
    WAIT_OPTION(struct request, wait),
    CLI_END,
};

const struct cli_command cli_store_merge = {
    .name = "store merge",
    .summary = "put what other stores hold into one",
    .usage = "OUT IN... [--wait]",
    .about = "Puts everything that the stores IN hold into the store OUT, which is created when it "
             "is missing; the stores IN are only read. Where two stores have the same trajectory, "
             "the fuller one stays: done before partial before unfinished before skipped, then the "
             "one with more checkpoints, then the greater by bytes. The order of the stores does "
             "not matter, and reports of the merged store are those of a store mined in one run.",
    .options = options,
    .statuses = "0; 2 usage; 3 when a store cannot be used or the disk is full.",
    .request_size = sizeof(struct request),
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
