/*
 * Stats: descriptive statistics of a series, ranks and correlations.
 *
 * What is not defined (the deviation of one value, a correlation with a constant) is NaN; tables
 * leave it empty and JSON has null.
 */
#ifndef STRATA_AGGREGATE_STATS_STATS_H
#define STRATA_AGGREGATE_STATS_STATS_H

#include "aggregate/stats/series.h"
#include "base/json_write.h"

struct stats {
    size_t n;
    double mean, stddev, min, max, median; /* stddev has the divisor n - 1 */
};

/* The statistics of SERIES, whose order stays.  Mean and deviation are rounded once (see exact.h).
 * Sets SERIES->failed when memory is out. */
struct stats stats_of(struct series *series);
/* Write {mean, stddev, min, max, median, count}; null for what is not defined. */
void stats_write(const struct stats *stats, struct json_writer *json);

/* The median of SORTED, which is ascending; NaN if it is empty. */
double stats_sorted_median(const struct series *sorted);
/* The quantile Q, from 0 to 1, of SORTED, which is ascending; between values it is interpolated
 * linearly.  NaN if it is empty. */
double stats_sorted_quantile(const struct series *sorted, double q);

/* Half the width of the 95 % interval of the mean: t(n - 1) * stddev / sqrt(n); NaN for n < 2. */
double stats_t_half_width(const struct stats *stats);

/* Pearson's correlation of X and Y, which have the same length; NaN for fewer than two pairs or if
 * one series is constant. */
double stats_pearson(const struct series *x, const struct series *y);
/* Spearman's correlation: Pearson's of the ranks.  Sets X->failed when memory is out. */
double stats_spearman(struct series *x, const struct series *y);
/* Set RANKS[i] to the rank of VALUES[i] among all N, from 1; equal values share their mean rank. 0,
 * or -1 when memory is out. */
int stats_ranks(const double *values, size_t n, double *ranks);

#endif
