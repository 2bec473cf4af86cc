/*
 * strata rules scan: the hits of rules in files, a folder, or a tree of a repository.
 *
 * Workers take files in order and scan them; the one that finishes the next file in order prints it
 * and those after it that are ready, so the output is the same for any number of jobs.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "cli/commands.h"
#include "cli/rules.h"
#include "cli/tree_args.h"
#include "miner/miner.h"

struct request {
    struct cli_common common;
    struct cli_list rules;
    unsigned selection; /* enum rules_selection */
    struct tree_args tree;
    enum hit_format format;
    bool no_path;
    const struct cli_list *paths;
    struct analyzer_limits limits;
};

struct input {
    struct bytes path; /* as it is printed */
    const char *file;  /* on disk; NULL: source holds the content */
    struct bytes source;
};

/* A scanned file that waits to be printed. */
struct result {
    bool is_done;
    struct scanned_file file;
    struct buf source;
};

struct scan {
    const struct request *request;
    struct ruleset *rules;
    struct arena arena;
    struct input *inputs;
    size_t n_inputs, capacity;
    struct map files; /* of those on disk: their real paths */
    struct miner_tree *tree;
    struct result *results;
    atomic_size_t next;
    struct progress *progress;
    pthread_mutex_t mutex;
    /* guarded by mutex */
    struct hit_printer printer;
    struct buf out;
    size_t n_printed;
    uint64_t n_hits, n_skipped, n_gave_up;
    bool any_error_hit;
    int status; /* not CLI_DONE ends the scan */
};

/* ---- Inputs -------------------------------------------------------------------------------- */

static int
add_input(struct scan *scan, struct input input, struct err *err)
{
    if (!ARRAY_RESERVE(scan->inputs, scan->n_inputs, scan->capacity, 1))
        return err_nomem(err, "files");
    scan->inputs[scan->n_inputs++] = input;
    return 0;
}

/* Add FILE under the name PATH, unless it was added before: folders may be named twice or hold each
 * other. */
static int
add_file(struct scan *scan, struct bytes path, const char *file, struct err *err)
{
    bool is_new = true;
    char *real = realpath(file, NULL);
    if (real && !map_put(&scan->files, bytes_of_text(real), &is_new)) {
        free(real);
        return err_nomem(err, "files");
    }
    free(real);
    return is_new ? add_input(scan, (struct input){.path = path, .file = file}, err) : 0;
}

static bool
is_python_name(struct bytes path)
{
    static const char *const endings[] = {".py", ".py3", ".pyi", ".bzl", ".bazel"};
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++)
        if (bytes_ends_with(path, bytes_of_text(endings[i])))
            return true;
    return false;
}

static int
enter_folder(void *context, struct bytes name)
{
    (void)context;
    return !bytes_equal(name, BYTES(".git"));
}

