/*
 * Source lines: how many source lines a set of spans covers.
 */
#ifndef STRATA_AGGREGATE_SCORE_SOURCE_LINES_H
#define STRATA_AGGREGATE_SCORE_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/facts.h"
#include "analyzer/hits.h"

/* The lines FIRST to LAST, both included; empty if LAST < FIRST. */
struct span {
    uint32_t first, last;
};

/* The source lines of a file, in a form in which they are counted fast. */
struct source_lines {
    uint64_t *words; /* one bit per line; NULL for a file with too many lines, which uses set */
    size_t n_words;
    struct line_set set;
};

struct found_lines {
    uint32_t n_lines;  /* in spans, each counted once */
    uint32_t n_source; /* of these, source lines */
};

/* Copy SET into ARENA as OUT.  0, or -1 when memory is out. */
int source_lines_keep(const struct line_set *set, struct arena *arena, struct source_lines *out);
/* Count the lines of N_SPANS SPANS, which may overlap and come in any order; they may be reordered.
 */
struct found_lines
source_lines_count(const struct source_lines *source, struct span *spans, size_t n_spans);

#endif
