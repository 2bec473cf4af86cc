/*
 * Repo: where a repository keeps its objects and which commit is asked for.
 *
 * Opening reads configuration and refs (config.h, refs.h) and leaves nothing open: the result is
 * plain data, and each thread reads objects through a handle of its own (objects.h).  Nothing is
 * written and nothing in the repository is run.
 */
#ifndef STRATA_GIT_REPO_H
#define STRATA_GIT_REPO_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/map.h"
#include "base/oid.h"

struct repo {
    const char *objects_dir;
    struct oid head;  /* the commit that was asked for */
    struct bytes ref; /* full name of the ref it was found under; empty when detached */
    bool is_shallow;
    bool is_partial; /* a clone that left objects out on purpose */
    bool has_grafts; /* a grafts file, which is not followed */
    bool has_replacements;
    struct map shallow; /* raw ids of the commits whose parents were cut off */
    struct arena arena; /* holds the texts */
};

/*
 * Open the repository in the folder PATH, which must be it or its work tree: no folder further up
 * is tried.  REF is a branch, a tag or a full ref name; empty means HEAD.  On success *OUT is the
 * caller's, to repo_clear.  ERR_INPUT: no repository, no commit yet, no such ref; ERR_DAMAGED: a
 * ref or the configuration cannot be read; ERR_UNSUPPORTED: a format this build lacks.
 */
int repo_open(const char *path, struct bytes ref, struct repo *out, struct err *err);
/* Like repo_open, for any REVISION that `git rev-parse` knows by id, name, ~N or ^N. */
int repo_open_at(const char *path, struct bytes revision, struct repo *out, struct err *err);
/* Free what REPO holds. */
void repo_clear(struct repo *repo);

/* Is COMMIT one whose parents were cut off by a shallow clone? */
bool repo_is_cut(const struct repo *repo, const struct oid *commit);

#endif
