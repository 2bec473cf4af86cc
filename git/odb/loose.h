/*
 * Loose: an object that is a file of its own.
 *
 * Format: a zlib stream of the kind's name, a space, the size in decimal, a NUL and the content.
 */
#ifndef STRATA_GIT_ODB_LOOSE_H
#define STRATA_GIT_ODB_LOOSE_H

#include "git/odb/expand.h"

/*
 * Read the file PATH.  ODB_OK: *OUT is the caller's, to base_let_go; when OUT is NULL only the
 * header is read.  *KIND and *SIZE are set then, and when it is ODB_TOO_LARGE.  ODB_MISSING: there
 * is no such file.
 */
enum odb_outcome
loose_read(struct expander *expander, const char *path, size_t max_bytes, struct base **out,
           enum odb_kind *kind, uint64_t *size, struct failure *failure);

/* The name of KIND in headers and messages: "blob", "tree". */
const char *loose_kind_name(enum odb_kind kind);

#endif
