/*
 * Exact: means and deviations computed with unlimited precision and rounded once.
 *
 * What Python's statistics module gives, to the last bit: doubles are added as integers on a common
 * binary scale, divided as integers, and only the result is rounded, half to even.
 */
#ifndef STRATA_AGGREGATE_STATS_EXACT_H
#define STRATA_AGGREGATE_STATS_EXACT_H

#include <stddef.h>

/* The mean of N (at least 1, below 2^32) VALUES.  With an infinity or a NaN among them, what
 * adding them up gives. */
double exact_mean(const double *values, size_t n);
/* The sample deviation (divisor N - 1) of N (at least 2, below 2^32) VALUES; a NaN when one of them
 * is not finite. */
double exact_stdev(const double *values, size_t n);

#endif
