/*
 * Folder: the place of a store on disk, who holds it, and the swap of its data file.
 *
 * Two locks beside LMDB's own.  Everybody who has the store open holds a shared flock on the
 * folder: who wants to replace the data file takes it exclusively.  The writing process holds an
 * exclusive flock on "writer.lock", which also holds its process id for the message to the second.
 * Both vanish with the process.
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

/* Open PATH and hold it.  MAY_CREATE makes the folder when it is missing and allows it to be
 * empty.  On failure FOLDER is closed. */
int folder_open(struct folder *folder, const char *path, bool may_create, struct err *err);
/* ERR_BUSY names the process that has the lock; with WAIT only a stop (ERR_STOPPED) ends it. */
int folder_lock_writer(struct folder *folder, bool wait, struct err *err);
/*
 * Keep writers out, without being one, for a reader that may not write LMDB's table of readers.
 * ERR_BUSY when somebody writes.
 */
int folder_keep_writers_out(struct folder *folder, struct err *err);
/*
 * Reserve N_BYTES of disk for LMDB's lock file, which is created when it is missing.  LMDB maps the
 * file and a store into a page without disk space behind it ends the process by SIGBUS.  Call it
 * before the environment is opened.  A folder that cannot be written is left to LMDB.  ERR_FULL.
 */
int folder_reserve_lock(const struct folder *folder, size_t n_bytes, struct err *err);
void folder_close(struct folder *folder);

/* A folder of its own below FOLDER to build another data file in, empty; to be freed.  NULL with
 * ERR set. */
char *folder_make_room(const struct folder *folder, struct err *err);
/* Remove what folder_make_room made. */
void folder_remove_room(const struct folder *folder);
/*
 * Put the data file that was built in the room in place of the old one, atomically.  KEEP_OLD
 * leaves the old one as "data.mdb.damaged".  ERR_BUSY when others have the store open.  Nobody else
 * can open it from here on until folder_share or folder_close: LMDB's lock file still speaks of the
 * old data file for as long as anybody has that mapped.
 */
int folder_replace_data(struct folder *folder, bool keep_old, struct err *err);
void folder_share(struct folder *folder);

#endif
