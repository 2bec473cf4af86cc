/*
 * Refs: HEAD, branches and tags, loose and packed.
 *
 * Read here and not by libgit2 1.5.1, which blocks on a FIFO in the place of a ref, and reads
 * packed-refs into memory whatever its size.  Checking files before libgit2 opens them would leave
 * a gap between the check and the opening, and could not bound what it does with their content.
 */
#ifndef STRATA_GIT_REFS_H
#define STRATA_GIT_REFS_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

enum { REF_NAME_MAX = 1024, REF_LINKS_MAX = 10 };

enum ref_outcome { REF_FOUND, REF_MISSING, REF_DAMAGED /* *ERR says why */ };

/* Where the refs of a repository are; both end in '/'. */
struct refs {
    const char *git_dir;    /* HEAD is here */
    const char *common_dir; /* all others are here */
};

struct ref {
    bool is_link; /* a symbolic ref, to the ref TARGET; otherwise ID is what it points at */
    char target[REF_NAME_MAX + 1];
    struct oid id;
};

/* May NAME be the full name of a ref: "HEAD" or the like, or below "refs/"? */
bool ref_name_is_valid(const char *name);

/* Read the ref NAME, a full name; links are not followed. */
enum ref_outcome
refs_read(const struct refs *refs, const char *name, struct ref *out, struct err *err);

/* Follow NAME to an id.  FULL_NAME is the ref that it was found in.  REF_MISSING: FULL_NAME does
 * not exist. */
enum ref_outcome refs_resolve(const struct refs *refs, const char *name,
                              char full_name[REF_NAME_MAX + 1], struct oid *out, struct err *err);

/* As refs_resolve, for a short NAME: tried as it is, then as a tag, a branch, a remote's branch, in
 * git's order. */
enum ref_outcome
refs_resolve_short(const struct refs *refs, const char *name, char full_name[REF_NAME_MAX + 1],
                   struct oid *out, struct err *err);

/* Is there any ref below PREFIX, "refs/" or "refs/replace/"?  A folder that cannot be read counts
 * as empty.
 */
bool refs_any(const struct refs *refs, const char *prefix);

#endif
