/*
 * Same: does the store hold a trajectory already, unchanged?
 */
#ifndef STRATA_RUNNER_SAME_H
#define STRATA_RUNNER_SAME_H

#include "store/store.h"

/*
 * Does READER have TRAJECTORY with these N CHECKPOINTS, equal in every field?  1; 0 when it does
 * not or what it has is damaged; -1 with *err.
 */
int same_trajectory(struct store_reader *reader, const struct store_trajectory *trajectory,
                    const struct store_checkpoint *checkpoints, size_t n, struct err *err);

#endif
