/*
 * Rejoin: lines within brackets that stand left of their block.
 *
 * Python ignores indentation inside brackets; tree-sitter-python 0.25.0 ends the block at such a
 * line and reports errors.  Rejoining blanks the line end before it, and a comment in front of
 * that, so that the statement stands on one line: every token keeps its byte offset, and rows are
 * found again from the original text.
 */
#ifndef STRATA_ANALYZER_PARSE_REJOIN_H
#define STRATA_ANALYZER_PARSE_REJOIN_H

#include "analyzer/parse/flat.h"

/* Is there such a line in SOURCE?  Then *OUT is the rejoined copy in ARENA; false when there is
 * none, or memory is out. */
bool rejoin_brackets(struct bytes source, struct arena *arena, struct bytes *out);

/* Give FLAT, made from rejoined text, the source and rows of ORIGINAL, made from the text itself.
 */
void rejoin_rows(struct flat *flat, const struct flat *original);

#endif
