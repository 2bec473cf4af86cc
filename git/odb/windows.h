/*
 * Windows: packs and indexes, read a piece at a time and kept in memory up to a bound.
 *
 * A window holds WINDOW_STEP bytes of a file and WINDOW_OVERLAP bytes of what follows, so that
 * anything of at most WINDOW_OVERLAP bytes is whole in one window.  Windows are filled by pread: a
 * mapping would raise SIGBUS when the file is cut short meanwhile, and the copy costs about a
 * hundredth of inflating what it holds.
 */
#ifndef STRATA_GIT_ODB_WINDOWS_H
#define STRATA_GIT_ODB_WINDOWS_H

#include "git/odb/regular.h"

/* 16 KB measured best, benchmarks/git: larger ones copy bytes that are not needed, smaller ones
 * cost more calls. */
enum { WINDOW_STEP = 12 * 1024, WINDOW_OVERLAP = 4 * 1024 };

struct windows;
struct window;

/* A file that windows are read from.  Its descriptor is closed when too many are open, and opened
 * again when needed, which fails if the path is another file by then. */
struct file {
    char *path;
    struct regular as_opened; /* fd is -1 while it is closed */
    uint32_t number;          /* unique among the files of one struct windows */
    uint64_t last_read;       /* tick; the file read longest ago is closed first */
    struct window *window;    /* the one used last; NULL when there was none */
};

/* Windows for at most MAX_BYTES (at least eight windows).  NULL when memory is out. */
struct windows *windows_create(size_t max_bytes);
/* Free the windows and close the files; each file must still be closed by file_close. */
void windows_destroy(struct windows *windows);

/* Open PATH (copied).  ODB_OK: *OUT is the caller's, to file_close before WINDOWS go. */
enum odb_outcome
file_open(struct windows *windows, const char *path, struct file **out, struct failure *failure);
/* NULL is fine. */
void file_close(struct windows *windows, struct file *file);

static inline uint64_t
file_size(const struct file *file)
{
    return file->as_opened.size;
}

/*
 * WANT bytes, at most WINDOW_OVERLAP, at OFFSET of FILE.  *AVAILABLE is how many are there in one
 * piece, at least WANT.  Borrowed until the next call with WINDOWS.  NULL: FAILURE says what and
 * why; bytes past the end of the file are damage.
 */
const uint8_t *windows_look(struct windows *windows, struct file *file, uint64_t offset,
                            size_t want, size_t *available, struct failure *failure);

/* Read LEN bytes at OFFSET into OUT, without filling windows. */
enum odb_outcome windows_copy(struct windows *windows, struct file *file, uint64_t offset,
                              size_t len, uint8_t *out, struct failure *failure);

#endif
