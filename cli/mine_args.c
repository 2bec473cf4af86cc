/*
 * From the options of `strata mine` to those of the miner.
 *
 * The manifest's sampling and source filter are the defaults, which the given options change.  A
 * repository of a manifest is looked for among the mirrors, or at its url when that is a path.
 */
#include "cli/mine_args.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/calendar.h"
#include "cli/store_args.h"
#include "miner/mirrors.h"

enum { MAX_FILE_BYTES = 1024 * 1024 * 1024, MIN_MEMORY_BYTES = 16 * 1024 * 1024 };

static const uint64_t not_given = UINT64_MAX;
static const struct cli_list no_texts = {0};

/* The globs that --exclude-tests, --exclude-vendored and --exclude-generated add. */
static const char *const globs_of_tests[] = {"**/tests/**", "**/test/**", "**/testing/**",
                                             "test_*.py",   "*_test.py",  "conftest.py",
                                             "tests.py",    NULL};
static const char *const globs_of_vendored[] = {
    "**/vendor/**",    "**/vendored/**",    "**/_vendor/**",
    "**/_vendored/**", "**/third_party/**", "**/thirdparty/**",
    "**/extern/**",    "**/externals/**",   NULL};
static const char *const globs_of_generated[] = {
    "*_pb2.py", "*_pb2_grpc.py", "_version.py", "**/migrations/[0-9]*.py", "*_rc.py", NULL};

void
mine_args_set_defaults(void *self)
{
    struct mine_args *args = self;
    args->commits = not_given;
    args->seed = not_given;
    args->strategy = CLI_NOT_GIVEN;
    args->history = CLI_NOT_GIVEN;
    args->moved = MINER_MOVED_KEEP;
    args->memory_bytes = MINER_MEMORY_DEFAULT;
    args->commit_bytes = MINER_COMMIT_DEFAULT;
    args->max_file_bytes = analyzer_limits_default().max_file_bytes;
}

void
mine_args_clear(struct mine_args *args)
{
    free(args->mined);
    arena_clear(&args->arena);
}

/* ---- The options --------------------------------------------------------------------------- */

static const char *const moved_names[] = {[MINER_MOVED_KEEP] = "keep",
                                          [MINER_MOVED_EXTEND] = "extend",
                                          [MINER_MOVED_ANEW] = "anew",
                                          NULL};

static const char *
strategy_at(size_t i)
{
    return i <= SAMPLING_ALL ? sampling_strategy_name((enum sampling_strategy)i) : NULL;
}

static const char *
history_at(size_t i)
{
    return i <= HISTORY_ALL ? sampling_history_name((enum sampling_history)i) : NULL;
}

