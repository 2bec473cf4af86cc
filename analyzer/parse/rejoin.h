/*
 * Rejoin: lines within brackets that are indented less than their block.
 *
 * Python ignores indentation inside brackets; tree-sitter-python 0.25.0 ends the block at such a
 * line and reports errors.  Rejoining replaces the line end before it, and a comment in front of
 * that, by blanks, so that the statement is on one line.  Every token keeps its byte offset, and
 * rows are taken from the original text afterwards.
 */
#ifndef STRATA_ANALYZER_PARSE_REJOIN_H
#define STRATA_ANALYZER_PARSE_REJOIN_H

#include "analyzer/parse/flat.h"

/* If SOURCE has such a line, make *OUT the rejoined copy in ARENA.  False when it has none, or
 * memory is out. */
bool rejoin_brackets(struct bytes source, struct arena *arena, struct bytes *out);

/* Give FLAT, made from rejoined text, the source and rows of ORIGINAL, made from the original text.
 */
void rejoin_rows(struct flat *flat, const struct flat *original);

#endif
