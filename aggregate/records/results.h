/*
 * Results: what the result.json files of runs say, with rates that are of one denominator.
 *
 * Files from before `expected_checkpoints` divide by the checkpoints a run happens to have.  As in
 * the release's consolidation of runs, the largest number of checkpoints among all that are read
 * stands for what is missing, and rates are made anew from the counts.
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
    double mean, stddev; /* NaN where the file has none, also below */
};

struct run_result {
    struct run_setup setup;
    double n_problems, n_checkpoints;
    double expected; /* NaN when neither this file nor another says */
    bool is_filled;  /* expected is the largest number of checkpoints of all */
    double strict, isolated, core, partial, solved; /* counts */
    struct result_spread cost, duration, erosion, verbosity;
    double net_cost, tokens;
};

struct results {
    struct run_result *items; /* in order of reading */
    size_t n_items, capacity;
    double largest; /* number of checkpoints */
    size_t n_filled;
    struct arena arena;
};

void results_init(struct results *results);
void results_clear(struct results *results);
/*
 * Append what TEXT, which ORIGIN names, holds: one result object, or lines of them, each bare or as
 * "result" beside model, variant and run.  A run without a name has that of ORIGIN's folder.  What
 * is no result is left out and said in NOTES.  1 when a line was no JSON, else 0; -1, ERR_NOMEM.
 */
int results_read(struct results *results, struct bytes text, const char *origin, struct buf *notes,
                 struct err *err);
/* Fill what is missing, once all is read. */
void results_fill(struct results *results);

#endif
