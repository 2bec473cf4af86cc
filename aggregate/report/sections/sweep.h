/*
 * Sweep: the same findings under many variants of a profile.
 */
#ifndef STRATA_AGGREGATE_REPORT_SECTIONS_SWEEP_H
#define STRATA_AGGREGATE_REPORT_SECTIONS_SWEEP_H

#include "aggregate/report/study/predict.h"
#include "aggregate/report/sections/sections.h"

/* The findings for one measure under one profile. */
struct finding {
    struct stats human, agents;      /* repositories at head, agents pooled */
    double human_slope, agent_slope; /* medians of least squares */
    struct prediction prediction;
};

/* A profile, and the measure that it is a variant of. */
struct variant {
    struct profile profile;
    enum measure measure;
    struct finding finding;
};

/* Score the store under the N_VARIANTS VARIANTS and fill in their findings.  0, or -1 with
 * context->err set. */
int sweep_run(struct context *context, struct variant *variants, size_t n_variants);

#endif
