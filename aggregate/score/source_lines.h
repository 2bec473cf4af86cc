/*
 * Lines: spans of lines and how many source lines they cover.
 */
#ifndef STRATA_AGGREGATE_SCORE_SOURCE_LINES_H
#define STRATA_AGGREGATE_SCORE_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/facts.h"
#include "analyzer/hits.h"

/* Lines FIRST to LAST, both in it; none when LAST < FIRST. */
struct span {
    uint32_t first, last;
};

/* The source lines of a file, kept to be counted in often. */
struct source_lines {
    uint64_t *words; /* a bit a line; NULL: there are too many lines for that, see set */
    size_t n_words;
    struct line_set set;
};

struct found_lines {
    uint32_t n_lines;  /* in spans, each counted once */
    uint32_t n_source; /* of these, source lines */
};

/* Keep SET, which is not borrowed, in ARENA.  -1: memory is out. */
int source_lines_keep(const struct line_set *set, struct arena *arena, struct source_lines *out);
/* Count the lines of SPANS, which may lie in any order, overlap, and come back in another order. */
struct found_lines
source_lines_count(const struct source_lines *source, struct span *spans, size_t n_spans);

#endif
