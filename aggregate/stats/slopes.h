/*
 * Slopes: how a measure of one trajectory changes from checkpoint to checkpoint.
 */
#ifndef STRATA_AGGREGATE_STATS_SLOPES_H
#define STRATA_AGGREGATE_STATS_SLOPES_H

#include "aggregate/stats/series.h"

enum slope {
    SLOPE_LEAST_SQUARES, /* cov(x, y) / var(x): the default */
    SLOPE_END_POINTS,    /* (last - first) / (x of last - x of first) */
    SLOPE_MEAN_STEP,     /* (last - first) / (number - 1) */
    SLOPE_THEIL_SEN,     /* the median of all pairwise slopes */
    SLOPE_PROGRESS,      /* least squares over progress 0..1; not per checkpoint */
    SLOPE_N
};

/* The name of SLOPE in reports: "least squares" and so on. */
const char *slope_name(enum slope slope);
/* The slope of Y over X, which have the same length; X is ascending.  NaN for fewer than two points
 * or if all x are equal.  Sets Y->failed when memory is out. */
double slope_of(enum slope slope, const struct series *x, struct series *y);
/* (last - first) / first of Y; NaN unless it has at least two values and the first is above 0. */
double growth_of(const struct series *y);

#endif
