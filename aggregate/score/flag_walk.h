/*
 * Flag walk: what flags lines of a file, one after the other.
 *
 * The score and the explanation of a score walk the same flags here, so that the lines that
 * `strata check --flags` lists are the lines that count.  Inline, as scoring a panel walks the hits
 * of every blob.
 */
#ifndef STRATA_AGGREGATE_SCORE_FLAG_WALK_H
#define STRATA_AGGREGATE_SCORE_FLAG_WALK_H

#include <assert.h>

#include "aggregate/score/scorer.h"
#include "aggregate/score/source_lines.h"

/* Does KIND count in the profile's verbosity? */
static inline bool
flag_kind_counts(const struct scorer *scorer, enum flag_kind kind)
{
    switch (kind) {
    case FLAG_RULE:
        return scorer->profile->part_rules;
    case FLAG_CLONE:
        return scorer->profile->part_clones;
    case FLAG_STRUCTURAL:
        return scorer->profile->part_structural;
    }
    return false;
}

/* Hits that count under a scorer, or all of them, in the order of their list. */
struct hit_walk {
    const struct scorer *scorer;
    const struct hit_list *list;
    bool takes_all;
    uint32_t at, end; /* the next hit, and the end of its rule's run */
    bool counts;      /* does the run that the last hit is of count? */
};

/* A walk over the hits of LIST that count under SCORER.  Both are borrowed. */
static inline struct hit_walk
hit_walk_begin(const struct scorer *scorer, const struct hit_list *list)
{
    return (struct hit_walk){.scorer = scorer, .list = list};
}

/* The same over all hits of LIST. */
static inline struct hit_walk
hit_walk_begin_all(const struct scorer *scorer, const struct hit_list *list)
{
    return (struct hit_walk){.scorer = scorer, .list = list, .takes_all = true};
}

/* The next hit, with its lines in *LINES; NULL after the last. */
static inline const struct hit *
hit_walk_next(struct hit_walk *walk, struct span *lines)
{
    while (walk->at == walk->end) {
        if (walk->at == walk->list->n_hits)
            return NULL;
        walk->end = scorer_rule_run(walk->scorer, walk->list, walk->at, &walk->counts);
        assert(walk->end > walk->at);
        if (!walk->counts && !walk->takes_all)
            walk->at = walk->end;
    }
    const struct hit *hit = &walk->list->hits[walk->at++];
    *lines = (struct span){hit->start_line, hit->end_line};
    return hit;
}

/* Callables that structural rules flag, in order of appearance. */
struct wrapper_walk {
    const struct scorer *scorer;
    const struct facts *facts;
    uint32_t at;
};

/* A walk over the callables of FACTS that structural rules flag.  Both are borrowed. */
static inline struct wrapper_walk
wrapper_walk_begin(const struct scorer *scorer, const struct facts *facts)
{
    return (struct wrapper_walk){.scorer = scorer, .facts = facts};
}

/* The next callable, with its lines in *LINES; NULL after the last. */
static inline const struct callable *
wrapper_walk_next(struct wrapper_walk *walk, struct span *lines)
{
    while (walk->at < walk->facts->n_callables) {
        const struct callable *callable = &walk->facts->callables[walk->at++];
        if (!scorer_takes_wrapper(walk->scorer, callable))
            continue;
        *lines = (struct span){callable->start_line, callable->end_line};
        return callable;
    }
    return NULL;
}

/* The lines of CANDIDATE, if it is a clone. */
static inline struct span
flag_clone_lines(const struct clone_candidate *candidate)
{
    return (struct span){candidate->start_line, candidate->end_line};
}

/* Are N_MEMBERS places with one hash clones of each other? */
static inline bool
flag_is_clone(const struct scorer *scorer, size_t n_members)
{
    assert(scorer->profile->clone_min_members >= 2);
    return n_members >= scorer->profile->clone_min_members;
}

#endif
