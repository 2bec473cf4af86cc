/*
 * Page check: is the whole of data.mdb such that LMDB can be trusted with it?
 */
#ifndef STRATA_STORE_PAGES_CHECK_H
#define STRATA_STORE_PAGES_CHECK_H

#include <lmdb.h>

#include "store/pages/file.h"

/*
 * Check every page of the snapshot META of the file FD, which the read transaction TXN holds; NULL:
 * nobody writes to FD.  ERR_DAMAGED names page and table; then nothing may be read in TXN.
 */
int page_check(int fd, const struct page_meta *meta, MDB_txn *txn, struct err *err);

#endif