const struct cli_option mine_args_options[] = {
    STORE_OPTION_TO_WRITE(struct mine_args, store_path),
    {.name = "--manifest",
     .value = "FILE",
     .help = "a panel; the options below default to its sampling and source filter",
     CLI_TEXT(struct mine_args, manifest_path)},
    {.name = "--mirrors",
     .value = "DIR",
     .help = "where the panel's repositories are, as NAME.git or NAME",
     CLI_TEXT(struct mine_args, mirrors)},
    {.name = "--ref",
     .value = "NAME",
     .help = "branch or tag to mine instead of HEAD (repositories only)",
     CLI_TEXT(struct mine_args, ref)},
    {.name = "--count",
     .help = "only count commits: all, those with fewer than two parents, and of these the ones "
             "that change source",
     CLI_FLAG(struct mine_args, count)},
    CLI_HEADING("Which commits:"),
    {.name = "--strategy",
     .value = "NAME",
     .help = "how they are chosen",
     .choice_at = strategy_at,
     .no_default = "random",
     CLI_CHOICE(struct mine_args, strategy)},
    {.name = "--commits",
     .value = "N",
     .help = "how many, for random and even",
     .min = 1,
     .max = 1000000000,
     .no_default = "30",
     CLI_NUMBER(struct mine_args, commits)},
    {.name = "--seed",
     .value = "N",
     .help = "of the random choice",
     .max = UINT64_MAX - 1,
     .no_default = "0",
     CLI_NUMBER(struct mine_args, seed)},
    {.name = "--history",
     .value = "NAME",
     .help = "which commits there are to choose from",
     .choice_at = history_at,
     .no_default = "first-parent",
     CLI_CHOICE(struct mine_args, history)},
    {.name = "--no-merges",
     .help = "leave merge commits out; otherwise they are sampled like others",
     CLI_FLAG(struct mine_args, no_merges)},
    {.name = "--content-only",
     .help = "a changed file mode alone does not count as a change of source",
     CLI_FLAG(struct mine_args, content_only)},
    {.name = "--moved",
     .value = "NAME",
     .help = "what to do when the head has moved since the repository was mined: leave its "
             "checkpoints, add new commits at the same rate, or sample again",
     .choices = moved_names,
     CLI_CHOICE(struct mine_args, moved)},
    {.name = "--latest-date",
     .value = "DAY",
     .help = "a later committer date is reported and not used as a time",
     .no_default = "tomorrow",
     CLI_TEXT(struct mine_args, latest_date)},
    CLI_HEADING("Which files (tests, vendored and generated files are included by default):"),
    {.name = "--suffix",
     .value = "TEXT",
     .help = "also files with this ending, such as .pyw; .py always counts",
     CLI_LIST(struct mine_args, suffixes)},
    {.name = "--include",
     .value = "GLOB",
     .help = "only files that match. * and ? stop at a slash, ** does not; a glob without a slash "
             "is compared with the last part of a path",
     CLI_LIST(struct mine_args, include)},
    {.name = "--exclude",
     .value = "GLOB",
     .help = "no files that match",
     CLI_LIST(struct mine_args, exclude)},
    {.name = "--exclude-dir",
     .value = "NAME",
     .help = "no files below folders with this name; .git, venv, build, dist, node_modules, "
             "site-packages and the like are always left out",
     CLI_LIST(struct mine_args, exclude_dirs)},
    {.name = "--exclude-tests",
     .help = "no tests, by the usual names of files and folders",
     CLI_FLAG(struct mine_args, exclude_tests)},
    {.name = "--exclude-vendored",
     .help = "no vendored files, by the usual names of folders",
     CLI_FLAG(struct mine_args, exclude_vendored)},
    {.name = "--exclude-generated",
     .help = "no generated files, by the usual names",
     CLI_FLAG(struct mine_args, exclude_generated)},
    {.name = "--max-file-bytes",
     .value = "SIZE",
     .help = "larger files are recorded as skipped",
     CLI_SIZE(struct mine_args, max_file_bytes)},
    CLI_HEADING("How:"),
    RULES_ARGS_OPTIONS(struct mine_args, rules),
    {.name = "--verify-objects",
     .help = "check the hash of every object that is read",
     CLI_FLAG(struct mine_args, verify_objects)},
    {.name = "--memory",
     .value = "SIZE",
     .help = "bound of lists, waiting results, mapped packs and parsing together",
     CLI_SIZE(struct mine_args, memory_bytes)},
    {.name = "--commit-every",
     .value = "SIZE",
     .help = "write this much between two commits of the store, which is the most that a crash can "
             "lose",
     CLI_SIZE(struct mine_args, commit_bytes)},
    WAIT_OPTION(struct mine_args, wait),
    CLI_JSON(struct mine_args, common, "a JSON line for each repository"),
    CLI_JOBS(struct mine_args, common),
    CLI_QUIET(struct mine_args, common),
    CLI_END,
};

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

/* Append GIVEN and GLOBS (may be NULL) to LIST. */
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
                           "--exclude-dir takes the name of a folder, not '%s'; --exclude is for "
                           "paths",
                           given->items[i]);
    return 0;
}

static int
resolve_filter(struct mine_args *args, struct err *err)
{
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
    if (args->exclude_tests &&
        extend_list(args, &filter->exclude, &no_texts, globs_of_tests, err) < 0)
        return -1;
    if (args->exclude_vendored &&
        extend_list(args, &filter->exclude, &no_texts, globs_of_vendored, err) < 0)
        return -1;
    return args->exclude_generated
               ? extend_list(args, &filter->exclude, &no_texts, globs_of_generated, err)
               : 0;
}

