/*
 * Effects: how sure a shift is, and how large.
 */
#ifndef STRATA_AGGREGATE_STATS_EFFECTS_H
#define STRATA_AGGREGATE_STATS_EFFECTS_H

#include <stdint.h>

#include "aggregate/stats/series.h"

struct wilcoxon {
    size_t n;      /* differences other than 0 */
    double w_plus; /* sum of the ranks of the positive ones */
    double p;      /* two-sided; NaN without differences */
    bool is_exact; /* by counting all signs: fewer than 50, no ties among the sizes */
};

/* The signed-rank test of DIFFERENCES having no direction.  Zeros are left out; larger or tied
 * samples use the normal approximation, corrected for ties and continuity.  Sets
 * DIFFERENCES->failed when memory is out. */
struct wilcoxon effect_wilcoxon(struct series *differences);

/* Cliff's delta: how often a value of AFTER is above one of BEFORE, less how often below, over all
 * pairs; -1 to 1.  Both are sorted.  NaN when one is empty. */
double effect_cliff(const struct series *sorted_before, const struct series *sorted_after);

struct interval {
    double low, high; /* NaN where there is none */
};

enum { BOOTSTRAP_ROUNDS = 2000 };

/* 95 % percentile interval of the median of VALUES, which are drawn again BOOTSTRAP_ROUNDS times;
 * none of fewer than two.  The same SEED gives the same interval.  Sets VALUES->failed when memory
 * is out. */
struct interval bootstrap_median(struct series *values, uint64_t seed);

/* The same of the mean. */
struct interval bootstrap_mean(struct series *values, uint64_t seed);

/* Values of clusters that are drawn as wholes: value i belongs to cluster CLUSTERS[i]. */
struct clustered {
    const struct series *values;
    const uint32_t *clusters;
};

/* The same for (median of AFTER) - (median of BEFORE), drawing among N_CLUSTERS clusters that the
 * two share.  None when either side has values of fewer than two.  0, or -1 when memory is out. */
int bootstrap_median_shift(const struct clustered *before, const struct clustered *after,
                           uint32_t n_clusters, uint64_t seed, struct interval *out);

#endif
