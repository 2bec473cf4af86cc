/* A loose ref is a file that holds an id or "ref: " and a name.  packed-refs holds lines of an id,
 * a space and a name; lines with '#' are comments, lines with '^' say what the tag before
 * them points at.  It is read a piece at a time, because it may have a million lines of which one
 * is needed. */
#include "git/refs.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git/odb/regular.h"

enum {
    LOOSE_BYTES_MAX = 4096,
    PIECE_BYTES = 64 * 1024,
    PATH_BYTES_MAX = 8192,
    FOLDERS_LOOKED_AT_MAX = 10000
};

/* ---- Names --------------------------------------------------------------------------------- */

static bool
is_plain(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!((*c >= 'A' && *c <= 'Z') || *c == '_' || *c == '-'))
            return false;
    return name[0] != 0;
}

static bool
component_is_valid(const char *at, size_t len)
{
    static const char lock[] = ".lock";
    const size_t n_lock = sizeof(lock) - 1;
    return len > 0 && at[0] != '.' &&
           !(len >= n_lock && memcmp(at + len - n_lock, lock, n_lock) == 0);
}

bool
ref_name_is_valid(const char *name)
{
    size_t len = strlen(name), from = 0;
    if (is_plain(name))
        return len <= REF_NAME_MAX;
    if (len > REF_NAME_MAX || strncmp(name, "refs/", 5) != 0 || strstr(name, "..") ||
        strstr(name, "@{") || name[len - 1] == '.')
        return false;
    for (size_t i = 0; i <= len; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c == '/' || c == 0) {
            if (!component_is_valid(name + from, i - from))
                return false;
            from = i + 1;
        } else if (c <= ' ' || c == 0x7f || strchr("~^:?*[\\", c)) {
            return false;
        }
    }
    return true;
}

/* ---- Loose --------------------------------------------------------------------------------- */

static enum ref_outcome
damaged(const char *path, const char *why, struct err *err)
{
    err_set(err, ERR_DAMAGED, "%.900s: %s", path, why);
    return REF_DAMAGED;
}

/* The content of a loose ref, which has no NUL. */
static enum ref_outcome
parse_loose(struct bytes content, const char *path, struct ref *out, struct err *err)
{
    while (content.len > 0 && memchr(" \t\r\n", content.data[content.len - 1], 4))
        content.len--;
    if (bytes_starts_with(content, BYTES("ref:"))) {
        struct bytes target = bytes_slice(content, 4, content.len);
        while (target.len > 0 && memchr(" \t", target.data[0], 2))
            target = bytes_slice(target, 1, target.len);
        if (target.len > REF_NAME_MAX || memchr(target.data, 0, target.len))
            return damaged(path, "it names a ref that cannot be", err);
        memcpy(out->target, target.data, target.len);
        out->target[target.len] = 0;
        out->is_link = true;
        return ref_name_is_valid(out->target) ? REF_FOUND
                                              : damaged(path, "it names a ref that cannot be", err);
    }
    const size_t hex = 2 * OID_SHA1_BYTES;
    bool is_id = content.len >= hex && oid_from_hex(bytes_slice(content, 0, hex), &out->id) == 0 &&
                 (content.len == hex || memchr(" \t\r\n", content.data[hex], 4));
    out->is_link = false;
    return is_id ? REF_FOUND : damaged(path, "it holds neither an id nor the name of a ref", err);
}

static enum ref_outcome
read_loose(const char *path, struct ref *out, struct err *err)
{
    struct buf content = {0};
    struct failure failure;
    struct stat st;
    /* A folder is what is left of refs with this name and more; it is not a ref. */
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return REF_MISSING;
    enum odb_outcome outcome = regular_read_all(path, LOOSE_BYTES_MAX, &content, &failure);
    enum ref_outcome result = REF_MISSING;
    if (outcome == ODB_OK)
        result = parse_loose(buf_bytes(&content), path, out, err);
    else if (outcome != ODB_MISSING)
        result = damaged(path, failure.text, err);
    buf_clear(&content);
    return result;
}

/* ---- Packed -------------------------------------------------------------------------------- */

