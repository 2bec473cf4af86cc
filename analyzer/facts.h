/*
 * Facts: all that is known of a file, from its flat tree.
 */
#ifndef STRATA_ANALYZER_FACTS_H
#define STRATA_ANALYZER_FACTS_H

#include "analyzer/lines.h"
#include "analyzer/tokens.h"

/* What the facts of a tree are made from, each made once. */
struct fact_tables {
    struct lines sloc[FSTRING_N];
    struct tokens tokens;
};

/* Lines and callables into OUT, TABLES for clones_find.  False when memory is out. */
bool facts_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
                struct fact_tables *tables, struct facts *out);

#endif
