/*
 * strata store compact: a store without free pages and, if requested, without stale values.
 *
 * What is stale is found here: facts with another fingerprint than this program's, and groups of
 * rules older than the newest.  The store does the copying and leaves out what is named to it.
 */
#include <unistd.h>

#include "analyzer/analyzer.h"
#include "cli/commands.h"
#include "cli/store_args.h"

struct request {
    const char *path;
    struct cli_list drop_facts, drop_hits; /* hexadecimal */
    bool list_stale, drop_stale;
    bool wait;
    struct cli_common common;
    struct store_compact_options options;
    struct arena arena; /* the keys to drop */
};

static int
read_keys(const struct cli_list *list, struct request *request, const struct store_key **out,
          size_t *n_out)
{
    struct store_key *keys = ARENA_ARRAY(&request->arena, list->n_items, struct store_key);
    struct err err;
    if (!keys) {
        err_nomem(&err, "keys to drop");
        return cli_fail(&cli_store_compact, &err);
    }
    for (size_t i = 0; i < list->n_items; i++) {
        if (store_args_read_key(list->items[i], &keys[i]) < 0)
            return cli_usage(
                &cli_store_compact,
                "'%s' is not a key: give the 32 digits that `strata store info` prints",
                list->items[i]);
    }
    *out = keys;
    *n_out = list->n_items;
    return CLI_DONE;
}

/* ---- What is stale ------------------------------------------------------------------------- */

/* Move the keys that are not CURRENT to the front.  Returns how many there are. */
static size_t
keep_others(struct store_key *keys, size_t n_keys, const struct store_key *current)
{
    size_t n = 0;
    for (size_t i = 0; i < n_keys; i++)
        if (memcmp(&keys[i], current, sizeof(*current)) != 0)
            keys[n++] = keys[i];
    return n;
}

/* Every set of facts is stale except the one that this program makes, which must be in the
 * store. */
static int
find_stale_facts(struct store_reader *reader, struct request *request, struct err *err)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint made = analyzer_fingerprint(&limits);
    struct store_key *keys, current;
    size_t n_keys;
    memcpy(current.bytes, made.bytes, sizeof(current.bytes));
    if (store_list_fingerprints(reader, &request->arena, &keys, &n_keys, err) < 0)
        return -1;
    size_t n_stale = keep_others(keys, n_keys, &current);
    if (n_keys > 0 && n_stale == n_keys)
        return err_set(err, ERR_INPUT,
                       "no set of facts was made by this program with its default limits; name the "
                       "sets to drop with --drop-facts");
    request->options.drop_facts = keys;
    request->options.n_drop_facts = n_stale;
    return 0;
}

/* Every group of rules but the newest is stale. */
static int
find_stale_groups(struct store_reader *reader, struct request *request, struct err *err)
{
    struct store_key *keys, newest;
    size_t n_keys;
    if (store_list_groups(reader, &request->arena, &keys, &n_keys, err) < 0)
        return -1;
    if (n_keys < 2)
        return 0;
    switch (store_get_newest_group(reader, &request->arena, &newest, err)) {
    case STORE_FOUND:
        break;
    case STORE_MISSING:
        return err_set(err, ERR_INPUT,
                       "the store does not say which group of rules is the newest; name the ones "
                       "to drop with --drop-hits");
    case STORE_FAILED:
        return -1;
    }
    request->options.drop_hits = keys;
    request->options.n_drop_hits = keep_others(keys, n_keys, &newest);
    return 0;
}

static int
find_stale(struct store *store, struct request *request, struct err *err)
{
    struct store_reader *reader;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int rc = find_stale_facts(reader, request, err);
    if (rc == 0)
        rc = find_stale_groups(reader, request, err);
    request->options.drop_unreferenced = true;
    store_reader_close(reader);
    return rc;
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
                           "there is no %s with the key %s; `strata store info` prints the keys",
                           what, store_args_write_key(&wanted[i], hex));
    }
    return 0;
}

