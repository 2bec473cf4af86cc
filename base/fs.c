/*
 * See fs.h.  A pipe has no size, so a file is read in steps until its end, with a look at the stop
 * flag before each step.
 */
#include "base/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/stop.h"

enum { DEPTH_MAX = 4096, READ_STEP = 64 * 1024, STOP_LOOK_MS = 200 };

/* Wait until a pipe or a terminal has something to read, or has ended; not past a stop. */
static int
wait_readable(int fd, const char *path, struct err *err)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    while (!stop_requested()) {
        int n = poll(&wanted, 1, STOP_LOOK_MS);
        if (n > 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return err_set_errno(err, "read %s", path);
    }
    return err_set(err, ERR_STOPPED, "stopped on request while reading %s", path);
}

static int
refuse_large(const char *path, size_t max_bytes, struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED, "%s is larger than the limit of %zu bytes", path,
                   max_bytes);
}

static int
read_all(int fd, bool can_wait, const char *path, size_t max_bytes, struct buf *out,
         struct err *err)
{
    size_t before = out->len;
    for (;;) {
        uint8_t *to = buf_reserve(out, READ_STEP);
        if (!to)
            return err_nomem(err, path);
        if (can_wait && wait_readable(fd, path, err) < 0)
            return -1;
        if (stop_requested())
            return err_set(err, ERR_STOPPED, "stopped on request while reading %s", path);
        ssize_t n = read(fd, to, READ_STEP);
        if (n < 0 && (errno == EINTR || (can_wait && errno == EAGAIN)))
            continue;
        if (n < 0)
            return err_set_errno(err, "read %s", path);
        if (n == 0)
            return 0;
        out->len += (size_t)n;
        if (out->len - before > max_bytes)
            return refuse_large(path, max_bytes, err);
    }
}

int
fs_read(const char *path, size_t max_bytes, struct buf *out, struct err *err)
{
    /* Not blocking: a pipe nobody writes to would hold up even a stop. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set_errno(err, "open %s", path);
    struct stat st;
    size_t before = out->len;
    int result;
    if (fstat(fd, &st) < 0)
        result = err_set_errno(err, "look at %s", path);
    else if (S_ISDIR(st.st_mode))
        result = err_set(err, ERR_INPUT, "%s is a folder, not a file", path);
    else if (S_ISREG(st.st_mode) && (uint64_t)st.st_size > max_bytes)
        result = refuse_large(path, max_bytes, err);
    else
        result = read_all(fd, !S_ISREG(st.st_mode), path, max_bytes, out, err);
    if (result < 0)
        out->len = before;
    close(fd);
    return result;
}

static int
write_all(int fd, struct bytes content)
{
    while (content.len > 0) {
        ssize_t n = write(fd, content.data, content.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        content = bytes_slice(content, (size_t)n, content.len);
    }
    return fsync(fd);
}

ssize_t
fs_read_at(int fd, void *to, size_t n, uint64_t at)
{
    size_t n_done = 0;
    while (n_done < n) {
        ssize_t n_read = pread(fd, (uint8_t *)to + n_done, n - n_done, (off_t)(at + n_done));
        if (n_read < 0 && errno == EINTR)
            continue;
        if (n_read < 0)
            return -1;
        if (n_read == 0)
            break;
        n_done += (size_t)n_read;
    }
    return (ssize_t)n_done;
}

int
fs_write(const char *path, struct bytes content, struct err *err)
{
    struct buf temporary = {0};
    buf_printf(&temporary, "%s.XXXXXX", path);
    if (buf_failed(&temporary) || memory_ran_out())
        return err_nomem(err, path);
    char *name = (char *)temporary.data;
    int fd = mkostemp(name, O_CLOEXEC);
    int result = 0;
    if (fd < 0) {
        result = err_set_errno(err, "create a file beside %s", path);
    } else {
        bool written = write_all(fd, content) == 0 && fchmod(fd, 0644) == 0;
        int saved = errno;
        close(fd);
        errno = saved;
        if (!written || rename(name, path) < 0) {
            result = err_set_errno(err, "write %s", path);
            unlink(name);
        }
    }
    buf_clear(&temporary);
    return result;
}

struct listing {
    struct arena *arena;
    fs_enter *enter;
    void *context;
    struct fs_entry *entries; /* malloc'ed while growing */
    size_t n_entries;
    size_t capacity;
    struct buf *pending; /* folders still to read, each a path below the root */
    size_t n_pending;
    size_t pending_capacity;
};

