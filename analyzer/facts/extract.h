/*
 * Facts: all that is known of a file, from its flat tree.
 */
#ifndef STRATA_ANALYZER_FACTS_EXTRACT_H
#define STRATA_ANALYZER_FACTS_EXTRACT_H

#include "analyzer/facts/lines.h"
#include "analyzer/facts/tokens.h"

/* Tables that several facts of a file are made from. */
struct fact_tables {
    struct lines sloc[FSTRING_N];
    struct tokens tokens;
};

/* Fill the lines and callables of OUT, and TABLES, which clones_find needs too.  False when memory
 * is out. */
bool facts_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
                struct fact_tables *tables, struct facts *out);

#endif
