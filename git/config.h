/*
 * Config: the few settings of a repository that matter to a reader.
 *
 * Only the repository's own file "config" is read, as git does for what says how a repository is
 * laid out. Includes are not followed: they name files outside of the repository, may name each
 * other in a circle, and nothing that is looked for here is kept in one.
 */
#ifndef STRATA_GIT_CONFIG_H
#define STRATA_GIT_CONFIG_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/err.h"

struct config {
    bool is_partial; /* a remote promises what is not here */
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
