/*
 * Params: how a trajectory was made, as the JSON object that the store keeps with it.
 */
#ifndef STRATA_MINER_PARAMS_H
#define STRATA_MINER_PARAMS_H

#include "base/buf.h"
#include "manifests/manifests.h"
#include "miner/miner.h"

/* Append the object to OUT; the same options give the same bytes.  It has everything that decides
 * which commits are chosen and which files are listed, and nothing else. */
void params_write(const struct miner_options *options, const struct source_filter *filter,
                  struct buf *out);

#endif
