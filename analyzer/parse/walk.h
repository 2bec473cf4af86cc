/*
 * Parse walk: the two ways from tree-sitter's tree to the arrays of a flat tree.
 *
 * Both take a flat tree whose arrays have room for n_nodes, fill them, depth_max and n_errors, and
 * give the same result: SKIP_NONE, SKIP_TOO_DEEP when the tree has more than DEPTH_MAX
 * levels, SKIP_NO_MEMORY.
 */
#ifndef STRATA_ANALYZER_PARSE_WALK_H
#define STRATA_ANALYZER_PARSE_WALK_H

#include <tree_sitter/api.h>

#include "analyzer/facts.h"
#include "analyzer/limits.h"
#include "analyzer/parse/flat.h"

/* Through the public cursor, which works with any runtime. */
enum skip_reason parse_walk_cursor(const TSTree *tree, uint32_t depth_max, struct flat *flat);

/* Through the runtime's own structs; keeps tables of the grammar and the stack of the walk. */
struct parse_direct;

/* *out is the caller's, to parse_direct_destroy.  LANGUAGE must outlive it.  -1: memory is out. */
int parse_direct_create(const TSLanguage *language, struct parse_direct **out, struct err *err);
/* NULL is fine. */
void parse_direct_destroy(struct parse_direct *direct);
enum skip_reason parse_walk_direct(struct parse_direct *direct, const TSTree *tree,
                                   uint32_t depth_max, struct flat *flat);

#endif
