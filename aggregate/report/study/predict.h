/*
 * Predict: the correlation of a value of a checkpoint with pass rate and cost of the next.
 */
#ifndef STRATA_AGGREGATE_REPORT_STUDY_PREDICT_H
#define STRATA_AGGREGATE_REPORT_STUDY_PREDICT_H

#include "aggregate/report/study/study.h"

struct prediction {
    size_t n;                    /* pairs of consecutive checkpoints */
    double pass, cost;           /* Pearson, with the pass rate and the cost of the next */
    double pass_rank, cost_rank; /* Spearman */
};

/* The value of POINT that may predict; NaN if it has none. */
typedef double point_value(const struct point *point, const void *context);

/*
 * Correlate over all pairs of checkpoints i and i + 1 of the compared agents where i is kept and i
 * + 1 has a record.  VALUE is called with CONTEXT.  0, or -1 with ERR_NOMEM.
 */
int predict(const struct study *study, point_value *value, const void *context,
            const struct report_options *options, struct prediction *out, struct err *err);
/* A point_value: the measure of POINT that CONTEXT, an enum measure *, names. */
double point_measure(const struct point *point, const void *context);

#endif
