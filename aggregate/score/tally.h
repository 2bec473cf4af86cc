/*
 * Tally: what one blob gives to a score, whatever the other files of the checkpoint are.
 *
 * Facts are turned once into numbers that a fold over a checkpoint only has to add.  Clones alone
 * depend on the other files: a tally keeps its candidates, and the line counts that came of
 * them the last time, good as long as the same candidates are clones.
 */
#ifndef STRATA_AGGREGATE_SCORE_TALLY_H
#define STRATA_AGGREGATE_SCORE_TALLY_H

#include "aggregate/score/clone_index.h"
#include "aggregate/stats/compensated.h"
#include "aggregate/score/source_lines.h"
#include "aggregate/score/scorer.h"

struct tally_clone {
    uint32_t group; /* of the clone index it was tallied with */
    struct span lines;
    bool is_clone; /* the group had enough members when the lines were last counted */
};

struct tally {
    enum skip_reason skipped;
    bool lacks_hits;    /* the rules were not run on it: a checkpoint with it has no verbosity */
    bool skipped_parse; /* has errors, and the profile skips these; no number below holds */
    uint32_t source_loc;
    uint32_t physical_loc;
    uint32_t n_functions, n_high_cc, n_high_cog;
    double cc_sum, cc_max;
    struct compensated cc, high_cc, cog, high_cog; /* masses */

    uint32_t n_hits;
    uint32_t n_gave_up;
    uint32_t rule_source_loc;
    uint32_t n_structural;
    uint32_t structural_source_loc;

    struct source_lines sloc;
    struct span *flagged; /* what enters the union apart from clones */
    size_t n_flagged;
    struct tally_clone *clones;
    uint32_t n_clones;

    /* Follow from the clones' is_clone. */
    uint32_t clone_source_loc, clone_physical_loc, flagged_source_loc;
};

/* Measure FACTS and HITS into OUT; its arrays go into ARENA, nothing is borrowed.  ERR_NOMEM. */
int tally_blob(const struct scorer *scorer, const struct facts *facts, const struct hit_list *hits,
               struct clone_index *index, struct arena *arena, struct tally *out, struct err *err);
/* Count the lines again if other candidates are clones than last time.  Needs scratch for all
 * spans: n_flagged + n_clones. */
void tally_follow_clones(const struct scorer *scorer, const struct clone_index *index,
                         struct tally *file, struct span *scratch);

#endif
