/*
 * strata store info: what a store holds and how much space it takes.
 *
 * Everything is gathered first, in a struct content, then printed as text or as one JSON object.
 */
#include "aggregate/panel.h"
#include "analyzer/analyzer.h"
#include "cli/commands.h"
#include "cli/store_args.h"

struct request {
    const char *path;
    struct cli_list profiles; /* names or files; none: the built-in ones */
    bool measures;
    struct cli_common common;
};

/* A profile, and whether the store can be scored under it. */
struct answer {
    struct bytes name;
    struct profile_answer is;
};

/* Everything that is printed. */
struct content {
    const char *path;
    struct store_info info;
    struct answer *answers;
    size_t n_answers;
    bool has_newest;
    struct store_key newest; /* group of rules */
    bool is_measured;
    struct store_measured measured[STORE_N_MEASURED];
    struct arena arena;
};

/* A over B; 0 when B is 0. */
static double
ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

/* Is KEY the fingerprint of facts that this program makes with its default limits? */
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

static bool
is_newest(const struct content *content, const struct store_key *key)
{
    return content->has_newest && memcmp(&content->newest, key, sizeof(*key)) == 0;
}

static void
print_sets(const struct content *content, bool are_facts, struct buf *out)
{
    const struct store_info *info = &content->info;
    const struct store_set_info *sets = are_facts ? info->facts : info->hits;
    size_t n_sets = are_facts ? info->n_facts : info->n_hits;
    char hex[STORE_ARGS_KEY_SIZE];
    for (size_t i = 0; i < n_sets; i++) {
        bool is_used = are_facts ? is_current(&sets[i].key) : is_newest(content, &sets[i].key);
        buf_printf(out, "%s%-16s %s  %llu values, %llu bytes; of %llu listed blobs%s\n",
                   i ? "" : "\n",
                   i           ? ""
                   : are_facts ? "facts"
                               : "rule groups",
                   store_args_write_key(&sets[i].key, hex), (unsigned long long)sets[i].n_values,
                   (unsigned long long)sets[i].stored_bytes, (unsigned long long)sets[i].n_listed,
                   !is_used    ? ""
                   : are_facts ? ", current"
                               : ", newest");
    }
}

static void
print_answers(const struct content *content, struct buf *out)
{
    buf_append_byte(out, '\n');
    for (size_t i = 0; i < content->n_answers; i++) {
        const struct answer *answer = &content->answers[i];
        buf_printf(out, "%-16s ", i ? "" : "profiles");
        printable_append(out, answer->name);
        if (answer->is.why_not)
            buf_printf(out, ": not in full: %s\n", answer->is.why_not);
        else
            buf_printf(out, ": in full, with %u rules\n", answer->is.n_rules);
    }
}

static void
print_measured(const struct content *content, struct buf *out)
{
    buf_printf(out, "\n%-8s %10s %12s %12s %14s %14s %12s\n", "bytes a", "values", "raw",
               "kept as is", "as stored", "no dictionary", "with one");
    for (size_t i = 0; i < STORE_N_MEASURED; i++) {
        const struct store_measured *is = &content->measured[i];
        buf_printf(out, "%-8s %10llu %12.1f %12.1f %14.1f %14.1f %11.1f%%\n", is->table,
                   (unsigned long long)is->n_values, ratio(is->plain_bytes, is->n_values),
                   ratio(is->tail_bytes, is->n_values), ratio(is->stored_bytes, is->n_values),
                   ratio(is->without_bytes, is->n_values),
                   100 * ratio(is->n_with_dictionary, is->n_values));
    }
}

/* Print parameters that several trajectories share; those of a single one are counted. */
static void
print_params(const struct store_info *info, struct buf *out)
{
    uint64_t n_alone = 0;
    buf_append_text(out, "\nparameters\n");
    for (size_t i = 0; i < info->n_params; i++) {
        uint64_t n = info->params[i].n_trajectories;
        n_alone += n == 1;
        if (n == 1 && info->n_params > 1)
            continue;
        buf_printf(out, "%16llu trajectories with ", (unsigned long long)n);
        printable_append(out, info->params[i].params);
        buf_append_byte(out, '\n');
    }
    if (n_alone > 0 && info->n_params > 1)
        buf_printf(out, "%16llu trajectories with parameters of their own, see --json\n",
                   (unsigned long long)n_alone);
}

