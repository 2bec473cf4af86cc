/*
 * Predict: does a measure of a checkpoint tell what the next one will be like?
 */
#ifndef STRATA_AGGREGATE_REPORT_STUDY_PREDICT_H
#define STRATA_AGGREGATE_REPORT_STUDY_PREDICT_H

#include "aggregate/report/study/study.h"

struct prediction {
    size_t n;                    /* pairs of neighbours */
    double pass, cost;           /* Pearson with the next pass rate, the next cost */
    double pass_rank, cost_rank; /* the same of ranks */
};

/* What is known of POINT before the next one; NaN for nothing. */
typedef double point_value(const struct point *point, const void *context);

/* Over the compared agents' pairs of checkpoints i and i + 1, both there and the first kept, whose
 * VALUE is given CONTEXT.  ERR_NOMEM. */
int predict(const struct study *study, point_value *value, const void *context,
            const struct report_options *options, struct prediction *out, struct err *err);
/* The value of the measure that the enum measure at CONTEXT names. */
double point_measure(const struct point *point, const void *context);

#endif
