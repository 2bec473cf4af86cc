/*
 * The literals a text must hold for a regex to match it.
 */
#ifndef STRATA_ANALYZER_REGEX_LITERAL_H
#define STRATA_ANALYZER_REGEX_LITERAL_H

#include "analyzer/regex/regex.h"
#include "analyzer/regex/ast.h"

/*
 * Fill REGEX's needs from TREE, in ARENA, and the texts it can match where IS_WHOLE: a match covers
 * the whole text or there is none.  Finding nothing is fine; -1 only when memory is out.
 */
int regex_find_needs(const struct regex_node *tree, bool is_whole, struct arena *arena,
                     struct regex *regex, struct err *err);

#endif
