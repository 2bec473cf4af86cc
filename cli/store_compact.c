/* strata store compact: a store without what is not needed. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/analyzer.h"
#include "cli/store_args.h"

extern const struct cli_command cli_store_compact;

struct compacting {
    const char *path;
    struct cli_list drop_facts, drop_hits; /* hexadecimal */
    bool list_stale, drop_stale;
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

/* ---- What is stale ------------------------------------------------------------------------- */

/* Move the keys that are not CURRENT to the front; returns how many there are. */
static size_t
keep_others(struct store_key *keys, size_t n_keys, const struct store_key *current)
{
    size_t n = 0;
    for (size_t i = 0; i < n_keys; i++)
        if (memcmp(&keys[i], current, sizeof(*current)) != 0)
            keys[n++] = keys[i];
    return n;
}

/* Every set of facts but the one this program makes is stale; there must be a current one. */
static int
find_stale_facts(struct store_reader *reader, struct compacting *work, struct err *err)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint made = analyzer_fingerprint(&limits);
    struct store_key *keys, current;
    size_t n_keys;
    memcpy(current.bytes, made.bytes, sizeof(current.bytes));
    if (store_list_fingerprints(reader, &work->arena, &keys, &n_keys, err) < 0)
        return -1;
    size_t n_stale = keep_others(keys, n_keys, &current);
    if (n_keys > 0 && n_stale == n_keys)
        return err_set(err, ERR_INPUT,
                       "no set of facts is of this program's default limits; name the ones to "
                       "drop with --drop-facts");
    work->options.drop_facts = keys;
    work->options.n_drop_facts = n_stale;
    return 0;
}

/* Every group of rules but the newest is stale. */
static int
find_stale_groups(struct store_reader *reader, struct compacting *work, struct err *err)
{
    struct store_key *keys, newest;
    size_t n_keys;
    if (store_list_groups(reader, &work->arena, &keys, &n_keys, err) < 0)
        return -1;
    if (n_keys < 2)
        return 0;
    switch (store_get_newest_group(reader, &work->arena, &newest, err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        return err_set(err, ERR_INPUT,
                       "the store does not say which group of rules is the newest; name the ones "
                       "to drop with --drop-hits");
    case STORE_FAILED:
        return -1;
    }
    work->options.drop_hits = keys;
    work->options.n_drop_hits = keep_others(keys, n_keys, &newest);
    return 0;
}

static int
find_stale(struct store *store, struct compacting *work, struct err *err)
{
    struct store_reader *reader;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int result = find_stale_facts(reader, work, err);
    if (result == 0)
        result = find_stale_groups(reader, work, err);
    work->options.drop_unreferenced = true;
    store_reader_close(reader);
    return result;
}

/* ---- What was named ------------------------------------------------------------------------ */

/* Is each of the N keys at WANTED among the N_KEYS at KEYS? */
static int
look_up_keys(const char *what, const struct store_key *wanted, size_t n,
             const struct store_key *keys, size_t n_keys, struct err *err)
{
    char hex[STORE_ARGS_KEY_SIZE];
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < n_keys && memcmp(&keys[k], &wanted[i], sizeof(*keys)) != 0)
            k++;
        if (k == n_keys)
            return err_set(err, ERR_INPUT,
                           "there is no %s with the key %s; `strata store info` prints those there "
                           "are",
                           what, store_args_write_key(&wanted[i], hex));
    }
    return 0;
}

static int
check_named(struct store *store, struct compacting *work, struct err *err)
{
    const struct store_compact_options *options = &work->options;
    struct store_reader *reader;
    struct store_key *keys;
    size_t n_keys;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int result = store_list_fingerprints(reader, &work->arena, &keys, &n_keys, err);
    if (result == 0)
        result = look_up_keys("set of facts", options->drop_facts, options->n_drop_facts, keys,
                              n_keys, err);
    if (result == 0)
        result = store_list_groups(reader, &work->arena, &keys, &n_keys, err);
    if (result == 0)
        result = look_up_keys("group of rules", options->drop_hits, options->n_drop_hits, keys,
                              n_keys, err);
    store_reader_close(reader);
    return result;
}

/* ---- Listing it ---------------------------------------------------------------------------- */

static void
print_stale_sets(const char *what, const struct store_set_info *sets, size_t n_sets,
                 const struct store_key *stale, size_t n_stale, struct buf *out)
{
    char hex[STORE_ARGS_KEY_SIZE];
    for (size_t i = 0; i < n_sets; i++)
        for (size_t k = 0; k < n_stale; k++)
            if (memcmp(&sets[i].key, &stale[k], sizeof(*stale)) == 0)
                buf_printf(out, "%-10s %s  %llu values, %llu bytes\n", what,
                           store_args_write_key(&stale[k], hex),
                           (unsigned long long)sets[i].n_values,
                           (unsigned long long)sets[i].stored_bytes);
}

