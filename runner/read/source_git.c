/*
 * A revision of a repository, read from its objects.  Nothing is checked out, nothing in it is run,
 * and no configuration of the machine or the user is read.  The only file that knows libgit2.
 */
#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "runner/read/source_private.h"

struct revision {
    git_repository *repository;
    git_odb *odb;
    git_oid root;
};

/* libgit2 keeps its last error for each thread: it is copied on that thread. */
static int
fail(struct err *err, enum err_code code)
{
    const git_error *last = git_error_last();
    return err_set(err, code, "%s", last && last->message ? last->message : "libgit2 failed");
}

static int
fail_with(struct err *err, int status)
{
    const git_error *last = git_error_last();
    if (last && last->klass == GIT_ERROR_NOMEMORY)
        return err_nomem(err, "libgit2");
    return fail(err, status == GIT_ENOTFOUND || status == GIT_EINVALIDSPEC ||
                             status == GIT_EAMBIGUOUS || status == GIT_EPEEL
                         ? ERR_INPUT
                         : ERR_DAMAGED);
}

int
source_begin(struct err *err)
{
    static const git_config_level_t levels[] = {GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
                                                GIT_CONFIG_LEVEL_GLOBAL,
                                                GIT_CONFIG_LEVEL_PROGRAMDATA};
    if (git_libgit2_init() < 0)
        return fail(err, ERR_INTERNAL);
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
        git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
    return 0;
}

void
source_end(void)
{
    git_libgit2_shutdown();
}

/* ---- Hashing ------------------------------------------------------------------------------- */

int
source_hash(struct bytes content, struct oid *out, struct err *err)
{
    git_oid id;
    if (git_odb_hash(&id, content.len ? (const void *)content.data : "", content.len,
                     GIT_OBJECT_BLOB) < 0)
        return fail(err, ERR_INTERNAL);
    *out = oid_from_raw(id.id, OID_SHA1_BYTES);
    return 0;
}

int
source_hash_file(const char *path, struct oid *out, struct err *err)
{
    git_oid id;
    if (git_odb_hashfile(&id, path, GIT_OBJECT_BLOB) < 0)
        return fail(err, ERR_IO);
    *out = oid_from_raw(id.id, OID_SHA1_BYTES);
    return 0;
}

/* ---- Finding the tree ---------------------------------------------------------------------- */

