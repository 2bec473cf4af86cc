/* strata check: score one tree, from disk or from a repository. */
#include <stdio.h>
#include <stdlib.h>

#include "aggregate/aggregate.h"
#include "cli/cli.h"
#include "manifests/manifests.h"
#include "miner/miner.h"

extern const struct cli_command cli_check;

struct request {
    struct cli_common common;
    const char *repository;
    const char *revision;
    const char *prefix;
    const char *profile_name;
    bool list_clones;
    bool list_files;
    double erosion_max;
    double verbosity_max;
    struct cli_list paths;
};

/* What was read, and what the profile makes of it. */
struct outcome {
    struct profile profile;
    struct scorer *scorer;
    struct miner_tree *tree;
    struct score_file *files;
    struct score score;
    struct clone_group *groups;
    size_t n_groups;
    struct arena arena;
};

static void
outcome_clear(struct outcome *o)
{
    scorer_destroy(o->scorer);
    miner_tree_destroy(o->tree);
    arena_clear(&o->arena);
}

static int
read_and_score(const struct request *request, struct outcome *o, struct err *err)
{
    if (profile_read(request->profile_name, &o->arena, &o->profile, err) < 0 ||
        scorer_create(&o->profile, NULL, 0, &o->scorer, err) < 0)
        return -1;
    struct progress *progress =
        progress_start("checking", "files", request->common.quiet || request->common.json);
    struct miner_tree_options options = {
        .paths = request->paths.items,
        .n_paths = request->paths.n_items,
        .repository = request->repository,
        .revision = bytes_of_text(request->revision ? request->revision : ""),
        .prefix = bytes_of_text(request->prefix ? request->prefix : ""),
        .filter = &o->profile.source,
        .analyzer = {.limits = analyzer_limits_default()},
        .n_jobs = request->common.jobs,
        .progress = progress,
    };
    int result = miner_read_tree(&options, &o->tree, err);
    progress_finish(progress);
    if (result < 0)
        return -1;

    o->files = ARENA_ARRAY(&o->arena, o->tree->n_files, struct score_file);
    if (!o->files)
        return err_nomem(err, "files");
    for (size_t i = 0; i < o->tree->n_files; i++) {
        const struct miner_file *file = &o->tree->files[i];
        o->files[i] = (struct score_file){file->path, &file->facts, file->hits, file->n_hits};
    }
    if (score_files(o->scorer, o->files, o->tree->n_files, &o->score, err) < 0)
        return -1;
    return request->list_clones ? score_clone_groups(o->scorer, o->files, o->tree->n_files,
                                                     &o->arena, &o->groups, &o->n_groups, err)
                                : 0;
}

