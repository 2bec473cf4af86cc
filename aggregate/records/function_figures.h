/*
 * Function figures: complexity and mass of a snapshot from the list of its functions, by the
 * formulas of SlopCodeBench's release and in its order of additions.
 */
#ifndef STRATA_AGGREGATE_RECORDS_FUNCTION_FIGURES_H
#define STRATA_AGGREGATE_RECORDS_FUNCTION_FIGURES_H

#include <stddef.h>

#include "aggregate/stats/series.h"
#include "base/json_write.h"

/* Write the members cc_* and mass.* into the open object of JSON for functions of complexity
 * COMPLEXITY[i] and SLOC[i] source lines.  Sets COMPLEXITY->failed when memory is out. */
void function_figures_write(struct series *complexity, const struct series *sloc,
                            struct json_writer *json);

#endif
