/*
 * Revision: from the id of a commit or a tree to a folder in it.
 */
#ifndef STRATA_GIT_REVISION_H
#define STRATA_GIT_REVISION_H

#include "git/objects.h"

/*
 * Find the tree of ID, a commit or a tree.  *TREE is its id, *COMMIT is ID when that is a commit
 * and has len 0 otherwise.  ERR_DAMAGED: ID or its commit cannot be read.
 */
int revision_find_tree(struct objects *objects, const struct oid *id, struct oid *commit,
                       struct oid *tree, struct err *err);

/*
 * Move *TREE, the id of a tree, to that of the folder PATH below it.  Empty parts of PATH and "."
 * are skipped.  ERR_INPUT: there is no such folder; ERR_DAMAGED: a tree on the way cannot
 * be read; ERR_NOMEM.
 */
int
revision_find_folder(struct objects *objects, struct bytes path, struct oid *tree, struct err *err);

#endif
