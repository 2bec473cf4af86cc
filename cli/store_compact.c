/* strata store compact: a store without what is not needed. */
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/analyzer.h"
#include "cli/store_args.h"

extern const struct cli_command cli_store_compact;

struct compacting {
    const char *path;
    struct cli_list drop_facts, drop_hits; /* hexadecimal */
    bool drop_stale;
    bool wait;
    struct cli_common common;
    struct store_compact_options options;
    struct arena arena; /* the keys to drop */
};

static int
read_keys(const struct cli_list *list, struct compacting *work, const struct store_key **out,
          size_t *n_out)
{
    struct store_key *keys = ARENA_ARRAY(&work->arena, list->n_items, struct store_key);
    struct err err;
    if (!keys) {
        err_nomem(&err, "keys to drop");
        return cli_fail(&cli_store_compact, &err);
    }
    for (size_t i = 0; i < list->n_items; i++) {
        if (store_args_read_key(list->items[i], &keys[i]) < 0)
            return cli_usage(&cli_store_compact,
                             "'%s' is no key: give the 32 digits that `strata store info` prints",
                             list->items[i]);
    }
    *out = keys;
    *n_out = list->n_items;
    return CLI_DONE;
}

/* Every set of facts but the current one is stale; there must be a current one. */
static int
find_stale(struct store *store, struct compacting *work, struct err *err)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint current = analyzer_fingerprint(&limits);
    struct store_reader *reader;
    struct store_key *keys;
    size_t n_keys, n_stale = 0;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int result = store_list_fingerprints(reader, &work->arena, &keys, &n_keys, err);
    store_reader_close(reader);
    if (result < 0)
        return -1;
    for (size_t i = 0; i < n_keys; i++) {
        if (memcmp(keys[i].bytes, current.bytes, sizeof(current.bytes)) != 0)
            keys[n_stale++] = keys[i];
    }
    if (n_keys > 0 && n_stale == n_keys)
        return err_set(err, ERR_INPUT,
                       "no set of facts is of this program's default limits; name the ones to "
                       "drop with --drop-facts");
    work->options.drop_facts = keys;
    work->options.n_drop_facts = n_stale;
    return 0;
}

static int
resolve(struct compacting *work)
{
    if (work->drop_stale && work->drop_facts.n_items)
        return cli_usage(&cli_store_compact, "--drop-stale and --drop-facts exclude one another");
    int status =
        read_keys(&work->drop_facts, work, &work->options.drop_facts, &work->options.n_drop_facts);
    if (status == CLI_DONE)
        status =
            read_keys(&work->drop_hits, work, &work->options.drop_hits, &work->options.n_drop_hits);
    return status;
}

static void
print_result(const struct store_copied *copied, bool as_json, struct buf *out)
{
    if (as_json) {
        struct json_writer json = json_writer_init(out, 0);
        json_begin_object(&json);
        json_member_u64(&json, "trajectories", copied->n_trajectories);
        json_member_u64(&json, "listings", copied->n_listings);
        json_member_u64(&json, "facts", copied->n_facts);
        json_member_u64(&json, "hits", copied->n_hits);
        json_member_u64(&json, "dropped_listings", copied->n_dropped_listings);
        json_member_u64(&json, "dropped_facts", copied->n_dropped_facts);
        json_member_u64(&json, "dropped_hits", copied->n_dropped_hits);
        json_end_object(&json);
        buf_append_byte(out, '\n');
        return;
    }
    buf_printf(out, "kept %llu trajectories, %llu listings, %llu facts, %llu hits; ",
               (unsigned long long)copied->n_trajectories, (unsigned long long)copied->n_listings,
               (unsigned long long)copied->n_facts, (unsigned long long)copied->n_hits);
    buf_printf(out, "dropped %llu listings, %llu facts, %llu hits\n",
               (unsigned long long)copied->n_dropped_listings,
               (unsigned long long)copied->n_dropped_facts,
               (unsigned long long)copied->n_dropped_hits);
}

static int
compact(struct compacting *work)
{
    struct store *store;
    struct store_copied copied;
    struct buf out = {0};
    struct err err;
    int status = resolve(work);
    if (status == CLI_DONE)
        status = store_args_open_to_write(&cli_store_compact, work->path, work->wait, &store);
    if (status != CLI_DONE)
        return status;
    if ((work->drop_stale && find_stale(store, work, &err) < 0) ||
        store_compact(store, &work->options, &copied, &err) < 0) {
        status = cli_fail(&cli_store_compact, &err);
    } else {
        print_result(&copied, work->common.json, &out);
        status = cli_print(&cli_store_compact, &out);
    }
    store_close(store);
    return status;
}

static int
run(int argc, char **argv)
{
    struct compacting work = {.common = cli_common_default()};
    struct cli_list rest = {0};
    const struct cli_option options[] = {
        {.name = "--store", .text = &work.path},
        {.name = "--drop-stale", .flag = &work.drop_stale},
        {.name = "--drop-facts", .list = &work.drop_facts},
        {.name = "--drop-hits", .list = &work.drop_hits},
        {.name = "--drop-unreferenced", .flag = &work.options.drop_unreferenced},
        {.name = "--wait", .flag = &work.wait},
        CLI_JSON(work.common),
        {.name = NULL}};
    int status = CLI_USAGE;
    arena_init(&work.arena, 0);
    if (cli_parse(&cli_store_compact, argc, argv, options, &rest) == 0)
        status = rest.n_items
                     ? cli_usage(&cli_store_compact, "'%s' is not asked for", rest.items[0])
                     : compact(&work);
    arena_clear(&work.arena);
    cli_list_clear(&work.drop_facts);
    cli_list_clear(&work.drop_hits);
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_store_compact = {
    .name = "store compact",
    .summary = "write a store anew without free pages and stale values",
    .help = "usage: strata store compact --store DIR [OPTION...]\n"
            "\n"
            "Writes the data file anew beside the old one, then puts it in place in one step: a\n"
            "crash leaves the one or the other.  Takes the disk space of both while it runs.\n"
            "Nothing is dropped unless it is asked for.\n"
            "\n"
            "  --store DIR           the store\n"
            "  --drop-stale          drop facts that this program would not make today with its\n"
            "                        default limits\n"
            "  --drop-facts KEY      drop the set of facts with this key; may be repeated\n"
            "  --drop-hits KEY       drop the hits of this group of rules; may be repeated\n"
            "  --drop-unreferenced   drop listings no checkpoint names, and facts and hits of\n"
            "                        blobs no listing names\n"
            "  --wait                wait when another process writes to the store\n"
            "  --json                the counts as a JSON object\n"
            "\n"
            "Keys are the ones that `strata store info` prints.\n"
            "\n"
            "Exit status: 0; 2 usage; 3 when the store cannot be used, is in use, or the disk is\n"
            "full.\n",
    .run = run,
};
