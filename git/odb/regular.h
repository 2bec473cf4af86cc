/*
 * Regular: open and read regular files only, never blocking.
 *
 * A repository may hold a FIFO, a device or a link to one in place of any file.  Opening with
 * O_NONBLOCK returns at once, O_NOCTTY keeps a terminal from becoming the controlling one, and
 * the type of what was opened is checked before anything is read.
 */
#ifndef STRATA_GIT_ODB_REGULAR_H
#define STRATA_GIT_ODB_REGULAR_H

#include <sys/types.h>

#include "base/buf.h"
#include "git/odb/failure.h"

struct regular {
    int fd;
    uint64_t size; /* when it was opened */
    dev_t dev;
    ino_t ino;
};

/* Open PATH.  ODB_OK: out->fd is the caller's, to close.  ODB_MISSING: there is no such file.
 * ODB_DAMAGED: it is not a regular file or cannot be read.  FAILURE does not name PATH. */
enum odb_outcome regular_open(const char *path, struct regular *out, struct failure *failure);

/* Read LEN bytes at OFFSET.  ODB_DAMAGED when fewer are there. */
enum odb_outcome
regular_read_at(int fd, uint64_t offset, size_t len, uint8_t *out, struct failure *failure);

/* Append the whole of PATH to OUT; more than MAX_BYTES is ODB_TOO_LARGE, and nothing is read. */
enum odb_outcome
regular_read_all(const char *path, size_t max_bytes, struct buf *out, struct failure *failure);

#endif
