/*
 * Mass: complexity weighted by size.
 */
#ifndef STRATA_AGGREGATE_SCORE_MASS_H
#define STRATA_AGGREGATE_SCORE_MASS_H

#include <math.h>

#include "manifests/manifests.h"

/* COMPLEXITY times the size term SIZE of SLOC source lines; 0 without a source line. */
static inline double
mass_of(double complexity, double sloc, enum profile_size_term size)
{
    if (!(sloc > 0))
        return 0;
    switch (size) {
    case SIZE_NONE:
        return complexity;
    case SIZE_LINEAR:
        return complexity * sloc;
    case SIZE_SQRT:
        break;
    }
    return complexity * sqrt(sloc);
}

#endif
