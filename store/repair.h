/*
 * Repair: make a damaged store usable again, with those of its values that are intact.
 */
#ifndef STRATA_STORE_REPAIR_H
#define STRATA_STORE_REPAIR_H

#include "store/folder.h"
#include "store/store.h"

/* Replace the data file of FOLDER by one built from what can be read of it.  FOLDER has the
 * writer's lock and its environment is closed.  *OUT says what was done.  0, or -1: ERR_BUSY,
 * ERR_FULL, ERR_IO, ERR_NOMEM. */
int repair_rebuild(struct folder *folder, struct store_repaired *out, struct err *err);
/* Delete every value of STORE, which is open to write, whose check is wrong, and count it in OUT.
 */
int repair_sweep(struct store *store, struct store_repaired *out, struct err *err);

#endif
