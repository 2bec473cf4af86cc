/*
 * The slopes of one trajectory, and its growth.
 *
 * Means and sums are compensated, so that a slope does not depend on the machine.
 */
#include "aggregate/stats/slopes.h"

#include <assert.h>
#include <math.h>

#include "aggregate/stats/compensated.h"
#include "aggregate/stats/stats.h"

const char *
slope_name(enum slope slope)
{
    static const char *const names[SLOPE_N] = {
        [SLOPE_LEAST_SQUARES] = "least squares",
        [SLOPE_END_POINTS] = "end points",
        [SLOPE_MEAN_STEP] = "mean step",
        [SLOPE_THEIL_SEN] = "median of pairwise slopes",
        [SLOPE_PROGRESS] = "least squares over progress",
    };
    assert(slope < SLOPE_N);
    return names[slope];
}

static double
least_squares(const struct series *x, const struct series *y)
{
    double mean_x = compensated_mean(x->values, x->n);
    double mean_y = compensated_mean(y->values, y->n);
    struct compensated xx = {0}, xy = {0};
    for (size_t i = 0; i < x->n; i++) {
        compensated_add(&xx, (x->values[i] - mean_x) * (x->values[i] - mean_x));
        compensated_add(&xy, (x->values[i] - mean_x) * (y->values[i] - mean_y));
    }
    return compensated_value(&xx) == 0 ? NAN : compensated_value(&xy) / compensated_value(&xx);
}

static double
theil_sen(const struct series *x, struct series *y)
{
    struct series slopes = {0};
    for (size_t i = 0; i < x->n; i++)
        for (size_t k = i + 1; k < x->n; k++)
            if (x->values[k] != x->values[i])
                series_add(&slopes, (y->values[k] - y->values[i]) / (x->values[k] - x->values[i]));
    series_sort(&slopes);
    double median = stats_sorted_median(&slopes);
    y->failed = y->failed || slopes.failed;
    series_clear(&slopes);
    return median;
}

double
slope_of(enum slope slope, const struct series *x, struct series *y)
{
    assert(x->n == y->n);
    if (y->n < 2)
        return NAN;
    double width = x->values[x->n - 1] - x->values[0];
    double rise = y->values[y->n - 1] - y->values[0];
    switch (slope) {
    case SLOPE_LEAST_SQUARES:
        return least_squares(x, y);
    case SLOPE_END_POINTS:
        return width == 0 ? NAN : rise / width;
    case SLOPE_MEAN_STEP:
        return rise / (double)(y->n - 1);
    case SLOPE_THEIL_SEN:
        return theil_sen(x, y);
    case SLOPE_PROGRESS:
        return least_squares(x, y) * width;
    case SLOPE_N:
        break;
    }
    return NAN;
}

double
growth_of(const struct series *y)
{
    if (y->n < 2 || !(y->values[0] > 0))
        return NAN;
    return (y->values[y->n - 1] - y->values[0]) / y->values[0];
}
