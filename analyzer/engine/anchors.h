/*
 * Anchors: parts of a matcher that lead to the nodes where it can match.
 *
 * `f($A)[0]` can match at the grandparents of identifiers `f` only, and `has: {kind: lambda,
 * stopBy: end}` only at ancestors of a lambda.  A choice is a set of anchors such that every node
 * that matches is one of them or has one below it; a matcher has several choices.  A rule takes the
 * choice with the fewest nodes in the file and goes up from those, instead of trying every node of
 * its kinds.  This saves work and does not change any result.
 */
#ifndef STRATA_ANALYZER_ENGINE_ANCHORS_H
#define STRATA_ANALYZER_ENGINE_ANCHORS_H

#include "analyzer/engine/leaves.h"
#include "analyzer/engine/program.h"

struct anchor {
    uint32_t leaf; /* LEAF_NONE: every node of the kind is an anchor */
    uint16_t kind;
    uint8_t levels; /* how many levels above the anchor the match is */
    bool and_above; /* or any number of levels further up */
};

struct choice {
    uint32_t first, n; /* of anchors, at least one */
};

#define CHOICE_NONE UINT32_MAX

enum { CHOICES_MAX = 6 };

struct choice_list {
    uint32_t n;
    uint32_t items[CHOICES_MAX];
};

struct matcher_anchors {
    struct choice_list below;  /* the node at hand or below it */
    struct choice_list around; /* somewhere in the file, where a relation leads out of the node */
};

struct program_anchors {
    struct leaf_set leaves;
    struct anchor *anchors;
    uint32_t n_anchors, anchors_capacity;
    struct choice *choices;
    uint32_t n_choices, choices_capacity;
    struct matcher_anchors *of_matcher;
};

/* Make ANCHORS empty; free what it holds. */
void program_anchors_init(struct program_anchors *anchors);
void program_anchors_clear(struct program_anchors *anchors);
/* Find the anchors of all matchers of PROGRAM, which is complete.  -1 when memory is out. */
int program_anchors_find(const struct program *program, struct program_anchors *out);

/* How many nodes of a file are anchors of CHOICE. */
uint32_t choice_count(const struct program_anchors *anchors, uint32_t choice,
                      const struct kind_index *kinds, const struct leaf_index *leaves);

#endif
