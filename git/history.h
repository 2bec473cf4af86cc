/*
 * History: the commits that lead to a head, in an order that does not depend on dates.
 *
 * Every commit is read once, as raw bytes.  The walk ends at the boundary of a shallow clone;
 * anywhere else a commit that is missing or cannot be parsed means that the repository is damaged.
 * Objects with a false id could form a cycle, so a commit already seen is not entered again.  The
 * memory does not grow with the history: lists are spills (spill.h).
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

/* Which commits a walk visits. */
enum history_extent { HISTORY_CHAIN /* first parents */, HISTORY_WHOLE };

struct history {
    struct spill commits; /* in the order they were visited, see history_get */
    bool is_oldest_first; /* that order */
    size_t n_commits;
    size_t n_single; /* with fewer than two parents */
    size_t n_cut;
};

/*
 * Walk from HEAD through REPO.  HISTORY_CHAIN visits first parents only, from HEAD on.
 * HISTORY_WHOLE visits all commits, each after all its parents, the first parent's side before
 * the second's.  On success *OUT is the caller's, to history_clear.  ERR_DAMAGED, ERR_NOMEM,
 * ERR_STOPPED.
 */
int history_walk(const struct repo *repo, struct objects *objects, const struct oid *head,
                 enum history_extent extent, struct history *out, struct err *err);
/* Free what HISTORY holds. */
void history_clear(struct history *history);
/* Commit I of HISTORY, counted from the newest: a commit comes before its parents.  ERR_IO. */
int
history_get(const struct history *history, size_t i, struct history_commit *out, struct err *err);

#endif
