/*
 * Git dir: where the parts of a repository are.
 *
 * A repository is a folder with HEAD, objects and refs, or a work tree whose ".git" is one or is a
 * file that names one.  A linked work tree has a file "commondir" that names the folder
 * of everything but its HEAD.
 */
#ifndef STRATA_GIT_GIT_DIR_H
#define STRATA_GIT_GIT_DIR_H

#include "base/arena.h"
#include "base/err.h"

struct git_dir {
    const char *own;    /* HEAD is here; ends in '/' */
    const char *common; /* refs, objects, config, shallow are here; ends in '/' */
};

/*
 * Find the repository in PATH or in its ".git", not further up; texts are in ARENA.  ERR_INPUT:
 * there is not one, or it cannot be entered.  ERR_DAMAGED: ".git" or "commondir" cannot be read.
 */
int git_dir_find(const char *path, struct arena *arena, struct git_dir *out, struct err *err);

#endif
