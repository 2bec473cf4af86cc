/*
 * Suppression comments: "# ast-grep-ignore" and "# ast-grep-ignore: rule-a, rule-b".
 */
#ifndef STRATA_ANALYZER_ENGINE_SUPPRESS_H
#define STRATA_ANALYZER_ENGINE_SUPPRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/parse/flat.h"
#include "base/arena.h"

struct suppression {
    uint32_t row;       /* matches that start there; ROW_WHOLE_FILE: all */
    uint32_t order;     /* of its comment in the file */
    struct bytes rules; /* text of the list of ids; {NULL, 0}: every rule */
};

#define ROW_WHOLE_FILE UINT32_MAX

struct suppressions {
    struct suppression *items; /* by row, at most one each; those for the whole file are last */
    uint32_t n_items;
};

/* Collect the suppressions of FLAT, whose comments are the N nodes COMMENTS, in ARENA.  -1: memory
 * is out. */
int suppressions_find(const struct flat *flat, const uint32_t *comments, uint32_t n,
                      struct arena *arena, struct suppressions *out);
/* Is a match of the rule ID that starts on ROW suppressed? */
bool suppressions_cover(const struct suppressions *suppressions, uint32_t row, struct bytes id);

#endif
