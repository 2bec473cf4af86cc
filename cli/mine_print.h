/*
 * Mine print: the closing table of a run.
 */
#ifndef STRATA_CLI_MINE_PRINT_H
#define STRATA_CLI_MINE_PRINT_H

#include "base/buf.h"
#include "miner/miner.h"

/* A row per repository, what is missing and why, and a line of sums. */
void mine_print_table(const struct miner_repository *repositories,
                      const struct miner_result *results, size_t n, struct buf *out);
/* A JSON line per repository. */
void mine_print_json(const struct miner_repository *repositories,
                     const struct miner_result *results, size_t n, struct buf *out);

/* What was found of one repository by counting, as a row or a JSON line.  WHY says why nothing
 * was; NULL otherwise. */
void mine_print_counts_head(struct buf *out);
void mine_print_counts(struct bytes id, const struct miner_counts *counts, const char *why,
                       bool as_json, struct buf *out);

/* A line that says of how many blobs hits were taken over, and how many rules were run for them;
 * nothing when of none. */
void mine_print_taken_over(uint64_t n_blobs, uint32_t n_rules_run, struct buf *out);

#endif
