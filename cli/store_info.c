/* strata store info: what a store holds and what it takes. */
#include <stdio.h>

#include "analyzer/analyzer.h"
#include "cli/store_args.h"

extern const struct cli_command cli_store_info;

static const char *const STATUS_NAMES[] = {
    [STORE_STATUS_UNFINISHED] = "unfinished",
    [STORE_STATUS_DONE] = "done",
    [STORE_STATUS_PARTIAL] = "partial",
    [STORE_STATUS_SKIPPED] = "skipped",
};

/* A over B, 0 when there is no B. */
static double
ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

/* Is KEY the fingerprint that this program gives facts with its default limits? */
static bool
is_current(const struct store_key *key)
{
    struct analyzer_limits limits = analyzer_limits_default();
    struct fingerprint current = analyzer_fingerprint(&limits);
    return memcmp(key->bytes, current.bytes, sizeof(current.bytes)) == 0;
}

/* ---- Text ---------------------------------------------------------------------------------- */

static void
print_tables(const struct store_info *info, struct buf *out)
{
    buf_printf(out, "\n%-14s %12s %15s %15s %15s %6s %9s\n", "table", "values", "plain bytes",
               "stored bytes", "page bytes", "ratio", "per value");
    for (size_t i = 0; i < STORE_N_TABLES; i++) {
        const struct store_table_info *table = &info->tables[i];
        buf_printf(out, "%-14s %12llu %15llu %15llu %15llu %6.2f %9.1f\n", table->name,
                   (unsigned long long)table->n_values, (unsigned long long)table->plain_bytes,
                   (unsigned long long)table->stored_bytes, (unsigned long long)table->page_bytes,
                   ratio(table->plain_bytes, table->stored_bytes),
                   ratio(table->stored_bytes, table->n_values));
    }
}

static void
print_sets(const char *title, const struct store_set_info *sets, size_t n_sets, bool are_facts,
           struct buf *out)
{
    char hex[STORE_ARGS_KEY_SIZE];
    for (size_t i = 0; i < n_sets; i++)
        buf_printf(out, "%s%-16s %s  %llu values, %llu bytes%s\n", i ? "" : "\n", i ? "" : title,
                   store_args_write_key(&sets[i].key, hex), (unsigned long long)sets[i].n_values,
                   (unsigned long long)sets[i].stored_bytes,
                   are_facts && is_current(&sets[i].key) ? ", current" : "");
}

