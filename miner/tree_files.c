/*
 * Which files a scan has.  The trees of a revision are read from its objects, the folders of a path
 * from disk; then all files are sorted, each once.
 */
#include "miner/tree_files.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/map.h"
#include "git/objects.h"
#include "git/revision.h"
#include "miner/listing.h"

/* ---- The list ------------------------------------------------------------------------------ */

static int
add_item(struct tree_files *files, struct tree_file item, struct err *err)
{
    if (files->n_items == files->capacity) {
        size_t capacity = files->capacity ? files->capacity * 2 : 256;
        struct tree_file *items = reallocarray(files->items, capacity, sizeof(*items));
        if (!items)
            return err_nomem(err, "list of files");
        files->items = items;
        files->capacity = capacity;
    }
    files->items[files->n_items++] = item;
    return item.path.data ? 0 : err_nomem(err, "list of files");
}

static int
on_file(void *context, struct bytes path, const struct tree_entry *entry, struct err *err)
{
    struct tree_files *files = context;
    struct tree_file item = {.path = arena_copy(files->arena, path),
                             .blob = oid_from_raw(entry->id, OID_SHA1_BYTES),
                             .mode = entry->mode};
    return add_item(files, item, err);
}

static int
on_defect(void *context, struct bytes folder, const char *what, struct err *err)
{
    struct tree_files *files = context;
    struct miner_tree *tree = files->tree;
    if (tree->n_defects == files->defects_capacity) {
        size_t capacity = files->defects_capacity ? files->defects_capacity * 2 : 16;
        struct miner_defect *defects = reallocarray(tree->defects, capacity, sizeof(*defects));
        if (!defects)
            return err_nomem(err, "list of defects");
        tree->defects = defects;
        files->defects_capacity = capacity;
    }
    struct miner_defect defect = {arena_copy(files->arena, folder), what};
    if (!defect.folder.data)
        return err_nomem(err, "list of defects");
    tree->defects[tree->n_defects++] = defect;
    return 0;
}

/* ---- Of a revision ------------------------------------------------------------------------- */

static int
list_revision(struct tree_files *files, struct err *err)
{
    const struct miner_tree_options *options = files->options;
    struct objects *objects = NULL;
    struct listing listing;
    if (repo_open_at(options->repository, options->revision, &files->repo, err) < 0 ||
        objects_open(files->repo.objects_dir, NULL, &objects, err) < 0)
        return -1;
    struct oid id;
    struct listing_sink sink = {on_file, on_defect, files};
    listing_init(&listing, objects, files->filter);
    int rc = revision_find_tree(objects, &files->repo.head, &files->tree->commit, &id, err);
    if (rc == 0)
        rc = revision_find_folder(objects, options->prefix, &id, err);
    if (rc == 0)
        rc = listing_run(&listing, &id, &sink, err);
    listing_clear(&listing);
    objects_close(objects);
    return rc < 0 ? err_wrap(err, "%s", options->repository) : 0;
}

/* ---- On disk ------------------------------------------------------------------------------- */

static int
enter_folder(void *context, struct bytes name)
{
    const struct tree_files *files = context;
    return !source_filter_excludes_dir(files->filter, name);
}

static int
list_folder(struct tree_files *files, const char *folder, struct err *err)
{
    struct fs_entry *entries;
    size_t n_entries;
    if (fs_list(folder, enter_folder, files, files->arena, &entries, &n_entries, err) < 0)
        return -1;
    bool is_only = files->options->n_paths == 1;
    bool is_here = strcmp(folder, ".") == 0, is_root = strcmp(folder, "/") == 0;
    for (size_t i = 0; i < n_entries; i++) {
        if (!source_filter_takes(files->filter, entries[i].path, entries[i].mode))
            continue;
        char *disk_path = arena_format(files->arena, "%s%s%s", is_here ? "" : folder,
                                       is_here || is_root ? "" : "/", entries[i].path.data);
        if (!disk_path)
            return err_nomem(err, "list of files");
        struct tree_file item = {.path = is_only ? entries[i].path : bytes_of_text(disk_path),
                                 .mode = entries[i].mode,
                                 .disk_path = disk_path};
        if (add_item(files, item, err) < 0)
            return -1;
    }
    return 0;
}

/* PATH without "./" and without repeated or trailing slashes, so that a file has one name. */
static const char *
plain_path(struct arena *arena, const char *path)
{
    struct bytes copy = arena_copy(arena, bytes_of_text(path));
    if (!copy.data)
        return NULL;
    char *out = (char *)(uintptr_t)copy.data;
    size_t n = 0;
    for (const char *at = path; *at;) {
        bool is_part_start = at == path || at[-1] == '/';
        if (is_part_start && at[0] == '.' && (at[1] == '/' || at[1] == '\0'))
            at += 1 + (at[1] == '/');
        else if (is_part_start && at[0] == '/' && at != path)
            at++;
        else
            out[n++] = *at++;
    }
    if (n > 1 && out[n - 1] == '/')
        n--;
    if (n == 0)
        out[n++] = '.';
    out[n] = '\0';
    return out;
}

static int
list_paths(struct tree_files *files, struct err *err)
{
    for (size_t i = 0; i < files->options->n_paths; i++) {
        struct stat st;
        if (stat(files->options->paths[i], &st) < 0)
            return err_set_errno(err, "look at %s", files->options->paths[i]);
        if (!S_ISDIR(st.st_mode) && access(files->options->paths[i], R_OK) < 0)
            return err_set_errno(err, "read %s", files->options->paths[i]);
        const char *path = plain_path(files->arena, files->options->paths[i]);
        if (!path)
            return err_nomem(err, "list of files");
        struct tree_file item = {.path = bytes_of_text(path),
                                 .mode = st.st_mode & S_IXUSR ? 0100755 : 0100644,
                                 .disk_path = path};
        if ((S_ISDIR(st.st_mode) ? list_folder(files, path, err) : add_item(files, item, err)) < 0)
            return -1;
    }
    return 0;
}

/* ---- In order ------------------------------------------------------------------------------ */

static int
compare_items(const void *a, const void *b)
{
    return bytes_compare(((const struct tree_file *)a)->path, ((const struct tree_file *)b)->path);
}

/* Sort the items, remove duplicates, and find those that share a blob. */
static int
arrange(struct tree_files *files, struct err *err)
{
    struct map first;
    map_init(&first);
    if (files->n_items > 1)
        qsort(files->items, files->n_items, sizeof(*files->items), compare_items);
    size_t n = 0;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < files->n_items; i++) {
        struct tree_file *item = &files->items[n];
        if (n > 0 && bytes_equal(files->items[i].path, item[-1].path))
            continue;
        *item = files->items[i];
        item->same_as = n++;
        if (item->disk_path)
            continue;
        bool is_new;
        uint64_t *index = map_put(&first, oid_bytes(&item->blob), &is_new);
        if (!index)
            rc = err_nomem(err, "blobs of a tree");
        else if (is_new)
            *index = item->same_as;
        else
            item->same_as = (size_t)*index;
    }
    files->n_items = n;
    map_clear(&first);
    return rc;
}

int
tree_files_list(struct tree_files *files, struct err *err)
{
    int listed = files->options->repository ? list_revision(files, err) : list_paths(files, err);
    return listed < 0 ? -1 : arrange(files, err);
}