/* ---- Sampling ------------------------------------------------------------------------------ */

static void
resolve_sampling(struct mine_args *args)
{
    struct sampling *sampling = &args->options.sampling;
    if (args->strategy != CLI_NOT_GIVEN)
        sampling->strategy = (enum sampling_strategy)args->strategy;
    if (args->history != CLI_NOT_GIVEN)
        sampling->history = (enum sampling_history)args->history;
    if (args->commits != not_given)
        sampling->n_commits = (uint32_t)args->commits;
    if (args->seed != not_given)
        sampling->seed = args->seed;
    if (args->no_merges)
        sampling->merges = false;
}

/* The end of the day that was given; without one, this time tomorrow. */
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
        return err_set(err, ERR_USAGE, "--latest-date takes a day such as 2026-06-30, not '%s'",
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

/* The path of REPOSITORY without mirrors: its url, when that is a path or a file url. */
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

/* The repository of "NAME=PATH", or of a path, which is its own name. */
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
    const struct cli_list *given = args->repositories;
    args->mined = calloc(given->n_items + 1, sizeof(*args->mined));
    if (!args->mined)
        return err_nomem(err, "repositories");
    struct map seen;
    map_init(&seen);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < given->n_items; i++) {
        struct miner_repository repository = take_path(given->items[i], args->ref);
        bool is_new;
        args->mined[args->n_mined++] = repository;
        if (repository.id.len == 0 || repository.id.len > STORE_ID_MAX)
            rc = err_set(err, ERR_USAGE, "'%s' has no name, or one longer than %d bytes",
                         given->items[i], STORE_ID_MAX);
        else if (repository.path[0] == '\0')
            rc = err_set(err, ERR_USAGE, "'%s' has no path after its =", given->items[i]);
        else if (!map_put(&seen, repository.id, &is_new))
            rc = err_nomem(err, "repositories");
        else if (!is_new)
            rc = err_set(err, ERR_USAGE, "%.*s is named twice", BYTES_ARG(repository.id));
    }
    map_clear(&seen);
    return rc;
}

/* ---- All ----------------------------------------------------------------------------------- */

static int
check_combination(const struct mine_args *args, struct err *err)
{
    bool has_paths = args->repositories->n_items > 0;
    if (!args->store_path && !args->count)
        return err_set(err, ERR_USAGE, "name a store with --store");
    if (args->manifest_path && has_paths)
        return err_set(err, ERR_USAGE, "give a manifest or repositories, not both");
    if (!args->manifest_path && !has_paths)
        return err_set(err, ERR_USAGE, "give --manifest or repositories");
    if (args->mirrors && !args->manifest_path)
        return err_set(err, ERR_USAGE, "--mirrors needs --manifest");
    if (args->max_file_bytes > MAX_FILE_BYTES)
        return err_set(err, ERR_USAGE, "--max-file-bytes is at most 1G");
    if (args->memory_bytes < MIN_MEMORY_BYTES)
        return err_set(err, ERR_USAGE, "--memory is at least 16M");
    if (args->ref && args->manifest_path)
        return err_set(err, ERR_USAGE, "--ref is for repositories; a manifest has its own refs");
    return 0;
}

int
mine_args_resolve(struct mine_args *args, struct err *err)
{
    if (check_combination(args, err) < 0)
        return -1;
    args->filter = *source_filter_default();
    args->options.sampling = sampling_default();
    int rc = args->manifest_path ? take_manifest(args, err) : take_paths(args, err);
    if (rc < 0 || resolve_filter(args, err) < 0 || resolve_latest_date(args, err) < 0)
        return -1;
    resolve_sampling(args);
    args->options.moved = args->moved;
    args->options.filter = &args->filter;
    args->options.content_only = args->content_only;
    args->options.verify_objects = args->verify_objects;
    args->options.analyzer.limits = analyzer_limits_default();
    args->options.analyzer.limits.max_file_bytes = (uint32_t)args->max_file_bytes;
    args->options.n_jobs = args->common.jobs;
    args->options.memory_bytes = args->memory_bytes;
    args->options.commit_bytes = args->commit_bytes;
    return 0;
}