static void
print_text(const struct content *content, struct buf *out)
{
    const struct store_info *info = &content->info;
    buf_printf(out, "store %s: %llu bytes, %.1f %% of them free\n", content->path,
               (unsigned long long)info->file_bytes,
               100 * ratio(info->free_bytes, info->file_bytes));
    buf_append_text(out, "trajectories ");
    for (unsigned i = 0; i < STORE_N_STATUSES; i++)
        buf_printf(out, "%s %llu %s", i ? "," : "", (unsigned long long)info->n_trajectories[i],
                   store_status_name(i));
    buf_printf(out, "\ncheckpoints   %llu\nlisted files  %llu of %llu blobs\n",
               (unsigned long long)info->n_checkpoints, (unsigned long long)info->n_listed_files,
               (unsigned long long)info->n_listed_blobs);
    print_tables(info, out);
    if (content->is_measured)
        print_measured(content, out);
    print_sets(content, true, out);
    print_sets(content, false, out);
    print_answers(content, out);
    print_params(info, out);
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
write_sets(const struct content *content, bool are_facts, struct json_writer *json)
{
    const struct store_info *info = &content->info;
    const struct store_set_info *sets = are_facts ? info->facts : info->hits;
    size_t n_sets = are_facts ? info->n_facts : info->n_hits;
    char hex[STORE_ARGS_KEY_SIZE];
    json_key(json, are_facts ? "facts" : "rule_groups");
    json_begin_array(json);
    for (size_t i = 0; i < n_sets; i++) {
        json_begin_object(json);
        json_member_text(json, "key", store_args_write_key(&sets[i].key, hex));
        json_member_u64(json, "values", sets[i].n_values);
        json_member_u64(json, "of_listed_blobs", sets[i].n_listed);
        json_member_u64(json, "plain_bytes", sets[i].plain_bytes);
        json_member_u64(json, "stored_bytes", sets[i].stored_bytes);
        if (are_facts)
            json_member_bool(json, "current", is_current(&sets[i].key));
        else
            json_member_bool(json, "newest", is_newest(content, &sets[i].key));
        json_end_object(json);
    }
    json_end_array(json);
}

static void
write_answers(const struct content *content, struct json_writer *json)
{
    json_key(json, "profiles");
    json_begin_array(json);
    for (size_t i = 0; i < content->n_answers; i++) {
        json_begin_object(json);
        json_member_bytes(json, "profile", content->answers[i].name);
        json_member_bool(json, "in_full", !content->answers[i].is.why_not);
        json_member_text(json, "why_not", content->answers[i].is.why_not);
        json_member_u64(json, "rules", content->answers[i].is.n_rules);
        json_end_object(json);
    }
    json_end_array(json);
}

static void
write_measured(const struct content *content, struct json_writer *json)
{
    json_key(json, "measured");
    json_begin_object(json);
    for (size_t i = 0; i < STORE_N_MEASURED; i++) {
        const struct store_measured *is = &content->measured[i];
        json_key(json, is->table);
        json_begin_object(json);
        json_member_u64(json, "values", is->n_values);
        json_member_u64(json, "with_dictionary", is->n_with_dictionary);
        json_member_u64(json, "plain_bytes", is->plain_bytes);
        json_member_u64(json, "kept_as_is_bytes", is->tail_bytes);
        json_member_u64(json, "stored_bytes", is->stored_bytes);
        json_member_u64(json, "without_dictionary_bytes", is->without_bytes);
        json_end_object(json);
    }
    json_end_object(json);
}

static void
print_json(const struct content *content, struct buf *out)
{
    const struct store_info *info = &content->info;
    struct json_writer json = json_writer_init(out, 0);
    json_begin_object(&json);
    json_member_text(&json, "store", content->path);
    json_member_u64(&json, "file_bytes", info->file_bytes);
    json_member_u64(&json, "free_bytes", info->free_bytes);
    json_key(&json, "trajectories");
    json_begin_object(&json);
    for (unsigned i = 0; i < STORE_N_STATUSES; i++)
        json_member_u64(&json, store_status_name(i), info->n_trajectories[i]);
    json_end_object(&json);
    json_member_u64(&json, "checkpoints", info->n_checkpoints);
    json_member_u64(&json, "listed_files", info->n_listed_files);
    json_member_u64(&json, "listed_blobs", info->n_listed_blobs);
    write_tables(info, &json);
    if (content->is_measured)
        write_measured(content, &json);
    write_sets(content, true, &json);
    write_sets(content, false, &json);
    write_answers(content, &json);
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
find_answers(struct store *store, const struct request *request, struct content *content,
             struct err *err)
{
    const char *const *names =
        request->profiles.n_items ? request->profiles.items : profile_builtin_names;
    size_t n = request->profiles.n_items;
    while (!request->profiles.n_items && names[n])
        n++;
    content->answers = ARENA_ARRAY(&content->arena, n, struct answer);
    if (!content->answers)
        return err_nomem(err, "profiles");
    for (size_t i = 0; i < n; i++) {
        struct profile profile;
        if (profile_read(names[i], &content->arena, &profile, err) < 0 ||
            profile_look_up(store, &content->info, &profile, &content->arena,
                            &content->answers[i].is, err) < 0)
            return -1;
        content->answers[i].name = profile.name;
    }
    content->n_answers = n;
    return 0;
}

static int
find_newest(struct store *store, struct content *content, struct err *err)
{
    struct store_reader *reader;
    if (store_reader_open(store, &reader, err) < 0)
        return -1;
    enum store_outcome outcome =
        store_get_newest_group(reader, &content->arena, &content->newest, err);
    content->has_newest = outcome == STORE_FOUND;
    store_reader_close(reader);
    return outcome == STORE_FAILED && err->code != ERR_DAMAGED ? -1 : 0;
}

static int
look(struct store *store, const struct request *request, struct content *content, struct err *err)
{
    if (store_get_info(store, &content->arena, &content->info, err) < 0 ||
        find_newest(store, content, err) < 0 || find_answers(store, request, content, err) < 0)
        return -1;
    content->is_measured = request->measures;
    return request->measures ? store_measure(store, content->measured, err) : 0;
}

static int
show(struct store *store, const struct request *request)
{
    struct content content = {.path = request->path};
    struct buf out = {0};
    struct err err;
    int status;
    arena_init(&content.arena, 0);
    if (look(store, request, &content, &err) < 0) {
        status = cli_fail(&cli_store_info, &err);
    } else {
        if (request->common.json)
            print_json(&content, &out);
        else
            print_text(&content, &out);
        status = cli_print(&cli_store_info, &out);
    }
    arena_clear(&content.arena);
    return status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    (void)arguments;
    const struct request *request = self;
    struct store *store;
    int status = store_args_open_to_read(&cli_store_info, request->path, &store);
    if (status != CLI_DONE)
        return status;
    status = show(store, request);
    store_close(store);
    return status;
}

static const struct cli_option options[] = {
    STORE_OPTION(struct request, path),
    {.name = "--profile",
     .value = "NAME",
     .help = "can the store be scored under this profile, built-in or a file?",
     .no_default = "every built-in one",
     CLI_LIST(struct request, profiles)},
    {.name = "--measure",
     .help = "compress every value again and print the mean bytes of facts and hits: raw, kept as "
             "they are, as stored and without a dictionary; and the share of values that need the "
             "dictionary",
     CLI_FLAG(struct request, measures)},
    CLI_JSON(struct request, common, "one JSON object"),
    CLI_END,
};

const struct cli_command cli_store_info = {
    .name = "store info",
    .summary = "what a store holds and how much space it takes",
    .usage = "--store DIR [OPTION...]",
    .about = "Counts trajectories by status, checkpoints, listed files and their distinct blobs. "
             "For every table prints values and bytes: before and after compression, and of the "
             "pages that hold them. Lists the sets of facts and the groups of rules that have "
             "values; \"current\" is the set that this program makes with its default limits, "
             "\"newest\" the group whose rules count. Says which profiles the store answers in "
             "full and what the others lack, and with which parameters the trajectories were made.",
    .options = options,
    .statuses = "0; 2 usage; 3 when the store or a profile cannot be used.",
    .request_size = sizeof(struct request),
    .run = run,
};
