/*
 * Definition: everything that made a report what it is, as JSON.
 */
#ifndef STRATA_AGGREGATE_REPORT_SECTIONS_DEFINITION_H
#define STRATA_AGGREGATE_REPORT_SECTIONS_DEFINITION_H

#include "aggregate/report/sections/sections.h"

/* Append a JSON object: profile, versions, sampling, filters and choices.  PANEL may be NULL. */
void
definition_write(const struct context *context, const struct scored_panel *panel, struct buf *out);

#endif
