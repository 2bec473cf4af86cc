/*
 * Series: a growing array of doubles.
 *
 * Like a buf it remembers that memory ran out, so that callers add values and check once.
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
    bool failed; /* memory ran out and a value was dropped */
};

/* Append VALUE. */
void series_add(struct series *series, double value);
/* Append the values of MORE; what failed there has failed here. */
void series_add_all(struct series *series, const struct series *more);
/* The values of X and Y are pairs.  If memory ran out for either, mark both as failed and empty
 * them, so that they have the same length again. */
void series_keep_paired(struct series *x, struct series *y);
/* Sort SERIES in ascending order.  It must not hold a NaN. */
void series_sort(struct series *series);
/* Remove all values and forget a failure; the memory is kept. */
void series_reset(struct series *series);
/* Free the memory; SERIES is as after {0}. */
void series_clear(struct series *series);

#endif
