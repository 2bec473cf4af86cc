/*
 * Selections: verbosity under each selection of the built-in rules, side by side.
 */
#ifndef STRATA_AGGREGATE_REPORT_SECTIONS_SELECTIONS_H
#define STRATA_AGGREGATE_REPORT_SECTIONS_SELECTIONS_H

#include "aggregate/report/sections/sections.h"

/* Score the store again under each selection and add tables of them to SECTION; a note instead
 * where they would say nothing.  0, or -1 with context->err set. */
int selections_add(struct context *context, struct section *section);

#endif
