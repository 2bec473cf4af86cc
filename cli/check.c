/*
 * strata check: score one tree, from disk or from a repository.
 *
 * The profile and the rules give a scorer, the miner reads and analyses the files, and the scorer
 * makes one score of them all.  check_text.c and check_json.c print it.
 */
#include "cli/check.h"

#include <math.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "cli/rules.h"
#include "cli/tree_args.h"

struct request {
    struct cli_common common;
    struct tree_args tree;
    struct rules_args rules;
    const char *profile_name;
    bool show_clones;
    bool show_files;
    bool show_flags;
    double erosion_max; /* infinite: not checked */
    double verbosity_max;
    const struct cli_list *paths;
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

/* A name in a profile that no rule has is probably misspelt: report it. */
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

/* Report a selection that the profile counts and the rules given have nothing of. */
static void
note_lacking(const struct check *check)
{
    const char *lacking = scorer_lacks_selection(check->scorer);
    if (lacking && check->profile.part_rules)
        progress_note(NULL,
                      "strata check: profile %.*s counts %s rules, and there are none among those "
                      "given: verbosity is not known",
                      BYTES_ARG(check->profile.name), lacking);
}

static int
make_scorer(const struct request *request, struct check *check, struct err *err)
{
    if (profile_read(request->profile_name, &check->arena, &check->profile, err) < 0)
        return -1;
    if (!check->rules)
        return scorer_create(&check->profile, NULL, 0, &check->scorer, err);
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
            .selection = rule->selection,
            .is_of_function = rule->is_of_function,
        };
    }
    if (scorer_create(&check->profile, rules, n_rules, &check->scorer, err) < 0)
        return -1;
    note_lacking(check);
    return 0;
}

static bool
any_scoped(const struct ruleset *rules)
{
    for (uint32_t i = 0; rules && i < ruleset_count(rules); i++)
        if (ruleset_rule(rules, i)->is_scoped)
            return true;
    return false;
}

/* The path on disk of the file called PATH; NULL in a repository, or when memory is out. */
static const char *
disk_path(const struct request *request, struct check *check, struct bytes path)
{
    const char *root = request->paths->n_items == 1 ? request->paths->items[0] : "";
    struct stat info;
    if (request->tree.repository)
        return NULL;
    if (*root && stat(root, &info) == 0 && S_ISDIR(info.st_mode))
        return arena_format(&check->arena, "%s/%.*s", root, BYTES_ARG(path));
    return arena_format(&check->arena, "%.*s", BYTES_ARG(path));
}

