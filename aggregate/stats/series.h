/*
 * Series: doubles in order, growing at the end.
 *
 * Like a buf it remembers that memory ran out, so that callers add freely and ask once.
 */
#ifndef STRATA_AGGREGATE_STATS_SERIES_H
#define STRATA_AGGREGATE_STATS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

/* {0} is an empty series. */
struct series {
    double *values;
    size_t n;
    size_t capacity;
    bool failed; /* a value was lost; what is here cannot be used */
};

void series_add(struct series *series, double value);
void series_add_all(struct series *series, const struct series *more);
/* Ascending; a NaN has no place in a series that is sorted. */
void series_sort(struct series *series);
/* Empty, memory kept. */
void series_reset(struct series *series);
void series_clear(struct series *series);

#endif
