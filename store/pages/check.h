/*
 * Page check: can LMDB be trusted with all of data.mdb?
 */
#ifndef STRATA_STORE_PAGES_CHECK_H
#define STRATA_STORE_PAGES_CHECK_H

#include <lmdb.h>

#include "store/pages/file.h"

/*
 * Check every page of the snapshot META of the file FD, which the read transaction TXN keeps from
 * being overwritten (NULL: nobody writes to FD).  0, or -1: ERR_DAMAGED names page and table, and
 * nothing may be read in TXN; ERR_IO, ERR_NOMEM.
 */
int page_check(int fd, const struct page_meta *meta, MDB_txn *txn, struct err *err);

#endif
