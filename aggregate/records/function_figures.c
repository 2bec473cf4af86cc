/*
 * The figures of a list of functions: mean, deviation, maximum and concentration of complexity, and
 * mass.
 *
 * Sums are plain sums of doubles in the order of the list where the release adds so, and exact
 * means where it calls Python's statistics module, so that every figure is the release's to the
 * last bit.
 */
#include "aggregate/records/function_figures.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "aggregate/stats/exact.h"

enum { HIGH_CC = 10, EXTREME_CC = 30, LEAST_WEIGHT = 50 };

/* How unevenly complexity is distributed: 0 if evenly, 1 if one function has all of it. */
static double
normalized(const struct series *cc, double mean)
{
    double squares = 0, sum = 0;
    for (size_t i = 0; i < cc->n; i++) {
        squares += cc->values[i] * cc->values[i];
        sum += cc->values[i];
    }
    double base = (double)cc->n * (mean * mean);
    double weight = fmax(sum, LEAST_WEIGHT) * fmax(sum, LEAST_WEIGHT);
    return weight <= base ? 0 : (squares - base) / (weight - base);
}

/* The Gini coefficient of ascending positive values; 0 for fewer than two. */
static double
gini(const struct series *positive)
{
    double k = (double)positive->n, sum = 0, weighted = 0;
    for (size_t i = 0; i < positive->n; i++) {
        sum += positive->values[i];
        weighted += (double)(i + 1) * positive->values[i];
    }
    return positive->n <= 1 ? 0 : (2 * weighted - (k + 1) * sum) / (k * sum);
}

/* The share of the largest fifth of ascending positive values in their sum; 0 for fewer than two.
 */
static double
top_fifth(const struct series *positive)
{
    if (positive->n <= 1)
        return 0;
    size_t n_top = (positive->n + 4) / 5;
    double sum = 0, top = 0;
    for (size_t i = 0; i < positive->n; i++) {
        sum += positive->values[i];
        if (i >= positive->n - n_top)
            top += positive->values[i];
    }
    return top / sum;
}

/* VALUE with two decimals, as Python's round(value, 2) does it. */
static double
round_to_cents(double value)
{
    char text[400];
    snprintf(text, sizeof(text), "%.2f", value);
    return strtod(text, NULL);
}

static void
write_masses(const struct series *cc, const struct series *sloc, struct json_writer *json)
{
    double total = 0, high = 0;
    for (size_t i = 0; i < cc->n; i++) {
        if (sloc->values[i] <= 0)
            continue;
        double mass = cc->values[i] * sqrt(sloc->values[i]);
        total += mass;
        if (cc->values[i] > HIGH_CC)
            high += mass;
    }
    json_member_double(json, "mass.cc", round_to_cents(total));
    json_member_double(json, "mass.high_cc_pct", total == 0 ? 0 : high / total);
}

void
function_figures_write(struct series *complexity, const struct series *sloc,
                       struct json_writer *json)
{
    struct series positive = {0}, high = {0};
    uint64_t n_extreme = 0;
    for (size_t i = 0; i < complexity->n; i++) {
        double cc = complexity->values[i];
        if (cc > 0)
            series_add(&positive, cc);
        if (cc > HIGH_CC)
            series_add(&high, cc);
        n_extreme += cc > EXTREME_CC;
    }
    series_sort(&positive);
    size_t n = complexity->n;
    double mean = n ? exact_mean(complexity->values, n) : 0;
    json_member_double(json, "cc_mean", mean);
    json_member_double(json, "cc_std", n > 1 ? exact_stdev(complexity->values, n) : 0);
    json_member_double(json, "cc_max", positive.n ? positive.values[positive.n - 1] : 0);
    json_member_u64(json, "cc_high_count", high.n);
    json_member_u64(json, "cc_extreme_count", n_extreme);
    json_member_double(json, "high_cc_mean", high.n ? exact_mean(high.values, high.n) : 0);
    json_member_double(json, "cc_normalized", normalized(complexity, mean));
    json_member_double(json, "cc_concentration", gini(&positive));
    json_member_double(json, "cc_top20", top_fifth(&positive));
    write_masses(complexity, sloc, json);
    complexity->failed = complexity->failed || positive.failed || high.failed;
    series_clear(&positive);
    series_clear(&high);
}
