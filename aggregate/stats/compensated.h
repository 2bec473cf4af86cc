/*
 * Compensated: sums of doubles as Neumaier does them.
 *
 * The same order of the same values gives the same double everywhere, and one that is nearly always
 * the exact sum rounded once.  Adding 0 changes nothing, so callers may leave zeros out.
 */
#ifndef STRATA_AGGREGATE_STATS_COMPENSATED_H
#define STRATA_AGGREGATE_STATS_COMPENSATED_H

#include <math.h>
#include <stddef.h>

/* {0} is the empty sum. */
struct compensated {
    double sum;
    double lost; /* what rounding took from the sum so far */
};

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

/* Add the values of PART. */
static inline void
compensated_join(struct compensated *total, const struct compensated *part)
{
    compensated_add(total, part->sum);
    total->lost += part->lost;
}

static inline double
compensated_value(const struct compensated *total)
{
    /* After an overflow what was lost is not a number and says nothing. */
    return isfinite(total->lost) ? total->sum + total->lost : total->sum;
}

/* The sum over N, which is not 0. */
static inline double
compensated_mean(const double *values, size_t n)
{
    struct compensated total = {0};
    for (size_t i = 0; i < n; i++)
        compensated_add(&total, values[i]);
    return compensated_value(&total) / (double)n;
}

#endif