/* Why the file does not count, or NULL when it does. */
static const char *
reason_of(const struct outcome *o, const struct miner_file *file)
{
    if (file->problem)
        return file->problem;
    if (file->facts.skipped != SKIP_NONE)
        return skip_reason_name(file->facts.skipped);
    return scorer_takes_file(o->scorer, &file->facts) ? NULL : "syntax error";
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void
write_skipped(const struct outcome *o, struct json_writer *json)
{
    json_key(json, "skipped");
    json_begin_array(json);
    for (size_t i = 0; i < o->tree->n_files; i++) {
        const char *reason = reason_of(o, &o->tree->files[i]);
        if (!reason)
            continue;
        json_begin_object(json);
        json_member_bytes(json, "path", o->tree->files[i].path);
        json_member_text(json, "reason", reason);
        json_end_object(json);
    }
    json_end_array(json);
}

static int
write_files(const struct outcome *o, struct json_writer *json, struct err *err)
{
    json_key(json, "files");
    json_begin_array(json);
    for (size_t i = 0; i < o->tree->n_files; i++) {
        struct score score;
        if (reason_of(o, &o->tree->files[i]))
            continue;
        if (score_files(o->scorer, &o->files[i], 1, &score, err) < 0)
            return -1;
        json_begin_object(json);
        json_member_bytes(json, "path", o->files[i].path);
        score_write_members(&score, json);
        json_end_object(json);
    }
    json_end_array(json);
    return 0;
}

static void
write_clones(const struct outcome *o, struct json_writer *json)
{
    json_key(json, "clones");
    json_begin_array(json);
    for (size_t i = 0; i < o->n_groups; i++) {
        json_begin_array(json);
        for (size_t k = 0; k < o->groups[i].n_places; k++) {
            const struct clone_place *place = &o->groups[i].places[k];
            json_begin_object(json);
            json_member_bytes(json, "path", o->files[place->file].path);
            json_member_text(json, "kind", clone_kind_name(place->kind));
            json_member_u64(json, "start_line", place->start_line);
            json_member_u64(json, "end_line", place->end_line);
            json_end_object(json);
        }
        json_end_array(json);
    }
    json_end_array(json);
}

static int
print_json(const struct request *request, const struct outcome *o, struct buf *out,
           struct err *err)
{
    struct json_writer json = json_writer_init(out, 2);
    char hex[OID_HEX_SIZE];
    json_begin_object(&json);
    json_member_bytes(&json, "profile", o->profile.name);
    json_member_text(&json, "commit",
                     o->tree->commit.len ? oid_to_hex(&o->tree->commit, hex) : NULL);
    score_write_members(&o->score, &json);
    write_skipped(o, &json);
    if (request->list_clones)
        write_clones(o, &json);
    int result = request->list_files ? write_files(o, &json, err) : 0;
    json_end_object(&json);
    buf_append_byte(out, '\n');
    return result;
}

/* ---- Text ----------------------------------------------------------------------------------- */

static void
print_text(const struct request *request, const struct outcome *o, struct buf *out)
{
    const struct score *s = &o->score;
    buf_printf(out, "files       %llu scanned, %llu left out\n", (unsigned long long)s->files_scanned,
               (unsigned long long)(s->files_walked - s->files_scanned));
    buf_printf(out, "lines       %llu source lines\n", (unsigned long long)s->total_loc);
    buf_printf(out, "functions   %llu, %llu with high complexity, %llu with high cognitive complexity\n",
               (unsigned long long)s->total_functions, (unsigned long long)s->high_cc_functions,
               (unsigned long long)s->high_cog_functions);
    buf_printf(out, "erosion     %.4f  (mass %.1f of %.1f)\n", s->erosion, s->high_cc_mass,
               s->total_mass);
    buf_printf(out, "cognitive   %.4f  (mass %.1f of %.1f)\n", s->cog_erosion, s->high_cog_mass,
               s->total_cog_mass);
    if (s->has_clones)
        buf_printf(out, "clones      %llu source lines\n", (unsigned long long)s->clone_loc);
    if (s->has_rules)
        buf_printf(out, "rules       %llu source lines\n",
                   (unsigned long long)s->ast_grep_flagged_loc);
    if (s->has_verbosity)
        buf_printf(out, "verbosity   %.4f  (%llu lines)\n", s->verbosity,
                   (unsigned long long)s->verbosity_flagged_loc);
    for (size_t i = 0; i < o->tree->n_files; i++) {
        const char *reason = reason_of(o, &o->tree->files[i]);
        if (reason)
            buf_printf(out, "left out    %.*s: %s\n", BYTES_ARG(o->tree->files[i].path), reason);
    }
    if (!request->list_clones)
        return;
    for (size_t i = 0; i < o->n_groups; i++) {
        buf_printf(out, "clone group %zu\n", i + 1);
        for (size_t k = 0; k < o->groups[i].n_places; k++) {
            const struct clone_place *place = &o->groups[i].places[k];
            buf_printf(out, "  %.*s:%u-%u %s\n", BYTES_ARG(o->files[place->file].path),
                       place->start_line, place->end_line, clone_kind_name(place->kind));
        }
    }
}

/* ---- The command ---------------------------------------------------------------------------- */

static void
note_defects(const struct outcome *o)
{
    for (size_t i = 0; i < o->tree->n_defects; i++)
        progress_note(NULL, "strata check: tree '%.*s': %s",
                      BYTES_ARG(o->tree->defects[i].folder), o->tree->defects[i].what);
}

static int
check(const struct request *request)
{
    struct outcome o = {0};
    struct buf out = {0};
    struct err err;
    arena_init(&o.arena, 0);
    int status;
    if (read_and_score(request, &o, &err) < 0) {
        status = cli_fail(&cli_check, &err);
    } else {
        note_defects(&o);
        int written = 0;
        if (request->common.json)
            written = print_json(request, &o, &out, &err);
        else
            print_text(request, &o, &out);
        status = written < 0 ? cli_fail(&cli_check, &err) : cli_print(&cli_check, &out);
        bool is_over = o.score.erosion > request->erosion_max ||
                       (o.score.has_verbosity && o.score.verbosity > request->verbosity_max);
        if (status == CLI_DONE && is_over)
            status = CLI_FINDINGS;
    }
    buf_clear(&out);
    outcome_clear(&o);
    return status;
}

static int
run(int argc, char **argv)
{
    struct request request = {.common = cli_common_default(),
                              .profile_name = "paper",
                              .erosion_max = 1,
                              .verbosity_max = 1e9};
    const struct cli_option options[] = {
        CLI_JOBS(request.common),
        CLI_QUIET(request.common),
        CLI_JSON(request.common),
        {.name = "--git", .text = &request.repository},
        {.name = "--rev", .text = &request.revision},
        {.name = "--prefix", .text = &request.prefix},
        {.name = "--profile", .text = &request.profile_name},
        {.name = "--clones", .flag = &request.list_clones},
        {.name = "--files", .flag = &request.list_files},
        {.name = "--max-erosion", .real = &request.erosion_max},
        {.name = "--max-verbosity", .real = &request.verbosity_max},
        {.name = NULL},
    };
    int status;
    if (cli_parse(&cli_check, argc, argv, options, &request.paths) < 0)
        status = CLI_USAGE;
    else if (request.repository && request.paths.n_items)
        status = cli_usage(&cli_check, "paths and --git exclude each other");
    else if (!request.repository && (request.revision || request.prefix))
        status = cli_usage(&cli_check, "--rev and --prefix go with --git");
    else if (!request.repository && !request.paths.n_items)
        status = cli_usage(&cli_check, "name a file or folder, or a repository with --git");
    else
        status = check(&request);
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
        "  --clones            list clone groups with their places\n"
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
