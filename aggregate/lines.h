/*
 * Lines: spans of lines and how many source lines they cover.
 */
#ifndef STRATA_AGGREGATE_LINES_H
#define STRATA_AGGREGATE_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/analyzer.h"

/* Lines FIRST to LAST, both in it; none when LAST < FIRST. */
struct span {
    uint32_t first, last;
};

/* Sort SPANS and join those that touch or overlap; returns how many are left, in order. */
size_t lines_merge(struct span *spans, size_t n_spans);
/* How many lines of SET lie in the merged SPANS? */
uint32_t lines_covered(const struct line_set *set, const struct span *spans, size_t n_spans);
/* How many lines the merged SPANS hold. */
uint32_t lines_total(const struct span *spans, size_t n_spans);

#endif
