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

/* *out is the caller's, to parse_destroy.  -1: memory is out or the grammar does not fit. */
int parse_create(struct parse **out, struct err *err);
void parse_destroy(struct parse *parse);

/*
 * Parse SOURCE (at most LIMITS->max_file_bytes) into arrays from ARENA.  Returns SKIP_NONE with
 * *OUT filled, or the limit that was passed (depth, nodes, time); SKIP_NO_MEMORY when memory is
 * out.  SOURCE must stay as long as *OUT is used.  OUT may be NULL: parse and no more.
 */
enum skip_reason
parse_source(struct parse *parse, struct bytes source, const struct analyzer_limits *limits,
             struct arena *arena, struct flat *out);
/*
 * Parse SOURCE, another writing of the one that parse_source had last, within the same limits and
 * with what that left of its budget of steps.  Returns as parse_source does.
 */
enum skip_reason
parse_source_again(struct parse *parse, struct bytes source, struct arena *arena, struct flat *out);

#endif
