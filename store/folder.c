/*
 * The folder of a store: opening it, locking it, and replacing its data file.
 *
 * Files of a store are opened below the folder's descriptor and never through a link, because a
 * store may come from somebody else and a link may lead anywhere.  A data file is replaced by
 * rename, so that a crash leaves either the old one or the new one.
 */
#include "store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "base/stop.h"

#define DATA_FILE "data.mdb"
#define LOCK_FILE "lock.mdb"
#define WRITER_LOCK "writer.lock"
#define TEMPORARY "rewrite.tmp"
#define DAMAGED_FILE "data.mdb.damaged"

enum { FILE_MODE = 0666, FOLDER_MODE = 0777 };

/* Does the folder have anything but what a store puts there before its data file? */
static bool
holds_other_files(int folder_fd)
{
    int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir)
        return false;
    static const char *const OURS[] = {".", "..", LOCK_FILE, WRITER_LOCK};
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(dir));) {
        found = true;
        for (size_t i = 0; i < sizeof(OURS) / sizeof(OURS[0]); i++) {
            if (strcmp(entry->d_name, OURS[i]) == 0)
                found = false;
        }
    }
    closedir(dir);
    return found;
}

/* Is NAME there?  1, 0, or -1: it is not a regular file.  A link is never followed, because what it
 * leads to must not be written. */
static int
look_for(const struct folder *folder, const char *name, struct err *err)
{
    struct stat st;
    if (fstatat(folder->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISREG(st.st_mode)
                   ? 1
                   : err_set(err, ERR_INPUT, "%s in it is not a regular file", name);
    return errno == ENOENT ? 0 : err_set_errno(err, "look at %s", name);
}

static int
look_for_data(const struct folder *folder, bool may_create, struct err *err)
{
    if (look_for(folder, LOCK_FILE, err) < 0 || look_for(folder, WRITER_LOCK, err) < 0)
        return -1;
    int is_there = look_for(folder, DATA_FILE, err);
    if (is_there != 0)
        return is_there < 0 ? -1 : 0;
    if (!may_create)
        return err_set(err, ERR_INPUT, "the folder is not a store: it has no %s", DATA_FILE);
    if (holds_other_files(folder->fd))
        return err_set(err, ERR_INPUT,
                       "the folder has other files and is not a store: name a new or empty folder");
    return 0;
}

static int
flock_through_signals(int fd, int operation)
{
    while (flock(fd, operation) < 0) {
        if (errno != EINTR || stop_requested())
            return -1;
    }
    return 0;
}

/* Explain, by errno, why PATH cannot be used as a folder. */
static int
refuse_path(const char *path, bool may_create, struct err *err)
{
    struct stat st;
    int why = errno;
    bool is_link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    errno = why;
    if (why == ENOTDIR)
        return err_set(err, ERR_INPUT, "it is not a folder, and a store is one");
    if (why == ENOENT && path[0] == 0)
        return err_set(err, ERR_INPUT, "it has no name");
    if (why == ENOENT && is_link)
        return err_set(err, ERR_INPUT, "it is a symbolic link to nothing");
    if (why == ENOENT && may_create)
        return err_set(err, ERR_INPUT, "the folder it is to be in does not exist");
    if (why == ENOENT)
        return err_set(err, ERR_INPUT, "there is no such folder: mine or ingest into it first");
    return err_set_errno(err, may_create ? "make or open the folder" : "open the folder");
}

static int
open_and_hold(struct folder *folder, bool may_create, struct err *err)
{
    if (may_create && mkdir(folder->path, FOLDER_MODE) < 0 && errno != EEXIST)
        return refuse_path(folder->path, may_create, err);
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->fd < 0)
        return refuse_path(folder->path, may_create, err);
    if (look_for_data(folder, may_create, err) < 0)
        return -1;
    if (flock_through_signals(folder->fd, LOCK_SH | LOCK_NB) == 0)
        return 0;
    if (errno == EWOULDBLOCK)
        return err_set(err, ERR_BUSY, "its data file is being replaced: try again in a moment");
    return err_set_errno(err, "lock the folder");
}

int
folder_open(struct folder *folder, const char *path, bool may_create, struct err *err)
{
    *folder = (struct folder){.path = strdup(path), .fd = -1, .writer_fd = -1};
    if (!folder->path)
        return err_nomem(err, "store");
    if (open_and_hold(folder, may_create, err) == 0)
        return 0;
    folder_close(folder);
    return -1;
}

int
folder_reserve_lock(const struct folder *folder, size_t n_bytes, struct err *err)
{
    int fd = openat(folder->fd, LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
    if (fd < 0)
        return errno == ENOSPC || errno == EDQUOT ? err_set_errno(err, "create %s", LOCK_FILE) : 0;
    int rc = 0;
    if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)n_bytes) < 0 &&
        (errno == ENOSPC || errno == EDQUOT))
        rc = err_set_errno(err, "reserve disk space for %s", LOCK_FILE);
    close(fd);
    return rc;
}

void
folder_close(struct folder *folder)
{
    if (folder->writer_fd >= 0)
        close(folder->writer_fd);
    if (folder->fd >= 0)
        close(folder->fd);
    free(folder->path);
    *folder = (struct folder){.fd = -1, .writer_fd = -1};
}

