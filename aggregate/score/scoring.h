/*
 * Scoring: the checkpoints of one trajectory one after the other, from tallies of blobs.
 *
 * A caller measures each blob once (into scoring.arena), lets files enter and leave as the listing
 * changes, and folds the files of each checkpoint.  A blob that sits at two paths enters twice.
 */
#ifndef STRATA_AGGREGATE_SCORE_SCORING_H
#define STRATA_AGGREGATE_SCORE_SCORING_H

#include "aggregate/score/tally.h"

struct scoring {
    const struct scorer *scorer;
    struct clone_index clones;
    struct arena arena;   /* tallies and what belongs to them */
    struct span *scratch; /* room for the spans of one file */
    size_t n_scratch;
};

void scoring_init(struct scoring *scoring, const struct scorer *scorer);
void scoring_clear(struct scoring *scoring);
/* Forget all blobs: for the next trajectory. */
void scoring_reset(struct scoring *scoring);

int scoring_tally(struct scoring *scoring, const struct facts *facts, const struct hit_list *hits,
                  struct tally *out, struct err *err);
void scoring_enter(struct scoring *scoring, const struct tally *file);
void scoring_leave(struct scoring *scoring, const struct tally *file);
/* The score of a checkpoint of exactly FILES, all of which have entered, in order of paths. */
void scoring_fold(struct scoring *scoring, struct tally *const *files, size_t n_files,
                  struct score *out);

#endif
