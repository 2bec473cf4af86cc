/*
 * Plot: one measure of a table as an SVG picture, for reports in HTML.
 *
 * Points stand over the texts of one column, side by side where a second column parts them into
 * series, with whiskers for a deviation or an interval and a dashed mark for the paper's value.
 */
#ifndef STRATA_AGGREGATE_REPORT_PLOT_H
#define STRATA_AGGREGATE_REPORT_PLOT_H

#include "aggregate/report/document.h"

/* Append PLOT; nothing when its table has no value to show. */
void plot_write(const struct plot *plot, struct buf *out);

#endif
