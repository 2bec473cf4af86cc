/*
 * A growing array of doubles.
 *
 * A failed allocation is remembered in series->failed and later values are dropped, so that callers
 * check once at the end.
 */
#include "aggregate/stats/series.h"

#include <stdlib.h>

void
series_add(struct series *series, double value)
{
    if (series->failed)
        return;
    if (series->n == series->capacity) {
        size_t capacity = series->capacity ? series->capacity * 2 : 32;
        double *values = reallocarray(series->values, capacity, sizeof(*values));
        if (!values) {
            series->failed = true;
            return;
        }
        series->values = values;
        series->capacity = capacity;
    }
    series->values[series->n++] = value;
}

void
series_add_all(struct series *series, const struct series *more)
{
    for (size_t i = 0; i < more->n; i++)
        series_add(series, more->values[i]);
    series->failed = series->failed || more->failed;
}

void
series_keep_paired(struct series *x, struct series *y)
{
    if (!x->failed && !y->failed)
        return;
    x->failed = y->failed = true;
    x->n = y->n = 0;
}

static int
ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

void
series_sort(struct series *series)
{
    if (series->n > 1)
        qsort(series->values, series->n, sizeof(*series->values), ascending);
}

void
series_reset(struct series *series)
{
    series->n = 0;
    series->failed = false;
}

void
series_clear(struct series *series)
{
    free(series->values);
    *series = (struct series){0};
}
