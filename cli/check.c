/* strata check: score one tree, from disk or from a repository. */
#include "cli/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/rules.h"

extern const struct cli_command cli_check;

/* Above what any verbosity can be: no bound was given. */
#define VERBOSITY_ANY 1e9

struct request {
    struct cli_common common;
    const char *repository;
    const char *revision;
    const char *prefix;
    const char *profile_name;
    struct cli_list rules;
    bool no_rules;
    bool show_clones;
    bool show_files;
    bool show_flags;
    double erosion_max;
    double verbosity_max;
    struct cli_list paths;
};

static void
check_clear(struct check *check)
{
    scorer_destroy(check->scorer);
    miner_tree_destroy(check->tree);
    ruleset_destroy(check->rules);
    arena_clear(&check->arena);
}

const char *
check_reason(const struct check *check, const struct miner_file *file)
{
    if (file->problem)
        return file->problem;
    if (file->facts.skipped != SKIP_NONE)
        return skip_reason_name(file->facts.skipped);
    return scorer_takes_file(check->scorer, &file->facts) ? NULL : "syntax error";
}

/* A name in a profile that no rule has is most likely misspelt. */
static void
note_unknown_rules(const struct check *check, const struct text_list *names)
{
    for (size_t i = 0; i < names->n_items; i++) {
        bool is_known = false;
        for (uint32_t k = 0; k < ruleset_count(check->rules) && !is_known; k++)
            is_known = bytes_equal(ruleset_rule(check->rules, k)->id, names->items[i]);
        if (!is_known)
            progress_note(NULL, "strata check: profile %.*s: no rule is called \"%.*s\"",
                          BYTES_ARG(check->profile.name), BYTES_ARG(names->items[i]));
    }
}

static int
make_scorer(const struct request *request, struct check *check, struct err *err)
{
    if (profile_read(request->profile_name, &check->arena, &check->profile, err) < 0)
        return -1;
    if (request->no_rules)
        return scorer_create(&check->profile, NULL, 0, &check->scorer, err);
    if (cli_load_rules(&request->rules, &check->rules, err) < 0)
        return -1;
    note_unknown_rules(check, &check->profile.rules_in);
    note_unknown_rules(check, &check->profile.rules_out);
    uint32_t n_rules = ruleset_count(check->rules);
    struct score_rule *rules = ARENA_ARRAY(&check->arena, n_rules, struct score_rule);
    if (!rules)
        return err_nomem(err, "rules");
    for (uint32_t i = 0; i < n_rules; i++) {
        const struct rule_info *rule = ruleset_rule(check->rules, i);
        rules[i] = (struct score_rule){
            .id = rule->id,
            .severity = bytes_of_text(rule_severity_name(rule->severity)),
            .min_file_count = rule->min_file_count,
            .is_advice = rule->is_advice,
        };
    }
    return scorer_create(&check->profile, rules, n_rules, &check->scorer, err);
}

static bool
any_scoped(const struct ruleset *rules)
{
    for (uint32_t i = 0; rules && i < ruleset_count(rules); i++)
        if (ruleset_rule(rules, i)->is_scoped)
            return true;
    return false;
}

/* Where the file at PATH lies on disk; NULL in a repository, or when memory is out. */
static const char *
disk_path(const struct request *request, struct check *check, struct bytes path)
{
    const char *root = request->paths.n_items == 1 ? request->paths.items[0] : "";
    struct stat info;
    if (request->repository)
        return NULL;
    if (*root && stat(root, &info) == 0 && S_ISDIR(info.st_mode))
        return arena_format(&check->arena, "%s/%.*s", root, BYTES_ARG(path));
    return arena_format(&check->arena, "%.*s", BYTES_ARG(path));
}

/* Hits of rules whose `files` and `ignores` leave a file out do not count. */
static int
drop_outside(const struct request *request, struct check *check, struct err *err)
{
    if (!any_scoped(check->rules))
        return 0;
    for (size_t i = 0; i < check->tree->n_files; i++) {
        struct score_file *file = &check->files[i];
        struct hit *hits = ARENA_ARRAY(&check->arena, file->hits.n_hits, struct hit);
        const char *disk = disk_path(request, check, file->path);
        if (!hits || (!disk && !request->repository))
            return err_nomem(err, "hits");
        if (file->hits.n_hits) /* contents that are alike share theirs */
            memcpy(hits, file->hits.hits, file->hits.n_hits * sizeof(*hits));
        file->hits.hits = hits;
        cli_drop_outside(check->rules, disk ? bytes_of_text(disk) : file->path, disk, hits,
                         &file->hits.n_hits);
    }
    return 0;
}

static int
read_tree(const struct request *request, struct check *check, struct err *err)
{
    struct progress *progress =
        progress_start("checking", "files", request->common.quiet || request->common.json);
    struct miner_tree_options options = {
        .paths = request->paths.items,
        .n_paths = request->paths.n_items,
        .repository = request->repository,
        .revision = bytes_of_text(request->revision ? request->revision : ""),
        .prefix = bytes_of_text(request->prefix ? request->prefix : ""),
        .filter = &check->profile.source,
        .analyzer = {.limits = analyzer_limits_default(), .rules = check->rules},
        .n_jobs = request->common.jobs,
        .progress = progress,
    };
    int result = miner_read_tree(&options, &check->tree, err);
    progress_finish(progress);
    if (result < 0)
        return -1;
    check->files = ARENA_ARRAY(&check->arena, check->tree->n_files, struct score_file);
    if (!check->files)
        return err_nomem(err, "files");
    for (size_t i = 0; i < check->tree->n_files; i++) {
        const struct miner_file *file = &check->tree->files[i];
        check->files[i] = (struct score_file){file->path,
                                              &file->facts,
                                              {.hits = file->hits,
                                               .n_hits = file->n_hits,
                                               .gave_up = file->gave_up,
                                               .n_gave_up = file->n_gave_up}};
    }
    return drop_outside(request, check, err);
}

