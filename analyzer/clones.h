/*
 * Clones: every place of a file that may be a copy of another, with the hash of its normal form
 * (metrics.md section 6).  Groups form at scoring time.
 */
#ifndef STRATA_ANALYZER_CLONES_H
#define STRATA_ANALYZER_CLONES_H

#include "analyzer/lines.h"

/* Fewest source lines of a subtree candidate, fewest statements of a body. */
enum { CLONE_MIN_SLOC = 3, CLONE_MIN_STATEMENTS = 2 };

/* Fill clones and n_clones of OUT; false when memory is out. */
bool clones_find(const struct syntax_table *table, const struct flat *flat,
                 const struct lines sloc[FSTRING_N], struct arena *arena, struct facts *out);

#endif
