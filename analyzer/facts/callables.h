/*
 * Callables: every function definition with its counters.
 */
#ifndef STRATA_ANALYZER_FACTS_CALLABLES_H
#define STRATA_ANALYZER_FACTS_CALLABLES_H

#include "analyzer/facts/lines.h"
#include "analyzer/facts/tokens.h"

/* Fill callables, n_callables, n_classes and n_statements of OUT; TEXT is
 * the set text_lines.text of text_lines_find.  False when memory is out. */
bool callables_find(const struct syntax_table *table, const struct flat *flat,
                    const struct lines sloc[FSTRING_N], const struct lines *text,
                    const struct tokens *tokens, struct arena *arena, struct facts *out);

#endif
