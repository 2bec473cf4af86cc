/*
 * Alternates: the folders of objects that the file info/alternates names.
 *
 * A path a line; one that begins with '#' is a comment, one in double quotes is written as a string
 * of C. Relative paths start at the folder of objects whose file it is.
 */
#ifndef STRATA_GIT_ODB_ALTERNATES_H
#define STRATA_GIT_ODB_ALTERNATES_H

#include "base/buf.h"
#include "git/odb/failure.h"

/*
 * Take the next path of *REST, the content of the file, which moves past it; OBJECTS_DIR is what a
 * relative path starts at.  *OUT is it with a NUL.  1, or 0 at the end, or -1 when memory is out.
 */
int alternates_next(struct bytes *rest, const char *objects_dir, struct buf *out);

#endif
