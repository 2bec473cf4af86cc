/*
 * Scoring: the scores of the checkpoints of one trajectory, one after the other, from tallies.
 *
 * The caller tallies each blob once, lets files enter and leave as the listing changes, and folds
 * the files of each checkpoint.  A blob at two paths enters twice.
 *
 * Threads: a struct scoring is used by one thread.
 */
#ifndef STRATA_AGGREGATE_SCORE_SCORING_H
#define STRATA_AGGREGATE_SCORE_SCORING_H

#include "aggregate/score/tally.h"

struct scoring {
    const struct scorer *scorer;
    struct clone_index clones;
    struct arena arena;   /* tallies and what belongs to them */
    struct span *scratch; /* for the spans of one file */
    size_t n_scratch;
};

/* Make SCORING empty, for SCORER, which is borrowed until scoring_clear. */
void scoring_init(struct scoring *scoring, const struct scorer *scorer);
/* Free the memory of SCORING and of its tallies. */
void scoring_clear(struct scoring *scoring);
/* Forget all tallies, for the next trajectory; the memory is kept. */
void scoring_reset(struct scoring *scoring);

/* Tally a blob into OUT, whose arrays live until scoring_reset.  FACTS and HITS are not borrowed.
 * 0, or -1 with ERR_NOMEM. */
int scoring_tally(struct scoring *scoring, const struct facts *facts, const struct hit_list *hits,
                  struct tally *out, struct err *err);
/* A file with this tally is now in the checkpoint. */
void scoring_enter(struct scoring *scoring, const struct tally *file);
/* A file that entered is no longer in the checkpoint. */
void scoring_leave(struct scoring *scoring, const struct tally *file);
/* The score of the checkpoint whose N_FILES files are FILES, in order of paths: exactly those that
 * have entered and not left. */
void scoring_fold(struct scoring *scoring, struct tally *const *files, size_t n_files,
                  struct score *out);

#endif