static int
add_folder(struct scan *scan, const char *folder, struct err *err)
{
    struct fs_entry *entries;
    size_t n;
    if (fs_list(folder, enter_folder, NULL, &scan->arena, &entries, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (entries[i].mode == 0120000 || !is_python_name(entries[i].path))
            continue;
        char *file =
            arena_format(&scan->arena, "%s/%s", folder, (const char *)entries[i].path.data);
        if (!file)
            return err_nomem(err, "files");
        if (add_file(scan, entries[i].path, file, err) < 0)
            return -1;
    }
    return 0;
}

static int
add_paths(struct scan *scan, struct err *err)
{
    const struct cli_list *paths = scan->request->paths;
    for (size_t i = 0; i < paths->n_items; i++) {
        const char *path = paths->items[i];
        struct stat info;
        bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
        if ((is_folder ? add_folder(scan, path, err)
                       : add_file(scan, bytes_of_text(path), path, err)) < 0)
            return -1;
    }
    return 0;
}

static int
add_tree(struct scan *scan, struct err *err)
{
    const struct request *request = scan->request;
    struct miner_tree_options options = {
        .repository = request->tree.repository,
        .revision = tree_args_revision(&request->tree),
        .prefix = tree_args_prefix(&request->tree),
        .analyzer = {.limits = request->limits, .skip_facts = true},
        .n_jobs = request->common.jobs,
        .keep_sources = true,
    };
    if (miner_read_tree(&options, &scan->tree, err) < 0)
        return -1;
    for (size_t i = 0; i < scan->tree->n_files; i++) {
        const struct miner_file *file = &scan->tree->files[i];
        if (file->problem) {
            progress_note(NULL, "strata rules scan: %.*s: %s", BYTES_ARG(file->path),
                          file->problem);
            scan->n_skipped++;
        } else if (add_input(scan, (struct input){.path = file->path, .source = file->source},
                             err) < 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- Printing, in order -------------------------------------------------------------------- */

/* Report a skipped file, and rules that gave up on it. */
static void
report_missing(struct scan *scan, const struct scanned_file *file)
{
    if (file->skipped != SKIP_NONE) {
        scan->n_skipped++;
        if (!scan->request->common.quiet)
            progress_note(scan->progress, "strata rules scan: %.*s: skipped: %s",
                          BYTES_ARG(file->path), skip_reason_name(file->skipped));
    }
    for (uint32_t i = 0; i < file->n_gave_up; i++) {
        struct bytes id = ruleset_rule(scan->rules, file->gave_up[i])->id;
        scan->n_gave_up++;
        progress_note(scan->progress,
                      "strata rules scan: %.*s: rule \"%.*s\" gave up: it takes too many steps "
                      "or finds too much in this file, so its hits are missing",
                      BYTES_ARG(file->path), BYTES_ARG(id));
    }
}

/* Print RESULT; the mutex is held. */
static void
print_result(struct scan *scan, struct result *result)
{
    struct err err;
    const struct scanned_file *file = &result->file;
    report_missing(scan, file);
    scan->n_hits += file->n_hits;
    for (uint32_t i = 0; i < file->n_hits; i++)
        scan->any_error_hit |=
            ruleset_rule(scan->rules, file->hits[i].rule)->severity == SEVERITY_ERROR;
    if (hit_printer_file(&scan->printer, file, buf_bytes(&result->source), &err) < 0)
        scan->status = cli_fail(&cli_rules_scan, &err);
    if (scan->printer.format != HITS_SARIF && scan->status == CLI_DONE)
        scan->status = cli_print(&cli_rules_scan, &scan->out);
}

static void
result_clear(struct result *result)
{
    free(result->file.hits);
    free(result->file.gave_up);
    buf_clear(&result->source);
}

static void
finish(struct scan *scan, size_t index)
{
    pthread_mutex_lock(&scan->mutex);
    scan->results[index].is_done = true;
    while (scan->n_printed < scan->n_inputs && scan->results[scan->n_printed].is_done &&
           scan->status == CLI_DONE) {
        print_result(scan, &scan->results[scan->n_printed]);
        result_clear(&scan->results[scan->n_printed]);
        scan->n_printed++;
    }
    pthread_mutex_unlock(&scan->mutex);
    progress_add_done(scan->progress, 1);
}

static void
fail(struct scan *scan, const struct err *err)
{
    pthread_mutex_lock(&scan->mutex);
    if (scan->status == CLI_DONE)
        scan->status = cli_fail(&cli_rules_scan, err);
    pthread_mutex_unlock(&scan->mutex);
}

/* ---- Scanning ------------------------------------------------------------------------------ */

static int
keep_hits(struct scanned_file *file, const struct hit_list *found, struct err *err)
{
    file->hits = malloc((found->n_hits + 1) * sizeof(*file->hits));
    file->gave_up = malloc((found->n_gave_up + 1) * sizeof(*file->gave_up));
    if (!file->hits || !file->gave_up)
        return err_nomem(err, "hits");
    if (found->n_hits)
        memcpy(file->hits, found->hits, found->n_hits * sizeof(*file->hits));
    if (found->n_gave_up)
        memcpy(file->gave_up, found->gave_up, found->n_gave_up * sizeof(*file->gave_up));
    file->n_hits = found->n_hits;
    file->n_gave_up = found->n_gave_up;
    return 0;
}

static int
scan_input(struct scan *scan, struct scanner *scanner, size_t index, struct err *err)
{
    const struct input *input = &scan->inputs[index];
    struct result *result = &scan->results[index];
    struct hit_list found;
    struct bytes source = input->source;
    result->file.path = input->path;
    if (input->file) {
        if (fs_read(input->file, UINT32_MAX, &result->source, err) < 0)
            return -1;
        source = buf_bytes(&result->source);
    } else {
        buf_append_bytes(&result->source, source);
    }
    if (scanner_run(scanner, source, &found, &result->file.skipped, err) < 0)
        return err_wrap(err, "%.*s", BYTES_ARG(input->path));
    if (keep_hits(&result->file, &found, err) < 0)
        return -1;
    cli_drop_outside(scan->rules, input->file ? bytes_of_text(input->file) : input->path,
                     input->file, result->file.hits, &result->file.n_hits);
    cli_drop_unselected(scan->rules, scan->request->selection, &result->file);
    return 0;
}

static void
scan_member(void *shared, size_t member)
{
    (void)member;
    struct scan *scan = shared;
    struct scanner *scanner;
    struct err err;
    if (scanner_create(scan->rules, &scan->request->limits, &scanner, &err) < 0) {
        fail(scan, &err);
        return;
    }
    for (;;) {
        size_t index = atomic_fetch_add(&scan->next, 1);
        if (index >= scan->n_inputs || stop_requested())
            break;
        pthread_mutex_lock(&scan->mutex);
        bool ended = scan->status != CLI_DONE;
        pthread_mutex_unlock(&scan->mutex);
        if (ended)
            break;
        if (scan_input(scan, scanner, index, &err) < 0) {
            fail(scan, &err);
            break;
        }
        finish(scan, index);
    }
    scanner_destroy(scanner);
}

static int
scan_all(struct scan *scan)
{
    const struct request *request = scan->request;
    scan->results = calloc(scan->n_inputs + 1, sizeof(*scan->results));
    if (!scan->results)
        return cli_fail(&cli_rules_scan, &(struct err){ERR_NOMEM, "out of memory: files"});
    scan->printer = (struct hit_printer){.format = request->format,
                                         .no_path = request->no_path,
                                         .rules = scan->rules,
                                         .out = &scan->out};
    hit_printer_begin(&scan->printer);
    scan->progress = progress_start("scanning", "files", request->common.quiet);
    progress_add_total(scan->progress, scan->n_inputs);
    thread_pool_run(request->common.jobs, scan_member, scan);
    progress_finish(scan->progress);
    for (size_t i = scan->n_printed; i < scan->n_inputs; i++)
        result_clear(&scan->results[i]);
    if (scan->status != CLI_DONE)
        return scan->status;
    if (stop_requested())
        return cli_fail(&cli_rules_scan, &(struct err){ERR_STOPPED, "stopped"});
    hit_printer_end(&scan->printer);
    int status = cli_print(&cli_rules_scan, &scan->out);
    if (status != CLI_DONE)
        return status;
    return scan->any_error_hit || scan->n_gave_up ? CLI_FINDINGS : CLI_DONE;
}

static int
run_request(const struct request *request)
{
    struct scan scan = {.request = request};
    struct err err;
    int status;
    arena_init(&scan.arena, 0);
    map_init(&scan.files);
    pthread_mutex_init(&scan.mutex, NULL);
    if (cli_load_rules(&request->rules, &scan.rules, &err) < 0) {
        /* ast-grep exits with status 8 here, and tests compare the two. */
        if (request->format == HITS_LINES && err.code == ERR_INPUT)
            puts("REFUSED 8");
        status = cli_fail(&cli_rules_scan, &err);
    } else if ((request->tree.repository ? add_tree(&scan, &err) : add_paths(&scan, &err)) < 0) {
        status = cli_fail(&cli_rules_scan, &err);
    } else {
        status = scan_all(&scan);
    }
    buf_clear(&scan.out);
    free(scan.results);
    free(scan.inputs);
    miner_tree_destroy(scan.tree);
    ruleset_destroy(scan.rules);
    arena_clear(&scan.arena);
    map_clear(&scan.files);
    pthread_mutex_destroy(&scan.mutex);
    return status;
}

/* ---- The command --------------------------------------------------------------------------- */

static int
run(void *self, const struct cli_list *arguments)
{
    struct request *request = self;
    request->paths = arguments;
    request->limits = analyzer_limits_default();
    int status = tree_args_check(&cli_rules_scan, &request->tree, arguments->n_items);
    return status == CLI_DONE ? run_request(request) : status;
}

static const char *const format_names[] = {[HITS_TEXT] = "text",
                                           [HITS_JSONL] = "jsonl",
                                           [HITS_SARIF] = "sarif",
                                           [HITS_LINES] = "lines",
                                           NULL};

static const struct cli_option options[] = {
    RULES_FILES_OPTION(struct request, rules),
    RULES_SELECTION_OPTION(struct request, selection),
    {.name = "--format",
     .value = "NAME",
     .help = "the format of the output",
     .choices = format_names,
     CLI_CHOICE(struct request, format)},
    {.name = "--no-path",
     .help = "with lines: leave the path out",
     CLI_FLAG(struct request, no_path)},
    TREE_ARGS_OPTIONS(struct request, tree),
    CLI_JOBS(struct request, common),
    {.name = "--quiet",
     .help = "no progress, and skipped files are not reported",
     CLI_FLAG(struct request, common.quiet)},
    CLI_END,
};

const struct cli_command cli_rules_scan = {
    .name = "rules scan",
    .summary = "print what rules match in files or in a tree of a repository",
    .usage = "[OPTION...] PATH...\n"
             "[OPTION...] --git REPO [--rev REV] [--prefix DIR]",
    .about = "Runs rules in the format of ast-grep over Python files. In a folder these are *.py, "
             "*.py3, *.pyi, *.bzl and *.bazel.",
    .options = options,
    .notes = "The format lines is path, rule, start line, end line, start column, end column, "
             "sorted; it prints REFUSED 8 for rules that ast-grep would refuse.",
    .statuses =
        "0; 1 when a rule of severity error matched or a rule gave up on a file; 2 usage; 3 "
        "when rules or files could not be used; 130 stopped.",
    .request_size = sizeof(struct request),
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