static void
print_text(const char *path, const struct store_info *info, struct buf *out)
{
    buf_printf(out, "store %s: %llu bytes, %.1f %% of them free\n", path,
               (unsigned long long)info->file_bytes,
               100 * ratio(info->free_bytes, info->file_bytes));
    buf_append_text(out, "trajectories ");
    for (size_t i = 0; i < sizeof(STATUS_NAMES) / sizeof(*STATUS_NAMES); i++)
        buf_printf(out, "%s %llu %s", i ? "," : "", (unsigned long long)info->n_trajectories[i],
                   STATUS_NAMES[i]);
    buf_printf(out, "\ncheckpoints   %llu\nlisted files  %llu of %llu blobs\n",
               (unsigned long long)info->n_checkpoints, (unsigned long long)info->n_listed_files,
               (unsigned long long)info->n_listed_blobs);
    print_tables(info, out);
    print_sets("facts", info->facts, info->n_facts, true, out);
    print_sets("rule groups", info->hits, info->n_hits, false, out);
    for (size_t i = 0; i < info->n_params; i++) {
        buf_printf(out, "%s%-16s %llu trajectories with ", i ? "" : "\n", i ? "" : "parameters",
                   (unsigned long long)info->params[i].n_trajectories);
        shown_append(out, info->params[i].params);
        buf_append_byte(out, '\n');
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void
write_tables(const struct store_info *info, struct json_writer *json)
{
    json_key(json, "tables");
    json_begin_object(json);
    for (size_t i = 0; i < STORE_N_TABLES; i++) {
        const struct store_table_info *table = &info->tables[i];
        json_key(json, table->name);
        json_begin_object(json);
        json_member_u64(json, "values", table->n_values);
        json_member_u64(json, "plain_bytes", table->plain_bytes);
        json_member_u64(json, "stored_bytes", table->stored_bytes);
        json_member_u64(json, "page_bytes", table->page_bytes);
        json_end_object(json);
    }
    json_end_object(json);
}

static void
write_sets(const char *name, const struct store_set_info *sets, size_t n_sets, bool are_facts,
           struct json_writer *json)
{
    char hex[STORE_ARGS_KEY_SIZE];
    json_key(json, name);
    json_begin_array(json);
    for (size_t i = 0; i < n_sets; i++) {
        json_begin_object(json);
        json_member_text(json, "key", store_args_write_key(&sets[i].key, hex));
        json_member_u64(json, "values", sets[i].n_values);
        json_member_u64(json, "plain_bytes", sets[i].plain_bytes);
        json_member_u64(json, "stored_bytes", sets[i].stored_bytes);
        if (are_facts)
            json_member_bool(json, "current", is_current(&sets[i].key));
        json_end_object(json);
    }
    json_end_array(json);
}

static void
print_json(const char *path, const struct store_info *info, struct buf *out)
{
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_member_text(&json, "store", path);
    json_member_u64(&json, "file_bytes", info->file_bytes);
    json_member_u64(&json, "free_bytes", info->free_bytes);
    json_key(&json, "trajectories");
    json_begin_object(&json);
    for (size_t i = 0; i < sizeof(STATUS_NAMES) / sizeof(*STATUS_NAMES); i++)
        json_member_u64(&json, STATUS_NAMES[i], info->n_trajectories[i]);
    json_end_object(&json);
    json_member_u64(&json, "checkpoints", info->n_checkpoints);
    json_member_u64(&json, "listed_files", info->n_listed_files);
    json_member_u64(&json, "listed_blobs", info->n_listed_blobs);
    write_tables(info, &json);
    write_sets("facts", info->facts, info->n_facts, true, &json);
    write_sets("rule_groups", info->hits, info->n_hits, false, &json);
    json_key(&json, "parameters");
    json_begin_array(&json);
    for (size_t i = 0; i < info->n_params; i++) {
        json_begin_object(&json);
        json_member_bytes(&json, "params", info->params[i].params);
        json_member_u64(&json, "trajectories", info->params[i].n_trajectories);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
    buf_append_byte(out, '\n');
}

/* ---- The command --------------------------------------------------------------------------- */

static int
show(const char *path, struct store *store, bool as_json)
{
    struct arena arena;
    struct store_info info;
    struct buf out = {0};
    struct err err;
    arena_init(&arena, 0);
    int status;
    if (store_get_info(store, &arena, &info, &err) < 0) {
        status = cli_fail(&cli_store_info, &err);
    } else {
        if (as_json)
            print_json(path, &info, &out);
        else
            print_text(path, &info, &out);
        status = cli_print(&cli_store_info, &out);
    }
    arena_clear(&arena);
    return status;
}

static int
run(int argc, char **argv)
{
    const char *path = NULL;
    struct cli_common common = cli_common_default();
    struct cli_list rest = {0};
    struct store *store;
    const struct cli_option options[] = {
        {.name = "--store", .text = &path}, CLI_JSON(common), {.name = NULL}};
    int status = CLI_USAGE;
    if (cli_parse(&cli_store_info, argc, argv, options, &rest) == 0)
        status = rest.n_items ? cli_usage(&cli_store_info, "'%s' is not asked for", rest.items[0])
                              : store_args_open_to_read(&cli_store_info, path, &store);
    if (status == CLI_DONE) {
        status = show(path, store, common.json);
        store_close(store);
    }
    cli_list_clear(&rest);
    return status;
}

const struct cli_command cli_store_info = {
    .name = "store info",
    .summary = "what a store holds and what it takes",
    .help = "usage: strata store info --store DIR [--json]\n"
            "\n"
            "Counts trajectories by status, checkpoints, listed files and their distinct blobs;\n"
            "values and bytes of every table, before and after compression and with the pages\n"
            "they take; the sets of facts and the groups of rules there are values of, of which\n"
            "\"current\" is the one this program makes with its default limits; and with which\n"
            "parameters the trajectories were made.  Profiles are not among it: what scores only\n"
            "reads and leaves no note.\n"
            "\n"
            "  --store DIR   the store\n"
            "  --json        one JSON object\n"
            "\n"
            "Exit status: 0; 3 when the store cannot be used.\n",
    .run = run,
};
