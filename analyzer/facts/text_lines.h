/*
 * Text lines: two counts of source lines made from the text instead of the tokens, as line counters
 * do.
 */
#ifndef STRATA_ANALYZER_FACTS_TEXT_LINES_H
#define STRATA_ANALYZER_FACTS_TEXT_LINES_H

#include "analyzer/facts/lines.h"

struct text_lines {
    struct lines text;    /* neither blank nor beginning with '#' */
    uint32_t n_statement; /* rows that are not blank between the first and the last token of each
                           * logical line, string statements that own their rows left out */
};

/* Fill OUT from FLAT.  False when memory is out. */
bool text_lines_find(const struct syntax_table *table, const struct flat *flat, struct arena *arena,
                     struct text_lines *out);

#endif
