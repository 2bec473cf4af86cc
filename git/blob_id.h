/*
 * Blob id: the id that git gives a file's content, without storing it.
 */
#ifndef STRATA_GIT_BLOB_ID_H
#define STRATA_GIT_BLOB_ID_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/oid.h"

/* The id of a blob with this CONTENT.  ERR_INTERNAL. */
int blob_id(struct bytes content, struct oid *out, struct err *err);
/* The id of a blob with the content of the file PATH, a regular file or a link to one.  It is read
 * a piece at a time.  ERR_IO, ERR_NOMEM, ERR_STOPPED. */
int blob_id_of_file(const char *path, struct oid *out, struct err *err);

#endif
