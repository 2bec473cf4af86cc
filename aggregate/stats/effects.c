/*
 * Effect sizes and bootstrap intervals.
 *
 * A bootstrap draws clusters with replacement.  A draw is kept as weights, how often each cluster
 * was drawn, so that values are sorted once and every draw finds its median in one pass over them.
 * Draws come from splitmix64, so an interval depends on the values and the seed alone.
 */
#include "aggregate/stats/effects.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "aggregate/stats/compensated.h"
#include "aggregate/stats/stats.h"

double
effect_cliff(const struct series *before, const struct series *after)
{
    /* For each value of AFTER: BELOW values of BEFORE are below it, NOT_ABOVE are not above. */
    size_t below = 0, not_above = 0;
    double balance = 0; /* counts of pairs, exact up to 2^53 */
    for (size_t i = 0; i < after->n; i++) {
        while (below < before->n && before->values[below] < after->values[i])
            below++;
        while (not_above < before->n && before->values[not_above] <= after->values[i])
            not_above++;
        balance += (double)below - (double)(before->n - not_above);
    }
    if (before->n == 0 || after->n == 0)
        return NAN;
    return balance / ((double)before->n * (double)after->n);
}

/* ---- Bootstrap ----------------------------------------------------------------------------- */

/* The next number of splitmix64 (Steele, Lea and Flood, 2014), whose state is STATE. */
static uint64_t
draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A number below N (at least 1); the probabilities differ by at most 2^-32. */
static uint32_t
draw_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((draw(state) >> 32) * n) >> 32);
}

/* A value and the cluster it belongs to. */
struct clustered_value {
    double value;
    uint32_t cluster;
};

static int
by_value(const void *left, const void *right)
{
    const struct clustered_value *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->cluster < b->cluster ? -1 : a->cluster > b->cluster;
}

static struct clustered_value *
sort_values(const struct clustered *sample)
{
    size_t n = sample->values->n;
    struct clustered_value *sorted = calloc(n + 1, sizeof(*sorted));
    for (size_t i = 0; sorted && i < n; i++)
        sorted[i] = (struct clustered_value){sample->values->values[i], sample->clusters[i]};
    if (sorted && n > 1)
        qsort(sorted, n, sizeof(*sorted), by_value);
    return sorted;
}

/* The median if cluster k counts WEIGHTS[k] times; NaN if every value has weight 0.  SORTED is by
 * value. */
static double
weighted_median(const struct clustered_value *sorted, size_t n, const uint32_t *weights)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += weights[sorted[i].cluster];
    if (total == 0)
        return NAN;
    uint64_t low_at = (total - 1) / 2, high_at = total / 2, seen = 0;
    double low = NAN;
    for (size_t i = 0; i < n; i++) {
        uint64_t end = seen + weights[sorted[i].cluster];
        if (seen <= low_at && low_at < end)
            low = sorted[i].value;
        if (seen <= high_at && high_at < end)
            return (low + sorted[i].value) / 2;
        seen = end;
    }
    return NAN;
}

/* The 2.5 % and 97.5 % quantiles of DRAWN, which is sorted here. */
static struct interval
percentiles(struct series *drawn)
{
    series_sort(drawn);
    return (struct interval){stats_sorted_quantile(drawn, 0.025),
                             stats_sorted_quantile(drawn, 0.975)};
}

/* Draw N_CLUSTERS clusters with replacement: WEIGHTS[k] is how often cluster k was drawn. */
static void
draw_weights(uint64_t *state, uint32_t n_clusters, uint32_t *weights)
{
    assert(n_clusters > 0);
    for (uint32_t i = 0; i < n_clusters; i++)
        weights[i] = 0;
    for (uint32_t i = 0; i < n_clusters; i++)
        weights[draw_below(state, n_clusters)]++;
}

/* Do the values come from at least two clusters? */
static bool
has_two_clusters(const struct clustered *sample)
{
    for (size_t i = 1; i < sample->values->n; i++)
        if (sample->clusters[i] != sample->clusters[0])
            return true;
    return false;
}

int
bootstrap_median_shift(const struct clustered *before, const struct clustered *after,
                       uint32_t n_clusters, uint64_t seed, struct interval *out)
{
    struct clustered_value *sorted_before = sort_values(before), *sorted_after = sort_values(after);
    uint32_t *weights = calloc((size_t)n_clusters + 1, sizeof(*weights));
    struct series shifts = {0};
    bool can_draw = sorted_before && sorted_after && weights && has_two_clusters(before) &&
                    has_two_clusters(after);
    for (int round = 0; can_draw && round < BOOTSTRAP_ROUNDS; round++) {
        draw_weights(&seed, n_clusters, weights);
        double shift = weighted_median(sorted_after, after->values->n, weights) -
                       weighted_median(sorted_before, before->values->n, weights);
        if (!isnan(shift))
            series_add(&shifts, shift);
    }
    int rc = sorted_before && sorted_after && weights && !shifts.failed ? 0 : -1;
    *out = percentiles(&shifts);
    series_clear(&shifts);
    free(sorted_before);
    free(sorted_after);
    free(weights);
    return rc;
}

struct interval
bootstrap_median(struct series *values, uint64_t seed)
{
    uint32_t n = (uint32_t)values->n;
    uint32_t *weights = calloc((size_t)n + 1, sizeof(*weights));
    uint32_t *clusters = calloc((size_t)n + 1, sizeof(*clusters));
    struct series medians = {0};
    struct clustered_value *sorted = NULL;
    if (weights && clusters) {
        for (uint32_t i = 0; i < n; i++)
            clusters[i] = i;
        sorted = sort_values(&(struct clustered){values, clusters});
    }
    for (int round = 0; sorted && n > 1 && round < BOOTSTRAP_ROUNDS; round++) {
        draw_weights(&seed, n, weights);
        series_add(&medians, weighted_median(sorted, n, weights));
    }
    values->failed = values->failed || !sorted || medians.failed;
    struct interval interval = percentiles(&medians);
    series_clear(&medians);
    free(sorted);
    free(weights);
    free(clusters);
    return interval;
}

/* The mean if value k counts WEIGHTS[k] times.  The weights add up to VALUES->n. */
static double
weighted_mean(const struct series *values, const uint32_t *weights)
{
    struct compensated total = {0};
    for (size_t i = 0; i < values->n; i++)
        compensated_add(&total, weights[i] * values->values[i]);
    return compensated_value(&total) / (double)values->n;
}

struct interval
bootstrap_mean(struct series *values, uint64_t seed)
{
    uint32_t n = (uint32_t)values->n;
    uint32_t *weights = calloc((size_t)n + 1, sizeof(*weights));
    struct series means = {0};
    for (int round = 0; weights && n > 1 && round < BOOTSTRAP_ROUNDS; round++) {
        draw_weights(&seed, n, weights);
        series_add(&means, weighted_mean(values, weights));
    }
    values->failed = values->failed || !weights || means.failed;
    struct interval interval = percentiles(&means);
    series_clear(&means);
    free(weights);
    return interval;
}
