/*
 * Needs: what a file, or the text of a node, must hold for a matcher to match.
 *
 * A need is a set of literals of a regex that must occur, taken together, a number of times.  Some
 * hold for the text of the node itself, because what they ask about lies within it (its regex, what
 * it `has`); others only for the file, because a relation leads out of the node.  What nodes a
 * match needs is anchors.h.  All of it saves work and changes no result.
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

/* Indices of needs, the most telling first. */
struct need_list {
    uint32_t n;
    uint32_t items[NEEDS_MAX];
};

/* The needs of one matcher. */
struct matcher_needs {
    uint32_t rows;         /* that the text of the node goes on for behind its first */
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

void program_needs_init(struct program_needs *needs);
void program_needs_clear(struct program_needs *needs);
/* Find the needs of all of PROGRAM, which is complete.  -1 when memory is out. */
int program_needs_find(const struct program *program, struct program_needs *out);

/* Do all of LIST hold for the file; within some of its bytes? */
bool needs_are_met(const struct program_needs *needs, const struct literal_index *index,
                   const struct need_list *list);
bool needs_are_met_within(const struct program_needs *needs, const struct literal_index *index,
                          const struct need_list *list, uint32_t from, uint32_t to);

#endif
