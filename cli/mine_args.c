#include "cli/mine_args.h"
#include "miner/mirrors.h"
#include "base/calendar.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "aggregate/score.h"
#include "aggregate/panel.h"
#include "aggregate/records.h"
#include "aggregate/report.h"
#include "aggregate/export.h"
#include "cli/rules.h"

enum { MAX_FILE_BYTES = 1024 * 1024 * 1024, MIN_MEMORY_BYTES = 16 * 1024 * 1024 };

static const uint64_t not_given = UINT64_MAX;

/* Policies by path, as globs that `--exclude` could have been given one by one. */
static const char *const globs_of_tests[] = {"**/tests/**", "**/test/**", "**/testing/**",
                                             "test_*.py",   "*_test.py",  "conftest.py",
                                             "tests.py",    NULL};
static const char *const globs_of_vendored[] = {
    "**/vendor/**",    "**/vendored/**",    "**/_vendor/**",
    "**/_vendored/**", "**/third_party/**", "**/thirdparty/**",
    "**/extern/**",    "**/externals/**",   NULL};
static const char *const globs_of_generated[] = {
    "*_pb2.py", "*_pb2_grpc.py", "_version.py", "**/migrations/[0-9]*.py", "*_rc.py", NULL};

struct mine_args
mine_args_default(void)
{
    struct mine_args args = {.commits = not_given,
                             .seed = not_given,
                             .memory_bytes = MINER_MEMORY_DEFAULT,
                             .commit_bytes = MINER_COMMIT_DEFAULT,
                             .max_file_bytes = analyzer_limits_default().max_file_bytes,
                             .common = cli_common_default()};
    arena_init(&args.arena, 0);
    return args;
}

void
mine_args_clear(struct mine_args *args)
{
    cli_list_clear(&args->include);
    cli_list_clear(&args->exclude);
    cli_list_clear(&args->suffixes);
    cli_list_clear(&args->exclude_dirs);
    cli_list_clear(&args->rules);
    cli_list_clear(&args->repositories);
    ruleset_destroy(args->ruleset);
    free(args->mined);
    arena_clear(&args->arena);
}

/* ---- Policies ------------------------------------------------------------------------------ */

static size_t
count_globs(const char *const *globs)
{
    size_t n = 0;
    while (globs[n])
        n++;
    return n;
}

static int
check_glob(const char *glob, const char *option, struct err *err)
{
    const char *fault = glob_fault(bytes_of_text(glob));
    return fault ? err_set(err, ERR_USAGE, "%s '%s': %s", option, glob, fault) : 0;
}

/* LIST becomes what it is and the GIVEN and the GLOBS (may be NULL). */
static int
extend_list(struct mine_args *args, struct text_list *list, const struct cli_list *given,
            const char *const *globs, struct err *err)
{
    size_t n_globs = globs ? count_globs(globs) : 0;
    size_t n = list->n_items + given->n_items + n_globs;
    struct bytes *items = ARENA_ARRAY(&args->arena, n, struct bytes);
    if (!items)
        return err_nomem(err, "arguments");
    size_t at = 0;
    for (size_t i = 0; i < list->n_items; i++)
        items[at++] = list->items[i];
    for (size_t i = 0; i < given->n_items; i++)
        items[at++] = bytes_of_text(given->items[i]);
    for (size_t i = 0; i < n_globs; i++)
        items[at++] = bytes_of_text(globs[i]);
    *list = (struct text_list){items, n};
    return 0;
}

static int
check_suffixes(const struct cli_list *given, struct err *err)
{
    for (size_t i = 0; i < given->n_items; i++)
        if (given->items[i][0] == '\0')
            return err_set(err, ERR_USAGE, "--suffix must not be empty");
    return 0;
}

static int
check_folder_names(const struct cli_list *given, struct err *err)
{
    for (size_t i = 0; i < given->n_items; i++)
        if (given->items[i][0] == '\0' || strchr(given->items[i], '/'))
            return err_set(err, ERR_USAGE,
                           "--exclude-dir wants the name of a folder, not '%s'; --exclude is for "
                           "paths",
                           given->items[i]);
    return 0;
}

