/*
 * Same: does the store hold a trajectory just as it is?
 */
#ifndef STRATA_RUNNER_SAME_H
#define STRATA_RUNNER_SAME_H

#include "store/store.h"

/* 1 when READER has TRAJECTORY with these checkpoints, 0 when not or damaged, -1. */
int same_trajectory(struct store_reader *reader, const struct store_trajectory *trajectory,
                    const struct store_checkpoint *checkpoints, size_t n, struct err *err);

#endif
