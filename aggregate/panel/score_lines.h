/*
 * Score lines: the columns of a line of `strata score`.
 */
#ifndef STRATA_AGGREGATE_PANEL_SCORE_LINES_H
#define STRATA_AGGREGATE_PANEL_SCORE_LINES_H

#include "aggregate/rows/row.h"

/* A checkpoint and its score.  The struct is private to score_lines.c. */
extern const struct row_kind score_line_row_kind;

#endif
