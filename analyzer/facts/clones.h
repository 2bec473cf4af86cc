/*
 * Clones: every place of a file that may be a copy of another, with the hash of its normal form.
 * Groups form at scoring time.
 */
#ifndef STRATA_ANALYZER_FACTS_CLONES_H
#define STRATA_ANALYZER_FACTS_CLONES_H

#include "analyzer/facts/lines.h"
#include "analyzer/facts/tokens.h"

/* Fewest source lines of a subtree candidate, fewest statements of a body. */
enum { CLONE_MIN_SLOC = 3, CLONE_MIN_STATEMENTS = 2 };

/*
 * How many nodes may be read for all candidates of a file together.  Each candidate is read whole,
 * so a node is read once for every candidate around it.  In 400 MB of real source no file needs a
 * fiftieth of this.
 */
enum { CLONE_WORK_MAX = 32 << 20 };

/* Fill clones and n_clones of OUT.  Returns SKIP_NONE, SKIP_CLONE_BUDGET or SKIP_NO_MEMORY. */
enum skip_reason clones_find(const struct syntax_table *table, const struct flat *flat,
                             const struct lines sloc[FSTRING_N], const struct tokens *tokens,
                             struct arena *arena, struct facts *out);

#endif
