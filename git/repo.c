/* Refs are resolved to an id by libgit2 and peeled to a commit by reading tag objects here, so that
 * a commit libgit2 would not parse can still be found. */
#include "git/repo.h"

#include <errno.h>
#include <git2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "git/objects.h"
#include "git/pack.h"

enum { REF_BYTES_MAX = 1024, SHALLOW_BYTES_MAX = 64 * 1024 * 1024, TAGS_MAX = 16 };

static const char *
last_reason(void)
{
    const git_error *last = git_error_last();
    return last && last->message ? last->message : "no reason given";
}

static enum err_code
code_of_failure(void)
{
    const git_error *last = git_error_last();
    const char *text = last_reason();
    if (strstr(text, "unsupported extension") || strstr(text, "unsupported repository version"))
        return ERR_UNSUPPORTED;
    if (last && last->klass == GIT_ERROR_NOMEMORY)
        return ERR_NOMEM;
    return ERR_DAMAGED;
}

static int
open_failed(const char *path, int code, struct err *err)
{
    struct stat st;
    if (stat(path, &st) < 0 || (S_ISDIR(st.st_mode) && access(path, R_OK | X_OK) < 0))
        return err_set(err, ERR_INPUT, "%s cannot be opened: %s", path, strerror(errno));
    if (code == GIT_ENOTFOUND)
        return err_set(err, ERR_INPUT,
                       "%s is not a git repository (folders further up are not tried)", path);
    return err_set(err, code_of_failure(), "%s cannot be opened: %s", path, last_reason());
}

static struct oid
from_git_oid(const git_oid *id)
{
    return oid_from_raw(id->id, GIT_OID_RAWSZ);
}

/* HEAD cannot be resolved: say which of the reasons it is. */
static int
explain_head(git_repository *repository, const char *path, int code, struct err *err)
{
    if (code != GIT_ENOTFOUND && code != GIT_EUNBORNBRANCH)
        return err_set(err, ERR_DAMAGED, "%s: HEAD cannot be read: %s", path, last_reason());
    git_reference *head = NULL;
    if (git_reference_lookup(&head, repository, "HEAD") < 0)
        return err_set(err, ERR_DAMAGED, "%s: HEAD cannot be read: %s", path, last_reason());
    const char *target = git_reference_symbolic_target(head);
    git_strarray names = {0};
    bool has_refs = git_reference_list(&names, repository) == 0 && names.count > 0;
    if (has_refs)
        err_set(err, ERR_INPUT,
                "%s: HEAD names %s, which does not exist, though other branches or tags do; "
                "name one of them instead",
                path, target ? target : "nothing");
    else
        err_set(err, ERR_INPUT, "%s: there is no commit yet", path);
    git_strarray_dispose(&names);
    git_reference_free(head);
    return -1;
}

static int
keep_ref_name(struct repo *repo, const git_reference *reference, struct err *err)
{
    repo->ref = arena_copy(&repo->arena, bytes_of_text(git_reference_name(reference)));
    return repo->ref.data ? 0 : err_nomem(err, "name of a ref");
}

/* Find what REF (or HEAD, when it is NULL) points at. */
static int
resolve_ref(git_repository *repository, const char *path, const char *ref, struct repo *repo,
            struct oid *out, struct err *err)
{
    git_reference *found = NULL, *direct = NULL;
    int code = ref ? git_reference_dwim(&found, repository, ref)
                   : git_reference_lookup(&found, repository, "HEAD");
    if (code == 0)
        code = git_reference_resolve(&direct, found);
    int result = 0;
    if (code < 0 && ref)
        result = err_set(err, code == GIT_ENOTFOUND ? ERR_INPUT : ERR_DAMAGED,
                         "%s: the branch or tag %s cannot be found: %s", path, ref, last_reason());
    else if (code < 0)
        result = explain_head(repository, path, code, err);
    else if (!ref && git_reference_type(found) == GIT_REFERENCE_DIRECT)
        repo->ref = BYTES("");
    else
        result = keep_ref_name(repo, direct, err);
    if (result == 0)
        *out = from_git_oid(git_reference_target(direct));
    git_reference_free(direct);
    git_reference_free(found);
    return result;
}

static int
resolve_revision(git_repository *repository, const char *path, const char *revision,
                 struct oid *out, struct err *err)
{
    git_object *object = NULL;
    if (oid_from_hex(bytes_of_text(revision), out) == 0)
        return 0;
    int code = git_revparse_single(&object, repository, revision);
    if (code < 0)
        return err_set(err, ERR_INPUT, "%s: the revision %s cannot be found: %s", path, revision,
                       last_reason());
    *out = from_git_oid(git_object_id(object));
    git_object_free(object);
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
    struct buf path = {0}, content = {0};
    buf_printf(&path, "%s/info/alternates", repo->objects_dir);
    buf_append_byte(&path, 0);
    if (!buf_failed(&path) &&
        fs_read((const char *)path.data, REF_BYTES_MAX, &content, NULL) == 0 && content.len > 0) {
        const struct err inner = *err;
        while (content.len > 0 && content.data[content.len - 1] == '\n')
            content.len--;
        err_set(err, inner.code,
                "%.800s (objects are also borrowed from \"%.*s\"; is that place still there?)",
                inner.text, BYTES_ARG(buf_bytes(&content)));
    }
    buf_clear(&path);
    buf_clear(&content);
}