static void
print_loose(const char *what, const struct store_loose_info *loose, struct buf *out)
{
    if (loose->n_values)
        buf_printf(out, "%-10s no checkpoint leads to         %llu values, %llu bytes\n", what,
                   (unsigned long long)loose->n_values, (unsigned long long)loose->stored_bytes);
}

/* Print what --drop-stale would drop, and drop nothing. */
static int
list_stale(struct compacting *work)
{
    struct store *store;
    struct store_info info;
    struct buf out = {0};
    struct err err;
    int status = store_args_open_to_read(&cli_store_compact, work->path, &store);
    if (status != CLI_DONE)
        return status;
    if (find_stale(store, work, &err) < 0 || store_get_info(store, &work->arena, &info, &err) < 0) {
        status = cli_fail(&cli_store_compact, &err);
    } else {
        const struct store_compact_options *stale = &work->options;
        print_stale_sets("facts", info.facts, info.n_facts, stale->drop_facts, stale->n_drop_facts,
                         &out);
        print_stale_sets("hits", info.hits, info.n_hits, stale->drop_hits, stale->n_drop_hits,
                         &out);
        print_loose("listings", &info.loose_listings, &out);
        print_loose("facts", &info.loose_facts, &out);
        print_loose("hits", &info.loose_hits, &out);
        buf_append_text(&out, out.len ? "" : "nothing is stale\n");
        status = cli_print(&cli_store_compact, &out);
    }
    store_close(store);
    return status;
}

/* ---- The command --------------------------------------------------------------------------- */

static int
resolve(struct compacting *work)
{
    if (work->drop_stale && (work->drop_facts.n_items || work->drop_hits.n_items))
        return cli_usage(&cli_store_compact,
                         "--drop-stale says itself what to drop: leave --drop-facts and "
                         "--drop-hits away");
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
        json_member_u64(&json, "dropped_rules", copied->n_dropped_rules);
        json_end_object(&json);
        buf_append_byte(out, '\n');
        return;
    }
    buf_printf(out, "kept %llu trajectories, %llu listings, %llu facts, %llu hits; ",
               (unsigned long long)copied->n_trajectories, (unsigned long long)copied->n_listings,
               (unsigned long long)copied->n_facts, (unsigned long long)copied->n_hits);
    buf_printf(
        out, "dropped %llu listings, %llu facts, %llu hits, %llu rules\n",
        (unsigned long long)copied->n_dropped_listings, (unsigned long long)copied->n_dropped_facts,
        (unsigned long long)copied->n_dropped_hits, (unsigned long long)copied->n_dropped_rules);
}

/* Opening a store to write makes one where there is none; opening it to read says so. */
static int
refuse_missing(struct compacting *work)
{
    struct store *store;
    const char *data = work->path ? arena_format(&work->arena, "%s/data.mdb", work->path) : NULL;
    if (data && access(data, F_OK) == 0)
        return CLI_DONE;
    int status = store_args_open_to_read(&cli_store_compact, work->path, &store);
    if (status == CLI_DONE)
        store_close(store);
    return status;
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
        status = refuse_missing(work);
    if (status == CLI_DONE)
        status = store_args_open_to_write(&cli_store_compact, work->path, work->wait, &store);
    if (status != CLI_DONE)
        return status;
    if ((work->drop_stale ? find_stale(store, work, &err) : check_named(store, work, &err)) < 0 ||
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
        {.name = "--list-stale", .flag = &work.list_stale},
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
                 : work.list_stale ? list_stale(&work)
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
            "  --list-stale          only print what --drop-stale would drop\n"
            "  --drop-stale          drop facts that this program would not make today with its\n"
            "                        default limits, hits of all groups of rules but the newest\n"
            "                        with the rules that only they have, and what\n"
            "                        --drop-unreferenced drops\n"
            "  --drop-facts KEY      drop the set of facts with this key; may be repeated\n"
            "  --drop-hits KEY       drop this group of rules, its hits and the rules that are in\n"
            "                        no other group; may be repeated\n"
            "  --drop-unreferenced   drop listings no checkpoint names, and facts and hits of\n"
            "                        blobs no listing names\n"
            "  --wait                wait when another process writes to the store\n"
            "  --json                the counts as a JSON object\n"
            "\n"
            "Keys are the ones that `strata store info` prints.\n"
            "\n"
            "Exit status: 0; 2 usage; 3 when the store cannot be used, is in use or lacks what is\n"
            "to be dropped, or the disk is full.\n",
    .run = run,
};
