#include <math.h>
#include <string.h>

#include "aggregate/stats/compensated.h"
#include "aggregate/stats/exact.h"
#include "aggregate/stats/stats.h"
#include "../oracle.h"

static double
sum(const double *values, size_t n)
{
    struct compensated total = {0};
    for (size_t i = 0; i < n; i++)
        compensated_add(&total, values[i]);
    return compensated_value(&total);
}

static void
test_aggregate_compensated__loses_nothing_where_plain_addition_does(void **state)
{
    (void)state;
    const double tenths[] = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    assert_true(sum(tenths, 10) == 1.0);
    assert_true(sum((const double[]){1e16, 1.0, -1e16}, 3) == 1.0);
    assert_true(sum(NULL, 0) == 0);
    assert_true(isinf(sum((const double[]){INFINITY, 1.0}, 2)));
}

static void
test_aggregate_exact__known_values(void **state)
{
    (void)state;
    double thirds[] = {0.1, 0.2, 0.4}, powers[] = {1, 2, 4, 8};
    assert_true(exact_mean(thirds, 3) == 0.23333333333333334);
    assert_true(exact_stdev(thirds, 3) == 0.15275252316519466);
    assert_true(exact_mean(powers, 4) == 3.75);
    assert_true(exact_stdev(powers, 4) == 3.095695936834452);
    assert_true(exact_stdev((const double[]){5, 5, 5}, 3) == 0);
    assert_true(exact_mean((const double[]){0, -0.0}, 2) == 0);
}

static void
test_aggregate_exact__the_whole_range_of_doubles(void **state)
{
    (void)state;
    const double huge[] = {1.7976931348623157e308, 1.7976931348623157e308};
    const double tiny[] = {5e-324, 0};
    const double both[] = {1.7976931348623157e308, -1.7976931348623157e308, 5e-324};
    assert_true(exact_mean(huge, 2) == 1.7976931348623157e308);
    assert_true(exact_stdev(huge, 2) == 0);
    assert_true(exact_mean(tiny, 2) == 0);       /* half of the least, to even */
    assert_true(exact_stdev(tiny, 2) == 5e-324); /* 0.707 of the least */
    assert_true(exact_mean(both, 3) == 0);
    assert_true(isinf(exact_stdev(both, 3)) || exact_stdev(both, 3) > 1.7e308);
    assert_true(isinf(exact_mean((const double[]){INFINITY, 1}, 2)));
    assert_true(isnan(exact_stdev((const double[]){INFINITY, 1}, 2)));
}

/* Random series of several shapes: near ties, wide exponents, integers, many equal values. */
static size_t
random_series(uint64_t *seed, double *values)
{
    size_t n = 1 + oracle_random(seed) % 40;
    uint64_t shape = oracle_random(seed) % 5;
    for (size_t i = 0; i < n; i++) {
        double unit = (double)(oracle_random(seed) >> 11) / 9007199254740992.0;
        int spread = (int)(oracle_random(seed) % 400) - 200;
        values[i] = shape == 0   ? unit
                    : shape == 1 ? ldexp(unit - 0.5, spread * 5)
                    : shape == 2 ? (double)(oracle_random(seed) % 7)
                    : shape == 3 ? 1e9 + unit
                                 : ldexp(unit - 0.5, spread / 20);
    }
    return n;
}

static void
test_aggregate_exact__agrees_with_fractions_bit_for_bit(void **state)
{
    (void)state;
    enum { N_SERIES = 1000 };
    struct oracle oracle;
    double values[64];
    uint64_t seed = 1;
    oracle_open(&oracle);
    for (int i = 0; i < N_SERIES; i++)
        oracle_ask(&oracle, values, random_series(&seed, values));
    oracle_run(&oracle, "moments");
    seed = 1;
    for (int i = 0; i < N_SERIES; i++) {
        size_t n = random_series(&seed, values);
        double mean = oracle_answer(&oracle), stdev = oracle_answer(&oracle);
        assert_true(exact_mean(values, n) == mean);
        if (n > 1)
            assert_true(exact_stdev(values, n) == stdev);
    }
    oracle_close(&oracle);
}

static void
test_aggregate_stats__order_agrees_with_fractions(void **state)
{
    (void)state;
    enum { N_SERIES = 300 };
    static const double shares[] = {0.025, 0.25, 0.9, 0.975};
    struct oracle oracle;
    struct series series = {0};
    double values[64];
    uint64_t seed = 9;
    oracle_open(&oracle);
    for (int i = 0; i < N_SERIES; i++)
        oracle_ask(&oracle, values, random_series(&seed, values));
    oracle_run(&oracle, "order");
    seed = 9;
    for (int i = 0; i < N_SERIES; i++) {
        series_reset(&series);
        size_t n = random_series(&seed, values);
        for (size_t k = 0; k < n; k++)
            series_add(&series, values[k]);
        struct stats stats = stats_of(&series);
        assert_true(stats.min == oracle_answer(&oracle));
        assert_true(stats.max == oracle_answer(&oracle));
        assert_true(stats.median == oracle_answer(&oracle));
        series_sort(&series);
        double span = fmax(fabs(stats.min), fabs(stats.max));
        for (size_t k = 0; k < 4; k++)
            assert_true(fabs(stats_sorted_quantile(&series, shares[k]) - oracle_answer(&oracle)) <=
                        1e-14 * span);
    }
    series_clear(&series);
    oracle_close(&oracle);
}

static void
test_aggregate_stats__empty_and_single(void **state)
{
    (void)state;
    struct series series = {0};
    struct stats none = stats_of(&series);
    assert_true(none.n == 0 && isnan(none.mean) && isnan(none.median));
    series_add(&series, 7);
    struct stats one = stats_of(&series);
    assert_true(one.n == 1 && one.mean == 7 && isnan(one.stddev) && one.median == 7);
    series_clear(&series);
}

static void
test_aggregate_stats__interval_of_the_mean(void **state)
{
    (void)state;
    struct series series = {0};
    for (int i = 1; i <= 8; i *= 2)
        series_add(&series, i);
    struct stats stats = stats_of(&series);
    double half = stats_t_half_width(&stats);
    assert_true(stats.mean - half == -1.1752522355036126);
    assert_true(stats.mean + half == 8.675252235503613);
    series_clear(&series);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregate_compensated__loses_nothing_where_plain_addition_does),
        cmocka_unit_test(test_aggregate_exact__known_values),
        cmocka_unit_test(test_aggregate_exact__the_whole_range_of_doubles),
        cmocka_unit_test(test_aggregate_exact__agrees_with_fractions_bit_for_bit),
        cmocka_unit_test(test_aggregate_stats__order_agrees_with_fractions),
        cmocka_unit_test(test_aggregate_stats__empty_and_single),
        cmocka_unit_test(test_aggregate_stats__interval_of_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
