/*
 * Parse: bytes to a flat tree, the only place that calls tree-sitter.
 *
 * One struct parse belongs to one worker and is used for one source after another.
 */
#ifndef STRATA_ANALYZER_PARSE_PARSE_H
#define STRATA_ANALYZER_PARSE_PARSE_H

#include "analyzer/facts.h"
#include "analyzer/limits.h"
#include "analyzer/parse/flat.h"
#include "base/arena.h"
#include "base/err.h"

struct parse;

/* *out is the caller's, to parse_destroy.  -1: memory is out, or the runtime cannot use the
 * grammar. */
int parse_create(struct parse **out, struct err *err);
/* NULL is fine. */
void parse_destroy(struct parse *parse);

/*
 * Parse SOURCE (at most LIMITS->max_file_bytes) into arrays from ARENA.  Returns SKIP_NONE with
 * *OUT filled, or the limit that was exceeded (depth, nodes, budget of steps and memory);
 * SKIP_NO_MEMORY when memory is out.  *OUT borrows SOURCE.  OUT may be NULL: only parse.
 */
enum skip_reason
parse_source(struct parse *parse, struct bytes source, const struct analyzer_limits *limits,
             struct arena *arena, struct flat *out);
/*
 * Parse SOURCE, a rewritten form of the source of the last parse_source, within the same limits and
 * with the steps that are left of its budget.  Returns as parse_source does.
 */
enum skip_reason
parse_source_again(struct parse *parse, struct bytes source, struct arena *arena, struct flat *out);

#endif
