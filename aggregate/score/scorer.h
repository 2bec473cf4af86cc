/*
 * Scorer: a profile resolved against counters and rules.
 */
#ifndef STRATA_AGGREGATE_SCORE_SCORER_H
#define STRATA_AGGREGATE_SCORE_SCORER_H

#include "aggregate/score.h"

struct scorer {
    const struct profile *profile;
    struct {
        enum counter counter;
        double weight;
    } weights[COUNT_N]; /* of cc, other than 0, by counter */
    size_t n_weights;
    bool is_whole; /* all weights, and the base, are whole numbers; then these are they: */
    uint32_t whole[COUNT_N], whole_base;
    enum fstring_tokens fstring;                   /* which counting of source lines */
    bool has_rules;                                /* rules were run */
    bool has_clones;                               /* the profile looks for clones */
    enum clone_definition clones;                  /* when has_clones */
    uint32_t clone_min_sloc, clone_min_statements; /* 0 where that definition does not ask for it */
    size_t n_rules;
    bool *rule_taken;        /* by rule: do its hits count? */
    uint32_t *rule_min_hits; /* by rule: in one file, at least 1 */
};

/* The profile's size term of CALLABLE, by which its complexity makes its mass; 0 when it has no
 * source line. */
double scorer_size(const struct scorer *scorer, const struct callable *callable);
/* The hits of one rule in LIST are a run; where the run that begins at FROM ends, and whether its
 * hits COUNT. */
uint32_t scorer_rule_run(const struct scorer *scorer, const struct hit_list *list, uint32_t from,
                         bool *count);
/* Is CALLABLE one the trivial-wrapper rule flags, under a profile that has this rule? */
bool scorer_takes_wrapper(const struct scorer *scorer, const struct callable *callable);
/* Can this candidate be a clone under the profile, if it has others like it? */
bool scorer_takes_candidate(const struct scorer *scorer, const struct clone_candidate *candidate);

#endif
