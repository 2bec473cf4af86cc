/*
 * The score of one set of files, and the columns that a score is written with.
 *
 * score_files runs the same fold as the walk over a trajectory, for a single checkpoint: every file
 * is tallied, enters the clone index, and is folded.
 */
#include <stdlib.h>

#include "aggregate/score/scoring.h"

static int
tally_all(struct scoring *scoring, const struct score_file *files, size_t n_files,
          struct tally **list, struct err *err)
{
    struct tally *tallies = ARENA_ARRAY(&scoring->arena, n_files, struct tally);
    if (!tallies)
        return err_nomem(err, "files of a checkpoint");
    for (size_t i = 0; i < n_files; i++) {
        if (scoring_tally(scoring, files[i].facts, &files[i].hits, &tallies[i], err) < 0)
            return err_wrap(err, "score %.*s", BYTES_ARG(files[i].path));
        scoring_enter(scoring, &tallies[i]);
        list[i] = &tallies[i];
    }
    return 0;
}

int
score_files(const struct scorer *scorer, const struct score_file *files, size_t n_files,
            struct score *out, struct err *err)
{
    struct scoring scoring;
    scoring_init(&scoring, scorer);
    struct tally **list = ARENA_ARRAY(&scoring.arena, n_files, struct tally *);
    int rc = list ? tally_all(&scoring, files, n_files, list, err)
                  : err_nomem(err, "files of a checkpoint");
    if (rc == 0)
        scoring_fold(&scoring, list, n_files, out);
    scoring_clear(&scoring);
    return rc;
}

/* ---- Columns ------------------------------------------------------------------------------- */

static void
write_skipped_by_reason(const void *row, struct json_writer *json)
{
    const struct score *score = row;
    json_begin_object(json);
    for (int reason = 0; reason < SKIP_N_REASONS; reason++)
        if (score->skipped_by_reason[reason])
            json_member_u64(json, skip_reason_name((enum skip_reason)reason),
                            score->skipped_by_reason[reason]);
    json_end_object(json);
}

static const struct row_presence WITH_CLONES = {offsetof(struct score, has_clones),
                                                "the profile looks for clones"};
static const struct row_presence WITH_RULES = {offsetof(struct score, has_rules),
                                               "the rules were run on every file that counts"};
static const struct row_presence WITH_STRUCTURAL = {offsetof(struct score, has_structural),
                                                    "the profile has a structural rule"};
static const struct row_presence WITH_VERBOSITY = {
    offsetof(struct score, has_verbosity),
    "every part of verbosity that the profile asks for is known"};

#define COLUMN(place, name, unit, description) \
    ROW_COLUMN(struct score, place, name, unit, description)
#define COLUMN_IF(place, name, unit, presence, description) \
    ROW_COLUMN_IF(struct score, place, name, unit, presence, description)

static const struct row_column columns[] = {
    COLUMN(files_walked, "files_walked", "files", "files that the profile takes as source"),
    COLUMN(files_scanned, "files_scanned", "files", "those of them that count"),
    COLUMN(files_skipped_parse, "files_skipped_parse", "files",
           "left out for syntax errors, under a profile that skips these"),
    COLUMN(files_skipped, "files_skipped", "files", "left out because they have no facts"),
    {.name = "skipped_reasons",
     .unit = "files",
     .description = "files without facts, by the reason",
     .member = ROW_MEMBER_FUNCTION,
     .only_in_lines = true,
     .write = write_skipped_by_reason},
    COLUMN(source_loc, "total_loc", "source lines", "size of the files that count"),
    COLUMN(physical_loc, "total_lines", "physical lines", "size of the files that count"),
    COLUMN_IF(clone_source_loc, "clone_loc", "source lines", WITH_CLONES, "lines inside clones"),
    COLUMN_IF(rule_source_loc, "ast_grep_flagged_loc", "source lines", WITH_RULES,
              "lines that hits of rules span"),
    COLUMN_IF(rule_hits, "ast_grep_hits", "hits", WITH_RULES, "hits of rules that count"),
    {.name = "rules_gave_up",
     .unit = "rules",
     .description = "rules whose search of a file was stopped at a limit, over all files",
     ROW_PLACE(struct score, rules_gave_up),
     .presence = &WITH_RULES,
     .flags = ROW_NOT_ZERO,
     .only_in_lines = true},
    {.name = "files_without_hits",
     .unit = "files",
     .description = "files that count and that the rules were not run on",
     ROW_PLACE(struct score, files_without_hits),
     .flags = ROW_NOT_ZERO,
     .only_in_lines = true},
    COLUMN_IF(structural_source_loc, "structural_rule_loc", "source lines", WITH_STRUCTURAL,
              "lines that structural rules flag"),
    COLUMN_IF(structural_findings, "structural_rule_findings", "findings", WITH_STRUCTURAL,
              "callables that structural rules flag"),
    COLUMN_IF(flagged_source_loc, "verbosity_flagged_loc", "source lines", WITH_VERBOSITY,
              "lines flagged by any part of verbosity, each counted once"),
    COLUMN_IF(verbosity, "verbosity", "share", WITH_VERBOSITY,
              "verbosity as the profile defines it"),
    COLUMN(total_functions, "total_functions", "callables", "functions and methods that count"),
    COLUMN(high_cc_functions, "high_cc_functions", "callables",
           "those of high cyclomatic complexity"),
    COLUMN(high_cog_functions, "high_cog_functions", "callables",
           "those of high cognitive complexity"),
    COLUMN(cc_max, "cc_max", "",
           "largest cyclomatic complexity of a callable; 0 without callables"),
    COLUMN(cc_mean, "cc_mean", "", "mean cyclomatic complexity; 0 without callables"),
    COLUMN(total_mass, "total_mass", "mass",
           "cyclomatic complexity times the profile's size term, summed over the callables"),
    COLUMN(high_cc_mass, "high_cc_mass", "mass",
           "the part of it in callables of high cyclomatic complexity"),
    COLUMN(erosion, "erosion", "share", "high_cc_mass over total_mass; 0 without mass"),
    COLUMN(total_cog_mass, "total_cog_mass", "mass",
           "cognitive complexity times the size term, summed over the callables"),
    COLUMN(high_cog_mass, "high_cog_mass", "mass",
           "the part of it in callables of high cognitive complexity"),
    COLUMN(cog_erosion, "cog_erosion", "share",
           "high_cog_mass over total_cog_mass; 0 without mass"),
    COLUMN_IF(statement_source_loc, "statement_flagged_loc", "source lines", WITH_RULES,
              "lines that hits of rules span which are not whole functions"),
    COLUMN_IF(function_source_loc, "function_flagged_loc", "source lines", WITH_RULES,
              "lines that hits of rules span which are whole functions"),
    COLUMN_IF(clone_share, "clone_share", "share", WITH_CLONES,
              "clone_loc over the source lines: the clones' part of verbosity, alone"),
    COLUMN_IF(statement_share, "statement_share", "share", WITH_RULES,
              "statement_flagged_loc over the source lines"),
    COLUMN_IF(function_share, "function_share", "share", WITH_RULES,
              "function_flagged_loc over the source lines"),
    COLUMN_IF(structural_share, "structural_share", "share", WITH_STRUCTURAL,
              "structural_rule_loc over the source lines"),
};

const struct row_kind score_row_kind =
    ROW_KIND("score", "What a profile makes of the files of a checkpoint.", columns);

void
score_write_members(const struct score *score, struct json_writer *json)
{
    row_write_members(&score_row_kind, score, json);
}
