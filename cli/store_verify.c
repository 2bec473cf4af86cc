/* strata store verify: is everything in a store whole? */
#include <stdio.h>

#include "analyzer/analyzer.h"
#include "cli/store_args.h"

extern const struct cli_command cli_store_verify;

struct verifying {
    bool as_json;
    bool is_quiet;
    struct arena arena; /* reset for each value */
    struct buf out;
};

static int
check_facts(void *context, struct bytes encoded, struct err *err)
{
    struct verifying *work = context;
    struct facts facts;
    arena_reset(&work->arena);
    return facts_decode(encoded, &work->arena, &facts, err);
}

static int
check_hits(void *context, uint32_t n_rules, struct bytes encoded, struct err *err)
{
    struct verifying *work = context;
    struct hit_list hits;
    arena_reset(&work->arena);
    return hits_decode(encoded, n_rules, &work->arena, &hits, err);
}

static void
report(void *context, const struct store_finding *finding)
{
    struct verifying *work = context;
    if (!work->as_json) {
        if (!work->is_quiet) {
            buf_printf(&work->out, "%s: ", finding->table);
            printable_append(&work->out, bytes_of_text(finding->key));
            buf_append_text(&work->out, ": ");
            printable_append(&work->out, bytes_of_text(finding->problem));
            buf_append_byte(&work->out, '\n');
        }
        return;
    }
    struct json_writer json = json_writer_init(&work->out, 0);
    json_begin_object(&json);
    json_member_text(&json, "table", finding->table);
    json_member_text(&json, "key", finding->key);
    json_member_text(&json, "problem", finding->problem);
    json_end_object(&json);
    buf_append_byte(&work->out, '\n');
}

static int
verify(struct store *store, struct verifying *work)
{
    struct store_verify_options options = {
        .check_facts = check_facts, .check_hits = check_hits, .report = report, .context = work};
    struct store_verified verified;
    struct err err;
    if (store_verify(store, &options, &verified, &err) < 0) {
        buf_clear(&work->out);
        return cli_fail(&cli_store_verify, &err);
    }
    if (!work->as_json)
        buf_printf(&work->out, "%llu values, %llu findings\n",
                   (unsigned long long)verified.n_values, (unsigned long long)verified.n_findings);
    int status = cli_print(&cli_store_verify, &work->out);
    return status == CLI_DONE && verified.n_findings ? CLI_FINDINGS : status;
}

static int
run(int argc, char **argv)
{
    const char *path = NULL;
    struct verifying work = {0};
    struct cli_list rest = {0};
    struct store *store;
    const struct cli_option options[] = {{.name = "--store", .text = &path},
                                         {.name = "--json", .flag = &work.as_json},
                                         {.name = "--quiet", .flag = &work.is_quiet},
                                         {.name = NULL}};
    int status = CLI_USAGE;
    if (cli_parse(&cli_store_verify, argc, argv, options, &rest) == 0)
        status = rest.n_items ? cli_usage(&cli_store_verify, "'%s' is not asked for", rest.items[0])
                              : store_args_open_to_read(&cli_store_verify, path, &store);
    if (status == CLI_DONE) {
        arena_init(&work.arena, 0);
        status = verify(store, &work);
        arena_clear(&work.arena);
        store_close(store);
    }
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_store_verify = {
    .name = "store verify",
    .summary = "check every value of a store and every name in it",
    .help = "usage: strata store verify --store DIR [--json] [--quiet]\n"
            "\n"
            "Checks the structure of the data file, then every value: its check, compression and\n"
            "encoding; that trajectories have their checkpoints, checkpoints their listings,\n"
            "listings facts of all their blobs, hits their group of rules, groups their rules.\n"
            "Prints a line for each finding and a line of counts.  What is damaged comes back by\n"
            "mining (or ingesting) the same again, which drops damaged values first.\n"
            "\n"
            "  --store DIR   the store\n"
            "  --json        a JSON line for each finding, no line of counts\n"
            "  --quiet       only the line of counts\n"
            "\n"
            "Exit status: 0 the store is whole; 1 there are findings; 3 the data file cannot be\n"
            "used at all.\n",
    .run = run,
};
