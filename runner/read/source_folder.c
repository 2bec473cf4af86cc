/*
 * Folders on disk.  fs_list() walks whole trees, but asks before it enters a folder.  To list a
 * single folder, every folder in it is refused, and its name is collected then.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/fs.h"
#include "git/blob_id.h"
#include "runner/read/source_private.h"

struct folder {
    const char *root;
    struct buf path; /* scratch */
};

static int
folder_open(const struct source_place *place, void **self, struct err *err)
{
    struct folder *folder = calloc(1, sizeof(*folder));
    if (!folder)
        return err_nomem(err, "source");
    folder->root = place->folder;
    *self = folder;
    return 0;
}

static void
folder_close(void *self)
{
    struct folder *folder = self;
    buf_clear(&folder->path);
    free(folder);
}

/* The path of NAME in PLACE, borrowed until the next call; NULL: ERR_NOMEM. */
static const char *
path_of(struct folder *folder, struct bytes place, struct bytes name)
{
    struct buf *path = &folder->path;
    buf_reset(path);
    buf_append_text(path, folder->root);
    const struct bytes parts[] = {place, name};
    for (int i = 0; i < 2; i++) {
        if (!parts[i].len)
            continue;
        if (path->len && path->data[path->len - 1] != '/')
            buf_append_byte(path, '/');
        buf_append_bytes(path, parts[i]);
    }
    buf_append_byte(path, 0);
    return buf_failed(path) ? NULL : (const char *)path->data;
}

/* The folders that fs_list() asked about. */
struct listing {
    struct arena *arena;
    struct source_entry *folders; /* malloc'ed */
    size_t n_folders, capacity;
    bool failed;
};

static int
keep_folder(void *context, struct bytes name)
{
    struct listing *list = context;
    if (!ARRAY_RESERVE(list->folders, list->n_folders, list->capacity, 1)) {
        list->failed = true;
        return 0;
    }
    struct source_entry entry = {.name = arena_copy(list->arena, name), .mode = 0040000};
    list->failed |= !entry.name.data;
    list->folders[list->n_folders++] = entry;
    return 0;
}

static int
compare_entries(const void *a, const void *b)
{
    return bytes_compare(((const struct source_entry *)a)->name,
                         ((const struct source_entry *)b)->name);
}

static int
folder_list(void *self, struct bytes place, struct arena *arena, struct source_entry **out,
            size_t *n_out, const char **defect, struct err *err)
{
    (void)defect;
    struct listing list = {.arena = arena};
    struct fs_entry *files;
    size_t n_files;
    const char *path = path_of(self, place, BYTES(""));
    int rc = path ? fs_list(path, keep_folder, &list, arena, &files, &n_files, err)
                  : err_nomem(err, "path");
    if (rc == 0) {
        *n_out = n_files + list.n_folders;
        *out = ARENA_ARRAY(arena, *n_out, struct source_entry);
        if (!*out || list.failed)
            rc = err_nomem(err, "list of files");
    }
    if (rc == 0) {
        for (size_t i = 0; i < n_files; i++)
            (*out)[i] = (struct source_entry){.name = files[i].path, .mode = files[i].mode};
        if (list.n_folders)
            memcpy(*out + n_files, list.folders, list.n_folders * sizeof(**out));
        if (*n_out > 1)
            qsort(*out, *n_out, sizeof(**out), compare_entries);
    }
    free(list.folders);
    return rc;
}

static int
folder_read(void *self, struct bytes place, const struct source_entry *entry, size_t max_bytes,
            struct buf *out, uint64_t *size, struct err *err)
{
    const char *path = path_of(self, place, entry->name);
    if (!path)
        return err_nomem(err, "path");
    int rc = fs_read(path, max_bytes, out, err);
    struct stat st;
    if (rc < 0 && err->code == ERR_UNSUPPORTED && size)
        *size = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
    return rc;
}

static int
folder_hash_large(void *self, struct bytes place, const struct source_entry *entry, struct oid *out,
                  struct err *err)
{
    const char *path = path_of(self, place, entry->name);
    return path ? blob_id_of_file(path, out, err) : err_nomem(err, "path");
}

const struct source_kind source_folder = {folder_open, folder_close, folder_list, folder_read,
                                          folder_hash_large};
