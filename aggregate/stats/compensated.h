/*
 * Compensated: sums of doubles by Neumaier's variant of Kahan's algorithm.
 *
 * Equal values in equal order give the same double on every machine, and nearly always the exact
 * sum rounded once.  Adding 0 changes nothing, so callers may leave zeros out.
 */
#ifndef STRATA_AGGREGATE_STATS_COMPENSATED_H
#define STRATA_AGGREGATE_STATS_COMPENSATED_H

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* {0} is the empty sum. */
struct compensated {
    double sum;
    double lost; /* what rounding took from the sum so far */
};

/* Add VALUE to the sum. */
static inline void
compensated_add(struct compensated *total, double value)
{
    double sum = total->sum + value;
    if (fabs(total->sum) >= fabs(value))
        total->lost += (total->sum - sum) + value;
    else
        total->lost += (value - sum) + total->sum;
    total->sum = sum;
}

/* Add the values that PART is the sum of. */
static inline void
compensated_join(struct compensated *total, const struct compensated *part)
{
    compensated_add(total, part->sum);
    total->lost += part->lost;
}

/* The sum, with what rounding took from it. */
static inline double
compensated_value(const struct compensated *total)
{
    /* After an overflow the lost part is not finite; the plain sum is then the answer. */
    return isfinite(total->lost) ? total->sum + total->lost : total->sum;
}

/* The mean of N VALUES, at least 1. */
static inline double
compensated_mean(const double *values, size_t n)
{
    struct compensated total = {0};
    assert(n > 0);
    for (size_t i = 0; i < n; i++)
        compensated_add(&total, values[i]);
    return compensated_value(&total) / (double)n;
}

#endif
