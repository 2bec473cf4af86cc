/*
 * Backend: libgit2's object database over a reader of our own.
 *
 * libgit2 then does not open packs, indexes or objects itself: whatever is read through its
 * interface (revisions, trees, tags) is read here.
 */
#ifndef STRATA_GIT_ODB_BACKEND_H
#define STRATA_GIT_ODB_BACKEND_H

#include "git/odb/odb.h"

typedef struct git_odb git_odb;

/*
 * Make *OUT, a database of libgit2 whose only backend reads from ODB, which it takes (also when it
 * fails).  On success *OUT is the caller's, to git_odb_free.  Nothing can be written to it.
 */
int odb_backend_create(struct odb *odb, git_odb **out, struct err *err);

#endif