static int
push_folder(struct listing *list, struct bytes path, struct err *err)
{
    if (!ARRAY_RESERVE(list->pending, list->n_pending, list->pending_capacity, 1))
        return err_nomem(err, "list of folders");
    struct buf *folder = &list->pending[list->n_pending++];
    buf_init(folder);
    buf_append_bytes(folder, path);
    buf_append_byte(folder, 0);
    return buf_failed(folder) ? err_nomem(err, "list of folders") : 0;
}

static int
add_entry(struct listing *list, struct bytes path, const struct stat *st, struct err *err)
{
    if (!ARRAY_RESERVE(list->entries, list->n_entries, list->capacity, 1))
        return err_nomem(err, "list of files");
    struct fs_entry entry = {.path = arena_copy(list->arena, path),
                             .mode = S_ISLNK(st->st_mode)    ? 0120000
                                     : st->st_mode & S_IXUSR ? 0100755
                                                             : 0100644,
                             .size_bytes = (uint64_t)st->st_size};
    if (!entry.path.data)
        return err_nomem(err, "list of files");
    list->entries[list->n_entries++] = entry;
    return 0;
}

static size_t
depth_of(struct bytes path)
{
    size_t depth = 0;
    for (size_t i = 0; i < path.len; i++)
        depth += path.data[i] == '/';
    return depth;
}

static int
add_child(struct listing *list, int fd, const char *name, struct bytes path, struct err *err)
{
    struct stat st;
    if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : err_set_errno(err, "look at %.*s", BYTES_ARG(path));
    if (S_ISDIR(st.st_mode)) {
        if (depth_of(path) > DEPTH_MAX)
            return err_set(err, ERR_INPUT, "folders are nested more than %d deep", DEPTH_MAX);
        bool wanted = !list->enter || list->enter(list->context, bytes_of_text(name));
        return wanted ? push_folder(list, path, err) : 0;
    }
    if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
        return add_entry(list, path, &st, err);
    return 0;
}

/* Read one folder: RELATIVE below the root ("" is the root itself). */
static int
read_folder(struct listing *list, int root_fd, const char *root, const char *relative,
            struct err *err)
{
    int fd = openat(root_fd, relative[0] ? relative : ".",
                    O_RDONLY | O_DIRECTORY | O_CLOEXEC | (relative[0] ? O_NOFOLLOW : 0));
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        err_set_errno(err, "read the folder %s/%s", root, relative);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    struct buf path = {0};
    int result = 0;
    struct dirent *child;
    while (result == 0 && (child = readdir(dir)) != NULL) {
        if (strcmp(child->d_name, ".") == 0 || strcmp(child->d_name, "..") == 0)
            continue;
        buf_reset(&path);
        if (relative[0])
            buf_printf(&path, "%s/", relative);
        buf_append_text(&path, child->d_name);
        result = buf_failed(&path) ? err_nomem(err, "path")
                                   : add_child(list, fd, child->d_name, buf_bytes(&path), err);
    }
    buf_clear(&path);
    closedir(dir);
    return result;
}

static int
compare_entries(const void *a, const void *b)
{
    return bytes_compare(((const struct fs_entry *)a)->path, ((const struct fs_entry *)b)->path);
}

int
fs_list(const char *root, fs_enter *enter, void *context, struct arena *arena,
        struct fs_entry **out, size_t *n_out, struct err *err)
{
    int root_fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0)
        return err_set_errno(err, "open the folder %s", root);
    struct listing list = {.arena = arena, .enter = enter, .context = context};
    int result = push_folder(&list, BYTES(""), err);
    while (result == 0 && list.n_pending > 0) {
        struct buf folder = list.pending[--list.n_pending];
        result = read_folder(&list, root_fd, root, (const char *)folder.data, err);
        buf_clear(&folder);
    }
    close(root_fd);
    while (list.n_pending > 0)
        buf_clear(&list.pending[--list.n_pending]);
    free(list.pending);
    if (result == 0) {
        if (list.n_entries > 1)
            qsort(list.entries, list.n_entries, sizeof(*list.entries), compare_entries);
        *out = ARENA_ARRAY(arena, list.n_entries, struct fs_entry);
        if (!*out)
            result = err_nomem(err, "list of files");
        else if (list.n_entries)
            memcpy(*out, list.entries, list.n_entries * sizeof(**out));
        *n_out = list.n_entries;
    }
    free(list.entries);
    return result;
}