static int
resolve_filter(struct mine_args *args, struct err *err)
{
    static const struct cli_list none = {0};
    struct source_filter *filter = &args->filter;
    for (size_t i = 0; i < args->include.n_items; i++)
        if (check_glob(args->include.items[i], "--include", err) < 0)
            return -1;
    for (size_t i = 0; i < args->exclude.n_items; i++)
        if (check_glob(args->exclude.items[i], "--exclude", err) < 0)
            return -1;
    if (check_suffixes(&args->suffixes, err) < 0 ||
        check_folder_names(&args->exclude_dirs, err) < 0)
        return -1;
    if (extend_list(args, &filter->suffixes, &args->suffixes, NULL, err) < 0 ||
        extend_list(args, &filter->exclude_dirs, &args->exclude_dirs, NULL, err) < 0 ||
        extend_list(args, &filter->include, &args->include, NULL, err) < 0 ||
        extend_list(args, &filter->exclude, &args->exclude, NULL, err) < 0)
        return -1;
    if (args->exclude_tests && extend_list(args, &filter->exclude, &none, globs_of_tests, err) < 0)
        return -1;
    if (args->exclude_vendored &&
        extend_list(args, &filter->exclude, &none, globs_of_vendored, err) < 0)
        return -1;
    return args->exclude_generated
               ? extend_list(args, &filter->exclude, &none, globs_of_generated, err)
               : 0;
}

/* ---- Sampling ------------------------------------------------------------------------------ */

static int
resolve_sampling(struct mine_args *args, struct err *err)
{
    struct sampling *sampling = &args->options.sampling;
    if (args->strategy &&
        sampling_strategy_parse(bytes_of_text(args->strategy), &sampling->strategy) < 0)
        return err_set(err, ERR_USAGE, "--strategy is random, even or all, not '%s'",
                       args->strategy);
    if (args->history &&
        sampling_history_parse(bytes_of_text(args->history), &sampling->history) < 0)
        return err_set(err, ERR_USAGE, "--history is first-parent or all, not '%s'", args->history);
    if (args->commits != not_given)
        sampling->n_commits = (uint32_t)args->commits;
    if (args->seed != not_given)
        sampling->seed = args->seed;
    if (args->no_merges)
        sampling->merges = false;
    return 0;
}

static int
resolve_moved(struct mine_args *args, struct err *err)
{
    static const char *const names[] = {"keep", "extend", "anew"};
    if (!args->moved)
        return 0;
    for (unsigned i = MINER_MOVED_KEEP; i <= MINER_MOVED_ANEW; i++) {
        if (strcmp(args->moved, names[i]) == 0) {
            args->options.moved = (enum miner_moved)i;
            return 0;
        }
    }
    return err_set(err, ERR_USAGE, "--moved is keep, extend or anew, not '%s'", args->moved);
}

/* The end of the day that was given, or of tomorrow. */
static int
resolve_latest_date(struct mine_args *args, struct err *err)
{
    enum { DAY_S = 24 * 60 * 60 };
    if (!args->latest_date) {
        args->options.latest_s = (int64_t)time(NULL) + DAY_S;
        return 0;
    }
    int64_t day_s;
    if (calendar_parse_day(bytes_of_text(args->latest_date), &day_s) < 0)
        return err_set(err, ERR_USAGE, "--latest-date wants a day such as 2026-06-30, not '%s'",
                       args->latest_date);
    args->options.latest_s = day_s + DAY_S - 1;
    return 0;
}

/* ---- Repositories -------------------------------------------------------------------------- */

static bool
is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Without mirrors: a url that is a path, or a file url. */
static const char *
find_local(struct mine_args *args, const struct manifest_repository *repository, struct err *err)
{
    struct bytes url = repository->url;
    if (bytes_starts_with(url, BYTES("file://")))
        url = bytes_slice(url, sizeof("file://") - 1, url.len);
    if (url.len == 0 || url.data[0] != '/') {
        err_set(err, ERR_USAGE,
                "%.*s is not on this machine; name the folder of its mirror with --mirrors "
                "(`strata panel clone` makes them)",
                BYTES_ARG(repository->name));
        return NULL;
    }
    char *path = arena_format(&args->arena, "%.*s", BYTES_ARG(url));
    if (!path)
        err_nomem(err, "path");
    return path;
}

static int
take_manifest(struct mine_args *args, struct err *err)
{
    struct manifest manifest;
    if (manifest_read(args->manifest_path, &args->arena, &manifest, err) < 0)
        return -1;
    args->options.sampling = manifest.sampling;
    args->filter = manifest.source;
    args->mined = calloc(manifest.n_repositories + 1, sizeof(*args->mined));
    if (!args->mined)
        return err_nomem(err, "repositories");
    for (size_t i = 0; i < manifest.n_repositories; i++) {
        const struct manifest_repository *from = &manifest.repositories[i];
        const char *path = args->mirrors
                               ? miner_mirror_path(args->mirrors, from->name, &args->arena)
                               : find_local(args, from, err);
        if (!path)
            return args->mirrors ? err_nomem(err, "path") : -1;
        args->mined[args->n_mined++] =
            (struct miner_repository){.id = from->name,
                                      .path = path,
                                      .origin = from->url.len ? from->url : bytes_of_text(path),
                                      .stars = from->stars,
                                      .as_of = from->as_of,
                                      .license = from->license,
                                      .ref = from->ref,
                                      .pinned = from->head};
    }
    return 0;
}

