/*
 * Mine print: what became of each repository of a run, as a table or as JSON lines.
 */
#ifndef STRATA_CLI_MINE_PRINT_H
#define STRATA_CLI_MINE_PRINT_H

#include "base/buf.h"
#include "miner/miner.h"

/* Append a row per repository, what is missing and why, and a line of sums to OUT. */
void mine_print_table(const struct miner_repository *repositories,
                      const struct miner_result *results, size_t n, struct buf *out);
/* Append a JSON line per repository to OUT. */
void mine_print_json(const struct miner_repository *repositories,
                     const struct miner_result *results, size_t n, struct buf *out);

/* Append the head of a table of counts to OUT. */
void mine_print_counts_head(struct buf *out);
/* Append the COUNTS of the repository ID to OUT, as a row or a JSON line.  WHY is the reason when
 * it could not be counted, else NULL. */
void mine_print_counts(struct bytes id, const struct miner_counts *counts, const char *why,
                       bool as_json, struct buf *out);

/* Append a line with the number of blobs whose hits of unchanged rules were taken over, and the
 * number of rules that were run for them.  Nothing when N_BLOBS is 0. */
void mine_print_taken_over(uint64_t n_blobs, uint32_t n_rules_run, struct buf *out);

#endif