/* Looks at one line; not REF_MISSING ends it. */
typedef enum ref_outcome
look_at_line(void *context, const char *path, struct bytes line, struct err *err);

/* Hand the whole lines of PIECE to LOOK; *N_USED bytes were in them. */
static enum ref_outcome
look_at_lines(struct bytes piece, look_at_line *look, void *context, const char *path,
              size_t *n_used, struct err *err)
{
    enum ref_outcome outcome = REF_MISSING;
    const uint8_t *end;
    *n_used = 0;
    while (outcome == REF_MISSING &&
           (end = memchr(piece.data + *n_used, '\n', piece.len - *n_used)) != NULL) {
        size_t to = (size_t)(end - piece.data);
        outcome = look(context, path, bytes_slice(piece, *n_used, to), err);
        *n_used = to + 1;
    }
    return outcome;
}

static enum ref_outcome
look_at_packed_file(const struct regular *file, const char *path, look_at_line *look, void *context,
                    struct err *err)
{
    uint8_t *piece = malloc(PIECE_BYTES);
    struct failure failure;
    size_t have = 0, n_used;
    enum ref_outcome outcome = REF_MISSING;
    if (!piece) {
        err_nomem(err, "refs");
        return REF_DAMAGED;
    }
    for (uint64_t at = 0; outcome == REF_MISSING && at < file->size;) {
        uint64_t left = file->size - at;
        size_t n = left < PIECE_BYTES - have ? (size_t)left : PIECE_BYTES - have;
        if (n == 0)
            outcome = damaged(path, "a line is too long", err);
        else if (regular_read_at(file->fd, at, n, piece + have, &failure) != ODB_OK)
            outcome = damaged(path, failure.text, err);
        if (outcome != REF_MISSING)
            break;
        at += n;
        have += n;
        outcome = look_at_lines((struct bytes){piece, have}, look, context, path, &n_used, err);
        have -= n_used;
        memmove(piece, piece + n_used, have);
    }
    if (outcome == REF_MISSING && have > 0)
        outcome = look(context, path, (struct bytes){piece, have}, err);
    free(piece);
    return outcome;
}

static enum ref_outcome
look_at_packed(const struct refs *refs, look_at_line *look, void *context, struct err *err)
{
    char path[PATH_BYTES_MAX];
    struct regular file;
    struct failure failure;
    snprintf(path, sizeof(path), "%spacked-refs", refs->common_dir);
    enum odb_outcome opened = regular_open(path, &file, &failure);
    if (opened == ODB_MISSING)
        return REF_MISSING;
    if (opened != ODB_OK)
        return damaged(path, failure.text, err);
    enum ref_outcome outcome = look_at_packed_file(&file, path, look, context, err);
    close(file.fd);
    return outcome;
}

/* The id and the name of a line; name.len 0 when it is a comment or malformed. */
static struct bytes
name_in(struct bytes line)
{
    const size_t hex = 2 * OID_SHA1_BYTES;
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    if (line.len <= hex + 1 || line.data[hex] != ' ' || line.data[0] == '#')
        return BYTES("");
    return bytes_slice(line, hex + 1, line.len);
}

struct wanted {
    struct bytes name;
    struct ref *out;
};

static enum ref_outcome
look_for_name(void *context, const char *path, struct bytes line, struct err *err)
{
    struct wanted *wanted = context;
    const size_t hex = 2 * OID_SHA1_BYTES;
    if (!bytes_equal(name_in(line), wanted->name))
        return REF_MISSING;
    wanted->out->is_link = false;
    return oid_from_hex(bytes_slice(line, 0, hex), &wanted->out->id) == 0
               ? REF_FOUND
               : damaged(path, "a ref has no id", err);
}

/* ---- Reading ------------------------------------------------------------------------------- */

enum ref_outcome
refs_read(const struct refs *refs, const char *name, struct ref *out, struct err *err)
{
    char path[PATH_BYTES_MAX];
    if (!ref_name_is_valid(name))
        return REF_MISSING;
    bool is_own = is_plain(name);
    int n = snprintf(path, sizeof(path), "%s%s", is_own ? refs->git_dir : refs->common_dir, name);
    if (n < 0 || (size_t)n >= sizeof(path))
        return damaged(refs->git_dir, "the path is too long", err);
    enum ref_outcome outcome = read_loose(path, out, err);
    struct wanted wanted = {bytes_of_text(name), out};
    if (outcome == REF_MISSING && !is_own)
        outcome = look_at_packed(refs, look_for_name, &wanted, err);
    return outcome;
}

