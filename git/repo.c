/* Where things are, refs and configuration are read by files of our own (git_dir, refs, config);
 * tag objects are followed here, so that a commit that libgit2 would not parse can be found.
 * libgit2 only parses revisions such as "v1~2" (rev_name). */
#include "git/repo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "git/config.h"
#include "git/git_dir.h"
#include "git/objects.h"
#include "git/odb/regular.h"
#include "git/refs.h"
#include "git/rev_name.h"

enum { SHALLOW_BYTES_MAX = 64 * 1024 * 1024, ALTERNATES_SHOWN_MAX = 1024, TAGS_MAX = 16 };

/* HEAD leads to the ref TARGET, which is not there: say which of the reasons it is. */
static int
explain_head(const struct refs *refs, const char *path, const char *target, struct err *err)
{
    if (strcmp(target, "HEAD") == 0)
        return err_set(err, ERR_DAMAGED, "%s: HEAD cannot be read: there is no such file", path);
    if (!refs_any(refs, "refs/"))
        return err_set(err, ERR_INPUT, "%s: there is no commit yet", path);
    return err_set(err, ERR_INPUT,
                   "%s: HEAD names %s, which does not exist, though other branches or tags do; "
                   "name one of them instead",
                   path, target);
}

/* Find what REF (or HEAD, when it is NULL) points at. */
static int
resolve_ref(const struct refs *refs, const char *path, const char *ref, struct repo *repo,
            struct oid *out, struct err *err)
{
    char name[REF_NAME_MAX + 1];
    struct err why = {0};
    enum ref_outcome outcome = ref ? refs_resolve_short(refs, ref, name, out, &why)
                                   : refs_resolve(refs, "HEAD", name, out, &why);
    if (outcome == REF_DAMAGED && why.code == ERR_NOMEM)
        return err_nomem(err, "refs");
    if (outcome == REF_DAMAGED)
        return ref ? err_set(err, ERR_DAMAGED, "%s: the branch or tag %s cannot be read: %s", path,
                             ref, why.text)
                   : err_set(err, ERR_DAMAGED, "%s: HEAD cannot be read: %s", path, why.text);
    if (outcome == REF_MISSING)
        return ref ? err_set(err, ERR_INPUT,
                             "%s: the branch or tag %s cannot be found: there is no such ref", path,
                             ref)
                   : explain_head(refs, path, name, err);
    bool is_detached = !ref && strcmp(name, "HEAD") == 0;
    repo->ref = is_detached ? BYTES("") : arena_copy(&repo->arena, bytes_of_text(name));
    return repo->ref.data ? 0 : err_nomem(err, "name of a ref");
}

static int
resolve_revision(const struct repo *repo, const struct refs *refs, const char *path,
                 const char *revision, struct oid *out, struct err *err)
{
    if (oid_from_hex(bytes_of_text(revision), out) == 0)
        return 0;
    if (rev_name_resolve(repo->objects_dir, refs, revision, out, err) < 0)
        return err_wrap(err, "%s", path);
    return 0;
}

/* Follow tag objects from ID to what they tag. */
static int
peel_tags(struct objects *objects, const char *path, struct oid *id, struct err *err)
{
    for (int depth = 0; depth < TAGS_MAX; depth++) {
        enum object_kind kind;
        if (objects_kind(objects, id, &kind) != OBJECT_OK)
            return err_set(err, ERR_DAMAGED, "%s: %s", path, objects_reason(objects));
        if (kind != OBJECT_TAG)
            return 0;
        struct object tag;
        struct oid target;
        if (objects_read(objects, id, OBJECT_TAG, SHALLOW_BYTES_MAX, &tag) != OBJECT_OK)
            return err_set(err, ERR_DAMAGED, "%s: %s", path, objects_reason(objects));
        const size_t from = sizeof("object ") - 1, to = from + 2 * OID_SHA1_BYTES;
        bool is_sound = tag.data.len > to && bytes_starts_with(tag.data, BYTES("object ")) &&
                        oid_from_hex(bytes_slice(tag.data, from, to), &target) == 0;
        object_clear(&tag);
        if (!is_sound)
            return err_set(err, ERR_DAMAGED, "%s: a tag object names nothing", path);
        *id = target;
    }
    return err_set(err, ERR_DAMAGED, "%s: tags of tags are nested too deep", path);
}

/* Where objects may have gone, when one that must be there is not. */
static void
mention_alternates(const struct repo *repo, struct err *err)
{
    struct buf content = {0};
    struct failure failure;
    struct arena arena;
    arena_init(&arena, 0);
    char *path = arena_format(&arena, "%s/info/alternates", repo->objects_dir);
    if (path && regular_read_all(path, ALTERNATES_SHOWN_MAX, &content, &failure) == ODB_OK &&
        content.len > 0) {
        const struct err inner = *err;
        while (content.len > 0 && content.data[content.len - 1] == '\n')
            content.len--;
        err_set(err, inner.code,
                "%.800s (objects are also borrowed from \"%.*s\"; is that place still there?)",
                inner.text, BYTES_ARG(buf_bytes(&content)));
    }
    arena_clear(&arena);
    buf_clear(&content);
}

