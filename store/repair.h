/*
 * Repair: a damaged store made usable again, with what of it is whole.
 */
#ifndef STRATA_STORE_REPAIR_H
#define STRATA_STORE_REPAIR_H

#include "store/folder.h"
#include "store/store.h"

/* Build another data file for FOLDER, whose writer's lock is held and whose environment is closed,
 * from what can be read of the damaged one, and put it in place. */
int repair_rebuild(struct folder *folder, struct store_repaired *out, struct err *err);
/* Drop every value of STORE, which is open to write, whose check does not fit. */
int repair_sweep(struct store *store, struct store_repaired *out, struct err *err);

#endif
