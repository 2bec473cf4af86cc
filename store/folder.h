/*
 * Folder: a store on disk, its locks, and the replacement of its data file.
 *
 * There are two locks besides LMDB's own, both released when the process ends:
 * 1. Everybody who has the store open holds a shared flock on the folder; whoever replaces the data
 * file holds it exclusively.
 * 2. The writing process holds an exclusive flock on "writer.lock", and writes its process id into
 * it for the message to a second writer.
 */
#ifndef STRATA_STORE_FOLDER_H
#define STRATA_STORE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct folder {
    char *path;
    int fd;
    int writer_fd; /* of "writer.lock", while any lock of it is held; else -1 */
};

/* Open the folder PATH and lock it shared.  MAY_CREATE: the folder is made when it is missing, and
 * it may be empty.  0, or -1 with FOLDER closed: ERR_INPUT (not a store), ERR_BUSY (its data file
 * is being replaced), ERR_IO. */
int folder_open(struct folder *folder, const char *path, bool may_create, struct err *err);
/* Lock out other writers.  0, or -1: ERR_BUSY names the process that has the lock; with WAIT the
 * call waits for it until a stop is requested (ERR_STOPPED). */
int folder_lock_writer(struct folder *folder, bool wait, struct err *err);
/*
 * Lock out writers on behalf of a reader that has no permission to write LMDB's table of readers.
 * 0, or -1 with ERR_BUSY when somebody writes.
 */
int folder_keep_writers_out(struct folder *folder, struct err *err);
/*
 * Reserve N_BYTES of disk for LMDB's lock file, which is created when it is missing.  LMDB maps the
 * file and a write to a page without disk space ends the process by SIGBUS.  Call it
 * before the environment is opened.  A folder that cannot be written is left to LMDB.  ERR_FULL.
 */
int folder_reserve_lock(const struct folder *folder, size_t n_bytes, struct err *err);
/* Release everything; FOLDER may have been closed before. */
void folder_close(struct folder *folder);

/* Make an empty folder below FOLDER to build another data file in.  Its path, to be freed; NULL
 * with ERR set. */
char *folder_make_temporary(const struct folder *folder, struct err *err);
/* Remove what folder_make_temporary made. */
void folder_remove_temporary(const struct folder *folder);
/*
 * Replace the data file by the one in the temporary folder, atomically.  KEEP_OLD keeps the old one
 * as "data.mdb.damaged".  0, or -1: ERR_BUSY when others have the store open, ERR_IO.  The folder
 * stays locked exclusively until folder_share or folder_close, because LMDB's lock file describes
 * the old data file for as long as anybody has that mapped.
 */
int folder_replace_data(struct folder *folder, bool keep_old, struct err *err);
/* Let others open the store again. */
void folder_share(struct folder *folder);

#endif
