/*
 * Stats: what is said of one series of numbers.
 *
 * What is not defined (the deviation of one value, a correlation with a constant) is a NaN, which
 * tables print as nothing and JSON as null.
 */
#ifndef STRATA_AGGREGATE_STATS_STATS_H
#define STRATA_AGGREGATE_STATS_STATS_H

#include "aggregate/stats/series.h"
#include "base/json_write.h"

struct stats {
    size_t n;
    double mean, stddev, min, max, median; /* mean and stddev exactly rounded; divisor n - 1 */
};

/* Sorts nothing: the median is found in a copy.  Sets SERIES->failed when memory is out. */
struct stats stats_of(struct series *series);
/* {mean, stddev, min, max, median, count}, nulls where there is nothing. */
void stats_write(const struct stats *stats, struct json_writer *json);

/* The middle value, or half the sum of the two middle ones, of a sorted series; NaN of none. */
double stats_sorted_median(const struct series *sorted);
/* The value below which the share Q of a sorted series lies, between neighbours linearly. */
double stats_sorted_quantile(const struct series *sorted, double q);

/* The half width of the 95 % interval of the mean: t(n - 1) * stddev / sqrt(n); NaN for n < 2. */
double stats_t_half_width(const struct stats *stats);

/* Of the pairs of X and Y, which are of one length; NaN for fewer than two or when one side is
 * constant. */
double stats_pearson(const struct series *x, const struct series *y);
/* Pearson of the ranks, ties sharing their mean rank.  Sets X->failed when memory is out. */
double stats_spearman(struct series *x, const struct series *y);
/* RANKS[i] is the rank of VALUES[i] from 1, ties sharing their mean rank.  0, or -1 without
 * memory. */
int stats_ranks(const double *values, size_t n, double *ranks);

#endif
