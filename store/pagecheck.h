/*
 * Page check: is the whole of data.mdb such that LMDB can be trusted with it?
 */
#ifndef STRATA_STORE_PAGECHECK_H
#define STRATA_STORE_PAGECHECK_H

#include "store/pagefile.h"

/*
 * Check every page of the snapshot META of the file FD, which must not be reused meanwhile: hold a
 * read transaction.  ERR_DAMAGED names page and table.
 */
int page_check(int fd, const struct page_meta *meta, struct err *err);

#endif
