/*
 * Alternates: the folders of objects that the file info/alternates names.
 *
 * A path a line; one that begins with '#' is a comment, one in double quotes is written like a C
 * string literal.  A relative path starts at the folder of objects that the file belongs to.
 */
#ifndef STRATA_GIT_ODB_ALTERNATES_H
#define STRATA_GIT_ODB_ALTERNATES_H

#include "base/buf.h"
#include "git/odb/failure.h"

/*
 * Take the next path of *REST, the rest of the file, and move *REST past it.  *OUT is the path with
 * a NUL; a relative one is appended to OBJECTS_DIR.  1, or 0 at the end, or -1 when memory is out.
 */
int alternates_next(struct bytes *rest, const char *objects_dir, struct buf *out);

#endif
