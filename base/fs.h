/*
 * Files: read whole, write whole, list a folder tree in a fixed order.
 */
#ifndef STRATA_BASE_FS_H
#define STRATA_BASE_FS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"

/*
 * Append the content of PATH to OUT.  More than MAX_BYTES is ERR_UNSUPPORTED and leaves OUT as it
 * was; anything but a readable regular file or pipe is ERR_INPUT.
 */
int fs_read(const char *path, size_t max_bytes, struct buf *out, struct err *err);
/* Read N bytes at offset AT of FD into TO, with as many calls as it takes.  Returns how many were
 * read, fewer than N only at the end of the file; -1 with errno set. */
ssize_t fs_read_at(int fd, void *to, size_t n, uint64_t at);
/* Write CONTENT to PATH, whole or not at all (a temporary file beside it, synced, then renamed). */
int fs_write(const char *path, struct bytes content, struct err *err);

/* One regular file or symbolic link below a root. */
struct fs_entry {
    struct bytes path; /* below the root, parts joined by '/', followed by a NUL */
    uint32_t mode;     /* 0100644, 0100755 or 0120000, as git would say */
    uint64_t size_bytes;
};

/* Called for each folder before it is entered; 0 leaves it out.  NAME is the last part of its path.
 */
typedef int fs_enter(void *context, struct bytes name);

/*
 * List everything below the folder ROOT in bytewise order of whole paths, into ARENA.  Links are
 * listed, never followed; sockets, pipes and devices are left out.  ENTER (may be NULL) can leave
 * folders out.  Returns 0, or -1 when a folder cannot be read or is more than 4096 levels deep.
 */
int fs_list(const char *root, fs_enter *enter, void *context, struct arena *arena,
            struct fs_entry **out, size_t *n_out, struct err *err);

#endif