enum ref_outcome
refs_resolve(const struct refs *refs, const char *name, char full_name[REF_NAME_MAX + 1],
             struct oid *out, struct err *err)
{
    struct ref ref;
    snprintf(full_name, REF_NAME_MAX + 1, "%s", name);
    for (int links = 0; links <= REF_LINKS_MAX; links++) {
        enum ref_outcome outcome = refs_read(refs, full_name, &ref, err);
        if (outcome != REF_FOUND)
            return outcome;
        if (!ref.is_link) {
            *out = ref.id;
            return REF_FOUND;
        }
        memcpy(full_name, ref.target, sizeof(ref.target));
    }
    err_set(err, ERR_DAMAGED, "%.900s names a ref that names a ref, more than %d times", name,
            REF_LINKS_MAX);
    return REF_DAMAGED;
}

enum ref_outcome
refs_resolve_short(const struct refs *refs, const char *name, char full_name[REF_NAME_MAX + 1],
                   struct oid *out, struct err *err)
{
    static const char *const forms[][2] = {{"", ""},
                                           {"refs/", ""},
                                           {"refs/tags/", ""},
                                           {"refs/heads/", ""},
                                           {"refs/remotes/", ""},
                                           {"refs/remotes/", "/HEAD"}};
    enum ref_outcome first = REF_MISSING;
    for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
        char candidate[REF_NAME_MAX + 64];
        struct err why;
        int n = snprintf(candidate, sizeof(candidate), "%s%s%s", forms[i][0], name, forms[i][1]);
        if (n < 0 || n > REF_NAME_MAX)
            continue;
        enum ref_outcome outcome = refs_resolve(refs, candidate, full_name, out, &why);
        if (outcome == REF_FOUND)
            return REF_FOUND;
        if (outcome == REF_DAMAGED && first == REF_MISSING) {
            first = REF_DAMAGED;
            *err = why;
        }
    }
    return first;
}

/* ---- Are there any? ------------------------------------------------------------------------ */

static enum ref_outcome
look_for_prefix(void *context, const char *path, struct bytes line, struct err *err)
{
    (void)path, (void)err;
    const struct wanted *wanted = context;
    return bytes_starts_with(name_in(line), wanted->name) ? REF_FOUND : REF_MISSING;
}

/* Folders still to look at, each a text of its own. */
struct pending {
    char *paths[64];
    size_t n;
};

/* Look at one folder: true when it holds a file; its folders are pending. */
static bool
has_file(const char *path, struct pending *pending)
{
    DIR *dir = opendir(path);
    const struct dirent *child;
    bool found = false;
    while (dir && !found && (child = readdir(dir)) != NULL) {
        struct stat st;
        char *below;
        if (child->d_name[0] == '.' ||
            fstatat(dirfd(dir), child->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        found = !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode);
        if (S_ISDIR(st.st_mode) && pending->n < sizeof(pending->paths) / sizeof(*pending->paths) &&
            asprintf(&below, "%s/%s", path, child->d_name) >= 0)
            pending->paths[pending->n++] = below;
    }
    if (dir)
        closedir(dir);
    return found;
}

bool
refs_any(const struct refs *refs, const char *prefix)
{
    struct pending pending = {.n = 0};
    struct ref ignored;
    struct wanted wanted = {bytes_of_text(prefix), &ignored};
    bool found = false;
    if (asprintf(&pending.paths[0], "%s%s", refs->common_dir, prefix) >= 0)
        pending.n = 1;
    for (int looks = 0; pending.n > 0; looks++) {
        char *path = pending.paths[--pending.n];
        if (!found && looks < FOLDERS_LOOKED_AT_MAX && strlen(path) < PATH_BYTES_MAX)
            found = has_file(path, &pending);
        free(path);
    }
    return found || look_at_packed(refs, look_for_prefix, &wanted, NULL) == REF_FOUND;
}