/* "NAME=PATH", or a path, which names itself. */
static struct miner_repository
take_path(const char *given, const char *ref)
{
    const char *equals = is_folder(given) ? NULL : strchr(given, '=');
    struct miner_repository out = {.path = equals ? equals + 1 : given, .stars = -1};
    out.id = equals ? (struct bytes){(const uint8_t *)given, (size_t)(equals - given)}
                    : bytes_of_text(given);
    while (!equals && out.id.len > 1 && out.id.data[out.id.len - 1] == '/')
        out.id.len--;
    out.origin = bytes_of_text(out.path);
    out.ref = bytes_of_text(ref ? ref : "");
    return out;
}

static int
take_paths(struct mine_args *args, struct err *err)
{
    const struct cli_list *given = &args->repositories;
    args->mined = calloc(given->n_items + 1, sizeof(*args->mined));
    if (!args->mined)
        return err_nomem(err, "repositories");
    struct map seen;
    map_init(&seen);
    int result = 0;
    for (size_t i = 0; result == 0 && i < given->n_items; i++) {
        struct miner_repository repository = take_path(given->items[i], args->ref);
        bool is_new;
        args->mined[args->n_mined++] = repository;
        if (repository.id.len == 0 || repository.id.len > STORE_ID_MAX)
            result = err_set(err, ERR_USAGE, "'%s' has no name, or one over %d bytes",
                             given->items[i], STORE_ID_MAX);
        else if (repository.path[0] == '\0')
            result = err_set(err, ERR_USAGE, "'%s' names no path behind its =", given->items[i]);
        else if (!map_put(&seen, repository.id, &is_new))
            result = err_nomem(err, "repositories");
        else if (!is_new)
            result = err_set(err, ERR_USAGE, "%.*s is named twice", BYTES_ARG(repository.id));
    }
    map_clear(&seen);
    return result;
}

/* ---- All ----------------------------------------------------------------------------------- */

static int
check_combination(const struct mine_args *args, struct err *err)
{
    bool has_paths = args->repositories.n_items > 0;
    if (!args->store_path && !args->count)
        return err_set(err, ERR_USAGE, "--store is missing");
    if (args->manifest_path && has_paths)
        return err_set(err, ERR_USAGE, "give a manifest or repositories, not both");
    if (!args->manifest_path && !has_paths)
        return err_set(err, ERR_USAGE, "give --manifest or repositories");
    if (args->no_rules && args->rules.n_items)
        return err_set(err, ERR_USAGE, "give --rules or --no-rules, not both");
    if (args->mirrors && !args->manifest_path)
        return err_set(err, ERR_USAGE, "--mirrors goes with --manifest");
    if (args->max_file_bytes > MAX_FILE_BYTES)
        return err_set(err, ERR_USAGE, "--max-file-bytes is at most 1G");
    if (args->memory_bytes < MIN_MEMORY_BYTES)
        return err_set(err, ERR_USAGE, "--memory is at least 16M");
    if (args->ref && args->manifest_path)
        return err_set(err, ERR_USAGE, "--ref goes with repositories; a manifest has its own");
    return 0;
}

int
mine_args_resolve(struct mine_args *args, struct err *err)
{
    if (check_combination(args, err) < 0)
        return -1;
    args->filter = *source_filter_default();
    args->options.sampling = sampling_default();
    int taken = args->manifest_path ? take_manifest(args, err) : take_paths(args, err);
    if (taken < 0 || resolve_filter(args, err) < 0 || resolve_sampling(args, err) < 0 ||
        resolve_moved(args, err) < 0 || resolve_latest_date(args, err) < 0)
        return -1;
    args->options.filter = &args->filter;
    args->options.content_only = args->content_only;
    args->options.verify_objects = args->verify_objects;
    args->options.analyzer.limits = analyzer_limits_default();
    args->options.analyzer.limits.max_file_bytes = (uint32_t)args->max_file_bytes;
    if (!args->no_rules && !args->count && cli_load_rules(&args->rules, &args->ruleset, err) < 0)
        return -1;
    args->options.analyzer.rules = args->ruleset;
    args->options.n_jobs = args->common.jobs;
    args->options.memory_bytes = args->memory_bytes;
    args->options.commit_bytes = args->commit_bytes;
    return 0;
}
