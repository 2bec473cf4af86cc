#include <math.h>

#include "aggregate/stats/effects.h"
#include "aggregate/stats/slopes.h"
#include "aggregate/stats/stats.h"
#include "../oracle.h"

enum { N_CASES = 200, VALUES_MAX = 140 };

/* Values that tie often when COARSE, never (but by chance) when not. */
static void
fill(struct series *series, uint64_t *seed, size_t n, bool coarse)
{
    series_reset(series);
    for (size_t i = 0; i < n; i++) {
        double unit = (double)(oracle_random(seed) >> 11) / 9007199254740992.0;
        series_add(series, coarse ? floor(unit * 9) - 4 : unit - 0.45);
    }
}

static void
ask_pair(struct oracle *oracle, const struct series *x, const struct series *y)
{
    double line[2 * VALUES_MAX + 1];
    line[0] = (double)x->n;
    memcpy(line + 1, x->values, x->n * sizeof(*line));
    memcpy(line + 1 + x->n, y->values, y->n * sizeof(*line));
    oracle_ask(oracle, line, 1 + x->n + y->n);
}

static bool
is_near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

static void
test_aggregate_wilcoxon__agrees_with_all_signs_and_with_the_approximation(void **state)
{
    (void)state;
    struct oracle oracle;
    struct series values = {0};
    size_t n_exact = 0;
    oracle_open(&oracle);
    for (uint64_t i = 0, seed = 7; i < N_CASES; i++) {
        fill(&values, &seed, 2 + i % 80, i % 3 == 0);
        oracle_ask(&oracle, values.values, values.n);
    }
    oracle_run(&oracle, "signed_rank");
    for (uint64_t i = 0, seed = 7; i < N_CASES; i++) {
        fill(&values, &seed, 2 + i % 80, i % 3 == 0);
        struct wilcoxon test = effect_wilcoxon(&values);
        n_exact += test.is_exact;
        assert_true(test.w_plus == oracle_answer(&oracle));
        assert_true(is_near(test.p, oracle_answer(&oracle)));
    }
    assert_true(n_exact > 50 && n_exact < N_CASES);
    series_clear(&values);
    oracle_close(&oracle);
}

static void
test_aggregate_cliff__agrees_with_counting_pairs(void **state)
{
    (void)state;
    struct oracle oracle;
    struct series x = {0}, y = {0};
    oracle_open(&oracle);
    for (uint64_t i = 0, seed = 3; i < N_CASES; i++) {
        fill(&x, &seed, 1 + i % 30, i % 2);
        fill(&y, &seed, 1 + i % 17, i % 2);
        ask_pair(&oracle, &x, &y);
    }
    oracle_run(&oracle, "cliff");
    for (uint64_t i = 0, seed = 3; i < N_CASES; i++) {
        fill(&x, &seed, 1 + i % 30, i % 2);
        fill(&y, &seed, 1 + i % 17, i % 2);
        series_sort(&x);
        series_sort(&y);
        assert_true(effect_cliff(&x, &y) == oracle_answer(&oracle));
    }
    series_clear(&x);
    series_clear(&y);
    oracle_close(&oracle);
}

static void
test_aggregate_correlation__agrees_with_fractions(void **state)
{
    (void)state;
    struct oracle oracle;
    struct series x = {0}, y = {0};
    oracle_open(&oracle);
    for (uint64_t i = 0, seed = 5; i < N_CASES; i++) {
        fill(&x, &seed, 6 + i % 40, i % 2);
        fill(&y, &seed, 6 + i % 40, i % 2);
        ask_pair(&oracle, &x, &y);
    }
    oracle_run(&oracle, "correlations");
    for (uint64_t i = 0, seed = 5; i < N_CASES; i++) {
        fill(&x, &seed, 6 + i % 40, i % 2);
        fill(&y, &seed, 6 + i % 40, i % 2);
        assert_true(is_near(stats_pearson(&x, &y), oracle_answer(&oracle)));
        assert_true(is_near(stats_spearman(&x, &y), oracle_answer(&oracle)));
    }
    series_clear(&x);
    series_clear(&y);
    oracle_close(&oracle);
}

static void
ascend(struct series *x, uint64_t *seed, size_t n)
{
    double at = 0;
    series_reset(x);
    for (size_t i = 0; i < n; i++)
        series_add(x, at += 1 + (double)(oracle_random(seed) % 3));
}

