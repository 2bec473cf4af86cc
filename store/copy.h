/*
 * Copy: the values of one store into another, decoded and encoded again.
 */
#ifndef STRATA_STORE_COPY_H
#define STRATA_STORE_COPY_H

#include "store/env.h"
#include "store/store.h"

/* Copy everything of SOURCE except what OPTIONS drop (NULL: nothing) into TARGET and commit it.  0,
 * or -1 with ERR_DAMAGED when a value of SOURCE is damaged, ERR_STOPPED, or as puts fail. */
int
copy_store(struct store *source, struct store *target, const struct store_compact_options *options,
           struct store_copied *out, struct err *err);

#endif
