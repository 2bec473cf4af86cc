/*
 * Result: the figures of one agent run, as SlopCodeBench's result.json has them.
 */
#ifndef STRATA_AGGREGATE_RECORDS_RESULT_H
#define STRATA_AGGREGATE_RECORDS_RESULT_H

#include "aggregate/records.h"
#include "aggregate/records/groups.h"
#include "base/json_write.h"

/*
 * Write the result object of RUN.  SETUP counts where the records do not say; EXPECTED, at least 1,
 * is the number of configured checkpoints.  Every number is what the release's Python writes, to
 * the last bit.  0, or -1 with ERR_NOMEM.
 */
int summary_write(const struct group *run, const struct run_setup *setup, uint64_t expected,
                  struct json_writer *json, struct err *err);

#endif
