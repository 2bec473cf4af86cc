/*
 * History: the commits that lead to a head, in an order that dates have no say in.
 *
 * Every commit is read raw and once.  A shallow boundary ends the walk where the clone does; a
 * commit that is missing or cannot be parsed anywhere else means that the repository is damaged.
 * Objects that lie about their id could form a loop: a commit already seen is not entered again.
 * However long a history is, it takes no more memory than a few spills do.
 */
#ifndef STRATA_GIT_HISTORY_H
#define STRATA_GIT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/oid.h"
#include "git/id_map.h"
#include "git/objects.h"
#include "git/spill.h"
#include "git/repo.h"

enum { COMMIT_BYTES_MAX = 16 * 1024 * 1024 };
#define HISTORY_NO_PARENT UINT32_MAX

struct history_commit {
    struct oid id;
    struct oid tree;
    uint32_t first_parent; /* index; HISTORY_NO_PARENT for a root and where the history was cut */
    uint16_t n_parents;    /* as stored */
    bool is_cut;           /* its parents are not in a shallow clone: what it changed is unknown */
};

/* Which commits a walk meets. */
enum history_extent { HISTORY_CHAIN /* first parents */, HISTORY_WHOLE };

struct history {
    struct spill commits; /* in the order they were met, see history_get */
    bool is_oldest_first; /* that order */
    size_t n_commits;
    size_t n_single; /* with fewer than two parents */
    size_t n_cut;
};

/*
 * Walk from HEAD through REPO.  HISTORY_CHAIN is the first parents.  HISTORY_WHOLE is in
 * reverse of this order: a commit after all its parents, the first parent's side before the
 * second's.  On success *OUT is the caller's, to history_clear.  ERR_DAMAGED, ERR_NOMEM,
 * ERR_STOPPED.
 */
int history_walk(const struct repo *repo, struct objects *objects, const struct oid *head,
                 enum history_extent extent, struct history *out, struct err *err);
void history_clear(struct history *history);
/* Commit I of HISTORY, counted from the newest: a commit stands before its parents.  ERR_IO. */
int
history_get(const struct history *history, size_t i, struct history_commit *out, struct err *err);

#endif
