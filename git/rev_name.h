/*
 * Rev name: what a name such as "v1.0~2^{commit}" means.
 *
 * libgit2 parses the name; what it looks up comes from our readers of objects and refs, so it does
 * not open any file of the repository itself.
 */
#ifndef STRATA_GIT_REV_NAME_H
#define STRATA_GIT_REV_NAME_H

#include "git/refs.h"

/* The object that REVISION names in the database OBJECTS_DIR with REFS.  ERR_INPUT when there is
 * no such object. */
int rev_name_resolve(const char *objects_dir, const struct refs *refs, const char *revision,
                     struct oid *out, struct err *err);

#endif
