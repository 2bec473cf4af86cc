/*
 * Plot: one column of a table as an SVG picture, for reports in HTML.
 *
 * Each row is a point above its place on the x axis, side by side for several series, with whiskers
 * for a deviation or an interval and a dashed mark for the paper's value.
 */
#ifndef STRATA_AGGREGATE_REPORT_PLOT_H
#define STRATA_AGGREGATE_REPORT_PLOT_H

#include "aggregate/report/document.h"

/* Append PLOT to OUT as one svg element; nothing if its table has no value. */
void plot_write(const struct plot *plot, struct buf *out);

#endif
