/*
 * Statistics of one series, and correlations of two.
 *
 * Mean and deviation are exact; sums of products are compensated.  Quantiles interpolate linearly
 * between neighbours (type 7 of Hyndman and Fan, 1996).
 */
#include "aggregate/stats/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_absent.h"
#include "aggregate/stats/compensated.h"
#include "aggregate/stats/exact.h"

double
stats_sorted_median(const struct series *sorted)
{
    size_t n = sorted->n;
    if (n == 0)
        return NAN;
    if (n % 2)
        return sorted->values[n / 2];
    return (sorted->values[n / 2 - 1] + sorted->values[n / 2]) / 2;
}

double
stats_sorted_quantile(const struct series *sorted, double q)
{
    assert(q >= 0 && q <= 1);
    if (sorted->n == 0)
        return NAN;
    double at = q * (double)(sorted->n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= sorted->n)
        return sorted->values[sorted->n - 1];
    double low = sorted->values[below], high = sorted->values[below + 1];
    return low + (high - low) * (at - (double)below);
}

struct stats
stats_of(struct series *series)
{
    struct stats stats = {series->n, NAN, NAN, NAN, NAN, NAN};
    if (series->n == 0)
        return stats;
    struct series sorted = {0};
    series_add_all(&sorted, series);
    if (sorted.failed) {
        series->failed = true;
        series_clear(&sorted);
        return stats;
    }
    series_sort(&sorted);
    stats.mean = exact_mean(series->values, series->n);
    if (series->n > 1)
        stats.stddev = exact_stdev(series->values, series->n);
    stats.min = sorted.values[0];
    stats.max = sorted.values[sorted.n - 1];
    stats.median = stats_sorted_median(&sorted);
    series_clear(&sorted);
    return stats;
}

void
stats_write(const struct stats *stats, struct json_writer *json)
{
    json_begin_object(json);
    absent_member_double(json, "mean", stats->mean);
    absent_member_double(json, "stddev", stats->stddev);
    absent_member_double(json, "min", stats->min);
    absent_member_double(json, "max", stats->max);
    absent_member_double(json, "median", stats->median);
    json_member_u64(json, "count", stats->n);
    json_end_object(json);
}

double
stats_t_half_width(const struct stats *stats)
{
    /* Student's t at 97.5 % for 1 to 30 degrees of freedom; beyond them the normal quantile. */
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                   2.262,  2.228, 2.201, 2.179, 2.16,  2.145, 2.131, 2.12,
                                   2.11,   2.101, 2.093, 2.086, 2.08,  2.074, 2.069, 2.064,
                                   2.06,   2.056, 2.052, 2.048, 2.045, 2.042};
    if (stats->n < 2)
        return NAN;
    size_t freedom = stats->n - 1;
    double t = freedom <= sizeof(table) / sizeof(*table) ? table[freedom - 1] : 1.96;
    return t * stats->stddev / sqrt((double)stats->n);
}

/* ---- Correlation --------------------------------------------------------------------------- */

static bool
is_constant(const double *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

static double
pearson(const double *x, const double *y, size_t n)
{
    if (n < 2 || is_constant(x, n) || is_constant(y, n))
        return NAN;
    double mean_x = compensated_mean(x, n), mean_y = compensated_mean(y, n);
    struct compensated xx = {0}, yy = {0}, xy = {0};
    for (size_t i = 0; i < n; i++) {
        double dx = x[i] - mean_x, dy = y[i] - mean_y;
        compensated_add(&xx, dx * dx);
        compensated_add(&yy, dy * dy);
        compensated_add(&xy, dx * dy);
    }
    return compensated_value(&xy) / sqrt(compensated_value(&xx) * compensated_value(&yy));
}

struct ranked {
    double value;
    size_t index;
};

static int
by_ranked_value(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

int
stats_ranks(const double *values, size_t n, double *ranks)
{
    struct ranked *sorted = calloc(n ? n : 1, sizeof(*sorted));
    if (!sorted)
        return -1;
    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct ranked){values[i], i};
    if (n)
        qsort(sorted, n, sizeof(*sorted), by_ranked_value);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && sorted[end].value == sorted[i].value)
            end++;
        double shared = ((double)(i + 1) + (double)end) / 2;
        for (; i < end; i++)
            ranks[sorted[i].index] = shared;
    }
    free(sorted);
    return 0;
}

double
stats_pearson(const struct series *x, const struct series *y)
{
    assert(x->n == y->n);
    return pearson(x->values, y->values, x->n);
}

double
stats_spearman(struct series *x, const struct series *y)
{
    assert(x->n == y->n);
    size_t n = x->n;
    double *ranks = calloc(n + 1, 2 * sizeof(*ranks));
    double rho = NAN;
    if (ranks && stats_ranks(x->values, n, ranks) == 0 && stats_ranks(y->values, n, ranks + n) == 0)
        rho = pearson(ranks, ranks + n, n);
    else
        x->failed = true;
    free(ranks);
    return rho;
}
