/*
 * The literals a text must hold for a regex to match it.
 */
#ifndef STRATA_ANALYZER_REGEX_LITERAL_H
#define STRATA_ANALYZER_REGEX_LITERAL_H

#include "analyzer/regex/regex.h"
#include "analyzer/regex/ast.h"

/*
 * Fill the needs of REGEX from TREE, in ARENA.  IS_WHOLE says that a match covers the whole text;
 * then the texts that match are filled too.  Finding nothing is fine; -1 only when memory is out.
 */
int regex_find_needs(const struct regex_node *tree, bool is_whole, struct arena *arena,
                     struct regex *regex, struct err *err);

#endif
