/*
 * Tally: what one blob adds to a score.
 *
 * Facts are turned once into numbers that the fold over a checkpoint only has to add.  Only clones
 * depend on the other files of the checkpoint: a tally keeps its candidates and the line counts of
 * the last time, which are valid as long as the same candidates are clones.
 */
#ifndef STRATA_AGGREGATE_SCORE_TALLY_H
#define STRATA_AGGREGATE_SCORE_TALLY_H

#include "aggregate/score/clone_index.h"
#include "aggregate/stats/compensated.h"
#include "aggregate/score/source_lines.h"
#include "aggregate/score/scorer.h"

struct tally_clone {
    uint32_t group; /* of the clone index that the blob was tallied with */
    struct span lines;
    bool is_clone; /* the group had enough members when the lines were last counted */
};

struct tally {
    enum skip_reason skipped;
    bool lacks_hits;    /* the rules were not run on it; set by the caller */
    bool skipped_parse; /* it has syntax errors and the profile skips these: nothing below holds */
    uint32_t source_loc;
    uint32_t physical_loc;
    uint32_t n_functions, n_high_cc, n_high_cog;
    double cc_sum, cc_max;
    struct compensated cc, high_cc, cog, high_cog; /* sums of masses */

    uint32_t n_hits;    /* that count */
    uint32_t n_gave_up; /* rules that count and whose hits are not known */
    uint32_t rule_source_loc, statement_source_loc, function_source_loc;
    uint32_t n_structural;
    uint32_t structural_source_loc;

    struct source_lines sloc;
    struct span *flagged; /* what flags lines apart from clones */
    size_t n_flagged;
    struct tally_clone *clones;
    uint32_t n_clones;

    /* Valid for the current is_clone of all clones. */
    uint32_t clone_source_loc, clone_physical_loc, flagged_source_loc;
};

/*
 * Tally FACTS and HITS into OUT, whose arrays are in ARENA; FACTS and HITS are not borrowed.  Clone
 * candidates get their groups from INDEX.  0, or -1 with ERR_NOMEM.
 */
int tally_blob(const struct scorer *scorer, const struct facts *facts, const struct hit_list *hits,
               struct clone_index *index, struct arena *arena, struct tally *out, struct err *err);
/* Find out which candidates of FILE are clones now, and count its lines again if that changed.
 * SCRATCH has space for n_flagged + n_clones spans. */
void tally_follow_clones(const struct scorer *scorer, const struct clone_index *index,
                         struct tally *file, struct span *scratch);

#endif