/* ---- The writer's lock --------------------------------------------------------------------- */

/* The process that has the writer's lock; 0 when the file does not say. */
static uint64_t
writer_pid(int fd)
{
    uint8_t text[24];
    ssize_t n = pread(fd, text, sizeof(text), 0);
    uint64_t pid = 0;
    if (n <= 0 || num_parse_u64((struct bytes){text, (size_t)n}, 1, INT32_MAX, &pid) < 0)
        return 0;
    return pid;
}

static int
refuse_second_writer(int fd, struct err *err)
{
    if (flock_through_signals(fd, LOCK_SH | LOCK_NB) == 0)
        return err_set(err, ERR_BUSY,
                       "somebody without permission to write to it is reading it: wait until that "
                       "is done");
    return err_set(err, ERR_BUSY,
                   "process %llu writes to it: wait until that is done, or name another store",
                   (unsigned long long)writer_pid(fd));
}

int
folder_lock_writer(struct folder *folder, bool wait, struct err *err)
{
    folder->writer_fd =
        openat(folder->fd, WRITER_LOCK, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    if (folder->writer_fd < 0)
        return err_set_errno(err, "open %s", WRITER_LOCK);
    if (flock_through_signals(folder->writer_fd, LOCK_EX | (wait ? 0 : LOCK_NB)) < 0) {
        if (errno == EWOULDBLOCK)
            return refuse_second_writer(folder->writer_fd, err);
        if (errno == EINTR)
            return err_set(err, ERR_STOPPED, "stopped while waiting for the other writer");
        return err_set_errno(err, "lock %s", WRITER_LOCK);
    }
    char pid[24];
    int n = snprintf(pid, sizeof(pid), "%ld", (long)getpid());
    if (ftruncate(folder->writer_fd, 0) < 0 || pwrite(folder->writer_fd, pid, (size_t)n, 0) < 0)
        return err_set_errno(err, "write %s", WRITER_LOCK);
    return 0;
}

int
folder_keep_writers_out(struct folder *folder, struct err *err)
{
    folder->writer_fd = openat(folder->fd, WRITER_LOCK, O_RDONLY | O_CLOEXEC);
    if (folder->writer_fd < 0)
        return err_set_errno(err, "open %s, to read without permission to write", WRITER_LOCK);
    if (flock_through_signals(folder->writer_fd, LOCK_SH | LOCK_NB) == 0)
        return 0;
    if (errno != EWOULDBLOCK)
        return err_set_errno(err, "lock %s", WRITER_LOCK);
    return err_set(err, ERR_BUSY,
                   "process %llu writes to it, and without permission to write it can only be read "
                   "when nobody does",
                   (unsigned long long)writer_pid(folder->writer_fd));
}

/* ---- Another data file --------------------------------------------------------------------- */

void
folder_remove_temporary(const struct folder *folder)
{
    static const char *const FILES[] = {DATA_FILE, LOCK_FILE, WRITER_LOCK};
    int fd = openat(folder->fd, TEMPORARY, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    for (size_t i = 0; i < sizeof(FILES) / sizeof(FILES[0]); i++)
        unlinkat(fd, FILES[i], 0);
    close(fd);
    unlinkat(folder->fd, TEMPORARY, AT_REMOVEDIR);
}

char *
folder_make_temporary(const struct folder *folder, struct err *err)
{
    char *path;
    folder_remove_temporary(folder);
    if (mkdirat(folder->fd, TEMPORARY, FOLDER_MODE) < 0) {
        err_set_errno(err, "make %s/%s", folder->path, TEMPORARY);
        return NULL;
    }
    if (asprintf(&path, "%s/%s", folder->path, TEMPORARY) < 0) {
        err_nomem(err, "name of a folder");
        return NULL;
    }
    return path;
}

/* Keep the old data file under another name as well. */
static int
link_old(const struct folder *folder, struct err *err)
{
    if (unlinkat(folder->fd, DAMAGED_FILE, 0) < 0 && errno != ENOENT)
        return err_set_errno(err, "remove the older %s", DAMAGED_FILE);
    if (linkat(folder->fd, DATA_FILE, folder->fd, DAMAGED_FILE, 0) < 0)
        return err_set_errno(err, "keep the damaged file as %s", DAMAGED_FILE);
    return 0;
}

int
folder_replace_data(struct folder *folder, bool keep_old, struct err *err)
{
    if (flock_through_signals(folder->fd, LOCK_EX | LOCK_NB) < 0) {
        if (errno == EWOULDBLOCK)
            return err_set(err, ERR_BUSY,
                           "others are reading it: wait until they are done and run this again");
        return err_set_errno(err, "lock the folder");
    }
    int rc = keep_old ? link_old(folder, err) : 0;
    if (rc == 0 && renameat(folder->fd, TEMPORARY "/" DATA_FILE, folder->fd, DATA_FILE) < 0)
        rc = err_set_errno(err, "put the new data file in place");
    if (rc == 0 && fsync(folder->fd) < 0)
        rc = err_set_errno(err, "write the folder to disk");
    if (rc < 0)
        folder_share(folder);
    return rc;
}

void
folder_share(struct folder *folder)
{
    flock_through_signals(folder->fd, LOCK_SH);
}
