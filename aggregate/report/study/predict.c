/*
 * Predicting the next checkpoint.
 *
 * Pairs are collected into two series, one for pass rates and one for costs, as either may be
 * missing; each is correlated by value and by rank.
 */
#include "aggregate/report/study/predict.h"

#include "aggregate/stats/stats.h"

/* A value of a checkpoint and one of the next. */
struct pairs {
    struct series measure, next;
};

static void
add_pair(struct pairs *pairs, double measure, double next)
{
    if (!isfinite(measure) || !isfinite(next))
        return;
    series_add(&pairs->measure, measure);
    series_add(&pairs->next, next);
}

static enum field
rate_field(enum pass_rate rate)
{
    switch (rate) {
    case PASS_ISOLATED:
        return FIELD_ISOLATED_PASS_RATE;
    case PASS_CORE:
        return FIELD_CORE_PASS_RATE;
    case PASS_STRICT:
        break;
    }
    return FIELD_STRICT_PASS_RATE;
}

/* Correlate PAIRS and free them.  -1: memory is out. */
static int
correlate(struct pairs *pairs, double *pearson, double *spearman)
{
    series_keep_paired(&pairs->measure, &pairs->next);
    *pearson = stats_pearson(&pairs->measure, &pairs->next);
    *spearman = stats_spearman(&pairs->measure, &pairs->next);
    bool failed = pairs->measure.failed || pairs->next.failed;
    series_clear(&pairs->measure);
    series_clear(&pairs->next);
    return failed ? -1 : 0;
}

double
point_measure(const struct point *point, const void *context)
{
    const enum measure *measure = context;
    return point->measures[*measure];
}

int
predict(const struct study *study, point_value *value, const void *context,
        const struct report_options *options, struct prediction *out, struct err *err)
{
    enum field rate = rate_field(options->predicted);
    struct pairs pass = {0}, cost = {0};
    *out = (struct prediction){0};
    for (size_t i = 0; i < study->n_trajectories; i++) {
        const struct trajectory *trajectory = &study->trajectories[i];
        for (size_t k = 0; trajectory->is_compared && k + 1 < trajectory->n_points; k++) {
            const struct point *now = &trajectory->points[k], *next = &trajectory->points[k + 1];
            if (!now->is_kept || next->x != now->x + 1 || !next->record)
                continue;
            if (options->predict_no_failures && !(record_value(next->record, FIELD_COST) > 0))
                continue;
            double known = value(now, context);
            out->n += isnan(known) ? 0 : 1;
            add_pair(&pass, known, record_value(next->record, rate));
            add_pair(&cost, known, record_value(next->record, FIELD_COST));
        }
    }
    int of_pass = correlate(&pass, &out->pass, &out->pass_rank);
    int of_cost = correlate(&cost, &out->cost, &out->cost_rank);
    return of_pass < 0 || of_cost < 0 ? err_nomem(err, "pairs of checkpoints") : 0;
}