/* Drop the hits of rules whose `files` and `ignores` leave a file out. */
static int
drop_outside(const struct request *request, struct check *check, struct err *err)
{
    if (!any_scoped(check->rules))
        return 0;
    for (size_t i = 0; i < check->tree->n_files; i++) {
        struct score_file *file = &check->files[i];
        struct hit *hits = ARENA_ARRAY(&check->arena, file->hits.n_hits, struct hit);
        const char *disk = disk_path(request, check, file->path);
        if (!hits || (!disk && !request->tree.repository))
            return err_nomem(err, "hits");
        if (file->hits.n_hits) /* files with the same content share theirs */
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
        .paths = request->paths->items,
        .n_paths = request->paths->n_items,
        .repository = request->tree.repository,
        .revision = tree_args_revision(&request->tree),
        .prefix = tree_args_prefix(&request->tree),
        .filter = &check->profile.source,
        .analyzer = {.limits = analyzer_limits_default(), .rules = check->rules},
        .n_jobs = request->common.jobs,
        .progress = progress,
    };
    int rc = miner_read_tree(&options, &check->tree, err);
    progress_finish(progress);
    if (rc < 0)
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
    /* For a single file, what is wrong with it is most of the answer. */
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

static bool
is_over(const struct request *request, const struct score *score)
{
    return score->erosion > request->erosion_max ||
           (score->has_verbosity && score->verbosity > request->verbosity_max);
}

/* Files that could not be read are in no figure, so the figures are not those of the tree. */
static bool
lacks_files(const struct score *score)
{
    uint64_t n = score->skipped_by_reason[SKIP_UNREADABLE];
    if (n > 0)
        progress_note(NULL, "strata check: %llu files could not be read and are in no figure",
                      (unsigned long long)n);
    return n > 0;
}

static int
print_check(const struct request *request, struct check *check)
{
    struct buf out = {0};
    struct err err;
    note_defects(check);
    int rc = request->common.json ? check_write_json(check, &out, &err)
                                  : check_write_text(check, &out, &err);
    int status = rc < 0 ? cli_fail(&cli_check, &err) : cli_print(&cli_check, &out);
    buf_clear(&out);
    bool has_findings = lacks_files(&check->score) | is_over(request, &check->score);
    return status == CLI_DONE && has_findings ? CLI_FINDINGS : status;
}

static int
run(void *self, const struct cli_list *arguments)
{
    struct request *request = self;
    struct check check = {0};
    struct err err;
    request->paths = arguments;
    int status = tree_args_check(&cli_check, &request->tree, arguments->n_items);
    if (status == CLI_DONE)
        status = rules_args_load(&cli_check, &request->rules, &check.rules);
    if (status != CLI_DONE)
        return status;
    arena_init(&check.arena, 0);
    if (read_and_score(request, &check, &err) < 0)
        status = cli_fail(&cli_check, &err);
    else if (isfinite(request->verbosity_max) && !check.score.has_verbosity)
        status = cli_usage(&cli_check, "--max-verbosity needs the rules that the profile counts: "
                                       "without them verbosity is not known");
    else
        status = print_check(request, &check);
    check_clear(&check);
    return status;
}

static void
set_defaults(void *self)
{
    struct request *request = self;
    request->profile_name = "strict";
    request->erosion_max = INFINITY;
    request->verbosity_max = INFINITY;
}

static const struct cli_option options[] = {
    TREE_ARGS_OPTIONS(struct request, tree),
    {.name = "--profile",
     .value = "NAME",
     .help = "a built-in profile or a profile file",
     CLI_TEXT(struct request, profile_name)},
    RULES_ARGS_OPTIONS(struct request, rules),
    {.name = "--clones",
     .help = "list clone groups with their places",
     CLI_FLAG(struct request, show_clones)},
    {.name = "--flags",
     .help =
         "say what flags each line: a rule, a clone or a trivial wrapper (always for a single "
         "file in text); with --json hits of rules that do not count under the profile as well, "
         "and of each entry whether it counts",
     CLI_FLAG(struct request, show_flags)},
    {.name = "--files",
     .help = "with --json: the score of each file as well",
     CLI_FLAG(struct request, show_files)},
    {.name = "--max-erosion",
     .value = "X",
     .help = "exit with status 1 when erosion is above X",
     CLI_REAL(struct request, erosion_max)},
    {.name = "--max-verbosity",
     .value = "X",
     .help = "exit with status 1 when verbosity is above X",
     CLI_REAL(struct request, verbosity_max)},
    CLI_JSON(struct request, common, "one JSON object instead of text"),
    CLI_JOBS(struct request, common),
    CLI_QUIET(struct request, common),
    CLI_END,
};

const struct cli_command cli_check = {
    .name = "check",
    .summary = "score one tree: files, a folder, or a revision of a repository",
    .usage = "[OPTION...] PATH...\n"
             "[OPTION...] --git REPO [--rev REV] [--prefix DIR]",
    .about = "Scores the Python files below each PATH, or those of one revision, which are read "
             "from the objects of a repository. The profile says what counts and how. Without "
             "rules verbosity is not known. The default, strict, counts places that a careful "
             "reviewer would change; with --profile paper verbosity is what published numbers "
             "are.",
    .options = options,
    .statuses = "0; 1 when a --max option is exceeded; 2 usage; 3 the input cannot be used.",
    .request_size = sizeof(struct request),
    .set_defaults = set_defaults,
    .n_arguments_max = CLI_ANY_NUMBER,
    .run = run,
};
