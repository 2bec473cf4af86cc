/*
 * Summary: the figures of one agent run, as SlopCodeBench's result.json has them.
 */
#ifndef STRATA_AGGREGATE_RECORDS_RESULT_H
#define STRATA_AGGREGATE_RECORDS_RESULT_H

#include "aggregate/records.h"
#include "aggregate/records/groups.h"
#include "base/json_write.h"

/*
 * Write the result object of RUN, of which SETUP says what its records do not, and for which
 * EXPECTED checkpoints were configured (at least 1).  Every number is what the release's Python
 * writes, to the last bit.  ERR_NOMEM.
 */
int summary_write(const struct group *run, const struct run_setup *setup, uint64_t expected,
                  struct json_writer *json, struct err *err);

#endif
