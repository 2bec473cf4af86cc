/* Files that name folders hold one short line.  They are followed once only: a gitfile
 * that names a gitfile, or itself, is not a repository. */
#include "git/git_dir.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git/odb/regular.h"

enum { LINE_BYTES_MAX = 4096 + 16 };

static bool
is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

/* Read the one line of the file PATH, without PREFIX and its end, as a path that starts at FOLDER.
 * 1: *OUT is set, and ends in '/'.  0: there is no such file. */
static int
read_path(const char *path, const char *prefix, const char *folder, struct arena *arena,
          const char **out, struct err *err)
{
    struct buf content = {0};
    struct failure failure;
    enum odb_outcome outcome = regular_read_all(path, LINE_BYTES_MAX, &content, &failure);
    struct bytes line = buf_bytes(&content);
    int result = 1;
    while (line.len > 0 && memchr("\r\n", line.data[line.len - 1], 2))
        line.len--;
    if (outcome == ODB_MISSING)
        result = 0;
    else if (outcome != ODB_OK)
        result = err_set(err, outcome == ODB_NO_MEMORY ? ERR_NOMEM : ERR_DAMAGED, "%s: %s", path,
                         failure.text);
    else if (!bytes_starts_with(line, bytes_of_text(prefix)) || line.len == strlen(prefix) ||
             memchr(line.data, 0, line.len))
        result = err_set(err, ERR_DAMAGED, "%s does not name a folder", path);
    if (result == 1) {
        line = bytes_slice(line, strlen(prefix), line.len);
        *out = line.data[0] == '/' ? arena_format(arena, "%.*s/", BYTES_ARG(line))
                                   : arena_format(arena, "%s%.*s/", folder, BYTES_ARG(line));
        if (!*out)
            result = err_nomem(err, "path");
    }
    buf_clear(&content);
    return result;
}

/* Is the folder OWN a repository?  1: *OUT says where its parts are.  0: it is not. */
static int
look_at(const char *own, struct arena *arena, struct git_dir *out, struct err *err)
{
    const char *head = arena_format(arena, "%sHEAD", own);
    const char *commondir = arena_format(arena, "%scommondir", own);
    const char *common = own;
    if (!head || !commondir)
        return err_nomem(err, "path");
    if (!exists(head))
        return 0;
    if (read_path(commondir, "", own, arena, &common, err) < 0)
        return -1;
    const char *objects = arena_format(arena, "%sobjects", common);
    const char *refs = arena_format(arena, "%srefs", common);
    if (!objects || !refs)
        return err_nomem(err, "path");
    if (!is_folder(objects) || !is_folder(refs))
        return 0;
    *out = (struct git_dir){own, common};
    return 1;
}

static int
cannot_enter(const char *path, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s cannot be opened: %s", path, strerror(errno));
}

/* The ".git" in PATH, when it is there. */
static int
look_below(const char *path, struct arena *arena, struct git_dir *out, struct err *err)
{
    const char *folder = arena_format(arena, "%s/", path);
    const char *below = arena_format(arena, "%s/.git", path);
    const char *own = below ? arena_format(arena, "%s/", below) : NULL;
    struct stat st;
    if (!folder || !own)
        return err_nomem(err, "path");
    if (!exists(below))
        return 0;
    if (stat(below, &st) < 0)
        return cannot_enter(below, err);
    if (S_ISDIR(st.st_mode))
        return look_at(own, arena, out, err);
    int found = read_path(below, "gitdir: ", folder, arena, &own, err);
    return found == 1 ? look_at(own, arena, out, err) : found;
}

int
git_dir_find(const char *path, struct arena *arena, struct git_dir *out, struct err *err)
{
    struct stat st;
    if (stat(path, &st) < 0 || (S_ISDIR(st.st_mode) && access(path, R_OK | X_OK) < 0))
        return cannot_enter(path, err);
    const char *own = arena_format(arena, "%s/", path);
    if (!own)
        return err_nomem(err, "path");
    int found = S_ISDIR(st.st_mode) ? look_below(path, arena, out, err) : 0;
    if (found == 0 && S_ISDIR(st.st_mode))
        found = look_at(own, arena, out, err);
    if (found == 0)
        return err_set(err, ERR_INPUT,
                       "%s is not a git repository (folders further up are not tried)", path);
    return found < 0 ? -1 : 0;
}