static int
open_repository(const char *path, git_repository **out, struct err *err)
{
    int status = git_repository_open_ext(out, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
    if (status < 0) {
        (void)fail(err, ERR_INPUT);
        return err_wrap(err, "open the repository %s", path);
    }
    return 0;
}

static int
find_prefix(git_tree *root, struct bytes prefix, struct oid *out, struct err *err)
{
    while (prefix.len && prefix.data[prefix.len - 1] == '/')
        prefix.len--;
    if (!prefix.len || bytes_equal(prefix, BYTES("."))) {
        *out = oid_from_raw(git_tree_id(root)->id, OID_SHA1_BYTES);
        return 0;
    }
    char path[4096];
    git_tree_entry *entry = NULL;
    if (prefix.len >= sizeof(path))
        return err_set(err, ERR_INPUT, "the prefix is too long");
    memcpy(path, prefix.data, prefix.len);
    path[prefix.len] = '\0';
    if (git_tree_entry_bypath(&entry, root, path) < 0 ||
        git_tree_entry_type(entry) != GIT_OBJECT_TREE) {
        git_tree_entry_free(entry);
        return err_set(err, ERR_INPUT, "the revision has no folder %s", path);
    }
    *out = oid_from_raw(git_tree_entry_id(entry)->id, OID_SHA1_BYTES);
    git_tree_entry_free(entry);
    return 0;
}

static int
resolve(git_repository *repository, struct bytes revision, struct bytes prefix, struct oid *tree,
        struct oid *commit, struct err *err)
{
    char spec[1024] = "HEAD";
    git_object *object = NULL, *root = NULL;
    if (revision.len >= sizeof(spec))
        return err_set(err, ERR_INPUT, "the revision is too long");
    if (revision.len) {
        memcpy(spec, revision.data, revision.len);
        spec[revision.len] = '\0';
    }
    int status = git_revparse_single(&object, repository, spec);
    if (status == 0)
        status = git_object_peel(&root, object, GIT_OBJECT_TREE);
    int result = status < 0 ? fail_with(err, status) : 0;
    *commit = (struct oid){0};
    git_object *peeled = NULL;
    if (result == 0 && git_object_peel(&peeled, object, GIT_OBJECT_COMMIT) == 0)
        *commit = oid_from_raw(git_object_id(peeled)->id, OID_SHA1_BYTES);
    if (result == 0)
        result = find_prefix((git_tree *)root, prefix, tree, err);
    git_object_free(peeled);
    git_object_free(root);
    git_object_free(object);
    return result;
}

int
source_resolve(const char *path, struct bytes revision, struct bytes prefix, struct oid *tree,
               struct oid *commit, struct err *err)
{
    git_repository *repository;
    if (open_repository(path, &repository, err) < 0)
        return -1;
    int result = resolve(repository, revision, prefix, tree, commit, err);
    git_repository_free(repository);
    return result < 0 ? err_wrap(err, "%s", path) : 0;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static void
revision_close(void *self)
{
    struct revision *revision = self;
    git_odb_free(revision->odb);
    git_repository_free(revision->repository);
    free(revision);
}

static int
revision_open(const struct source_place *place, void **self, struct err *err)
{
    struct revision *revision = calloc(1, sizeof(*revision));
    if (!revision)
        return err_nomem(err, "source");
    memcpy(revision->root.id, place->tree.id, OID_SHA1_BYTES);
    int result = open_repository(place->repository, &revision->repository, err);
    if (result == 0 && git_repository_odb(&revision->odb, revision->repository) < 0)
        result = fail(err, ERR_DAMAGED);
    if (result < 0) {
        revision_close(revision);
        return -1;
    }
    *self = revision;
    return 0;
}

/* The tree of FOLDER below the root. */
static int
open_tree(struct revision *revision, struct bytes folder, git_tree **out, struct err *err)
{
    git_tree *root;
    struct oid id;
    git_oid raw;
    int status = git_tree_lookup(&root, revision->repository, &revision->root);
    if (status < 0)
        return fail_with(err, status);
    int result = find_prefix(root, folder, &id, err);
    git_tree_free(root);
    if (result < 0)
        return -1;
    memcpy(raw.id, id.id, OID_SHA1_BYTES);
    status = git_tree_lookup(out, revision->repository, &raw);
    return status < 0 ? fail_with(err, status) : 0;
}

static int
compare_entries(const void *a, const void *b)
{
    return bytes_compare(((const struct source_entry *)a)->name,
                         ((const struct source_entry *)b)->name);
}

static int
revision_list(void *self, struct bytes folder, struct arena *arena, struct source_entry **out,
              size_t *n_out, struct err *err)
{
    git_tree *tree;
    if (open_tree(self, folder, &tree, err) < 0)
        return -1;
    size_t n = git_tree_entrycount(tree);
    struct source_entry *entries = ARENA_ARRAY(arena, n, struct source_entry);
    int result = entries ? 0 : err_nomem(err, "list of files");
    for (size_t i = 0; result == 0 && i < n; i++) {
        const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
        entries[i] = (struct source_entry){
            .name = arena_copy(arena, bytes_of_text(git_tree_entry_name(entry))),
            .mode = (uint32_t)git_tree_entry_filemode_raw(entry),
            .blob = oid_from_raw(git_tree_entry_id(entry)->id, OID_SHA1_BYTES)};
        if (!entries[i].name.data)
            result = err_nomem(err, "list of files");
    }
    git_tree_free(tree);
    if (result == 0 && n > 1)
        qsort(entries, n, sizeof(*entries), compare_entries);
    *out = entries;
    *n_out = n;
    return result;
}

static int
revision_read(void *self, struct bytes folder, const struct source_entry *entry, size_t max_bytes,
              struct buf *out, uint64_t *size, struct err *err)
{
    (void)folder;
    struct revision *revision = self;
    git_oid id;
    size_t len;
    git_object_t type;
    memcpy(id.id, entry->blob.id, OID_SHA1_BYTES);
    int status = git_odb_read_header(&len, &type, revision->odb, &id);
    if (status < 0)
        return fail(err, status == GIT_ENOTFOUND ? ERR_INPUT : ERR_DAMAGED);
    if (size)
        *size = len;
    if (len > max_bytes)
        return err_set(err, ERR_UNSUPPORTED, "%.*s is larger than the limit of %zu bytes",
                       BYTES_ARG(entry->name), max_bytes);
    git_odb_object *object;
    status = git_odb_read(&object, revision->odb, &id);
    if (status < 0)
        return fail(err, ERR_DAMAGED);
    buf_append(out, git_odb_object_data(object), git_odb_object_size(object));
    git_odb_object_free(object);
    return buf_failed(out) ? err_nomem(err, "file") : 0;
}

static int
revision_hash_large(void *self, struct bytes folder, const struct source_entry *entry,
                    struct oid *out, struct err *err)
{
    (void)self, (void)folder, (void)err;
    *out = entry->blob;
    return 0;
}

const struct source_kind source_git = {revision_open, revision_close, revision_list, revision_read,
                                       revision_hash_large};
