/*
 * Needs: what a file, or the text of a node, must hold for a matcher to match.
 *
 * A need is a set of literals and a number of times that they must occur, all counted together.
 * Some needs hold for the text of the node itself, because they come from what is within it (its
 * regex, what it `has`); others only for the file, because a relation leads out of the node.
 * anchors.h is about the nodes that a match needs.  This saves work and does not change any result.
 */
#ifndef STRATA_ANALYZER_ENGINE_NEEDS_H
#define STRATA_ANALYZER_ENGINE_NEEDS_H

#include "analyzer/engine/literals.h"
#include "analyzer/engine/program.h"

struct need {
    uint32_t first, n; /* into need_literals */
    uint32_t times;
};

enum { NEEDS_MAX = 6 };

/* Indices of needs, the most selective first. */
struct need_list {
    uint32_t n;
    uint32_t items[NEEDS_MAX];
};

/* The needs of one matcher. */
struct matcher_needs {
    uint32_t rows;         /* rows of the node's text after the first, at least */
    struct need_list node; /* in the text of the node */
    struct need_list file; /* elsewhere in the file */
};

struct program_needs {
    struct literal_set literals;
    struct need *needs;
    uint32_t n_needs, needs_capacity;
    uint32_t *need_literals;
    uint32_t n_literals, literals_capacity;
    struct need_list *of_regex; /* of each regex */
    struct matcher_needs *of_matcher;
};

/* Make NEEDS empty; free what it holds. */
void program_needs_init(struct program_needs *needs);
void program_needs_clear(struct program_needs *needs);
/* Find the needs of all of PROGRAM, which is complete.  -1 when memory is out. */
int program_needs_find(const struct program *program, struct program_needs *out);

/* Are all needs of LIST met in the file; in its bytes FROM up to, not including, TO? */
bool needs_are_met(const struct program_needs *needs, const struct literal_index *index,
                   const struct need_list *list);
bool needs_are_met_within(const struct program_needs *needs, const struct literal_index *index,
                          const struct need_list *list, uint32_t from, uint32_t to);

#endif
