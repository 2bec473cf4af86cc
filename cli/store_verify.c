/*
 * strata store verify: is everything in a store whole?
 *
 * The store checks its pages, values and references; facts and hits are decoded here, since the
 * store does not know their encoding.
 */
#include "analyzer/analyzer.h"
#include "cli/commands.h"
#include "cli/store_args.h"

struct request {
    const char *path;
    bool as_json;
    bool is_quiet;
    struct arena arena; /* reset for each value */
    struct buf out;
};

static int
check_facts(void *context, struct bytes encoded, struct err *err)
{
    struct request *request = context;
    struct facts facts;
    arena_reset(&request->arena);
    return facts_decode(encoded, &request->arena, &facts, err);
}

static int
check_hits(void *context, uint32_t n_rules, struct bytes encoded, struct err *err)
{
    struct request *request = context;
    struct hit_list hits;
    arena_reset(&request->arena);
    return hits_decode(encoded, n_rules, &request->arena, &hits, err);
}

static void
report(void *context, const struct store_finding *finding)
{
    struct request *request = context;
    if (!request->as_json) {
        if (!request->is_quiet) {
            buf_printf(&request->out, "%s: ", finding->table);
            printable_append(&request->out, bytes_of_text(finding->key));
            buf_append_text(&request->out, ": ");
            printable_append(&request->out, bytes_of_text(finding->problem));
            buf_append_byte(&request->out, '\n');
        }
        return;
    }
    struct json_writer json = json_writer_init(&request->out, 0);
    json_begin_object(&json);
    json_member_text(&json, "table", finding->table);
    json_member_text(&json, "key", finding->key);
    json_member_text(&json, "problem", finding->problem);
    json_end_object(&json);
    buf_append_byte(&request->out, '\n');
}

static int
verify(struct store *store, struct request *request)
{
    struct store_verify_options options = {
        .check_facts = check_facts, .check_hits = check_hits, .report = report, .context = request};
    struct store_verified verified;
    struct err err;
    if (store_verify(store, &options, &verified, &err) < 0) {
        buf_clear(&request->out);
        return cli_fail(&cli_store_verify, &err);
    }
    if (!request->as_json)
        buf_printf(&request->out, "%llu values, %llu findings\n",
                   (unsigned long long)verified.n_values, (unsigned long long)verified.n_findings);
    int status = cli_print(&cli_store_verify, &request->out);
    return status == CLI_DONE && verified.n_findings ? CLI_FINDINGS : status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    struct request *request = self;
    struct store *store;
    int status = store_args_open_to_read(&cli_store_verify, request->path, &store);
    if (status != CLI_DONE)
        return status;
    arena_init(&request->arena, 0);
    status = verify(store, request);
    arena_clear(&request->arena);
    store_close(store);
    return status;
}

static const struct cli_option options[] = {
    STORE_OPTION(struct request, path),
    {.name = "--json",
     .help = "a JSON line for each finding, without the line of counts",
     CLI_FLAG(struct request, as_json)},
    {.name = "--quiet", .help = "only the line of counts", CLI_FLAG(struct request, is_quiet)},
    CLI_END,
};

const struct cli_command cli_store_verify = {
    .name = "store verify",
    .summary = "check every value of a store and every reference in it",
    .usage = "--store DIR [--json] [--quiet]",
    .about =
        "Checks the structure of the data file, then every value: its checksum, compression "
        "and encoding. Checks that trajectories have their checkpoints, checkpoints their "
        "listings, listings the facts of all their blobs, hits their group of rules and groups "
        "their rules. Prints a line for each finding and a line of counts. Mining or ingesting "
        "again drops damaged values and makes them again.",
    .options = options,
    .statuses =
        "0 the store is whole; 1 there are findings; 2 usage; 3 the data file cannot be used "
        "at all.",
    .request_size = sizeof(struct request),
    .run = run,
};
