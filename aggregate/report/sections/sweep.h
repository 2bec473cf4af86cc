/*
 * Sweep: findings under many definitions of the measures.
 */
#ifndef STRATA_AGGREGATE_REPORT_SECTIONS_SWEEP_H
#define STRATA_AGGREGATE_REPORT_SECTIONS_SWEEP_H

#include "aggregate/report/study/predict.h"
#include "aggregate/report/sections/sections.h"

/* What one definition of one measure comes to. */
struct finding {
    struct stats human, agents;      /* repositories at head, agents pooled */
    double human_slope, agent_slope; /* medians of least squares */
    struct prediction prediction;
};

/* A definition of erosion or of verbosity. */
struct variant {
    struct profile profile;
    enum measure measure;
    struct finding finding;
};

/* Score the store under every variant and fill their findings. */
int sweep_run(struct context *context, struct variant *variants, size_t n_variants);

#endif