static void
test_aggregate_slopes__agree_with_fractions(void **state)
{
    (void)state;
    struct oracle oracle;
    struct series x = {0}, y = {0};
    oracle_open(&oracle);
    for (uint64_t i = 0, seed = 11; i < N_CASES; i++) {
        ascend(&x, &seed, 2 + i % 30);
        fill(&y, &seed, x.n, false);
        ask_pair(&oracle, &x, &y);
    }
    oracle_run(&oracle, "slopes");
    for (uint64_t i = 0, seed = 11; i < N_CASES; i++) {
        ascend(&x, &seed, 2 + i % 30);
        fill(&y, &seed, x.n, false);
        for (int slope = 0; slope < SLOPE_N; slope++)
            assert_true(is_near(slope_of((enum slope)slope, &x, &y), oracle_answer(&oracle)));
    }
    series_clear(&x);
    series_clear(&y);
    oracle_close(&oracle);
}

static void
test_aggregate_effects__what_is_not_defined_is_a_nan(void **state)
{
    (void)state;
    struct series none = {0}, flat = {0}, rising = {0};
    for (int i = 0; i < 4; i++) {
        series_add(&flat, 2);
        series_add(&rising, i);
    }
    assert_true(isnan(effect_wilcoxon(&none).p));
    assert_true(isnan(effect_cliff(&none, &flat)));
    assert_true(isnan(stats_pearson(&flat, &rising)));
    assert_true(isnan(stats_spearman(&rising, &flat)));
    assert_true(isnan(slope_of(SLOPE_LEAST_SQUARES, &flat, &rising)));
    assert_true(isnan(growth_of(&rising)));
    assert_true(isnan(bootstrap_median(&none, 1).low));
    series_clear(&flat);
    series_clear(&rising);
}

static void
test_aggregate_bootstrap__same_seed_same_interval_around_the_median(void **state)
{
    (void)state;
    struct series values = {0};
    uint64_t seed = 2;
    fill(&values, &seed, 101, false);
    struct interval one = bootstrap_median(&values, 9), again = bootstrap_median(&values, 9);
    bool seeds_matter = false;
    for (uint64_t other = 10; other < 30; other++)
        seeds_matter = seeds_matter || bootstrap_median(&values, other).low != one.low;
    series_sort(&values);
    double median = stats_sorted_median(&values);
    assert_true(one.low == again.low && one.high == again.high);
    assert_true(one.low < median && median < one.high);
    assert_true(seeds_matter);
    series_clear(&values);
}

static void
test_aggregate_bootstrap__agrees_with_the_same_draws_of_fractions(void **state)
{
    (void)state;
    enum { N_BOOTSTRAPS = 6 };
    struct oracle oracle;
    struct series values = {0}, asked = {0};
    oracle_open(&oracle);
    for (uint64_t i = 0, seed = 3; i < N_BOOTSTRAPS; i++) {
        fill(&values, &seed, 2 + 7 * i, i % 3 == 0);
        series_reset(&asked);
        series_add(&asked, (double)(i + 1));
        series_add_all(&asked, &values);
        oracle_ask(&oracle, asked.values, asked.n);
    }
    oracle_run(&oracle, "bootstrap");
    for (uint64_t i = 0, seed = 3; i < N_BOOTSTRAPS; i++) {
        fill(&values, &seed, 2 + 7 * i, i % 3 == 0);
        struct series sorted = {0};
        series_add_all(&sorted, &values);
        struct interval median = bootstrap_median(&sorted, i + 1);
        struct interval mean = bootstrap_mean(&sorted, i + 1);
        const double have[] = {median.low, median.high, mean.low, mean.high};
        for (size_t k = 0; k < 4; k++)
            assert_true(is_near(have[k], oracle_answer(&oracle)));
        series_clear(&sorted);
    }
    series_clear(&values);
    series_clear(&asked);
    oracle_close(&oracle);
}

static void
test_aggregate_interval__agrees_with_students_distribution(void **state)
{
    (void)state;
    struct oracle oracle;
    struct series values = {0};
    oracle_open(&oracle);
    for (uint64_t i = 0, seed = 5; i < 30; i++) {
        fill(&values, &seed, 2 + i, false);
        oracle_ask(&oracle, values.values, values.n);
    }
    oracle_run(&oracle, "intervals");
    for (uint64_t i = 0, seed = 5; i < 30; i++) {
        fill(&values, &seed, 2 + i, false);
        struct stats stats = stats_of(&values);
        double half = stats_t_half_width(&stats);
        assert_true(is_near(stats.mean - half, oracle_answer(&oracle)));
        assert_true(is_near(stats.mean + half, oracle_answer(&oracle)));
    }
    series_clear(&values);
    oracle_close(&oracle);
}

