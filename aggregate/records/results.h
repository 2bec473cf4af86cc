/*
 * Results: the figures in the result.json files of runs, with one denominator for their rates.
 *
 * Older files have no `expected_checkpoints` and divide by the checkpoints that the run has.  As in
 * the release's consolidation of runs, the largest number of checkpoints of all files read takes
 * its place, and rates are computed again from the counts.
 */
#ifndef STRATA_AGGREGATE_RECORDS_RESULTS_H
#define STRATA_AGGREGATE_RECORDS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "aggregate/records.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct result_spread {
    double mean, stddev; /* NaN if the file does not have it, here and below */
};

struct run_result {
    struct run_setup setup;
    double n_problems, n_checkpoints;
    double expected; /* configured checkpoints; NaN if not known */
    bool is_filled;  /* expected is the largest number of checkpoints of all files */
    double strict, isolated, core, partial, solved; /* counts */
    struct result_spread cost, duration, erosion, verbosity;
    double net_cost, tokens;
};

struct results {
    struct run_result *items; /* in order of reading */
    size_t n_items, capacity;
    double largest;  /* number of checkpoints of a file */
    size_t n_filled; /* items with is_filled */
    struct arena arena;
};

/* Make RESULTS empty. */
void results_init(struct results *results);
/* Free the memory of RESULTS. */
void results_clear(struct results *results);
/*
 * Append the results in TEXT: one result object, or JSON lines of result objects or of lines that
 * `strata summary` prints.  A run without a name gets the name of the folder of ORIGIN, the path of
 * TEXT. What is not a result is left out, and a line in NOTES says so.  1 if a line was not JSON,
 * else 0; -1 with ERR_NOMEM.
 */
int results_read(struct results *results, struct bytes text, const char *origin, struct buf *notes,
                 struct err *err);
/* Fill in the expected checkpoints that are missing, once all files are read. */
void results_fill(struct results *results);

#endif
