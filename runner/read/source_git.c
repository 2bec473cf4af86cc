/*
 * A revision of a repository, read from its objects with the functions of git/.  Nothing is checked
 * out and nothing in it is run.
 *
 * A folder is found from the root of the revision each time it is listed.  Trees that git would
 * refuse are read as far as they can be used (git/tree.h), and the first thing wrong is kept as the
 * defect of the listing.
 */
#include <stdlib.h>

#include "git/repo.h"
#include "git/revision.h"
#include "git/tree.h"
#include "runner/read/source_private.h"

/* As git reads: what an agent left is not trusted to be what its name says. */
static const struct objects_options verifying = {.verify = true};

struct revision {
    struct objects *objects;
    struct oid root;
    struct tree tree; /* the last one that was read; its memory is used again */
};

int
source_resolve(const char *path, struct bytes revision, struct bytes prefix, struct arena *arena,
               struct source_place *out, struct oid *commit, struct err *err)
{
    struct repo repo;
    struct objects *objects = NULL;
    if (repo_open_at(path, revision, &repo, err) < 0)
        return -1;
    int rc = objects_open(repo.objects_dir, &verifying, &objects, err);
    if (rc == 0)
        rc = revision_find_tree(objects, &repo.head, commit, &out->tree, err);
    if (rc == 0)
        rc = revision_find_folder(objects, prefix, &out->tree, err);
    if (rc < 0)
        err_wrap(err, "%s", path);
    out->objects_dir = arena_format(arena, "%s", repo.objects_dir);
    if (rc == 0 && !out->objects_dir)
        rc = err_nomem(err, "path");
    objects_close(objects);
    repo_clear(&repo);
    return rc;
}

static void
revision_close(void *self)
{
    struct revision *revision = self;
    tree_clear(&revision->tree);
    objects_close(revision->objects);
    free(revision);
}

static int
revision_open(const struct source_place *place, void **self, struct err *err)
{
    struct revision *revision = calloc(1, sizeof(*revision));
    if (!revision)
        return err_nomem(err, "source");
    revision->root = place->tree;
    if (objects_open(place->objects_dir, &verifying, &revision->objects, err) < 0) {
        free(revision);
        return -1;
    }
    *self = revision;
    return 0;
}

static int
compare_entries(const void *a, const void *b)
{
    return bytes_compare(((const struct source_entry *)a)->name,
                         ((const struct source_entry *)b)->name);
}

/* The entries of the tree that was read, by name, into ARENA. */
static struct source_entry *
copy_entries(const struct tree *tree, struct arena *arena)
{
    struct source_entry *entries = ARENA_ARRAY(arena, tree->n_entries, struct source_entry);
    for (size_t i = 0; entries && i < tree->n_entries; i++) {
        entries[i] = (struct source_entry){
            .name = arena_copy(arena, tree->entries[i].name),
            .mode = tree->entries[i].mode,
            .blob = oid_from_raw(tree->entries[i].id, OID_SHA1_BYTES),
        };
        if (!entries[i].name.data)
            return NULL;
    }
    if (entries && tree->n_entries > 1)
        qsort(entries, tree->n_entries, sizeof(*entries), compare_entries);
    return entries;
}

static int
revision_list(void *self, struct bytes folder, struct arena *arena, struct source_entry **out,
              size_t *n_out, const char **defect, struct err *err)
{
    struct revision *revision = self;
    struct tree *tree = &revision->tree;
    struct oid id = revision->root;
    const char *why;
    if (revision_find_folder(revision->objects, folder, &id, err) < 0)
        return -1;
    enum object_outcome outcome = tree_read(revision->objects, &id, tree, &why);
    if (outcome != OBJECT_OK)
        return outcome == OBJECT_NO_MEMORY ? err_nomem(err, "tree")
                                           : err_set(err, ERR_DAMAGED, "%s", why);
    if (tree->defects)
        *defect = tree_defect_name(tree->defects);
    *out = copy_entries(tree, arena);
    *n_out = tree->n_entries;
    return *out ? 0 : err_nomem(err, "list of files");
}

static int
revision_read(void *self, struct bytes folder, const struct source_entry *entry, size_t max_bytes,
              struct buf *out, uint64_t *size, struct err *err)
{
    (void)folder;
    struct revision *revision = self;
    struct object object;
    enum object_outcome outcome =
        objects_read(revision->objects, &entry->blob, OBJECT_BLOB, max_bytes, &object);
    if (size)
        *size = object.data.len;
    switch (outcome) {
    case OBJECT_OK:
        buf_append_bytes(out, object.data);
        object_clear(&object);
        return buf_failed(out) ? err_nomem(err, "file") : 0;
    case OBJECT_TOO_LARGE:
        return err_set(err, ERR_UNSUPPORTED, "%.*s is larger than the limit of %zu bytes",
                       BYTES_ARG(entry->name), max_bytes);
    case OBJECT_NO_MEMORY:
        return err_nomem(err, "file");
    case OBJECT_MISSING:
        return err_set(err, ERR_INPUT, "%s", objects_reason(revision->objects));
    case OBJECT_DAMAGED:
    case OBJECT_WRONG_KIND:
        break;
    }
    return err_set(err, ERR_DAMAGED, "%s", objects_reason(revision->objects));
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
