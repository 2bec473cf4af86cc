/*
 * Exact: means and deviations computed with unlimited precision and rounded once, half to even.
 *
 * The results are those of Python's statistics.mean and statistics.stdev, to the last bit.
 */
#ifndef STRATA_AGGREGATE_STATS_EXACT_H
#define STRATA_AGGREGATE_STATS_EXACT_H

#include <stddef.h>

/* The mean of N VALUES, at least 1 and fewer than 2^32.  With an infinity or a NaN among them, the
 * plain sum of doubles over N. */
double exact_mean(const double *values, size_t n);
/* The sample standard deviation (divisor N - 1) of N VALUES, at least 2 and fewer than 2^32.  NaN
 * if one of them is not finite. */
double exact_stdev(const double *values, size_t n);

#endif