static void
mention_packs(const struct repo *repo, struct err *err)
{
    char *why = pack_explain_damaged(repo->objects_dir);
    if (!why)
        return;
    const struct err inner = *err;
    err_set(err, inner.code, "%.700s (%.300s)", inner.text, why);
    free(why);
}

static int
peel(struct repo *repo, const char *path, struct oid id, struct err *err)
{
    struct objects *objects = NULL;
    if (objects_open(repo->objects_dir, &objects, err) < 0)
        return err_wrap(err, "%s", path);
    struct err why;
    int result = peel_tags(objects, path, &id, &why);
    if (result < 0) {
        mention_alternates(repo, &why);
        mention_packs(repo, &why);
        err_set(err, why.code, "%s", why.text);
    }
    objects_close(objects);
    repo->head = id;
    return result;
}

static int
read_shallow(struct repo *repo, const char *git_dir, struct err *err)
{
    struct buf path = {0}, content = {0};
    buf_printf(&path, "%sshallow", git_dir);
    buf_append_byte(&path, 0);
    int result = 0;
    if (buf_failed(&path))
        result = err_nomem(err, "path");
    else if (access((const char *)path.data, F_OK) == 0)
        result = fs_read((const char *)path.data, SHALLOW_BYTES_MAX, &content, err);
    struct bytes rest = buf_bytes(&content);
    const size_t hex = 2 * OID_SHA1_BYTES;
    while (result == 0 && rest.len >= hex) {
        struct oid id;
        if (oid_from_hex(bytes_slice(rest, 0, hex), &id) < 0)
            result =
                err_set(err, ERR_DAMAGED, "%s holds what is no commit id", (const char *)path.data);
        else if (!map_put(&repo->shallow, oid_bytes(&id), NULL))
            result = err_nomem(err, "shallow commits");
        rest = bytes_slice(rest, rest.len > hex ? hex + 1 : hex, rest.len);
    }
    repo->is_shallow = repo->shallow.n_entries > 0;
    buf_clear(&path);
    buf_clear(&content);
    return result;
}

static bool
names_a_promise(struct bytes key)
{
    return bytes_equal(key, BYTES("extensions.partialclone")) ||
           (bytes_starts_with(key, BYTES("remote.")) && bytes_ends_with(key, BYTES(".promisor")));
}

/* Does a remote promise the objects that are not here?  All keys are looked at: libgit2's lookup by
 * a pattern leaks 20 KB a call. */
static bool
is_partial_clone(git_repository *repository)
{
    git_config *config = NULL;
    git_config_iterator *entries = NULL;
    git_config_entry *entry;
    bool found = false;
    if (git_repository_config_snapshot(&config, repository) == 0 &&
        git_config_iterator_new(&entries, config) == 0)
        while (!found && git_config_next(&entry, entries) == 0)
            found = names_a_promise(bytes_of_text(entry->name));
    git_config_iterator_free(entries);
    git_config_free(config);
    return found;
}

static bool
has_replacements(git_repository *repository)
{
    git_reference_iterator *matches = NULL;
    const char *name;
    bool found = git_reference_iterator_glob_new(&matches, repository, "refs/replace/*") == 0 &&
                 git_reference_next_name(&name, matches) == 0;
    git_reference_iterator_free(matches);
    return found;
}

/* What does not depend on the commit asked for. */
static int
read_surroundings(git_repository *repository, struct repo *repo, struct err *err)
{
    const char *common = git_repository_commondir(repository);
    repo->objects_dir = arena_format(&repo->arena, "%sobjects", common);
    char *grafts = arena_format(&repo->arena, "%sinfo/grafts", common);
    if (!repo->objects_dir || !grafts)
        return err_nomem(err, "path");
    if (access(repo->objects_dir, R_OK | X_OK) < 0)
        return err_set(err, ERR_INPUT, "%s cannot be read: %s", repo->objects_dir, strerror(errno));
    repo->has_grafts = access(grafts, F_OK) == 0;
    repo->has_replacements = has_replacements(repository);
    repo->is_partial = is_partial_clone(repository);
    return read_shallow(repo, common, err);
}

static int
open_with(const char *path, struct bytes name, bool is_revision, struct repo *out, struct err *err)
{
    git_repository *repository = NULL;
    *out = (struct repo){0};
    arena_init(&out->arena, 0);
    map_init(&out->shallow);
    int code = git_repository_open_ext(&repository, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
    if (code < 0) {
        open_failed(path, code, err);
        goto fail;
    }
    char *text = name.len ? arena_format(&out->arena, "%.*s", BYTES_ARG(name)) : NULL;
    struct oid id;
    if (name.len && (!text || name.len > REF_BYTES_MAX)) {
        err_set(err, ERR_INPUT, "%s: the name of the branch, tag or revision is too long", path);
        goto fail;
    }
    int found = is_revision && text ? resolve_revision(repository, path, text, &id, err)
                                    : resolve_ref(repository, path, text, out, &id, err);
    if (found < 0 || read_surroundings(repository, out, err) < 0 || peel(out, path, id, err) < 0)
        goto fail;
    git_repository_free(repository);
    return 0;

fail:
    git_repository_free(repository);
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
