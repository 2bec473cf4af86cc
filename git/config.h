/*
 * Config: the few settings of a repository that matter to a reader.
 *
 * Only the repository's own file "config" is read, as git does for the settings that describe the
 * layout of a repository.  Includes are not followed: they name files outside of the repository,
 * may form a cycle, and do not hold the settings that are needed here.
 */
#ifndef STRATA_GIT_CONFIG_H
#define STRATA_GIT_CONFIG_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/err.h"

struct config {
    bool is_partial; /* objects may be missing because a remote has promised them */
};

/*
 * Read the file PATH; one that does not exist has no settings.  ERR_UNSUPPORTED: the format, an
 * extension or the kind of ids is not known.  ERR_DAMAGED: a line is malformed, or the file cannot
 * be read.
 */
int config_read(const char *path, struct config *out, struct err *err);
/* The same of CONTENT; messages name PATH. */
int config_parse(struct bytes content, const char *path, struct config *out, struct err *err);

#endif
