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
    int outcome = list ? tally_all(&scoring, files, n_files, list, err)
                       : err_nomem(err, "files of a checkpoint");
    if (outcome == 0)
        scoring_fold(&scoring, list, n_files, out);
    scoring_clear(&scoring);
    return outcome;
}

double
score_cc_mean(const struct score *score)
{
    return score->total_functions ? score->cc_sum / (double)score->total_functions : 0;
}

uint64_t
score_files_skipped(const struct score *score)
{
    uint64_t n = 0;
    for (int reason = 0; reason < SKIP_N_REASONS; reason++)
        n += score->files_skipped[reason];
    return n;
}

static void
write_skipped(const struct score *score, struct json_writer *json)
{
    json_member_u64(json, "files_skipped", score_files_skipped(score));
    json_key(json, "skipped_reasons");
    json_begin_object(json);
    for (int reason = 0; reason < SKIP_N_REASONS; reason++)
        if (score->files_skipped[reason])
            json_member_u64(json, skip_reason_name((enum skip_reason)reason),
                            score->files_skipped[reason]);
    json_end_object(json);
}

static void
write_verbosity(const struct score *score, struct json_writer *json)
{
    if (score->has_clones)
        json_member_u64(json, "clone_loc", score->clone_source_loc);
    if (score->has_rules) {
        json_member_u64(json, "ast_grep_flagged_loc", score->rule_source_loc);
        json_member_u64(json, "ast_grep_hits", score->rule_hits);
        if (score->rules_gave_up)
            json_member_u64(json, "rules_gave_up", score->rules_gave_up);
    }
    if (score->files_without_hits)
        json_member_u64(json, "files_without_hits", score->files_without_hits);
    if (score->has_structural) {
        json_member_u64(json, "structural_rule_loc", score->structural_source_loc);
        json_member_u64(json, "structural_rule_findings", score->structural_findings);
    }
    if (score->has_verbosity) {
        json_member_u64(json, "verbosity_flagged_loc", score->flagged_source_loc);
        json_member_double(json, "verbosity", score->verbosity);
    }
}

void
score_write_members(const struct score *score, struct json_writer *json)
{
    json_member_u64(json, "files_walked", score->files_walked);
    json_member_u64(json, "files_scanned", score->files_scanned);
    json_member_u64(json, "files_skipped_parse", score->files_skipped_parse);
    write_skipped(score, json);
    json_member_u64(json, "total_loc", score->source_loc);
    json_member_u64(json, "total_lines", score->physical_loc);
    write_verbosity(score, json);
    json_member_u64(json, "total_functions", score->total_functions);
    json_member_u64(json, "high_cc_functions", score->high_cc_functions);
    json_member_u64(json, "high_cog_functions", score->high_cog_functions);
    json_member_double(json, "cc_max", score->cc_max);
    json_member_double(json, "cc_mean", score_cc_mean(score));
    json_member_double(json, "total_mass", score->total_mass);
    json_member_double(json, "high_cc_mass", score->high_cc_mass);
    json_member_double(json, "erosion", score->erosion);
    json_member_double(json, "total_cog_mass", score->total_cog_mass);
    json_member_double(json, "high_cog_mass", score->high_cog_mass);
    json_member_double(json, "cog_erosion", score->cog_erosion);
}