static void
mention_problem(struct objects *objects, struct err *err)
{
    const char *why = objects_problem(objects);
    const struct err inner = *err;
    if (why && !strstr(inner.text, why))
        err_set(err, inner.code, "%.700s (%.300s)", inner.text, why);
}

static int
peel(struct repo *repo, const char *path, struct oid id, struct err *err)
{
    struct objects *objects = NULL;
    if (objects_open(repo->objects_dir, NULL, &objects, err) < 0)
        return err_wrap(err, "%s", path);
    struct err why;
    int result = peel_tags(objects, path, &id, &why);
    if (result < 0) {
        mention_alternates(repo, &why);
        mention_problem(objects, &why);
        err_set(err, why.code, "%s", why.text);
    }
    objects_close(objects);
    repo->head = id;
    return result;
}

/* Put the ids of CONTENT, a line each, into REPO. */
static int
take_shallow(struct repo *repo, struct bytes content, const char *path, struct err *err)
{
    struct bytes line;
    while (bytes_take_line(&content, &line)) {
        struct oid id;
        if (bytes_is_blank(line))
            continue;
        while (line.len > 0 && memchr(" \t\r", line.data[line.len - 1], 3))
            line.len--;
        if (oid_from_hex(line, &id) < 0)
            return err_set(err, ERR_DAMAGED, "%s holds what is not a commit id", path);
        if (!map_put(&repo->shallow, oid_bytes(&id), NULL))
            return err_nomem(err, "shallow commits");
    }
    repo->is_shallow = repo->shallow.n_entries > 0;
    return 0;
}

static int
read_shallow(struct repo *repo, const char *common, struct err *err)
{
    struct buf content = {0};
    struct failure failure;
    const char *path = arena_format(&repo->arena, "%sshallow", common);
    if (!path)
        return err_nomem(err, "path");
    enum odb_outcome outcome = regular_read_all(path, SHALLOW_BYTES_MAX, &content, &failure);
    int result = 0;
    if (outcome == ODB_OK)
        result = take_shallow(repo, buf_bytes(&content), path, err);
    else if (outcome == ODB_NO_MEMORY)
        result = err_nomem(err, "shallow commits");
    else if (outcome != ODB_MISSING)
        result = err_set(err, ERR_DAMAGED, "%s: %s", path, failure.text);
    buf_clear(&content);
    return result;
}

/* What does not depend on the commit asked for. */
static int
read_surroundings(const struct git_dir *dir, const struct refs *refs, const char *path,
                  struct repo *repo, struct err *err)
{
    struct config config;
    const char *config_path = arena_format(&repo->arena, "%sconfig", dir->common);
    const char *grafts = arena_format(&repo->arena, "%sinfo/grafts", dir->common);
    repo->objects_dir = arena_format(&repo->arena, "%sobjects", dir->common);
    if (!config_path || !repo->objects_dir || !grafts)
        return err_nomem(err, "path");
    if (access(repo->objects_dir, R_OK | X_OK) < 0)
        return err_set(err, ERR_INPUT, "%s cannot be read: %s", repo->objects_dir, strerror(errno));
    if (config_read(config_path, &config, err) < 0)
        return err_wrap(err, "%s cannot be opened", path);
    repo->is_partial = config.is_partial;
    repo->has_grafts = access(grafts, F_OK) == 0;
    repo->has_replacements = refs_any(refs, "refs/replace/");
    return read_shallow(repo, dir->common, err);
}

static int
open_found(const char *path, struct bytes name, bool is_revision, struct repo *out, struct err *err)
{
    struct git_dir dir;
    struct oid id;
    if (git_dir_find(path, &out->arena, &dir, err) < 0)
        return -1;
    const struct refs refs = {dir.own, dir.common};
    char *text = name.len ? arena_format(&out->arena, "%.*s", BYTES_ARG(name)) : NULL;
    if (name.len && (!text || name.len > REF_NAME_MAX))
        return err_set(err, ERR_INPUT, "%s: the name of the branch, tag or revision is too long",
                       path);
    if (read_surroundings(&dir, &refs, path, out, err) < 0)
        return -1;
    int found = is_revision && text ? resolve_revision(out, &refs, path, text, &id, err)
                                    : resolve_ref(&refs, path, text, out, &id, err);
    return found < 0 ? -1 : peel(out, path, id, err);
}

static int
open_with(const char *path, struct bytes name, bool is_revision, struct repo *out, struct err *err)
{
    *out = (struct repo){0};
    arena_init(&out->arena, 0);
    map_init(&out->shallow);
    if (open_found(path, name, is_revision, out, err) == 0)
        return 0;
    repo_clear(out);
    return -1;
}

int
repo_open(const char *path, struct bytes ref, struct repo *out, struct err *err)
{
    return open_with(path, ref, false, out, err);
}

int
repo_open_at(const char *path, struct bytes revision, struct repo *out, struct err *err)
{
    return open_with(path, revision, true, out, err);
}

void
repo_clear(struct repo *repo)
{
    map_clear(&repo->shallow);
    arena_clear(&repo->arena);
    *repo = (struct repo){0};
}

bool
repo_is_cut(const struct repo *repo, const struct oid *commit)
{
    return map_get(&repo->shallow, oid_bytes(commit)) != NULL;
}
