/*
 * Scorer: a profile, resolved against counters and rules so that scoring looks nothing up by name.
 */
#ifndef STRATA_AGGREGATE_SCORE_SCORER_H
#define STRATA_AGGREGATE_SCORE_SCORER_H

#include "aggregate/score.h"

struct scorer {
    const struct profile *profile;
    struct {
        enum counter counter;
        double weight;
    } weights[COUNT_N]; /* of the cyclomatic complexity, other than 0 */
    size_t n_weights;
    bool is_whole; /* base and weights are small whole numbers: these, by counter */
    uint32_t whole[COUNT_N], whole_base;
    enum fstring_tokens fstring;                   /* how source lines are counted */
    bool has_rules;                                /* rules were run */
    const char *lacking;                           /* as scorer_lacks_selection */
    bool has_clones;                               /* the profile looks for clones */
    enum clone_definition clones;                  /* when has_clones */
    uint32_t clone_min_sloc, clone_min_statements; /* 0 where the definition has no such limit */
    size_t n_rules;
    bool *rule_taken;        /* by rule: do its hits count? */
    bool *rule_of_function;  /* by rule: are its hits whole functions? */
    uint32_t *rule_min_hits; /* by rule: in one file, at least 1 */
};

/* The profile's size term of CALLABLE: its mass is its complexity times this.  0 without a source
 * line. */
double scorer_size(const struct scorer *scorer, const struct callable *callable);
/* The hits of one rule in LIST are contiguous, a run.  Return the end of the run that begins at
 * FROM and set *COUNT to whether its hits count. */
uint32_t scorer_rule_run(const struct scorer *scorer, const struct hit_list *list, uint32_t from,
                         bool *count);
/* Does the structural rule for trivial wrappers, if the profile has it, flag CALLABLE? */
bool scorer_takes_wrapper(const struct scorer *scorer, const struct callable *callable);
/* Is CANDIDATE a clone under the profile if enough places share its hash? */
bool scorer_takes_candidate(const struct scorer *scorer, const struct clone_candidate *candidate);

#endif
