/*
 * Definition: all choices and inputs that a report depends on, as JSON.
 */
#ifndef STRATA_AGGREGATE_REPORT_SECTIONS_DEFINITION_H
#define STRATA_AGGREGATE_REPORT_SECTIONS_DEFINITION_H

#include "aggregate/report/sections/sections.h"

/* Append a JSON object with profile, versions, sampling, filters and choices to OUT.  PANEL may be
 * NULL. */
void
definition_write(const struct context *context, const struct scored_panel *panel, struct buf *out);

#endif