/* Values of clusters, of which some have none on one side, or on both. */
struct sample {
    struct series values;
    uint32_t clusters[VALUES_MAX];
};

static void
fill_sample(struct sample *sample, uint64_t *seed, size_t n, uint32_t n_clusters, bool coarse)
{
    fill(&sample->values, seed, n, coarse);
    for (size_t i = 0; i < n; i++)
        sample->clusters[i] = (uint32_t)(oracle_random(seed) % n_clusters);
}

static void
fill_samples(uint64_t *seed, uint64_t i, uint32_t n_clusters, struct sample sides[2])
{
    fill_sample(&sides[0], seed, 1 + 9 * i, n_clusters, i % 2);
    fill_sample(&sides[1], seed, 2 + 3 * i, n_clusters, i % 2);
}

static void
ask_samples(struct oracle *oracle, uint64_t seed, uint32_t n_clusters, const struct sample sides[2])
{
    double line[3 + 4 * VALUES_MAX] = {(double)seed, n_clusters, (double)sides[0].values.n};
    size_t n = 3;
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side].values.n; i++) {
            line[n++] = sides[side].values.values[i];
            line[n++] = sides[side].clusters[i];
        }
    oracle_ask(oracle, line, n);
}

static void
test_aggregate_bootstrap__of_clusters_agrees_to_the_last_bit(void **state)
{
    (void)state;
    enum { N_BOOTSTRAPS = 8 };
    struct oracle oracle;
    struct sample sides[2] = {0};
    size_t n_none = 0;
    oracle_open(&oracle);
    for (uint64_t i = 0, seed = 21; i < N_BOOTSTRAPS; i++) {
        fill_samples(&seed, i, (uint32_t)(2 + 2 * i), sides);
        ask_samples(&oracle, i, (uint32_t)(2 + 2 * i), sides);
    }
    oracle_run(&oracle, "clusters");
    for (uint64_t i = 0, seed = 21; i < N_BOOTSTRAPS; i++) {
        struct interval interval;
        fill_samples(&seed, i, (uint32_t)(2 + 2 * i), sides);
        assert_int_equal(
            bootstrap_median_shift(&(struct clustered){&sides[0].values, sides[0].clusters},
                                   &(struct clustered){&sides[1].values, sides[1].clusters},
                                   (uint32_t)(2 + 2 * i), i, &interval),
            0);
        double low = oracle_answer(&oracle), high = oracle_answer(&oracle);
        n_none += isnan(low) ? 1 : 0;
        assert_true(interval.low == low || (isnan(low) && isnan(interval.low)));
        assert_true(interval.high == high || (isnan(high) && isnan(interval.high)));
    }
    assert_true(n_none > 0 && n_none < N_BOOTSTRAPS / 2);
    series_clear(&sides[0].values);
    series_clear(&sides[1].values);
    oracle_close(&oracle);
}

/* Three clusters; the shift of each is 1, so every draw that has them all gives 1. */
static void
test_aggregate_bootstrap__draws_clusters_as_wholes(void **state)
{
    (void)state;
    struct series before = {0}, after = {0};
    const uint32_t clusters[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    struct interval interval;
    for (int i = 0; i < 9; i++) {
        series_add(&before, clusters[i]);
        series_add(&after, clusters[i] + 1);
    }
    assert_int_equal(bootstrap_median_shift(&(struct clustered){&before, clusters},
                                            &(struct clustered){&after, clusters}, 3, 1, &interval),
                     0);
    assert_true(interval.low == 1 && interval.high == 1);
    series_clear(&before);
    series_clear(&after);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregate_wilcoxon__agrees_with_all_signs_and_with_the_approximation),
        cmocka_unit_test(test_aggregate_cliff__agrees_with_counting_pairs),
        cmocka_unit_test(test_aggregate_correlation__agrees_with_fractions),
        cmocka_unit_test(test_aggregate_slopes__agree_with_fractions),
        cmocka_unit_test(test_aggregate_effects__what_is_not_defined_is_a_nan),
        cmocka_unit_test(test_aggregate_bootstrap__same_seed_same_interval_around_the_median),
        cmocka_unit_test(test_aggregate_bootstrap__agrees_with_the_same_draws_of_fractions),
        cmocka_unit_test(test_aggregate_interval__agrees_with_students_distribution),
        cmocka_unit_test(test_aggregate_bootstrap__of_clusters_agrees_to_the_last_bit),
        cmocka_unit_test(test_aggregate_bootstrap__draws_clusters_as_wholes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
