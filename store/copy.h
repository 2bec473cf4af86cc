/*
 * Copy: what is in one store into another, decoded and encoded anew.
 */
#ifndef STRATA_STORE_COPY_H
#define STRATA_STORE_COPY_H

#include "store/env.h"
#include "store/store.h"

/* Copy all of SOURCE but what OPTIONS drop into TARGET and commit it. */
int
copy_store(struct store *source, struct store *target, const struct store_compact_options *options,
           struct store_copied *out, struct err *err);

#endif
