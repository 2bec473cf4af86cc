/*
 * Effects: tests, effect sizes and intervals for the shift between two samples.
 */
#ifndef STRATA_AGGREGATE_STATS_EFFECTS_H
#define STRATA_AGGREGATE_STATS_EFFECTS_H

#include <stdint.h>

#include "aggregate/stats/series.h"

struct wilcoxon {
    size_t n;      /* differences that are not 0 */
    double w_plus; /* sum of the ranks of the positive ones */
    double p;      /* two-sided; NaN without differences */
    bool is_exact; /* p is from the exact distribution: fewer than 50 differences, no ties */
};

/*
 * Wilcoxon's signed-rank test that DIFFERENCES are symmetric about 0.  Zeros are left out.  Samples
 * of 50 or more and samples with ties use the normal approximation with corrections for ties and
 * continuity.  Sets DIFFERENCES->failed when memory is out.
 */
struct wilcoxon effect_wilcoxon(struct series *differences);

/*
 * Cliff's delta, from -1 to 1: of all pairs of a value of SORTED_BEFORE and one of SORTED_AFTER,
 * the share where the later value is larger minus the share where it is smaller.  Both series are
 * in ascending order.  NaN if one is empty.
 */
double effect_cliff(const struct series *sorted_before, const struct series *sorted_after);

struct interval {
    double low, high; /* NaN where there is none */
};

enum { BOOTSTRAP_ROUNDS = 2000 };

/*
 * The 95 % percentile interval of the median of VALUES from BOOTSTRAP_ROUNDS bootstrap samples; NaN
 * for fewer than two values.  The same SEED gives the same interval.  Sets VALUES->failed when
 * memory is out.
 */
struct interval bootstrap_median(struct series *values, uint64_t seed);

/* The same for the mean. */
struct interval bootstrap_mean(struct series *values, uint64_t seed);

/* A sample whose clusters are drawn whole: value i belongs to cluster CLUSTERS[i]. */
struct clustered {
    const struct series *values;
    const uint32_t *clusters;
};

/*
 * The same for (median of AFTER) - (median of BEFORE).  Each draw takes N_CLUSTERS of the
 * N_CLUSTERS clusters that both samples share, with replacement.  *OUT is NaN if either sample has
 * values of fewer than two clusters.  0, or -1 when memory is out.
 */
int bootstrap_median_shift(const struct clustered *before, const struct clustered *after,
                           uint32_t n_clusters, uint64_t seed, struct interval *out);

#endif
