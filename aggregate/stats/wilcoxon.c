/*
 * Wilcoxon's signed-rank test.
 *
 * Small samples without ties get the exact distribution: the number of subsets of the ranks 1..n
 * with a given sum, counted by dynamic programming.  Others get the normal approximation.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "aggregate/stats/effects.h"
#include "aggregate/stats/stats.h"

enum { EXACT_BELOW = 50 };

/*
 * The share of the 2^n assignments of signs to the ranks 1..n whose positive ranks add up to at
 * most W.  WAYS[s] is the number of subsets of the ranks so far with sum s; 2^49 is exact in a
 * double.
 */
static double
share_up_to(size_t n, size_t w)
{
    assert(n < EXACT_BELOW);
    double ways[EXACT_BELOW * (EXACT_BELOW - 1) / 2 + 1] = {1};
    size_t sum = 0;
    for (size_t rank = 1; rank <= n; rank++) {
        sum += rank;
        for (size_t s = sum; s >= rank; s--)
            ways[s] += ways[s - rank];
    }
    double below = 0;
    for (size_t s = 0; s <= w && s <= sum; s++)
        below += ways[s];
    return below / ldexp(1, (int)n);
}

static double
exact_p(size_t n, double w_plus)
{
    double total = (double)n * (double)(n + 1) / 2;
    double smaller = fmin(w_plus, total - w_plus);
    return fmin(1, 2 * share_up_to(n, (size_t)smaller));
}

/* TIES is the sum of t^3 - t over the groups of t equal absolute differences. */
static double
normal_p(size_t n, double w_plus, double ties)
{
    double count = (double)n;
    double mean = count * (count + 1) / 4;
    double variance = count * (count + 1) * (2 * count + 1) / 24 - ties / 48;
    double away = fmax(0, fabs(w_plus - mean) - 0.5);
    return variance <= 0 ? NAN : erfc(away / sqrt(variance) / sqrt(2));
}

/* The same sum for SIZES, which is sorted here. */
static double
sum_of_ties(struct series *sizes)
{
    double ties = 0;
    series_sort(sizes);
    for (size_t i = 0; i < sizes->n;) {
        size_t end = i + 1;
        while (end < sizes->n && sizes->values[end] == sizes->values[i])
            end++;
        double t = (double)(end - i);
        ties += t * t * t - t;
        i = end;
    }
    return ties;
}

static struct wilcoxon
test_sizes(struct series *sizes, const bool *positive, double *ranks)
{
    struct wilcoxon test = {.n = sizes->n, .p = NAN};
    for (size_t i = 0; i < sizes->n; i++)
        if (positive[i])
            test.w_plus += ranks[i];
    double ties = sum_of_ties(sizes);
    test.is_exact = test.n < EXACT_BELOW && ties == 0;
    if (test.n)
        test.p = test.is_exact ? exact_p(test.n, test.w_plus) : normal_p(test.n, test.w_plus, ties);
    return test;
}

struct wilcoxon
effect_wilcoxon(struct series *differences)
{
    struct wilcoxon test = {.p = NAN};
    struct series sizes = {0};
    bool *positive = calloc(differences->n + 1, sizeof(*positive));
    double *ranks = calloc(differences->n + 1, sizeof(*ranks));
    for (size_t i = 0; positive && i < differences->n; i++) {
        double difference = differences->values[i];
        if (difference == 0)
            continue;
        positive[sizes.n] = difference > 0;
        series_add(&sizes, fabs(difference));
    }
    if (positive && ranks && !sizes.failed && stats_ranks(sizes.values, sizes.n, ranks) == 0)
        test = test_sizes(&sizes, positive, ranks);
    else
        differences->failed = true;
    series_clear(&sizes);
    free(positive);
    free(ranks);
    return test;
}
