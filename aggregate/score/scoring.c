/*
 * Folding tallies into scores.
 *
 * Counts are added; masses are compensated sums, added in order of paths, so that the score of a
 * checkpoint does not depend on how the trajectory got there.  Only clones look at other files:
 * when a file enters or leaves, the members of its clone groups are counted, and a fold counts
 * lines again only in files where a candidate has become a clone or is no longer one.
 */
#include "aggregate/score/scoring.h"

#include <assert.h>
#include <stdlib.h>

void
scoring_init(struct scoring *scoring, const struct scorer *scorer)
{
    *scoring = (struct scoring){.scorer = scorer};
    arena_init(&scoring->arena, 0);
}

void
scoring_clear(struct scoring *scoring)
{
    clone_index_clear(&scoring->clones);
    arena_clear(&scoring->arena);
    free(scoring->scratch);
    *scoring = (struct scoring){0};
}

void
scoring_reset(struct scoring *scoring)
{
    clone_index_reset(&scoring->clones);
    arena_reset(&scoring->arena);
}

int
scoring_tally(struct scoring *scoring, const struct facts *facts, const struct hit_list *hits,
              struct tally *out, struct err *err)
{
    if (tally_blob(scoring->scorer, facts, hits, &scoring->clones, &scoring->arena, out, err) < 0)
        return -1;
    size_t n = out->n_flagged + out->n_clones;
    if (n > scoring->n_scratch) {
        struct span *scratch = reallocarray(scoring->scratch, n * 2, sizeof(*scratch));
        if (!scratch)
            return err_nomem(err, "spans of a file");
        scoring->scratch = scratch;
        scoring->n_scratch = n * 2;
    }
    return 0;
}

void
scoring_enter(struct scoring *scoring, const struct tally *file)
{
    for (uint32_t i = 0; i < file->n_clones; i++)
        scoring->clones.members[file->clones[i].group]++;
}

void
scoring_leave(struct scoring *scoring, const struct tally *file)
{
    for (uint32_t i = 0; i < file->n_clones; i++) {
        assert(scoring->clones.members[file->clones[i].group] > 0);
        scoring->clones.members[file->clones[i].group]--;
    }
}

static void
add_counts(struct score *out, const struct tally *file)
{
    out->files_scanned++;
    out->source_loc += file->source_loc;
    out->physical_loc += file->physical_loc;
    out->total_functions += file->n_functions;
    out->high_cc_functions += file->n_high_cc;
    out->high_cog_functions += file->n_high_cog;
    out->cc_sum += file->cc_sum;
    if (file->cc_max > out->cc_max)
        out->cc_max = file->cc_max;
    out->clone_source_loc += file->clone_source_loc;
    out->clone_physical_loc += file->clone_physical_loc;
    out->rule_source_loc += file->rule_source_loc;
    out->statement_source_loc += file->statement_source_loc;
    out->function_source_loc += file->function_source_loc;
    out->rule_hits += file->n_hits;
    out->rules_gave_up += file->n_gave_up;
    out->files_without_hits += file->lacks_hits;
    out->structural_source_loc += file->structural_source_loc;
    out->structural_findings += file->n_structural;
    out->flagged_source_loc += file->flagged_source_loc;
}

/* PART / WHOLE; 0 if WHOLE is 0. */
static double
share(double part, double whole)
{
    return whole == 0 ? 0 : part / whole;
}

/* Set which parts of the score there are, and the shares. */
static void
finish(const struct scorer *scorer, struct score *out)
{
    const struct profile *profile = scorer->profile;
    out->has_clones = scorer->has_clones;
    out->has_rules = scorer->has_rules && !scorer->lacking && out->files_without_hits == 0;
    out->has_structural = profile->trivial_wrapper;
    out->has_verbosity = (out->has_rules || !profile->part_rules) &&
                         (out->has_clones || !profile->part_clones) &&
                         (out->has_structural || !profile->part_structural);
    out->clone_share = share((double)out->clone_source_loc, (double)out->source_loc);
    out->statement_share = share((double)out->statement_source_loc, (double)out->source_loc);
    out->function_share = share((double)out->function_source_loc, (double)out->source_loc);
    out->structural_share = share((double)out->structural_source_loc, (double)out->source_loc);
    out->cc_mean = share(out->cc_sum, (double)out->total_functions);
    out->erosion = share(out->high_cc_mass, out->total_mass);
    out->cog_erosion = share(out->high_cog_mass, out->total_cog_mass);
    if (profile->verbosity == VERBOSITY_UNION)
        out->verbosity = share((double)out->flagged_source_loc, (double)out->source_loc);
    else
        out->verbosity = share((double)out->clone_physical_loc, (double)out->physical_loc) +
                         share((double)out->rule_hits, (double)out->physical_loc);
}

void
scoring_fold(struct scoring *scoring, struct tally *const *files, size_t n_files, struct score *out)
{
    struct compensated cc = {0}, high_cc = {0}, cog = {0}, high_cog = {0};
    *out = (struct score){.files_walked = n_files};
    for (size_t i = 0; i < n_files; i++) {
        struct tally *file = files[i];
        if (file->skipped != SKIP_NONE) {
            out->skipped_by_reason[file->skipped]++;
            out->files_skipped++;
            continue;
        }
        if (file->skipped_parse) {
            out->files_skipped_parse++;
            continue;
        }
        tally_follow_clones(scoring->scorer, &scoring->clones, file, scoring->scratch);
        add_counts(out, file);
        compensated_join(&cc, &file->cc);
        compensated_join(&high_cc, &file->high_cc);
        compensated_join(&cog, &file->cog);
        compensated_join(&high_cog, &file->high_cog);
    }
    out->total_mass = compensated_value(&cc);
    out->high_cc_mass = compensated_value(&high_cc);
    out->total_cog_mass = compensated_value(&cog);
    out->high_cog_mass = compensated_value(&high_cog);
    finish(scoring->scorer, out);
}