static int
read_and_score(const struct request *request, struct check *check, struct err *err)
{
    if (make_scorer(request, check, err) < 0 || read_tree(request, check, err) < 0 ||
        score_files(check->scorer, check->files, check->tree->n_files, &check->score, err) < 0)
        return -1;
    check->show_clones = request->show_clones;
    check->show_files = request->show_files;
    /* Who names one file wants to know what is wrong with it. */
    check->show_flags = request->show_flags || (check->tree->n_files == 1 && !request->common.json);
    return check->show_clones || check->show_flags
               ? score_clone_groups(check->scorer, check->files, check->tree->n_files,
                                    &check->arena, &check->groups, &check->n_groups, err)
               : 0;
}

static void
note_defects(const struct check *check)
{
    for (size_t i = 0; i < check->tree->n_defects; i++)
        progress_note(NULL, "strata check: tree '%.*s': %s",
                      BYTES_ARG(check->tree->defects[i].folder), check->tree->defects[i].what);
}

static int
check_tree(const struct request *request)
{
    struct check check = {0};
    struct buf out = {0};
    struct err err;
    arena_init(&check.arena, 0);
    int status;
    if (read_and_score(request, &check, &err) < 0) {
        status = cli_fail(&cli_check, &err);
    } else if (request->verbosity_max < VERBOSITY_ANY && !check.score.has_verbosity) {
        status =
            cli_usage(&cli_check, "--max-verbosity needs rules: verbosity is not known without");
    } else {
        note_defects(&check);
        int written = request->common.json ? check_write_json(&check, &out, &err)
                                           : check_write_text(&check, &out, &err);
        status = written < 0 ? cli_fail(&cli_check, &err) : cli_print(&cli_check, &out);
        bool is_over =
            check.score.erosion > request->erosion_max ||
            (check.score.has_verbosity && check.score.verbosity > request->verbosity_max);
        if (status == CLI_DONE && is_over)
            status = CLI_FINDINGS;
    }
    buf_clear(&out);
    check_clear(&check);
    return status;
}

static int
run(int argc, char **argv)
{
    struct request request = {.common = cli_common_default(),
                              .profile_name = "paper",
                              .erosion_max = 1,
                              .verbosity_max = VERBOSITY_ANY};
    const struct cli_option options[] = {
        CLI_JOBS(request.common),
        CLI_QUIET(request.common),
        CLI_JSON(request.common),
        {.name = "--git", .text = &request.repository},
        {.name = "--rev", .text = &request.revision},
        {.name = "--prefix", .text = &request.prefix},
        {.name = "--profile", .text = &request.profile_name},
        {.name = "--rules", .list = &request.rules},
        {.name = "--no-rules", .flag = &request.no_rules},
        {.name = "--clones", .flag = &request.show_clones},
        {.name = "--files", .flag = &request.show_files},
        {.name = "--flags", .flag = &request.show_flags},
        {.name = "--max-erosion", .real = &request.erosion_max},
        {.name = "--max-verbosity", .real = &request.verbosity_max},
        {.name = NULL},
    };
    int status;
    if (cli_parse(&cli_check, argc, argv, options, &request.paths) < 0)
        status = CLI_USAGE;
    else if (request.repository && request.paths.n_items)
        status = cli_usage(&cli_check, "paths and --git exclude each other");
    else if (request.no_rules && request.rules.n_items)
        status = cli_usage(&cli_check, "--rules and --no-rules exclude each other");
    else if (!request.repository && (request.revision || request.prefix))
        status = cli_usage(&cli_check, "--rev and --prefix go with --git");
    else if (!request.repository && !request.paths.n_items)
        status = cli_usage(&cli_check, "name a file or folder, or a repository with --git");
    else
        status = check_tree(&request);
    cli_list_clear(&request.rules);
    cli_list_clear(&request.paths);
    return status;
}

const struct cli_command cli_check = {
    .name = "check",
    .summary = "score one tree: files, a folder, or a revision of a repository",
    .help =
        "usage: strata check [OPTION...] PATH...\n"
        "       strata check [OPTION...] --git REPO [--rev REV] [--prefix DIR]\n"
        "\n"
        "Scores the Python files below each PATH, or those of one revision read straight from a\n"
        "repository's objects.  The profile says what counts and how.\n"
        "\n"
        "  --git REPO          a repository or bare mirror\n"
        "  --rev REV           commit, branch, tag or HEAD~3 (default HEAD)\n"
        "  --prefix DIR        only this folder, as the root of the scan\n"
        "  --profile NAME      a built-in profile or a profile file (default paper)\n"
        "  --rules FILE|DIR    these ast-grep rules instead of the built-in ones (repeatable)\n"
        "  --no-rules          no rules: verbosity is then not known\n"
        "  --clones            list clone groups with their places\n"
        "  --flags             say what flags each line: rule, clone, wrapper (the default for\n"
        "                      a single file in text)\n"
        "  --files             with --json: the score of each file on its own as well\n"
        "  --max-erosion X     exit 1 when erosion is above X\n"
        "  --max-verbosity X   exit 1 when verbosity is above X\n"
        "  --json              one JSON object instead of text\n"
        "  --jobs N            threads (default: the cores)\n"
        "  --quiet             no progress\n"
        "\n"
        "Exit status: 0; 1 when a --max-... is passed; 2 usage; 3 the input cannot be used.\n",
    .run = run,
};