static int
check_named(struct store *store, struct request *request, struct err *err)
{
    const struct store_compact_options *options = &request->options;
    struct store_reader *reader;
    struct store_key *keys;
    size_t n_keys;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    int rc = store_list_fingerprints(reader, &request->arena, &keys, &n_keys, err);
    if (rc == 0)
        rc = look_up_keys("set of facts", options->drop_facts, options->n_drop_facts, keys, n_keys,
                          err);
    if (rc == 0)
        rc = store_list_groups(reader, &request->arena, &keys, &n_keys, err);
    if (rc == 0)
        rc = look_up_keys("group of rules", options->drop_hits, options->n_drop_hits, keys, n_keys,
                          err);
    store_reader_close(reader);
    return rc;
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
list_stale(struct request *request)
{
    struct store *store;
    struct store_info info;
    struct buf out = {0};
    struct err err;
    int status = store_args_open_to_read(&cli_store_compact, request->path, &store);
    if (status != CLI_DONE)
        return status;
    if (find_stale(store, request, &err) < 0 ||
        store_get_info(store, &request->arena, &info, &err) < 0) {
        status = cli_fail(&cli_store_compact, &err);
    } else {
        const struct store_compact_options *stale = &request->options;
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
resolve(struct request *request)
{
    if (request->drop_stale && (request->drop_facts.n_items || request->drop_hits.n_items))
        return cli_usage(&cli_store_compact,
                         "--drop-stale finds what to drop: leave out --drop-facts and --drop-hits");
    int status = read_keys(&request->drop_facts, request, &request->options.drop_facts,
                           &request->options.n_drop_facts);
    if (status == CLI_DONE)
        status = read_keys(&request->drop_hits, request, &request->options.drop_hits,
                           &request->options.n_drop_hits);
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

/* Opening a missing store to write would create it; opening it to read prints that it is missing.
 */
static int
refuse_missing(struct request *request)
{
    struct store *store;
    const char *data =
        request->path ? arena_format(&request->arena, "%s/data.mdb", request->path) : NULL;
    if (data && access(data, F_OK) == 0)
        return CLI_DONE;
    int status = store_args_open_to_read(&cli_store_compact, request->path, &store);
    if (status == CLI_DONE)
        store_close(store);
    return status;
}

static int
compact(struct request *request)
{
    struct store *store;
    struct store_copied copied;
    struct buf out = {0};
    struct err err;
    int status = resolve(request);
    if (status == CLI_DONE)
        status = refuse_missing(request);
    if (status == CLI_DONE)
        status = store_args_open_to_write(&cli_store_compact, request->path, request->wait, &store);
    if (status != CLI_DONE)
        return status;
    if ((request->drop_stale ? find_stale(store, request, &err)
                             : check_named(store, request, &err)) < 0 ||
        store_compact(store, &request->options, &copied, &err) < 0) {
        status = cli_fail(&cli_store_compact, &err);
    } else {
        print_result(&copied, request->common.json, &out);
        status = cli_print(&cli_store_compact, &out);
    }
    store_close(store);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    struct request *request = self;
    arena_init(&request->arena, 0);
    int status = request->list_stale ? list_stale(request) : compact(request);
    arena_clear(&request->arena);
    return status;
}

static const struct cli_option options[] = {
    STORE_OPTION(struct request, path),
    {.name = "--list-stale",
     .help = "only print what --drop-stale would drop",
     CLI_FLAG(struct request, list_stale)},
    {.name = "--drop-stale",
     .help = "drop facts that this program would not make today with its default limits, hits of "
             "all groups of rules but the newest with the rules that only they have, and what "
             "--drop-unreferenced drops",
     CLI_FLAG(struct request, drop_stale)},
    {.name = "--drop-facts",
     .value = "KEY",
     .help = "drop the set of facts with this key",
     CLI_LIST(struct request, drop_facts)},
    {.name = "--drop-hits",
     .value = "KEY",
     .help = "drop this group of rules, its hits and the rules that are in no other group",
     CLI_LIST(struct request, drop_hits)},
    {.name = "--drop-unreferenced",
     .help =
         "drop listings that no checkpoint has, and facts and hits of blobs that no listing has",
     CLI_FLAG(struct request, options.drop_unreferenced)},
    WAIT_OPTION(struct request, wait),
    CLI_JSON(struct request, common, "the counts as a JSON object"),
    CLI_END,
};

const struct cli_command cli_store_compact = {
    .name = "store compact",
    .summary = "write a store again without free pages and stale values",
    .usage = "--store DIR [OPTION...]",
    .about =
        "Writes a new data file beside the old one, then renames it into place, so that a crash "
        "leaves one or the other. Takes the disk space of both while it runs. Nothing is "
        "dropped unless requested.",
    .options = options,
    .notes = "Keys are the ones that `strata store info` prints.",
    .statuses =
        "0; 2 usage; 3 when the store cannot be used, is in use or does not have what is to "
        "be dropped, or the disk is full.",
    .request_size = sizeof(struct request),
    .run = run,
};
